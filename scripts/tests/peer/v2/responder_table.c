// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scenarios of the responder role in version 2, with the requirements that
 * each one tests. Many are scenarios of version 1 that also apply to version 2.
 */
#include "v2/responder_scenarios.h"

const struct scenario v2_responder_scenarios[] = {
	/*
	 * The first one lists what all of them check (v2/responder.c,
	 * responder/rules.c)
	 */
	{ "v2-watch-42",
	  "V2-HDR-01 V2-HDR-02 V2-HDR-03 V2-HDR-05 V2-HDR-07 V2-HDR-08 V2-HDR-13 "
	  "V2-CHK-01 V2-CHK-02 V2-CHK-03 V2-CHK-04 V2-CHK-05 V2-MSG-04 "
	  "V2-MSG-05 V2-MSG-07 V2-MSG-08 V2-MSG-09 V2-MSG-12 V2-RBS-03 V2-RBS-04 "
	  "V2-RBS-05 V2-INL-01 V2-INL-04 V2-INL-05 V2-INL-06 V2-INL-08 "
	  "V2-INL-10 V2-CRD-01 V2-CRD-03 V2-CRD-08 V2-CRD-09 V2-RI-06 "
	  "V2-RI-13 V2-EXT-05 OQ-22 OQ-36",
	  client_watch_42, 60, 2 },
	{ "v2-watch-3", "V2-CHK-03 V2-MSG-07", client_watch_3, 60, 2 },
	{ "v2-watch-40", "V2-CHK-03 V2-MSG-07", client_watch_40, 60, 2 },
	{ "v2-watch-41", "V2-CHK-03 V2-MSG-07", client_watch_41, 60, 2 },

	/* v2/responder_negotiate.c */
	{ "v2-probe",
	  "V2-CPR-01 V2-CPR-02 V2-CPR-03 V2-CPR-04 V2-CPR-05 V2-CPR-08 V2-CPR-12 "
	  "V2-CPR-17 V2-NEG-01 V2-NEG-02 V2-NEG-03 V2-NEG-04 V2-NEG-14 V2-NEG-25 "
	  "V2-NEG-29 V2-HDR-10 V2-HDR-13 V2-PROP-01 V2-PROP-13 V2-RBS-01 "
	  "V2-RBS-07 V2-BRS-01 V2-BRS-14 V2-CRD-04 V2-MSG-01 OQ-03 OQ-05 OQ-06 "
	  "OQ-07 OQ-11 OQ-24",
	  v2_client_opening, 0, 2 },
	{ "v2-sizes",
	  "ULB-V2X-07 V2-RBS-03 V2-RBS-04 V2-RBS-08 V2-INL-02 V2-INL-06 V2-SEC-04 "
	  "OQ-22 OQ-23",
	  v2_client_sizes, 60, 2 },
	{ "v2-properties",
	  "V2-PROP-02 V2-PROP-03 V2-PROP-09 V2-PROP-10 V2-PROP-13 V2-PROP-15 "
	  "V2-CPR-06 V2-CPR-12 V2-EXT-01 V2-EXT-04 V2-INL-03 V2-MSG-09 V2-HDR-06 OQ-19 "
	  "OQ-25 OQ-32",
	  v2_client_properties, 60, 2 },
	{ "v2-bad-answers",
	  "V2-CPR-15 V2-PROP-08 V2-PROP-12 V2-ERR-09 V2-NEG-02 V2-CRD-04 V2-BRS-13 "
	  "OQ-02 OQ-04 OQ-25",
	  v2_client_bad_properties, 60, 2 },
	{ "v2-fall-back",
	  "V2-NEG-09 V2-NEG-12 V2-NEG-14 V2-NEG-17 V2-NEG-18 V2-NEG-19 V2-NEG-24 "
	  "V2-NEG-25 V2-NEG-27 V2-NEG-29 V2-ERC-02 V2-INL-13 V2-INL-14 OQ-08 "
	  "OQ-09 OQ-11 OQ-12 OQ-40",
	  v2_client_fall_back, 120, 2 },
	{ "v2-probe-refused",
	  "V2-NEG-20 V2-NEG-02 V2-CRD-04 V2-ERR-08 OQ-02 OQ-11",
	  v2_client_opening_refused, 60, 2 },
	{ "v2-no-properties",
	  "V2-CPR-02 V2-CPR-04 V2-CPR-06 V2-CPR-10 V2-NEG-01 V2-NEG-02 V2-INL-03 OQ-06 OQ-11",
	  v2_client_properties_absent, 60, 2 },
	{ "v2-late-answer", "V2-CRD-03 V2-CPR-06", v2_client_late_answer, 60, 2 },
	{ "v2-probe-lost",
	  "V2-NEG-10 V2-NEG-11 V2-NEG-27 OQ-12",
	  v2_client_opening_lost, 60, 2 },
	{ "v2-probe-unanswered",
	  "V2-NEG-11 V2-NEG-26 V2-NEG-27 OQ-12",
	  v2_client_opening_unanswered, 60, 2 },
	{ "v2-only-by-then",
	  "V2-NEG-27 OQ-12",
	  v2_client_outdated, 60, 2 },
	{ "v2-no-common-version",
	  "V2-NEG-28 V2-SEC-05 V2-ERC-02 OQ-12",
	  v2_client_no_common_version, 60, 2 },
	{ "v2-never-below",
	  "V2-SEC-05 V2-SEC-07 OQ-12",
	  v2_client_never_below, 60, 2 },

	/* v2/responder_error.c */
	{ "v2-permanent",
	  "V2-ERC-04 V2-ERC-08 V2-ERC-29 V2-ERR-07 V2-ERR-11 V2-CRD-08 "
	  "V2-EXT-07 OQ-17 OQ-18 OQ-34",
	  v2_client_permanent, 0, 2 },
	{ "v2-not-repairable",
	  "V2-ERC-12 V2-ERC-18 V2-ERC-22 V2-ERC-26 V2-SEC-08 V2-ERR-15 OQ-14 "
	  "OQ-15 OQ-17",
	  v2_client_not_repairable, 0, 2 },
	{ "v2-read-chunks-repair",
	  "ULB-V2X-04 V2-ERC-11 V2-ERC-12 V2-ERR-15 V2-CRD-08 V2-RI-12 OQ-14 "
	  "UQ-01",
	  v2_client_read_chunks, 0, 2 },
	{ "v2-write-chunks-repair",
	  "ULB-V2X-04 V2-ERC-16 V2-ERC-23 V2-ERR-15 V2-CRD-08 V2-RI-12 OQ-13 "
	  "OQ-14 OQ-16 OQ-17 UQ-01",
	  v2_client_write_chunks, 0, 2 },
	{ "v2-reply-resource-repair",
	  "ULB-V2X-06 V2-ERC-27 V2-ERR-15 V2-RI-12 OQ-13 OQ-14 OQ-22 UQ-01",
	  v2_client_reply_resource, 0, 2 },
	{ "v2-two-errors",
	  "V2-ERR-15 V2-CRD-08 OQ-14",
	  v2_client_two_errors, 0, 2 },
	{ "v2-error-session", "V2-ERC-30 OQ-14", v2_client_error_session, 0, 2 },
	{ "v2-error-credits",
	  "V2-ERR-05 V2-ERR-08 OQ-01",
	  v2_client_error_credits, 0, 2 },
	{ "v2-error-bad",
	  "V2-ERR-12 V2-ERR-09 OQ-04",
	  v2_client_error_bad, 0, 2 },

	/* v2/responder_message.c */
	{ "v2-bad-replies",
	  "V2-HDR-12 V2-HDR-17 V2-CHK-10 V2-CHK-14 V2-MSG-11 V2-MSG-12 V2-NEG-22 "
	  "V2-ERR-01 V2-ERR-10 OQ-04 OQ-10 OQ-20 OQ-29 OQ-31",
	  v2_client_bad_replies, 60, 2 },
	{ "v2-odd-flags",
	  "V2-HDR-06 V2-CHK-08 OQ-19 OQ-21",
	  v2_client_flags, 60, 2 },
	{ "v2-no-reply-chunk",
	  "V2-CHK-16 OQ-30",
	  v2_client_no_reply_chunk, 0, 2 },
	{ "v2-unknown-types",
	  "V2-MSG-02 V2-MSG-03 V2-MSG-10 V2-MSG-11 V2-EXT-01 V2-EXT-03 V2-ERR-09 "
	  "OQ-03 OQ-31",
	  v2_client_types, 0, 2 },
	{ "v2-second-connprop",
	  "V2-CPR-14 V2-CPR-15 V2-PROP-04 V2-PROP-06 OQ-26",
	  v2_client_connprop_again, 0, 2 },
	{ "v2-odd-answers",
	  "V2-CPR-13 V2-CRD-04 OQ-06",
	  v2_client_odd_answers, 0, 2 },
	{ "v2-strays-first",
	  "V2-NEG-18 V2-INL-11 V2-INL-03 OQ-07 OQ-08",
	  v2_client_unmatched_first, 0, 2 },
	{ "v2-other-handle", "V2-RI-07 OQ-21", v2_client_other_handle, 0, 2 },
	{ "v2-error-invalidates", "V2-RI-06", v2_client_error_invalidates, 0, 2 },

	/* As in version 1 */
	{ "v2-cut-headers",
	  "V2-HDR-18 V2-ERR-10 V2-CHK-11 OQ-32",
	  client_cut_headers, 0, 2 },
	{ "v2-stray-replies", "V2-HDR-12", client_unmatched_replies, 0, 2 },
	{ "v2-write-lists", "V2-CHK-02 V2-ERR-10", client_write_lists, 0, 2 },
	{ "v2-write-emptied", "UQ-02", client_write_emptied, 0, 2 },
	{ "v2-inexact-lists", "V2-CHK-02 UQ-02", client_inexact_lists, 0, 2 },
	{ "v2-several-segments", "V2-CHK-02", client_several_segments, 0, 2 },
	{ "v2-grant-zero", "V2-CRD-05 OQ-01", client_grant_zero, 0, 2 },
	{ "v2-grant-changes", "V2-CRD-01 V2-CRD-03", client_grant_changes, 0, 2 },
	{ "v2-grant-lowered", "V2-CRD-03", client_grant_lowered, 0, 2 },
	{ "v2-grant-burst", "V2-CRD-01 V2-CRD-07", client_grant_burst, 0, 2 },
	{ "v2-dead-write-chunk", "V2-RI-06", client_dead_write_chunk, 0, 2 },
	{ "v2-dead-reply-chunk", "V2-RI-06", client_dead_reply_chunk, 0, 2 },
	{ "v2-dead-others", "V2-RI-06", client_dead_others, 0, 2 },
	{ "v2-dead-after-error", "V2-RI-06", client_dead_after_error, 0, 2 },
	{ "v2-plain-send", "V2-RI-13 V2-CHK-06", client_plain_send, 0, 2 },
	{ "v2-unknown-invalidation",
	  "V2-RI-07 OQ-21",
	  client_unknown_invalidation, 0, 2 },
	{ "v2-foreign-invalidation",
	  "V2-RI-07 OQ-21",
	  client_foreign_invalidation, 0, 2 },
	{ "v2-dropped",
	  "V2-NEG-25 V2-NEG-29 V2-CRD-08 V2-RI-12 OQ-36",
	  client_dropped, 60, 2 },
	{ "v2-fresh-handles", "V2-RI-12", client_fresh_handles, 0, 2 },
	{ "v2-reply-lost",
	  "V2-CRD-08 V2-CRD-09 OQ-36",
	  client_reply_lost, 0, 2 },

	/* The reverse direction */
	{ "v2-reverse-recall", "V2-BRS-02 V2-BRS-08", client_reverse_recall, 0, 2 },
	{ "v2-reverse-null",
	  "V2-BRS-02 V2-BRS-04 V2-HDR-07 V2-HDR-08 V2-CRD-02",
	  client_reverse_null, 0, 2 },
	{ "v2-reverse-chunks",
	  "V2-BRS-10 V2-BRS-11 V2-BRS-04 OQ-24",
	  client_reverse_chunks, 0, 2 },
	{ "v2-reverse-same-xid", "V2-HDR-12 V2-CRD-02", client_reverse_same_xid, 0, 2 },
	{ "v2-reverse-size", "V2-BRS-15 ULB-V2X-08", client_reverse_size, 0, 2 },
	{ "v2-reverse-several", "V2-CRD-02", client_reverse_several, 0, 2 },
	{ "v2-reverse-absent",
	  "V2-BRS-12 OQ-24",
	  v2_client_reverse_absent, 0, 2 },
	{ "v2-reverse-flags",
	  "V2-HDR-06 V2-HDR-16 V2-CHK-09 OQ-19 OQ-20",
	  v2_client_reverse_flags, 0, 2 },

	/* responder/fuzz.c */
	{ "v2-fuzz", "V2-SEC-04 V2-SEC-08 V2-ERR-10 V2-ERR-12", client_fuzz, 24 * 3600,
	  2 },
};

const unsigned int v2_responder_scenario_count =
	sizeof(v2_responder_scenarios) / sizeof(v2_responder_scenarios[0]);
