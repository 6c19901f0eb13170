// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peers that never finish an RDMA Read. While the parameter "stall" is set, a WR chain
 * with an RDMA Read is accepted and never reaches the device, so none of it completes.
 * That is what a peer looks like that answers so little that the device does not give up.
 * Only kernel modules are affected.
 *
 * Load this module before the modules under test, and unload it after them: it
 * restores the device operations without checking for other users.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <rdma/ib_verbs.h>

typedef int (*post_send_fn)(struct ib_qp *qp, const struct ib_send_wr *first,
			    const struct ib_send_wr **bad);

static bool stall;
module_param(stall, bool, 0644);
MODULE_PARM_DESC(stall, "Swallow WR chains with an RDMA Read");

static struct ib_client stall_client;

static int stall_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
			   const struct ib_send_wr **bad)
{
	post_send_fn real = ib_get_client_data(qp->device, &stall_client);
	const struct ib_send_wr *wr;

	for (wr = first; READ_ONCE(stall) && wr; wr = wr->next)
		if (wr->opcode == IB_WR_RDMA_READ ||
		    wr->opcode == IB_WR_RDMA_READ_WITH_INV)
			return 0;
	return real(qp, first, bad);
}

static int stall_add(struct ib_device *device)
{
	ib_set_client_data(device, &stall_client, device->ops.post_send);
	device->ops.post_send = stall_post_send;
	return 0;
}

static void stall_remove(struct ib_device *device, void *client_data)
{
	device->ops.post_send = client_data;
}

static struct ib_client stall_client = {
	.name	= "test_stall",
	.add	= stall_add,
	.remove	= stall_remove,
};

static int __init stall_init(void)
{
	return ib_register_client(&stall_client);
}

static void __exit stall_exit(void)
{
	ib_unregister_client(&stall_client);
}

module_init(stall_init);
module_exit(stall_exit);

MODULE_DESCRIPTION("Test aid: RDMA Reads that never complete");
MODULE_LICENSE("GPL");
