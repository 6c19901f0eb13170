// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the first inputs of the targets that read messages, from the worked headers in
 * kunit/, and of the target of rules. Every other target begins with nothing.
 *
 * usage: seeds DIRECTORY
 *
 * A directory for each target must be there.
 */
#include <stdio.h>
#include <stdlib.h>
#include "kunit/support.h"

#define SEED_MAX	1024

/*
 * struct seed - bytes of an input
 * @data: the bytes
 * @len:  number of them
 */
struct seed {
	u8	data[SEED_MAX];
	size_t	len;
};

static void seed_bytes(struct seed *seed, const void *bytes, size_t len)
{
	memcpy(seed->data + seed->len, bytes, len);
	seed->len += len;
}

static void seed_words(struct seed *seed, const u32 *words, unsigned int n)
{
	unsigned int i;
	__be32 word;

	for (i = 0; i < n; i++) {
		word = cpu_to_be32(words[i]);
		seed_bytes(seed, &word, sizeof(word));
	}
}

static void seed_write(const struct seed *seed, const char *dir, const char *target,
		       u32 version, unsigned int number)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/v%u-%02u", dir, target, version, number);
	file = fopen(path, "w");
	if (!file || fwrite(seed->data, seed->len, 1, file) != 1 || fclose(file)) {
		perror(path);
		exit(1);
	}
}

/* What stands in front of the message in the input of each target, and what is left out */
static const struct {
	const char	*target;
	u8		before[2][8];	/* version 1, version 2 */
	size_t		len;
	unsigned int	skip;		/* words of the message */
} seed_targets[] = {
	{ "server", { { 0, 1, 3, 0, 0, 1, 0 }, { 1, 1, 3, 0, 0, 1, 0 } }, 7 },
	{ "client", { { 0, 1, 0, 0, 0, 0, 0 }, { 1, 1, 0, 0, 0, 0, 0 } }, 7 },
	{ "private", {}, 6, 5 },
	{ "negotiate", { { 2, 0, 0, 1, 4, 0, 80 }, { 2, 0, 0, 1, 4, 0, 80 } }, 7 },
};

static void seed_vector(const char *dir, const struct rpcrdma_test_vector *vector,
			u32 version, unsigned int number)
{
	u32 payload[] = { vector->words[0], 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(seed_targets); i++) {
		struct seed seed = {};

		seed_bytes(&seed, seed_targets[i].before[version - 1], seed_targets[i].len);
		seed_words(&seed, vector->words + seed_targets[i].skip,
			   vector->nwords - seed_targets[i].skip);
		seed_words(&seed, payload, ARRAY_SIZE(payload));
		seed_write(&seed, dir, seed_targets[i].target, version, number);
	}
}

/* RPC Calls: a WRITE of NFSv4 with AUTH_SYS, and one with RPCSEC_GSS and integrity */
static const u32 seed_calls[][27] = {
	{
		0x2b0000f0, 0, 2, 100003, 4, 1, 1, 20, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 1, 38, 1, 2, 3, 4, 0, 0, 2, 4096,
	}, {
		0x2b0000f0, 0, 2, 100003, 4, 1, 6, 24, 1, 0, 7, 2, 4, 0xabcd,
		6, 400,
	},
};

static void seed_call(const char *dir, unsigned int number)
{
	/* program, version, pad, credential, length of a chunk, length */
	static const u8 before[][17] = {
		{ 1, 4, 4, 0, 0, 0x10, [12] = 2, 108 },
		{ 1, 4, 4, 0, 0, 0x10, [12] = 2, 0xe0, 1 },
	};
	struct seed seed = {};

	seed_bytes(&seed, before[number], sizeof(before[0]));
	seed_words(&seed, seed_calls[number], ARRAY_SIZE(seed_calls[0]));
	seed_write(&seed, dir, "call", 4, number);
}

static void seed_rules(const char *dir)
{
	static const char text[] = "10.1.0.0/16,tos=104,rnr_timer=12;"
				   "fd77::/64,ack_timeout=18,rnr_retries=6";
	struct seed seed = {};

	seed_bytes(&seed, text, sizeof(text) - 1);
	seed_write(&seed, dir, "rules", 0, 0);
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 2) {
		fprintf(stderr, "usage: seeds DIRECTORY\n");
		return 2;
	}
	for (i = 0; i < RPCRDMA_V1_VECTORS; i++)
		seed_vector(argv[1], &rpcrdma_v1_vectors[i], 1, i);
	for (i = 0; i < RPCRDMA_V2_VECTORS; i++)
		seed_vector(argv[1], &rpcrdma_v2_vectors[i], 2, i);
	for (i = 0; i < ARRAY_SIZE(seed_calls); i++)
		seed_call(argv[1], i);
	seed_rules(argv[1]);
	return 0;
}
