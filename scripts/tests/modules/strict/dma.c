// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA addresses that are no pointers.
 *
 * The addresses of a device are in a range where no kernel has memory. Each mapping gets
 * new ones, and a page after it that is never mapped, so an address that was used too late
 * or that is one too large is found for sure. The device below the layer takes pointers.
 */
#include <linux/dma-map-ops.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>
#include "strict.h"

#define STRICT_DMA_SPACE	0x0dad000000000000ULL
#define STRICT_DMA_MASK		0xffff000000000000ULL

/* As adapters have: smaller than the largest I/O, so that limits are met */
#define STRICT_MAX_SEGMENT	SZ_2M

/**
 * strict_dma_is_ours - is this an address that the layer has given out?
 * @addr: DMA address
 *
 * Context: any.
 * Return: true if it is, mapped or not.
 */
bool strict_dma_is_ours(u64 addr)
{
	return (addr & STRICT_DMA_MASK) == STRICT_DMA_SPACE;
}

static bool strict_has_dma_ops(void)
{
	return IS_ENABLED(CONFIG_ARCH_HAS_DMA_OPS) || IS_ENABLED(CONFIG_DMA_OPS);
}

/**
 * strict_dma_start - let users of a device map memory for it
 * @sdev: device whose operations are those of the layer already
 *
 * Context: may sleep.
 * Return: 0 or a negative errno.
 */
int strict_dma_start(struct strict_device *sdev)
{
	char name[IB_DEVICE_NAME_MAX + 8];

	spin_lock_init(&sdev->space.lock);
	sdev->space.mappings = RB_ROOT;
	sdev->space.next = STRICT_DMA_SPACE + PAGE_SIZE;
	if (!strict_params.translate)
		return 0;
	if (!strict_has_dma_ops() || !ib_uses_virt_dma(sdev->device)) {
		pr_warn("strict: %s: addresses are not translated: %s\n",
			dev_name(&sdev->device->dev), strict_has_dma_ops() ?
			"the device has some of its own" : "this kernel has no DMA_OPS");
		return 0;
	}
	snprintf(name, sizeof(name), "strict-%s", dev_name(&sdev->device->dev));
	sdev->dma = root_device_register(name);
	if (IS_ERR(sdev->dma)) {
		int ret = PTR_ERR(sdev->dma);

		sdev->dma = NULL;
		return ret;
	}
	sdev->dma_mask = DMA_BIT_MASK(64);
	sdev->dma->dma_mask = &sdev->dma_mask;
	sdev->dma->coherent_dma_mask = DMA_BIT_MASK(64);
	sdev->dma->dma_parms = &sdev->dma_parms;
	dma_set_max_seg_size(sdev->dma, strict_params.profile &&
			     strict_params.profile->max_seg_size ?
			     strict_params.profile->max_seg_size : STRICT_MAX_SEGMENT);
	dev_set_drvdata(sdev->dma, sdev);
	set_dma_ops(sdev->dma, &strict_map_ops);
	smp_wmb();	/* the device is whole before users see it */
	WRITE_ONCE(sdev->device->dma_device, sdev->dma);
	return 0;
}

static void strict_dma_forget(struct strict_mapping *mapping, bool core)
{
	strict_expect(core && !mapping->checked, STRICT_DMA_LEAK, (void *)mapping->stack[0],
		      "%zu bytes at %#llx are mapped while the device is removed, by %pS, %pS",
		      mapping->size, mapping->addr, (void *)mapping->stack[1],
		      (void *)mapping->stack[2]);
	strict_mapping_put(mapping);
}

/**
 * strict_dma_stop - undo strict_dma_start()
 * @sdev: device without users but those of the RDMA core
 * @core: the RDMA core uses it still
 *
 * The core has mapped memory too. What it unmaps later is no mapping any more. Nothing tells
 * its mappings from those of others but a work request of a QP that is checked, so without
 * one a leak is reported only if the core has gone too.
 *
 * Context: may sleep.
 */
void strict_dma_stop(struct strict_device *sdev, bool core)
{
	struct strict_mapping *mapping, *next;

	if (!sdev->dma)
		return;
	rbtree_postorder_for_each_entry_safe(mapping, next, &sdev->space.mappings, node)
		strict_dma_forget(mapping, core);
	sdev->space.mappings = RB_ROOT;
	root_device_unregister(sdev->dma);
	sdev->dma = NULL;
}

/**
 * strict_reads_late - does the device read the memory itself, and no copy?
 * @mapping: mapping
 *
 * Context: any.
 * Return: true if it does.
 */
bool strict_reads_late(const struct strict_mapping *mapping)
{
	return mapping->dir == DMA_TO_DEVICE && strict_params.late;
}

/* What the device below the layer uses */
static void *strict_mapping_memory(const struct strict_mapping *mapping)
{
	return mapping->bounce && !strict_reads_late(mapping) ? mapping->bounce : mapping->cpu;
}

/**
 * strict_dma_pointer - translate an address without any check
 * @sdev: device
 * @addr: DMA address
 * @length: bytes
 *
 * For memory of the RDMA core, which may have been mapped before the layer was there.
 *
 * Context: any.
 * Return: the memory; NULL if the address is not mapped.
 */
