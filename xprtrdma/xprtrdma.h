/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The client transport: its structure, and what its files call in each other.
 * Requests are in request.h, memory regions in mr.h, the reverse direction in
 * reverse.h.
 */
#ifndef _XPRTRDMA_H
#define _XPRTRDMA_H

#include <linux/completion.h>
#include <linux/mutex.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/xprt.h>
#include <linux/workqueue.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/credit.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/send.h>
#include "mr.h"
#include "protocol/plan.h"
#include "request.h"

struct xprtrdma_xprt;

/*
 * Time between two attempts to connect; doubles with each failure. sunrpc
 * delays a task by three seconds when its attempt has failed. A longer time
 * than that would only delay the recovery when the server is back.
 */
#define XPRTRDMA_RECONNECT_MIN	(HZ / 4)
#define XPRTRDMA_RECONNECT_MAX	(3UL * HZ)

/* What the administrator can set, see params.c */
enum xprtrdma_tunable_id {
	XPRTRDMA_T_SLOTS,
	XPRTRDMA_T_INLINE_READ,
	XPRTRDMA_T_INLINE_WRITE,
	XPRTRDMA_T_MAX_PAYLOAD,
	XPRTRDMA_T_MR_PAGES,
	XPRTRDMA_T_COPY_MAX,
	XPRTRDMA_T_BC_SLOTS,
	XPRTRDMA_T_IDLE_TIMEOUT,
	XPRTRDMA_T_CONNECT_TIMEOUT,
	XPRTRDMA_T_RESOLVE_TIMEOUT,
	XPRTRDMA_T_NEGOTIATE_TIMEOUT,
	XPRTRDMA_T_PADDING,
	XPRTRDMA_T_MEMREG,
	XPRTRDMA_T_PAD_OPTIMIZE,
	XPRTRDMA_T_FAILOVER,
	XPRTRDMA_T_FAILOVER_MS,
	XPRTRDMA_T_COUNT,
};

/**
 * struct xprtrdma_reverse - the reverse direction of a transport
 * @lock:   everything except @active
 * @users:  sessions that want callbacks
 * @idle_timeout: idle timeout of the transport while it has no users, jiffies
 * @free:   idle requests
 * @all:    all requests
 * @count:  number of requests
 * @active: requests that are counted in the congestion window; under
 *	    xprt->transport_lock
 */
struct xprtrdma_reverse {
	spinlock_t		lock;	/* see above */
	unsigned int		users;
	unsigned long		idle_timeout;
	struct list_head	free;
	struct list_head	all;
	unsigned int		count;
	unsigned int		active;
};

/**
 * struct xprtrdma_legacy_stats - counters of the mountstats line
 * @offered:	bytes offered in Write and Reply chunks
 * @hardway:	bytes by which the buffers of requests have grown
 * @marshal:	Calls that could not be marshaled or sent
 * @bad_replies: Replies that were dropped or ended their RPC with an error
 * @mrs_lost:	MRs that were in use when their connection was lost
 *
 * Only for those columns that exist because the in-tree client has them (stats.c).
 * Each is changed in one serialized place only, except @hardway.
 */
struct xprtrdma_legacy_stats {
	u64			offered;
	atomic_long_t		hardway;
	unsigned long		marshal;
	unsigned long		bad_replies;
	unsigned long		mrs_lost;
};

/**
 * struct xprtrdma_first_call - a NULL Call of the transport, see first_call.c
 * @due:     a Call had been unanswered for long when a connection was lost
 * @xid:     of the NULL Call
 * @waiting: the Reply is awaited
 * @unanswered: NULL Calls without a Reply since the last one with a Reply
 */
struct xprtrdma_first_call {
	bool	due;
	__be32	xid;
	bool	waiting;
	unsigned int	unanswered;
};

/* Most paths that a transport tries, its own included: max_connect= allows no more addresses */
#define XPRTRDMA_PATHS		16

/**
 * struct xprtrdma_path - where to connect to; addresses are IPv4 or IPv6
 * @dst:	 address of the server
 * @src:	 local address to use, if @has_src
 * @has_src:	 see @src
 */
struct xprtrdma_path {
	struct sockaddr_in6	dst;
	struct sockaddr_in6	src;
	bool			has_src;
};

