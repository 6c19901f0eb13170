// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA-mapped buffers.
 *
 * The owner of a struct rpcrdma_buf allocates it once, maps it for a device, and
 * unmaps it before that device goes away. The owner serializes all calls on a buffer.
 */
#include <linux/slab.h>
#include <rpcrdma/buf.h>
#include <rpcrdma/fault.h>
#include <rpcrdma/mapping.h>

/**
 * rpcrdma_buf_alloc - allocate the memory of a buffer
 * @buf: memory of the struct; the buffer is not mapped afterwards
 * @size: bytes
 * @dir: direction of every transfer
 * @node: NUMA node, or NUMA_NO_NODE
 * @gfp: allocation flags
 *
 * Context: as @gfp allows.
 * Return: 0 or -ENOMEM. The caller frees it with rpcrdma_buf_free().
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
 * rpcrdma_buf_map - map a buffer for a device
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

	if (rpcrdma_map_single(device, buf->data, buf->size, buf->dir, &buf->addr))
		return -EIO;
	buf->device = device;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_map);

/**
 * rpcrdma_buf_unmap - undo rpcrdma_buf_map()
 * @buf: buffer, mapped or not
 *
 * Context: any. No work request in progress uses the buffer.
 */
void rpcrdma_buf_unmap(struct rpcrdma_buf *buf)
{
	if (!buf->device)
		return;
	rpcrdma_unmap_single(buf->device, buf->addr, buf->size, buf->dir);
	buf->device = NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_unmap);

/**
 * rpcrdma_buf_free - unmap and free
 * @buf: buffer; nothing happens if it is all zero
 *
 * Context: any. No work request in progress uses the buffer.
 */
void rpcrdma_buf_free(struct rpcrdma_buf *buf)
{
	rpcrdma_buf_unmap(buf);
	kfree(buf->data);
	buf->data = NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_buf_free);
