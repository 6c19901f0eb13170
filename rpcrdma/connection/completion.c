// SPDX-License-Identifier: GPL-2.0-only
/*
 * The completion queue of a connection.
 *
 * An event of the CQ queues a work item. It passes completions to their handlers until
 * the CQ is empty, and arms the CQ again. There is one work item, so handlers of one
 * connection never run in parallel.
 *
 * Busy polling (rpcrdma.busy_poll_us): a task that would sleep until a message arrives
 * passes completions to their handlers itself, and saves the wake-ups of the work item
 * and of its own. RPCRDMA_CQ_BUSY keeps it and the work item apart. While a task polls,
 * events queue no work item: before the task leaves, it arms the CQ, and queues the work
 * item if anything may be left. Arming does not find the completions that some drivers make
 * up, so RPCRDMA_CQ_MISSED remembers an event, or a run of the work item that had to leave at
 * once, until a poll follows.
 *
 * Model: scripts/tests/models/completions.pml
 *
 * The CQ is from ib_create_cq() and not from ib_alloc_cq(), because the work item is to
 * run on a workqueue with the attributes of rpciod. ib_drain_qp() sleeps until that work
 * item has found its markers. Some drivers make flushed completions up and raise no event
 * unless the CQ is armed, and arming does not find these: while a QP is drained, the work
 * item is queued every second.
 */
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/sched/stat.h>
#include <linux/workqueue.h>
#include <rpcrdma/completion.h>
#include <rpcrdma/param.h>
#include "../core.h"

/* Completions of one run of the work item; then other connections get their turn */
#define RPCRDMA_CQ_BUDGET	1024

static struct workqueue_struct *rpcrdma_cq_wq;

static struct rpcrdma_param rpcrdma_busy_poll_us = {
	.max	= 10000,
	.unit	= 1,
};

module_param_cb(busy_poll_us, &rpcrdma_param_ops, &rpcrdma_busy_poll_us, 0644);
MODULE_PARM_DESC(busy_poll_us, "Microseconds that a task polls for its Reply, or an nfsd thread for what comes next, before it sleeps; takes effect at once (0..10000, default 0: never)");

/* May the caller run handlers? If so, rpcrdma_cq_leave() follows. */
static bool rpcrdma_cq_enter(struct rpcrdma_cq *cq)
{
	return !test_bit(RPCRDMA_CQ_BUSY, &cq->flags) &&
	       !test_and_set_bit_lock(RPCRDMA_CQ_BUSY, &cq->flags);
}

static void rpcrdma_cq_leave(struct rpcrdma_cq *cq)
{
	clear_bit_unlock(RPCRDMA_CQ_BUSY, &cq->flags);
}

/*
 * Return: true if no task polls, or it has just left; false if it looks at RPCRDMA_CQ_MISSED
 * before it leaves
 */
static bool rpcrdma_cq_work_enter(struct rpcrdma_cq *cq)
{
	if (rpcrdma_cq_enter(cq))
		return true;
	/*
	 * No barrier before it: the lock with which the workqueue passes on the work item orders
	 * the completions that it was queued for.
	 */
	set_bit(RPCRDMA_CQ_MISSED, &cq->flags);
	/* Pairs with rpcrdma_cq_resume() */
	smp_mb__after_atomic();
	return rpcrdma_cq_enter(cq);
}

/*
 * Return: completions in @cq->wc; or a negative errno, and the connection is closed. What the
 * driver could not read may stay first in the CQ, so that no later poll finds anything either.
 */
static int rpcrdma_cq_poll(struct rpcrdma_cq *cq)
{
	int n = ib_poll_cq(cq->ib, ARRAY_SIZE(cq->wc), cq->wc);

	if (unlikely(n < 0)) {
		set_bit(RPCRDMA_CQ_FAILED, &cq->flags);
		rpcrdma_conn_close(cq->ib->cq_context, RPCRDMA_CLOSE_QP_ERROR, n);
	}
	return n;
}

