/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A held Call makes its transport's peer valid while sunrpc deletes the transport.
 *
 * Code: svcrdma/reconnect_hold.c svcrdma/ops.c include/compat/peer_valid.h
 *
 * sunrpc counts the connections whose peer is not valid yet (sv_tmpcnt). Each connection leaves
 * the count once: when its peer becomes valid, or when it is deleted.
 *
 * Bounds: one transport, two held Calls. Sections under svcrdma_hold_lock are not one step here,
 * because sunrpc takes sv_lock in between. Left out: nfsd's own svc_xprt_set_valid(), which has
 * no such protection; a Call that arrives before sunrpc has counted the transport.
 *
 * Invariants:
 *   1  svcrdma/reconnect_hold.c: "so no held Call takes it from sunrpc's count twice"
 *   2  svcrdma/reconnect_hold.c: "No held Call makes its peer valid any more"
 *
 * Run: calls
 * Bug: BUG_NO_LOCK 1
 * Bug: BUG_NO_LOOK 2
 */
#include "model.h"

bool hold_lock, sv_lock, dead, valid, detached;
byte count = 1;

/* svcrdma_hold(), svcrdma_hold_dropped(): svcrdma_wait_for_first() */
active [2] proctype held_call() {
	bool alive, first;

	atomic { !hold_lock -> hold_lock = true };
	/* rpcrdma_svc_inherit_valid() */
	alive = (!dead || BUG_NO_LOOK);
	if
	:: alive ->
		atomic {
			INV(2, !detached);
			first = !valid;
			valid = true
		};
		if
		:: first ->
			atomic { !sv_lock -> sv_lock = true };
			atomic {
				INV(1, count == 1);
				count--;
				sv_lock = false
			}
		:: else
		fi
	:: else
	fi;
	hold_lock = false
}

/* svc_delete_xprt() of sunrpc */
active proctype delete() {
	dead = true;
	/* svcrdma_conn_detach(): svcrdma_hold_detach() */
	if
	:: BUG_NO_LOCK
	:: !BUG_NO_LOCK -> !hold_lock
	fi;
	detached = !BUG_NO_LOCK;
	atomic { !sv_lock -> sv_lock = true };
	if
	:: !valid ->
		atomic {
			INV(1, count == 1);
			count--
		}
	:: else
	fi;
	sv_lock = false
}
