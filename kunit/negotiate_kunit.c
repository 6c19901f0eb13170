// SPDX-License-Identifier: GPL-2.0-only
/*
 * Negotiation: every setting of a client with every kind of server, each answer
 * that the opening Call and the CONNPROP can get, and what is remembered afterwards.
 */
#include <rpcrdma/v2/negotiate.h>
#include "support.h"

#define RPCRDMA_NEGOTIATE_XID	0x2b0000f0
#define RPCRDMA_NEGOTIATE_XID_2	0x2b0000f1
#define RPCRDMA_NEGOTIATE_GRANT	64

static const struct rpcrdma_props rpcrdma_negotiate_own = {
	.recv_size	= 8192,
	.reverse	= RPCRDMA_BRS_INLINE,
};

/* A client that has sent its opening Call, if it sends one */
static void rpcrdma_negotiate_test_client(struct rpcrdma_negotiation *neg,
					  const struct rpcrdma_negotiate_past *past,
					  unsigned long versions)
{
	rpcrdma_negotiate_client(neg, past, versions,
				 cpu_to_be32(RPCRDMA_NEGOTIATE_XID));
	if (neg->state == RPCRDMA_NEGOTIATE_ASKING)
		rpcrdma_negotiate_opened(neg, true);
}

/* An RDMA2_MSG with the beginning of an RPC message, as bytes in @buf */
static size_t rpcrdma_negotiate_test_rpc(struct kunit *test, __be32 *buf,
					 size_t size, enum rpcrdma_direction dir)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	int len;

	msg->xid = cpu_to_be32(RPCRDMA_NEGOTIATE_XID);
	msg->vers = RPCRDMA_VERSION_TWO;
	msg->credits = RPCRDMA_NEGOTIATE_GRANT;
	msg->type = RPCRDMA_MSG;
	msg->dir = dir;
	len = rpcrdma_codec_v2.encode(msg, buf, size - 2 * sizeof(*buf));
	KUNIT_ASSERT_GT(test, len, 0);
	buf[len / sizeof(*buf)] = msg->xid;
	buf[len / sizeof(*buf) + 1] = cpu_to_be32(dir == RPCRDMA_DIR_REPLY);
	return len + 2 * sizeof(*buf);
}

/* A server that takes @versions answers the opening Call in @buf into @buf */
static size_t rpcrdma_negotiate_test_server(struct kunit *test,
					    struct rpcrdma_negotiation *neg,
					    unsigned long versions,
					    void *buf, size_t len, size_t size)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test), out;
	enum rpcrdma_reason reason;
	int ret;

	rpcrdma_negotiate_server(neg, versions);
	reason = rpcrdma_msg_decode(msg, rpcrdma_negotiate_versions(neg), buf,
				    len);
	if (reason == RPCRDMA_R_VERS) {
		rpcrdma_msg_refuse(&out, msg, rpcrdma_negotiate_versions(neg),
				   reason);
		out.credits = RPCRDMA_NEGOTIATE_GRANT;
		ret = rpcrdma_error_encode(&out, buf, size);
		KUNIT_ASSERT_GT(test, ret, 0);
		return ret;
	}
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK, reason);
	rpcrdma_negotiate_settle(neg, msg->vers);
	return rpcrdma_negotiate_test_rpc(test, buf, size, RPCRDMA_DIR_REPLY);
}

