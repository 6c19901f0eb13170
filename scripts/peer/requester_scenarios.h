/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scenarios of the requester's role, by the file that has them.
 */
#ifndef PEER_REQUESTER_SCENARIOS_H
#define PEER_REQUESTER_SCENARIOS_H

#include "requester.h"

/* requester_header.c */
void scenario_null(void);

#endif /* PEER_REQUESTER_SCENARIOS_H */
