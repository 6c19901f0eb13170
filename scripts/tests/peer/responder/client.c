// SPDX-License-Identifier: GPL-2.0-only
/*
 * The client under test as its users see it: mount, files, errors, counters,
 * kernel log.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "responder/responder.h"

#define PROGRAM_SECONDS	20

/* Columns of the line "xprt: rdma" of mountstats, counted from 0 */
#define COLUMN_CONNECTS		2
#define COLUMN_BAD_XIDS		7
#define COLUMN_BAD_REPLIES	19

static int log_fd = -1;

const char *export_dir(void)
{
	return getenv("PEER_EXPORT") ?: "/srv/exp";
}

void set_module_parameter(const char *module, const char *name, const char *value)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s", module, name);
	file = fopen(path, "w");
	check(file && fputs(value, file) >= 0 && !fclose(file),
	      "cannot set %s to %s", name, value);
}

/* Parameters of module xprtrdma */
void set_parameter(const char *name, const char *value)
{
	set_module_parameter("xprtrdma", name, value);
}

unsigned int get_parameter(const char *name)
{
	unsigned int value;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/xprtrdma/parameters/%s", name);
	file = fopen(path, "r");
	check(file && fscanf(file, "%u", &value) == 1, "cannot read %s", name);
	fclose(file);
	return value;
}

/* Run a shell command with a time limit. Return: its exit status */
int run_program(const char *format, ...)
{
	char command[1024], line[1100];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	snprintf(line, sizeof(line), "timeout -k 2 %u %s",
		 PROGRAM_SECONDS * target.slow, command);
	status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

bool is_mounted(void)
{
	char line[4096];
	bool found = false;
	FILE *mounts = fopen("/proc/mounts", "r");

	while (mounts && fgets(line, sizeof(line), mounts))
		if (strstr(line, " " MNT " nfs"))
			found = true;
	if (mounts)
		fclose(mounts);
	return found;
}

/* Kerberos needs its name */
static const char *server_name(void)
{
	return getenv("PEER_SERVER_NAME") ?: target.address;
}

int try_mount(const char *version, const char *more)
{
	bool old = !strcmp(version, "3");

	mkdir(MNT, 0755);
	return run_program("mount -t nfs -o vers=%s,port=%s,%s%s,%s %s:%s %s 2>/tmp/peer-mount",
			   version, target.port,
			   "proto=rdma,retry=0,noac,lookupcache=none",
			   old ? ",nolock,mountproto=tcp" : "", more,
			   server_name(), old ? export_dir() : "/", MNT);
}

void mount_nfs(const char *version, const char *more)
{
	check(!try_mount(version, more), "mount -o vers=%s,%s fails", version,
	      more);
	check(is_mounted(), "nothing is mounted");
}

void umount_nfs(void)
{
	check(!run_program("umount %s", MNT), "umount fails");
}

int do_statfs(void)
{
	struct statfs result;

	return statfs(MNT, &result) ? -errno : 0;
}

int do_open(const char *name, int flags)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", MNT, name);
	fd = open(path, flags | O_CLOEXEC, 0644);
	return fd < 0 ? -errno : fd;
}

/* 0 if all bytes were read, -ENODATA if fewer */
int do_read(int fd, void *data, size_t len, off_t at)
{
	ssize_t got = pread(fd, data, len, at);

	if (got < 0)
		return -errno;
	return (size_t)got == len ? 0 : -ENODATA;
}

int do_write(int fd, const void *data, size_t len, off_t at)
{
	ssize_t put = pwrite(fd, data, len, at);

	if (put < 0)
		return -errno;
	return (size_t)put == len ? 0 : -ENODATA;
}

/* Contents that depend on the position in the file */
void pattern(uint8_t *data, size_t len, off_t at)
{
	size_t i;

	for (i = 0; i < len; i++, at++)
		data[i] = at ^ at >> 8 ^ at >> 16 ^ 0x5a;
}

/* Create a file on the server */
void server_file(const char *name, size_t len)
{
	uint8_t *data = malloc(len + 1);
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", export_dir(), name);
	file = fopen(path, "w");
	check(data && file, "cannot make %s", path);
	pattern(data, len, 0);
	check(fwrite(data, 1, len, file) == len && !fclose(file),
	      "cannot write %s", path);
	free(data);
}

void expect_result(int got, int wanted, const char *what)
{
	check(got == wanted, "%s: %s instead of %s", what,
	      got < 0 ? strerror(-got) : "success",
	      wanted < 0 ? strerror(-wanted) : "success");
}

static unsigned long mount_column(unsigned int wanted)
{
	FILE *stats = fopen("/proc/self/mountstats", "r");
	unsigned long sum = 0;
	char line[8192], *at, *word;
	bool here = false;
	unsigned int i;

	while (stats && fgets(line, sizeof(line), stats)) {
		if (!strncmp(line, "device ", 7))
			here = strstr(line, " on " MNT " ");
		at = here ? strstr(line, "xprt:\trdma ") : NULL;
		if (!at)
			continue;
		word = strtok(at + strlen("xprt:\trdma "), "\n ");
		for (i = 0; word && i < wanted; i++)
			word = strtok(NULL, "\n ");
		sum += word ? strtoul(word, NULL, 10) : 0;
	}
	if (stats)
		fclose(stats);
	return sum;
}

