// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random bad Replies, from a seed, while a soft mount is in use. RPCs may fail,
 * but operations must end and a new mount must work afterwards
 * (check_client_alive()).
 *
 * FUZZ_SEED and FUZZ_SECONDS set the seed and the duration.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "responder/fuzz.h"
#include "responder/scenarios.h"
#include "v2/responder.h"
#include "v2/responder_fuzz.h"

#define FUZZ_THREADS	6
#define MORE_THAN_ONE	3

/* XID, type, reply_stat, verifier, accept_stat */
#define RPC_WORDS	6

static uint64_t random_state;
static int64_t fuzz_end;
static unsigned long corrupted, operations, failures;

/* xorshift64*: the same numbers on every machine */
uint32_t reply_fuzz_random(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545f4914f6cdd1dULL >> 32;
}

uint32_t reply_fuzz_below(uint32_t limit)
{
	return reply_fuzz_random() % limit;
}

uint32_t reply_fuzz_word(uint32_t old)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 4, 5, 16, 17, 0x7fffffff, 0x80000000, 0xfffffffc,
		0xffffffff, 0x10000000, 0x00010000,
	};

	switch (reply_fuzz_below(4)) {
	case 0:
		return old ^ 1U << reply_fuzz_below(32);
	case 1:
		return reply_fuzz_random();
	case 2:
		return old + reply_fuzz_below(9) - 4;
	}
	return values[reply_fuzz_below(sizeof(values) / sizeof(values[0]))];
}

/*
 * Change words of the transport header and of the RPC header, but not of NFS: a
 * wrong slot number, for example, would block the session.
 */
static void change_words(struct xdr_out *out, size_t words)
{
	size_t changes = 1 + reply_fuzz_below(MORE_THAN_ONE);
	size_t at;

	if (words > out->len / 4)
		words = out->len / 4;
	while (words && changes--) {
		at = reply_fuzz_below(words);
		set_u32(out->data + at * 4,
			reply_fuzz_word(word_at(out->data, at)));
	}
}

static void truncate_message(struct xdr_out *out)
{
	out->len = reply_fuzz_below(out->len + 1);
}

static void insert_word(struct xdr_out *out, size_t words)
{
	size_t at = reply_fuzz_below(words + 1) * 4;

	if (out->len + 4 > 4096 || at > out->len)
		return;
	memmove(out->data + at + 4, out->data + at, out->len - at);
	set_u32(out->data + at, reply_fuzz_word(0));
	out->len += 4;
}

static void random_message(struct xdr_out *out)
{
	size_t i, words = reply_fuzz_below(64);

	out->len = 0;
	for (i = 0; i < words; i++)
		put_u32(out, reply_fuzz_word(i));
}

static void corrupt_header(struct exchange *x)
{
	struct header *h = &server.hdr;

	if (h->layout == 2 && !reply_fuzz_below(3)) {
		v2_corrupt_header(h);
		return;
	}
	switch (reply_fuzz_below(8)) {
	case 0:
		h->proc = reply_fuzz_below(6);
		break;
	case 1:
		h->has_reply = !h->has_reply;
		if (h->has_reply && !h->reply.nsegs)
			chunk_add(&h->reply, reply_fuzz_random(),
				  reply_fuzz_below(5000), reply_fuzz_random());
		break;
	case 2:
		header_add_read(h, reply_fuzz_below(4) * 4, reply_fuzz_random(),
				reply_fuzz_below(5000), reply_fuzz_random());
		break;
	case 3:
		if (h->nwrites)
			h->writes[0].segs[0].length = reply_fuzz_word(h->writes[0].segs[0].length);
		break;
	case 4:
		if (h->nwrites < 3)
			chunk_add(header_add_write(h), reply_fuzz_random(),
				  reply_fuzz_below(5000), reply_fuzz_random());
		break;
	case 5:
		if (h->has_reply)
			h->reply.segs[0].length = reply_fuzz_word(h->reply.segs[0].length);
		break;
	case 6:
		h->credit = reply_fuzz_word(h->credit);
		break;
	case 7:
		h->proc = RDMA_ERROR;
		h->error = reply_fuzz_below(4);
		break;
	}
}

void reply_fuzz_bytes(struct xdr_out *out, size_t words)
{
	switch (reply_fuzz_below(6)) {
	case 0:
		truncate_message(out);
		break;
	case 1:
		insert_word(out, words);
		break;
	case 2:
		random_message(out);
		break;
	default:
		change_words(out, words);
	}
}

/*
 * The size never exceeds the Receives of the client, which would end the
 * connection
 */
static void send_corrupted(struct exchange *x, const struct header *good)
{
	static struct xdr_out out;
	size_t header;

	server.hdr = *good;
	if (reply_fuzz_below(2))
		corrupt_header(x);
	out.len = 0;
	header_put(&out, &server.hdr);
	header = out.len;
	if (server.hdr.proc < RDMA_DONE && server.hdr.proc != RDMA_NOMSG &&
	    out.len + server.body_len <= x->cc->reply_limit)
		put_bytes(&out, server.body, server.body_len);
	if (reply_fuzz_below(4))
		reply_fuzz_bytes(&out, header / 4 + RPC_WORDS);
	if (out.len > x->cc->reply_limit)
		out.len = x->cc->reply_limit;
	if (x->cc->conn->lost)
		return;
	if (reply_fuzz_below(2000))
		verbs_send(x->cc->conn, out.data, out.len);
	else
		verbs_send_inv(x->cc->conn, out.data, out.len,
			       reply_fuzz_below(2) ? any_handle(x) : reply_fuzz_random());
	corrupted++;
	server.set.grant = 1 + reply_fuzz_below(40);
	x->cc->replied = true;
}