/**
 * struct xprtrdma_paths - the paths of a transport, see paths.c
 * @path:	 paths to try, the own one first; changes under XPRT_LOCKED
 * @n:		 their number; likewise
 * @all:	 their number with those that are tried if the server was not even asked
 *		 over any of the first @n; likewise
 * @member:	 the RPC client uses the transport; likewise
 * @trying:	 there were attempts since the last connection; likewise
 * @own_last:	 the own path has failed, so it is the last one to try; likewise
 * @used:	 path of the last attempt; likewise
 * @own_at:	 when the transport was last connected over its own path, or long ago,
 *		 jiffies; likewise
 * @away:	 1 if the transport is connected, or was last, over another path than its
 *		 own, and the own one was not seen to work since. The connect work sets it,
 *		 the probe clears it with xchg(), which needs more than a byte
 * @other_checked_at: time of the last xprtrdma_paths_check_other(), jiffies
 * @has_other:	 it has found another path; written by RPC tasks under
 *		 xprtrdma_xprt.teardown_lock, read by the keepalive
 * @probe:	 tries the own path
 * @probe_delay: time to the next probe, jiffies
 */
struct xprtrdma_paths {
	struct xprtrdma_path		path[XPRTRDMA_PATHS];
	unsigned int			n;
	unsigned int			all;
	bool				member;
	bool				trying;
	bool				own_last;
	const struct xprtrdma_path	*used;
	unsigned long			own_at;
	u32				away;
	unsigned long			other_checked_at;
	bool				has_other;
	struct delayed_work		probe;
	unsigned long			probe_delay;
};

/**
 * struct xprtrdma_xprt - a transport
 * @xprt:	 the transport as sunrpc knows it; first, because sunrpc frees it
 * @conn:	 its connection, or NULL; changes under XPRT_LOCKED
 * @live:	 @conn from xprtrdma_connected() until its teardown: only then does
 *		 its loss make sunrpc call ops->close (connect.c); otherwise NULL;
 *		 under @teardown_lock
 * @teardown_lock: mutex: one teardown of @conn at a time; its holder does not wait for
 *		 XPRT_LOCKED
 * @new_mount:	 the connect work runs for the first Call of a mount: an error that stays
 *		 may end it; changes under XPRT_LOCKED
 * @payload_open: NFS does not know the largest payload yet, so a device may make it smaller;
 *		 changes under XPRT_LOCKED
 * @versions:	 protocol versions that this mount takes
 * @past:	 what was learned about the server, for the next negotiation
 * @settled:	 completed when the protocol version is known, @first_call is answered,
 *		 or @conn is lost; the connect work waits for it
 * @first_call:	 what to send before all other Calls
 * @src:	 local address to use, if @has_src
 * @has_src:	 see @src
 * @paths:	 over which addresses it connects
 * @credits_wanted: number of credits to ask for on the next connection
 * @granted:	 latest grant as the server sent it, 0 before the first
 * @credits:	 credit window; under xprt->transport_lock
 * @own_xids:	 number of messages with xprtrdma_own_xid(), wrapping
 * @ping_xid:	 XID of the latest ping; under xprt->transport_lock
 * @ping_waits:	 the ping has no Reply yet; set likewise
 * @reverse_size: largest reverse message, bytes
 * @reverse_slots: number of concurrent reverse Calls
 * @ep:		 counters, sysfs and debugfs of this transport
 * @legacy:	 more counters
 * @connect_work: connects
 * @lost_work:	 takes @live down when it is lost
 * @trimmer:	 frees idle MRs, Send contexts and requests
 * @tried:	 end of the last attempt to connect, jiffies
 * @dropped_closes: times that a connection was closed for a Call that counted as
 *		 dropped, since a late Reply has come; under xprt->queue_lock
 * @drops:	 received messages that were dropped or refused, wrapping; see
 *		 xprtrdma_count_drop()
 * @exposed_waitq: tasks that wait for a Reply while their request is exposed
 * @pin_work:	 looks for tasks that wait for xprtrdma_req.sent_pinned
 * @free_reqs:	 idle requests; under xprt->reserve_lock
 * @all_lock:	 @all_reqs
 * @all_reqs:	 all requests
 * @mr_pool:	 MRs of @conn
 * @send_pool:	 Send contexts of @conn
 * @send_work:	 allocates Send contexts
 * @reverse:	 reverse direction
 * @inexact_logged: the server was named in the log for its chunk lists
 * @rx_msg:	 header of the message that is being received
 * @rx_segs:	 segments of @rx_msg
 */
