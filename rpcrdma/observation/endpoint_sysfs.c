// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files in /sys/kernel/rpcrdma/connections/<name>. What they mean is in
 * Documentation/ABI/testing/sysfs-kernel-rpcrdma.
 *
 * All is shown and changed under rpcrdma_registry_lock, which keeps the end and its
 * connection in place. Nothing here allocates memory.
 */
#include <linux/in6.h>
#include <linux/sunrpc/addr.h>
#include "../core.h"
#include "endpoint_sysfs.h"

/*
 * struct rpcrdma_file - a file
 * @attr:      what sysfs knows
 * @show:      puts text with a newline into a page; returns bytes
 * @which:     for those that show or change one of many numbers
 * @connected: an empty line while there is no connection
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

	/* Until then the CM may still be at it; it may never have come so far */
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
	/* Written once, while the connection is made, and 0 until then */
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
		return limits.recv_depth;
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
	/* A device stays as long as there are connections on it */
	if (!rpcrdma_endpoint_source(ep))
		return sysfs_emit(text, "\n");
	return sysfs_emit(text, "%s\n", ep->conn->device->name);
}

static ssize_t rpcrdma_show_version(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	const struct rpcrdma_negotiation *neg = &ep->conn->negotiation;

	if (rpcrdma_conn_state(ep->conn) < RPCRDMA_S_CONNECTING ||
	    /* Pairs with rpcrdma_negotiate_set() */
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

/* Which sides have a file is in rpcrdma_file_visible() */
static struct rpcrdma_file rpcrdma_files[] = {
	RPCRDMA_FILE("side", rpcrdma_show_side, false),
	RPCRDMA_FILE("state", rpcrdma_show_state, false),
	RPCRDMA_FILE("peer_address", rpcrdma_show_peer, false),
	RPCRDMA_FILE("source_address", rpcrdma_show_source, true),
	RPCRDMA_FILE("device", rpcrdma_show_device, true),
	RPCRDMA_FILE("version", rpcrdma_show_version, true),
	RPCRDMA_FILE("last_error_reason", rpcrdma_show_reason, false),
	RPCRDMA_FILE("last_error_age_seconds", rpcrdma_show_error_age, false),
	RPCRDMA_FILE("last_refusal", rpcrdma_show_refusal, false),
	RPCRDMA_FILE("last_refusal_age_seconds", rpcrdma_show_refusal_age,
		     false),
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
	{ .attr = { .name = "disconnect", .mode = 0200 } },
};

static ssize_t rpcrdma_show_counter(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	return sysfs_emit(text, "%llu\n",
			  rpcrdma_stats_read(&ep->stats, file->which));
}

static ssize_t rpcrdma_show_refused(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	return sysfs_emit(text, "%llu\n",
			  rpcrdma_stats_read_refused(&ep->stats, file->which));
}

static ssize_t rpcrdma_show_latency(const struct rpcrdma_file *file,
				    struct rpcrdma_endpoint *ep, char *text)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < RPCRDMA_LATENCY_BUCKETS; i++)
		len += sysfs_emit_at(text, len, "%s%llu", i ? " " : "",
				     rpcrdma_latency_read(&ep->stats,
							  file->which, i));
	return len + sysfs_emit_at(text, len, "\n");
}

/* Former names of counters: scripts may still read them */
static const struct {
	const char		*name;
	enum rpcrdma_counter	counter;
} rpcrdma_counter_aliases[] = {
	{ "probes", RPCRDMA_C_KEEPALIVES },
	{ "version_probes_lost", RPCRDMA_C_VERSION_TIMEOUTS },
};

#define RPCRDMA_COUNTER_FILES						\
	(RPCRDMA_C_COUNT + ARRAY_SIZE(rpcrdma_counter_aliases))

static struct rpcrdma_file rpcrdma_counter_files[RPCRDMA_COUNTER_FILES];
static struct rpcrdma_file rpcrdma_refused_files[RPCRDMA_R_COUNT];
static struct rpcrdma_file rpcrdma_latency_files[RPCRDMA_L_COUNT];

static struct attribute *rpcrdma_attrs[ARRAY_SIZE(rpcrdma_files) + 1];
static struct attribute *rpcrdma_counter_attrs[RPCRDMA_COUNTER_FILES + 1];
/* RPCRDMA_OK is no reason */
static struct attribute *rpcrdma_refused_attrs[RPCRDMA_R_COUNT];
static struct attribute *rpcrdma_latency_attrs[RPCRDMA_L_COUNT + 1];

