// SPDX-License-Identifier: GPL-2.0-only
/* Among other helpers */
#include <linux/string_helpers.h>

const char *probe(bool truth);

const char *probe(bool truth)
{
	return str_yes_no(truth);
}
