/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Credits: the client's window with Calls that were given up, pings, and the grant of the
 * server, which grows and shrinks.
 *
 * Code: xprtrdma/credits.c svcrdma/credit.c
 *
 * Bounds: NREQ requests with RPCS RPCs each; grants of 1 to MOST. Each RPC may be given up
 * from its post on. The server answers in any order; with HANG it may never answer. With
 * PING there is a ping. Messages of one direction arrive in order, and late. When the
 * connection closes, the model ends.
 *
 * A section under xprt->transport_lock or queue_lock is one step. sunrpc's part is modelled
 * as in net/sunrpc/xprt.c: XPRT_LOCKED, XPRT_CWND_WAIT, the queue "sending". Left out:
 * reverse requests, retries of version 2, Replies that are dropped.
 *
 * Invariants:
 *   1  xprtrdma/credits.c: "sunrpc adds RPC_CWNDSCALE to xprt->cong for each Call on the wire,
 *      and sends no more when xprt->cong has reached xprt->cwnd."
 *   2  svcrdma/credit.c: "So a client is held to the most that it can be granted"
 *   3  xprtrdma/credits.c: "Each takes one credit until its Reply arrives."
 *   4  xprtrdma/credits.c: "The ping counts as an abandoned Call, and never takes the last
 *      credit."
 *   5  rpcrdma/protocol/credit.c: "A window and a grant are never 0, whatever the peer says."
 *   6  xprtrdma/credits.c: "sunrpc lets a Call that waits for a credit go on only when it
 *      releases an RPC. All that are under way may hang."
 * No deadlock: each RPC ends, or the connection closes. "ends": that happens in the end.
 *
 * Run: grants -DNREQ=3 -DRPCS=1 -DMOST=2
 * Run: again -DNREQ=2 -DRPCS=2 -DMOST=2
 * Run: hang -DNREQ=3 -DRPCS=1 -DMOST=2 -DHANG
 * Run: ping -DNREQ=2 -DRPCS=1 -DMOST=3 -DPING
 * Run: ends -DNREQ=2 -DRPCS=1 -DMOST=2 -DHANG -DLTL=ends
 * Bug: BUG_FORGET_ABANDONED 1 -DNREQ=3 -DRPCS=1 -DMOST=2
 * Bug: BUG_FORGET_ABANDONED 2 -DNREQ=3 -DRPCS=1 -DMOST=2
 * Bug: BUG_PUT_LATE 2 -DNREQ=3 -DRPCS=1 -DMOST=2
 * Bug: BUG_LAST_GRANT 2 -DNREQ=3 -DRPCS=1 -DMOST=2
 * Bug: BUG_ABANDON_ANSWERED 3 -DNREQ=2 -DRPCS=1 -DMOST=2
 * Bug: BUG_NO_RECLAIM 3 -DNREQ=2 -DRPCS=1 -DMOST=2
 * Bug: BUG_PING_LAST 4 -DNREQ=2 -DRPCS=1 -DMOST=3 -DPING
 * Bug: BUG_GRANT_ZERO 5 -DNREQ=2 -DRPCS=1 -DMOST=2
 * Bug: BUG_NO_WAKE 6 -DNREQ=3 -DRPCS=1 -DMOST=2
 * Bug: BUG_NO_CLOSE deadlock -DNREQ=3 -DRPCS=1 -DMOST=2 -DHANG
 * Bug: BUG_NO_CLOSE cycle -DNREQ=2 -DRPCS=1 -DMOST=2 -DHANG -DLTL=ends
 */
#include "model.h"

#define PING_ID	NREQ		/* the ping, as the sender of a Call */
#define NOBODY	255

/* sunrpc */
bool locked, cwnd_wait;
byte snd_task = NOBODY;
byte cong, cwnd = 1;
bool rq_cong[NREQ], sleeping[NREQ];

/* The transport */
byte window = 1, abandoned;
bool posted_on[NREQ], queued[NREQ], pinned[NREQ], answered[NREQ];
byte rpc[NREQ];
bool ping_waits;
bool closed;
byte ended;

/* Calls on the wire: posted, and the Reply is not received */
byte on_wire;

