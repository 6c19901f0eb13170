// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files in the exported directory, created and checked without the NFS server.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "requester/nfs.h"

const char *export_path(const char *name)
{
	static char path[4096];
	const char *dir = getenv("PEER_EXPORT");

	check(dir, "PEER_EXPORT does not name the exported directory");
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

size_t largest_payload(void)
{
	const char *payload = getenv("PEER_PAYLOAD");

	check(payload, "PEER_PAYLOAD does not say the largest payload");
	return strtoul(payload, NULL, 10);
}

static void write_file(const char *name, const uint8_t *data, size_t len)
{
	FILE *file;

	/* A new file, because it may need a new file handle */
	remove_file(name);
	file = fopen(export_path(name), "w");
	check(file, "cannot make %s: %s", name, strerror(errno));
	check(fwrite(data, 1, len, file) == len && !fclose(file),
	      "cannot write %s: %s", name, strerror(errno));
}

void make_file(const char *name, size_t len, unsigned int seed)
{
	uint8_t *data = malloc(len + 1);

	check(data, "no memory");
	fill_pattern(data, len, seed);
	write_file(name, data, len);
	free(data);
}

void make_link(const char *name, const char *target_name)
{
	remove_file(name);
	check(!symlink(target_name, export_path(name)), "cannot make %s: %s",
	      name, strerror(errno));
}

void make_directory(const char *name, unsigned int entries)
{
	char path[256];
	unsigned int i;

	check(!mkdir(export_path(name), 0755) || errno == EEXIST,
	      "cannot make %s: %s", name, strerror(errno));
	for (i = 0; i < entries; i++) {
		snprintf(path, sizeof(path), "%s/entry-%05u", name, i);
		make_file(path, 0, 0);
	}
}

void remove_file(const char *name)
{
	check(!unlink(export_path(name)) || errno == ENOENT,
	      "cannot remove %s: %s", name, strerror(errno));
}

bool file_exists(const char *name)
{
	struct stat st;

	return !lstat(export_path(name), &st);
}

unsigned int file_mode(const char *name)
{
	struct stat st;

	return lstat(export_path(name), &st) ? 0 : st.st_mode & 07777;
}

void check_file(const char *name, const uint8_t *data, size_t len)
{
	FILE *file = fopen(export_path(name), "r");
	uint8_t *got = malloc(len + 1);
	size_t n;

	check(file && got, "cannot open %s: %s", name, strerror(errno));
	n = fread(got, 1, len + 1, file);
	check(n == len, "%s has %s bytes than expected: %zu", name,
	      n < len ? "fewer" : "more", n);
	check(!memcmp(got, data, len), "%s has unexpected contents", name);
	fclose(file);
	free(got);
}