/* @n: completions in @cq->wc; 0 or less: none */
static void rpcrdma_cq_handle(struct rpcrdma_cq *cq, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		struct ib_wc *wc = &cq->wc[i];

		/* A flushed work request may have none if it was unsignaled */
		if (likely(wc->wr_cqe))
			wc->wr_cqe->done(cq->ib, wc);
	}
}

static int rpcrdma_cq_arm(struct rpcrdma_cq *cq)
{
	return ib_req_notify_cq(cq->ib, IB_CQ_NEXT_COMP | IB_CQ_REPORT_MISSED_EVENTS);
}

static void rpcrdma_cq_work(struct work_struct *work)
{
	struct rpcrdma_cq *cq = container_of(work, struct rpcrdma_cq, work);
	int n, left = RPCRDMA_CQ_BUDGET;

	if (test_bit(RPCRDMA_CQ_STOPPED, &cq->flags))
		return;
	if (!rpcrdma_cq_work_enter(cq))
		return;
	do {
		n = rpcrdma_cq_poll(cq);
		rpcrdma_cq_handle(cq, n);
		left -= max(n, 1);
	} while (left > 0 && n >= 0 &&
		 (n == RPCRDMA_CQ_BATCH || rpcrdma_cq_arm(cq) > 0));
	rpcrdma_cq_leave(cq);
	if (left <= 0)
		queue_work(rpcrdma_cq_wq, &cq->work);
}

/* Return: true if a task polls, and looks at RPCRDMA_CQ_MISSED before it leaves */
static bool rpcrdma_cq_event_is_polled(struct rpcrdma_cq *cq)
{
	/* Of a task that has just come nothing depends on this: the work item runs in vain */
	if (!test_bit(RPCRDMA_CQ_POLLED, &cq->flags))
		return false;
	/* Pairs with rpcrdma_cq_look(): who sees the flag finds the completions */
	smp_mb__before_atomic();
	set_bit(RPCRDMA_CQ_MISSED, &cq->flags);
	/* Pairs with rpcrdma_cq_resume() */
	smp_mb__after_atomic();
	return test_bit(RPCRDMA_CQ_POLLED, &cq->flags);
}

static void rpcrdma_cq_event(struct ib_cq *ib, void *context)
{
	struct rpcrdma_cq *cq = &to_core((struct rpcrdma_conn *)context)->cq;

	if (!test_bit(RPCRDMA_CQ_STOPPED, &cq->flags) && !rpcrdma_cq_event_is_polled(cq))
		queue_work(rpcrdma_cq_wq, &cq->work);
}

/* The only such event is IB_EVENT_CQ_ERR: the CQ is dead */
static void rpcrdma_cq_error(struct ib_event *event, void *context)
{
	rpcrdma_conn_close(context, RPCRDMA_CLOSE_QP_ERROR, -EIO);
}

/* Connections take turns with the completion vectors, and so with interrupts and CPUs */
static unsigned int rpcrdma_cq_vector(const struct ib_device *device)
{
	static atomic_t turn;
	unsigned int vectors = min_t(unsigned int, device->num_comp_vectors,
				     num_online_cpus());

	return vectors > 1 ? (u32)atomic_inc_return(&turn) % vectors : 0;
}

/**
 * rpcrdma_cq_create - create the CQ of a connection
 * @conn: connection whose device is known
 *
 * Context: may sleep; the caller is in a NOFS scope.
 * Return: 0, and handlers run from now on, with @conn as cq_context; or a negative errno
 * of the device. rpcrdma_cq_destroy() undoes it.
 */
