// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory for data sinks of RDMA Reads: a budget for the whole server, and a share of
 * it for each client address of a network namespace (svcrdma.read_memory,
 * svcrdma.read_memory_client). The clients are in clients.c.
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
 * the budget is tight, no transport has a spare; while a client waits for bytes of its own
 * share, its transports have none.
 *
 * The work under the lock does not grow with the connections: a client that lacks bytes of
 * its share has no turn until it returns some, and only transports that have drawn bytes
 * are asked for their spare, once when the budget becomes tight. It stays tight until an eighth
 * of it is left: else, where the Calls want about as much as there is, each would ask all.
 *
 * svcrdma_read_run() queues Calls under this lock, so it is taken before svcrdma_xprt.lock. A
 * transport whose connection is lost gets no turn, so no Call is queued on one that is being
 * freed.
 */
#include <kunit/visibility.h>
#include <linux/mm.h>
#include <rpcrdma/param.h>
#include "params.h"
#include "request.h"
#include "svcrdma.h"

/* Bytes that a transport draws at once, and most bytes of its spare */
#define SVCRDMA_READ_STEP	((long)SZ_1M)

struct svcrdma_read_budget svcrdma_read_budget = {
	.lock		= __SPIN_LOCK_UNLOCKED(svcrdma_read_budget.lock),
	.drawn_list	= LIST_HEAD_INIT(svcrdma_read_budget.drawn_list),
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

/* Is an eighth of the budget left, or more? */
static bool svcrdma_read_server_has_plenty(void)
{
	u64 limit = svcrdma_read_limit(&svcrdma_read_memory_param);

	return svcrdma_read_budget.drawn <= limit - limit / 8;
}

static bool svcrdma_read_client_has(const struct svcrdma_client *client,
				    unsigned long n)
{
	return client->drawn + n <= svcrdma_read_limit(&svcrdma_read_client_param);
}

static bool svcrdma_read_draw(struct svcrdma_read_account *account, unsigned long n)
{
	struct svcrdma_read_budget *budget = &svcrdma_read_budget;
	struct svcrdma_client *client = account->client;

	lockdep_assert_held(&budget->lock);
	if (!svcrdma_read_server_has(n) || !svcrdma_read_client_has(client, n))
		return false;
	if (!client->drawn)
		list_add(&client->drawn_node, &budget->drawn_list);
	if (!account->drawn)
		list_add(&account->drawn_node, &client->drawn_list);
	budget->drawn += n;
	client->drawn += n;
	account->drawn += n;
	return true;
}

/**
 * svcrdma_read_take_turns - a client takes part in the turns if its Calls wait
 * @client: client whose share may have bytes for them
 *
 * Context: holds svcrdma_read_budget.lock.
 */
void svcrdma_read_take_turns(struct svcrdma_client *client)
{
	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (list_empty(&client->budget_node) && !list_empty(&client->waiters))
		list_add_tail(&client->budget_node, &svcrdma_read_budget.turns);
}

/**
 * svcrdma_read_return - return bytes that a transport has drawn
 * @account: account of the transport
 * @n: bytes
 *
 * svcrdma_read_run() must follow: Calls may wait for them.
 *
 * Context: holds svcrdma_read_budget.lock.
 */
void svcrdma_read_return(struct svcrdma_read_account *account, u64 n)
{
	struct svcrdma_client *client = account->client;

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (!n)
		return;
	svcrdma_read_budget.drawn -= n;
	client->drawn -= n;
	account->drawn -= n;
	if (!account->drawn)
		list_del(&account->drawn_node);
	if (!client->drawn)
		list_del(&client->drawn_node);
	svcrdma_read_take_turns(client);
}

static void svcrdma_read_return_spare(struct svcrdma_read_account *account)
{
	svcrdma_read_return(account, atomic_long_xchg(&account->spare, 0));
}

static void svcrdma_read_return_spares(struct svcrdma_client *client)
{
	struct svcrdma_read_account *account, *next;

	list_for_each_entry_safe(account, next, &client->drawn_list, drawn_node)
		svcrdma_read_return_spare(account);
}

static void svcrdma_read_return_all_spares(void)
{
	struct svcrdma_client *client, *next;

	list_for_each_entry_safe(client, next, &svcrdma_read_budget.drawn_list, drawn_node)
		svcrdma_read_return_spares(client);
}

static bool svcrdma_read_use_spare(struct svcrdma_read_account *account, long n)
{
	long spare = atomic_long_read(&account->spare);

	do {
		if (spare < n)
			return false;
	} while (!atomic_long_try_cmpxchg(&account->spare, &spare, spare - n));
	return true;
}

/* A step if there is enough, so that the next Calls need no lock */
static bool svcrdma_read_take(struct svcrdma_read_account *account, long n)
{
	if (svcrdma_read_use_spare(account, n))
		return true;
	if (n < SVCRDMA_READ_STEP && list_empty(&account->client->waiters) &&
	    list_empty(&svcrdma_read_budget.turns) && !svcrdma_read_budget.tight &&
	    svcrdma_read_draw(account, SVCRDMA_READ_STEP)) {
		atomic_long_add(SVCRDMA_READ_STEP - n, &account->spare);
		return true;
	}
	return svcrdma_read_draw(account, n);
}

static struct svcrdma_req *svcrdma_read_next(struct svcrdma_read_account *account)
{
	return list_first_entry(&account->calls, struct svcrdma_req, node);
}

/* Passes on the first Call that waits on a transport, if it may begin */
static bool svcrdma_read_begin(struct svcrdma_read_account *account)
{
	struct svcrdma_req *req = svcrdma_read_next(account);

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (account->closed || account->first ||
	    !svcrdma_read_take(account, req->sink_bytes))
		return false;
	WRITE_ONCE(account->first, account->accepted ? NULL : req);
	list_del_init(&req->node);
	svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_NEW);
	return true;
}

