/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The responder role: an NFS/RDMA server for the client of the kernel. It
 * decodes each Call, lets a real NFS server execute it over TCP (the backend
 * server), and sends the Reply in any form that a scenario needs.
 *
 * A scenario mounts, uses the mount and checks the result. Meanwhile a thread
 * of the same process is the server. The thread holds one lock except while it
 * waits. A scenario that takes the lock may change all state and may send
 * messages itself.
 *
 * Every message of the client is checked against RFC 8166, 8167 and 8267; a
 * violation ends the scenario.
 */
#ifndef PEER_RESPONDER_H
#define PEER_RESPONDER_H

#include "common/header.h"
#include "common/rpc.h"
#include "common/test.h"
#include "responder/proxy.h"

#define RESPONDER_CONNS		8
#define RESPONDER_REVERSE	16
#define RESPONDER_XIDS		8192
#define RESPONDER_SCRATCH	(4 * 1024 * 1024)

/* How long Calls that were sent before a smaller grant arrived may arrive, in milliseconds */
#define OLD_GRANT_MS		500

/* Kinds of NFS Calls */
enum nfs_op {
	OP_ANY,
	OP_OTHER,
	OP_NULL,
	OP_GETATTR,
	OP_READ,
	OP_WRITE,
	OP_READLINK,
	OP_SYMLINK,
	OP_READDIR,
	OP_STATFS,
};

/*
 * struct nfs_call - a decoded RPC Call
 * @why:     NULL, or the decoding error
 * @program, @version, @procedure: from the RPC header
 * @flavor:  of the credential
 * @op:      kind of Call
 * @has_item: it has a DDP-eligible argument
 * @item:    XDR position of that argument
 * @item_len: its length without padding
 * @has_count: the arguments have that length a second time, in @count
 * @read_count: of READ: most bytes of data
 * @back_request: of CREATE_SESSION: largest Call on the backchannel; or 0
 */
struct nfs_call {
	const char	*why;
	uint32_t	program;
	uint32_t	version;
	uint32_t	procedure;
	uint32_t	flavor;
	enum nfs_op	op;
	bool		has_item;
	size_t		item;
	uint32_t	item_len;
	bool		has_count;
	uint32_t	count;
	uint32_t	read_count;
	uint32_t	back_request;
};

void nfs_parse_call(struct nfs_call *call, const uint8_t *data, size_t len);

/* Offset of the data of a successful READ in its Reply, or 0 */
size_t nfs_read_result(const struct nfs_call *call, const uint8_t *reply,
		       size_t len, uint32_t *item_len);

struct client_conn;

/*
 * struct exchange - a Call of the client, from its arrival to its Reply
 * @cc:       connection
 * @header:   transport header of the Call
 * @nfs:      the decoded Call
 * @call:     the rebuilt RPC Call
 * @reply:    RPC Reply of the backend server, once received
 * @due:      earliest time to send the Reply, in milliseconds
 * @on_reply: called then, instead of sending the Reply
 */
struct exchange {
	struct exchange		*next;
	struct client_conn	*cc;
	struct header		header;
	struct nfs_call		nfs;
	uint8_t			*call;
	size_t			call_len;
	uint8_t			*reply;
	size_t			reply_len;
	int64_t			due;
	void			(*on_reply)(struct exchange *x);
};

/*
 * struct client_conn - a connection of the client and its backend connection
 * @call_limit:  inline threshold for messages of the client
 * @reply_limit: inline threshold for our messages
 * @remote_inv:  the client supports remote invalidation
 * @version:     protocol version, or 0 before it is known
 * @opened:      its opening Call of version 2 has come
 * @opening_pending: the client waits for the response to its opening Call
 * @rbsiz:       Receive Buffer Size of the client
 * @pending:     Calls without a Reply
 * @count:       number of these Calls
 * @replied:     a Reply was sent
 * @grant:       newest grant that was sent
 * @old_grant:   an earlier, larger grant that is valid until @old_until
 * @reverse:     XIDs of outstanding reverse Calls of the backend server, or 0
 */
struct client_conn {
	struct verbs_conn	*conn;
	struct proxy		proxy;
	struct verbs_region	*scratch;
	unsigned int		call_limit;
	unsigned int		reply_limit;
	bool			remote_inv;
	unsigned int		version;
	bool			opened;
	bool			opening_pending;
	unsigned int		rbsiz;
	struct exchange		*pending;
	unsigned int		count;
	bool			replied;
	unsigned int		grant;
	unsigned int		old_grant;
	int64_t			old_until;
	uint32_t		reverse[RESPONDER_REVERSE];
};

