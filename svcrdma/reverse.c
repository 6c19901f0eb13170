// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reverse direction (RFC 8167): nfsd's callbacks over its client's connection.
 *
 * nfsd asks sunrpc for a client transport of the class registered here, and names
 * the connection (svc_xprt) that it is to use. The transport is made once for a
 * connection and lives at least as long. It cannot connect: when the connection
 * is gone, callbacks wait for nfsd to be given another one (BI-RTX-02).
 *
 * Reverse Calls are Short messages without chunks (ULB-CB-10), so a Call is
 * copied into the buffer of a Send, and no memory of the RPC is touched by the
 * device. A Receive for each Reply is posted all the time (BI-BUF-07). The credits
 * in use are sunrpc's congestion window, which begins at one (BI-CRED-08) and then
 * follows what the client grants. Replies are looked up among the Calls of this
 * transport only (T-46, T-48).
 *
 * References: sunrpc's client has one, struct svc_xprt has one, and struct
 * svcrdma_xprt has one, because completion handlers may use the transport until
 * the connection is drained.
 */
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/msg_prot.h>
#include <rpcrdma/credit.h>
#include "svcrdma.h"

#define SVCRDMA_REVERSE_TIMEOUT	(60 * HZ)

static const struct rpc_timeout svcrdma_reverse_timeout = {
	.to_initval	= SVCRDMA_REVERSE_TIMEOUT,
	.to_maxval	= SVCRDMA_REVERSE_TIMEOUT,
};

static int svcrdma_reverse_buf_alloc(struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;

	rqst->rq_buffer = kmalloc(size_add(rqst->rq_callsize, rqst->rq_rcvsize),
				  rpc_task_gfp_mask());
	if (!rqst->rq_buffer)
		return -ENOMEM;
	rqst->rq_rbuffer = rqst->rq_buffer + rqst->rq_callsize;
	return 0;
}

static void svcrdma_reverse_buf_free(struct rpc_task *task)
{
	kfree(task->tk_rqstp->rq_buffer);
}

static int svcrdma_reverse_encode(struct svcrdma_send *send,
				  struct rpc_rqst *rqst)
{
	const struct xdr_buf *xdr = &rqst->rq_snd_buf;
	struct svcrdma_xprt *sx = send->sx;
	struct rpcrdma_msg msg;
	int len;

	rpcrdma_msg_init(&msg, NULL, 0);
	msg.xid = rqst->rq_xid;
	msg.vers = RPCRDMA_VERSION_ONE;
	msg.credits = sx->bc_credits;
	len = rpcrdma_codec_v1.encode(&msg, send->buf.data,
				      sx->conn->inline_send);
	if (len < 0)
		return len;
	/* What the connection at hand cannot carry fails, and is not sent */
	if (xdr->len > sx->conn->inline_send - len)
		return -EMSGSIZE;
	if (read_bytes_from_xdr_buf(xdr, 0, send->buf.data + len, xdr->len))
		return -EIO;
	return len + xdr->len;
}

/* Sleeping for room would hold up all reverse Calls: sunrpc tries again */
static int svcrdma_reverse_post(struct svcrdma_xprt *sx, struct rpc_rqst *rqst)
{
	struct svcrdma_send *send;
	int len, ret;

	send = svcrdma_send_get(sx);
	if (!send)
		return -ENOMEM;
	len = svcrdma_reverse_encode(send, rqst);
	ret = len < 0 ? len : rpcrdma_sendq_try(sx->conn, 1);
	if (ret) {
		svcrdma_send_put(send);
		return ret;
	}
	rqst->rq_xtime = ktime_get();
	rpcrdma_count(sx->conn->stats, RPCRDMA_C_BC_CALLS);
	if (svcrdma_send_post(send, len, 0))
		return -ENOTCONN;
	rqst->rq_xmit_bytes_sent += rqst->rq_snd_buf.len;
	return 0;
}

