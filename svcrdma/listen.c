// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listeners: a CM id that listens, and the connect requests that wait for an
 * nfsd thread to accept them.
 *
 * Who owns what
 * -------------
 *
 * The listening cm_id belongs to the listener. Its CM handler never takes it away:
 * when its device or address goes, the handler only queues a work item, which
 * destroys the old cm_id, for which the CM is waiting, and makes a new one, again
 * and again until it succeeds or the listener goes.
 *
 * A connect request becomes a struct svcrdma_xprt at once, so that the CM has
 * someone to talk to, and waits in @pending. Detaching takes the cm_id away
 * first, after which no request comes in any more, and then lets go of those
 * that wait. The CM answers them with a reject.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include "svcrdma.h"

/* Connect requests that may wait for an nfsd thread (V1-SEC-15) */
#define SVCRDMA_BACKLOG		128

#define SVCRDMA_RELISTEN_DELAY	(5 * HZ)

/*
 * struct svcrdma_listener - one listener
 * @xprt:     what sunrpc knows
 * @renewal:  held by whoever makes or destroys a cm_id
 * @id:	      listening cm_id, or NULL while there is none; changes under @renewal
 *	      and @lock
 * @lock:     @pending, @npending, @gone
 * @pending:  connections that wait to be accepted, oldest first
 * @npending: how many
 * @gone:     detached: nothing new may begin
 * @relisten: makes a new cm_id
 */
struct svcrdma_listener {
	struct svc_xprt		xprt;
	struct mutex		renewal;	/* making and destroying @id */
	struct rdma_cm_id	*id;
	spinlock_t		lock;		/* id, pending, npending, gone */
	struct list_head	pending;
	unsigned int		npending;
	bool			gone;
	struct delayed_work	relisten;
};

static struct svcrdma_listener *svcrdma_from_listener(struct svc_xprt *xprt)
{
	return container_of(xprt, struct svcrdma_listener, xprt);
}

/* Why there is no room for another connect request; NULL if there is some */
static const char *svcrdma_listener_full(struct svcrdma_listener *listener)
{
	const char *why = NULL;

	spin_lock(&listener->lock);
	if (listener->gone)
		why = "the listener is closing";
	else if (listener->npending >= SVCRDMA_BACKLOG)
		why = "too many are waiting";
	else if (!listener->xprt.xpt_server->sv_nrthreads)
		/* It would hold up a device's removal */
		why = "nfsd has no thread to take it";
	spin_unlock(&listener->lock);
	return why;
}

static int svcrdma_connect_refused(const struct rdma_cm_id *cm_id,
				   const char *why)
{
	pr_warn_ratelimited("svcrdma: %pISpc: connect request refused: %s\n",
			    &cm_id->route.addr.dst_addr, why);
	return 1;
}

static int svcrdma_connect_request(struct svcrdma_listener *listener,
				   struct rdma_cm_id *cm_id,
				   const struct rdma_cm_event *event)
{
	const char *why = svcrdma_listener_full(listener);
	struct svcrdma_xprt *rdma;
	unsigned int nofs;

	if (why)
		return svcrdma_connect_refused(cm_id, why);
	/* A client on this machine may wait for it in writeback */
	nofs = memalloc_nofs_save();
	rdma = svcrdma_xprt_adopt(&listener->xprt, cm_id, event);
	memalloc_nofs_restore(nofs);
	if (!rdma)
		return svcrdma_connect_refused(cm_id, "out of memory");

	spin_lock(&listener->lock);
	list_add_tail(&rdma->pending, &listener->pending);
	listener->npending++;
	set_bit(XPT_CONN, &listener->xprt.xpt_flags);
	spin_unlock(&listener->lock);
	svc_xprt_enqueue(&listener->xprt);
	return 0;
}

/*
 * A wildcard listener has children that the CM made for each device, and whose
 * events may come here too: they go with their device, while the listener stays.
 */
static void svcrdma_listener_renew(struct svcrdma_listener *listener,
				   const struct rdma_cm_id *cm_id)
{
	spin_lock(&listener->lock);
	if (!listener->gone && listener->id == cm_id)
		mod_delayed_work(svcrdma_wq, &listener->relisten, 0);
	spin_unlock(&listener->lock);
}

static int svcrdma_listener_event(struct rdma_cm_id *cm_id,
				  struct rdma_cm_event *event)
{
	struct svcrdma_listener *listener = cm_id->context;

	switch (event->event) {
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		return svcrdma_connect_request(listener, cm_id, event);
	case RDMA_CM_EVENT_ADDR_CHANGE:
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		svcrdma_listener_renew(listener, cm_id);
		return 0;
	default:
		return 0;
	}
}

/* Holds @renewal, or is the only user; the CM may be in a handler of the old one */
static void svcrdma_set_id(struct svcrdma_listener *listener,
			   struct rdma_cm_id *id)
{
	struct rdma_cm_id *old = listener->id;

	spin_lock(&listener->lock);
	listener->id = id;
	spin_unlock(&listener->lock);
	if (old)
		rdma_destroy_id(old);
}

static int svcrdma_bind_id(struct svcrdma_listener *listener,
			   struct rdma_cm_id *id, struct sockaddr *sa)
{
	int ret;

	/* IPv4 and IPv6 listeners can then share a port */
	ret = rdma_set_afonly(id, 1);
	if (ret)
		return ret;
	ret = rdma_bind_addr(id, sa);
	if (ret)
		return ret;
	sa = (struct sockaddr *)&id->route.addr.src_addr;
	svc_xprt_set_local(&listener->xprt, sa, svc_addr_len(sa));
	return rdma_listen(id, SVCRDMA_BACKLOG);
}

