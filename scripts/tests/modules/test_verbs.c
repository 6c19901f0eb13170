// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the verbs that kernel modules use: calls to post, work requests by
 * kind, completions, requests for a notification.
 *
 * The counts are sums over all reliable connections of all devices. In a single
 * guest they cover client and server. They are in debugfs, in
 * test_verbs/counts, one per line; a write to that file resets them. "unsignaled_send"
 * counts Sends without a completion of their own; "min_rnr_timer" is no count, but the
 * latest value that a queue pair was given. "fs_reclaim" counts calls by which threads set
 * up a connection while reclaim may enter a file system. Workqueues do not count: the CM
 * has such.
 *
 * With the parameter "driver" devices look like those of another driver (enum
 * rdma_driver_id), so that what is done for their own driver is not done.
 *
 * It also makes the allocation of an MR slow, as on a device that sends a command to
 * its firmware: the module parameter mr_delay_us is the time that is added.
 *
 * Load this module before the modules under test, and unload it after them: it
 * restores the device operations without checking for other users.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include <rdma/iw_cm.h>

enum {
	POST_SEND_CALLS,
	POST_RECV_CALLS,
	WR_SEND,
	WR_SEND_INV,
	WR_WRITE,
	WR_READ,
	WR_REG,
	WR_LOCAL_INV,
	WR_OTHER,
	WR_SIGNALED,
	WR_SEND_UNSIGNALED,
	WR_RECV,
	POLL_CALLS,
	COMPLETIONS,
	CQ_NOTIFICATIONS,
	MRS_ALLOCATED,
	MRS_FREED,
	MIN_RNR_TIMER,
	FS_RECLAIM,
	N_COUNTS,
};

static const char * const count_names[N_COUNTS] = {
	[POST_SEND_CALLS]	= "post_send",
	[POST_RECV_CALLS]	= "post_recv",
	[WR_SEND]		= "send",
	[WR_SEND_INV]		= "send_with_inv",
	[WR_WRITE]		= "rdma_write",
	[WR_READ]		= "rdma_read",
	[WR_REG]		= "registration",
	[WR_LOCAL_INV]		= "local_inv",
	[WR_OTHER]		= "other",
	[WR_SIGNALED]		= "signaled",
	[WR_SEND_UNSIGNALED]	= "unsignaled_send",
	[WR_RECV]		= "recv",
	[POLL_CALLS]		= "poll",
	[COMPLETIONS]		= "completion",
	[CQ_NOTIFICATIONS]	= "cq_notification",
	[MRS_ALLOCATED]		= "mr_allocated",
	[MRS_FREED]		= "mr_freed",
	[MIN_RNR_TIMER]		= "min_rnr_timer",
	[FS_RECLAIM]		= "fs_reclaim",
};

static int driver = -1;
module_param(driver, int, 0444);
MODULE_PARM_DESC(driver, "Driver ID that devices show; -1: their own");

static DEFINE_PER_CPU(u64 [N_COUNTS], counts);
static struct ib_client verbs_client;
static struct dentry *verbs_dir;

static unsigned int mr_delay_us;
module_param(mr_delay_us, uint, 0644);
MODULE_PARM_DESC(mr_delay_us, "time added to each MR allocation, microseconds");

static const struct ib_device_ops *real_ops(struct ib_device *device)
{
	return ib_get_client_data(device, &verbs_client);
}

static void count_send(const struct ib_send_wr *wr)
{
	static const u8 kinds[] = {
		[IB_WR_SEND]			= WR_SEND,
		[IB_WR_SEND_WITH_INV]		= WR_SEND_INV,
		[IB_WR_RDMA_WRITE]		= WR_WRITE,
		[IB_WR_RDMA_READ]		= WR_READ,
		[IB_WR_RDMA_READ_WITH_INV]	= WR_READ,
		[IB_WR_REG_MR]			= WR_REG,
		[IB_WR_LOCAL_INV]		= WR_LOCAL_INV,
	};
	unsigned int kind = WR_OTHER;

	if (wr->opcode == IB_WR_SEND)
		kind = WR_SEND;
	else if (wr->opcode < ARRAY_SIZE(kinds) && kinds[wr->opcode])
		kind = kinds[wr->opcode];
	this_cpu_inc(counts[kind]);
	if (wr->send_flags & IB_SEND_SIGNALED)
		this_cpu_inc(counts[WR_SIGNALED]);
	else if (kind == WR_SEND || kind == WR_SEND_INV)
		this_cpu_inc(counts[WR_SEND_UNSIGNALED]);
}

static int count_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
			   const struct ib_send_wr **bad)
{
	const struct ib_send_wr *wr;

	if (qp->qp_type == IB_QPT_RC) {
		this_cpu_inc(counts[POST_SEND_CALLS]);
		for (wr = first; wr; wr = wr->next)
			count_send(wr);
	}
	return real_ops(qp->device)->post_send(qp, first, bad);
}

static int count_post_recv(struct ib_qp *qp, const struct ib_recv_wr *first,
			   const struct ib_recv_wr **bad)
{
	const struct ib_recv_wr *wr;

	if (qp->qp_type == IB_QPT_RC) {
		this_cpu_inc(counts[POST_RECV_CALLS]);
		for (wr = first; wr; wr = wr->next)
			this_cpu_inc(counts[WR_RECV]);
	}
	return real_ops(qp->device)->post_recv(qp, first, bad);
}

