/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to the core: what its files share. A prototype stands under the file that
 * defines the function.
 */
#ifndef _RPCRDMA_CORE_H
#define _RPCRDMA_CORE_H

#include "connection/conn_core.h"

struct kobject;
struct seq_file;

/* connection/conn_state.c */
bool rpcrdma_conn_move(struct rpcrdma_conn *conn, enum rpcrdma_state to);
int rpcrdma_conn_wait(struct rpcrdma_conn *conn, enum rpcrdma_state from,
		      unsigned long timeout);
void rpcrdma_endpoint_note_close(struct rpcrdma_endpoint *ep,
				 enum rpcrdma_close_cause cause, int error);
void rpcrdma_conn_close_work(struct work_struct *work);

/* connection/conn.c */
extern struct workqueue_struct *rpcrdma_wq, *rpcrdma_close_wq;
struct rpcrdma_conn *rpcrdma_conn_alloc(const struct rpcrdma_conn_ops *ops,
					void *owner,
					struct rpcrdma_endpoint *ep,
					const struct sockaddr *peer);
void rpcrdma_conn_posters_gone(struct percpu_ref *ref);
int rpcrdma_conn_init(void);
void rpcrdma_conn_exit(void);

/* connection/completion.c */
int rpcrdma_cq_create(struct rpcrdma_conn *conn);
void rpcrdma_cq_poll_once(struct rpcrdma_conn *conn);
void rpcrdma_cq_drain(struct rpcrdma_conn *conn);
bool rpcrdma_cq_is_behind(struct rpcrdma_conn *conn);
void rpcrdma_cq_stop(struct rpcrdma_conn *conn);
void rpcrdma_cq_destroy(struct rpcrdma_conn *conn);
int rpcrdma_cq_init(void);
void rpcrdma_cq_exit(void);

/* connection/traffic.c */
void rpcrdma_traffic_chosen(const struct rpcrdma_conn *conn, u8 *chosen);
void rpcrdma_traffic_route(struct rpcrdma_conn *conn);
void rpcrdma_traffic_offer(struct rpcrdma_conn *conn,
			   struct rdma_conn_param *param);
void rpcrdma_traffic_established(struct rpcrdma_conn *conn);
int rpcrdma_traffic_in_force(const struct rpcrdma_conn *conn,
			     enum rpcrdma_traffic_value which);

/* connection/deferred_destroy.c */
void rpcrdma_deferred_destroy(struct rpcrdma_conn *conn);
void rpcrdma_deferred_stop(void);

/* observation/closes.c */
void rpcrdma_closes_count(bool server, enum rpcrdma_close_cause cause);
int rpcrdma_closes_init(struct kobject *parent);

/* observation/endpoint.c */
int rpcrdma_endpoints_start(void);
void rpcrdma_endpoints_stop(void);

/* observation/log.c */
void rpcrdma_log_established(const struct rpcrdma_conn *conn);
void rpcrdma_log_close(const struct rpcrdma_conn *conn, bool port_down);
void rpcrdma_log_init(void);

/* observation/registry.c */
extern spinlock_t rpcrdma_registry_lock;
void rpcrdma_registry_add(struct rpcrdma_conn *conn);
void rpcrdma_registry_del(struct rpcrdma_conn *conn);
void *rpcrdma_registry_start(loff_t pos);
void *rpcrdma_registry_next(void *node, loff_t *pos);
const struct rpcrdma_conn *rpcrdma_registry_conn(void *node);
void rpcrdma_registry_close_gpu(void);

/* observation/debugfs.c */
void rpcrdma_debugfs_init(void);
void rpcrdma_debugfs_exit(void);

/* connection/recv.c */
void rpcrdma_recv_init(struct rpcrdma_conn *conn);
void rpcrdma_recv_destroy(struct rpcrdma_conn *conn);

/* quirks/rxe_port_down.c */
bool rpcrdma_rxe_port_is_down(const struct rpcrdma_conn *conn);

/* quirks/siw_signaled.c */
bool rpcrdma_siw_needs_signaled(const struct rpcrdma_conn *conn);

/* connection/keepalive.c */
void rpcrdma_keepalive_init(struct rpcrdma_conn *conn);
int rpcrdma_keepalive_setup(struct rpcrdma_conn *conn);
void rpcrdma_keepalive_start(struct rpcrdma_conn *conn);
void rpcrdma_keepalive_stop(struct rpcrdma_conn *conn);
void rpcrdma_keepalive_free(struct rpcrdma_conn *conn);

/* connection/mapping.c */
void rpcrdma_mappings_check(void);

/* connection/send.c */
unsigned int rpcrdma_sends_complete(struct rpcrdma_conn *conn,
				    struct list_head *sends, u32 number);

/* connection/unsignaled.c */
void rpcrdma_unsignaled_take(struct rpcrdma_conn *conn, struct list_head *covers);

/* gpu.c */
void rpcrdma_gpu_exit(void);
int rpcrdma_gpu_show(struct seq_file *seq, void *v);

#endif /* _RPCRDMA_CORE_H */
