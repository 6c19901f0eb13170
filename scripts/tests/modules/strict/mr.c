// SPDX-License-Identifier: GPL-2.0-only
/*
 * MRs for fast registration: state, handle, rights and memory.
 *
 * An MR is registered from the post of its registration to the poll of what says that it is
 * not: the completion of an invalidation, or of a later work request of the same queue; or a
 * message that has invalidated its handle. Until then its memory must stay mapped.
 *
 * rdma_rw invalidates an MR only when it is used again, after its memory was unmapped. Those
 * MRs have no handle that a peer was given (but on iWARP, where that is a weakness of
 * rdma_rw), so this is not reported; a work request that names the handle is.
 */
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "strict.h"

static unsigned long strict_mr_index(u32 key)
{
	return key >> 8;
}

/**
 * strict_mr_find - find an MR by handle
 * @sdev: device
 * @key: its lkey or rkey, with any key byte
 *
 * Context: any; rcu_read_lock(), or the caller owns the MR. It may have been freed by the time
 * that strict_device.mr_lock is taken: strict_mr.dead.
 * Return: the MR, or NULL if it is not one for fast registration of this device.
 */
struct strict_mr *strict_mr_find(struct strict_device *sdev, u32 key)
{
	return xa_load(&sdev->mrs, strict_mr_index(key));
}

static struct strict_mr *strict_mr_of(struct strict_device *sdev, const struct ib_mr *ibmr)
{
	struct strict_mr *mr = strict_mr_find(sdev, ibmr->lkey);

	return mr && mr->mr == ibmr ? mr : NULL;
}

static bool strict_mr_store(struct strict_device *sdev, struct strict_mr *mr,
			    struct ib_pd *pd)
{
	lockdep_assert_held(&sdev->lock);
	mr->pd = strict_pd_get(sdev, pd);
	if (!mr->pd)
		return false;
	if (!xa_err(xa_store(&sdev->mrs, strict_mr_index(mr->mr->lkey), mr, GFP_NOFS)))
		return true;
	strict_pd_put(sdev, mr->pd);
	return false;
}

static bool strict_mr_insert(struct strict_device *sdev, struct ib_mr *ibmr,
			     struct ib_pd *pd, u32 max)
{
	struct strict_mr *mr;
	bool good;

	mr = kvzalloc(struct_size(mr, uses, max), GFP_NOFS);
	if (!mr) {
		strict_count(STRICT_N_NO_MEMORY);
		return false;
	}
	mr->mr = ibmr;
	mr->max = max;
	mutex_lock(&sdev->lock);
	good = strict_mr_store(sdev, mr, pd);
	mutex_unlock(&sdev->lock);
	strict_count(good ? STRICT_N_MRS : STRICT_N_NO_MEMORY);
	if (!good)
		kvfree(mr);
	return good;
}

/* An MR without a shadow: its memory would not be translated. The core has not set it up yet */
static struct ib_mr *strict_mr_refuse(struct strict_device *sdev, struct ib_mr *ibmr,
				      struct ib_pd *pd)
{
	ibmr->device = pd->device;
	ibmr->pd = pd;
	sdev->real->dereg_mr(ibmr, NULL);
	return ERR_PTR(-ENOMEM);
}

/**
 * strict_alloc_mr - ib_alloc_mr()
 * @pd: PD
 * @type: type
 * @max: most pages
 *
 * Context: may sleep.
 * Return: the MR or a negative errno.
 */
struct ib_mr *strict_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max)
{
	struct strict_device *sdev = strict_of(pd->device);
	struct ib_mr *ibmr;

	if (max > pd->device->attrs.max_fast_reg_page_list_len)
		return ERR_PTR(-EINVAL);
	ibmr = sdev->real->alloc_mr(pd, type, max);
	if (IS_ERR(ibmr) || strict_mr_insert(sdev, ibmr, pd, max) || !sdev->dma)
		return ibmr;
	return strict_mr_refuse(sdev, ibmr, pd);
}

