// SPDX-License-Identifier: GPL-2.0-only
/*
 * The pool of reverse requests, and the users of the reverse direction.
 *
 * A user is an NFSv4.1 session that wants callbacks (ops->bc_setup,
 * bc_destroy). The first user fills the pool, before the session exists at the
 * server, which may then call at once: RFC 8167 6 (BI-ABS-04). The last user
 * empties it. While there is a user, the connection is not closed for being
 * idle.
 *
 * A reverse request is owned by the pool; then by the callback service, which
 * passes it to an RPC task for the Reply; and ops->bc_free_rqst returns it to
 * the pool. While the callback service owns it, it holds a reference to the
 * transport. The receive path takes no reference: dropping the last one there
 * would destroy the transport from its own completion handler.
 */
#include <linux/slab.h>
#include <linux/sunrpc/bc_xprt.h>
#include <compat/callbacks.h>
#include <compat/timers.h>
#include "reverse.h"

/*
 * The server may send the next Call when it has received a Reply. That can be
 * before the request of that Reply is back in the pool.
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
 * xprtrdma_reverse_init - initialize the reverse direction of a transport
 * @r_xprt: new transport
 *
 * Context: any.
 */
void xprtrdma_reverse_init(struct xprtrdma_xprt *r_xprt)
{
	spin_lock_init(&r_xprt->reverse.lock);
	INIT_LIST_HEAD(&r_xprt->reverse.free);
	INIT_LIST_HEAD(&r_xprt->reverse.all);
	r_xprt->reverse_slots = xprtrdma_tunable(XPRTRDMA_T_BC_SLOTS);
	/* Smallest value, until a connection tells the inline sizes */
	r_xprt->reverse_size = RPCRDMA_V1_DEF_INLINE - RPCRDMA_V1_HDR_MIN;
}

/*
 * While the server may call, an idle connection is kept, because the server
 * cannot connect to the client: RFC 8167 5.4 (BI-RTX-04). The number of users
 * and the idle timeout change in one critical section. Otherwise a user that
 * arrives while the last one leaves could end up with the timeout for no
 * users. sunrpc starts its idle timer under transport_lock. Returns true if
 * there is a user.
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

/* Without users free the pool. Requests in use are freed when they return */
static void xprtrdma_reverse_trim(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct xprtrdma_reverse_req *req, *next;
	LIST_HEAD(unused);

	spin_lock(&reverse->lock);
	if (!reverse->users)
		list_splice_init(&reverse->free, &unused);
	list_for_each_entry(req, &unused, free) {
		list_del(&req->all);
		WRITE_ONCE(reverse->count, reverse->count - 1);
	}
	spin_unlock(&reverse->lock);
	list_for_each_entry_safe(req, next, &unused, free)
		xprtrdma_reverse_req_free(req);
}

/**
 * xprtrdma_bc_destroy - ops->bc_destroy: a user no longer wants callbacks
 * @xprt: transport
 * @max_reqs: UINT_MAX if the transport is being destroyed, which removes all
 *	users; any other value removes one user
 *
 * After the last user nothing is passed to the callback service, which may then
 * end.
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
 * xprtrdma_bc_setup - ops->bc_setup: a new user wants callbacks
 * @xprt: transport
 * @min_reqs: number of requests that sunrpc wants at least
 *
 * The user is counted before the pool is filled, so that another user that
 * leaves at the same moment does not empty the pool.
 *
 * Context: may sleep.
 * Return: 0; or -ENOMEM, and the user is not counted.
 */
