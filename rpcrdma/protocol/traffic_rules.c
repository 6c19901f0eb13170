// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules for type of service and timers by the address of the peer:
 *
 *	ADDRESS[/PREFIX],NAME=VALUE[,NAME=VALUE...]
 *
 * with a semicolon or a newline between two of them, such as
 *
 *	10.1.0.0/16,tos=104;10.1.0.7,tos=0,ack_timeout=18
 */
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/inet.h>
#include <linux/kstrtox.h>
#include <linux/string.h>
#include <rpcrdma/traffic_rules.h>

/* The longest word is an IPv6 address that ends with an IPv4 address */
#define RPCRDMA_TRAFFIC_WORD	48

static const struct {
	const char	*name;
	u8		min;
	u8		max;
} rpcrdma_traffic_settings[RPCRDMA_TRAFFIC_COUNT] = {
	[RPCRDMA_TRAFFIC_TOS]		= { "tos", 0, RPCRDMA_TOS_MAX },
	[RPCRDMA_TRAFFIC_ACK_TIMEOUT]	= { "ack_timeout", 0,
					    RPCRDMA_ACK_TIMEOUT_MAX },
	[RPCRDMA_TRAFFIC_RNR_TIMER]	= { "rnr_timer", RPCRDMA_RNR_TIMER_MIN,
					    RPCRDMA_RNR_TIMER_MAX },
	[RPCRDMA_TRAFFIC_RNR_RETRIES]	= { "rnr_retries", 0,
					    RPCRDMA_RNR_RETRIES_MAX },
};

/**
 * rpcrdma_traffic_name - the name of a value
 * @which: the value
 *
 * Context: any.
 * Return: its name in a rule, a constant string.
 */
const char *rpcrdma_traffic_name(enum rpcrdma_traffic_value which)
{
	return rpcrdma_traffic_settings[which].name;
}
EXPORT_SYMBOL_GPL(rpcrdma_traffic_name);

/* Moves *@text to the first of @ends; @word is what was before it, or empty if too long */
static void rpcrdma_traffic_word(const char **text, const char *ends,
				 char *word)
{
	size_t len = strcspn(*text, ends);
	size_t copied = len < RPCRDMA_TRAFFIC_WORD ? len : 0;

	memcpy(word, *text, copied);
	word[copied] = '\0';
	*text += len;
}

static bool rpcrdma_traffic_address(const char **text,
				    struct rpcrdma_traffic_rule *rule)
{
	char word[RPCRDMA_TRAFFIC_WORD];
	const char *end = word;
	bool valid;

	rpcrdma_traffic_word(text, "/,;\n", word);
	rule->ipv6 = strchr(word, ':');
	rule->prefix = rule->ipv6 ? 128 : 32;
	valid = rule->ipv6 ? in6_pton(word, -1, rule->addr, '\0', &end) :
			     in4_pton(word, -1, rule->addr, '\0', &end);
	/* An IPv6 address that ends with an IPv4 address may be followed by a colon */
	return valid && !*end;
}

static bool rpcrdma_traffic_prefix(const char **text,
				   struct rpcrdma_traffic_rule *rule)
{
	u8 most = rule->prefix;
	char word[RPCRDMA_TRAFFIC_WORD];

	if (**text != '/')
		return true;
	++*text;
	rpcrdma_traffic_word(text, ",;\n", word);
	return !kstrtou8(word, 10, &rule->prefix) && rule->prefix <= most;
}

static unsigned int rpcrdma_traffic_index(const char *name)
{
	unsigned int i;

	for (i = 0; i < RPCRDMA_TRAFFIC_COUNT; i++)
		if (!strcmp(name, rpcrdma_traffic_settings[i].name))
			break;
	return i;
}

static const char *rpcrdma_traffic_setting(const char **text,
					   unsigned long taken,
					   struct rpcrdma_traffic_rule *rule)
{
	char word[RPCRDMA_TRAFFIC_WORD];
	unsigned int which;
	u8 value;

