// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files in /sys/kernel/rpcrdma/connections/<name>, which
 * Documentation/ABI/testing/sysfs-kernel-rpcrdma describes.
 *
 * All are shown and changed under rpcrdma_registry_lock, which keeps the endpoint and
 * its connection from being freed. So nothing here may sleep or allocate memory.
 */
#include <linux/build_bug.h>
#include <linux/in6.h>
#include <linux/sunrpc/addr.h>
#include "../core.h"
#include "endpoint_sysfs.h"

/*
 * struct rpcrdma_file - a file
 * @attr:      its name and mode
 * @show:      writes lines to a page; returns bytes
 * @which:     the number, or the value of the traffic settings, that it shows
 * @connected: the file shows an empty line while there is no connection
 */
struct rpcrdma_file {
	struct attribute	attr;
	ssize_t (*show)(const struct rpcrdma_file *file,
			struct rpcrdma_endpoint *ep, char *text);
	unsigned int		which;
	bool			connected;
};

static struct rpcrdma_file *rpcrdma_file_from_attr(struct attribute *attr)
{
	return container_of(attr, struct rpcrdma_file, attr);
}

static const struct sockaddr *
rpcrdma_endpoint_source(const struct rpcrdma_endpoint *ep)
{
	const struct rpcrdma_conn *conn = ep->conn;

	/* Until then the CM may still change it; a connection may close before */
	if (!conn || rpcrdma_conn_state(conn) < RPCRDMA_S_RESOLVED ||
	    !conn->device)
		return NULL;
	return (struct sockaddr *)&to_core(conn)->cm_id->route.addr.src_addr;
}

static u64 rpcrdma_seconds_since(time64_t then)
{
	return then ? ktime_get_seconds() - then : 0;
}

static u64 rpcrdma_conn_number(struct rpcrdma_endpoint *ep,
			       struct rpcrdma_conn *conn,
			       enum rpcrdma_number which)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	const struct sockaddr *source = rpcrdma_endpoint_source(ep);
	/* Written once, by rpcrdma_conn_setup(), and 0 until then */
	const struct rpcrdma_limits limits = data_race(conn->limits);

	switch (which) {
	case RPCRDMA_N_AGE:
		return rpcrdma_seconds_since(READ_ONCE(core->established_at));
	case RPCRDMA_N_SOURCE_PORT:
		return source ? rpc_get_port(source) : 0;
	case RPCRDMA_N_DEVICE_PORT:
		return source ? conn->port_num : 0;
	case RPCRDMA_N_INLINE_SEND:
		return READ_ONCE(conn->inline_send);
	case RPCRDMA_N_INLINE_RECV:
		return READ_ONCE(conn->inline_recv);
	case RPCRDMA_N_CREDITS_MAX:
		return limits.credits;
	case RPCRDMA_N_REVERSE_CREDITS:
		return limits.bc_credits;
	case RPCRDMA_N_SENDQ_DEPTH:
		return READ_ONCE(core->sendq.depth);
	case RPCRDMA_N_SENDQ_USED:
		return rpcrdma_sendq_used(&core->sendq);
	case RPCRDMA_N_RECVQ_DEPTH:
		return READ_ONCE(core->rq.count);
	case RPCRDMA_N_CQ_DEPTH:
		return limits.cq_depth;
	case RPCRDMA_N_READS_MAX:
		return READ_ONCE(conn->read_depth);
	default:
		return ep->ops->number(ep, conn, which);
	}
}

static u64 rpcrdma_endpoint_number(struct rpcrdma_endpoint *ep,
				   enum rpcrdma_number which)
{
	struct rpcrdma_conn *conn = ep->conn;

	switch (which) {
	case RPCRDMA_N_CONNECTION:
		return conn ? conn->number : 0;
	case RPCRDMA_N_PEER_PORT:
		return rpc_get_port(ep->ops->peer(ep));
	case RPCRDMA_N_CREDITS_LIMIT:
		return READ_ONCE(ep->credits_limit);
	case RPCRDMA_N_LAST_ERROR:
		return -READ_ONCE(ep->error);
	default:
		return conn ? rpcrdma_conn_number(ep, conn, which) :
			      ep->ops->number(ep, NULL, which);
	}
}

