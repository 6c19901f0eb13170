/* SPDX-License-Identifier: GPL-2.0-only */
/* The scenarios of the requester role, by the file that defines them. */
#ifndef PEER_REQUESTER_SCENARIOS_H
#define PEER_REQUESTER_SCENARIOS_H

#include "requester/requester.h"

/* requester/header.c */
void scenario_null(void);
void scenario_xids(void);
void scenario_header_cut(void);
void scenario_header_nothing(void);
void scenario_discriminators(void);
void scenario_counts(void);
void scenario_procedures(void);
void scenario_msgp(void);
void scenario_done(void);
void scenario_write_immediate(void);
void scenario_error_in(void);
void scenario_nomsg_empty(void);
void scenario_msg_with_p0(void);
void scenario_payload_words(void);
void scenario_payload_cut(void);

/* requester/version.c */
void scenario_versions(void);
void scenario_versions_opaque(void);
void scenario_versions_short(void);

/* requester/credit.c */
void scenario_credit_requests(void);
void scenario_credit_all(void);
void scenario_credit_overrun(void);
void scenario_credits_used_up(void);
void scenario_credit_one_receive(void);
void scenario_credit_drops(void);

/* Send NULL Calls, and receive their Replies. Return: the largest grant */
void send_nulls(struct verbs_conn *conn, unsigned int count,
		struct call **calls);
uint32_t take_nulls(struct verbs_conn *conn, unsigned int count,
		    struct call **calls);

/* requester/read.c */
void scenario_read_sizes(void);
void scenario_read_largest_segments(void);
void scenario_read_segments(void);
void scenario_read_tiny_segments(void);
void scenario_read_empty_segments(void);
void scenario_read_released(void);
void scenario_read_symlink(void);
void scenario_read_chunks(void);
void scenario_read_partly(void);

/* WRITE a file of the largest payload, in one segment */
void write_payload(struct verbs_conn *conn);

/* requester/read_wrong.c */
void scenario_read_lengths(void);
void scenario_read_positions(void);
void scenario_read_overlap(void);
void scenario_read_huge(void);
void scenario_read_many_segments(void);
void scenario_read_many_chunks(void);
void scenario_read_bad_memory(void);
void scenario_read_not_eligible(void);
void scenario_read_acl(void);
struct call *not_eligible_call(struct verbs_conn *conn, struct memory *memory,
			       uint32_t *position);

/* requester/long.c */
void scenario_long_small(void);
void scenario_long_write(void);
void scenario_long_and_chunk(void);
void scenario_long_trailing(void);
void scenario_long_words(void);

/* requester/write.c */
void scenario_write_sizes(void);
void scenario_write_largest_segments(void);
void scenario_write_segments(void);
void scenario_unposted_writes(void);
void scenario_write_empty_segments(void);
void scenario_write_small(void);
void scenario_write_unused(void);
void scenario_write_readlink(void);
void scenario_write_not_eligible(void);
void scenario_write_many(void);
void scenario_write_no_room(void);

/* READ a file of the largest payload, in one segment */
void read_payload(struct verbs_conn *conn);

/* requester/largest.c */
void scenario_read_largest(void);
void scenario_write_largest(void);
void scenario_largest_kept(void);

/* requester/compound.c */
void scenario_compound_pairs(void);
void scenario_compound_nothing(void);
void scenario_compound_both(void);
void scenario_compound_create(void);

/* requester/read_plus.c */
void scenario_read_plus(void);

/* requester/reply.c */
void scenario_reply_long(void);
void scenario_reply_edges(void);
void scenario_reply_sizes(void);
void scenario_reply_small(void);
void scenario_reply_empty_segments(void);
void scenario_reply_and_write(void);
void scenario_reply_broken(void);
void scenario_reply_forced(void);
void scenario_reply_to_long_call(void);

/* requester/inline.c */
void scenario_inline_calls(void);
void scenario_inline_too_long(void);
void scenario_receive_too_small(void);
void scenario_private_data(void);
void scenario_private_data_wrong(void);

/* requester/invalidate.c */
void scenario_invalidate(void);
void scenario_invalidate_dead(void);
void scenario_invalidate_read(void);
void scenario_invalidate_nothing(void);
void scenario_invalidate_cannot(void);
void scenario_invalidate_refused(void);

/* requester/limits.c */
void scenario_leave_reading(void);
void scenario_leave_writing(void);
void scenario_leave_calling(void);
void scenario_write_bad_memory(void);
void scenario_silent(void);
void scenario_no_receive(void);
void scenario_many_connections(void);
void scenario_errors_repeated(void);

/* requester/reverse.c */
void scenario_reverse_recall(void);
void scenario_reverse_credits(void);
void scenario_reverse_same_xid(void);
void scenario_reverse_unmatched(void);
void scenario_reverse_unasked(void);
void scenario_reverse_separate(void);
void scenario_reverse_error(void);
void scenario_reverse_lost(void);

/* Memory for chunks of all kinds, with a handle that the server may invalidate */
struct memory *bound_memory(struct verbs_conn *conn);

/* requester/long.c: make a Call a Long Call with @n segments; also send it */
void add_long(struct verbs_conn *conn, struct call *call, unsigned int n);
void send_long(struct verbs_conn *conn, struct call *call, unsigned int n);

/* requester/protected.c */
void scenario_gss_read(void);
void scenario_gss_write(void);
void scenario_gss_reduced(void);

/* requester/depth.c */
void scenario_reads_few(void);
void scenario_reads_device(void);
void scenario_reads_none(void);

/* requester/lost.c */
void scenario_lost_calls(void);
void scenario_lost_reads(void);

/* requester/pieces.c */
void scenario_pulls_in_pieces(void);
void scenario_dribbles(void);

/* requester/hostile.c */
void scenario_hostile(void);
void scenario_polite(void);

/* requester/slow.c */
void scenario_slow_large_replies(void);
void scenario_slow_read_chunks(void);
void scenario_first_call_hangs(void);

#endif /* PEER_REQUESTER_SCENARIOS_H */
