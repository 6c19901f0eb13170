// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reliable connections of kernel code: creation, states, and what a completion tells.
 *
 * QPs of programs are left alone. The QPs of CM messages are not checked: the RDMA core had
 * them before the layer was there.
 */
#include <linux/slab.h>
#include "strict.h"

/**
 * strict_qp_find - find the shadow of a QP
 * @sdev: device
 * @qp: QP
 *
 * Context: any; rcu_read_lock(), or the QP is not destroyed meanwhile.
 * Return: the shadow; NULL if the QP is not checked.
 */
struct strict_qp *strict_qp_find(struct strict_device *sdev, const struct ib_qp *qp)
{
	return xa_load(&sdev->qps, (unsigned long)qp);
}

static u32 strict_sq_units(const struct ib_qp_cap *cap)
{
	const struct strict_profile *profile = strict_params.profile;

	return profile && profile->sq_bytes ? profile->sq_bytes(cap) : cap->max_send_wr;
}

/* Returns the error with which an adapter refuses such queues, or 0 */
static int strict_check_cap(const struct ib_device_attr *attrs, const struct ib_qp_cap *cap)
{
	const struct strict_profile *profile = strict_params.profile;

	if (cap->max_send_wr > attrs->max_qp_wr || cap->max_recv_wr > attrs->max_qp_wr ||
	    cap->max_send_sge > attrs->max_send_sge || cap->max_recv_sge > attrs->max_recv_sge)
		return -EINVAL;
	return profile && profile->check_cap ? profile->check_cap(cap) : 0;
}

static void strict_qp_free(struct strict_qp *qp)
{
	strict_queue_free(&qp->sq);
	strict_queue_free(&qp->rq);
	kfree_rcu(qp, rcu);
}

static struct strict_qp *strict_qp_alloc(const struct ib_qp_cap *cap)
{
	struct strict_qp *qp = kzalloc(sizeof(*qp), GFP_NOFS);

	if (!qp)
		return NULL;
	spin_lock_init(&qp->lock);
	INIT_LIST_HEAD(&qp->flushes);
	qp->cap = *cap;
	if (!strict_queue_init(&qp->sq, cap->max_send_wr, strict_sq_units(cap)) &&
	    !strict_queue_init(&qp->rq, cap->max_recv_wr, cap->max_recv_wr))
		return qp;
	strict_qp_free(qp);
	return NULL;
}

static bool strict_qp_insert(struct strict_device *sdev, struct strict_qp *qp,
			     const struct ib_qp_init_attr *init)
{
	qp->send_cq = strict_cq_get(sdev, init->send_cq);
	qp->recv_cq = strict_cq_get(sdev, init->recv_cq);
	qp->pd = strict_pd_get(sdev, qp->qp->pd);
	if (!qp->send_cq || !qp->recv_cq || !qp->pd)
		goto out_put;
	if (xa_err(xa_store(&sdev->qps, (unsigned long)qp->qp, qp, GFP_NOFS)))
		goto out_put;
	atomic_inc(&qp->pd->usable);
	strict_count(STRICT_N_QPS);
	return true;

out_put:
	if (qp->pd)
		strict_pd_put(sdev, qp->pd);
	return false;
}

/**
 * strict_create_qp - ib_create_qp()
 * @ibqp: QP
 * @init: what is asked for
 * @udata: of a user
 *
 * The queues have no more room than was asked for.
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init,
		     struct ib_udata *udata)
{
	struct strict_device *sdev = strict_of(ibqp->device);
	const struct ib_qp_cap cap = init->cap;
	struct strict_qp *qp;
	bool good;
	int ret;

	if (udata || init->qp_type != IB_QPT_RC || init->srq)
		return sdev->real->create_qp(ibqp, init, udata);
	ret = strict_check_cap(&ibqp->device->attrs, &cap);
	if (ret)
		return ret;
	qp = strict_qp_alloc(&cap);
	if (!qp)
		return -ENOMEM;
	ret = sdev->real->create_qp(ibqp, init, udata);
	if (ret) {
		strict_qp_free(qp);
		return ret;
	}
	init->cap = cap;
	qp->qp = ibqp;
	qp->all_signaled = init->sq_sig_type == IB_SIGNAL_ALL_WR;
	mutex_lock(&sdev->lock);
	good = strict_qp_insert(sdev, qp, init);
	mutex_unlock(&sdev->lock);
	if (!good) {
		strict_count(STRICT_N_NO_MEMORY);
		strict_qp_free(qp);
	}
	return 0;
}

/**
 * strict_qp_failed - a QP is known to be in the error state
 * @qp: QP, locked
 *
 * Context: any.
 */
