// SPDX-License-Identifier: GPL-2.0-only
/*
 * Protection domains. While no QP of a PD can be used, no peer can access its MRs.
 */
#include <linux/slab.h>
#include "strict.h"

/**
 * strict_pd_get - find or make the shadow of a PD
 * @sdev: device
 * @pd: the PD
 *
 * Context: may sleep; strict_device.lock is held.
 * Return: the shadow with a reference, or NULL without memory.
 */
struct strict_pd *strict_pd_get(struct strict_device *sdev, struct ib_pd *pd)
{
	struct strict_pd *spd = xa_load(&sdev->pds, (unsigned long)pd);

	lockdep_assert_held(&sdev->lock);
	if (spd) {
		spd->refs++;
		return spd;
	}
	spd = kzalloc(sizeof(*spd), GFP_NOFS);
	if (!spd)
		return NULL;
	spd->refs = 1;
	spd->pd = pd;
	if (xa_err(xa_store(&sdev->pds, (unsigned long)pd, spd, GFP_NOFS))) {
		kfree(spd);
		return NULL;
	}
	return spd;
}

/**
 * strict_pd_put - drop a reference
 * @sdev: device
 * @spd: shadow of a PD
 *
 * Context: may sleep; strict_device.lock is held.
 */
void strict_pd_put(struct strict_device *sdev, struct strict_pd *spd)
{
	lockdep_assert_held(&sdev->lock);
	if (--spd->refs)
		return;
	xa_erase(&sdev->pds, (unsigned long)spd->pd);
	kfree(spd);
}
