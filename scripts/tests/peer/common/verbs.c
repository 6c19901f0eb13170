// SPDX-License-Identifier: GPL-2.0-only
/* Messages and RDMA operations: posting, completions, waiting. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "common/verbs_private.h"

/* A work request ID: the kind in the upper half, the slot in the lower half */
enum verbs_kind {
	VERBS_RECV,
	VERBS_SEND,
	VERBS_SYNC,
};

#define VERBS_WR_ID(kind, slot)	((uint64_t)(kind) << 32 | (slot))

int64_t verbs_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

int verbs_cm_fd(const struct verbs_conn *conn)
{
	return conn->events->fd;
}

int verbs_comp_fd(const struct verbs_conn *conn)
{
	return conn->comp->fd;
}

static void verbs_set_lost(struct verbs_conn *conn)
{
	conn->lost = true;
}

/*
 * The kernel's rxe passes its own flag (1 << 2) to user space. There the same
 * bit means IP_CSUM_OK, which no reliable connection uses.
 */
static bool verbs_invalidated(const struct ibv_wc *wc)
{
	return wc->wc_flags & (IBV_WC_WITH_INV | IBV_WC_IP_CSUM_OK);
}

static void verbs_recv_completion(struct verbs_conn *conn,
				  const struct ibv_wc *wc, unsigned int slot)
{
	struct verbs_buffers *b = conn->buffers;
	struct verbs_message *message;

	conn->posted--;
	if (wc->status != IBV_WC_SUCCESS) {
		b->recv_free[b->nrecv_free++] = slot;
		return;
	}
	conn->received++;
	message = &b->arrived[b->arrived_tail++ % conn->options.recvs];
	*message = (struct verbs_message) {
		.data	= b->recv_memory + (size_t)slot * conn->options.recv_size,
		.len	= wc->byte_len,
		.inv	= verbs_invalidated(wc),
		.slot	= slot,
		.at	= verbs_now(),
	};
	if (message->inv)
		message->inv_rkey = wc->invalidated_rkey;
}

static void verbs_completion(struct verbs_conn *conn, const struct ibv_wc *wc)
{
	struct verbs_buffers *b = conn->buffers;
	unsigned int slot = (uint32_t)wc->wr_id;

	if (wc->status != IBV_WC_SUCCESS) {
		if (conn->status == IBV_WC_SUCCESS)
			conn->status = wc->status;
		verbs_set_lost(conn);
	}
	switch ((enum verbs_kind)(wc->wr_id >> 32)) {
	case VERBS_RECV:
		verbs_recv_completion(conn, wc, slot);
		break;
	case VERBS_SEND:
		b->send_free[b->nsend_free++] = slot;
		break;
	case VERBS_SYNC:
		b->sync_done = true;
		b->sync_status = wc->status;
		break;
	}
}

static void verbs_completions(struct verbs_conn *conn)
{
	struct ibv_cq *cq;
	struct ibv_wc wc;
	void *context;

	while (!ibv_get_cq_event(conn->comp, &cq, &context))
		ibv_ack_cq_events(cq, 1);
	do {
		while (ibv_poll_cq(conn->cq, 1, &wc) > 0)
			verbs_completion(conn, &wc);
		ibv_req_notify_cq(conn->cq, 0);
		/* A completion before the re-arm raises no event */
	} while (ibv_poll_cq(conn->cq, 1, &wc) > 0 &&
		 (verbs_completion(conn, &wc), true));
}

void verbs_cm_event(struct verbs_conn *conn, const struct rdma_cm_event *event)
{
	size_t len = event->param.conn.private_data_len;

	switch (event->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		conn->established = true;
		conn->remote_reads = event->param.conn.responder_resources;
		if (len > VERBS_PRIVATE_MAX)
			len = VERBS_PRIVATE_MAX;
		if (!conn->private_len && event->param.conn.private_data) {
			memcpy(conn->private, event->param.conn.private_data, len);
			conn->private_len = len;
		}
		break;
	case RDMA_CM_EVENT_REJECTED:
		conn->refused = true;
		verbs_set_lost(conn);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		conn->disconnected = true;
		verbs_set_lost(conn);
		break;
	case RDMA_CM_EVENT_ADDR_RESOLVED:
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		break;
	default:
		verbs_set_lost(conn);
		break;
	}
}

static void verbs_cm_events(struct verbs_conn *conn)
{
	struct rdma_cm_event *event;

	while (!rdma_get_cm_event(conn->events, &event)) {
		verbs_cm_event(conn, event);
		rdma_ack_cm_event(event);
	}
}

void verbs_poll(struct verbs_conn *conn)
{
	verbs_cm_events(conn);
	verbs_completions(conn);
}

/* Wait for an event. Return: false if @deadline has passed */
static bool verbs_wait(struct verbs_conn *conn, int64_t deadline)
{
	struct pollfd fds[] = {
		{ .fd = conn->events->fd, .events = POLLIN },
		{ .fd = conn->comp->fd, .events = POLLIN },
	};
	int64_t left = deadline - verbs_now();

	if (left <= 0)
		return false;
	poll(fds, 2, left);
	verbs_poll(conn);
	return true;
}

