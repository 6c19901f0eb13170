// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules for type of service and timers: what is taken, what is refused, which one is for
 * an address.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/inet.h>
#include <linux/string.h>
#include <rpcrdma/traffic_rules.h>

#define ALL	RPCRDMA_TRAFFIC_ALL

/* Static, since it is large for a stack */
static struct rpcrdma_traffic_rules rules;

static void rpcrdma_traffic_take(struct kunit *test, const char *text,
				 unsigned int count)
{
	const char *fault = rpcrdma_traffic_parse(text, ALL, &rules);

	KUNIT_EXPECT_EQ_MSG(test, true, !fault, "'%s': %s", text, fault);
	KUNIT_EXPECT_EQ_MSG(test, count, rules.count, "'%s'", text);
}

static void rpcrdma_traffic_refuse(struct kunit *test, const char *text,
				   unsigned int number, const char *why)
{
	const char *fault = rpcrdma_traffic_parse(text, ALL, &rules);

	KUNIT_ASSERT_EQ_MSG(test, true, !!fault, "'%s' is taken", text);
	KUNIT_EXPECT_EQ_MSG(test, true, !!strstr(fault, why), "'%s': %s", text,
			    fault);
	KUNIT_EXPECT_EQ_MSG(test, number, rules.count, "'%s'", text);
}

static void rpcrdma_traffic_rules_empty(struct kunit *test)
{
	rpcrdma_traffic_take(test, "", 0);
	rpcrdma_traffic_take(test, "\n", 0);
	rpcrdma_traffic_take(test, ";;\n;\n", 0);
}

static void rpcrdma_traffic_rules_values(struct kunit *test)
{
	static const u8 v4[] = { 10, 1, 2, 3 };
	const struct rpcrdma_traffic_rule *rule = rules.rule;

	rpcrdma_traffic_take(test, "10.1.2.3/24,tos=0x68,rnr_retries=0;\n"
			     "fd77::1,ack_timeout=31,rnr_timer=1\n", 2);
	KUNIT_EXPECT_FALSE(test, rule[0].ipv6);
	KUNIT_EXPECT_EQ(test, 0, memcmp(rule[0].addr, v4, 4));
	KUNIT_EXPECT_EQ(test, 24, rule[0].prefix);
	KUNIT_EXPECT_EQ(test, BIT(RPCRDMA_TRAFFIC_TOS) |
			      BIT(RPCRDMA_TRAFFIC_RNR_RETRIES), rule[0].set);
	KUNIT_EXPECT_EQ(test, 104, rule[0].value[RPCRDMA_TRAFFIC_TOS]);
	KUNIT_EXPECT_EQ(test, 0, rule[0].value[RPCRDMA_TRAFFIC_RNR_RETRIES]);
	KUNIT_EXPECT_TRUE(test, rule[1].ipv6);
	KUNIT_EXPECT_EQ(test, 0xfd, rule[1].addr[0]);
	KUNIT_EXPECT_EQ(test, 1, rule[1].addr[15]);
	KUNIT_EXPECT_EQ(test, 128, rule[1].prefix);
	KUNIT_EXPECT_EQ(test, BIT(RPCRDMA_TRAFFIC_ACK_TIMEOUT) |
			      BIT(RPCRDMA_TRAFFIC_RNR_TIMER), rule[1].set);
	KUNIT_EXPECT_EQ(test, 31, rule[1].value[RPCRDMA_TRAFFIC_ACK_TIMEOUT]);
	KUNIT_EXPECT_EQ(test, 1, rule[1].value[RPCRDMA_TRAFFIC_RNR_TIMER]);
}