int rpcrdma_cq_create(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;
	const struct ib_cq_init_attr attr = {
		.cqe		= conn->limits.cq_depth,
		.comp_vector	= rpcrdma_cq_vector(conn->device),
	};
	struct ib_cq *ib;

	cq->flags = 0;
	INIT_WORK(&cq->work, rpcrdma_cq_work);
	ib = ib_create_cq(conn->device, rpcrdma_cq_event, rpcrdma_cq_error, conn,
			  &attr);
	if (IS_ERR(ib))
		return PTR_ERR(ib);
	cq->ib = ib;
	/* Nothing has completed yet, since there is no QP */
	ib_req_notify_cq(ib, IB_CQ_NEXT_COMP);
	return 0;
}

/**
 * rpcrdma_cq_is_behind - may completions wait for their handlers?
 * @conn: connection with a CQ
 *
 * Context: any.
 * Return: true if handlers run, or the work item that runs them is queued, or a task polls;
 * false otherwise, and the caller sees what the handlers have written. False also for a moment
 * in which a task has ended its poll and is about to queue the work item.
 */
bool rpcrdma_cq_is_behind(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;
	/* Pairs with rpcrdma_cq_leave() */
	unsigned long flags = smp_load_acquire(&cq->flags);

	return (flags & (BIT(RPCRDMA_CQ_BUSY) | BIT(RPCRDMA_CQ_POLLED))) ||
	       work_busy(&cq->work);
}

/*
 * struct rpcrdma_cq_drain - a QP is being drained
 * @look: queues the work item of @cq
 * @cq:	  CQ of the QP
 */
struct rpcrdma_cq_drain {
	struct delayed_work	look;
	struct rpcrdma_cq	*cq;
};

static void rpcrdma_cq_drain_look(struct work_struct *work)
{
	struct delayed_work *look = to_delayed_work(work);
	struct rpcrdma_cq_drain *drain = container_of(look, struct rpcrdma_cq_drain, look);

	queue_work(rpcrdma_cq_wq, &drain->cq->work);
	queue_delayed_work(rpcrdma_cq_wq, look, HZ);
}

/**
 * rpcrdma_cq_poll_once - pass on completions that may have raised no event
 * @conn: connection with a CQ, whose QP has just been put into the error state
 *
 * Context: process context, does not sleep; before rpcrdma_cq_stop().
 */
void rpcrdma_cq_poll_once(struct rpcrdma_conn *conn)
{
	queue_work(rpcrdma_cq_wq, &to_core(conn)->cq.work);
}

/**
 * rpcrdma_cq_drain - wait until the QP has completed all that is posted, or cannot
 * @conn: connection with a CQ and a QP in the error state, that no poster is in
 *
 * ib_drain_qp(), for a CQ that may raise no event for the markers. Returns at once if the CQ could
 * not be polled.
 *
 * Context: may sleep. Not from a completion handler.
 */
void rpcrdma_cq_drain(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq_drain drain = { .cq = &to_core(conn)->cq };

	if (test_bit(RPCRDMA_CQ_FAILED, &drain.cq->flags))
		return;
	INIT_DELAYED_WORK_ONSTACK(&drain.look, rpcrdma_cq_drain_look);
	queue_delayed_work(rpcrdma_cq_wq, &drain.look, HZ);
	ib_drain_qp(conn->qp);
	cancel_delayed_work_sync(&drain.look);
	destroy_delayed_work_on_stack(&drain.look);
}

/**
 * rpcrdma_cq_stop - run no more completion handlers
 * @conn: connection that is drained, or cannot be, and that no poster is in; with or
 *	without a CQ
 *
 * Completions that come later are not polled. May be called more than once.
 *
 * Context: may sleep. Not from a completion handler.
 */
void rpcrdma_cq_stop(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;

	if (!cq->ib)
		return;
	set_bit(RPCRDMA_CQ_STOPPED, &cq->flags);
	cancel_work_sync(&cq->work);
}

