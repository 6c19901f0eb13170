/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The server's reconnect hold: a Call that the client sends again after a loss waits for the
 * end of its first copy, which nfsd still works on.
 *
 * Code: svcrdma/reconnect_hold.c svcrdma/dropped_call.c
 *
 * Bounds: one Call with CONNS copies, each on its own connection; the client sends the next
 * copy when it has lost the connection, which may be before the server notices the loss. The
 * first copy may hang in nfsd for any time, with HANG for ever. nfsd has a duplicate reply
 * cache: it drops a copy while it works on another one. Connections are lost at any time,
 * but the last one only by the server itself. A lost transport is freed when no thread has
 * its Call.
 *
 * Sections under svcrdma_hold_lock or svcrdma_xprt.lock are one step; the two memory
 * barriers are steps of their own (sequential consistency). Left out: equal XIDs of other
 * Calls, Calls with Read chunks, copies on one connection.
 *
 * Invariants:
 *   1  svcrdma/reconnect_hold.c: "holds a Call while nfsd still works on its first copy, which
 *      came on a lost connection."
 *   2  svcrdma/reconnect_hold.c: "So none is missed."
 *   3  svcrdma/reconnect_hold.c: "forget the requests of a transport that is destroyed"
 *   4  svcrdma/reconnect_hold.c: "one of the two sees the other's write"
 *   5  svcrdma/reconnect_hold.c: "Its memory was used by nfsd, so it cannot be passed on again."
 * No deadlock: the Call is answered, unless the first copy hangs. "ends": that happens in the
 * end, if the first copy ends.
 *
 * Run: copies -DCONNS=3
 * Run: hang -DCONNS=2 -DHANG
 * Run: ends -DCONNS=2 -DLTL=ends
 * Bug: BUG_NO_HOLD 1 -DCONNS=2
 * Bug: BUG_ONE_FIRST_COPY 1 -DCONNS=3
 * Bug: BUG_AT_WORK_LATE 2 -DCONNS=2
 * Bug: BUG_NO_STOP 3 -DCONNS=3
 * Bug: BUG_NO_SECOND_LOOK 4 -DCONNS=2
 * Bug: BUG_PASS_ON_DROPPED 5 -DCONNS=2
 * Bug: BUG_NO_RELEASE deadlock -DCONNS=2
 * Bug: BUG_NO_RELEASE cycle -DCONNS=2 -DLTL=ends
 */
#include "model.h"

mtype = { ABSENT, READY, TAKEN, NFSD, HELD, NOTE, GONE };

/* A copy, its request, and its connection have one number */
mtype where[CONNS];
bool at_work[CONNS], counted[CONNS], in_table[CONNS], lost_flag[CONNS];
byte waits_for[CONNS];		/* number of the first copy + 1 */
bool closing[CONNS], killed[CONNS], lost_done[CONNS], freed[CONNS];
byte lost_count;
bool cache;			/* nfsd works on the Call */
bool used[CONNS];		/* nfsd has had the memory of the copy */
bool answered, hold_lock;
bool executes[CONNS];		/* nfsd works on this copy */
byte known[CONNS];		/* copy + 1 that nfsd worked on, as the server knew */
bool received[CONNS];		/* the receive path is done with the copy */
bool threads_end[CONNS];
byte copies = 1;

#define FIRST_COPY(c)	((c != 0 && in_table[0]) -> 1 : ((c != 1 && in_table[1]) -> 2 : THIRD(c)))
#if CONNS > 2
#define THIRD(c)	((c != 2 && in_table[2]) -> 3 : 0)
#else
#define THIRD(c)	0
#endif

/* svcrdma_hold_end_locked() under svcrdma_hold_lock */
inline hold_end(c) {
	if
	:: lost_flag[c] ->
		lost_flag[c] = false;
		in_table[c] = false;
		lost_count--;
		k = 0;
		do
		:: k < CONNS ->
			if
			:: waits_for[k] == c + 1 && !BUG_NO_RELEASE ->
				waits_for[k] = 0;
				INV(3, !freed[k]);
				/* svcrdma_hold_pass_on() */
				if
				:: FIRST_COPY(k) && !BUG_ONE_FIRST_COPY -> waits_for[k] = FIRST_COPY(k)
				:: else -> skip
				fi;
				if
				:: waits_for[k] -> skip
				:: !waits_for[k] && where[k] == HELD -> where[k] = READY	/* svcrdma_call_ready() */
				/* svcrdma_queue(): a thread calls svcrdma_dropped_soon() */
				:: !waits_for[k] && where[k] == NOTE && BUG_PASS_ON_DROPPED -> where[k] = READY
				:: !waits_for[k] && where[k] == NOTE && !BUG_PASS_ON_DROPPED -> where[k] = GONE; closing[k] = true
				fi
			:: else
			fi;
			k++
		:: else -> break
		od;
		k = 0
	:: else
	fi
}

/* svcrdma_wait_for_first() under svcrdma_hold_lock */
inline wait_for_first(c, place) {
	first = (lost_flag[c] -> 0 : FIRST_COPY(c));
	if
	:: first ->
		INV(3, !freed[first - 1]);
		waits_for[c] = first;
		where[c] = place
	:: else
	fi
}

/* svcrdma_req_put(): svcrdma_credit_put() */
inline credit_put(c) {
	counted[c] = false;
	/* smp_mb__after_atomic() */
	if
	:: lost_flag[c] -> atomic { !hold_lock -> hold_end(c) }	/* svcrdma_hold_end() */
	:: else
	fi
}

