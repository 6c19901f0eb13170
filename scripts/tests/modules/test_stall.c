// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peers that never finish an RDMA Read, or never take an RDMA Write. While the parameter
 * "stall" (or "stall_writes") is set, a WR chain with an RDMA Read (or an RDMA Write of
 * data) is accepted and never reaches the device, so none of it completes.
 * That is what a peer looks like that answers so little that the device does not give up.
 * Only kernel modules are affected.
 *
 * Peers that answer each RDMA Read late: a WR chain with one reaches the device "late_ms" after it
 * was posted. What of it is left when the queue pair goes into the error state never completes.
 *
 * Devices that take long: so many queue pairs as "stall_qps" says are not created before it is
 * 0 again; "stalled_qps" of them wait.
 *
 * Completions whose handler is late: once "poll_ms" is set, the next poll of a completion queue
 * takes so long. The poll sets it to 0. Once "poll_error" is set, the next poll of a completion
 * queue fails, and sets it to 0. All later polls of the same queue fail too, as with ionic when the
 * firmware has written something that the driver cannot read.
 *
 * Drivers that make flushed completions up and raise no event for them: while "quiet_flushes" is
 * set, the completion queue of a queue pair that goes into the error state raises no event any
 * more. Its completions can be polled.
 *
 * Load this module before the modules under test, and unload it after them: it
 * restores the device operations without checking for other users.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

typedef int (*post_send_fn)(struct ib_qp *qp, const struct ib_send_wr *first,
			    const struct ib_send_wr **bad);

static bool stall;
module_param(stall, bool, 0644);
MODULE_PARM_DESC(stall, "Swallow WR chains with an RDMA Read");

static bool stall_writes;
module_param(stall_writes, bool, 0644);
MODULE_PARM_DESC(stall_writes, "Swallow WR chains with an RDMA Write of data");

static unsigned int late_ms;
module_param(late_ms, uint, 0644);
MODULE_PARM_DESC(late_ms, "Milliseconds until a WR chain with an RDMA Read reaches the device");

static int stall_qps;
module_param(stall_qps, int, 0644);
MODULE_PARM_DESC(stall_qps, "Queue pairs of kernel modules whose creation waits until this is 0");

static int stalled_qps;
module_param(stalled_qps, int, 0444);
MODULE_PARM_DESC(stalled_qps, "Queue pairs whose creation waits");

static unsigned int poll_ms;
module_param(poll_ms, uint, 0644);
MODULE_PARM_DESC(poll_ms, "Milliseconds that the next poll of a completion queue takes");

static unsigned int poll_error;
module_param(poll_error, uint, 0644);
MODULE_PARM_DESC(poll_error, "1: the next poll of a completion queue fails");

/* Only compared: it may have been freed */
static const struct ib_cq *stall_broken;

static bool quiet_flushes;
module_param(quiet_flushes, bool, 0644);
MODULE_PARM_DESC(quiet_flushes, "A completion queue raises no event once its queue pair fails");

static DEFINE_MUTEX(stall_lock);	/* stalled_qps */

static struct ib_client stall_client;
static int (*stall_real_create)(struct ib_qp *qp, struct ib_qp_init_attr *attr,
				struct ib_udata *udata);
static int (*stall_real_poll)(struct ib_cq *cq, int count, struct ib_wc *wc);
static int (*stall_real_modify)(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
				struct ib_udata *udata);

/*
 * struct stall_chain - a WR chain that reaches the device later
 * @node:  entry of stall_late, or not in a list: it never reaches the device
 * @work:  posts it
 * @qp:    where to
 * @first: work requests; those of rdma_rw stay valid until the completion
 */
struct stall_chain {
	struct list_head		node;
	struct delayed_work		work;
	struct ib_qp			*qp;
	const struct ib_send_wr		*first;
};

static struct workqueue_struct *stall_wq;
static DEFINE_SPINLOCK(stall_late_lock);	/* stall_late */
static LIST_HEAD(stall_late);

static void stall_late_work(struct work_struct *work)
{
	struct stall_chain *chain = container_of(to_delayed_work(work), struct stall_chain, work);
	const struct ib_send_wr *bad;
	post_send_fn real;

	spin_lock(&stall_late_lock);
	if (!list_empty(&chain->node)) {
		list_del(&chain->node);
		real = ib_get_client_data(chain->qp->device, &stall_client);
		WARN_ON_ONCE(real(chain->qp, chain->first, &bad));
	}
	spin_unlock(&stall_late_lock);
	kfree(chain);
}

static int stall_post_late(struct ib_qp *qp, const struct ib_send_wr *first)
{
	struct stall_chain *chain = kmalloc(sizeof(*chain), GFP_ATOMIC);

	if (!chain)
		return -ENOMEM;
	chain->qp = qp;
	chain->first = first;
	INIT_DELAYED_WORK(&chain->work, stall_late_work);
	spin_lock(&stall_late_lock);
	list_add_tail(&chain->node, &stall_late);
	spin_unlock(&stall_late_lock);
	queue_delayed_work(stall_wq, &chain->work, msecs_to_jiffies(READ_ONCE(late_ms)));
	return 0;
}