/* A task polls no more: from now on events queue the work item again */
static void rpcrdma_cq_resume(struct rpcrdma_cq *cq, bool left)
{
	clear_bit(RPCRDMA_CQ_POLLED, &cq->flags);
	/* Pairs with rpcrdma_cq_event_is_polled() and rpcrdma_cq_work_enter() */
	smp_mb__after_atomic();
	left |= test_and_clear_bit(RPCRDMA_CQ_MISSED, &cq->flags);
	if (rpcrdma_cq_arm(cq) > 0 || left)
		queue_work(rpcrdma_cq_wq, &cq->work);
}

/* The caller has entered */
static int rpcrdma_cq_look(struct rpcrdma_cq *cq)
{
	if (test_bit(RPCRDMA_CQ_MISSED, &cq->flags)) {
		clear_bit(RPCRDMA_CQ_MISSED, &cq->flags);
		/* Pairs with rpcrdma_cq_event_is_polled() */
		smp_mb__after_atomic();
	}
	return rpcrdma_cq_poll(cq);
}

/* Preempted in a handler, a task that gets little CPU time would hold up the connection */
static bool rpcrdma_task_may_poll(void)
{
	return task_nice(current) <= 0 && current->policy != SCHED_IDLE;
}

/* A task that sleeps may still count as running for a moment, which ends a poll too early */
static bool rpcrdma_cpu_is_free(void)
{
	return !need_resched() && single_task_running();
}

/**
 * struct rpcrdma_poller - a task that is busy polling
 * @conn: connection
 * @until: ktime in ns when it gives up
 * @found: has come what the task waits for?
 * @waiter: argument of @found
 * @entered: the task has RPCRDMA_CQ_BUSY, and so has polled
 * @n: completions that the last poll has found
 */
struct rpcrdma_poller {
	struct rpcrdma_conn	*conn;
	u64			until;
	bool			(*found)(const void *waiter);
	const void		*waiter;
	bool			entered;
	int			n;
};

/* Polls until there are completions, which it returns true for, or it is time to stop */
static bool rpcrdma_poller_looks(struct rpcrdma_poller *poller)
{
	struct rpcrdma_cq *cq = &to_core(poller->conn)->cq;

	while (!poller->found(poller->waiter) && ktime_get_ns() < poller->until &&
	       rpcrdma_cpu_is_free() &&
	       rpcrdma_conn_state(poller->conn) == RPCRDMA_S_ESTABLISHED) {
		/* The work item may be running */
		if (poller->entered || rpcrdma_cq_enter(cq)) {
			poller->entered = true;
			poller->n = rpcrdma_cq_look(cq);
			if (poller->n > 0)
				return true;
		}
		cpu_relax();
	}
	return false;
}

/* The caller looks as rpcrdma_poller_looks(); if that has found nothing, it polls no more */
static bool rpcrdma_poller_look(struct rpcrdma_poller *poller)
{
	struct rpcrdma_cq *cq = &to_core(poller->conn)->cq;

	if (rpcrdma_poller_looks(poller))
		return true;
	if (poller->entered)
		rpcrdma_cq_leave(cq);
	rpcrdma_cq_resume(cq, poller->n == RPCRDMA_CQ_BATCH);
	return false;
}

/*
 * A task that polls is preempted only in handlers, so one with little CPU time holds up the
 * connection for no longer than those of one batch take. A real-time kernel preempts it
 * anywhere: there the locks of devices sleep.
 */
static void rpcrdma_poll_preempt_disable(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable();
}

static void rpcrdma_poll_preempt_enable(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
}

/* Return: true if the task has polled; false if another one does, or the work item did */
static bool rpcrdma_poller_run(struct rpcrdma_poller *poller, unsigned int us)
{
	struct rpcrdma_cq *cq = &to_core(poller->conn)->cq;

	rpcrdma_poll_preempt_disable();
	if (!test_and_set_bit(RPCRDMA_CQ_POLLED, &cq->flags)) {
		poller->until = ktime_get_ns() + us * (u64)NSEC_PER_USEC;
		while (rpcrdma_poller_look(poller)) {
			rpcrdma_poll_preempt_enable();
			rpcrdma_cq_handle(cq, poller->n);
			rpcrdma_poll_preempt_disable();
		}
	}
	rpcrdma_poll_preempt_enable();
	return poller->entered;
}

