/* SPDX-License-Identifier: GPL-2.0-only */
/* What the fuzzer varies in version 2 only. */
#ifndef PEER_V2_REQUESTER_FUZZ_H
#define PEER_V2_REQUESTER_FUZZ_H

#include "requester/requester.h"

/* A CONNPROP with random properties, most sets of them valid */
struct call *random_connprop(void);

/* A random Invalidate handle, flags, and sometimes another version */
void vary_version_2(struct header *header);

#endif /* PEER_V2_REQUESTER_FUZZ_H */
