// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters and sysctls that are numbers with a range. A value outside of
 * the range is refused, and a line in the log says what the range is.
 *
 * A former name of a parameter is a second parameter with the same number behind it.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <rpcrdma/param.h>

/* Longest part of a refused text that is shown */
#define RPCRDMA_PARAM_SHOWN	32

static int rpcrdma_param_change(struct rpcrdma_param *param, unsigned int value)
{
	if (value < param->min || value > param->max || value % param->unit)
		return -EINVAL;
	WRITE_ONCE(param->value, value);
	return 0;
}

static void rpcrdma_param_refused(const struct rpcrdma_param *param,
				  const char *module, const char *name,
				  const char *text)
{
	/* What was written to a file ends with a newline */
	int shown = min_t(size_t, strcspn(text, "\n"), RPCRDMA_PARAM_SHOWN);

	if (param->min == param->max)
		pr_err("%s: %s stays %u, not %.*s: %s\n", module, name,
		       param->min, shown, text, param->reason);
	else if (param->unit == 1)
		pr_err("%s: %s must be a number from %u to %u, not %.*s\n",
		       module, name, param->min, param->max, shown, text);
	else
		pr_err("%s: %s must be a multiple of %u from %u to %u, not %.*s\n",
		       module, name, param->unit, param->min, param->max, shown,
		       text);
}

/**
 * rpcrdma_param_set - set a number: the @set of rpcrdma_param_ops
 * @text: new value in any base of kstrtouint()
 * @kp: parameter; its argument is a struct rpcrdma_param
 *
 * Context: process context; the kernel lets one parameter of a module be set at a
 * time.
 * Return: 0; -EINVAL or -ERANGE if @text is no number or outside of the range.
 */
int rpcrdma_param_set(const char *text, const struct kernel_param *kp)
{
	struct rpcrdma_param *param = kp->arg;
	unsigned int value;
	int ret;

	ret = kstrtouint(text, 0, &value) ?: rpcrdma_param_change(param, value);
	if (ret)
		rpcrdma_param_refused(param, kp->mod->name, kp->name, text);
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_param_set);

/**
 * rpcrdma_param_get - show a number: the @get of rpcrdma_param_ops
 * @text: page for the text
 * @kp: parameter; its argument is a struct rpcrdma_param
 *
 * Context: process context.
 * Return: bytes of text.
 */
int rpcrdma_param_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%u\n", rpcrdma_param_value(kp->arg));
}
EXPORT_SYMBOL_GPL(rpcrdma_param_get);

/* For a parameter whose argument is a struct rpcrdma_param */
const struct kernel_param_ops rpcrdma_param_ops = {
	.set	= rpcrdma_param_set,
	.get	= rpcrdma_param_get,
};
EXPORT_SYMBOL_GPL(rpcrdma_param_ops);

/**
 * rpcrdma_param_sysctl - proc_handler of RPCRDMA_PARAM_SYSCTL()
 * @table: entry; its data is a struct rpcrdma_param, extra1 the module's name
 * @write: the file is written to
 * @buffer: what is written, or memory for what is read
 * @len: bytes of it
 * @pos: position in the file
 *
 * Context: process context.
 * Return: 0; -EINVAL if what is written is no number or outside of the range.
 */
int rpcrdma_param_sysctl(RPCRDMA_CTL_CONST struct ctl_table *table, int write,
			 void *buffer, size_t *len, loff_t *pos)
{
	struct rpcrdma_param *param = table->data;
	unsigned int value = rpcrdma_param_value(param);
	struct ctl_table number = {
		.procname	= table->procname,
		.data		= &value,
		.maxlen		= sizeof(value),
		.mode		= table->mode,
	};
	char text[sizeof("4294967295")];
	int ret;

	ret = proc_douintvec(&number, write, buffer, len, pos);
	if (ret || !write)
		return ret;
	ret = rpcrdma_param_change(param, value);
	if (ret) {
		snprintf(text, sizeof(text), "%u", value);
		rpcrdma_param_refused(param, table->extra1, table->procname,
				      text);
	}
	return ret;
}
EXPORT_SYMBOL_GPL(rpcrdma_param_sysctl);
