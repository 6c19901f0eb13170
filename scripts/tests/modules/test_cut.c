// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cuts connections. Each write to the parameter "cut" moves one connected queue
 * pair to the error state, as the device does when its retries are exhausted.
 * The number written selects the queue pair: that many are skipped, in the
 * order of their creation, modulo their number. Only queue pairs that were
 * created after this module was loaded count. Without any the write fails.
 *
 * The module replaces two operations of the driver to learn of queue pairs. No
 * other module may do that while it is loaded.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

struct cut_device {
	struct list_head	node;
	struct ib_device	*device;
	int (*create_qp)(struct ib_qp *qp, struct ib_qp_init_attr *attr,
			 struct ib_udata *udata);
	int (*destroy_qp)(struct ib_qp *qp, struct ib_udata *udata);
};

struct cut_qp {
	struct list_head	node;
	struct ib_qp		*qp;
	bool			done;
};

/* Protects both lists, and every use of a queue pair on one of them */
static DEFINE_MUTEX(cut_lock);
static LIST_HEAD(cut_devices);
static LIST_HEAD(cut_qps);

static struct cut_device *cut_device_of(const struct ib_qp *qp)
{
	struct cut_device *entry, *found = NULL;

	mutex_lock(&cut_lock);
	list_for_each_entry(entry, &cut_devices, node)
		if (entry->device == qp->device)
			found = entry;
	mutex_unlock(&cut_lock);
	return found;
}

static int cut_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr,
			 struct ib_udata *udata)
{
	struct cut_device *entry = cut_device_of(qp);
	struct cut_qp *cut;
	int ret;

	if (!entry)
		return -ENODEV;
	cut = kzalloc(sizeof(*cut), GFP_KERNEL);
	if (!cut)
		return -ENOMEM;
	ret = entry->create_qp(qp, attr, udata);
	if (ret || attr->qp_type != IB_QPT_RC) {
		kfree(cut);
		return ret;
	}
	cut->qp = qp;
	mutex_lock(&cut_lock);
	list_add_tail(&cut->node, &cut_qps);
	mutex_unlock(&cut_lock);
	return 0;
}

static int cut_destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	struct cut_device *entry = cut_device_of(qp);
	struct cut_qp *cut, *next;

	mutex_lock(&cut_lock);
	list_for_each_entry_safe(cut, next, &cut_qps, node) {
		if (cut->qp != qp)
			continue;
		list_del(&cut->node);
		kfree(cut);
	}
	mutex_unlock(&cut_lock);
	return entry ? entry->destroy_qp(qp, udata) : -ENODEV;
}

/* siw of 6.1 does not report the state */
static bool cut_connected(const struct cut_qp *cut)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTS };
	struct ib_qp_init_attr init;

	return !cut->done && !ib_query_qp(cut->qp, &attr, IB_QP_STATE, &init) &&
	       attr.qp_state == IB_QPS_RTS;
}

/* The caller holds cut_lock, so no queue pair is destroyed */
static struct cut_qp *cut_choose(unsigned int skip)
{
	unsigned int connected = 0;
	struct cut_qp *cut;

	list_for_each_entry(cut, &cut_qps, node)
		connected += cut_connected(cut);
	if (!connected)
		return NULL;
	skip %= connected;
	list_for_each_entry(cut, &cut_qps, node)
		if (cut_connected(cut) && !skip--)
			return cut;
	return NULL;
}

static int cut_set(const char *val, const struct kernel_param *kp)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	unsigned int skip;
	struct cut_qp *cut;
	int ret;

	ret = kstrtouint(val, 0, &skip);
	if (ret)
		return ret;
	mutex_lock(&cut_lock);
	cut = cut_choose(skip);
	ret = cut ? ib_modify_qp(cut->qp, &attr, IB_QP_STATE) : -ENOTCONN;
	if (!ret)
		cut->done = true;
	mutex_unlock(&cut_lock);
	return ret;
}

static const struct kernel_param_ops cut_param_ops = {
	.set = cut_set,
};

module_param_cb(cut, &cut_param_ops, NULL, 0200);
MODULE_PARM_DESC(cut, "Cut a connection, after skipping this many");

static struct ib_client cut_client;

static int cut_add(struct ib_device *device)
{
	struct cut_device *entry;

	entry = kmalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	entry->device = device;
	entry->create_qp = device->ops.create_qp;
	entry->destroy_qp = device->ops.destroy_qp;
	mutex_lock(&cut_lock);
	list_add(&entry->node, &cut_devices);
	mutex_unlock(&cut_lock);
	device->ops.create_qp = cut_create_qp;
	device->ops.destroy_qp = cut_destroy_qp;
	ib_set_client_data(device, &cut_client, entry);
	return 0;
}

/* Queue pairs may remain: from now on their driver destroys them */
static void cut_remove(struct ib_device *device, void *client_data)
{
	struct cut_device *entry = client_data;

	device->ops.create_qp = entry->create_qp;
	device->ops.destroy_qp = entry->destroy_qp;
	mutex_lock(&cut_lock);
	list_del(&entry->node);
	mutex_unlock(&cut_lock);
	kfree(entry);
}

static struct ib_client cut_client = {
	.name = "test_cut",
	.add = cut_add,
	.remove = cut_remove,
};

static int __init cut_init(void)
{
	return ib_register_client(&cut_client);
}

static void __exit cut_exit(void)
{
	struct cut_qp *cut, *next;

	ib_unregister_client(&cut_client);
	list_for_each_entry_safe(cut, next, &cut_qps, node)
		kfree(cut);
}

module_init(cut_init);
module_exit(cut_exit);

MODULE_DESCRIPTION("Test aid: cuts connections");
MODULE_LICENSE("GPL");
