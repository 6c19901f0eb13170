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
 * Calls for so many seconds. Print "calls NUMBER 50% MICROSECONDS 99% MICROSECONDS". The first
 * has one Call outstanding, on the connections in turn; the second @depth Calls on each.
 */
void load_in_turn(const struct load *load, unsigned int seconds);
void load_at_once(const struct load *load, unsigned int seconds, unsigned int depth);

#endif /* PEER_LOAD_H */