void strict_qp_failed(struct strict_qp *qp)
{
	lockdep_assert_held(&qp->lock);
	if (qp->failed)
		return;
	qp->failed = true;
	atomic_dec(&qp->pd->usable);
}

/* The adapter uses no memory of the QP any more */
static void strict_qp_stopped(struct strict_device *sdev, struct strict_qp *qp)
{
	struct strict_flush *flush, *next;
	u32 i;

	lockdep_assert_held(&qp->lock);
	qp->stopped = true;
	list_for_each_entry_safe(flush, next, &qp->flushes, node) {
		for (i = 0; i < flush->nuses; i++)
			strict_dma_release(sdev, &flush->uses[i]);
		list_del(&flush->node);
		kfree(flush);
	}
}

/**
 * strict_modify_qp - ib_modify_qp()
 * @ibqp: QP
 * @attr: as there
 * @mask: as there
 * @udata: of a user
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		     struct ib_udata *udata)
{
	struct strict_device *sdev = strict_of(ibqp->device);
	int ret = sdev->real->modify_qp(ibqp, attr, mask, udata);
	struct strict_qp *qp = strict_qp_find(sdev, ibqp);
	unsigned long flags;

	if (ret || !qp || !(mask & IB_QP_STATE) || attr->qp_state != IB_QPS_ERR)
		return ret;
	spin_lock_irqsave(&qp->lock, flags);
	strict_qp_failed(qp);
	strict_qp_stopped(sdev, qp);
	spin_unlock_irqrestore(&qp->lock, flags);
	return 0;
}

/* How a work request has ended */
enum strict_end {
	STRICT_END_GOOD,
	STRICT_END_FAILED,
	STRICT_END_MADE_UP,	/* the driver says that it was flushed, and the adapter goes on */
};

/* The adapter may use the memory of a flushed work request for some time still */
static void strict_wr_keep(struct strict_device *sdev, struct strict_qp *qp,
			   const struct strict_wr *swr)
{
	struct strict_flush *flush;
	u32 i;

	if (!swr->nuses)
		return;
	flush = kzalloc(struct_size(flush, uses, swr->nuses), GFP_ATOMIC);
	if (!flush) {
		strict_count(STRICT_N_NO_MEMORY);
		return;
	}
	strict_count(STRICT_N_MADE_UP);
	for (i = 0; i < swr->nuses; i++) {
		flush->uses[i].caller = swr->uses[i].caller;
		strict_dma_share(sdev, &flush->uses[i], &swr->uses[i]);
	}
	flush->nuses = swr->nuses;
	list_add_tail(&flush->node, &qp->flushes);
}

static void strict_wr_done(struct strict_device *sdev, struct strict_qp *qp,
			   struct strict_wr *swr, enum strict_end end, size_t got)
{
	bool good = end == STRICT_END_GOOD;
	u32 i;

	if (end == STRICT_END_MADE_UP)
		strict_wr_keep(sdev, qp, swr);
	for (i = 0; i < swr->nuses; i++) {
		struct strict_use *use = &swr->uses[i];
		size_t here = min(got, use->length);

		if (!use->mapping)
			continue;
		strict_buffer_done(sdev, use, good, here);
		got -= here;
		strict_dma_release(sdev, use);
	}
	if (swr->uses != swr->few)
		kfree(swr->uses);
	swr->uses = NULL;
	swr->nuses = 0;
	if (swr->mr)
		strict_mr_done(sdev, qp, swr, good);
}

