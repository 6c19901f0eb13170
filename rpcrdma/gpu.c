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
 * A task is on a list while it is inside operations of the provider, and each mapping is
 * counted until it is undone. rpcrdma_unregister_nvfs_dma_ops() waits until no task is on
 * the list and no mapping is left:
 *
 *  1. The provider gets no more questions and no more mappings. Pages of Calls that are
 *     known as GPU memory stay so: these Calls end with an error when they are sent again.
 *  2. The mappings have RPCRDMA_GPU_PATIENCE to end with their RPCs, and so has each task
 *     that is inside an operation.
 *  3. The connections that still have some are closed. Their teardown unmaps.
 *  4. A device that cannot even be torn down has RPCRDMA_GPU_TEARDOWN. Then the mappings
 *     are given up: the provider is not called to undo them. An error in the kernel log
 *     says so, and no provider can register before the last of them is gone.
 *
 * All waits are bounded, because the provider may hold a lock that an operation needs.
 *
 * An operation may drop the last reference of the provider to itself, and so call
 * rpcrdma_unregister_nvfs_dma_ops(). To wait there for the list to become empty would be to
 * wait for itself. So a task that is on the list goes to step 4 at once.
 */
#include <linux/atomic.h>
#include <linux/dma-mapping.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <compat/truth.h>
#include <rpcrdma/gpu.h>
#include "core.h"

#define RPCRDMA_GPU_PATIENCE	(5UL * HZ)
#define RPCRDMA_GPU_TEARDOWN	(60UL * HZ)
#define RPCRDMA_GPU_LOOK	(1UL * HZ)

#define RPCRDMA_GPU_FT_NEEDED	(RPCRDMA_GPU_FT_MAP | RPCRDMA_GPU_FT_IS_GPU)

/*
 * struct rpcrdma_gpu_call - a task that is inside operations of the provider, on its stack
 * @node: in rpcrdma_gpu_calls
 * @task: the task
 * @ops:  the operations; NULL when the provider has left, and no other may begin
 */
struct rpcrdma_gpu_call {
	struct list_head		node;
	const struct task_struct	*task;
	const struct nvfs_dma_rw_ops	*ops;
};

DEFINE_STATIC_KEY_FALSE(rpcrdma_gpu_key);
EXPORT_SYMBOL_GPL(rpcrdma_gpu_key);

/* One provider comes or leaves at a time; the key */
static DEFINE_MUTEX(rpcrdma_gpu_lock);

/* Protects the list, the two pointers and the two numbers */
static DEFINE_SPINLOCK(rpcrdma_gpu_calls_lock);
static LIST_HEAD(rpcrdma_gpu_calls);
/* For questions and new mappings; and to undo mappings, which is longer */
static const struct nvfs_dma_rw_ops *rpcrdma_gpu_mapper;
static const struct nvfs_dma_rw_ops *rpcrdma_gpu_unmapper;
static u64 rpcrdma_gpu_mapped;
static u64 rpcrdma_gpu_unmapped;

static DECLARE_WAIT_QUEUE_HEAD(rpcrdma_gpu_wait);

/*
 * Prepare to call the provider, if there is one: then rpcrdma_gpu_leave() must follow.
 * @from is one of the two pointers. @unmaps is the number of mappings that will be undone;
 * from now on the list has the call in their place.
 */
static bool rpcrdma_gpu_enter(struct rpcrdma_gpu_call *call,
			      const struct nvfs_dma_rw_ops **from,
			      unsigned int unmaps)
{
	const struct nvfs_dma_rw_ops *ops;

	call->task = current;
	spin_lock(&rpcrdma_gpu_calls_lock);
	ops = *from;
	call->ops = ops;
	if (ops)
		list_add(&call->node, &rpcrdma_gpu_calls);
	rpcrdma_gpu_unmapped += unmaps;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	if (!ops)
		return false;
	might_sleep();
	return true;
}

