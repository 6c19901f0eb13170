/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connections of the raw peer: librdmacm and libibverbs, with a time limit on
 * everything that waits.
 *
 * A connection has one CQ, a set of receive buffers and a set of send buffers.
 * Receives are posted only by verbs_connect() or verbs_accept() and by
 * verbs_recv_done() or verbs_post_recvs(), so that a test decides how many there
 * are. Nothing here knows what is in a message.
 *
 * Functions return 0 or a negative errno: -ETIMEDOUT, -ENOTCONN once the
 * connection is lost, -ECONNREFUSED, -EIO for a work request that failed.
 */
#ifndef PEER_VERBS_H
#define PEER_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <rdma/rdma_cma.h>

/* Private data of the CM; InfiniBand pads, so the length delivered may be larger */
#define VERBS_PRIVATE_MAX	196

/* Memory windows that a connection can have */
#define VERBS_WINDOWS		64

/*
 * struct verbs_options - what a connection is to be like
 * @private:	 CM private data to send, @private_len bytes
 * @recvs:	 receive buffers
 * @recvs_posted: how many of them to post before connecting (0: all)
 * @recv_size:	 bytes of each
 * @sends:	 send buffers, and depth of the send queue
 * @send_size:	 bytes of each
 * @reads:	 RDMA Reads under way, both ways
 * @rnr_retry:	 RNR retries that the other end may make (7: for ever)
 * @timeout:	 for connecting, milliseconds
 */
struct verbs_options {
	uint8_t		private[VERBS_PRIVATE_MAX];
	uint8_t		private_len;
	unsigned int	recvs;
	unsigned int	recvs_posted;
	unsigned int	recv_size;
	unsigned int	sends;
	unsigned int	send_size;
	unsigned int	reads;
	unsigned int	rnr_retry;
	int		timeout;
};

/*
 * struct verbs_message - a message that has arrived
 * @data:	 its bytes, in the receive buffer, until verbs_recv_done()
 * @len:	 how many
 * @inv:	 it came by Send With Invalidate
 * @inv_rkey:	 the handle that was invalidated
 * @slot:	 its receive buffer
 * @at:		 when it was seen, milliseconds
 */
struct verbs_message {
	const uint8_t	*data;
	size_t		len;
	bool		inv;
	uint32_t	inv_rkey;
	unsigned int	slot;
	int64_t		at;
};

/*
 * struct verbs_conn - a connection; the fields that a test may look at
 * @id:		 of the RDMA CM
 * @pd:		 of this connection alone
 * @options:	 as given
 * @private:	 CM private data of the other end
 * @private_len: bytes of it, with padding
 * @lost:	 the connection is gone
 * @status:	 status of the first completion that failed
 * @posted:	 Receives posted and not completed
 * @sent:	 Sends posted
 * @received:	 messages received
 * @arg:	 of whoever opened it; NULL at first
 */
struct verbs_conn {
	struct rdma_cm_id		*id;
	struct ibv_pd			*pd;
	struct verbs_options		options;
	uint8_t				private[VERBS_PRIVATE_MAX];
	uint8_t				private_len;
	bool				lost;
	enum ibv_wc_status		status;
	unsigned int			posted;
	unsigned long			sent;
	unsigned long			received;
	void				*arg;

	/* private to verbs.c */
	struct rdma_event_channel	*events;
	struct ibv_comp_channel		*comp;
	struct ibv_cq			*cq;
	bool				established;
	bool				refused;
	struct verbs_buffers		*buffers;
	struct ibv_mw			*windows[VERBS_WINDOWS];
	unsigned int			nwindows;
};

/*
 * struct verbs_region - registered memory
 * @data:	 its bytes
 * @len:	 how many
 * @rkey:	 handle for the other end
 * @lkey:	 handle for this end
 * @mr:		 NULL once it is deregistered
 */
struct verbs_region {
	uint8_t		*data;
	size_t		len;
	uint32_t	rkey;
	uint32_t	lkey;
	struct ibv_mr	*mr;
};

/*
 * struct verbs_listener - waits for connections
 */
struct verbs_listener {
	struct rdma_event_channel	*events;
	struct rdma_cm_id		*id;
};

/* Milliseconds on a clock that only goes forward */
int64_t verbs_now(void);

void verbs_options_init(struct verbs_options *options);

/* Both ends. *conn is valid only if 0 is returned */
int verbs_connect(struct verbs_conn **conn, const char *address,
		  const char *port, const struct verbs_options *options);
int verbs_listen(struct verbs_listener **listener, const char *address,
		 const char *port);
void verbs_unlisten(struct verbs_listener *listener);

/*
 * Wait for a connect request and accept it. @options may be changed by @choose
 * when it has seen the other end's private data (@choose may be NULL); what it
 * returns, if not 0, rejects the request and is returned.
 */
int verbs_accept(struct verbs_listener *listener, struct verbs_conn **conn,
		 struct verbs_options *options,
		 int (*choose)(struct verbs_options *options,
			       const uint8_t *private, size_t len, void *arg),
		 void *arg, int timeout);

/* The polite end, and then everything is freed */
void verbs_disconnect(struct verbs_conn *conn);
void verbs_close(struct verbs_conn *conn);

/* The QP goes to error without a word to the other end; the CM id stays */
int verbs_set_error(struct verbs_conn *conn);

/* Wait until the connection is lost: 0, or -ETIMEDOUT if it lives on */
int verbs_wait_lost(struct verbs_conn *conn, int timeout);

/* See what has happened until now, without waiting */
void verbs_poll(struct verbs_conn *conn);

/* Descriptors to poll() for: the CM's and the completion channel's */
int verbs_cm_fd(const struct verbs_conn *conn);
int verbs_comp_fd(const struct verbs_conn *conn);

/*
 * Messages. Data is copied by verbs_send(), and several Sends may be under way;
 * verbs_sends_done() waits for all of them.
 */
int verbs_send(struct verbs_conn *conn, const void *data, size_t len);
int verbs_send_inv(struct verbs_conn *conn, const void *data, size_t len,
		   uint32_t rkey);
int verbs_sends_done(struct verbs_conn *conn, int timeout);
int verbs_wait_message(struct verbs_conn *conn, int timeout);
int verbs_recv(struct verbs_conn *conn, struct verbs_message *message,
	       int timeout);
int verbs_recv_done(struct verbs_conn *conn,
		    const struct verbs_message *message);
int verbs_post_recvs(struct verbs_conn *conn, unsigned int count);

/* Memory for the other end, or for RDMA of our own. NULL if there is none */
struct verbs_region *verbs_region(struct verbs_conn *conn, size_t len,
				  int access);
void verbs_region_free(struct verbs_region *region);

/* The handle dies, the memory stays */
int verbs_region_deregister(struct verbs_region *region);
uint64_t verbs_address(const struct verbs_region *region, size_t offset);

/* RDMA of our own; they wait for the completion */
int verbs_read(struct verbs_conn *conn, const struct verbs_region *into,
	       size_t offset, size_t len, uint32_t rkey, uint64_t address,
	       int timeout);
int verbs_write(struct verbs_conn *conn, const struct verbs_region *from,
		size_t offset, size_t len, uint32_t rkey, uint64_t address,
		int timeout);

/*
 * A type 2 memory window on part of a region (access IBV_ACCESS_MW_BIND): it can
 * be invalidated by the other end on devices that refuse that for plain regions.
 * Return: 0, or a negative errno where the device has no windows.
 */
int verbs_bind_window(struct verbs_conn *conn, const struct verbs_region *region,
		      size_t offset, size_t len, uint32_t *rkey);

#endif /* PEER_VERBS_H */
