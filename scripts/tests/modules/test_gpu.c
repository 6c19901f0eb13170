// SPDX-License-Identifier: GPL-2.0-only
/*
 * A provider of GPU memory without a GPU, for I/O as GPUDirect Storage does it.
 *
 * /dev/test_gpu is memory in pairs of pages. A program can map the shadow pages, and use
 * them for direct I/O, but no CPU may touch them: they hold poison. The provider maps a
 * shadow page for DMA as its hidden page, which read() and write() of the device reach, as
 * a copy to or from a GPU would. So data that a CPU copies is lost, or is in the wrong page.
 *
 * Parameters in /sys/module/test_gpu/parameters:
 *
 *   registered	 1, 0: the provider comes, leaves; a write returns when it has
 *   fail_every	 every so many pages one cannot be mapped; those before it in the same call
 *		 stay mapped, as with nvidia-fs; 0: none fails
 *   sleep_us	 each call to map or unmap sleeps so long
 *   leave_inside  1: the provider leaves inside the next question for one of its pages
 *   locked	 1: a question for one of its pages waits until the provider leaves, and then
 *		 for a lock that it has while it leaves
 *   waiting	 number of questions that do so
 *   maps, unmaps, failed  numbers of pages mapped, unmapped, and of calls that failed
 *   wrong	 calls that should not have come: of a provider that has left, to unmap what is
 *		 not mapped, or to map memory of which only a part is of this provider
 *   touched	 shadow pages that a CPU has written to; a write poisons all anew
 *
 * It finds the interface as nvidia-fs does. Load this module after the modules under test.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include "../../../include/rpcrdma/gpu.h"

#define GPU_POISON	0x5a
#define GPU_FEATURES	(RPCRDMA_GPU_FT_BLOCK | RPCRDMA_GPU_FT_MAP | \
			 RPCRDMA_GPU_FT_IS_GPU | RPCRDMA_GPU_FT_PRIORITY | \
			 RPCRDMA_GPU_FT_NO_DEVICE)

/**
 * struct gpu_page - a page of the provider
 * @shadow: what programs map
 * @hidden: what devices access
 * @mapped: number of mappings that have it
 */
struct gpu_page {
	struct page	*shadow;
	struct page	*hidden;
	atomic_t	mapped;
};

static uint pages = 2048;
module_param(pages, uint, 0444);
MODULE_PARM_DESC(pages, "Number of pages");

static ulong features = GPU_FEATURES;
module_param(features, ulong, 0444);
MODULE_PARM_DESC(features, "What the provider says that it can do");

static uint fail_every;
module_param(fail_every, uint, 0644);
MODULE_PARM_DESC(fail_every, "Every so many pages one cannot be mapped");

static uint sleep_us;
module_param(sleep_us, uint, 0644);
MODULE_PARM_DESC(sleep_us, "How long a call to map or unmap sleeps, microseconds");

static bool leave_inside;
module_param(leave_inside, bool, 0644);
MODULE_PARM_DESC(leave_inside, "The provider leaves inside the next question");

static bool locked;
module_param(locked, bool, 0644);
MODULE_PARM_DESC(locked, "Questions wait for the lock of a provider that leaves");

/* A question that waits does so for at most this long */
#define GPU_WAIT	(30 * HZ)

static struct gpu_page *gpu_pages;
static bool gpu_registered;
/* Parameters may be used; under the lock of the parameters */
static bool gpu_ready;
static atomic_t gpu_calls, gpu_maps, gpu_unmaps, gpu_failed, gpu_wrong, gpu_waiting;

/* Held while the provider leaves */
static DEFINE_MUTEX(gpu_mutex);
static bool gpu_leaving;
static DECLARE_WAIT_QUEUE_HEAD(gpu_wait);

static int (*gpu_register)(struct nvfs_dma_rw_ops *ops);
static void (*gpu_unregister)(void);

static struct gpu_page *gpu_page_of(const struct page *page)
{
	unsigned long i = page_private(page);

