// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer: valid messages with random changes, from a seed.
 *
 * A burst is one connection with up to 60 messages. Each message is a valid
 * Call with no, few or many changes, most of them in the header. The connection
 * is disconnected, broken, or closed. After each burst the server must reply to
 * a NULL Call on a new connection. Other answers of the server are not checked.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands.h"
#include "requester/fuzz.h"
#include "v2/requester_fuzz.h"

struct fuzz fuzz;
/* One random change, most often in the header */
static void corrupt_bytes(struct xdr_out *bytes, size_t header)
{
	size_t words = (fuzz_below(4) ? header : bytes->len) / 4;
	uint8_t *at = bytes->data + 4 * fuzz_below(words);
	uint32_t word;

	switch (fuzz_below(8)) {
	case 0:
		bytes->data[fuzz_below(bytes->len)] ^= 1 << fuzz_below(8);
		break;
	case 1:
		bytes->len = fuzz_below(bytes->len + 1);
		break;
	case 2:
		set_u32(at, word_at(at, 0) + fuzz_below(9) - 4);
		break;
	case 3:
		set_u32(at, ~word_at(at, 0));
		break;
	case 4:
		word = word_at(bytes->data, fuzz_below(words));
		set_u32(at, word);
		break;
	case 5:
		if (bytes->len < 4000)
			bytes->len += fuzz_below(4000);
		break;
	default:
		set_u32(at, edge_word());
		break;
	}
}

static void build(struct call *call)
{
	unsigned int mistakes = fuzz_below(3) ? fuzz_below(4) : fuzz_below(20);
	size_t header;

	if (target.version == 2)
		vary_version_2(&call->header);
	header_put(&call->bytes, &call->header);
	header = call->bytes.len;
	if (call->header.proc != RDMA_NOMSG &&
	    call->header.proc != RDMA2_CONNPROP)
		put_bytes(&call->bytes, call->payload.data, call->payload.len);
	while (mistakes-- && call->bytes.len > 4)
		corrupt_bytes(&call->bytes, header < call->bytes.len ? header :
			      call->bytes.len);
}

#define PAGE		4096
#define SIW_SMALL	64

/*
 * siw of 6.12 reads beyond a page when it serves an RDMA Read of a few bytes
 * that cross a page boundary (siw_try_1seg()), and KASAN reports that. This is
 * the peer's own device, so such Reads are avoided.
 */
static bool siw_would_overread(const struct verbs_conn *conn,
			       const struct header *header)
{
	unsigned int i;

	for (i = 0; is_siw(conn) && i < header->nreads; i++)
		if (header->reads[i].offset % PAGE > PAGE - SIW_SMALL)
			return true;
	return false;
}

static void drain(struct verbs_conn *conn, int wait)
{
	struct verbs_message message;

	while (!verbs_recv(conn, &message, wait)) {
		fuzz.received++;
		if (message.len >= 16)
			fuzz.errors += word_at(message.data, 3) == RDMA_ERROR;
		repost_receive(conn, &message);
	}
}

static struct verbs_conn *random_connection(void)
{
	struct verbs_options options;
	unsigned int i;

	default_options(&options);
	options.recvs = 1 + fuzz_below(100);
	options.rnr_retry = fuzz_below(4) ? 7 : 0;
	private_put(options.private, false, 1024 << fuzz_below(4),
		    1024 << fuzz_below(4));
	if (!fuzz_below(5))
		for (i = 0; i < PRIVATE_SIZE; i++)
			options.private[i] ^= fuzz_below(8) ? 0 : fuzz_random();
	if (!fuzz_below(5))
		options.private_len = 0;
	return open_raw(&options);
}

/* In version 2 a CONNPROP comes first in most cases */
static struct call *next_call(bool first, struct memory *source,
			      struct memory *sink)
{
	if (target.version == 2 && (first ? fuzz_below(4) > 0 : !fuzz_below(20)))
		return random_connprop();
	return random_call(source, sink);
}

