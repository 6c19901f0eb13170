// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA-mapped buffers.
 *
 * The owner of a struct rpcrdma_buf allocates it once, maps it for the device
 * at hand, and must unmap it before that device goes away. All calls on one
 * buffer are serialized by its owner.
 */
#include <linux/slab.h>
#include <rpcrdma/buf.h>
#include <rpcrdma/fault.h>

/**
 * rpcrdma_buf_alloc - allocate the memory of a buffer
 * @buf: buffer to set up; not mapped yet
 * @size: bytes
 * @dir: direction of every transfer
 * @node: NUMA node, or NUMA_NO_NODE
 * @gfp: allocation flags
 *
 * Context: as @gfp allows.
 * Return: 0 or -ENOMEM. The caller ends it with rpcrdma_buf_free().
 */
int rpcrdma_buf_alloc(struct rpcrdma_buf *buf, size_t size,
		      enum dma_data_direction dir, int node, gfp_t gfp)
{
	buf->data = rpcrdma_fault(RPCRDMA_FAULT_ALLOC) ?
		    NULL : kmalloc_node(size, gfp, node);
	if (!buf->data)
		return -ENOMEM;
	buf->size = size;
	buf->dir = dir;
	buf->device = NULL;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_alloc);

/**
 * rpcrdma_buf_map - make a buffer known to a device
 * @buf: allocated buffer
 * @device: device that will use it; a mapping for another one is undone
 *
 * Context: any.
 * Return: 0 or -EIO.
 */
int rpcrdma_buf_map(struct rpcrdma_buf *buf, struct ib_device *device)
{
	if (buf->device == device)
		return 0;
	rpcrdma_buf_unmap(buf);

	buf->addr = ib_dma_map_single(device, buf->data, buf->size, buf->dir);
	if (ib_dma_mapping_error(device, buf->addr))
		return -EIO;
	buf->device = device;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_map);

/**
 * rpcrdma_buf_unmap - undo rpcrdma_buf_map()
 * @buf: buffer, mapped or not
 *
 * Context: any. No work request may name the buffer any more.
 */
void rpcrdma_buf_unmap(struct rpcrdma_buf *buf)
{
	if (!buf->device)
		return;
	ib_dma_unmap_single(buf->device, buf->addr, buf->size, buf->dir);
	buf->device = NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_unmap);

/**
 * rpcrdma_buf_free - unmap and free
 * @buf: buffer; a zeroed one is left alone
 *
 * Context: any. No work request may name the buffer any more.
 */
void rpcrdma_buf_free(struct rpcrdma_buf *buf)
{
	rpcrdma_buf_unmap(buf);
	kfree(buf->data);
	buf->data = NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_free);
