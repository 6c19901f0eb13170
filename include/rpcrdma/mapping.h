/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DMA mappings, counted. The modules map and unmap memory only by these functions. GPU
 * memory is mapped by its provider, and counted in gpu.c.
 */
#ifndef _RPCRDMA_MAPPING_H
#define _RPCRDMA_MAPPING_H

#include <rdma/ib_verbs.h>

struct rdma_rw_ctx;

/* connection/mapping.c */
int rpcrdma_map_single(struct ib_device *device, void *data, size_t len,
		       enum dma_data_direction dir, u64 *addr);
void rpcrdma_unmap_single(struct ib_device *device, u64 addr, size_t len,
			  enum dma_data_direction dir);
int rpcrdma_map_page(struct ib_device *device, struct page *page, u32 offset,
		     u32 len, enum dma_data_direction dir, u64 *addr);
void rpcrdma_unmap_page(struct ib_device *device, u64 addr, u32 len,
			enum dma_data_direction dir);
int rpcrdma_map_sg(struct ib_device *device, struct scatterlist *sg, int nents,
		   enum dma_data_direction dir);
void rpcrdma_unmap_sg(struct ib_device *device, struct scatterlist *sg,
		      int nents, enum dma_data_direction dir);
int rpcrdma_map_rw(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port,
		   struct scatterlist *sg, u32 nents, u64 offset, u32 handle,
		   enum dma_data_direction dir);
void rpcrdma_unmap_rw(struct rdma_rw_ctx *ctx, struct ib_qp *qp, u32 port,
		      struct scatterlist *sg, u32 nents,
		      enum dma_data_direction dir);

#endif /* _RPCRDMA_MAPPING_H */
