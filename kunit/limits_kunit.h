/* SPDX-License-Identifier: GPL-2.0-only */
/* Devices and settings that the tests of a connection's sizes begin with */
#ifndef _KUNIT_LIMITS_KUNIT_H
#define _KUNIT_LIMITS_KUNIT_H

#include <rpcrdma/limits.h>

/* limits_kunit.c */
extern const struct rpcrdma_caps rpcrdma_caps_rxe;
extern const struct rpcrdma_caps rpcrdma_caps_mlx5;
extern const struct rpcrdma_settings rpcrdma_settings_default;

#endif /* _KUNIT_LIMITS_KUNIT_H */