static void stall_no_event(struct ib_cq *cq, void *context)
{
}

/* A CQ from ib_alloc_cq(), which has this array, may be of several queue pairs */
static void stall_quiet(struct ib_cq *cq)
{
	if (READ_ONCE(quiet_flushes) && !cq->wc)
		WRITE_ONCE(cq->comp_handler, stall_no_event);
}

static int stall_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
			   struct ib_udata *udata)
{
	struct stall_chain *chain, *next;

	if (mask & IB_QP_STATE && attr->qp_state == IB_QPS_ERR && !qp->uobject)
		stall_quiet(qp->send_cq);
	if (mask & IB_QP_STATE && attr->qp_state == IB_QPS_ERR) {
		spin_lock(&stall_late_lock);
		list_for_each_entry_safe(chain, next, &stall_late, node) {
			if (chain->qp != qp)
				continue;
			list_del_init(&chain->node);
			if (cancel_delayed_work(&chain->work))
				kfree(chain);
		}
		spin_unlock(&stall_late_lock);
	}
	return stall_real_modify(qp, attr, mask, udata);
}

static bool stall_is_read(const struct ib_send_wr *wr)
{
	return wr->opcode == IB_WR_RDMA_READ || wr->opcode == IB_WR_RDMA_READ_WITH_INV;
}

static bool stall_swallows(const struct ib_send_wr *wr)
{
	if (stall_is_read(wr))
		return READ_ONCE(stall);
	return wr->opcode == IB_WR_RDMA_WRITE && READ_ONCE(stall_writes) && wr->num_sge;
}

static int stall_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
			   const struct ib_send_wr **bad)
{
	post_send_fn real = ib_get_client_data(qp->device, &stall_client);
	const struct ib_send_wr *wr;

	for (wr = first; wr; wr = wr->next) {
		if (stall_swallows(wr))
			return 0;
		if (stall_is_read(wr) && READ_ONCE(late_ms))
			return stall_post_late(qp, first);
	}
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
	/* A new one, which has the memory of the broken one */
	if (attr->send_cq == READ_ONCE(stall_broken))
		WRITE_ONCE(stall_broken, NULL);
	if (!udata && attr->qp_type == IB_QPT_RC && stall_begins()) {
		while (READ_ONCE(stall_qps))
			msleep(20);
		mutex_lock(&stall_lock);
		stalled_qps--;
		mutex_unlock(&stall_lock);
	}
	return stall_real_create(qp, attr, udata);
}

static int stall_poll_cq(struct ib_cq *cq, int count, struct ib_wc *wc)
{
	unsigned int ms;

	/* One from ib_alloc_cq() has this array, and may be polled where one must not sleep */
	if (cq->wc)
		return stall_real_poll(cq, count, wc);
	ms = xchg(&poll_ms, 0);
	if (ms)
		msleep(ms);
	if (xchg(&poll_error, 0))
		WRITE_ONCE(stall_broken, cq);
	if (cq == READ_ONCE(stall_broken))
		return -EIO;
	return stall_real_poll(cq, count, wc);
}

static int stall_add(struct ib_device *device)
{
	/* All devices of a guest are of one driver */
	stall_real_create = device->ops.create_qp;
	device->ops.create_qp = stall_create_qp;
	stall_real_modify = device->ops.modify_qp;
	device->ops.modify_qp = stall_modify_qp;
	stall_real_poll = device->ops.poll_cq;
	device->ops.poll_cq = stall_poll_cq;
	ib_set_client_data(device, &stall_client, device->ops.post_send);
	device->ops.post_send = stall_post_send;
	return 0;
}

static void stall_remove(struct ib_device *device, void *client_data)
{
	device->ops.post_send = client_data;
	device->ops.create_qp = stall_real_create;
	device->ops.modify_qp = stall_real_modify;
	device->ops.poll_cq = stall_real_poll;
}

static struct ib_client stall_client = {
	.name	= "test_stall",
	.add	= stall_add,
	.remove	= stall_remove,
};

static int __init stall_init(void)
{
	int ret;

	stall_wq = alloc_workqueue("test_stall", WQ_UNBOUND, 0);
	if (!stall_wq)
		return -ENOMEM;
	ret = ib_register_client(&stall_client);
	if (ret)
		destroy_workqueue(stall_wq);
	return ret;
}

static void __exit stall_exit(void)
{
	ib_unregister_client(&stall_client);
	destroy_workqueue(stall_wq);
}

module_init(stall_init);
module_exit(stall_exit);

MODULE_DESCRIPTION("Test aid: what a slow peer or device never completes");
MODULE_LICENSE("GPL");