/* The server */
byte unanswered, limit = MOST;
bool server_has[NREQ + 1];
byte server_rpc[NREQ + 1];

chan calls = [NREQ + 2] of { byte, byte };		/* sender, RPC */
chan replies = [NREQ + 2] of { byte, byte, byte };	/* sender, RPC, grant */

#define AVAILABLE	(window > abandoned -> window - abandoned : 0)
#define CONGESTED	(cong >= cwnd)

inline apply(may_close) {	/* xprtrdma_credits_apply() under transport_lock */
	if
	:: !AVAILABLE && may_close && abandoned > ping_waits && !BUG_NO_CLOSE -> closed = true
	:: else
	fi;
	cwnd = AVAILABLE
}

/* __xprt_lock_write_next_cong(): XPRT_LOCKED is free */
inline lock_write_next() {
	if
	:: !locked && !cwnd_wait ->
		if
		:: sleeping[0] -> locked = true; snd_task = 0; sleeping[0] = false
		:: sleeping[1] -> locked = true; snd_task = 1; sleeping[1] = false
#if NREQ > 2
		:: sleeping[2] -> locked = true; snd_task = 2; sleeping[2] = false
#endif
		:: else
		fi
	:: else
	fi
}

inline release_xprt(t) {	/* xprt_release_xprt_cong() */
	if
	:: locked && snd_task == t ->
		locked = false;
		snd_task = NOBODY;
		lock_write_next()
	:: else
	fi
}

/* xprtrdma_credits_wake(), called without transport_lock */
inline wake() {
	atomic {
		if
		:: !BUG_NO_WAKE && cwnd_wait && !CONGESTED ->
			cwnd_wait = false;
			lock_write_next()
		:: else
		fi
	}
}

proctype task(byte r) {
	byte rpcs = RPCS;

	do
	:: rpcs == 0 || closed -> break
	:: else ->
		queued[r] = true;
		/* xprtrdma_reserve_xprt(), xprt_prepare_transmit() */
again:
		atomic {
			if
			:: closed -> goto out
			:: locked && snd_task == r
			:: !closed && !locked && !cwnd_wait -> locked = true; snd_task = r
			:: else -> sleeping[r] = true
			fi
		}
		atomic { (!sleeping[r] && locked && snd_task == r) || closed ->
			if
			:: closed -> goto out
			:: else
			fi
		}
		/* xprtrdma_send_request(): xprt_request_get_cong() */
		atomic {
			if
			:: rq_cong[r]
			:: !rq_cong[r] && !CONGESTED ->
				INV(1, on_wire + 1 <= window);
				rq_cong[r] = true;
				cong++
			:: else -> cwnd_wait = true
			fi
		}
		if
		:: rq_cong[r]
		:: else ->
			atomic { release_xprt(r) }	/* -EBADSLT: xprt_end_transmit() */
			goto again
		fi;
		atomic {	/* rpcrdma_send_post() */
			posted_on[r] = true;
			on_wire++;
			/* What is on the wire counts: in cong, as abandoned, or it is answered */
			INV(1, on_wire <= cong + abandoned);
			calls!r, rpc[r]
		}
		atomic { release_xprt(r) }
		if
		:: answered[r]		/* xprtrdma_wait_for_reply() */
		:: closed
		:: skip			/* a signal, or a time-out */
		fi;
		/* xprt_release() */
		atomic { !pinned[r] || closed -> queued[r] = false }
		atomic {	/* xprtrdma_release_request() */
			if
			:: closed -> goto out
			:: else
			fi;
			if	/* xprtrdma_credits_abandon() */
			:: posted_on[r] || BUG_ABANDON_ANSWERED ->
				posted_on[r] = false;
				if
				:: !BUG_FORGET_ABANDONED -> abandoned++
				:: else
				fi;
				apply(true)
			:: else
			fi;
			/* xprt_release_rqst_cong() */
			rq_cong[r] = false;
			cong--;
			if
			:: !CONGESTED -> cwnd_wait = false
			:: else
			fi;
			lock_write_next();
			answered[r] = false;
			rpc[r]++;
			rpcs--
		}
	od;
out:	ended++
}