int xprtrdma_bc_setup(struct rpc_xprt *xprt, unsigned int min_reqs)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);
	int ret;

	xprtrdma_reverse_set_users(r_xprt, 1, 0);
	ret = xprtrdma_reverse_fill_pool(r_xprt,
					 max(min_reqs, r_xprt->reverse_slots) *
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
 * Return: bytes without the transport header: RFC 8267 6.5.2 (ULB-CB-11).
 */
size_t xprtrdma_bc_maxpayload(struct rpc_xprt *xprt)
{
	struct xprtrdma_xprt *r_xprt = xprtrdma_from_xprt(xprt);

	return min_t(size_t, READ_ONCE(r_xprt->reverse_size),
		     PAGE_SIZE - RPCRDMA_V1_HDR_MIN);
}

/**
 * xprtrdma_bc_num_slots - ops->bc_num_slots: number of concurrent callbacks
 * @xprt: transport
 *
 * Context: any.
 * Return: number of reverse Calls that have a Receive: RFC 8267 6.5.2
 * (ULB-CB-12).
 */
unsigned int xprtrdma_bc_num_slots(struct rpc_xprt *xprt)
{
	return xprtrdma_from_xprt(xprt)->reverse_slots;
}

/* Undo xprtrdma_credits_add_reverse(): RFC 8167 4.1 (BI-CRED-02) */
static void xprtrdma_reverse_uncount(struct xprtrdma_xprt *r_xprt,
				     struct xprtrdma_reverse_req *req)
{
	lockdep_assert_held(&r_xprt->xprt.transport_lock);
	if (!req->counted)
		return;
	req->counted = false;
	xprtrdma_credits_sub_reverse(r_xprt);
}

/**
 * xprtrdma_reverse_release - sunrpc has sent a reverse Reply, or given it up
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
 * xprtrdma_reverse_reset - the connection is gone: count no reverse request
 * @r_xprt: transport
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_reverse_reset(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct xprtrdma_reverse_req *req;

	lockdep_assert_held(&r_xprt->xprt.transport_lock);
	spin_lock(&reverse->lock);
	list_for_each_entry(req, &reverse->all, all) {
		req->rqst.rq_cong = 0;
		req->counted = false;
	}
	spin_unlock(&reverse->lock);
}

/**
 * xprtrdma_reverse_put - return a request to the pool
 * @r_xprt: transport
 * @req: request from xprtrdma_reverse_get(), owned by the caller
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_reverse_put(struct xprtrdma_xprt *r_xprt,
			  struct xprtrdma_reverse_req *req)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct rpc_rqst *rqst = &req->rqst;
	struct rpc_xprt *xprt = &r_xprt->xprt;

	/* sunrpc did not undo the count if the service dropped the Call */
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
 * xprtrdma_bc_free_rqst - ops->bc_free_rqst: take back a reverse request
 * @rqst: reverse request that the callback service owns
 *
 * Context: process context; may sleep, because this may drop the last reference
 * to the transport.
 */
void xprtrdma_bc_free_rqst(struct rpc_rqst *rqst)
{
	struct rpc_xprt *xprt = rqst->rq_xprt;

	xprtrdma_reverse_put(xprtrdma_from_xprt(xprt),
			     xprtrdma_reverse_from_rqst(rqst));
	xprt_put(xprt);
}

/**
 * xprtrdma_reverse_get - take a request for a received Call
 * @r_xprt: transport
 *
 * Context: receive path.
 * Return: a request; or NULL if the server has sent more Calls than it was
 * granted. The caller returns it with xprtrdma_reverse_put(), or passes it on
 * with xprtrdma_reverse_deliver().
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
 * xprtrdma_reverse_deliver - pass a Call to the callback service
 * @r_xprt: transport
 * @req: request with the Call, from xprtrdma_reverse_get(); counted
 *
 * The lock of users keeps the last one from ending meanwhile. A user holds a
 * reference to the transport, so taking another one is safe. For how long there is a
 * service, see rpcrdma_callback_service(). xprt_enqueue_bc_request() is of no use here:
 * without a service it would drop a reference in the receive path.
 *
 * Context: receive path.
 * Return: true, and the service owns @req; false if there is no service.
 */
bool xprtrdma_reverse_deliver(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_reverse_req *req)
{
	struct xprtrdma_reverse *reverse = &r_xprt->reverse;
	struct rpc_xprt *xprt = &r_xprt->xprt;
	struct svc_serv *serv = NULL;

	spin_lock(&reverse->lock);
	spin_lock(&xprt->bc_pa_lock);
	if (reverse->users)
		serv = rpcrdma_callback_service(xprt);
	if (serv && !xprt_get(xprt))
		serv = NULL;
	if (serv) {
		/* The service decrements this for each request that it processes */
		atomic_inc(&xprt->bc_slot_count);
		rpcrdma_callback_queue(serv, &req->rqst);
	}
	spin_unlock(&xprt->bc_pa_lock);
	spin_unlock(&reverse->lock);
	return serv;
}
