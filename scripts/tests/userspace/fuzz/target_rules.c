// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules for type of service and timers by the address of the peer.
 *
 * Input: the text.
 */
#include <stdlib.h>
#include <string.h>
#include <rpcrdma/traffic_rules.h>
#include "input.h"

static const struct {
	u8	min;
	u8	max;
} ranges[RPCRDMA_TRAFFIC_COUNT] = {
	[RPCRDMA_TRAFFIC_TOS]		= { 0, 255 },
	[RPCRDMA_TRAFFIC_ACK_TIMEOUT]	= { 0, 31 },
	[RPCRDMA_TRAFFIC_RNR_TIMER]	= { 1, 31 },
	[RPCRDMA_TRAFFIC_RNR_RETRIES]	= { 0, 6 },
};

static void check_rule(const struct rpcrdma_traffic_rule *rule)
{
	unsigned int i;

	CHECK(rule->prefix <= (rule->ipv6 ? 128 : 32));
	CHECK(rule->set && !(rule->set & ~RPCRDMA_TRAFFIC_ALL));
	for (i = 0; i < RPCRDMA_TRAFFIC_COUNT; i++)
		if (rule->set & BIT(i))
			CHECK(rule->value[i] >= ranges[i].min &&
			      rule->value[i] <= ranges[i].max);
}

/* The rule of an address is a rule for this address, with the longest prefix */
static void check_match(const struct rpcrdma_traffic_rules *rules,
			const struct rpcrdma_traffic_rule *rule)
{
	const struct rpcrdma_traffic_rule *best =
		rpcrdma_traffic_match(rules, rule->addr, rule->ipv6);

	CHECK(best && best >= rules->rule && best < rules->rule + rules->count);
	CHECK(best->ipv6 == rule->ipv6 && best->prefix >= rule->prefix);
	/* Two for the same addresses would have been refused */
	CHECK(best == rule || best->prefix > rule->prefix);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct rpcrdma_traffic_rules *rules = malloc(sizeof(*rules));
	char *text = malloc(size + 1);
	const char *fault;
	unsigned int i;

	memcpy(text, data, size);
	text[size] = '\0';
	fault = rpcrdma_traffic_parse(text, RPCRDMA_TRAFFIC_ALL, rules);
	CHECK(rules->count <= RPCRDMA_TRAFFIC_RULES_MAX);
	for (i = 0; !fault && i < rules->count; i++) {
		check_rule(&rules->rule[i]);
		check_match(rules, &rules->rule[i]);
	}
	free(text);
	free(rules);
	return 0;
}