/*
 * @maps is the number of mappings that were made. If the provider has left since, they
 * stay.
 */
static void rpcrdma_gpu_leave(struct rpcrdma_gpu_call *call, unsigned int maps)
{
	bool given_up;

	spin_lock(&rpcrdma_gpu_calls_lock);
	list_del(&call->node);
	rpcrdma_gpu_mapped += maps;
	given_up = maps && !call->ops;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	if (given_up)
		pr_err("rpcrdma: %u memory regions in GPU memory cannot be unmapped: their device may still access it\n",
		       maps);
	if (wq_has_sleeper(&rpcrdma_gpu_wait))
		wake_up(&rpcrdma_gpu_wait);
}

/* The operations, for the next one; NULL if the provider has left since the call began */
static const struct nvfs_dma_rw_ops *
rpcrdma_gpu_ops(const struct rpcrdma_gpu_call *call)
{
	return READ_ONCE(call->ops);
}

/* Is the current task inside an operation? */
static bool rpcrdma_gpu_inside(void)
{
	struct rpcrdma_gpu_call *call;
	bool inside = false;

	spin_lock(&rpcrdma_gpu_calls_lock);
	list_for_each_entry(call, &rpcrdma_gpu_calls, node)
		if (call->task == current)
			inside = true;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	return inside;
}

static bool rpcrdma_gpu_no_calls(void)
{
	bool none;

	spin_lock(&rpcrdma_gpu_calls_lock);
	none = list_empty(&rpcrdma_gpu_calls);
	spin_unlock(&rpcrdma_gpu_calls_lock);
	return none;
}

static bool rpcrdma_gpu_there(void)
{
	bool there;

	spin_lock(&rpcrdma_gpu_calls_lock);
	there = rpcrdma_gpu_mapper;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	return there;
}

static u64 rpcrdma_gpu_left(void)
{
	u64 left;

	spin_lock(&rpcrdma_gpu_calls_lock);
	left = rpcrdma_gpu_mapped - rpcrdma_gpu_unmapped;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	return left;
}

static bool rpcrdma_gpu_idle(void)
{
	bool idle;

	spin_lock(&rpcrdma_gpu_calls_lock);
	idle = list_empty(&rpcrdma_gpu_calls) &&
	       rpcrdma_gpu_mapped == rpcrdma_gpu_unmapped;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	return idle;
}

static bool rpcrdma_gpu_complete(const struct nvfs_dma_rw_ops *ops)
{
	return (ops->ft_bmap & RPCRDMA_GPU_FT_NEEDED) == RPCRDMA_GPU_FT_NEEDED &&
	       ops->nvfs_dma_map_sg_attrs && ops->nvfs_dma_unmap_sg &&
	       ops->nvfs_is_gpu_page;
}

static void rpcrdma_gpu_begin(const struct nvfs_dma_rw_ops *ops)
{
	spin_lock(&rpcrdma_gpu_calls_lock);
	rpcrdma_gpu_mapper = ops;
	rpcrdma_gpu_unmapper = ops;
	spin_unlock(&rpcrdma_gpu_calls_lock);
}

/**
 * rpcrdma_register_nvfs_dma_ops - a provider of GPU memory comes
 * @ops: its operations; they stay the provider's, and must last until it has left
 *
 * Context: may sleep.
 * Return: 0; -EOPNOTSUPP if features are missing; -EBUSY if there is a provider, or if
 * mappings of an earlier one are left, or a task is inside one of its operations.
 */
