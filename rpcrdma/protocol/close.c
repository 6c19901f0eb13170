// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a completion without success says about its connection, and what the cause of an
 * end says about the path. Pure: no device, no lock.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <kunit/visibility.h>
#include <rpcrdma/close.h>

/**
 * rpcrdma_close_wc_cause - the cause that a completion without success stands for
 * @flushed: its status is IB_WC_WR_FLUSH_ERR. That says only that the QP is in the
 *	error state already. If the cause of that is not known yet, then it is the
 *	peer's disconnect, whose CM event comes after the flush
 * @cause: what any other status means
 * @error: set to the errno that goes with the cause, negative
 *
 * Context: any.
 * Return: the cause to close the connection with.
 */
enum rpcrdma_close_cause rpcrdma_close_wc_cause(bool flushed,
						enum rpcrdma_close_cause cause,
						int *error)
{
	*error = flushed ? -ENOTCONN : -EIO;
	return flushed ? RPCRDMA_CLOSE_PEER : cause;
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
