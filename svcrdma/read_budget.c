// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory for data sinks of RDMA Reads: a budget for the whole server, and a share of
 * it for each client address of a network namespace (svcrdma.read_memory,
 * svcrdma.read_memory_client).
 *
 * A Call of a hundred bytes can make the server read a megabyte, from a client that is
 * not authenticated yet. So a Call with Read chunks takes its bytes from the budget in the
 * receive path, before it has pages or an nfsd thread, and returns them when its request
 * is put. If there are not enough, it waits in the queue of its transport. Clients with
 * such Calls take turns, and so do the transports of a client, however many there are: a
 * turn is one Call. Until a Call of a connection was accepted, one Call with Read chunks of
 * it is read at a time, and the others wait. Those that nfsd has got do not count: one that
 * hangs there would hold up the rest.
 *
 * A transport draws bytes in steps. What its Calls return stays with it as its spare,
 * up to one step, so that most Calls touch only a counter of their own transport. While
 * any client waits for bytes of the server, no transport has a spare; while one waits for
 * bytes of its own share, its transports have none.
 *
 * The work under the lock does not grow with the connections: a client that lacks bytes of
 * its share has no turn until it returns some, and only transports that have drawn bytes
 * are asked for their spare, once when Calls begin to wait.
 *
 * The lock is taken before svcrdma_xprt.lock. A transport waits only until its connection
 * is lost, so its requests can be passed on under the lock.
 */
#include <kunit/visibility.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include <rpcrdma/param.h>
#include "svcrdma.h"

/* Bytes that a transport draws at once, and most bytes of its spare */
#define SVCRDMA_READ_STEP	((long)SZ_1M)

/* Share of all memory that is the default budget; share of the budget of a client */
#define SVCRDMA_READ_MEMORY_SHARE	8
#define SVCRDMA_READ_CLIENT_SHARE	4

/*
 * struct svcrdma_read_client - the share of a client
 * @node:  entry of svcrdma_read_clients
 * @net:   network namespace of its transports
 * @addr:  its address; the port does not matter
 * @number: its number; never used again
 * @xprts: number of its transports that have joined
 * @drawn: bytes that they have drawn
 * @drawer: entry of svcrdma_read_budget.drawers, if @drawn is not 0
 * @drawers: its transports that have drawn bytes
 * @turn:  entry of svcrdma_read_budget.turns, if one of its transports waits, and the share
 *	   may have bytes for it
 * @waiters: its transports with Calls that wait for the budget, the next one first; may be
 *	   tested for being empty without the lock
 */
struct svcrdma_read_client {
	struct hlist_node	node;
	const struct net	*net;
	struct sockaddr_storage	addr;
	unsigned long		number;
	unsigned int		xprts;
	u64			drawn;
	struct list_head	drawer;
	struct list_head	drawers;
	struct list_head	turn;
	struct list_head	waiters;
};

/*
 * struct svcrdma_read_budget - the budget
 * @lock:    protects all fields, the clients, and what struct svcrdma_read_share says
 * @drawn:   bytes that transports have drawn
 * @drawers: clients that have drawn bytes
 * @turns:   clients with Calls that wait for bytes of the server, the next one first; may
 *	     be tested for being empty without @lock
 * @no_spares: no transport has a spare, or can get one before @turns is empty
 * @clients: clients by address and network namespace
 * @numbers: number of the newest client
 */
struct svcrdma_read_budget {
	spinlock_t		lock;		/* see above */
	u64			drawn;
	struct list_head	drawers;
	struct list_head	turns;
	bool			no_spares;
	DECLARE_HASHTABLE(clients, 8);
	unsigned long		numbers;
};

static struct svcrdma_read_budget svcrdma_read_budget = {
	.lock		= __SPIN_LOCK_UNLOCKED(svcrdma_read_budget.lock),
	.drawers	= LIST_HEAD_INIT(svcrdma_read_budget.drawers),
	.turns		= LIST_HEAD_INIT(svcrdma_read_budget.turns),
};

/*
 * One Call of the largest size fits in any case, or it would wait for ever. In 64 bits,
 * since the largest value is more than 32 bits of bytes.
 */
static u64 svcrdma_read_limit(const struct rpcrdma_param *param)
{
	return max_t(u64, (u64)rpcrdma_param_value(param) * SZ_1M,
		     RPCSVC_MAXPAYLOAD + SZ_1M);
}

