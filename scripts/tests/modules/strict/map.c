// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations of the DMA API for the device that memory is mapped for.
 *
 * The device has memory of its own, a bounce buffer, for each mapping: what was not synced is
 * not seen by the other side, as with an IOMMU that is not coherent or with swiotlb. Memory
 * of a program that is mapped in both directions is not copied: the device below the layer
 * has pinned the pages and uses these. In the mode "late" the device reads the memory of a
 * Send itself, and the copy only tells whether that was synced.
 *
 * Memory for transfers from the device is overwritten while the device owns it. If that has
 * changed when it is given back, the CPU has written to it.
 */
#include <linux/dma-map-ops.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "strict.h"

#define STRICT_POISON_CPU	0xdb	/* the device owns this memory */
#define STRICT_POISON_DEVICE	0xdd	/* the device has not written this */

static struct strict_device *sdev_of(struct device *dev)
{
	return dev_get_drvdata(dev);
}

/**
 * strict_mapping_find - find the mapping of an address
 * @space: addresses of a device, locked
 * @addr: any address in the mapping
 *
 * Context: any.
 * Return: the mapping, or NULL.
 */
struct strict_mapping *strict_mapping_find(struct strict_space *space, u64 addr)
{
	struct rb_node *node = space->mappings.rb_node;

	lockdep_assert_held(&space->lock);
	while (node) {
		struct strict_mapping *mapping =
			rb_entry(node, struct strict_mapping, node);

		if (addr < mapping->addr)
			node = node->rb_left;
		else if (addr >= mapping->addr + mapping->size)
			node = node->rb_right;
		else
			return mapping;
	}
	return NULL;
}

static void strict_mapping_insert(struct strict_space *space, struct strict_mapping *mapping)
{
	struct rb_node **link = &space->mappings.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		/* Addresses only grow */
		link = &parent->rb_right;
	}
	rb_link_node(&mapping->node, parent, link);
	rb_insert_color(&mapping->node, &space->mappings);
}

static size_t strict_bounce_size(const struct strict_mapping *mapping)
{
	return PAGE_ALIGN(offset_in_page(mapping->cpu) + mapping->size);
}

static void strict_mapping_free(struct kref *ref)
{
	struct strict_mapping *mapping = container_of(ref, struct strict_mapping, ref);

	if (mapping->bounce)
		free_pages_exact(mapping->bounce - offset_in_page(mapping->cpu),
				 strict_bounce_size(mapping));
	kfree(mapping->pages);
	kfree(mapping);
	strict_count_add(STRICT_N_MAPPED, -1);
}

/**
 * strict_mapping_put - drop a reference
 * @mapping: mapping
 *
 * Context: any.
 */
void strict_mapping_put(struct strict_mapping *mapping)
{
	kref_put(&mapping->ref, strict_mapping_free);
}

/* Pages of files and programs have users that are not told of the device */
static bool strict_page_is_own(struct page *page)
{
	struct folio *folio = page_folio(page);

	return folio_test_slab(folio) || !folio->mapping;
}

static bool strict_wants_bounce(const struct strict_mapping *mapping)
{
	return mapping->dir != DMA_BIDIRECTIONAL &&
	       (mapping->own || !strict_reads_late(mapping));
}

static bool strict_poisons(const struct strict_mapping *mapping)
{
	return strict_params.poison && mapping->own && mapping->bounce &&
	       mapping->dir == DMA_FROM_DEVICE;
}

/**
 * strict_bounce_init - give the device memory of its own
 * @mapping: new mapping
 *
 * Without memory the device uses the pages themselves, and that is counted.
 *
 * Context: any.
 */
void strict_bounce_init(struct strict_mapping *mapping)
{
	void *pages;

	if (!strict_wants_bounce(mapping))
		return;
	pages = alloc_pages_exact(strict_bounce_size(mapping),
				  GFP_ATOMIC | __GFP_NOWARN | __GFP_NOMEMALLOC);
	if (!pages) {
		strict_count(STRICT_N_NOT_BOUNCED);
		return;
	}
	strict_count(STRICT_N_BOUNCED);
	mapping->bounce = pages + offset_in_page(mapping->cpu);
	if (strict_poisons(mapping)) {
		memset(mapping->bounce, STRICT_POISON_DEVICE, mapping->size);
		memset(mapping->cpu, STRICT_POISON_CPU, mapping->size);
	} else {
		strict_copy(mapping, 0, mapping->size, false);
	}
}

/**
 * strict_mapping_new - begin a mapping
 * @cpu: start of the memory
 * @size: bytes
 * @dir: direction
 *
 * Context: any.
 * Return: the mapping, without an address; or NULL without memory.
 */
