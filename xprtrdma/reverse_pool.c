// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of the reverse direction, and who may have callbacks.
 *
 * A reverse request belongs to the pool, then to the callback service, which
 * gives it to an RPC task for the Reply, and comes back by bc_free_rqst. As long
 * as it is the service's it holds a reference to the transport. The receive path
 * has none: to drop the last one there would end the transport from its own
 * completion handler.
 *
 * The pool is filled by the first session that wants callbacks, before it is
 * created at the server (BI-ABS-04), and emptied when the last one goes. As long
 * as there is one, the connection is not closed for being idle.
 */
#include <linux/slab.h>
#include <linux/sunrpc/bc_xprt.h>
#include <compat/callbacks.h>
#include "reverse.h"

/*
 * The server may send the next Call when it has the Reply to one, which is
 * before that one's request has come back to the pool.
 */
#define XPRTRDMA_REVERSE_SLACK	2

static void xprtrdma_reverse_req_free(struct xprtrdma_reverse_req *req)
{
	kfree(req->call);
	kfree(req->reply);
	kfree(req);
}

static struct xprtrdma_reverse_req *
xprtrdma_reverse_req_alloc(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_reverse_req *req;

	req = kzalloc(sizeof(*req), GFP_KERNEL);
	if (!req)
		return NULL;
	req->size = PAGE_SIZE;
	req->call = kmalloc(req->size, GFP_KERNEL);
	req->reply = kmalloc(req->size, GFP_KERNEL);
	if (!req->call || !req->reply) {
		xprtrdma_reverse_req_free(req);
		return NULL;
	}
	req->rqst.rq_xprt = &r_xprt->xprt;
	__set_bit(RPC_BC_PA_IN_USE, &req->rqst.rq_bc_pa_state);
	return req;
}

/**
 * xprtrdma_reverse_init - set up what this file has in a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_reverse_init(struct xprtrdma_xprt *r_xprt)
{
	spin_lock_init(&r_xprt->reverse.lock);
	INIT_LIST_HEAD(&r_xprt->reverse.free);
	INIT_LIST_HEAD(&r_xprt->reverse.all);
	r_xprt->bc_slots = xprtrdma_tunable(XPRTRDMA_T_BC_SLOTS);
	/* Before anything is known of the server */
	r_xprt->bc_size = RPCRDMA_V1_DEF_INLINE - RPCRDMA_V1_HDR_MIN;
}

/*
 * While the server may call, an idle connection stays: the server could not make
 * another one (BI-RTX-04, T-53). The number of users and the idle timeout that
 * follows from it change together, or a user that comes while the last one goes
 * would be left with the timeout of none. sunrpc arms its idle timer under the
 * outer lock. Returns whether there is a user.
 */
static bool xprtrdma_reverse_set_users(struct xprtrdma_xprt *r_xprt,
				       unsigned int add, unsigned int remove)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct rpc_xprt *xprt = &r_xprt->xprt;
	unsigned int users;
	bool used, was_used;

	spin_lock(&xprt->transport_lock);
	spin_lock(&reverse->lock);
	was_used = reverse->users;
	users = reverse->users + add;
	users -= min(remove, users);
	WRITE_ONCE(reverse->users, users);
	used = users;
	spin_unlock(&reverse->lock);

	if (used && !was_used) {
		reverse->idle_timeout = xprt->idle_timeout;
		xprt->idle_timeout = 0;
		timer_delete(&xprt->timer);
	} else if (!used && was_used) {
		xprt->idle_timeout = reverse->idle_timeout;
	}
	spin_unlock(&xprt->transport_lock);
	return used;
}

static int xprtrdma_reverse_fill_pool(struct xprtrdma_xprt *r_xprt,
				      unsigned int wanted)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct xprtrdma_reverse_req *req;

	while (READ_ONCE(reverse->count) < wanted) {
		req = xprtrdma_reverse_req_alloc(r_xprt);
		if (!req)
			return -ENOMEM;
		spin_lock(&reverse->lock);
		list_add(&req->all, &reverse->all);
		list_add(&req->free, &reverse->free);
		WRITE_ONCE(reverse->count, reverse->count + 1);
		spin_unlock(&reverse->lock);
	}
	return 0;
}

/* Requests that are in use are freed when they come back */
static void xprtrdma_reverse_trim(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct xprtrdma_reverse_req *req, *next;
	LIST_HEAD(trimmed);

	spin_lock(&reverse->lock);
	if (!reverse->users)
		list_splice_init(&reverse->free, &trimmed);
	list_for_each_entry(req, &trimmed, free) {
		list_del(&req->all);
		WRITE_ONCE(reverse->count, reverse->count - 1);
	}
	spin_unlock(&reverse->lock);
	list_for_each_entry_safe(req, next, &trimmed, free)
		xprtrdma_reverse_req_free(req);
}

/**
 * xprtrdma_bc_destroy - ops->bc_destroy: no more callbacks are wanted
 * @xprt: transport
 * @max_reqs: UINT_MAX if the transport goes, otherwise one user goes
 *
 * When the last user has gone nothing is handed to the callback service any
 * more, which may end then.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_bc_destroy(struct rpc_xprt *xprt, unsigned int max_reqs)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	unsigned int users = max_reqs == UINT_MAX ? UINT_MAX : 1;

	if (!xprtrdma_reverse_set_users(r_xprt, 0, users))
		xprtrdma_reverse_trim(r_xprt);
}

/**
 * xprtrdma_bc_setup - ops->bc_setup: callbacks will come
 * @xprt: transport
 * @min_reqs: how many sunrpc wants at least; there are more
 *
 * The new user counts before the pool is looked at: a last user that goes at
 * the same moment must not take the pool along.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM, and there is no new user.
 */
