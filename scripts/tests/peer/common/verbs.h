/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Connections of the raw peer, on librdmacm and libibverbs. Every function that
 * waits has a time limit.
 *
 * A connection has one CQ, a set of receive buffers and a set of send buffers.
 * Only verbs_connect(), verbs_accept(), verbs_recv_done() and
 * verbs_post_recvs() post Receives, so a test controls how many are posted.
 * This layer does not look into messages.
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

/* CM private data. InfiniBand pads it, so the length delivered may be larger */
#define VERBS_PRIVATE_MAX	196

/* A numeric address with its zero */
#define VERBS_ADDRESS_MAX	64

/* Most memory windows of one connection */
#define VERBS_WINDOWS		64

/*
 * struct verbs_options - parameters of a connection
 * @from:	 address of this end; empty if any will do
 * @private:	 CM private data to send, @private_len bytes
 * @recvs:	 number of receive buffers
 * @recvs_posted: Receives to post before connecting (0: all)
 * @recv_size:	 bytes of each receive buffer
 * @sends:	 number of send buffers, and depth of the send queue
 * @send_size:	 bytes of each send buffer
 * @reads:	 outstanding RDMA Reads, in each direction
 * @rnr_retry:	 RNR retries of the other end (7: no limit)
 * @timeout:	 for connecting, in milliseconds
 */
struct verbs_options {
	char		from[VERBS_ADDRESS_MAX];
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
 * struct verbs_message - a received message
 * @data:	 in the receive buffer, valid until verbs_recv_done()
 * @len:	 bytes
 * @inv:	 it was sent by Send With Invalidate
 * @inv_rkey:	 the R_key that was invalidated
 * @slot:	 index of its receive buffer
 * @at:		 time of its completion, in milliseconds
 */
struct verbs_message {
	const uint8_t	*data;
	size_t		len;
	bool		inv;
	uint32_t	inv_rkey;
	unsigned int	slot;
	int64_t		at;
};

/* struct verbs_data - a message to send */
struct verbs_data {
	const void	*data;
	size_t		len;
};

/*
 * struct verbs_conn - a connection, with the fields that a test may read
 * @id:		 RDMA CM ID
 * @pd:		 protection domain of this connection alone
 * @options:	 its parameters
 * @private:	 CM private data of the other end
 * @private_len: bytes of the private data, with padding
 * @remote_reads: RDMA Reads that the other end has outstanding at most, as it said when it
 *		 accepted
 * @lost:	 the connection is lost
 * @disconnected: the other end, or this one, has disconnected it
 * @status:	 status of the first completion that failed
 * @posted:	 Receives posted and not completed
 * @sent:	 Sends posted
 * @received:	 messages received
 * @arg:	 for the caller that opened the connection; initially NULL
 */
struct verbs_conn {
	struct rdma_cm_id		*id;
	struct ibv_pd			*pd;
	struct verbs_options		options;
	uint8_t				private[VERBS_PRIVATE_MAX];
	uint8_t				private_len;
	uint8_t				remote_reads;
	bool				lost;
	bool				disconnected;
	enum ibv_wc_status		status;
	unsigned int			posted;
	unsigned long			sent;
	unsigned long			received;
	void				*arg;

