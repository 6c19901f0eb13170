// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many connections were closed for each cause, and how many could not be made: the files
 * client_closes and server_closes in /sys/kernel/rpcrdma. A server's connection takes its
 * directory with it, so the cause of its end is counted here, for the whole machine.
 */
#include <linux/sysfs.h>
#include "../core.h"

static atomic64_t rpcrdma_closes[2][RPCRDMA_CLOSE_COUNT];

/**
 * rpcrdma_closes_count - count a connection that was closed, or could not be made
 * @server: it was the server's
 * @cause: why
 *
 * Context: any, hard interrupts included.
 */
void rpcrdma_closes_count(bool server, enum rpcrdma_close_cause cause)
{
	atomic64_inc(&rpcrdma_closes[server][cause]);
}

static ssize_t rpcrdma_closes_show(const atomic64_t *closes, char *text)
{
	enum rpcrdma_close_cause cause;
	int len = 0;

	for (cause = RPCRDMA_CLOSE_NONE + 1; cause < RPCRDMA_CLOSE_COUNT; cause++)
		len += sysfs_emit_at(text, len, "%s: %llu\n",
				     rpcrdma_close_cause_text(cause),
				     (u64)atomic64_read(&closes[cause]));
	return len;
}

static ssize_t client_closes_show(struct kobject *kobj,
				  struct kobj_attribute *attr, char *text)
{
	return rpcrdma_closes_show(rpcrdma_closes[false], text);
}

static ssize_t server_closes_show(struct kobject *kobj,
				  struct kobj_attribute *attr, char *text)
{
	return rpcrdma_closes_show(rpcrdma_closes[true], text);
}

static struct kobj_attribute rpcrdma_client_closes = __ATTR_RO(client_closes);
static struct kobj_attribute rpcrdma_server_closes = __ATTR_RO(server_closes);

static const struct attribute *const rpcrdma_closes_files[] = {
	&rpcrdma_client_closes.attr,
	&rpcrdma_server_closes.attr,
	NULL,
};

/**
 * rpcrdma_closes_init - create the files
 * @parent: the directory; the files are removed with it
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int rpcrdma_closes_init(struct kobject *parent)
{
	return sysfs_create_files(parent, rpcrdma_closes_files);
}
