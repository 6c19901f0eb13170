// SPDX-License-Identifier: GPL-2.0-only
/* The table of profiles. */
#include <linux/sizes.h>
#include "profile.h"

const struct strict_profile strict_profiles[] = {
	{
		.name		= "rxe",
		.source		= "none: the limits of the device stay",
		.driver_id	= RDMA_DRIVER_UNKNOWN,
	},
};

const unsigned int strict_profiles_count = ARRAY_SIZE(strict_profiles);