struct strict_mapping *strict_mapping_new(void *cpu, size_t size, enum dma_data_direction dir)
{
	struct strict_mapping *mapping;

	mapping = kzalloc(sizeof(*mapping), GFP_ATOMIC | __GFP_NOWARN);
	if (!mapping) {
		strict_count(STRICT_N_NO_MEMORY);
		return NULL;
	}
	kref_init(&mapping->ref);
	mapping->size = size;
	mapping->dir = dir;
	mapping->cpu = cpu;
	mapping->mapped = true;
	strict_callers(mapping->stack, ARRAY_SIZE(mapping->stack));
	strict_count(STRICT_N_MAPPINGS);
	strict_count(STRICT_N_MAPPED);
	return mapping;
}

static dma_addr_t strict_map_at(struct device *dev, struct strict_mapping *mapping)
{
	struct strict_space *space = &sdev_of(dev)->space;
	size_t offset = offset_in_page(mapping->cpu);
	unsigned long flags;

	spin_lock_irqsave(&space->lock, flags);
	mapping->addr = space->next + offset;
	space->next += PAGE_ALIGN(offset + mapping->size) + PAGE_SIZE;
	strict_mapping_insert(space, mapping);
	spin_unlock_irqrestore(&space->lock, flags);
	return mapping->addr;
}

static dma_addr_t strict_map(struct device *dev, struct page *page, size_t offset,
			     size_t size, enum dma_data_direction dir)
{
	struct strict_mapping *mapping;

	page += offset >> PAGE_SHIFT;
	if (!size || PageHighMem(page))
		return DMA_MAPPING_ERROR;
	mapping = strict_mapping_new(page_address(page) + offset_in_page(offset), size, dir);
	if (!mapping)
		return DMA_MAPPING_ERROR;
	mapping->own = strict_page_is_own(page);
	strict_bounce_init(mapping);
	return strict_map_at(dev, mapping);
}

static bool strict_own_range(const struct strict_mapping *mapping, size_t start, size_t end)
{
	return start >= end ||
	       !memchr_inv(mapping->cpu + start, STRICT_POISON_CPU, end - start);
}

/* The CPU has not written to [start, end), apart from what it owns */
static void strict_check_untouched(const struct strict_mapping *mapping, size_t start,
				   size_t end)
{
	bool good;

	if (!strict_poisons(mapping))
		return;
	if (mapping->cpu_start < mapping->cpu_end)
		good = strict_own_range(mapping, start, min(end, mapping->cpu_start)) &&
		       strict_own_range(mapping, max(start, mapping->cpu_end), end);
	else
		good = strict_own_range(mapping, start, end);
	strict_expect(good, STRICT_CPU_WROTE, NULL,
		      "the CPU has written to %zu bytes at %p (%#llx) that the device owns; mapped by %pS, %pS",
		      mapping->size, mapping->cpu, mapping->addr,
		      (void *)mapping->stack[0], (void *)mapping->stack[1]);
}

static void strict_copy_to_cpu(const struct strict_mapping *mapping, size_t start, size_t end)
{
	if (mapping->bounce && mapping->dir == DMA_FROM_DEVICE && start < end)
		strict_copy(mapping, start, end, true);
}

/* Not what the CPU owns already: it may have changed that */
static void strict_give_to_cpu(const struct strict_mapping *mapping, size_t start, size_t end)
{
	strict_check_untouched(mapping, start, end);
	if (mapping->cpu_start >= mapping->cpu_end) {
		strict_copy_to_cpu(mapping, start, end);
		return;
	}
	strict_copy_to_cpu(mapping, start, min(end, mapping->cpu_start));
	strict_copy_to_cpu(mapping, max(start, mapping->cpu_end), end);
}

static bool strict_use_overlaps(const struct strict_use *use, size_t start, size_t end)
{
	return use->offset < end && start < use->offset + use->length;
}

/* The device may still access what is unmapped, or synced */
static void strict_check_unused(const struct strict_mapping *mapping, size_t start, size_t end,
				bool sync, const void *caller)
{
	const struct strict_use *use, *posted = NULL, *exposed = NULL;

	hlist_for_each_entry(use, &mapping->uses, node) {
		if (!strict_use_overlaps(use, start, end))
			continue;
		if (!use->mr)
			posted = use;
		else if (strict_mr_exposed(use->mr))
			exposed = use;
	}
	strict_expect(!posted, sync ? STRICT_DMA_SYNC_POSTED : STRICT_DMA_UNMAP_POSTED, caller,
		      "%#llx (%zu bytes) is %s while a work request uses it, posted by %pS",
		      mapping->addr + start, end - start, sync ? "synced" : "unmapped",
		      posted ? posted->caller : NULL);
	if (sync)
		return;
	strict_expect(!exposed, STRICT_DMA_UNMAP_MR, caller,
		      "%#llx (%zu bytes) is unmapped while the MR %#x is valid",
		      mapping->addr + start, end - start, exposed ? exposed->mr->key : 0);
}

