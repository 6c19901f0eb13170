/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ownership of the client's memory regions (MRs), from the pool through a request to the
 * end of the connection.
 *
 * Code: xprtrdma/mr.c xprtrdma/mr_pool.c xprtrdma/req_memory.c
 *
 * Bounds: two requests, of which the first needs two MRs if TWO is defined; one connection,
 * which is lost at any time; RPCS RPCs of the first request, RPCS2 of the second, which
 * is not canceled; beside it, the first has no gathered pages, and finds what it needs. Two
 * MRs, and with POOL a third one, which pool work and trimmer make and free. The registrations of a Call take effect with its Send. The server answers or not,
 * invalidates one MR of the Call or none, and a Reply may come before the completion of the
 * Send. After the loss, work requests are flushed, or the device has failed: then it goes
 * on executing until the QP is gone, and no completion is handled.
 *
 * A section under a spinlock is one step. Device, server and completion handler are between
 * any two steps. Left out: sizes of MRs, promises and waiting (mr_wait.c), retries of
 * version 2, send queue slots.
 *
 * Invariants:
 *   1  xprtrdma/mr.c: "Only then is the memory unmapped and the MR used again."
 *   2  xprtrdma/req_memory.c: "sunrpc gets it back when all of them are done"
 *   3  xprtrdma/mr_pool.c: "It is in the pool or on the list of a request."
 *   4  xprtrdma/mr_pool.c: "It is freed only after a later work request has completed"
 *   5  xprtrdma/mr_pool.c: "When this returns the server can access no memory, and none is
 *      mapped."
 *   6  xprtrdma/req_memory.c: "An MR is only used inside rpcrdma_conn_enter(), because the end
 *      of the connection frees all MRs."
 *   7  xprtrdma/req_memory.c: "No request is exposed or pinned by the transport afterwards."
 *   8  xprtrdma/mr.c: "otherwise the server has violated RFC 8166 4.4.1 (V1-MEM-21)."
 * No deadlock: all processes end, also after the loss. "ends": every task ends.
 *
 * Run: two-rpcs -DTWO -DRPCS=2 -DRPCS2=0
 * Run: two-requests -DRPCS=1 -DRPCS2=1
 * Run: pool -DPOOL -DRPCS=1 -DRPCS2=0
 * Run: ends -DRPCS=1 -DRPCS2=0 -DLTL=ends
 * Bug: BUG_UNMAP_EARLY 1 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_CANCEL_NO_WAIT 2 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_SENDING_IGNORED 2 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_RESET_FIRST 2 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_PUT_KEEPS 3 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_FREE_AT_ONCE 4 -DPOOL -DRPCS=1 -DRPCS2=0
 * Bug: BUG_WORK_GOES_ON 5 -DPOOL -DRPCS=1 -DRPCS2=0
 * Bug: BUG_QP_STAYS 5 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_NO_ENTER 6 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_NO_POSTERS_WAIT 6 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_RESET_PINNED 7 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_ANY_XID 1 -DRPCS=2 -DRPCS2=0
 * Bug: BUG_STAYS_QUEUED 8 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_ANY_CALL_IN_USE 8 -DRPCS=1 -DRPCS2=0
 * Bug: BUG_RELEASED_LOST deadlock -DRPCS=1 -DRPCS2=0
 * Bug: BUG_RELEASED_LOST cycle -DRPCS=1 -DRPCS2=0 -DLTL=ends
 */
#include "model.h"

#define NMR	3
#define NREQ	2
#define NCHAIN	4

/* MRs. onreq, posted_by: number of the request + 1 */
bool exists[NMR], inpool[NMR], mapped[NMR], valid[NMR];
byte onreq[NMR], free_after[NMR];
bool access[NMR];		/* the server can reach the memory */
byte pending[NMR];		/* posted registrations that may take effect */
byte wrs[NMR];			/* posted work requests that the device may still use */
byte covers[NMR];		/* request whose memory it is registered for */

/* WR chains in the order of posting */
bool is_inv[NCHAIN], signaled[NCHAIN], replied[NCHAIN], gathered[NCHAIN];
byte creq[NCHAIN], crpc[NCHAIN], cmask[NCHAIN];
byte posted, executed, finished, handled;
byte completed;			/* sendq.completed */

/* Requests */
bool exposed[NREQ], sending[NREQ], invalidating[NREQ], st_replied[NREQ], canceled[NREQ];
bool posted_on[NREQ], queued[NREQ], pinned[NREQ], released[NREQ], done[NREQ];
byte rpc[NREQ];
bool device_reads[NREQ];	/* the Send names pages of the Call */

