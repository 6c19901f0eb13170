// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profiles: what the drivers of adapters let an upper layer see.
 *
 * The numbers are those of the drivers in Linux 7.3.4, below drivers/infiniband/hw. Where
 * 6.1 has another one, the comment says so. A comment names the function that sets the
 * numbers, then the symbol behind each number that is computed. "firmware" marks a number
 * that the driver gets from the adapter: what stands here is a value that adapters of that
 * kind are known to report, and others may report another one. "chosen" marks a number that
 * is not known: it is set so that the code for it runs. Documentation/profiles.rst has the
 * whole table, with what a profile cannot show.
 *
 * All drivers size the send queue for as many of the largest work requests as a queue pair
 * was created for. Those that count bytes (irdma, bnxt_re P7, erdma, qedr) have room for more
 * of the small ones, and none has room for fewer. Some round the queue up; that is left out,
 * because more than was asked for does not help to find a bug.
 *
 * No profile has a driver ID: what users do for rxe or siw only, they do because of the
 * software device beneath the profile.
 */
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/sizes.h>
#include "profile.h"

#define STRICT_PAGES_FROM_4K	0xfffff000ULL
#define STRICT_PAGES_4K_TO_1G	0x7ffff000ULL

#define STRICT_SGE		16	/* bytes of an SGE in all work requests */

/* sq_overhead() of a reliable connection, and mlx5_wqe_inline_seg */
#define STRICT_MLX5_OVERHEAD	132
#define STRICT_MLX5_INLINE	4
#define STRICT_MLX5_BLOCK	64
#define STRICT_MLX5_WR_MAX	1024	/* max_wqe_sz_sq, firmware */
#define STRICT_MLX5_RECV_MAX	512	/* max_wqe_sz_rq, firmware */
#define STRICT_MLX5_DEPTH	32768	/* log_max_qp_sz, firmware */

/* calc_sq_size(), set_rq_size() */
static int strict_mlx5_check_cap(const struct ib_qp_cap *cap)
{
	unsigned long data = max_t(unsigned long, cap->max_send_sge * STRICT_SGE,
				   STRICT_MLX5_INLINE + cap->max_inline_data);
	unsigned long bytes = ALIGN(STRICT_MLX5_OVERHEAD + data, STRICT_MLX5_BLOCK);

	if (cap->max_recv_wr > STRICT_MLX5_DEPTH || bytes > STRICT_MLX5_WR_MAX ||
	    cap->max_recv_sge * STRICT_SGE > STRICT_MLX5_RECV_MAX)
		return -EINVAL;
	if (!cap->max_send_wr)
		return 0;
	bytes = roundup_pow_of_two(cap->max_send_wr * bytes);
	return bytes / STRICT_MLX5_BLOCK > STRICT_MLX5_DEPTH ? -ENOMEM : 0;
}

#define STRICT_IRDMA_QUANTUM	32
#define STRICT_IRDMA_RESERVED	258	/* IRDMA_SQ_RSVD */

/* irdma_get_wqe_shift(): a work request takes 1 << shift quanta */
static unsigned int strict_irdma_shift(u32 sges, u32 data, bool gen1)
{
	if (sges <= 1 && data <= (gen1 ? 16 : 8))
		return 0;
	if (sges < 4 && data <= (gen1 ? 48 : 39))
		return 1;
	return gen1 || (sges < 8 && data <= 101) ? 2 : 3;
}

static u32 strict_irdma_quanta(const struct ib_qp_cap *cap, bool gen1)
{
	return cap->max_send_wr <<
	       strict_irdma_shift(cap->max_send_sge, cap->max_inline_data, gen1);
}

/*
 * irdma_get_sqdepth(), irdma_get_rqdepth(), which reserves one quantum;
 * irdma_uk_calc_depth_shift_rq()
 */
static int strict_irdma_check(const struct ib_qp_cap *cap, bool gen1, u32 most_send,
			      u32 most_recv)
{
	unsigned int shift = gen1 ? 2 : strict_irdma_shift(cap->max_recv_sge, 0, false);
	unsigned long send = strict_irdma_quanta(cap, gen1) + STRICT_IRDMA_RESERVED;
	unsigned long recv = (cap->max_recv_wr << shift) + 1;

	return roundup_pow_of_two(send) > most_send || roundup_pow_of_two(recv) > most_recv ?
	       -EINVAL : 0;
}

