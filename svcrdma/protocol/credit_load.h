/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many credits a client is granted, by its load.
 */
#ifndef _SVCRDMA_CREDIT_LOAD_H
#define _SVCRDMA_CREDIT_LOAD_H

#include <linux/compiler.h>
#include <linux/types.h>

/**
 * struct svcrdma_credit_load - the credits of a connection
 * @least:	least credits to grant
 * @most:	most credits to grant
 * @credits:	credits to grant now, for each of which there is a Receive
 * @receives:	Receives for Calls: posted, or with a Call; never below @credits
 * @keep:	as many Receives stay; those above it are retired
 * @busiest:	most Calls that were unanswered at once since the last look
 * @looks:	looks since @credits was made smaller, that found that the client had been
 *		told so
 */
struct svcrdma_credit_load {
	u32	least;
	u32	most;
	u32	credits;
	u32	receives;
	u32	keep;
	u32	busiest;
	u8	looks;
};

/* protocol/credit_load.c */
void svcrdma_load_init(struct svcrdma_credit_load *load, u32 least, u32 most,
		       u32 receives);
u32 svcrdma_load_lacks(const struct svcrdma_credit_load *load);
void svcrdma_load_grow(struct svcrdma_credit_load *load, u32 added);
void svcrdma_load_look(struct svcrdma_credit_load *load, u32 unanswered,
		       u32 told);
bool svcrdma_load_retire(struct svcrdma_credit_load *load);

/**
 * svcrdma_load_call - a Call has arrived
 * @load: load
 * @unanswered: Calls that are not answered, with this one
 * @granted: grant of the newest answer; 0 before the first, when a client may have one
 *	Call
 *
 * Context: receive path, the only one that writes @load->busiest, except for
 * svcrdma_load_look(); needs no lock.
 * Return: true if the client uses all that it may, or more, and could be granted more.
 */
static inline bool svcrdma_load_call(struct svcrdma_credit_load *load,
				     u32 unanswered, u32 granted)
{
	u32 credits = READ_ONCE(load->credits);
	u32 all = granted ? credits : 2;

	if (unanswered > READ_ONCE(load->busiest))
		WRITE_ONCE(load->busiest, unanswered);
	return unanswered >= all && credits < load->most;
}

/**
 * svcrdma_load_surplus - may there be a Receive to retire?
 * @load: load
 *
 * Context: any; needs no lock. svcrdma_load_retire() tells for certain.
 */
static inline bool svcrdma_load_surplus(const struct svcrdma_credit_load *load)
{
	return READ_ONCE(load->receives) > READ_ONCE(load->keep);
}

#endif /* _SVCRDMA_CREDIT_LOAD_H */
