// SPDX-License-Identifier: GPL-2.0-only
/*
 * Soft-iWARP (siw): every Send is signaled.
 *
 * siw hands an unsignaled work request of a page or more to TCP without a copy. TCP
 * reads the buffer until the peer has acknowledged the data, and again to repeat a lost
 * packet. But the completion of a later, signaled Send says only that TCP has that one.
 * A buffer that is then used again would change data that TCP still sends, and siw has
 * no checksum by default. A signaled Send is copied, whatever its size.
 *
 * RDMA Writes of the server are not concerned, although they are unsignaled: their pages
 * are not written again but released, and TCP has references of its own.
 */
#include "../core.h"

/**
 * rpcrdma_siw_needs_signaled - must every Send of a connection be signaled?
 * @conn: connection whose device is known
 *
 * Context: any.
 * Return: true if the device is siw.
 */
bool rpcrdma_siw_needs_signaled(const struct rpcrdma_conn *conn)
{
	return conn->device->ops.driver_id == RDMA_DRIVER_SIW;
}