	if (!READ_ONCE(gpu_registered))
		atomic_inc(&gpu_wrong);
	return i < pages && gpu_pages[i].shadow == page ? &gpu_pages[i] : NULL;
}

static void gpu_leave(void)
{
	mutex_lock(&gpu_mutex);
	WRITE_ONCE(gpu_leaving, true);
	wake_up_all(&gpu_wait);
	gpu_unregister();
	WRITE_ONCE(gpu_registered, false);
	WRITE_ONCE(gpu_leaving, false);
	mutex_unlock(&gpu_mutex);
}

static void gpu_wait_for_lock(void)
{
	atomic_inc(&gpu_waiting);
	wait_event_timeout(gpu_wait, READ_ONCE(gpu_leaving), GPU_WAIT);
	mutex_lock(&gpu_mutex);
	mutex_unlock(&gpu_mutex);
	atomic_dec(&gpu_waiting);
}

static bool gpu_is_gpu_page(struct page *page)
{
	bool own = gpu_page_of(page);

	if (own && READ_ONCE(locked))
		gpu_wait_for_lock();
	else if (own && xchg(&leave_inside, false))
		gpu_leave();
	return own;
}

static void gpu_sleep(void)
{
	uint us = READ_ONCE(sleep_us);

	might_sleep();
	if (us)
		usleep_range(us, 2 * us);
}

/* A device of software takes addresses of the kernel */
static bool gpu_map_entry(struct device *device, struct scatterlist *sg,
			  enum dma_data_direction dir)
{
	struct gpu_page *gpu = gpu_page_of(sg_page(sg));
	dma_addr_t addr;

	if (device)
		addr = dma_map_page(device, gpu->hidden, sg->offset, sg->length, dir);
	else
		addr = (uintptr_t)page_address(gpu->hidden) + sg->offset;
	if (device && dma_mapping_error(device, addr))
		return false;
	sg_dma_address(sg) = addr;
	sg_dma_len(sg) = sg->length;
	atomic_inc(&gpu->mapped);
	atomic_inc(&gpu_maps);
	return true;
}

static void gpu_unmap_entry(struct device *device, struct scatterlist *sg,
			    enum dma_data_direction dir)
{
	struct gpu_page *gpu = gpu_page_of(sg_page(sg));

	if (!gpu || atomic_dec_return(&gpu->mapped) < 0) {
		atomic_inc(&gpu_wrong);
		return;
	}
	if (device)
		dma_unmap_page(device, sg_dma_address(sg), sg_dma_len(sg), dir);
	atomic_inc(&gpu_unmaps);
}

static bool gpu_must_fail(void)
{
	uint every = READ_ONCE(fail_every);

	return every && atomic_inc_return(&gpu_calls) % every == 0;
}

static int gpu_map_sg(struct device *device, struct scatterlist *sgl, int nents,
		      enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i, own = 0;

	gpu_sleep();
	for_each_sg(sgl, sg, nents, i)
		own += !!gpu_page_of(sg_page(sg));
	if (!own)
		return RPCRDMA_GPU_CPU_REQ;
	if (own < nents) {
		atomic_inc(&gpu_wrong);
		goto failed;
	}
	for_each_sg(sgl, sg, nents, i)
		if (gpu_must_fail() || !gpu_map_entry(device, sg, dir))
			goto failed;
	return nents;

failed:
	atomic_inc(&gpu_failed);
	return RPCRDMA_GPU_IO_ERR;
}

static int gpu_unmap_sg(struct device *device, struct scatterlist *sgl, int nents,
			enum dma_data_direction dir)
{
	struct scatterlist *sg;
	int i;

	gpu_sleep();
	for_each_sg(sgl, sg, nents, i)
		gpu_unmap_entry(device, sg, dir);
	return nents;
}

