// SPDX-License-Identifier: GPL-2.0-only
/*
 * Marshaling: build the message of a Call as its plan says. Build the chunks
 * (chunks.c), encode the transport header, and add the inline payload.
 *
 * All of this happens before anything is posted. A failure half way leaves
 * only MRs on the list of the request and mapped pages in the Send context;
 * the caller takes both back. Each transmission gets new handles, and so a new
 * header (RFC 8166, T-42).
 */
#include <linux/highmem.h>
#include <linux/slab.h>
#include <linux/sunrpc/auth.h>
#include <rpcrdma/gpu.h>
#include "layout.h"
#include "xprtrdma.h"

static u8 *xprtrdma_copy(u8 *to, const void *from, u32 len)
{
	memcpy(to, from, len);
	return to + len;
}

static u8 *xprtrdma_copy_pages(u8 *to, const struct xdr_buf *xdr)
{
	struct page **page = xprtrdma_pages(xdr);
	u32 offset = offset_in_page(xdr->page_base);
	u32 left = xdr->page_len;
	u32 len;

	for (; left; left -= len, offset = 0) {
		len = min_t(u32, PAGE_SIZE - offset, left);
		memcpy_from_page(to, *page++, offset, len);
		to += len;
	}
	return to;
}

/*
 * One SGE for header and head, @front bytes that are in the buffer already; one
 * for each page; and one for the tail, which is copied behind the head.
 */
static int xprtrdma_gather(struct rpcrdma_send *send,
			   const struct xdr_buf *xdr, u32 front)
{
	struct page **page = xprtrdma_pages(xdr);
	u32 offset = offset_in_page(xdr->page_base);
	u32 tail = xdr->tail[0].iov_len;
	u32 left = xdr->page_len;
	u32 len;
	int ret;

	rpcrdma_send_set_front(send, front);
	for (; left; left -= len, offset = 0) {
		len = min_t(u32, PAGE_SIZE - offset, left);
		ret = rpcrdma_send_add_page(send, *page++, offset, len);
		if (ret)
			return ret;
	}
	if (!tail)
		return 0;
	memcpy(send->buf.data + front, xdr->tail[0].iov_base, tail);
	rpcrdma_send_add_buf(send, front, tail);
	return 0;
}

/* Add the inline payload after the header */
static int xprtrdma_payload(struct rpcrdma_send *send,
			    const struct xdr_buf *xdr,
			    const struct xprtrdma_plan *plan, u32 header)
{
	u8 *start = send->buf.data;
	u8 *end = start + header;

	if (plan->call != XPRTRDMA_CALL_LONG)
		end = xprtrdma_copy(end, xdr->head[0].iov_base,
				    xdr->head[0].iov_len);
	switch (plan->call) {
	case XPRTRDMA_CALL_GATHERED:
		return xprtrdma_gather(send, xdr, end - start);
	case XPRTRDMA_CALL_COPIED:
		end = xprtrdma_copy_pages(end, xdr);
		end = xprtrdma_copy(end, xdr->tail[0].iov_base,
				    xdr->tail[0].iov_len);
		break;
	case XPRTRDMA_CALL_READ_CHUNK:
		end = xprtrdma_copy(end, xdr->tail[0].iov_base + plan->skip,
				    xdr->tail[0].iov_len - plan->skip);
		break;
	case XPRTRDMA_CALL_LONG:
		break;
	}
	rpcrdma_send_set_front(send, end - start);
	return 0;
}

/*
 * May data items be reduced, that is moved into chunks? Not with integrity or
 * privacy protection: RFC 8166 8.2.2.3 (V1-SEC-06). With plain krb5 they may:
 * RFC 8166 8.2.2.2 (V1-SEC-03). krb5 is compared first, because its
 * RPCAUTH_AUTH_DATATOUCH may be set by chance: gss_create_new() allocates the
 * rpc_auth with kmalloc(), and only sets bits in au_flags.
 */