static struct strict_mapping *strict_unmap_find(struct strict_space *space, u64 addr,
						size_t size, enum dma_data_direction dir,
						const void *caller)
{
	struct strict_mapping *mapping = strict_mapping_find(space, addr);

	strict_expect(mapping && mapping->addr == addr && mapping->size == size &&
		      mapping->dir == dir, STRICT_DMA_UNMAP, caller,
		      "%#llx, %zu bytes, direction %d, is unmapped and %s (%#llx, %zu bytes, direction %d)",
		      addr, size, dir, mapping ? "is another mapping" : "is not mapped",
		      mapping ? mapping->addr : 0, mapping ? mapping->size : 0,
		      mapping ? mapping->dir : DMA_NONE);
	return mapping;
}

static void strict_unmap(struct device *dev, dma_addr_t addr, size_t size,
			 enum dma_data_direction dir, const void *caller)
{
	struct strict_space *space = &sdev_of(dev)->space;
	struct strict_mapping *mapping;
	unsigned long flags;

	if (!strict_dma_is_ours(addr))
		return;
	spin_lock_irqsave(&space->lock, flags);
	mapping = strict_unmap_find(space, addr, size, dir, caller);
	if (mapping) {
		strict_check_unused(mapping, 0, mapping->size, false, caller);
		rb_erase(&mapping->node, &space->mappings);
		mapping->mapped = false;
	}
	spin_unlock_irqrestore(&space->lock, flags);
	if (!mapping)
		return;
	strict_give_to_cpu(mapping, 0, mapping->size);
	strict_mapping_put(mapping);
}

/* A range that the CPU owns: what is synced is added to it, or taken from it */
static void strict_own_add(struct strict_mapping *mapping, size_t start, size_t end)
{
	if (mapping->cpu_start >= mapping->cpu_end) {
		mapping->cpu_start = start;
		mapping->cpu_end = end;
	} else {
		mapping->cpu_start = min(mapping->cpu_start, start);
		mapping->cpu_end = max(mapping->cpu_end, end);
	}
}

static void strict_own_take(struct strict_mapping *mapping, size_t start, size_t end)
{
	if (start <= mapping->cpu_start && end >= mapping->cpu_start)
		mapping->cpu_start = min(end, mapping->cpu_end);
	else if (end >= mapping->cpu_end)
		mapping->cpu_end = min(start, mapping->cpu_end);
}

static void strict_sync_cpu(struct strict_mapping *mapping, size_t start, size_t end)
{
	if (mapping->dir != DMA_FROM_DEVICE)
		return;
	strict_give_to_cpu(mapping, start, end);
	strict_own_add(mapping, start, end);
	if (start <= mapping->got_start && end > mapping->got_start)
		mapping->got_start = min(end, mapping->got_end);
}

static void strict_sync_device(struct strict_mapping *mapping, size_t start, size_t end)
{
	if (mapping->dir == DMA_TO_DEVICE && mapping->bounce)
		strict_copy(mapping, start, end, false);
	if (mapping->dir != DMA_FROM_DEVICE)
		return;
	strict_own_take(mapping, start, end);
	if (strict_poisons(mapping))
		memset(mapping->cpu + start, STRICT_POISON_CPU, end - start);
}

static void strict_sync(struct device *dev, dma_addr_t addr, size_t size,
			enum dma_data_direction dir, bool to_cpu, const void *caller)
{
	struct strict_space *space = &sdev_of(dev)->space;
	struct strict_mapping *mapping;
	unsigned long flags;
	size_t start;

	if (!strict_dma_is_ours(addr))
		return;
	spin_lock_irqsave(&space->lock, flags);
	mapping = strict_mapping_find(space, addr);
	if (strict_expect(mapping && addr + size <= mapping->addr + mapping->size &&
			  mapping->dir == dir, STRICT_DMA_SYNC, caller,
			  "%#llx, %zu bytes, direction %d, is synced and %s", addr, size, dir,
			  mapping ? "is mapped otherwise" : "is not mapped")) {
		start = addr - mapping->addr;
		strict_check_unused(mapping, start, start + size, true, caller);
		if (to_cpu)
			strict_sync_cpu(mapping, start, start + size);
		else
			strict_sync_device(mapping, start, start + size);
	}
	spin_unlock_irqrestore(&space->lock, flags);
}

static void strict_sync_single_for_cpu(struct device *dev, dma_addr_t addr, size_t size,
				       enum dma_data_direction dir)
{
	strict_sync(dev, addr, size, dir, true, NULL);
}

