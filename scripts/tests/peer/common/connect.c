// SPDX-License-Identifier: GPL-2.0-only
/* Opening and closing connections, and their memory. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <rdma/siw-abi.h>
#include "common/verbs_private.h"

void verbs_options_init(struct verbs_options *options)
{
	*options = (struct verbs_options) {
		.recvs		= 128,
		.recv_size	= 16384,
		.sends		= 128,
		.send_size	= 16384,
		.reads		= 16,
		.rnr_retry	= 7,
		.timeout	= 10000,
	};
}

static void verbs_nonblocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static void *verbs_memory(size_t len)
{
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static unsigned int *verbs_slots(unsigned int count)
{
	unsigned int *slots = calloc(count, sizeof(*slots));
	unsigned int i;

	for (i = 0; slots && i < count; i++)
		slots[i] = count - 1 - i;
	return slots;
}

static int verbs_alloc_buffers(struct verbs_conn *conn)
{
	const struct verbs_options *o = &conn->options;
	struct verbs_buffers *b = calloc(1, sizeof(*b));
	size_t recv_len = (size_t)o->recvs * o->recv_size;
	size_t send_len = (size_t)o->sends * o->send_size;

	if (!b)
		return -ENOMEM;
	conn->buffers = b;
	b->recv_memory = verbs_memory(recv_len);
	b->send_memory = verbs_memory(send_len);
	b->recv_free = verbs_slots(o->recvs);
	b->send_free = verbs_slots(o->sends);
	b->arrived = calloc(o->recvs, sizeof(*b->arrived));
	if (!b->recv_memory || !b->send_memory || !b->recv_free ||
	    !b->send_free || !b->arrived)
		return -ENOMEM;
	b->nrecv_free = o->recvs;
	b->nsend_free = o->sends;
	b->recv_mr = ibv_reg_mr(conn->pd, b->recv_memory, recv_len,
				IBV_ACCESS_LOCAL_WRITE);
	b->send_mr = ibv_reg_mr(conn->pd, b->send_memory, send_len, 0);
	return b->recv_mr && b->send_mr ? 0 : -ENOMEM;
}

/*
 * siw's library takes the key SIW_INVAL_UOBJ_KEY for an error, although it is the mmap
 * offset of a page like any other. So a CQ without a use has that page in its middle.
 */
static int verbs_avoid_key(struct ibv_context *device)
{
	static struct ibv_context *avoided;

	if (device == avoided ||
	    strncmp(ibv_get_device_name(device->device), "siw", 3))
		return 0;
	if (!ibv_create_cq(device, SIW_INVAL_UOBJ_KEY / 16, NULL, NULL, 0))
		return -ENOMEM;
	avoided = device;
	return 0;
}

/* PD, CQ, QP, buffers and the first Receives, once the device is known */
static int verbs_create_queues(struct verbs_conn *conn)
{
	const struct verbs_options *o = &conn->options;
	struct ibv_qp_init_attr attr = {
		.qp_type	= IBV_QPT_RC,
		.cap		= {
			.max_send_wr	= o->sends + 8,
			.max_recv_wr	= o->recvs + 1,
			.max_send_sge	= 1,
			.max_recv_sge	= 1,
		},
	};
	int ret;

	ret = verbs_avoid_key(conn->id->verbs);
	if (ret)
		return ret;
	conn->pd = ibv_alloc_pd(conn->id->verbs);
	conn->comp = ibv_create_comp_channel(conn->id->verbs);
	if (!conn->pd || !conn->comp)
		return -ENOMEM;
	verbs_nonblocking(conn->comp->fd);
	conn->cq = ibv_create_cq(conn->id->verbs, o->recvs + o->sends + 16,
				 NULL, conn->comp, 0);
	if (!conn->cq || ibv_req_notify_cq(conn->cq, 0))
		return -ENOMEM;
	attr.send_cq = conn->cq;
	attr.recv_cq = conn->cq;
	if (rdma_create_qp(conn->id, conn->pd, &attr))
		return -errno;
	ret = verbs_alloc_buffers(conn);
	if (ret)
		return ret;
	return verbs_post_recvs(conn, o->recvs_posted ?: o->recvs);
}

/* Outstanding RDMA Reads of this end, which the device limits */
static unsigned int verbs_own_reads(const struct verbs_conn *conn)
{
	struct ibv_device_attr attr;

	if (ibv_query_device(conn->id->verbs, &attr))
		return conn->options.reads;
	return conn->options.reads < (unsigned int)attr.max_qp_init_rd_atom ?
	       conn->options.reads : (unsigned int)attr.max_qp_init_rd_atom;
}

static void verbs_param(const struct verbs_conn *conn,
			struct rdma_conn_param *param)
{
	const struct verbs_options *o = &conn->options;

	*param = (struct rdma_conn_param) {
		.private_data		= o->private_len ? o->private : NULL,
		.private_data_len	= o->private_len,
		.responder_resources	= o->reads,
		.initiator_depth	= verbs_own_reads(conn),
		.retry_count		= 7,
		.rnr_retry_count	= o->rnr_retry,
	};
}