static bool xprtrdma_may_reduce(const struct rpc_auth *auth)
{
	return auth->au_flavor == RPC_AUTH_GSS_KRB5 ||
	       !test_bit(RPCAUTH_AUTH_DATATOUCH, &auth->au_flags);
}

static int xprtrdma_refuse_gpu(const struct xprtrdma_req *req, const char *why)
{
	pr_warn_ratelimited("xprtrdma: %pISpc: an RPC with GPU memory fails: %s\n",
			    &req->rqst.rq_xprt->addr, why);
	return -EIO;
}

/* 1, 0, or an error if only a part of the pages is GPU memory, or its provider leaves */
static int xprtrdma_gpu_pages(const struct xdr_buf *xdr)
{
	struct xprtrdma_layout layout;

	xprtrdma_layout(&layout, xdr);
	return rpcrdma_gpu_pages(xprtrdma_pages(xdr),
				 xprtrdma_extent_pages(&layout.pages));
}

/*
 * Find out which pages are GPU memory. What was GPU memory when the Call was sent before
 * is not taken for ordinary memory after its provider has left.
 */
static int xprtrdma_find_gpu(struct xprtrdma_req *req)
{
	int call = xprtrdma_gpu_pages(&req->rqst.rq_snd_buf);
	int reply = xprtrdma_gpu_pages(&req->rqst.rq_rcv_buf);
	u8 gpu = 0;

	if (call == -ENODEV || reply == -ENODEV)
		return xprtrdma_refuse_gpu(req, "its provider has left");
	if (call < 0 || reply < 0)
		return xprtrdma_refuse_gpu(req, "other memory is mixed with it");
	if (call)
		gpu |= XPRTRDMA_GPU_CALL;
	if (reply)
		gpu |= XPRTRDMA_GPU_REPLY;
	if (req->gpu & ~gpu)
		return xprtrdma_refuse_gpu(req, "its provider has left");
	req->gpu = gpu;
	return 0;
}

static void xprtrdma_plan_args_init(struct xprtrdma_plan_args *args,
				    struct xprtrdma_xprt *r_xprt,
				    struct rpc_rqst *rqst)
{
	const struct rpcrdma_conn *conn = r_xprt->conn;
	const struct xprtrdma_req *req = xprtrdma_from_rqst(rqst);
	bool ddp = xprtrdma_may_reduce(rqst->rq_cred->cr_auth);

	*args = (struct xprtrdma_plan_args) {
		.codec		= conn->codec,
		.retry		= req->retry,
		.call_ddp	= ddp && rqst->rq_snd_buf.flags & XDRBUF_WRITE,
		.reply_ddp	= ddp && rqst->rq_rcv_buf.flags & XDRBUF_READ,
		.call_gpu	= req->gpu & XPRTRDMA_GPU_CALL,
		.reply_gpu	= req->gpu & XPRTRDMA_GPU_REPLY,
		.inline_send	= conn->inline_send,
		.inline_recv	= conn->inline_recv,
		.mr_pages	= conn->limits.mr_pages,
		.send_sges	= conn->limits.send_sges,
		.copy_max	= xprtrdma_tunable(XPRTRDMA_T_COPY_MAX),
	};
	xprtrdma_layout(&args->call, &rqst->rq_snd_buf);
	xprtrdma_layout(&args->reply, &rqst->rq_rcv_buf);
}

/* NFS leaves the pages of a GETACL result to us: RFC 8267 5.2 (ULB-ACL-06) */
static int xprtrdma_fill_sparse(struct xdr_buf *xdr)
{
	u32 count = DIV_ROUND_UP(offset_in_page(xdr->page_base) +
				 xdr->page_len, PAGE_SIZE);
	struct page **page = xprtrdma_pages(xdr);

	for (; count; count--, page++) {
		if (!*page)
			*page = alloc_page(XPRTRDMA_GFP_NOWAIT);
		if (!*page)
			return -ENOMEM;
	}
	return 0;
}

/*
 * If the Reply chunk needs several MRs, bounce pages may reduce their number.
 * Then the segments are counted again; the Reply keeps its form.
 */
