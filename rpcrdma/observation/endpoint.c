// SPDX-License-Identifier: GPL-2.0-only
/*
 * Endpoints: their counters, and the life of their directories in
 * /sys/kernel/rpcrdma/connections. endpoint_sysfs.c has the files in them.
 *
 * Connecting and the teardown are part of writeback, so they must not wait for sysfs: a
 * reader of a file there may allocate memory, and so wait for writeback. Therefore a
 * directory is an object of its own. It has a pointer to its endpoint, under
 * rpcrdma_registry_lock. When an endpoint is destroyed, it clears the pointer and
 * leaves the rest to a work item, for which only module unload waits. A file that is
 * open then returns ENODEV.
 *
 * The directory of a server's connection is created by a work item as well, unless the
 * connection has gone before that work item runs. That of a
 * client's transport is created with the transport, in the same call in which sunrpc
 * creates files in sysfs for it, and stays while connections come and go.
 *
 * The per-CPU reference of the posters is allocated when an endpoint is initialized, and
 * not for each connection: the allocator of per-CPU memory has one mutex for the whole
 * machine, and others hold it while they wait for memory that only writeback can free. A
 * server has an endpoint for each connection all the same, and a client on that machine may
 * wait for it in writeback. So there the allocation does not wait, neither for memory nor
 * for the mutex. If it fails, the connect request is refused, and the client tries again.
 *
 * A directory holds a reference to its network namespace until it is removed, since
 * sysfs uses the namespace to decide who can see the directory.
 */
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/net_namespace.h>
#include <compat/kobject.h>
#include "../core.h"
#include "endpoint_sysfs.h"

/*
 * struct rpcrdma_dir - a directory in sysfs
 * @kobj:   its kobject
 * @ep:     endpoint, or NULL after rpcrdma_endpoint_destroy(); used under
 *	    rpcrdma_registry_lock
 * @net:    network namespace, with a reference
 * @number: part of the name
 * @server: part of the name
 * @added:  @kobj is in sysfs; written by @add, and read by @del after @add
 * @add:    creates the directory
 * @del:    removes it
 */
struct rpcrdma_dir {
	struct kobject		kobj;
	struct rpcrdma_endpoint	*ep;
	struct net		*net;
	u64			number;
	bool			server;
	bool			added;
	struct work_struct	add;
	struct work_struct	del;
};

static struct kobject *rpcrdma_root;
static struct kobject *rpcrdma_dirs;
static struct workqueue_struct *rpcrdma_dir_wq;
static atomic64_t rpcrdma_dir_last[2];

static struct rpcrdma_dir *rpcrdma_dir_from_kobj(const struct kobject *kobj)
{
	return container_of(kobj, struct rpcrdma_dir, kobj);
}

static void rpcrdma_dir_release(struct kobject *kobj)
{
	struct rpcrdma_dir *dir = rpcrdma_dir_from_kobj(kobj);

	put_net(dir->net);
	kfree(dir);
}

static RPCRDMA_KOBJ_NS *rpcrdma_dir_namespace(RPCRDMA_KOBJ_CONST struct kobject *kobj)
{
	return rpcrdma_kobj_ns(rpcrdma_dir_from_kobj(kobj)->net);
}

static ssize_t rpcrdma_dir_show(struct kobject *kobj, struct attribute *attr,
				char *text)
{
	struct rpcrdma_dir *dir = rpcrdma_dir_from_kobj(kobj);
	ssize_t ret = -ENODEV;

	spin_lock(&rpcrdma_registry_lock);
	if (dir->ep)
		ret = rpcrdma_endpoint_attr_show(dir->ep, attr, text);
	spin_unlock(&rpcrdma_registry_lock);
	return ret;
}

static ssize_t rpcrdma_dir_store(struct kobject *kobj, struct attribute *attr,
				 const char *text, size_t len)
{
	struct rpcrdma_dir *dir = rpcrdma_dir_from_kobj(kobj);
	int ret = -ENODEV;

	spin_lock(&rpcrdma_registry_lock);
	if (dir->ep)
		ret = rpcrdma_endpoint_attr_store(dir->ep, attr, text);
	spin_unlock(&rpcrdma_registry_lock);
	return ret ?: len;
}

static const struct sysfs_ops rpcrdma_dir_sysfs_ops = {
	.show	= rpcrdma_dir_show,
	.store	= rpcrdma_dir_store,
};

static const struct kobj_type rpcrdma_dir_type = {
	.release	= rpcrdma_dir_release,
	.sysfs_ops	= &rpcrdma_dir_sysfs_ops,
	.default_groups	= rpcrdma_endpoint_groups,
	.namespace	= rpcrdma_dir_namespace,
};

static void rpcrdma_dirs_release(struct kobject *kobj)
{
	kfree(kobj);
}

static const struct kobj_ns_type_operations *
rpcrdma_dirs_child_ns_type(RPCRDMA_KOBJ_CONST struct kobject *kobj)
{
	return &net_ns_type_operations;
}

static const struct kobj_type rpcrdma_dirs_type = {
	.release	= rpcrdma_dirs_release,
	.sysfs_ops	= &kobj_sysfs_ops,
	.child_ns_type	= rpcrdma_dirs_child_ns_type,
};

/**
 * rpcrdma_endpoint_is_server - is this the directory of a server's endpoint?
 * @kobj: of a directory
 *
 * Context: any.
 * Return: true if so.
 */
bool rpcrdma_endpoint_is_server(const struct kobject *kobj)
{
	return rpcrdma_dir_from_kobj(kobj)->server;
}

