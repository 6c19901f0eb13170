// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reverse direction (RFC 8167): the server calls, for NFSv4.1 callbacks.
 *
 * Receives for reverse Calls are posted with all others before the connection
 * is up (T-50). A Call is copied out of its receive buffer, so that this is
 * posted again at once, and goes to the callback service; its Reply comes back
 * through ops->send_request and goes out in one Send. There are no chunks in
 * either (BI-CHK-02): a Call that has some is answered with ERR_CHUNK
 * (BI-CHK-04, T-51). The limits are told to the server through bc_maxpayload
 * and bc_num_slots (ULB-CB-11, ULB-CB-12).
 *
 * A reverse request belongs to the pool, then to the callback service, which
 * gives it to an RPC task for the Reply, and comes back by bc_free_rqst. It
 * holds a reference to the transport from the Call on. Its Reply is dropped if
 * the connection is not the one that brought the Call: the server asks again
 * (BI-RTX-01).
 */
#include <linux/slab.h>
#include <linux/sunrpc/bc_xprt.h>
#include <linux/sunrpc/svc.h>
#include "xprtrdma.h"

/*
 * The server may send the next Call when it has the Reply to one, which is
 * before that one's request has come back to the pool.
 */
#define XPRTRDMA_REVERSE_SLACK	2

/**
 * struct xprtrdma_reverse_req - a reverse Call and its Reply
 * @rqst:    what sunrpc knows
 * @free:    in xprtrdma_reverse.free
 * @all:     in xprtrdma_reverse.all
 * @cookie:  connection that brought the Call
 * @counted: in the congestion window; under xprt->transport_lock
 * @size:    bytes at @call and at @reply
 * @call:    copy of the Call
 * @reply:   memory for the Reply
 */
struct xprtrdma_reverse_req {
	struct rpc_rqst		rqst;
	struct list_head	free;
	struct list_head	all;
	unsigned int		cookie;
	bool			counted;
	size_t			size;
	void			*call;
	void			*reply;
};

static struct xprtrdma_reverse_req *
xprtrdma_reverse_from_rqst(struct rpc_rqst *rqst)
{
	return container_of(rqst, struct xprtrdma_reverse_req, rqst);
}

static void xprtrdma_reverse_req_free(struct xprtrdma_reverse_req *req)
{
	kfree(req->call);
	kfree(req->reply);
	kfree(req);
}

static struct xprtrdma_reverse_req *
xprtrdma_reverse_req_alloc(struct xprtrdma_xprt *sx)
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
	req->rqst.rq_xprt = &sx->xprt;
	__set_bit(RPC_BC_PA_IN_USE, &req->rqst.rq_bc_pa_state);
	return req;
}

/**
 * xprtrdma_reverse_init - set up what this file has in a transport
 * @sx: new transport
 *
 * Context: any.
 */
void xprtrdma_reverse_init(struct xprtrdma_xprt *sx)
{
	spin_lock_init(&sx->reverse.lock);
	INIT_LIST_HEAD(&sx->reverse.free);
	INIT_LIST_HEAD(&sx->reverse.all);
	sx->bc_slots = xprtrdma_tunable(XPRTRDMA_T_BC_SLOTS);
	/* Before anything is known of the server */
	sx->bc_size = RPCRDMA_V1_DEF_INLINE;
}

/**
 * xprtrdma_bc_setup - ops->bc_setup: callbacks will come
 * @xprt: transport
 * @min_reqs: how many sunrpc wants at least; there are more
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int xprtrdma_bc_setup(struct rpc_xprt *xprt, unsigned int min_reqs)
{
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);
	struct xprtrdma_reverse *reverse = &sx->reverse;
	struct xprtrdma_reverse_req *req;
	unsigned int wanted;

	wanted = max(min_reqs, sx->bc_slots) * XPRTRDMA_REVERSE_SLACK;
	while (READ_ONCE(reverse->count) < wanted) {
		req = xprtrdma_reverse_req_alloc(sx);
		if (!req)
			return -ENOMEM;	/* bc_destroy frees what is there */
		spin_lock(&reverse->lock);
		list_add(&req->all, &reverse->all);
		list_add(&req->free, &reverse->free);
		WRITE_ONCE(reverse->count, reverse->count + 1);
		spin_unlock(&reverse->lock);
	}
	spin_lock(&reverse->lock);
	reverse->users++;
	spin_unlock(&reverse->lock);
	return 0;
}