struct xprtrdma_xprt {
	struct rpc_xprt			xprt;
	struct rpcrdma_conn		*conn;
	struct rpcrdma_conn		*live;
	struct mutex			teardown_lock;	/* see above */
	bool				new_mount;
	bool				payload_open;
	unsigned long			versions;
	struct rpcrdma_negotiate_past	past;
	struct completion		settled;
	struct xprtrdma_first_call	first_call;
	struct sockaddr_storage		src;
	bool				has_src;
	struct xprtrdma_paths		paths;
	u32				credits_wanted;
	u32				granted;
	struct rpcrdma_credits		credits;
	bool				ping_waits;
	atomic_t			own_xids;
	__be32				ping_xid;
	u32				reverse_size;
	u32				reverse_slots;
	struct rpcrdma_endpoint		ep;
	struct xprtrdma_legacy_stats	legacy;
	struct delayed_work		connect_work;
	struct work_struct		lost_work;
	struct rpcrdma_trimmer		trimmer;
	unsigned long			tried;
	unsigned int			dropped_closes;
	unsigned int			drops;
	struct rpc_wait_queue		exposed_waitq;
	struct delayed_work		pin_work;

	struct list_head		free_reqs;
	spinlock_t			all_lock;	/* see above */
	struct list_head		all_reqs;
	struct xprtrdma_mr_pool		mr_pool;
	struct rpcrdma_send_pool	send_pool;
	struct work_struct		send_work;
	struct xprtrdma_reverse		reverse;

	bool				inexact_logged;
	struct rpcrdma_msg		rx_msg;
	struct rpcrdma_segment		rx_segs[RPCRDMA_MAX_SEGS];
};

/*
 * For what a task allocates while it holds XPRT_LOCKED. After a failure sunrpc releases
 * the lock, and tries again later; a swap file may use the reserves.
 */
#define XPRTRDMA_GFP_NOWAIT	(GFP_NOWAIT | __GFP_NOWARN)

static inline struct xprtrdma_xprt *xprtrdma_from_xprt(struct rpc_xprt *xprt)
{
	return container_of(xprt, struct xprtrdma_xprt, xprt);
}

/* main.c */
extern struct workqueue_struct *xprtrdma_wq;
extern struct workqueue_struct *xprtrdma_connect_wq;
extern struct workqueue_struct *xprtrdma_lost_wq;
extern struct workqueue_struct *xprtrdma_probe_wq;

/**
 * xprtrdma_force_disconnect - close the connection and reconnect
 * @r_xprt: transport
 *
 * As xprt_force_disconnect(), but the teardown begins without XPRT_LOCKED.
 *
 * Context: process context, does not sleep; does not hold xprt->transport_lock.
 */
static inline void xprtrdma_force_disconnect(struct xprtrdma_xprt *r_xprt)
{
	xprt_force_disconnect(&r_xprt->xprt);
	queue_work(xprtrdma_lost_wq, &r_xprt->lost_work);
}

/**
 * xprtrdma_write_space - sunrpc may go on: what a Call waited for is there
 * @r_xprt: transport; the caller does not hold XPRT_LOCKED
 *
 * If no task waits any more, sunrpc takes and drops XPRT_LOCKED without a wake-up, and
 * xprt_destroy() may have found it locked.
 *
 * Context: any, with interrupts enabled.
 */
static inline void xprtrdma_write_space(struct xprtrdma_xprt *r_xprt)
{
	if (xprt_write_space(&r_xprt->xprt))
		wake_up_bit(&r_xprt->xprt.state, XPRT_LOCKED);
}

/* ops.c */
int xprtrdma_ops_register(void);
void xprtrdma_ops_unregister(void);

/* params.c */
extern struct rpcrdma_traffic xprtrdma_traffic;
unsigned int xprtrdma_tunable(enum xprtrdma_tunable_id id);
int xprtrdma_sysctl_register(void);
void xprtrdma_sysctl_unregister(void);
unsigned long xprtrdma_versions(void);

/* ping.c */
int xprtrdma_ping(struct rpcrdma_conn *conn, void *buf, size_t size);

