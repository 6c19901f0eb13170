// SPDX-License-Identifier: GPL-2.0-only
/* Messages around the inline thresholds, with credentials and verifiers of RPCSEC_GSS. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "responder/scenarios.h"

/* Of the responder, and what a Reply may be shorter than the client expects */
#define THRESHOLD	4096
#define SLACK		128

/* Sizes of data */
#define FIRST		3000
#define LAST		THRESHOLD

/* WRITEs and READs of all sizes around both thresholds */
static void sweep(int fd)
{
	uint8_t *data = malloc(LAST);
	size_t len;

	check(data, "out of memory");
	for (len = FIRST; len <= LAST; len += 4) {
		pattern(data, len, 0);
		expect_result(do_write(fd, data, len, 0), 0, "WRITE");
		memset(data, 0, len);
		expect_result(do_read(fd, data, len, 0), 0, "READ");
	}
	free(data);
}

/*
 * The credential counts as part of the Call, and room for the verifier as part of the Reply.
 * responder/rules.c checks that no Call is longer than the threshold, and responder/reply.c
 * that no Reply is, unless it has a chunk.
 */
void client_gss_sizes(void)
{
	struct observed s;
	int fd;

	setup_with("4.1", "sec=krb5,timeo=30");
	fd = do_open(DATA_FILE, O_RDWR | O_DIRECT);
	check(fd >= 0, "open: %s", strerror(-fd));
	sweep(fd);
	close(fd);
	s = observe();
	note("the longest Call has %zu bytes, the longest Reply %zu", s.longest, s.longest_reply);
	check(s.reads && s.inline_ddp && s.writes && s.inline_reads,
	      "the sizes are not on both sides of the thresholds");
	check(s.longest == THRESHOLD && s.longest_reply > THRESHOLD - SLACK,
	      "the thresholds of %u bytes are not used up", THRESHOLD);
	check(s.connects == 1, "%u connections", s.connects);
	teardown();
}