static int svcrdma_reverse_send_request(struct rpc_rqst *rqst)
{
	struct svcrdma_xprt *sx = svcrdma_from_xprt(rqst->rq_xprt->bc_xprt);
	unsigned int nofs;
	int ret;

	ret = -ENOTCONN;
	if (rpcrdma_conn_enter(sx->conn)) {
		nofs = memalloc_nofs_save();
		ret = svcrdma_reverse_post(sx, rqst);
		memalloc_nofs_restore(nofs);
		rpcrdma_conn_leave(sx->conn);
	}
	/* It never comes back, and sunrpc would try again at once, and again */
	if (ret == -ENOTCONN)
		xprt_disconnect_done(rqst->rq_xprt);
	return ret;
}

static void svcrdma_reverse_connect(struct rpc_xprt *xprt,
				    struct rpc_task *task)
{
	xprt_clear_connecting(xprt);
	xprt_wake_pending_tasks(xprt, -ENOTCONN);
}

static void svcrdma_reverse_close(struct rpc_xprt *xprt)
{
	xprt_disconnect_done(xprt);
	xprt->cwnd = RPC_CWNDSCALE;
}

static void svcrdma_reverse_free_addresses(struct rpc_xprt *xprt)
{
	kfree(xprt->address_strings[RPC_DISPLAY_ADDR]);
	kfree(xprt->address_strings[RPC_DISPLAY_PORT]);
	kfree(xprt->address_strings[RPC_DISPLAY_HEX_ADDR]);
	kfree(xprt->address_strings[RPC_DISPLAY_HEX_PORT]);
}

static void svcrdma_reverse_destroy(struct rpc_xprt *xprt)
{
	svcrdma_reverse_free_addresses(xprt);
	xprt_free(xprt);
	module_put(THIS_MODULE);
}

static void svcrdma_reverse_print_stats(struct rpc_xprt *xprt,
					struct seq_file *seq)
{
	seq_printf(seq, "\txprt:\trdma-reverse %lu %lu %lu %llu %llu\n",
		   xprt->stat.sends, xprt->stat.recvs, xprt->stat.bad_xids,
		   xprt->stat.req_u, xprt->stat.bklog_u);
}

static const struct rpc_xprt_ops svcrdma_reverse_ops = {
	.reserve_xprt		= xprt_reserve_xprt_cong,
	.release_xprt		= xprt_release_xprt_cong,
	.alloc_slot		= xprt_alloc_slot,
	.free_slot		= xprt_free_slot,
	.connect		= svcrdma_reverse_connect,
	.buf_alloc		= svcrdma_reverse_buf_alloc,
	.buf_free		= svcrdma_reverse_buf_free,
	.send_request		= svcrdma_reverse_send_request,
	.wait_for_reply_request	= xprt_wait_for_reply_request_def,
	.release_request	= xprt_release_rqst_cong,
	.close			= svcrdma_reverse_close,
	.destroy		= svcrdma_reverse_destroy,
	.print_stats		= svcrdma_reverse_print_stats,
};

static void svcrdma_reverse_hex_address(const struct sockaddr *sa, char *buf,
					size_t len)
{
	if (sa->sa_family == AF_INET6)
		snprintf(buf, len, "%pi6",
			 &((const struct sockaddr_in6 *)sa)->sin6_addr);
	else
		snprintf(buf, len, "%08x",
			 ntohl(((const struct sockaddr_in *)sa)->sin_addr.s_addr));
}

static int svcrdma_reverse_set_addresses(struct rpc_xprt *xprt)
{
	const struct sockaddr *sa = (const struct sockaddr *)&xprt->addr;
	const char **strings = xprt->address_strings;
	char buf[INET6_ADDRSTRLEN + 10];

	rpc_ntop(sa, buf, sizeof(buf));
	strings[RPC_DISPLAY_ADDR] = kstrdup(buf, GFP_KERNEL);
	svcrdma_reverse_hex_address(sa, buf, sizeof(buf));
	strings[RPC_DISPLAY_HEX_ADDR] = kstrdup(buf, GFP_KERNEL);
	strings[RPC_DISPLAY_PORT] = kasprintf(GFP_KERNEL, "%u",
					      rpc_get_port(sa));
	strings[RPC_DISPLAY_HEX_PORT] = kasprintf(GFP_KERNEL, "%4hx",
						  rpc_get_port(sa));
	strings[RPC_DISPLAY_PROTO] = SVCRDMA_NAME;
	strings[RPC_DISPLAY_NETID] = sa->sa_family == AF_INET6 ?
		RPCBIND_NETID_RDMA6 : RPCBIND_NETID_RDMA;

	if (strings[RPC_DISPLAY_ADDR] && strings[RPC_DISPLAY_HEX_ADDR] &&
	    strings[RPC_DISPLAY_PORT] && strings[RPC_DISPLAY_HEX_PORT])
		return 0;
	svcrdma_reverse_free_addresses(xprt);
	return -ENOMEM;
}

