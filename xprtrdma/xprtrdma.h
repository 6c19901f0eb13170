/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the client transport share. Prototypes are grouped by the
 * file that defines them.
 */
#ifndef _XPRTRDMA_H
#define _XPRTRDMA_H

#include <linux/completion.h>
#include <linux/sunrpc/clnt.h>
#include <linux/sunrpc/xprt.h>
#include <linux/workqueue.h>
#include <rpcrdma/conn.h>
#include <rpcrdma/credit.h>
#include <rpcrdma/msg.h>
#include <rpcrdma/send.h>
#include "mr.h"
#include "protocol/plan.h"

struct ctl_table;
struct xprtrdma_req;
struct xprtrdma_xprt;

/*
 * Time between two attempts to connect; doubles with each failure. A task whose
 * attempt has failed is kept back by sunrpc for three seconds: more would add to
 * that, and would be what a client waits for when its server is back.
 */
#define XPRTRDMA_RECONNECT_MIN	(HZ / 4)
#define XPRTRDMA_RECONNECT_MAX	(3UL * HZ)

/* Settings of the administrator; the order is that of the table in params.c */
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
	XPRTRDMA_T_COUNT,
};

/* Requests that stay when the connection is idle */
#define XPRTRDMA_REQS_MIN	4

/* What goes on with the memory of a request; see request.c */
enum xprtrdma_req_state {
	XPRTRDMA_REQ_SENDING	= BIT(0),	/* Send not completed */
	XPRTRDMA_REQ_FENCING	= BIT(1),	/* invalidation under way */
	XPRTRDMA_REQ_REPLIED	= BIT(2),	/* Reply waits for the above */
	XPRTRDMA_REQ_CANCELED	= BIT(3),	/* sunrpc waits for the above */
};

/**
 * struct xprtrdma_reply_info - an accepted Reply
 * @recv:     receive buffer that holds it
 * @type:     form of the message
 * @error:    errno that ends the RPC, or 0
 * @resend:   the Call is to be rebuilt and sent once more, see xprtrdma_req.repair
 * @offset:   where the inline payload begins, bytes
 * @written:  bytes in the Write chunk
 * @in_chunk: bytes in the Reply chunk
 */
struct xprtrdma_reply_info {
	struct rpcrdma_recv	*recv;
	enum rpcrdma_msg_type	type;
	int			error;
	bool			resend;
	u32			offset;
	u32			written;
	u32			in_chunk;
};

/**
 * struct xprtrdma_req - what the transport adds to an rpc_rqst
 * @rqst:	what sunrpc knows
 * @item:	in xprtrdma_xprt.free_reqs
 * @all:	in xprtrdma_xprt.all_reqs
 * @call_buf:	memory for rqst.rq_buffer, kept between RPCs
 * @reply_buf:	memory for rqst.rq_rbuffer, kept between RPCs
 * @head_bounce:	two pages for the head of a Reply chunk, or NULL
 * @bounce_first_page:	the second of them stands for the first page of the Reply as well
 * @tail_bounce:	page for its tail, or NULL
 * @call_size:	bytes at @call_buf
 * @reply_size: bytes at @reply_buf
 * @error:	the RPC has ended with this errno; under xprt->queue_lock
 * @retry:	how the next header is to be built, after an error of the server's
 * @resend:	the Call may go out once more on the same connection; likewise
 * @credit_wait:	the Call waits, or has waited, for a credit
 * @credit_wait_begun:	rpcrdma_latency_begin() of that
 * @sent:	connection that the Call was posted on, while it has no Reply
 * @lock:	@conn, @state, @mrs
 * @conn:	connection that has hold of the memory, or NULL
 * @state:	enum xprtrdma_req_state
 * @mrs:	MRs of this Call
 * @inv_slots:	send queue room kept for their invalidation
 * @pinned:	by the receive path; under xprt->queue_lock
 * @held:	pinned since it timed out while exposed; under xprt->queue_lock
 * @released:	signaled when a canceled request has its memory back
 * @reply:	the Reply, from its acceptance to its completion
 * @msg:	transport header of the Call
 * @segs:	memory for the segments of @msg, kept between RPCs
 * @max_segs:	number of segments at @segs
 */