/* The memory is not that of the MR any more */
static void strict_mr_drop(struct strict_device *sdev, struct strict_mr *mr)
{
	u32 i;

	lockdep_assert_held(&sdev->mr_lock);
	for (i = 0; i < mr->nuses; i++)
		strict_dma_release(sdev, &mr->uses[i]);
	mr->nuses = 0;
}

/* Work requests that are posted have pointers to it: the last of them frees it */
static void strict_mr_free(struct strict_device *sdev, struct strict_mr *mr)
{
	struct strict_pd *pd = mr->pd;
	unsigned long flags;
	bool posted;

	spin_lock_irqsave(&sdev->mr_lock, flags);
	strict_mr_drop(sdev, mr);
	mr->dead = true;
	posted = mr->posted;
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
	mutex_lock(&sdev->lock);
	strict_pd_put(sdev, pd);
	mutex_unlock(&sdev->lock);
	if (!posted)
		kvfree_rcu(mr, rcu);
}

/**
 * strict_dereg_mr - ib_dereg_mr()
 * @ibmr: MR of any kind
 * @udata: of a user
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	struct strict_device *sdev = strict_of(ibmr->device);
	struct strict_mr *mr = strict_mr_of(sdev, ibmr);
	u32 key = ibmr->lkey;
	int ret;

	if (mr) {
		strict_expect(!mr->posted, STRICT_MR_FREED, __builtin_return_address(0),
			      "the MR %#x is freed while %u work requests for it are posted",
			      mr->key, mr->posted);
		xa_erase(&sdev->mrs, strict_mr_index(key));
	}
	ret = sdev->real->dereg_mr(ibmr, udata);
	if (!mr)
		return ret;
	if (ret)
		xa_store(&sdev->mrs, strict_mr_index(key), mr, GFP_NOFS);
	else
		strict_mr_free(sdev, mr);
	return ret;
}

/**
 * strict_mr_exposed - can a peer or a work request access the memory of an MR?
 * @mr: MR
 *
 * Context: any.
 * Return: true if it can.
 */
bool strict_mr_exposed(const struct strict_mr *mr)
{
	return !mr->pooled && READ_ONCE(mr->state) != STRICT_MR_INVALID &&
	       atomic_read(&mr->pd->usable);
}

static void strict_mr_set_uses(struct strict_device *sdev, struct strict_mr *mr,
			       struct scatterlist *sgl, int nents)
{
	struct scatterlist *sg;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&sdev->mr_lock, flags);
	strict_mr_drop(sdev, mr);
	for_each_sg(sgl, sg, nents, i) {
		struct strict_use *use = &mr->uses[mr->nuses];

		if (mr->nuses == mr->max)
			break;
		*use = (struct strict_use) { .mr = mr };
		strict_dma_use(sdev, use, sg_dma_address(sg), sg_dma_len(sg), DMA_NONE);
		mr->nuses++;
	}
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
}

static bool strict_mr_has_memory(const struct strict_mr *mr)
{
	u32 i;

	for (i = 0; i < mr->nuses; i++)
		if (!mr->uses[i].mapping)
			return false;
	return true;
}

/* The device below the layer gets pointers; the addresses of the caller stay */
static int strict_map_translated(struct strict_device *sdev, struct strict_mr *mr,
				 struct scatterlist *sgl, int nents, unsigned int *offset)
{
	u64 first = sg_dma_address(sgl) + (offset ? *offset : 0);
	struct scatterlist *sg;
	unsigned int i;
	int ret;

	strict_mr_set_uses(sdev, mr, sgl, nents);
	if (!strict_mr_has_memory(mr))
		return -EINVAL;
	for_each_sg(sgl, sg, mr->nuses, i)
		sg_dma_address(sg) = (uintptr_t)strict_use_pointer(&mr->uses[i]);
	ret = sdev->real->map_mr_sg(mr->mr, sgl, nents, offset);
	for_each_sg(sgl, sg, mr->nuses, i)
		sg_dma_address(sg) = mr->uses[i].mapping->addr + mr->uses[i].offset;
	mr->mr->iova = first;
	mr->first = first;
	return ret;
}

