// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "common/xdr.h"
#include "responder/proxy.h"

#define PROXY_LAST	0x80000000U
#define PROXY_MARK	4
#define PROXY_MAX	(4 * 1024 * 1024)

int proxy_open(struct proxy *proxy, const char *address, const char *port)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM,
	}, *res;
	int one = 1, ret = 0;

	memset(proxy, 0, sizeof(*proxy));
	if (getaddrinfo(address, port, &hints, &res))
		return -EINVAL;
	proxy->fd = socket(res->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (proxy->fd < 0 ||
	    connect(proxy->fd, res->ai_addr, res->ai_addrlen))
		ret = -errno;
	freeaddrinfo(res);
	if (ret) {
		proxy_close(proxy);
		return ret;
	}
	setsockopt(proxy->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	fcntl(proxy->fd, F_SETFL, fcntl(proxy->fd, F_GETFL) | O_NONBLOCK);
	return 0;
}

void proxy_close(struct proxy *proxy)
{
	if (proxy->fd >= 0)
		close(proxy->fd);
	free(proxy->in);
	proxy->in = NULL;
	proxy->fd = -1;
}

static bool proxy_grow(struct proxy *proxy)
{
	size_t capacity = proxy->capacity ? 2 * proxy->capacity : 65536;
	uint8_t *in;

	if (proxy->len < proxy->capacity)
		return true;
	in = capacity <= PROXY_MAX ? realloc(proxy->in, capacity) : NULL;
	if (!in)
		return false;
	proxy->in = in;
	proxy->capacity = capacity;
	return true;
}

static void proxy_read(struct proxy *proxy)
{
	ssize_t got;

	while (!proxy->lost) {
		if (!proxy_grow(proxy))
			break;
		got = recv(proxy->fd, proxy->in + proxy->len,
			   proxy->capacity - proxy->len, 0);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (got <= 0)
			break;
		proxy->len += got;
	}
	proxy->lost = true;
}

/* Read while sending: the server may not read on until its output is read */
static int proxy_write(struct proxy *proxy, const uint8_t *data, size_t len)
{
	struct pollfd fd = { .fd = proxy->fd, .events = POLLIN | POLLOUT };
	ssize_t put;

	while (len) {
		put = send(proxy->fd, data, len, MSG_NOSIGNAL);
		if (put > 0) {
			data += put;
			len -= put;
			continue;
		}
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		proxy_read(proxy);
		if (proxy->lost)
			return -ENOTCONN;
		poll(&fd, 1, 100);
	}
	return 0;
}

int proxy_send(struct proxy *proxy, const void *message, size_t len)
{
	uint8_t mark[PROXY_MARK];
	int ret;

	set_u32(mark, PROXY_LAST | len);
	ret = proxy_write(proxy, mark, sizeof(mark));
	return ret ?: proxy_write(proxy, message, len);
}

/* The Linux server sends each message as one fragment */
uint8_t *proxy_next(struct proxy *proxy, size_t *len)
{
	uint8_t *message;
	uint32_t mark;

	proxy_read(proxy);
	if (proxy->len < PROXY_MARK)
		return NULL;
	mark = word_at(proxy->in, 0);
	*len = mark & ~PROXY_LAST;
	if (!(mark & PROXY_LAST) || *len > PROXY_MAX) {
		proxy->lost = true;
		return NULL;
	}
	if (proxy->len < PROXY_MARK + *len)
		return NULL;
	message = malloc(*len + 1);
	if (!message)
		return NULL;
	memcpy(message, proxy->in + PROXY_MARK, *len);
	proxy->len -= PROXY_MARK + *len;
	memmove(proxy->in, proxy->in + PROXY_MARK + *len, proxy->len);
	return message;
}
