/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scenarios of the responder role in version 2, and what they share.
 */
#ifndef PEER_V2_RESPONDER_SCENARIOS_H
#define PEER_V2_RESPONDER_SCENARIOS_H

#include "responder/scenarios.h"
#include "v2/responder.h"

/* v2/responder_property.c */
void v2_client_sizes(void);
void v2_client_properties(void);
void v2_client_bad_properties(void);
void v2_client_odd_answers(void);

/* v2/responder_negotiate.c */
void v2_client_opening(void);
void v2_client_fall_back(void);
void v2_client_opening_refused(void);
void v2_client_properties_absent(void);
void v2_client_late_answer(void);
void v2_client_opening_lost(void);
void v2_client_opening_unanswered(void);
void v2_client_outdated(void);
void v2_client_no_common_version(void);
void v2_client_never_below(void);
void v2_client_unmatched_first(void);

/*
 * Shared by the scenarios of negotiation. set_opening_handler() and
 * set_connprop_handler(): the answer to the next opening Calls, and to the next
 * CONNPROPs (NULL: the default). expect_version(): of the newest
 * connection. connect_again(): a new connection works.
 * connect_with_many_calls(): so does one that many Calls wait for;
 * responder/rules.c checks that only one is sent before the first grant.
 */
void set_opening_handler(void (*on_opening)(struct client_conn *cc,
					    const struct header *opening));
void set_connprop_handler(void (*on_connprop)(struct client_conn *cc,
					      const struct header *connprop));
void expect_version(unsigned int version, const char *what);
void connect_again(void);
void connect_with_many_calls(void);

/* v2/responder_error.c */
void v2_client_permanent(void);
void v2_client_not_repairable(void);
void v2_client_read_chunks(void);
void v2_client_write_chunks(void);
void v2_client_reply_resource(void);
void v2_client_two_errors(void);
void v2_client_error_session(void);
void v2_client_error_credits(void);
void v2_client_error_bad(void);

/* v2/responder_message.c */
void v2_client_bad_replies(void);
void v2_client_flags(void);
void v2_client_no_reply_chunk(void);
void v2_client_types(void);
void v2_client_connprop_again(void);
void v2_client_other_handle(void);
void v2_client_error_invalidates(void);

/* v2/responder_reverse.c */
void v2_client_reverse_absent(void);
void v2_client_reverse_flags(void);

#endif /* PEER_V2_RESPONDER_SCENARIOS_H */
