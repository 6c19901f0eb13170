// SPDX-License-Identifier: GPL-2.0-only
/* Cases have no speed: KUNIT_CASE_SLOW() does not exist */
#include <kunit/test.h>

static inline void KUNIT_CASE_SLOW(void)
{
}

void probe(const struct kunit_case **cases);

void probe(const struct kunit_case **cases)
{
	static const struct kunit_case some[] = {
		KUNIT_CASE(NULL),
		KUNIT_CASE_PARAM(NULL, NULL),
	};

	*cases = some;
}
