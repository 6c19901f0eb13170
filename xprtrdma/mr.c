// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a memory region (MR) during one RPC: fast registration and
 * invalidation. The pool of MRs is in mr_pool.c.
 *
 * A registration is a work request in front of the Send of the Call. From then
 * on the server can access the memory, until the MR is invalidated: by the
 * server with its Reply, or by a work request of the client. Only then is the
 * memory unmapped and the MR used again.
 *
 * Handles must be hard to predict (RFC 8166 8.1.2, V1-MEM-10): each registration
 * changes the key byte of the handle at random. The address that the server gets
 * has nothing of the real one but the offset in the page.
 *
 * An MR whose registration or invalidation has failed is not used again. The
 * connection closes, and its teardown frees the MR.
 *
 * Model: scripts/tests/models/mr_ownership.pml
 */
#include <linux/random.h>
#include <trace/events/xprtrdma.h>
#include "xprtrdma.h"

/**
 * xprtrdma_mr_reg_done - a registration has failed
 * @cq: completion queue
 * @wc: completion; a registration is unsignaled, so this is a failure or a flush
 *
 * Context: completion handler.
 */
void xprtrdma_mr_reg_done(struct ib_cq *cq, struct ib_wc *wc)
{
	rpcrdma_conn_wc_failed(cq->cq_context, wc, RPCRDMA_CLOSE_COMPLETION);
}

/**
 * xprtrdma_mr_inv_done - the invalidations of a request have completed, or failed
 * @cq: completion queue
 * @wc: completion of the last invalidation of the chain, or of any that has failed
 *
 * Context: completion handler.
 */
void xprtrdma_mr_inv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct xprtrdma_mr *mr =
		container_of(wc->wr_cqe, struct xprtrdma_mr, inv_cqe);

	rpcrdma_fault_wc(wc);
	rpcrdma_sendq_done(cq->cq_context, &mr->chain, wc);
	if (wc->status != IB_WC_SUCCESS)
		rpcrdma_conn_wc_failed(cq->cq_context, wc,
				       RPCRDMA_CLOSE_INVALIDATE);
	else
		xprtrdma_req_invalidated(mr->req);
}

/**
 * xprtrdma_mr_map - map memory for DMA and prepare its registration
 * @mr: MR whose first entries in mr->sg are set
 * @req: request that the memory belongs to; the MR is added to its list
 * @nents: number of entries, one page or less each
 * @dir: DMA_TO_DEVICE if the server may read, DMA_FROM_DEVICE if it may write
 *
 * Context: RPC task that holds XPRT_LOCKED; does not sleep, but may in the provider of GPU
 * memory.
 * Return: 0; -ENOBUFS if it may work later; or -EIO. In all cases the MR is on
 * the list of the request.
 */
int xprtrdma_mr_map(struct xprtrdma_mr *mr, struct xprtrdma_req *req,
		    unsigned int nents, enum dma_data_direction dir)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(req->rqst.rq_xprt);
	struct ib_mr *ibmr = mr->ibmr;
	int mapped;

	list_add_tail(&mr->item.node, &req->mrs);
	mr->req = req;
	mr->dir = dir;
	if (rpcrdma_fault(RPCRDMA_FAULT_REGISTER))
		return -ENOBUFS;
	mapped = xprtrdma_mr_dma_map(mr, req, nents, dir);
	if (mapped < 0)
		return mapped;
	mr->nents = nents;
	if (ib_map_mr_sg(ibmr, mr->sg, mapped, NULL, PAGE_SIZE) != mapped)
		return -EIO;

	/* The server sees no real address, only the offset in the page */
	ibmr->iova = (u64)be32_to_cpu(req->rqst.rq_xid) << 32 |
		     offset_in_page(ibmr->iova);
	/* Any key but the previous one: RFC 8166 8.1.2 (V1-MEM-10) */
	ib_update_fast_reg_key(ibmr, ibmr->rkey + 1 +
			       get_random_u32_below(U8_MAX));
	mr->reg = (struct ib_reg_wr) {
		.wr.opcode	= IB_WR_REG_MR,
		.wr.wr_cqe	= &r_xprt->mr_pool.reg_cqe,
		.mr		= ibmr,
		.key		= ibmr->rkey,
		.access		= dir == DMA_FROM_DEVICE ?
				  IB_ACCESS_REMOTE_WRITE |
				  IB_ACCESS_LOCAL_WRITE :
				  IB_ACCESS_REMOTE_READ,
	};
	return 0;
}

