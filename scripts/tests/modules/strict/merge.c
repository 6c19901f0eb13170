// SPDX-License-Identifier: GPL-2.0-only
/*
 * Neighbours in a scatterlist that have one DMA address, as with an IOMMU that translates.
 *
 * There, pages that are not neighbours in memory become one segment for the device: the list
 * has fewer entries for the device than for the CPU, and other lengths. Here the bounce buffer
 * of such a segment is one piece, so only memory that has one is merged. What else the layer
 * knows of a segment is less: its pages are not overwritten and not compared.
 */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "strict.h"

static bool strict_may_merge(enum dma_data_direction dir)
{
	return strict_params.merge &&
	       (dir == DMA_FROM_DEVICE || (dir == DMA_TO_DEVICE && !strict_params.late));
}

/* The next entry begins where a page begins, and this one ends where a page ends */
static bool strict_joins(const struct scatterlist *sg, const struct scatterlist *next)
{
	return PAGE_ALIGNED(sg->offset + sg->length) && PAGE_ALIGNED(next->offset) &&
	       !PageHighMem(sg_page((struct scatterlist *)next));
}

/**
 * strict_merge_count - count the entries that become one
 * @dev: device that memory is mapped for
 * @sg: first entry
 * @nents: entries that are left
 * @dir: direction
 *
 * Context: any.
 * Return: their number, at least 1.
 */
unsigned int strict_merge_count(struct device *dev, struct scatterlist *sg, unsigned int nents,
				enum dma_data_direction dir)
{
	size_t size = sg->length, max = dma_get_max_seg_size(dev);
	unsigned int n = 1;

	if (!strict_may_merge(dir) || PageHighMem(sg_page(sg)))
		return 1;
	for (; n < nents; n++) {
		struct scatterlist *next = sg_next(sg);

		if (!strict_joins(sg, next) || size + next->length > max)
			break;
		size += next->length;
		sg = next;
	}
	return n;
}

static size_t strict_merge_size(struct scatterlist *sgl, unsigned int n)
{
	struct scatterlist *sg;
	size_t size = 0;
	unsigned int i;

	for_each_sg(sgl, sg, n, i)
		size += sg->length;
	return size;
}

static struct page **strict_merge_pages(struct scatterlist *sgl, unsigned int n, size_t size)
{
	unsigned int i, j = 0, max = PAGE_ALIGN(offset_in_page(sgl->offset) + size) >> PAGE_SHIFT;
	struct page **pages = kcalloc(max, sizeof(*pages), GFP_ATOMIC | __GFP_NOWARN);
	struct scatterlist *sg;

	if (!pages)
		return NULL;
	for_each_sg(sgl, sg, n, i) {
		unsigned int offset = sg->offset, end = offset + sg->length;

		for (; offset < end; offset = ALIGN(offset + 1, PAGE_SIZE))
			pages[j++] = sg_page(sg) + (offset >> PAGE_SHIFT);
	}
	return pages;
}

/**
 * strict_merge - make one mapping of several entries
 * @sg: first entry
 * @n: their number, of strict_merge_count()
 * @dir: direction
 *
 * Context: any.
 * Return: the mapping, without an address; or NULL without memory.
 */
struct strict_mapping *strict_merge(struct scatterlist *sg, unsigned int n,
				    enum dma_data_direction dir)
{
	size_t size = strict_merge_size(sg, n);
	struct page *first = sg_page(sg) + (sg->offset >> PAGE_SHIFT);
	struct strict_mapping *mapping;

	mapping = strict_mapping_new(page_address(first) + offset_in_page(sg->offset), size, dir);
	if (!mapping)
		return NULL;
	mapping->pages = strict_merge_pages(sg, n, size);
	if (mapping->pages)
		strict_bounce_init(mapping);
	if (!mapping->bounce) {
		strict_mapping_put(mapping);
		return NULL;
	}
	strict_count(STRICT_N_MERGED);
	return mapping;
}

/**
 * strict_cpu_at - find the memory of a mapping
 * @mapping: mapping
 * @offset: of a byte in it
 *
 * Context: any.
 * Return: the byte. The rest of its page follows, or if there are no pages, all of the mapping.
 */
void *strict_cpu_at(const struct strict_mapping *mapping, size_t offset)
{
	if (!mapping->pages)
		return mapping->cpu + offset;
	offset += offset_in_page(mapping->cpu);
	return page_address(mapping->pages[offset >> PAGE_SHIFT]) + offset_in_page(offset);
}

/**
 * strict_copy - copy between the memory and that of the device
 * @mapping: mapping with a bounce buffer
 * @start: first byte
 * @end: after the last byte
 * @to_cpu: from the device, and not to it
 *
 * Context: any.
 */
void strict_copy(const struct strict_mapping *mapping, size_t start, size_t end, bool to_cpu)
{
	while (start < end) {
		void *cpu = strict_cpu_at(mapping, start);
		size_t n = end - start;

		if (mapping->pages)
			n = min_t(size_t, n, PAGE_SIZE - offset_in_page(cpu));
		if (to_cpu)
			memcpy(cpu, mapping->bounce + start, n);
		else
			memcpy(mapping->bounce + start, cpu, n);
		start += n;
	}
}
