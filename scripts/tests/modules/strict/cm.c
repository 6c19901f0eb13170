// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the RDMA CM that come late.
 *
 * The RDMA CM passes the tracepoint cm_event_handler right before it calls the handler of an
 * ID, with the mutex of that ID held. The probe here puts a handler of its own in the place of
 * the ID's, because a probe must not sleep and a handler may. That one sleeps, puts back what
 * was there, and calls it.
 *
 * Other events of the CM wait meanwhile, as they would behind a slow handler. What the device
 * does goes on: a Receive completes before the connection is known to be established, and
 * work requests are flushed before it is known to be cut. Each event is held for another
 * time, so that the ends of a connection learn of it in both orders.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <rdma/rdma_cm.h>
#include "strict.h"

/* The RDMA CM's own part of an ID, which begins with the struct rdma_cm_id */
struct rdma_id_private;

/**
 * struct strict_event - an event that is held
 * @list:    in strict_events
 * @id:	     whose event it is
 * @handler: handler of @id
 * @qp:	     QP of @id then; only compared, as it may have gone
 * @type:    of the event
 */
struct strict_event {
	struct list_head	list;
	struct rdma_cm_id	*id;
	rdma_cm_event_handler	handler;
	const struct ib_qp	*qp;
	enum rdma_cm_event_type	type;
};

static LIST_HEAD(strict_events);
static DEFINE_SPINLOCK(strict_events_lock);
static struct tracepoint *strict_cm_point;

/* Handlers that were put in place and have not returned */
static atomic_t strict_cm_running = ATOMIC_INIT(0);

static struct strict_event *strict_event_find(const struct rdma_cm_id *id)
{
	struct strict_event *event;

	lockdep_assert_held(&strict_events_lock);
	list_for_each_entry(event, &strict_events, list)
		if (event->id == id)
			return event;
	return NULL;
}

/* The time is over. Returns the handler of the ID, or NULL if none of its events is held */
static rdma_cm_event_handler strict_event_take(struct rdma_cm_id *id)
{
	struct strict_event *event;
	rdma_cm_event_handler handler;
	unsigned long flags;

	spin_lock_irqsave(&strict_events_lock, flags);
	event = strict_event_find(id);
	if (event)
		list_del(&event->list);
	spin_unlock_irqrestore(&strict_events_lock, flags);
	if (!event)
		return NULL;
	handler = event->handler;
	kfree(event);
	return handler;
}

static int strict_cm_handler(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	u32 us = reciprocal_scale(get_random_u32(), READ_ONCE(strict_params.cm_delay_us));
	rdma_cm_event_handler handler;
	int ret;

	usleep_range(us, us + us / 8 + 10);
	handler = strict_event_take(id);
	if (WARN_ON_ONCE(!handler))
		return 0;
	/* Its user may have set another one meanwhile */
	if (id->event_handler == strict_cm_handler)
		id->event_handler = handler;
	ret = id->event_handler(id, event);
	atomic_dec(&strict_cm_running);
	return ret;
}

/* With a request the tracepoint is passed for the ID of the listener too, and without its mutex */
static bool strict_cm_wants(const struct rdma_cm_event *event)
{
	if (!READ_ONCE(strict_params.cm_delay_us) ||
	    event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
		return false;
	return !*strict_params.cm_event ||
	       !strcmp(strict_params.cm_event, rdma_event_msg(event->event));
}

static void strict_cm_probe(void *unused, const struct rdma_id_private *priv,
			    const struct rdma_cm_event *cm_event)
{
	struct rdma_cm_id *id = (struct rdma_cm_id *)priv;
	struct strict_event *event;
	unsigned long flags;

	if (!strict_cm_wants(cm_event) || id->event_handler == strict_cm_handler)
		return;
	event = kmalloc(sizeof(*event), GFP_ATOMIC | __GFP_NOWARN);
	if (!event) {
		strict_count(STRICT_N_NO_MEMORY);
		return;
	}
	event->id = id;
	event->handler = id->event_handler;
	event->qp = id->qp;
	event->type = cm_event->event;
	spin_lock_irqsave(&strict_events_lock, flags);
	list_add(&event->list, &strict_events);
	spin_unlock_irqrestore(&strict_events_lock, flags);
	atomic_inc(&strict_cm_running);
	id->event_handler = strict_cm_handler;
	strict_count(STRICT_N_CM_EVENTS_HELD);
}

static bool strict_event_is_overtaken(const struct strict_event *event, const struct ib_wc *wc)
{
	if (event->qp != wc->qp)
		return false;
	if (wc->status == IB_WC_SUCCESS)
		return event->type == RDMA_CM_EVENT_ESTABLISHED && wc->opcode & IB_WC_RECV;
	return event->type == RDMA_CM_EVENT_DISCONNECTED;
}

/**
 * strict_cm_completed - count what happens while its event is held
 * @wc: completion that is given to who polls
 *
 * Context: any.
 */
void strict_cm_completed(const struct ib_wc *wc)
{
	const struct strict_event *event;
	unsigned long flags;

	if (list_empty_careful(&strict_events))
		return;
	spin_lock_irqsave(&strict_events_lock, flags);
	list_for_each_entry(event, &strict_events, list)
		if (strict_event_is_overtaken(event, wc))
			strict_count(wc->status == IB_WC_SUCCESS ? STRICT_N_EARLY_RECVS :
				     STRICT_N_EARLY_FLUSHES);
	spin_unlock_irqrestore(&strict_events_lock, flags);
}

static void strict_cm_look(struct tracepoint *point, void *unused)
{
	if (!strcmp(point->name, "cm_event_handler"))
		strict_cm_point = point;
}

static int strict_cm_look_in(struct notifier_block *block, unsigned long action, void *data)
{
	const struct tp_module *tp = data;
	unsigned int i;

	if (action != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	for (i = 0; i < tp->mod->num_tracepoints; i++)
		strict_cm_look(tracepoint_ptr_deref(&tp->mod->tracepoints_ptrs[i]), NULL);
	return NOTIFY_OK;
}

/* It is told of all modules at once */
static struct notifier_block strict_cm_modules = {
	.notifier_call = strict_cm_look_in,
};

/* The RDMA CM is built in, or a module that this one depends on */
static void strict_cm_find(void)
{
	for_each_kernel_tracepoint(strict_cm_look, NULL);
	if (strict_cm_point)
		return;
	register_tracepoint_module_notifier(&strict_cm_modules);
	unregister_tracepoint_module_notifier(&strict_cm_modules);
}

/**
 * strict_cm_init - hold events of the RDMA CM
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_cm_init(void)
{
	strict_cm_find();
	if (!strict_cm_point)
		return strict_params.cm_delay_us ? -ENOENT : 0;
	return tracepoint_probe_register(strict_cm_point, strict_cm_probe, NULL);
}

/**
 * strict_cm_exit - undo strict_cm_init()
 *
 * Context: may sleep.
 */
void strict_cm_exit(void)
{
	if (!strict_cm_point)
		return;
	tracepoint_probe_unregister(strict_cm_point, strict_cm_probe, NULL);
	tracepoint_synchronize_unregister();
	while (atomic_read(&strict_cm_running))
		msleep(20);
	/* The last handler has counted itself out, and not yet returned */
	synchronize_rcu_tasks();
}