/* How many entries have room in the MR. Its size is in pages, and an entry may be many of them */
static int strict_mr_fitting(const struct strict_mr *mr, struct scatterlist *sgl, int nents)
{
	u32 size = mr->mr->page_size;
	struct scatterlist *sg;
	u64 pages = 0;
	int i;

	for_each_sg(sgl, sg, nents, i) {
		pages += DIV_ROUND_UP((sg_dma_address(sg) & (size - 1)) + sg_dma_len(sg), size);
		if (pages > mr->max)
			break;
	}
	return i;
}

/**
 * strict_map_mr_sg - ib_map_mr_sg()
 * @ibmr: MR
 * @sg: memory, mapped
 * @nents: entries
 * @offset: into the first one, or NULL
 *
 * Context: any.
 * Return: entries that are in the MR, or a negative errno.
 */
int strict_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents,
		     unsigned int *offset)
{
	struct strict_device *sdev = strict_of(ibmr->device);
	struct strict_mr *mr = strict_mr_of(sdev, ibmr);
	int fitting;

	if (!mr)
		return sdev->real->map_mr_sg(ibmr, sg, nents, offset);
	mr->pooled = ibmr->qp_entry.next;
	strict_expect(!strict_mr_exposed(mr), STRICT_MR_LIVE, __builtin_return_address(0),
		      "other memory is mapped for the MR %#x, which is not invalidated (state %d)",
		      mr->key, mr->state);
	fitting = strict_mr_fitting(mr, sg, nents);
	if (fitting < nents)
		return fitting;
	if (sdev->dma)
		return strict_map_translated(sdev, mr, sg, nents, offset);
	nents = sdev->real->map_mr_sg(ibmr, sg, nents, offset);
	mr->first = ibmr->iova;
	return nents;
}

static bool strict_mr_may_register(const struct strict_mr *mr, const struct strict_qp *qp)
{
	return mr->state == STRICT_MR_INVALID ||
	       (mr->state == STRICT_MR_ENDING && mr->ender == qp);
}

static void strict_mr_check_rights(const struct strict_mr *mr, int access, const void *caller)
{
	bool to = access & IB_ACCESS_REMOTE_READ;
	bool from = access & IB_ACCESS_REMOTE_WRITE;
	bool mapped = true, right = true;
	u32 i;

	strict_expect(!from || access & IB_ACCESS_LOCAL_WRITE, STRICT_MR_RIGHTS, caller,
		      "the MR %#x is registered for remote but not for local writing (%#x)",
		      mr->key, access);
	for (i = 0; i < mr->nuses; i++) {
		const struct strict_mapping *mapping = mr->uses[i].mapping;

		mapped &= mapping && READ_ONCE(mapping->mapped);
		if (!mapping || mapping->dir == DMA_BIDIRECTIONAL || mr->pooled)
			continue;
		right &= !(to && mapping->dir != DMA_TO_DEVICE) &&
			 !(from && mapping->dir != DMA_FROM_DEVICE);
	}
	if (!mr->nuses)
		return;
	strict_expect(mapped, STRICT_DMA_ADDRESS, caller,
		      "memory that is not mapped is registered, MR %#x", mr->key);
	strict_expect(right, STRICT_DMA_DIRECTION, caller,
		      "the MR %#x is registered with rights %#x that its DMA direction does not allow",
		      mr->key, access);
}

static void strict_mr_posted(struct strict_mr *mr, struct strict_wr *swr)
{
	swr->mr = mr;
	swr->serial = ++mr->serial;
	mr->posted++;
}

