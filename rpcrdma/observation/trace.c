// SPDX-License-Identifier: GPL-2.0-only
/*
 * Defines the tracepoints of the core.
 */
#include "../core.h"

#define CREATE_TRACE_POINTS
#include <trace/events/rpcrdma_core.h>
