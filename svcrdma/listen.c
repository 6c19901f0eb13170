// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listeners. A listener has a listening cm_id, and the connect requests that wait to be set
 * up, or for an nfsd thread to accept them.
 *
 * Ownership
 * ---------
 *
 * The listener owns its cm_id. The CM handler must not destroy the cm_id. When the
 * device or the address of the cm_id is removed, the handler queues a work item
 * instead. The CM waits until the work item has destroyed the cm_id. The work item then
 * creates another cm_id, and repeats this until it succeeds or the listener is
 * detached.
 *
 * A connect request becomes a struct svcrdma_xprt at once, so that CM events for it
 * have an owner, and waits in @pending. A work item sets it up (accept.c), and puts it into
 * @ready; a few at a time, so that one that takes long delays no other one, and what waits for
 * an nfsd thread takes little memory. Detaching destroys the cm_id first, so that no more
 * requests arrive, and waits until none is set up any more. Then it drops the transports that
 * wait, and the CM rejects their requests.
 *
 * Model: scripts/tests/models/teardown_server.pml
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/sunrpc/addr.h>
#include "params.h"
#include "svcrdma.h"

/*
 * Limit on connect requests that were not accepted yet, about 15 KiB each. After a restart
 * all clients connect at once, and a rejected one may wait for seconds before it tries again.
 */
#define SVCRDMA_BACKLOG		1024

/* When so many wait, a client that has as many waiting as this gets no more */
#define SVCRDMA_BACKLOG_SHARED	(SVCRDMA_BACKLOG / 2)
#define SVCRDMA_BACKLOG_CLIENT	64

/* Most transports of a listener that are being set up, or are set up and wait for a thread */
#define SVCRDMA_SETUPS		16

/* Most of them that are being set up on one device: one that takes long leaves places to others */
#define SVCRDMA_DEVICE_SETUPS	8

#define SVCRDMA_RELISTEN_DELAY	(5 * HZ)

/*
 * struct svcrdma_listener - one listener
 * @xprt:     transport that sunrpc knows
 * @renewal:  serializes creating and destroying a cm_id
 * @id:	      listening cm_id, or NULL; written under @renewal and @lock
 * @lock:     protects @id and all below but @relisten
 * @pending:  transports to be set up, oldest first
 * @ready:    transports that are set up and wait for an nfsd thread, oldest first
 * @waiting:  number of transports that are not accepted yet
 * @setups:   how many of them are being set up
 * @places:   the devices of those that are being set up; NULL where there is none
 * @nready:   number of entries in @ready
 * @no_setups: woken when @setups becomes 0
 * @detached: no work may be queued and no connect request accepted
 * @relisten: creates a cm_id in place of a lost one
 */
struct svcrdma_listener {
	struct svc_xprt		xprt;
	struct mutex		renewal;	/* making and destroying @id */
	struct rdma_cm_id	*id;
	spinlock_t		lock;		/* see above */
	struct list_head	pending;
	struct list_head	ready;
	unsigned int		waiting;
	unsigned int		setups;
	const struct ib_device	*places[SVCRDMA_SETUPS];
	unsigned int		nready;
	wait_queue_head_t	no_setups;
	bool			detached;
	struct delayed_work	relisten;
};

static struct svcrdma_listener *svcrdma_from_listener(struct svc_xprt *xprt)
{
	return container_of(xprt, struct svcrdma_listener, xprt);
}

/* Is the backlog filling up, with requests of this client among others? */
static bool svcrdma_client_has_its_share(struct svcrdma_listener *listener,
					 const struct rdma_cm_id *cm_id)
{
	const struct sockaddr *client = (struct sockaddr *)&cm_id->route.addr.dst_addr;
	struct svcrdma_xprt *rdma;
	unsigned int waiting = 0;

	lockdep_assert_held(&listener->lock);
	if (listener->waiting < SVCRDMA_BACKLOG_SHARED)
		return false;
	list_for_each_entry(rdma, &listener->pending, pending)
		waiting += rpc_cmp_addr(client, (struct sockaddr *)&rdma->peer);
	return waiting >= SVCRDMA_BACKLOG_CLIENT;
}

