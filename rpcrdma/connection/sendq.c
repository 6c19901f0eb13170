// SPDX-License-Identifier: GPL-2.0-only
/*
 * Send queue slots, and posting.
 *
 * One slot holds one work request. Slots are reserved before posting, and come back
 * when the last work request of a chain has completed. The client must not sleep where
 * it sends, and an nfsd thread that sleeps serves no other client. So both try, and
 * ops->sq_avail tells them when slots have come back.
 *
 * A chain that could not be posted, or only in part, counts as posted: the connection
 * closes, and what the chain refers to stays with its owner until the connection is
 * drained, or its QP destroyed. So there is one rule for all failures. After a chain that
 * failed nothing more is posted. Otherwise a Reply could follow RDMA Writes that were not
 * posted, and the client would take stale memory for the result.
 *
 * All callers are in process context (completion handlers included).
 */
#include <trace/events/rpcrdma_core.h>
#include "../core.h"

/* The numbers of chains wrap early, as jiffies do, so that each connection shows it */
#define RPCRDMA_SENDQ_INITIAL	((u32)-300)

/**
 * rpcrdma_sendq_init - initialize a send queue without slots
 * @sendq: memory of the queue
 *
 * Context: any.
 */
void rpcrdma_sendq_init(struct rpcrdma_sendq *sendq)
{
	memset(sendq, 0, sizeof(*sendq));
	spin_lock_init(&sendq->lock);
	spin_lock_init(&sendq->post_lock);
	INIT_LIST_HEAD(&sendq->unsignaled);
	sendq->posted = RPCRDMA_SENDQ_INITIAL;
	sendq->completed = RPCRDMA_SENDQ_INITIAL;
}

/**
 * rpcrdma_sendq_open - set the number of slots
 * @sendq: initialized queue
 * @depth: slots
 *
 * Context: process context, does not sleep; before the first reservation.
 */
void rpcrdma_sendq_open(struct rpcrdma_sendq *sendq, unsigned int depth)
{
	spin_lock(&sendq->lock);
	sendq->slots = depth;
	WRITE_ONCE(sendq->depth, depth);
	spin_unlock(&sendq->lock);
}

/**
 * rpcrdma_sendq_close - refuse reservations
 * @sendq: queue
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_sendq_close(struct rpcrdma_sendq *sendq)
{
	spin_lock(&sendq->lock);
	sendq->closed = true;
	spin_unlock(&sendq->lock);
}

/**
 * rpcrdma_sendq_used - slots that are not free
 * @sendq: queue
 *
 * Context: process context, does not sleep.
 * Return: slots of work requests in progress, and slots that are reserved.
 */
unsigned int rpcrdma_sendq_used(struct rpcrdma_sendq *sendq)
{
	unsigned int used;

	spin_lock(&sendq->lock);
	used = sendq->depth - sendq->slots;
	spin_unlock(&sendq->lock);
	return used;
}

/*
 * The slots of unsignaled Sends may come back only with the next signaled Send, so a
 * reservation must fit besides them.
 */
static unsigned int rpcrdma_sendq_max_chain(const struct rpcrdma_conn *conn)
{
	return to_core(conn)->sendq.depth - conn->limits.unsignaled_slots;
}

static bool rpcrdma_sendq_take(struct rpcrdma_sendq *sendq, unsigned int n)
{
	lockdep_assert_held(&sendq->lock);
	if (sendq->slots < n)
		return false;
	sendq->slots -= n;
	return true;
}

static void rpcrdma_sendq_waited(struct rpcrdma_conn *conn, u64 since)
{
	u64 ns = rpcrdma_latency_end(conn->stats, RPCRDMA_L_SENDQ, since);

	trace_rpcrdma_sendq_go(conn, ns);
}

static void rpcrdma_sendq_count_wait(struct rpcrdma_conn *conn, unsigned int n)
{
	unsigned int slots;

	rpcrdma_count(conn->stats, RPCRDMA_C_SENDQ_WAITS);
	/* For the trace only, so it is read without the lock */
	slots = data_race(to_core(conn)->sendq.slots);
	trace_rpcrdma_sendq_wait(conn, n, slots);
}

/**
 * rpcrdma_sendq_try_reserve - reserve slots without sleeping
 * @conn: connection, entered
 * @n: slots
 *
 * Context: process context, does not sleep.
 * Return: 0; -ENOBUFS if there are too few now (ops->sq_avail is called when some come
 * back); -ENOTCONN if the connection is closing; -E2BIG if @n never fits.
 */
int rpcrdma_sendq_try_reserve(struct rpcrdma_conn *conn, unsigned int n)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;
	int ret = 0;

	spin_lock(&sendq->lock);
	if (sendq->closed) {
		ret = -ENOTCONN;
	} else if (n > rpcrdma_sendq_max_chain(conn)) {
		ret = -E2BIG;
	} else if (!rpcrdma_sendq_take(sendq, n)) {
		sendq->wanted = true;
		sendq->since = sendq->since ?: rpcrdma_latency_begin();
		ret = -ENOBUFS;
	}
	spin_unlock(&sendq->lock);

	if (ret == -ENOBUFS)
		rpcrdma_sendq_count_wait(conn, n);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_sendq_try_reserve);

/**
 * rpcrdma_sendq_release - give slots back
 * @conn: connection
 * @n: slots of work requests that have completed, or that were reserved and not used
 *
 * Context: process context, does not sleep.
 */
