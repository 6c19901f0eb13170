// SPDX-License-Identifier: GPL-2.0-only
/* A member of each parameter is its description */
#include <kunit/test.h>

static const struct { const char *name; } words[] = { { "word" } };
KUNIT_ARRAY_PARAM_DESC(word, words, name);

void *probe(void);

void *probe(void)
{
	return word_gen_params;
}
