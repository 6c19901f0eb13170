// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths: over which addresses a transport connects, and what it does when its own path
 * has failed.
 *
 * A mount may have several transports to different addresses of one server (trunking:
 * max_connect=). Each of them has a path of its own, which sunrpc gave it. sunrpc moves
 * no RPC from one transport to another, so those of a transport whose path was cut would
 * wait until the path is repaired. So such a transport connects over the path of another
 * one meanwhile. A probe (path_probe.c) finds out when its own path works again. Then the
 * transport closes its connection, and connects over its own path.
 *
 * The paths of others are those of the transports of the same RPC client that are
 * connected, over their own path, when this one begins to connect. NFS has found out
 * that all of them lead to the same server. It does that before a transport belongs to
 * the RPC client, so until then, and at the beginning of a mount, a transport has only
 * its own path.
 *
 * The own path comes first, unless it has failed: then it is the last one to try. A
 * server that has stopped looks like a path that was cut, but then the other transports
 * lose their connections too. So if there was a time without another path since the
 * connection was lost, the own path comes first until the transport is connected. Only if
 * the attempt does not get to the server, as without a route or a device, which is then not
 * to blame, the paths of transports that are not connected are tried too.
 *
 * The keepalive of a transport that has another path is faster, since its RPCs wait until
 * the dead path is detected. A false positive costs two reconnects: over the other path, and
 * back.
 *
 * The connect work, the probe, the keepalive and RPC tasks share only xprtrdma_paths.away.
 * RPC tasks write xprtrdma_paths.has_other, and the keepalive reads it.
 */
#include <linux/sunrpc/addr.h>
#include "protocol/path_order.h"
#include "xprtrdma.h"

/* Least time between two checks */
#define XPRTRDMA_PATHS_CHECK_INTERVAL	((unsigned long)HZ)

/* Return: the transport if it is ours, and connected over its own path; otherwise NULL */
static struct xprtrdma_xprt *xprtrdma_paths_working(struct rpc_xprt *xprt)
{
	struct xprtrdma_xprt *r_xprt;

	if (xprt->ops->connect != xprtrdma_connect || !xprt_connected(xprt))
		return NULL;
	r_xprt = xprtrdma_from_xprt(xprt);
	return READ_ONCE(r_xprt->paths.away) ? NULL : r_xprt;
}

static bool xprtrdma_paths_have(const struct xprtrdma_paths *paths,
				const struct sockaddr *dst)
{
	unsigned int i;

	for (i = 0; i < paths->all; i++)
		if (rpc_cmp_addr((struct sockaddr *)&paths->path[i].dst, dst))
			return true;
	return false;
}

/* Nothing is added if the address is known already, or if there are XPRTRDMA_PATHS */
static void xprtrdma_paths_add(struct xprtrdma_paths *paths,
			       const struct xprtrdma_xprt *of)
{
	struct xprtrdma_path *path = &paths->path[paths->all];

	if (paths->all == XPRTRDMA_PATHS ||
	    xprtrdma_paths_have(paths, (struct sockaddr *)&of->xprt.addr))
		return;
	memcpy(&path->dst, &of->xprt.addr, sizeof(path->dst));
	memcpy(&path->src, &of->src, sizeof(path->src));
	path->has_src = of->has_src;
	paths->all++;
}

/* For rpc_clnt_iterate_for_each_xprt() */
static int xprtrdma_paths_visit(struct rpc_clnt *clnt, struct rpc_xprt *xprt,
				void *data)
{
	struct xprtrdma_xprt *r_xprt = data;
	struct xprtrdma_xprt *other;

	if (xprt == &r_xprt->xprt)
		r_xprt->paths.member = true;
	other = xprtrdma_paths_working(xprt);
	if (other)
		xprtrdma_paths_add(&r_xprt->paths, other);
	return 0;
}

/* Likewise, after it */
static int xprtrdma_paths_visit_rest(struct rpc_clnt *clnt,
				     struct rpc_xprt *xprt, void *data)
{
	struct xprtrdma_xprt *r_xprt = data;

	if (xprt->ops->connect == xprtrdma_connect)
		xprtrdma_paths_add(&r_xprt->paths, xprtrdma_from_xprt(xprt));
	return 0;
}

static void xprtrdma_paths_visit_all(struct xprtrdma_xprt *r_xprt,
				     struct rpc_clnt *clnt)
{
	rpc_clnt_iterate_for_each_xprt(clnt, xprtrdma_paths_visit, r_xprt);
	r_xprt->paths.n = r_xprt->paths.all;
	rpc_clnt_iterate_for_each_xprt(clnt, xprtrdma_paths_visit_rest, r_xprt);
}

/**
 * xprtrdma_paths_collect - find the paths over which a transport may connect
 * @r_xprt: transport without a connection
 * @clnt: RPC client of a task that uses it
 *
 * The first one is the transport's own.
 *
 * Context: RPC task that holds XPRT_LOCKED of @r_xprt; allocates nothing. May sleep if
 * another transport is removed meanwhile, until an attempt of that one to connect has ended.
 */
