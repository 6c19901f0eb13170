/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A TCP connection to a real NFS server: whole RPC messages go in and come out,
 * with record marking (RFC 5531 section 11) between.
 */
#ifndef PEER_PROXY_H
#define PEER_PROXY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * struct proxy - one connection
 * @fd:	  its socket
 * @in:	  bytes that have come and are not yet a whole message
 * @len:  how many
 * @room: bytes that @in can hold
 * @lost: the server has closed it, or sent nonsense
 */
struct proxy {
	int	fd;
	uint8_t	*in;
	size_t	len;
	size_t	room;
	bool	lost;
};

/* Return 0 or a negative errno */
int proxy_open(struct proxy *proxy, const char *address, const char *port);
int proxy_send(struct proxy *proxy, const void *message, size_t len);
void proxy_close(struct proxy *proxy);

/*
 * One whole message that has arrived, which the caller frees, or NULL. Does not
 * wait.
 */
uint8_t *proxy_next(struct proxy *proxy, size_t *len);

#endif /* PEER_PROXY_H */
