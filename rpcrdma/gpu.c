// SPDX-License-Identifier: GPL-2.0-only
/*
 * I/O to GPU memory (GPUDirect Storage): the interface that nvidia-fs looks for in the
 * module rpcrdma.
 *
 * A provider (nvidia-fs) lets applications use pages that stand for GPU memory. The CPU
 * must not touch what such a page stands for, and the DMA API cannot map it. So the client
 * asks the provider which pages these are (rpcrdma_gpu_pages()), moves them in chunks only,
 * and has the provider map them for registration (rpcrdma_gpu_map()).
 *
 * How a provider leaves
 * ---------------------
 *
 * Each call of the provider is inside an SRCU section, and each mapping is counted until it
 * is undone. rpcrdma_unregister_nvfs_dma_ops() returns when no such call runs and no mapping
 * is left:
 *
 *  1. The provider gets no more questions and no more mappings. Pages of Calls that are
 *     known as GPU memory stay so: these Calls end with an error when they are sent again.
 *  2. The mappings have RPCRDMA_GPU_PATIENCE to end with their RPCs.
 *  3. The connections that still have some are closed. Their teardown unmaps.
 *  4. A device that cannot even be torn down has RPCRDMA_GPU_TEARDOWN. Then the mappings
 *     are given up: the provider is not called to undo them. An error in the kernel log
 *     says so, and no provider can register before the last of them is gone.
 */
#include <linux/atomic.h>
#include <linux/dma-mapping.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/srcu.h>
#include <linux/wait.h>
#include <compat/truth.h>
#include <rpcrdma/gpu.h>
#include "core.h"

#define RPCRDMA_GPU_PATIENCE	(5UL * HZ)
#define RPCRDMA_GPU_TEARDOWN	(60UL * HZ)

#define RPCRDMA_GPU_FT_NEEDED	(RPCRDMA_GPU_FT_MAP | RPCRDMA_GPU_FT_IS_GPU)

DEFINE_STATIC_KEY_FALSE(rpcrdma_gpu_key);
EXPORT_SYMBOL_GPL(rpcrdma_gpu_key);

DEFINE_STATIC_SRCU(rpcrdma_gpu_srcu);

/* One provider comes or leaves at a time */
static DEFINE_MUTEX(rpcrdma_gpu_lock);
/* For questions and new mappings; and to undo mappings, which is longer */
static const struct nvfs_dma_rw_ops __rcu *rpcrdma_gpu_mapper;
static const struct nvfs_dma_rw_ops __rcu *rpcrdma_gpu_unmapper;

static atomic64_t rpcrdma_gpu_mapped = ATOMIC64_INIT(0);
static atomic64_t rpcrdma_gpu_unmapped = ATOMIC64_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(rpcrdma_gpu_wait);

/* @unmapped is read first: then it is no larger than @mapped */
static s64 rpcrdma_gpu_left(void)
{
	s64 unmapped = atomic64_read_acquire(&rpcrdma_gpu_unmapped);

	return atomic64_read(&rpcrdma_gpu_mapped) - unmapped;
}

static bool rpcrdma_gpu_complete(const struct nvfs_dma_rw_ops *ops)
{
	return (ops->ft_bmap & RPCRDMA_GPU_FT_NEEDED) == RPCRDMA_GPU_FT_NEEDED &&
	       ops->nvfs_dma_map_sg_attrs && ops->nvfs_dma_unmap_sg &&
	       ops->nvfs_is_gpu_page;
}

/**
 * rpcrdma_register_nvfs_dma_ops - a provider of GPU memory comes
 * @ops: its operations; they stay the provider's, and must last until it has left
 *
 * Context: may sleep.
 * Return: 0; -EOPNOTSUPP if features are missing; -EBUSY if there is a provider, or if
 * mappings of an earlier one are left.
 */
