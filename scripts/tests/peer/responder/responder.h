/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The responder's role: an NFS/RDMA server for the kernel's client. It takes the
 * Calls apart itself, has a real NFS server execute them over TCP, and sends the
 * Replies back in whatever shape a scenario wants.
 *
 * A scenario is straight code: it mounts, does something on the mount, and looks
 * at what came of it. A thread of the same process is the server in the meantime.
 * It holds one big lock except while it waits, so a scenario that takes the lock
 * may touch everything, and may send something itself.
 *
 * Every message of the client is checked against the rules of RFC 8166, 8167 and
 * 8267 as it comes; one that breaks a rule ends the scenario.
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

/* What an NFS Call asks for, as far as it matters here */
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
 * struct nfs_call - what was found in an RPC Call
 * @why:     NULL, or what is wrong with it
 * @program, @version, @procedure: from its header
 * @flavor:  of the credential
 * @op:      what it asks for
 * @has_item: it has an argument that may be placed directly
 * @item:    where that argument is in the Call, bytes
 * @item_len: its bytes, without pad
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
};

void nfs_parse_call(struct nfs_call *call, const uint8_t *data, size_t len);

/* Where the data of a successful READ is in its Reply: 0 if there is none */
size_t nfs_read_result(const struct nfs_call *call, const uint8_t *reply,
		       size_t len, uint32_t *item_len);

struct client_conn;

/*
 * struct exchange - a Call of the client, from its arrival to its Reply
 * @cc:     connection
 * @header:   of the Call
 * @nfs:      what it asks for
 * @call:     the whole RPC Call, rebuilt
 * @reply:    RPC Reply of the real server, when it has come
 * @due:      when the Reply may go, milliseconds
 * @on_reply: does what is to be done then
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
 * struct client_conn - a connection of the client, with one to the real server
 * @call_limit:  bytes that the client may send in one message
 * @reply_limit: bytes that we may send
 * @remote_inv:  the client understands Send With Invalidate
 * @version:     of the protocol, or 0 while that is open
 * @opening_pending:     the client has sent its probe and waits for an answer
 * @rbsiz:       Receive Buffer Size that the client has told
 * @pending:     Calls without a Reply
 * @count:       how many
 * @replied:     a Reply has gone
 * @grant:       newest grant that the client knows of
 * @old_grant:   the one before, if larger, and good until @old_until
 * @reverse:     XIDs of the real server's reverse Calls without a Reply, or 0
 */
struct client_conn {
	struct verbs_conn	*conn;
	struct proxy		proxy;
	struct verbs_region	*scratch;
	unsigned int		call_limit;
	unsigned int		reply_limit;
	bool			remote_inv;
	unsigned int		version;
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
 * struct settings - how the server behaves; change it under the lock, or before
 * responder_start()
 * @grant:       credits in each Reply
 * @private:     CM private data to answer with, @private_len bytes
 * @send_size, @recv_size: what the private data says, or 1024
 * @reject:      connections to reject
 * @delay:       milliseconds that each Reply is kept back
 * @invalidate:  use Send With Invalidate where the client understands it
 * @no_replies:        answer nothing
 * @recvs:       Receives of each connection, or 0 for the usual number
 * @no_reposts:      post no Receive again
 * @skip_credit_rules:    do not judge how the client uses its credits
 * @versions:    what the client is to take, as its module parameter has it; NULL: 2
 * @rbsiz, @brs: properties to tell
 * @on_opening:    called instead of answering a probe, with its header
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
	bool		no_reposts;
	bool		skip_credit_rules;
	const char	*versions;
	unsigned int	rbsiz;
	unsigned int	brs;
	void		(*on_opening)(struct client_conn *cc,
				      const struct header *opening);
};

/*
 * struct mischief - what to do with Calls of one kind
 * @op:       kind of Call
 * @left:     how many more Calls
 * @on_call:  called instead of asking the real server
 * @on_reply: called instead of sending the Reply
 * @hits:     how often it was used
 */
struct fault {
	enum nfs_op	op;
	unsigned int	left;
	void		(*on_call)(struct exchange *x);
	void		(*on_reply)(struct exchange *x);
	unsigned int	hits;
};

/*
 * struct seen - what the client has done until now
 * @calls:      Calls that were checked
 * @connects:   connections that were accepted
 * @rejected:   connection requests that were rejected
 * @most:       most Calls without a Reply at one time, on one connection
 * @asked:      largest number of credits asked for
 * @repeated:   Calls with an XID that an earlier connection has seen
 * @reads, @long_calls, @writes, @replies: Calls with a Read chunk, as a Long Call,
 *		with a Write chunk, with a Reply chunk
 * @inline_ddp: Calls whose item was fit for a Read chunk and came inline
 * @written, @long_replies: Replies that used the Write chunk, the Reply chunk
 * @invalidated: Replies by Send With Invalidate
 * @reverse:    reverse Calls of the real server that were answered
 * @reverse_replies: Replies of the client to reverse Calls
 * @reply_xid, @reply_credit, @payload: the newest of them
 * @errors:     RDMA_ERRORs of the client
 * @error_xid, @error_vers, @error_credit, @error: the newest of them
 * @error_max, @error_needed: in version 2
 * @openings:     probes
 * @opening_xid:  of the newest
 * @named:      Calls that named a handle for invalidation
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
	unsigned long	named;
	uint8_t		payload[256];
	size_t		payload_len;
};

/*
 * struct responder - the server
 * @conns: its connections; NULL where there is none
 * @hdr: header of the Reply being made
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

/* responder/rules.c: each ends the scenario if its rule is broken */
void check_message(struct client_conn *cc, const struct header *h, size_t len,
		   const uint8_t *payload, size_t payload_len);
void check_call(struct client_conn *cc, const struct exchange *x, size_t len,
		bool msg);
void check_rebuilt(const struct exchange *x);

/*
 * responder/reply.c. To make a Reply: build_reply() moves the data and leaves
 * header and payload in @server; they may be changed; post_reply() sends them.
 * Both may be done again. exchange_done() ends it.
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
 * responder/client.c: the mount under test. What takes a while is done by other
 * programs, with a time limit. Operations return 0, or a negative errno.
 */
#define MNT	"/mnt/peer"

const char *export_dir(void);
void set_parameter(const char *name, const char *value);
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
unsigned long xprt_connects(void);
void log_mark(void);
bool log_is_limited(void);
bool log_is_quiet(void);
void expect_log(const char *text);
unsigned int stuck_tasks(void);

/* Run @work in @count threads at once, and wait for all */
void in_threads(unsigned int count, void *(*work)(void *arg), void *arg);

extern const struct scenario responder_scenarios[];
extern const unsigned int responder_scenario_count;

#endif /* PEER_RESPONDER_H */