/* Wait for one CM event, which must be @type */
static int verbs_expect(struct verbs_conn *conn, enum rdma_cm_event_type type,
			int64_t deadline)
{
	struct pollfd fd = { .fd = conn->events->fd, .events = POLLIN };
	enum rdma_cm_event_type got;
	struct rdma_cm_event *event;
	int64_t left;

	while (rdma_get_cm_event(conn->events, &event)) {
		left = deadline - verbs_now();
		if (left <= 0)
			return -ETIMEDOUT;
		poll(&fd, 1, left);
	}
	got = event->event;
	verbs_cm_event(conn, event);
	rdma_ack_cm_event(event);
	if (got == type)
		return 0;
	return conn->refused ? -ECONNREFUSED : -ENOTCONN;
}

static int verbs_resolve(struct verbs_conn *conn, const char *address,
			 const char *port, int64_t deadline)
{
	const char *own = conn->options.from[0] ? conn->options.from : NULL;
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST }, *res, *from = NULL;
	int ret;

	if (getaddrinfo(address, port, &hints, &res))
		return -EINVAL;
	ret = own && getaddrinfo(own, NULL, &hints, &from) ? -EINVAL : 0;
	if (!ret && rdma_resolve_addr(conn->id, from ? from->ai_addr : NULL, res->ai_addr,
				      conn->options.timeout))
		ret = -errno;
	freeaddrinfo(res);
	if (from)
		freeaddrinfo(from);
	if (!ret)
		ret = verbs_expect(conn, RDMA_CM_EVENT_ADDR_RESOLVED, deadline);
	if (!ret && rdma_resolve_route(conn->id, conn->options.timeout))
		ret = -errno;
	if (!ret)
		ret = verbs_expect(conn, RDMA_CM_EVENT_ROUTE_RESOLVED, deadline);
	return ret;
}

static struct verbs_conn *verbs_new(const struct verbs_options *options)
{
	struct verbs_conn *conn = calloc(1, sizeof(*conn));

	if (!conn)
		return NULL;
	conn->options = *options;
	conn->events = rdma_create_event_channel();
	if (!conn->events) {
		free(conn);
		return NULL;
	}
	verbs_nonblocking(conn->events->fd);
	return conn;
}

static int verbs_request_conn(struct verbs_conn *conn, const char *address,
			      const char *port, int64_t deadline)
{
	struct rdma_conn_param param;
	int ret;

	if (rdma_create_id(conn->events, &conn->id, conn, RDMA_PS_TCP))
		return -errno;
	ret = verbs_resolve(conn, address, port, deadline);
	if (!ret)
		ret = verbs_create_queues(conn);
	if (ret)
		return ret;
	verbs_param(conn, &param);
	return rdma_connect(conn->id, &param) ? -errno : 0;
}

int verbs_connect_begin(struct verbs_conn **conn, const char *address,
			const char *port, const struct verbs_options *options)
{
	int ret;

	*conn = verbs_new(options);
	if (!*conn)
		return -ENOMEM;
	ret = verbs_request_conn(*conn, address, port, verbs_now() + options->timeout);
	if (ret)
		verbs_close(*conn);
	return ret;
}

int verbs_connect(struct verbs_conn **conn, const char *address,
		  const char *port, const struct verbs_options *options)
{
	int64_t deadline = verbs_now() + options->timeout;
	int ret;

	ret = verbs_connect_begin(conn, address, port, options);
	if (ret)
		return ret;
	ret = verbs_expect(*conn, RDMA_CM_EVENT_ESTABLISHED, deadline);
	if (ret)
		verbs_close(*conn);
	return ret;
}

int verbs_listen(struct verbs_listener **listener, const char *address,
		 const char *port)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_PASSIVE,
	}, *res;
	struct verbs_listener *l = calloc(1, sizeof(*l));
	int ret = 0;

	if (!l)
		return -ENOMEM;
	*listener = l;
	if (getaddrinfo(address, port, &hints, &res))
		return -EINVAL;
	l->events = rdma_create_event_channel();
	if (!l->events ||
	    rdma_create_id(l->events, &l->id, NULL, RDMA_PS_TCP) ||
	    rdma_bind_addr(l->id, res->ai_addr) || rdma_listen(l->id, 64))
		ret = -errno;
	else
		verbs_nonblocking(l->events->fd);
	freeaddrinfo(res);
	return ret;
}

void verbs_unlisten(struct verbs_listener *listener)
{
	rdma_destroy_id(listener->id);
	rdma_destroy_event_channel(listener->events);
	free(listener);
}

/* Wait for a connect request. The caller acknowledges the event */
static int verbs_request(struct verbs_listener *listener,
			 struct rdma_cm_event **event, int timeout)
{
	struct pollfd fd = { .fd = listener->events->fd, .events = POLLIN };
	int64_t deadline = verbs_now() + timeout;
	int64_t left;

	for (;;) {
		while (rdma_get_cm_event(listener->events, event)) {
			left = deadline - verbs_now();
			if (left <= 0)
				return -ETIMEDOUT;
			poll(&fd, 1, left);
		}
		if ((*event)->event == RDMA_CM_EVENT_CONNECT_REQUEST)
			return 0;
		rdma_ack_cm_event(*event);
	}
}

