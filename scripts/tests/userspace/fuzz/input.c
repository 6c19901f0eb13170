// SPDX-License-Identifier: GPL-2.0-only
/* Reading the input of a target */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/minmax.h>
#include "input.h"

void fuzz_broken(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: this property does not hold: %s\n", file, line, what);
	abort();
}

static void fuzz_take(struct fuzz_input *in, void *to, size_t len)
{
	size_t n = min(len, in->left);

	memset(to, 0, len);
	if (n)
		memcpy(to, in->at, n);
	in->at += n;
	in->left -= n;
}

u8 fuzz_u8(struct fuzz_input *in)
{
	u8 value;

	fuzz_take(in, &value, sizeof(value));
	return value;
}

u32 fuzz_u32(struct fuzz_input *in)
{
	u32 value;

	fuzz_take(in, &value, sizeof(value));
	return value;
}

u64 fuzz_u64(struct fuzz_input *in)
{
	u64 value;

	fuzz_take(in, &value, sizeof(value));
	return value;
}

/* Often a small number, or one next to a power of two */
u32 fuzz_any(struct fuzz_input *in)
{
	u8 how = fuzz_u8(in);

	switch (how % 4) {
	case 0:
		return how / 4;
	case 1:
		return (1U << (how / 4 % 32)) - 1 + fuzz_u8(in) % 3;
	case 2:
		return fuzz_u32(in) % 0x10000;
	default:
		return fuzz_u32(in);
	}
}

/* 0 to @n - 1 */
u32 fuzz_below(struct fuzz_input *in, u32 n)
{
	return (n <= 256 ? fuzz_u8(in) : fuzz_u32(in)) % n;
}

/* @len bytes, aligned, in memory that ends with them */
void *fuzz_bytes(struct fuzz_input *in, size_t len)
{
	void *bytes = malloc(len);

	fuzz_take(in, bytes, len);
	return bytes;
}
