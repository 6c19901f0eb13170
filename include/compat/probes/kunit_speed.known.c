// SPDX-License-Identifier: GPL-2.0-only
/* A case can be marked as slow */
#include <kunit/test.h>

void probe(const struct kunit_case **cases);

void probe(const struct kunit_case **cases)
{
	static const struct kunit_case slow[] = {
		KUNIT_CASE_SLOW(NULL),
		KUNIT_CASE_PARAM_ATTR(NULL, NULL, { .speed = KUNIT_SPEED_SLOW }),
	};

	*cases = slow;
}
