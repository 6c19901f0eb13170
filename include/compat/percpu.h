/* SPDX-License-Identifier: GPL-2.0-only */
/* linux/percpu.h; on older kernels it does not include what this_cpu_add() is made of */
#ifndef _COMPAT_PERCPU_H
#define _COMPAT_PERCPU_H

#include <linux/irqflags.h>
#include <linux/percpu.h>

#endif /* _COMPAT_PERCPU_H */