/* The client tells its properties, and the server answers */
static void rpcrdma_negotiate_test_props(struct kunit *test,
					 struct rpcrdma_negotiation *client,
					 struct rpcrdma_negotiation *server)
{
	const struct rpcrdma_props own = {
		.recv_size	= 16384,
		.reverse	= RPCRDMA_BRS_INLINE,
	};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test), out;
	__be32 buf[64];
	int len;

	rpcrdma_negotiate_tell(client, &out, &rpcrdma_negotiate_own, 128,
			       cpu_to_be32(RPCRDMA_NEGOTIATE_XID_2));
	len = rpcrdma_codec_v2.encode(&out, buf, RPCRDMA_V2_CONNPROP_MAX);
	KUNIT_ASSERT_EQ(test, 48, len);
	KUNIT_EXPECT_TRUE(test, client->xid == cpu_to_be32(RPCRDMA_NEGOTIATE_XID_2));
	KUNIT_EXPECT_TRUE(test, out.xid == client->xid);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_TWO, out.vers);
	KUNIT_EXPECT_EQ(test, 128, out.credits);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_CALL, out.dir);
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, buf, len));
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_negotiate_connprop(server, msg));
	rpcrdma_negotiate_reply(&out, msg, &own, RPCRDMA_NEGOTIATE_GRANT + 1);
	KUNIT_EXPECT_TRUE(test, out.xid == client->xid);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_TWO, out.vers);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_GRANT + 1, out.credits);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY, out.dir);
	len = rpcrdma_codec_v2.encode(&out, buf, sizeof(buf));
	KUNIT_ASSERT_GT(test, len, 0);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_DONE,
			rpcrdma_negotiate_answer(client, msg, buf, len));
}

struct rpcrdma_negotiate_pair {
	const char	*name;
	unsigned long	client;
	unsigned long	server;
	u32		version;	/* 0: no common one */
};

static const struct rpcrdma_negotiate_pair rpcrdma_negotiate_pairs[] = {
	{ "client 1, server 1", 2, 2, 1 },
	{ "client 1, server both", 2, 6, 1 },
	{ "client 1, server 2", 2, 4, 1 },
	{ "client 2, server 1 (V2-NEG-28)", 4, 2, 0 },
	{ "client 2, server 2 (V2-NEG-05)", 4, 4, 2 },
	{ "client 2, server both (V2-NEG-01)", 4, 6, 2 },
	{ "client both, server 1 (V2-NEG-09)", 6, 2, 1 },
	{ "client both, server 2", 6, 4, 2 },
	{ "client both, server both (V2-NEG-01)", 6, 6, 2 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_negotiate_pair, rpcrdma_negotiate_pairs, name);

/*
 * The matrix; rpcrdma-version-two-09 7, 7.2, 3.2 (V2-NEG-07, V2-CPR-08, V2-CPR-09,
 * V2-CPR-16, OQ-05, OQ-06, OQ-11)
 */
static void rpcrdma_negotiate_matrix(struct kunit *test)
{
	const struct rpcrdma_negotiate_pair *pair = test->param_value;
	const struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct rpcrdma_negotiation client, server;
	enum rpcrdma_negotiate_verdict verdict;
	__be32 buf[64];
	size_t len;

	rpcrdma_negotiate_test_client(&client, &past, pair->client);
	if (!(pair->client & RPCRDMA_VERSIONS_2)) {
		/* No opening Call; a server that takes version 2 only says so later */
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, client.state);
		KUNIT_EXPECT_EQ(test, pair->version, client.version);
		return;
	}
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_2,
			rpcrdma_negotiate_versions(&client));
	len = rpcrdma_negotiate_test_rpc(test, buf, sizeof(buf), RPCRDMA_DIR_CALL);
	len = rpcrdma_negotiate_test_server(test, &server, pair->server, buf, len,
					    sizeof(buf));
	/*
	 * rpcrdma-version-two-09 (V2-NEG-16): who knows version 1 can read it
	 */
	if (!(pair->server & RPCRDMA_VERSIONS_2))
		KUNIT_EXPECT_EQ(test, RPCRDMA_V1_ERR_VERS_SIZE, len);

	verdict = rpcrdma_negotiate_answer(&client, msg, buf, len);
	if (!pair->version) {
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_NO_VERSION, verdict);
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_FAILED, client.state);
		return;
	}
	KUNIT_EXPECT_EQ(test, pair->version, client.version);
	KUNIT_EXPECT_EQ(test, BIT(pair->version),
			rpcrdma_negotiate_versions(&client));
	if (pair->version == RPCRDMA_VERSION_ONE) {
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_DONE, verdict);
		/* rpcrdma-version-two-09 (V2-NEG-21, V2-NEG-24) */
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_OPEN, server.state);
		KUNIT_EXPECT_EQ(test, 0, client.grant);
		return;
	}
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_TELL, verdict);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_TWO, server.version);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_GRANT, client.grant);
	rpcrdma_negotiate_test_props(test, &client, &server);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, client.state);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_2,
			rpcrdma_negotiate_versions(&client));
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_GRANT + 1, client.grant);
	KUNIT_EXPECT_EQ(test, 16384, client.peer.recv_size);
	KUNIT_EXPECT_EQ(test, 8192, server.peer.recv_size);
}