static bool svcrdma_read_server_has(unsigned long n)
{
	return svcrdma_read_budget.drawn + n <=
	       svcrdma_read_limit(&svcrdma_read_memory_param);
}

static bool svcrdma_read_client_has(const struct svcrdma_read_client *client,
				    unsigned long n)
{
	return client->drawn + n <= svcrdma_read_limit(&svcrdma_read_client_param);
}

static bool svcrdma_read_draw(struct svcrdma_read_share *share, unsigned long n)
{
	struct svcrdma_read_budget *budget = &svcrdma_read_budget;
	struct svcrdma_read_client *client = share->client;

	lockdep_assert_held(&budget->lock);
	if (!svcrdma_read_server_has(n) || !svcrdma_read_client_has(client, n))
		return false;
	if (!client->drawn)
		list_add(&client->drawer, &budget->drawers);
	if (!share->drawn)
		list_add(&share->drawer, &client->drawers);
	budget->drawn += n;
	client->drawn += n;
	share->drawn += n;
	return true;
}

/* A client with Calls that wait takes part in the turns */
static void svcrdma_read_take_turns(struct svcrdma_read_client *client)
{
	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (list_empty(&client->turn) && !list_empty(&client->waiters))
		list_add_tail(&client->turn, &svcrdma_read_budget.turns);
}

static void svcrdma_read_return(struct svcrdma_read_share *share, u64 n)
{
	struct svcrdma_read_client *client = share->client;

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (!n)
		return;
	svcrdma_read_budget.drawn -= n;
	client->drawn -= n;
	share->drawn -= n;
	if (!share->drawn)
		list_del_init(&share->drawer);
	if (!client->drawn)
		list_del_init(&client->drawer);
	svcrdma_read_take_turns(client);
}

static void svcrdma_read_return_spare(struct svcrdma_read_share *share)
{
	svcrdma_read_return(share, atomic_long_xchg(&share->spare, 0));
}

static void svcrdma_read_return_spares(struct svcrdma_read_client *client)
{
	struct svcrdma_read_share *share, *next;

	list_for_each_entry_safe(share, next, &client->drawers, drawer)
		svcrdma_read_return_spare(share);
}

static void svcrdma_read_return_all_spares(void)
{
	struct svcrdma_read_client *client, *next;

	list_for_each_entry_safe(client, next, &svcrdma_read_budget.drawers, drawer)
		svcrdma_read_return_spares(client);
}

static bool svcrdma_read_use_spare(struct svcrdma_read_share *share, long n)
{
	long spare = atomic_long_read(&share->spare);

	do {
		if (spare < n)
			return false;
	} while (!atomic_long_try_cmpxchg(&share->spare, &spare, spare - n));
	return true;
}

/* A step if there is enough, so that the next Calls need no lock */
static bool svcrdma_read_take(struct svcrdma_read_share *share, long n)
{
	if (svcrdma_read_use_spare(share, n))
		return true;
	if (n < SVCRDMA_READ_STEP && list_empty(&share->client->waiters) &&
	    list_empty(&svcrdma_read_budget.turns) &&
	    svcrdma_read_draw(share, SVCRDMA_READ_STEP)) {
		atomic_long_add(SVCRDMA_READ_STEP - n, &share->spare);
		return true;
	}
	return svcrdma_read_draw(share, n);
}

static struct svcrdma_req *svcrdma_read_next(struct svcrdma_read_share *share)
{
	return list_first_entry(&share->calls, struct svcrdma_req, node);
}

/* Passes on the first Call that waits on a transport, if it may begin */
static bool svcrdma_read_begin(struct svcrdma_read_share *share)
{
	struct svcrdma_req *req = svcrdma_read_next(share);

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (share->closed || share->first ||
	    !svcrdma_read_take(share, req->sink_bytes))
		return false;
	WRITE_ONCE(share->first, share->accepted ? NULL : req);
	list_del_init(&req->node);
	svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_NEW);
	return true;
}

/* A transport takes part in the turns no more */
static void svcrdma_read_leave(struct svcrdma_read_share *share)
{
	if (list_empty(&share->turn))
		return;
	list_del_init(&share->turn);
	if (list_empty(&share->client->waiters))
		list_del_init(&share->client->turn);
	else
		/* The next one may need less than this one, for which the share had not enough */
		svcrdma_read_take_turns(share->client);
}

