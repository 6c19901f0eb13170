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

static void svcrdma_turn_classes(struct kunit *test)
{
	unsigned int class;

	for (class = 0; class < SVCRDMA_TURN_CLASSES - 1; class++) {
		KUNIT_EXPECT_EQ(test, class, svcrdma_turn_class(1U << class));
		KUNIT_EXPECT_EQ(test, class, svcrdma_turn_class((2U << class) - 1));
	}
	KUNIT_EXPECT_EQ(test, 10, svcrdma_turn_class(1024));
	KUNIT_EXPECT_EQ(test, 10, svcrdma_turn_class(100000));
}

static void svcrdma_turn_shares(struct kunit *test)
{
	/* Beside a client with one connection */
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_share(1, 0));
	KUNIT_EXPECT_EQ(test, 2, svcrdma_turn_share(2, 0));
	KUNIT_EXPECT_EQ(test, 16, svcrdma_turn_share(16, 0));
	/* A limit for the turns that are passed on */
	KUNIT_EXPECT_EQ(test, 16, svcrdma_turn_share(1000, 0));
	/* Beside one with four, and beside one that has as many */
	KUNIT_EXPECT_EQ(test, 4, svcrdma_turn_share(16, 2));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_share(15, 3));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_share(3, 4));
	/* No client is known to wait */
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_share(31, SVCRDMA_TURN_CLASSES));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_share(1000, SVCRDMA_TURN_CLASSES));
	/* A thousand connections beside sixteen, and clients with more than are told apart */
	KUNIT_EXPECT_EQ(test, 16, svcrdma_turn_share(1000, 4));
	KUNIT_EXPECT_EQ(test, 1, svcrdma_turn_share(100000, 10));
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
		client->last[i] = svcrdma_turn_first(&client->turns);
	return client;
}

/* sunrpc comes once to each connection. Returns the number of turns that are used. */
static unsigned int svcrdma_turn_round(struct svcrdma_turn_client *client, unsigned int fewest)
{
	unsigned int share = svcrdma_turn_share(client->waiting, fewest);
	unsigned int i, used = 0;

	for (i = 0; i < client->waiting; i++) {
		if (share < 2 || svcrdma_turn_use(&client->turns, &client->last[i],
						  client->waiting, share)) {
			client->used[i]++;
			used++;
		}
	}
	return used;
}

/* Turns of @waiting connections beside a client of class @fewest. @begin: turns used before */
static void svcrdma_turn_check_share(struct kunit *test, unsigned int waiting, unsigned int fewest,
				     u32 begin)
{
	struct svcrdma_turn_client *client = svcrdma_turn_client_new(test, waiting, begin);
	unsigned int share = svcrdma_turn_share(waiting, fewest);
	/* They take turns among themselves, too, which moves one to the next round at times */
	unsigned int most = (waiting - 1) / share + 2;
	unsigned int i, round, sum = 0, least = U32_MAX, highest = 0;

	for (round = 0; round < 40 * share; round++) {
		unsigned int used = svcrdma_turn_round(client, fewest);

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
	unsigned int waiting, fewest;

	for (waiting = 2; waiting <= SVCRDMA_TURN_TEST_MOST; waiting++)
		for (fewest = 0; fewest < SVCRDMA_TURN_CLASSES; fewest++)
			svcrdma_turn_check_share(test, waiting, fewest, 0);
}

static void svcrdma_turn_wraps(struct kunit *test)
{
	svcrdma_turn_check_share(test, 16, 0, U32_MAX - 20);
	svcrdma_turn_check_share(test, 16, 0, U32_MAX / 2 - 20);
}

/* Threads come to one of many connections only: the others wait for memory, as an example */
static void svcrdma_turn_few_of_many(struct kunit *test)
{
	struct svcrdma_turn_client *client = svcrdma_turn_client_new(test, 1, 0);
	unsigned int come, used = 0;

	for (come = 0; come < 1600 + 1000; come++)
		used += svcrdma_turn_use(&client->turns, &client->last[0], 1000, 16);
	KUNIT_EXPECT_GE(test, used, 100);
	KUNIT_EXPECT_LE(test, used, 2600 / 16);
}

static struct kunit_case svcrdma_turns_tests[] = {
	KUNIT_CASE(svcrdma_turn_classes),
	KUNIT_CASE(svcrdma_turn_shares),
	KUNIT_CASE(svcrdma_turn_sixteen),
	KUNIT_CASE(svcrdma_turn_any_number),
	KUNIT_CASE(svcrdma_turn_wraps),
	KUNIT_CASE(svcrdma_turn_few_of_many),
	{}
};

static struct kunit_suite svcrdma_turns_suite = {
	.name = "svcrdma_turns",
	.test_cases = svcrdma_turns_tests,
};

kunit_test_suite(svcrdma_turns_suite);
