// SPDX-License-Identifier: GPL-2.0-only
/*
 * Posting. Work requests go to the device one at a time, with pointers in place of DMA
 * addresses. What breaks a rule in a way that the device could not survive is refused, as an
 * adapter would complete it in error.
 */
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include "strict.h"

union strict_send_wr {
	struct ib_send_wr	wr;
	struct ib_rdma_wr	rdma;
	struct ib_atomic_wr	atomic;
	struct ib_ud_wr		ud;
	struct ib_reg_wr	reg;
};

struct strict_post {
	struct strict_device	*sdev;
	struct strict_qp	*qp;
	struct strict_wr	*swr;
	const void		*caller;
	struct ib_sge		sges[STRICT_SGES_MAX];
};

/* Returns 0 for an opcode that is not known: how long is such a work request? */
static size_t strict_wr_size(const struct ib_qp *qp, const struct ib_send_wr *wr)
{
	if (qp->qp_type == IB_QPT_UD || qp->qp_type == IB_QPT_GSI ||
	    qp->qp_type == IB_QPT_SMI)
		return sizeof(struct ib_ud_wr);
	switch (wr->opcode) {
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
	case IB_WR_RDMA_READ:
	case IB_WR_RDMA_READ_WITH_INV:
#ifdef STRICT_HAS_FLUSH
	case IB_WR_FLUSH:
	case IB_WR_ATOMIC_WRITE:
#endif
		return sizeof(struct ib_rdma_wr);
	case IB_WR_ATOMIC_CMP_AND_SWP:
	case IB_WR_ATOMIC_FETCH_AND_ADD:
	case IB_WR_MASKED_ATOMIC_CMP_AND_SWP:
	case IB_WR_MASKED_ATOMIC_FETCH_AND_ADD:
		return sizeof(struct ib_atomic_wr);
	case IB_WR_REG_MR:
	case IB_WR_REG_MR_INTEGRITY:
		return sizeof(struct ib_reg_wr);
	case IB_WR_SEND:
	case IB_WR_SEND_WITH_IMM:
	case IB_WR_SEND_WITH_INV:
	case IB_WR_LOCAL_INV:
		return sizeof(struct ib_send_wr);
	default:
		return 0;
	}
}

static bool strict_wr_reads_local(const struct ib_send_wr *wr)
{
	return wr->opcode != IB_WR_RDMA_READ && wr->opcode != IB_WR_RDMA_READ_WITH_INV;
}

/* Number of ranges that the SGEs name: an MR has one for each of its entries */
static u32 strict_uses_wanted(struct strict_device *sdev, const struct ib_pd *pd,
			      const struct ib_sge *sges, int n)
{
	u32 wanted = 0;
	int i;

	for (i = 0; i < n; i++) {
		const struct strict_mr *mr = NULL;

		if (sges[i].lkey != pd->local_dma_lkey)
			mr = strict_mr_find(sdev, sges[i].lkey);
		wanted += mr ? READ_ONCE(mr->nuses) : 1;
	}
	return wanted;
}

/* One SGE: @post->sges[i] is a copy of it, and gets a pointer if it is a DMA address */
static int strict_use_sge(struct strict_post *post, struct ib_sge *sge, bool reads, u32 max)
{
	struct strict_wr *swr = post->swr;
	struct strict_use *use = &swr->uses[swr->nuses];

	if (sge->lkey != post->qp->qp->pd->local_dma_lkey) {
		swr->nuses += strict_mr_use(post->sdev, post->qp, sge, !reads, use,
					    max - swr->nuses, post->caller);
		return 0;
	}
	if (!post->sdev->dma || !sge->length)
		return 0;
	if (swr->nuses == max)
		return -EINVAL;
	*use = (struct strict_use) { .caller = post->caller };
	if (!strict_dma_use(post->sdev, use, sge->addr, sge->length,
			    reads ? DMA_TO_DEVICE : DMA_FROM_DEVICE))
		return -EINVAL;
	swr->nuses++;
	strict_buffer_posted(post->sdev, use, reads);
	sge->addr = (uintptr_t)strict_use_pointer(use);
	return 0;
}

static int strict_use_sges(struct strict_post *post, const struct ib_sge *sges, int n,
			   bool reads)
{
	u32 max = strict_uses_wanted(post->sdev, post->qp->qp->pd, sges, n);
	int i, ret;

	memcpy(post->sges, sges, n * sizeof(*sges));
	if (max <= ARRAY_SIZE(post->swr->few))
		post->swr->uses = post->swr->few;
	else
		post->swr->uses = kcalloc(max, sizeof(struct strict_use), GFP_ATOMIC);
	if (!post->swr->uses)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		ret = strict_use_sge(post, &post->sges[i], reads, max);
		if (ret)
			return ret;
	}
	return 0;
}