static struct rpc_xprt *svcrdma_reverse_alloc(struct xprt_create *args,
					      struct svcrdma_xprt *sx)
{
	struct rpc_xprt *xprt;

	xprt = xprt_alloc(args->net, sizeof(*xprt), sx->bc_credits,
			  sx->bc_credits);
	if (!xprt)
		return NULL;
	memcpy(&xprt->addr, args->dstaddr, args->addrlen);
	xprt->addrlen = args->addrlen;
	if (svcrdma_reverse_set_addresses(xprt)) {
		xprt_free(xprt);
		return NULL;
	}

	xprt->ops = &svcrdma_reverse_ops;
	xprt->prot = XPRT_TRANSPORT_BC_RDMA;
	xprt->timeout = &svcrdma_reverse_timeout;
	xprt->max_payload = sx->conn->inline_send - RPCRDMA_V1_HDR_MIN;
	xprt->bind_timeout = 0;
	xprt->reestablish_timeout = 0;
	xprt->idle_timeout = 0;
	xprt->resvport = 0;
	xprt_set_bound(xprt);
	xprt_set_connected(xprt);
	return xprt;
}

static struct xprt_class svcrdma_reverse_class;

/* Called by sunrpc with a reference on the connection and on this module */
static struct rpc_xprt *svcrdma_reverse_setup(struct xprt_create *args)
{
	struct svcrdma_xprt *sx;
	struct rpc_xprt *xprt;

	if (!args->bc_xprt ||
	    args->bc_xprt->xpt_ops != &svcrdma_conn_xprt_ops)
		return ERR_PTR(-EINVAL);
	if (args->addrlen > sizeof(xprt->addr))
		return ERR_PTR(-EBADF);
	sx = svcrdma_from_xprt(args->bc_xprt);

	xprt = svcrdma_reverse_alloc(args, sx);
	if (!xprt)
		return ERR_PTR(-ENOMEM);
	__module_get(THIS_MODULE);
	xprt->xprt_class = &svcrdma_reverse_class;
	xprt->bc_xprt = args->bc_xprt;

	xprt_get(xprt);
	if (cmpxchg(&sx->reverse, NULL, xprt)) {
		/* Somebody else was faster, and sunrpc finds that one next time */
		xprt_put(xprt);
		svcrdma_reverse_destroy(xprt);
		return ERR_PTR(-EAGAIN);
	}
	xprt_get(xprt);
	args->bc_xprt->xpt_bc_xprt = xprt;
	return xprt;
}

static struct xprt_class svcrdma_reverse_class = {
	.list	= LIST_HEAD_INIT(svcrdma_reverse_class.list),
	.name	= "rdma backchannel",
	.owner	= THIS_MODULE,
	.ident	= XPRT_TRANSPORT_BC_RDMA,
	.setup	= svcrdma_reverse_setup,
	.netid	= { "" },
};

static void svcrdma_reverse_credits(struct rpc_xprt *xprt, u32 asked,
				    u32 granted)
{
	u32 window = rpcrdma_credit_window(asked, granted);

	spin_lock(&xprt->transport_lock);
	xprt->cwnd = window << RPC_CWNDSHIFT;
	spin_unlock(&xprt->transport_lock);
}

/* Returns with the request pinned */
static struct rpc_rqst *svcrdma_reverse_find(struct rpc_xprt *xprt, __be32 xid)
{
	struct rpc_rqst *rqst;

	spin_lock(&xprt->queue_lock);
	rqst = xprt_lookup_rqst(xprt, xid);
	if (rqst)
		xprt_pin_rqst(rqst);
	spin_unlock(&xprt->queue_lock);
	return rqst;
}