/* A list that is tested without the lock never looks empty meanwhile */
static void svcrdma_read_to_end(struct list_head *entry, struct list_head *list)
{
	if (!list_is_last(entry, list))
		list_move_tail(entry, list);
}

/* The first Call that waited on a transport has begun */
static void svcrdma_read_end_turn(struct svcrdma_read_share *share)
{
	svcrdma_read_to_end(&share->client->turn, &svcrdma_read_budget.turns);
	svcrdma_read_to_end(&share->turn, &share->client->waiters);
	/* While the first Call is being read, the transport gets no turn */
	if (share->first || list_empty(&share->calls))
		svcrdma_read_leave(share);
}

/* Are there @n bytes of the server, also without the spares? */
static bool svcrdma_read_server_gives(unsigned long n)
{
	struct svcrdma_read_budget *budget = &svcrdma_read_budget;

	if (svcrdma_read_server_has(n))
		return true;
	if (budget->no_spares)
		return false;
	budget->no_spares = true;
	smp_mb();	/* see svcrdma_read_want() */
	svcrdma_read_return_all_spares();
	return svcrdma_read_server_has(n);
}

/*
 * One Call of each client that waits, again and again, until none may begin. A Call that
 * lacks bytes is not overtaken by others that lack the same: small Calls could keep it
 * waiting for ever.
 */
static void svcrdma_read_run(void)
{
	struct svcrdma_read_budget *budget = &svcrdma_read_budget;
	struct svcrdma_read_client *client;
	struct svcrdma_read_share *share;
	long n;

	lockdep_assert_held(&budget->lock);
	while (!list_empty(&budget->turns)) {
		client = list_first_entry(&budget->turns, struct svcrdma_read_client, turn);
		share = list_first_entry(&client->waiters, struct svcrdma_read_share, turn);
		n = svcrdma_read_next(share)->sink_bytes;
		if (!svcrdma_read_client_has(client, n)) {
			/* Until it returns some: see svcrdma_read_return() */
			list_del_init(&client->turn);
			continue;
		}
		if (!svcrdma_read_server_gives(n))
			return;
		if (svcrdma_read_begin(share))
			svcrdma_read_end_turn(share);
	}
	budget->no_spares = false;
}

/* The Calls that wait on a transport want the budget */
static void svcrdma_read_want(struct svcrdma_read_share *share)
{
	struct svcrdma_read_client *client = share->client;
	bool first = list_empty(&client->waiters);

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (share->closed || share->first || list_empty(&share->calls) ||
	    !list_empty(&share->turn))
		return;
	list_add_tail(&share->turn, &client->waiters);
	if (!first)
		return;
	svcrdma_read_take_turns(client);
	/*
	 * Pairs with svcrdma_read_budget_put(): either it finds these entries, or its
	 * bytes are in the spare here, or in svcrdma_read_server_gives()
	 */
	smp_mb();
	svcrdma_read_return_spares(client);
}

/* Lengths are checked, so the sum is at most svcrdma_xprt.max_call and some padding */
static long svcrdma_read_bytes(const struct svcrdma_req *req)
{
	u64 bytes = svcrdma_payload_len(req) + req->nchunks * XDR_UNIT;
	unsigned int i;

	for (i = 0; i < req->nchunks; i++)
		bytes += rpcrdma_chunk_length(&req->msg, &req->chunks[i]);
	return PAGE_ALIGN(bytes);
}

/* Takes the bytes for the data sink of a Call, or lets it wait for them */
static void svcrdma_read_budget_get(struct svcrdma_req *req)
{
	struct svcrdma_read_share *share = &req->rdma->reads;

	req->sink_bytes = svcrdma_read_bytes(req);
	if (likely(READ_ONCE(share->accepted) && !READ_ONCE(share->closed) &&
		   list_empty(&share->calls) &&
		   list_empty(&share->client->waiters) &&
		   list_empty(&svcrdma_read_budget.turns) &&
		   svcrdma_read_use_spare(share, req->sink_bytes))) {
		svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_NEW);
		return;
	}
	spin_lock(&svcrdma_read_budget.lock);
	list_add_tail(&req->node, &share->calls);
	/* Not before Calls that wait already, of this client or of another */
	if (!list_empty(&svcrdma_read_budget.turns) ||
	    !list_empty(&share->client->waiters) ||
	    !list_is_singular(&share->calls) || !svcrdma_read_begin(share)) {
		svcrdma_read_want(share);
		svcrdma_read_run();
		if (!list_empty(&share->calls))
			rpcrdma_count(req->rdma->conn->stats,
				      RPCRDMA_C_READ_WAITS);
	}
	spin_unlock(&svcrdma_read_budget.lock);
}