static int count_poll_cq(struct ib_cq *cq, int entries, struct ib_wc *wc)
{
	int n = real_ops(cq->device)->poll_cq(cq, entries, wc);

	this_cpu_inc(counts[POLL_CALLS]);
	if (n > 0)
		this_cpu_add(counts[COMPLETIONS], n);
	return n;
}

static int count_notify(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	this_cpu_inc(counts[CQ_NOTIFICATIONS]);
	return real_ops(cq->device)->req_notify_cq(cq, flags);
}

static struct ib_mr *count_alloc_mr(struct ib_pd *pd, enum ib_mr_type type,
				    u32 max_num_sg)
{
	unsigned int delay = READ_ONCE(mr_delay_us);

	this_cpu_inc(counts[MRS_ALLOCATED]);
	if (delay)
		usleep_range(delay, delay + delay / 8);
	return real_ops(pd->device)->alloc_mr(pd, type, max_num_sg);
}

static int count_dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	this_cpu_inc(counts[MRS_FREED]);
	return real_ops(mr->device)->dereg_mr(mr, udata);
}

static void count_fs_reclaim(void)
{
	if (!(current->flags & (PF_WQ_WORKER | PF_MEMALLOC_NOFS | PF_MEMALLOC_NOIO)))
		this_cpu_inc(counts[FS_RECLAIM]);
}

static int count_iw_accept(struct iw_cm_id *id, struct iw_cm_conn_param *param)
{
	count_fs_reclaim();
	return real_ops(id->device)->iw_accept(id, param);
}

static int count_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
			   struct ib_udata *udata)
{
	if (qp->qp_type == IB_QPT_RC)
		count_fs_reclaim();
	if (qp->qp_type == IB_QPT_RC && mask & IB_QP_MIN_RNR_TIMER) {
		int cpu;

		for_each_possible_cpu(cpu)
			per_cpu(counts, cpu)[MIN_RNR_TIMER] = 0;
		this_cpu_write(counts[MIN_RNR_TIMER], attr->min_rnr_timer);
	}
	return real_ops(qp->device)->modify_qp(qp, attr, mask, udata);
}

static void use_ops(struct ib_device *device, const struct ib_device_ops *ops)
{
	device->ops.post_send = ops->post_send;
	device->ops.post_recv = ops->post_recv;
	device->ops.poll_cq = ops->poll_cq;
	device->ops.req_notify_cq = ops->req_notify_cq;
	device->ops.alloc_mr = ops->alloc_mr;
	device->ops.dereg_mr = ops->dereg_mr;
	device->ops.modify_qp = ops->modify_qp;
	device->ops.iw_accept = ops->iw_accept;
	device->ops.driver_id = ops->driver_id;
}

static int verbs_add(struct ib_device *device)
{
	const struct ib_device_ops counting = {
		.driver_id	= driver < 0 ? device->ops.driver_id : driver,
		.post_send	= count_post_send,
		.post_recv	= count_post_recv,
		.poll_cq	= count_poll_cq,
		.req_notify_cq	= count_notify,
		.alloc_mr	= count_alloc_mr,
		.dereg_mr	= count_dereg_mr,
		.modify_qp	= count_modify_qp,
		.iw_accept	= device->ops.iw_accept ? count_iw_accept : NULL,
	};
	const struct ib_device_ops *ops;

	ops = kmemdup(&device->ops, sizeof(*ops), GFP_KERNEL);
	if (!ops)
		return -ENOMEM;
	ib_set_client_data(device, &verbs_client, (void *)ops);
	use_ops(device, &counting);
	return 0;
}

static void verbs_remove(struct ib_device *device, void *client_data)
{
	const struct ib_device_ops *ops = client_data;

	use_ops(device, ops);
	kfree(ops);
}

static struct ib_client verbs_client = {
	.name	= "test_verbs",
	.add	= verbs_add,
	.remove	= verbs_remove,
};

static u64 count_sum(unsigned int which)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(counts, cpu)[which];
	return sum;
}

static int counts_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	for (i = 0; i < N_COUNTS; i++)
		seq_printf(m, "%s %llu\n", count_names[i], count_sum(i));
	return 0;
}

static int counts_open(struct inode *inode, struct file *file)
{
	return single_open(file, counts_show, NULL);
}

static ssize_t counts_write(struct file *file, const char __user *buf,
			    size_t len, loff_t *pos)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu(counts, cpu), 0, sizeof(u64) * N_COUNTS);
	return len;
}

static const struct file_operations counts_fops = {
	.owner		= THIS_MODULE,
	.open		= counts_open,
	.read		= seq_read,
	.write		= counts_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int __init verbs_init(void)
{
	int rc = ib_register_client(&verbs_client);

	if (rc)
		return rc;
	verbs_dir = debugfs_create_dir("test_verbs", NULL);
	debugfs_create_file("counts", 0600, verbs_dir, NULL, &counts_fops);
	return 0;
}

static void __exit verbs_exit(void)
{
	debugfs_remove(verbs_dir);
	ib_unregister_client(&verbs_client);
}

module_init(verbs_init);
module_exit(verbs_exit);

MODULE_DESCRIPTION("Test aid: counts the use of RDMA verbs, slows it down");
MODULE_LICENSE("GPL");