/**
 * svcrdma_read_stop_waiting - a transport takes part in the turns no more
 * @account: account of the transport, which need not wait
 *
 * svcrdma_read_run() must follow: another transport of the client may have its turn.
 *
 * Context: holds svcrdma_read_budget.lock.
 */
void svcrdma_read_stop_waiting(struct svcrdma_read_account *account)
{
	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (list_empty(&account->wait_node))
		return;
	list_del_init(&account->wait_node);
	if (list_empty(&account->client->waiters))
		list_del_init(&account->client->budget_node);
	else
		/*
		 * The client was out of the turns if the Call of this transport was too large
		 * for its share. The Call of the next transport may be smaller.
		 */
		svcrdma_read_take_turns(account->client);
}

/* Does not move an only entry: the list is tested without the lock, and would look empty */
static void svcrdma_read_move_to_tail(struct list_head *entry, struct list_head *list)
{
	if (!list_is_last(entry, list))
		list_move_tail(entry, list);
}

/* The first Call that waited on a transport has begun */
static void svcrdma_read_end_turn(struct svcrdma_read_account *account)
{
	svcrdma_read_move_to_tail(&account->client->budget_node, &svcrdma_read_budget.turns);
	svcrdma_read_move_to_tail(&account->wait_node, &account->client->waiters);
	/* While the first Call is being read, the transport gets no turn */
	if (account->first || list_empty(&account->calls))
		svcrdma_read_stop_waiting(account);
}

/* Has the server @n bytes? If not, every transport returns its spare first, once */
static bool svcrdma_read_server_reclaim(unsigned long n)
{
	struct svcrdma_read_budget *budget = &svcrdma_read_budget;

	if (svcrdma_read_server_has(n))
		return true;
	if (budget->tight)
		return false;
	WRITE_ONCE(budget->tight, true);
	smp_mb();	/* see svcrdma_read_want() */
	svcrdma_read_return_all_spares();
	return svcrdma_read_server_has(n);
}

/**
 * svcrdma_read_run - begin Calls that wait, as far as there are bytes for them
 *
 * Begins one Call of each client in turn, until the next one must wait for bytes of the server. No
 * smaller Call begins before it, although there may be bytes for that one: small Calls could
 * keep a large one waiting for ever. The same holds among the transports of a client that
 * lacks bytes of its share.
 *
 * Context: holds svcrdma_read_budget.lock; does not sleep.
 */