/* The receive path and the threads, for the Call on connection c */
proctype call(byte c) {
	byte k, first;

	/* svcrdma_hold() */
	if
	:: lost_count ->
		atomic {
			!hold_lock;
			k = 0;
			do
			:: k < CONNS ->
				if
				:: executes[k] && lost_done[k] -> known[c] = k + 1
				:: else
				fi;
				k++
			:: else -> break
			od;
			k = 0;
			if
			:: !BUG_NO_HOLD -> wait_for_first(c, HELD)
			:: else
			fi
		}
	:: else
	fi;
	atomic {
		if
		:: where[c] == ABSENT -> where[c] = READY
		:: else
		fi;
		received[c] = true;
		first = 0
	}
#ifdef HANG
end_held:
#endif
	/* svcrdma_queue_next(): a thread takes it, or it goes with its transport */
	if
	:: atomic { where[c] == READY && !freed[c] ->
		where[c] = TAKEN;
		at_work[c] = !BUG_AT_WORK_LATE }
	:: freed[c] -> goto out
	:: where[c] == GONE -> goto out
	fi;
	if	/* rpcrdma_conn_enter() in svcrdma_recvfrom() */
	:: killed[c] -> credit_put(c); where[c] = GONE; goto out
	:: !killed[c]
	fi;
	/* nfsd: the duplicate reply cache */
	if
	:: atomic { !cache ->
		INV(5, !used[c]);
		cache = true;
		executes[c] = true;
		used[c] = true;
		where[c] = NFSD }
		at_work[c] = true;
		if
#ifdef HANG
		:: c == 0 -> threads_end[c] = true; goto hang
#endif
		:: true
		fi;
		/* svcrdma_sendto(): svcrdma_req_repost_recv() is before the post */
		atomic { cache = false; executes[c] = false }
		credit_put(c);
		if
		:: !closing[c] -> answered = true
		:: else
		fi;
		where[c] = GONE
	:: atomic { cache ->
		INV(5, !used[c]);
		/* That copy was known when this one came, and nfsd still works on it */
		INV(1, !known[c] || !executes[known[c] - 1]);
		used[c] = true;
		where[c] = NFSD }
		at_work[c] = true;
		/* svcrdma_call_dropped(): svcrdma_hold_dropped() */
		if
		:: !killed[c] && lost_count ->
			at_work[c] = false;
			atomic { !hold_lock -> wait_for_first(c, NOTE) }
			if
			:: first -> goto noted
			:: else -> closing[c] = true	/* svcrdma_dropped_soon() */
			fi
		:: !killed[c] && !lost_count -> closing[c] = true
		:: killed[c]
		fi;
		first = 0;
		credit_put(c);
		where[c] = GONE
	fi;
	goto out;
noted:	first = 0;
#ifdef HANG
end_noted:
#endif
	if
	:: where[c] == GONE || freed[c]
#if BUG_PASS_ON_DROPPED
	:: where[c] == READY -> INV(5, !used[c])
#endif
	fi;
out:	threads_end[c] = true;
	goto over;
hang:	skip;
over:	skip
}

/* The server notices the loss: rpcrdma_conn_close_work(), svcrdma_lost() */
proctype loss(byte c) {
	byte k;

#ifdef HANG
end_open:
#endif
	closing[c];
	killed[c] = true;
	/* svcrdma_hold_begin() under both locks. svcrdma_credit_put() takes neither first */
	if
	:: atomic { !hold_lock && at_work[c] && counted[c] && !lost_flag[c] -> hold_lock = true }
		in_table[c] = true;	/* svcrdma_lost_call() */
		lost_count++;
		lost_flag[c] = true
	:: atomic { !hold_lock && !(at_work[c] && counted[c] && !lost_flag[c]) -> hold_lock = true }
	fi;
	/* smp_mb() in svcrdma_lost_call(), still under the locks */
	atomic {
		if
		:: lost_flag[c] && !counted[c] && !BUG_NO_SECOND_LOOK -> hold_end(c)
		:: else
		fi;
		hold_lock = false;
		lost_done[c] = true;
		INV(2, !executes[c] || !counted[c] || lost_flag[c])
	}
	/* svcrdma_free_work(): svcrdma_hold_stop() when no thread has the Call */
#ifdef HANG
end:
#endif
	received[c] && where[c] != NFSD && where[c] != TAKEN;
	atomic {
		!hold_lock;
		INV(4, !lost_flag[c]);
		if
		:: !BUG_NO_STOP ->
			hold_end(c);
			waits_for[c] = 0
		:: else
		fi;
		freed[c] = true
	}
}

/* The client: when its connection is lost, it connects and sends the Call again */
proctype client() {
	do
	:: answered -> break
	:: !answered && copies == CONNS -> break
	:: !answered && copies < CONNS ->
		/* the server may notice later */
		atomic {
			counted[copies] = true;
			if
			:: copies == 1 -> run call(1); run loss(1)
#if CONNS > 2
			:: copies == 2 -> run call(2); run loss(2)
#endif
			fi;
			copies++
		}
		closing[copies - 2] = true
	od;
	/* In the end all are lost */
#ifdef HANG
end:
#endif
	answered || threads_end[copies - 1];
	closing[0] = true;
	closing[1] = true;
#if CONNS > 2
	closing[2] = true
#endif
}

init {
	byte i;

	atomic {
		do
		:: i < CONNS -> where[i] = ABSENT; i++
		:: else -> break
		od;
		counted[0] = true;
		run call(0);
		run loss(0);
		run client()
	}
}

#ifdef LTL
ltl ends { <> (freed[0] && (copies == 1 || freed[1])) }
#endif
