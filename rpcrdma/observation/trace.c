// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints of the core are made here.
 */
#include "../core.h"

#define CREATE_TRACE_POINTS
#include <trace/events/rpcrdma_core.h>
