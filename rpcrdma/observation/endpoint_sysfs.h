/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Private to endpoint.c and endpoint_sysfs.c: the files in an endpoint's directory.
 */
#ifndef _RPCRDMA_ENDPOINT_SYSFS_H
#define _RPCRDMA_ENDPOINT_SYSFS_H

#include <linux/kobject.h>
#include <linux/sysfs.h>
#include <rpcrdma/endpoint.h>

/* observation/endpoint.c */
bool rpcrdma_endpoint_is_server(const struct kobject *kobj);

/* observation/endpoint_sysfs.c */
extern const struct attribute_group *rpcrdma_endpoint_groups[];
ssize_t rpcrdma_endpoint_attr_show(struct rpcrdma_endpoint *ep,
				   struct attribute *attr, char *text);
int rpcrdma_endpoint_attr_store(struct rpcrdma_endpoint *ep,
				struct attribute *attr, const char *text);
void rpcrdma_endpoint_sysfs_init(void);

#endif /* _RPCRDMA_ENDPOINT_SYSFS_H */
