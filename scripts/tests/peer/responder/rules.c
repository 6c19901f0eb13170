// SPDX-License-Identifier: GPL-2.0-only
/* Rules for every message of a client. */
#include <string.h>
#include "responder/responder.h"
#include "v2/responder.h"

/* Limits of RFC 8267 6.4.2 (ULB-CLX-02 to ULB-CLX-04) */
#define RULE_SEGMENTS	16
#define RULE_WRITES	1

#define rule(condition, id, ...)		\
	check(condition, id ": " __VA_ARGS__)

static void check_chunk(const struct chunk *chunk, const char *what)
{
	unsigned int i;

	rule(chunk->nsegs <= RULE_SEGMENTS, "RFC 8267 6.4.2 (ULB-CLX-04)",
	     "%u segments in the %s", chunk->nsegs, what);
	rule(chunk->nsegs && chunk_length(chunk), "RFC 8166 3.4.6 (V1-WR-02)",
	     "an empty %s", what);
	for (i = 0; i < chunk->nsegs; i++)
		rule(chunk->segs[i].handle, "RFC 8166 3.4.3 (V1-CHK-02)",
		     "handle 0 in the %s", what);
}

/* Position 0 is the RPC message; any other Position is one argument */
static void check_reads(const struct header *h)
{
	unsigned int i, others = 0, first = 0;

	for (i = 0; i < h->nreads; i++) {
		uint32_t position = h->reads[i].position;

		rule(position % 4 == 0, "RFC 8166 3.4.5 (V1-RD-03)",
		     "Position %u", position);
		rule(h->reads[i].handle, "RFC 8166 3.4.3 (V1-CHK-02)",
		     "handle 0 in the Read list");
		if (h->proc == RDMA_MSG)
			rule(position, "RFC 8166 3.5.1 (V1-INL-10)",
			     "an RDMA_MSG with a Position Zero chunk");
		if (!position)
			first++;
		else if (!i || position != h->reads[i - 1].position)
			others++;
	}
	rule(others <= 1, "RFC 8267 6.4.2 (ULB-CLX-02)", "%u Read chunks", others);
	rule(h->nreads <= (others + !!first) * RULE_SEGMENTS,
	     "RFC 8267 6.4.2 (ULB-CLX-04)",
	     "%u segments in the Read list", h->nreads);
	if (h->proc == RDMA_NOMSG)
		rule(first, "RFC 8166 3.5.3 (V1-PZ-01)",
		     "a Long Call without Position Zero");
}

void check_message(struct client_conn *cc, const struct header *h, size_t len,
		   const uint8_t *payload, size_t payload_len)
{
	rule(h->vers == cc->version || h->proc == RDMA_ERROR,
	     "RFC 8166 4.2.2 (V1-HDR-06)", "version %u", h->vers);
	rule(!cc->opening_pending, "draft -09 7 (V2-NEG-02)",
	     "a message before the response to the opening Call");
	if (h->layout == 2)
		v2_check_message(h, payload);
	rule(h->proc != RDMA_MSGP, "RFC 8166 4.6.1 (V1-DEP-01)",
	     "an RDMA_MSGP was sent");
	rule(h->proc != RDMA_DONE, "RFC 8166 4.6.2 (V1-DEP-04)",
	     "an RDMA_DONE was sent");
	rule(h->credit, "RFC 8167 4.1 (BI-CRED-09)", "a credit value of 0");
	rule(len <= cc->call_limit, "RFC 8166 4.2.4 (V1-INL-08)",
	     "%zu bytes in one message, %u are allowed", len, cc->call_limit);
	switch (h->proc) {
	case RDMA_MSG:
		rule(payload_len >= 8, "RFC 8166 4.2.4 (V1-HDR-09)",
		     "an RDMA_MSG without a payload");
		rule(word_at(payload, 0) == h->xid, "RFC 8166 4.2.1 (V1-HDR-04)",
		     "XIDs %08x and %08x", h->xid, word_at(payload, 0));
		break;
	case RDMA_NOMSG:
		rule(!payload_len, "RFC 8166 4.2.4 (V1-HDR-11)",
		     "%zu bytes after an RDMA_NOMSG", payload_len);
		break;
	case RDMA_ERROR:
		rule(!payload_len, "RFC 8166 4.2.4 (V1-HDR-13)",
		     "%zu bytes after an RDMA_ERROR", payload_len);
		break;
	}
}

