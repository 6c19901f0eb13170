// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that cannot be drained. Writing 1 to the parameter "hold" selects the
 * connections that there are: their QPs cannot be drained any more, so ib_drain_qp()
 * returns at once, as it does when a QP cannot be put into the error state; and their
 * completions come when the QP is destroyed. Later connections work.
 *
 * Load this module before the modules under test, and unload it after them.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

/* Time for the owner of the CQ to handle them */
#define UNDRAINED_MS	50

static u32 newest;		/* CQ of the modules under test */
static u32 held_until;		/* the older ones are held */
static u32 released;		/* but this one gives its completions */
static atomic_t destroyed;
static atomic_t registered;	/* with MRs that exist when the QP is destroyed */
static atomic_t polled;		/* the owner polls a CQ for them */

struct undrained_marker {
	struct ib_cqe		cqe;
	struct completion	done;
};

static struct ib_client undrained_client;

static const struct ib_device_ops *real_ops(struct ib_device *device)
{
	return ib_get_client_data(device, &undrained_client);
}

static bool undrained_held(const struct ib_cq *cq)
{
	return !strcmp(cq->res.kern_name, "rpcrdma") &&
	       cq->res.id <= READ_ONCE(held_until);
}

static int undrained_poll(struct ib_cq *cq, int n, struct ib_wc *wc)
{
	if (undrained_held(cq)) {
		if (cq->res.id != READ_ONCE(released))
			return 0;
		atomic_inc(&polled);
	}
	return real_ops(cq->device)->poll_cq(cq, n, wc);
}

static int undrained_notify(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	if (undrained_held(cq))
		return 0;
	if (!strcmp(cq->res.kern_name, "rpcrdma"))
		newest = max(newest, cq->res.id);
	return real_ops(cq->device)->req_notify_cq(cq, flags);
}

static void undrained_marker_done(struct ib_cq *cq, struct ib_wc *wc)
{
	complete(&container_of(wc->wr_cqe, struct undrained_marker, cqe)->done);
}

/* As ib_drain_qp() does it for a device without an operation of its own */
static void undrained_drain(struct ib_qp *qp, bool sq)
{
	const struct ib_device_ops *ops = real_ops(qp->device);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	struct undrained_marker marker = { .cqe.done = undrained_marker_done };
	struct ib_rdma_wr send = {
		.wr.wr_cqe	= &marker.cqe,
		.wr.opcode	= IB_WR_RDMA_WRITE,
	};
	struct ib_recv_wr recv = { .wr_cqe = &marker.cqe };
	const struct ib_send_wr *bad_send;
	const struct ib_recv_wr *bad_recv;

	if (undrained_held(qp->send_cq))
		return;
	init_completion(&marker.done);
	if (WARN_ON(ib_modify_qp(qp, &attr, IB_QP_STATE)) ||
	    WARN_ON(sq ? ops->post_send(qp, &send.wr, &bad_send) :
			 ops->post_recv(qp, &recv, &bad_recv)))
		return;
	wait_for_completion(&marker.done);
}

static void undrained_drain_sq(struct ib_qp *qp)
{
	undrained_drain(qp, true);
}

static void undrained_drain_rq(struct ib_qp *qp)
{
	undrained_drain(qp, false);
}

static int undrained_destroy(struct ib_qp *qp, struct ib_udata *udata)
{
	struct ib_cq *cq = qp->send_cq;

	if (undrained_held(cq)) {
		WRITE_ONCE(released, cq->res.id);
		cq->comp_handler(cq, cq->cq_context);
		msleep(UNDRAINED_MS);
		WRITE_ONCE(released, 0);
		/* One user is the QP itself */
		if (atomic_read(&qp->pd->usecnt) > 1)
			atomic_inc(&registered);
		atomic_inc(&destroyed);
	}
	return real_ops(qp->device)->destroy_qp(qp, udata);
}

static int hold_set(const char *text, const struct kernel_param *kp)
{
	WRITE_ONCE(held_until, newest);
	return 0;
}

static const struct kernel_param_ops hold_ops = { .set = hold_set };
module_param_cb(hold, &hold_ops, NULL, 0200);
MODULE_PARM_DESC(hold, "The connections that there are cannot be drained");

static int destroyed_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&destroyed));
}

static const struct kernel_param_ops destroyed_ops = { .get = destroyed_get };
module_param_cb(destroyed, &destroyed_ops, NULL, 0444);
MODULE_PARM_DESC(destroyed, "How many of them are gone");

static int registered_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&registered));
}

static const struct kernel_param_ops registered_ops = { .get = registered_get };
module_param_cb(registered, &registered_ops, NULL, 0444);
MODULE_PARM_DESC(registered, "How many of them had MRs until their QP was gone");

static int polled_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&polled));
}

static const struct kernel_param_ops polled_ops = { .get = polled_get };
module_param_cb(polled, &polled_ops, NULL, 0444);
MODULE_PARM_DESC(polled, "How often their late completions were polled for");

static void use_ops(struct ib_device *device, const struct ib_device_ops *ops)
{
	device->ops.poll_cq = ops->poll_cq;
	device->ops.req_notify_cq = ops->req_notify_cq;
	device->ops.drain_sq = ops->drain_sq;
	device->ops.drain_rq = ops->drain_rq;
	device->ops.destroy_qp = ops->destroy_qp;
}

static int undrained_add(struct ib_device *device)
{
	static const struct ib_device_ops undrained = {
		.poll_cq	= undrained_poll,
		.req_notify_cq	= undrained_notify,
		.drain_sq	= undrained_drain_sq,
		.drain_rq	= undrained_drain_rq,
		.destroy_qp	= undrained_destroy,
	};
	const struct ib_device_ops *ops;

	ops = kmemdup(&device->ops, sizeof(*ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	ib_set_client_data(device, &undrained_client, (void *)ops);
	use_ops(device, &undrained);
	return 0;
}

static void undrained_remove(struct ib_device *device, void *client_data)
{
	const struct ib_device_ops *ops = client_data;

	use_ops(device, ops);
	kfree(ops);
}

static struct ib_client undrained_client = {
	.name	= "test_undrained",
	.add	= undrained_add,
	.remove	= undrained_remove,
};

static int __init undrained_init(void)
{
	return ib_register_client(&undrained_client);
}

static void __exit undrained_exit(void)
{
	ib_unregister_client(&undrained_client);
}

module_init(undrained_init);
module_exit(undrained_exit);

MODULE_DESCRIPTION("Test aid: a device that cannot be drained");
MODULE_LICENSE("GPL");
