// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion queues. Completions can be held: each for a time, or until there are several.
 * While they are held their work requests are not complete. Those of a send queue can be
 * held longer: completions stay in order for each queue, as the verbs say, and not for both.
 */
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "strict.h"

/**
 * struct strict_held - a completion that is held
 * @wc:  the completion
 * @due: when it may be polled
 */
struct strict_held {
	struct ib_wc	wc;
	ktime_t		due;
};

/* Queues that a completion may belong to: of one that failed the opcode is not defined */
#define STRICT_SENDS	1U
#define STRICT_RECVS	2U

static bool strict_holds(void)
{
	return strict_params.delay_us || strict_params.flush_delay_us ||
	       strict_params.send_delay_us;
}

static struct strict_cq *strict_cq_find(struct strict_device *sdev, const struct ib_cq *cq)
{
	return xa_load(&sdev->cqs, (unsigned long)cq);
}

static struct strict_held *strict_held_at(struct strict_cq *scq, u32 n)
{
	return &scq->held[(scq->head + n) % scq->size];
}

static unsigned int strict_held_queues(const struct strict_held *held)
{
	if (held->wc.status != IB_WC_SUCCESS)
		return STRICT_SENDS | STRICT_RECVS;
	return held->wc.opcode & IB_WC_RECV ? STRICT_RECVS : STRICT_SENDS;
}

/* When the next one may be polled; KTIME_MAX: none is held */
static ktime_t strict_cq_next(struct strict_cq *scq)
{
	ktime_t next = KTIME_MAX;
	unsigned int seen = 0;
	u32 i;

	for (i = 0; i < scq->count && seen != (STRICT_SENDS | STRICT_RECVS); i++) {
		const struct strict_held *held = strict_held_at(scq, i);

		if (!(seen & strict_held_queues(held)))
			next = min(next, held->due);
		seen |= strict_held_queues(held);
	}
	return next;
}

static bool strict_cq_is_batch(struct strict_cq *scq)
{
	return strict_params.batch && scq->count >= strict_params.batch &&
	       strict_held_at(scq, 0)->wc.status == IB_WC_SUCCESS;
}

static bool strict_cq_has_due(struct strict_cq *scq, ktime_t now)
{
	return scq->count && (strict_cq_is_batch(scq) ||
			      ktime_compare(strict_cq_next(scq), now) <= 0);
}

/* How long to sleep; not longer than until one that comes meanwhile may be due */
static s64 strict_cq_wait_us(struct strict_cq *scq, ktime_t now)
{
	s64 us;

	if (!scq->count || strict_cq_has_due(scq, now))
		return 0;
	us = ktime_us_delta(strict_cq_next(scq), now) + 1;
	return strict_params.delay_us ? min_t(s64, us, strict_params.delay_us) : us;
}

/* Who has polled all gets no event for them. The device raises that of the next one */
static void strict_cq_polled(struct strict_cq *scq)
{
	lockdep_assert_held(&scq->lock);
	if (!scq->count)
		scq->armed = false;
}

/* Sleeps until a completion is due, and raises the event of the CQ */
static void strict_cq_work(struct work_struct *work)
{
	struct strict_cq *scq = container_of(work, struct strict_cq, work);
	unsigned long flags;
	bool armed = false;
	s64 us;

	spin_lock_irqsave(&scq->lock, flags);
	us = strict_cq_wait_us(scq, ktime_get());
	if (!us && scq->count)
		swap(armed, scq->armed);
	spin_unlock_irqrestore(&scq->lock, flags);
	if (us) {
		usleep_range(us, us + us / 8 + 10);
		queue_work(system_unbound_wq, work);
	} else if (armed) {
		scq->cq->comp_handler(scq->cq, scq->cq->cq_context);
	}
}

static void strict_cq_free(struct strict_cq *scq)
{
	cancel_work_sync(&scq->work);
	kvfree(scq->held);
	kfree(scq);
}

static struct strict_cq *strict_cq_new(struct ib_cq *cq)
{
	struct strict_cq *scq = kzalloc(sizeof(*scq), GFP_NOFS);

	if (!scq)
		return NULL;
	scq->cq = cq;
	spin_lock_init(&scq->lock);
	INIT_WORK(&scq->work, strict_cq_work);
	if (!strict_holds())
		return scq;
	scq->size = cq->cqe + 1;
	scq->held = kvcalloc(scq->size, sizeof(*scq->held), GFP_NOFS);
	if (scq->held)
		return scq;
	kfree(scq);
	return NULL;
}

/**
 * strict_cq_get - find or make the shadow of a CQ
 * @sdev: device
 * @cq: CQ of a QP that is checked
 *
 * Context: may sleep; strict_device.lock is held.
 * Return: the shadow, which lives as long as the CQ; or NULL without memory.
 */
struct strict_cq *strict_cq_get(struct strict_device *sdev, struct ib_cq *cq)
{
	struct strict_cq *scq = strict_cq_find(sdev, cq);

	lockdep_assert_held(&sdev->lock);
	if (scq)
		return scq;
	scq = strict_cq_new(cq);
	if (!scq)
		return NULL;
	if (!xa_err(xa_store(&sdev->cqs, (unsigned long)cq, scq, GFP_NOFS)))
		return scq;
	strict_cq_free(scq);
	return NULL;
}

static ktime_t strict_cq_due(const struct ib_wc *wc, ktime_t now)
{
	unsigned int delay = strict_params.delay_us;

	if (wc->status == IB_WC_WR_FLUSH_ERR)
		delay += strict_params.flush_delay_us;
	else if (wc->status != IB_WC_SUCCESS || !(wc->opcode & IB_WC_RECV))
		delay += strict_params.send_delay_us;
	return ktime_add_us(now, delay);
}