static int verbs_wait_for(struct verbs_conn *conn, const bool *what, int timeout)
{
	int64_t deadline = verbs_now() + timeout;

	verbs_poll(conn);
	while (!*what)
		if (!verbs_wait(conn, deadline))
			return -ETIMEDOUT;
	return 0;
}

int verbs_wait_lost(struct verbs_conn *conn, int timeout)
{
	return verbs_wait_for(conn, &conn->lost, timeout);
}

int verbs_wait_disconnected(struct verbs_conn *conn, int timeout)
{
	return verbs_wait_for(conn, &conn->disconnected, timeout);
}

static int verbs_wait_send_slot(struct verbs_conn *conn, unsigned int wanted,
				int timeout)
{
	int64_t deadline = verbs_now() + timeout;

	verbs_poll(conn);
	while (conn->buffers->nsend_free < wanted) {
		if (conn->lost)
			return -ENOTCONN;
		if (!verbs_wait(conn, deadline))
			return -ETIMEDOUT;
	}
	return conn->lost ? -ENOTCONN : 0;
}

/* Copy a message to a send slot that is free. Return: the slot */
static unsigned int verbs_fill_send(struct verbs_conn *conn, struct ibv_send_wr *wr,
				    struct ibv_sge *sge, const void *data, size_t len)
{
	struct verbs_buffers *b = conn->buffers;
	unsigned int slot = b->send_free[--b->nsend_free];

	*sge = (struct ibv_sge) {
		.addr	= (uintptr_t)b->send_memory +
			  (uint64_t)slot * conn->options.send_size,
		.length	= len,
		.lkey	= b->send_mr->lkey,
	};
	memcpy((void *)(uintptr_t)sge->addr, data, len);
	*wr = (struct ibv_send_wr) {
		.wr_id		= VERBS_WR_ID(VERBS_SEND, slot),
		.sg_list	= sge,
		.num_sge	= 1,
		.opcode		= IBV_WR_SEND,
		.send_flags	= IBV_SEND_SIGNALED,
	};
	return slot;
}

static int verbs_post_send(struct verbs_conn *conn, const void *data,
			   size_t len, enum ibv_wr_opcode opcode, uint32_t rkey)
{
	struct verbs_buffers *b = conn->buffers;
	struct ibv_send_wr *bad, wr;
	struct ibv_sge sge;
	unsigned int slot;
	int ret;

	if (len > conn->options.send_size)
		return -EMSGSIZE;
	ret = verbs_wait_send_slot(conn, 1, conn->options.timeout);
	if (ret)
		return ret;
	slot = verbs_fill_send(conn, &wr, &sge, data, len);
	wr.opcode = opcode;
	wr.invalidate_rkey = rkey;
	/* siw's library reads the R_key to invalidate from here */
	wr.wr.rdma.rkey = rkey;
	ret = ibv_post_send(conn->id->qp, &wr, &bad);
	if (ret) {
		b->send_free[b->nsend_free++] = slot;
		return -ret;
	}
	conn->sent++;
	return 0;
}

int verbs_send_all(struct verbs_conn *conn, const struct verbs_data *data,
		   unsigned int count)
{
	struct ibv_send_wr *bad, *wrs = calloc(count, sizeof(*wrs));
	struct ibv_sge *sges = calloc(count, sizeof(*sges));
	unsigned int i;
	int ret = -ENOMEM;

	if (wrs && sges)
		ret = verbs_wait_send_slot(conn, count, conn->options.timeout);
	for (i = 0; !ret && i < count; i++) {
		verbs_fill_send(conn, &wrs[i], &sges[i], data[i].data, data[i].len);
		wrs[i].next = i + 1 < count ? &wrs[i + 1] : NULL;
	}
	if (!ret)
		ret = -ibv_post_send(conn->id->qp, wrs, &bad);
	if (!ret)
		conn->sent += count;
	free(wrs);
	free(sges);
	return ret;
}

int verbs_send(struct verbs_conn *conn, const void *data, size_t len)
{
	return verbs_post_send(conn, data, len, IBV_WR_SEND, 0);
}

int verbs_send_inv(struct verbs_conn *conn, const void *data, size_t len,
		   uint32_t rkey)
{
	return verbs_post_send(conn, data, len, IBV_WR_SEND_WITH_INV, rkey);
}

int verbs_sends_done(struct verbs_conn *conn, int timeout)
{
	return verbs_wait_send_slot(conn, conn->options.sends, timeout);
}

int verbs_wait_message(struct verbs_conn *conn, int timeout)
{
	int64_t deadline = verbs_now() + timeout;
	struct verbs_buffers *b = conn->buffers;

	verbs_poll(conn);
	while (b->arrived_head == b->arrived_tail) {
		if (conn->lost)
			return -ENOTCONN;
		if (!verbs_wait(conn, deadline))
			return -ETIMEDOUT;
	}
	return 0;
}

