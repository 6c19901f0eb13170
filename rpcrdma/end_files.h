/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What end.c and end_files.c share: how a directory of sysfs is filled.
 */
#ifndef _RPCRDMA_CORE_END_H
#define _RPCRDMA_CORE_END_H

#include <linux/kobject.h>
#include <linux/sysfs.h>
#include <rpcrdma/end.h>

/* end.c */
bool rpcrdma_end_is_server(const struct kobject *kobj);

/* end_files.c */
extern const struct attribute_group *rpcrdma_end_groups[];
ssize_t rpcrdma_end_file_show(struct rpcrdma_end *end, struct attribute *attr,
			      char *text);
int rpcrdma_end_file_store(struct rpcrdma_end *end, struct attribute *attr,
			   const char *text);
void rpcrdma_end_files_init(void);

#endif /* _RPCRDMA_CORE_END_H */
