// SPDX-License-Identifier: GPL-2.0-only
/*
 * A strict layer over RDMA devices.
 *
 * It stands between kernel users and a software device (rxe, siw), and does what adapters do
 * and the software devices do not: DMA addresses are no pointers, memory that is not
 * synced is not seen, queues have no more room than was asked for, work requests are
 * complete only when their completion was polled, completions can come late. It keeps a
 * shadow of QPs, CQs, MRs, PDs and mappings, and reports each use that the verbs or
 * the DMA API do not allow (report.h has the rules). With translate=N it only checks what
 * needs no translation, and that works over any device.
 *
 * When a device is added, the RDMA core has QPs for CM messages and mapped memory of them
 * already. Those mappings are pointers, which the layer passes on; later ones of the
 * same QPs are translated, and not checked. QPs and MRs of programs are left alone: the
 * device uses the pages that it has pinned.
 *
 * Load this module before the modules that are to be checked, and unload it after them. A
 * module that replaces device operations too may be loaded after it, and unloaded before.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include "strict.h"

struct strict_params strict_params = {
	.translate	= true,
	.poison		= true,
	.cm_event	= "",
};

module_param_named(translate, strict_params.translate, bool, 0444);
MODULE_PARM_DESC(translate, "DMA addresses are no pointers; N: only the checks that need none of this, for any device");
module_param_named(poison, strict_params.poison, bool, 0444);
MODULE_PARM_DESC(poison, "overwrite memory that the device owns");
module_param_named(merge, strict_params.merge, bool, 0444);
MODULE_PARM_DESC(merge, "pages that follow each other in a scatterlist have one DMA address, as with an IOMMU");
module_param_named(delay_us, strict_params.delay_us, uint, 0644);
MODULE_PARM_DESC(delay_us, "hold completions for so long");
module_param_named(batch, strict_params.batch, uint, 0644);
MODULE_PARM_DESC(batch, "hold them until there are so many, for at most delay_us; 0: never less than delay_us");
module_param_named(flush_delay_us, strict_params.flush_delay_us, uint, 0644);
MODULE_PARM_DESC(flush_delay_us, "hold flushed completions for so much longer");
module_param_named(send_delay_us, strict_params.send_delay_us, uint, 0644);
MODULE_PARM_DESC(send_delay_us, "hold completions of the send queue for so much longer, so those of Receives overtake them");

static char *payload = "early";
module_param(payload, charp, 0444);
MODULE_PARM_DESC(payload, "early: what a Send reads is copied when it is mapped or synced; late: it is read when it is sent");

static char *profile = "";
module_param(profile, charp, 0444);
MODULE_PARM_DESC(profile, "limits of an adapter");

module_param_named(cm_delay_us, strict_params.cm_delay_us, uint, 0644);
MODULE_PARM_DESC(cm_delay_us, "hold events of the RDMA CM, but no connect requests, for a random time below this");
module_param_named(cm_event, strict_params.cm_event, charp, 0444);
MODULE_PARM_DESC(cm_event, "hold only this one, such as established or disconnected");

static struct ib_client strict_client;
static bool strict_unloading;

/* struct strict_device by address of the ib_device */
static DEFINE_XARRAY(strict_devices);

/**
 * strict_of - find the layer over a device
 * @device: device
 *
 * Context: any.
 * Return: the layer.
 */
struct strict_device *strict_of(const struct ib_device *device)
{
	return xa_load(&strict_devices, (unsigned long)device);
}

static void strict_use_ops(struct ib_device *device, const struct ib_device_ops *ops)
{
	device->ops.post_send = ops->post_send;
	device->ops.post_recv = ops->post_recv;
	device->ops.poll_cq = ops->poll_cq;
	device->ops.req_notify_cq = ops->req_notify_cq;
	device->ops.destroy_cq = ops->destroy_cq;
	device->ops.create_qp = ops->create_qp;
	device->ops.modify_qp = ops->modify_qp;
	device->ops.destroy_qp = ops->destroy_qp;
	device->ops.alloc_mr = ops->alloc_mr;
	device->ops.dereg_mr = ops->dereg_mr;
	device->ops.map_mr_sg = ops->map_mr_sg;
	device->ops.driver_id = ops->driver_id;
	device->ops.dealloc_driver = ops->dealloc_driver;
}

static struct strict_device *strict_device_new(struct ib_device *device)
{
	struct strict_device *sdev = kzalloc(sizeof(*sdev), GFP_KERNEL);

	if (!sdev)
		return NULL;
	sdev->real = kmemdup(&device->ops, sizeof(device->ops), GFP_KERNEL);
	if (!sdev->real) {
		kfree(sdev);
		return NULL;
	}
	sdev->device = device;
	sdev->attrs = device->attrs;
	sdev->num_comp_vectors = device->num_comp_vectors;
	spin_lock_init(&sdev->mr_lock);
	mutex_init(&sdev->lock);
	xa_init(&sdev->qps);
	xa_init(&sdev->cqs);
	xa_init(&sdev->pds);
	xa_init(&sdev->mrs);
	return sdev;
}

static void strict_device_free(struct strict_device *sdev)
{
	kfree(sdev->real);
	kfree(sdev);
}