static void rpcrdma_dir_add(struct work_struct *work)
{
	struct rpcrdma_dir *dir = container_of(work, struct rpcrdma_dir, add);
	int ret;

	/* The endpoint was destroyed before this work item ran */
	if (!READ_ONCE(dir->ep))
		return;
	ret = kobject_add(&dir->kobj, rpcrdma_dirs, "%s-%llu",
			  dir->server ? "server" : "client", dir->number);
	if (ret)
		pr_warn_ratelimited("rpcrdma: no directory in sysfs for a connection: error %d\n",
				    ret);
	dir->added = !ret;
}

static void rpcrdma_dir_del(struct work_struct *work)
{
	struct rpcrdma_dir *dir = container_of(work, struct rpcrdma_dir, del);

	cancel_work_sync(&dir->add);
	if (dir->added)
		kobject_del(&dir->kobj);
	kobject_put(&dir->kobj);
}

/**
 * rpcrdma_endpoint_init - initialize an endpoint
 * @ep: its memory, all zero but @ep->probe
 * @ops: callbacks of client or server
 * @net: network namespace of its connections
 * @server: it belongs to the server
 *
 * Context: may sleep. Does not wait for memory if @server or @ep->probe.
 * Return: 0, and the caller calls rpcrdma_endpoint_destroy() in the end; or -ENOMEM.
 */
int rpcrdma_endpoint_init(struct rpcrdma_endpoint *ep,
			  const struct rpcrdma_endpoint_ops *ops,
			  struct net *net, bool server)
{
	bool wait = !server && !ep->probe;
	gfp_t gfp = wait ? GFP_KERNEL : GFP_NOWAIT | __GFP_NOWARN;
	struct rpcrdma_dir *dir;

	ep->ops = ops;
	ep->server = server;
	ep->credits_limit = RPCRDMA_CREDITS_LIMIT_MAX;
	dir = kzalloc(sizeof(*dir), gfp);
	if (!dir)
		return -ENOMEM;
	if (percpu_ref_init(&ep->posters, rpcrdma_conn_posters_gone,
			    PERCPU_REF_INIT_DEAD | PERCPU_REF_ALLOW_REINIT,
			    gfp)) {
		kfree(dir);
		return -ENOMEM;
	}
	kobject_init(&dir->kobj, &rpcrdma_dir_type);
	INIT_WORK(&dir->add, rpcrdma_dir_add);
	INIT_WORK(&dir->del, rpcrdma_dir_del);
	dir->number = atomic64_inc_return(&rpcrdma_dir_last[server]);
	dir->server = server;
	dir->net = get_net(net);
	dir->ep = ep;
	ep->dir = dir;
	return 0;
}
EXPORT_SYMBOL_GPL(rpcrdma_endpoint_init);

/**
 * rpcrdma_endpoint_show - create the directory in sysfs
 * @ep: endpoint; called once
 * @at_once: create it before this returns, if there is memory
 *
 * Context: may sleep. If @at_once, it may wait for writeback.
 */
void rpcrdma_endpoint_show(struct rpcrdma_endpoint *ep, bool at_once)
{
	if (at_once)
		rpcrdma_dir_add(&ep->dir->add);
	else
		queue_work(rpcrdma_dir_wq, &ep->dir->add);
}
EXPORT_SYMBOL_GPL(rpcrdma_endpoint_show);

/**
 * rpcrdma_endpoint_destroy - destroy an endpoint
 * @ep: endpoint without a connection, or one whose initialization has failed
 *
 * A work item removes the directory later.
 *
 * Context: may sleep; does not allocate memory.
 */
void rpcrdma_endpoint_destroy(struct rpcrdma_endpoint *ep)
{
	struct rpcrdma_dir *dir = ep->dir;

	if (!dir)
		return;
	spin_lock(&rpcrdma_registry_lock);
	WRITE_ONCE(dir->ep, NULL);
	spin_unlock(&rpcrdma_registry_lock);
	queue_work(rpcrdma_dir_wq, &dir->del);
	ep->dir = NULL;
	percpu_ref_exit(&ep->posters);
}
EXPORT_SYMBOL_GPL(rpcrdma_endpoint_destroy);

static int rpcrdma_dirs_init(void)
{
	int ret;

	rpcrdma_root = kobject_create_and_add("rpcrdma", kernel_kobj);
	if (!rpcrdma_root)
		return -ENOMEM;
	ret = rpcrdma_closes_init(rpcrdma_root);
	if (ret)
		goto out;
	ret = -ENOMEM;
	rpcrdma_dirs = kzalloc(sizeof(*rpcrdma_dirs), GFP_KERNEL);
	if (!rpcrdma_dirs)
		goto out;
	ret = kobject_init_and_add(rpcrdma_dirs, &rpcrdma_dirs_type,
				   rpcrdma_root, "connections");
	if (!ret)
		return 0;
	kobject_put(rpcrdma_dirs);
out:
	kobject_put(rpcrdma_root);
	return ret;
}

/**
 * rpcrdma_endpoints_start - create the parent of all directories
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int rpcrdma_endpoints_start(void)
{
	int ret;

	/* One at a time: kernfs has one lock for all changes of directories */
	rpcrdma_dir_wq = alloc_ordered_workqueue("rpcrdma_dir", 0);
	if (!rpcrdma_dir_wq)
		return -ENOMEM;
	rpcrdma_endpoint_sysfs_init();
	ret = rpcrdma_dirs_init();
	if (ret)
		destroy_workqueue(rpcrdma_dir_wq);
	return ret;
}

/**
 * rpcrdma_endpoints_stop - undo rpcrdma_endpoints_start(); no endpoint is left
 *
 * Context: module exit.
 */
void rpcrdma_endpoints_stop(void)
{
	destroy_workqueue(rpcrdma_dir_wq);
	kobject_put(rpcrdma_dirs);
	kobject_put(rpcrdma_root);
}
