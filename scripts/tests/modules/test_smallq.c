// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reduces the queue depth of every RDMA device, while this module is loaded, so
 * that send queues fill under ordinary load. An RDMA client sees devices in the
 * order in which clients registered, so load this module before the one under
 * test.
 *
 * With the parameter "cqe", or "reads", another limit is lowered instead. That of RDMA Reads is
 * looked at for each connection, so there the order does not matter.
 *
 * With the parameter "most" the device shows its real depth, but refuses to create a
 * queue pair with more Receives than that, as adapters do whose limit is in bytes.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <rdma/ib_verbs.h>

static int depth = 400;
module_param(depth, int, 0444);
MODULE_PARM_DESC(depth, "Work requests that a send or receive queue can hold");

static int most;
module_param(most, int, 0444);
MODULE_PARM_DESC(most, "Receives of a queue pair that can be created; 0: depth is used");

static int error = ENOMEM;
module_param(error, int, 0644);
MODULE_PARM_DESC(error, "With most: errno of the refusal");

static int cqe;
module_param(cqe, int, 0444);
MODULE_PARM_DESC(cqe, "Entries of a completion queue; 0: not lowered");

static int reads;
module_param(reads, int, 0444);
MODULE_PARM_DESC(reads, "RDMA Reads that a queue pair can have outstanding; 0: not lowered");

static struct ib_client smallq_client;
static int (*smallq_real_create)(struct ib_qp *qp, struct ib_qp_init_attr *attr,
				 struct ib_udata *udata);

static int smallq_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr,
			    struct ib_udata *udata)
{
	if (attr->qp_type == IB_QPT_RC && attr->cap.max_recv_wr > most)
		return -error;
	return smallq_real_create(qp, attr, udata);
}

/* The limit that is lowered, and to what */
static int *smallq_limit(struct ib_device *device, int *to)
{
	*to = cqe ?: reads ?: depth;
	if (cqe)
		return &device->attrs.max_cqe;
	return reads ? &device->attrs.max_qp_init_rd_atom : &device->attrs.max_qp_wr;
}

/* The client data is the original limit */
static int smallq_add(struct ib_device *device)
{
	int *limit, to;

	if (most) {
		/* All devices of a guest are of one driver */
		smallq_real_create = device->ops.create_qp;
		device->ops.create_qp = smallq_create_qp;
		return 0;
	}
	limit = smallq_limit(device, &to);
	if (*limit <= to)
		return -EOPNOTSUPP;
	ib_set_client_data(device, &smallq_client, (void *)(long)*limit);
	*limit = to;
	pr_info("%s: %s reduced to %d\n", dev_name(&device->dev),
		cqe ? "completion queues" : reads ? "RDMA Reads" : "queue depth", to);
	return 0;
}

static void smallq_remove(struct ib_device *device, void *client_data)
{
	int to;

	if (most)
		device->ops.create_qp = smallq_real_create;
	else
		*smallq_limit(device, &to) = (long)client_data;
}

static struct ib_client smallq_client = {
	.name = "test_smallq",
	.add = smallq_add,
	.remove = smallq_remove,
};

static int __init smallq_init(void)
{
	if (!!cqe + !!reads + !!most > 1)
		return -EINVAL;
	return ib_register_client(&smallq_client);
}

static void __exit smallq_exit(void)
{
	ib_unregister_client(&smallq_client);
}

module_init(smallq_init);
module_exit(smallq_exit);

MODULE_DESCRIPTION("Test aid: RDMA devices with small queues, or few RDMA Reads");
MODULE_LICENSE("GPL");