static void xprtrdma_reverse_trim(struct xprtrdma_xprt *sx)
{
	struct xprtrdma_reverse *reverse = &sx->reverse;
	struct xprtrdma_reverse_req *req, *next;
	LIST_HEAD(trimmed);

	spin_lock(&reverse->lock);
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
 * Requests that are in use are freed when they come back.
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_bc_destroy(struct rpc_xprt *xprt, unsigned int max_reqs)
{
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);
	struct xprtrdma_reverse *reverse = &sx->reverse;
	bool unused;

	spin_lock(&reverse->lock);
	if (max_reqs == UINT_MAX)
		reverse->users = 0;
	else if (reverse->users)
		reverse->users--;
	unused = !reverse->users;
	spin_unlock(&reverse->lock);
	if (unused)
		xprtrdma_reverse_trim(sx);
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
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);

	return min_t(size_t, READ_ONCE(sx->bc_size), PAGE_SIZE) -
	       RPCRDMA_V1_HDR_MIN;
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

static void xprtrdma_reverse_uncount(struct xprtrdma_xprt *sx,
				     struct xprtrdma_reverse_req *req)
{
	if (!req->counted)
		return;
	req->counted = false;
	xprtrdma_window_sub(sx);
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
 * @sx: transport
 *
 * Context: holds xprt->transport_lock.
 */
void xprtrdma_reverse_disown(struct xprtrdma_xprt *sx)
{
	struct xprtrdma_reverse *reverse = &sx->reverse;
	struct xprtrdma_reverse_req *req;

	spin_lock(&reverse->lock);
	list_for_each_entry(req, &reverse->all, all) {
		req->rqst.rq_cong = 0;
		req->counted = false;
	}
	spin_unlock(&reverse->lock);
}

/**
 * xprtrdma_bc_free_rqst - ops->bc_free_rqst: a reverse request is done with
 * @rqst: reverse request
 *
 * Context: process context, does not sleep.
 */
void xprtrdma_bc_free_rqst(struct rpc_rqst *rqst)
{
	struct xprtrdma_reverse_req *req = xprtrdma_reverse_from_rqst(rqst);
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);
	struct xprtrdma_reverse *reverse = &sx->reverse;
	bool unused;

	/* A Call that the service dropped has never been an RPC task */
	spin_lock(&xprt->transport_lock);
	xprtrdma_reverse_uncount(sx, req);
	if (rqst->rq_cong) {
		rqst->rq_cong = 0;
		xprt->cong -= RPC_CWNDSCALE;
	}
	spin_unlock(&xprt->transport_lock);

	spin_lock(&reverse->lock);
	list_add(&req->free, &reverse->free);
	unused = !reverse->users;
	spin_unlock(&reverse->lock);
	if (unused)
		xprtrdma_reverse_trim(sx);
	xprt_put(xprt);
}

static struct xprtrdma_reverse_req *
xprtrdma_reverse_get(struct xprtrdma_xprt *sx)
{
	struct xprtrdma_reverse *reverse = &sx->reverse;
	struct xprtrdma_reverse_req *req;

	spin_lock(&reverse->lock);
	req = list_first_entry_or_null(&reverse->free,
				       struct xprtrdma_reverse_req, free);
	if (req)
		list_del_init(&req->free);
	spin_unlock(&reverse->lock);
	return req;
}

