// SPDX-License-Identifier: GPL-2.0-only
/* Operations on name spaces may change their kobject */
#include <linux/kobject.h>

static const void *namespace(struct kobject *kobj)
{
	return NULL;
}

extern const struct kobj_type probe;

const struct kobj_type probe = {
	.namespace = namespace,
};