/**
 * svcrdma_call_ready - pass on a Call that nothing holds
 * @req: checked Call; no longer the caller's
 *
 * It goes to the queue of ready requests. A Call with Read chunks needs the bytes for its
 * data sink first, and may wait for them. svcrdma_read_budget_put() returns the bytes.
 *
 * Context: process context, does not sleep; may hold svcrdma_hold_lock.
 */
void svcrdma_call_ready(struct svcrdma_req *req)
{
	if (req->nchunks)
		svcrdma_read_budget_get(req);
	else
		svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_NEW);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_call_ready);

/**
 * svcrdma_read_budget_put - return the bytes of a Call
 * @req: request that has taken bytes, and owns no data sink any more
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_put(struct svcrdma_req *req)
{
	struct svcrdma_read_share *share = &req->rdma->reads;
	long spare;

	/* Fully ordered: pairs with svcrdma_read_want() */
	spare = atomic_long_add_return(req->sink_bytes, &share->spare);
	req->sink_bytes = 0;
	if (likely(spare <= SVCRDMA_READ_STEP && READ_ONCE(share->first) != req &&
		   list_empty(&share->client->waiters) &&
		   list_empty(&svcrdma_read_budget.turns)))
		return;
	spin_lock(&svcrdma_read_budget.lock);
	svcrdma_read_return_spare(share);
	if (share->first == req)
		WRITE_ONCE(share->first, NULL);
	svcrdma_read_want(share);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_put);

/**
 * svcrdma_read_budget_accepted - a Call of this connection was accepted
 * @rdma: transport; more than one of its Calls may be read at a time from now on
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_accepted(struct svcrdma_xprt *rdma)
{
	struct svcrdma_read_share *share = &rdma->reads;

	spin_lock(&svcrdma_read_budget.lock);
	WRITE_ONCE(share->accepted, true);
	WRITE_ONCE(share->first, NULL);
	svcrdma_read_want(share);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_accepted);

/**
 * svcrdma_read_budget_delivered - nfsd gets a Call
 * @req: complete Call; keeps its bytes until svcrdma_read_budget_put()
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_delivered(struct svcrdma_req *req)
{
	struct svcrdma_read_share *share = &req->rdma->reads;

	if (likely(READ_ONCE(share->first) != req))
		return;
	spin_lock(&svcrdma_read_budget.lock);
	if (share->first == req)
		WRITE_ONCE(share->first, NULL);
	svcrdma_read_want(share);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}

/**
 * svcrdma_read_budget_changed - the administrator has changed the budget
 *
 * Calls that wait may begin if it is larger.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_changed(void)
{
	struct svcrdma_read_client *client;
	unsigned int i;

	spin_lock(&svcrdma_read_budget.lock);
	hash_for_each(svcrdma_read_budget.clients, i, client, node)
		svcrdma_read_take_turns(client);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_changed);

/**
 * svcrdma_read_budget_trim - return the spare of a transport
 * @rdma: transport
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_trim(struct svcrdma_xprt *rdma)
{
	spin_lock(&svcrdma_read_budget.lock);
	svcrdma_read_return_spare(&rdma->reads);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}

/**
 * svcrdma_read_budget_used - bytes of data sinks of all Calls
 *
 * Context: process context, does not sleep.
 * Return: bytes.
 */
u64 svcrdma_read_budget_used(void)
{
	struct svcrdma_read_client *client;
	struct svcrdma_read_share *share;
	u64 used;

	spin_lock(&svcrdma_read_budget.lock);
	used = svcrdma_read_budget.drawn;
	list_for_each_entry(client, &svcrdma_read_budget.drawers, drawer)
		list_for_each_entry(share, &client->drawers, drawer)
			used -= atomic_long_read(&share->spare);
	spin_unlock(&svcrdma_read_budget.lock);
	return used;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_used);

static u32 svcrdma_read_client_hash(const struct sockaddr *addr)
{
	if (addr->sa_family == AF_INET6)
		return jhash(&((const struct sockaddr_in6 *)addr)->sin6_addr,
			     sizeof(struct in6_addr), 0);
	return jhash(&((const struct sockaddr_in *)addr)->sin_addr,
		     sizeof(struct in_addr), 0);
}