unsigned long bad_replies(void)
{
	return mount_column(COLUMN_BAD_REPLIES);
}

unsigned long bad_xids(void)
{
	return mount_column(COLUMN_BAD_XIDS);
}

/* The sum over all files of that pattern, which have one number each */
unsigned long sum_of_files(const char *pattern)
{
	unsigned long count, sum = 0;
	glob_t found;
	FILE *file;
	size_t i;

	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (i = 0; i < found.gl_pathc; i++) {
		file = fopen(found.gl_pathv[i], "r");
		if (file && fscanf(file, "%lu", &count) == 1)
			sum += count;
		if (file)
			fclose(file);
	}
	globfree(&found);
	return sum;
}

/* The number in the line that begins with @name; 0 if there is none */
static unsigned long number_in_file(const char *path, const char *name)
{
	unsigned long number, found = 0;
	FILE *file = fopen(path, "r");
	char word[64];

	while (file && fscanf(file, "%63s %lu", word, &number) == 2)
		if (!strcmp(word, name))
			found = number;
	if (file)
		fclose(file);
	return found;
}

unsigned long client_counter(const char *name)
{
	unsigned long sum = 0;
	glob_t found;
	size_t i;

	if (glob("/sys/kernel/rpcrdma/connections/client-*/counters", 0, NULL, &found))
		return 0;
	for (i = 0; i < found.gl_pathc; i++)
		sum += number_in_file(found.gl_pathv[i], name);
	globfree(&found);
	return sum;
}

/* Replies accepted although their chunk lists differ from those offered */
unsigned long inexact_replies(void)
{
	return client_counter("replies_inexact");
}

unsigned long xprt_connects(void)
{
	return mount_column(COLUMN_CONNECTS);
}

void log_mark(void)
{
	if (log_fd < 0)
		log_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(log_fd, 0, SEEK_END);
}

/*
 * The kernel prints at most ten lines with the same reason in five seconds. If it has
 * printed ten, a missing line proves nothing.
 */
static unsigned int recent_lines(const char *reason)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int64_t now = verbs_now();
	unsigned long long at;
	unsigned int lines = 0;
	char record[8192];
	ssize_t len;

	while ((len = read(fd, record, sizeof(record) - 1)) > 0) {
		record[len] = '\0';
		if (sscanf(record, "%*d,%*d,%llu,", &at) == 1 &&
		    (int64_t)(at / 1000) > now - 8000 &&
		    strstr(record, " refused: ") && strstr(record, reason))
			lines++;
	}
	close(fd);
	return lines;
}

/* No line was printed for a while, so the next ten will be */
bool log_is_quiet(void)
{
	return !recent_lines("");
}

/* The newest refusal, in the same words as in the log, which is not limited */
static bool newest_refusal_is(const char *text)
{
	char line[256] = "";
	bool is = false;
	glob_t found;
	FILE *file;
	size_t i;

	if (glob("/sys/kernel/rpcrdma/connections/client-*/last_refusal", 0, NULL,
		 &found))
		return false;
	for (i = 0; i < found.gl_pathc; i++) {
		file = fopen(found.gl_pathv[i], "r");
		if (file && fgets(line, sizeof(line), file) && strstr(line, text))
			is = true;
		if (file)
			fclose(file);
	}
	globfree(&found);
	return is;
}

/*
 * The log has @text since log_mark(), on a line with the peer's address. If such lines
 * are limited now, @text is the reason of the newest refusal.
 */
void expect_log(const char *text)
{
	int64_t deadline = verbs_now() + 2000 * target.slow;
	char record[8192];
	ssize_t len;

	for (;;) {
		len = read(log_fd, record, sizeof(record) - 1);
		if (len > 0) {
			record[len] = '\0';
			if (strstr(record, text) &&
			    strstr(record, target.address))
				return;
			continue;
		}
		if (recent_lines(text) >= 10 && newest_refusal_is(text))
			return;
		check(verbs_now() < deadline,
		      "the kernel log does not say \"%s\"", text);
		usleep(20000);
	}
}

static bool is_stuck(const char *pid)
{
	char path[64], line[512], *state;
	bool stuck = false;
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	stat = fopen(path, "r");
	if (stat && fgets(line, sizeof(line), stat)) {
		state = strrchr(line, ')');
		stuck = state && state[2] == 'D';
	}
	if (stat)
		fclose(stat);
	return stuck;
}

static unsigned int stuck_now(void)
{
	unsigned int stuck = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	while (proc && (entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			stuck += is_stuck(entry->d_name);
	if (proc)
		closedir(proc);
	return stuck;
}

/*
 * Tasks in uninterruptible sleep. A task that waits for an RPC looks the same,
 * so they get time to finish.
 */
unsigned int stuck_tasks(void)
{
	int64_t deadline = verbs_now() + timeout_ms();
	unsigned int stuck;

	while ((stuck = stuck_now()) && verbs_now() < deadline)
		usleep(100000);
	return stuck;
}

void in_threads(unsigned int count, void *(*work)(void *arg), void *arg)
{
	pthread_t threads[256];
	unsigned int i;

	check(count <= 256, "too many threads");
	for (i = 0; i < count; i++)
		check(!pthread_create(&threads[i], NULL, work, arg),
		      "cannot create a thread");
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}
