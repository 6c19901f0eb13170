// SPDX-License-Identifier: GPL-2.0-only
/* Operations on name spaces do not change their kobject */
#include <linux/kobject.h>

static const void *namespace(const struct kobject *kobj)
{
	return NULL;
}

extern const struct kobj_type probe;

const struct kobj_type probe = {
	.namespace = namespace,
};
