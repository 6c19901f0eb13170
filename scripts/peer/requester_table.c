// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of scenarios of the requester's role, each with the requirements
 * that it proves.
 */
#include "requester_scenarios.h"

const struct scenario requester_scenarios[] = {
	/* requester_header.c */
	{ "null", "V1-HDR-01 V1-HDR-03 V1-HDR-04 V1-HDR-06 V1-HDR-07 V1-HDR-09 V1-HDR-10 V1-HDR-17 V1-HDR-21 V1-HDR-22 V1-RD-08 V1-CRED-11 V1-RTX-01 BI-GEN-07",
	  scenario_null },
	{ "xids", "V1-HDR-04 V1-HDR-21 BI-GEN-03", scenario_xids },
	{ "header-cut", "V1-ERR-01 V1-ERR-03 V1-ERR-05 V1-ERR-06 V1-ERR-07 V1-ERR-08 V1-ERR-11 V1-ERR-23 V1-HDR-13 V1-CRED-03 V1-SEC-12",
	  scenario_header_cut },
	{ "header-nothing", "V1-ERR-01", scenario_header_nothing },
	{ "header-discriminators", "V1-HDR-02 V1-ERR-03 V1-ERR-11 V1-VER-06 V1-SEC-12",
	  scenario_discriminators },
	{ "header-counts", "V1-ERR-11 V1-SEC-12 ULB-CLX-07", scenario_counts },
	{ "header-procedures", "V1-ERR-12 V1-ERR-11", scenario_procedures },
	{ "header-msgp", "V1-DEP-02", scenario_msgp },
	{ "header-done", "V1-DEP-05", scenario_done },
	{ "header-error-in", "V1-HDR-15 V1-ERR-10 BI-GEN-04", scenario_error_in },
	{ "header-nomsg-empty", "V1-HDR-12 V1-ERR-13", scenario_nomsg_empty },
	{ "header-msg-with-p0", "V1-ERR-11", scenario_msg_with_p0 },
	{ "header-payload-words", "V1-ERR-14 BI-CRED-07", scenario_payload_words },
	{ "header-payload-cut", "V1-ERR-03 V1-SEC-12", scenario_payload_cut },

	/* requester_version.c */
	{ "versions", "V1-VER-01 V1-VER-02 V1-VER-03 V1-ERR-05 V1-ERR-06 V1-ERR-08",
	  scenario_versions },
	{ "versions-opaque", "V1-VER-04 V1-VER-05 V1-VER-08", scenario_versions_opaque },
	{ "versions-short", "V1-ERR-01 V1-VER-01", scenario_versions_short },

	/* requester_credit.c */
	{ "credit-requests", "V1-CRED-03 V1-CRED-05 V1-CRED-08 V1-CRED-15",
	  scenario_credit_requests },
	{ "credit-all", "V1-CRED-07 V1-CRED-09 V1-CRED-16 BI-BUF-06 V1-HDR-22",
	  scenario_credit_all },
	{ "credit-overrun", "V1-CRED-17 V1-SEC-15", scenario_credit_overrun },
	{ "credit-one-receive", "V1-CRED-11 V1-CRED-14 V1-HDR-22", scenario_credit_one_receive },
	{ "credit-drops", "V1-CRED-09 V1-SEC-15", scenario_credit_drops },

	/* requester_read.c */
	{ "read-sizes", "V1-RD-02 V1-RD-05 V1-RD-07 V1-RD-11 V1-PAD-02 V1-PAD-03 V1-PAD-04 V1-PAD-05 V1-PAD-06 V1-PAD-07 V1-PAD-08 V1-CHK-07 V1-CHK-08 V1-CHK-19 V1-CHK-20 V1-DDP-01 V1-HDR-19 ULB-V23-01",
	  scenario_read_sizes, 60 },
	{ "read-segments", "V1-CHK-05 V1-RD-04 V1-PAD-08 ULB-CLX-05", scenario_read_segments, 120 },
	{ "read-empty-segments", "V1-CHK-03", scenario_read_empty_segments },
	{ "read-released", "V1-RD-12", scenario_read_released },
	{ "read-symlink", "ULB-V23-02 ULB-V23-06", scenario_read_symlink },
	{ "read-chunks", "V1-RD-05 V1-RD-07 ULB-CMP-01 ULB-V4-01", scenario_read_chunks },
	{ "read-partly", "V1-RD-14 ULB-GEN-04", scenario_read_partly },

	/* requester_read_wrong.c */
	{ "read-lengths", "V1-ERR-15 V1-PAD-05", scenario_read_lengths },
	{ "read-positions", "V1-RD-03 V1-SEC-01 V1-ERR-11 V1-DDP-05 V1-DDP-06 ULB-GEN-05", scenario_read_positions },
	{ "read-overlap", "V1-RD-05 V1-ERR-11", scenario_read_overlap },
	{ "read-huge", "V1-CHK-06 V1-RD-15 V1-ERR-22 V1-SEC-12", scenario_read_huge },
	{ "read-many-segments", "ULB-CLX-05 ULB-CLX-07", scenario_read_many_segments },
	{ "read-many-chunks", "ULB-CLX-07 ULB-CLX-08 V1-DDP-05", scenario_read_many_chunks },
	{ "read-bad-memory", "V1-ERR-16 V1-RD-15 V1-MEM-12 V1-SEC-15", scenario_read_bad_memory, 120 },
	{ "read-not-eligible", "V1-DDP-02 V1-DDP-05 V1-DDP-06 ULB-GEN-02 ULB-GEN-05 ULB-V23-05", scenario_read_not_eligible },

	/* requester_long.c */
	{ "long-small", "V1-HDR-11 V1-PZ-01 V1-PZ-02 V1-PZ-03 V1-PZ-05 V1-PZ-09 V1-HDR-16", scenario_long_small },
	{ "long-write", "V1-PZ-04 V1-PZ-06 V1-INL-09 V1-PAD-12 V1-DDP-03 ULB-GEN-04", scenario_long_write, 60 },
	{ "long-and-chunk", "V1-PZ-07 ULB-CLX-05", scenario_long_and_chunk, 60 },
	{ "long-trailing", "V1-HDR-11", scenario_long_trailing },
	{ "long-words", "V1-ERR-14 V1-HDR-04 V1-HDR-12", scenario_long_words },
};

const unsigned int requester_scenario_count =
	sizeof(requester_scenarios) / sizeof(requester_scenarios[0]);
