// SPDX-License-Identifier: GPL-2.0-only
/*
 * The client's probe, and every answer that it can get.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "responder_scenarios.h"

static void use_all_forms(void)
{
	expect_result(do_statfs(), 0, "statfs");
	expect_result(read_data(), 0, "READ");
	expect_result(write_data(), 0, "WRITE");
	expect_result(read_dir(), 0, "READDIR");
	expect_result(read_small(), 0, "short READ");
}

static void probe_handler(void (*on_probe)(struct rdma_side *side,
					   const struct header *probe))
{
	responder_lock();
	server.set.on_probe = on_probe;
	responder_unlock();
}

static unsigned int version_now(void)
{
	unsigned int version;

	responder_lock();
	version = newest_side()->version;
	responder_unlock();
	return version;
}

static void expect_version(unsigned int version, const char *what)
{
	check(version_now() == version, "%s: version %u instead of %u", what,
	      version_now(), version);
}

/* A new connection, that works */
static void connect_again(void)
{
	drop_connections();
	use_all_forms();
}

static void expect_inline(unsigned int limit)
{
	struct rdma_side *side;

	responder_lock();
	side = newest_side();
	check(side->call_limit == limit, "%u bytes inline instead of %u",
	      side->call_limit, limit);
	responder_unlock();
}

/* One probe on each connection, with an XID of its own */
void client2_probe(void)
{
	uint32_t xid;
	unsigned int i;

	begin("3");
	for (i = 1; i <= 4; i++) {
		xid = look().probe_xid;
		use_all_forms();
		expect_version(2, "a server of version 2");
		check(look().probes == look().connects && look().connects == i,
		      "%u probes on %u connections", look().probes,
		      look().connects);
		drop_connections();
		expect_result(do_statfs(), 0, "statfs");
		check(look().probe_xid != xid, "the XID of the last probe");
	}
	check(look().named && look().invalidated,
	      "no handle was named, or invalidated");
	end();
}

/* The smaller of the two ends' sizes, 1024 at least, and huge ones */
void client2_sizes(void)
{
	static const unsigned int sizes[] = {
		0, 1, 1023, 1024, 2048, 4096, 6000, 8192, 65536, 0xffffffff,
	};
	unsigned int i, wanted;

	begin("3");
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		responder_lock();
		server.set.rbsiz = sizes[i];
		responder_unlock();
		connect_again();
		wanted = sizes[i] < 1024 ? 1024 : sizes[i];
		expect_inline(wanted < 8192 ? wanted : 8192);
	}
	end();
}

static unsigned int shape_of_set;

/* Sets of properties that are all right, and some of them odd */
static void odd_set(struct rdma_side *side, const struct header *probe)
{
	static const uint8_t data[PROPERTY_SIZE] = { 1, 2, 3 };
	static struct xdr_out out;
	static struct header h;

	connprop_init(&h, probe);
	switch (shape_of_set) {
	case 1:
		header_add_property(&h, PROPERTY_RBSIZ, NULL, 0);
		header_add_property(&h, PROPERTY_BRS, NULL, 0);
		break;
	case 2:
		header_add_property(&h, 0x7fff0001, data, 5);
		header_add_number(&h, PROPERTY_RBSIZ, 8192);
		header_add_property(&h, 0xffffffff, data, 64);
		header_add_property(&h, 0, data, 0);
		break;
	case 3:
		header_add_number(&h, PROPERTY_RBSIZ, 1024);
		header_add_number(&h, PROPERTY_BRS, REVERSE_NONE);
		header_add_number(&h, PROPERTY_RBSIZ, 2048);
		break;
	case 4:
		header_add_number(&h, PROPERTY_BRS, REVERSE_GENERAL);
		h.flags = 0xffffffff;
		break;
	}
	agree_with(side, &h);
	out.len = 0;
	header_put(&out, &h);
	if (shape_of_set == 3)
		put_bytes(&out, "trailing", 8);
	send_raw(side, out.data, out.len);
}

void client2_properties(void)
{
	static const unsigned int limits[] = { 4096, 4096, 8192, 2048, 4096 };

	begin("3");
	probe_handler(odd_set);
	for (; shape_of_set < 5; shape_of_set++) {
		connect_again();
		expect_version(2, "odd properties");
		expect_inline(limits[shape_of_set]);
	}
	end();
}

