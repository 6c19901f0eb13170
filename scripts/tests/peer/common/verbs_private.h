/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to common/verbs.c and common/connect.c. */
#ifndef PEER_VERBS_PRIVATE_H
#define PEER_VERBS_PRIVATE_H

#include "common/verbs.h"

/*
 * struct verbs_buffers - buffers of a connection
 * @recv_memory:  options.recvs buffers of options.recv_size bytes
 * @recv_free:	  slots that are neither posted nor held by the caller
 * @arrived:	  ring of messages that the caller has not taken
 * @send_memory:  options.sends buffers of options.send_size bytes
 * @send_free:	  slots without an outstanding Send
 * @sync_done:	  the work request of verbs_post_wait() has completed
 * @sync_status: its status
 */
struct verbs_buffers {
	uint8_t			*recv_memory;
	struct ibv_mr		*recv_mr;
	unsigned int		*recv_free;
	unsigned int		nrecv_free;
	struct verbs_message	*arrived;
	unsigned int		arrived_head;
	unsigned int		arrived_tail;
	uint8_t			*send_memory;
	struct ibv_mr		*send_mr;
	unsigned int		*send_free;
	unsigned int		nsend_free;
	bool			sync_done;
	enum ibv_wc_status	sync_status;
};

void verbs_cm_event(struct verbs_conn *conn, const struct rdma_cm_event *event);

#endif /* PEER_VERBS_PRIVATE_H */
