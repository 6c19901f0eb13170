// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends without a completion of their own.
 *
 * A completion costs more than a small Send itself: an interrupt, a work item, a
 * look at the queue, arming it again. The Sends of one QP complete in order, so a
 * Send may be posted unsignaled, and is known to be over when a later, signaled
 * one has completed. That holds for Sends only whose memory is mapped for the life
 * of the connection and that nobody waits for: a Reply from the peer does not prove
 * that the local device is done with the Call's Send. Registrations in front of a
 * Send need no completion: what they registered is of use to nobody any more when
 * the peer, who saw the Send, has invalidated it, or an invalidation behind the
 * Send has. That it is behind is why @posted_on is set under the
 * lock.
 *
 * Every so many Sends one is signaled, so at most conn->limits.unsignaled Sends keep
 * their buffers when nothing else is sent, and conn->limits.unsignaled_slots entries of
 * the send queue. The longest chain still finds room then.
 *
 * What is posted and in which order it is noted must agree, so both happen under
 * one lock. The device's own send queue lock is taken for as long anyway.
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
 * rpcrdma_unsignaled_sends - the setting for a new connection
 *
 * Context: any.
 * Return: Sends without a completion that may follow each other.
 */
u32 rpcrdma_unsignaled_sends(void)
{
	return rpcrdma_param_value(&rpcrdma_unsignaled_max);
}
EXPORT_SYMBOL_GPL(rpcrdma_unsignaled_sends);

/* Decides on a completion, and notes what it will stand for */
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
	list_splice_init(&sendq->unsignaled, &send->before);
	sendq->nunsignaled = 0;
	sendq->unsignaled_slots = 0;
	return true;
}

/**
 * rpcrdma_send_post - post a chain that ends with a Send
 * @send: Send context; its connection is entered, its slots are reserved. @slots,
 *	@posted_on and @waiter are set. Not the caller's any more, whatever is returned
 * @first: first work request of the chain; the last one is @send->wr
 * @may_be_unsignaled: nothing in the chain needs a completion of its own
 *
 * The completion of the Send puts back the context, and those of the Sends in
 * @send->before. An unsignaled Send gets a completion only if it failed. After a
 * failed completion or a failed post the connection is closing, the lists must not be
 * touched any more, and rpcrdma_send_pool_destroy() frees all.
 *
 * Context: process context, does not sleep.
 * Return: 0, or what the device said, and the connection is closing.
 */
int rpcrdma_send_post(struct rpcrdma_send *send, struct ib_send_wr *first,
		      bool may_be_unsignaled)
{
	struct rpcrdma_conn *conn = send->conn;
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;
	bool signaled;
	int ret;

	rpcrdma_count(conn->stats, RPCRDMA_C_SENDS);
	/* Every message begins with it */
	send->chain.xid = *(const __be32 *)send->buf.data;

	spin_lock(&sendq->post_lock);
	signaled = rpcrdma_unsignaled_note(conn, send, may_be_unsignaled);
	ret = rpcrdma_sendq_post_locked(conn, &send->chain, first, signaled,
					send->posted_on);
	spin_unlock(&sendq->post_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_send_post);