struct rpcrdma_negotiate_answer_case {
	const char			*name;
	unsigned int			len;	/* bytes */
	u32				words[16];
	enum rpcrdma_negotiate_verdict	verdict;
	u32				version;
	u32				grant;
};

#define RPCRDMA_NEGOTIATE_ANSWER(...)	{ RPCRDMA_NEGOTIATE_XID, __VA_ARGS__ }
#define RPCRDMA_NEGOTIATE_REPLY(credits, type, flags, ...) \
	RPCRDMA_NEGOTIATE_ANSWER(2, credits, type, flags, 0, 0, 0, 0, __VA_ARGS__)

/* To the opening Call */
static const struct rpcrdma_negotiate_answer_case rpcrdma_negotiate_answers[] = {
	{ "nothing", 0, { 0 }, RPCRDMA_NEGOTIATE_IGNORED },
	{ "15 bytes", 15, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply (V2-CRD-04, V2-NEG-05, OQ-02, OQ-11)", 44,
	  RPCRDMA_NEGOTIATE_REPLY(64, 0, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_TELL, 2, 64 },
	{ "Reply, grant 0 (V2-CRD-05)", 44,
	  RPCRDMA_NEGOTIATE_REPLY(0, 0, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_TELL, 2, 1 },
	{ "Reply, F clear", 44,
	  RPCRDMA_NEGOTIATE_REPLY(64, 0, 0, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, another XID inside", 44, RPCRDMA_NEGOTIATE_REPLY(64, 0, 1, 7, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, other XID", 44, { 7, 2, 64, 0, 1, 0, 0, 0, 0, 7, 1 },
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply, cut", 40,
	  RPCRDMA_NEGOTIATE_REPLY(64, 0, 1, RPCRDMA_NEGOTIATE_XID, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "Reply in a chunk", 56,
	  { RPCRDMA_NEGOTIATE_XID, 2, 64, 1, 1, 0, 0, 0, 1, 1, 7, 24, 0, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "CONNPROP of its own accord (V2-CPR-10)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5, 1, 0), RPCRDMA_NEGOTIATE_WAIT },
	{ "the same, F clear", 24, { 7, 2, 64, 5, 0, 0 }, RPCRDMA_NEGOTIATE_WAIT },
	{ "malformed CONNPROP", 20, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "CONNPROP in version 3", 24, RPCRDMA_NEGOTIATE_ANSWER(3, 64, 5, 1, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "header type 6", 24, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 6, 1, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "18 bytes", 18, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 5, 1),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "RDMA2_MSG, cut", 36, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "version 1 message", 28, RPCRDMA_NEGOTIATE_ANSWER(1, 64, 0),
	  RPCRDMA_NEGOTIATE_IGNORED },

	{ "ERR_VERS, seven words (V2-NEG-17, OQ-08)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS under version 1 (V2-NEG-18)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(1, 64, 4, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 1 to 3", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 3), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 3 to 4 (V2-NEG-28)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 3, 4), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS, range 2 to 2 (V2-NEG-28)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 2, 2), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_VERS, range 3 to 1 (V2-NEG-19)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 3, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, range 3 to 0 (V2-NEG-19)", 28,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 3, 0), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS and three bytes", 31,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, other XID", 28, { 7, 2, 64, 4, 1, 1, 1 },
	  RPCRDMA_NEGOTIATE_IGNORED },
	{ "ERR_VERS, eight words (V2-NEG-17, OQ-08)", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1, 1), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_VERS, eight words, range 3 to 4", 32,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 3, 4), RPCRDMA_NEGOTIATE_NO_VERSION },
	{ "ERR_CHUNK, 20 bytes (V2-NEG-19, OQ-11)", 20,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 2), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "error, 16 bytes (V2-NEG-19)", 16, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4),
	  RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "ERR_CHUNK of version 1 with a tail (V2-NEG-19)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(1, 64, 4, 2, 0), RPCRDMA_NEGOTIATE_DONE, 1 },
	{ "BAD_XDR (V2-NEG-20)", 24, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 2),
	  RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "SYSTEM (V2-NEG-20)", 24, RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 9),
	  RPCRDMA_NEGOTIATE_TELL, 2, 0 },
	{ "BAD_XDR, F clear (V2-NEG-19)", 24,
	  RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 0, 2), RPCRDMA_NEGOTIATE_DONE, 1 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_negotiate_answer, rpcrdma_negotiate_answers, name);

