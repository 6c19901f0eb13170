// SPDX-License-Identifier: GPL-2.0-only
/* A mount in use, with all rules for messages of the client. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "responder/scenarios.h"

#define LINK_LEN	4000
#define XATTR_LEN	60000
/* nfsd supports an ACL of one page */
#define ACL_USERS	300

/* Sizes around those at which the form of a message changes */
static const size_t sizes[] = {
	1, 2, 3, 4, 5, 511, 512, 1000, 1023, 1024, 2047, 3000, 3500, 3800,
	3900, 3901, 3999, 4000, 4095, 4096, 4097, 8191, 8192, 12289, 65535,
	65536, 65537, 300000, 1048575, 1048576, 3000001,
};

static void write_and_read(size_t len, int flags)
{
	uint8_t *data = malloc(len + 8), *back = malloc(len + 8);
	char name[64];
	int fd;

	check(data && back, "out of memory");
	snprintf(name, sizeof(name), "size-%zu", len);
	fd = do_open(name, O_CREAT | O_RDWR | O_TRUNC | flags);
	check(fd >= 0, "open: %s", strerror(-fd));
	/* An odd address */
	pattern(data + 3, len, 0);
	expect_result(do_write(fd, data + 3, len, 0), 0, "write");
	check(!fsync(fd), "fsync: %s", strerror(errno));
	close(fd);
	fd = do_open(name, O_RDONLY | O_DIRECT);
	check(fd >= 0, "open: %s", strerror(-fd));
	expect_result(do_read(fd, back + 1, len, 0), 0, "read");
	check(!memcmp(data + 3, back + 1, len),
	      "READ returned wrong data for %zu bytes", len);
	close(fd);
	free(data);
	free(back);
}

static void files(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		write_and_read(sizes[i], O_DIRECT);
		write_and_read(sizes[i], 0);
	}
}

static void links(void)
{
	static char text[LINK_LEN + 1], back[LINK_LEN + 1];
	size_t len;

	for (len = 1; len <= LINK_LEN; len = len * 4 + 3) {
		memset(text, 'x', len);
		text[len] = '\0';
		unlink(MNT "/link");
		check(!symlink(text, MNT "/link"), "symlink of %zu bytes: %s",
		      len, strerror(errno));
		check(readlink(MNT "/link", back, sizeof(back)) == (ssize_t)len &&
		      !memcmp(text, back, len), "readlink of %zu bytes", len);
	}
	memset(text, 'y', LINK_LEN);
	unlink(MNT "/link");
	check(!symlink(text, MNT "/link") &&
	      readlink(MNT "/link", back, sizeof(back)) == LINK_LEN,
	      "symlink of %u bytes: %s", LINK_LEN, strerror(errno));
}

static void xattrs(void)
{
	static uint8_t value[XATTR_LEN], back[XATTR_LEN];
	size_t len;

	write_and_read(1, 0);
	for (len = 100; len < XATTR_LEN; len *= 7) {
		pattern(value, len, len);
		check(!setxattr(MNT "/size-1", "user.peer", value, len, 0),
		      "setxattr of %zu bytes: %s", len, strerror(errno));
		check(getxattr(MNT "/size-1", "user.peer", back, XATTR_LEN) ==
		      (ssize_t)len && !memcmp(value, back, len),
		      "getxattr of %zu bytes: %s", len, strerror(errno));
	}
	check(!setxattr(MNT "/size-1", "user.peer", value, XATTR_LEN, 0) &&
	      getxattr(MNT "/size-1", "user.peer", back, XATTR_LEN) ==
	      XATTR_LEN, "xattr of %u bytes: %s", XATTR_LEN, strerror(errno));
}

struct acl_entry {
	uint16_t	tag;
	uint16_t	perm;
	uint32_t	id;
};

/* The format of the kernel: version 2, then owner, users, group, mask, others */
static void acls(void)
{
	static struct {
		uint32_t		version;
		struct acl_entry	entries[ACL_USERS + 4];
	} acl = { .version = 2 }, back;
	struct acl_entry *e = acl.entries;
	unsigned int i;

	*e++ = (struct acl_entry) { 0x01, 6, -1 };
	for (i = 0; i < ACL_USERS; i++)
		*e++ = (struct acl_entry) { 0x02, 4, 1000 + i };
	*e++ = (struct acl_entry) { 0x04, 4, -1 };
	*e++ = (struct acl_entry) { 0x10, 6, -1 };
	*e++ = (struct acl_entry) { 0x20, 4, -1 };
	write_and_read(1, 0);
	check(!setxattr(MNT "/size-1", "system.posix_acl_access", &acl,
			sizeof(acl), 0), "setting an ACL: %s", strerror(errno));
	check(getxattr(MNT "/size-1", "system.posix_acl_access", &back,
		       sizeof(back)) == sizeof(back) &&
	      !memcmp(&acl, &back, sizeof(acl)), "a wrong ACL was returned");
}

static void *many(void *arg)
{
	unsigned int i;

	for (i = 0; i < 30; i++) {
		expect_result(do_statfs(), 0, "statfs");
		expect_result(read_data(), 0, "READ");
	}
	return NULL;
}

/* Only an xattr makes a Long Call without a DDP-eligible argument */
static void expect_observed(bool long_calls)
{
	struct observed s = observe();

	note("%lu Calls, %u at once: %lu with a Read chunk, %lu Long Calls", s.calls,
	     s.most, s.reads, s.long_calls);
	note("%lu with a Write chunk (%lu used), %lu with a Reply chunk (%lu used)",
	     s.writes, s.written, s.replies, s.long_replies);
	note("%lu Replies by Send With Invalidate", s.invalidated);
	check(s.reads && s.writes && s.written && s.replies && s.long_replies &&
	      s.inline_ddp && (s.long_calls || !long_calls),
	      "a form of message was not used");
	check(s.invalidated, "remote invalidation was not used");
	check(s.most > 1, "there was never more than one outstanding Call");
	check(s.connects == 1 || s.connects == 2, "%u connections", s.connects);
}

static void watch(const char *version)
{
	setup(version);
	files();
	links();
	expect_result(read_dir(), 0, "readdir");
	if (!strcmp(version, "4.2"))
		xattrs();
	if (!strcmp(version, "3"))
		acls();
	in_threads(8, many, NULL);
	expect_observed(!strcmp(version, "4.2"));
	teardown();
}

void client_watch_3(void)
{
	watch("3");
}

void client_watch_40(void)
{
	watch("4.0");
}

void client_watch_41(void)
{
	watch("4.1");
}

void client_watch_42(void)
{
	watch("4.2");
}
