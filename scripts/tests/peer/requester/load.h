/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls on many connections, and how long each takes. */
#ifndef PEER_LOAD_H
#define PEER_LOAD_H

#include "requester/nfs.h"

/*
 * struct load - where the Calls go
 * @conns: connections
 * @count: number of connections
 * @root:  file handle of the root directory
 */
struct load {
	struct verbs_conn	**conns;
	unsigned int		count;
	struct nfs_handle	root;
};

/* One Call and its Reply. It is a GETATTR of the root directory */
void load_call(const struct load *load, struct verbs_conn *conn);

/*
 * Send Calls for @seconds, and wait for their Replies. Print
 * "calls NUMBER 50% MICROSECONDS 99% MICROSECONDS". load_one_by_one() keeps one Call outstanding,
 * on the connections round robin; load_parallel() keeps up to @depth outstanding on each, as
 * credits allow.
 */
void load_one_by_one(const struct load *load, unsigned int seconds);
void load_parallel(const struct load *load, unsigned int seconds, unsigned int depth);

#endif /* PEER_LOAD_H */