int verbs_recv(struct verbs_conn *conn, struct verbs_message *message,
	       int timeout)
{
	struct verbs_buffers *b = conn->buffers;
	int ret = verbs_wait_message(conn, timeout);

	if (!ret)
		*message = b->arrived[b->arrived_head++ % conn->options.recvs];
	return ret;
}

static int verbs_post_recv(struct verbs_conn *conn, unsigned int slot)
{
	struct verbs_buffers *b = conn->buffers;
	struct ibv_sge sge = {
		.addr	= (uintptr_t)b->recv_memory +
			  (uint64_t)slot * conn->options.recv_size,
		.length	= conn->options.recv_size,
		.lkey	= b->recv_mr->lkey,
	};
	struct ibv_recv_wr *bad, wr = {
		.wr_id		= VERBS_WR_ID(VERBS_RECV, slot),
		.sg_list	= &sge,
		.num_sge	= 1,
	};
	int ret;

	ret = ibv_post_recv(conn->id->qp, &wr, &bad);
	if (ret)
		return -ret;
	conn->posted++;
	return 0;
}

int verbs_recv_done(struct verbs_conn *conn,
		    const struct verbs_message *message)
{
	return verbs_post_recv(conn, message->slot);
}

int verbs_post_recvs(struct verbs_conn *conn, unsigned int count)
{
	struct verbs_buffers *b = conn->buffers;
	int ret;

	while (count--) {
		if (!b->nrecv_free)
			return -ENOBUFS;
		ret = verbs_post_recv(conn, b->recv_free[b->nrecv_free - 1]);
		if (ret)
			return ret;
		b->nrecv_free--;
	}
	return 0;
}

/* One work request at a time, so one flag is enough */
static int verbs_post_wait(struct verbs_conn *conn, struct ibv_send_wr *wr,
			   int timeout)
{
	int64_t deadline = verbs_now() + timeout;
	struct verbs_buffers *b = conn->buffers;
	struct ibv_send_wr *bad;
	int ret;

	/*
	 * Not all devices flush work requests that are posted after a
	 * disconnect
	 */
	if (conn->lost)
		return -ENOTCONN;
	wr->wr_id = VERBS_WR_ID(VERBS_SYNC, 0);
	wr->send_flags |= IBV_SEND_SIGNALED;
	b->sync_done = false;
	ret = ibv_post_send(conn->id->qp, wr, &bad);
	if (ret)
		return -ret;
	while (!b->sync_done) {
		if (!verbs_wait(conn, deadline))
			return -ETIMEDOUT;
	}
	return b->sync_status == IBV_WC_SUCCESS ? 0 : -EIO;
}

static int verbs_rdma(struct verbs_conn *conn, enum ibv_wr_opcode opcode,
		      const struct verbs_region *region, size_t offset,
		      size_t len, uint32_t rkey, uint64_t address, int timeout)
{
	struct ibv_sge sge = {
		.addr	= (uintptr_t)region->data + offset,
		.length	= len,
		.lkey	= region->lkey,
	};
	struct ibv_send_wr wr = {
		.opcode		= opcode,
		.sg_list	= &sge,
		.num_sge	= 1,
		.wr.rdma	= { .remote_addr = address, .rkey = rkey },
	};

	return verbs_post_wait(conn, &wr, timeout);
}

int verbs_read(struct verbs_conn *conn, const struct verbs_region *into,
	       size_t offset, size_t len, uint32_t rkey, uint64_t address,
	       int timeout)
{
	return verbs_rdma(conn, IBV_WR_RDMA_READ, into, offset, len, rkey,
			  address, timeout);
}

int verbs_write(struct verbs_conn *conn, const struct verbs_region *from,
		size_t offset, size_t len, uint32_t rkey, uint64_t address,
		int timeout)
{
	return verbs_rdma(conn, IBV_WR_RDMA_WRITE, from, offset, len, rkey,
			  address, timeout);
}

int verbs_write_immediate(struct verbs_conn *conn, const struct verbs_region *from,
			  size_t len, uint32_t rkey, uint64_t address, int timeout)
{
	return verbs_rdma(conn, IBV_WR_RDMA_WRITE_WITH_IMM, from, 0, len, rkey,
			  address, timeout);
}

int verbs_bind_window(struct verbs_conn *conn, const struct verbs_region *region,
		      size_t offset, size_t len, uint32_t *rkey)
{
	struct ibv_send_wr wr = {
		.opcode	= IBV_WR_BIND_MW,
	};
	struct ibv_mw *mw;

	if (conn->nwindows == VERBS_WINDOWS)
		return -ENOSPC;
	mw = ibv_alloc_mw(conn->pd, IBV_MW_TYPE_2);
	if (!mw)
		return -errno;
	conn->windows[conn->nwindows++] = mw;
	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
	wr.bind_mw.bind_info = (struct ibv_mw_bind_info) {
		.mr		= region->mr,
		.addr		= (uintptr_t)region->data + offset,
		.length		= len,
		.mw_access_flags = IBV_ACCESS_REMOTE_READ |
				   IBV_ACCESS_REMOTE_WRITE,
	};
	*rkey = wr.bind_mw.rkey;
	return verbs_post_wait(conn, &wr, conn->options.timeout);
}
