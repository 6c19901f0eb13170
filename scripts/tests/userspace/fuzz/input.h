/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a target makes of the bytes that libFuzzer gives it. When they are used up, all
 * that is read is 0.
 */
#ifndef _FUZZ_INPUT_H
#define _FUZZ_INPUT_H

#include <linux/array_size.h>
#include <linux/types.h>

struct fuzz_input {
	const u8	*at;
	size_t		left;
};

/* The function that libFuzzer calls, which each target defines */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* A property that holds for every input */
#define CHECK(what) do {					\
	if (!(what))						\
		fuzz_broken(__FILE__, __LINE__, #what);		\
} while (0)

/* input.c */
void fuzz_broken(const char *file, int line, const char *what) __attribute__((noreturn));
u8 fuzz_u8(struct fuzz_input *in);
u32 fuzz_u32(struct fuzz_input *in);
u64 fuzz_u64(struct fuzz_input *in);
u32 fuzz_any(struct fuzz_input *in);
u32 fuzz_below(struct fuzz_input *in, u32 n);
void *fuzz_bytes(struct fuzz_input *in, size_t len);

static inline bool fuzz_bool(struct fuzz_input *in)
{
	return fuzz_u8(in) & 1;
}

#define FUZZ_PICK(in, array)	((array)[fuzz_below(in, ARRAY_SIZE(array))])

#endif /* _FUZZ_INPUT_H */