/* What was noted of a work request that is not posted after all */
static void strict_post_undo(struct strict_post *post, struct strict_queue *queue)
{
	struct strict_wr *swr = post->swr;
	u32 i;

	for (i = 0; i < swr->nuses; i++)
		strict_dma_release(post->sdev, &swr->uses[i]);
	if (swr->uses != swr->few)
		kfree(swr->uses);
	swr->uses = NULL;
	strict_queue_undo(queue);
}

static void strict_cq_expect(struct strict_cq *scq, const void *caller)
{
	int expected = atomic_inc_return(&scq->expected);

	strict_expect(expected <= scq->cq->cqe, STRICT_CQ_OVERFLOW, caller,
		      "%d completions may come and the CQ has room for %d", expected,
		      scq->cq->cqe);
}

/* On a QP that has failed the last work request of each queue is one without memory */
static void strict_check_drain(struct strict_post *post, struct strict_queue *queue,
			       int num_sge, const char *what)
{
	strict_expect(!queue->drained, STRICT_DRAIN, post->caller,
		      "QP %u: a %s is posted behind the marker of ib_drain_qp()",
		      post->qp->qp->qp_num, what);
	if (post->qp->failed && !num_sge)
		queue->drained = true;
}

/* Before it is posted: later the peer may have answered */
static void strict_note_remote(struct strict_post *post, const struct ib_send_wr *wr)
{
	switch (wr->opcode) {
	case IB_WR_SEND_WITH_INV:
		strict_mr_remote(post->sdev, wr->ex.invalidate_rkey);
		break;
	case IB_WR_RDMA_READ_WITH_INV:
	case IB_WR_RDMA_READ:
	case IB_WR_RDMA_WRITE:
		strict_mr_remote(post->sdev, rdma_wr(wr)->rkey);
		break;
	default:
		break;
	}
}

/* When it is posted: until then its MR is as it was. No completion is seen meanwhile */
static void strict_note_mr(struct strict_post *post, const struct ib_send_wr *wr)
{
	switch (wr->opcode) {
	case IB_WR_REG_MR:
	case IB_WR_REG_MR_INTEGRITY:
		strict_mr_register(post->sdev, post->qp, post->swr, reg_wr(wr));
		break;
	case IB_WR_LOCAL_INV:
		strict_mr_invalidate(post->sdev, post->qp, post->swr,
				     wr->ex.invalidate_rkey);
		break;
	case IB_WR_RDMA_READ_WITH_INV:
		/* What it writes to. rdma_rw leaves an old key in ex.invalidate_rkey */
		if (wr->num_sge)
			strict_mr_invalidate(post->sdev, post->qp, post->swr,
					     wr->sg_list->lkey);
		break;
	default:
		break;
	}
}

static bool strict_sges_fit(const struct strict_post *post, const struct ib_send_wr *wr)
{
	u32 max = post->qp->cap.max_send_sge;

	if (!strict_wr_reads_local(wr))
		max = min_t(u32, max, post->qp->qp->device->attrs.max_sge_rd);
	return strict_expect(wr->num_sge <= max && wr->num_sge <= STRICT_SGES_MAX,
			     STRICT_SGES, post->caller,
			     "%d SGEs in a work request (opcode %d), there may be %u",
			     wr->num_sge, wr->opcode, max);
}

static u32 strict_send_units(const struct ib_send_wr *wr)
{
	const struct strict_profile *profile = strict_params.profile;

	return profile && profile->sq_bytes ? profile->wqe_bytes(wr) : 1;
}

static bool strict_has_opcode(const struct ib_send_wr *wr)
{
	const struct strict_profile *profile = strict_params.profile;

	return !profile || wr->opcode >= 64 || !(profile->no_opcodes & BIT_ULL(wr->opcode));
}

static bool strict_has_sges(const struct ib_send_wr *wr)
{
	return !(wr->send_flags & IB_SEND_INLINE) && wr->opcode != IB_WR_REG_MR &&
	       wr->opcode != IB_WR_REG_MR_INTEGRITY && wr->opcode != IB_WR_LOCAL_INV;
}

static int strict_send_prepare(struct strict_post *post, const struct ib_send_wr *wr,
			       union strict_send_wr *copy)
{
	int ret;

