// SPDX-License-Identifier: GPL-2.0-only
/*
 * Removes the capability to register memory through the send queue (FRWR) from
 * every RDMA device, while this module is loaded.
 *
 * An RDMA client sees devices in the order in which clients registered, so load
 * this module before the one under test. Each device gets its flags back when
 * the module or the device is removed.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <rdma/ib_verbs.h>

static struct ib_client nofrwr_client;

static int nofrwr_add(struct ib_device *device)
{
	u64 flags = device->attrs.device_cap_flags;

	if (!(flags & IB_DEVICE_MEM_MGT_EXTENSIONS))
		return -EOPNOTSUPP;
	device->attrs.device_cap_flags = flags & ~IB_DEVICE_MEM_MGT_EXTENSIONS;
	ib_set_client_data(device, &nofrwr_client, device);
	pr_info("%s: memory management extensions disabled\n",
		dev_name(&device->dev));
	return 0;
}

static void nofrwr_remove(struct ib_device *device, void *client_data)
{
	device->attrs.device_cap_flags |= IB_DEVICE_MEM_MGT_EXTENSIONS;
}

static struct ib_client nofrwr_client = {
	.name = "test_nofrwr",
	.add = nofrwr_add,
	.remove = nofrwr_remove,
};

static int __init nofrwr_init(void)
{
	return ib_register_client(&nofrwr_client);
}

static void __exit nofrwr_exit(void)
{
	ib_unregister_client(&nofrwr_client);
}

module_init(nofrwr_init);
module_exit(nofrwr_exit);

MODULE_DESCRIPTION("Test aid: RDMA devices without FRWR");
MODULE_LICENSE("GPL");
