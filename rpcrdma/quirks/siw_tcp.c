// SPDX-License-Identifier: GPL-2.0-only
/*
 * The TCP connection beneath Soft-iWARP, asked whether its peer is alive.
 *
 * siw must not be asked itself, with an RDMA Read without data, as other iWARP
 * devices are. Where one meets a siw that is at work on its send queue, that takes
 * length and address of the answer from what it sent last, or from what happens to
 * be there instead: the requester breaks the connection over bytes that it has not
 * asked for, or the responder's kernel reads from address 4 and is gone.
 *
 * siw keeps its connection in a socket of the kernel, so whoever knows the addresses
 * finds it where all TCP connections are.
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
 * rpcrdma_siw_tcp_beneath - is this a connection of Soft-iWARP?
 * @conn: connection with a device
 *
 * Context: any.
 * Return: true if it is.
 */
bool rpcrdma_siw_tcp_beneath(const struct rpcrdma_conn *conn)
{
	return conn->device->ops.driver_id == RDMA_DRIVER_SIW;
}

/**
 * rpcrdma_siw_tcp_find - the TCP connection of an RDMA connection
 * @conn: established connection of Soft-iWARP
 *
 * Context: any.
 * Return: a reference, for rpcrdma_siw_tcp_put(); NULL if there is none any more, or
 * if it is in another network namespace than the connection.
 */
struct sock *rpcrdma_siw_tcp_find(const struct rpcrdma_conn *conn)
{
	const struct rpcrdma_conn_core *core = to_core(conn);
	const struct rdma_dev_addr *dev = &core->cm_id->route.addr.dev_addr;
	/* As TCP knows the addresses: the port mapper may have changed ports */
	const struct iw_cm_id *iw = rdma_iw_cm_id(core->cm_id);
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
 * rpcrdma_siw_tcp_heard - when the peer's TCP was heard of last
 * @sk: from rpcrdma_siw_tcp_find()
 *
 * Context: any.
 * Return: a number that changes with each acknowledgment and with arriving data.
 */
u32 rpcrdma_siw_tcp_heard(const struct sock *sk)
{
	/* TCP writes them as it comes by; an old value is a look too late */
	return data_race(READ_ONCE(tcp_sk(sk)->rcv_tstamp) +
			 READ_ONCE(inet_csk(sk)->icsk_ack.lrcvtime));
}

/**
 * rpcrdma_siw_tcp_put - let go of a TCP connection
 * @sk: from rpcrdma_siw_tcp_find(), or NULL
 *
 * Context: may sleep.
 */
void rpcrdma_siw_tcp_put(struct sock *sk)
{
	if (sk)
		sock_put(sk);
}
