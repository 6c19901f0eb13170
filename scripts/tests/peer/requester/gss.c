// SPDX-License-Identifier: GPL-2.0-only
#include <gssapi/gssapi_krb5.h>
#include <stdlib.h>
#include <string.h>
#include "requester/gss.h"

#define GSS_VERSION	1
/* Largest protected arguments or results */
#define GSS_BODY	65000

struct gss {
	gss_ctx_id_t	context;
	gss_name_t	server;
	uint8_t		handle[64];
	uint32_t	handle_len;
	uint32_t	seq;
};

static void check_gss(OM_uint32 major, OM_uint32 minor, const char *what)
{
	gss_buffer_desc text = GSS_C_EMPTY_BUFFER;
	OM_uint32 ignored, more = 0;

	if (!GSS_ERROR(major))
		return;
	gss_display_status(&ignored, minor, GSS_C_MECH_CODE,
			   (gss_OID)gss_mech_krb5, &more, &text);
	fail("%s: %.*s", what, (int)text.length, (char *)text.value);
}

static void put_credential(struct xdr_out *out, const struct gss *gss,
			   enum gss_proc proc, enum gss_service service)
{
	static struct xdr_out body;

	body.len = 0;
	put_u32(&body, GSS_VERSION);
	put_u32(&body, proc);
	put_u32(&body, gss->seq);
	put_u32(&body, service);
	put_opaque(&body, gss->handle, gss->handle_len);
	put_u32(out, AUTH_GSS);
	put_opaque(out, body.data, body.len);
}

static void put_mic(struct xdr_out *out, struct gss *gss, const void *data,
		    size_t len)
{
	gss_buffer_desc message = { len, (void *)data }, mic;
	OM_uint32 major, minor;

	major = gss_get_mic(&minor, gss->context, GSS_C_QOP_DEFAULT, &message, &mic);
	check_gss(major, minor, "no checksum");
	put_opaque(out, mic.value, mic.length);
	gss_release_buffer(&minor, &mic);
}

static void check_mic(struct gss *gss, const void *data, size_t len,
		      struct xdr_in *in, const char *what)
{
	gss_buffer_desc message = { len, (void *)data }, mic;
	OM_uint32 major, minor;
	uint32_t mic_len;

	mic.value = (void *)get_opaque(in, &mic_len);
	check(mic.value, "%s: no checksum", what);
	mic.length = mic_len;
	major = gss_verify_mic(&minor, gss->context, &message, &mic, NULL);
	check_gss(major, minor, what);
}

/* Replace the RPC header; @call has one with a credential of another flavor */
static void put_header(struct gss *gss, struct call *call, enum gss_proc proc,
		       enum gss_service service)
{
	struct xdr_out *out = &call->payload;
	size_t words = 6 * sizeof(uint32_t);

	out->len = words;
	put_credential(out, gss, proc, service);
	if (proc == GSS_DATA) {
		put_u32(out, AUTH_GSS);
		put_mic(out, gss, out->data, out->len - sizeof(uint32_t));
	} else {
		put_u32(out, AUTH_NULL);
		put_u32(out, 0);
	}
}

static gss_name_t server_name(void)
{
	const char *name = getenv("PEER_GSS");
	gss_buffer_desc text;
	OM_uint32 major, minor;
	gss_name_t server;

	check(name, "PEER_GSS is not set");
	text.value = (void *)name;
	text.length = strlen(name);
	major = gss_import_name(&minor, &text, GSS_C_NT_HOSTBASED_SERVICE, &server);
	check_gss(major, minor, name);
	return server;
}

/* The results of an INIT or CONTINUE: handle, status, window, token for the client */
static void get_init(struct gss *gss, struct reply *reply, gss_buffer_t token)
{
	struct xdr_in *in = &reply->results;
	const uint8_t *handle = get_opaque(in, &gss->handle_len);
	uint32_t major, len;

	check(handle && gss->handle_len <= sizeof(gss->handle),
	      "a context handle of %u bytes", gss->handle_len);
	memcpy(gss->handle, handle, gss->handle_len);
	major = get_u32(in);
	get_u32(in);	/* minor */
	check(get_u32(in), "a sequence window of 0");
	token->value = (void *)get_opaque(in, &len);
	token->length = len;
	check(!in->bad && !GSS_ERROR(major), "the server refuses the context: %08x", major);
}

/* Send a token; the one that comes back is in @reply */
static struct reply *exchange(struct gss *gss, struct verbs_conn *conn,
			      gss_buffer_t token)
{
	struct call *call = null_call();
	struct reply *reply;

	put_header(gss, call, gss->handle_len ? GSS_CONTINUE : GSS_INIT,
		   GSS_AUTHENTICATION);
	put_opaque(&call->payload, token->value, token->length);
	send_call(conn, call);
	reply = expect_success(conn, call);
	get_init(gss, reply, token);
	free(call);
	return reply;
}