static int svcrdma_listen_id(struct svcrdma_listener *listener,
			     struct sockaddr *sa)
{
	struct rdma_cm_id *id;
	int ret;

	mutex_lock(&listener->renewal);
	/* The old one must be gone before another can have its port */
	svcrdma_set_id(listener, NULL);
	id = rpcrdma_cm_id_create(listener->xprt.xpt_net,
				  svcrdma_listener_event, listener);
	if (IS_ERR(id)) {
		ret = PTR_ERR(id);
	} else {
		svcrdma_set_id(listener, id);
		ret = svcrdma_bind_id(listener, id, sa);
		if (ret)
			svcrdma_set_id(listener, NULL);
	}
	mutex_unlock(&listener->renewal);
	return ret;
}

/* Nothing of the CM, and no work, refers to the listener afterwards */
static void svcrdma_listener_stop(struct svcrdma_listener *listener)
{
	spin_lock(&listener->lock);
	listener->gone = true;
	spin_unlock(&listener->lock);

	cancel_delayed_work_sync(&listener->relisten);
	svcrdma_set_id(listener, NULL);
}

static void svcrdma_relisten(struct work_struct *work)
{
	struct svcrdma_listener *listener =
		container_of(to_delayed_work(work), struct svcrdma_listener,
			     relisten);
	struct sockaddr_storage local = listener->xprt.xpt_local;
	int ret;

	ret = svcrdma_listen_id(listener, (struct sockaddr *)&local);
	if (!ret) {
		pr_info("svcrdma: listening on %pISpc again\n", &local);
		return;
	}
	pr_warn_ratelimited("svcrdma: cannot listen on %pISpc: error %d; trying again\n",
			    &local, ret);
	spin_lock(&listener->lock);
	if (!listener->gone)
		queue_delayed_work(svcrdma_wq, &listener->relisten,
				   SVCRDMA_RELISTEN_DELAY);
	spin_unlock(&listener->lock);
}

/**
 * svcrdma_listen - make a listener
 * @serv: RPC service
 * @net: network namespace to listen in
 * @sa: local address; the port 0 stands for any
 * @salen: bytes of @sa
 * @flags: unused
 *
 * Context: may sleep; sunrpc has taken a module reference, and drops it if this
 * fails.
 * Return: the listener's transport, with a reference for sunrpc; or an ERR_PTR:
 * -EAFNOSUPPORT, -ENOMEM, -ENODEV, -EADDRINUSE or what else the CM said.
 */
struct svc_xprt *svcrdma_listen(struct svc_serv *serv, struct net *net,
				struct sockaddr *sa, int salen, int flags)
{
	struct svcrdma_listener *listener;
	int ret;

	if (sa->sa_family != AF_INET && sa->sa_family != AF_INET6)
		return ERR_PTR(-EAFNOSUPPORT);
	listener = kzalloc(sizeof(*listener), GFP_KERNEL);
	if (!listener)
		return ERR_PTR(-ENOMEM);

	mutex_init(&listener->renewal);
	spin_lock_init(&listener->lock);
	INIT_LIST_HEAD(&listener->pending);
	INIT_DELAYED_WORK(&listener->relisten, svcrdma_relisten);
	svc_xprt_init(net, &svcrdma_class, &listener->xprt, serv);
	set_bit(XPT_LISTENER, &listener->xprt.xpt_flags);
	/* What sunrpc looks at before it lets NFSv4 in (ULB-CC-03) */
	set_bit(XPT_CONG_CTRL, &listener->xprt.xpt_flags);
	strscpy(listener->xprt.xpt_remotebuf, "listener",
		sizeof(listener->xprt.xpt_remotebuf));

	ret = svcrdma_listen_id(listener, sa);
	if (ret) {
		/* Some device may have listened, and brought a request */
		svcrdma_listener_detach(&listener->xprt);
		/* One reference for the put below, one for sunrpc's own */
		__module_get(THIS_MODULE);
		svc_xprt_put(&listener->xprt);
		return ERR_PTR(ret);
	}
	return &listener->xprt;
}

/**
 * svcrdma_listener_next - take the connection that has waited longest
 * @xprt: transport of a listener
 *
 * Context: nfsd thread that holds XPT_BUSY of @xprt.
 * Return: a connection whose first reference is the caller's, or NULL.
 */
struct svcrdma_xprt *svcrdma_listener_next(struct svc_xprt *xprt)
{
	struct svcrdma_listener *listener = svcrdma_from_listener(xprt);
	struct svcrdma_xprt *rdma;

	spin_lock(&listener->lock);
	rdma = list_first_entry_or_null(&listener->pending, struct svcrdma_xprt,
					pending);
	if (rdma) {
		list_del_init(&rdma->pending);
		listener->npending--;
	}
	if (list_empty(&listener->pending))
		clear_bit(XPT_CONN, &xprt->xpt_flags);
	spin_unlock(&listener->lock);
	return rdma;
}

/**
 * svcrdma_listener_detach - stop listening
 * @xprt: transport of a listener
 *
 * Afterwards no handler and no work of the listener runs any more, and no
 * connection waits in it.
 *
 * Context: may sleep; called once.
 */
void svcrdma_listener_detach(struct svc_xprt *xprt)
{
	struct svcrdma_listener *listener = svcrdma_from_listener(xprt);
	struct svcrdma_xprt *rdma;

	svcrdma_listener_stop(listener);
	while ((rdma = svcrdma_listener_next(xprt)))
		svc_xprt_put(&rdma->xprt);
}

/**
 * svcrdma_listener_free - free a listener
 * @xprt: transport of a listener without references
 *
 * Context: any.
 */
void svcrdma_listener_free(struct svc_xprt *xprt)
{
	kfree(svcrdma_from_listener(xprt));
}
