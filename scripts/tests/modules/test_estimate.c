// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sends an RPC whose Reply is larger than the estimate that the transport gets.
 *
 * Each write to the parameter "list" reads a directory of an NFSv3 mount with
 * one READDIRPLUS. It takes a path on the mount and a number of bytes:
 *
 *   echo /mnt 0 > .../list	the caller has memory for the whole Reply and marks
 *				nearly all of it as DDP-eligible (XDRBUF_READ). No
 *				server reduces a directory.
 *   echo /mnt 2000 > .../list	the caller has memory for 2000 bytes only, but
 *				requests more
 *
 * The write returns the errno of the RPC. The parameter "names" has the number
 * of names in the Reply. The RPC client of the mount sends the RPC, with its
 * own settings, such as the RPCSEC_GSS flavor.
 */

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/magic.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/nfs_fs.h>
#include <linux/sunrpc/clnt.h>

#define ESTIMATE_REQUESTED	32768	/* bytes of names and attributes */
#define ESTIMATE_PAGES		(ESTIMATE_REQUESTED / PAGE_SIZE)
#define ESTIMATE_READDIRPLUS	17
#define ESTIMATE_ATTR_BYTES	84
#define ESTIMATE_CALL_WORDS	(1 + NFS3_FHSIZE / 4 + 2 + 2 + 2)
/* status, attributes of the directory, verifier */
#define ESTIMATE_REPLY_WORDS	(1 + 1 + ESTIMATE_ATTR_BYTES / 4 + 2)

/**
 * struct estimate - arguments and result of the RPC
 * @fh:	   directory
 * @pages: memory for the names
 * @bytes: bytes of that memory
 * @eligible: mark the memory as DDP-eligible
 * @names: number of names in the Reply
 * @scratch: scratch page for items that cross a page boundary
 */
struct estimate {
	const struct nfs_fh	*fh;
	struct page		*pages[ESTIMATE_PAGES];
	unsigned int		bytes;
	bool			eligible;
	unsigned int		names;
	struct page		*scratch;
};

static unsigned int names;
module_param(names, uint, 0444);

static void estimate_encode(struct rpc_rqst *rqst, struct xdr_stream *xdr,
			    const void *data)
{
	const struct estimate *estimate = data;

	xdr_stream_encode_opaque(xdr, estimate->fh->data, estimate->fh->size);
	xdr_stream_encode_u64(xdr, 0);			/* cookie */
	xdr_stream_encode_u64(xdr, 0);			/* verifier */
	xdr_stream_encode_u32(xdr, ESTIMATE_REQUESTED);
	xdr_stream_encode_u32(xdr, ESTIMATE_REQUESTED);
	rpc_prepare_reply_pages(rqst, (struct page **)estimate->pages, 0,
				estimate->bytes, ESTIMATE_REPLY_WORDS);
	if (estimate->eligible)
		rqst->rq_rcv_buf.flags |= XDRBUF_READ;
}

/* Skip an optional item of @size bytes; 0: its length precedes it */
static bool estimate_skip_optional(struct xdr_stream *xdr, u32 size)
{
	u32 there;

	if (xdr_stream_decode_u32(xdr, &there))
		return false;
	if (there && !size && xdr_stream_decode_u32(xdr, &size))
		return false;
	return !there || xdr_inline_decode(xdr, xdr_align_size(size));
}

/* File ID, name, cookie, attributes, handle */
static bool estimate_skip_entry(struct xdr_stream *xdr)
{
	u32 len;

	return xdr_inline_decode(xdr, 8) && !xdr_stream_decode_u32(xdr, &len) &&
	       xdr_inline_decode(xdr, xdr_align_size(len)) &&
	       xdr_inline_decode(xdr, 8) &&
	       estimate_skip_optional(xdr, ESTIMATE_ATTR_BYTES) &&
	       estimate_skip_optional(xdr, 0);
}

static int estimate_decode(struct rpc_rqst *rqst, struct xdr_stream *xdr,
			   void *data)
{
	struct estimate *estimate = data;
	u32 status, more;

	if (xdr_stream_decode_u32(xdr, &status))
		return -EIO;
	if (status)
		return -EREMOTEIO;
	if (!estimate_skip_optional(xdr, ESTIMATE_ATTR_BYTES) ||
	    !xdr_inline_decode(xdr, 8))
		return -EIO;
	xdr_enter_page(xdr, estimate->bytes);
	xdr_set_scratch_buffer(xdr, page_address(estimate->scratch), PAGE_SIZE);

	estimate->names = 0;
	while (!xdr_stream_decode_u32(xdr, &more)) {
		if (!more)
			return 0;
		if (!estimate_skip_entry(xdr))
			return -EIO;
		estimate->names++;
	}
	return -EIO;
}

static int estimate_call(struct inode *dir, struct estimate *estimate)
{
	const struct rpc_procinfo proc = {
		.p_proc		= ESTIMATE_READDIRPLUS,
		.p_encode	= estimate_encode,
		.p_decode	= estimate_decode,
		.p_arglen	= ESTIMATE_CALL_WORDS,
		.p_replen	= ESTIMATE_REPLY_WORDS,
		.p_statidx	= ESTIMATE_READDIRPLUS,
		.p_name		= "READDIRPLUS",
	};
	const struct rpc_message msg = {
		.rpc_proc	= &proc,
		.rpc_argp	= estimate,
		.rpc_resp	= estimate,
		.rpc_cred	= current_cred(),
	};

	if (dir->i_sb->s_magic != NFS_SUPER_MAGIC ||
	    NFS_PROTO(dir)->version != 3)
		return -EOPNOTSUPP;
	estimate->fh = NFS_FH(dir);
	return rpc_call_sync(NFS_CLIENT(dir), &msg, 0);
}

static int estimate_list(const char *path, unsigned int bytes)
{
	struct estimate estimate = {
		.bytes	= bytes ?: ESTIMATE_REQUESTED,
		.eligible = !bytes,
		.scratch = alloc_page(GFP_KERNEL),
	};
	struct path where;
	unsigned int i = 0;
	int ret = -ENOMEM;

	if (!estimate.scratch)
		return ret;
	for (; i < ESTIMATE_PAGES; i++) {
		estimate.pages[i] = alloc_page(GFP_KERNEL);
		if (!estimate.pages[i])
			goto out;
	}
	ret = kern_path(path, LOOKUP_DIRECTORY, &where);
	if (ret)
		goto out;
	ret = estimate_call(d_inode(where.dentry), &estimate);
	path_put(&where);
	names = ret ? 0 : estimate.names;
out:
	while (i)
		__free_page(estimate.pages[--i]);
	__free_page(estimate.scratch);
	return ret;
}

static int estimate_set(const char *text, const struct kernel_param *kp)
{
	char path[64];
	unsigned int bytes;

	if (sscanf(text, "%63s %u", path, &bytes) != 2 ||
	    bytes > ESTIMATE_REQUESTED)
		return -EINVAL;
	return estimate_list(path, bytes);
}

static const struct kernel_param_ops estimate_ops = {
	.set	= estimate_set,
};

module_param_cb(list, &estimate_ops, NULL, 0200);

MODULE_DESCRIPTION("Test aid: RPCs whose Reply is larger than estimated");
MODULE_LICENSE("GPL");