/* Malformed: no answer, the defaults hold, and nothing of the set */
static void bad_set(struct rdma_side *side, const struct header *probe)
{
	static const uint8_t data[8];
	static struct xdr_out out;
	static struct header h;

	connprop_init(&h, probe);
	header_add_number(&h, PROPERTY_RBSIZ, 1024);
	out.len = 0;
	if (shape_of_set == 0)
		header_add_property(&h, PROPERTY_RBSIZ, data, 3);
	if (shape_of_set == 1)
		header_add_property(&h, PROPERTY_RBSIZ, data, 8);
	if (shape_of_set == 2)
		header_add_number(&h, PROPERTY_BRS, 3);
	if (shape_of_set == 3)
		header_add_property(&h, 0x7fff0001, data, 4);
	header_put(&out, &h);
	if (shape_of_set == 3)
		set_u32(out.data + out.len - 8, 0xffffffff);
	if (shape_of_set == 4)
		set_u32(out.data + 20, 2);
	if (shape_of_set == 5)
		out.len -= 5;
	settle_version(side, 2);
	send_raw(side, out.data, out.len);
}

void client2_bad_properties(void)
{
	begin("3");
	probe_handler(bad_set);
	for (shape_of_set = 0; shape_of_set < 6; shape_of_set++) {
		connect_again();
		expect_version(2, "bad properties");
		expect_inline(RBSIZ_DEFAULT);
		check(!look().errors, "a CONNPROP with F drew an error");
		check(look().connects == 2 + shape_of_set, "%u connections",
		      look().connects);
	}
	end();
}

static uint32_t error_words[6];
static uint32_t error_vers = 2;
static size_t error_len;

/* The probe's XID, a version, which is mostly a copy, and these words */
static void answer_words(struct rdma_side *side, const struct header *probe)
{
	static struct xdr_out out;
	unsigned int i;

	out.len = 0;
	put_u32(&out, probe->xid);
	put_u32(&out, error_vers);
	put_u32(&out, 7);
	put_u32(&out, RDMA_ERROR);
	for (i = 0; i < 6; i++)
		put_u32(&out, error_words[i]);
	settle_version(side, 1);
	send_raw(side, out.data, error_len);
}

static void with_words(size_t len, uint32_t w4, uint32_t w5, uint32_t w6,
		       uint32_t w7)
{
	const uint32_t words[6] = { w4, w5, w6, w7, 0, 0 };

	memcpy(error_words, words, sizeof(words));
	error_len = len;
}

/*
 * Answers of a server without version 2: the same connection goes on in version 1,
 * at once, and the next one is probed again.
 */
static void expect_fall_back(const char *what)
{
	unsigned int connects = look().connects;
	unsigned int probes = look().probes;
	int64_t started = verbs_now();

	connect_again();
	expect_version(1, what);
	check(look().connects == connects + 1, "%s: %u connections", what,
	      look().connects - connects);
	check(look().probes == probes + 1, "%s: %u probes", what,
	      look().probes - probes);
	check(verbs_now() - started < 6000 * target.slow,
	      "%s: falling back took %lld ms", what,
	      (long long)(verbs_now() - started));
}

void client2_fall_back(void)
{
	server.set.versions = "both";
	begin("3");
	expect_version(2, "a server of version 2");
	probe_handler(answer_words);
	with_words(28, 1, 1, 1, 0);
	expect_fall_back("ERR_VERS of seven words");
	expect_fall_back("ERR_VERS once more");
	error_vers = 1;
	expect_fall_back("ERR_VERS with version 1 in its header");
	error_vers = 2;
	with_words(32, 1, 1, 1, 1);
	expect_fall_back("ERR_VERS of eight words");
	with_words(28, 1, 0, 1, 0);
	expect_fall_back("ERR_VERS, versions 0 to 1");
	with_words(20, 2, 0, 0, 0);
	expect_fall_back("ERR_CHUNK");
	with_words(28, 1, 3, 1, 0);
	expect_fall_back("an impossible range");
	with_words(16, 0, 0, 0, 0);
	expect_fall_back("an error without a code");
	with_words(24, 0, 9, 0, 0);
	expect_fall_back("an error without F");
	probe_handler(NULL);
	connect_again();
	expect_version(2, "a server that has learned version 2");
	end();
}

