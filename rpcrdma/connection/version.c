// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a connection does once its protocol version is settled, and the parameter that
 * selects the versions to accept. negotiate.c has the negotiation.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <rpcrdma/conn.h>

static const struct {
	const char	*name;
	unsigned long	versions;
} rpcrdma_version_names[] = {
	{ "1", RPCRDMA_VERSIONS_1 },
	{ "2", RPCRDMA_VERSIONS_2 },
	{ "both", RPCRDMA_VERSIONS_BOTH },
};

/**
 * rpcrdma_conn_apply_version - apply the version and the properties of the peer
 * @conn: connection whose version is settled
 *
 * Sets the codec. In a version with properties these also set the thresholds, and each
 * Call names the handle that its Reply may invalidate; the CM private data is not used
 * for either. The caller calls this again when the properties of the peer come later.
 *
 * Context: receive path, or before the first message.
 */
void rpcrdma_conn_apply_version(struct rpcrdma_conn *conn)
{
	const struct rpcrdma_negotiation *neg = &conn->negotiation;
	u32 send, recv;

	conn->codec = rpcrdma_codec_find(neg->version);
	if (!conn->codec->properties)
		return;
	send = rpcrdma_props_threshold(&neg->peer, conn->limits.inline_send);
	recv = rpcrdma_props_threshold(&neg->peer, conn->limits.inline_recv);
	WRITE_ONCE(conn->inline_send, send);
	WRITE_ONCE(conn->inline_recv, recv);
	conn->remote_inv = conn->device->attrs.device_cap_flags &
			   IB_DEVICE_MEM_MGT_EXTENSIONS;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_apply_version);

/**
 * rpcrdma_conn_props - our own properties
 * @conn: connection whose Receives are posted
 * @props: result
 *
 * Context: any.
 */
void rpcrdma_conn_props(const struct rpcrdma_conn *conn,
			struct rpcrdma_props *props)
{
	props->recv_size = conn->limits.inline_recv;
	props->reverse = RPCRDMA_BRS_INLINE;
}
EXPORT_SYMBOL_GPL(rpcrdma_conn_props);

/**
 * rpcrdma_version_settings - enlarge the settings for version 2
 * @settings: configured sizes; made larger if needed
 * @versions: set of versions to accept
 *
 * If version 2 is accepted, Receives of its default size must be posted before the
 * version is known, with one more than there are credits for the CONNPROP, and Sends
 * must be as large as Receives.
 *
 * Context: any.
 */
void rpcrdma_version_settings(struct rpcrdma_settings *settings,
			      unsigned long versions)
{
	u32 size;

	if (!(versions & RPCRDMA_VERSIONS_2))
		return;
	size = max3(settings->inline_send, settings->inline_recv,
		    (u32)RPCRDMA_V2_DEF_INLINE);
	settings->inline_send = size;
	settings->inline_recv = size;
	settings->spare_recvs = 1;
}
EXPORT_SYMBOL_GPL(rpcrdma_version_settings);

static int rpcrdma_versions_set(const char *text, const struct kernel_param *kp)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rpcrdma_version_names); i++) {
		if (!sysfs_streq(text, rpcrdma_version_names[i].name))
			continue;
		WRITE_ONCE(*(unsigned long *)kp->arg,
			   rpcrdma_version_names[i].versions);
		return 0;
	}
	/* What was written to a file ends with a newline */
	pr_err("%s: %s must be 1, 2 or both, not %.*s\n", kp->mod->name,
	       kp->name, min_t(int, strcspn(text, "\n"), 32), text);
	return -EINVAL;
}

static int rpcrdma_versions_get(char *text, const struct kernel_param *kp)
{
	unsigned long versions = READ_ONCE(*(unsigned long *)kp->arg);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rpcrdma_version_names); i++)
		if (rpcrdma_version_names[i].versions == versions)
			return sysfs_emit(text, "%s\n",
					  rpcrdma_version_names[i].name);
	return -EINVAL;
}

/* For a parameter that is an unsigned long with a set of versions */
const struct kernel_param_ops rpcrdma_versions_ops = {
	.set	= rpcrdma_versions_set,
	.get	= rpcrdma_versions_get,
};
EXPORT_SYMBOL_GPL(rpcrdma_versions_ops);