static void strict_sync_single_for_device(struct device *dev, dma_addr_t addr, size_t size,
					  enum dma_data_direction dir)
{
	strict_sync(dev, addr, size, dir, false, NULL);
}

static void strict_sync_sg_for_cpu(struct device *dev, struct scatterlist *sgl, int nents,
				   enum dma_data_direction dir)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, nents, i)
		if (sg_dma_len(sg))
			strict_sync(dev, sg_dma_address(sg), sg_dma_len(sg), dir, true, NULL);
}

static void strict_sync_sg_for_device(struct device *dev, struct scatterlist *sgl, int nents,
				      enum dma_data_direction dir)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, nents, i)
		if (sg_dma_len(sg))
			strict_sync(dev, sg_dma_address(sg), sg_dma_len(sg), dir, false, NULL);
}

static void strict_unmap_sg(struct device *dev, struct scatterlist *sgl, int nents,
			    enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(sgl, sg, nents, i)
		if (sg_dma_len(sg))
			strict_unmap(dev, sg_dma_address(sg), sg_dma_len(sg), dir, NULL);
}

/* The first entry, or it and those after it as one. Returns how many these are */
static unsigned int strict_map_next(struct device *dev, struct scatterlist *sg,
				    unsigned int nents, enum dma_data_direction dir,
				    struct scatterlist *to)
{
	unsigned int n = strict_merge_count(dev, sg, nents, dir);
	struct strict_mapping *mapping = n > 1 ? strict_merge(sg, n, dir) : NULL;
	unsigned int length = mapping ? mapping->size : sg->length;

	if (mapping)
		sg_dma_address(to) = strict_map_at(dev, mapping);
	else
		sg_dma_address(to) = strict_map(dev, sg_page(sg), sg->offset, sg->length, dir);
	sg_dma_len(to) = sg_dma_address(to) == DMA_MAPPING_ERROR ? 0 : length;
	return mapping ? n : 1;
}

static int strict_map_sg(struct device *dev, struct scatterlist *sgl, int nents,
			 enum dma_data_direction dir, unsigned long attrs)
{
	struct scatterlist *sg = sgl, *to = sgl;
	int left = nents, segments = 0;

	while (left) {
		unsigned int n = strict_map_next(dev, sg, left, dir, to);

		if (!sg_dma_len(to)) {
			strict_unmap_sg(dev, sgl, segments, dir, attrs);
			return -ENOMEM;
		}
		segments++;
		to = sg_next(to);
		for (left -= n; n; n--)
			sg = sg_next(sg);
	}
	for (left = nents - segments; left; left--, to = sg_next(to))
		sg_dma_len(to) = 0;
	return segments;
}

/* Kbuild looks which form the kernel has */
#ifdef STRICT_MAP_PHYS
static dma_addr_t strict_map_phys(struct device *dev, phys_addr_t phys, size_t size,
				  enum dma_data_direction dir, unsigned long attrs)
{
	if (attrs & DMA_ATTR_MMIO)
		return DMA_MAPPING_ERROR;
	return strict_map(dev, phys_to_page(phys), offset_in_page(phys), size, dir);
}

static void strict_unmap_phys(struct device *dev, dma_addr_t addr, size_t size,
			      enum dma_data_direction dir, unsigned long attrs)
{
	strict_unmap(dev, addr, size, dir, NULL);
}
#else
static dma_addr_t strict_map_page(struct device *dev, struct page *page,
				  unsigned long offset, size_t size,
				  enum dma_data_direction dir, unsigned long attrs)
{
	return strict_map(dev, page, offset, size, dir);
}

static void strict_unmap_page(struct device *dev, dma_addr_t addr, size_t size,
			      enum dma_data_direction dir, unsigned long attrs)
{
	strict_unmap(dev, addr, size, dir, NULL);
}
#endif

static int strict_dma_supported(struct device *dev, u64 mask)
{
	return mask == DMA_BIT_MASK(64);
}

const struct dma_map_ops strict_map_ops = {
#ifdef STRICT_MAP_PHYS
	.map_phys		= strict_map_phys,
	.unmap_phys		= strict_unmap_phys,
#else
	.map_page		= strict_map_page,
	.unmap_page		= strict_unmap_page,
#endif
	.map_sg			= strict_map_sg,
	.unmap_sg		= strict_unmap_sg,
	.sync_single_for_cpu	= strict_sync_single_for_cpu,
	.sync_single_for_device	= strict_sync_single_for_device,
	.sync_sg_for_cpu	= strict_sync_sg_for_cpu,
	.sync_sg_for_device	= strict_sync_sg_for_device,
	.dma_supported		= strict_dma_supported,
};