static int strict_irdma_check_cap(const struct ib_qp_cap *cap)
{
	return strict_irdma_check(cap, false, 32768, 32768);
}

static int strict_irdma_gen1_check_cap(const struct ib_qp_cap *cap)
{
	return strict_irdma_check(cap, true, 2048, 16384);
}

static u32 strict_irdma_sq_bytes(const struct ib_qp_cap *cap)
{
	return strict_irdma_quanta(cap, false) * STRICT_IRDMA_QUANTUM;
}

static u32 strict_irdma_gen1_sq_bytes(const struct ib_qp_cap *cap)
{
	return strict_irdma_quanta(cap, true) * STRICT_IRDMA_QUANTUM;
}

/* irdma_fragcnt_to_quanta_sq(); one quantum for a registration or an invalidation */
static u32 strict_irdma_wqe_bytes(const struct ib_send_wr *wr)
{
	return (wr->num_sge / 2 + 1) * STRICT_IRDMA_QUANTUM;
}

#define STRICT_BNXT_HEADER	32	/* struct sq_send_hdr */

/* bnxt_re_setup_swqe_size() */
static u32 strict_bnxt_sq_bytes(const struct ib_qp_cap *cap)
{
	u32 data = max_t(u32, cap->max_send_sge * STRICT_SGE,
			 ALIGN(cap->max_inline_data, STRICT_BNXT_HEADER));

	return cap->max_send_wr * (STRICT_BNXT_HEADER + data);
}

/* bnxt_qplib_required_slots() */
static u32 strict_bnxt_wqe_bytes(const struct ib_send_wr *wr)
{
	return STRICT_BNXT_HEADER + wr->num_sge * STRICT_SGE;
}

#define STRICT_ERDMA_BLOCK	32	/* SQEBB_SIZE */
#define STRICT_ERDMA_BLOCKS	4	/* ERDMA_MAX_WQEBB_PER_SQE */

/* erdma_qp_validate_cap() */
static int strict_erdma_check_cap(const struct ib_qp_cap *cap)
{
	return cap->max_send_wr && cap->max_recv_wr ? 0 : -EINVAL;
}

/* erdma_create_qp() */
static u32 strict_erdma_sq_bytes(const struct ib_qp_cap *cap)
{
	return cap->max_send_wr * STRICT_ERDMA_BLOCKS * STRICT_ERDMA_BLOCK;
}

/* erdma_push_one_sqe(). A registration of up to four pages takes two blocks */
static u32 strict_erdma_wqe_bytes(const struct ib_send_wr *wr)
{
	u32 header = 32;

	switch (wr->opcode) {
	case IB_WR_SEND:
	case IB_WR_SEND_WITH_INV:
		header = 16;
		fallthrough;
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_READ:
	case IB_WR_RDMA_READ_WITH_INV:
		return ALIGN(header + wr->num_sge * STRICT_SGE, STRICT_ERDMA_BLOCK);
	case IB_WR_REG_MR:
		return 2 * STRICT_ERDMA_BLOCK;
	default:
		return STRICT_ERDMA_BLOCK;
	}
}

#define STRICT_QEDR_ELEMENT	16	/* QEDR_SQE_ELEMENT_SIZE */
#define STRICT_QEDR_ELEMENTS	18	/* QEDR_MAX_SQE_ELEMENTS_PER_SQE */

/* qedr_create_kernel_qp() */
static u32 strict_qedr_sq_bytes(const struct ib_qp_cap *cap)
{
	return max(cap->max_send_wr, 1U) * STRICT_QEDR_ELEMENTS * STRICT_QEDR_ELEMENT;
}

/* __qedr_post_send() */
static u32 strict_qedr_wqe_bytes(const struct ib_send_wr *wr)
{
	u32 elements = wr->opcode == IB_WR_LOCAL_INV ? 1 : 2 + wr->num_sge;

	return elements * STRICT_QEDR_ELEMENT;
}