void *strict_dma_pointer(struct strict_device *sdev, u64 addr, size_t length)
{
	struct strict_mapping *mapping;
	void *pointer = NULL;
	unsigned long flags;

	if (!strict_dma_is_ours(addr))
		return (void *)(uintptr_t)addr;
	spin_lock_irqsave(&sdev->space.lock, flags);
	mapping = strict_mapping_find(&sdev->space, addr);
	if (mapping && addr - mapping->addr + length <= mapping->size)
		pointer = strict_mapping_memory(mapping) + (addr - mapping->addr);
	spin_unlock_irqrestore(&sdev->space.lock, flags);
	return pointer;
}

static bool strict_dma_good(const struct strict_mapping *mapping, u64 addr, size_t length,
			    enum dma_data_direction dir, const void *caller)
{
	if (!strict_expect(mapping, STRICT_DMA_ADDRESS, caller,
			   "%#llx (%zu bytes) is no address that is mapped", addr, length))
		return false;
	return strict_expect(addr - mapping->addr + length <= mapping->size,
			     STRICT_DMA_BOUNDS, caller,
			     "%#llx (%zu bytes) goes beyond the mapping of %zu bytes at %#llx",
			     addr, length, mapping->size, mapping->addr) &
	       strict_expect(mapping->dir == dir || mapping->dir == DMA_BIDIRECTIONAL,
			     STRICT_DMA_DIRECTION, caller,
			     "%#llx is mapped for direction %d and used for %d", addr,
			     mapping->dir, dir);
}

/* Two Receives, or RDMA Reads, into the same memory */
static void strict_dma_check_twice(const struct strict_mapping *mapping,
				   const struct strict_use *use)
{
	const struct strict_use *other, *twice = NULL;

	if (use->mr || mapping->dir != DMA_FROM_DEVICE)
		return;
	hlist_for_each_entry(other, &mapping->uses, node)
		if (!other->mr && other->offset < use->offset + use->length &&
		    use->offset < other->offset + other->length)
			twice = other;
	strict_expect(!twice, STRICT_DMA_TWICE, use->caller,
		      "%#llx (%zu bytes) is posted for writing and another work request does that already, posted by %pS",
		      mapping->addr + use->offset, use->length,
		      twice ? twice->caller : NULL);
}

/**
 * strict_dma_use - the device may access memory from now on
 * @sdev: device
 * @use: result; @use->mr and @use->caller are set
 * @addr: DMA address
 * @length: bytes
 * @dir: direction of the transfer; DMA_NONE: it is not known yet
 *
 * Context: any.
 * Return: true, and strict_dma_release() undoes it; or false if it must not, which was
 * reported.
 */
bool strict_dma_use(struct strict_device *sdev, struct strict_use *use, u64 addr,
		    size_t length, enum dma_data_direction dir)
{
	struct strict_mapping *mapping;
	unsigned long flags;
	bool good;

	spin_lock_irqsave(&sdev->space.lock, flags);
	mapping = strict_mapping_find(&sdev->space, addr);
	good = strict_dma_good(mapping, addr, length,
			       dir == DMA_NONE && mapping ? mapping->dir : dir, use->caller);
	if (good) {
		kref_get(&mapping->ref);
		mapping->checked = true;
		use->mapping = mapping;
		use->offset = addr - mapping->addr;
		use->length = length;
		use->held = strict_buffer_is_held(use);
		strict_dma_check_twice(mapping, use);
		hlist_add_head(&use->node, &mapping->uses);
	}
	spin_unlock_irqrestore(&sdev->space.lock, flags);
	return good;
}

/**
 * strict_dma_share - the device may access memory that it may access already
 * @sdev: device
 * @use: result; @use->mr and @use->caller are set
 * @other: the same range
 *
 * Context: any.
 */
void strict_dma_share(struct strict_device *sdev, struct strict_use *use,
		      const struct strict_use *other)
{
	unsigned long flags;

	spin_lock_irqsave(&sdev->space.lock, flags);
	use->mapping = other->mapping;
	use->offset = other->offset;
	use->length = other->length;
	use->held = other->held;
	if (use->mapping) {
		kref_get(&use->mapping->ref);
		hlist_add_head(&use->node, &use->mapping->uses);
	}
	spin_unlock_irqrestore(&sdev->space.lock, flags);
}

/**
 * strict_dma_release - the device accesses memory no more
 * @sdev: device
 * @use: memory
 *
 * Context: any.
 */
void strict_dma_release(struct strict_device *sdev, struct strict_use *use)
{
	unsigned long flags;

	if (!use->mapping)
		return;
	spin_lock_irqsave(&sdev->space.lock, flags);
	hlist_del(&use->node);
	spin_unlock_irqrestore(&sdev->space.lock, flags);
	strict_mapping_put(use->mapping);
	use->mapping = NULL;
}

/**
 * strict_use_pointer - memory, as the device below the layer sees it
 * @use: memory that is used
 *
 * Context: any.
 * Return: the pointer.
 */
void *strict_use_pointer(const struct strict_use *use)
{
	return strict_mapping_memory(use->mapping) + use->offset;
}
