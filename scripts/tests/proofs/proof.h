/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What proofs are written with. To CBMC the result of a nondet function is every value at
 * once, so a property that holds is true for each of them.
 */
#ifndef _PROOFS_PROOF_H
#define _PROOFS_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* What follows is proved for this only */
#define ASSUME(what)	__CPROVER_assume(what)

/* A property that holds whenever this line is reached */
#define PROVE(what)	__CPROVER_assert(what, #what)

/* This holds in one case at least; the runner fails a proof in which it never does */
#define REACH(what)	__CPROVER_assert(!(what), "REACH " #what)

/* Defined by CBMC */
u8 nondet_u8(void);
u16 nondet_u16(void);
u32 nondet_u32(void);
u64 nondet_u64(void);
size_t nondet_size_t(void);

static inline bool any_bool(void)
{
	return nondet_u8() & 1;
}

static inline u32 any_up_to(u32 most)
{
	u32 value = nondet_u32();

	ASSUME(value <= most);
	return value;
}

#endif /* _PROOFS_PROOF_H */
