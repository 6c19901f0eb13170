/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life and the end of a client's connections: connecting, the loss at any time, the
 * teardown under teardown_lock and under XPRT_LOCKED, ops->destroy, unloading the module.
 *
 * Code: xprtrdma/attempt.c xprtrdma/connect.c xprtrdma/ops.c xprtrdma/wait.c rpcrdma/connection/conn.c
 * Code: rpcrdma/connection/conn_state.c
 *
 * Bounds: CONNS connections, after which the server is away; TASKS tasks with one Call
 * each, of which the first may be killed while its Call is exposed, also with XPRT_LOCKED
 * held. A connection closes at any time (CM event, QP event, keepalive, time-out). The drain
 * ends with all completions, or the device has failed, and they never come. A Reply may
 * be in the receive path at any step. When the tasks have ended, sunrpc destroys the
 * transport, and the module is unloaded.
 *
 * A section under a spinlock is one step; teardown_lock, XPRT_LOCKED, posters and work
 * items are modelled. sunrpc's part is as in net/sunrpc/xprt.c: XPRT_LOCKED with its owner,
 * XPRT_CLOSE_WAIT, xprt_autoclose(), the cookie, pins. Left out: credits, single MRs
 * (mr_ownership.pml), negotiation, deferred destroy, trimmer, delays.
 *
 * Invariants:
 *   1  rpcrdma/connection/conn.c: "drained connection; its owner has freed all that uses it"
 *   2  rpcrdma/connection/conn_state.c: "connection that the caller keeps from being destroyed"
 *   3  rpcrdma/connection/conn.c: "nothing is posted behind the drain markers"
 *   4  xprtrdma/connect.c: "after this there is no completion, no Reply being processed, and no
 *      code that posts."
 *   5  xprtrdma/connect.c: "r_xprt->conn changes only under XPRT_LOCKED, the send lock of
 *      sunrpc."
 *   6  xprtrdma/connect.c: "Only now may sunrpc have their memory back."
 *   7  xprtrdma/ops.c: "The lost work is the last, because the others queue it."
 *   8  xprtrdma/req_memory.c: "ops->prepare_request warns if an exposed request was encoded all
 *      the same."
 *   9  xprtrdma/connect.c: "If the lost work has run before, the state is CLOSING by then, and
 *      the work is queued again."
 * No deadlock: tasks and destruction end. "ends": so they do under weak fairness.
 *
 * Run: one-task -DTASKS=1 -DCONNS=2
 * Run: two-tasks -DTASKS=2 -DCONNS=1
 * Run: ends -DTASKS=1 -DCONNS=1 -DLTL=ends
 * Bug: BUG_NO_DRAIN_WAIT 1 -DTASKS=1 -DCONNS=1
 * Bug: BUG_NO_HANDLER_WAIT 2 -DTASKS=1 -DCONNS=1
 * Bug: BUG_NO_ENTER 3 -DTASKS=1 -DCONNS=1
 * Bug: BUG_CQ_NOT_STOPPED 4 -DTASKS=1 -DCONNS=1
 * Bug: BUG_LOST_DESTROYS 5 -DTASKS=1 -DCONNS=1
 * Bug: BUG_RESET_FIRST 6 -DTASKS=1 -DCONNS=1
 * Bug: BUG_CANCEL_FIRST 7 -DTASKS=1 -DCONNS=1
 * Bug: BUG_SLEEP_PENDING 8 -DTASKS=1 -DCONNS=2
 * Bug: BUG_LOST_WAITS_LOCK deadlock -DTASKS=1 -DCONNS=1
 * Bug: BUG_LIVE_NOT_CHECKED 9 -DTASKS=1 -DCONNS=1
 * Bug: BUG_LOST_WAITS_LOCK cycle -DTASKS=1 -DCONNS=1 -DLTL=ends
 */
#include "model.h"

/* Owners of XPRT_LOCKED besides tasks */
#define COOKIE		100
#define LOST_WORK	101
#define NONE		255

mtype = { NEW, CONNECTING, ESTABLISHED, CLOSING, CLOSED };

/* The connection that exists, if one does */
bool exists;
mtype state = CLOSED;
bool offered, drained, qp, cm_id, in_handler;
bool close_queued, close_runs;
byte conns;

/* The endpoint: rpcrdma_endpoint.posters */
bool killed = true;
byte posters;

/* The transport */
bool conn, live;
byte live_of;
bool teardown_lock;
bool lost_queued, lost_runs, connect_queued, connect_runs;
bool freed;
bool device_access;		/* the server or the device can reach memory of a Call */

