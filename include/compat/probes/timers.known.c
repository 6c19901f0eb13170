// SPDX-License-Identifier: GPL-2.0-only
/* Timers are deleted by a function with their prefix */
#include <linux/timer.h>

int probe(struct timer_list *timer);

int probe(struct timer_list *timer)
{
	return timer_delete(timer);
}
