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
 * Send has. That it is behind is why @sent is set under the lock.
 *
 * Every so many Sends one is signaled, so at most conn->limits.quiet Sends keep
 * their buffers when nothing else is sent, and conn->limits.quiet_room entries of
 * the send queue. The longest chain still finds room then.
 *
 * What is posted and in which order it is noted must agree, so both happen under
 * one lock. The device's own send queue lock is taken for as long anyway.
 */
#include <linux/moduleparam.h>
#include <trace/events/rpcrdma_core.h>
#include "core.h"

static unsigned int rpcrdma_quiet_most = RPCRDMA_QUIET_DEFAULT;

static int rpcrdma_quiet_set(const char *text, const struct kernel_param *kp)
{
	int ret = param_set_uint_minmax(text, kp, 0, RPCRDMA_QUIET_MAX);

	if (ret)
		pr_err("rpcrdma: %s must be from 0 to %u, not %.32s\n",
		       kp->name, RPCRDMA_QUIET_MAX, text);
	return ret;
}

static const struct kernel_param_ops rpcrdma_quiet_param_ops = {
	.set	= rpcrdma_quiet_set,
	.get	= param_get_uint,
};

module_param_cb(quiet_sends, &rpcrdma_quiet_param_ops, &rpcrdma_quiet_most,
		0644);
MODULE_PARM_DESC(quiet_sends, "Sends in a row without a completion of their own, for new connections (0..63, default 7)");

/**
 * rpcrdma_quiet_sends - the setting for a new connection
 *
 * Context: any.
 * Return: Sends without a completion that may follow each other.
 */
u32 rpcrdma_quiet_sends(void)
{
	return READ_ONCE(rpcrdma_quiet_most);
}
EXPORT_SYMBOL_GPL(rpcrdma_quiet_sends);

/**
 * rpcrdma_quiet_init - nothing has been posted yet
 * @sendq: send queue
 *
 * Context: any.
 */
void rpcrdma_quiet_init(struct rpcrdma_sendq *sendq)
{
	spin_lock_init(&sendq->post_lock);
	INIT_LIST_HEAD(&sendq->quiet);
	sendq->nquiet = 0;
	sendq->kept = 0;
	sendq->posted = 0;
	sendq->over = 0;
}

/* Decide on a completion, and note what it will stand for. Holds post_lock */
static bool rpcrdma_quiet_note(struct rpcrdma_conn *conn,
			       struct rpcrdma_quiet *sent,
			       struct ib_send_wr *send, bool may_be_quiet)
{
	struct rpcrdma_sendq *sendq = &conn->sendq;

	if (may_be_quiet &&
	    rpcrdma_limits_quiet(&conn->limits, sendq->nquiet, sendq->kept,
				 sent->room)) {
		send->send_flags &= ~IB_SEND_SIGNALED;
		list_add_tail(&sent->node, &sendq->quiet);
		sendq->nquiet++;
		sendq->kept += sent->room;
		return false;
	}
	send->send_flags |= IB_SEND_SIGNALED;
	list_splice_init(&sendq->quiet, &sent->before);
	sendq->nquiet = 0;
	sendq->kept = 0;
	return true;
}

/**
 * rpcrdma_quiet_post - post a chain that ends with a Send
 * @conn: connection, entered; room for the chain is reserved
 * @sent: belongs to the Send; its @before is empty, @room, @sent and @flight.xid
 *	are set
 * @first: first work request of the chain
 * @send: last work request, the Send
 * @may_be_quiet: nothing in the chain needs a completion of its own
 *
 * If the Send completes, everything on @sent->before has completed too. A Send
 * that was quiet gets a completion only if it failed; after a failed completion or
 * a failed post the lists must not be touched any more, and the teardown frees all.
 *
 * Context: process context, does not sleep.
 * Return: 0, or what the device said, and the connection is closing.
 */
int rpcrdma_quiet_post(struct rpcrdma_conn *conn, struct rpcrdma_quiet *sent,
		       struct ib_send_wr *first, struct ib_send_wr *send,
		       bool may_be_quiet)
{
	struct rpcrdma_sendq *sendq = &conn->sendq;
	bool signaled;
	int ret;

	spin_lock(&sendq->post_lock);
	signaled = rpcrdma_quiet_note(conn, sent, send, may_be_quiet);
	ret = rpcrdma_sendq_post_locked(conn, &sent->flight, first, signaled,
					sent->sent);
	spin_unlock(&sendq->post_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_quiet_post);

/**
 * rpcrdma_quiet_done - a Send has completed, or failed: count it
 * @conn: connection
 * @sent: as it was posted
 * @wc: the completion
 *
 * Context: completion handler, before anybody lets go of the Send.
 */
void rpcrdma_quiet_done(struct rpcrdma_conn *conn,
			const struct rpcrdma_quiet *sent,
			const struct ib_wc *wc)
{
	const struct rpcrdma_quiet *earlier;

	if (trace_rpcrdma_done_enabled() && wc->status == IB_WC_SUCCESS)
		list_for_each_entry(earlier, &sent->before, node)
			trace_rpcrdma_done(conn, &earlier->flight,
					   sent->flight.cid, wc->status, 0);
	rpcrdma_sendq_done(conn, &sent->flight, wc);
}
EXPORT_SYMBOL_GPL(rpcrdma_quiet_done);
