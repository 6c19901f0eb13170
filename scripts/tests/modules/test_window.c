// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts an RPC task of a mount into one of two short windows of sunrpc, which two CPUs
 * could hit by chance. In both another task, the holder, has XPRT_LOCKED and sends the
 * Call of the task under test, the victim.
 *
 *   echo /mnt > .../granted	The victim is granted XPRT_LOCKED although its Call has
 *				been sent. It goes on when it was killed (umount -f) and
 *				its Reply has pinned the request. Invalidations of the
 *				client are lost meanwhile, so the pin stays.
 *   echo /mnt > .../encode	The victim has waited for XPRT_LOCKED until its time-out.
 *				Its Call is sent when it is about to encode it again.
 *
 * The holder is the next task that sends, and must be one that a process waits for; the
 * victim is the first READ or WRITE after it. The parameter "stage" is 2 as soon as there
 * is a holder, and 6 when the victim is in the window. A write of an empty line restores
 * the transport.
 *
 * The module replaces the operations of the transport, and post_send() of all devices.
 * No other module may do that while it is loaded. "encode" needs tracepoints, and sunrpc
 * in the kernel image.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/magic.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/nfs_fs.h>
#include <linux/slab.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/xprt.h>
#include <linux/tracepoint.h>
#include <rdma/ib_verbs.h>

enum window_stage {
	WINDOW_OFF,
	WINDOW_ARMED,
	WINDOW_HELD,		/* the holder has the lock, and waits */
	WINDOW_CAUGHT,		/* the victim waits for the lock; the holder may send */
	WINDOW_SENT,		/* the Call of the victim is sent */
	WINDOW_QUEUED,		/* the holder may release the lock */
	WINDOW_DONE,
};

/* A case that goes wrong is to end with an error and not hang */
#define WINDOW_TIMEOUT	(120 * HZ)

static DECLARE_WAIT_QUEUE_HEAD(window_wait);
static unsigned int stage;
static bool encode;
static struct rpc_task *holder;
static struct rpc_task *victim;
static struct rpc_xprt *xprt_hooked;
static const struct rpc_xprt_ops *xprt_ops;
static struct rpc_xprt_ops hooks;
static struct tracepoint *call_status;
static struct ib_client window_client;

module_param(stage, uint, 0444);

static void window_reach(enum window_stage to)
{
	WRITE_ONCE(stage, to);
	wake_up_all(&window_wait);
}

static void window_until(enum window_stage wanted)
{
	if (!wait_event_timeout(window_wait, READ_ONCE(stage) >= wanted ||
				READ_ONCE(stage) == WINDOW_OFF, WINDOW_TIMEOUT))
		pr_err("stage %u was not reached from %u\n", wanted, stage);
}

static bool window_may_catch(const struct rpc_task *task)
{
	const char *name;

	if (READ_ONCE(stage) != WINDOW_HELD || task == holder ||
	    !task->tk_rqstp || !task->tk_msg.rpc_proc ||
	    !test_bit(RPC_TASK_NEED_XMIT, &task->tk_runstate))
		return false;
	name = task->tk_msg.rpc_proc->p_name;
	return !strcmp(name, "READ") || !strcmp(name, "WRITE");
}

static int window_send(struct rpc_rqst *rqst)
{
	if (cmpxchg(&stage, WINDOW_ARMED, WINDOW_HELD) == WINDOW_ARMED) {
		holder = rqst->rq_xprt->snd_task;
		/* On a single CPU it then runs as soon as it is woken */
		sched_set_fifo(current);
		window_until(WINDOW_CAUGHT);
	}
	return xprt_ops->send_request(rqst);
}

static bool window_killed(const struct rpc_task *task)
{
	return RPC_SIGNALLED(task) && atomic_read(&task->tk_rqstp->rq_pin);
}

/* With transport_lock dropped, as if another CPU had taken it at these moments */
static int window_reserve(struct rpc_xprt *xprt, struct rpc_task *task)
	__must_hold(&xprt->transport_lock)
{
	unsigned int left = WINDOW_TIMEOUT;
	int ret;

	if (encode || !window_may_catch(task))
		return xprt_ops->reserve_xprt(xprt, task);

	victim = task;
	window_reach(WINDOW_CAUGHT);
	spin_unlock(&xprt->transport_lock);
	window_until(WINDOW_SENT);
	spin_lock(&xprt->transport_lock);
	ret = xprt_ops->reserve_xprt(xprt, task);
	spin_unlock(&xprt->transport_lock);

	window_reach(WINDOW_QUEUED);
	while (!window_killed(task) && left)
		left = left > HZ / 20 ? left - HZ / 20 +
		       schedule_timeout_uninterruptible(HZ / 20) : 0;
	if (!left || READ_ONCE(xprt->snd_task) != task)
		pr_err("the task was not killed, or has no lock\n");
	else
		window_reach(WINDOW_DONE);
	spin_lock(&xprt->transport_lock);
	return ret;
}

