/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fuzz of Replies and of CONNPROPs in version 2.
 */
#ifndef PEER_V2_RESPONDER_FUZZ_H
#define PEER_V2_RESPONDER_FUZZ_H

#include "responder/responder.h"

void v2_corrupt_header(struct header *h);

/* Answer the opening Call or the CONNPROP, sometimes with corrupted messages first */
void fuzz_first_answer(struct client_conn *cc, const struct header *first);

#endif /* PEER_V2_RESPONDER_FUZZ_H */