/**
 * xprtrdma_mr_list_chain - put the registrations in front of a Send
 * @req: request with its MRs, not posted yet
 * @first: head of the chain of work requests; updated
 *
 * Context: RPC task that holds XPRT_LOCKED.
 * Return: number of MRs. They count as valid from now on.
 */
unsigned int xprtrdma_mr_list_chain(struct xprtrdma_req *req,
				    struct ib_send_wr **first)
{
	struct xprtrdma_mr *mr;
	unsigned int count = 0;

	list_for_each_entry(mr, &req->mrs, item.node) {
		mr->reg.wr.next = *first;
		*first = &mr->reg.wr;
		/* Pairs with xprtrdma_mr_bad_invalidation(): handle and @req are read after it */
		smp_store_release(&mr->valid, true);
		count++;
	}
	return count;
}

/**
 * xprtrdma_mr_list_invalidate - prepare the invalidation of all valid MRs
 * @req: exposed request
 * @chain: result for rpcrdma_sendq_post(); not set if no MR is valid
 *
 * The work requests form one chain. Only the last one is signaled: when it has
 * completed, all have.
 *
 * Context: holds req->lock, has entered req->conn.
 * Return: the chain, which the caller posts; or NULL if no MR is valid.
 */
struct ib_send_wr *xprtrdma_mr_list_invalidate(struct xprtrdma_req *req,
					       struct rpcrdma_wr_chain **chain)
{
	struct xprtrdma_xprt *r_xprt = req->conn->owner;
	struct ib_send_wr *first = NULL;
	struct xprtrdma_mr *mr;
	unsigned int count = 0;

	lockdep_assert_held(&req->lock);
	list_for_each_entry(mr, &req->mrs, item.node) {
		if (!mr->valid)
			continue;
		WRITE_ONCE(mr->valid, false);
		mr->chain = (struct rpcrdma_wr_chain) {
			.xid	= req->rqst.rq_xid,
		};
		if (!first)
			*chain = &mr->chain;
		mr->inv = (struct ib_send_wr) {
			.next			= first,
			.wr_cqe			= &mr->inv_cqe,
			.opcode			= IB_WR_LOCAL_INV,
			.send_flags		= first ? 0 : IB_SEND_SIGNALED,
			.ex.invalidate_rkey	= mr->ibmr->rkey,
		};
		first = &mr->inv;
		count++;
	}
	if (count)
		trace_xprtrdma_invalidate(req->conn, req->rqst.rq_xid, count);
	rpcrdma_count_add(&r_xprt->ep.stats, RPCRDMA_C_LOCAL_INVS, count);
	return first;
}

/**
 * xprtrdma_mr_invalidated - note that the server has invalidated a handle
 * @req: request of the Reply that says so
 * @handle: the handle
 *
 * Context: receive path.
 * Return: true if it was the handle of a valid MR of @req; otherwise the
 * server has violated RFC 8166 4.4.1 (V1-MEM-21).
 */
bool xprtrdma_mr_invalidated(struct xprtrdma_req *req, u32 handle)
{
	struct xprtrdma_mr *mr;
	bool found = false;

	spin_lock(&req->lock);
	if (!req->conn)
		goto out;
	list_for_each_entry(mr, &req->mrs, item.node) {
		if (mr->ibmr->rkey != handle || !mr->valid)
			continue;
		WRITE_ONCE(mr->valid, false);
		found = true;
		break;
	}
out:
	spin_unlock(&req->lock);
	return found;
}

/**
 * xprtrdma_mr_bad_invalidation - an unmatched Reply says that a handle was invalidated
 * @r_xprt: transport
 * @handle: handle that the server says it has invalidated
 * @xid: XID of that Reply
 *
 * If a task ends just when its Reply comes, its request no longer waits but still owns its
 * MRs. The server was allowed to invalidate one of them, and this function notes that.
 *
 * Context: receive path.
 * Return: true if the MR belongs to another Call: the server has violated the protocol.
 */
bool xprtrdma_mr_bad_invalidation(struct xprtrdma_xprt *r_xprt, u32 handle, __be32 xid)
{
	struct xprtrdma_mr_pool *pool = &r_xprt->mr_pool;
	struct xprtrdma_mr *mr;
	bool bad = false;

	spin_lock(&pool->lock);
	list_for_each_entry(mr, &pool->all, all) {
		/* Pairs with xprtrdma_mr_list_chain() */
		if (!smp_load_acquire(&mr->valid) || mr->ibmr->rkey != handle)
			continue;
		/* A valid MR leaves its request only under the lock of the pool */
		bad = mr->req->rqst.rq_xid != xid;
		if (!bad)
			xprtrdma_mr_invalidated(mr->req, handle);
		break;
	}
	spin_unlock(&pool->lock);
	return bad;
}