/* sunrpc */
bool locked, close_wait, connected, cleanup_queued, connecting;
byte snd_task = NONE, cookie;
bool exposed[TASKS], posted_on[TASKS], pinned[TASKS], canceled[TASKS], released[TASKS];
bool replied[TASKS], done[TASKS], woken[TASKS], gave_up[TASKS];
bool on_pending[TASKS], on_exposed[TASKS], queued[TASKS];
byte sent_cookie[TASKS];
bool handler_runs, cq_stopped;
byte ended;
bool unloaded;

inline conn_close() {		/* rpcrdma_conn_close() under state_lock */
	INV(2, exists);
	if
	:: state != CLOSING && state != CLOSED -> state = CLOSING; close_queued = true
	:: else
	fi
}

inline queue_lost() {
	INV(7, !freed);
	lost_queued = true
}

inline force_disconnect() {	/* xprt_force_disconnect() */
	if
	:: !close_wait ->
		close_wait = true;
		if
		:: !locked -> locked = true; cleanup_queued = true
		:: else
		fi
	:: else
	fi
}

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

inline wake_pending() {		/* xprt_wake_pending_tasks() */
	t = 0;
	do
	:: t < TASKS ->
		if
		:: on_pending[t] -> on_pending[t] = false; woken[t] = true
		:: else
		fi;
		t++
	:: else -> break
	od;
	t = 0
}

inline reset_all() {		/* xprtrdma_req_reset_all() */
	atomic {
		t = 0;
		do
		:: t < TASKS ->
			posted_on[t] = false;
			if
			:: exposed[t] -> INV(6, !device_access)
			:: else
			fi;
			exposed[t] = false;
			replied[t] = false;
			if
			:: canceled[t] -> canceled[t] = false; released[t] = true
			:: else
			fi;
			pinned[t] = false;
			t++
		:: else -> break
		od;
		t = 0
	}
}

/* xprtrdma_teardown() under teardown_lock, with rpcrdma_conn_drain() */
inline teardown() {
	if
	:: state == CLOSED
	:: else ->
		live = false;
		atomic { conn_close() }
		!close_queued && !close_runs;	/* flush_work() */
		if
		:: BUG_NO_DRAIN_WAIT
		:: else ->
			posters == 0;
			if
			:: !handler_runs	/* ib_drain_qp() */
			:: skip			/* the device has failed */
			fi
		fi;
		if
		:: !BUG_CQ_NOT_STOPPED -> cq_stopped = true; !handler_runs
		:: else
		fi;
		atomic { drained = true; state = CLOSED }
		qp = false;			/* rpcrdma_conn_destroy_qp() */
		if
		:: BUG_RESET_FIRST -> reset_all()
		:: else
		fi;
		device_access = false;		/* xprtrdma_mr_pool_destroy() */
		reset_all()
	fi
}

inline lock_teardown() { atomic { !teardown_lock -> teardown_lock = true } }

/* rpcrdma_conn_destroy(); rdma_destroy_id() waits for the CM handler */
inline conn_destroy() {
	atomic {
		INV(1, drained && !device_access && posters == 0 && !close_runs && !close_queued);
		cm_id = false
	}
	if
	:: !BUG_NO_HANDLER_WAIT -> !in_handler
	:: else
	fi;
	exists = false
}

/* r_xprt->conn changes; by: who holds XPRT_LOCKED */
inline set_conn(value, by) {
	INV(5, locked && snd_task == by);
	conn = value
}

/* xprtrdma_disconnect() */
inline disconnect(by) {
	if
	:: !conn
	:: else ->
		lock_teardown();
		teardown();
		teardown_lock = false;
		atomic {	/* exposed_waitq */
			t = 0;
			do
			:: t < TASKS ->
				if
				:: on_exposed[t] -> on_exposed[t] = false; woken[t] = true
				:: else
				fi;
				t++
			:: else -> break
			od;
			t = 0
		}
		atomic { set_conn(false, by) }
		conn_destroy()
	fi
}

