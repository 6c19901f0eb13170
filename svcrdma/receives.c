// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Receives of a client's connection: how many there are, and their memory.
 *
 * A connection begins with Receives for svcrdma.min_requests credits, and gets more when
 * the client uses all of them (protocol/credit_load.c), within a budget for the whole
 * server (svcrdma.receive_memory). The receive path adds them at once, so that no queue
 * delays them. What comes back is retired when there are more than needed. Likewise there
 * is one Receive for Replies to reverse Calls, and one for each reverse credit after the
 * first such Reply.
 *
 * The in-tree client sends all Calls again that were unanswered on its previous connection,
 * whatever it was granted. On InfiniBand and RoCE a Send that finds no Receive is repeated
 * meanwhile. On iWARP it ends the connection, so there a connection has Receives for all
 * credits at any time.
 */
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <rpcrdma/param.h>
#include <rpcrdma/traffic.h>
#include "params.h"
#include "svcrdma.h"

/* Receives for Replies to reverse Calls, before one has come: RFC 8167 4.1 (BI-CRED-08) */
#define SVCRDMA_REVERSE_FIRST	1U

/* Share of all memory that is the default budget */
#define SVCRDMA_RECEIVE_MEMORY_SHARE	16

/* After growing has failed, it is not tried for so long; the second is before the first answer */
#define SVCRDMA_RECEIVES_PAUSE		((unsigned long)HZ)
#define SVCRDMA_RECEIVES_PAUSE_FIRST	((unsigned long)HZ / 100)

/* Bytes of all Receives */
static atomic64_t svcrdma_receives_bytes;

/**
 * svcrdma_receives_default - size the budget, unless the administrator has
 *
 * Context: module init.
 */
void svcrdma_receives_default(void)
{
	struct rpcrdma_param *param = &svcrdma_receive_memory_param;
	unsigned long all = totalram_pages() >> (20 - PAGE_SHIFT);

	if (!param->value)
		param->value = clamp_t(unsigned long,
				       all / SVCRDMA_RECEIVE_MEMORY_SHARE,
				       param->min, param->max);
}

/**
 * svcrdma_receives_used - memory of the Receives of all connections
 *
 * Context: any.
 * Return: bytes.
 */
u64 svcrdma_receives_used(void)
{
	return atomic64_read(&svcrdma_receives_bytes);
}

/* As large as announced: RFC 8797; in version 2 by transport properties */
static u32 svcrdma_receive_size(const struct rpcrdma_conn *conn)
{
	return conn->negotiation.versions & RPCRDMA_VERSIONS_2 ?
	       conn->limits.inline_recv : conn->local.recv_size;
}

/* Receives for messages that no credit of the client stands for */
static u32 svcrdma_receives_extra(const struct svcrdma_xprt *rdma)
{
	return rdma->conn->limits.spare_recvs + rdma->reverse_receives;
}

/**
 * svcrdma_receives_start - post the Receives with which a connection begins
 * @rdma: transport whose connection was set up; before it is accepted
 *
 * When memory is short, a client gets fewer credits rather than no connection: its
 * writeback may be what frees memory. It gets more when there is memory.
 *
 * Context: may sleep; the caller keeps reclaim out of the file system.
 * Return: 0; -ENOMEM; or a negative errno of the device.
 */
int svcrdma_receives_start(struct svcrdma_xprt *rdma)
{
	struct rpcrdma_conn *conn = rdma->conn;
	u32 most = conn->limits.credits;
	u32 size = svcrdma_receive_size(conn);
	u32 first = most;
	u32 extra;
	int ret;

	if (rpcrdma_traffic_repeats(conn))
		first = min(svcrdma_param_least_credits(), most);
	rdma->reverse_receives = min(conn->limits.bc_credits,
				     SVCRDMA_REVERSE_FIRST);
	extra = svcrdma_receives_extra(rdma);
	ret = rpcrdma_recv_provision(conn, first + extra,
				     min(first, SVCRDMA_CREDITS_MIN) + extra,
				     size, RPCRDMA_GFP_ONCE);
	if (ret < 0)
		return ret;
	svcrdma_load_init(&rdma->load, first, most, ret - extra);
	rdma->receive_size = size;
	rdma->receives_failed = jiffies - SVCRDMA_RECEIVES_PAUSE;
	atomic64_add((s64)ret * size, &svcrdma_receives_bytes);
	if (ret < first + extra)
		pr_warn_ratelimited("svcrdma: %pISpc: memory is short, so the client is granted %u credits\n",
				    &conn->peer, rdma->load.credits);
	return 0;
}

static bool svcrdma_receives_charge(s64 bytes)
{
	s64 most = (s64)rpcrdma_param_value(&svcrdma_receive_memory_param) << 20;

	if (atomic64_add_return(bytes, &svcrdma_receives_bytes) <= most)
		return true;
	atomic64_sub(bytes, &svcrdma_receives_bytes);
	return false;
}

