// SPDX-License-Identifier: GPL-2.0-only
/*
 * Type of service and timers of a connection: what the administrator has chosen is given
 * to the RDMA connection manager (CM), and what the CM has given to the queue pair is kept
 * for sysfs.
 *
 * The CM decides what a choice means:
 *
 * - RoCE: the type of service of a client is the traffic class of its packets. The connect
 *   request carries it, and the CM gives the same to the queue pair of the server, which
 *   cannot choose another one.
 * - InfiniBand: it is the QoS class in a client's query for a path, if addresses are IPv4.
 *   Service level and traffic class are those of the path that the subnet manager returns.
 * - iWARP: the driver gets that of a client's connection, and that of a server's listener,
 *   and may ignore it, as Soft-iWARP does. There are no timers to choose.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include "../core.h"

/* The address as a rule has it; false if it is of neither kind */
static bool rpcrdma_traffic_peer(const struct rpcrdma_conn *conn,
				 const u8 **addr, bool *ipv6)
{
	const struct sockaddr_storage *peer = &conn->peer;

	*ipv6 = peer->ss_family == AF_INET6;
	if (*ipv6)
		*addr = ((struct sockaddr_in6 *)peer)->sin6_addr.s6_addr;
	else
		*addr = (u8 *)&((struct sockaddr_in *)peer)->sin_addr;
	return *ipv6 || peer->ss_family == AF_INET;
}

/**
 * rpcrdma_traffic_chosen - what the administrator has chosen for a peer
 * @conn: connection
 * @chosen: is filled, by enum rpcrdma_traffic_value
 *
 * Context: process context.
 */
void rpcrdma_traffic_chosen(const struct rpcrdma_conn *conn, u8 *chosen)
{
	struct rpcrdma_traffic *traffic = conn->ops->traffic;
	const struct rpcrdma_traffic_rule *rule = NULL;
	const u8 *addr;
	unsigned int i;
	bool ipv6;

	spin_lock(&traffic->lock);
	if (rpcrdma_traffic_peer(conn, &addr, &ipv6))
		rule = rpcrdma_traffic_match(&traffic->rules, addr, ipv6);
	for (i = 0; i < RPCRDMA_TRAFFIC_COUNT; i++)
		chosen[i] = rule && rule->set & BIT(i) ?
			    rule->value[i] :
			    rpcrdma_param_value(&traffic->param[i]);
	spin_unlock(&traffic->lock);
}

/**
 * rpcrdma_traffic_route - tell the CM what it needs before it looks for a route
 * @conn: connection with a cm_id; a server's has its route already
 *
 * Context: may sleep.
 */
void rpcrdma_traffic_route(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	u8 *chosen = core->chosen;

	rpcrdma_traffic_chosen(conn, chosen);
	if (chosen[RPCRDMA_TRAFFIC_TOS] && !conn->server)
		rdma_set_service_type(core->cm_id, chosen[RPCRDMA_TRAFFIC_TOS]);
}

/**
 * rpcrdma_traffic_offer - tell the CM what it needs to connect or to accept
 * @conn: connection with a queue pair
 * @param: for rdma_connect() or rdma_accept()
 *
 * The peer uses both RNR values: it gets the retry count with the connect request or the
 * accept, and the timer with each RNR NAK. The ACK timeout is not set before: a route on
 * RoCE would get it too, and with it the CM's own messages, its timewait, and the peer.
 *
 * Context: may sleep.
 */
void rpcrdma_traffic_offer(struct rpcrdma_conn *conn,
			   struct rdma_conn_param *param)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	const u8 *chosen = core->chosen;

	param->rnr_retry_count = chosen[RPCRDMA_TRAFFIC_RNR_RETRIES];
	rdma_set_min_rnr_timer(core->cm_id, chosen[RPCRDMA_TRAFFIC_RNR_TIMER]);
	if (chosen[RPCRDMA_TRAFFIC_ACK_TIMEOUT])
		rdma_set_ack_timeout(core->cm_id,
				     chosen[RPCRDMA_TRAFFIC_ACK_TIMEOUT]);
}

/**
 * rpcrdma_traffic_repeats - does the peer repeat a Send that finds no Receive?
 * @conn: connection after rpcrdma_traffic_route()
 *
 * Context: any.
 * Return: true if it does, for a while; false if such a Send ends the connection.
 */
bool rpcrdma_traffic_repeats(const struct rpcrdma_conn *conn)
{
	return to_core(conn)->chosen[RPCRDMA_TRAFFIC_RNR_RETRIES] &&
	       !rdma_protocol_iwarp(conn->device, conn->port_num);
}
EXPORT_SYMBOL_GPL(rpcrdma_traffic_repeats);

