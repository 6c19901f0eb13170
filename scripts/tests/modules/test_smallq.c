// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reduces the queue depth of every RDMA device, while this module is loaded, so
 * that send queues fill under ordinary load. An RDMA client sees devices in the
 * order in which clients registered, so load this module before the one under
 * test.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <rdma/ib_verbs.h>

static int depth = 400;
module_param(depth, int, 0444);
MODULE_PARM_DESC(depth, "Work requests that a send or receive queue can hold");

static struct ib_client smallq_client;

/* The client data is the original queue depth */
static int smallq_add(struct ib_device *device)
{
	if (device->attrs.max_qp_wr <= depth)
		return -EOPNOTSUPP;
	ib_set_client_data(device, &smallq_client,
			   (void *)(long)device->attrs.max_qp_wr);
	device->attrs.max_qp_wr = depth;
	pr_info("%s: queue depth reduced to %d\n", dev_name(&device->dev), depth);
	return 0;
}

static void smallq_remove(struct ib_device *device, void *client_data)
{
	device->attrs.max_qp_wr = (long)client_data;
}

static struct ib_client smallq_client = {
	.name = "test_smallq",
	.add = smallq_add,
	.remove = smallq_remove,
};

static int __init smallq_init(void)
{
	return ib_register_client(&smallq_client);
}

static void __exit smallq_exit(void)
{
	ib_unregister_client(&smallq_client);
}

module_init(smallq_init);
module_exit(smallq_exit);

MODULE_DESCRIPTION("Test aid: RDMA devices with small queues");
MODULE_LICENSE("GPL");
