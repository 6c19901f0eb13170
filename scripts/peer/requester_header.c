// SPDX-License-Identifier: GPL-2.0-only
/*
 * Headers without chunks: what a Reply looks like.
 */
#include "requester_scenarios.h"

/* The shortest exchange there is */
void scenario_null(void)
{
	struct verbs_conn *conn = open_usual();

	expect_alive(conn);
	expect_silence(conn);
	verbs_close(conn);
}
