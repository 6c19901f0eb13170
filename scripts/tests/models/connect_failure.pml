/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attempts to connect that fail, the tasks that they wake, and the connection at last.
 *
 * Code: xprtrdma/connect.c
 *
 * Bounds: TASKS tasks that need the transport, and ATTEMPTS attempts, of which the last one
 * succeeds and any other may fail. A task that was woken may run as late as it likes.
 *
 * sunrpc's part is as in net/sunrpc/xprt.c and clnt.c: XPRT_LOCKED with its owner,
 * XPRT_CLOSE_WAIT, xprt_autoclose(), the cookie, call_connect_status(). Left out: how a
 * connection is made and taken down, and that it may be lost (teardown_client.pml); time-outs and
 * tasks that end; failures after which no task calls xprt_conditional_disconnect().
 *
 * Invariants:
 *   1  xprtrdma/connect.c: "That must not close the connection that this attempt makes"
 * No deadlock: all tasks find the connection. "ends": so they do under weak fairness.
 *
 * Run: all -DTASKS=3 -DATTEMPTS=4
 * Run: ends -DTASKS=2 -DATTEMPTS=3 -DLTL=ends
 * Bug: BUG_COOKIE_KEPT 1 -DTASKS=2 -DATTEMPTS=2
 */
#include "model.h"

/* Owners of XPRT_LOCKED besides tasks */
#define COOKIE		100
#define NONE		255

bool locked, close_wait, connected, cleanup_queued, connect_queued;
byte snd_task = NONE, cookie, attempts, ended;
bool on_pending[TASKS], woken[TASKS], failed[TASKS];
byte waited_cookie[TASKS];

inline release_xprt(t) {	/* xprt_release_xprt_cong(), xprt_clear_locked() */
	if
	:: locked && snd_task == t ->
		snd_task = NONE;
		if
		:: close_wait -> cleanup_queued = true
		:: else -> locked = false
		fi
	:: else
	fi
}

inline wake_pending(status) {	/* xprt_wake_pending_tasks() */
	t = 0;
	do
	:: t < TASKS ->
		if
		:: on_pending[t] ->
			on_pending[t] = false;
			failed[t] = status;
			woken[t] = true
		:: else
		fi;
		t++
	:: else -> break
	od;
	t = 0
}

proctype task(byte me) {
	do
	:: connected -> break
	:: else ->
		atomic { !locked -> locked = true; snd_task = me }
		if
		:: atomic { !connected && !close_wait ->	/* xprt_connect(), xprtrdma_connect() */
			waited_cookie[me] = cookie;
			on_pending[me] = true;
			woken[me] = false;
			snd_task = COOKIE;	/* xprt_lock_connect() */
			connect_queued = true }
			woken[me];
			/* call_connect_status() */
			atomic {
				if
				:: failed[me] && waited_cookie[me] == cookie ->
					/* xprt_conditional_disconnect() */
					close_wait = true;
					if
					:: !locked -> locked = true; cleanup_queued = true
					:: else
					fi
				:: else
				fi
			}
		:: else -> atomic { release_xprt(me) }
		fi
	od;
	ended++
}

/* xprtrdma_connect_work(): xprtrdma_attempt() */
proctype connect_work() {
	byte t;
	bool fails;

end:	do
	:: connect_queued ->
		connect_queued = false;
		attempts++;
		if
		:: attempts < ATTEMPTS -> fails = true
		:: fails = false
		fi;
		if
		:: fails && !BUG_COOKIE_KEPT -> cookie++	/* xprtrdma_connect_failed() */
		:: !fails -> atomic { cookie++; connected = true }	/* xprtrdma_connected() */
		:: else
		fi;
		atomic { wake_pending(fails) }
		atomic { release_xprt(COOKIE) }	/* xprt_unlock_connect() */
	od
}

/* xprt_autoclose(): xprtrdma_close() */
proctype autoclose() {
	byte t;

end:	do
	:: cleanup_queued ->
		cleanup_queued = false;
		INV(1, !connected);
		cookie++;
		close_wait = false;
		atomic { connected = false; wake_pending(false) }	/* xprt_disconnect_done() */
		atomic { release_xprt(NONE) }
	od
}

init {
	atomic {
		run task(0);
#if TASKS > 1
		run task(1);
#endif
#if TASKS > 2
		run task(2);
#endif
		run connect_work();
		run autoclose()
	}
}

#ifdef LTL
ltl ends { <> (ended == TASKS) }
#endif