static struct svcrdma_read_client *
svcrdma_read_client_find(const struct net *net, const struct sockaddr *addr,
			 u32 hash)
{
	struct svcrdma_read_client *client;

	hash_for_each_possible(svcrdma_read_budget.clients, client, node, hash)
		if (client->net == net &&
		    rpc_cmp_addr((const struct sockaddr *)&client->addr, addr))
			return client;
	return NULL;
}

/**
 * svcrdma_read_budget_init - initialize the part of a transport in the budget
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_read_budget_init(struct svcrdma_xprt *rdma)
{
	INIT_LIST_HEAD(&rdma->reads.drawer);
	INIT_LIST_HEAD(&rdma->reads.turn);
	INIT_LIST_HEAD(&rdma->reads.calls);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_init);

static struct svcrdma_read_client *
svcrdma_read_client_alloc(const struct svcrdma_xprt *rdma)
{
	struct svcrdma_read_client *client = kzalloc(sizeof(*client), RPCRDMA_GFP_ONCE);

	if (!client)
		return NULL;
	client->net = rdma->xprt.xpt_net;
	client->addr = rdma->peer;
	INIT_LIST_HEAD(&client->drawer);
	INIT_LIST_HEAD(&client->drawers);
	INIT_LIST_HEAD(&client->turn);
	INIT_LIST_HEAD(&client->waiters);
	return client;
}

/**
 * svcrdma_read_budget_join - give a transport its part in the budget
 * @rdma: transport whose connection is not accepted yet
 *
 * Context: may sleep. svcrdma_read_budget_part() undoes it.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_read_budget_join(struct svcrdma_xprt *rdma)
{
	const struct sockaddr *addr = (const struct sockaddr *)&rdma->peer;
	struct svcrdma_read_client *client, *fresh;
	u32 hash = svcrdma_read_client_hash(addr);

	fresh = svcrdma_read_client_alloc(rdma);
	if (!fresh)
		return -ENOMEM;
	spin_lock(&svcrdma_read_budget.lock);
	client = svcrdma_read_client_find(fresh->net, addr, hash);
	if (!client) {
		client = fresh;
		fresh = NULL;
		client->number = ++svcrdma_read_budget.numbers;
		hash_add(svcrdma_read_budget.clients, &client->node, hash);
	}
	client->xprts++;
	rdma->reads.client = client;
	rdma->reads.number = client->number;
	spin_unlock(&svcrdma_read_budget.lock);
	kfree(fresh);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_join);

/**
 * svcrdma_read_budget_close - the Calls of this transport get no turn any more
 * @rdma: transport whose connection is closing
 *
 * Those that wait are freed with their requests. Calls may still end, and Calls that were
 * held may still come.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_close(struct svcrdma_xprt *rdma)
{
	spin_lock(&svcrdma_read_budget.lock);
	WRITE_ONCE(rdma->reads.closed, true);
	svcrdma_read_leave(&rdma->reads);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_close);

/**
 * svcrdma_read_budget_part - return all that a transport has drawn
 * @rdma: transport whose requests are freed
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_part(struct svcrdma_xprt *rdma)
{
	struct svcrdma_read_share *share = &rdma->reads;
	struct svcrdma_read_client *client = share->client;

	if (!client)
		return;
	spin_lock(&svcrdma_read_budget.lock);
	svcrdma_read_leave(share);
	svcrdma_read_return(share, share->drawn);
	svcrdma_read_run();
	if (--client->xprts)
		client = NULL;
	else
		hash_del(&client->node);
	spin_unlock(&svcrdma_read_budget.lock);
	kfree(client);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_part);

static void svcrdma_read_default(struct rpcrdma_param *param, unsigned long value)
{
	if (!param->value)
		param->value = clamp_t(unsigned long, value, param->min,
				       param->max);
}

/**
 * svcrdma_read_budget_defaults - size the budget that the administrator has not set
 *
 * Context: module init.
 */
void svcrdma_read_budget_defaults(void)
{
	unsigned long all = totalram_pages() >> (20 - PAGE_SHIFT);

	svcrdma_read_default(&svcrdma_read_memory_param,
			     all / SVCRDMA_READ_MEMORY_SHARE);
	svcrdma_read_default(&svcrdma_read_client_param,
			     svcrdma_read_memory_param.value /
				     SVCRDMA_READ_CLIENT_SHARE);
}