struct xprtrdma_req {
	struct rpc_rqst		rqst;
	struct rpcrdma_pool_item	item;
	struct list_head	all;
	void			*call_buf;
	void			*reply_buf;
	void			*head_bounce;
	void			*tail_bounce;
	bool			bounce_first_page;
	size_t			call_size;
	size_t			reply_size;
	int			error;
	struct xprtrdma_retry	retry;
	bool			resend;
	bool			credit_wait;
	u64			credit_wait_begun;
	struct rpcrdma_conn	*sent;

	spinlock_t		lock;	/* see above */
	struct rpcrdma_conn	*conn;
	unsigned int		state;
	struct list_head	mrs;
	unsigned int		inv_slots;
	bool			pinned;
	bool			held;
	struct completion	released;
	struct xprtrdma_reply_info	reply;

	struct rpcrdma_msg	msg;
	struct rpcrdma_segment	*segs;
	unsigned int		max_segs;
};

/**
 * struct xprtrdma_reverse - the reverse direction of a transport
 * @lock:   everything below
 * @users:  sessions that have asked for it
 * @idle_timeout: of the transport, jiffies, to be restored when there is no user
 * @free:   idle requests
 * @count:  requests that exist
 * @active: requests that count in the congestion window; under
 *	    xprt->transport_lock instead
 * @all:    every request
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
 * struct xprtrdma_legacy_stats - numbers that only the in-tree statistics line has
 * @offered:	bytes offered in Write and Reply chunks
 * @hardway:	bytes by which buffers of requests had to grow
 * @marshal:	Calls that could not be put together
 * @bad_replies: Replies with a bad header
 * @mrs_lost:	MRs that went down with their connection while in use
 *
 * Each is changed in one serialized place only.
 */
struct xprtrdma_legacy_stats {
	u64			offered;
	atomic_long_t		hardway;
	unsigned long		marshal;
	unsigned long		bad_replies;
	unsigned long		mrs_lost;
};

/**
 * struct xprtrdma_xprt - a transport
 * @xprt:	 what sunrpc knows; first, because sunrpc frees it
 * @conn:	 its connection, or NULL; changes under XPRT_LOCKED
 * @live:	 same as @conn while its loss is news to sunrpc
 * @versions:	 protocol versions that this mount takes
 * @past:	 what is remembered of the server
 * @settled:	 the protocol version on @conn is known, or @conn is lost
 * @src:	 local address to use, if @has_src
 * @has_src:	 see @src
 * @credits:	 to ask for on the next connection
 * @granted:	 credits that the server has granted last, as it says; 0 before
 * @flow:	 credit window; under xprt->transport_lock
 * @exhausted:	 abandoned Calls have taken all credits of this connection; likewise
 * @bc_size:	 largest reverse message, bytes
 * @bc_slots:	 reverse Calls that we take at once
 * @ep:		 counters, and what is shown to people
 * @legacy:	 more counters
 * @connect_work: connects
 * @trimmer:	 frees idle MRs, Send contexts and requests
 * @exhausted_work: gives up a connection without a credit left for a Call
 * @tried:	 when the last attempt to connect was over, jiffies
 * @exposed:	 tasks that wait for a Reply while their request is exposed
 * @free_reqs:	 idle requests; under xprt->reserve_lock
 * @all_lock:	 @all_reqs
 * @all_reqs:	 every request
 * @mrs:	 memory regions of @conn
 * @send_pool:	 Send contexts of @conn
 * @reverse:	 reverse direction
 * @rx_msg:	 header being received
 * @rx_segs:	 its segments
 */
struct xprtrdma_xprt {
	struct rpc_xprt			xprt;
	struct rpcrdma_conn		*conn;
	struct rpcrdma_conn		*live;
	unsigned long			versions;
	struct rpcrdma_negotiate_past	past;
	struct completion		settled;
	struct sockaddr_storage		src;
	bool				has_src;
	u32				credits;
	u32				granted;
	struct rpcrdma_credits		flow;
	bool				exhausted;
	u32				bc_size;
	u32				bc_slots;
	struct rpcrdma_endpoint		ep;
	struct xprtrdma_legacy_stats	legacy;
	struct delayed_work		connect_work;
	struct rpcrdma_trimmer		trimmer;
	struct work_struct		exhausted_work;
	unsigned long			tried;
	struct rpc_wait_queue		exposed;

	struct list_head		free_reqs;
	spinlock_t			all_lock;	/* see above */
	struct list_head		all_reqs;
	struct xprtrdma_mr_pool		mr_pool;
	struct rpcrdma_send_pool	send_pool;
	struct xprtrdma_reverse		reverse;