static void strict_mr_set(struct strict_device *sdev, struct strict_qp *qp,
			  struct strict_mr *mr, struct strict_wr *swr,
			  const struct ib_reg_wr *wr)
{
	const void *caller = swr->caller;

	strict_expect(mr->pd->pd == qp->qp->pd, STRICT_MR_PD, caller,
		      "the MR %#x is registered on a QP of another PD", wr->key);
	strict_expect(strict_mr_may_register(mr, qp), STRICT_MR_LIVE, caller,
		      "the MR %#x is registered (key %#x) and was not invalidated (state %d)",
		      mr->key, wr->key, mr->state);
	strict_expect(strict_mr_index(wr->key) == strict_mr_index(wr->mr->lkey), STRICT_KEY,
		      caller, "the MR %#x is registered with the handle %#x of another one",
		      wr->mr->lkey, wr->key);
	strict_expect(!mr->serial || mr->key != wr->key, STRICT_KEY, caller,
		      "the MR %#x is registered with the same key again", wr->key);
	mr->state = STRICT_MR_VALID;
	mr->key = wr->key;
	mr->access = wr->access;
	mr->iova = wr->mr->iova;
	mr->length = wr->mr->length;
	strict_expect(!offset_in_page(mr->iova ^ mr->first), STRICT_MR_BOUNDS, caller,
		      "the MR %#x is registered at %#llx, its memory begins at %#llx in a page",
		      mr->key, mr->iova, mr->first);
	strict_mr_check_rights(mr, wr->access, caller);
	strict_mr_posted(mr, swr);
}

/**
 * strict_mr_register - a registration was posted
 * @sdev: device
 * @qp: QP
 * @swr: shadow of the work request
 * @wr: work request
 *
 * Context: any; strict_qp.lock is held.
 */
void strict_mr_register(struct strict_device *sdev, struct strict_qp *qp,
			struct strict_wr *swr, const struct ib_reg_wr *wr)
{
	struct strict_mr *mr = strict_mr_of(sdev, wr->mr);
	unsigned long flags;

	lockdep_assert_held(&qp->lock);
	strict_count(STRICT_N_REGISTRATIONS);
	if (!mr)
		return;
	spin_lock_irqsave(&sdev->mr_lock, flags);
	mr->pooled = wr->mr->qp_entry.next;
	strict_mr_set(sdev, qp, mr, swr, wr);
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
}

/* An adapter has MRs of other kinds, and those that there was no memory for: only counted */
static bool strict_mr_may_be_unknown(struct strict_device *sdev)
{
	if (sdev->dma)
		return false;
	strict_count(STRICT_N_UNKNOWN_KEYS);
	return true;
}

/*
 * The handler of the completion that has ended the registration may not have run, and this
 * is another task.
 */
static bool strict_mr_just_ended(const struct strict_mr *mr)
{
	return mr->state == STRICT_MR_INVALID && mr->cq &&
	       atomic64_read(&mr->cq->polls) == mr->polls && mr->poller != current;
}

/**
 * strict_mr_invalidate - a local invalidation was posted, or an RDMA Read with one
 * @sdev: device
 * @qp: QP
 * @swr: shadow of the work request
 * @key: handle
 *
 * Context: any; strict_qp.lock is held.
 */
void strict_mr_invalidate(struct strict_device *sdev, struct strict_qp *qp,
			  struct strict_wr *swr, u32 key)
{
	struct strict_mr *mr = strict_mr_find(sdev, key);
	unsigned long flags;