static void svcrdma_reverse_complete(struct rpc_xprt *xprt,
				     struct rpc_rqst *rqst, u32 len)
{
	spin_lock(&xprt->queue_lock);
	xprt_complete_rqst(rqst->rq_task, len);
	xprt_unpin_rqst(rqst);
	spin_unlock(&xprt->queue_lock);
}

/* Returns bytes copied; a Reply that is too long is cut, and fails to decode */
static u32 svcrdma_reverse_copy(struct rpc_rqst *rqst, const void *payload,
				size_t len)
{
	struct xdr_buf *to = &rqst->rq_private_buf;

	*to = rqst->rq_rcv_buf;
	to->len = to->buflen;
	len = min_t(size_t, len, to->buflen);
	if (write_bytes_to_xdr_buf(to, 0, (void *)payload, len))
		return 0;
	return len;
}

/**
 * svcrdma_reverse_reply - a Reply has come: does it answer a reverse Call?
 * @sx: connection
 * @msg: decoded header
 * @payload: inline payload, with at least an XID and a message type
 * @len: bytes of it
 *
 * Context: completion handler.
 * Return: true if a Call was found and completed; otherwise the message is to be
 * dropped.
 */
bool svcrdma_reverse_reply(struct svcrdma_xprt *sx,
			   const struct rpcrdma_msg *msg,
			   const void *payload, size_t len)
{
	struct rpc_xprt *xprt = READ_ONCE(sx->reverse);
	struct rpc_rqst *rqst;

	if (!xprt || msg->nsegs || msg->nwrites || msg->has_reply)
		return false;
	if (rpcrdma_payload_check(msg->xid, payload, len) != RPCRDMA_OK)
		return false;
	rqst = svcrdma_reverse_find(xprt, msg->xid);
	if (!rqst)
		return false;

	rpcrdma_count(sx->conn->stats, RPCRDMA_C_BC_REPLIES);
	svcrdma_reverse_credits(xprt, sx->bc_credits, msg->credits);
	svcrdma_reverse_complete(xprt, rqst,
				 svcrdma_reverse_copy(rqst, payload, len));
	return true;
}

/**
 * svcrdma_reverse_error - an RDMA_ERROR has come: does it answer a reverse Call?
 * @sx: connection
 * @buf: the message, at least the fixed words
 * @len: bytes of it
 *
 * Context: completion handler.
 * Return: true if a Call was found and has failed; otherwise the message is to be
 * dropped.
 */
bool svcrdma_reverse_error(struct svcrdma_xprt *sx, const void *buf,
			   size_t len)
{
	struct rpc_xprt *xprt = READ_ONCE(sx->reverse);
	struct rpcrdma_msg msg;
	struct rpc_rqst *rqst;

	rpcrdma_msg_init(&msg, NULL, 0);
	if (!xprt || rpcrdma_msg_decode(&msg, buf, len) != RPCRDMA_OK)
		return false;
	rqst = svcrdma_reverse_find(xprt, msg.xid);
	if (!rqst)
		return false;

	svcrdma_reverse_credits(xprt, sx->bc_credits, msg.credits);
	rqst->rq_task->tk_status = -EIO;
	svcrdma_reverse_complete(xprt, rqst, 0);
	return true;
}

/**
 * svcrdma_reverse_put - the connection lets go of its reverse transport
 * @sx: drained connection
 *
 * Context: may sleep.
 */
void svcrdma_reverse_put(struct svcrdma_xprt *sx)
{
	if (sx->reverse)
		xprt_put(sx->reverse);
	sx->reverse = NULL;
}

/**
 * svcrdma_reverse_init - make the class known to sunrpc
 *
 * Context: module init.
 * Return: 0; -EEXIST if another module has it.
 */
int svcrdma_reverse_init(void)
{
	return xprt_register_transport(&svcrdma_reverse_class);
}

/**
 * svcrdma_reverse_exit - undo svcrdma_reverse_init()
 *
 * Context: module exit.
 */
void svcrdma_reverse_exit(void)
{
	xprt_unregister_transport(&svcrdma_reverse_class);
}
