// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instantiates the tracepoints of the server.
 */
#define CREATE_TRACE_POINTS
#include <trace/events/svcrdma.h>
