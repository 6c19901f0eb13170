/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers that the administrator may set: module parameters with a range, and sysctls
 * that show and change the same number.
 */
#ifndef _RPCRDMA_PARAM_H
#define _RPCRDMA_PARAM_H

#include <linux/compiler.h>
#include <linux/moduleparam.h>
#include <compat/sysctl.h>

/**
 * struct rpcrdma_param - a number with a range
 * @value:  in force; may change at any time
 * @min:    smallest value
 * @max:    largest value
 * @unit:   every value is a multiple of it; not 0
 * @reason: why there is only one value, if @min is @max; else NULL
 */
struct rpcrdma_param {
	unsigned int	value;
	unsigned int	min;
	unsigned int	max;
	unsigned int	unit;
	const char	*reason;
};

/**
 * rpcrdma_param_value - the value in force
 * @param: number
 *
 * Context: any.
 * Return: a value within the range.
 */
static inline unsigned int rpcrdma_param_value(const struct rpcrdma_param *param)
{
	return READ_ONCE(param->value);
}

/* An entry of a table of sysctls; the number is a struct rpcrdma_param */
#define RPCRDMA_PARAM_SYSCTL(name, param) {		\
	.procname	= name,				\
	.data		= param,			\
	.maxlen		= sizeof(unsigned int),		\
	.mode		= 0644,				\
	.proc_handler	= rpcrdma_param_sysctl,		\
	.extra1		= KBUILD_MODNAME,		\
}

/* param.c */
extern const struct kernel_param_ops rpcrdma_param_ops;
int rpcrdma_param_set(const char *text, const struct kernel_param *kp);
int rpcrdma_param_get(char *text, const struct kernel_param *kp);
int rpcrdma_param_sysctl(RPCRDMA_CTL_CONST struct ctl_table *table, int write,
			 void *buffer, size_t *len, loff_t *pos);

#endif /* _RPCRDMA_PARAM_H */