const struct strict_profile strict_profiles[] = {
	/*
	 * mlx5/main.c, mlx5_ib_query_device(). MLX5_CAP_GEN is firmware: ConnectX-4 to 7
	 * report log_max_qp_sz 15, log_max_cq_sz 22, max_wqe_sz_rq 512, log_max_ra_req_qp 4,
	 * log_max_klm_list_size 16, log_max_mkey 24, max_wqe_sz_sq 1024.
	 *
	 * max_qp_wr: mlx5_ib_calc_max_qp_wr(), 32768 blocks of MLX5_SEND_WQE_BB (64 bytes),
	 * four for each work request. 6.1 shows all 32768, and refuses them in calc_sq_size().
	 * max_send_sge: (512 - ctrl_seg - raddr_seg) / data_seg. max_sge_rd: MLX5_MAX_SGE_RD.
	 * max_sgl_rd: max_sgl_for_optimized_performance, firmware; chosen.
	 * Inline data: calc_send_wqe(), max_wqe_sz_sq - sq_overhead() - inline_seg.
	 * max_seg_size: set_dma_caps() in net/ethernet/mellanox/mlx5/core/main.c.
	 */
	{
		.name			= "mlx5",
		.source			= "mlx5/main.c, 7.3.4",
		.max_qp_wr		= 8192,
		.max_cqe		= (1 << 22) - 1,
		.max_send_sge		= 30,
		.max_recv_sge		= 32,
		.max_sge_rd		= 30,
		.max_sgl_rd		= 4,
		.max_frwr_pages		= 1 << 16,
		.max_qp_rd_atom		= 16,
		.max_qp_init_rd_atom	= 16,
		.max_mr			= 1 << 24,
		.max_inline_data	= 888,
		.page_size_cap		= ~(u64)(SZ_4K - 1),
		.max_seg_size		= SZ_2G,
		.sg_gaps		= true,
		.check_cap		= strict_mlx5_check_cap,
	},
	/*
	 * mlx4/main.c, mlx4_ib_query_device(). QUERY_DEV_CAP is firmware: ConnectX-3 reports
	 * max_qp_sz 16384, max_sq_sg 62, max_rq_sg 32, max_cq_sz 1 << 22, max_requester_per_qp
	 * 128, pages from 512 bytes.
	 *
	 * max_qp_wr: max_wqes - MLX4_IB_SQ_MAX_SPARE (33). max_sge_rd: MLX4_MAX_SGE_RD.
	 * max_frwr_pages: MLX4_MAX_FAST_REG_PAGES. max_qp_rd_atom: rdmarc_per_qp of
	 * default_profile. max_mr: num_mpt likewise. Inline data: set_kernel_sq_size() allows a
	 * kernel queue pair none, but does not refuse to be asked.
	 * max_seg_size: __mlx4_init_one() in net/ethernet/mellanox/mlx4/main.c.
	 */
	{
		.name			= "mlx4",
		.source			= "mlx4/main.c, 7.3.4",
		.max_qp_wr		= 16384 - 33,
		.max_cqe		= (1 << 22) - 1,
		.max_send_sge		= 32,
		.max_recv_sge		= 32,
		.max_sge_rd		= 30,
		.max_frwr_pages		= 511,
		.max_qp_rd_atom		= 16,
		.max_qp_init_rd_atom	= 128,
		.max_mr			= 1 << 19,
		.page_size_cap		= 0xfffffe00,
		.max_seg_size		= SZ_1G,
	},
	/*
	 * irdma/verbs.c, irdma_query_device(); i40iw_hw.c, i40iw_init_hw(). X722, iWARP only.
	 * max_qp_wr: I40IW_MAX_QP_WRS, (2048 - IRDMA_SQ_RSVD) / 2. max_cqe: IRDMA_MAX_CQ_SIZE
	 * of irdma_sc_dev_init(), less one. SGEs: I40IW_MAX_WQ_FRAGMENT_COUNT,
	 * I40IW_MAX_SGE_RD. max_frwr_pages: IRDMA_MAX_PAGES_PER_FMR.
	 */
	{
		.name			= "irdma_gen1",
		.source			= "irdma/verbs.c, i40iw_hw.c, 7.3.4",
		.max_qp_wr		= 895,
		.max_cqe		= 1048574,
		.max_send_sge		= 3,
		.max_recv_sge		= 3,
		.max_sge_rd		= 1,
		.max_frwr_pages		= 262144,
		.max_qp_rd_atom		= 63,
		.max_qp_init_rd_atom	= 127,
		.max_inline_data	= 48,
		.page_size_cap		= SZ_4K | SZ_2M,
		.max_mr_size		= 0x200000000000ULL,
		.max_seg_size		= U32_MAX,
		.check_cap		= strict_irdma_gen1_check_cap,
		.sq_bytes		= strict_irdma_gen1_sq_bytes,
		.wqe_bytes		= strict_irdma_wqe_bytes,
		.iwarp			= true,
	},
	/*
	 * irdma/verbs.c, irdma_query_device(); icrdma_hw.c, icrdma_init_hw(). E810, RoCE or
	 * iWARP. max_qp_wr: IRDMA_MAX_QP_WRS, (32768 - IRDMA_SQ_RSVD) / 8. SGEs:
	 * IRDMA_MAX_WQ_FRAGMENT_COUNT, IRDMA_MAX_SGE_RD. Reads: ICRDMA_MAX_IRD_SIZE,
	 * ICRDMA_MAX_ORD_SIZE.
	 * Generation 3 (7.3 only) has 14 SGEs, 64 Reads, and no IBK_LOCAL_DMA_LKEY.
	 */
	{
		.name			= "irdma",
		.source			= "irdma/verbs.c, icrdma_hw.c, 7.3.4",
		.max_qp_wr		= 4063,
		.max_cqe		= 1048574,
		.max_send_sge		= 13,
		.max_recv_sge		= 13,
		.max_sge_rd		= 13,
		.max_frwr_pages		= 262144,
		.max_qp_rd_atom		= 127,
		.max_qp_init_rd_atom	= 255,
		.max_inline_data	= 101,
		.page_size_cap		= SZ_4K | SZ_2M | SZ_1G,
		.max_mr_size		= 0x200000000000ULL,
		.max_seg_size		= U32_MAX,
		.check_cap		= strict_irdma_check_cap,
		.sq_bytes		= strict_irdma_sq_bytes,
		.wqe_bytes		= strict_irdma_wqe_bytes,
	},
	/* The same as an iWARP adapter */
	{
		.name			= "irdma_iwarp",
		.source			= "irdma/verbs.c, icrdma_hw.c, 7.3.4",
		.max_qp_wr		= 4063,
		.max_cqe		= 1048574,
		.max_send_sge		= 13,
		.max_recv_sge		= 13,
		.max_sge_rd		= 13,
		.max_frwr_pages		= 262144,
		.max_qp_rd_atom		= 127,
		.max_qp_init_rd_atom	= 255,
		.max_inline_data	= 101,
		.page_size_cap		= SZ_4K | SZ_2M | SZ_1G,
		.max_mr_size		= 0x200000000000ULL,
		.max_seg_size		= U32_MAX,
		.check_cap		= strict_irdma_check_cap,
		.sq_bytes		= strict_irdma_sq_bytes,
		.wqe_bytes		= strict_irdma_wqe_bytes,
		.iwarp			= true,
	},
	/*
	 * bnxt_re/ib_verbs.c, bnxt_re_query_device(); qplib_sp.c, bnxt_qplib_get_dev_attr().
	 * BCM575xx (P5), work requests of BNXT_STATIC_MAX_SGE entries. max_qp_wr and max_cqe
	 * are firmware; the first is 16 bits wide, and 6.1 subtracts BNXT_QPLIB_RESERVED_QP_WRS
	 * (128) and one. max_frwr_pages: MAX_PBL_LVL_1_PGS. Reads: firmware, at most
	 * BNXT_QPLIB_MAX_OUT_RD_ATOM. Inline data: max_qp_sges * sizeof(struct sq_sge).
	 * Flushes: bnxt_re_modify_qp() and bnxt_qplib_cq_process_*() call
	 * bnxt_qplib_add_flush_qp() before the firmware knows.
	 */
	{
		.name			= "bnxt_re",
		.source			= "bnxt_re/ib_verbs.c, qplib_sp.c, 7.3.4",
		.max_qp_wr		= 65535 - 1,
		.max_cqe		= 0xfffff,
		.max_send_sge		= 6,
		.max_recv_sge		= 6,
		.max_sge_rd		= 6,
		.max_frwr_pages		= 512,
		.max_qp_rd_atom		= 126,
		.max_qp_init_rd_atom	= 126,
		.max_inline_data	= 96,
		.page_size_cap		= STRICT_PAGES_4K_TO_1G,
		.max_mr_size		= 1ULL << 39,
		.max_seg_size		= U32_MAX,
		.flushes_early		= true,
	},
	/*
	 * The same functions. BCM576xx (P7), work requests of variable size: BNXT_VAR_MAX_WQE
	 * and BNXT_VAR_MAX_SGE. 6.1 does not know these adapters.
	 */
	{
		.name			= "bnxt_re_p7",
		.source			= "bnxt_re/ib_verbs.c, qplib_sp.c, 7.3.4",
		.max_qp_wr		= 4352 - 1,
		.max_cqe		= 0xfffff,
		.max_send_sge		= 13,
		.max_recv_sge		= 13,
		.max_sge_rd		= 13,
		.max_frwr_pages		= 512,
		.max_qp_rd_atom		= 126,
		.max_qp_init_rd_atom	= 126,
		.max_inline_data	= 208,
		.page_size_cap		= STRICT_PAGES_4K_TO_1G,
		.max_mr_size		= 1ULL << 39,
		.max_seg_size		= U32_MAX,
		.flushes_early		= true,
		.sq_bytes		= strict_bnxt_sq_bytes,
		.wqe_bytes		= strict_bnxt_wqe_bytes,
	},
	/*
	 * hns/hns_roce_main.c, hns_roce_query_device(). HIP09. All but max_frwr_pages
	 * (HNS_ROCE_FRMR_MAX_PA) is firmware, hns_roce_hw_v2.c, hns_roce_query_caps(); the values
	 * are those that 6.1 has for firmware which does not tell: HNS_ROCE_V2_MAX_WQE_NUM,
	 * _MAX_CQE_NUM, _MAX_SQ_SGE_NUM, _MAX_QP_DEST_RDMA, HNS_ROCE_V3_MAX_SQ_INLINE,
	 * HNS_ROCE_V2_MAX_MTPT_NUM.
	 *
	 * The driver says IB_DEVICE_MEM_MGT_EXTENSIONS but has no IB_WR_LOCAL_INV: it is missing
	 * in hns_roce_op_code[] and set_rc_opcode(). A user of FRWR works there only as long as
	 * its peer invalidates all.
	 */
	{
		.name			= "hns",
		.source			= "hns/hns_roce_main.c, 7.3.4",
		.max_qp_wr		= 0x8000,
		.max_cqe		= 0x400000,
		.max_send_sge		= 64,
		.max_recv_sge		= 64,
		.max_sge_rd		= 64,
		.max_frwr_pages		= 512,
		.max_qp_rd_atom		= 128,
		.max_qp_init_rd_atom	= 128,
		.max_mr			= 0x100000,
		.max_inline_data	= 1024,
		.page_size_cap		= 0xffff000,
		.max_seg_size		= SZ_2G,
		.no_opcodes		= BIT_ULL(IB_WR_LOCAL_INV),
	},
	/* The same function. HIP08: no FRWR, so a client must refuse it and a server must not */
	{
		.name			= "hns_hip08",
		.source			= "hns/hns_roce_main.c, 7.3.4",
		.max_qp_wr		= 0x8000,
		.max_cqe		= 0x400000,
		.max_send_sge		= 64,
		.max_recv_sge		= 64,
		.max_sge_rd		= 64,
		.max_qp_rd_atom		= 128,
		.max_qp_init_rd_atom	= 128,
		.max_mr			= 0x100000,
		.max_inline_data	= 32,
		.page_size_cap		= 0xffff000,
		.max_seg_size		= SZ_2G,
		.no_device_caps		= IB_DEVICE_MEM_MGT_EXTENSIONS,
	},
	/*
	 * erdma/erdma_verbs.c, erdma_query_device(); erdma_main.c, erdma_dev_attrs_init(). iWARP;
	 * newer adapters RoCE (7.3). max_qp_wr: ERDMA_MAX_SEND_WR; for Receives firmware. SGEs:
	 * ERDMA_MAX_SEND_SGE, ERDMA_MAX_RECV_SGE, ERDMA_MAX_SGE_RD. Reads: ERDMA_MAX_IRD,
	 * ERDMA_MAX_ORD. max_frwr_pages: ERDMA_MAX_FRMR_PA. max_cqe, max_mr_size: firmware.
	 */
	{
		.name			= "erdma",
		.source			= "erdma/erdma_verbs.c, erdma_main.c, 7.3.4",
		.max_qp_wr		= 8192,
		.max_cqe		= 1 << 20,
		.max_send_sge		= 6,
		.max_recv_sge		= 1,
		.max_sge_rd		= 1,
		.max_frwr_pages		= 512,
		.max_qp_rd_atom		= 128,
		.max_qp_init_rd_atom	= 128,
		.max_inline_data	= 96,
		.page_size_cap		= STRICT_PAGES_4K_TO_1G,
		.max_mr_size		= 1ULL << 36,
		.max_seg_size		= U32_MAX,
		.check_cap		= strict_erdma_check_cap,
		.sq_bytes		= strict_erdma_sq_bytes,
		.wqe_bytes		= strict_erdma_wqe_bytes,
		.iwarp			= true,
	},
	/*
	 * cxgb4/provider.c, c4iw_query_device(); t4.h. iWARP. T5 and later.
	 * max_qp_wr: c4iw_alloc() in device.c, 8192 - t4_eq_status_entries - 1, with a status
	 * page of one entry. max_cqe: t4_max_iq_size - 2. SGEs:
	 * T4_MAX_SEND_SGE, T4_MAX_WRITE_SGE, T4_MAX_RECV_SGE. max_frwr_pages: T4_MAX_FR_DSGL_DEPTH;
	 * T4_MAX_FR_IMMD_DEPTH (32) without ulptx_memwrite_dsgl, as on T4, or with use_dsgl=0.
	 * Reads: c4iw_max_read_depth; max_ordird_qp is firmware. Inline: T4_MAX_SEND_INLINE.
	 */
	{
		.name			= "cxgb4",
		.source			= "cxgb4/provider.c, t4.h, 7.3.4",
		.max_qp_wr		= 8190,
		.max_cqe		= 65518,
		.max_send_sge		= 17,
		.max_recv_sge		= 4,
		.max_sge_rd		= 1,
		.max_frwr_pages		= 128,
		.max_qp_rd_atom		= 32,
		.max_qp_init_rd_atom	= 32,
		.max_inline_data	= 280,
		.page_size_cap		= 0xffff000,
		.max_seg_size		= U32_MAX,
		.iwarp			= true,
	},
	/*
	 * qedr/verbs.c, qedr_query_device(); net/ethernet/qlogic/qed/qed_rdma.c,
	 * qed_rdma_init_devinfo(). RoCE. max_qp_wr: QED_RDMA_MAX_WQE. max_cqe: QEDR_MAX_CQES.
	 * SGEs: RDMA_MAX_SGE_PER_SQ_WQE, RDMA_MAX_SGE_PER_RQ_WQE. max_frwr_pages: max_mr / 8,
	 * with max_mr of RDMA_MAX_TIDS less one. Reads: RDMA_RING_PAGE_SIZE divided by
	 * RDMA_REQ_RD_ATOMIC_ELM_SIZE, as a power of two. Inline: ROCE_REQ_MAX_INLINE_DATA_SIZE.
	 * qedr_map_mr_sg() ignores sg_offset.
	 */
	{
		.name			= "qedr",
		.source			= "qedr/verbs.c, qed_rdma.c, 7.3.4",
		.max_qp_wr		= 0x7fff,
		.max_cqe		= 8388480,
		.max_send_sge		= 4,
		.max_recv_sge		= 4,
		.max_sge_rd		= 4,
		.max_frwr_pages		= 16383,
		.max_qp_rd_atom		= 32,
		.max_qp_init_rd_atom	= 32,
		.max_mr			= 131070,
		.max_inline_data	= 256,
		.page_size_cap		= STRICT_PAGES_FROM_4K,
		.max_mr_size		= 1ULL << 40,
		.max_seg_size		= U32_MAX,
		.sq_bytes		= strict_qedr_sq_bytes,
		.wqe_bytes		= strict_qedr_wqe_bytes,
	},
	/*
	 * The same functions, and qed_iwarp_init_devinfo(): QED_IWARP_IRD_DEFAULT,
	 * QED_IWARP_ORD_DEFAULT, IWARP_REQ_MAX_INLINE_DATA_SIZE.
	 */
	{
		.name			= "qedr_iwarp",
		.source			= "qedr/verbs.c, qed_iwarp.c, 7.3.4",
		.max_qp_wr		= 0x7fff,
		.max_cqe		= 8388480,
		.max_send_sge		= 4,
		.max_recv_sge		= 4,
		.max_sge_rd		= 4,
		.max_frwr_pages		= 16383,
		.max_qp_rd_atom		= 32,
		.max_qp_init_rd_atom	= 32,
		.max_mr			= 131070,
		.max_inline_data	= 128,
		.page_size_cap		= STRICT_PAGES_FROM_4K,
		.max_mr_size		= 1ULL << 40,
		.max_seg_size		= U32_MAX,
		.sq_bytes		= strict_qedr_sq_bytes,
		.wqe_bytes		= strict_qedr_wqe_bytes,
		.iwarp			= true,
	},
};

const unsigned int strict_profiles_count = ARRAY_SIZE(strict_profiles);