/* The connection */
bool closing, killed, failed, flushing, cq_stopped, qp_gone, torn_down;
byte posters;
bool xprt_locked, pool_open = true;
bool work_stop, work_runs, trim_stop, trim_runs;
byte ended;

chan replies = [4] of { byte, byte, byte };	/* request, RPC, invalidated MR + 1 */

#define BIT(m)		(1 << (m))
#define ON(m, r)	(exists[m] && onreq[m] == (r) + 1)
#define DANGER(m, r)	((access[m] || pending[m]) && covers[m] == (r) + 1)
#define MEMORY_SAFE(r)	(!DANGER(0, r) && !DANGER(1, r) && !DANGER(2, r) && !device_reads[r])
#define VALID(r)	((ON(0, r) && valid[0]) || (ON(1, r) && valid[1]) || (ON(2, r) && valid[2]))

inline unmap(m) {		/* ib_dma_unmap_sg() */
	if
	:: mapped[m] ->
		INV(1, !access[m] && !pending[m]);
		mapped[m] = false
	:: else
	fi
}

/* ib_dereg_mr(), then the unmapping */
inline mr_free(m) {		/* xprtrdma_mr_free() */
	access[m] = false;
	pending[m] = 0;
	unmap(m);
	exists[m] = false;
	onreq[m] = 0;
	valid[m] = false
}

inline pool_put(m) {		/* xprtrdma_mr_pool_put() under mr_pool.lock */
	INV(6, exists[m] && !torn_down);
	onreq[m] = 0;
	INV(3, !inpool[m]);
	free_after[m] = posted;
	inpool[m] = true
}

/* ib_post_send() under sendq.post_lock: rpcrdma_sendq_post_locked() */
inline post(r, mask, inv, gather, sig) {
	INV(6, !cq_stopped && !qp_gone);
	is_inv[posted] = inv;
	signaled[posted] = sig;
	gathered[posted] = gather;
	creq[posted] = r;
	crpc[posted] = rpc[r];
	cmask[posted] = mask;
	i = 0;
	do
	:: i < NMR ->
		if
		:: mask & BIT(i) ->
			wrs[i]++;
			if
			:: !inv -> pending[i]++; covers[i] = r + 1
			:: else
			fi
		:: else
		fi;
		i++
	:: else -> break
	od;
	posted++;
	i = 0
}

/*
 * The step (*) of req_memory.c: xprtrdma_req_advance(), after the state has changed in the
 * same critical section. go: 0 nothing, 1 invalidate, 2 finish
 */
inline advance(r) {
	go = 0;
	mask = 0;
	if
	:: exposed[r] && !invalidating[r] && (st_replied[r] || canceled[r]) &&
	   (!sending[r] || BUG_SENDING_IGNORED) && (!killed || BUG_NO_ENTER) ->
		posters++;
		was_reply = st_replied[r];
		i = 0;
		do
		:: i < NMR ->
			if
			:: ON(i, r) -> mask = mask | BIT(i)
			:: else
			fi;
			i++
		:: else -> break
		od;
		if
		:: VALID(r) && !BUG_UNMAP_EARLY ->	/* xprtrdma_mr_list_invalidate() */
			mask = 0;
			i = 0;
			do
			:: i < NMR ->
				if
				:: ON(i, r) && valid[i] -> valid[i] = false; mask = mask | BIT(i)
				:: else
				fi;
				i++
			:: else -> break
			od;
			invalidating[r] = true;
			go = 1
		:: else ->
			exposed[r] = false;
			st_replied[r] = false;
			canceled[r] = false;
			go = 2
		fi;
		i = 0
	:: else
	fi
}

/* What follows outside of req->lock; wake: what the state was */
inline advanced(r) {
	if
	:: go == 1 ->
		atomic { post(r, mask, true, false, true); mask = 0 }
	:: go == 2 ->	/* xprtrdma_req_finish(): xprtrdma_mr_list_put() */
		atomic {
			i = 0;
			do
			:: i < NMR ->
				if
				:: mask & BIT(i) ->
					INV(6, exists[i] && !torn_down);
					valid[i] = false;
					unmap(i)
				:: else
				fi;
				i++
			:: else -> break
			od;
			i = 0
		}
		atomic {	/* xprtrdma_mr_pool_push() */
			i = 0;
			do
			:: i < NMR ->
				if
				:: mask & BIT(i) ->
					pool_put(i);
					onreq[i] = (BUG_PUT_KEEPS -> r + 1 : 0);
					INV(3, !(inpool[i] && onreq[i]))
				:: else
				fi;
				i++
			:: else -> break
			od;
			i = 0;
			mask = 0
		}
		atomic {
			if
			:: was_reply -> reply_complete(r)
			:: else -> released[r] = true
			fi
		}
	:: else
	fi;
	atomic {
		if
		:: go -> posters--	/* rpcrdma_conn_leave() */
		:: else
		fi;
		go = 0
	}
	was_reply = false
}