static void xprtrdma_reverse_fill(struct xprtrdma_reverse_req *req,
				  const void *payload, u32 len)
{
	struct rpc_rqst *rqst = &req->rqst;

	memcpy(req->call, payload, len);
	xdr_buf_init(&rqst->rq_rcv_buf, req->call, len);
	rqst->rq_rcv_buf.len = len;
	rqst->rq_private_buf = rqst->rq_rcv_buf;
	xdr_buf_init(&rqst->rq_snd_buf, req->reply, req->size);
	rqst->rq_xid = *(__be32 *)req->call;
	rqst->rq_reply_bytes_recvd = 0;
	rqst->rq_bytes_sent = 0;
	rqst->rq_connect_cookie = rqst->rq_xprt->connect_cookie;
	req->cookie = rqst->rq_xprt->connect_cookie;
}

/* Returns why the Call cannot be handed up, or RPCRDMA_OK */
static enum rpcrdma_reason xprtrdma_reverse_accept(struct xprtrdma_xprt *sx,
						   const void *payload, u32 len)
{
	struct svc_serv *serv = READ_ONCE(sx->xprt.bc_serv);
	struct xprtrdma_reverse_req *req;

	if (!serv)
		return RPCRDMA_R_NO_REVERSE;
	if (len > PAGE_SIZE)
		return RPCRDMA_R_CHUNK_LENGTH;
	/* Each request that the service works on keeps the transport */
	if (!xprt_get(&sx->xprt))
		return RPCRDMA_R_NO_REVERSE;
	req = xprtrdma_reverse_get(sx);
	if (!req) {
		xprt_put(&sx->xprt);
		return RPCRDMA_R_REVERSE_CREDITS;
	}

	xprtrdma_reverse_fill(req, payload, len);
	req->counted = true;
	xprtrdma_window_add(sx, &req->rqst);
	rpcrdma_count(&sx->stats, RPCRDMA_C_BC_CALLS);

	/* The service takes one off again for each request */
	atomic_inc(&sx->xprt.bc_slot_count);
	lwq_enqueue(&req->rqst.rq_bc_list, &serv->sv_cb_list);
	svc_pool_wake_idle_thread(&serv->sv_pools[0]);
	return RPCRDMA_OK;
}

static int xprtrdma_reverse_post(struct xprtrdma_xprt *sx,
				 struct rpcrdma_conn *conn,
				 struct xprtrdma_send *send, u32 len)
{
	int ret;

	ret = xprtrdma_send_reserve(sx, conn, 1);
	if (ret) {
		xprtrdma_send_put(sx, send);
		return ret;
	}
	send->room = 1;
	xprtrdma_send_front(send, len);
	return xprtrdma_send_post(conn, send, &send->wr);
}

/*
 * Here we are the Responder, and must answer what we cannot take. If even that
 * fails the connection goes, so that the server knows (V1-ERR-21).
 */
static void xprtrdma_reverse_error(struct xprtrdma_xprt *sx,
				   struct rpcrdma_conn *conn)
{
	struct rpcrdma_msg error = {
		.xid		= sx->rx_msg.xid,
		.vers		= sx->rx_msg.vers,
		.credits	= sx->bc_slots,
		.type		= RPCRDMA_ERROR,
		.err		= RPCRDMA_ERR_CHUNK,
	};
	struct xprtrdma_send *send;
	int ret = -ENOMEM;

	send = xprtrdma_send_get(sx, conn, GFP_NOWAIT | __GFP_NOWARN);
	if (send) {
		ret = sx->codec->encode(&error, send->buf.data,
					send->buf.size);
		ret = xprtrdma_reverse_post(sx, conn, send, ret);
	}
	if (ret)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_NO_MEMORY, ret);
	else
		rpcrdma_count(&sx->stats, RPCRDMA_C_ERRORS_SENT);
}

static enum rpcrdma_reason xprtrdma_reverse_check(const struct rpcrdma_msg *msg,
						  const void *payload, u32 len)
{
	if (msg->reads.nsegs || msg->nwrites || msg->has_reply)
		return RPCRDMA_R_REVERSE_CHUNKS;
	return rpcrdma_call_check(msg, payload, len);
}

