// SPDX-License-Identifier: GPL-2.0-only
/*
 * Soft-iWARP (siw): a dead peer is found by its TCP connection.
 *
 * The keepalive of iWARP is an RDMA Read without data. siw does not handle one that
 * meets other work in its send queue: it builds the request or the response from
 * stale fields. Then the requester closes the connection, since it gets bytes that it
 * has not asked for, or the responder's kernel dereferences a bad pointer and crashes.
 *
 * So on siw, and on no other device, the keepalive is an RDMA Write, which only makes
 * TCP send something, and TCP is asked whether the peer has acknowledged anything.
 * siw keeps its connection in a kernel socket, which is found by its addresses.
 */
#include <net/inet_hashtables.h>
#include <net/inet6_hashtables.h>
#include <net/tcp.h>
#include <rdma/iw_cm.h>
#include "../core.h"

static struct sock *rpcrdma_siw_tcp_find4(struct net *net, int dif,
					  const struct sockaddr_in *here,
					  const struct sockaddr_in *there)
{
	return __inet_lookup_established(net, net->ipv4.tcp_death_row.hashinfo,
					 there->sin_addr.s_addr, there->sin_port,
					 here->sin_addr.s_addr,
					 ntohs(here->sin_port), dif, 0);
}

static struct sock *rpcrdma_siw_tcp_find6(struct net *net, int dif,
					  const struct sockaddr_in6 *here,
					  const struct sockaddr_in6 *there)
{
#if IS_ENABLED(CONFIG_IPV6)
	return __inet6_lookup_established(net,
					  net->ipv4.tcp_death_row.hashinfo,
					  &there->sin6_addr, there->sin6_port,
					  &here->sin6_addr,
					  ntohs(here->sin6_port), dif, 0);
#else
	return NULL;
#endif
}

/**
 * rpcrdma_is_siw - is the device of a connection Soft-iWARP?
 * @conn: connection whose device is known
 *
 * Context: any.
 * Return: true if so; the functions below are for such a connection only.
 */
bool rpcrdma_is_siw(const struct rpcrdma_conn *conn)
{
	return conn->device->ops.driver_id == RDMA_DRIVER_SIW;
}

/**
 * rpcrdma_siw_tcp_find - find the TCP connection of an RDMA connection
 * @conn: established connection of Soft-iWARP
 *
 * Context: any.
 * Return: a reference, for rpcrdma_siw_tcp_put(). NULL if TCP has closed it already,
 * or if it is in another network namespace than the RDMA connection.
 */
struct sock *rpcrdma_siw_tcp_find(const struct rpcrdma_conn *conn)
{
	struct rdma_cm_id *cm_id = to_core(conn)->cm_id;
	const struct rdma_dev_addr *dev = &cm_id->route.addr.dev_addr;
	/* Addresses and ports as TCP knows them: the port mapper may change ports */
	const struct iw_cm_id *iw = rdma_iw_cm_id(cm_id);
	struct sock *sk;

	rcu_read_lock();
	if (iw->m_local_addr.ss_family == AF_INET6)
		sk = rpcrdma_siw_tcp_find6(dev->net, dev->bound_dev_if,
					   (void *)&iw->m_local_addr,
					   (void *)&iw->m_remote_addr);
	else
		sk = rpcrdma_siw_tcp_find4(dev->net, dev->bound_dev_if,
					   (void *)&iw->m_local_addr,
					   (void *)&iw->m_remote_addr);
	rcu_read_unlock();
	if (sk && !sk_fullsock(sk)) {
		sock_gen_put(sk);
		sk = NULL;
	}
	return sk;
}

/**
 * rpcrdma_siw_tcp_activity - has the peer's TCP sent anything?
 * @sk: from rpcrdma_siw_tcp_find()
 *
 * Context: any.
 * Return: a number that changes with each acknowledgment and with arriving data.
 */
u32 rpcrdma_siw_tcp_activity(const struct sock *sk)
{
	/* TCP writes them without our knowledge; an old value costs one interval */
	return data_race(READ_ONCE(tcp_sk(sk)->rcv_tstamp) +
			 READ_ONCE(inet_csk(sk)->icsk_ack.lrcvtime));
}

/**
 * rpcrdma_siw_tcp_put - drop the reference to a TCP connection
 * @sk: from rpcrdma_siw_tcp_find(), or NULL
 *
 * Context: may sleep.
 */
void rpcrdma_siw_tcp_put(struct sock *sk)
{
	if (sk)
		sock_put(sk);
}
