/* SPDX-License-Identifier: GPL-2.0-only */
/* The requester role in version 2. */
#ifndef PEER_V2_REQUESTER_H
#define PEER_V2_REQUESTER_H

#include "requester/requester.h"

extern const struct scenario v2_requester_scenarios[];
extern const unsigned int v2_requester_scenario_count;

/*
 * struct props - the exchanged properties of a connection; verbs_conn.arg
 * @local:   our Receive Buffer Size, as the server must apply it
 * @remote:  the server's Receive Buffer Size
 * @reverse: the server's Backward Request Support
 * @grant:   credits granted
 */
struct props {
	uint32_t	local;
	uint32_t	remote;
	uint32_t	reverse;
	uint32_t	grant;
};

/* An RDMA2_CONNPROP without properties */
struct call *new_connprop(void);

/* The next message must be the server's response: valid and complete properties */
void expect_connprop(struct verbs_conn *conn, const struct call *call);

/* Send @connprop, apply the properties of both ends, and free it */
void exchange_props(struct verbs_conn *conn, struct call *connprop);
void exchange_props_as_private(struct verbs_conn *conn);

/* The next message must be this error. Return: its header */
const struct header *v2_expect_error(struct verbs_conn *conn, uint32_t xid,
				     enum v2_error error);
void expect_version_range(struct verbs_conn *conn, uint32_t xid, uint32_t vers,
			  uint32_t low, uint32_t high);

#endif /* PEER_V2_REQUESTER_H */