static struct nvfs_dma_rw_ops gpu_ops = {
	.nvfs_dma_map_sg_attrs	= gpu_map_sg,
	.nvfs_dma_unmap_sg	= gpu_unmap_sg,
	.nvfs_is_gpu_page	= gpu_is_gpu_page,
};

static int gpu_come(void)
{
	bool before = gpu_registered;
	int ret;

	WRITE_ONCE(gpu_registered, true);
	ret = gpu_register(&gpu_ops);
	if (ret)
		WRITE_ONCE(gpu_registered, before);
	return ret;
}

static int registered_set(const char *text, const struct kernel_param *kp)
{
	bool wanted;
	int ret = kstrtobool(text, &wanted);

	if (ret)
		return ret;
	if (!gpu_ready)
		return -EAGAIN;
	if (wanted)
		return gpu_come();
	gpu_leave();
	return 0;
}

static int registered_get(char *text, const struct kernel_param *kp)
{
	return gpu_ready ? param_get_bool(text, kp) : -EAGAIN;
}

static const struct kernel_param_ops registered_ops = {
	.set	= registered_set,
	.get	= registered_get,
};

module_param_cb(registered, &registered_ops, &gpu_registered, 0644);
MODULE_PARM_DESC(registered, "Is the provider there?");

static int count_get(char *text, const struct kernel_param *kp)
{
	if (!gpu_ready)
		return -EAGAIN;
	return sysfs_emit(text, "%d\n", atomic_read(kp->arg));
}

static const struct kernel_param_ops count_ops = { .get = count_get };
module_param_cb(maps, &count_ops, &gpu_maps, 0444);
MODULE_PARM_DESC(maps, "Number of pages mapped");
module_param_cb(unmaps, &count_ops, &gpu_unmaps, 0444);
MODULE_PARM_DESC(unmaps, "Number of pages unmapped");
module_param_cb(failed, &count_ops, &gpu_failed, 0444);
MODULE_PARM_DESC(failed, "Number of calls to map that failed");
module_param_cb(wrong, &count_ops, &gpu_wrong, 0444);
MODULE_PARM_DESC(wrong, "Number of calls that should not have come");
module_param_cb(waiting, &count_ops, &gpu_waiting, 0444);
MODULE_PARM_DESC(waiting, "Number of questions that wait for the lock");

static void gpu_poison(void)
{
	unsigned int i;

	for (i = 0; i < pages; i++)
		memset(page_address(gpu_pages[i].shadow), GPU_POISON, PAGE_SIZE);
}

static int touched_set(const char *text, const struct kernel_param *kp)
{
	if (!gpu_ready)
		return -EAGAIN;
	gpu_poison();
	return 0;
}

static int touched_get(char *text, const struct kernel_param *kp)
{
	unsigned int i, touched = 0;

	if (!gpu_ready)
		return -EAGAIN;
	for (i = 0; i < pages; i++)
		if (memchr_inv(page_address(gpu_pages[i].shadow), GPU_POISON, PAGE_SIZE))
			touched++;
	return sysfs_emit(text, "%u\n", touched);
}

static const struct kernel_param_ops touched_ops = {
	.set	= touched_set,
	.get	= touched_get,
};

module_param_cb(touched, &touched_ops, NULL, 0644);
MODULE_PARM_DESC(touched, "Shadow pages that a CPU has written to");

/* The part of a request that is in one page; NULL at the end of the device */
static void *gpu_at(loff_t pos, size_t *len)
{
	if (pos < 0 || pos >= (loff_t)pages << PAGE_SHIFT)
		return NULL;
	*len = min_t(size_t, *len, PAGE_SIZE - offset_in_page(pos));
	return page_address(gpu_pages[pos >> PAGE_SHIFT].hidden) + offset_in_page(pos);
}

static ssize_t gpu_read(struct file *file, char __user *to, size_t len, loff_t *pos)
{
	void *from = gpu_at(*pos, &len);

	if (!from)
		return 0;
	if (copy_to_user(to, from, len))
		return -EFAULT;
	*pos += len;
	return len;
}

