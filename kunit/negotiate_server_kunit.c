// SPDX-License-Identifier: GPL-2.0-only
/*
 * Negotiation, the server: every setting of it with every kind of client, what settles
 * the version, and the properties of the client.
 */
#include "negotiate_kunit.h"

#define RPCRDMA_NEGOTIATE_GRANT	64

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

	/* Whatever was in the message before */
	memset(&out, 0xff, sizeof(out));
	rpcrdma_negotiate_tell(client, &out, &rpcrdma_negotiate_own, 128,
			       cpu_to_be32(RPCRDMA_NEGOTIATE_XID_2));
	len = rpcrdma_codec_v2.encode(&out, buf, RPCRDMA_V2_CONNPROP_MAX);
	KUNIT_ASSERT_EQ(test, 48, len);
	KUNIT_EXPECT_TRUE(test, client->xid == cpu_to_be32(RPCRDMA_NEGOTIATE_XID_2));
	KUNIT_EXPECT_TRUE(test, out.xid == client->xid);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_TWO, out.vers);
	KUNIT_EXPECT_EQ(test, 128, out.credits);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_CALL, out.dir);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(&out));
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_msg_decode(msg, RPCRDMA_VERSIONS_2, buf, len));
	KUNIT_ASSERT_EQ(test, RPCRDMA_OK,
			rpcrdma_negotiate_connprop(server, msg));
	KUNIT_EXPECT_EQ(test, 0, out.max_segs);
	memset(&out, 0xff, sizeof(out));
	rpcrdma_negotiate_reply(&out, msg, &own, RPCRDMA_NEGOTIATE_GRANT + 1);
	KUNIT_EXPECT_EQ(test, 0, out.max_segs);
	KUNIT_EXPECT_TRUE(test, out.xid == client->xid);
	KUNIT_EXPECT_EQ(test, RPCRDMA_VERSION_TWO, out.vers);
	KUNIT_EXPECT_EQ(test, RPCRDMA_NEGOTIATE_GRANT + 1, out.credits);
	KUNIT_EXPECT_EQ(test, RPCRDMA_DIR_REPLY, out.dir);
	KUNIT_EXPECT_TRUE(test, rpcrdma_test_lists_empty(&out));
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

static struct kunit_case rpcrdma_negotiate_server_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_negotiate_matrix, rpcrdma_negotiate_pair_gen_params),
	KUNIT_CASE(rpcrdma_negotiate_settle_test),
	KUNIT_CASE(rpcrdma_negotiate_connprop_test),
	{}
};

static struct kunit_suite rpcrdma_negotiate_server_test_suite = {
	.name		= "rpcrdma_negotiate_server",
	.test_cases	= rpcrdma_negotiate_server_test_cases,
};

kunit_test_suite(rpcrdma_negotiate_server_test_suite);
