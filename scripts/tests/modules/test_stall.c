// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peers that never finish an RDMA Read, or never take an RDMA Write. While the parameter
 * "stall" (or "stall_writes") is set, a WR chain with an RDMA Read (or an RDMA Write of
 * data) is accepted and never reaches the device, so none of it completes.
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

static bool stall_writes;
module_param(stall_writes, bool, 0644);
MODULE_PARM_DESC(stall_writes, "Swallow WR chains with an RDMA Write of data");

static struct ib_client stall_client;

static bool stall_swallows(const struct ib_send_wr *wr)
{
	switch (wr->opcode) {
	case IB_WR_RDMA_READ:
	case IB_WR_RDMA_READ_WITH_INV:
		return READ_ONCE(stall);
	case IB_WR_RDMA_WRITE:
		return READ_ONCE(stall_writes) && wr->num_sge;
	default:
		return false;
	}
}

static int stall_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
			   const struct ib_send_wr **bad)
{
	post_send_fn real = ib_get_client_data(qp->device, &stall_client);
	const struct ib_send_wr *wr;

	for (wr = first; wr; wr = wr->next)
		if (stall_swallows(wr))
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

MODULE_DESCRIPTION("Test aid: RDMA Reads and Writes that never complete");
MODULE_LICENSE("GPL");