static ssize_t gpu_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	void *to = gpu_at(*pos, &len);

	if (!to)
		return -ENOSPC;
	if (copy_from_user(to, from, len))
		return -EFAULT;
	*pos += len;
	return len;
}

static int gpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	unsigned long i, count = vma_pages(vma);
	int ret = 0;

	if (vma->vm_pgoff > pages || count > pages - vma->vm_pgoff)
		return -EINVAL;
	for (i = 0; i < count && !ret; i++)
		ret = vm_insert_page(vma, vma->vm_start + i * PAGE_SIZE,
				     gpu_pages[vma->vm_pgoff + i].shadow);
	return ret;
}

static const struct file_operations gpu_fops = {
	.owner	= THIS_MODULE,
	.read	= gpu_read,
	.write	= gpu_write,
	.mmap	= gpu_mmap,
	.llseek	= default_llseek,
};

static struct miscdevice gpu_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= KBUILD_MODNAME,
	.fops	= &gpu_fops,
};

static void gpu_free(void)
{
	unsigned int i;

	for (i = 0; i < pages; i++) {
		if (gpu_pages[i].shadow) {
			set_page_private(gpu_pages[i].shadow, 0);
			__free_page(gpu_pages[i].shadow);
		}
		if (gpu_pages[i].hidden)
			__free_page(gpu_pages[i].hidden);
	}
	kvfree(gpu_pages);
}

static int gpu_alloc(void)
{
	unsigned int i;

	gpu_pages = kvcalloc(pages, sizeof(*gpu_pages), GFP_KERNEL);
	if (!gpu_pages)
		return -ENOMEM;
	for (i = 0; i < pages; i++) {
		gpu_pages[i].shadow = alloc_page(GFP_KERNEL);
		gpu_pages[i].hidden = alloc_page(GFP_KERNEL | __GFP_ZERO);
		if (!gpu_pages[i].shadow || !gpu_pages[i].hidden) {
			gpu_free();
			return -ENOMEM;
		}
		set_page_private(gpu_pages[i].shadow, i);
	}
	gpu_poison();
	return 0;
}

static void gpu_put_symbols(void)
{
	if (gpu_register)
		symbol_put(rpcrdma_register_nvfs_dma_ops);
	if (gpu_unregister)
		symbol_put(rpcrdma_unregister_nvfs_dma_ops);
}

static int gpu_get_symbols(void)
{
	gpu_register = symbol_get(rpcrdma_register_nvfs_dma_ops);
	gpu_unregister = symbol_get(rpcrdma_unregister_nvfs_dma_ops);
	if (gpu_register && gpu_unregister)
		return 0;
	gpu_put_symbols();
	return -ENOENT;
}

/* The files of parameters are there before gpu_init(), and after gpu_exit() */
static void gpu_set_ready(bool ready)
{
	kernel_param_lock(THIS_MODULE);
	gpu_ready = ready;
	kernel_param_unlock(THIS_MODULE);
}

static int __init gpu_init(void)
{
	int ret;

	gpu_ops.ft_bmap = features;
	ret = gpu_get_symbols();
	if (ret)
		return ret;
	ret = gpu_alloc();
	if (ret)
		goto out_symbols;
	ret = misc_register(&gpu_device);
	if (ret)
		goto out_pages;
	ret = gpu_come();
	if (!ret) {
		gpu_set_ready(true);
		return 0;
	}

	misc_deregister(&gpu_device);
out_pages:
	gpu_free();
out_symbols:
	gpu_put_symbols();
	return ret;
}

static void __exit gpu_exit(void)
{
	gpu_set_ready(false);
	misc_deregister(&gpu_device);
	gpu_leave();
	gpu_free();
	gpu_put_symbols();
}

module_init(gpu_init);
module_exit(gpu_exit);

MODULE_DESCRIPTION("Test aid: a provider of GPU memory without a GPU");
MODULE_LICENSE("GPL");
