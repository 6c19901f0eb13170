// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reconnect hold: holds a Call while nfsd still works on its first copy, which came on
 * a lost connection.
 *
 * After a connection loss, a client reconnects and resends its unanswered Calls at
 * once. If nfsd still works on the first copy of a Call, its duplicate reply cache
 * drops the second copy without an answer, and the Reply to the first copy is lost with
 * its connection. A second copy of a Call that hangs would occupy one more nfsd thread.
 *
 * When a connection is lost, the Calls that nfsd works on go into a table. A Call that
 * is found there waits for the end of its first copy, however long that takes; all
 * others are served. A held Call has the credit that it would have if nfsd worked on
 * it, so a client whose credits are all held waits for its own Calls only.
 *
 * Two Calls are copies if they come from one address and the fixed words of their RPC
 * headers are equal, from the XID to the flavor of the credential. As in the duplicate
 * reply cache, clients behind one address count as one client. A long Call has its RPC
 * header in a Read chunk, so its XID must do.
 *
 * A Call costs one look at a counter while the table is empty, and one at a bucket while that
 * is empty; so a Call that hangs for hours does not make all others take the lock. The end of a
 * Call does not look at the table, unless the Call is in it.
 *
 * Model: scripts/tests/models/reconnect_hold.pml
 * Model: scripts/tests/models/peer_valid.pml
 */
#include <kunit/visibility.h>
#include <linux/hashtable.h>
#include <linux/sunrpc/addr.h>
#include <compat/peer_valid.h>
#include "request.h"
#include "svcrdma.h"

#define SVCRDMA_LOST_BITS	8

/*
 * Protects what follows, and svcrdma_req.second_copies. Taken before
 * svcrdma_read_budget.lock, svcrdma_xprt.lock and svc_serv.sv_lock
 */
static DEFINE_SPINLOCK(svcrdma_hold_lock);
static DEFINE_HASHTABLE(svcrdma_lost_calls, SVCRDMA_LOST_BITS);
static unsigned int svcrdma_lost_count;

/* Under svcrdma_xprt.lock of a request that is not the caller's, which keeps its Receive */
static void svcrdma_call_id(const struct svcrdma_req *req,
			    struct svcrdma_call_id *id)
{
	const struct rpcrdma_recv *recv = READ_ONCE(req->recv);
	u32 at = READ_ONCE(req->msg.header_size);
	u32 len = recv ? READ_ONCE(recv->len) : 0;

	memset(id, 0, sizeof(*id));
	id->words[0] = req->msg.xid;
	/*
	 * What may follow the header of a long Call is no RPC header. A first copy may just be
	 * answered: then its header changes, and it ends.
	 */
	if (READ_ONCE(req->msg.type) == RPCRDMA_MSG && len >= sizeof(*id) &&
	    at <= len - sizeof(*id))
		memcpy(id->words, recv->buf.data + at, sizeof(*id));
}

static bool svcrdma_same_client(const struct svcrdma_xprt *a,
				const struct svcrdma_xprt *b)
{
	return a->xprt.xpt_server == b->xprt.xpt_server &&
	       a->xprt.xpt_net == b->xprt.xpt_net &&
	       rpc_cmp_addr((const struct sockaddr *)&a->peer,
			    (const struct sockaddr *)&b->peer);
}

static struct svcrdma_req *svcrdma_first_copy(const struct svcrdma_req *req)
{
	struct svcrdma_call_id id;
	struct svcrdma_req *first;

	lockdep_assert_held(&svcrdma_hold_lock);
	svcrdma_call_id(req, &id);
	/* It is itself in the table if its connection is lost while nfsd drops it */
	hash_for_each_possible(svcrdma_lost_calls, first, lost_node,
			       (__force u32)id.words[0])
		if (first != req && !memcmp(&first->id, &id, sizeof(id)) &&
		    svcrdma_same_client(first->rdma, req->rdma))
			return first;
	return NULL;
}