static ssize_t rpcrdma_show_number(const struct rpcrdma_file *file,
				   struct rpcrdma_endpoint *ep, char *text)
{
	return sysfs_emit(text, "%llu\n",
			  rpcrdma_endpoint_number(ep, file->which));
}

static ssize_t rpcrdma_show_side(const struct rpcrdma_file *file,
				 struct rpcrdma_endpoint *ep, char *text)
{
	return sysfs_emit(text, "%s\n", ep->server ? "server" : "client");
}

static ssize_t rpcrdma_show_state(const struct rpcrdma_file *file,
				  struct rpcrdma_endpoint *ep, char *text)
{
	const char *name = "none";

	if (ep->conn)
		name = rpcrdma_state_name(rpcrdma_conn_state(ep->conn));
	return sysfs_emit(text, "%s\n", name);
}

static ssize_t rpcrdma_show_peer(const struct rpcrdma_file *file,
				 struct rpcrdma_endpoint *ep, char *text)
{
	return sysfs_emit(text, "%pISc\n", ep->ops->peer(ep));
}

/* A client may be connected to another address than that of its transport */
static ssize_t rpcrdma_show_path(const struct rpcrdma_file *file,
				 struct rpcrdma_endpoint *ep, char *text)
{
	return sysfs_emit(text, "%pISc\n", &ep->conn->peer);
}

static ssize_t rpcrdma_show_source(const struct rpcrdma_file *file,
				   struct rpcrdma_endpoint *ep, char *text)
{
	const struct sockaddr *source = rpcrdma_endpoint_source(ep);

	if (!source)
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%pISc\n", source);
}

static ssize_t rpcrdma_show_device(const struct rpcrdma_file *file,
				   struct rpcrdma_endpoint *ep, char *text)
{
	/* A device is not removed while there are connections on it */
	if (!rpcrdma_endpoint_source(ep))
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%s\n", ep->conn->device->name);
}

static ssize_t rpcrdma_show_version(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	const struct rpcrdma_negotiation *neg = &ep->conn->negotiation;

	if (rpcrdma_conn_state(ep->conn) < RPCRDMA_S_CONNECTING ||
	    /* Pairs with rpcrdma_negotiate_set(): then version is set */
	    smp_load_acquire(&neg->state) != RPCRDMA_NEGOTIATE_SETTLED)
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%u\n", neg->version);
}

static ssize_t rpcrdma_show_reason(const struct rpcrdma_file *file,
				   struct rpcrdma_endpoint *ep, char *text)
{
	if (!READ_ONCE(ep->error_at))
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%s\n",
			  rpcrdma_close_cause_text(READ_ONCE(ep->error_cause)));
}

static ssize_t rpcrdma_show_error_age(const struct rpcrdma_file *file,
				      struct rpcrdma_endpoint *ep, char *text)
{
	time64_t at = READ_ONCE(ep->error_at);

	if (!at)
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%llu\n", rpcrdma_seconds_since(at));
}

static ssize_t rpcrdma_show_refusal(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	if (!READ_ONCE(ep->refused_at))
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%s\n",
			  rpcrdma_reason_text(READ_ONCE(ep->refused)));
}

static ssize_t rpcrdma_show_refusal_age(const struct rpcrdma_file *file,
					struct rpcrdma_endpoint *ep, char *text)
{
	time64_t at = READ_ONCE(ep->refused_at);

	if (!at)
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%llu\n", rpcrdma_seconds_since(at));
}

/*
 * One file for all counters, one for all reasons, one for all histograms, with a line for
 * each. A file for each of them would take 13 KiB more for each connection. With all digits
 * of 64 bits and names shorter than RPCRDMA_NAME_SIZE the lines fit into a page.
 */
#define RPCRDMA_DIGITS	20
#define RPCRDMA_LINE	(RPCRDMA_NAME_SIZE + RPCRDMA_DIGITS + 1)

static_assert(RPCRDMA_C_COUNT * RPCRDMA_LINE < PAGE_SIZE);
static_assert(RPCRDMA_R_COUNT * RPCRDMA_LINE < PAGE_SIZE);
static_assert(RPCRDMA_L_COUNT * (RPCRDMA_NAME_SIZE + RPCRDMA_LATENCY_BUCKETS *
				 (RPCRDMA_DIGITS + 1)) < PAGE_SIZE);

