/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Enough of NFS to make every kind of Call and Reply there is for a transport.
 *
 * Files are made and looked at in the exported directory itself, which the peer
 * sees as well (environment: PEER_EXPORT).
 */
#ifndef PEER_NFS_H
#define PEER_NFS_H

#include "requester.h"

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

/* Files in the export, by their name there */
void make_file(const char *name, size_t len, unsigned int seed);
void make_link(const char *name, const char *target_name);
void make_directory(const char *name, unsigned int entries);
void remove_file(const char *name);
bool file_exists(const char *name);
const char *export_path(const char *name);

/* The file has exactly these bytes */
void check_file(const char *name, const uint8_t *data, size_t len);

/* By an NFSv4.0 COMPOUND; "" is the root */
void look_up(struct verbs_conn *conn, const char *name,
	     struct nfs_handle *handle);

/* NFSv3. put3_ functions append arguments, new3_ functions make a whole Call */
struct call *new3_read(const struct nfs_handle *handle, uint64_t offset,
		       uint32_t count);
struct call *new3_readlink(const struct nfs_handle *handle);
struct call *new3_getattr(const struct nfs_handle *handle);
struct call *new3_readdir(const struct nfs_handle *handle, uint32_t count);

/*
 * The data is left out: the Call ends with its length word, and @position is
 * where the data belongs.
 */
struct call *new3_write(const struct nfs_handle *handle, uint64_t offset,
			uint32_t count, uint32_t *position);

/* The target is left out, in the middle; the rest of the name is all there */
struct call *new3_symlink(const struct nfs_handle *dir, const char *name,
			  uint32_t target_len, uint32_t *position);

/* NFSv4: the number of operations is counted as they are put */
struct call *new_compound(uint32_t minor);
void put_op(struct call *call, enum nfs4_op op);
void put_lookup(struct call *call, const char *name);
void put_read(struct call *call, uint64_t offset, uint32_t count);

/* Up to and with the length word of the data */
void put_write(struct call *call, uint64_t offset, uint32_t count);

/* Results. The status of the whole; ends the scenario if there is none */
uint32_t get_status3(struct reply *reply);
uint32_t get_compound(struct reply *reply, uint32_t *nops);

/* The operation that must come next, and its status */
uint32_t get_op(struct reply *reply, enum nfs4_op op);
void skip_attributes3(struct reply *reply);

/*
 * Behind a status of 0: the count of the data that follows or is in a chunk. For
 * NFSv3, attributes and end of file are skipped.
 */
uint32_t get_read3(struct reply *reply);
uint32_t get_read4(struct reply *reply);
uint32_t get_write3(struct reply *reply);

/* Every byte has been looked at */
void check_end(const struct reply *reply);

#endif /* PEER_NFS_H */