static void check_credits(struct client_conn *cc, const struct header *h)
{
	unsigned int grant = cc->grant;

	if (server.set.skip_credit_rules)
		return;
	if (!cc->replied) {
		rule(cc->count == 1, "RFC 8166 3.3.3 (V1-CRED-12)",
		     "a second Call before the first Reply");
		return;
	}
	if (verbs_now() < cc->old_until && cc->old_grant > grant)
		grant = cc->old_grant;
	if (grant > h->credit)
		grant = h->credit;
	rule(cc->count <= (grant ?: 1), "RFC 8166 3.3.1 (V1-CRED-04)",
	     "%u outstanding Calls, %u granted, %u requested", cc->count,
	     cc->grant, h->credit);
}

static void check_xid(const struct client_conn *cc, const struct exchange *new)
{
	/* Consecutive XIDs differ in their high bits after the multiplication */
	unsigned int slot = (new->header.xid * 2654435761U >> 16) %
			    RESPONDER_XIDS;
	const struct exchange *x;

	for (x = cc->pending; x; x = x->next)
		rule(x == new || x->header.xid != new->header.xid,
		     "RFC 8267 6.7.2 (ULB-KA-09)",
		     "Call %08x was sent again on the same connection",
		     new->header.xid);
	if (server.xids[slot].xid == new->header.xid &&
	    server.xids[slot].connection != server.observed.connects)
		server.observed.repeated++;
	server.xids[slot].xid = new->header.xid;
	server.xids[slot].connection = server.observed.connects;
}

void check_call(struct client_conn *cc, const struct exchange *x, size_t len,
		bool msg)
{
	const struct header *h = &x->header;

	check_credits(cc, h);
	check_xid(cc, x);
	check_reads(h);
	rule(h->nwrites <= RULE_WRITES, "RFC 8267 6.4.2 (ULB-CLX-03)",
	     "%u Write chunks", h->nwrites);
	if (h->nwrites)
		check_chunk(&h->writes[0], "Write chunk");
	if (h->has_reply)
		check_chunk(&h->reply, "Reply chunk");
}

static uint64_t length_at(const struct header *h, uint32_t position)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < h->nreads; i++)
		if (h->reads[i].position == position)
			sum += h->reads[i].length;
	return sum;
}

/* Rules for a rebuilt Call */
void check_rebuilt(const struct exchange *x)
{
	const struct header *h = &x->header;
	const struct nfs_call *nfs = &x->nfs;
	unsigned int i;

	rule(!nfs->why, "RFC 8166 3.4.5 (V1-RD-05)", "%s", nfs->why);
	rule(word_at(x->call, 0) == h->xid, "RFC 8166 4.2.1 (V1-HDR-04)",
	     "XIDs %08x and %08x", h->xid, word_at(x->call, 0));
	rule(nfs->program == NFS_PROGRAM || nfs->program == NFSACL_PROGRAM,
	     "RFC 8267 5.1 (ULB-AUX-04)", "a Call to program %u", nfs->program);
	rule(!nfs->has_count || nfs->count == nfs->item_len,
	     "RFC 8166 3.4.5.2 (V1-PAD-06)",
	     "a length word of %u for %u bytes", nfs->item_len, nfs->count);
	for (i = 0; i < h->nreads; i++) {
		uint32_t position = h->reads[i].position;

		if (!position)
			continue;
		rule(nfs->has_item, "RFC 8166 3.4.2, 6.1 (V1-DDP-02)",
		     "program %u, version %u, procedure %u has a Read chunk",
		     nfs->program, nfs->version, nfs->procedure);
		rule(position == nfs->item, "RFC 8166 4.3.1.1 (V1-RD-07)",
		     "Position %u, but the argument is at %zu", position,
		     nfs->item);
		rule(length_at(h, position) == nfs->item_len,
		     "RFC 8166 3.4.5.2 (V1-PAD-03)",
		     "%llu bytes in the Read chunk of an argument of %u bytes",
		     (unsigned long long)length_at(h, position), nfs->item_len);
	}
	rule(!h->nwrites || nfs->op == OP_READ || nfs->op == OP_READLINK,
	     "RFC 8166 4.3.2 (V1-WR-11)", "program %u, version %u, procedure %u has a Write list",
	     nfs->program, nfs->version, nfs->procedure);
	if (h->nwrites && nfs->op == OP_READ)
		rule(chunk_length(&h->writes[0]) == nfs->read_count,
		     "RFC 8166 6.1 (V1-DDP-11)",
		     "a Write chunk of %llu bytes for a READ of %u bytes",
		     (unsigned long long)chunk_length(&h->writes[0]), nfs->read_count);
}