static ssize_t rpcrdma_show_counters(const struct rpcrdma_file *file,
				     struct rpcrdma_endpoint *ep, char *text)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		len += sysfs_emit_at(text, len, "%s %llu\n",
				     rpcrdma_counter_name(i),
				     rpcrdma_stats_read(&ep->stats, i));
	return len;
}

static ssize_t rpcrdma_show_refusals(const struct rpcrdma_file *file,
				     struct rpcrdma_endpoint *ep, char *text)
{
	unsigned int i;
	int len = 0;

	for (i = RPCRDMA_OK + 1; i < RPCRDMA_R_COUNT; i++)
		len += sysfs_emit_at(text, len, "%s %llu\n",
				     rpcrdma_reason_name(i),
				     rpcrdma_stats_read_refused(&ep->stats, i));
	return len;
}

static int rpcrdma_show_histogram(struct rpcrdma_endpoint *ep,
				  enum rpcrdma_latency which, char *text, int len)
{
	const int begin = len;
	unsigned int i;

	len += sysfs_emit_at(text, len, "%s", rpcrdma_latency_name(which));
	for (i = 0; i < RPCRDMA_LATENCY_BUCKETS; i++)
		len += sysfs_emit_at(text, len, " %llu",
				     rpcrdma_latency_read(&ep->stats, which, i));
	len += sysfs_emit_at(text, len, "\n");
	return len - begin;
}

static ssize_t rpcrdma_show_latency(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < RPCRDMA_L_COUNT; i++) {
		/* Callbacks do not wait for the client's credits */
		if (!ep->server || i != RPCRDMA_L_CREDIT)
			len += rpcrdma_show_histogram(ep, i, text, len);
	}
	return len;
}

static ssize_t rpcrdma_show_traffic(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	int value = rpcrdma_traffic_in_force(ep->conn, file->which);

	if (value < 0)
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%d\n", value);
}

static ssize_t rpcrdma_show_tos_configured(const struct rpcrdma_file *file,
					   struct rpcrdma_endpoint *ep,
					   char *text)
{
	u8 chosen[RPCRDMA_TRAFFIC_COUNT];

	rpcrdma_traffic_chosen(ep->conn, chosen);
	return sysfs_emit(text, "%u\n", chosen[RPCRDMA_TRAFFIC_TOS]);
}

#define RPCRDMA_FILE(title, function, needs) {			\
	.attr		= { .name = title, .mode = 0444 },	\
	.show		= function,				\
	.connected	= needs,				\
}

#define RPCRDMA_NUMBER(title, number, needs, rights) {		\
	.attr		= { .name = title, .mode = rights },	\
	.show		= rpcrdma_show_number,			\
	.which		= number,				\
	.connected	= needs,				\
}

#define RPCRDMA_IN_FORCE(title, value) {			\
	.attr		= { .name = title, .mode = 0444 },	\
	.show		= rpcrdma_show_traffic,			\
	.which		= value,				\
	.connected	= true,					\
}

