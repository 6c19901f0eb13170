/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scenarios of the requester role in version 2.
 */
#ifndef PEER_V2_REQUESTER_SCENARIOS_H
#define PEER_V2_REQUESTER_SCENARIOS_H

#include "requester/scenarios.h"

/* v2/requester_property.c */
void v2_scenario_connprop(void);
void v2_scenario_rbsiz(void);
void v2_scenario_defaults(void);
void v2_scenario_unknown(void);
void v2_scenario_twice(void);
void v2_scenario_bad_sets(void);
void v2_scenario_connprop_answers(void);
void v2_scenario_connprop_again(void);
void v2_scenario_connprop_late(void);
void v2_scenario_connprop_busy(void);
void v2_scenario_receives(void);

/* Replies are inline up to the threshold, and not above */
void check_reply_limit(struct verbs_conn *conn);

/* v2/requester_version.c */
void v2_scenario_unknown_versions(void);
void v2_scenario_unknown_opaque(void);
void v2_scenario_settled(void);
void v2_scenario_side_by_side(void);
void v2_scenario_opening_on_version_1(void);
void v2_scenario_off(void);
void v2_scenario_only(void);
void v2_scenario_private_data(void);

/* v2/requester_message.c */
void v2_scenario_types(void);
void v2_scenario_flags(void);
void v2_scenario_direction(void);
void v2_scenario_error_in(void);
void v2_scenario_forms(void);
void v2_scenario_payload_words(void);
void v2_scenario_one_receive(void);

/* v2/requester_error.c */
void v2_scenario_read_chunks(void);
void v2_scenario_read_chunks_none(void);
void v2_scenario_write_chunks(void);
void v2_scenario_segments(void);
void v2_scenario_write_resource(void);
void v2_scenario_reply_resource(void);
void v2_scenario_one_answer(void);

/* v2/requester_invalidate.c */
void v2_scenario_invalidate(void);
void v2_scenario_invalidate_read(void);
void v2_scenario_invalidate_none(void);
void v2_scenario_invalidate_cannot(void);
void v2_scenario_invalidate_foreign(void);
void v2_scenario_invalidate_error(void);
void v2_scenario_invalidate_private(void);

/* v2/requester_credit.c */
void v2_scenario_credit_first(void);
void v2_scenario_credits_used_up(void);

/* v2/requester_reverse.c */
void v2_scenario_reverse_errors(void);
void v2_scenario_reverse_direction(void);
void v2_scenario_reverse_levels(void);

#endif /* PEER_V2_REQUESTER_SCENARIOS_H */
