// SPDX-License-Identifier: GPL-2.0-only
/* The function has its old name only */
#include <linux/timer.h>

int probe(struct timer_list *timer);

static inline int timer_delete(struct timer_list *timer)
{
	return del_timer(timer);
}

int probe(struct timer_list *timer)
{
	return timer_delete(timer);
}