/* The ends of each range, and of the lengths of prefixes */
static void rpcrdma_traffic_rules_ranges(struct kunit *test)
{
	static const char * const good[] = {
		"::1,tos=0", "::1,tos=255", "::1,ack_timeout=0",
		"::1,ack_timeout=31", "::1,rnr_timer=1", "::1,rnr_timer=31",
		"::1,rnr_retries=0", "::1,rnr_retries=6", "::/0,tos=1",
		"::/128,tos=1", "0.0.0.0/0,tos=1", "0.0.0.0/32,tos=1",
		/* The longest word */
		"::1,tos=00000000000000000000000000000000000000000000001",
	};
	static const char * const bad[] = {
		"::1,tos=256", "::1,tos=-1", "::1,tos=", "::1,tos=4 ",
		"::1,tos=banana", "::1,ack_timeout=32", "::1,rnr_timer=0",
		"::1,rnr_timer=32", "::1,rnr_retries=7",
		"::1,tos=000000000000000000000000000000000000000000000001",
	};
	static const char * const prefixes[] = {
		"::/129,tos=1", "1.2.3.4/33,tos=1", "1.2.3.4/,tos=1",
		"1.2.3.4/-1,tos=1", "1.2.3.4/8/8,tos=1", "1.2.3.4/0x8,tos=1",
		"::/0000000000000000000000000000000000000000000000000,tos=1",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		rpcrdma_traffic_take(test, good[i], 1);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		rpcrdma_traffic_refuse(test, bad[i], 0, "value");
	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		rpcrdma_traffic_refuse(test, prefixes[i], 0, "prefix");
}

static void rpcrdma_traffic_rules_refused(struct kunit *test)
{
	static const char * const addresses[] = {
		"banana", ",tos=1", "/8,tos=1", "1.2.3,tos=1", " 1.2.3.4,tos=1",
		"1.2.3.4x,tos=1", "::1x,tos=1", "::1 ,tos=1",
		"1.2.3.256,tos=1", "12345::1,tos=1", "1.2.3.4 tos=1",
		"::ffff:1.2.3.4:20049,tos=1",
		"0000:0000:0000:0000:0000:ffff:255.255.255.255000,tos=1",
	};
	static const char * const forms[] = {
		"::1,", "::1,tos", "::1,tos;", "::1,tos,rnr_timer=3", "::1,tos=1,",
	};
	static const char * const names[] = {
		"::1,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1",
		"::1,dscp=1", "::1,=1", "::1,TOS=1", "::1, tos=1", "::1,tos =1",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(addresses); i++)
		rpcrdma_traffic_refuse(test, addresses[i], 0, "address is neither");
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		rpcrdma_traffic_refuse(test, forms[i], 0, "NAME=VALUE");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		rpcrdma_traffic_refuse(test, names[i], 0, "of that name");
	rpcrdma_traffic_refuse(test, "::1", 0, "nothing is set");
	rpcrdma_traffic_refuse(test, "::1,tos=1;::2", 1, "nothing is set");
	rpcrdma_traffic_refuse(test, "::1;::2,tos=1", 0, "nothing is set");
	rpcrdma_traffic_refuse(test, "::1,tos=1,tos=1", 0, "twice");
}

/* A side may take only some of the values */
static void rpcrdma_traffic_rules_taken(struct kunit *test)
{
	const unsigned long most = ALL & ~BIT(RPCRDMA_TRAFFIC_TOS);

	KUNIT_EXPECT_TRUE(test, rpcrdma_traffic_parse("::1,tos=1", most, &rules));
	KUNIT_EXPECT_TRUE(test, !rpcrdma_traffic_parse("::1,rnr_timer=1", most,
						       &rules));
	KUNIT_EXPECT_STREQ(test, "rnr_timer",
			   rpcrdma_traffic_name(RPCRDMA_TRAFFIC_RNR_TIMER));
}

/* Two rules for the same addresses contradict each other, however they are written */
static void rpcrdma_traffic_rules_twice(struct kunit *test)
{
	rpcrdma_traffic_refuse(test, "10.1.2.3/12,tos=1;10.15.0.0/12,tos=2", 1,
			       "same addresses");
	rpcrdma_traffic_refuse(test, "::1,tos=1;::1/128,tos=1", 1,
			       "same addresses");
	rpcrdma_traffic_refuse(test, "::2,tos=1;::1,tos=1;::1,tos=2", 2,
			       "same addresses");
	rpcrdma_traffic_take(test, "10.0.0.0/12,tos=1;10.16.0.0/12,tos=2", 2);
	rpcrdma_traffic_take(test, "10.0.0.0/12,tos=1;10.0.0.0/13,tos=2", 2);
	rpcrdma_traffic_take(test, "0.0.0.0/0,tos=1;::/0,tos=1", 2);
	rpcrdma_traffic_take(test, "::/0,tos=1;0.0.0.0/0,tos=1", 2);
}

static void rpcrdma_traffic_rules_many(struct kunit *test)
{
	static const char rule[] = "10.0.0.00,tos=1;";
	const unsigned int size = sizeof(rule) - 1;
	char text[(RPCRDMA_TRAFFIC_RULES_MAX + 1) * sizeof(rule)];
	unsigned int i;

	/* Addresses from 10.0.0.10 on */
	for (i = 0; i <= RPCRDMA_TRAFFIC_RULES_MAX; i++) {
		memcpy(text + i * size, rule, sizeof(rule));
		text[i * size + 7] = '1' + i / 10;
		text[i * size + 8] = '0' + i % 10;
	}
	rpcrdma_traffic_refuse(test, text, RPCRDMA_TRAFFIC_RULES_MAX,
			       "too many");
	text[RPCRDMA_TRAFFIC_RULES_MAX * size] = '\0';
	rpcrdma_traffic_take(test, text, RPCRDMA_TRAFFIC_RULES_MAX);
}

/* The type of service for an address; -1 without a rule */
static int rpcrdma_traffic_tos(const char *address)
{
	const struct rpcrdma_traffic_rule *rule;
	bool ipv6 = strchr(address, ':');
	u8 addr[16];

	if (ipv6 ? !in6_pton(address, -1, addr, -1, NULL) :
		   !in4_pton(address, -1, addr, -1, NULL))
		return -2;
	rule = rpcrdma_traffic_match(&rules, addr, ipv6);
	return rule ? rule->value[RPCRDMA_TRAFFIC_TOS] : -1;
}

/* The longest prefix, wherever it stands; an IPv4 address is never an IPv6 address */
static void rpcrdma_traffic_rules_match(struct kunit *test)
{
	rpcrdma_traffic_take(test, "10.1.0.0/16,tos=3;10.0.0.0/8,tos=2;"
			     "10.1.2.3,tos=4;10.1.2.0/23,tos=5;"
			     "a01::/16,tos=6;fd77:0:0:8000::/49,tos=7", 6);
	KUNIT_EXPECT_EQ(test, 2, rpcrdma_traffic_tos("10.2.0.0"));
	KUNIT_EXPECT_EQ(test, 2, rpcrdma_traffic_tos("10.255.255.255"));
	KUNIT_EXPECT_EQ(test, 3, rpcrdma_traffic_tos("10.1.4.0"));
	KUNIT_EXPECT_EQ(test, 3, rpcrdma_traffic_tos("10.1.1.255"));
	KUNIT_EXPECT_EQ(test, 5, rpcrdma_traffic_tos("10.1.3.255"));
	KUNIT_EXPECT_EQ(test, 4, rpcrdma_traffic_tos("10.1.2.3"));
	KUNIT_EXPECT_EQ(test, 5, rpcrdma_traffic_tos("10.1.2.2"));
	KUNIT_EXPECT_EQ(test, -1, rpcrdma_traffic_tos("11.0.0.0"));
	KUNIT_EXPECT_EQ(test, 6, rpcrdma_traffic_tos("a01:203::"));
	KUNIT_EXPECT_EQ(test, 7, rpcrdma_traffic_tos("fd77:0:0:ffff::1"));
	KUNIT_EXPECT_EQ(test, -1, rpcrdma_traffic_tos("fd77:0:0:7fff::1"));
	rpcrdma_traffic_take(test, "0.0.0.0/0,tos=8", 1);
	KUNIT_EXPECT_EQ(test, 8, rpcrdma_traffic_tos("255.1.2.3"));
	KUNIT_EXPECT_EQ(test, -1, rpcrdma_traffic_tos("::"));
	rpcrdma_traffic_take(test, "a00::/8,tos=9", 1);
	KUNIT_EXPECT_EQ(test, -1, rpcrdma_traffic_tos("10.1.1.1"));
	rpcrdma_traffic_take(test, "", 0);
	KUNIT_EXPECT_EQ(test, -1, rpcrdma_traffic_tos("255.1.2.3"));
}

static struct kunit_case rpcrdma_traffic_rules_test_cases[] = {
	KUNIT_CASE(rpcrdma_traffic_rules_empty),
	KUNIT_CASE(rpcrdma_traffic_rules_values),
	KUNIT_CASE(rpcrdma_traffic_rules_ranges),
	KUNIT_CASE(rpcrdma_traffic_rules_refused),
	KUNIT_CASE(rpcrdma_traffic_rules_taken),
	KUNIT_CASE(rpcrdma_traffic_rules_twice),
	KUNIT_CASE(rpcrdma_traffic_rules_many),
	KUNIT_CASE(rpcrdma_traffic_rules_match),
	{}
};

static struct kunit_suite rpcrdma_traffic_rules_test_suite = {
	.name		= "rpcrdma_traffic_rules",
	.test_cases	= rpcrdma_traffic_rules_test_cases,
};

kunit_test_suite(rpcrdma_traffic_rules_test_suite);