struct gss *gss_open(struct verbs_conn *conn)
{
	gss_buffer_desc in = GSS_C_EMPTY_BUFFER, out;
	struct gss *gss = calloc(1, sizeof(*gss));
	struct reply *reply = NULL;
	OM_uint32 major, minor;

	check(gss, "no memory");
	gss->server = server_name();
	do {
		major = gss_init_sec_context(&minor, GSS_C_NO_CREDENTIAL,
					     &gss->context, gss->server,
					     (gss_OID)gss_mech_krb5,
					     GSS_C_MUTUAL_FLAG, 0,
					     GSS_C_NO_CHANNEL_BINDINGS, &in, NULL,
					     &out, NULL, NULL);
		check_gss(major, minor, "no context");
		if (reply)
			free_reply(conn, reply);
		reply = NULL;
		if (!out.length)
			continue;
		in = out;
		reply = exchange(gss, conn, &in);
		gss_release_buffer(&minor, &out);
	} while (major == GSS_S_CONTINUE_NEEDED);
	if (reply)
		free_reply(conn, reply);
	return gss;
}

void gss_close(struct gss *gss)
{
	OM_uint32 minor;

	gss_delete_sec_context(&minor, &gss->context, GSS_C_NO_BUFFER);
	gss_release_name(&minor, &gss->server);
	free(gss);
}

/* Offset of the arguments: after six words, credential and verifier, which are opaque */
static size_t args_at(const struct call *call)
{
	const uint8_t *p = call->payload.data;
	size_t at = 24;
	unsigned int i;

	for (i = 0; i < 2; i++)
		at += 8 + xdr_round(word_at(p + at, 1));
	return at;
}

static void put_sealed(struct xdr_out *out, struct gss *gss,
		       const struct xdr_out *body)
{
	gss_buffer_desc plain = { body->len, (void *)body->data }, sealed;
	OM_uint32 major, minor;

	major = gss_wrap(&minor, gss->context, 1, GSS_C_QOP_DEFAULT, &plain, NULL,
			 &sealed);
	check_gss(major, minor, "cannot encrypt");
	put_opaque(out, sealed.value, sealed.length);
	gss_release_buffer(&minor, &sealed);
}

ssize_t gss_protect(struct gss *gss, struct call *call, enum gss_service service)
{
	static struct xdr_out body;
	struct xdr_out *out = &call->payload;
	size_t from = args_at(call), at;

	gss->seq++;
	body.len = 0;
	if (service != GSS_AUTHENTICATION)
		put_u32(&body, gss->seq);
	put_bytes(&body, out->data + from, out->len - from);
	put_header(gss, call, GSS_DATA, service);
	at = out->len;
	switch (service) {
	case GSS_AUTHENTICATION:
		put_bytes(out, body.data, body.len);
		return at - from;
	case GSS_INTEGRITY:
		put_opaque(out, body.data, body.len);
		put_mic(out, gss, body.data, body.len);
		return at + 8 - from;	/* behind length and sequence number */
	case GSS_PRIVACY:
		put_sealed(out, gss, &body);
	}
	return 0;
}

/* Three words into a Reply; the checksum of the sequence number */
static void check_verifier(struct gss *gss, const struct reply *reply)
{
	struct xdr_in in;
	uint32_t seq;

	if (reply->long_payload)
		xdr_in_init(&in, reply->long_payload, chunk_length(&reply->header.reply));
	else
		xdr_in_init(&in, reply->message.data + reply->header.size,
			    reply->message.len - reply->header.size);
	get_bytes(&in, 12);
	check(get_u32(&in) == AUTH_GSS, "the verifier is not of RPCSEC_GSS");
	set_u32(&seq, gss->seq);
	check_mic(gss, &seq, sizeof(seq), &in, "verifier of the Reply");
}

static const uint8_t *unseal(struct gss *gss, const uint8_t *data, uint32_t *len)
{
	gss_buffer_desc sealed = { *len, (void *)data }, plain;
	static uint8_t body[GSS_BODY];
	OM_uint32 major, minor;
	int encrypted;

	major = gss_unwrap(&minor, gss->context, &sealed, &plain, &encrypted, NULL);
	check_gss(major, minor, "the results cannot be decrypted");
	check(encrypted, "the results are not encrypted");
	check(plain.length <= sizeof(body), "results of %zu bytes", plain.length);
	memcpy(body, plain.value, plain.length);
	*len = plain.length;
	gss_release_buffer(&minor, &plain);
	return body;
}

void gss_check(struct gss *gss, struct reply *reply, enum gss_service service)
{
	const uint8_t *body;
	uint32_t len;

	check_verifier(gss, reply);
	if (service == GSS_AUTHENTICATION)
		return;
	body = get_opaque(&reply->results, &len);
	check(body, "the protected results are truncated");
	if (service == GSS_INTEGRITY)
		check_mic(gss, body, len, &reply->results, "checksum of the results");
	else
		body = unseal(gss, body, &len);
	check(!reply->results.left, "%zu bytes behind the results", reply->results.left);
	xdr_in_init(&reply->results, body, len);
	check(get_u32(&reply->results) == gss->seq, "a wrong sequence number");
}
