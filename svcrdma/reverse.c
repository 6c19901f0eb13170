// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reverse direction (RFC 8167): callbacks of nfsd over the connection of its client. The
 * transport that sunrpc sees is in reverse_xprt.c.
 *
 * A reverse Call is an inline message without chunks: RFC 8267 6.5.2 (ULB-CB-10). It is
 * copied into the buffer of a Send, so the device never accesses memory of the RPC. There
 * are Receives for the Replies to as many Calls as the window allows: RFC 8167 4.3.2
 * (BI-BUF-07). A Reply is matched only with Calls of the transport on whose connection it arrives.
 *
 * sunrpc's congestion window counts the credits. It begins at one, then follows the grants
 * of the client: RFC 8167 4.1 (BI-CRED-08). A Call that sunrpc abandons after nfsd's
 * time-out still holds its credit until a late Reply returns it. If all granted Calls
 * are abandoned for SVCRDMA_REVERSE_PATIENCE, the connection is closed: without a credit
 * callbacks could not work again.
 *
 * An RDMA_ERROR completes its Call with a denied RPC Reply. sunrpc accepts a Reply at any
 * time, even before the task that sent the Call has begun to wait for it.
 */
#include <kunit/visibility.h>
#include <linux/sched/mm.h>
#include <linux/sunrpc/clnt.h>
#include <compat/msg_prot.h>
#include "reverse.h"
#include "send.h"

/* How long a client may leave all granted Calls unanswered */
#define SVCRDMA_REVERSE_PATIENCE	(60 * HZ)

/* Sets sunrpc's congestion window to the credits that are available */
static void svcrdma_reverse_set_cwnd(struct svcrdma_reverse *reverse)
{
	struct rpc_xprt *xprt = &reverse->xprt;

	lockdep_assert_held(&xprt->transport_lock);
	xprt->cwnd = rpcrdma_credits_available(&reverse->credits, U32_MAX) <<
		     RPC_CWNDSHIFT;
	if (RPCXPRT_CONGESTED(xprt))
		return;
	/* A task that waits for a credit sleeps until a Call ends, or until this */
	clear_bit(XPRT_CWND_WAIT, &xprt->state);
	rpc_wake_up_next(&xprt->sending);
}

/**
 * svcrdma_reverse_encode - write a reverse Call into the buffer of a Send
 * @send: Send of the connection
 * @rqst: the Call
 *
 * Context: any.
 * Return: bytes of the message; -EMSGSIZE if that is more than the inline threshold of this
 * connection: RFC 8167 5.3 (BI-CHK-05), RFC 8267 6.5.2 (ULB-V2X-09); or -EIO.
 */
int svcrdma_reverse_encode(struct svcrdma_send *send, struct rpc_rqst *rqst)
{
	const struct xdr_buf *xdr = &rqst->rq_snd_buf;
	struct svcrdma_xprt *rdma = send->rdma;
	struct rpcrdma_msg msg;
	int len;

	rpcrdma_msg_init(&msg, NULL, 0);
	msg.xid = rqst->rq_xid;
	msg.vers = rdma->conn->codec->version;
	msg.dir = RPCRDMA_DIR_CALL;
	msg.credits = rdma->bc_credits;
	len = rdma->conn->codec->encode(&msg, send->send.buf.data,
					rdma->conn->inline_send);
	if (len < 0)
		return len;
	if (xdr->len > rdma->conn->inline_send - len)
		return -EMSGSIZE;
	if (read_bytes_from_xdr_buf(xdr, 0, send->send.buf.data + len, xdr->len))
		return -EIO;
	return len + xdr->len;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_reverse_encode);

/* Does not wait for a send queue slot: that would delay all reverse Calls */
static int svcrdma_reverse_post(struct svcrdma_xprt *rdma,
				struct rpc_rqst *rqst)
{
	struct svcrdma_send *send;
	int len, ret;

	send = svcrdma_send_get(rdma);
	if (!send)
		return -ENOMEM;
	len = svcrdma_reverse_encode(send, rqst);
	ret = len < 0 ? len : rpcrdma_sendq_try_reserve(rdma->conn, 1);
	if (ret) {
		rpcrdma_send_put(&send->send);
		return ret;
	}
	rqst->rq_xtime = ktime_get();
	rpcrdma_count(rdma->conn->stats, RPCRDMA_C_BC_CALLS);
	if (svcrdma_send_post(send, len, 0))
		return -ENOTCONN;
	rqst->rq_xmit_bytes_sent += rqst->rq_snd_buf.len;
	return 0;
}

