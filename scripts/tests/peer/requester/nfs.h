/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The NFS requests and results that the tests need: every form of Call and
 * Reply of a transport.
 *
 * Tests create and check files directly in the exported directory, which the
 * peer can access (environment: PEER_EXPORT).
 */
#ifndef PEER_NFS_H
#define PEER_NFS_H

#include "requester/requester.h"

enum nfs3_proc {
	NFS3_NULL	= 0,
	NFS3_GETATTR	= 1,
	NFS3_LOOKUP	= 3,
	NFS3_READLINK	= 5,
	NFS3_READ	= 6,
	NFS3_WRITE	= 7,
	NFS3_MKDIR	= 9,
	NFS3_SYMLINK	= 10,
	NFS3_READDIR	= 16,
};

/* Of NFSACL_PROGRAM */
enum nfsacl3_proc {
	NFSACL3_SETACL	= 2,
};

enum nfs4_op {
	OP_CREATE	= 6,
	OP_GETATTR	= 9,
	OP_GETFH	= 10,
	OP_LOOKUP	= 15,
	OP_OPEN		= 18,
	OP_OPEN_CONFIRM	= 20,
	OP_PUTROOTFH	= 24,
	OP_READ		= 25,
	OP_READDIR	= 26,
	OP_READLINK	= 27,
	OP_RESTOREFH	= 31,
	OP_SAVEFH	= 32,
	OP_WRITE	= 38,
	OP_EXCHANGE_ID	= 42,
	OP_CREATE_SESSION = 43,
	OP_DELEGRETURN	= 8,
	OP_SEQUENCE	= 53,
	OP_RECLAIM_COMPLETE = 58,
	OP_READ_PLUS	= 68,
};

struct nfs_handle {
	uint32_t	len;
	uint8_t		data[128];
};

/* Files in the export, by their name */
void make_file(const char *name, size_t len, unsigned int seed);
void make_link(const char *name, const char *target_name);
void make_directory(const char *name, unsigned int entries);
void remove_file(const char *name);
bool file_exists(const char *name);
unsigned int file_mode(const char *name);
const char *export_path(const char *name);

/* The largest payload of the server (environment: PEER_PAYLOAD), bytes */
size_t largest_payload(void);

/* Check that the file has exactly this content */
void check_file(const char *name, const uint8_t *data, size_t len);

/* Look up a path with an NFSv4.0 COMPOUND; "" is the root */
void look_up(struct verbs_conn *conn, const char *name,
	     struct nfs_handle *handle);

/* NFSv3: each function builds a whole Call */
struct call *new3_read(const struct nfs_handle *handle, uint64_t offset,
		       uint32_t count);
struct call *new3_readlink(const struct nfs_handle *handle);
struct call *new3_getattr(const struct nfs_handle *handle);
struct call *new3_readdir(const struct nfs_handle *handle, uint32_t count);

/*
 * The Call ends with the length word of the data; @position is the XDR position
 * of the data.
 */
struct call *new3_write(const struct nfs_handle *handle, uint64_t offset,
			uint32_t count, uint32_t *position);

/*
 * The Call has no target; the rest is complete, and @position is the XDR
 * position of the target
 */
struct call *new3_symlink(const struct nfs_handle *dir, const char *name,
			  uint32_t target_len, uint32_t *position);

/* NFSv4: put_op() counts the operations */
struct call *new_compound(uint32_t minor);
void put_op(struct call *call, enum nfs4_op op);
void put_lookup(struct call *call, const char *name);
void put_read(struct call *call, uint64_t offset, uint32_t count);

/* Ends with the length word of the data */
void put_write(struct call *call, uint64_t offset, uint32_t count);

/* Results: the status of the whole. The scenario ends if the Reply is too short */
uint32_t get_status3(struct reply *reply);
uint32_t get_compound(struct reply *reply, uint32_t *nops);

/* Decode the operation, which must be next, and return its status */
uint32_t get_op(struct reply *reply, enum nfs4_op op);
void skip_attributes3(struct reply *reply);

/*
 * After a status of 0: the count of the data, which follows inline or is in a
 * chunk. For NFSv3, the attributes and the EOF flag are skipped.
 */
uint32_t get_read3(struct reply *reply);
uint32_t get_read4(struct reply *reply);
uint32_t get_write3(struct reply *reply);

/* Check that all results are decoded */
void check_end(const struct reply *reply);

#endif /* PEER_NFS_H */
