/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers and corrupted bytes for the fuzz of Replies.
 */
#ifndef PEER_RESPONDER_FUZZ_H
#define PEER_RESPONDER_FUZZ_H

#include "common/xdr.h"

uint32_t reply_fuzz_random(void);
uint32_t reply_fuzz_below(uint32_t limit);

/* A variation of @old, or a value at which arithmetic tends to fail */
uint32_t reply_fuzz_word(uint32_t old);

/* Corrupt a message, most often its first @words words */
void reply_fuzz_bytes(struct xdr_out *out, size_t words);

#endif /* PEER_RESPONDER_FUZZ_H */