/*
 * Half of the Replies that are never sent end with their connection. All of NFSv4
 * do, since a server that drops a Call must close it, RFC 8881 2.9.2. The client
 * would wait for them longer than this scenario lasts.
 */
static void never_sent(struct client_conn *cc, unsigned int version)
{
	if (reply_fuzz_below(2) || version == 4)
		drop_conn(cc);
}

/*
 * A third of the Replies follow bad ones, and few are never sent. The data is
 * transferred first and only once: a bad Reply may end its RPC and invalidate
 * its handles.
 */
static void fuzzed_reply(struct exchange *x)
{
	unsigned int bad = reply_fuzz_below(100) < 30 ? 1 + reply_fuzz_below(4) : 0;
	static struct header good;

	/* Do not disturb the NFSv4 state manager */
	if (!bad || (x->nfs.version == 4 && x->nfs.op == OP_OTHER)) {
		send_reply(x);
		return;
	}
	build_reply(x);
	good = server.hdr;
	while (bad--)
		send_corrupted(x, &good);
	if (!reply_fuzz_below(300)) {
		never_sent(x->cc, x->nfs.version);
		return;
	}
	server.hdr = good;
	post_reply(x);
	if (!reply_fuzz_below(10))
		send_corrupted(x, &good);
}

static void use_file(uint8_t *data, unsigned int seed)
{
	size_t len = 1 + seed * 7919 % 70000;
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "fuzz-%u", seed % 8);
	fd = do_open(name, O_CREAT | O_RDWR | O_DIRECT);
	if (fd < 0) {
		failures++;
		return;
	}
	if (do_write(fd, data, len, 0) || do_read(fd, data, len, 0))
		failures++;
	close(fd);
}

static void use_names(unsigned int seed)
{
	char path[128], text[1500];
	DIR *dir;

	snprintf(path, sizeof(path), MNT "/fuzz-link-%u", seed % 8);
	memset(text, 'l', sizeof(text));
	text[seed % 1400 + 1] = '\0';
	unlink(path);
	if (symlink(text, path) || readlink(path, text, sizeof(text)) < 0)
		failures++;
	dir = opendir(MNT "/" BIG_DIR);
	if (!dir) {
		failures++;
		return;
	}
	while (readdir(dir))
		;
	closedir(dir);
}

static void *fuzz_work(void *arg)
{
	uint8_t *data = calloc(1, 80000);
	unsigned int seed = (uintptr_t)&data >> 4;

	while (data && verbs_now() < fuzz_end) {
		seed = seed * 1664525 + 1013904223;
		if (do_statfs())
			failures++;
		use_file(data, seed >> 8);
		use_names(seed >> 8);
		operations += 4;
	}
	free(data);
	return NULL;
}

static unsigned int setting(const char *name, unsigned int usual)
{
	const char *value = getenv(name);

	return value && *value ? strtoul(value, NULL, 0) : usual;
}

/* Credit rules do not apply: a Call may get several Replies, with random grants. */
void client_fuzz(void)
{
	static const char * const versions[] = { "3", "4.1", "4.2" };
	unsigned int seconds = setting("FUZZ_SECONDS", 8);
	unsigned int seed = setting("FUZZ_SEED", 1);
	const char *version = versions[seed % 3];

	alarm(seconds + 120 * target.slow);
	random_state = seed * 0x9e3779b97f4a7c15ULL + 1;
	server.set.versions = "both";
	if (target.version == 2)
		set_parameter("negotiate_timeout", "1");
	server.set.skip_credit_rules = true;
	setup_with(version, short_timeout(1));
	if (target.version == 2) {
		responder_lock();
		server.set.on_opening = fuzz_first_answer;
		server.set.on_connprop = fuzz_first_answer;
		responder_unlock();
	}
	arm_fault(OP_ANY, -1, NULL, fuzzed_reply);
	fuzz_end = verbs_now() + 1000LL * seconds;
	in_threads(FUZZ_THREADS, fuzz_work, NULL);
	disarm_fault();
	responder_lock();
	server.set.grant = 32;
	responder_unlock();
	note("seed %u, NFSv%s, %u s: %lu operations, %lu of them failed", seed,
	     version, seconds, operations, failures);
	note("%lu Calls, %lu bad Replies, %u connections", observe().calls,
	     corrupted, observe().connects);
	check(corrupted > seconds, "only %lu bad Replies were sent", corrupted);
	close_files();
	if (run_program("umount %s", MNT) && run_program("umount -f %s", MNT))
		check(!run_program("umount -l %s", MNT), "umount fails");
	check(!stuck_tasks(), "a task is stuck");
}