/* The answer of @c, in memory that ends with it */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_test_answer(struct kunit *test, struct rpcrdma_negotiation *neg,
			      const struct rpcrdma_negotiate_answer_case *c)
{
	void *wire = rpcrdma_test_wire(test, c->words, ARRAY_SIZE(c->words));

	return rpcrdma_negotiate_answer(neg, rpcrdma_test_msg(test),
					rpcrdma_test_cut(test, wire, c->len),
					c->len);
}

static void rpcrdma_negotiate_answer_test(struct kunit *test)
{
	const struct rpcrdma_negotiate_answer_case *c = test->param_value;
	const struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, c->verdict,
			rpcrdma_negotiate_test_answer(test, &neg, c));
	KUNIT_EXPECT_EQ(test, c->version, neg.version);
	KUNIT_EXPECT_EQ(test, c->grant, neg.grant);
	KUNIT_EXPECT_EQ(test, c->verdict == RPCRDMA_NEGOTIATE_TELL,
			neg.state == RPCRDMA_NEGOTIATE_TELLING);
	KUNIT_EXPECT_EQ(test, c->verdict == RPCRDMA_NEGOTIATE_WAIT, neg.has_props);

	/*
	 * rpcrdma-version-two-09 (V2-SEC-05): who refuses version 1 never gets
	 * it
	 */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_2);
	KUNIT_EXPECT_EQ(test, c->version == 1 ? RPCRDMA_NEGOTIATE_NO_VERSION : c->verdict,
			rpcrdma_negotiate_test_answer(test, &neg, c));
	KUNIT_EXPECT_NE(test, 1, neg.version);

	/*
	 * rpcrdma-version-two-09 (V2-CPR-10): before the opening Call a server
	 * has nothing to say
	 */
	rpcrdma_negotiate_client(&neg, &past, RPCRDMA_VERSIONS_BOTH,
				 cpu_to_be32(RPCRDMA_NEGOTIATE_XID));
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_IGNORED,
			rpcrdma_negotiate_test_answer(test, &neg, c));
}

/* To the CONNPROP of the client; 32 credits are granted before */
static const struct rpcrdma_negotiate_answer_case rpcrdma_negotiate_told_answers[] = {
	{ "CONNPROP (V2-CRD-04, OQ-02)", 24,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1, 0 }, RPCRDMA_NEGOTIATE_DONE, 2, 64 },
	{ "CONNPROP, grant 0 (V2-CRD-05)", 24,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 0, 5, 1, 0 }, RPCRDMA_NEGOTIATE_DONE, 2, 1 },
	{ "CONNPROP, F clear (V2-CPR-13, OQ-02)", 24,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 0, 0 }, RPCRDMA_NEGOTIATE_DONE, 2, 32 },
	{ "CONNPROP, other XID (V2-CPR-13)", 24, { 7, 2, 64, 5, 1, 0 },
	  RPCRDMA_NEGOTIATE_DONE, 2, 64 },
	{ "malformed CONNPROP (V2-CPR-15)", 20,
	  { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1 },
	  RPCRDMA_NEGOTIATE_DONE_DELIVER, 2, 32 },
	{ "RDMA2_MSG", 36, { 7, 2, 64, 0 }, RPCRDMA_NEGOTIATE_DONE_DELIVER, 2, 32 },
	{ "15 bytes", 15, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 5, 1, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "header type 6", 24, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 6, 1, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "version 1 message", 28, { RPCRDMA_NEGOTIATE_XID_2, 1, 64, 0 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
	{ "BAD_XDR (OQ-02)", 24, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 4, 1, 2 },
	  RPCRDMA_NEGOTIATE_DONE, 2, 32 },
	{ "ERR_VERS (V2-NEG-14)", 28, { RPCRDMA_NEGOTIATE_XID_2, 2, 64, 4, 1, 1, 1 },
	  RPCRDMA_NEGOTIATE_DONE, 2, 32 },
	{ "error, other XID", 24, { 7, 2, 64, 4, 1, 2 },
	  RPCRDMA_NEGOTIATE_IGNORED, 2, 32 },
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_negotiate_told, rpcrdma_negotiate_told_answers, name);

