// SPDX-License-Identifier: GPL-2.0-only
/* Memory is compared by macros that print it */
#include <kunit/test.h>

void probe(struct kunit *test);

void probe(struct kunit *test)
{
	KUNIT_EXPECT_MEMEQ(test, "word", "word", 4);
	KUNIT_ASSERT_MEMEQ(test, "word", "word", 4);
}
