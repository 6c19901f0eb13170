// SPDX-License-Identifier: GPL-2.0-only
/* Operations on namespaces do not change their kobject */
#include <linux/kobject.h>

static const struct kobj_ns_type_operations *child(const struct kobject *kobj)
{
	return NULL;
}

extern const struct kobj_type probe;

const struct kobj_type probe = {
	.child_ns_type = child,
};