/* rpcrdma_file_visible() hides some on one side */
static struct rpcrdma_file rpcrdma_files[] = {
	RPCRDMA_FILE("side", rpcrdma_show_side, false),
	RPCRDMA_FILE("state", rpcrdma_show_state, false),
	RPCRDMA_FILE("peer_address", rpcrdma_show_peer, false),
	RPCRDMA_FILE("path_address", rpcrdma_show_path, true),
	RPCRDMA_FILE("source_address", rpcrdma_show_source, true),
	RPCRDMA_FILE("device", rpcrdma_show_device, true),
	RPCRDMA_FILE("version", rpcrdma_show_version, true),
	RPCRDMA_FILE("last_error_reason", rpcrdma_show_reason, false),
	RPCRDMA_FILE("last_error_age_seconds", rpcrdma_show_error_age, false),
	RPCRDMA_FILE("last_refusal", rpcrdma_show_refusal, false),
	RPCRDMA_FILE("last_refusal_age_seconds", rpcrdma_show_refusal_age,
		     false),
	RPCRDMA_IN_FORCE("tos", RPCRDMA_TRAFFIC_TOS),
	RPCRDMA_FILE("tos_configured", rpcrdma_show_tos_configured, true),
	RPCRDMA_IN_FORCE("ack_timeout", RPCRDMA_TRAFFIC_ACK_TIMEOUT),
	RPCRDMA_IN_FORCE("rnr_timer", RPCRDMA_TRAFFIC_RNR_TIMER),
	RPCRDMA_IN_FORCE("rnr_retries", RPCRDMA_TRAFFIC_RNR_RETRIES),
	RPCRDMA_NUMBER("connection", RPCRDMA_N_CONNECTION, false, 0444),
	RPCRDMA_NUMBER("sunrpc_xprt", RPCRDMA_N_XPRT, false, 0444),
	RPCRDMA_NUMBER("age_seconds", RPCRDMA_N_AGE, true, 0444),
	RPCRDMA_NUMBER("peer_port", RPCRDMA_N_PEER_PORT, false, 0444),
	RPCRDMA_NUMBER("source_port", RPCRDMA_N_SOURCE_PORT, true, 0444),
	RPCRDMA_NUMBER("device_port", RPCRDMA_N_DEVICE_PORT, true, 0444),
	RPCRDMA_NUMBER("inline_send", RPCRDMA_N_INLINE_SEND, true, 0444),
	RPCRDMA_NUMBER("inline_receive", RPCRDMA_N_INLINE_RECV, true, 0444),
	RPCRDMA_NUMBER("credits_max", RPCRDMA_N_CREDITS_MAX, true, 0444),
	RPCRDMA_NUMBER("credits_limit", RPCRDMA_N_CREDITS_LIMIT, false, 0644),
	RPCRDMA_NUMBER("credits_asked", RPCRDMA_N_CREDITS_ASKED, true, 0444),
	RPCRDMA_NUMBER("credits_granted", RPCRDMA_N_CREDITS_GRANTED, true,
		       0444),
	RPCRDMA_NUMBER("credits_used", RPCRDMA_N_CREDITS_USED, true, 0444),
	RPCRDMA_NUMBER("reverse_credits", RPCRDMA_N_REVERSE_CREDITS, true,
		       0444),
	RPCRDMA_NUMBER("requests_in_flight", RPCRDMA_N_IN_FLIGHT, true, 0444),
	RPCRDMA_NUMBER("requests_waiting", RPCRDMA_N_WAITING, false, 0444),
	RPCRDMA_NUMBER("send_queue_depth", RPCRDMA_N_SENDQ_DEPTH, true, 0444),
	RPCRDMA_NUMBER("send_queue_used", RPCRDMA_N_SENDQ_USED, true, 0444),
	RPCRDMA_NUMBER("receive_queue_depth", RPCRDMA_N_RECVQ_DEPTH, true,
		       0444),
	RPCRDMA_NUMBER("receive_queue_used", RPCRDMA_N_RECVQ_USED, true, 0444),
	RPCRDMA_NUMBER("completion_queue_depth", RPCRDMA_N_CQ_DEPTH, true,
		       0444),
	RPCRDMA_NUMBER("rdma_reads_max", RPCRDMA_N_READS_MAX, true, 0444),
	RPCRDMA_NUMBER("mrs", RPCRDMA_N_MRS, true, 0444),
	RPCRDMA_NUMBER("mrs_used", RPCRDMA_N_MRS_USED, true, 0444),
	RPCRDMA_NUMBER("last_error", RPCRDMA_N_LAST_ERROR, false, 0444),
	RPCRDMA_NUMBER("idle_timeout_seconds", RPCRDMA_N_IDLE_TIMEOUT, false,
		       0644),
	RPCRDMA_NUMBER("connect_timeout_seconds", RPCRDMA_N_CONNECT_TIMEOUT,
		       false, 0644),
	RPCRDMA_FILE("counters", rpcrdma_show_counters, false),
	RPCRDMA_FILE("refusals", rpcrdma_show_refusals, false),
	RPCRDMA_FILE("latency", rpcrdma_show_latency, false),
	{ .attr = { .name = "disconnect", .mode = 0200 } },
};

static struct attribute *rpcrdma_attrs[ARRAY_SIZE(rpcrdma_files) + 1];