/* Without the lock: a first copy that is put into the table just now is not found */
static bool svcrdma_may_be_copy(const struct svcrdma_req *req)
{
	u32 xid = (__force u32)req->msg.xid;

	return unlikely(READ_ONCE(svcrdma_lost_count)) &&
	       !hlist_empty(&svcrdma_lost_calls[hash_min(xid, SVCRDMA_LOST_BITS)]);
}

static bool svcrdma_wait_for_first(struct svcrdma_req *req)
{
	struct svcrdma_req *first;

	spin_lock(&svcrdma_hold_lock);
	/* Copies wait for the end of a lost Call, so that one may not wait itself */
	first = req->lost ? NULL : svcrdma_first_copy(req);
	if (first) {
		list_add_tail(&req->node, &first->second_copies);
		/* It may have no other Call for a while by which nfsd could see that */
		rpcrdma_svc_inherit_valid(&req->rdma->xprt, &first->rdma->xprt);
	}
	spin_unlock(&svcrdma_hold_lock);
	return first;
}

/**
 * svcrdma_hold - hold a Call if nfsd works on its first copy
 * @req: Call that nfsd has not got
 *
 * Context: receive path; does not sleep.
 * Return: true if it is held. Then svcrdma_call_ready() gets it when the first copy ends,
 * unless its own transport is destroyed before.
 */
bool svcrdma_hold(struct svcrdma_req *req)
{
	if (!svcrdma_may_be_copy(req))
		return false;
	req->stage = SVCRDMA_STAGE_NEW;
	return svcrdma_wait_for_first(req);
}

/**
 * svcrdma_hold_dropped - does a Call that nfsd has dropped wait for its first copy?
 * @req: Call that nfsd got before the server noticed the loss of the other connection
 *
 * Its memory was used by nfsd, so it cannot be passed on again. It stays as a note that
 * its connection is to be closed when the first copy ends.
 *
 * Context: process context, does not sleep.
 * Return: true if so, and the Call is not the caller's any more.
 */
bool svcrdma_hold_dropped(struct svcrdma_req *req)
{
	if (!svcrdma_may_be_copy(req))
		return false;
	req->stage = SVCRDMA_STAGE_DROPPED;
	return svcrdma_wait_for_first(req);
}

/*
 * A request from the pool may have a stale @at_work until svcrdma_req_get() clears it.
 * @counted is set after that, so it is read first.
 */
static bool svcrdma_nfsd_works_on(const struct svcrdma_req *req)
{
	lockdep_assert_held(&req->rdma->lock);
	/* Pairs with svcrdma_credit_take() */
	return smp_load_acquire(&req->counted) && req->at_work;
}

/**
 * svcrdma_drop_finds_copy - nfsd has dropped a Call: does it still work on a copy?
 * @req: the Call; does not count as being worked on afterwards
 *
 * Context: process context, connection entered; does not sleep.
 * Return: true if nfsd works on a copy that came on the same connection. The Reply to that
 * one answers both.
 */
bool svcrdma_drop_finds_copy(struct svcrdma_req *req)
{
	struct svcrdma_xprt *rdma = req->rdma;
	struct svcrdma_call_id id, other_id;
	struct svcrdma_req *other;
	bool found = false;

	svcrdma_call_id(req, &id);
	spin_lock(&rdma->lock);
	/* First: if nfsd drops two copies at the same time, they must not find each other */
	req->at_work = false;
	list_for_each_entry(other, &rdma->all_reqs, all) {
		if (!svcrdma_nfsd_works_on(other))
			continue;
		svcrdma_call_id(other, &other_id);
		found = !memcmp(&id, &other_id, sizeof(id));
		if (found)
			break;
	}
	spin_unlock(&rdma->lock);
	return found;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_drop_finds_copy);