void rpcrdma_sendq_release(struct rpcrdma_conn *conn, unsigned int n)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;
	u64 since;
	bool wanted;

	spin_lock(&sendq->lock);
	sendq->slots += n;
	WRITE_ONCE(sendq->returned, sendq->returned + 1);
	wanted = sendq->wanted;
	sendq->wanted = false;
	since = sendq->since;
	sendq->since = 0;
	spin_unlock(&sendq->lock);

	if (since)
		rpcrdma_sendq_waited(conn, since);
	if (wanted && conn->ops->sq_avail)
		conn->ops->sq_avail(conn);
}
EXPORT_SYMBOL_GPL(rpcrdma_sendq_release);

static int rpcrdma_sendq_to_device(struct rpcrdma_conn *conn,
				   struct rpcrdma_sendq *sendq,
				   struct ib_send_wr *first)
{
	const struct ib_send_wr *bad;
	int ret;

	if (unlikely(sendq->failed))
		return -ENOTCONN;
	ret = rpcrdma_fault(RPCRDMA_FAULT_POST_SEND) ?
	      -ENOMEM : ib_post_send(conn->qp, first, &bad);
	if (unlikely(ret)) {
		sendq->failed = true;
		/* No later chain gets slots. Its owner may free it before the drain */
		rpcrdma_sendq_close(sendq);
		rpcrdma_conn_close(conn, RPCRDMA_CLOSE_POST, ret);
	}
	return ret;
}

/**
 * rpcrdma_sendq_post_locked - post a chain with the post_lock held
 * @conn: connection, entered
 * @chain: as for rpcrdma_sendq_post()
 * @first: first work request of the chain
 * @signaled: the last work request is signaled
 * @posted_on: as rpcrdma_send.posted_on
 *
 * Context: process context, does not sleep; the post_lock of the send queue is held.
 * Return: 0; a negative errno of the device; or -ENOTCONN if an earlier chain failed.
 */
int rpcrdma_sendq_post_locked(struct rpcrdma_conn *conn,
			      struct rpcrdma_wr_chain *chain,
			      struct ib_send_wr *first, bool signaled,
			      struct rpcrdma_conn **posted_on)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;

	lockdep_assert_held(&sendq->post_lock);
	/* Before ib_post_send(): the completion may come at once */
	chain->number = sendq->posted + 1;
	WRITE_ONCE(sendq->posted, chain->number);
	chain->posted_at = signaled ? rpcrdma_latency_begin() : 0;
	trace_rpcrdma_post(conn, chain->number, chain->xid, first);
	rpcrdma_count(conn->stats, RPCRDMA_C_POSTS);
	if (posted_on) {
		/*
		 * Pairs with xprtrdma_reply_find(). A reader that sees it and then
		 * posts gets the post_lock after this chain is in the queue.
		 */
		smp_store_release(posted_on, conn);
	}
	return rpcrdma_sendq_to_device(conn, sendq, first);
}

/**
 * rpcrdma_sendq_post - post a WR chain whose slots are reserved
 * @conn: connection, entered
 * @chain: stays valid until the completion; @chain->xid is set
 * @first: first work request of the chain; the last one is signaled
 *
 * One doorbell per call. After an error the connection is closing and the chain counts
 * as posted: its slots do not come back, and its buffers and MRs stay untouched until
 * the connection is drained.
 *
 * Context: process context, does not sleep.
 * Return: as rpcrdma_sendq_post_locked().
 */
int rpcrdma_sendq_post(struct rpcrdma_conn *conn,
		       struct rpcrdma_wr_chain *chain, struct ib_send_wr *first)
{
	struct rpcrdma_sendq *sendq = &to_core(conn)->sendq;
	int ret;

	spin_lock(&sendq->post_lock);
	ret = rpcrdma_sendq_post_locked(conn, chain, first, true, NULL);
	spin_unlock(&sendq->post_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_sendq_post);

/**
 * rpcrdma_sendq_done - a chain has completed: note, count and trace it
 * @conn: connection
 * @chain: as it was posted
 * @wc: the completion
 *
 * rpcrdma_sendq_completed() knows of it from now on.
 *
 * Context: completion handler, before the memory of @chain is used again.
 */
void rpcrdma_sendq_done(struct rpcrdma_conn *conn,
			const struct rpcrdma_wr_chain *chain,
			const struct ib_wc *wc)
{
	u64 ns = 0;

	rpcrdma_count(conn->stats, RPCRDMA_C_COMPLETIONS);
	if (likely(wc->status == IB_WC_SUCCESS)) {
		WRITE_ONCE(to_core(conn)->sendq.completed, chain->number);
		ns = rpcrdma_latency_end(conn->stats, RPCRDMA_L_POST,
					 chain->posted_at);
	}
	trace_rpcrdma_done(conn, chain, chain->number, wc->status, ns);
}
EXPORT_SYMBOL_GPL(rpcrdma_sendq_done);

/**
 * rpcrdma_sendq_posted - number of the WR chain that was posted last
 * @conn: connection
 *
 * Context: any.
 * Return: the number, for rpcrdma_sendq_completed().
 */
u32 rpcrdma_sendq_posted(const struct rpcrdma_conn *conn)
{
	return READ_ONCE(to_core(conn)->sendq.posted);
}
EXPORT_SYMBOL_GPL(rpcrdma_sendq_posted);

/**
 * rpcrdma_sendq_completed - is a WR chain complete, with all posted before it?
 * @conn: connection
 * @number: from rpcrdma_sendq_posted()
 *
 * Unsignaled work requests count as complete when the next signaled one is.
 *
 * Context: any.
 * Return: true if so.
 */
bool rpcrdma_sendq_completed(const struct rpcrdma_conn *conn, u32 number)
{
	return rpcrdma_sendq_reached(READ_ONCE(to_core(conn)->sendq.completed),
				     number);
}
EXPORT_SYMBOL_GPL(rpcrdma_sendq_completed);