static int verbs_do_accept(struct verbs_conn *conn,
			   const struct rdma_conn_param *request)
{
	struct rdma_conn_param param;
	int ret;

	if (rdma_migrate_id(conn->id, conn->events))
		return -errno;
	ret = verbs_create_queues(conn);
	if (ret)
		return ret;
	verbs_param(conn, &param);
	/* The event reports the limits from the view of this end */
	if (param.responder_resources > request->responder_resources)
		param.responder_resources = request->responder_resources;
	if (param.initiator_depth > request->initiator_depth)
		param.initiator_depth = request->initiator_depth;
	return rdma_accept(conn->id, &param) ? -errno : 0;
}

int verbs_accept(struct verbs_listener *listener, struct verbs_conn **conn,
		 struct verbs_options *options,
		 int (*choose)(struct verbs_options *options,
			       const uint8_t *private, size_t len, void *arg),
		 void *arg, int timeout)
{
	int64_t deadline = verbs_now() + timeout;
	struct rdma_conn_param request;
	uint8_t private[VERBS_PRIVATE_MAX];
	struct rdma_cm_event *event;
	struct rdma_cm_id *id;
	int ret;

	ret = verbs_request(listener, &event, timeout);
	if (ret)
		return ret;
	id = event->id;
	request = event->param.conn;
	if (request.private_data_len > VERBS_PRIVATE_MAX)
		request.private_data_len = VERBS_PRIVATE_MAX;
	if (request.private_data)
		memcpy(private, request.private_data, request.private_data_len);
	else
		request.private_data_len = 0;
	rdma_ack_cm_event(event);

	ret = choose ? choose(options, private, request.private_data_len, arg) : 0;
	*conn = ret ? NULL : verbs_new(options);
	if (!*conn) {
		rdma_reject(id, NULL, 0);
		rdma_destroy_id(id);
		return ret ?: -ENOMEM;
	}
	(*conn)->id = id;
	memcpy((*conn)->private, private, request.private_data_len);
	(*conn)->private_len = request.private_data_len;
	ret = verbs_do_accept(*conn, &request);
	if (!ret)
		ret = verbs_expect(*conn, RDMA_CM_EVENT_ESTABLISHED, deadline);
	if (ret)
		verbs_close(*conn);
	return ret;
}

void verbs_disconnect(struct verbs_conn *conn)
{
	rdma_disconnect(conn->id);
}

int verbs_set_error(struct verbs_conn *conn)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	return ibv_modify_qp(conn->id->qp, &attr, IBV_QP_STATE);
}

static void verbs_free_buffers(struct verbs_conn *conn)
{
	const struct verbs_options *o = &conn->options;
	struct verbs_buffers *b = conn->buffers;

	if (!b)
		return;
	if (b->recv_mr)
		ibv_dereg_mr(b->recv_mr);
	if (b->send_mr)
		ibv_dereg_mr(b->send_mr);
	if (b->recv_memory)
		munmap(b->recv_memory, (size_t)o->recvs * o->recv_size);
	if (b->send_memory)
		munmap(b->send_memory, (size_t)o->sends * o->send_size);
	free(b->recv_free);
	free(b->send_free);
	free(b->arrived);
	free(b);
}

void verbs_close(struct verbs_conn *conn)
{
	/* A bound window holds a reference to its QP */
	while (conn->nwindows)
		ibv_dealloc_mw(conn->windows[--conn->nwindows]);
	if (conn->id && conn->id->qp) {
		rdma_disconnect(conn->id);
		rdma_destroy_qp(conn->id);
	}
	verbs_free_buffers(conn);
	if (conn->cq)
		ibv_destroy_cq(conn->cq);
	if (conn->comp)
		ibv_destroy_comp_channel(conn->comp);
	if (conn->pd)
		ibv_dealloc_pd(conn->pd);
	if (conn->id)
		rdma_destroy_id(conn->id);
	rdma_destroy_event_channel(conn->events);
	free(conn);
}

struct verbs_region *verbs_region(struct verbs_conn *conn, size_t len,
				  int access)
{
	struct verbs_region *region = calloc(1, sizeof(*region));

	if (!region)
		return NULL;
	region->len = len;
	region->data = verbs_memory(len);
	if (region->data)
		region->mr = ibv_reg_mr(conn->pd, region->data, len,
					access | IBV_ACCESS_LOCAL_WRITE);
	if (!region->mr) {
		if (region->data)
			munmap(region->data, len);
		free(region);
		return NULL;
	}
	region->rkey = region->mr->rkey;
	region->lkey = region->mr->lkey;
	return region;
}

int verbs_region_deregister(struct verbs_region *region)
{
	int ret = region->mr ? ibv_dereg_mr(region->mr) : 0;

	region->mr = NULL;
	return -ret;
}

void verbs_region_free(struct verbs_region *region)
{
	verbs_region_deregister(region);
	munmap(region->data, region->len);
	free(region);
}

uint64_t verbs_address(const struct verbs_region *region, size_t offset)
{
	return (uintptr_t)region->data + offset;
}