inline reply_complete(r) {	/* xprtrdma_reply_complete() under queue_lock */
	INV(2, MEMORY_SAFE(r));
	done[r] = true;
	queued[r] = false;
	pinned[r] = false
}

proctype task(byte r; byte rpcs) {
	byte i, go, mask, want;
	bool was_reply, gather;

	do
	:: rpcs == 0 -> break
	:: rpcs > 0 ->
		rpcs--;
		atomic { !xprt_locked -> xprt_locked = true }
		/* xprtrdma_send_request(): rpcrdma_conn_enter() */
		if
		:: atomic { killed -> xprt_locked = false; rpcs = 0 }
			goto next
		:: atomic { !killed -> posters++ }
		fi;
		queued[r] = true;
#ifdef TWO
		want = 2 - r;
#else
		want = 1;
#endif
		do
		:: want == 0 -> break
		:: want > 0 ->
			atomic {	/* xprtrdma_mr_get(), xprtrdma_mr_map() */
				if
				:: inpool[2] -> i = 2
				:: !inpool[2] && inpool[1] -> i = 1
				:: !inpool[2] && !inpool[1] && inpool[0] -> i = 0
				:: else -> goto undo
				fi;
				INV(3, !onreq[i]);
				INV(1, !mapped[i] && !valid[i] && !access[i]);
				inpool[i] = false;
				onreq[i] = r + 1;
				mapped[i] = true;
				want--;
				i = 0
			}
		od;
		if
		:: skip
		:: !RPCS2 -> goto undo	/* a mapping, Send context or slot is missing */
		fi;
		atomic {	/* xprtrdma_mr_list_chain(), xprtrdma_req_expose() */
			i = 0;
			do
			:: i < NMR ->
				if
				:: ON(i, r) -> valid[i] = true; mask = mask | BIT(i)
				:: else
				fi;
				i++
			:: else -> break
			od;
			if
			:: !RPCS2 -> gather = true
			:: gather = false
			fi;
			INV(7, !exposed[r]);
			exposed[r] = true;
			sending[r] = gather;
			released[r] = false
		}
		atomic {	/* rpcrdma_send_post() */
			posted_on[r] = true;
			device_reads[r] = gather;
			if
			:: gather -> post(r, mask, false, true, true)
			:: !gather && !RPCS2 -> post(r, mask, false, false, false)
			:: !gather -> post(r, mask, false, false, true)
			fi;
			mask = 0;
			gather = false
		}
		atomic { posters--; xprt_locked = false }

		/* xprtrdma_wait_for_reply(): the Reply, the loss, or a signal */
		if
		:: done[r]
		:: torn_down
		:: !r -> skip
		fi;
		/* xprt_release(): xprt_request_dequeue_xprt() */
		atomic { !pinned[r] -> queued[r] = queued[r] && BUG_STAYS_QUEUED }
		posted_on[r] = posted_on[r] && BUG_STAYS_QUEUED;	/* xprtrdma_credits_abandon() */
		atomic {	/* xprtrdma_buf_free() */
			was_reply = false;
			if
			:: exposed[r] -> canceled[r] = true; want = 1
			:: else -> want = 0
			fi;
			advance(r)
		}
		advanced(r);
		if
		:: want ->
			want = 0;
#if !BUG_CANCEL_NO_WAIT
			/* after 30 s the connection closes, which is always possible here */
			released[r]
#endif
		:: else
		fi;
		atomic {
			INV(2, MEMORY_SAFE(r));
			done[r] = false;
			rpc[r]++
		}
		goto next;
undo:
		atomic {	/* xprtrdma_mr_list_undo() */
			want = 0;
			i = 0;
			do
			:: i < NMR ->
				if
				:: ON(i, r) -> unmap(i); pool_put(i)
				:: else
				fi;
				i++
			:: else -> break
			od;
			i = 0
		}
		atomic { posters--; xprt_locked = false; queued[r] = false; rpc[r]++ }
next:
		skip
	od;
	ended++
}