/* Returns why a connect request must be refused, or NULL */
static const char *svcrdma_listener_full(struct svcrdma_listener *listener,
					 const struct rdma_cm_id *cm_id)
{
	const char *why = NULL;

	spin_lock(&listener->lock);
	if (listener->detached)
		why = "the listener is closing";
	else if (listener->waiting >= SVCRDMA_BACKLOG)
		why = "too many are waiting";
	else if (svcrdma_client_has_its_share(listener, cm_id))
		why = "too many of this client are waiting";
	else if (!listener->xprt.xpt_server->sv_nrthreads)
		/* The request would delay the removal of its device */
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

static bool svcrdma_listener_has_place(const struct svcrdma_listener *listener)
{
	return !listener->detached && listener->setups + listener->nready < SVCRDMA_SETUPS;
}

/*
 * Begins to set up @rdma, if that may be. It takes no place from those that came before and wait:
 * either all places are taken, or those of their device.
 */
static bool svcrdma_listener_begin(struct svcrdma_listener *listener, struct svcrdma_xprt *rdma)
{
	const struct ib_device *device = rdma->conn->device;
	unsigned int i, place = 0, same = 0;

	lockdep_assert_held(&listener->lock);
	if (!svcrdma_listener_has_place(listener))
		return false;
	for (i = 0; i < SVCRDMA_SETUPS; i++) {
		if (!listener->places[i])
			place = i;
		same += listener->places[i] == device;
	}
	if (same >= SVCRDMA_DEVICE_SETUPS)
		return false;
	listener->places[place] = device;
	listener->setups++;
	list_del_init(&rdma->pending);
	queue_work(svcrdma_setup_wq, &rdma->setup_work);
	return true;
}

/* One is set up no more, or was accepted: begins to set up the next one */
static void svcrdma_listener_set_up_next(struct svcrdma_listener *listener)
{
	struct svcrdma_xprt *rdma;

	lockdep_assert_held(&listener->lock);
	if (!svcrdma_listener_has_place(listener))
		return;
	list_for_each_entry(rdma, &listener->pending, pending)
		if (svcrdma_listener_begin(listener, rdma))
			return;
}

static void svcrdma_listener_end(struct svcrdma_listener *listener, const struct ib_device *device)
{
	unsigned int place = 0;

	lockdep_assert_held(&listener->lock);
	while (listener->places[place] != device)
		place++;
	listener->places[place] = NULL;
	listener->setups--;
}

static int svcrdma_connect_request(struct svcrdma_listener *listener,
				   struct rdma_cm_id *cm_id,
				   const struct rdma_cm_event *event)
{
	const char *why = svcrdma_listener_full(listener, cm_id);
	struct svcrdma_xprt *rdma;
	unsigned int nofs;

	if (why)
		return svcrdma_connect_refused(cm_id, why);
	/* A client on this machine may wait for the connection in writeback */
	nofs = memalloc_nofs_save();
	rdma = svcrdma_xprt_adopt(&listener->xprt, cm_id, event);
	memalloc_nofs_restore(nofs);
	if (!rdma)
		return svcrdma_connect_refused(cm_id, "out of memory");

	spin_lock(&listener->lock);
	list_add_tail(&rdma->pending, &listener->pending);
	listener->waiting++;
	svcrdma_listener_begin(listener, rdma);
	spin_unlock(&listener->lock);
	return 0;
}

/*
 * Events for the children of a wildcard cm_id arrive with the handler of the listener
 * too. The CM creates and destroys a child for each device; the listener stays.
 */
static void svcrdma_listener_renew(struct svcrdma_listener *listener,
				   const struct rdma_cm_id *cm_id)
{
	spin_lock(&listener->lock);
	if (!listener->detached && listener->id == cm_id)
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

/* Destroys the old cm_id, after its handler has returned */
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
	unsigned int tos = svcrdma_param_tos();
	int ret;

	/* For iWARP: a driver gives it to the connections of the listener */
	if (tos)
		rdma_set_service_type(id, tos);
	/* So that an IPv4 and an IPv6 listener can share a port */
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
	/* The port is free only after the old cm_id has been destroyed */
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

/* When this returns, neither a CM handler nor @relisten uses the listener */
static void svcrdma_listener_stop(struct svcrdma_listener *listener)
{
	spin_lock(&listener->lock);
	WRITE_ONCE(listener->detached, true);
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
	unsigned int nofs;
	int ret;

	nofs = memalloc_nofs_save();
	ret = svcrdma_listen_id(listener, (struct sockaddr *)&local);
	memalloc_nofs_restore(nofs);
	if (!ret) {
		pr_info("svcrdma: listening on %pISpc again\n", &local);
		return;
	}
	pr_warn_ratelimited("svcrdma: cannot listen on %pISpc: error %d; trying again\n",
			    &local, ret);
	spin_lock(&listener->lock);
	if (!listener->detached)
		queue_delayed_work(svcrdma_wq, &listener->relisten,
				   SVCRDMA_RELISTEN_DELAY);
	spin_unlock(&listener->lock);
}

/**
 * svcrdma_listen - xpo_create: create a listener
 * @serv: RPC service
 * @net: network namespace
 * @sa: local address; port 0 lets the CM choose a port
 * @salen: length of @sa, bytes
 * @flags: unused
 *
 * Context: may sleep; sunrpc has taken a module reference, and drops it after a
 * failure.
 * Return: the transport of the listener, with a reference for sunrpc; or an ERR_PTR:
 * -EAFNOSUPPORT, -ENOMEM, -ENODEV, -EADDRINUSE or another error of the CM.
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
	INIT_LIST_HEAD(&listener->ready);
	init_waitqueue_head(&listener->no_setups);
	INIT_DELAYED_WORK(&listener->relisten, svcrdma_relisten);
	svc_xprt_init(net, &svcrdma_class, &listener->xprt, serv);
	set_bit(XPT_LISTENER, &listener->xprt.xpt_flags);
	/* NFSv4 requires congestion control: RFC 8267 6.7.1 (ULB-CC-03) */
	set_bit(XPT_CONG_CTRL, &listener->xprt.xpt_flags);
	strscpy(listener->xprt.xpt_remotebuf, "listener",
		sizeof(listener->xprt.xpt_remotebuf));

	ret = svcrdma_listen_id(listener, sa);
	if (ret) {
		/* A device may have listened for a moment, and got a request */
		svcrdma_listener_detach(&listener->xprt);
		/* svc_xprt_put() drops one, and sunrpc another after an error */
		__module_get(THIS_MODULE);
		svc_xprt_put(&listener->xprt);
		return ERR_PTR(ret);
	}
	return &listener->xprt;
}

/**
 * svcrdma_listener_set_up_done - a transport was set up, or could not be
 * @xprt: transport of the listener; may be freed after this
 * @rdma: the transport, whose only reference passes to the listener; NULL after a failure
 * @device: device of the transport; only compared, and may be gone after a failure
 *
 * Context: the work item of the transport; does not sleep.
 */
void svcrdma_listener_set_up_done(struct svc_xprt *xprt, struct svcrdma_xprt *rdma,
				  const struct ib_device *device)
{
	struct svcrdma_listener *listener = svcrdma_from_listener(xprt);

	spin_lock(&listener->lock);
	svcrdma_listener_end(listener, device);
	if (rdma) {
		list_add_tail(&rdma->pending, &listener->ready);
		listener->nready++;
		set_bit(XPT_CONN, &xprt->xpt_flags);
		svc_xprt_enqueue(xprt);
	} else {
		listener->waiting--;
	}
	svcrdma_listener_set_up_next(listener);
	if (!listener->setups)
		wake_up(&listener->no_setups);
	spin_unlock(&listener->lock);
}

static struct svcrdma_xprt *svcrdma_listener_take(struct svcrdma_listener *listener,
						  struct list_head *list)
{
	struct svcrdma_xprt *rdma;

	lockdep_assert_held(&listener->lock);
	rdma = list_first_entry_or_null(list, struct svcrdma_xprt, pending);
	if (rdma) {
		list_del_init(&rdma->pending);
		listener->waiting--;
		if (list == &listener->ready)
			listener->nready--;
	}
	return rdma;
}

/**
 * svcrdma_listener_detached - is the listener closing?
 * @xprt: transport of a listener
 *
 * Context: any.
 * Return: true if nothing more is to be set up.
 */
bool svcrdma_listener_detached(struct svc_xprt *xprt)
{
	return READ_ONCE(svcrdma_from_listener(xprt)->detached);
}

/**
 * svcrdma_listener_next - take the transport that has waited longest to be accepted
 * @xprt: transport of a listener
 *
 * Context: nfsd thread that holds XPT_BUSY of @xprt; does not sleep.
 * Return: a transport that is set up, whose only reference passes to the caller; or NULL.
 */
struct svcrdma_xprt *svcrdma_listener_next(struct svc_xprt *xprt)
{
	struct svcrdma_listener *listener = svcrdma_from_listener(xprt);
	struct svcrdma_xprt *rdma;

	spin_lock(&listener->lock);
	rdma = svcrdma_listener_take(listener, &listener->ready);
	svcrdma_listener_set_up_next(listener);
	if (list_empty(&listener->ready))
		clear_bit(XPT_CONN, &xprt->xpt_flags);
	spin_unlock(&listener->lock);
	return rdma;
}

/* The lock: svcrdma_listener_set_up_done() does not use the listener after it */
static bool svcrdma_listener_sets_up(struct svcrdma_listener *listener)
{
	bool some;

	spin_lock(&listener->lock);
	some = listener->setups;
	spin_unlock(&listener->lock);
	return some;
}

/* Takes one that waits, in either list */
static struct svcrdma_xprt *svcrdma_listener_take_any(struct svcrdma_listener *listener)
{
	struct svcrdma_xprt *rdma;

	spin_lock(&listener->lock);
	rdma = svcrdma_listener_take(listener, &listener->ready) ?:
	       svcrdma_listener_take(listener, &listener->pending);
	spin_unlock(&listener->lock);
	return rdma;
}

/**
 * svcrdma_listener_detach - xpo_detach: stop listening
 * @xprt: transport of a listener
 *
 * When this returns, no CM handler and no work item uses the listener, and no
 * transport waits in it.
 *
 * Context: may sleep, as long as a device takes to set up a connection; called once.
 */
void svcrdma_listener_detach(struct svc_xprt *xprt)
{
	struct svcrdma_listener *listener = svcrdma_from_listener(xprt);
	struct svcrdma_xprt *rdma;

	svcrdma_listener_stop(listener);
	wait_event(listener->no_setups, !svcrdma_listener_sets_up(listener));
	while ((rdma = svcrdma_listener_take_any(listener)))
		svc_xprt_put(&rdma->xprt);
}

/**
 * svcrdma_listener_free - xpo_free: free a listener
 * @xprt: transport of a listener without references
 *
 * Context: any.
 */
void svcrdma_listener_free(struct svc_xprt *xprt)
{
	kfree(svcrdma_from_listener(xprt));
}