	lockdep_assert_held(&qp->lock);
	strict_count(STRICT_N_INVALIDATIONS);
	if (!mr && strict_mr_may_be_unknown(sdev))
		return;
	if (!strict_expect(mr, STRICT_KEY, swr->caller,
			   "the handle %#x is invalidated and there is no such MR", key))
		return;
	spin_lock_irqsave(&sdev->mr_lock, flags);
	if (mr->dead)
		goto out;
	strict_expect(mr->pd->pd == qp->qp->pd, STRICT_MR_PD, swr->caller,
		      "the MR %#x is invalidated on a QP of another PD", key);
	strict_expect(mr->state == STRICT_MR_VALID || mr->state == STRICT_MR_UNKNOWN ||
		      strict_mr_just_ended(mr), STRICT_MR_TWICE, swr->caller,
		      "the MR %#x is invalidated again (state %d)", key, mr->state);
	strict_expect(mr->key == key, STRICT_KEY, swr->caller,
		      "the handle %#x is invalidated, the MR has %#x", key, mr->key);
	mr->state = STRICT_MR_ENDING;
	mr->ender = qp;
	strict_mr_posted(mr, swr);
out:
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
}

static void strict_mr_end(struct strict_device *sdev, struct strict_mr *mr,
			  const struct strict_cq *cq)
{
	WRITE_ONCE(mr->state, STRICT_MR_INVALID);
	mr->cq = cq;
	mr->polls = atomic64_read(&cq->polls);
	mr->poller = current;
	strict_mr_drop(sdev, mr);
}

/**
 * strict_mr_invalidated - a message says that the peer has invalidated a handle
 * @sdev: device
 * @qp: QP of the message, which was polled
 * @key: handle
 *
 * Context: any; rcu_read_lock() is held.
 */
void strict_mr_invalidated(struct strict_device *sdev, struct strict_qp *qp, u32 key)
{
	struct strict_mr *mr = strict_mr_find(sdev, key);
	unsigned long flags;

	strict_count(STRICT_N_REMOTE_INVALIDATIONS);
	if (!mr)
		return;
	spin_lock_irqsave(&sdev->mr_lock, flags);
	if (!mr->dead && mr->key == key && mr->pd == qp->pd && mr->state != STRICT_MR_INVALID)
		strict_mr_end(sdev, mr, qp->recv_cq);
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
}

/**
 * strict_mr_done - a registration or an invalidation is known to be complete
 * @sdev: device
 * @qp: its QP
 * @swr: shadow of the work request
 * @good: it has succeeded
 *
 * Context: any; strict_qp.lock is held.
 */
void strict_mr_done(struct strict_device *sdev, struct strict_qp *qp,
		    struct strict_wr *swr, bool good)
{
	struct strict_mr *mr = swr->mr;
	unsigned long flags;
	bool unused;

	lockdep_assert_held(&qp->lock);
	swr->mr = NULL;
	spin_lock_irqsave(&sdev->mr_lock, flags);
	mr->posted--;
	unused = mr->dead && !mr->posted;
	/* A later work request has changed the state again */
	if (mr->dead || swr->serial != mr->serial || mr->state == STRICT_MR_INVALID)
		goto out;
	if (!good)
		mr->state = STRICT_MR_UNKNOWN;
	else if (swr->opcode == IB_WR_LOCAL_INV || swr->opcode == IB_WR_RDMA_READ_WITH_INV)
		strict_mr_end(sdev, mr, qp->send_cq);
out:
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
	if (unused)
		kvfree_rcu(mr, rcu);
}

static bool strict_mr_reaches(const struct strict_mr *mr, const struct ib_sge *sge)
{
	return sge->addr >= mr->iova && sge->addr - mr->iova + sge->length <= mr->length;
}

static bool strict_mr_is_mapped(const struct strict_mr *mr)
{
	u32 i;

	for (i = 0; i < mr->nuses; i++)
		if (!mr->uses[i].mapping || !READ_ONCE(mr->uses[i].mapping->mapped))
			return false;
	return true;
}

/* All memory of an MR was mapped at once */
static bool strict_mr_direction(const struct strict_mr *mr, bool writes)
{
	const struct strict_mapping *mapping = mr->uses[0].mapping;

	return !mapping || mapping->dir != (writes ? DMA_TO_DEVICE : DMA_FROM_DEVICE);
}

