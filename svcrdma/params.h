/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Module parameters, also under the names of the in-tree module (sysctl.c).
 */
#ifndef _SVCRDMA_PARAMS_H
#define _SVCRDMA_PARAMS_H

#include <linux/types.h>

struct rpcrdma_param;
struct rpcrdma_traffic;

/* params.c */
extern struct rpcrdma_param svcrdma_credits_param;
extern struct rpcrdma_param svcrdma_receive_memory_param;
extern struct rpcrdma_param svcrdma_inline_param;
extern struct rpcrdma_param svcrdma_reads_out_param;
extern struct rpcrdma_traffic svcrdma_traffic;
/* Least value of the next two, MiB */
#define SVCRDMA_READ_MEMORY_MIN	2
extern struct rpcrdma_param svcrdma_read_memory_param;
extern struct rpcrdma_param svcrdma_read_client_param;
unsigned int svcrdma_param_tos(void);
unsigned int svcrdma_param_credits(void);
unsigned int svcrdma_param_least_credits(void);
unsigned int svcrdma_param_bc_credits(void);
unsigned int svcrdma_param_inline(void);
unsigned int svcrdma_param_reads_out(void);
unsigned int svcrdma_param_pullup(void);
unsigned long svcrdma_param_transfer_timeout(void);
unsigned long svcrdma_param_versions(void);

/* sysctl.c */
int svcrdma_sysctl_init(void);
void svcrdma_sysctl_exit(void);

#endif /* _SVCRDMA_PARAMS_H */
