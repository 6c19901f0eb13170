/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scenarios of the responder role, by the file that defines them, and what
 * they share.
 */
#ifndef PEER_RESPONDER_SCENARIOS_H
#define PEER_RESPONDER_SCENARIOS_H

#include "responder/responder.h"

#define DATA_FILE	"data"
#define DATA_SIZE	65536
#define BIG_DIR		"big"

/* Mount options: an RPC without a Reply fails eventually */
#define SOFT		"soft,timeo=150,retrans=3"

/* responder/setup.c */
void setup(const char *version);
void setup_with(const char *version, const char *options);
const char *short_timeout(unsigned int slow);
void close_files(void);
void teardown(void);
int read_data(void);
int read_small(void);
int write_data(void);
int read_dir(void);
void ignore_call(struct exchange *x);

/*
 * Send two Replies to one Call of kind @op: one that @corrupt has changed, and
 * a good one. @operation must succeed on the same connection, and the client
 * must count and log the bad Reply. @reason is NULL if the client does not log
 * it.
 */
void bad_then_good(enum nfs_op op, int (*operation)(void),
		   void (*corrupt)(struct exchange *x), const char *reason);
/*
 * Send a Reply that @corrupt has changed to one Call of kind @op. @operation must end
 * with EIO at once, and succeed when it is repeated on the same connection. The client
 * must count and log the bad Reply.
 */
void bad_ends(enum nfs_op op, int (*operation)(void),
	      void (*corrupt)(struct exchange *x), const char *reason);

/*
 * The same for a Reply that the client must accept and count, so that @operation ends
 * with @result.
 */
void inexact_accepted(enum nfs_op op, int (*operation)(void),
		      void (*corrupt)(struct exchange *x), int result,
		      const char *what);
void check_client_alive(void);

/* responder/watch.c */
void client_watch_3(void);
void client_watch_40(void);
void client_watch_41(void);
void client_watch_42(void);

/* responder/header.c */
void client_fixed_words(void);
void client_withdrawn(void);
void client_wrong_forms(void);
void client_reply_as_call(void);
void client_logged(void);
void client_cut_headers(void);
void client_list_words(void);
void client_unmatched_replies(void);
void client_short_payload(void);

/* responder/chunks.c */
void client_write_lists(void);
void client_write_emptied(void);
void client_inexact_lists(void);
void client_reply_chunks(void);
void client_several_segments(void);
void client_unreduced(void);
void client_other_reduced(void);
void client_write_pad(void);
void client_followed(void);
void client_reply_chunk_unused(void);

/* responder/error.c */
void client_err_vers(void);
void client_err_chunk(void);
void client_err_session(void);
void client_err_bad(void);
void client_err_unmatched(void);
void client_wrong_verifier(void);

/* responder/credit.c */
void client_grant_zero(void);
void client_grant_one(void);
void client_grant_huge(void);
void client_grant_changes(void);
void client_grant_restless(void);
void client_grant_lowered(void);
void client_reverse_dropped(void);

/* responder/burst.c */
void client_grant_burst(void);
void client_reverse_too_many(void);

/* responder/memory.c */
void client_dead_write_chunk(void);
void client_dead_reply_chunk(void);
void client_dead_read_chunk(void);
void client_dead_after_error(void);
void client_dead_others(void);
void client_dead_after_signal(void);
void client_reply_after_signal(void);
void client_no_receives(void);
void client_credits_given_up(void);
void client_write_immediate(void);
void client_plain_send(void);
void client_chunk_rights(void);
void client_invalidation_fails(void);
void client_unknown_invalidation(void);
void client_foreign_invalidation(void);
void client_stray_invalidation(void);

/* responder/connect.c; expect_inline_use(): a WRITE is inline up to the threshold, and not above */
void use_all_forms(void);
void expect_inline_use(unsigned int limit);
void client_private_none(void);
void client_private_sizes(void);
void client_private_garbage(void);
void client_private_flags(void);
void client_rejected(void);
void client_rejected_for_good(void);
void client_dropped(void);
void client_broken(void);
void client_fresh_handles(void);
void client_handles(void);
void client_reply_lost(void);
void client_never_answers(void);
void client_umount_force(void);

/* responder/reverse.c */
void client_reverse_recall(void);
void client_reverse_null(void);
void client_reverse_program(void);
void client_reverse_chunks(void);
void client_reverse_same_xid(void);
void client_reverse_several(void);
void client_reverse_size(void);
void client_reverse_page(void);
void client_reverse_absent(void);

/* responder/sizes.c */
void client_gss_sizes(void);

/* responder/fuzz.c */
void client_fuzz(void);

#endif /* PEER_RESPONDER_SCENARIOS_H */
