/* SPDX-License-Identifier: GPL-2.0-only */
/* timer_delete(), also where it has its old name */
#ifndef _COMPAT_TIMERS_H
#define _COMPAT_TIMERS_H

#include <linux/timer.h>
#include <compat/probed.h>

#ifdef RPCRDMA_TIMERS_UNKNOWN
static inline int timer_delete(struct timer_list *timer)
{
	return del_timer(timer);
}
#endif

#endif /* _COMPAT_TIMERS_H */
