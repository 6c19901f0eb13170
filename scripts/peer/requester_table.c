// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of scenarios of the requester's role, each with the requirements
 * that it proves.
 */
#include "requester_scenarios.h"

const struct scenario requester_scenarios[] = {
	/* requester_header.c */
	{ "null", "V1-HDR-01 V1-HDR-03 V1-HDR-04 V1-HDR-06 V1-HDR-09 V1-HDR-17 V1-HDR-21 V1-HDR-22",
	  scenario_null },
};

const unsigned int requester_scenario_count =
	sizeof(requester_scenarios) / sizeof(requester_scenarios[0]);