proctype task(byte me) {
	bool sent;

again:
	atomic {	/* call_encode(): xprtrdma_prepare_request() */
		INV(8, !exposed[me]);
		sent = false;
		woken[me] = false
	}
	if
	:: gave_up[me] -> goto release
	:: else
	fi;
	atomic { !locked -> locked = true; snd_task = me }
	if
	:: !connected && !close_wait ->	/* xprt_connect(): xprtrdma_connect() */
		atomic {
			on_pending[me] = true;
			connecting = true;
			snd_task = COOKIE;	/* xprt_lock_connect() */
			connect_queued = true
		}
		woken[me];
		goto again
	:: else
	fi;
	/* xprt_request_transmit(), xprtrdma_send_request(): it looks connected */
	if
	:: connected && !close_wait && conn -> sent = true
	:: else -> goto send_failed
	fi;
	sent = false;
	if
	:: atomic { !killed || BUG_NO_ENTER -> posters++ }
		atomic {	/* rpcrdma_conn_enter(), rpcrdma_send_post() */
			INV(3, !drained && qp);
			INV(8, !exposed[me]);
			queued[me] = true;
			sent = true;
			exposed[me] = true;
			device_access = true;
			posted_on[me] = true;
			released[me] = false;
			sent_cookie[me] = cookie
		}
		posters--	/* rpcrdma_conn_leave() */
	:: else -> atomic { force_disconnect(); queue_lost() }	/* xprtrdma_force_disconnect() */
	fi;
send_failed:
	if
	:: sent && me == 0 -> goto release	/* killed, with XPRT_LOCKED held */
	:: true
	fi;
	atomic { release_xprt(me) }	/* xprt_end_transmit() */
	if
	:: !sent -> goto again
	:: else
	fi;
	/* xprtrdma_wait_busy(), which releases queue_lock */
	if
	:: atomic { posted_on[me] && !done[me] && !killed -> posters++ }
		INV(3, !drained && qp);
		posters--
	:: true
	fi;
	/* xprt_request_wait_receive(): xprtrdma_wait_for_reply() */
	atomic {
		if
		:: done[me]
		:: !done[me] && exposed[me] && !BUG_SLEEP_PENDING -> on_exposed[me] = true
		:: else -> on_pending[me] = true
		fi;
		if
		:: on_pending[me] && (sent_cookie[me] != cookie || !connected) ->
			on_pending[me] = false;
			woken[me] = true
		:: else
		fi
	}
	if
	:: done[me]
	:: woken[me]
	:: me == 0 && !done[me]		/* killed */
		on_pending[me] = false;
		on_exposed[me] = false;
		goto release
	/* xprtrdma_wait_look() after a time-out: is the connection drained? */
	:: !posted_on[me] && !pinned[me]
	fi;
	atomic {
		on_pending[me] = false;
		on_exposed[me] = false
	}
	if
	:: done[me]
	:: else ->
		atomic { !pinned[me] -> queued[me] = false }	/* until it is sent again */
		if
		:: done[me]
		:: else -> goto again
		fi
	fi;
release:
	atomic { !pinned[me] -> queued[me] = false }	/* xprt_request_dequeue_xprt() */
	atomic { release_xprt(me); posted_on[me] = false }
	atomic {	/* xprtrdma_buf_free() */
		if
		:: exposed[me] -> canceled[me] = true
		:: else -> released[me] = true
		fi
	}
	/* The invalidation, or the teardown. After 30 s xprtrdma_req_close() */
	released[me];
	atomic {
		INV(6, !exposed[me]);
		ended++
	}
}

/* Replies and invalidations: rpcrdma_cq_work() */
proctype handler() {
	byte t;
	bool entered;

end:	do
	:: atomic { exists && qp && !cq_stopped && state == ESTABLISHED && posted_on[0] ->
		t = 0; handler_runs = true }
		goto reply
#if TASKS > 1
	:: atomic { exists && qp && !cq_stopped && state == ESTABLISHED && posted_on[1] ->
		t = 1; handler_runs = true }
		goto reply
#endif
	/* An invalidation that was posted by xprtrdma_buf_free() has completed */
	:: atomic { exists && qp && !cq_stopped && !killed && canceled[0] ->
		canceled[0] = false; exposed[0] = false; device_access = false
#if TASKS > 1
		device_access = exposed[1];
#endif
		released[0] = true }
	:: freed -> break
	od;
	goto over;
reply:
	atomic {	/* xprtrdma_reply_find() */
		INV(4, !drained);
		if
		:: queued[t] && posted_on[t] -> posted_on[t] = false; pinned[t] = true
		:: else -> t = NONE
		fi
	}
	if
	:: t != NONE ->
		atomic {	/* xprtrdma_req_replied(): if not entered, the teardown goes on */
			INV(4, !drained);
			if
			:: !killed -> posters++; entered = true
			:: else -> replied[t] = true
			fi
		}
		if
		:: entered ->
			atomic {	/* invalidated: xprtrdma_reply_complete() */
				INV(4, !drained);
				exposed[t] = false;
				device_access = exposed[0];
#if TASKS > 1
				device_access = device_access || exposed[1];
#endif
				done[t] = true;
				queued[t] = false;
				pinned[t] = false;
				on_pending[t] = false;
				on_exposed[t] = false;
				posters--
			}
		:: else
		fi
	:: else
	fi;
	atomic { entered = false; t = 0; handler_runs = false }
	goto end;
over:	skip
}

