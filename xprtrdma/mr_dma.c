// SPDX-License-Identifier: GPL-2.0-only
/*
 * The DMA mapping of the memory of an MR. GPU memory is mapped by its provider. Then the
 * chunk of the MR has nothing else (protocol/plan.c).
 */
#include <rpcrdma/gpu.h>
#include <rpcrdma/mapping.h>
#include "xprtrdma.h"

/**
 * xprtrdma_mr_dma_map - map the memory of an MR
 * @mr: MR whose first entries in mr->sg are set
 * @req: request that the memory belongs to
 * @nents: number of entries
 * @dir: direction
 *
 * Context: RPC task that holds XPRT_LOCKED; does not sleep, but may in the provider of GPU
 * memory.
 * Return: number of mapped entries; -ENOBUFS if it may work later; or -EIO. The caller sets
 * mr->nents and mr->dir.
 */
int xprtrdma_mr_dma_map(struct xprtrdma_mr *mr, struct xprtrdma_req *req,
			unsigned int nents, enum dma_data_direction dir)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(req->rqst.rq_xprt);
	int mapped;

	if (unlikely(req->gpu & xprtrdma_gpu_bit(dir))) {
		mapped = rpcrdma_gpu_map(r_xprt->conn, mr->sg, nents, dir);
		mr->gpu = mapped > 0;
		return mapped;
	}
	mapped = rpcrdma_map_sg(r_xprt->conn->device, mr->sg, nents, dir);
	return mapped > 0 ? mapped : -ENOBUFS;
}

/**
 * xprtrdma_mr_dma_unmap - unmap the memory of an MR, if it is mapped
 * @r_xprt: transport, with the connection of the MR
 * @mr: MR that the server has no access to
 *
 * Context: process context; does not sleep, but may in the provider of GPU memory.
 */
void xprtrdma_mr_dma_unmap(struct xprtrdma_xprt *r_xprt, struct xprtrdma_mr *mr)
{
	if (!mr->nents)
		return;
	if (unlikely(mr->gpu))
		rpcrdma_gpu_unmap(r_xprt->conn, mr->sg, mr->nents, mr->dir);
	else
		rpcrdma_unmap_sg(r_xprt->conn->device, mr->sg, mr->nents,
				 mr->dir);
	mr->nents = 0;
	mr->gpu = false;
}