static bool strict_is_read(const struct strict_wr *swr)
{
	return swr->opcode == IB_WR_RDMA_READ || swr->opcode == IB_WR_RDMA_READ_WITH_INV;
}

/*
 * siw completes a Send when it has sent it, and an RDMA Read that was posted before it when the
 * response is there. Others complete them in order.
 */
static bool strict_wr_waits(struct strict_qp *qp, const struct strict_queue *queue,
			    const struct strict_wr *swr)
{
	return queue == &qp->sq && swr->signaled && strict_is_read(swr) &&
	       rdma_protocol_iwarp(qp->qp->device, rdma_start_port(qp->qp->device));
}

static void strict_queue_drop_done(struct strict_queue *queue, struct strict_cq *scq)
{
	const struct strict_wr *swr;

	while ((swr = strict_queue_at(queue, 0)) && swr->done) {
		strict_queue_drop(queue);
		atomic_dec(&scq->expected);
	}
}

/* The first @n work requests are complete. The last of these is the one of the completion */
static void strict_queue_done(struct strict_device *sdev, struct strict_qp *qp,
			      struct strict_queue *queue, u32 n, enum strict_end end,
			      size_t got)
{
	bool good = end == STRICT_END_GOOD;
	u32 i;

	for (i = 0; i < n; i++) {
		struct strict_wr *swr = strict_queue_at(queue, i);
		bool last = i == n - 1;

		if (swr->done || (good && !last && strict_wr_waits(qp, queue, swr)))
			continue;
		strict_wr_done(sdev, qp, swr, last ? end : STRICT_END_GOOD, last ? got : 0);
		swr->done = true;
	}
	strict_queue_drop_done(queue, queue == &qp->sq ? qp->send_cq : qp->recv_cq);
}

static void strict_qp_end(struct strict_device *sdev, struct strict_qp *qp)
{
	strict_qp_stopped(sdev, qp);
	strict_queue_done(sdev, qp, &qp->sq, qp->sq.count, STRICT_END_FAILED, 0);
	strict_queue_done(sdev, qp, &qp->rq, qp->rq.count, STRICT_END_FAILED, 0);
}

/**
 * strict_destroy_qp - ib_destroy_qp()
 * @ibqp: QP
 * @udata: of a user
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct strict_device *sdev = strict_of(ibqp->device);
	struct strict_qp *qp = strict_qp_find(sdev, ibqp);
	unsigned long flags;
	int ret = sdev->real->destroy_qp(ibqp, udata);

	if (ret || !qp)
		return ret;
	xa_erase(&sdev->qps, (unsigned long)ibqp);
	strict_cq_forget(qp->send_cq, ibqp);
	strict_cq_forget(qp->recv_cq, ibqp);
	spin_lock_irqsave(&qp->lock, flags);
	qp->gone = true;
	strict_qp_failed(qp);
	strict_qp_end(sdev, qp);
	spin_unlock_irqrestore(&qp->lock, flags);
	mutex_lock(&sdev->lock);
	strict_pd_put(sdev, qp->pd);
	mutex_unlock(&sdev->lock);
	strict_qp_free(qp);
	return 0;
}

/* Only a failed work request has a completion without asking for it */
static u32 strict_queue_match(struct strict_qp *qp, struct strict_queue *queue,
			      const struct ib_wc *wc)
{
	struct strict_wr *swr;
	u32 i;

	for (i = 0; (swr = strict_queue_at(queue, i)); i++)
		if (swr->wr_id == wc->wr_id && !swr->done &&
		    (wc->status != IB_WC_SUCCESS || queue == &qp->rq || swr->signaled))
			return i + 1;
	return 0;
}