/* What the CM gives to the queue pair on its way to @state; false on iWARP */
static bool rpcrdma_traffic_ask(struct rdma_cm_id *cm_id,
				enum ib_qp_state state, int wanted,
				struct ib_qp_attr *attr)
{
	int mask = 0;

	attr->qp_state = state;
	return !rdma_init_qp_attr(cm_id, attr, &mask) &&
	       (mask & wanted) == wanted;
}

/**
 * rpcrdma_traffic_established - note what the queue pair has got
 * @conn: connection that the CM has established, before its state says so
 *
 * Context: CM handler.
 */
void rpcrdma_traffic_established(struct rpcrdma_conn *conn)
{
	struct rpcrdma_conn_core *core = to_core(conn);
	struct ib_qp_attr attr = {};

	if (!rpcrdma_traffic_ask(core->cm_id, IB_QPS_RTR,
				 IB_QP_AV | IB_QP_MIN_RNR_TIMER, &attr))
		return;
	/* Without a GRH, as within a subnet of InfiniBand, it is 0 */
	core->traffic[RPCRDMA_TRAFFIC_TOS] =
		rdma_ah_read_grh(&attr.ah_attr)->traffic_class;
	core->traffic[RPCRDMA_TRAFFIC_RNR_TIMER] = attr.min_rnr_timer;
	if (!rpcrdma_traffic_ask(core->cm_id, IB_QPS_RTS,
				 IB_QP_TIMEOUT | IB_QP_RNR_RETRY, &attr))
		return;
	core->traffic[RPCRDMA_TRAFFIC_ACK_TIMEOUT] = attr.timeout;
	core->traffic[RPCRDMA_TRAFFIC_RNR_RETRIES] = attr.rnr_retry;
	/* Pairs with rpcrdma_traffic_in_force() */
	smp_store_release(&core->traffic_known, true);
}

/**
 * rpcrdma_traffic_in_force - what the queue pair of a connection has got
 * @conn: connection
 * @which: the value
 *
 * Context: any.
 * Return: the value; or -1 before the connection is established, and always on iWARP,
 * where the CM does not know it.
 */
int rpcrdma_traffic_in_force(const struct rpcrdma_conn *conn,
			     enum rpcrdma_traffic_value which)
{
	const struct rpcrdma_conn_core *core = to_core(conn);

	/* Pairs with rpcrdma_traffic_established() */
	return smp_load_acquire(&core->traffic_known) ? core->traffic[which] : -1;
}

/* Replaces all rules, or none */
static int rpcrdma_traffic_rules_set(const char *text,
				     const struct kernel_param *kp)
{
	struct rpcrdma_traffic *traffic = kp->arg;
	struct rpcrdma_traffic_rules *rules;
	const char *fault;

	rules = kmalloc(sizeof(*rules), GFP_KERNEL);
	if (!rules)
		return -ENOMEM;
	fault = rpcrdma_traffic_parse(text, traffic->taken, rules);
	if (fault) {
		pr_err("%s: %s: rule %u: %s\n", kp->mod->name, kp->name,
		       rules->count + 1, fault);
	} else {
		spin_lock(&traffic->lock);
		traffic->rules = *rules;
		spin_unlock(&traffic->lock);
	}
	kfree(rules);
	return fault ? -EINVAL : 0;
}

static int rpcrdma_traffic_rule_get(const struct rpcrdma_traffic_rule *rule,
				    char *text, int len)
{
	int start = len;
	unsigned int i;

	if (rule->ipv6)
		len += sysfs_emit_at(text, len, "%pI6c/%u", rule->addr,
				     rule->prefix);
	else
		len += sysfs_emit_at(text, len, "%pI4/%u", rule->addr,
				     rule->prefix);
	for (i = 0; i < RPCRDMA_TRAFFIC_COUNT; i++)
		if (rule->set & BIT(i))
			len += sysfs_emit_at(text, len, ",%s=%u",
					     rpcrdma_traffic_name(i),
					     rule->value[i]);
	return len - start;
}

static int rpcrdma_traffic_rules_get(char *text, const struct kernel_param *kp)
{
	struct rpcrdma_traffic *traffic = kp->arg;
	unsigned int i;
	int len = 0;

	spin_lock(&traffic->lock);
	for (i = 0; i < traffic->rules.count; i++) {
		if (i)
			len += sysfs_emit_at(text, len, ";");
		len += rpcrdma_traffic_rule_get(&traffic->rules.rule[i], text,
						len);
	}
	spin_unlock(&traffic->lock);
	return len + sysfs_emit_at(text, len, "\n");
}

/* For a parameter whose argument is a struct rpcrdma_traffic */
const struct kernel_param_ops rpcrdma_traffic_rules_ops = {
	.set	= rpcrdma_traffic_rules_set,
	.get	= rpcrdma_traffic_rules_get,
};
EXPORT_SYMBOL_GPL(rpcrdma_traffic_rules_ops);
