// SPDX-License-Identifier: GPL-2.0-only
/*
 * Send and receive queues: rings of the work requests that were posted and are not known to
 * be complete. A queue has as much room as was asked for when the QP was created.
 */
#include <linux/slab.h>
#include "strict.h"

/**
 * strict_queue_init - make an empty queue
 * @queue: result
 * @size: most work requests
 * @limit: most units of these
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int strict_queue_init(struct strict_queue *queue, u32 size, u32 limit)
{
	queue->wrs = kvcalloc(size + 1, sizeof(*queue->wrs), GFP_NOFS);
	queue->size = size;
	queue->limit = limit;
	return queue->wrs ? 0 : -ENOMEM;
}

/**
 * strict_queue_free - undo strict_queue_init()
 * @queue: empty queue
 *
 * Context: may sleep.
 */
void strict_queue_free(struct strict_queue *queue)
{
	kvfree(queue->wrs);
}

/**
 * strict_queue_add - add a work request
 * @queue: queue
 * @units: what it takes
 *
 * Context: any; strict_qp.lock is held.
 * Return: the entry, all zero; or NULL if the queue is full.
 */
struct strict_wr *strict_queue_add(struct strict_queue *queue, u32 units)
{
	struct strict_wr *swr;

	if (queue->count == queue->size || queue->units + units > queue->limit)
		return NULL;
	swr = &queue->wrs[(queue->head + queue->count) % queue->size];
	memset(swr, 0, sizeof(*swr));
	swr->units = units;
	queue->units += units;
	queue->count++;
	return swr;
}

/**
 * strict_queue_undo - remove the newest work request
 * @queue: queue that is not empty
 *
 * Context: any; strict_qp.lock is held.
 */
void strict_queue_undo(struct strict_queue *queue)
{
	queue->count--;
	queue->units -= queue->wrs[(queue->head + queue->count) % queue->size].units;
}

/**
 * strict_queue_at - look at a work request
 * @queue: queue
 * @n: 0: the oldest one
 *
 * Context: any; strict_qp.lock is held.
 * Return: the entry, or NULL if there are not so many.
 */
struct strict_wr *strict_queue_at(struct strict_queue *queue, u32 n)
{
	return n < queue->count ? &queue->wrs[(queue->head + n) % queue->size] : NULL;
}

/**
 * strict_queue_drop - remove the oldest work request
 * @queue: queue that is not empty
 *
 * Context: any; strict_qp.lock is held.
 */
void strict_queue_drop(struct strict_queue *queue)
{
	queue->units -= queue->wrs[queue->head].units;
	queue->head = (queue->head + 1) % queue->size;
	queue->count--;
}
