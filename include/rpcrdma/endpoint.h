/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An endpoint of NFS over RDMA, as an administrator sees it: on the client a transport,
 * over all its connections; on the server one connection. It has the counters and the
 * last error, and may have a directory in /sys/kernel/rpcrdma/connections
 * (Documentation/ABI/testing/sysfs-kernel-rpcrdma).
 */
#ifndef _RPCRDMA_ENDPOINT_H
#define _RPCRDMA_ENDPOINT_H

#include <linux/percpu-refcount.h>
#include <linux/types.h>
#include <rpcrdma/stats.h>

struct net;
struct rpcrdma_conn;
struct rpcrdma_dir;
struct rpcrdma_endpoint;
struct sockaddr;

/* No limit: the maximum of every credit parameter */
#define RPCRDMA_CREDITS_LIMIT_MAX	16384

/* Numbers that sysfs shows. The core knows those before RPCRDMA_N_TRANSPORT */
enum rpcrdma_number {
	RPCRDMA_N_CONNECTION,
	RPCRDMA_N_AGE,
	RPCRDMA_N_PEER_PORT,
	RPCRDMA_N_SOURCE_PORT,
	RPCRDMA_N_DEVICE_PORT,
	RPCRDMA_N_INLINE_SEND,
	RPCRDMA_N_INLINE_RECV,
	RPCRDMA_N_CREDITS_MAX,
	RPCRDMA_N_CREDITS_LIMIT,
	RPCRDMA_N_REVERSE_CREDITS,
	RPCRDMA_N_SENDQ_DEPTH,
	RPCRDMA_N_SENDQ_USED,
	RPCRDMA_N_RECVQ_DEPTH,
	RPCRDMA_N_CQ_DEPTH,
	RPCRDMA_N_READS_MAX,
	RPCRDMA_N_LAST_ERROR,
	RPCRDMA_N_TRANSPORT,		/* from here on: ops->number() */
	RPCRDMA_N_XPRT = RPCRDMA_N_TRANSPORT,
	RPCRDMA_N_CREDITS_ASKED,
	RPCRDMA_N_CREDITS_GRANTED,
	RPCRDMA_N_CREDITS_USED,
	RPCRDMA_N_IN_FLIGHT,
	RPCRDMA_N_WAITING,
	RPCRDMA_N_RECVQ_USED,
	RPCRDMA_N_MRS,
	RPCRDMA_N_MRS_USED,
	RPCRDMA_N_IDLE_TIMEOUT,		/* seconds */
	RPCRDMA_N_CONNECT_TIMEOUT,	/* seconds */
};

/**
 * struct rpcrdma_endpoint_ops - callbacks of client or server, for sysfs
 * @number: value of a number from RPCRDMA_N_TRANSPORT on. @conn is the connection, or
 *	    NULL. May not sleep
 * @set:    set a number. RPCRDMA_N_CREDITS_LIMIT is set already, and the callback puts
 *	    it into effect. Returns 0, -EINVAL if it is out of range, or -EOPNOTSUPP.
 *	    May not sleep
 * @peer:   address of the peer
 */
struct rpcrdma_endpoint_ops {
	u64 (*number)(struct rpcrdma_endpoint *ep, struct rpcrdma_conn *conn,
		      enum rpcrdma_number which);
	int (*set)(struct rpcrdma_endpoint *ep, struct rpcrdma_conn *conn,
		   enum rpcrdma_number which, u32 value);
	const struct sockaddr *(*peer)(struct rpcrdma_endpoint *ep);
};

/**
 * struct rpcrdma_endpoint - an endpoint, embedded in the transport of client or server
 * @ops:	  callbacks of client or server
 * @server:	  it belongs to the server
 * @probe:	  its connections only find out whether a path works: they are neither
 *		  logged nor counted, and its memory is not waited for; set before
 *		  rpcrdma_endpoint_init()
 * @stats:	  counters
 * @conn:	  connection, or NULL. Written under rpcrdma_registry_lock
 * @posters:	  one reference for each rpcrdma_conn_enter() on @conn; killed while
 *		  @conn is closing or NULL. It is here and not in the connection, so
 *		  that a client that connects, which writeback can wait for, allocates no
 *		  per-CPU memory; an endpoint has one connection at a time. A server
 *		  allocates it for each connection, without waiting (endpoint.c)
 * @dir:	  directory in sysfs; private to the core
 * @credits_limit: most credits to ask for, or to grant
 * @error_cause:  why the last connection was closed, or could not be made
 * @error:	  errno that goes with it, 0 or negative
 * @error_at:	  when, seconds of ktime; 0 if never
 * @refused:	  reason of the last message that was refused
 * @refused_at:	  when, seconds of ktime; 0 if never
 */
struct rpcrdma_endpoint {
	const struct rpcrdma_endpoint_ops	*ops;
	bool					server;
	bool					probe;
	struct rpcrdma_stats			stats;
	struct rpcrdma_conn			*conn;
	struct percpu_ref			posters;
	struct rpcrdma_dir			*dir;
	u32					credits_limit;

	unsigned int				error_cause;
	int					error;
	time64_t				error_at;
	enum rpcrdma_reason			refused;
	time64_t				refused_at;
};

/* observation/endpoint.c */
int rpcrdma_endpoint_init(struct rpcrdma_endpoint *ep,
			  const struct rpcrdma_endpoint_ops *ops,
			  struct net *net, bool server);
void rpcrdma_endpoint_show(struct rpcrdma_endpoint *ep, bool at_once);
void rpcrdma_endpoint_destroy(struct rpcrdma_endpoint *ep);

#endif /* _RPCRDMA_ENDPOINT_H */
