// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peers that never finish an RDMA Read, or never take an RDMA Write. While the parameter
 * "stall" (or "stall_writes") is set, a WR chain with an RDMA Read (or an RDMA Write of
 * data) is accepted and never reaches the device, so none of it completes.
 * That is what a peer looks like that answers so little that the device does not give up.
 * Only kernel modules are affected.
 *
 * Devices that take long: so many queue pairs as "stall_qps" says are not created before it is
 * 0 again; "stalled_qps" of them wait.
 *
 * Load this module before the modules under test, and unload it after them: it
 * restores the device operations without checking for other users.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <rdma/ib_verbs.h>

typedef int (*post_send_fn)(struct ib_qp *qp, const struct ib_send_wr *first,
			    const struct ib_send_wr **bad);

static bool stall;
module_param(stall, bool, 0644);
MODULE_PARM_DESC(stall, "Swallow WR chains with an RDMA Read");

static bool stall_writes;
module_param(stall_writes, bool, 0644);
MODULE_PARM_DESC(stall_writes, "Swallow WR chains with an RDMA Write of data");

static int stall_qps;
module_param(stall_qps, int, 0644);
MODULE_PARM_DESC(stall_qps, "Queue pairs of kernel modules whose creation waits until this is 0");

static int stalled_qps;
module_param(stalled_qps, int, 0444);
MODULE_PARM_DESC(stalled_qps, "Queue pairs whose creation waits");

static DEFINE_MUTEX(stall_lock);	/* stalled_qps */

static struct ib_client stall_client;
static int (*stall_real_create)(struct ib_qp *qp, struct ib_qp_init_attr *attr,
				struct ib_udata *udata);

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

static bool stall_begins(void)
{
	bool begins;

	mutex_lock(&stall_lock);
	begins = stalled_qps < READ_ONCE(stall_qps);
	stalled_qps += begins;
	mutex_unlock(&stall_lock);
	return begins;
}

static int stall_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr,
			   struct ib_udata *udata)
{
	if (!udata && attr->qp_type == IB_QPT_RC && stall_begins()) {
		while (READ_ONCE(stall_qps))
			msleep(20);
		mutex_lock(&stall_lock);
		stalled_qps--;
		mutex_unlock(&stall_lock);
	}
	return stall_real_create(qp, attr, udata);
}

static int stall_add(struct ib_device *device)
{
	/* All devices of a guest are of one driver */
	stall_real_create = device->ops.create_qp;
	device->ops.create_qp = stall_create_qp;
	ib_set_client_data(device, &stall_client, device->ops.post_send);
	device->ops.post_send = stall_post_send;
	return 0;
}

static void stall_remove(struct ib_device *device, void *client_data)
{
	device->ops.post_send = client_data;
	device->ops.create_qp = stall_real_create;
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

MODULE_DESCRIPTION("Test aid: what a slow peer or device never completes");
MODULE_LICENSE("GPL");