static umode_t rpcrdma_file_visible(struct kobject *kobj,
				    struct attribute *attr, int n)
{
	const struct rpcrdma_file *file = rpcrdma_file_from_attr(attr);

	if (file->show == rpcrdma_show_path)
		return rpcrdma_endpoint_is_server(kobj) ? 0 : attr->mode;
	if (file->show != rpcrdma_show_number)
		return attr->mode;
	switch (file->which) {
	case RPCRDMA_N_XPRT:
	case RPCRDMA_N_IDLE_TIMEOUT:
	case RPCRDMA_N_CONNECT_TIMEOUT:
		return rpcrdma_endpoint_is_server(kobj) ? 0 : attr->mode;
	case RPCRDMA_N_READS_MAX:
		return rpcrdma_endpoint_is_server(kobj) ? attr->mode : 0;
	default:
		return attr->mode;
	}
}

static const struct attribute_group rpcrdma_group = {
	.attrs		= rpcrdma_attrs,
	.is_visible	= rpcrdma_file_visible,
};

const struct attribute_group *rpcrdma_endpoint_groups[] = {
	&rpcrdma_group,
	NULL,
};

/**
 * rpcrdma_endpoint_attr_show - show a file
 * @ep: its endpoint
 * @attr: of a file in the directory of @ep
 * @text: a page
 *
 * Context: rpcrdma_registry_lock is held.
 * Return: bytes in @text, or -EIO.
 */
ssize_t rpcrdma_endpoint_attr_show(struct rpcrdma_endpoint *ep,
				   struct attribute *attr, char *text)
{
	const struct rpcrdma_file *file = rpcrdma_file_from_attr(attr);

	lockdep_assert_held(&rpcrdma_registry_lock);
	/* Root may have made "disconnect" readable */
	if (!file->show)
		return -EIO;
	if (file->connected && !ep->conn)
		return sysfs_emit(text, "\n");
	return file->show(file, ep, text);
}

static int rpcrdma_endpoint_disconnect(struct rpcrdma_endpoint *ep,
				       unsigned int value)
{
	if (value != 1)
		return -EINVAL;
	if (!ep->conn || rpcrdma_conn_state(ep->conn) >= RPCRDMA_S_CLOSING)
		return -ENOTCONN;
	rpcrdma_conn_close(ep->conn, RPCRDMA_CLOSE_ADMIN, -ECONNABORTED);
	return 0;
}

static int rpcrdma_endpoint_limit_credits(struct rpcrdma_endpoint *ep,
					  u32 value)
{
	if (!value || value > RPCRDMA_CREDITS_LIMIT_MAX)
		return -EINVAL;
	WRITE_ONCE(ep->credits_limit, value);
	return ep->ops->set(ep, ep->conn, RPCRDMA_N_CREDITS_LIMIT, value);
}

/**
 * rpcrdma_endpoint_attr_store - write a file
 * @ep: its endpoint
 * @attr: of a file in the directory of @ep
 * @text: what is written
 *
 * Context: rpcrdma_registry_lock is held.
 * Return: 0, -EINVAL, -ERANGE, -ENOTCONN, -EOPNOTSUPP or -EIO.
 */
int rpcrdma_endpoint_attr_store(struct rpcrdma_endpoint *ep,
				struct attribute *attr, const char *text)
{
	const struct rpcrdma_file *file = rpcrdma_file_from_attr(attr);
	unsigned int value;
	int ret;

	lockdep_assert_held(&rpcrdma_registry_lock);
	/* Root may have made a file writable; @attr has the original mode */
	if (!(attr->mode & 0222))
		return -EIO;
	ret = kstrtouint(text, 0, &value);
	if (ret)
		return ret;
	if (!file->show)
		return rpcrdma_endpoint_disconnect(ep, value);
	if (file->which == RPCRDMA_N_CREDITS_LIMIT)
		return rpcrdma_endpoint_limit_credits(ep, value);
	return ep->ops->set(ep, ep->conn, file->which, value);
}

/**
 * rpcrdma_endpoint_sysfs_init - fill the table of attributes from that of files
 *
 * Context: module init.
 */
void rpcrdma_endpoint_sysfs_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rpcrdma_files); i++)
		rpcrdma_attrs[i] = &rpcrdma_files[i].attr;
}