int rpcrdma_register_nvfs_dma_ops(struct nvfs_dma_rw_ops *ops)
{
	int ret = -EBUSY;

	if (!ops || !rpcrdma_gpu_complete(ops))
		return -EOPNOTSUPP;
	mutex_lock(&rpcrdma_gpu_lock);
	if (!rcu_access_pointer(rpcrdma_gpu_mapper) && !rpcrdma_gpu_left()) {
		rcu_assign_pointer(rpcrdma_gpu_unmapper, ops);
		rcu_assign_pointer(rpcrdma_gpu_mapper, ops);
		static_branch_enable(&rpcrdma_gpu_key);
		ret = 0;
	}
	mutex_unlock(&rpcrdma_gpu_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_register_nvfs_dma_ops);

static bool rpcrdma_gpu_wait_for(unsigned long timeout)
{
	return wait_event_timeout(rpcrdma_gpu_wait, !rpcrdma_gpu_left(), timeout);
}

static void rpcrdma_gpu_wait_unmapped(void)
{
	if (rpcrdma_gpu_wait_for(RPCRDMA_GPU_PATIENCE))
		return;
	pr_warn("rpcrdma: the provider of GPU memory leaves, and %lld memory regions are in use: their connections are closed\n",
		rpcrdma_gpu_left());
	rpcrdma_registry_close_gpu();
	if (!rpcrdma_gpu_wait_for(RPCRDMA_GPU_TEARDOWN))
		pr_err("rpcrdma: %lld memory regions in GPU memory cannot be unmapped: their device may still access it\n",
		       rpcrdma_gpu_left());
}

/**
 * rpcrdma_unregister_nvfs_dma_ops - the provider of GPU memory leaves
 *
 * Applications must have ended their I/O to its memory: what comes later is I/O to
 * ordinary pages.
 *
 * Context: may sleep; for as long as RPCs need to end, but not without limit: see the
 * top of this file.
 */
void rpcrdma_unregister_nvfs_dma_ops(void)
{
	mutex_lock(&rpcrdma_gpu_lock);
	if (rcu_access_pointer(rpcrdma_gpu_mapper)) {
		RCU_INIT_POINTER(rpcrdma_gpu_mapper, NULL);
		static_branch_disable(&rpcrdma_gpu_key);
		synchronize_srcu(&rpcrdma_gpu_srcu);
		rpcrdma_gpu_wait_unmapped();
		RCU_INIT_POINTER(rpcrdma_gpu_unmapper, NULL);
		synchronize_srcu(&rpcrdma_gpu_srcu);
	}
	mutex_unlock(&rpcrdma_gpu_lock);
}
EXPORT_SYMBOL_GPL(rpcrdma_unregister_nvfs_dma_ops);

/**
 * rpcrdma_gpu_pages - are these pages GPU memory?
 * @pages: pages
 * @count: number of pages
 *
 * Context: may sleep.
 * Return: 1 if all are; 0 if none is; -EINVAL if only some are.
 */
int rpcrdma_gpu_pages(struct page **pages, unsigned int count)
{
	const struct nvfs_dma_rw_ops *ops;
	unsigned int i, gpu = 0;
	int srcu;

	srcu = srcu_read_lock(&rpcrdma_gpu_srcu);
	ops = srcu_dereference(rpcrdma_gpu_mapper, &rpcrdma_gpu_srcu);
	for (i = 0; ops && i < count; i++)
		gpu += ops->nvfs_is_gpu_page(pages[i]);
	srcu_read_unlock(&rpcrdma_gpu_srcu, srcu);
	if (!gpu)
		return 0;
	return gpu == count ? 1 : -EINVAL;
}
EXPORT_SYMBOL_GPL(rpcrdma_gpu_pages);

/**
 * rpcrdma_gpu_map - have GPU memory mapped for DMA
 * @conn: connection whose device will access it, entered
 * @sg: the memory, all of it in GPU memory; gets the DMA addresses
 * @nents: number of entries
 * @dir: direction
 *
 * Context: may sleep, as the provider does.
 * Return: number of mapped entries; -EIO if they cannot be mapped, or the provider has left.
 */
int rpcrdma_gpu_map(struct rpcrdma_conn *conn, struct scatterlist *sg,
		    unsigned int nents, enum dma_data_direction dir)
{
	struct device *device = conn->device->dma_device;
	const struct nvfs_dma_rw_ops *ops;
	int srcu, mapped = 0;

	srcu = srcu_read_lock(&rpcrdma_gpu_srcu);
	ops = srcu_dereference(rpcrdma_gpu_mapper, &rpcrdma_gpu_srcu);
	if (ops && (device || ops->ft_bmap & RPCRDMA_GPU_FT_NO_DEVICE))
		mapped = ops->nvfs_dma_map_sg_attrs(device, sg, nents, dir,
						    DMA_ATTR_NO_WARN);
	if (mapped > 0) {
		atomic_inc(&conn->gpu_mapped);
		atomic64_inc(&rpcrdma_gpu_mapped);
	}
	srcu_read_unlock(&rpcrdma_gpu_srcu, srcu);
	return mapped > 0 ? mapped : -EIO;
}
EXPORT_SYMBOL_GPL(rpcrdma_gpu_map);

/**
 * rpcrdma_gpu_unmap - undo rpcrdma_gpu_map()
 * @conn: as it was mapped with
 * @sg: likewise
 * @nents: likewise
 * @dir: likewise
 *
 * Context: process context; does not sleep.
 */
void rpcrdma_gpu_unmap(struct rpcrdma_conn *conn, struct scatterlist *sg,
		       unsigned int nents, enum dma_data_direction dir)
{
	const struct nvfs_dma_rw_ops *ops;
	int srcu;

	srcu = srcu_read_lock(&rpcrdma_gpu_srcu);
	ops = srcu_dereference(rpcrdma_gpu_unmapper, &rpcrdma_gpu_srcu);
	if (ops)
		ops->nvfs_dma_unmap_sg(conn->device->dma_device, sg, nents, dir);
	srcu_read_unlock(&rpcrdma_gpu_srcu, srcu);
	atomic_dec(&conn->gpu_mapped);
	atomic64_inc_return_release(&rpcrdma_gpu_unmapped);
	if (wq_has_sleeper(&rpcrdma_gpu_wait))
		wake_up(&rpcrdma_gpu_wait);
}
EXPORT_SYMBOL_GPL(rpcrdma_gpu_unmap);

/**
 * rpcrdma_gpu_show - the file gpu_memory in debugfs
 * @seq: the file
 * @v: not used
 *
 * Context: process context, does not sleep.
 * Return: 0.
 */
int rpcrdma_gpu_show(struct seq_file *seq, void *v)
{
	s64 left = rpcrdma_gpu_left();

	seq_printf(seq, "provider: %s\n",
		   str_yes_no(rcu_access_pointer(rpcrdma_gpu_mapper)));
	seq_printf(seq, "mapped: %lld\n", atomic64_read(&rpcrdma_gpu_mapped));
	seq_printf(seq, "in_use: %lld\n", left);
	return 0;
}