	++*text;
	rpcrdma_traffic_word(text, "=,;\n", word);
	if (**text != '=')
		return "a setting is not NAME=VALUE";
	which = rpcrdma_traffic_index(word);
	if (!(taken & BIT(which)))
		return "there is no setting of that name";
	if (rule->set & BIT(which))
		return "a setting is there twice";
	++*text;
	rpcrdma_traffic_word(text, ",;\n", word);
	if (kstrtou8(word, 0, &value) ||
	    value < rpcrdma_traffic_settings[which].min ||
	    value > rpcrdma_traffic_settings[which].max)
		return "a value is not a number in its range";
	rule->set |= BIT(which);
	rule->value[which] = value;
	return NULL;
}

static const char *rpcrdma_traffic_rule(const char **text, unsigned long taken,
					struct rpcrdma_traffic_rule *rule)
{
	const char *fault = NULL;

	if (!rpcrdma_traffic_address(text, rule))
		return "the address is neither IPv4 nor IPv6";
	if (!rpcrdma_traffic_prefix(text, rule))
		return "the length of the prefix is wrong";
	while (!fault && **text == ',')
		fault = rpcrdma_traffic_setting(text, taken, rule);
	if (!fault && !rule->set)
		fault = "nothing is set";
	return fault;
}

/* The first @bits bits are the same */
static bool rpcrdma_traffic_same(const u8 *a, const u8 *b, unsigned int bits)
{
	unsigned int bytes = bits / 8;
	u8 rest = 0xff00 >> bits % 8;

	return !memcmp(a, b, bytes) &&
	       (!rest || !((a[bytes] ^ b[bytes]) & rest));
}

static bool rpcrdma_traffic_twice(const struct rpcrdma_traffic_rules *rules,
				  const struct rpcrdma_traffic_rule *new)
{
	unsigned int i;

	for (i = 0; i < rules->count; i++)
		if (rules->rule[i].ipv6 == new->ipv6 &&
		    rules->rule[i].prefix == new->prefix &&
		    rpcrdma_traffic_same(rules->rule[i].addr, new->addr,
					 new->prefix))
			return true;
	return false;
}

/**
 * rpcrdma_traffic_parse - read rules
 * @text: rules; empty ones are skipped
 * @taken: bit n: a rule may have value number n of enum rpcrdma_traffic_value
 * @rules: is filled; no other task uses them
 *
 * Context: any.
 * Return: NULL; or what is wrong with rule number @rules->count, counted from 0: a constant
 * string.
 */
const char *rpcrdma_traffic_parse(const char *text, unsigned long taken,
				  struct rpcrdma_traffic_rules *rules)
{
	struct rpcrdma_traffic_rule *rule;
	const char *fault;

	memset(rules, 0, sizeof(*rules));
	for (text += strspn(text, ";\n"); *text; text += strspn(text, ";\n")) {
		if (rules->count == RPCRDMA_TRAFFIC_RULES_MAX)
			return "there are too many";
		rule = &rules->rule[rules->count];
		fault = rpcrdma_traffic_rule(&text, taken, rule);
		if (fault)
			return fault;
		if (rpcrdma_traffic_twice(rules, rule))
			return "another one is for the same addresses";
		rules->count++;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(rpcrdma_traffic_parse);

/**
 * rpcrdma_traffic_match - find the rule with the longest prefix for an address
 * @rules: rules
 * @addr: address in network byte order, 4 or 16 bytes
 * @ipv6: it is an IPv6 address
 *
 * Context: any; the caller keeps @rules from changing. For those of a struct rpcrdma_traffic
 * it holds the lock of that.
 * Return: a rule in @rules, valid for as long as the caller keeps them from changing; or
 * NULL.
 */
const struct rpcrdma_traffic_rule *
rpcrdma_traffic_match(const struct rpcrdma_traffic_rules *rules, const u8 *addr,
		      bool ipv6)
{
	const struct rpcrdma_traffic_rule *best = NULL, *rule;

	for (rule = rules->rule; rule < rules->rule + rules->count; rule++)
		if (rule->ipv6 == ipv6 &&
		    (!best || rule->prefix > best->prefix) &&
		    rpcrdma_traffic_same(rule->addr, addr, rule->prefix))
			best = rule;
	return best;
}
EXPORT_SYMBOL_GPL(rpcrdma_traffic_match);
