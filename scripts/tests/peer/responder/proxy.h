/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A TCP connection to a real NFS server (the backend server). It carries whole
 * RPC messages, with record marking (RFC 5531 section 11).
 */
#ifndef PEER_PROXY_H
#define PEER_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * struct proxy - one connection
 * @fd:	  socket
 * @in:	  bytes received of incomplete messages
 * @len:  bytes in @in
 * @capacity: size of @in
 * @lost: the server closed the connection, or sent an invalid record
 */
struct proxy {
	int	fd;
	uint8_t	*in;
	size_t	len;
	size_t	capacity;
	bool	lost;
};

/* Return 0 or a negative errno */
int proxy_open(struct proxy *proxy, const char *address, const char *port);
int proxy_send(struct proxy *proxy, const void *message, size_t len);
void proxy_close(struct proxy *proxy);

/* Return: one complete message, which the caller frees, or NULL. Does not wait. */
uint8_t *proxy_next(struct proxy *proxy, size_t *len);

#endif /* PEER_PROXY_H */