int rpcrdma_register_nvfs_dma_ops(struct nvfs_dma_rw_ops *ops)
{
	int ret = -EBUSY;

	if (!ops || !rpcrdma_gpu_complete(ops))
		return -EOPNOTSUPP;
	mutex_lock(&rpcrdma_gpu_lock);
	if (!rpcrdma_gpu_there() && rpcrdma_gpu_idle()) {
		rpcrdma_gpu_begin(ops);
		static_branch_enable(&rpcrdma_gpu_key);
		ret = 0;
	}
	mutex_unlock(&rpcrdma_gpu_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_register_nvfs_dma_ops);

/* The key is changed under locks that no operation may wait for */
static void rpcrdma_gpu_key_off(struct work_struct *work)
{
	mutex_lock(&rpcrdma_gpu_lock);
	if (!rpcrdma_gpu_there())
		static_branch_disable(&rpcrdma_gpu_key);
	mutex_unlock(&rpcrdma_gpu_lock);
}

static DECLARE_WORK(rpcrdma_gpu_key_work, rpcrdma_gpu_key_off);

/*
 * No operation begins any more, also in the calls that run; their number is returned.
 * Mappings that are left are given up.
 */
static unsigned int rpcrdma_gpu_cut_off(void)
{
	struct rpcrdma_gpu_call *call;
	unsigned int running = 0;
	u64 left;

	spin_lock(&rpcrdma_gpu_calls_lock);
	left = rpcrdma_gpu_mapped - rpcrdma_gpu_unmapped;
	rpcrdma_gpu_mapper = NULL;
	rpcrdma_gpu_unmapper = NULL;
	list_for_each_entry(call, &rpcrdma_gpu_calls, node) {
		WRITE_ONCE(call->ops, NULL);
		running++;
	}
	spin_unlock(&rpcrdma_gpu_calls_lock);
	if (left)
		pr_err("rpcrdma: %llu memory regions in GPU memory cannot be unmapped: their device may still access it\n",
		       left);
	return running;
}

static bool rpcrdma_gpu_wait_idle(unsigned long timeout)
{
	return wait_event_timeout(rpcrdma_gpu_wait, rpcrdma_gpu_idle(), timeout);
}

/* No new mappings begin. Returns true if there was a provider, which may have mappings */
static bool rpcrdma_gpu_end_mapper(void)
{
	bool there;

	spin_lock(&rpcrdma_gpu_calls_lock);
	rpcrdma_gpu_mapper = NULL;
	there = rpcrdma_gpu_unmapper;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	return there;
}

static void rpcrdma_gpu_end_mappings(void)
{
	unsigned long end;
	u64 left;

	if (rpcrdma_gpu_wait_idle(RPCRDMA_GPU_PATIENCE))
		return;
	/* A call that maps may still end */
	if (!rpcrdma_gpu_left() && rpcrdma_gpu_wait_idle(RPCRDMA_GPU_PATIENCE))
		return;
	left = rpcrdma_gpu_left();
	if (!left)
		return;
	pr_warn("rpcrdma: the provider of GPU memory leaves, and %llu memory regions are in use: their connections are closed\n",
		left);
	end = jiffies + RPCRDMA_GPU_TEARDOWN;
	do {
		/* A task that maps may end, and leave the first mapping of a connection */
		rpcrdma_registry_close_gpu();
	} while (!rpcrdma_gpu_wait_idle(RPCRDMA_GPU_LOOK) && time_before(jiffies, end));
}

static void rpcrdma_gpu_end_calls(void)
{
	if (!rpcrdma_gpu_cut_off() ||
	    wait_event_timeout(rpcrdma_gpu_wait, rpcrdma_gpu_no_calls(),
			       RPCRDMA_GPU_PATIENCE))
		return;
	pr_err("rpcrdma: the provider of GPU memory has left, and a task is still in one of its operations\n");
}

/**
 * rpcrdma_unregister_nvfs_dma_ops - the provider of GPU memory leaves
 *
 * Applications must have ended their I/O to its memory: what comes later is I/O to
 * ordinary pages.
 *
 * The provider may call this inside one of its operations. Then it returns at once:
 * mappings that are left are not undone, this task begins no other operation, but other
 * tasks may still be inside operations or about to begin one. So the code of the operations
 * must stay until another call of this function, not inside an operation, has returned:
 * that one waits for these tasks. The provider needs a reference to its own module for that,
 * as an operation that runs needs one anyway.
 *
 * If a wait takes too long, an error in the kernel log says so, and a task may be inside an
 * operation, or mappings may be left, when this returns. No provider can register before
 * they are gone.
 *
 * Context: may sleep, for as long as RPCs need to end: at most 5 s for them (10 s if a
 * task is mapping), 60 s more for the teardown of their connections, and 5 s more for a
 * task that is inside an operation.
 * The provider may hold a lock that its operations take, but then each of these waits may
 * take all its time. Inside an operation: does not sleep.
 */
void rpcrdma_unregister_nvfs_dma_ops(void)
{
	bool there;

	if (rpcrdma_gpu_inside()) {
		rpcrdma_gpu_cut_off();
		schedule_work(&rpcrdma_gpu_key_work);
		return;
	}
	mutex_lock(&rpcrdma_gpu_lock);
	there = rpcrdma_gpu_end_mapper();
	static_branch_disable(&rpcrdma_gpu_key);
	if (there)
		rpcrdma_gpu_end_mappings();
	rpcrdma_gpu_end_calls();
	mutex_unlock(&rpcrdma_gpu_lock);
}
EXPORT_SYMBOL_GPL(rpcrdma_unregister_nvfs_dma_ops);

/**
 * rpcrdma_gpu_exit - the module is unloaded; no provider has it
 *
 * Context: module exit.
 */
void rpcrdma_gpu_exit(void)
{
	cancel_work_sync(&rpcrdma_gpu_key_work);
}

/**
 * rpcrdma_gpu_pages - are these pages GPU memory?
 * @pages: pages
 * @count: number of pages
 *
 * Context: may sleep in the provider of GPU memory.
 * Return: 1 if all are; 0 if none is, as far as the provider was asked before it left;
 * -EINVAL if only some are; -ENODEV if some are, and it left before it was asked about the
 * others.
 */
int rpcrdma_gpu_pages(struct page **pages, unsigned int count)
{
	const struct nvfs_dma_rw_ops *ops;
	struct rpcrdma_gpu_call call;
	unsigned int i, gpu = 0;

	if (!count || !rpcrdma_gpu_enter(&call, &rpcrdma_gpu_mapper, 0))
		return 0;
	for (i = 0; i < count; i++) {
		ops = rpcrdma_gpu_ops(&call);
		if (!ops)
			break;
		gpu += ops->nvfs_is_gpu_page(pages[i]);
	}
	rpcrdma_gpu_leave(&call, 0);
	if (!gpu)
		return 0;
	if (gpu == count)
		return 1;
	return i < count ? -ENODEV : -EINVAL;
}
EXPORT_SYMBOL_GPL(rpcrdma_gpu_pages);

/* nvidia-fs takes the device for that of a PCI device, and does not check that it is */
static bool rpcrdma_gpu_takes(const struct nvfs_dma_rw_ops *ops,
			      const struct device *device)
{
	return ops->ft_bmap & RPCRDMA_GPU_FT_NO_DEVICE ||
	       (device && dev_is_pci(device));
}

/*
 * One entry for each operation. A provider that fails half-way keeps what it has mapped
 * before, and does not say how much that is. Returns the number of mapped entries.
 */
static unsigned int rpcrdma_gpu_map_entries(const struct rpcrdma_gpu_call *call,
					    struct device *device,
					    struct scatterlist *sgl,
					    unsigned int nents,
					    enum dma_data_direction dir)
{
	const struct nvfs_dma_rw_ops *ops;
	struct scatterlist *sg;
	unsigned int i;

	for_each_sg(sgl, sg, nents, i) {
		ops = rpcrdma_gpu_ops(call);
		if (!ops || !rpcrdma_gpu_takes(ops, device) ||
		    ops->nvfs_dma_map_sg_attrs(device, sg, 1, dir,
					       DMA_ATTR_NO_WARN) != 1)
			break;
	}
	return i;
}

static void rpcrdma_gpu_unmap_entries(const struct rpcrdma_gpu_call *call,
				      struct device *device,
				      struct scatterlist *sgl, unsigned int nents,
				      enum dma_data_direction dir)
{
	const struct nvfs_dma_rw_ops *ops;
	struct scatterlist *sg;
	unsigned int i;

	for_each_sg(sgl, sg, nents, i) {
		ops = rpcrdma_gpu_ops(call);
		if (!ops)
			break;
		ops->nvfs_dma_unmap_sg(device, sg, 1, dir);
	}
	if (i < nents)
		pr_err_ratelimited("rpcrdma: the provider of GPU memory left before it had unmapped all of a memory region\n");
}

/**
 * rpcrdma_gpu_map - have GPU memory mapped for DMA
 * @conn: connection whose device will access it, entered
 * @sg: the memory, all of it in GPU memory; gets the DMA addresses. It must stay as it is
 *	until rpcrdma_gpu_unmap()
 * @nents: number of entries
 * @dir: direction
 *
 * rpcrdma_gpu_unmap() must follow before @conn is destroyed.
 *
 * Context: may sleep in the provider of GPU memory.
 * Return: number of mapped entries, @nents; or -EIO, and nothing is mapped: they cannot be
 * mapped, the provider does not take the device, or it has left.
 */
int rpcrdma_gpu_map(struct rpcrdma_conn *conn, struct scatterlist *sg,
		    unsigned int nents, enum dma_data_direction dir)
{
	struct device *device = conn->device->dma_device;
	struct rpcrdma_gpu_call call;
	unsigned int mapped;
	bool ok;

	if (!rpcrdma_gpu_enter(&call, &rpcrdma_gpu_mapper, 0))
		return -EIO;
	mapped = rpcrdma_gpu_map_entries(&call, device, sg, nents, dir);
	/* A provider that left in the last operation will not unmap it */
	ok = mapped == nents && rpcrdma_gpu_ops(&call);
	if (ok)
		atomic_inc(&conn->gpu_mapped);
	else
		rpcrdma_gpu_unmap_entries(&call, device, sg, mapped, dir);
	rpcrdma_gpu_leave(&call, ok);
	return ok ? (int)nents : -EIO;
}
EXPORT_SYMBOL_GPL(rpcrdma_gpu_map);

/**
 * rpcrdma_gpu_unmap - undo rpcrdma_gpu_map()
 * @conn: as it was mapped with
 * @sg: likewise
 * @nents: likewise
 * @dir: likewise
 *
 * Context: process context; may sleep in the provider of GPU memory.
 */
void rpcrdma_gpu_unmap(struct rpcrdma_conn *conn, struct scatterlist *sg,
		       unsigned int nents, enum dma_data_direction dir)
{
	struct rpcrdma_gpu_call call;

	if (rpcrdma_gpu_enter(&call, &rpcrdma_gpu_unmapper, 1)) {
		rpcrdma_gpu_unmap_entries(&call, conn->device->dma_device, sg,
					  nents, dir);
		rpcrdma_gpu_leave(&call, 0);
	}
	atomic_dec(&conn->gpu_mapped);
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
	u64 mapped, unmapped;

	spin_lock(&rpcrdma_gpu_calls_lock);
	mapped = rpcrdma_gpu_mapped;
	unmapped = rpcrdma_gpu_unmapped;
	spin_unlock(&rpcrdma_gpu_calls_lock);
	seq_printf(seq, "provider: %s\n", str_yes_no(rpcrdma_gpu_there()));
	seq_printf(seq, "mapped: %llu\n", mapped);
	seq_printf(seq, "in_use: %llu\n", mapped - unmapped);
	return 0;
}
