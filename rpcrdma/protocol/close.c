// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a completion without success says about its connection.
 * Pure: no device, no lock.
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
