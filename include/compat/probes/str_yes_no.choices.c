// SPDX-License-Identifier: GPL-2.0-only
/* In a header of their own */
#include <linux/string_choices.h>

const char *probe(bool truth);

const char *probe(bool truth)
{
	return str_yes_no(truth);
}