static void end_connection(struct verbs_conn *conn)
{
	switch (fuzz_below(4)) {
	case 0:
		verbs_set_error(conn);
		break;
	case 1:
		verbs_disconnect(conn);
		break;
	case 2:
		drain(conn, 20);
		break;
	}
	fuzz.lost += conn->lost;
}

static void burst(void)
{
	struct verbs_conn *conn = random_connection();
	struct memory *source = readable_memory(conn, BUF_LEN, 1);
	struct memory *sink = writable_memory(conn, BUF_LEN);
	unsigned int n = 1 + fuzz_below(60);
	bool first = true;
	struct call *call;

	fuzz.connections++;
	while (n-- && !conn->lost) {
		call = next_call(first, source, sink);
		first = false;
		build(call);
		if (!siw_would_overread(conn, &call->header) &&
		    call->bytes.len <= conn->options.send_size &&
		    !verbs_send(conn, call->bytes.data, call->bytes.len))
			fuzz.messages++;
		free(call);
		drain(conn, fuzz_below(3) ? 0 : 5);
	}
	end_connection(conn);
	free_memory(source);
	free_memory(sink);
	verbs_close(conn);
}

/* Create the files for the Calls; an earlier fuzzed Call may have removed them */
static void prepare(void)
{
	struct verbs_conn *conn = open_no_private();

	make_file("fuzz-file", FILE_SIZE, 1);
	make_link("fuzz-link", "nowhere");
	make_directory("fuzz-directory", 50);
	look_up(conn, "fuzz-file", &fuzz.file);
	look_up(conn, "fuzz-link", &fuzz.link);
	look_up(conn, "fuzz-directory", &fuzz.directory);
	verbs_close(conn);
}

static void print_counts(void)
{
	note("%lu messages on %lu connections (%lu lost), %lu answers, %lu RDMA_ERROR",
	     fuzz.messages, fuzz.connections, fuzz.lost, fuzz.received,
	     fuzz.errors);
}

static void run_fuzz(void)
{
	int64_t start = verbs_now(), end = start + fuzz.seconds * 1000LL;
	int64_t next = start;

	prepare();
	while (verbs_now() < end) {
		burst();
		check_server_alive();
		if (verbs_now() - next > 60000) {
			next += 60000;
			print_counts();
		}
	}
	print_counts();
	check(fuzz.received && fuzz.errors,
	      "the server sent no answer or no RDMA_ERROR");
}

static void bad_usage(void)
{
	fprintf(stderr, "peer fuzz [--two] --seed N --seconds N ADDRESS PORT\n");
	exit(2);
}

int command_fuzz(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "seconds", required_argument, NULL, 't' },
		{ "two", no_argument, NULL, '2' },
		{ }
	};
	static struct scenario scenarios[] = {
		{ "fuzz-server",
		  "V1-SEC-12 V1-SEC-15 V1-ERR-03",
		  run_fuzz, 0, 1 },
		{ "fuzz-server-v2",
		  "V2-SEC-04 V2-ERR-13 V2-PROP-05 V2-CHK-11",
		  run_fuzz, 0, 2 },
	};
	struct scenario *scenario = &scenarios[0];
	int option;

	fuzz.state = 1;
	fuzz.seconds = 10;
	/* getopt_long() skips the first argument, the name of the command */
	while ((option = getopt_long(argc + 1, argv - 1, "", options, NULL)) != -1) {
		if (option == 's')
			fuzz.state = strtoull(optarg, NULL, 0);
		else if (option == 't')
			fuzz.seconds = atoi(optarg);
		else if (option == '2')
			scenario = &scenarios[1];
		else
			bad_usage();
	}
	if (argc + 1 - optind != 2 || !fuzz.state)
		bad_usage();
	target.address = argv[optind - 1];
	target.port = argv[optind];
	scenario->seconds = fuzz.seconds + 60;
	printf("fuzz: seed %llu, %u seconds\n",
	       (unsigned long long)fuzz.state, fuzz.seconds);
	return run_scenarios(scenario, 1, NULL, check_server_alive) ? 1 : 0;
}