/**
 * xprtrdma_ping_answered - is a Reply the one to a ping?
 * @r_xprt: transport
 * @xid: of the Reply
 *
 * Context: receive path.
 * Return: true if so; once for each ping.
 */
static inline bool xprtrdma_ping_answered(struct xprtrdma_xprt *r_xprt,
					  __be32 xid)
{
	if (likely(!READ_ONCE(r_xprt->ping_waits)) ||
	    READ_ONCE(r_xprt->ping_xid) != xid)
		return false;
	WRITE_ONCE(r_xprt->ping_waits, false);
	return true;
}

/* attempt.c */

/* Least time to connect that sunrpc may ask for */
#define XPRTRDMA_CONNECT_MIN	(5UL * HZ)

/* Credits to ask for when memory is short */
#define XPRTRDMA_CREDITS_MIN	4

int xprtrdma_attempt(struct xprtrdma_xprt *r_xprt);

/* connect.c */
void xprtrdma_connect_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_connect(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_lost(struct rpcrdma_conn *conn);
void xprtrdma_disconnect(struct xprtrdma_xprt *r_xprt);
void xprtrdma_close(struct rpc_xprt *xprt);
void xprtrdma_inject_disconnect(struct rpc_xprt *xprt);
void xprtrdma_set_connect_timeout(struct rpc_xprt *xprt,
				  unsigned long connect_timeout,
				  unsigned long reconnect_timeout);

/* paths.c */
void xprtrdma_paths_collect(struct xprtrdma_xprt *r_xprt,
			    struct rpc_clnt *clnt);
const struct xprtrdma_path *xprtrdma_paths_nth(struct xprtrdma_xprt *r_xprt,
					       unsigned int n);
void xprtrdma_paths_connected(struct xprtrdma_xprt *r_xprt);
void xprtrdma_paths_check_other(struct xprtrdma_xprt *r_xprt, struct rpc_clnt *clnt);
unsigned int xprtrdma_paths_keepalive_ms(struct rpcrdma_conn *conn);

/* path_probe.c */
void xprtrdma_path_probe_begin(struct xprtrdma_xprt *r_xprt);
void xprtrdma_path_probe_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_path_probe_stop(struct xprtrdma_xprt *r_xprt);

/* credits.c */
void xprtrdma_credits_granted(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn, u32 granted);
int xprtrdma_reserve_xprt(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_credits_wait_begin(struct rpc_rqst *rqst);
void xprtrdma_credits_wait_end(struct xprtrdma_xprt *r_xprt,
			       struct xprtrdma_req *req);
void xprtrdma_credits_limit_changed(struct xprtrdma_xprt *r_xprt,
				    struct rpcrdma_conn *conn);
u32 xprtrdma_credits_asked(const struct xprtrdma_xprt *r_xprt,
			   const struct rpcrdma_conn *conn);
int xprtrdma_credits_ping(struct xprtrdma_xprt *r_xprt, __be32 xid);
void xprtrdma_credits_abandon(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req);
bool xprtrdma_credits_reclaim(struct xprtrdma_xprt *r_xprt,
			      struct rpcrdma_conn *conn, __be32 xid,
			      u32 credits);
void xprtrdma_credits_wake(struct xprtrdma_xprt *r_xprt);
void xprtrdma_credits_add_reverse(struct xprtrdma_xprt *r_xprt,
				  struct rpc_rqst *rqst);
void xprtrdma_credits_sub_reverse(struct xprtrdma_xprt *r_xprt);
void xprtrdma_credits_reset(struct xprtrdma_xprt *r_xprt);

/* chunks.c */
int xprtrdma_build_lists(struct xprtrdma_xprt *r_xprt, struct xprtrdma_req *req,
			 const struct xprtrdma_plan *plan);

/* marshal.c */
int xprtrdma_marshal(struct xprtrdma_xprt *r_xprt, struct xprtrdma_req *req,
		     struct rpcrdma_send *send, struct xprtrdma_plan *plan);

/* send.c */
void xprtrdma_send_pool_init(struct xprtrdma_xprt *r_xprt);
int xprtrdma_send_pool_create(struct xprtrdma_xprt *r_xprt, gfp_t gfp);
void xprtrdma_send_pool_destroy(struct xprtrdma_xprt *r_xprt);
struct rpcrdma_send *xprtrdma_send_get(struct xprtrdma_xprt *r_xprt);
int xprtrdma_send_reserve(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, unsigned int n);
int xprtrdma_send_short(struct xprtrdma_xprt *r_xprt, struct rpcrdma_conn *conn,
			struct rpcrdma_send *send, u32 len);
__be32 xprtrdma_own_xid(struct xprtrdma_xprt *r_xprt);
void xprtrdma_sendq_avail(struct rpcrdma_conn *conn);

/* first_call.c */
int xprtrdma_first_call(struct xprtrdma_xprt *r_xprt);
bool xprtrdma_first_call_replied(struct xprtrdma_xprt *r_xprt,
				 struct rpcrdma_conn *conn);

/* call.c */
int xprtrdma_send_request(struct rpc_rqst *rqst);

/* errors.c */
void xprtrdma_send_error(struct xprtrdma_xprt *r_xprt,
			 struct rpcrdma_conn *conn, enum rpcrdma_reason reason);

/* reply.c */
void xprtrdma_count_drop(struct xprtrdma_xprt *r_xprt);
void xprtrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);

#if IS_ENABLED(CONFIG_SUNRPC_BACKCHANNEL)
/* reverse.c */
void xprtrdma_reverse_call(struct xprtrdma_xprt *r_xprt,
			   struct rpcrdma_conn *conn,
			   struct rpcrdma_recv *recv);
int xprtrdma_reverse_send(struct rpc_rqst *rqst);

/* reverse_pool.c */
void xprtrdma_reverse_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_reverse_reset(struct xprtrdma_xprt *r_xprt);
void xprtrdma_reverse_release(struct rpc_rqst *rqst);
int xprtrdma_bc_setup(struct rpc_xprt *xprt, unsigned int min_reqs);
size_t xprtrdma_bc_maxpayload(struct rpc_xprt *xprt);
unsigned int xprtrdma_bc_num_slots(struct rpc_xprt *xprt);
void xprtrdma_bc_free_rqst(struct rpc_rqst *rqst);
void xprtrdma_bc_destroy(struct rpc_xprt *xprt, unsigned int max_reqs);
#else
static inline void xprtrdma_reverse_init(struct xprtrdma_xprt *r_xprt) { }
static inline void xprtrdma_reverse_reset(struct xprtrdma_xprt *r_xprt) { }
static inline void xprtrdma_reverse_release(struct rpc_rqst *rqst) { }
static inline void xprtrdma_reverse_call(struct xprtrdma_xprt *r_xprt,
					 struct rpcrdma_conn *conn,
					 struct rpcrdma_recv *recv)
{
	rpcrdma_report_reason(conn, RPCRDMA_R_NO_REVERSE, r_xprt->rx_msg.xid);
	rpcrdma_recv_repost(recv);
}

static inline int xprtrdma_reverse_send(struct rpc_rqst *rqst)
{
	return -EIO;
}

#define xprtrdma_bc_setup	NULL
#define xprtrdma_bc_maxpayload	NULL
#define xprtrdma_bc_num_slots	NULL
#define xprtrdma_bc_free_rqst	NULL
#define xprtrdma_bc_destroy	NULL
#endif

/* sysfs.c */
extern const struct rpcrdma_endpoint_ops xprtrdma_endpoint_ops;

/* stats.c */
void xprtrdma_count_call(struct xprtrdma_xprt *r_xprt,
			 const struct rpc_rqst *rqst,
			 const struct xprtrdma_plan *plan);
void xprtrdma_print_stats(struct rpc_xprt *xprt, struct seq_file *seq);

/* v2/negotiate.c */
void xprtrdma_negotiate_begin(struct xprtrdma_xprt *r_xprt);
int xprtrdma_negotiate_wait(struct xprtrdma_xprt *r_xprt);
void xprtrdma_negotiate_lost(struct xprtrdma_xprt *r_xprt);
void xprtrdma_negotiate_end(struct xprtrdma_xprt *r_xprt);
enum rpcrdma_negotiate_verdict
xprtrdma_negotiate_received(struct xprtrdma_xprt *r_xprt,
			    struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);
enum rpcrdma_reason xprtrdma_negotiate_connprop(struct xprtrdma_xprt *r_xprt,
						struct rpcrdma_conn *conn);
bool xprtrdma_negotiate_outdated(struct rpcrdma_conn *conn,
				 const struct rpcrdma_msg *err);

#endif /* _XPRTRDMA_H */