/* A Reply to the opening Call */
static void rpcrdma_negotiate_test_found(struct kunit *test,
					 struct rpcrdma_negotiation *neg)
{
	static const struct rpcrdma_negotiate_answer_case found = {
		"", 44, RPCRDMA_NEGOTIATE_REPLY(32, 0, 1, RPCRDMA_NEGOTIATE_XID, 1)
	};

	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_TELL,
			rpcrdma_negotiate_test_answer(test, neg, &found));
	KUNIT_EXPECT_EQ(test, 2, neg->version);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_2, rpcrdma_negotiate_versions(neg));
}

static void rpcrdma_negotiate_test_settle(struct kunit *test,
					  struct rpcrdma_negotiation *neg)
{
	rpcrdma_negotiate_test_found(test, neg);
	rpcrdma_negotiate_told(neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg->state);
}

/*
 * An answer settles version 2, whatever it says; and so does none:
 * rpcrdma-version-two-09 5.3.4 (V2-CPR-06)
 */
static void rpcrdma_negotiate_told_test(struct kunit *test)
{
	const struct rpcrdma_negotiate_answer_case *c = test->param_value;
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;
	struct rpcrdma_msg connprop;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_test_found(test, &neg);
	rpcrdma_negotiate_tell(&neg, &connprop, &rpcrdma_negotiate_own, 128,
			       cpu_to_be32(RPCRDMA_NEGOTIATE_XID_2));
	KUNIT_EXPECT_EQ(test, c->verdict,
			rpcrdma_negotiate_test_answer(test, &neg, c));
	KUNIT_EXPECT_EQ(test, c->version, neg.version);
	KUNIT_EXPECT_EQ(test, c->grant, neg.grant);
	KUNIT_EXPECT_EQ(test, c->verdict == RPCRDMA_NEGOTIATE_IGNORED ?
			RPCRDMA_NEGOTIATE_TELLING : RPCRDMA_NEGOTIATE_SETTLED,
			neg.state);
	rpcrdma_negotiate_told(&neg);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg.state);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_IGNORED,
			rpcrdma_negotiate_test_answer(test, &neg, c));

	/* The version was known: its loss does not mean version 1 */
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
}

/* Bytes of an ERR_VERS that allows version 1 */
static enum rpcrdma_negotiate_verdict
rpcrdma_negotiate_test_refuse(struct kunit *test, struct rpcrdma_negotiation *neg)
{
	static const u32 words[] = RPCRDMA_NEGOTIATE_ANSWER(2, 64, 4, 1, 1, 1);

	return rpcrdma_negotiate_answer(neg, rpcrdma_test_msg(test),
					rpcrdma_test_wire(test, words, 7), 28);
}

/*
 * rpcrdma-version-two-09 7.2, 7 (V2-NEG-10, V2-NEG-11, V2-NEG-26, V2-NEG-27,
 * V2-NEG-29, OQ-12)
 */
