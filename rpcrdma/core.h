/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the core share with each other but with no other module.
 * Grouped by the file that defines it.
 */
#ifndef _RPCRDMA_CORE_H
#define _RPCRDMA_CORE_H

#include <rpcrdma/conn.h>

/* What rpcrdma_conn.made says has happened or must not be done twice */
enum {
	RPCRDMA_MADE_OFFERED,		/* connect or accept was called */
	RPCRDMA_MADE_DRAINED,
	RPCRDMA_MADE_UNSAID,		/* closed without a word to the peer */
	RPCRDMA_MADE_ORPHAN,		/* the device is being removed */
};

/* conn.c */
extern struct workqueue_struct *rpcrdma_wq;
struct rpcrdma_conn *rpcrdma_conn_alloc(const struct rpcrdma_conn_ops *ops,
					void *owner,
					struct rpcrdma_end *end);
bool rpcrdma_conn_move(struct rpcrdma_conn *conn, enum rpcrdma_state to);
void rpcrdma_conn_offer(struct rpcrdma_conn *conn);
int rpcrdma_conn_wait(struct rpcrdma_conn *conn, enum rpcrdma_state from,
		      unsigned long timeout);
void rpcrdma_conn_posters_gone(struct percpu_ref *ref);
int rpcrdma_conn_init(void);
void rpcrdma_conn_exit(void);

/* farewell.c */
bool rpcrdma_farewell_muted(const struct rpcrdma_conn *conn);
void rpcrdma_farewell(struct rpcrdma_conn *conn);
void rpcrdma_farewell_stop(void);

/* end.c */
extern struct mutex rpcrdma_view_lock;
void rpcrdma_end_failed(struct rpcrdma_end *end, enum rpcrdma_close_cause cause,
			int error);
int rpcrdma_end_start(void);
void rpcrdma_end_stop(void);

/* log.c */
void rpcrdma_log_established(const struct rpcrdma_conn *conn);
void rpcrdma_log_unwatched(const struct rpcrdma_conn *conn);
void rpcrdma_log_close(const struct rpcrdma_conn *conn, bool muted);
void rpcrdma_log_init(void);

/* view.c */
void rpcrdma_view_add(struct rpcrdma_conn *conn);
void rpcrdma_view_del(struct rpcrdma_conn *conn);
void rpcrdma_view_init(void);
void rpcrdma_view_exit(void);

/* sendq.c */
int rpcrdma_sendq_post_locked(struct rpcrdma_conn *conn,
			      struct rpcrdma_flight *flight,
			      struct ib_send_wr *first, bool signaled,
			      struct rpcrdma_conn **sent);

/* tcp.c */
bool rpcrdma_tcp_beneath(const struct rpcrdma_conn *conn);
struct sock *rpcrdma_tcp_find(const struct rpcrdma_conn *conn);
u32 rpcrdma_tcp_heard(const struct sock *sk);
void rpcrdma_tcp_put(struct sock *sk);

/* probe.c */
void rpcrdma_probe_init(struct rpcrdma_conn *conn);
void rpcrdma_probe_start(struct rpcrdma_conn *conn, bool may_read);
void rpcrdma_probe_stop(struct rpcrdma_conn *conn);

#endif /* _RPCRDMA_CORE_H */
