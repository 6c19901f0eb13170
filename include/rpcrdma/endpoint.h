/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One end of NFS over RDMA on this machine, as an administrator sees it: what the
 * connections of a client's transport have in common, or the one of a server's.
 * It has the counters, remembers the last error, and may have a directory in
 * /sys/kernel/rpcrdma/connections (Documentation/ABI/testing/sysfs-kernel-rpcrdma).
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

/* "No limit": more than any setting allows */
#define RPCRDMA_CREDITS_LIMIT_MAX	16384

/* Numbers that can be looked at. The core knows some, the side the others */
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
	RPCRDMA_N_SIDE,			/* from here on ops->number() is asked */
	RPCRDMA_N_XPRT = RPCRDMA_N_SIDE,
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
 * struct rpcrdma_endpoint_ops - what a side tells of its end
 * @number: the value of a number from RPCRDMA_N_SIDE on. @conn is the connection,
 *	    or NULL. May not sleep for memory
 * @set:    change a number, or see that one has changed; 0, -EINVAL if it is out
 *	    of range, or -EOPNOTSUPP. May not sleep for memory
 * @peer:   address of the other end
 */
struct rpcrdma_endpoint_ops {
	u64 (*number)(struct rpcrdma_endpoint *ep, struct rpcrdma_conn *conn,
		      enum rpcrdma_number which);
	int (*set)(struct rpcrdma_endpoint *ep, struct rpcrdma_conn *conn,
		   enum rpcrdma_number which, u32 value);
	const struct sockaddr *(*peer)(struct rpcrdma_endpoint *ep);
};

/**
 * struct rpcrdma_endpoint - one end, embedded in the transport of a side
 * @ops:	  callbacks of the side
 * @server:	  which side
 * @stats:	  counters
 * @conn:	  connection, or NULL; for people. Under rpcrdma_registry_lock
 * @posters:	  whoever posts on @conn now; dead while there is none
 * @dir:	  directory in sysfs; private to the core
 * @credits_limit: credits to ask for, or to grant, at most
 * @error_cause:  why the last connection was closed, or none was made
 * @error:	  errno that goes with it, 0 or negative
 * @error_at:	  when, seconds of ktime; 0 if it never was
 * @refused:	  why a message was refused last
 * @refused_at:	  when; 0 if none was
 */
struct rpcrdma_endpoint {
	const struct rpcrdma_endpoint_ops	*ops;
	bool				server;
	struct rpcrdma_stats		stats;
	struct rpcrdma_conn		*conn;
	struct percpu_ref		posters;
	struct rpcrdma_dir		*dir;
	u32				credits_limit;

	unsigned int			error_cause;
	int				error;
	time64_t			error_at;
	enum rpcrdma_reason		refused;
	time64_t			refused_at;
};

/* observation/endpoint.c */
int rpcrdma_endpoint_init(struct rpcrdma_endpoint *ep,
			  const struct rpcrdma_endpoint_ops *ops,
			  struct net *net, bool server);
void rpcrdma_endpoint_show(struct rpcrdma_endpoint *ep, bool at_once);
void rpcrdma_endpoint_destroy(struct rpcrdma_endpoint *ep);

#endif /* _RPCRDMA_ENDPOINT_H */