static void rpcrdma_negotiate_memory(struct kunit *test)
{
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;
	unsigned int i;

	/* Never connected: nothing was learned */
	rpcrdma_negotiate_client(&neg, &past, RPCRDMA_VERSIONS_BOTH, 0);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);

	/* The opening Call was lost, or not answered in time: version 1 next */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	/* Properties and then silence: the server has version 2 */
	past.no_v2 = false;
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	neg.has_props = true;
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
	past.no_v2 = true;

	/* Version 1 that does not come to work does not end that */
	for (i = 0; i < 3; i++) {
		rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_SETTLED, neg.state);
		KUNIT_EXPECT_EQ(test, 1, neg.version);
		rpcrdma_negotiate_lost(&neg, &past);
		KUNIT_EXPECT_TRUE(test, past.no_v2);
	}

	/* A client of version 2 alone tries again each time */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_2);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_ASKING, neg.state);

	/* Version 1 that has worked and is replaced ends it */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
}

/*
 * rpcrdma-version-two-09 7.2 (V2-NEG-10, V2-NEG-27, OQ-12): an ERR_VERS is
 * remembered only if the loss follows
 */
static void rpcrdma_negotiate_memory_refused(struct kunit *test)
{
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_DONE,
			rpcrdma_negotiate_test_refuse(test, &neg));
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_DONE,
			rpcrdma_negotiate_test_refuse(test, &neg));
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	/* Version 2 that worked says nothing about version 1 */
	rpcrdma_negotiate_server(&neg, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_settle(&neg, RPCRDMA_VERSION_TWO);
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	/* Nor does a failure */
	past.no_v2 = false;
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_2);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_NO_VERSION,
			rpcrdma_negotiate_test_refuse(test, &neg));
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_2,
			rpcrdma_negotiate_versions(&neg));
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);
}

/*
 * rpcrdma-version-two-09 7.2 (V2-NEG-27, OQ-12), on five connections: version 2
 * works; the server restarts and the next opening message is lost; it comes back
 * with version 2 only
 */
static void rpcrdma_negotiate_memory_outdated(struct kunit *test)
{
	static const struct {
		u32	low, high;
		bool	outdated;
	} ranges[] = {
		{ 1, 1 }, { 1, 2 }, { 3, 4 }, { 2, 1 }, { 0, 2 }, { 2, 3, true },
		{ 2, 2, true },
	};
	struct rpcrdma_negotiate_past past = {};
	struct rpcrdma_msg err = { .type = RPCRDMA_ERROR };
	struct rpcrdma_negotiation neg;
	unsigned int i;

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_test_settle(test, &neg);
	rpcrdma_negotiate_used(&neg);
	rpcrdma_negotiate_lost(&neg, &past);

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_TRUE(test, past.no_v2);

	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
	KUNIT_EXPECT_EQ(test, 1, neg.version);
	err.err = RPCRDMA_ERR_VERS;
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		err.vers_low = ranges[i].low;
		err.vers_high = ranges[i].high;
		KUNIT_EXPECT_EQ(test, ranges[i].outdated,
				rpcrdma_negotiate_outdated(&neg, &err));
		KUNIT_EXPECT_EQ(test, ranges[i].outdated, neg.outdated);
	}
	rpcrdma_negotiate_lost(&neg, &past);
	KUNIT_EXPECT_FALSE(test, past.no_v2);

	for (i = 0; i < 2; i++) {
		rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_BOTH);
		KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_ASKING, neg.state);
		rpcrdma_negotiate_test_settle(test, &neg);
		/* Version 2 is never taken for outdated */
		KUNIT_EXPECT_FALSE(test, rpcrdma_negotiate_outdated(&neg, &err));
		rpcrdma_negotiate_lost(&neg, &past);
		KUNIT_EXPECT_FALSE(test, past.no_v2);
	}

	/* A client of version 1 alone has nothing to go on with */
	rpcrdma_negotiate_test_client(&neg, &past, RPCRDMA_VERSIONS_1);
	KUNIT_EXPECT_FALSE(test, rpcrdma_negotiate_outdated(&neg, &err));
}

