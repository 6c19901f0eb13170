// SPDX-License-Identifier: GPL-2.0-only
/* Only a function can describe a parameter: KUNIT_ARRAY_PARAM_DESC() does not exist */
#include <kunit/test.h>

static inline void KUNIT_ARRAY_PARAM_DESC(void)
{
}

static const int numbers[] = { 1 };
KUNIT_ARRAY_PARAM(number, numbers, NULL);

void *probe(void);

void *probe(void)
{
	return number_gen_params;
}
