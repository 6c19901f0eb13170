/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the fuzzer share.
 */
#ifndef PEER_REQUESTER_FUZZ_H
#define PEER_REQUESTER_FUZZ_H

#include "requester/nfs.h"

#define BUF_LEN		65536
#define FILE_SIZE	20000

struct fuzz {
	uint64_t		state;
	unsigned int		seconds;
	unsigned long		messages;
	unsigned long		connections;
	unsigned long		lost;
	unsigned long		received;
	unsigned long		errors;
	struct nfs_handle	file;
	struct nfs_handle	directory;
	struct nfs_handle	link;
};

extern struct fuzz fuzz;

uint32_t fuzz_random(void);

/* A random number below @limit, or 0 */
uint32_t fuzz_below(uint32_t limit);

/* A value at which arithmetic tends to fail */
uint32_t edge_word(void);

/* A valid Call, or a Reply or an error that answers no Call */
struct call *random_call(struct memory *source, struct memory *sink);

#endif /* PEER_REQUESTER_FUZZ_H */