/* Of a failed completion the opcode is not defined: both queues are searched */
static struct strict_queue *strict_wc_queue(struct strict_qp *qp, const struct ib_wc *wc,
					    u32 *n)
{
	if (wc->status == IB_WC_SUCCESS) {
		struct strict_queue *queue = wc->opcode & IB_WC_RECV ? &qp->rq : &qp->sq;

		*n = strict_queue_match(qp, queue, wc);
		return queue;
	}
	*n = strict_queue_match(qp, &qp->sq, wc);
	if (*n)
		return &qp->sq;
	*n = strict_queue_match(qp, &qp->rq, wc);
	return &qp->rq;
}

static enum strict_end strict_wc_end(const struct strict_qp *qp, const struct ib_wc *wc)
{
	const struct strict_profile *profile = strict_params.profile;

	if (wc->status == IB_WC_SUCCESS)
		return STRICT_END_GOOD;
	return wc->status == IB_WC_WR_FLUSH_ERR && !qp->stopped && profile &&
	       profile->flushes_early ? STRICT_END_MADE_UP : STRICT_END_FAILED;
}

static void strict_wc_done(struct strict_device *sdev, struct strict_qp *qp,
			   const struct ib_wc *wc)
{
	bool good = wc->status == IB_WC_SUCCESS;
	struct strict_queue *queue;
	u32 n;

	lockdep_assert_held(&qp->lock);
	if (!good)
		strict_qp_failed(qp);
	queue = strict_wc_queue(qp, wc, &n);
	/* After the first failure a device may complete in any way what is flushed */
	strict_expect(n || !good, STRICT_COMPLETION, NULL,
		      "QP %u has a completion of nothing that is posted, wr_id %#llx, opcode %d",
		      wc->qp->qp_num, wc->wr_id, wc->opcode);
	strict_queue_done(sdev, qp, queue, n, strict_wc_end(qp, wc),
			  good && queue == &qp->rq ? wc->byte_len : 0);
}

static void strict_qp_complete(struct strict_device *sdev, struct strict_qp *qp,
			       const struct ib_wc *wc)
{
	unsigned long flags;
	bool gone;

	strict_count(STRICT_N_COMPLETIONS);
	strict_cm_completed(wc);
	spin_lock_irqsave(&qp->lock, flags);
	gone = qp->gone;
	if (!gone)
		strict_wc_done(sdev, qp, wc);
	spin_unlock_irqrestore(&qp->lock, flags);
	if (!gone && wc->status == IB_WC_SUCCESS && wc->opcode & IB_WC_RECV &&
	    wc->wc_flags & IB_WC_WITH_INVALIDATE)
		strict_mr_invalidated(sdev, qp, wc->ex.invalidate_rkey);
}

/**
 * strict_qp_completed - a completion is given to who polls
 * @sdev: device
 * @wc: completion
 *
 * Its QP may be destroyed meanwhile: the CQ is not always of the same user.
 *
 * Context: any.
 */
void strict_qp_completed(struct strict_device *sdev, const struct ib_wc *wc)
{
	struct strict_qp *qp;

	rcu_read_lock();
	qp = wc->qp ? strict_qp_find(sdev, wc->qp) : NULL;
	if (qp)
		strict_qp_complete(sdev, qp, wc);
	rcu_read_unlock();
}

/**
 * strict_qp_free_all - free what is left
 * @sdev: device that is removed
 *
 * Context: may sleep.
 */
void strict_qp_free_all(struct strict_device *sdev)
{
	unsigned long index, flags;
	struct strict_qp *qp;

	xa_for_each(&sdev->qps, index, qp) {
		strict_report(STRICT_QP_FREED, NULL, "QP %u is left when the device is removed",
			      qp->qp->qp_num);
		spin_lock_irqsave(&qp->lock, flags);
		strict_qp_end(sdev, qp);
		spin_unlock_irqrestore(&qp->lock, flags);
		strict_qp_free(qp);
	}
	xa_destroy(&sdev->qps);
}
