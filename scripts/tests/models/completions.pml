/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who polls the CQ of a connection: the work item, or a task that is busy polling.
 *
 * Code: rpcrdma/connection/completion.c
 *
 * Bounds: COUNT completions; two tasks, each of which is busy polling once, begins while the
 * work item runs or not, and looks into the CQ twice at most. The connection ends when all
 * have been handled; with FAILED the device has failed, and it ends at any time. With SOFT the
 * driver makes the completions up: each raises an event, and arming does not find them. A batch,
 * and the budget of the work item, are one completion.
 *
 * One call of the device (post a completion, poll, arm) is a step, as it is under a lock of
 * the device. Barriers are not in the model: each step is seen by all (sequential consistency).
 *
 * Invariants:
 *   1  rpcrdma/connection/completion.c: "handlers of one connection never run in parallel."
 *   2  rpcrdma/connection/completion.c: "run no more completion handlers"
 *   3  rpcrdma/connection/completion.c: "connection that has been set up, and that the caller
 *      has entered"
 * No deadlock: every completion is handled, unless the device has failed. "ends": the same,
 * and every process ends.
 *
 * Run: tasks -DCOUNT=4
 * Run: soft -DCOUNT=3 -DSOFT
 * Run: failed -DCOUNT=3 -DFAILED
 * Run: ends -DCOUNT=1 -DLTL=ends
 * Bug: BUG_WORK_BESIDE 1 -DCOUNT=2
 * Bug: BUG_NO_CANCEL 2 -DCOUNT=2 -DFAILED
 * Bug: BUG_NOT_ENTERED 3 -DCOUNT=2
 * Bug: BUG_NO_ARM deadlock -DCOUNT=2
 * Bug: BUG_LEAVE_LAST deadlock -DCOUNT=2
 * Bug: BUG_BUDGET_ENDS deadlock -DCOUNT=3
 * Bug: BUG_DROP deadlock -DCOUNT=2 -DSOFT
 * Bug: BUG_NOT_SAID deadlock -DCOUNT=3 -DSOFT
 * Bug: BUG_CLEAR_LATE deadlock -DCOUNT=2 -DSOFT
 * Bug: BUG_NO_ARM cycle -DCOUNT=2 -DLTL=ends
 */
#include "model.h"

#ifdef SOFT
#define REPORTED false
#else
#define REPORTED true
#endif

byte in_cq, handled, events, running, posters;
bool armed = true, work_queued, work_runs, work_ends;
bool busy, polled, event_missed, killed, stopped, stop_returned, gone;

/* ib_poll_cq(): takes what is there, up to a batch; rpcrdma_cq_handle() runs handlers */
inline handle() {
	atomic {
		INV(3, !gone);
		n = (in_cq > 0 -> 1 : 0);
		in_cq = in_cq - n;
		INV(1, !running);
		INV(2, !stop_returned);
		running++
	}
	atomic {
		running--;
		handled = handled + n
	}
}

/* rpcrdma_cq_arm() */
inline arm() {
	atomic {
		INV(3, !gone);
		armed = true;
		missed = (in_cq > 0 && REPORTED)
	}
}

active proctype device() {
	byte count;

	do
	:: count < COUNT ->
		atomic {
			in_cq++;
			count++;
			if
			:: armed || !REPORTED -> armed = false; events++
			:: else
			fi
		}
	:: else -> break
	od
}

/* rpcrdma_cq_event(), rpcrdma_cq_event_is_polled() */
active proctype event() {
	bool taken;

end:	do
	:: atomic { events -> events--; taken = stopped };
		if
		:: !taken && polled ->
			event_missed = !BUG_DROP;
			taken = polled
		:: else
		fi;
		if
		:: !taken -> work_queued = true
		:: else
		fi;
		taken = false
	od
}

/* rpcrdma_cq_work() */
active proctype work() {
	byte n, left;
	bool missed;

end:	do
	:: atomic { work_queued -> work_queued = false; work_runs = true };
		if
		:: stopped -> goto done
		:: else
		fi;
		/* rpcrdma_cq_work_enter() */
		atomic {
			if
			:: busy && !BUG_WORK_BESIDE
			:: else -> busy = true; goto entered
			fi
		}
		event_missed = !BUG_NOT_SAID;
		atomic {
			if
			:: busy -> goto done
			:: else -> busy = true
			fi
		}
entered:
		left = 1;
		do
		:: handle();
			if
			:: n -> left = 0
			:: else
			fi;
			if
			:: !left -> break
			:: else -> arm();
				if
				:: !missed -> break
				:: else
				fi
			fi
		od;
		busy = false;
		if
		:: !left && !BUG_BUDGET_ENDS -> work_queued = true
		:: else
		fi;
done:		atomic { n = 0; missed = false; left = 0; work_runs = false }
	od
}

/* rpcrdma_busy_poll() by a task that is inside rpcrdma_conn_enter() */
active [2] proctype task() {
	byte n, polls;
	bool entered, missed, unhandled;

	atomic {
		if
		:: killed -> goto out
		:: else -> posters = posters + !BUG_NOT_ENTERED
		fi
	}
	atomic {
		if
		:: polled -> goto leave
		:: else -> polled = true
		fi
	}
	do
	:: polls < 2 ->
		if
		:: atomic { !entered && !busy -> entered = true; busy = true }
		:: entered
		:: !entered && busy -> goto resume
		fi;
		/* rpcrdma_cq_look() */
		if
		:: !BUG_CLEAR_LATE -> event_missed = false
		:: else
		fi;
		handle();
		if
		:: BUG_CLEAR_LATE -> event_missed = false
		:: else
		fi;
		polls++
	:: break
	od;
resume:
	if
	:: entered && !BUG_LEAVE_LAST -> busy = false
	:: else
	fi;
	/* rpcrdma_cq_resume() */
	polled = false;
	atomic {
		unhandled = event_missed;
		event_missed = false
	}
	if
	:: !BUG_NO_ARM -> arm()
	:: else
	fi;
	if
	:: missed || (n && !BUG_NO_ARM) || unhandled -> work_queued = true
	:: else
	fi;
	if
	:: entered && BUG_LEAVE_LAST -> busy = false
	:: else
	fi;
leave:	posters = posters - !BUG_NOT_ENTERED;
out:	skip
}

/* rpcrdma_conn_drain(), rpcrdma_conn_destroy() */
active proctype teardown() {
#ifndef FAILED
	handled == COUNT;
#endif
	killed = true;
	!posters;
	/* rpcrdma_cq_stop() */
	stopped = true;
	if
	:: BUG_NO_CANCEL
	:: !BUG_NO_CANCEL -> atomic { !work_runs -> work_queued = false }
	fi;
	stop_returned = true;
	/* rpcrdma_cq_destroy() */
	gone = true;
	atomic { !work_runs -> work_queued = false; work_ends = true }
}

#ifdef LTL
ltl ends { <> work_ends }
#endif
