/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that are the same for the same seed, though not those of the kernel */
#ifndef _USERSPACE_LINUX_PRANDOM_H
#define _USERSPACE_LINUX_PRANDOM_H

#include <linux/types.h>

struct rnd_state {
	u64	state;
};

static inline void prandom_seed_state(struct rnd_state *rnd, u64 seed)
{
	rnd->state = seed;
}

/* SplitMix64 */
static inline u32 prandom_u32_state(struct rnd_state *rnd)
{
	u64 z;

	/* The state wraps */
	__builtin_add_overflow(rnd->state, 0x9e3779b97f4a7c15ULL, &rnd->state);
	z = rnd->state;
	__builtin_mul_overflow(z ^ z >> 30, 0xbf58476d1ce4e5b9ULL, &z);
	__builtin_mul_overflow(z ^ z >> 27, 0x94d049bb133111ebULL, &z);
	return (z ^ z >> 31) >> 32;
}

static inline void prandom_bytes_state(struct rnd_state *rnd, void *to, size_t len)
{
	u8 *byte = to;

	while (len--)
		*byte++ = prandom_u32_state(rnd);
}

#endif /* _USERSPACE_LINUX_PRANDOM_H */