void xprtrdma_paths_collect(struct xprtrdma_xprt *r_xprt, struct rpc_clnt *clnt)
{
	struct xprtrdma_paths *paths = &r_xprt->paths;

	paths->all = 0;
	paths->member = false;
	xprtrdma_paths_add(paths, r_xprt);
	paths->n = 1;
	if (!r_xprt->new_mount && xprtrdma_tunable(XPRTRDMA_T_FAILOVER))
		xprtrdma_paths_visit_all(r_xprt, clnt);
	if (!paths->member) {
		paths->n = 1;
		paths->all = 1;
	}
	if (!paths->trying)
		paths->own_last = READ_ONCE(paths->away) ||
				  rpcrdma_close_blames_path(READ_ONCE(r_xprt->ep.error_cause));
	if (paths->n == 1)
		paths->own_last = false;
	paths->trying = true;
}

/**
 * xprtrdma_paths_nth - a path to try
 * @r_xprt: transport after xprtrdma_paths_collect()
 * @n: number of paths that were tried before, less than xprtrdma_paths.all
 *
 * Context: the connect work.
 * Return: the path. From xprtrdma_paths.n on, it is that of a transport that is not connected over
 * it.
 */
const struct xprtrdma_path *xprtrdma_paths_nth(struct xprtrdma_xprt *r_xprt,
					       unsigned int n)
{
	const struct xprtrdma_paths *paths = &r_xprt->paths;

	if (n < paths->n)
		n = xprtrdma_path_order(paths->n, paths->own_last,
					r_xprt->xprt.id, n);
	return &paths->path[n];
}

/**
 * xprtrdma_paths_connected - a transport is connected
 * @r_xprt: transport; xprtrdma_paths.used is the path
 *
 * Context: the connect work, after xprt_set_connected().
 */
void xprtrdma_paths_connected(struct xprtrdma_xprt *r_xprt)
{
	struct xprtrdma_paths *paths = &r_xprt->paths;
	bool away = paths->used != &paths->path[0];

	paths->trying = false;
	WRITE_ONCE(paths->away, away);
	if (!away) {
		paths->own_at = jiffies;
		return;
	}
	rpcrdma_count(&r_xprt->ep.stats, RPCRDMA_C_FAILOVERS);
	pr_info_ratelimited("xprtrdma: %pISpc: connected over the path to %pISpc until the own one works again\n",
			    &r_xprt->xprt.addr, &paths->used->dst);
	xprtrdma_path_probe_begin(r_xprt);
}

/* For rpc_clnt_iterate_for_each_xprt(), which a negative value ends */
static int xprtrdma_paths_find_other(struct rpc_clnt *clnt,
				     struct rpc_xprt *xprt, void *data)
{
	struct xprtrdma_xprt *r_xprt = data;

	if (!xprtrdma_paths_working(xprt) ||
	    rpc_cmp_addr((struct sockaddr *)&xprt->addr,
			 (struct sockaddr *)&r_xprt->xprt.addr))
		return 0;
	return -EEXIST;
}

/**
 * xprtrdma_paths_check_other - find out from time to time whether a transport has another path
 * @r_xprt: transport
 * @clnt: RPC client of a task that uses it
 *
 * sunrpc does not notify a transport when another one is added or removed.
 *
 * Context: RPC task without XPRT_LOCKED; allocates nothing. May sleep as
 * xprtrdma_paths_collect() may.
 */
void xprtrdma_paths_check_other(struct xprtrdma_xprt *r_xprt, struct rpc_clnt *clnt)
{
	struct xprtrdma_paths *paths = &r_xprt->paths;
	bool other;

	if (likely(jiffies - READ_ONCE(paths->other_checked_at) < XPRTRDMA_PATHS_CHECK_INTERVAL))
		return;
	WRITE_ONCE(paths->other_checked_at, jiffies);
	other = rpc_clnt_iterate_for_each_xprt(clnt, xprtrdma_paths_find_other,
					       r_xprt) == -EEXIST;
	/* If the lock is taken, the next check writes it */
	if (other == READ_ONCE(paths->has_other) ||
	    !mutex_trylock(&r_xprt->teardown_lock))
		return;
	WRITE_ONCE(paths->has_other, other);
	if (r_xprt->live)
		rpcrdma_keepalive_changed(r_xprt->live);
	mutex_unlock(&r_xprt->teardown_lock);
}

/**
 * xprtrdma_paths_keepalive_ms - conn_ops->keepalive_ms: sooner if there is another path
 * @conn: connection
 *
 * Context: any.
 * Return: milliseconds; 0 for no shorter time: no other path is known, the transport is
 * connected over the path of another one, or failover or failover_ms is 0.
 */
unsigned int xprtrdma_paths_keepalive_ms(struct rpcrdma_conn *conn)
{
	struct xprtrdma_xprt *r_xprt = conn->owner;

	if (!READ_ONCE(r_xprt->paths.has_other) || READ_ONCE(r_xprt->paths.away) ||
	    !xprtrdma_tunable(XPRTRDMA_T_FAILOVER))
		return 0;
	return xprtrdma_tunable(XPRTRDMA_T_FAILOVER_MS);
}