/**
 * rpcrdma_busy_poll_wanted - may rpcrdma_busy_poll() do anything?
 * @conn: connection
 *
 * Context: any.
 * Return: false if rpcrdma.busy_poll_us is 0, or another task polls the CQ.
 */
bool rpcrdma_busy_poll_wanted(const struct rpcrdma_conn *conn)
{
	return rpcrdma_param_value(&rpcrdma_busy_poll_us) &&
	       !test_bit(RPCRDMA_CQ_POLLED, &to_core(conn)->cq.flags);
}
EXPORT_SYMBOL_GPL(rpcrdma_busy_poll_wanted);

/**
 * rpcrdma_busy_poll - poll the CQ for what the caller would otherwise sleep for
 * @conn: connection that has been set up, and that the caller has entered
 * @found: has come what the caller waits for, or another reason to stop? Does not sleep
 * @waiter: argument of @found
 *
 * Does nothing if rpcrdma.busy_poll_us is 0, or if another task polls this CQ. Ends when
 * that time is over, @found says so, the CPU is not free, or the connection closes. Nor do
 * tasks poll with a nice value above 0, or of SCHED_IDLE.
 *
 * Context: process context; may sleep; holds no lock that completion handlers take.
 */
void rpcrdma_busy_poll(struct rpcrdma_conn *conn, bool (*found)(const void *waiter),
		       const void *waiter)
{
	unsigned int us = rpcrdma_param_value(&rpcrdma_busy_poll_us);
	struct rpcrdma_poller poller = {
		.conn	= conn,
		.found	= found,
		.waiter	= waiter,
	};

	if (!us || !rpcrdma_task_may_poll() || found(waiter))
		return;
	/*
	 * A post in this task may have woken ksoftirqd for the device's tasklet (rxe of Linux 6.1).
	 * Let it run first: while it waits for the CPU, a poll ends at once.
	 */
	cond_resched();
	if (!rpcrdma_poller_run(&poller, us))
		return;
	rpcrdma_count(conn->stats, RPCRDMA_C_BUSY_POLLS);
	if (found(waiter))
		rpcrdma_count(conn->stats, RPCRDMA_C_BUSY_POLL_HITS);
}
EXPORT_SYMBOL_GPL(rpcrdma_busy_poll);

/**
 * rpcrdma_cq_destroy - destroy the CQ of a connection, if there is one
 * @conn: connection whose QP is destroyed, or was not created
 *
 * Context: may sleep.
 */
void rpcrdma_cq_destroy(struct rpcrdma_conn *conn)
{
	struct rpcrdma_cq *cq = &to_core(conn)->cq;

	if (!cq->ib)
		return;
	rpcrdma_cq_stop(conn);
	ib_destroy_cq(cq->ib);
	/* A late event may have queued it; it has not touched the CQ */
	cancel_work_sync(&cq->work);
	cq->ib = NULL;
}

/**
 * rpcrdma_cq_init - create the workqueue of the completion handlers
 *
 * It has the attributes of rpciod, so that both use the same worker threads: a
 * completion then takes no switch to a thread of another pool and back.
 *
 * Context: module init.
 * Return: 0 or -ENOMEM.
 */
int rpcrdma_cq_init(void)
{
	rpcrdma_cq_wq = alloc_workqueue("rpcrdma_cq",
					WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return rpcrdma_cq_wq ? 0 : -ENOMEM;
}

/**
 * rpcrdma_cq_exit - undo rpcrdma_cq_init(), if it was called; no connection is left
 *
 * Context: module exit.
 */
void rpcrdma_cq_exit(void)
{
	if (rpcrdma_cq_wq)
		destroy_workqueue(rpcrdma_cq_wq);
}