/* The receive path of the client: xprtrdma_received() */
proctype receiver() {
	byte r, id, grant;
	bool found;

end:	do
	:: atomic { !closed && nempty(replies) -> replies?r, id, grant; on_wire-- }
		/* xprtrdma_ping_answered(), xprtrdma_reply_find() under queue_lock */
		atomic {
			found = false;
			if
			:: r == PING_ID -> ping_waits = false
			:: r < PING_ID && queued[r] && posted_on[r] && rpc[r] == id ->
				found = true;
				posted_on[r] = false;
				pinned[r] = true
			:: else
			fi
		}
		if
		:: found ->
			atomic {	/* xprtrdma_credits_granted() */
				window = grant;
				INV(5, window > 0);
				apply(true)
			}
			atomic {	/* xprtrdma_reply_complete() */
				answered[r] = true;
				pinned[r] = false
			}
		:: else ->
			atomic {	/* xprtrdma_credits_reclaim() */
				if
				:: r < PING_ID && posted_on[r] && rpc[r] == id ->
					posted_on[r] = false;
					found = true
				:: abandoned && !(r < PING_ID && posted_on[r] && rpc[r] == id) &&
				   !BUG_NO_RECLAIM ->
					abandoned--;
					found = true
				:: else
				fi;
				if
				:: found && grant < window -> window = grant
				:: else
				fi;
				if
				:: found -> apply(true)
				:: else
				fi
			}
			wake();
			INV(6, !cwnd_wait || CONGESTED || closed)
		fi;
		atomic {
			/* When nothing is on the wire and no RPC is being released, no credit is lost */
			INV(3, closed || on_wire || rq_cong[0] || rq_cong[1] || abandoned == 0);
			r = 0; id = 0; grant = 0; found = false
		}
	:: closed || ended == NREQ -> break
	od
}

#ifdef PING
/* xprtrdma_ping(): xprtrdma_credits_ping() */
proctype pinger() {
	if
	:: atomic { !closed && AVAILABLE >= cong + (BUG_PING_LAST -> 1 : 2) ->
		ping_waits = true;
		abandoned++;
		apply(false);
		INV(4, cwnd > cong);
		on_wire++;
		calls!PING_ID, 0 }
	:: closed || ended == NREQ
	fi
}
#endif

/* svcrdma_received(): svcrdma_credit_take() */
proctype server_receive() {
	byte r, id;

end:	do
	:: atomic { calls?r, id ->
		INV(2, unanswered + 1 <= limit);
		unanswered++;
		server_has[r] = true;
		server_rpc[r] = id;
		r = 0; id = 0 }
	od
}

/* An nfsd thread that answers: svcrdma_credit_grant(), svcrdma_credit_put(), the post */
proctype nfsd() {
	byte r, grant;
	byte last;

end:	do
#ifdef HANG
	:: atomic { r < NREQ + 1 && server_has[r] -> server_has[r] = false; r = 0 }
#endif
	:: atomic {
		if
		:: server_has[0] -> r = 0
		:: server_has[1] -> r = 1
#if NREQ > 2
		:: server_has[2] -> r = 2
#endif
		:: server_has[PING_ID] -> r = PING_ID
		fi;
		server_has[r] = false }
		atomic {
			if
			:: grant = 1
			:: MOST > 1 -> grant = 2
			:: MOST > 2 -> grant = 3
			:: BUG_GRANT_ZERO -> grant = 0
			fi;
			limit = (BUG_LAST_GRANT -> grant : MOST)
		}
		if
		:: !BUG_PUT_LATE -> unanswered--
		:: else
		fi;
		replies!r, server_rpc[r], grant;
		if
		:: BUG_PUT_LATE -> unanswered--
		:: else
		fi;
		atomic { r = 0; grant = 0 }
	od
}

init {
	atomic {
		run task(0);
		run task(1);
#if NREQ > 2
		run task(2);
#endif
		run receiver();
#ifdef PING
		run pinger();
#endif
		run server_receive();
		run nfsd()
	}
}

#ifdef LTL
ltl ends { <> (ended == NREQ) }
#endif