/* The device, and the server behind it */
proctype device() {
	byte i, c;

end:	do
	:: atomic { executed < posted && !flushing && !qp_gone ->
		i = 0;
		do
		:: i < NMR ->
			if
			:: (cmask[executed] & BIT(i)) && is_inv[executed] -> access[i] = false
			:: (cmask[executed] & BIT(i)) && !is_inv[executed] ->
				access[i] = true; pending[i]--
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0;
		executed++ }
	/* A work request is finished after it took effect, or is flushed */
	:: atomic { finished < posted && (finished < executed || flushing) && !qp_gone ->
		i = 0;
		do
		:: i < NMR ->
			if
			:: cmask[finished] & BIT(i) ->
				wrs[i]--;
				if
				:: finished >= executed && !is_inv[finished] -> pending[i]--
				:: else
				fi
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0;
		if
		:: gathered[finished] -> device_reads[creq[finished]] = false
		:: else
		fi;
		finished++ }
	/* The server answers a Call, maybe with Send With Invalidate */
	:: atomic { !flushing && !qp_gone && nfull(replies) ->
		c = 0;
		do
		:: c < executed && (is_inv[c] || replied[c]) -> c++
		:: c < executed && !is_inv[c] && !replied[c] -> break
		:: c < executed && !is_inv[c] && !replied[c] -> c++
		:: c >= executed -> break
		od;
		if
		:: c < executed ->
			replied[c] = true;
			if
			:: replies!creq[c], crpc[c], 0
			:: (cmask[c] & 1) && access[0] && covers[0] == creq[c] + 1 ->
				access[0] = false; replies!creq[c], crpc[c], 1
			:: (cmask[c] & 2) && access[1] && covers[1] == creq[c] + 1 ->
				access[1] = false; replies!creq[c], crpc[c], 2
			:: (cmask[c] & 4) && access[2] && covers[2] == creq[c] + 1 ->
				access[2] = false; replies!creq[c], crpc[c], 3
			fi
		:: else
		fi;
		c = 0 }
	:: torn_down -> break
	od
}

bool handler_runs;

/* The work item of the CQ: rpcrdma_cq_work() */
proctype handler() {
	byte i, go, mask, r, id, m;
	bool was_reply, ok;

	do
	:: atomic { handled < finished && !cq_stopped ->
		handler_runs = true;
		r = creq[handled];
		ok = handled < executed && signaled[handled] }
		if
		:: ok && is_inv[handled] ->	/* xprtrdma_mr_inv_done() */
			atomic {
				completed = handled + 1;
				INV(6, !torn_down);
				if
				:: exposed[r] -> invalidating[r] = false; advance(r)
				:: else
				fi
			}
			advanced(r)
		:: ok && !is_inv[handled] ->	/* rpcrdma_send_done() */
			atomic {
				completed = handled + 1;
				INV(6, !torn_down);
				if
				:: gathered[handled] && exposed[r] && crpc[handled] == rpc[r] ->
					sending[r] = false; advance(r)
				:: else
				fi
			}
			advanced(r)
		:: !ok ->	/* rpcrdma_conn_wc_failed(), or no completion */
			skip
		fi;
		atomic { handled++; r = 0; ok = false; handler_runs = false }
	:: atomic { nempty(replies) && !cq_stopped -> replies?r, id, m; handler_runs = true }
		atomic {	/* xprtrdma_reply_find() */
			ok = queued[r] && posted_on[r] && (rpc[r] == id || BUG_ANY_XID);
			if
			:: ok -> posted_on[r] = false; pinned[r] = true
			:: else
			fi
		}
		if
		:: ok && m ->
			atomic {	/* xprtrdma_mr_invalidated() */
				INV(6, exists[m - 1]);
				INV(8, exposed[r] && ON(m - 1, r) && valid[m - 1]);
				valid[m - 1] = false
			}
		:: !ok && m ->
			/*
			 * xprtrdma_mr_bad_invalidation(): a canceled request is taken out of the queue
			 * before xprtrdma_buf_free() clears mr->valid. Each RPC
			 * registers its MRs under new handles.
			 */
			if
			:: exists[m - 1] && valid[m - 1] && covers[m - 1] == r + 1 && rpc[r] == id ->
				INV(8, !BUG_ANY_CALL_IN_USE);	/* or the connection closes */
				if
				:: exposed[r] && ON(m - 1, r) -> valid[m - 1] = false
				:: else
				fi
			:: else
			fi
		:: else
		fi;
		if
		:: ok ->
			atomic {	/* xprtrdma_req_replied() */
				if
				:: exposed[r] -> st_replied[r] = true; advance(r)
				:: else -> reply_complete(r)
				fi
			}
			advanced(r)
		:: else
		fi;
		atomic { r = 0; id = 0; m = 0; ok = false; handler_runs = false }
	:: cq_stopped -> break
	od
}