int xprtrdma_bc_setup(struct rpc_xprt *xprt, unsigned int min_reqs)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	int ret;

	xprtrdma_reverse_set_users(r_xprt, 1, 0);
	ret = xprtrdma_reverse_fill_pool(r_xprt,
					 max(min_reqs, r_xprt->bc_slots) *
						 XPRTRDMA_REVERSE_SLACK);
	if (ret)
		xprtrdma_bc_destroy(xprt, min_reqs);
	return ret;
}

/**
 * xprtrdma_bc_maxpayload - ops->bc_maxpayload: largest callback message
 * @xprt: transport
 *
 * Context: any.
 * Return: bytes without transport header (ULB-CB-11).
 */
size_t xprtrdma_bc_maxpayload(struct rpc_xprt *xprt)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	return min_t(size_t, READ_ONCE(r_xprt->bc_size),
		     PAGE_SIZE - RPCRDMA_V1_HDR_MIN);
}

/**
 * xprtrdma_bc_num_slots - ops->bc_num_slots: callbacks at once
 * @xprt: transport
 *
 * Context: any.
 * Return: number of reverse Calls that have Receives (ULB-CB-12).
 */
unsigned int xprtrdma_bc_num_slots(struct rpc_xprt *xprt)
{
	return xprtrdma_from_xprt(xprt)->bc_slots;
}

static void xprtrdma_reverse_uncount(struct xprtrdma_xprt *r_xprt,
				     struct xprtrdma_reverse_req *req)
{
	if (!req->counted)
		return;
	req->counted = false;
	xprtrdma_credits_sub_reverse(r_xprt);
}

/**
 * xprtrdma_reverse_release - the Reply to a reverse Call has been sent, or not
 * @rqst: reverse request
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_reverse_release(struct rpc_rqst *rqst)
{
	xprtrdma_reverse_uncount(xprtrdma_from_xprt(rqst->rq_xprt),
				 xprtrdma_reverse_from_rqst(rqst));
}

/**
 * xprtrdma_reverse_disown - the connection is gone: nothing counts as sent
 * @r_xprt: transport
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_reverse_disown(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct xprtrdma_reverse_req *req;

	spin_lock(&reverse->lock);
	list_for_each_entry(req, &reverse->all, all) {
		req->rqst.rq_cong = 0;
		req->counted = false;
	}
	spin_unlock(&reverse->lock);
}

/**
 * xprtrdma_reverse_put - a request goes back to the pool
 * @r_xprt: transport
 * @req: request from xprtrdma_reverse_get() that nobody has
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_reverse_put(struct xprtrdma_xprt *r_xprt,
			  struct xprtrdma_reverse_req *req)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct rpc_rqst *rqst = &req->rqst;
	struct rpc_xprt *xprt = &r_xprt->xprt;

	/* A Call that the service dropped has never been an RPC task */
	spin_lock(&xprt->transport_lock);
	xprtrdma_reverse_uncount(r_xprt, req);
	if (rqst->rq_cong) {
		rqst->rq_cong = 0;
		xprt->cong -= RPC_CWNDSCALE;
	}
	spin_unlock(&xprt->transport_lock);

	spin_lock(&reverse->lock);
	list_add(&req->free, &reverse->free);
	spin_unlock(&reverse->lock);
	xprtrdma_reverse_trim(r_xprt);
}

/**
 * xprtrdma_bc_free_rqst - ops->bc_free_rqst: a reverse request is done with
 * @rqst: reverse request that was the service's
 *
 * Context: process context; may sleep, since the transport may go with it.
 */
void xprtrdma_bc_free_rqst(struct rpc_rqst *rqst)
{
	struct rpc_xprt *xprt = rqst->rq_xprt;

	xprtrdma_reverse_put(xprtrdma_from_xprt(xprt),
			     xprtrdma_reverse_from_rqst(rqst));
	xprt_put(xprt);
}

/**
 * xprtrdma_reverse_get - take a request for a Call that has come
 * @r_xprt: transport
 *
 * Context: receive path.
 * Return: a request, or NULL if the server has sent more Calls than granted. It
 * goes back by xprtrdma_reverse_put(), or when the service is done with it.
 */
struct xprtrdma_reverse_req *xprtrdma_reverse_get(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct xprtrdma_reverse_req *req;

	spin_lock(&reverse->lock);
	req = list_first_entry_or_null(&reverse->free,
				       struct xprtrdma_reverse_req, free);
	if (req)
		list_del_init(&req->free);
	spin_unlock(&reverse->lock);
	return req;
}

/**
 * xprtrdma_reverse_deliver - give a Call to the callback service
 * @r_xprt: transport
 * @req: request with the Call, from xprtrdma_reverse_get(); counted
 *
 * Under the lock, lest the last user go and end the service meanwhile. A user has
 * a reference to the transport, so there is another one to be had.
 *
 * Context: receive path.
 * Return: true, and @req is the service's; false if there is no service.
 */
bool xprtrdma_reverse_deliver(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_reverse_req *req)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct svc_serv *serv = NULL;

	spin_lock(&reverse->lock);
	if (reverse->users)
		serv = READ_ONCE(r_xprt->xprt.bc_serv);
	if (serv && !xprt_get(&r_xprt->xprt))
		serv = NULL;
	if (serv) {
		/* The service takes one off again for each request */
		atomic_inc(&r_xprt->xprt.bc_slot_count);
		rpcrdma_callback_queue(serv, &req->rqst);
	}
	spin_unlock(&reverse->lock);
	return serv;
}