/* Events that close the connection: rpcrdma_cm_event() */
proctype cm() {
end:	do
	:: atomic { cm_id && (state == CONNECTING || state == ESTABLISHED) -> in_handler = true }
		atomic {
			if
			:: state == CONNECTING -> state = ESTABLISHED	/* rpcrdma_conn_move() */
			:: true -> conn_close()
			fi;
			in_handler = false
		}
	:: freed -> break
	od
}

/* rpcrdma_conn_close_work() */
proctype close_work() {
end:	do
	:: atomic { close_queued -> close_queued = false; close_runs = true }
		atomic { INV(2, exists); killed = true }
		if	/* rdma_disconnect(), then ops->lost: xprtrdma_lost() */
		:: offered -> atomic { INV(2, exists); queue_lost() }
		:: else
		fi;
		atomic { INV(2, exists); close_runs = false }
	:: unloaded -> break
	od
}

/* xprtrdma_lost_work() */
proctype lost_work() {
	byte t;

end:	do
	:: atomic { lost_queued -> lost_queued = false; lost_runs = true }
		INV(7, !freed);
		lock_teardown();
		if
		:: live && (state == CLOSING || state == CLOSED || close_wait) ->
			atomic { force_disconnect() }
			if
			:: BUG_LOST_WAITS_LOCK
			:: BUG_LOST_DESTROYS -> atomic { set_conn(false, LOST_WORK) }
			:: else -> teardown()
			fi
		:: else
		fi;
		atomic { INV(7, !freed); teardown_lock = false; lost_runs = false }
	:: unloaded -> break
	od
}

/* xprtrdma_connect_work() */
proctype connect_work() {
	byte t;
	bool lost;

end:	do
	:: atomic { connect_queued -> connect_queued = false; connect_runs = true }
		disconnect(COOKIE);
		if
		:: conns == CONNS ->	/* the server is away */
			atomic {
				t = 0;
				do
				:: t < TASKS -> gave_up[t] = true; t++
				:: else -> break
				od;
				t = 0
			}
		:: else ->
			atomic {	/* rpcrdma_conn_alloc(), rpcrdma_conn_setup() */
				INV(1, !exists && posters == 0);
				conns++;
				exists = true;
				killed = false;
				state = NEW;
				offered = false;
				drained = false;
				qp = true;
				cm_id = true;
				cq_stopped = false;
				set_conn(true, COOKIE)
			}
			atomic {	/* rpcrdma_conn_offer() */
				offered = true;
				if
				:: state == NEW -> state = CONNECTING
				:: else
				fi
			}
			state != CONNECTING;	/* rpcrdma_conn_wait() */
			if
			:: state == ESTABLISHED ->	/* xprtrdma_connected() */
				atomic { cookie++; connected = true }
				lock_teardown();
				atomic {
					live = true;
					lost = (state == CLOSING) && !BUG_LIVE_NOT_CHECKED;
					teardown_lock = false
				}
				if
				:: lost -> atomic { queue_lost() }
				:: else
				fi;
				INV(9, state != CLOSING || close_queued || close_runs || lost_queued || lost_runs || close_wait)
			:: else -> disconnect(COOKIE)
			fi
		fi;
		atomic {	/* xprt_wake_pending_tasks(), xprt_unlock_connect() */
			connecting = false;
			lost = false;
			wake_pending();
			release_xprt(COOKIE);
			connect_runs = false
		}
	:: unloaded -> break
	od
}

/* xprt_autoclose(): xprtrdma_close() */
proctype autoclose() {
	byte t;

end:	do
	:: cleanup_queued ->
		cleanup_queued = false;
		cookie++;
		close_wait = false;
		disconnect(NONE);
		atomic { connected = false; wake_pending() }	/* xprt_disconnect_done() */
		atomic { release_xprt(NONE) }
	:: unloaded -> break
	od
}

/* xprt_destroy(), xprtrdma_destroy(), xprtrdma_exit() */
proctype destroy() {
	byte t;

	ended == TASKS;
	atomic { !locked -> locked = true }
	!connect_queued && !connect_runs;
	if
	:: BUG_CANCEL_FIRST -> lost_queued = false; !lost_runs
	:: else
	fi;
	disconnect(NONE);
	if
	:: !BUG_CANCEL_FIRST -> lost_queued = false; !lost_runs
	:: else
	fi;
	atomic {
		freed = true;
		INV(7, !lost_queued && !lost_runs && !connect_queued && !exists)
	}
	unloaded = true
}

init {
	atomic {
		run task(0);
#if TASKS > 1
		run task(1);
#endif
		run handler();
		run cm();
		run close_work();
		run lost_work();
		run connect_work();
		run autoclose();
		run destroy()
	}
}

#ifdef LTL
ltl ends { <> unloaded }
#endif