/* xprtrdma_mr_pool_work() */
proctype pool_work() {
	do
	:: atomic { !work_stop && pool_open && !exists[2] -> work_runs = true }
		exists[2] = true;	/* xprtrdma_mr_alloc() */
		atomic {	/* xprtrdma_mr_pool_grow() under the lock */
			INV(5, !torn_down);
			inpool[2] = true;
			free_after[2] = posted;
			work_runs = false
		}
	:: work_stop || torn_down -> break
	od
}

/* xprtrdma_mr_pool_trim() */
proctype trimmer() {
	do
	:: atomic { !trim_stop && inpool[2] && (inpool[0] || inpool[1]) ->
		trim_runs = true;
		if
#if BUG_FREE_AT_ONCE
		:: true -> inpool[2] = false
#else
		:: completed >= free_after[2] -> inpool[2] = false
#endif
		:: else -> trim_runs = false
		fi }
		if
		:: trim_runs ->
			atomic {
				INV(4, !wrs[2]);
				mr_free(2);
				trim_runs = false
			}
		:: else
		fi
	:: trim_stop -> break
	od
}

inline reset_all() {		/* xprtrdma_req_reset_all() */
	atomic {
		r = 0;
		do
		:: r < NREQ ->
			posted_on[r] = false;
			if
			:: canceled[r] && !BUG_RELEASED_LOST -> released[r] = true
			:: else
			fi;
			exposed[r] = false;
			sending[r] = false;
			invalidating[r] = false;
			st_replied[r] = false;
			canceled[r] = false;
			pinned[r] = pinned[r] && BUG_RESET_PINNED;
			r++
		:: else -> break
		od;
		r = 0
	}
}

/* The connection is lost at any time: rpcrdma_conn_close(), then xprtrdma_teardown() */
proctype teardown() {
	byte m, r;

	closing = true;
	killed = true;			/* rpcrdma_conn_close_work() */
	trim_stop = true;		/* rpcrdma_trimmer_stop() */
	!trim_runs;
#if !BUG_NO_POSTERS_WAIT
	posters == 0;			/* rpcrdma_conn_drain() */
#endif
	if
	:: flushing = true;		/* ib_drain_qp() */
		handled == posted && empty(replies) && !handler_runs
	:: failed = true
	fi;
	cq_stopped = true;		/* rpcrdma_cq_stop() */
	!handler_runs;
#if !BUG_QP_STAYS
	atomic {			/* rpcrdma_conn_destroy_qp() */
		qp_gone = true;
		m = 0;
		do
		:: m < NMR -> pending[m] = 0; wrs[m] = 0; m++
		:: else -> break
		od;
		m = 0;
		device_reads[0] = false;
		device_reads[1] = false
	}
#endif
#if BUG_RESET_FIRST
	reset_all();
#endif
	pool_open = false;		/* xprtrdma_mr_pool_close() */
#if !BUG_WORK_GOES_ON
	work_stop = true;		/* cancel_delayed_work_sync() */
	!work_runs;
#endif
	do				/* xprtrdma_mr_pool_destroy() */
	:: m < NMR ->
		atomic {
			if
			:: exists[m] ->
				access[m] = false;
				mapped[m] = false;
				exists[m] = false;
				inpool[m] = false;
				valid[m] = false;
				onreq[m] = 0
			:: else
			fi;
			m++
		}
	:: else -> break
	od;
	atomic {
		m = 0;
		do
		:: m < NMR -> INV(5, !exists[m] && !access[m] && !mapped[m] && !pending[m]); m++
		:: else -> break
		od;
		m = 0
	}
#if !BUG_RESET_FIRST
	reset_all();
#endif
	atomic {
		INV(7, !exposed[0] && !exposed[1] && !pinned[0] && !pinned[1]);
		torn_down = true
	}
}

init {
	atomic {
		exists[0] = true; inpool[0] = true;
		exists[1] = true; inpool[1] = true;
		run task(0, RPCS);
		run task(1, RPCS2);
		run device();
		run handler();
#ifdef POOL
		run pool_work();
		run trimmer();
#endif
		run teardown()
	}
}

#ifdef LTL
ltl ends { <> (ended == NREQ) }
#endif