/*
 * rpcrdma-version-two-09 7.3, 7.2 (V2-NEG-21, V2-NEG-13, V2-NEG-14, OQ-09): the
 * first good message fixes it for good
 */
static void rpcrdma_negotiate_settle_test(struct kunit *test)
{
	static const u32 foreign[] = { 0, 3, 9, 63, 64, 0xffffffff };
	struct rpcrdma_negotiation neg;
	unsigned int i;

	rpcrdma_negotiate_server(&neg, RPCRDMA_VERSIONS_BOTH);
	for (i = 0; i < ARRAY_SIZE(foreign); i++) {
		rpcrdma_negotiate_settle(&neg, foreign[i]);
		KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_BOTH,
				rpcrdma_negotiate_versions(&neg));
	}
	rpcrdma_negotiate_settle(&neg, 1);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_1,
			rpcrdma_negotiate_versions(&neg));
	rpcrdma_negotiate_settle(&neg, 2);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSIONS_1,
			rpcrdma_negotiate_versions(&neg));

	/* rpcrdma-version-two-09 (V2-NEG-23) */
	rpcrdma_negotiate_server(&neg, RPCRDMA_VERSIONS_1);
	rpcrdma_negotiate_settle(&neg, 2);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_OPEN, neg.state);
}

/*
 * rpcrdma-version-two-09 4.2, 5.3.4 (V2-CPR-14, V2-PROP-10, V2-CPR-16, OQ-26)
 */
static void rpcrdma_negotiate_connprop_test(struct kunit *test)
{
	struct rpcrdma_msg *msg = rpcrdma_test_msg(test);
	struct rpcrdma_negotiation neg;

	rpcrdma_negotiate_server(&neg, RPCRDMA_VERSIONS_BOTH);
	rpcrdma_negotiate_settle(&neg, 2);
	KUNIT_EXPECT_EQ(test, 4096, neg.peer.recv_size);
	KUNIT_EXPECT_EQ(test, RPCRDMA_BRS_INLINE, neg.peer.reverse);

	msg->type = RPCRDMA_CONNPROP;
	msg->props.recv_size = 8192;
	msg->props.reverse = RPCRDMA_BRS_NONE;
	msg->dir = RPCRDMA_DIR_REPLY;
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_UNKNOWN_XID,
			rpcrdma_negotiate_connprop(&neg, msg));
	KUNIT_EXPECT_EQ(test, 4096, neg.peer.recv_size);
	msg->dir = RPCRDMA_DIR_CALL;
	KUNIT_EXPECT_EQ(test, RPCRDMA_OK, rpcrdma_negotiate_connprop(&neg, msg));
	KUNIT_EXPECT_EQ(test, 8192, neg.peer.recv_size);
	KUNIT_EXPECT_EQ(test, RPCRDMA_BRS_NONE, neg.peer.reverse);
	msg->props.recv_size = 65536;
	KUNIT_EXPECT_EQ(test, RPCRDMA_R_PROPERTIES_TWICE,
			rpcrdma_negotiate_connprop(&neg, msg));
	KUNIT_EXPECT_EQ(test, 8192, neg.peer.recv_size);
}

static struct kunit_case rpcrdma_negotiate_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_negotiate_matrix, rpcrdma_negotiate_pair_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_negotiate_answer_test,
			 rpcrdma_negotiate_answer_gen_params),
	KUNIT_CASE_PARAM(rpcrdma_negotiate_told_test,
			 rpcrdma_negotiate_told_gen_params),
	KUNIT_CASE(rpcrdma_negotiate_memory),
	KUNIT_CASE(rpcrdma_negotiate_memory_refused),
	KUNIT_CASE(rpcrdma_negotiate_memory_outdated),
	KUNIT_CASE(rpcrdma_negotiate_settle_test),
	KUNIT_CASE(rpcrdma_negotiate_connprop_test),
	{}
};

static struct kunit_suite rpcrdma_negotiate_test_suite = {
	.name		= "rpcrdma_negotiate",
	.test_cases	= rpcrdma_negotiate_test_cases,
};

kunit_test_suite(rpcrdma_negotiate_test_suite);