void svcrdma_read_run(void)
{
	struct svcrdma_read_budget *budget = &svcrdma_read_budget;
	struct svcrdma_client *client;
	struct svcrdma_read_account *account;
	long n;

	lockdep_assert_held(&budget->lock);
	while (!list_empty(&budget->turns)) {
		client = list_first_entry(&budget->turns, struct svcrdma_client, budget_node);
		account = list_first_entry(&client->waiters,
					   struct svcrdma_read_account, wait_node);
		n = svcrdma_read_next(account)->sink_bytes;
		if (!svcrdma_read_client_has(client, n)) {
			/* Until it returns some: see svcrdma_read_return() */
			list_del_init(&client->budget_node);
			continue;
		}
		if (!svcrdma_read_server_reclaim(n))
			return;
		if (svcrdma_read_begin(account))
			svcrdma_read_end_turn(account);
	}
	if (budget->tight && svcrdma_read_server_has_plenty())
		WRITE_ONCE(budget->tight, false);
}

/* The Calls that wait on a transport want the budget */
static void svcrdma_read_want(struct svcrdma_read_account *account)
{
	struct svcrdma_client *client = account->client;
	bool first = list_empty(&client->waiters);

	lockdep_assert_held(&svcrdma_read_budget.lock);
	if (account->closed || account->first || list_empty(&account->calls) ||
	    !list_empty(&account->wait_node))
		return;
	list_add_tail(&account->wait_node, &client->waiters);
	if (!first)
		return;
	svcrdma_read_take_turns(client);
	/*
	 * Pairs with the atomic add in svcrdma_read_budget_put(). Either that function sees
	 * that the lists are not empty, or that the budget is tight, and takes the lock; or the
	 * bytes it has added to a spare are found here or in svcrdma_read_server_reclaim().
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
	struct svcrdma_read_account *account = &req->rdma->reads;

	req->sink_bytes = svcrdma_read_bytes(req);
	if (likely(READ_ONCE(account->accepted) && !READ_ONCE(account->closed) &&
		   list_empty(&account->calls) &&
		   list_empty(&account->client->waiters) &&
		   list_empty(&svcrdma_read_budget.turns) &&
		   svcrdma_read_use_spare(account, req->sink_bytes))) {
		svcrdma_queue(req->rdma, req, SVCRDMA_STAGE_NEW);
		return;
	}
	spin_lock(&svcrdma_read_budget.lock);
	list_add_tail(&req->node, &account->calls);
	/* Not before Calls that wait already, of this client or of another */
	if (!list_empty(&svcrdma_read_budget.turns) ||
	    !list_empty(&account->client->waiters) ||
	    !list_is_singular(&account->calls) || !svcrdma_read_begin(account)) {
		svcrdma_read_want(account);
		svcrdma_read_run();
		if (!list_empty(&account->calls))
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
	struct svcrdma_read_account *account = &req->rdma->reads;
	long spare;

	/* Fully ordered: pairs with svcrdma_read_want() */
	spare = atomic_long_add_return(req->sink_bytes, &account->spare);
	req->sink_bytes = 0;
	if (likely(spare <= SVCRDMA_READ_STEP && READ_ONCE(account->first) != req &&
		   list_empty(&account->client->waiters) &&
		   list_empty(&svcrdma_read_budget.turns) &&
		   !READ_ONCE(svcrdma_read_budget.tight)))
		return;
	spin_lock(&svcrdma_read_budget.lock);
	svcrdma_read_return_spare(account);
	if (account->first == req)
		WRITE_ONCE(account->first, NULL);
	svcrdma_read_want(account);
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
	struct svcrdma_read_account *account = &rdma->reads;

	spin_lock(&svcrdma_read_budget.lock);
	WRITE_ONCE(account->accepted, true);
	WRITE_ONCE(account->first, NULL);
	svcrdma_read_want(account);
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
	struct svcrdma_read_account *account = &req->rdma->reads;

	if (likely(READ_ONCE(account->first) != req))
		return;
	spin_lock(&svcrdma_read_budget.lock);
	if (account->first == req)
		WRITE_ONCE(account->first, NULL);
	svcrdma_read_want(account);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}

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
	struct svcrdma_client *client;
	struct svcrdma_read_account *account;
	u64 used;

	spin_lock(&svcrdma_read_budget.lock);
	used = svcrdma_read_budget.drawn;
	list_for_each_entry(client, &svcrdma_read_budget.drawn_list, drawn_node)
		list_for_each_entry(account, &client->drawn_list, drawn_node)
			used -= atomic_long_read(&account->spare);
	spin_unlock(&svcrdma_read_budget.lock);
	return used;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_used);
