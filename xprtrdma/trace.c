// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoints of the client are made here.
 */
#define CREATE_TRACE_POINTS
#include <trace/events/xprtrdma.h>
