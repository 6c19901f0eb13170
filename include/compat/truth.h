/* SPDX-License-Identifier: GPL-2.0-only */
/* Where str_yes_no() is */
#ifndef _COMPAT_TRUTH_H
#define _COMPAT_TRUTH_H

#include <compat/probed.h>

#ifdef RPCRDMA_STR_YES_NO_CHOICES
#include <linux/string_choices.h>
#else
#include <linux/string_helpers.h>
#endif

#endif /* _COMPAT_TRUTH_H */
