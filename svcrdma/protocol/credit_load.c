// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many credits a client is granted, by its load.
 *
 * The Receives of thousands of idle connections would take most of the memory of these
 * modules. So a client begins with few credits. When it uses all of them, it gets twice as
 * many, up to the most that the administrator allows.
 *
 * A periodic check (svcrdma_load_look()) reduces the grant to twice as many as the client
 * has used since the check before. A client that was granted more may send as many Calls
 * until it has the next answer (RFC 8166 3.3.1). So the Receives stay until an answer with
 * the smaller grant was sent, and then for two full intervals of the check. Only then those
 * that come back are retired.
 *
 * Pure: no device, no lock.
 */
#include <linux/export.h>
#include <linux/minmax.h>
#include <kunit/visibility.h>
#include "credit_load.h"

/* Looks after the client was told the smaller grant, until Receives are retired */
#define SVCRDMA_LOAD_LOOKS	2

/**
 * svcrdma_load_init - the credits of a new connection
 * @load: result
 * @least: least credits to grant; with more than @most, it is @most
 * @most: most credits to grant, at least one
 * @receives: Receives for Calls that are posted; at least one, and at most @most. If there
 *	are fewer than @least, memory was short
 *
 * Context: any.
 */
void svcrdma_load_init(struct svcrdma_credit_load *load, u32 least, u32 most,
		       u32 receives)
{
	*load = (struct svcrdma_credit_load) {
		.least		= min(least, most),
		.most		= most,
		.credits	= receives,
		.receives	= receives,
		.keep		= receives,
	};
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_load_init);

static u32 svcrdma_load_next(const struct svcrdma_credit_load *load)
{
	return min(load->credits * 2, load->most);
}

/**
 * svcrdma_load_lacks - the Receives to post before the client can be granted more
 * @load: load
 *
 * Context: any; the caller holds the owner's lock, if there is one.
 * Return: Receives; 0 if there are enough.
 */
u32 svcrdma_load_lacks(const struct svcrdma_credit_load *load)
{
	u32 next = svcrdma_load_next(load);

	return next > load->receives ? next - load->receives : 0;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_load_lacks);

/**
 * svcrdma_load_grow - grant more
 * @load: load
 * @added: Receives that were posted because svcrdma_load_lacks() has asked for them; maybe
 *	fewer
 *
 * Context: any; the caller holds the owner's lock.
 */
void svcrdma_load_grow(struct svcrdma_credit_load *load, u32 added)
{
	WRITE_ONCE(load->receives, load->receives + added);
	WRITE_ONCE(load->credits, min(svcrdma_load_next(load), load->receives));
	/* Those that were to be retired are needed after all */
	WRITE_ONCE(load->keep, load->receives);
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_load_grow);

/**
 * svcrdma_load_look - grant fewer, if the client uses few
 * @load: load
 * @unanswered: Calls that are not answered now
 * @told: grant of the newest answer; 0 if there was none
 *
 * Called at regular intervals, each long compared with the time that an answer is under
 * way.
 *
 * Context: any; the caller holds the owner's lock.
 */
void svcrdma_load_look(struct svcrdma_credit_load *load, u32 unanswered,
		       u32 told)
{
	u32 busiest = max(READ_ONCE(load->busiest), unanswered);
	u32 want = max(busiest * 2, load->least);

	WRITE_ONCE(load->busiest, 0);
	if (want < load->credits) {
		WRITE_ONCE(load->credits, want);
		load->looks = 0;
	} else if (!told || told > load->credits) {
		load->looks = 0;
	} else if (load->looks < SVCRDMA_LOAD_LOOKS) {
		load->looks++;
	} else {
		WRITE_ONCE(load->keep, load->credits);
	}
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_load_look);

/**
 * svcrdma_load_retire - is a Receive that has come back to be retired?
 * @load: load; does not count the Receive any more if it is
 *
 * Context: any; the caller holds the owner's lock.
 * Return: true if the caller has to retire it; false if it has to post it again.
 */
bool svcrdma_load_retire(struct svcrdma_credit_load *load)
{
	if (!svcrdma_load_surplus(load))
		return false;
	WRITE_ONCE(load->receives, load->receives - 1);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(svcrdma_load_retire);
