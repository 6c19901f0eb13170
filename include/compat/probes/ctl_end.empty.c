// SPDX-License-Identifier: GPL-2.0-only
/* An empty entry ends the table */
#include <linux/sysctl.h>

#ifdef register_sysctl
#error "a macro that counts the entries"
#endif

struct ctl_table_header *probe(struct ctl_table *table);

struct ctl_table_header *probe(struct ctl_table *table)
{
	return register_sysctl("sunrpc", table);
}
