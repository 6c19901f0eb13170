// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unsignaled Sends.
 *
 * A completion costs more than a small Send itself: an interrupt, a work item, polling
 * the CQ, arming it again. The Sends of one QP complete in order. So a Send may be
 * posted unsignaled, and is known to be complete when a later, signaled one is.
 *
 * That needs Sends that no caller waits for, and whose memory is mapped for the life of
 * the connection: a Reply from the peer does not prove that the local device is done
 * with the Call's Send. Registrations in front of a Send need no completion either: an
 * MR is used again only after it was invalidated, by the peer, which has got the Send,
 * or by a work request that is posted behind the Send. The post stores the connection
 * in *rpcrdma_send.posted_on under post_lock: code that sees it there and then posts is
 * behind the Send.
 *
 * After conn->limits.unsignaled Sends in a row, or when they would keep more than
 * conn->limits.unsignaled_slots slots, the next Send is signaled. So the buffers and
 * slots that they keep are bounded, and the longest chain still fits. A keepalive completes
 * them too.
 *
 * The list of unsignaled Sends must be in the order of posting, so one lock is held
 * across both. The lock of the device's send queue is held for as long anyway.
 */
#include <linux/moduleparam.h>
#include <rpcrdma/param.h>
#include <rpcrdma/send.h>
#include "../core.h"

static struct rpcrdma_param rpcrdma_unsignaled_max = {
	.value	= RPCRDMA_UNSIGNALED_DEFAULT,
	.max	= RPCRDMA_UNSIGNALED_MAX,
	.unit	= 1,
};

module_param_cb(unsignaled_sends, &rpcrdma_param_ops,
		&rpcrdma_unsignaled_max, 0644);
MODULE_PARM_DESC(unsignaled_sends, "Unsignaled Sends in a row, for new connections (0..63, default 7)");
module_param_cb(quiet_sends, &rpcrdma_param_ops,
		&rpcrdma_unsignaled_max, 0644);
MODULE_PARM_DESC(quiet_sends, "Former name of unsignaled_sends (0..63, default 7)");

/**
 * rpcrdma_unsignaled_sends - what the parameter means for a new connection
 * @conn: connection whose device is known
 *
 * Context: any.
 * Return: unsignaled Sends in a row, at most.
 */
u32 rpcrdma_unsignaled_sends(const struct rpcrdma_conn *conn)
{
	if (rpcrdma_siw_needs_signaled(conn))
		return 0;
	return rpcrdma_param_value(&rpcrdma_unsignaled_max);
}
EXPORT_SYMBOL_GPL(rpcrdma_unsignaled_sends);

/**
 * rpcrdma_unsignaled_take - a signaled WR chain that is posted next covers all Sends before it
 * @conn: connection
 * @covers: empty list; gets the unsignaled Sends, for rpcrdma_sends_complete()
 *
 * Context: process context, does not sleep; the post_lock of the send queue is held.
 */
void rpcrdma_unsignaled_take(struct rpcrdma_conn *conn, struct list_head *covers)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;

	lockdep_assert_held(&sendq->post_lock);
	list_splice_init(&sendq->unsignaled, covers);
	sendq->nunsignaled = 0;
	sendq->unsignaled_slots = 0;
}

/* Decides whether the Send is signaled. If so it completes those before it as well */
static bool rpcrdma_unsignaled_note(struct rpcrdma_conn *conn,
				    struct rpcrdma_send *send,
				    bool may_be_unsignaled)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;

	lockdep_assert_held(&sendq->post_lock);
	if (may_be_unsignaled &&
	    rpcrdma_limits_may_unsignal(&conn->limits, sendq->nunsignaled,
					sendq->unsignaled_slots, send->slots)) {
		send->wr.send_flags &= ~IB_SEND_SIGNALED;
		list_add_tail(&send->order, &sendq->unsignaled);
		sendq->nunsignaled++;
		sendq->unsignaled_slots += send->slots;
		return false;
	}
	send->wr.send_flags |= IB_SEND_SIGNALED;
	rpcrdma_unsignaled_take(conn, &send->covers);
	return true;
}

/**
 * rpcrdma_send_post - post a chain that ends with a Send
 * @send: Send context; its connection is entered, its slots are reserved. @slots,
 *	@posted_on and @waiter are set. Not the caller's any more, also after an error
 * @first: first work request of the chain; the last one is @send->wr
 * @may_be_unsignaled: nothing in the chain needs a completion of its own
 *
 * The completion of the Send puts back the context, and those of the Sends in
 * @send->covers. An unsignaled Send gets a completion only if it failed. After a
 * failed completion or a failed post the connection is closing, the lists must not be
 * touched any more, and rpcrdma_send_pool_destroy() frees all.
 *
 * Context: process context, does not sleep.
 * Return: 0; or an error of rpcrdma_sendq_post_locked(), and the connection is closing.
 */
int rpcrdma_send_post(struct rpcrdma_send *send, struct ib_send_wr *first,
		      bool may_be_unsignaled)
{
	struct rpcrdma_conn *conn = send->conn;
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;
	bool signaled;
	int ret;

	rpcrdma_count(conn->stats, RPCRDMA_C_SENDS);
	/* Every message begins with the XID */
	send->chain.xid = *(const __be32 *)send->buf.data;

	spin_lock(&sendq->post_lock);
	signaled = rpcrdma_unsignaled_note(conn, send, may_be_unsignaled);
	ret = rpcrdma_sendq_post_locked(conn, &send->chain, first, signaled,
					send->posted_on);
	spin_unlock(&sendq->post_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_post);