/* Return: Receives that were added; fewer than @n if memory is short, or the budget used up */
static u32 svcrdma_receives_add(struct svcrdma_xprt *rdma, u32 n)
{
	/* Without an answer yet, the connection may be lost for want of a Receive */
	gfp_t gfp = READ_ONCE(rdma->last_grant) ? GFP_NOWAIT :
						  GFP_NOFS | __GFP_NORETRY;
	s64 size = rdma->receive_size;
	u32 added;

	if (!n || !svcrdma_receives_charge(n * size))
		return 0;
	added = rpcrdma_recv_add(rdma->conn, n, size, gfp | __GFP_NOWARN);
	atomic64_sub((n - added) * size, &svcrdma_receives_bytes);
	return added;
}

/* Return: false if memory is short, or the budget is used up */
static bool svcrdma_receives_grow(struct svcrdma_xprt *rdma)
{
	u32 lacks, added;

	spin_lock(&rdma->lock);
	lacks = svcrdma_load_lacks(&rdma->load);
	spin_unlock(&rdma->lock);

	added = svcrdma_receives_add(rdma, lacks);
	spin_lock(&rdma->lock);
	svcrdma_load_grow(&rdma->load, added);
	spin_unlock(&rdma->lock);
	return added == lacks;
}

/**
 * svcrdma_receives_more - the client uses all credits: grant more if possible
 * @rdma: transport
 *
 * A client that sends several Calls before the first answer sends again what it had sent on
 * another connection. Each of these Calls gets it twice as many Receives as before.
 *
 * Context: receive path. Before the first answer each allocation may reclaim memory once.
 */
void svcrdma_receives_more(struct svcrdma_xprt *rdma)
{
	unsigned long pause = READ_ONCE(rdma->last_grant) ?
			      SVCRDMA_RECEIVES_PAUSE : SVCRDMA_RECEIVES_PAUSE_FIRST;

	if (jiffies - rdma->receives_failed < pause)
		return;
	if (!svcrdma_receives_grow(rdma))
		rdma->receives_failed = jiffies;
}

/**
 * svcrdma_receives_reverse - a Reply to a reverse Call has come: there will be more of them
 * @rdma: transport
 *
 * Adds what @rdma->reverse_receives lacks. The window is no larger: RFC 8167 4.3.2
 * (BI-BUF-07).
 *
 * Context: receive path; does not sleep.
 */
void svcrdma_receives_reverse(struct svcrdma_xprt *rdma)
{
	u32 lacks = rdma->bc_credits - rdma->reverse_receives;

	if (unlikely(lacks))
		rdma->reverse_receives += svcrdma_receives_add(rdma, lacks);
}

static bool svcrdma_receives_retire(struct svcrdma_xprt *rdma)
{
	bool retire;

	spin_lock(&rdma->lock);
	retire = svcrdma_load_retire(&rdma->load);
	spin_unlock(&rdma->lock);
	if (retire)
		atomic64_sub(rdma->receive_size, &svcrdma_receives_bytes);
	return retire;
}

/**
 * svcrdma_receives_put - post a Receive again, or retire it
 * @rdma: transport
 * @recv: Receive whose message is not read any more; not the caller's any more. No request
 *	names it
 * @call: the message was a Call, whose answer tells the grant again
 *
 * Context: process context, does not sleep.
 */
void svcrdma_receives_put(struct svcrdma_xprt *rdma, struct rpcrdma_recv *recv,
			  bool call)
{
	/*
	 * svcrdma_call_id() reads messages of other requests under svcrdma_xprt.lock, which
	 * is taken here before the memory is freed
	 */
	if (unlikely(svcrdma_load_surplus(&rdma->load)) && call &&
	    svcrdma_receives_retire(rdma))
		rpcrdma_recv_retire(recv);
	else
		rpcrdma_recv_repost(recv);
}

/**
 * svcrdma_receives_look - grant a client fewer credits if it uses few
 * @rdma: transport that was accepted
 *
 * Context: process context, does not sleep; at regular intervals.
 */
void svcrdma_receives_look(struct svcrdma_xprt *rdma)
{
	spin_lock(&rdma->lock);
	svcrdma_load_look(&rdma->load, atomic_read(&rdma->unanswered),
			  READ_ONCE(rdma->last_grant));
	spin_unlock(&rdma->lock);
}

/**
 * svcrdma_receives_end - give the memory of all Receives back to the budget
 * @rdma: transport with a drained connection, which is destroyed next
 *
 * Context: process context, does not sleep.
 */
void svcrdma_receives_end(struct svcrdma_xprt *rdma)
{
	s64 n = rdma->load.receives + svcrdma_receives_extra(rdma);

	/* receive_size is 0 if svcrdma_receives_start() has not succeeded */
	atomic64_sub(n * rdma->receive_size, &svcrdma_receives_bytes);
}
