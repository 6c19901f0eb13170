// SPDX-License-Identifier: GPL-2.0-only
/* A namespace is any pointer */
#include <linux/kobject.h>

static_assert(__same_type(((const struct kobj_type *)NULL)->namespace(NULL),
			  const void *));