/* Takes what the device has */
static void strict_cq_fill(struct strict_device *sdev, struct strict_cq *scq, ktime_t now)
{
	while (scq->count < scq->size) {
		u32 place = (scq->head + scq->count) % scq->size;

		if (sdev->real->poll_cq(scq->cq, 1, &scq->held[place].wc) != 1)
			break;
		scq->held[place].due = strict_cq_due(&scq->held[place].wc, now);
		scq->count++;
		strict_count(STRICT_N_HELD);
	}
}

/* Those behind one that is not due, if none of the same queue is before them */
static int strict_cq_overtake(struct strict_cq *scq, int entries, struct ib_wc *wc, ktime_t now)
{
	unsigned int waiting = 0;
	u32 i, kept = 0;
	int n = 0;

	for (i = 0; i < scq->count; i++) {
		const struct strict_held *held = strict_held_at(scq, i);

		if (n < entries && !(waiting & strict_held_queues(held)) &&
		    ktime_compare(held->due, now) <= 0) {
			wc[n++] = held->wc;
			continue;
		}
		waiting |= strict_held_queues(held);
		*strict_held_at(scq, kept++) = *held;
	}
	scq->count = kept;
	return n;
}

/* What is due now, and all that became due when there was a batch */
static int strict_cq_take(struct strict_cq *scq, int entries, struct ib_wc *wc, ktime_t now)
{
	bool all = scq->count && strict_cq_is_batch(scq);
	int n;

	for (n = 0; n < entries && scq->count; n++) {
		if (!all && ktime_compare(strict_held_at(scq, 0)->due, now) > 0)
			break;
		wc[n] = strict_held_at(scq, 0)->wc;
		scq->head = (scq->head + 1) % scq->size;
		scq->count--;
	}
	if (strict_params.send_delay_us)
		n += strict_cq_overtake(scq, entries - n, wc + n, now);
	return n;
}

static int strict_cq_poll_held(struct strict_device *sdev, struct strict_cq *scq, int entries,
			       struct ib_wc *wc)
{
	ktime_t now = ktime_get();
	unsigned long flags;
	int n;

	spin_lock_irqsave(&scq->lock, flags);
	strict_cq_fill(sdev, scq, now);
	n = strict_cq_take(scq, entries, wc, now);
	strict_cq_polled(scq);
	spin_unlock_irqrestore(&scq->lock, flags);
	return n;
}

/**
 * strict_poll_cq - ib_poll_cq()
 * @cq: CQ
 * @entries: room in @wc
 * @wc: result
 *
 * Context: any.
 * Return: number of completions, or a negative errno.
 */
int strict_poll_cq(struct ib_cq *cq, int entries, struct ib_wc *wc)
{
	struct strict_device *sdev = strict_of(cq->device);
	struct strict_cq *scq = strict_cq_find(sdev, cq);
	int i, n;

	if (!scq)
		return sdev->real->poll_cq(cq, entries, wc);
	atomic64_inc(&scq->polls);
	if (scq->held)
		n = strict_cq_poll_held(sdev, scq, entries, wc);
	else
		n = sdev->real->poll_cq(cq, entries, wc);
	for (i = 0; i < n; i++)
		strict_qp_completed(sdev, &wc[i]);
	return n;
}

/**
 * strict_req_notify_cq - ib_req_notify_cq()
 * @cq: CQ
 * @flags: as there
 *
 * Context: any.
 * Return: 0; 1 if completions may have been missed; or a negative errno.
 */
int strict_req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	struct strict_device *sdev = strict_of(cq->device);
	struct strict_cq *scq = strict_cq_find(sdev, cq);
	unsigned long irq;
	bool due = false;
	int ret;

	ret = sdev->real->req_notify_cq(cq, flags);
	if (!scq || !scq->held)
		return ret;
	spin_lock_irqsave(&scq->lock, irq);
	if (strict_cq_has_due(scq, ktime_get())) {
		due = true;
	} else if (scq->count) {
		scq->armed = true;
		queue_work(system_unbound_wq, &scq->work);
	}
	spin_unlock_irqrestore(&scq->lock, irq);
	return due && ret >= 0 && flags & IB_CQ_REPORT_MISSED_EVENTS ? 1 : ret;
}

/**
 * strict_cq_forget - a QP is destroyed, and its completions with it
 * @scq: its CQ
 * @qp: QP
 *
 * Context: any.
 */
void strict_cq_forget(struct strict_cq *scq, const struct ib_qp *qp)
{
	unsigned long flags;
	u32 i, kept = 0;

	if (!scq->held)
		return;
	spin_lock_irqsave(&scq->lock, flags);
	for (i = 0; i < scq->count; i++) {
		const struct strict_held *held = strict_held_at(scq, i);

		if (held->wc.qp != qp)
			*strict_held_at(scq, kept++) = *held;
	}
	scq->count = kept;
	strict_cq_polled(scq);
	spin_unlock_irqrestore(&scq->lock, flags);
}

/**
 * strict_destroy_cq - ib_destroy_cq()
 * @cq: CQ
 * @udata: of a user
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_destroy_cq(struct ib_cq *cq, struct ib_udata *udata)
{
	struct strict_device *sdev = strict_of(cq->device);
	struct strict_cq *scq = xa_erase(&sdev->cqs, (unsigned long)cq);

	if (scq)
		strict_cq_free(scq);
	return sdev->real->destroy_cq(cq, udata);
}

/**
 * strict_cq_free_all - free what is left
 * @sdev: device that is removed
 *
 * Context: may sleep.
 */
void strict_cq_free_all(struct strict_device *sdev)
{
	struct strict_cq *scq;
	unsigned long index;

	xa_for_each(&sdev->cqs, index, scq)
		strict_cq_free(scq);
	xa_destroy(&sdev->cqs);
}