/**
 * svcrdma_reverse_send - ops->send_request: send a reverse Call
 * @rqst: request
 *
 * Context: RPC task that holds XPRT_LOCKED; may sleep.
 * Return: 0; -EBADSLT if there is no credit, and sunrpc waits for one; -ENOMEM or
 * -ENOBUFS if sunrpc should try again later; -ENOTCONN if the connection is lost;
 * -EMSGSIZE if the Call is too long for the connection.
 */
int svcrdma_reverse_send(struct rpc_rqst *rqst)
{
	struct svcrdma_xprt *rdma = svcrdma_from_xprt(rqst->rq_xprt->bc_xprt);
	unsigned int nofs;
	int ret;

	if (!xprt_request_get_cong(rqst->rq_xprt, rqst))
		return -EBADSLT;
	ret = -ENOTCONN;
	if (rpcrdma_conn_enter(rdma->conn)) {
		nofs = memalloc_nofs_save();
		ret = svcrdma_reverse_post(rdma, rqst);
		memalloc_nofs_restore(nofs);
		rpcrdma_conn_leave(rdma->conn);
	}
	/* The connection never comes back: without this sunrpc would retry at once */
	if (ret == -ENOTCONN)
		xprt_disconnect_done(rqst->rq_xprt);
	return ret;
}

/**
 * svcrdma_reverse_release - ops->release_request: sunrpc is done with a Call
 * @task: task of the Call, with or without a Reply
 *
 * The window becomes smaller before sunrpc stops counting the Call, so that no other
 * Call is sent in between.
 *
 * Context: the caller holds xprt->transport_lock.
 */
void svcrdma_reverse_release(struct rpc_task *task)
{
	struct rpc_rqst *rqst = task->tk_rqstp;
	struct rpc_xprt *xprt = rqst->rq_xprt;
	struct svcrdma_reverse *reverse = svcrdma_reverse_from_xprt(xprt);

	lockdep_assert_held(&xprt->transport_lock);
	if (reverse->unmatched && reverse->unmatched_xid == rqst->rq_xid) {
		/* Its Reply came while sunrpc abandoned it: the credit is free */
		reverse->unmatched = false;
	} else if (rqst->rq_cong && RPC_WAS_SENT(task) &&
		   !rqst->rq_reply_bytes_recvd && xprt_connected(xprt)) {
		/* The Call is abandoned, and keeps its credit */
		rpcrdma_credits_abandon(&reverse->credits);
		if (!rpcrdma_credits_available(&reverse->credits, U32_MAX))
			reverse->silent_since = jiffies;
		svcrdma_reverse_set_cwnd(reverse);
	} else if (!RPC_WAS_SENT(task) && task->tk_rpc_status == -ETIMEDOUT &&
		   !rpcrdma_credits_available(&reverse->credits, U32_MAX) &&
		   time_after(jiffies,
			      reverse->silent_since + SVCRDMA_REVERSE_PATIENCE)) {
		/* Abandoned Calls have all credits, and no Reply comes */
		rpcrdma_conn_close(svcrdma_from_xprt(xprt->bc_xprt)->conn,
				   RPCRDMA_CLOSE_TIMEOUT, -ETIMEDOUT);
	}
	xprt_release_rqst_cong(task);
}

/*
 * A Reply to a Call in sunrpc's queue (@waiting), or to an abandoned Call. Any other
 * Reply may be to a Call that sunrpc is abandoning at this moment.
 */
static bool svcrdma_reverse_answered(struct rpc_xprt *xprt, __be32 xid,
				     u32 most, u32 granted, bool waiting)
{
	struct svcrdma_reverse *reverse = svcrdma_reverse_from_xprt(xprt);
	bool known;

	spin_lock(&xprt->transport_lock);
	known = waiting || rpcrdma_credits_reclaim(&reverse->credits);
	if (known) {
		rpcrdma_credits_grant(&reverse->credits, most, granted);
		reverse->silent_since = jiffies;
		svcrdma_reverse_set_cwnd(reverse);
	} else {
		reverse->unmatched = true;
		reverse->unmatched_xid = xid;
	}
	spin_unlock(&xprt->transport_lock);
	return known;
}

