// SPDX-License-Identifier: GPL-2.0-only
/* The name is a string */
#include <linux/module.h>

MODULE_IMPORT_NS("EXPORTED_FOR_KUNIT_TESTING");
