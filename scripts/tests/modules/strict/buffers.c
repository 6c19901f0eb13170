// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of buffers, from posting to the moment when the device is known to have read
 * or written them. For a Send without a completion of its own that is when a later one
 * of the same queue is polled.
 */
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "strict.h"

static u32 strict_use_sum(const struct strict_use *use)
{
	return jhash(use->mapping->cpu + use->offset, use->length, 0);
}

static bool strict_use_same(const struct strict_use *use)
{
	return !memcmp(use->mapping->cpu + use->offset,
		       use->mapping->bounce + use->offset, use->length);
}

/* The page that the range begins in. It may have been freed */
static struct folio *strict_use_folio(const struct strict_use *use)
{
	return virt_to_folio(strict_cpu_at(use->mapping, use->offset));
}

/**
 * strict_buffer_is_held - does somebody have a reference to the page that a range begins in?
 * @use: range
 *
 * Pages of kmalloc() have none in newer kernels.
 *
 * Context: any.
 * Return: true if somebody has.
 */
bool strict_buffer_is_held(const struct strict_use *use)
{
	return folio_ref_count(strict_use_folio(use));
}

static void strict_read_posted(struct strict_use *use)
{
	const struct strict_mapping *mapping = use->mapping;

	if (!mapping->own) {
		strict_count(STRICT_N_USER_MEMORY);
		use->writeback = folio_test_writeback(strict_use_folio(use));
		return;
	}
	if (mapping->bounce)
		strict_expect(strict_use_same(use), STRICT_SEND_UNSYNCED, use->caller,
			      "the CPU has changed %zu bytes at %#llx and not synced them for the device; mapped by %pS",
			      use->length, mapping->addr + use->offset,
			      (void *)mapping->stack[0]);
	use->sum = strict_use_sum(use);
	use->summed = true;
}

static bool strict_overlaps(const struct strict_use *use, size_t start, size_t end)
{
	return start < end && use->offset < end && start < use->offset + use->length;
}

static void strict_write_posted(const struct strict_use *use)
{
	const struct strict_mapping *mapping = use->mapping;

	strict_expect(!strict_overlaps(use, mapping->got_start, mapping->got_end),
		      STRICT_RECV_UNSYNCED, use->caller,
		      "%zu bytes at %#llx were received, and not synced for the CPU before they are posted again",
		      mapping->got_end - mapping->got_start,
		      mapping->addr + mapping->got_start);
	strict_expect(!strict_overlaps(use, mapping->cpu_start, mapping->cpu_end),
		      STRICT_RECV_NOT_GIVEN, use->caller,
		      "%zu bytes at %#llx were synced for the CPU, and not for the device before they are posted again",
		      mapping->cpu_end - mapping->cpu_start,
		      mapping->addr + mapping->cpu_start);
}

/**
 * strict_buffer_posted - a buffer is posted
 * @sdev: device
 * @use: memory of the work request
 * @reads: the device will read it, and not write it
 *
 * Context: any.
 */
void strict_buffer_posted(struct strict_device *sdev, struct strict_use *use, bool reads)
{
	unsigned long flags;

	spin_lock_irqsave(&sdev->space.lock, flags);
	if (reads)
		strict_read_posted(use);
	else
		strict_write_posted(use);
	spin_unlock_irqrestore(&sdev->space.lock, flags);
}

/* Who has lent the memory to the poster may have got it back */
static void strict_check_lent(const struct strict_use *use)
{
	struct folio *folio = strict_use_folio(use);
	bool freed = use->held && !folio_ref_count(folio);

	if (folio_test_slab(folio))
		return;
	strict_expect(!freed && !(use->writeback && !folio_test_writeback(folio)),
		      STRICT_SEND_GIVEN, use->caller,
		      "%zu bytes at %#llx were %s before the work request was known to be complete",
		      use->length, use->mapping->addr + use->offset,
		      freed ? "freed" : "written back");
}

static void strict_buffer_read(const struct strict_use *use)
{
	strict_expect(use->sum == strict_use_sum(use), STRICT_SEND_CHANGED, use->caller,
		      "%zu bytes at %#llx have changed before the work request was known to be complete; mapped by %pS",
		      use->length, use->mapping->addr + use->offset,
		      (void *)use->mapping->stack[0]);
}

/**
 * strict_buffer_done - the device is known not to access a buffer any more
 * @sdev: device
 * @use: memory of the work request
 * @good: the work request has succeeded
 * @got: bytes that it has received there
 *
 * Context: any.
 */
void strict_buffer_done(struct strict_device *sdev, struct strict_use *use, bool good,
			size_t got)
{
	struct strict_mapping *mapping = use->mapping;
	unsigned long flags;

	spin_lock_irqsave(&sdev->space.lock, flags);
	/* What was unmapped too early may have been freed; that was reported */
	if (mapping->mapped && mapping->dir == DMA_TO_DEVICE && good)
		strict_check_lent(use);
	if (mapping->mapped && use->summed)
		strict_buffer_read(use);
	if (got) {
		mapping->got_start = use->offset;
		mapping->got_end = use->offset + min(got, use->length);
	}
	spin_unlock_irqrestore(&sdev->space.lock, flags);
}