/*
 * struct settings - behavior of the server; change it under the lock, or before
 * responder_start()
 * @grant:       credits in each Reply
 * @private:     our CM private data, @private_len bytes
 * @send_size, @recv_size: sizes in the private data, or 1024
 * @reject:      number of connections to reject
 * @delay:       delay of each Reply in milliseconds, but to a NULL Call
 * @invalidate:  use Send With Invalidate if the client supports it
 * @no_replies:  send no Replies
 * @recvs:       Receives of each connection, or 0 for the default
 * @sends:       send buffers of each connection, or 0 for the default
 * @no_reposts:  do not post Receives again
 * @skip_credit_rules: do not check how the client uses its credits
 * @versions:    value for the client's parameter "versions"; NULL: 2
 * @rbsiz, @brs: our properties
 * @on_opening:  called instead of answering the opening Call of version 2
 * @on_connprop: called instead of answering a CONNPROP
 */
struct settings {
	unsigned int	grant;
	uint8_t		private[VERBS_PRIVATE_MAX];
	uint8_t		private_len;
	unsigned int	send_size;
	unsigned int	recv_size;
	unsigned int	reject;
	unsigned int	delay;
	bool		invalidate;
	bool		no_replies;
	unsigned int	recvs;
	unsigned int	sends;
	bool		no_reposts;
	bool		skip_credit_rules;
	const char	*versions;
	unsigned int	rbsiz;
	unsigned int	brs;
	void		(*on_opening)(struct client_conn *cc,
				      const struct header *opening);
	void		(*on_connprop)(struct client_conn *cc,
				       const struct header *connprop);
};

/*
 * struct fault - a fault to inject for Calls of one kind
 * @op:       kind of Call
 * @left:     number of Calls left
 * @on_call:  called instead of sending the Call to the backend server
 * @on_reply: called instead of sending the Reply
 * @hits:     number of Calls that had the fault
 */
struct fault {
	enum nfs_op	op;
	unsigned int	left;
	void		(*on_call)(struct exchange *x);
	void		(*on_reply)(struct exchange *x);
	unsigned int	hits;
};

/*
 * struct observed - what the client has done so far
 * @calls:      Calls
 * @connects:   accepted connections
 * @rejected:   rejected connections
 * @most:       most outstanding Calls of one connection
 * @asked:      largest number of credits requested
 * @repeated:   Calls with an XID of an earlier connection
 * @reads, @long_calls, @writes, @replies: Calls with a Read chunk, as a Long Call,
 *		with a Write chunk, with a Reply chunk
 * @inline_ddp: Calls with an eligible argument inline
 * @inline_reads: READs without a Write chunk
 * @longest, @longest_reply: most bytes of a message of the client, and of a READ's Reply
 *		without a Write chunk
 * @written, @long_replies: Replies that used the Write chunk, the Reply chunk
 * @invalidated: Replies by Send With Invalidate
 * @reverse:    answered reverse Calls of the backend server
 * @reverse_replies: reverse Replies to scenarios
 * @reply_xid, @reply_credit, @payload: the newest of them
 * @errors:     RDMA_ERRORs of the client
 * @error_xid, @error_vers, @error_credit, @error: the newest of them
 * @error_max, @error_needed: in version 2
 * @openings:   opening Calls of version 2
 * @opening_xid: XID of the newest
 * @connprops:  CONNPROPs
 * @connprop_xid: XID of the newest
 * @named:      Calls that named a handle to invalidate
 * @back_request: largest Call on the backchannel, of the newest session
 */
struct observed {
	unsigned long	calls;
	unsigned int	connects;
	unsigned int	rejected;
	unsigned int	most;
	unsigned int	asked;
	unsigned int	repeated;
	unsigned long	reads;
	unsigned long	long_calls;
	unsigned long	writes;
	unsigned long	replies;
	unsigned long	inline_ddp;
	unsigned long	inline_reads;
	size_t		longest;
	size_t		longest_reply;
	unsigned long	written;
	unsigned long	long_replies;
	unsigned long	invalidated;
	unsigned long	reverse;
	unsigned int	reverse_replies;
	uint32_t	reply_xid;
	uint32_t	reply_credit;
	unsigned int	errors;
	uint32_t	error_xid;
	uint32_t	error_vers;
	uint32_t	error_credit;
	uint32_t	error;
	uint32_t	error_max;
	uint32_t	error_needed;
	unsigned int	openings;
	uint32_t	opening_xid;
	unsigned int	connprops;
	uint32_t	connprop_xid;
	unsigned long	named;
	uint32_t	back_request;
	uint8_t		payload[256];
	size_t		payload_len;
};

