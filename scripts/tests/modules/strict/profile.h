/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles: limits and rules of adapters, put on top of a software device.
 *
 * A profile only narrows: a limit that the device has and that is stricter than the
 * profile's stays. A limit of 0 stands for "as the device has it".
 */
#ifndef _STRICT_PROFILE_H
#define _STRICT_PROFILE_H

#include <rdma/ib_verbs.h>

/**
 * struct strict_profile - one kind of adapter
 * @name:	     for the module parameter "profile"
 * @source:	     files of the public driver, and its version, that the numbers are from
 * @max_qp_wr:	     as in struct ib_device_attr, and so are the next ones
 * @max_cqe:	     entries of a CQ
 * @max_send_sge:    of a Send or an RDMA Write
 * @max_recv_sge:    of a Receive
 * @max_sge_rd:	     of an RDMA Read
 * @max_sgl_rd:	     most entries of an RDMA Read without an MR: rdma_rw uses MRs above it
 * @max_frwr_pages:  max_fast_reg_page_list_len
 * @max_qp_rd_atom:  RDMA Reads that a peer may have outstanding on a QP
 * @max_qp_init_rd_atom: RDMA Reads that a QP may have outstanding
 * @max_mr:	     MRs of the device
 * @max_inline_data: of a QP
 * @page_size_cap:   page sizes of MRs, a mask
 * @max_mr_size:     length of an MR
 * @max_seg_size:    of a DMA segment, as dma_get_max_seg_size() returns it
 * @no_device_caps:  IB_DEVICE_* flags in device_cap_flags that this adapter does not have
 * @no_kernel_caps:  IBK_* flags in kernel_cap_flags that this adapter does not have
 * @sg_gaps:	     the adapter has MRs with gaps (IBK_SG_GAPS_REG). Software devices have
 *		     none, so this only tells a reader of the table
 * @check_cap:	     0, or the negative errno with which the driver refuses to create queues
 *		     of these sizes; NULL: only the limits above count
 * @sq_bytes:	     bytes of the SQ of a QP that was created with these sizes; NULL: it is
 *		     counted in WRs
 * @wqe_bytes:	     bytes that a WR takes there; set if @sq_bytes is
 * @flushes_early:   the driver makes flushed completions up: until it is told to put the QP into
 *		     the error state, the adapter may use the memory of these WRs
 * @no_opcodes:	     mask of BIT(IB_WR_*) that posting refuses
 * @num_comp_vectors: completion vectors
 * @iwarp:	     the adapter is an iWARP one: the profile is for siw, and otherwise for rxe
 * @driver_id:	     driver ID that users see; RDMA_DRIVER_UNKNOWN: the device's own
 */
struct strict_profile {
	const char		*name;
	const char		*source;
	u32			max_qp_wr;
	u32			max_cqe;
	u32			max_send_sge;
	u32			max_recv_sge;
	u32			max_sge_rd;
	u32			max_sgl_rd;
	u32			max_frwr_pages;
	u32			max_qp_rd_atom;
	u32			max_qp_init_rd_atom;
	u32			max_mr;
	u32			max_inline_data;
	u64			page_size_cap;
	u64			max_mr_size;
	u32			max_seg_size;
	u64			no_device_caps;
	u64			no_kernel_caps;
	bool			sg_gaps;
	int			(*check_cap)(const struct ib_qp_cap *cap);
	u32			(*sq_bytes)(const struct ib_qp_cap *cap);
	u32			(*wqe_bytes)(const struct ib_send_wr *wr);
	bool			flushes_early;
	u64			no_opcodes;
	u32			num_comp_vectors;
	bool			iwarp;
	enum rdma_driver_id	driver_id;
};

/* profiles.c: the table, and its length */
extern const struct strict_profile strict_profiles[];
extern const unsigned int strict_profiles_count;

/* profile.c */
const struct strict_profile *strict_profile_find(const char *name);
void strict_profile_apply(const struct strict_profile *profile, struct ib_device *device,
			  struct ib_device_attr *attrs);

#endif
