// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA devices without fast registration (FRWR), while this module is loaded: without the
 * capability, or, with the parameter other_pages, only for pages of a size that this kernel
 * does not have.
 *
 * An RDMA client sees devices in the order in which clients registered, so load
 * this module before the one under test. Each device gets its attributes back when
 * the module or the device is removed.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <rdma/ib_verbs.h>

static bool other_pages;
module_param(other_pages, bool, 0444);
MODULE_PARM_DESC(other_pages, "the devices register memory, but no pages of the kernel's size");

static struct ib_client nofrwr_client;

static int nofrwr_add(struct ib_device *device)
{
	struct ib_device_attr *attrs = &device->attrs;

	if (!(attrs->device_cap_flags & IB_DEVICE_MEM_MGT_EXTENSIONS) ||
	    !(attrs->page_size_cap & PAGE_SIZE))
		return -EOPNOTSUPP;
	if (other_pages)
		attrs->page_size_cap &= ~(u64)PAGE_SIZE;
	else
		attrs->device_cap_flags &= ~(u64)IB_DEVICE_MEM_MGT_EXTENSIONS;
	ib_set_client_data(device, &nofrwr_client, device);
	pr_info("%s: %s\n", dev_name(&device->dev),
		other_pages ? "registers pages of another size" :
			      "memory management extensions disabled");
	return 0;
}

static void nofrwr_remove(struct ib_device *device, void *client_data)
{
	device->attrs.page_size_cap |= PAGE_SIZE;
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