	/* private to common/verbs.c and common/connect.c */
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
 * @data:	 the memory
 * @len:	 bytes
 * @rkey:	 R_key for the other end
 * @lkey:	 L_key for this end
 * @mr:		 NULL after deregistration
 */
struct verbs_region {
	uint8_t		*data;
	size_t		len;
	uint32_t	rkey;
	uint32_t	lkey;
	struct ibv_mr	*mr;
};

/* struct verbs_listener - listens for connections */
struct verbs_listener {
	struct rdma_event_channel	*events;
	struct rdma_cm_id		*id;
};

/* Monotonic time in milliseconds */
int64_t verbs_now(void);

void verbs_options_init(struct verbs_options *options);

/*
 * Both directions of connection establishment. *conn is valid only if 0 is
 * returned
 */
int verbs_connect(struct verbs_conn **conn, const char *address,
		  const char *port, const struct verbs_options *options);
/* Without waiting for the answer of the other end */
int verbs_connect_begin(struct verbs_conn **conn, const char *address,
			const char *port, const struct verbs_options *options);
int verbs_listen(struct verbs_listener **listener, const char *address,
		 const char *port);
void verbs_unlisten(struct verbs_listener *listener);

/*
 * Wait for a connect request and accept it. @choose, if not NULL, sees the
 * private data of the other end and may change @options. If @choose returns an
 * error, the request is rejected and the error is returned.
 */
int verbs_accept(struct verbs_listener *listener, struct verbs_conn **conn,
		 struct verbs_options *options,
		 int (*choose)(struct verbs_options *options,
			       const uint8_t *private, size_t len, void *arg),
		 void *arg, int timeout);

/* Disconnect; then free everything */
void verbs_disconnect(struct verbs_conn *conn);
void verbs_close(struct verbs_conn *conn);

/* Move the QP to the error state without a disconnect. The CM ID stays */
int verbs_set_error(struct verbs_conn *conn);

/* Wait until the connection is lost: 0, or -ETIMEDOUT if it is not */
int verbs_wait_lost(struct verbs_conn *conn, int timeout);

/* The same; a work request that failed here does not count */
int verbs_wait_disconnected(struct verbs_conn *conn, int timeout);

/* Handle all events and completions until now, without waiting */
void verbs_poll(struct verbs_conn *conn);

/* File descriptors for poll(): CM events, and the completion channel */
int verbs_cm_fd(const struct verbs_conn *conn);
int verbs_comp_fd(const struct verbs_conn *conn);

/*
 * Messages. verbs_send() copies the data. Several Sends may be outstanding;
 * verbs_sends_done() waits for all of them.
 */
int verbs_send(struct verbs_conn *conn, const void *data, size_t len);
int verbs_send_inv(struct verbs_conn *conn, const void *data, size_t len,
		   uint32_t rkey);
int verbs_sends_done(struct verbs_conn *conn, int timeout);

/* Send @count messages, given to the device together, so that they arrive together */
int verbs_send_all(struct verbs_conn *conn, const struct verbs_data *data,
		   unsigned int count);
int verbs_wait_message(struct verbs_conn *conn, int timeout);
int verbs_recv(struct verbs_conn *conn, struct verbs_message *message,
	       int timeout);
int verbs_recv_done(struct verbs_conn *conn,
		    const struct verbs_message *message);
int verbs_post_recvs(struct verbs_conn *conn, unsigned int count);

/* Memory for the other end, or for our own RDMA operations. NULL on failure */
struct verbs_region *verbs_region(struct verbs_conn *conn, size_t len,
				  int access);
void verbs_region_free(struct verbs_region *region);

/* Invalidates the R_key; the memory stays allocated */
int verbs_region_deregister(struct verbs_region *region);
uint64_t verbs_address(const struct verbs_region *region, size_t offset);

/* Our own RDMA operations. They wait for the completion */
int verbs_read(struct verbs_conn *conn, const struct verbs_region *into,
	       size_t offset, size_t len, uint32_t rkey, uint64_t address,
	       int timeout);
int verbs_write(struct verbs_conn *conn, const struct verbs_region *from,
		size_t offset, size_t len, uint32_t rkey, uint64_t address,
		int timeout);

/* It uses a Receive of the other end. Not on iWARP */
int verbs_write_immediate(struct verbs_conn *conn, const struct verbs_region *from,
			  size_t len, uint32_t rkey, uint64_t address, int timeout);

/*
 * A type 2 memory window on part of a region (access IBV_ACCESS_MW_BIND). Some
 * devices let the other end invalidate windows, but not plain regions. Return:
 * 0, or a negative errno if the device has no windows.
 */
int verbs_bind_window(struct verbs_conn *conn, const struct verbs_region *region,
		      size_t offset, size_t len, uint32_t *rkey);

#endif /* PEER_VERBS_H */
