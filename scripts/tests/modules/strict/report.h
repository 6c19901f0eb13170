/* SPDX-License-Identifier: GPL-2.0-only */
/* Rules, how often each was checked, and how often it was broken. */
#ifndef _STRICT_REPORT_H
#define _STRICT_REPORT_H

#include <linux/types.h>

enum strict_rule {
	STRICT_DMA_ADDRESS,
	STRICT_DMA_BOUNDS,
	STRICT_DMA_DIRECTION,
	STRICT_DMA_UNMAP,
	STRICT_DMA_UNMAP_POSTED,
	STRICT_DMA_UNMAP_MR,
	STRICT_DMA_SYNC,
	STRICT_DMA_SYNC_POSTED,
	STRICT_DMA_LEAK,
	STRICT_DMA_TWICE,
	STRICT_SEND_UNSYNCED,
	STRICT_SEND_CHANGED,
	STRICT_SEND_GIVEN,
	STRICT_RECV_UNSYNCED,
	STRICT_RECV_NOT_GIVEN,
	STRICT_CPU_WROTE,
	STRICT_KEY,
	STRICT_MR_STATE,
	STRICT_MR_LIVE,
	STRICT_MR_TWICE,
	STRICT_MR_PD,
	STRICT_MR_RIGHTS,
	STRICT_MR_BOUNDS,
	STRICT_MR_FREED,
	STRICT_SGES,
	STRICT_SQ_OVERFLOW,
	STRICT_RQ_OVERFLOW,
	STRICT_CQ_OVERFLOW,
	STRICT_COMPLETION,
	STRICT_DRAIN,
	STRICT_QP_FREED,
	STRICT_RULES,
};

/* What is only counted */
enum strict_count {
	STRICT_N_DEVICES,
	STRICT_N_QPS,
	STRICT_N_MRS,
	STRICT_N_MAPPINGS,
	STRICT_N_MAPPED,
	STRICT_N_MERGED,
	STRICT_N_BOUNCED,
	STRICT_N_NOT_BOUNCED,
	STRICT_N_SENDS,
	STRICT_N_RECVS,
	STRICT_N_REGISTRATIONS,
	STRICT_N_INVALIDATIONS,
	STRICT_N_REMOTE_INVALIDATIONS,
	STRICT_N_REMOTE_DEAD,
	STRICT_N_UNKNOWN_KEYS,
	STRICT_N_COMPLETIONS,
	STRICT_N_HELD,
	STRICT_N_CM_EVENTS_HELD,
	STRICT_N_EARLY_RECVS,
	STRICT_N_EARLY_FLUSHES,
	STRICT_N_MADE_UP,
	STRICT_N_USER_MEMORY,
	STRICT_N_NO_MEMORY,
	STRICT_COUNTS,
};

void strict_checked(enum strict_rule rule);
void strict_count(enum strict_count count);
void strict_count_add(enum strict_count count, long n);
__printf(3, 4) void strict_report(enum strict_rule rule, const void *caller,
				  const char *fmt, ...);
void strict_callers(unsigned long *callers, unsigned int n);
void strict_report_init(void);
void strict_report_exit(void);

/*
 * strict_expect - check a rule
 *
 * CALLER is the function that broke it if OK is false, or NULL where that is not known. The
 * rest is a format and its arguments. It is OK.
 */
#define strict_expect(ok, rule, caller, ...)				\
({									\
	const enum strict_rule __rule = (rule);				\
	bool __ok = (ok);						\
									\
	strict_checked(__rule);						\
	if (unlikely(!__ok))						\
		strict_report(__rule, caller, __VA_ARGS__);		\
	__ok;								\
})

#endif