static umode_t rpcrdma_file_visible(struct kobject *kobj,
				    struct attribute *attr, int n)
{
	const struct rpcrdma_file *file = rpcrdma_file_from_attr(attr);

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

/* What a server waits for when its nfsd has callbacks is none of a client's credits */
static umode_t rpcrdma_latency_visible(struct kobject *kobj,
				       struct attribute *attr, int n)
{
	if (rpcrdma_endpoint_is_server(kobj) &&
	    rpcrdma_file_from_attr(attr)->which == RPCRDMA_L_CREDIT)
		return 0;
	return attr->mode;
}

static const struct attribute_group rpcrdma_group = {
	.attrs		= rpcrdma_attrs,
	.is_visible	= rpcrdma_file_visible,
};

static const struct attribute_group rpcrdma_counter_group = {
	.name		= "counters",
	.attrs		= rpcrdma_counter_attrs,
};

static const struct attribute_group rpcrdma_refused_group = {
	.name		= "refusals",
	.attrs		= rpcrdma_refused_attrs,
};

static const struct attribute_group rpcrdma_latency_group = {
	.name		= "latency",
	.attrs		= rpcrdma_latency_attrs,
	.is_visible	= rpcrdma_latency_visible,
};

const struct attribute_group *rpcrdma_endpoint_groups[] = {
	&rpcrdma_group,
	&rpcrdma_counter_group,
	&rpcrdma_refused_group,
	&rpcrdma_latency_group,
	NULL,
};

/**
 * rpcrdma_endpoint_attr_show - what a file says
 * @ep: end it is about
 * @attr: of a file in its directory
 * @text: a page
 *
 * Context: holds rpcrdma_registry_lock.
 * Return: bytes in @text, or -EIO.
 */
ssize_t rpcrdma_endpoint_attr_show(struct rpcrdma_endpoint *ep,
				   struct attribute *attr, char *text)
{
	const struct rpcrdma_file *file = rpcrdma_file_from_attr(attr);

	/* Root may have changed the mode of a file that can only be written to */
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
 * rpcrdma_endpoint_attr_store - something was written to a file
 * @ep: end it is about
 * @attr: of a file in its directory that can be written to
 * @text: what was written
 *
 * Context: holds rpcrdma_registry_lock.
 * Return: 0, -EINVAL, -ERANGE, -ENOTCONN, -EOPNOTSUPP or -EIO.
 */
int rpcrdma_endpoint_attr_store(struct rpcrdma_endpoint *ep,
				struct attribute *attr, const char *text)
{
	const struct rpcrdma_file *file = rpcrdma_file_from_attr(attr);
	unsigned int value;
	int ret;

	/* Likewise: the mode of a file may have changed, this one never does */
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

static void rpcrdma_file_init(struct rpcrdma_file *file, const char *name,
			      ssize_t (*show)(const struct rpcrdma_file *file,
					      struct rpcrdma_endpoint *ep,
					      char *text),
			      unsigned int which)
{
	file->attr.name = name;
	file->attr.mode = 0444;
	file->show = show;
	file->which = which;
}

/**
 * rpcrdma_endpoint_sysfs_init - fill the tables that follow from other tables
 *
 * Context: module init.
 */
void rpcrdma_endpoint_sysfs_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rpcrdma_files); i++)
		rpcrdma_attrs[i] = &rpcrdma_files[i].attr;
	for (i = 0; i < RPCRDMA_C_COUNT; i++)
		rpcrdma_file_init(&rpcrdma_counter_files[i],
				  rpcrdma_counter_name(i),
				  rpcrdma_show_counter, i);
	for (i = 0; i < ARRAY_SIZE(rpcrdma_counter_aliases); i++)
		rpcrdma_file_init(&rpcrdma_counter_files[RPCRDMA_C_COUNT + i],
				  rpcrdma_counter_aliases[i].name,
				  rpcrdma_show_counter,
				  rpcrdma_counter_aliases[i].counter);
	for (i = 0; i < RPCRDMA_COUNTER_FILES; i++)
		rpcrdma_counter_attrs[i] = &rpcrdma_counter_files[i].attr;
	for (i = 1; i < RPCRDMA_R_COUNT; i++) {
		rpcrdma_file_init(&rpcrdma_refused_files[i],
				  rpcrdma_reason_name(i),
				  rpcrdma_show_refused, i);
		rpcrdma_refused_attrs[i - 1] = &rpcrdma_refused_files[i].attr;
	}
	for (i = 0; i < RPCRDMA_L_COUNT; i++) {
		rpcrdma_file_init(&rpcrdma_latency_files[i],
				  rpcrdma_latency_name(i),
				  rpcrdma_show_latency, i);
		rpcrdma_latency_attrs[i] = &rpcrdma_latency_files[i].attr;
	}
}
