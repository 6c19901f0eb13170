// SPDX-License-Identifier: GPL-2.0-only
/*
 * Defines the tracepoints of the client.
 */
#define CREATE_TRACE_POINTS
#include <trace/events/xprtrdma.h>