/**
 * xprtrdma_reverse_call - a reverse Call has arrived
 * @sx: transport; sx->rx_msg is the header
 * @conn: connection
 * @recv: receive buffer; it is given back
 *
 * Context: receive path.
 */
void xprtrdma_reverse_call(struct xprtrdma_xprt *sx, struct rpcrdma_conn *conn,
			   struct rpcrdma_recv *recv)
{
	const struct rpcrdma_msg *msg = &sx->rx_msg;
	const void *payload = recv->buf.data + msg->header_size;
	u32 len = recv->len - msg->header_size;
	enum rpcrdma_reason reason, fault;

	fault = xprtrdma_reverse_check(msg, payload, len);
	reason = fault ?: xprtrdma_reverse_accept(sx, payload, len);
	/* First the Receive, then what lets the server send again (T-21) */
	rpcrdma_recv_done(recv);
	if (!reason)
		return;

	rpcrdma_conn_refuse(conn, reason, msg->xid);
	if (fault)
		xprtrdma_reverse_error(sx, conn);
	else if (reason == RPCRDMA_R_REVERSE_CREDITS)
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_PROTOCOL, -EPROTO);
	else
		rpcrdma_count(&sx->stats, RPCRDMA_C_DROPPED);
}

static int xprtrdma_reverse_marshal(struct xprtrdma_xprt *sx,
				    struct rpc_rqst *rqst,
				    struct xprtrdma_send *send, u32 limit)
{
	const struct xdr_buf *xdr = &rqst->rq_snd_buf;
	struct rpcrdma_msg msg = {
		.xid		= rqst->rq_xid,
		.credits	= sx->bc_slots,
		.type		= RPCRDMA_MSG,
	};
	int header;

	header = sx->codec->encode(&msg, send->buf.data, limit);
	if (header < 0 || header + xdr->len > limit)
		return -EIO;
	if (read_bytes_from_xdr_buf(xdr, 0, send->buf.data + header, xdr->len))
		return -EIO;
	return header + xdr->len;
}

static int xprtrdma_reverse_send_on(struct xprtrdma_xprt *sx,
				    struct rpcrdma_conn *conn,
				    struct rpc_rqst *rqst)
{
	struct xprtrdma_send *send;
	int ret;

	send = xprtrdma_send_get(sx, conn, rpc_task_gfp_mask());
	if (!send)
		return -ENOMEM;
	ret = xprtrdma_reverse_marshal(sx, rqst, send, conn->inline_send);
	if (ret < 0) {
		xprtrdma_send_put(sx, send);
		return ret;
	}
	ret = xprtrdma_reverse_post(sx, conn, send, ret);
	if (!ret)
		rpcrdma_count(&sx->stats, RPCRDMA_C_BC_REPLIES);
	return ret;
}

/**
 * xprtrdma_reverse_send - ops->send_request for a Reply to a reverse Call
 * @rqst: reverse request
 *
 * Context: RPC task; may sleep; holds XPRT_LOCKED.
 * Return: 0; -ENOTCONN if the Call's connection is gone, and sunrpc drops the
 * Reply; -EAGAIN or -ENOMEM if sunrpc should try again; -EIO if the Reply is
 * too long.
 */
int xprtrdma_reverse_send(struct rpc_rqst *rqst)
{
	struct xprtrdma_reverse_req *req = xprtrdma_reverse_from_rqst(rqst);
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct xprtrdma_xprt *sx = xprtrdma_from_xprt(xprt);
	struct rpcrdma_conn *conn = sx->conn;
	int ret;

	if (!xprt_connected(xprt) || req->cookie != xprt->connect_cookie)
		return -ENOTCONN;
	if (!rpcrdma_conn_enter(conn))
		return -ENOTCONN;
	ret = xprtrdma_reverse_send_on(sx, conn, rqst);
	rpcrdma_conn_leave(conn);
	return ret;
}