/*
 * struct responder - the server
 * @conns: connections, or NULL
 * @hdr:   header of the Reply that is being built
 * @body:  its payload, @body_len bytes
 */
struct responder {
	struct settings		set;
	struct fault		fault;
	struct observed		observed;
	struct client_conn	*conns[RESPONDER_CONNS];
	struct header		hdr;
	uint8_t			*body;
	size_t			body_len;
	struct {
		uint32_t	xid;
		unsigned int	connection;
	}			xids[RESPONDER_XIDS];
};

extern struct responder server;

/* responder/serve.c */
void responder_start(void);
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));
void responder_lock(void);
void responder_unlock(void);
void set_private(bool remote_inv, unsigned int send_size,
		 unsigned int recv_size);
void arm_fault(enum nfs_op op, unsigned int times,
	       void (*on_call)(struct exchange *x),
	       void (*on_reply)(struct exchange *x));
unsigned int disarm_fault(void);
struct observed observe(void);
struct client_conn *newest_conn(void);
void drop_conn(struct client_conn *cc);
void drop_connections(void);

/* responder/call.c */
void backend_call(struct exchange *x);
void take_message(struct client_conn *cc, const struct verbs_message *message);

/* responder/rules.c: each function ends the scenario if a rule is violated */
void check_message(struct client_conn *cc, const struct header *h, size_t len,
		   const uint8_t *payload, size_t payload_len);
void check_call(struct client_conn *cc, const struct exchange *x, size_t len,
		bool msg);
void check_rebuilt(const struct exchange *x);

/*
 * responder/reply.c. build_reply() transfers the data and leaves header and
 * payload in @server; a scenario may change them; post_reply() sends them. Both
 * may be repeated. exchange_done() ends the exchange.
 */
bool is_lost(struct client_conn *cc);
void write_chunk(struct client_conn *cc, struct chunk *chunk,
		 const uint8_t *data, size_t len);
void build_reply(struct exchange *x);
void post_reply(struct exchange *x);
void encode_reply(struct xdr_out *out);
void send_reply(struct exchange *x);
void exchange_done(struct exchange *x);
void send_error(struct exchange *x, uint32_t vers, uint32_t error);
void note_grant(struct client_conn *cc, unsigned int grant);
void build_error(struct exchange *x, uint32_t error);
void send_raw(struct client_conn *cc, const void *data, size_t len);
uint32_t any_handle(const struct exchange *x);

/*
 * responder/client.c: the mount under test. Operations that can block run in
 * other programs with a time limit. They return 0, or a negative errno.
 */
#define MNT	"/mnt/peer"

const char *export_dir(void);
void set_parameter(const char *name, const char *value);
void set_module_parameter(const char *module, const char *name, const char *value);
unsigned int get_parameter(const char *name);
int run_program(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void mount_nfs(const char *version, const char *more);
int try_mount(const char *version, const char *more);
void umount_nfs(void);
bool is_mounted(void);
int do_statfs(void);
int do_open(const char *name, int flags);
int do_read(int fd, void *data, size_t len, off_t at);
int do_write(int fd, const void *data, size_t len, off_t at);
void server_file(const char *name, size_t len);
void pattern(uint8_t *data, size_t len, off_t at);
void expect_result(int got, int wanted, const char *what);
unsigned long bad_replies(void);
unsigned long bad_xids(void);
unsigned long inexact_replies(void);
unsigned long sum_of_files(const char *pattern);
unsigned long client_counter(const char *name);
unsigned long xprt_connects(void);
void log_mark(void);
bool log_is_quiet(void);
void expect_log(const char *text);
unsigned int stuck_tasks(void);

/* Run @work in @count threads, and wait for all of them */
void in_threads(unsigned int count, void *(*work)(void *arg), void *arg);

extern const struct scenario responder_scenarios[];
extern const unsigned int responder_scenario_count;

#endif /* PEER_RESPONDER_H */