/* It knows version 2, and does not like the probe */
static void answer_error(struct rdma_side *side, const struct header *probe)
{
	answer_words(side, probe);
	settle_version(side, 2);
}

void client2_probe_refused(void)
{
	static const uint32_t codes[] = {
		ERR2_BAD_XDR, ERR2_INVAL_HTYPE, ERR2_SYSTEM, 77,
	};
	unsigned int i;

	server.set.versions = "both";
	begin("3");
	probe_handler(answer_error);
	for (i = 0; i < 4; i++) {
		with_words(24, FLAG_RESPONSE, codes[i], 0, 0);
		connect_again();
		expect_version(2, "an error of version 2");
		expect_inline(RBSIZ_DEFAULT);
		check(look().connects == 2 + i, "%u connections",
		      look().connects);
	}
	end();
}

/* The probe is lost with its connection */
static void lose_probe(struct rdma_side *side, const struct header *probe)
{
	drop_side(side);
}

static void ignore_probe(struct rdma_side *side, const struct header *probe)
{
}

static void refuse_and_drop(struct rdma_side *side, const struct header *probe)
{
	refuse_probe(side, probe);
	usleep(100000);
	drop_side(side);
}

/*
 * The next connection runs version 1 without a probe; when that has worked and is
 * gone, the one after it is probed again.
 */
static void expect_memory(void (*on_probe)(struct rdma_side *side,
					   const struct header *probe),
			  const char *what)
{
	unsigned int probes = look().probes;

	probe_handler(on_probe);
	connect_again();
	expect_version(1, what);
	check(look().probes == probes + 1, "%s: %u probes", what,
	      look().probes - probes);
	probe_handler(NULL);
	connect_again();
	expect_version(2, what);
	check(look().probes == probes + 2, "%s: %u probes afterwards", what,
	      look().probes - probes);
}

void client2_probe_lost(void)
{
	server.set.versions = "both";
	begin("3");
	expect_memory(lose_probe, "the probe is lost");
	expect_memory(refuse_and_drop, "the connection is lost after ERR_VERS");
	end();
}

void client2_probe_unanswered(void)
{
	int64_t started;

	set_parameter("probe_timeout", "2");
	server.set.versions = "both";
	begin("3");
	started = verbs_now();
	expect_memory(ignore_probe, "nobody answers");
	check(verbs_now() - started >= 2000, "the probe was given up too soon");
	check(verbs_now() - started < 20000 * target.slow,
	      "the probe was given up late");
	set_parameter("probe_timeout", "10");
	end();
}

/* No version in common: no mount, and no RPC in another version */
static void expect_no_mount(const char *versions, uint32_t low, uint32_t high)
{
	int64_t started = verbs_now();

	set_parameter("versions", versions);
	with_words(28, 1, low, high, 0);
	check(try_mount("4.1", SOFT), "a mount succeeds with versions %u to %u",
	      low, high);
	check(!is_mounted(), "something is mounted");
	check(verbs_now() - started < 15000 * target.slow,
	      "the mount has failed late");
	check(!look().calls, "a Call was sent");
	check(look().probes, "no probe was sent");
}

void client2_no_common_version(void)
{
	responder_start();
	probe_handler(answer_words);
	expect_no_mount("2", 1, 1);
	expect_no_mount("both", 3, 4);
	check(!stuck_tasks(), "a task is stuck");
}

/*
 * A client that is to take version 2 only never goes below it; but neither does it
 * connect without end
 */
void client2_never_below(void)
{
	unsigned int i, connects;

	begin("3");
	for (i = 0; i < 2; i++) {
		probe_handler(lose_probe);
		drop_connections();
		connects = look().connects;
		run_program("sh -c 'timeout 3 stat -f %s > /dev/null 2>&1'", MNT);
		connects = look().connects - connects;
		check(connects > 0 && connects < 12,
		      "%u connections in three seconds", connects);
		note("%u connections in three seconds", connects);
		probe_handler(NULL);
		use_all_forms();
		expect_version(2, "a probe that was lost");
	}
	check(look().probes == look().connects, "%u probes on %u connections",
	      look().probes, look().connects);
	end();
}