static int xprtrdma_make_plan(struct xprtrdma_xprt *r_xprt,
			      struct xprtrdma_req *req,
			      struct xprtrdma_plan *plan)
{
	struct xprtrdma_plan_args args;
	int ret;

	req->bounce_first_page = false;
	if (rpcrdma_gpu_on() || unlikely(req->gpu)) {
		ret = xprtrdma_find_gpu(req);
		if (ret)
			return ret;
	}
	xprtrdma_plan_args_init(&args, r_xprt, &req->rqst);
	ret = xprtrdma_plan(plan, &args);
	if (ret && req->gpu)
		return xprtrdma_refuse_gpu(req, "no Read or Write chunk can carry it");
	if (ret || plan->reply != XPRTRDMA_REPLY_CHUNK ||
	    plan->reply_segs == 1 || !xprtrdma_bounce_reply(req, &args.reply))
		return ret;
	xprtrdma_layout(&args.reply, &req->rqst.rq_rcv_buf);
	if (req->bounce_first_page)
		xprtrdma_layout_join_first_page(&args.reply);
	return xprtrdma_plan_bounced(plan, &args);
}

static int xprtrdma_segs_grow(struct xprtrdma_req *req,
			      const struct xprtrdma_plan *plan)
{
	unsigned int wanted = plan->read_segs + plan->reply_segs;
	struct rpcrdma_segment *segs;

	if (wanted <= req->max_segs)
		return 0;
	segs = kmalloc_array(wanted, sizeof(*segs), XPRTRDMA_GFP_NOWAIT);
	if (!segs)
		return -ENOMEM;
	kfree(req->segs);
	req->segs = segs;
	req->max_segs = wanted;
	return 0;
}

/**
 * xprtrdma_marshal - build the message of a Call
 * @r_xprt: transport, connected
 * @req: request that is not exposed; gets its MRs and its header
 * @send: unused Send context; gets the message
 * @plan: gets the form of the Call and its Reply
 *
 * Context: RPC task that holds XPRT_LOCKED and has entered the connection. Does
 * not sleep, but may in the provider of GPU memory.
 * Return: 0; -EAGAIN if there are too few MRs, and sunrpc is told when there
 * are more; -ENOMEM or -ENOBUFS if it may work later; -EIO if no form can
 * carry the Call, or its memory cannot be registered. After an error the
 * caller takes back the MRs of @req, and @send with its pages.
 */
int xprtrdma_marshal(struct xprtrdma_xprt *r_xprt, struct xprtrdma_req *req,
		     struct rpcrdma_send *send, struct xprtrdma_plan *plan)
{
	struct rpc_rqst *rqst = &req->rqst;
	const struct rpcrdma_codec *codec = r_xprt->conn->codec;
	struct rpcrdma_msg *msg = &req->msg;
	int ret;

	if (rqst->rq_rcv_buf.flags & XDRBUF_SPARSE_PAGES) {
		ret = xprtrdma_fill_sparse(&rqst->rq_rcv_buf);
		if (ret)
			return ret;
	}
	if (xprtrdma_make_plan(r_xprt, req, plan))
		return -EIO;
	ret = xprtrdma_segs_grow(req, plan);
	if (ret)
		return ret;

	/* The plan has room for its own segments only, in the header and behind it */
	rpcrdma_msg_init(msg, req->segs, plan->read_segs + plan->reply_segs);
	msg->xid = rqst->rq_xid;
	msg->vers = codec->version;
	msg->dir = RPCRDMA_DIR_CALL;
	msg->credits = xprtrdma_credits_asked(r_xprt, r_xprt->conn);
	if (plan->read_segs || plan->reply_segs) {
		ret = xprtrdma_build_lists(r_xprt, req, plan);
		if (ret)
			return ret == -EMSGSIZE ? -EIO : ret;
	}
	msg->inv_handle = rpcrdma_msg_inv_handle(msg);
	ret = codec->encode(msg, send->buf.data, send->buf.size);
	if (ret < 0)
		return -EIO;
	return xprtrdma_payload(send, &rqst->rq_snd_buf, plan, ret);
}
