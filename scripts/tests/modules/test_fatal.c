// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that has failed for good, as drivers of adapters have it (mlx4, mlx5, hns).
 * While the parameter "fatal" is 1, nothing can be posted to a reliable connection, and
 * its CQ cannot be armed. A drain posts its marker all the same, and handles the CQ like
 * these drivers: they know some ways of polling, warn of any other, raise the event of
 * the CQ by themselves, and wait.
 *
 * Load this module before the modules under test, and unload it after them.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/irq_poll.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

static bool fatal;
module_param(fatal, bool, 0644);
MODULE_PARM_DESC(fatal, "Nothing can be posted or armed");

static atomic_t drained;

struct fatal_marker {
	struct ib_cqe		cqe;
	struct completion	done;
};

static struct ib_client fatal_client;

static const struct ib_device_ops *real_ops(struct ib_device *device)
{
	return ib_get_client_data(device, &fatal_client);
}

static bool fatal_is(const struct ib_qp *qp)
{
	return READ_ONCE(fatal) && qp->qp_type == IB_QPT_RC;
}

static int fatal_post_send(struct ib_qp *qp, const struct ib_send_wr *wr,
			   const struct ib_send_wr **bad)
{
	if (!fatal_is(qp))
		return real_ops(qp->device)->post_send(qp, wr, bad);
	*bad = wr;
	return -EIO;
}

static int fatal_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr,
			   const struct ib_recv_wr **bad)
{
	if (!fatal_is(qp))
		return real_ops(qp->device)->post_recv(qp, wr, bad);
	*bad = wr;
	return -EIO;
}

static int fatal_notify(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	/* The CM goes on; its CQs are those of the RDMA core */
	if (READ_ONCE(fatal) && strcmp(cq->res.kern_name, "ib_core"))
		return 0;
	return real_ops(cq->device)->req_notify_cq(cq, flags);
}

static void fatal_marker_done(struct ib_cq *cq, struct ib_wc *wc)
{
	complete(&container_of(wc->wr_cqe, struct fatal_marker, cqe)->done);
}

static void fatal_wait(struct ib_cq *cq, struct fatal_marker *marker)
{
	if (cq->poll_ctx == IB_POLL_DIRECT) {
		while (!wait_for_completion_timeout(&marker->done, HZ / 10))
			ib_process_cq_direct(cq, -1);
		return;
	}
	switch (cq->poll_ctx) {
	case IB_POLL_SOFTIRQ:
		irq_poll_disable(&cq->iop);
		irq_poll_enable(&cq->iop);
		break;
	case IB_POLL_WORKQUEUE:
		cancel_work_sync(&cq->work);
		break;
	default:
		WARN_ON_ONCE(1);
	}
	/* The queues of a software device are not flushed at once */
	do {
		cq->comp_handler(cq, cq->cq_context);
	} while (!wait_for_completion_timeout(&marker->done, HZ / 10));
}

static void fatal_drain(struct ib_qp *qp, struct ib_cq *cq, bool sq)
{
	const struct ib_device_ops *ops = real_ops(qp->device);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	struct fatal_marker marker = { .cqe.done = fatal_marker_done };
	struct ib_rdma_wr send = {
		.wr.wr_cqe	= &marker.cqe,
		.wr.opcode	= IB_WR_RDMA_WRITE,
	};
	struct ib_recv_wr recv = { .wr_cqe = &marker.cqe };
	const struct ib_send_wr *bad_send;
	const struct ib_recv_wr *bad_recv;

	init_completion(&marker.done);
	if (WARN_ON(ib_modify_qp(qp, &attr, IB_QP_STATE)) ||
	    WARN_ON(sq ? ops->post_send(qp, &send.wr, &bad_send) :
			 ops->post_recv(qp, &recv, &bad_recv)))
		return;
	if (!READ_ONCE(fatal)) {
		wait_for_completion(&marker.done);
		return;
	}
	fatal_wait(cq, &marker);
	atomic_inc(&drained);
}

static int drains_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&drained));
}

static const struct kernel_param_ops drains_ops = { .get = drains_get };
module_param_cb(drains, &drains_ops, NULL, 0444);
MODULE_PARM_DESC(drains, "Queues that were drained while fatal was 1");

static void fatal_drain_sq(struct ib_qp *qp)
{
	fatal_drain(qp, qp->send_cq, true);
}

static void fatal_drain_rq(struct ib_qp *qp)
{
	fatal_drain(qp, qp->recv_cq, false);
}

static void use_ops(struct ib_device *device, const struct ib_device_ops *ops)
{
	device->ops.post_send = ops->post_send;
	device->ops.post_recv = ops->post_recv;
	device->ops.req_notify_cq = ops->req_notify_cq;
	device->ops.drain_sq = ops->drain_sq;
	device->ops.drain_rq = ops->drain_rq;
}

static int fatal_add(struct ib_device *device)
{
	static const struct ib_device_ops failing = {
		.post_send	= fatal_post_send,
		.post_recv	= fatal_post_recv,
		.req_notify_cq	= fatal_notify,
		.drain_sq	= fatal_drain_sq,
		.drain_rq	= fatal_drain_rq,
	};
	const struct ib_device_ops *ops;

	ops = kmemdup(&device->ops, sizeof(*ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	ib_set_client_data(device, &fatal_client, (void *)ops);
	use_ops(device, &failing);
	return 0;
}

static void fatal_remove(struct ib_device *device, void *client_data)
{
	const struct ib_device_ops *ops = client_data;

	use_ops(device, ops);
	kfree(ops);
}

static struct ib_client fatal_client = {
	.name	= "test_fatal",
	.add	= fatal_add,
	.remove	= fatal_remove,
};

static int __init fatal_init(void)
{
	return ib_register_client(&fatal_client);
}

static void __exit fatal_exit(void)
{
	ib_unregister_client(&fatal_client);
}

module_init(fatal_init);
module_exit(fatal_exit);

MODULE_DESCRIPTION("Test aid: a device that fails for good");
MODULE_LICENSE("GPL");
