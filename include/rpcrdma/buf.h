/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel memory that stays DMA-mapped for as long as it is used with one device.
 */
#ifndef _RPCRDMA_BUF_H
#define _RPCRDMA_BUF_H

#include <linux/gfp.h>
#include <rdma/ib_verbs.h>

/*
 * For memory that is needed while a lock or a connection is held: reclaim is tried once,
 * and then the failure comes back. Without __GFP_NORETRY the allocator tries for ever: in
 * a NOFS scope, allocations of up to eight pages do not fail.
 */
#define RPCRDMA_GFP_ONCE	(GFP_KERNEL | __GFP_NORETRY | __GFP_NOWARN)

/**
 * struct rpcrdma_buf - memory and its mapping
 * @data:   the memory, size bytes, owned by this struct
 * @size:   bytes
 * @dir:    DMA direction
 * @device: device it is mapped for, or NULL
 * @addr:   DMA address while @device is set
 */
struct rpcrdma_buf {
	void			*data;
	size_t			size;
	enum dma_data_direction	dir;
	struct ib_device	*device;
	u64			addr;
};

/* connection/buf.c */
int rpcrdma_buf_alloc(struct rpcrdma_buf *buf, size_t size,
		      enum dma_data_direction dir, int node, gfp_t gfp);
int rpcrdma_buf_map(struct rpcrdma_buf *buf, struct ib_device *device);
void rpcrdma_buf_unmap(struct rpcrdma_buf *buf);
void rpcrdma_buf_free(struct rpcrdma_buf *buf);

/**
 * rpcrdma_buf_to_device - sync what the CPU has written for the device
 * @buf: mapped buffer
 * @len: bytes, from the start of the buffer
 *
 * Context: any.
 */
static inline void rpcrdma_buf_to_device(const struct rpcrdma_buf *buf,
					 size_t len)
{
	ib_dma_sync_single_for_device(buf->device, buf->addr, len, buf->dir);
}

/**
 * rpcrdma_buf_to_cpu - sync what the device has written for the CPU
 * @buf: mapped buffer
 * @len: bytes, from the start of the buffer
 *
 * Context: any.
 */
static inline void rpcrdma_buf_to_cpu(const struct rpcrdma_buf *buf, size_t len)
{
	ib_dma_sync_single_for_cpu(buf->device, buf->addr, len, buf->dir);
}

#endif /* _RPCRDMA_BUF_H */
