// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why connections end: texts, what a completion without success says, and what a cause
 * says about the path. Pure: no device, no lock.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <kunit/visibility.h>
#include <rpcrdma/close.h>

static const char * const rpcrdma_close_texts[] = {
	[RPCRDMA_CLOSE_NONE]		= "still open",
	[RPCRDMA_CLOSE_LOCAL]		= "closed by this end",
	[RPCRDMA_CLOSE_PEER]		= "closed by the peer",
	[RPCRDMA_CLOSE_UNREACHABLE]	= "peer not reachable",
	[RPCRDMA_CLOSE_REJECTED]	= "rejected by the peer",
	[RPCRDMA_CLOSE_TIMEOUT]		= "no answer in time",
	[RPCRDMA_CLOSE_DEVICE_GONE]	= "device removed",
	[RPCRDMA_CLOSE_ADDR_CHANGE]	= "local address changed",
	[RPCRDMA_CLOSE_QP_ERROR]	= "queue pair error",
	[RPCRDMA_CLOSE_COMPLETION]	= "work request failed",
	[RPCRDMA_CLOSE_POST]		= "work request not accepted",
	[RPCRDMA_CLOSE_INVALIDATE]	= "memory could not be invalidated",
	[RPCRDMA_CLOSE_PROTOCOL]	= "peer broke the protocol",
	[RPCRDMA_CLOSE_SILENT]		= "peer does not answer",
	[RPCRDMA_CLOSE_NO_ANSWER]	= "could not answer a Call",
	[RPCRDMA_CLOSE_SETUP]		= "could not be set up",
	[RPCRDMA_CLOSE_ADMIN]		= "closed by the administrator",
	[RPCRDMA_CLOSE_PORT_DOWN]	= "our port is down",
	[RPCRDMA_CLOSE_DROPPED]	= "a Call was dropped without an answer",
	[RPCRDMA_CLOSE_TRANSFER]	= "RDMA Reads or Writes make no progress",
	[RPCRDMA_CLOSE_CREDITS]		= "Calls that were given up hold all credits",
	[RPCRDMA_CLOSE_GPU]		= "the provider of GPU memory left",
};

static_assert(ARRAY_SIZE(rpcrdma_close_texts) == RPCRDMA_CLOSE_COUNT,
	      "the last cause has no text");

/**
 * rpcrdma_close_cause_text - the text of a cause
 * @cause: any value
 *
 * Context: any.
 * Return: a constant string, never NULL.
 */
const char *rpcrdma_close_cause_text(enum rpcrdma_close_cause cause)
{
	if ((unsigned int)cause >= RPCRDMA_CLOSE_COUNT)
		return "unknown cause";
	return rpcrdma_close_texts[cause];
}
EXPORT_SYMBOL_GPL(rpcrdma_close_cause_text);

/**
 * rpcrdma_close_wc_cause - the cause that a completion without success stands for
 * @flushed: its status is IB_WC_WR_FLUSH_ERR. That says only that the QP is in the
 *	error state already. What follows is while the connection has no cause yet
 * @iwarp: the transport is iWARP. There TCP tells the device that the peer has closed
 *	the connection, and the CM event comes after the flush. On InfiniBand and RoCE the
 *	CM event of a disconnect comes first, and only then this end moves its QP to the
 *	error state. (Before a connection is established, the CM does that first.)
 * @cause: what any other status means
 * @error: set to the errno that goes with the cause, negative
 *
 * Context: any.
 * Return: the cause to close the connection with.
 */
enum rpcrdma_close_cause rpcrdma_close_wc_cause(bool flushed, bool iwarp,
						enum rpcrdma_close_cause cause,
						int *error)
{
	*error = flushed && iwarp ? -ENOTCONN : -EIO;
	if (!flushed)
		return cause;
	return iwarp ? RPCRDMA_CLOSE_PEER : RPCRDMA_CLOSE_QP_ERROR;
}
EXPORT_SYMBOL_IF_KUNIT(rpcrdma_close_wc_cause);

/**
 * rpcrdma_close_blames_path - may the path between the two addresses have failed?
 * @cause: why a connection was closed, or could not be made; any value
 *
 * A server that has stopped looks the same as a path that was cut.
 *
 * Context: any.
 * Return: true if another path to the same server may work.
 */
bool rpcrdma_close_blames_path(enum rpcrdma_close_cause cause)
{
	switch (cause) {
	case RPCRDMA_CLOSE_UNREACHABLE:
	case RPCRDMA_CLOSE_TIMEOUT:
	case RPCRDMA_CLOSE_DEVICE_GONE:
	case RPCRDMA_CLOSE_ADDR_CHANGE:
	case RPCRDMA_CLOSE_QP_ERROR:
	case RPCRDMA_CLOSE_COMPLETION:
	case RPCRDMA_CLOSE_SILENT:
	case RPCRDMA_CLOSE_PORT_DOWN:
		return true;
	default:
		return false;
	}
}
EXPORT_SYMBOL_GPL(rpcrdma_close_blames_path);
