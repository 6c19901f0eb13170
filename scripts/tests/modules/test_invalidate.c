// SPDX-License-Identifier: GPL-2.0-only
/*
 * Local invalidations that fail: as many as were written to the parameter "fail" name a
 * handle that does not exist. Only kernel modules are affected.
 *
 * Load this module before the modules under test, and unload it after them: it
 * restores the device operations without checking for other users.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <rdma/ib_verbs.h>

typedef int (*post_send_fn)(struct ib_qp *qp, const struct ib_send_wr *first,
			    const struct ib_send_wr **bad);

/* All but the key byte, which changes with each registration */
#define INVALIDATE_OTHER	0xffffff00

static int fail;
module_param(fail, int, 0644);
MODULE_PARM_DESC(fail, "Number of local invalidations to fail");

static struct ib_client invalidate_client;

/* The work requests belong to the caller, which does not use the handle again */
static int invalidate_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
				const struct ib_send_wr **bad)
{
	post_send_fn real = ib_get_client_data(qp->device, &invalidate_client);
	struct ib_send_wr *wr;

	for (wr = (struct ib_send_wr *)first; wr; wr = wr->next) {
		if (wr->opcode != IB_WR_LOCAL_INV || READ_ONCE(fail) <= 0)
			continue;
		WRITE_ONCE(fail, fail - 1);
		wr->ex.invalidate_rkey ^= INVALIDATE_OTHER;
	}
	return real(qp, first, bad);
}

static int invalidate_add(struct ib_device *device)
{
	ib_set_client_data(device, &invalidate_client, device->ops.post_send);
	device->ops.post_send = invalidate_post_send;
	return 0;
}

static void invalidate_remove(struct ib_device *device, void *client_data)
{
	device->ops.post_send = client_data;
}

static struct ib_client invalidate_client = {
	.name	= "test_invalidate",
	.add	= invalidate_add,
	.remove	= invalidate_remove,
};

static int __init invalidate_init(void)
{
	return ib_register_client(&invalidate_client);
}

static void __exit invalidate_exit(void)
{
	ib_unregister_client(&invalidate_client);
}

module_init(invalidate_init);
module_exit(invalidate_exit);

MODULE_DESCRIPTION("Test aid: local invalidations that fail");
MODULE_LICENSE("GPL");
