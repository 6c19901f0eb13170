/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DMA mappings, counted. The modules map and unmap memory only by these functions, so that
 * a mapping which is left, or undone twice, is reported when the core is unloaded: software
 * devices need no mappings, and kernel tools do not see theirs.
 */
#ifndef _RPCRDMA_MAPPING_H
#define _RPCRDMA_MAPPING_H

#include <linux/percpu.h>
#include <rdma/ib_verbs.h>
#include <rdma/rw.h>

/* connection/mapping.c */
DECLARE_PER_CPU(long, rpcrdma_mappings);

/**
 * rpcrdma_map_single - map kernel memory
 * @device: device that will access it
 * @data: linear memory
 * @len: bytes
 * @dir: direction
 * @addr: where the DMA address is stored
 *
 * Context: any.
 * Return: 0 or -EIO. rpcrdma_unmap_single() must follow.
 */
static inline int rpcrdma_map_single(struct ib_device *device, void *data,
				     size_t len, enum dma_data_direction dir,
				     u64 *addr)
{
	*addr = ib_dma_map_single(device, data, len, dir);
	if (ib_dma_mapping_error(device, *addr))
		return -EIO;
	this_cpu_inc(rpcrdma_mappings);
	return 0;
}

/**
 * rpcrdma_unmap_single - undo rpcrdma_map_single()
 * @device: device
 * @addr: DMA address
 * @len: bytes, as mapped
 * @dir: direction, as mapped
 *
 * Context: any. The device does not access the memory.
 */
static inline void rpcrdma_unmap_single(struct ib_device *device, u64 addr,
					size_t len,
					enum dma_data_direction dir)
{
	ib_dma_unmap_single(device, addr, len, dir);
	this_cpu_dec(rpcrdma_mappings);
}

/**
 * rpcrdma_map_page - map a part of a page
 * @device: device that will access it
 * @page: page
 * @offset: in @page, bytes
 * @len: bytes
 * @dir: direction
 * @addr: where the DMA address is stored
 *
 * Context: any.
 * Return: 0 or -EIO. rpcrdma_unmap_page() must follow.
 */
static inline int rpcrdma_map_page(struct ib_device *device, struct page *page,
				   u32 offset, u32 len,
				   enum dma_data_direction dir, u64 *addr)
{
	*addr = ib_dma_map_page(device, page, offset, len, dir);
	if (ib_dma_mapping_error(device, *addr))
		return -EIO;
	this_cpu_inc(rpcrdma_mappings);
	return 0;
}

/**
 * rpcrdma_unmap_page - undo rpcrdma_map_page()
 * @device: device
 * @addr: DMA address
 * @len: bytes, as mapped
 * @dir: direction, as mapped
 *
 * Context: any. The device does not access the memory.
 */
static inline void rpcrdma_unmap_page(struct ib_device *device, u64 addr,
				      u32 len, enum dma_data_direction dir)
{
	ib_dma_unmap_page(device, addr, len, dir);
	this_cpu_dec(rpcrdma_mappings);
}

/**
 * rpcrdma_map_sg - map a scatterlist
 * @device: device that will access the memory
 * @sg: scatterlist; gets the DMA addresses
 * @nents: number of entries
 * @dir: direction
 *
 * Context: any.
 * Return: number of mapped entries, and rpcrdma_unmap_sg() must follow; or 0.
 */
static inline int rpcrdma_map_sg(struct ib_device *device,
				 struct scatterlist *sg, int nents,
				 enum dma_data_direction dir)
{
	int mapped = ib_dma_map_sg(device, sg, nents, dir);

	if (mapped > 0)
		this_cpu_inc(rpcrdma_mappings);
	return mapped;
}

/**
 * rpcrdma_unmap_sg - undo rpcrdma_map_sg()
 * @device: device
 * @sg: scatterlist
 * @nents: number of entries, as given to rpcrdma_map_sg()
 * @dir: direction, as mapped
 *
 * Context: any. The device does not access the memory.
 */
static inline void rpcrdma_unmap_sg(struct ib_device *device,
				    struct scatterlist *sg, int nents,
				    enum dma_data_direction dir)
{
	ib_dma_unmap_sg(device, sg, nents, dir);
	this_cpu_dec(rpcrdma_mappings);
}

/**
 * rpcrdma_map_rw - map memory for RDMA Reads or Writes
 * @ctx: memory of the rdma_rw context
 * @qp: queue pair that they will be posted to
 * @port: number of its port
 * @sg: scatterlist
 * @nents: number of entries
 * @offset: remote address
 * @handle: handle of the remote segment
 * @dir: DMA_FROM_DEVICE for RDMA Read, DMA_TO_DEVICE for RDMA Write
 *
 * Context: may sleep.
 * Return: number of work requests, and rpcrdma_unmap_rw() must follow; or the errno of
 * rdma_rw_ctx_init().
 */
static inline int rpcrdma_map_rw(struct rdma_rw_ctx *ctx, struct ib_qp *qp,
				 u32 port, struct scatterlist *sg, u32 nents,
				 u64 offset, u32 handle,
				 enum dma_data_direction dir)
{
	int wrs = rdma_rw_ctx_init(ctx, qp, port, sg, nents, 0, offset, handle,
				   dir);

	if (wrs >= 0)
		this_cpu_inc(rpcrdma_mappings);
	return wrs;
}

/**
 * rpcrdma_unmap_rw - undo rpcrdma_map_rw()
 * @ctx: rdma_rw context, with no work request in progress
 * @qp: as it was mapped with
 * @port: likewise
 * @sg: likewise
 * @nents: likewise
 * @dir: likewise
 *
 * Context: any.
 */
static inline void rpcrdma_unmap_rw(struct rdma_rw_ctx *ctx, struct ib_qp *qp,
				    u32 port, struct scatterlist *sg, u32 nents,
				    enum dma_data_direction dir)
{
	rdma_rw_ctx_destroy(ctx, qp, port, sg, nents, dir);
	this_cpu_dec(rpcrdma_mappings);
}

#endif /* _RPCRDMA_MAPPING_H */
