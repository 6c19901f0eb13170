// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns with the nfsd threads: which ones the connections of a client use, and so which share
 * each client has.
 */
#include <compat/kunit.h>
#include <kunit/test.h>
#include <linux/array_size.h>
#include "../svcrdma/protocol/turns.h"

#define SVCRDMA_TURN_TEST_MOST	64

static void svcrdma_turn_orders(struct kunit *test)
{
	unsigned int order;

	for (order = 0; order < SVCRDMA_TURN_ORDERS - 1; order++) {
		KUNIT_EXPECT_EQ(test, order, svcrdma_turn_order(1U << order));
		KUNIT_EXPECT_EQ(test, order, svcrdma_turn_order((2U << order) - 1));
	}
	KUNIT_EXPECT_EQ(test, 10, svcrdma_turn_order(1024));
	KUNIT_EXPECT_EQ(test, 10, svcrdma_turn_order(100000));
}

static void svcrdma_turn_costs(struct kunit *test)
{
	/* Beside a client with one connection */
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_cost(1, 0));
	KUNIT_EXPECT_EQ(test, 2, svcrdma_turn_cost(2, 0));
	KUNIT_EXPECT_EQ(test, 7, svcrdma_turn_cost(7, 0));
	KUNIT_EXPECT_EQ(test, 8, svcrdma_turn_cost(8, 0));
	/* The upper limit */
	KUNIT_EXPECT_EQ(test, 8, svcrdma_turn_cost(9, 0));
	KUNIT_EXPECT_EQ(test, 8, svcrdma_turn_cost(1000, 0));
	/* Beside one with four, and beside one that has as many */
	KUNIT_EXPECT_EQ(test, 4, svcrdma_turn_cost(16, 2));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_cost(15, 3));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_cost(3, 4));
	/* No client is known to wait */
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_cost(31, SVCRDMA_TURN_ORDERS));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_cost(1000, SVCRDMA_TURN_ORDERS));
	/* 1000 connections beside 16; two clients of the last order */
	KUNIT_EXPECT_EQ(test, 8, svcrdma_turn_cost(1000, 4));
	KUNIT_EXPECT_EQ(test, 4, svcrdma_turn_cost(1024, 8));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_cost(100000, 10));
}

static void svcrdma_turn_new_connection(struct kunit *test)
{
	struct svcrdma_turns turns = { .used = 5 };

	KUNIT_EXPECT_EQ(test, U32_MAX / 2, turns.used - svcrdma_turn_last_init(&turns));
}

/**
 * struct svcrdma_turn_client - a client whose connections always wait for a thread
 * @waiting: number of its connections
 * @turns: its turns
 * @last: of each connection
 * @used: turns that each connection has used
 */
struct svcrdma_turn_client {
	unsigned int		waiting;
	struct svcrdma_turns	turns;
	u32			last[SVCRDMA_TURN_TEST_MOST];
	unsigned int		used[SVCRDMA_TURN_TEST_MOST];
};

/* @used: the counter of its turns begins there */
static struct svcrdma_turn_client *svcrdma_turn_client_new(struct kunit *test, unsigned int waiting,
							   u32 used)
{
	struct svcrdma_turn_client *client = kunit_kzalloc(test, sizeof(*client), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, client);
	client->waiting = waiting;
	client->turns.used = used;
	for (i = 0; i < waiting; i++)
		client->last[i] = svcrdma_turn_last_init(&client->turns);
	return client;
}

/* Threads dequeue each connection once. Returns the number of turns that are used. */
static unsigned int svcrdma_turn_round(struct svcrdma_turn_client *client, unsigned int min_order)
{
	unsigned int cost = svcrdma_turn_cost(client->waiting, min_order);
	unsigned int i, used = 0;

	for (i = 0; i < client->waiting; i++) {
		if (cost < 2 || svcrdma_turn_use(&client->turns, &client->last[i],
						 client->waiting, cost)) {
			client->used[i]++;
			used++;
		}
	}
	return used;
}