/* Returns the request pinned. A Call that waits for a credit cannot have a Reply */
static struct rpc_rqst *svcrdma_reverse_find(struct rpc_xprt *xprt, __be32 xid)
{
	struct rpc_rqst *rqst;

	spin_lock(&xprt->queue_lock);
	rqst = xprt_lookup_rqst(xprt, xid);
	if (rqst && !READ_ONCE(rqst->rq_cong))
		rqst = NULL;
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

/* Returns the bytes copied. A Reply that is too long is cut; it fails to decode */
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

/* Returns false if the Reply matches no Call of this transport */
static bool svcrdma_reverse_match(struct svcrdma_xprt *rdma, __be32 xid,
				  u32 granted, const void *payload, size_t len)
{
	struct rpc_xprt *xprt = READ_ONCE(rdma->reverse);
	struct rpc_rqst *rqst;

	if (!xprt)
		return false;
	rqst = svcrdma_reverse_find(xprt, xid);
	/* Before the window grows */
	if (rqst)
		svcrdma_receives_reverse(rdma);
	if (!svcrdma_reverse_answered(xprt, xid, rdma->reverse_receives, granted, rqst))
		return false;
	if (rqst)
		svcrdma_reverse_complete(xprt, rqst,
					 svcrdma_reverse_copy(rqst, payload,
							      len));
	return true;
}

/**
 * svcrdma_reverse_reply - complete a reverse Call with the Reply that has arrived
 * @rdma: transport
 * @msg: decoded header
 * @payload: inline payload, at least an XID and a message type
 * @len: length of @payload, bytes
 *
 * Context: receive path; does not sleep.
 * Return: true if the Reply matches a Call, waiting or abandoned; otherwise the caller
 * must drop the message: RFC 8167 2.4 (BI-GEN-04).
 */
bool svcrdma_reverse_reply(struct svcrdma_xprt *rdma,
			   const struct rpcrdma_msg *msg,
			   const void *payload, size_t len)
{
	if (msg->type != RPCRDMA_MSG || msg->nsegs || msg->nwrites ||
	    msg->has_reply)
		return false;
	if (rpcrdma_payload_direction(payload, len) != RPCRDMA_DIR_REPLY)
		return false;	/* Version 2: the header said Reply */
	if (rpcrdma_payload_check(msg->xid, payload, len) != RPCRDMA_OK)
		return false;
	if (!svcrdma_reverse_match(rdma, msg->xid, msg->credits, payload, len))
		return false;
	rpcrdma_count(rdma->conn->stats, RPCRDMA_C_BC_REPLIES);
	return true;
}

/* Version 2 states the direction, and then the credits of an error mean nothing */
static u32 svcrdma_reverse_error_grant(const struct svcrdma_xprt *rdma,
				       const struct rpcrdma_msg *msg)
{
	struct rpc_xprt *xprt = READ_ONCE(rdma->reverse);

	if (msg->dir == RPCRDMA_DIR_UNKNOWN || !xprt)
		return msg->credits;
	return READ_ONCE(svcrdma_reverse_from_xprt(xprt)->credits.window);
}

/**
 * svcrdma_reverse_error - fail a reverse Call with the RDMA_ERROR that has arrived
 * @rdma: transport
 * @buf: the message, at least the fixed words
 * @len: length of @buf, bytes
 *
 * Context: receive path; does not sleep.
 * Return: true if the error matches a Call, waiting or abandoned; otherwise the caller
 * must drop the message: RFC 8166 4.2.4 (V1-HDR-15).
 */
bool svcrdma_reverse_error(struct svcrdma_xprt *rdma, const void *buf,
			   size_t len)
{
	unsigned long versions;
	struct rpcrdma_msg msg;
	__be32 denial[6] = {
		[1] = rpc_reply,
		[2] = cpu_to_be32(RPC_MSG_DENIED),
		[3] = rpc_mismatch,
		[4] = cpu_to_be32(RPC_VERSION),
		[5] = cpu_to_be32(RPC_VERSION),
	};

	rpcrdma_msg_init(&msg, NULL, 0);
	versions = rpcrdma_negotiate_versions(&rdma->conn->negotiation);
	if (rpcrdma_msg_decode(&msg, versions, buf, len) != RPCRDMA_OK)
		return false;
	denial[0] = msg.xid;
	return svcrdma_reverse_match(rdma, msg.xid,
				     svcrdma_reverse_error_grant(rdma, &msg),
				     denial, sizeof(denial));
}
