// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA mappings. They are counted, and the core reports when it is unloaded that some are left
 * or were undone twice. A mapping may be undone on another CPU than it was made on, so only
 * the sum over all CPUs says something. It does not show a wrong length or direction, nor a
 * leak and a double unmap that cancel each other out.
 */
#include <linux/percpu.h>
#include <rdma/rw.h>
#include <rpcrdma/mapping.h>
#include "../core.h"

static DEFINE_PER_CPU(long, rpcrdma_mappings);

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
int rpcrdma_map_single(struct ib_device *device, void *data, size_t len,
		       enum dma_data_direction dir, u64 *addr)
{
	*addr = ib_dma_map_single(device, data, len, dir);
	if (ib_dma_mapping_error(device, *addr))
		return -EIO;
	this_cpu_inc(rpcrdma_mappings);
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_map_single);

/**
 * rpcrdma_unmap_single - undo rpcrdma_map_single()
 * @device: device
 * @addr: DMA address
 * @len: bytes, as mapped
 * @dir: direction, as mapped
 *
 * Context: any. The device does not access the memory.
 */
void rpcrdma_unmap_single(struct ib_device *device, u64 addr, size_t len,
			  enum dma_data_direction dir)
{
	ib_dma_unmap_single(device, addr, len, dir);
	this_cpu_dec(rpcrdma_mappings);
}
EXPORT_SYMBOL_GPL(rpcrdma_unmap_single);

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
int rpcrdma_map_page(struct ib_device *device, struct page *page, u32 offset,
		     u32 len, enum dma_data_direction dir, u64 *addr)
{
	*addr = ib_dma_map_page(device, page, offset, len, dir);
	if (ib_dma_mapping_error(device, *addr))
		return -EIO;
	this_cpu_inc(rpcrdma_mappings);
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_map_page);

/**
 * rpcrdma_unmap_page - undo rpcrdma_map_page()
 * @device: device
 * @addr: DMA address
 * @len: bytes, as mapped
 * @dir: direction, as mapped
 *
 * Context: any. The device does not access the memory.
 */
void rpcrdma_unmap_page(struct ib_device *device, u64 addr, u32 len,
			enum dma_data_direction dir)
{
	ib_dma_unmap_page(device, addr, len, dir);
	this_cpu_dec(rpcrdma_mappings);
}
EXPORT_SYMBOL_GPL(rpcrdma_unmap_page);

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
int rpcrdma_map_sg(struct ib_device *device, struct scatterlist *sg, int nents,
		   enum dma_data_direction dir)
{
	int mapped = ib_dma_map_sg(device, sg, nents, dir);

	if (mapped > 0)
		this_cpu_inc(rpcrdma_mappings);
	return mapped;
}
EXPORT_SYMBOL_GPL(rpcrdma_map_sg);

/**
 * rpcrdma_unmap_sg - undo rpcrdma_map_sg()
 * @device: device
 * @sg: scatterlist
 * @nents: number of entries, as given to rpcrdma_map_sg()
 * @dir: direction, as mapped
 *
 * Context: any. The device does not access the memory.
 */
void rpcrdma_unmap_sg(struct ib_device *device, struct scatterlist *sg,
		      int nents, enum dma_data_direction dir)
{
	ib_dma_unmap_sg(device, sg, nents, dir);
	this_cpu_dec(rpcrdma_mappings);
}
EXPORT_SYMBOL_GPL(rpcrdma_unmap_sg);

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
int rpcrdma_map_rw(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port,
		   struct scatterlist *sg, u32 nents, u64 offset, u32 handle,
		   enum dma_data_direction dir)
{
	int wrs = rdma_rw_ctx_init(ctx, qp, port, sg, nents, 0, offset, handle,
				   dir);

	if (wrs >= 0)
		this_cpu_inc(rpcrdma_mappings);
	return wrs;
}
EXPORT_SYMBOL_GPL(rpcrdma_map_rw);

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
void rpcrdma_unmap_rw(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port,
		      struct scatterlist *sg, u32 nents,
		      enum dma_data_direction dir)
{
	rdma_rw_ctx_destroy(ctx, qp, port, sg, nents, dir);
	this_cpu_dec(rpcrdma_mappings);
}
EXPORT_SYMBOL_GPL(rpcrdma_unmap_rw);

/**
 * rpcrdma_mappings_check - report mappings that are left, or were undone twice
 *
 * Context: module exit; no connection is left.
 */
void rpcrdma_mappings_check(void)
{
	long left = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		left += per_cpu(rpcrdma_mappings, cpu);
	WARN(left > 0, "rpcrdma: %ld DMA mappings are left\n", left);
	WARN(left < 0, "rpcrdma: %ld DMA mappings were undone twice\n", -left);
}
