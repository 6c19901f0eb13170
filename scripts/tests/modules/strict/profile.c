// SPDX-License-Identifier: GPL-2.0-only
/* Puts the limits of an adapter on top of those of a device. */
#include <linux/minmax.h>
#include <linux/string.h>
#include "profile.h"

/**
 * strict_profile_find - find a profile
 * @name: its name
 *
 * Context: any.
 * Return: the profile, or NULL.
 */
const struct strict_profile *strict_profile_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < strict_profiles_count; i++)
		if (!strcmp(strict_profiles[i].name, name))
			return &strict_profiles[i];
	return NULL;
}

static void strict_lower(int *attr, u32 limit)
{
	if (limit)
		*attr = min_t(u32, *attr, limit);
}

static void strict_lower_u32(u32 *attr, u32 limit)
{
	if (limit)
		*attr = min(*attr, limit);
}

/**
 * strict_profile_apply - lower the limits of a device
 * @profile: limits
 * @device: device
 * @attrs: its attributes
 *
 * Context: any.
 */
void strict_profile_apply(const struct strict_profile *profile, struct ib_device *device,
			  struct ib_device_attr *attrs)
{
	strict_lower(&attrs->max_qp_wr, profile->max_qp_wr);
	strict_lower(&attrs->max_cqe, profile->max_cqe);
	strict_lower(&attrs->max_send_sge, profile->max_send_sge);
	strict_lower(&attrs->max_recv_sge, profile->max_recv_sge);
	strict_lower(&attrs->max_sge_rd, profile->max_sge_rd);
	strict_lower(&attrs->max_mr, profile->max_mr);
	strict_lower(&attrs->max_qp_rd_atom, profile->max_qp_rd_atom);
	strict_lower(&attrs->max_qp_init_rd_atom, profile->max_qp_init_rd_atom);
	strict_lower_u32(&attrs->max_fast_reg_page_list_len, profile->max_frwr_pages);
	/* 0: RDMA Reads use MRs only where they must */
	if (profile->max_sgl_rd)
		attrs->max_sgl_rd = profile->max_sgl_rd;
	if (profile->page_size_cap)
		attrs->page_size_cap &= profile->page_size_cap;
	if (profile->max_mr_size)
		attrs->max_mr_size = min(attrs->max_mr_size, profile->max_mr_size);
	attrs->device_cap_flags &= ~profile->no_device_caps;
	attrs->kernel_cap_flags &= ~profile->no_kernel_caps;
	if (profile->num_comp_vectors)
		device->num_comp_vectors = min_t(u32, device->num_comp_vectors,
						 profile->num_comp_vectors);
	if (profile->driver_id != RDMA_DRIVER_UNKNOWN)
		device->ops.driver_id = profile->driver_id;
}
