// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scenarios of the responder role, with the requirements that each one
 * tests.
 */
#include "responder/scenarios.h"

const struct scenario responder_scenarios[] = {
	/* responder/watch.c: the first one lists what all of them check */
	{ "watch-42", "V1-HDR-01 V1-HDR-03 V1-HDR-04 V1-HDR-06 V1-HDR-09 V1-HDR-11 "
	  "V1-HDR-12 V1-HDR-14 V1-HDR-17 V1-HDR-22 V1-CRED-02 V1-CRED-04 "
	  "V1-CRED-12 V1-CRED-13 V1-INL-08 V1-INL-09 V1-INL-10 V1-CHK-02 "
	  "V1-CHK-07 V1-CHK-08 V1-CHK-20 V1-RD-02 V1-RD-03 V1-RD-04 V1-RD-07 "
	  "V1-RD-09 V1-RD-10 V1-WR-02 V1-WR-03 V1-WR-11 V1-WR-12 V1-RPL-01 "
	  "V1-RPL-03 V1-PZ-01 V1-PZ-02 V1-PZ-04 V1-PAD-02 V1-PAD-03 "
	  "V1-PAD-05 V1-PAD-12 V1-DDP-01 V1-DDP-02 V1-DDP-11 V1-DEP-01 V1-DEP-04 "
	  "V1-MEM-06 V1-CHK-11 ULB-GEN-02 ULB-GEN-07 ULB-CLX-02 ULB-CLX-03 ULB-CLX-04 ULB-CLX-11 "
	  "ULB-AUX-04 ULB-CMP-01 ULB-KA-09 ULB-V4-01 ULB-V4-02 ULB-V4-03 "
	  "ULB-V4-05 DR-07 UQ-08",
	  client_watch_42, 60 },
	{ "watch-3", "V1-PAD-06 ULB-V23-01 ULB-V23-02 ULB-V23-03 ULB-V23-05 ULB-ACL-01 "
	  "ULB-ACL-02", client_watch_3, 60 },
	{ "watch-40", "ULB-V4-01 ULB-V4-02 ULB-V4-03 ULB-V4-05", client_watch_40, 60 },
	{ "watch-41", "ULB-V4-01 ULB-V4-02 ULB-V4-03 ULB-V4-06", client_watch_41, 60 },
	/* responder/header.c */
	{ "fixed-words", "V1-HDR-06 V1-VER-04 V1-ERR-04 V1-SEC-12",
	  client_fixed_words },
	{ "withdrawn", "V1-DEP-03 V1-DEP-05 V1-HDR-08 V1-ERR-04 DR-17 DR-18",
	  client_withdrawn },
	{ "wrong-forms", "V1-RD-08 V1-DEP-06 V1-HDR-12 V1-HDR-20 V1-ERR-04 "
	  "T-06 T-08 DR-16 DR-22", client_wrong_forms },
	{ "logged", "V1-ERR-04 V1-SEC-15", client_logged, 60 },
	{ "cut-headers", "V1-ERR-01 V1-ERR-02 V1-ERR-04 V1-CHK-14 T-36 T-47 "
	  "DR-16 DR-26",
	  client_cut_headers },
	{ "list-words", "V1-CHK-15 V1-CHK-16 V1-CHK-17 V1-ERR-04 V1-SEC-12 "
	  "DR-16",
	  client_list_words },
	{ "stray-replies", "V1-RTX-07 BI-GEN-04 BI-GEN-07 V1-ERR-04",
	  client_unmatched_replies },
	{ "short-payload", "V1-HDR-01 V1-ERR-04", client_short_payload },
	/* responder/chunks.c */
	{ "write-lists", "V1-WR-05 V1-WR-07 V1-ERR-04 T-15 DR-08",
	  client_write_lists },
	{ "write-emptied", "UQ-02", client_write_emptied },
	{ "inexact-lists", "V1-WR-05 V1-WR-07 V1-RPL-07 T-15 UQ-02",
	  client_inexact_lists },
	{ "reply-chunks", "V1-RPL-08 V1-RPL-10 V1-RPL-12 V1-HDR-12 V1-ERR-04 "
	  "T-06 T-15 T-31", client_reply_chunks },
	{ "several-segments", "V1-CHK-04 V1-CHK-05 V1-WR-25 V1-RD-04",
	  client_several_segments },
	{ "unreduced", "V1-DDP-08 ULB-GEN-06 T-32", client_unreduced },
	{ "other-reduced", "V1-DDP-07 T-15", client_other_reduced },
	{ "write-pad", "V1-PAD-09 V1-PAD-14 V1-WR-23 DR-01 DR-06 T-27",
	  client_write_pad },
	{ "followed", "V1-PAD-14", client_followed },
	{ "reply-chunk-unused", "V1-RPL-06 V1-RPL-08 V1-RPL-09 DR-09 T-31",
	  client_reply_chunk_unused },
	{ "reply-as-call", "ULB-KA-05 ULB-KA-09", client_reply_as_call, 900 },
	/* responder/error.c */
	{ "err-vers", "V1-ERR-08 V1-ERR-09 V1-RTX-03 V1-VER-05 T-03 DR-14",
	  client_err_vers },
	{ "err-chunk", "V1-ERR-09 V1-RTX-03 ULB-RSZ-07 ULB-RTY-07 ULB-CLX-09 "
	  "ULB-CLX-10 ULB-RTY-02 ULB-RTY-04 ULB-KA-07 T-01 UQ-01", client_err_chunk },
	{ "err-session", "ULB-SES-03 ULB-SES-04 ULB-SES-05 ULB-SES-06",
	  client_err_session },
	{ "err-bad", "V1-ERR-10 T-01 T-10", client_err_bad },
	{ "err-stray", "V1-RTX-07 V1-ERR-09 DR-15", client_err_unmatched },
	{ "wrong-verifier", "ULB-KA-05 ULB-KA-09", client_wrong_verifier },
	/* responder/credit.c */
	{ "grant-zero", "V1-CRED-05 V1-CRED-06 T-18", client_grant_zero },
	{ "grant-one", "V1-CRED-04 V1-CRED-06 V1-CRED-07 DR-13",
	  client_grant_one },
	{ "grant-huge", "V1-CRED-06 V1-CRED-15 DR-11",
	  client_grant_huge },
	{ "grant-changes", "V1-CRED-04 V1-CRED-07 V1-CRED-08 V1-CRED-16 T-16 "
	  "DR-13",
	  client_grant_changes },
	{ "grant-restless", "V1-CRED-08", client_grant_restless },
	{ "grant-lowered", "V1-CRED-04 V1-CRED-08 V1-CRED-16 T-17", client_grant_lowered },
	{ "reverse-dropped", "BI-CRED-02", client_reverse_dropped },
	/* responder/burst.c */
	{ "grant-burst", "V1-CRED-10 BI-BUF-04", client_grant_burst },
	{ "reverse-too-many", "V1-CRED-17 ULB-KA-06", client_reverse_too_many },
	/* responder/memory.c */
	{ "dead-write-chunk", "V1-MEM-02 V1-MEM-07 T-38 DR-29",
	  client_dead_write_chunk },
	{ "dead-reply-chunk", "V1-MEM-02 V1-MEM-07 T-38 DR-29",
	  client_dead_reply_chunk },
	{ "dead-read-chunk", "V1-MEM-02 V1-MEM-07 V1-RD-13 T-38 DR-29",
	  client_dead_read_chunk },
	{ "dead-others", "V1-MEM-02 V1-MEM-20 V1-MEM-21 V1-WR-24", client_dead_others },
	{ "dead-after-error", "V1-MEM-09", client_dead_after_error },
	{ "dead-after-signal", "V1-MEM-04 V1-MEM-09 V1-MEM-19 T-39",
	  client_dead_after_signal },
	{ "reply-after-signal", "V1-RTX-07 V1-RTX-09 V1-MEM-04",
	  client_reply_after_signal },
	{ "no-receives", "V1-MEM-04 V1-MEM-09", client_no_receives, 300 },
	{ "credits-given-up", "V1-CRED-04 V1-CRED-17", client_credits_given_up },
	{ "write-immediate", "V1-HDR-01 V1-SEC-12", client_write_immediate },
	{ "plain-send", "V1-MEM-20", client_plain_send },
	{ "invalidation-fails", "V1-MEM-05 T-38", client_invalidation_fails },
	{ "chunk-rights", "V1-MEM-13", client_chunk_rights, 120 },
	{ "unknown-invalidation", "V1-MEM-21", client_unknown_invalidation },
	{ "foreign-invalidation", "V1-MEM-21", client_foreign_invalidation },
	{ "stray-invalidation", "V1-MEM-21", client_stray_invalidation },
	/* responder/connect.c */
	{ "private-none", "V1-INL-04 V1-INL-06 V1-CRED-14 V1-MEM-20 T-24 DR-27",
	  client_private_none },
	{ "private-sizes", "V1-INL-01 V1-INL-02 V1-INL-03 V1-INL-07",
	  client_private_sizes },
	{ "private-garbage", "V1-INL-06 T-24", client_private_garbage },
	{ "private-flags", "V1-INL-07", client_private_flags },
	{ "rejected", "V1-RTX-01 V1-RTX-08", client_rejected },
	{ "rejected-for-good", "V1-RTX-08", client_rejected_for_good },
	{ "dropped", "V1-RTX-02 V1-RTX-04 V1-RTX-08 V1-CRED-12 V1-CRED-13 "
	  "BI-RTX-05 ULB-KA-08 ULB-KA-10 T-20", client_dropped, 60 },
	{ "broken", "V1-RTX-02 V1-RTX-08", client_broken },
	{ "fresh-handles", "V1-RTX-05 ULB-KA-10 T-42 DR-29",
	  client_fresh_handles },
	{ "handles", "V1-MEM-10 V1-MEM-15", client_handles },
	{ "reply-lost", "BI-RTX-01 ULB-KA-01 ULB-KA-05 ULB-KA-09 V1-RTX-02",
	  client_reply_lost },
	{ "never-answers", "ULB-KA-02 ULB-KA-05", client_never_answers, 60 },
	{ "umount-force", "ULB-KA-02 V1-MEM-04", client_umount_force },
	/* responder/reverse.c */
	{ "reverse-recall", "BI-GEN-02 BI-GEN-09 BI-CHK-06 ULB-CB-05 ULB-CB-07",
	  client_reverse_recall },
	{ "reverse-null", "BI-MSG-06 BI-MSG-07 BI-MSG-08 BI-MSG-09 BI-MSG-10 "
	  "BI-CRED-04 BI-CRED-09 DR-23 DR-24", client_reverse_null },
	{ "reverse-program", "BI-MSG-06 BI-MSG-09 BI-MSG-10", client_reverse_program },
	{ "reverse-chunks", "BI-CHK-03 BI-CHK-04 T-51 DR-23",
	  client_reverse_chunks },
	{ "reverse-same-xid", "BI-GEN-05 BI-GEN-06 BI-MSG-11 BI-CRED-02 T-48",
	  client_reverse_same_xid },
	{ "reverse-several", "BI-CRED-01 BI-CRED-04 BI-BUF-04",
	  client_reverse_several },
	{ "reverse-size", "BI-BUF-02 ULB-CB-11", client_reverse_size },
	{ "reverse-page", "ULB-CB-11", client_reverse_page },
	{ "reverse-absent", "BI-ABS-05 BI-BUF-05 BI-GEN-07", client_reverse_absent },
	/* responder/sizes.c */
	{ "gss-sizes", "V1-SEC-04 V1-SEC-05 V1-INL-08", client_gss_sizes },
	/* responder/fuzz.c: sets its time limit itself */
	{ "fuzz", "V1-SEC-12 V1-SEC-15 V1-ERR-04", client_fuzz, 24 * 3600 },
};

const unsigned int responder_scenario_count =
	sizeof(responder_scenarios) / sizeof(responder_scenarios[0]);
