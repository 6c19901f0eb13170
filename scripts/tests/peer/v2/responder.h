/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The responder role in version 2.
 */
#ifndef PEER_V2_RESPONDER_H
#define PEER_V2_RESPONDER_H

#include "responder/responder.h"

extern const struct scenario v2_responder_scenarios[];
extern const unsigned int v2_responder_scenario_count;

/* Checks of a message that only version 2 needs */
void v2_check_message(const struct header *h, const uint8_t *payload);

/* Handle the opening Call and the CONNPROP of the client */
void take_opening(struct client_conn *cc, const struct header *h,
		  const uint8_t *payload, size_t len);
void take_connprop(struct client_conn *cc, const struct header *h, size_t len);

/*
 * Answers to both. connprop_init() begins a CONNPROP; apply_properties() and
 * settle_version() apply its result to the connection.
 */
void connprop_init(struct header *h, const struct header *opening);
void send_header(struct client_conn *cc, const struct header *h);
void settle_version(struct client_conn *cc, unsigned int version);
void apply_properties(struct client_conn *cc, const struct header *answer);
void answer_opening(struct client_conn *cc, const struct header *opening);
void answer_connprop(struct client_conn *cc, const struct header *connprop);
void refuse_opening(struct client_conn *cc, const struct header *opening);
void v2_send_error(struct exchange *x, enum v2_error error, uint32_t first,
		   uint32_t second);

#endif /* PEER_V2_RESPONDER_H */
