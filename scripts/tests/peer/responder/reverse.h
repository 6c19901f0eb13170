/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers of scenarios in the reverse direction.
 */
#ifndef PEER_RESPONDER_REVERSE_H
#define PEER_RESPONDER_REVERSE_H

#include "responder/responder.h"

#define CALLBACK_PROGRAM	0x40000000
#define FIRST_XID		0xca110000

/* Transport header of the next reverse Call */
extern struct header reverse_header;

void new_call_header(uint32_t xid);

/* Send a NULL Call with @reverse_header, and with a default header */
void send_call_to(struct client_conn *cc, uint32_t program);
void reverse_call(uint32_t xid, uint32_t program);

/* The same with a payload of @len bytes: the Call is cut, or zeroes follow it */
void reverse_call_of(uint32_t xid, size_t len);

/* Wait until the client has sent so many reverse Replies, or RDMA_ERRORs */
void await_replies(unsigned int count);
void await_errors(unsigned int count);

/* The newest reverse Reply must have this XID and accept_stat */
void expect_accepted(uint32_t xid, uint32_t stat);

/* The forward direction must work, after @connects connections in total */
void expect_forward(unsigned int connects);

#endif /* PEER_RESPONDER_REVERSE_H */
