// SPDX-License-Identifier: GPL-2.0-only
/* NFS requests and results. nfs_files.c handles files in the export. */
#include <string.h>
#include "requester/nfs.h"

static void put_handle(struct call *call, const struct nfs_handle *handle)
{
	put_opaque(&call->payload, handle->data, handle->len);
}

static struct call *new3(enum nfs3_proc proc, const struct nfs_handle *handle)
{
	struct call *call = new_call(NFS_PROGRAM, 3, proc);

	put_handle(call, handle);
	return call;
}

struct call *new3_read(const struct nfs_handle *handle, uint64_t offset,
		       uint32_t count)
{
	struct call *call = new3(NFS3_READ, handle);

	put_u64(&call->payload, offset);
	put_u32(&call->payload, count);
	return call;
}

struct call *new3_readlink(const struct nfs_handle *handle)
{
	return new3(NFS3_READLINK, handle);
}

struct call *new3_getattr(const struct nfs_handle *handle)
{
	return new3(NFS3_GETATTR, handle);
}

struct call *new3_readdir(const struct nfs_handle *handle, uint32_t count)
{
	struct call *call = new3(NFS3_READDIR, handle);

	put_u64(&call->payload, 0);	/* cookie */
	put_u64(&call->payload, 0);	/* verifier */
	put_u32(&call->payload, count);
	return call;
}

struct call *new3_write(const struct nfs_handle *handle, uint64_t offset,
			uint32_t count, uint32_t *position)
{
	struct call *call = new3(NFS3_WRITE, handle);

	put_u64(&call->payload, offset);
	put_u32(&call->payload, count);
	put_u32(&call->payload, 2);	/* FILE_SYNC */
	put_u32(&call->payload, count);
	*position = call->payload.len;
	return call;
}

struct call *new3_symlink(const struct nfs_handle *dir, const char *name,
			  uint32_t target_len, uint32_t *position)
{
	struct call *call = new3(NFS3_SYMLINK, dir);
	unsigned int i;

	put_string(&call->payload, name);
	for (i = 0; i < 6; i++)		/* no attribute is set */
		put_u32(&call->payload, 0);
	put_u32(&call->payload, target_len);
	*position = call->payload.len;
	return call;
}

/* Offset of the number of operations: after an empty tag and the minor version */
static size_t nops_at(const struct call *call)
{
	const uint8_t *p = call->payload.data;
	size_t cred = word_at(p, 7);

	/* Eight words, credential, two words of verifier, tag, minor version */
	return 32 + cred + 8 + 8;
}

struct call *new_compound(uint32_t minor)
{
	struct call *call = new_call(NFS_PROGRAM, 4, 1);

	put_u32(&call->payload, 0);	/* tag */
	put_u32(&call->payload, minor);
	put_u32(&call->payload, 0);
	return call;
}

void put_op(struct call *call, enum nfs4_op op)
{
	uint8_t *at = call->payload.data + nops_at(call);

	set_u32(at, word_at(at, 0) + 1);
	put_u32(&call->payload, op);
}

void put_lookup(struct call *call, const char *name)
{
	put_op(call, OP_LOOKUP);
	put_string(&call->payload, name);
}

/* The anonymous stateid */
static void put_stateid(struct call *call)
{
	static const uint8_t zero[16];

	put_bytes(&call->payload, zero, sizeof(zero));
}

void put_read(struct call *call, uint64_t offset, uint32_t count)
{
	put_op(call, OP_READ);
	put_stateid(call);
	put_u64(&call->payload, offset);
	put_u32(&call->payload, count);
}

void put_write(struct call *call, uint64_t offset, uint32_t count)
{
	put_op(call, OP_WRITE);
	put_stateid(call);
	put_u64(&call->payload, offset);
	put_u32(&call->payload, 2);	/* FILE_SYNC4 */
	put_u32(&call->payload, count);
}

static void check_results(const struct reply *reply)
{
	check(!reply->results.bad, "the results are truncated");
}

uint32_t get_status3(struct reply *reply)
{
	uint32_t status = get_u32(&reply->results);

	check_results(reply);
	return status;
}

void skip_attributes3(struct reply *reply)
{
	if (get_u32(&reply->results))
		get_bytes(&reply->results, 84);
	check_results(reply);
}

uint32_t get_read3(struct reply *reply)
{
	uint32_t count;

	skip_attributes3(reply);
	count = get_u32(&reply->results);
	get_u32(&reply->results);	/* eof */
	check(get_u32(&reply->results) == count,
	      "count and length of READ differ");
	check_results(reply);
	return count;
}

uint32_t get_read4(struct reply *reply)
{
	uint32_t count;

	get_u32(&reply->results);	/* eof */
	count = get_u32(&reply->results);
	check_results(reply);
	return count;
}

uint32_t get_write3(struct reply *reply)
{
	uint32_t count;

	if (get_u32(&reply->results))	/* attributes before */
		get_bytes(&reply->results, 24);
	skip_attributes3(reply);
	count = get_u32(&reply->results);
	get_bytes(&reply->results, 12);	/* committed, verifier */
	check_results(reply);
	return count;
}

uint32_t get_compound(struct reply *reply, uint32_t *nops)
{
	uint32_t len, status = get_u32(&reply->results);

	get_opaque(&reply->results, &len);
	*nops = get_u32(&reply->results);
	check_results(reply);
	return status;
}

uint32_t get_op(struct reply *reply, enum nfs4_op op)
{
	uint32_t got = get_u32(&reply->results), status;

	status = get_u32(&reply->results);
	check_results(reply);
	check(got == op, "operation %u instead of %u in the results", got, op);
	return status;
}

void check_end(const struct reply *reply)
{
	check_results(reply);
	check(!reply->results.left, "%zu excess bytes in the Reply",
	      reply->results.left);
}

/* Returns the number of components of @path */
static unsigned int put_path(struct call *call, const char *path)
{
	unsigned int n = 0;
	char name[64];
	size_t len;

	for (; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		check(len < sizeof(name), "'%s' is too long", path);
		memcpy(name, path, len);
		name[len] = '\0';
		put_lookup(call, name);
		n++;
	}
	return n;
}

void look_up(struct verbs_conn *conn, const char *name,
	     struct nfs_handle *handle)
{
	struct call *call = new_compound(0);
	struct reply *reply;
	const uint8_t *data;
	unsigned int n;
	uint32_t nops;

	put_op(call, OP_PUTROOTFH);
	n = put_path(call, name);
	put_op(call, OP_GETFH);
	send_call(conn, call);
	reply = expect_success(conn, call);
	check(!get_compound(reply, &nops), "the server cannot look up '%s'", name);
	get_op(reply, OP_PUTROOTFH);
	while (n--)
		get_op(reply, OP_LOOKUP);
	get_op(reply, OP_GETFH);
	data = get_opaque(&reply->results, &handle->len);
	check_end(reply);
	check(handle->len <= 64, "a file handle of %u bytes", handle->len);
	memcpy(handle->data, data, handle->len);
	free_reply(conn, reply);
}
