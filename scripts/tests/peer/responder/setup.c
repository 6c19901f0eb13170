// SPDX-License-Identifier: GPL-2.0-only
/*
 * Setup and teardown of a scenario, operations on the mount, and the usual way
 * to send a bad Reply.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "responder/scenarios.h"

#define DIR_ENTRIES	200
#define SMALL_FILE	"small"
#define SMALL_SIZE	101

static int data_fd = -1;
static int small_fd = -1;

static void make_files(void)
{
	char name[256];
	unsigned int i;

	server_file(DATA_FILE, DATA_SIZE);
	server_file(SMALL_FILE, SMALL_SIZE);
	snprintf(name, sizeof(name), "%s/%s", export_dir(), BIG_DIR);
	if (mkdir(name, 0755))
		return;
	for (i = 0; i < DIR_ENTRIES; i++) {
		snprintf(name, sizeof(name),
			 BIG_DIR "/a-name-that-is-a-little-longer-than-others-%u",
			 i);
		server_file(name, 0);
	}
}

void setup(const char *version)
{
	setup_with(version, SOFT);
}

/* Mount options: an RPC without a Reply fails after about six seconds, @slow times as many */
const char *short_timeout(unsigned int slow)
{
	static char options[40];

	snprintf(options, sizeof(options), "soft,timeo=%u,retrans=2", 20 * slow);
	return options;
}

void setup_with(const char *version, const char *options)
{
	make_files();
	if (target.version == 2)
		set_parameter("versions", server.set.versions ?: "2");
	responder_start();
	mount_nfs(version, options);
	data_fd = do_open(DATA_FILE, O_RDWR | O_DIRECT);
	small_fd = do_open(SMALL_FILE, O_RDONLY | O_DIRECT);
	check(data_fd >= 0 && small_fd >= 0, "cannot open: %s",
	      strerror(data_fd < 0 ? -data_fd : -small_fd));
	log_mark();
}

void close_files(void)
{
	close(data_fd);
	close(small_fd);
	data_fd = -1;
	small_fd = -1;
}

void teardown(void)
{
	disarm_fault();
	close_files();
	umount_nfs();
	check(!stuck_tasks(), "a task is stuck");
}

static int read_some(int fd, size_t size, size_t len)
{
	uint8_t *got = malloc(size), *wanted = malloc(size);
	int ret;

	check(got && wanted, "out of memory");
	memset(got, 0, size);
	ret = do_read(fd, got, size, 0);
	if (ret == -ENODATA && len < size)
		ret = 0;
	pattern(wanted, len, 0);
	if (!ret)
		check(!memcmp(got, wanted, len), "READ returned wrong data");
	free(got);
	free(wanted);
	return ret;
}

/* One READ with a Write chunk */
int read_data(void)
{
	return read_some(data_fd, DATA_SIZE, DATA_SIZE);
}

/* The same for a short file of odd length */
int read_small(void)
{
	return read_some(small_fd, DATA_SIZE, SMALL_SIZE);
}

/* One WRITE with a Read chunk; it does not change the file */
int write_data(void)
{
	uint8_t *data = malloc(DATA_SIZE);
	int ret;

	check(data, "out of memory");
	pattern(data, DATA_SIZE, 0);
	ret = do_write(data_fd, data, DATA_SIZE, 0);
	free(data);
	return ret;
}

/* READDIR with a Reply chunk: a change on the server invalidates the cache */
int read_dir(void)
{
	unsigned int entries = 0;
	static unsigned int changes;
	char name[128];
	DIR *dir;
	int ret;

	snprintf(name, sizeof(name), BIG_DIR "/change-%d-%u", getpid(),
		 changes++);
	server_file(name, 0);
	dir = opendir(MNT "/" BIG_DIR);
	if (!dir)
		return -errno;
	errno = 0;
	while (readdir(dir))
		entries++;
	ret = -errno;
	closedir(dir);
	if (!ret)
		check(entries >= DIR_ENTRIES + 2, "a directory of %u entries",
		      entries);
	return ret;
}

/* As on_call: never reply; as on_reply: skip this Reply */
void ignore_call(struct exchange *x)
{
}

static void (*corrupt_reply)(struct exchange *x);

static void send_bad_then_good(struct exchange *x)
{
	build_reply(x);
	corrupt_reply(x);
	post_reply(x);
	build_reply(x);
	post_reply(x);
}

void bad_then_good(enum nfs_op op, int (*operation)(void),
		   void (*corrupt)(struct exchange *x), const char *reason)
{
	unsigned long dropped = client_counter("messages_dropped");
	unsigned long before = bad_replies();
	unsigned int connects = observe().connects;

	corrupt_reply = corrupt;
	log_mark();
	arm_fault(op, 1, NULL, send_bad_then_good);
	expect_result(operation(), 0, reason ?: "operation");
	check(disarm_fault() == 1, "%s: no such Call was sent", reason);
	if (reason) {
		check(bad_replies() == before + 1,
		      "%s: the client has counted %lu bad Replies", reason,
		      bad_replies() - before);
		dropped = client_counter("messages_dropped") - dropped;
		check(dropped == 1, "%s: the client has dropped %lu messages",
		      reason, dropped);
		expect_log(reason);
	}
	check(observe().connects == connects, "%s: the client has reconnected",
	      reason);
}

static void send_bad(struct exchange *x)
{
	build_reply(x);
	corrupt_reply(x);
	post_reply(x);
}

void bad_ends(enum nfs_op op, int (*operation)(void),
	      void (*corrupt)(struct exchange *x), const char *reason)
{
	unsigned long before = bad_replies();
	unsigned int connects = observe().connects;

	corrupt_reply = corrupt;
	log_mark();
	arm_fault(op, 1, NULL, send_bad);
	expect_result(operation(), -EIO, reason);
	check(disarm_fault() == 1, "%s: no such Call was sent", reason);
	check(bad_replies() == before + 1,
	      "%s: the client has counted %lu bad Replies", reason,
	      bad_replies() - before);
	expect_log(reason);
	expect_result(operation(), 0, reason);
	check(observe().connects == connects, "%s: the client has reconnected",
	      reason);
}

void inexact_accepted(enum nfs_op op, int (*operation)(void),
		      void (*corrupt)(struct exchange *x), int result,
		      const char *what)
{
	unsigned long before = inexact_replies(), bad = bad_replies();

	corrupt_reply = corrupt;
	arm_fault(op, 1, NULL, send_bad);
	expect_result(operation(), result, what);
	check(disarm_fault() == 1, "%s: no such Call was sent", what);
	check(inexact_replies() == before + 1,
	      "%s: the client has counted %lu such Replies", what,
	      inexact_replies() - before);
	check(bad_replies() == bad, "%s: the client has counted a bad Reply",
	      what);
}

/* After each scenario: unmount if needed, and check a new mount */
void check_client_alive(void)
{
	if (is_mounted() && run_program("umount -f %s", MNT))
		run_program("umount -l %s", MNT);
	setup("3");
	expect_result(do_statfs(), 0, "statfs on a new mount");
	expect_result(read_data(), 0, "READ on a new mount");
	teardown();
}