static void strict_mr_check_sge(const struct strict_mr *mr, struct strict_qp *qp,
				const struct ib_sge *sge, bool writes, const void *caller)
{
	strict_expect(mr->pd->pd == qp->qp->pd, STRICT_MR_PD, caller,
		      "the lkey %#x is of another PD", sge->lkey);
	strict_expect(mr->key == sge->lkey, STRICT_KEY, caller,
		      "the lkey %#x is stale, the MR has %#x", sge->lkey, mr->key);
	strict_expect(mr->state == STRICT_MR_VALID, STRICT_MR_STATE, caller,
		      "the lkey %#x is not registered (state %d)", sge->lkey, mr->state);
	strict_expect(strict_mr_reaches(mr, sge), STRICT_MR_BOUNDS, caller,
		      "%#llx (%u bytes) is not in the MR %#x", sge->addr, sge->length,
		      sge->lkey);
	strict_expect(!writes || mr->access & IB_ACCESS_LOCAL_WRITE, STRICT_MR_RIGHTS, caller,
		      "the MR %#x with rights %#x is written to", sge->lkey, mr->access);
	if (!mr->nuses)
		return;
	strict_expect(strict_mr_direction(mr, writes), STRICT_DMA_DIRECTION, caller,
		      "the memory of the MR %#x is not mapped for a work request that %s it",
		      sge->lkey, writes ? "writes" : "reads");
	strict_expect(strict_mr_is_mapped(mr), STRICT_DMA_ADDRESS, caller,
		      "the memory of the MR %#x is not mapped", sge->lkey);
}

/**
 * strict_mr_use - a work request names memory by the handle of an MR
 * @sdev: device
 * @qp: QP
 * @sge: SGE
 * @writes: the device will write there
 * @uses: result: memory of the MR, as strict_dma_use() sets it
 * @max: entries of @uses
 * @caller: who posts it
 *
 * Context: any; strict_qp.lock is held.
 * Return: entries of @uses that are set.
 */
u32 strict_mr_use(struct strict_device *sdev, struct strict_qp *qp, const struct ib_sge *sge,
		  bool writes, struct strict_use *uses, u32 max, const void *caller)
{
	struct strict_mr *mr = strict_mr_find(sdev, sge->lkey);
	unsigned long flags;
	u32 i, n;

	lockdep_assert_held(&qp->lock);
	if (!mr && strict_mr_may_be_unknown(sdev))
		return 0;
	if (!strict_expect(mr, STRICT_KEY, caller,
			   "the lkey %#x is that of no MR", sge->lkey))
		return 0;
	spin_lock_irqsave(&sdev->mr_lock, flags);
	if (!mr->dead)
		strict_mr_check_sge(mr, qp, sge, writes, caller);
	n = min(max, mr->nuses);
	for (i = 0; i < n; i++) {
		uses[i] = (struct strict_use) { .caller = caller };
		strict_dma_share(sdev, &uses[i], &mr->uses[i]);
	}
	spin_unlock_irqrestore(&sdev->mr_lock, flags);
	return n;
}

/**
 * strict_mr_remote - a work request names a handle of the peer
 * @sdev: device
 * @key: handle
 *
 * The peer may be on the same device. It may have given up and invalidated the handle
 * meanwhile, so this is only counted.
 *
 * Context: any.
 */
void strict_mr_remote(struct strict_device *sdev, u32 key)
{
	const struct strict_mr *mr = strict_mr_find(sdev, key);

	if (mr && (mr->key != key || READ_ONCE(mr->state) != STRICT_MR_VALID))
		strict_count(STRICT_N_REMOTE_DEAD);
}

/**
 * strict_mr_free_all - free what is left
 * @sdev: device that is removed
 *
 * Context: may sleep.
 */
void strict_mr_free_all(struct strict_device *sdev)
{
	struct strict_mr *mr;
	unsigned long index;

	xa_for_each(&sdev->mrs, index, mr)
		strict_mr_free(sdev, mr);
	xa_destroy(&sdev->mrs);
}