	memcpy(copy, wr, strict_wr_size(post->qp->qp, wr));
	copy->wr.next = NULL;
	if (!strict_has_sges(wr))
		return 0;
	if (!strict_sges_fit(post, wr))
		return -EINVAL;
	ret = strict_use_sges(post, wr->sg_list, wr->num_sge, strict_wr_reads_local(wr));
	copy->wr.sg_list = post->sges;
	return ret;
}

static int strict_send_one(struct strict_post *post, const struct ib_send_wr *wr)
{
	struct strict_qp *qp = post->qp;
	const struct ib_send_wr *bad;
	union strict_send_wr copy;
	int ret;

	strict_count(STRICT_N_SENDS);
	if (!strict_has_opcode(wr) || !strict_wr_size(qp->qp, wr))
		return -EINVAL;
	post->swr = strict_queue_add(&qp->sq, strict_send_units(wr));
	if (!strict_expect(post->swr, STRICT_SQ_OVERFLOW, post->caller,
			   "QP %u: %u work requests are posted (%u of %u units), opcode %d",
			   qp->qp->qp_num, qp->sq.count, qp->sq.units, qp->sq.limit,
			   wr->opcode))
		return -ENOMEM;
	strict_check_drain(post, &qp->sq, wr->opcode == IB_WR_RDMA_WRITE ? wr->num_sge : 1,
			   "Send");
	post->swr->wr_id = wr->wr_id;
	post->swr->opcode = wr->opcode;
	post->swr->signaled = qp->all_signaled || wr->send_flags & IB_SEND_SIGNALED;
	post->swr->caller = post->caller;
	ret = strict_send_prepare(post, wr, &copy);
	if (!ret) {
		strict_note_remote(post, wr);
		ret = post->sdev->real->post_send(qp->qp, &copy.wr, &bad);
	}
	if (ret) {
		strict_post_undo(post, &qp->sq);
		return ret;
	}
	strict_note_mr(post, wr);
	strict_cq_expect(qp->send_cq, post->caller);
	return 0;
}

/* A QP of the RDMA core: addresses are translated, and nothing is checked */
static int strict_translate(struct strict_device *sdev, struct ib_sge *to,
			    const struct ib_sge *from, int n)
{
	int i;

	if (n > STRICT_SGES_MAX)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		void *pointer = strict_dma_pointer(sdev, from[i].addr, from[i].length);

		if (!pointer && from[i].length)
			return -EINVAL;
		to[i] = from[i];
		to[i].addr = (uintptr_t)pointer;
	}
	return 0;
}

static noinline_for_stack int
strict_send_core(struct strict_device *sdev, struct ib_qp *ibqp,
		 const struct ib_send_wr *wr)
{
	struct ib_sge sges[STRICT_SGES_MAX];
	const struct ib_send_wr *bad;
	size_t size = strict_wr_size(ibqp, wr);
	union strict_send_wr copy;
	int ret;

	if (!size)
		return -EINVAL;
	memcpy(&copy, wr, size);
	copy.wr.next = NULL;
	if (!(wr->send_flags & IB_SEND_INLINE) && wr->num_sge) {
		ret = strict_translate(sdev, sges, wr->sg_list, wr->num_sge);
		if (ret)
			return ret;
		copy.wr.sg_list = sges;
	}
	return sdev->real->post_send(ibqp, &copy.wr, &bad);
}

/* Returns the first work request that was not posted, or NULL */
static const struct ib_send_wr *strict_send_all(struct strict_post *post,
						const struct ib_send_wr *wr, int *ret)
{
	unsigned long flags;

	rcu_read_lock();	/* for MRs that are found by handle */
	spin_lock_irqsave(&post->qp->lock, flags);
	for (; wr; wr = wr->next) {
		*ret = strict_send_one(post, wr);
		if (*ret)
			break;
	}
	spin_unlock_irqrestore(&post->qp->lock, flags);
	rcu_read_unlock();
	return wr;
}

static const struct ib_send_wr *strict_send_core_all(struct strict_post *post,
						     struct ib_qp *ibqp,
						     const struct ib_send_wr *wr, int *ret)
{
	for (; wr; wr = wr->next) {
		*ret = strict_send_core(post->sdev, ibqp, wr);
		if (*ret)
			break;
	}
	return wr;
}

/**
 * strict_post_send - ib_post_send()
 * @ibqp: QP
 * @first: work requests
 * @bad: result after an error: the first one that was not posted
 *
 * Context: any.
 * Return: 0 or a negative errno.
 */