	struct rpcrdma_msg		rx_msg;
	struct rpcrdma_segment		rx_segs[RPCRDMA_MAX_SEGS];
};

static inline struct xprtrdma_xprt *xprtrdma_from_xprt(struct rpc_xprt *xprt)
{
	return container_of(xprt, struct xprtrdma_xprt, xprt);
}

static inline struct xprtrdma_req *xprtrdma_from_rqst(struct rpc_rqst *rqst)
{
	return container_of(rqst, struct xprtrdma_req, rqst);
}

/* main.c */
extern struct workqueue_struct *xprtrdma_wq;

/* ops.c */
int xprtrdma_ops_register(void);
void xprtrdma_ops_unregister(void);

/* params.c */
unsigned int xprtrdma_tunable(enum xprtrdma_tunable_id id);
int xprtrdma_sysctl_register(void);
void xprtrdma_sysctl_unregister(void);
unsigned long xprtrdma_versions(void);

/* connect.c */
void xprtrdma_connect_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_connect(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_disconnect(struct xprtrdma_xprt *r_xprt);
void xprtrdma_close(struct rpc_xprt *xprt);
void xprtrdma_inject_disconnect(struct rpc_xprt *xprt);
void xprtrdma_set_connect_timeout(struct rpc_xprt *xprt,
				  unsigned long connect_timeout,
				  unsigned long reconnect_timeout);

/* version.c */
void xprtrdma_version_begin(struct xprtrdma_xprt *r_xprt);
int xprtrdma_version_agree(struct xprtrdma_xprt *r_xprt);
void xprtrdma_version_lost(struct xprtrdma_xprt *r_xprt);
void xprtrdma_version_end(struct xprtrdma_xprt *r_xprt);
enum rpcrdma_negotiate_verdict
xprtrdma_version_received(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);
enum rpcrdma_reason xprtrdma_version_connprop(struct xprtrdma_xprt *r_xprt,
					      struct rpcrdma_conn *conn);

/* credits.c */
void xprtrdma_credits_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_credits_destroy(struct xprtrdma_xprt *r_xprt);
void xprtrdma_credits_granted(struct xprtrdma_xprt *r_xprt,
			      const struct rpcrdma_conn *conn, u32 granted);
int xprtrdma_reserve_xprt(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_credits_wait_begin(struct rpc_rqst *rqst);
void xprtrdma_credits_wait_end(struct xprtrdma_xprt *r_xprt,
			       struct xprtrdma_req *req);
void xprtrdma_credits_limit_changed(struct xprtrdma_xprt *r_xprt);
u32 xprtrdma_credits_asked(const struct xprtrdma_xprt *r_xprt,
			   const struct rpcrdma_conn *conn);
void xprtrdma_credits_abandon(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req);
bool xprtrdma_credits_reclaim(struct xprtrdma_xprt *r_xprt,
			      const struct rpcrdma_conn *conn, __be32 xid,
			      u32 credits);
void xprtrdma_credits_add_reverse(struct xprtrdma_xprt *r_xprt,
				  struct rpc_rqst *rqst);
void xprtrdma_credits_sub_reverse(struct xprtrdma_xprt *r_xprt);
void xprtrdma_credits_reset(struct xprtrdma_xprt *r_xprt);

/* request.c */
void xprtrdma_req_pool_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_req_pool_disown(struct xprtrdma_xprt *r_xprt);
void xprtrdma_req_pool_trim(struct xprtrdma_xprt *r_xprt, unsigned int keep,
			    unsigned long before);
void xprtrdma_req_pool_destroy(struct xprtrdma_xprt *r_xprt);
void xprtrdma_alloc_slot(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_free_slot(struct rpc_xprt *xprt, struct rpc_rqst *rqst);
int xprtrdma_buf_alloc(struct rpc_task *task);
void xprtrdma_buf_free(struct rpc_task *task);
void xprtrdma_req_expose(struct xprtrdma_req *req, struct rpcrdma_conn *conn,
			 bool gathered, unsigned int nmrs);
void xprtrdma_req_sent(struct xprtrdma_req *req);
void xprtrdma_req_fenced(struct xprtrdma_req *req);
void xprtrdma_req_replied(struct xprtrdma_req *req);
void xprtrdma_req_unpin(struct xprtrdma_req *req);
bool xprtrdma_req_exposed(struct xprtrdma_req *req);
void xprtrdma_req_hold(struct xprtrdma_req *req);
void xprtrdma_req_unhold(struct xprtrdma_req *req);

/* marshal.c */
int xprtrdma_marshal(struct xprtrdma_xprt *r_xprt, struct xprtrdma_req *req,
		     struct rpcrdma_send *send);

/* edges.c */
bool xprtrdma_bounce_reply(struct xprtrdma_req *req,
			   const struct xprtrdma_layout *layout);
void xprtrdma_bounce_copy(struct xprtrdma_req *req, u32 len);
void xprtrdma_bounce_free(struct xprtrdma_req *req);

/* send.c */
void xprtrdma_send_pool_init(struct xprtrdma_xprt *r_xprt);
int xprtrdma_send_pool_create(struct xprtrdma_xprt *r_xprt);
int xprtrdma_send_reserve(struct xprtrdma_xprt *r_xprt,
			  struct rpcrdma_conn *conn, unsigned int n);
int xprtrdma_send_short(struct xprtrdma_xprt *r_xprt, struct rpcrdma_conn *conn,
			struct rpcrdma_send *send, u32 len);
int xprtrdma_send_request(struct rpc_rqst *rqst);
void xprtrdma_sendq_avail(struct rpcrdma_conn *conn);

/* errors.c */
void xprtrdma_send_error(struct xprtrdma_xprt *r_xprt,
			 struct rpcrdma_conn *conn, enum rpcrdma_reason reason);

/* reply.c */
void xprtrdma_received(struct rpcrdma_conn *conn, struct rpcrdma_recv *recv);

/* complete.c */
void xprtrdma_reply_complete(struct xprtrdma_req *req);
void xprtrdma_timer(struct rpc_xprt *xprt, struct rpc_task *task);
void xprtrdma_wait_for_reply(struct rpc_task *task);

/* reverse.c */
#if IS_ENABLED(CONFIG_SUNRPC_BACKCHANNEL)
void xprtrdma_reverse_init(struct xprtrdma_xprt *r_xprt);
void xprtrdma_reverse_disown(struct xprtrdma_xprt *r_xprt);
void xprtrdma_reverse_call(struct xprtrdma_xprt *r_xprt,
			   struct rpcrdma_conn *conn,
			   struct rpcrdma_recv *recv);
int xprtrdma_reverse_send(struct rpc_rqst *rqst);
void xprtrdma_reverse_release(struct rpc_rqst *rqst);
int xprtrdma_bc_setup(struct rpc_xprt *xprt, unsigned int min_reqs);
size_t xprtrdma_bc_maxpayload(struct rpc_xprt *xprt);
unsigned int xprtrdma_bc_num_slots(struct rpc_xprt *xprt);
void xprtrdma_bc_free_rqst(struct rpc_rqst *rqst);
void xprtrdma_bc_destroy(struct rpc_xprt *xprt, unsigned int max_reqs);
#else
static inline void xprtrdma_reverse_init(struct xprtrdma_xprt *r_xprt) { }
static inline void xprtrdma_reverse_disown(struct xprtrdma_xprt *r_xprt) { }
static inline void xprtrdma_reverse_call(struct xprtrdma_xprt *r_xprt,
					 struct rpcrdma_conn *conn,
					 struct rpcrdma_recv *recv)
{
	rpcrdma_conn_refuse(conn, RPCRDMA_R_NO_REVERSE, r_xprt->rx_msg.xid);
	rpcrdma_recv_repost(recv);
}

static inline int xprtrdma_reverse_send(struct rpc_rqst *rqst)
{
	return -EIO;
}

static inline void xprtrdma_reverse_release(struct rpc_rqst *rqst) { }

#define xprtrdma_bc_setup	NULL
#define xprtrdma_bc_maxpayload	NULL
#define xprtrdma_bc_num_slots	NULL
#define xprtrdma_bc_free_rqst	NULL
#define xprtrdma_bc_destroy	NULL
#endif

/* observation/endpoint.c */
extern const struct rpcrdma_endpoint_ops xprtrdma_endpoint_ops;

/* stats.c */
void xprtrdma_count_call(struct xprtrdma_xprt *r_xprt,
			 const struct rpc_rqst *rqst,
			 const struct xprtrdma_plan *plan);
void xprtrdma_print_stats(struct rpc_xprt *xprt, struct seq_file *seq);

#endif /* _XPRTRDMA_H */