/* nfsd may work on one more copy, which came on a connection that is lost too */
static void svcrdma_hold_pass_on(struct svcrdma_req *req)
{
	struct svcrdma_req *first = svcrdma_first_copy(req);

	if (first) {
		list_move_tail(&req->node, &first->second_copies);
		return;
	}
	list_del_init(&req->node);
	if (req->stage == SVCRDMA_STAGE_NEW)
		svcrdma_call_ready(req);
	else
		svcrdma_queue(req->rdma, req, req->stage);
}

static void svcrdma_hold_end_locked(struct svcrdma_req *first)
{
	struct svcrdma_req *req, *next;

	lockdep_assert_held(&svcrdma_hold_lock);
	if (!first->lost)
		return;
	WRITE_ONCE(first->lost, false);
	hash_del(&first->lost_node);
	WRITE_ONCE(svcrdma_lost_count, svcrdma_lost_count - 1);
	list_for_each_entry_safe(req, next, &first->second_copies, node)
		svcrdma_hold_pass_on(req);
}

/**
 * svcrdma_hold_end - nfsd has finished a Call of a lost connection
 * @req: the Call
 *
 * Context: process context, does not sleep.
 */
void svcrdma_hold_end(struct svcrdma_req *req)
{
	spin_lock(&svcrdma_hold_lock);
	svcrdma_hold_end_locked(req);
	spin_unlock(&svcrdma_hold_lock);
}

static void svcrdma_lost_call(struct svcrdma_req *req)
{
	svcrdma_call_id(req, &req->id);
	hash_add(svcrdma_lost_calls, &req->lost_node,
		 (__force u32)req->id.words[0]);
	WRITE_ONCE(svcrdma_lost_count, svcrdma_lost_count + 1);
	WRITE_ONCE(req->lost, true);
	/* Pairs with svcrdma_credit_put(): one of the two sees the other's write */
	smp_mb();
	if (!svcrdma_nfsd_works_on(req))
		svcrdma_hold_end_locked(req);
}

/**
 * svcrdma_hold_begin - a connection is lost: note the Calls that nfsd works on
 * @rdma: transport whose connection takes no more posters
 *
 * A thread takes a request under svcrdma_xprt.lock, and gives it to nfsd only if it
 * could enter the connection afterwards. So none is missed.
 *
 * Context: work item; does not sleep.
 */
void svcrdma_hold_begin(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	spin_lock(&svcrdma_hold_lock);
	spin_lock(&rdma->lock);
	list_for_each_entry(req, &rdma->all_reqs, all)
		if (svcrdma_nfsd_works_on(req) && !req->lost)
			svcrdma_lost_call(req);
	spin_unlock(&rdma->lock);
	spin_unlock(&svcrdma_hold_lock);
}

/**
 * svcrdma_hold_detach - sunrpc deletes a transport
 * @rdma: transport, which has XPT_DEAD
 *
 * No held Call makes its peer valid any more: svcrdma_wait_for_first() has done so, or sees
 * XPT_DEAD. sunrpc looks afterwards, so no held Call takes it from sunrpc's count twice. nfsd
 * itself may: a Call that it works on makes the peer valid at any time.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_hold_detach(struct svcrdma_xprt *rdma)
{
	WARN_ON_ONCE(!test_bit(XPT_DEAD, &rdma->xprt.xpt_flags));
	spin_lock(&svcrdma_hold_lock);
	spin_unlock(&svcrdma_hold_lock);
}

/**
 * svcrdma_hold_stop - forget the requests of a transport that is destroyed
 * @rdma: transport whose connection is drained
 *
 * Calls that are still held are freed with their requests, and so are requests in the queue.
 * svcrdma_xprt.lock is taken because release_work may take from the queue at the same time.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_hold_stop(struct svcrdma_xprt *rdma)
{
	struct svcrdma_req *req;

	spin_lock(&svcrdma_hold_lock);
	list_for_each_entry(req, &rdma->all_reqs, all) {
		svcrdma_hold_end_locked(req);
		spin_lock(&rdma->lock);
		list_del_init(&req->node);
		spin_unlock(&rdma->lock);
	}
	spin_unlock(&svcrdma_hold_lock);
}