int strict_post_send(struct ib_qp *ibqp, const struct ib_send_wr *first,
		     const struct ib_send_wr **bad)
{
	struct strict_post post = {
		.sdev	= strict_of(ibqp->device),
		.caller	= __builtin_return_address(0),
	};
	const struct ib_send_wr *wr;
	int ret = 0;

	post.qp = strict_qp_find(post.sdev, ibqp);
	if (!post.qp && (ibqp->uobject || !post.sdev->dma))
		return post.sdev->real->post_send(ibqp, first, bad);
	wr = post.qp ? strict_send_all(&post, first, &ret) :
		       strict_send_core_all(&post, ibqp, first, &ret);
	if (ret)
		*bad = wr;
	return ret;
}

static int strict_recv_one(struct strict_post *post, const struct ib_recv_wr *wr)
{
	struct strict_qp *qp = post->qp;
	struct ib_recv_wr copy = *wr;
	const struct ib_recv_wr *bad;
	int ret;

	strict_count(STRICT_N_RECVS);
	post->swr = strict_queue_add(&qp->rq, 1);
	if (!strict_expect(post->swr, STRICT_RQ_OVERFLOW, post->caller,
			   "QP %u: %u Receives are posted", qp->qp->qp_num, qp->rq.count))
		return -ENOMEM;
	strict_check_drain(post, &qp->rq, wr->num_sge, "Receive");
	post->swr->wr_id = wr->wr_id;
	post->swr->caller = post->caller;
	copy.next = NULL;
	copy.sg_list = post->sges;
	ret = strict_expect(wr->num_sge <= qp->cap.max_recv_sge &&
			    wr->num_sge <= STRICT_SGES_MAX, STRICT_SGES, post->caller,
			    "%d SGEs in a Receive, there may be %u", wr->num_sge,
			    qp->cap.max_recv_sge) ?
	      strict_use_sges(post, wr->sg_list, wr->num_sge, false) : -EINVAL;
	if (!ret)
		ret = post->sdev->real->post_recv(qp->qp, &copy, &bad);
	if (ret)
		strict_post_undo(post, &qp->rq);
	else
		strict_cq_expect(qp->recv_cq, post->caller);
	return ret;
}

static noinline_for_stack int
strict_recv_core(struct strict_device *sdev, struct ib_qp *ibqp,
		 const struct ib_recv_wr *wr)
{
	struct ib_sge sges[STRICT_SGES_MAX];
	struct ib_recv_wr copy = *wr;
	const struct ib_recv_wr *bad;
	int ret = strict_translate(sdev, sges, wr->sg_list, wr->num_sge);

	if (ret)
		return ret;
	copy.next = NULL;
	copy.sg_list = sges;
	return sdev->real->post_recv(ibqp, &copy, &bad);
}

/* Returns the first work request that was not posted, or NULL */
static const struct ib_recv_wr *strict_recv_all(struct strict_post *post,
						const struct ib_recv_wr *wr, int *ret)
{
	unsigned long flags;

	rcu_read_lock();	/* for MRs that are found by handle */
	spin_lock_irqsave(&post->qp->lock, flags);
	for (; wr; wr = wr->next) {
		*ret = strict_recv_one(post, wr);
		if (*ret)
			break;
	}
	spin_unlock_irqrestore(&post->qp->lock, flags);
	rcu_read_unlock();
	return wr;
}

static const struct ib_recv_wr *strict_recv_core_all(struct strict_post *post,
						     struct ib_qp *ibqp,
						     const struct ib_recv_wr *wr, int *ret)
{
	for (; wr; wr = wr->next) {
		*ret = strict_recv_core(post->sdev, ibqp, wr);
		if (*ret)
			break;
	}
	return wr;
}

/**
 * strict_post_recv - ib_post_recv()
 * @ibqp: QP
 * @first: work requests
 * @bad: result after an error: the first one that was not posted
 *
 * Context: any.
 * Return: 0 or a negative errno.
 */
int strict_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *first,
		     const struct ib_recv_wr **bad)
{
	struct strict_post post = {
		.sdev	= strict_of(ibqp->device),
		.caller	= __builtin_return_address(0),
	};
	const struct ib_recv_wr *wr;
	int ret = 0;

	post.qp = strict_qp_find(post.sdev, ibqp);
	if (!post.qp && (ibqp->uobject || !post.sdev->dma))
		return post.sdev->real->post_recv(ibqp, first, bad);
	wr = post.qp ? strict_recv_all(&post, first, &ret) :
		       strict_recv_core_all(&post, ibqp, first, &ret);
	if (ret)
		*bad = wr;
	return ret;
}
