// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sizes of a connection: the range of each setting.
 */
#include <linux/sizes.h>
#include "limits_kunit.h"
#include "support.h"

struct rpcrdma_setting_case {
	const char	*name;
	size_t		field;
	u32		value;
	int		ret;
};

#define RPCRDMA_SETTING(field, value, ret)				\
	{ #field " " #value, offsetof(struct rpcrdma_settings, field),	\
	  value, ret }

static const struct rpcrdma_setting_case rpcrdma_setting_cases[] = {
	RPCRDMA_SETTING(credits, 0, -ERANGE),
	RPCRDMA_SETTING(credits, 1, 0),
	RPCRDMA_SETTING(credits, 16384, 0),
	RPCRDMA_SETTING(credits, 16385, -ERANGE),
	RPCRDMA_SETTING(credits, U32_MAX, -ERANGE),
	RPCRDMA_SETTING(bc_credits, 0, 0),
	RPCRDMA_SETTING(bc_credits, 16384, 0),
	RPCRDMA_SETTING(bc_credits, 16385, -ERANGE),
	RPCRDMA_SETTING(spare_recvs, 16384, 0),
	RPCRDMA_SETTING(spare_recvs, 16385, -ERANGE),
	RPCRDMA_SETTING(unsignaled, RPCRDMA_UNSIGNALED_MAX, 0),
	RPCRDMA_SETTING(unsignaled, RPCRDMA_UNSIGNALED_MAX + 1, -ERANGE),
	RPCRDMA_SETTING(inline_send, 0, -ERANGE),
	RPCRDMA_SETTING(inline_send, 1023, -ERANGE),
	RPCRDMA_SETTING(inline_send, 1024, 0),
	RPCRDMA_SETTING(inline_send, 1025, -ERANGE),
	RPCRDMA_SETTING(inline_send, 262144, 0),
	RPCRDMA_SETTING(inline_send, 263168, -ERANGE),
	RPCRDMA_SETTING(inline_recv, 0, -ERANGE),
	RPCRDMA_SETTING(inline_recv, 1024, 0),
	RPCRDMA_SETTING(inline_recv, 4097, -ERANGE),
	RPCRDMA_SETTING(inline_recv, 262144, 0),
	RPCRDMA_SETTING(inline_recv, U32_MAX, -ERANGE),
	RPCRDMA_SETTING(max_payload, 0, -ERANGE),
	RPCRDMA_SETTING(max_payload, 1023, -ERANGE),
	RPCRDMA_SETTING(max_payload, 1024, 0),
	RPCRDMA_SETTING(max_payload, SZ_16M, 0),
	RPCRDMA_SETTING(max_payload, SZ_16M + 1, -ERANGE),
	RPCRDMA_SETTING(mr_pages, 1, 0),
	RPCRDMA_SETTING(mr_pages, U32_MAX, 0),
};

KUNIT_ARRAY_PARAM_DESC(rpcrdma_setting, rpcrdma_setting_cases, name);

/* A setting outside its range is refused, never bent */
static void rpcrdma_limits_setting(struct kunit *test)
{
	const struct rpcrdma_setting_case *c = test->param_value;
	struct rpcrdma_settings settings = rpcrdma_settings_default;
	struct rpcrdma_limits limits;

	*(u32 *)((void *)&settings + c->field) = c->value;
	KUNIT_EXPECT_EQ(test, c->ret,
			rpcrdma_limits_client(&limits, &rpcrdma_caps_mlx5,
					      &settings));
	KUNIT_EXPECT_EQ(test, c->ret,
			rpcrdma_limits_server(&limits, &rpcrdma_caps_mlx5,
					      &settings));
}

static struct kunit_case rpcrdma_limits_settings_test_cases[] = {
	KUNIT_CASE_PARAM(rpcrdma_limits_setting, rpcrdma_setting_gen_params),
	{}
};

static struct kunit_suite rpcrdma_limits_settings_test_suite = {
	.name		= "rpcrdma_limits_settings",
	.test_cases	= rpcrdma_limits_settings_test_cases,
};

kunit_test_suite(rpcrdma_limits_settings_test_suite);
