// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table of the clients, by address and network namespace. The transports of a client share
 * bytes of the read budget (read_budget.c) and turns with the nfsd threads (turns.c). A client
 * is in the table while it has a transport. Also the size of the budget.
 */
#include <kunit/visibility.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include <rpcrdma/param.h>
#include "params.h"
#include "svcrdma.h"

/* Share of all memory that is the default budget; share of the budget of a client */
#define SVCRDMA_READ_MEMORY_SHARE	8
#define SVCRDMA_READ_CLIENT_SHARE	4

static u32 svcrdma_client_hash(const struct sockaddr *addr)
{
	if (addr->sa_family == AF_INET6)
		return jhash(&((const struct sockaddr_in6 *)addr)->sin6_addr,
			     sizeof(struct in6_addr), 0);
	return jhash(&((const struct sockaddr_in *)addr)->sin_addr,
		     sizeof(struct in_addr), 0);
}

static struct svcrdma_client *
svcrdma_client_find(const struct net *net, const struct sockaddr *addr, u32 hash)
{
	struct svcrdma_client *client;

	hash_for_each_possible(svcrdma_read_budget.clients, client, node, hash)
		if (client->net == net &&
		    rpc_cmp_addr((const struct sockaddr *)&client->addr, addr))
			return client;
	return NULL;
}

/**
 * svcrdma_read_budget_init - initialize the account of a transport
 * @rdma: new transport
 *
 * Context: any.
 */
void svcrdma_read_budget_init(struct svcrdma_xprt *rdma)
{
	INIT_LIST_HEAD(&rdma->reads.wait_node);
	INIT_LIST_HEAD(&rdma->reads.calls);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_init);

static struct svcrdma_client *
svcrdma_client_alloc(const struct svcrdma_xprt *rdma)
{
	struct svcrdma_client *client = kzalloc(sizeof(*client), RPCRDMA_GFP_ONCE);

	if (!client)
		return NULL;
	client->net = rdma->xprt.xpt_net;
	client->addr = rdma->peer;
	INIT_LIST_HEAD(&client->drawn_list);
	INIT_LIST_HEAD(&client->budget_node);
	INIT_LIST_HEAD(&client->waiters);
	svcrdma_turns_init(client);
	return client;
}

/**
 * svcrdma_client_join - add a transport to its client, which is created if it is new
 * @rdma: transport whose connection is not accepted yet
 *
 * Context: may sleep. svcrdma_client_leave() must follow, which may free the client.
 * Return: 0 or -ENOMEM.
 */
int svcrdma_client_join(struct svcrdma_xprt *rdma)
{
	const struct sockaddr *addr = (const struct sockaddr *)&rdma->peer;
	struct svcrdma_client *client, *fresh;
	u32 hash = svcrdma_client_hash(addr);

	fresh = svcrdma_client_alloc(rdma);
	if (!fresh)
		return -ENOMEM;
	spin_lock(&svcrdma_read_budget.lock);
	client = svcrdma_client_find(fresh->net, addr, hash);
	if (!client) {
		client = fresh;
		fresh = NULL;
		client->number = ++svcrdma_read_budget.numbers;
		hash_add(svcrdma_read_budget.clients, &client->node, hash);
	}
	client->xprts++;
	rdma->reads.client = client;
	rdma->reads.number = client->number;
	svcrdma_turn_join(rdma);
	spin_unlock(&svcrdma_read_budget.lock);
	kfree(fresh);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_client_join);

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
	svcrdma_read_stop_waiting(&rdma->reads);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_close);

/**
 * svcrdma_client_leave - return what a transport has drawn, and remove it from its client
 * @rdma: transport whose requests are freed
 *
 * The last transport of a client frees it.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_client_leave(struct svcrdma_xprt *rdma)
{
	struct svcrdma_read_account *account = &rdma->reads;
	struct svcrdma_client *client = account->client;

	if (!client)
		return;
	spin_lock(&svcrdma_read_budget.lock);
	svcrdma_read_stop_waiting(account);
	svcrdma_read_return(account, account->drawn);
	svcrdma_read_run();
	client->xprts--;
	svcrdma_turn_leave(client);
	if (client->xprts)
		client = NULL;
	else
		hash_del(&client->node);
	spin_unlock(&svcrdma_read_budget.lock);
	if (client)
		svcrdma_turns_end(client);
	kfree(client);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_client_leave);

/**
 * svcrdma_read_budget_changed - the administrator has changed the budget
 *
 * Calls that wait may begin if it is larger.
 *
 * Context: process context, does not sleep.
 */
void svcrdma_read_budget_changed(void)
{
	struct svcrdma_client *client;
	unsigned int i;

	spin_lock(&svcrdma_read_budget.lock);
	hash_for_each(svcrdma_read_budget.clients, i, client, node)
		svcrdma_read_take_turns(client);
	svcrdma_read_run();
	spin_unlock(&svcrdma_read_budget.lock);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_read_budget_changed);

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