static void window_release(struct rpc_xprt *xprt, struct rpc_task *task)
	__must_hold(&xprt->transport_lock)
{
	if (!encode && task && task == holder &&
	    READ_ONCE(stage) == WINDOW_CAUGHT) {
		window_reach(WINDOW_SENT);
		spin_unlock(&xprt->transport_lock);
		window_until(WINDOW_QUEUED);
		spin_lock(&xprt->transport_lock);
	}
	xprt_ops->release_xprt(xprt, task);
}

/* The scheduler of sunrpc yields between this and the encoding */
static void window_call_status(void *data, const struct rpc_task *task)
{
	if (!encode || task->tk_xprt != xprt_hooked ||
	    task->tk_status != -ETIMEDOUT || !window_may_catch(task))
		return;
	victim = (struct rpc_task *)task;
	window_reach(WINDOW_DONE);
}

static int window_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
			    const struct ib_send_wr **bad)
{
	const struct ib_device_ops *ops =
		ib_get_client_data(qp->device, &window_client);

	if (!encode && READ_ONCE(stage) >= WINDOW_CAUGHT &&
	    first->opcode == IB_WR_LOCAL_INV)
		return 0;
	return ops->post_send(qp, first, bad);
}

static void window_restore(void)
{
	if (!xprt_hooked)
		return;
	window_reach(WINDOW_OFF);
	spin_lock(&xprt_hooked->transport_lock);
	xprt_hooked->ops = xprt_ops;
	spin_unlock(&xprt_hooked->transport_lock);
	xprt_put(xprt_hooked);
	xprt_hooked = NULL;
}

static int window_hook(struct rpc_clnt *clnt)
{
	struct rpc_xprt *xprt;

	rcu_read_lock();
	xprt = xprt_get(rcu_dereference(clnt->cl_xprt));
	rcu_read_unlock();
	if (!xprt)
		return -ENOTCONN;
	xprt_hooked = xprt;
	xprt_ops = xprt->ops;
	hooks = *xprt_ops;
	hooks.send_request = window_send;
	hooks.reserve_xprt = window_reserve;
	hooks.release_xprt = window_release;
	spin_lock(&xprt->transport_lock);
	xprt->ops = &hooks;
	spin_unlock(&xprt->transport_lock);
	window_reach(WINDOW_ARMED);
	return 0;
}

static int window_set(const char *text, const struct kernel_param *kp)
{
	char name[64];
	struct path path;
	int ret;

	window_restore();
	if (sscanf(text, "%63s", name) != 1 || !*name)
		return 0;
	encode = kp->arg;
	if (encode && !call_status)
		return -EOPNOTSUPP;
	ret = kern_path(name, LOOKUP_DIRECTORY, &path);
	if (ret)
		return ret;
	ret = -EINVAL;
	if (d_inode(path.dentry)->i_sb->s_magic == NFS_SUPER_MAGIC)
		ret = window_hook(NFS_CLIENT(d_inode(path.dentry)));
	path_put(&path);
	return ret;
}

static const struct kernel_param_ops window_ops = {
	.set	= window_set,
};

module_param_cb(granted, &window_ops, NULL, 0200);
MODULE_PARM_DESC(granted, "Grant the lock to a task whose Call is sent; path of the mount");
module_param_cb(encode, &window_ops, &encode, 0200);
MODULE_PARM_DESC(encode, "Send the Call of a task that is about to encode it; path of the mount");

static int window_add(struct ib_device *device)
{
	const struct ib_device_ops *ops;

	ops = kmemdup(&device->ops, sizeof(*ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	ib_set_client_data(device, &window_client, (void *)ops);
	device->ops.post_send = window_post_send;
	return 0;
}

static void window_remove(struct ib_device *device, void *client_data)
{
	const struct ib_device_ops *ops = client_data;

	device->ops.post_send = ops->post_send;
	kfree(ops);
}

static struct ib_client window_client = {
	.name	= "test_window",
	.add	= window_add,
	.remove	= window_remove,
};

static void window_find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "rpc_call_status"))
		call_status = tp;
}

static int __init window_init(void)
{
	int ret;

	for_each_kernel_tracepoint(window_find, NULL);
	if (call_status)
		tracepoint_probe_register(call_status, window_call_status, NULL);
	ret = ib_register_client(&window_client);
	if (ret && call_status)
		tracepoint_probe_unregister(call_status, window_call_status,
					    NULL);
	return ret;
}

static void __exit window_exit(void)
{
	window_restore();
	ib_unregister_client(&window_client);
	if (call_status)
		tracepoint_probe_unregister(call_status, window_call_status,
					    NULL);
	tracepoint_synchronize_unregister();
}

module_init(window_init);
module_exit(window_exit);

MODULE_DESCRIPTION("Test aid: puts an RPC task into a window of sunrpc");
MODULE_LICENSE("GPL");