/* Turns of @waiting connections beside a client of order @min_order. @begin: turns used before */
static void svcrdma_turn_check_share(struct kunit *test, unsigned int waiting,
				     unsigned int min_order, u32 begin)
{
	struct svcrdma_turn_client *client = svcrdma_turn_client_new(test, waiting, begin);
	unsigned int cost = svcrdma_turn_cost(waiting, min_order);
	/* They take turns among themselves, too, which moves one to the next round at times */
	unsigned int most = (waiting - 1) / cost + 2;
	unsigned int i, round, sum = 0, least = U32_MAX, highest = 0;

	for (round = 0; round < 40 * cost; round++) {
		unsigned int used = svcrdma_turn_round(client, min_order);

		/* The other client is kept waiting for no more than this in any round */
		KUNIT_EXPECT_LE(test, used, most);
		sum += used;
	}
	for (i = 0; i < waiting; i++) {
		least = min(least, client->used[i]);
		highest = max(highest, client->used[i]);
	}
	KUNIT_EXPECT_LE(test, sum, 40 * waiting);
	KUNIT_EXPECT_GE(test, sum, 39 * waiting);
	KUNIT_EXPECT_GE(test, least, 39);
	KUNIT_EXPECT_LE(test, highest, 40);
}

static void svcrdma_turn_sixteen(struct kunit *test)
{
	svcrdma_turn_check_share(test, 16, 0, 0);
	svcrdma_turn_check_share(test, 16, 2, 0);
}

static void svcrdma_turn_any_number(struct kunit *test)
{
	unsigned int waiting, min_order;

	for (waiting = 2; waiting <= SVCRDMA_TURN_TEST_MOST; waiting++)
		for (min_order = 0; min_order < SVCRDMA_TURN_ORDERS; min_order++)
			svcrdma_turn_check_share(test, waiting, min_order, 0);
}

static void svcrdma_turn_wraps(struct kunit *test)
{
	svcrdma_turn_check_share(test, 16, 0, U32_MAX - 20);
	svcrdma_turn_check_share(test, 16, 0, U32_MAX / 2 - 20);
}

/* Threads dequeue one of many connections only: the others wait for memory, as an example */
static void svcrdma_turn_few_of_many(struct kunit *test)
{
	struct svcrdma_turn_client *client = svcrdma_turn_client_new(test, 1, 0);
	unsigned int i, used = 0;

	for (i = 0; i < 1600 + 1000; i++)
		used += svcrdma_turn_use(&client->turns, &client->last[0], 1000, 16);
	KUNIT_EXPECT_GE(test, used, 100);
	KUNIT_EXPECT_LE(test, used, 2600 / 16);
}

/* The deficit of many connections that waited is no credit for the few that are left */
static void svcrdma_turn_deficit_ends(struct kunit *test)
{
	struct svcrdma_turn_client *client = svcrdma_turn_client_new(test, 2, 0);
	unsigned int i, used = 0;

	/* One of a thousand used a turn, and none of the others comes */
	client->turns.used = 1;
	client->last[0] = 1;
	for (i = 0; i < 900; i++)
		KUNIT_EXPECT_FALSE(test, svcrdma_turn_use(&client->turns, &client->last[0],
							  1000, 4));
	for (i = 0; i < 40; i++)
		used += svcrdma_turn_use(&client->turns, &client->last[i % 2], 2, 2);
	KUNIT_EXPECT_LE(test, used, 21);
}

static struct kunit_case svcrdma_turns_tests[] = {
	KUNIT_CASE(svcrdma_turn_orders),
	KUNIT_CASE(svcrdma_turn_costs),
	KUNIT_CASE(svcrdma_turn_new_connection),
	KUNIT_CASE(svcrdma_turn_sixteen),
	KUNIT_CASE(svcrdma_turn_any_number),
	KUNIT_CASE(svcrdma_turn_wraps),
	KUNIT_CASE(svcrdma_turn_few_of_many),
	KUNIT_CASE(svcrdma_turn_deficit_ends),
	{}
};

static struct kunit_suite svcrdma_turns_suite = {
	.name = "svcrdma_turns",
	.test_cases = svcrdma_turns_tests,
};

kunit_test_suite(svcrdma_turns_suite);