/* What strict_profile_apply() has lowered, and the operations */
static void strict_restore(struct strict_device *sdev)
{
	struct ib_device *device = sdev->device;

	strict_use_ops(device, sdev->real);
	device->attrs = sdev->attrs;
	device->num_comp_vectors = sdev->num_comp_vectors;
}

/* The device has no user but at most the RDMA core, which posts and maps until it has gone too */
static void strict_take_off(struct strict_device *sdev, bool core)
{
	struct ib_device *device = sdev->device;

	/* A CM message may be between mapping and posting */
	WRITE_ONCE(device->dma_device, NULL);
	if (sdev->dma)
		msleep(50);
	strict_restore(sdev);
	strict_qp_free_all(sdev);
	strict_cq_free_all(sdev);
	strict_mr_free_all(sdev);
	strict_dma_stop(sdev, core);
	xa_destroy(&sdev->pds);
}

/* The last operation of a device */
static void strict_dealloc_driver(struct ib_device *device)
{
	struct strict_device *sdev = strict_of(device);

	strict_take_off(sdev, false);
	device->ops.dealloc_driver(device);
	xa_erase(&strict_devices, (unsigned long)device);
	strict_device_free(sdev);
}

/* Operations before addresses: what is mapped from then on is translated */
static int strict_add(struct ib_device *device)
{
	const struct ib_device_ops ops = {
		.driver_id	= device->ops.driver_id,
		.post_send	= strict_post_send,
		.post_recv	= strict_post_recv,
		.poll_cq	= strict_poll_cq,
		.req_notify_cq	= strict_req_notify_cq,
		.destroy_cq	= strict_destroy_cq,
		.create_qp	= strict_create_qp,
		.modify_qp	= strict_modify_qp,
		.destroy_qp	= strict_destroy_qp,
		.alloc_mr	= strict_alloc_mr,
		.dereg_mr	= strict_dereg_mr,
		.map_mr_sg	= strict_map_mr_sg,
		.dealloc_driver	= device->ops.dealloc_driver ?
				  strict_dealloc_driver : NULL,
	};
	struct strict_device *sdev = strict_of(device);
	int ret;

	/* It has been moved to another network namespace */
	if (sdev) {
		ib_set_client_data(device, &strict_client, sdev);
		return 0;
	}
	if (strict_params.profile &&
	    strict_params.profile->iwarp != rdma_protocol_iwarp(device, rdma_start_port(device))) {
		pr_err("strict: %s: the profile %s is for %s\n", dev_name(&device->dev),
		       strict_params.profile->name,
		       strict_params.profile->iwarp ? "siw" : "rxe");
		return -EOPNOTSUPP;
	}
	sdev = strict_device_new(device);
	if (!sdev)
		return -ENOMEM;
	ret = xa_err(xa_store(&strict_devices, (unsigned long)device, sdev, GFP_KERNEL));
	if (ret) {
		strict_device_free(sdev);
		return ret;
	}
	ib_set_client_data(device, &strict_client, sdev);
	strict_use_ops(device, &ops);
	if (strict_params.profile)
		strict_profile_apply(strict_params.profile, device, &device->attrs);
	ret = strict_dma_start(sdev);
	if (ret) {
		strict_restore(sdev);
		xa_erase(&strict_devices, (unsigned long)device);
		strict_device_free(sdev);
		return ret;
	}
	strict_count(STRICT_N_DEVICES);
	pr_info("strict: %s: addresses %s, payload %s, profile %s\n", dev_name(&device->dev),
		sdev->dma ? "translated" : "as they are", payload,
		strict_params.profile ? strict_params.profile->name : "none");
	return 0;
}

/*
 * Of a device that is removed the RDMA CM tells its users after this, because it has
 * registered earlier. So the layer stays until the device is freed, if there is an
 * operation for that.
 */
static void strict_remove(struct ib_device *device, void *client_data)
{
	struct strict_device *sdev = client_data;

	if (sdev->real->dealloc_driver && !strict_unloading)
		return;
	strict_take_off(sdev, true);
	xa_erase(&strict_devices, (unsigned long)device);
	strict_device_free(sdev);
}

static struct ib_client strict_client = {
	.name	= "rpcrdma_strict",
	.add	= strict_add,
	.remove	= strict_remove,
};

static int __init strict_init(void)
{
	int ret;

	strict_params.late = !strcmp(payload, "late");
	if (!strict_params.late && strcmp(payload, "early"))
		return -EINVAL;
	if (*profile) {
		strict_params.profile = strict_profile_find(profile);
		if (!strict_params.profile)
			return -ENOENT;
	}
	strict_report_init();
	ret = strict_cm_init();
	if (ret)
		goto out_report;
	ret = ib_register_client(&strict_client);
	if (!ret)
		return 0;
	strict_cm_exit();
out_report:
	strict_report_exit();
	return ret;
}

static void __exit strict_exit(void)
{
	WRITE_ONCE(strict_unloading, true);
	strict_cm_exit();
	ib_unregister_client(&strict_client);
	/* A device that is being removed just now */
	while (!xa_empty(&strict_devices))
		msleep(20);
	strict_report_exit();
}

module_init(strict_init);
module_exit(strict_exit);

MODULE_DESCRIPTION("Test aid: a strict layer over RDMA devices");
MODULE_LICENSE("GPL");
