/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Type of service and timers by the address of the peer: rules as text, and the rule for an
 * address. Pure: no device, no lock.
 */
#ifndef _RPCRDMA_TRAFFIC_RULES_H
#define _RPCRDMA_TRAFFIC_RULES_H

#include <linux/bits.h>
#include <linux/types.h>

/**
 * enum rpcrdma_traffic_value - one of the values
 * @RPCRDMA_TRAFFIC_TOS: type of service, eight bits: the DSCP times four. 0: that of the
 *	device
 * @RPCRDMA_TRAFFIC_ACK_TIMEOUT: a packet without an ACK is sent again after 4.096
 *	microseconds times two to this power. 0: what the CM computes
 * @RPCRDMA_TRAFFIC_RNR_TIMER: code of the time that the peer waits before it repeats a
 *	Send for which there was no Receive (enum ib_rnr_timeout)
 * @RPCRDMA_TRAFFIC_RNR_RETRIES: how often it repeats that
 * @RPCRDMA_TRAFFIC_COUNT: number of values
 */
enum rpcrdma_traffic_value {
	RPCRDMA_TRAFFIC_TOS,
	RPCRDMA_TRAFFIC_ACK_TIMEOUT,
	RPCRDMA_TRAFFIC_RNR_TIMER,
	RPCRDMA_TRAFFIC_RNR_RETRIES,
	RPCRDMA_TRAFFIC_COUNT,
};

/* A set of all values */
#define RPCRDMA_TRAFFIC_ALL		(BIT(RPCRDMA_TRAFFIC_COUNT) - 1)

#define RPCRDMA_TOS_MAX			255
#define RPCRDMA_ACK_TIMEOUT_MAX		31
#define RPCRDMA_RNR_TIMER_MIN		1
#define RPCRDMA_RNR_TIMER_MAX		31
#define RPCRDMA_RNR_RETRIES_MAX		6	/* 7 would mean no limit */

/* So many that the text of all rules fits a page */
#define RPCRDMA_TRAFFIC_RULES_MAX	32

/**
 * struct rpcrdma_traffic_rule - a rule
 * @addr:   address in network byte order; IPv4 uses the first four bytes
 * @prefix: length of the prefix in bits
 * @ipv6:   @addr is an IPv6 address
 * @set:    bit n: the rule has @value[n]
 * @value:  by enum rpcrdma_traffic_value
 */
struct rpcrdma_traffic_rule {
	u8	addr[16];
	u8	prefix;
	bool	ipv6;
	u8	set;
	u8	value[RPCRDMA_TRAFFIC_COUNT];
};

/**
 * struct rpcrdma_traffic_rules - all rules of one side
 * @count: how many
 * @rule:  no two have the same prefix
 */
struct rpcrdma_traffic_rules {
	unsigned int			count;
	struct rpcrdma_traffic_rule	rule[RPCRDMA_TRAFFIC_RULES_MAX];
};

/* protocol/traffic_rules.c */
const char *rpcrdma_traffic_name(enum rpcrdma_traffic_value which);
const char *rpcrdma_traffic_parse(const char *text, unsigned long taken,
				  struct rpcrdma_traffic_rules *rules);
const struct rpcrdma_traffic_rule *
rpcrdma_traffic_match(const struct rpcrdma_traffic_rules *rules, const u8 *addr,
		      bool ipv6);

#endif /* _RPCRDMA_TRAFFIC_RULES_H */
