/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life and the end of a server's connection: connect request, set-up, accept, requests in nfsd,
 * in the queue and in waiting lists, the loss at any time, the last put, unloading.
 *
 * Code: svcrdma/xprt.c svcrdma/listen.c svcrdma/accept.c svcrdma/queue.c svcrdma/recvfrom.c
 * Code: svcrdma/memory_wait.c svcrdma/slot_wait.c rpcrdma/connection/conn.c
 *
 * Bounds: one connection, CALLS Calls, THREADS nfsd threads, one listener. The connection
 * closes at any time (CM event, QP event). Set-up and accept fail at any step. A thread finds no
 * memory or skips the turn up to TRIES times, or finds no slots for the Reply. The drain ends with
 * all completions, or the device has failed, and they never come. The administrator stops nfsd at
 * any time, and when all is freed the module is unloaded.
 *
 * A section under a spinlock is one step. References, XPT_BUSY, XPT_DATA, XPT_CLOSE and
 * XPT_DEAD are as in net/sunrpc/svc_xprt.c. Left out: RDMA Reads and the budget, the
 * reverse direction, the reconnect hold (reconnect_hold.pml), deferred destroy, deferral by
 * sunrpc, the trimmer.
 *
 * Invariants:
 *   1  svcrdma/xprt.c: "After the last put no thread has a request."
 *   2  svcrdma/xprt.c: "afterwards no completion handler runs, and the work items that could
 *      close the connection are canceled."
 *   3  rpcrdma/connection/conn.c: "nothing is posted behind the drain markers"
 *   4  svcrdma/queue.c: "While the connection is established, XPT_DATA tells sunrpc whether the
 *      queue has requests."
 *   5  svcrdma/listen.c: "When this returns, no CM handler and no work item uses the listener,
 *      and no transport waits in it."
 *   6  svcrdma/main.c: "So at unload none is left, but the last work item of a transport may
 *      still run."
 *   7  svcrdma/memory_wait.c: "Not queued again after svcrdma_memory_stop(): the drain waits for
 *      the leave"
 *   8  svcrdma/xprt.c: "At any time a request belongs to one of:"
 *   9  svcrdma/xprt.c: "So these requests are released at once: those that wait for a thread,
 *      for rdma_rw contexts, or for send queue slots for their RDMA Reads."
 *  10  svcrdma/queue.c: "After the loss of the connection, a work item (xprt.c) releases each
 *      request that comes to the queue."
 *  11  svcrdma/xprt.c: "Nothing comes to the queue any more"
 *  12  svcrdma/xprt.c: "Then the QP is destroyed, because a device that could not drain it may
 *      still read Sends and write data sinks."
 * No deadlock: a lost connection is freed, and a stopped nfsd ends. "ends": under weak
 * fairness.
 *
 * Run: one-thread -DTHREADS=1 -DCALLS=2 -DTRIES=1
 * Run: two-threads -DTHREADS=2 -DCALLS=1 -DTRIES=1
 * Run: ends -DTHREADS=1 -DCALLS=1 -DTRIES=1 -DLTL=ends
 * Bug: BUG_NO_REFERENCE 1 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_CQ_NOT_STOPPED 2 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_LATE_POST 3 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_DATA_FORGOTTEN 4 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_DETACH_FIRST 5 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_SETUP_NOT_AWAITED 5 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_READY_FORGOTTEN 5 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_NO_FLUSH 6 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_MEMORY_NO_ENTER 7 -DTHREADS=1 -DCALLS=1 -DTRIES=1
 * Bug: BUG_PUT_BACK_KEPT 8 -DTHREADS=1 -DCALLS=1 -DTRIES=1
 * Bug: BUG_LOST_NOT_CHECKED 9 -DTHREADS=1 -DCALLS=1 -DTRIES=1
 * Bug: BUG_CLOSED_KEPT 10 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_RELEASE_NOT_STOPPED 11 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_QP_LAST 12 -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_NOT_RECEIVED deadlock -DTHREADS=1 -DCALLS=1 -DTRIES=0
 * Bug: BUG_CLOSE_IGNORED cycle -DTHREADS=1 -DCALLS=1 -DTRIES=0 -DLTL=ends
 */
#include "model.h"

mtype = { NONE, ADOPTED, CONNECTING, ESTABLISHED, CLOSING, CLOSED };
/* Owners of a request */
mtype = { IDLE, RECEIVE, READY, THREAD, SLOT_WAIT, DEVICE, FREED };

/* The connection */
mtype state = NONE;
bool exists, offered, drained, killed, qp, cq_stopped, in_handler, handler_runs;
bool close_queued, close_runs, lost_done;
byte posters;

/* struct svcrdma_xprt and struct svc_xprt */
bool xprt_exists, free_queued, free_runs, freed;
byte refs;
bool busy, data, xclose, dead, started, enqueued;
bool memory_waits, memory_queued, memory_runs, memory_stopped;
bool queue_closed, release_queued, release_runs, release_stopped;
byte tries;
mtype owner[CALLS];
byte sent;

/* The listener */
bool pending, setup_queued, setup_runs, ready, detached, id_gone, listener_gone;
bool cm_request, in_listener;
bool known, accepting, stopping, unloaded;
byte running = THREADS;

#if CALLS > 1
#define WAITS(what)	(owner[0] == what || owner[1] == what)
#else
#define WAITS(what)	(owner[0] == what)
#endif
#define QUEUED		WAITS(READY)

/* svc_xprt_ready(), svc_xprt_enqueue() */
inline enqueue() {
	INV(6, xprt_exists);
	if
	:: !busy && ((xclose && !BUG_CLOSE_IGNORED) || (data && !memory_waits && !WAITS(SLOT_WAIT))) ->
		busy = true;
		enqueued = true
	:: else
	fi
}

inline put() {			/* svc_xprt_put(): svcrdma_xprt_free() */
	refs--;
	if
	:: refs == 0 ->
		INV(1, !WAITS(THREAD));
		free_queued = true
	:: else
	fi
}

inline conn_close() {		/* rpcrdma_conn_close() */
	if
	:: state != CLOSING && state != CLOSED -> state = CLOSING; close_queued = true
	:: else
	fi
}

inline req_put(i) {		/* svcrdma_req_put(), by its owner */
	INV(8, owner[i] == THREAD || owner[i] == DEVICE);
	owner[i] = IDLE
}

/* svcrdma_queue_next() under svcrdma_xprt.lock */
inline queue_next(i) {
	if
	:: owner[0] == READY -> i = 0
#if CALLS > 1
	:: owner[0] != READY && owner[1] == READY -> i = 1
#endif
	:: else -> i = CALLS
	fi;
	if
	:: i < CALLS -> owner[i] = THREAD
	:: else
	fi;
	data = data && QUEUED
}

/* svc_delete_xprt(), with svcrdma_conn_detach() */
inline delete_xprt() {
	atomic {
		if
		:: dead
		:: else -> dead = true; conn_close(); put()
		fi
	}
}

/* An nfsd thread: svc_handle_xprt() */
proctype thread() {
	byte i;
	bool fails;

end:	do
	/* svcrdma_accept() */
	:: atomic { ready && !detached && !accepting -> ready = false; accepting = true }
		if
		:: state != CLOSING && state != CLOSED ->
			offered = true;
			atomic {	/* rpcrdma_conn_accept() */
				if
				:: state == ADOPTED -> state = CONNECTING
				:: else -> fails = true
				fi
			}
		:: true -> fails = true
		fi;
		atomic {
			if
			:: fails -> conn_close(); put()
			:: else ->	/* svc_add_new_temp_xprt(): sunrpc has the reference */
				known = true;
				busy = false;
				enqueue()
			fi;
			fails = false;
			accepting = false
		}
	:: atomic { enqueued -> enqueued = false; refs++ }
		if
		:: xclose -> delete_xprt()	/* XPT_BUSY stays set */
		:: else ->
			/* svcrdma_recvfrom() */
			if
			:: atomic { queue_next(i) }
			:: atomic { tries < TRIES -> tries++; i = CALLS }	/* svcrdma_turn_skip() */
			fi;
			if	/* svc_xprt_received() */
			:: BUG_NOT_RECEIVED && i == CALLS
			:: else -> atomic { busy = false; enqueue() }
			fi;
			if
			:: i == CALLS
			:: i < CALLS && killed -> atomic { req_put(i) }
			:: else ->
				atomic {
					if
					:: killed -> req_put(i); goto handled
					:: else -> posters++
					fi
				}
				if	/* svcrdma_send_reserve() */
				:: tries < TRIES ->
					atomic {	/* svcrdma_memory_wait() */
						tries++;
						INV(8, owner[i] == THREAD);
						if
						:: !queue_closed || BUG_LOST_NOT_CHECKED ->
							INV(9, !lost_done);
							owner[i] = READY;
							data = !BUG_DATA_FORGOTTEN;
							memory_waits = true;
							INV(7, !memory_stopped);
							memory_queued = true
						:: else -> req_put(i)
						fi;
						if
						:: BUG_PUT_BACK_KEPT -> req_put(i)
						:: else
						fi
					}
					goto leave
				:: true
				fi;
				posters--;	/* rpcrdma_conn_leave() */
				/* nfsd has the Call */
				if
				:: BUG_NO_REFERENCE || BUG_LATE_POST -> atomic { put() }
				:: else
				fi;
				/* svcrdma_sendto() */
				if
				:: atomic { !killed || BUG_LATE_POST -> posters++ }
					atomic {
						INV(3, !drained);
						INV(8, owner[i] == THREAD);
						if
						:: owner[i] = DEVICE
						:: owner[i] = SLOT_WAIT	/* svcrdma_slot_wait() */
						fi
					}
					goto leave
				:: else -> atomic { req_put(i) }	/* svcrdma_req_release() */
				fi;
				goto handled;
leave:				posters--
			fi
		fi;
handled:
		atomic {	/* svc_xprt_release() */
			if
			:: (BUG_NO_REFERENCE || BUG_LATE_POST) && refs == 0
			:: else -> put()
			fi;
			i = 0
		}
	:: atomic { stopping -> running--; break }	/* svc_exit_thread() */
	od
}

/* rpcrdma_cq_work(): svcrdma_received(), rpcrdma_send_done() */
proctype handler() {
end:	do
	:: atomic { qp && !cq_stopped && sent < CALLS && (state == CONNECTING || state == ESTABLISHED) ->
		handler_runs = true;
		owner[sent] = RECEIVE;
		sent++ }
		atomic {	/* svcrdma_queue() */
			INV(2, !drained && exists);
			owner[sent - 1] = READY;
			data = data || (started && !queue_closed && !BUG_DATA_FORGOTTEN);
			INV(4, data || !started || queue_closed);
			INV(11, !release_stopped);
			release_queued = release_queued || (queue_closed && !BUG_CLOSED_KEPT);
			INV(10, release_queued || !queue_closed)
		}
		atomic {
			if
			:: started && data -> enqueue()
			:: else
			fi;
			handler_runs = false
		}
	:: atomic { qp && !cq_stopped && WAITS(DEVICE) -> handler_runs = true }
		atomic {	/* the Reply is sent, and its slots come back */
			INV(2, !drained && exists);
			if
			:: owner[0] == DEVICE -> req_put(0)
#if CALLS > 1
			:: owner[1] == DEVICE -> req_put(1)
#endif
			fi
		}
		atomic { handler_runs = false }
	:: atomic { qp && !cq_stopped && WAITS(SLOT_WAIT) && !killed -> handler_runs = true; posters++ }
		atomic {	/* svcrdma_slot_avail() */
			INV(2, !drained && exists);
			INV(3, !drained);
			if
			:: owner[0] == SLOT_WAIT -> owner[0] = DEVICE
#if CALLS > 1
			:: owner[1] == SLOT_WAIT -> owner[1] = DEVICE
#endif
			fi
		}
		atomic { enqueue(); posters--; handler_runs = false }
	:: unloaded -> break
	od
}

/* rpcrdma_cm_event(): ESTABLISHED with svcrdma_queue_start(), or an event that closes */
proctype cm() {
end:	do
	:: atomic { exists && state == CONNECTING -> in_handler = true; state = ESTABLISHED }
		atomic {
			started = true;
			data = data || QUEUED;
			INV(4, !QUEUED || data)
		}
		atomic { enqueue(); in_handler = false }
	:: atomic { exists && state != CLOSING && state != CLOSED -> conn_close() }
	:: unloaded -> break
	od
}

/* The CM handler of the listener: svcrdma_listener_event(), svcrdma_xprt_adopt() */
proctype listener() {
	if
	:: atomic { !cm_request && !id_gone ->
		cm_request = true;
		in_listener = true }
		if
		:: detached -> skip	/* svcrdma_listener_full() */
		:: else ->
			atomic {
				xprt_exists = true;
				exists = true;
				state = ADOPTED;
				refs = 1;
				busy = true
			}
			atomic {	/* svcrdma_listener_begin() */
				INV(5, !listener_gone);
				if
				:: detached -> pending = true
				:: else -> setup_queued = true
				fi
			}
		fi;
		in_listener = false
	:: id_gone
	fi
}

/* svcrdma_setup_work() */
proctype setup_work() {
	bool fails;

	if
	:: atomic { setup_queued -> setup_queued = false; setup_runs = true }
		if
		:: state != CLOSING && state != CLOSED -> qp = true	/* svcrdma_accept_setup() */
		:: true -> fails = true
		fi;
		if
		:: fails -> atomic { conn_close(); put() }	/* svcrdma_not_accepted() */
		:: else
		fi;
		atomic {		/* svcrdma_listener_set_up_done() */
			INV(5, !listener_gone);
			ready = !fails;
			setup_runs = false
		}
	:: unloaded
	fi
}

/* rpcrdma_conn_close_work(), svcrdma_lost(), svcrdma_release_waiting() */
proctype close_work() {
	byte i;

end:	do
	:: atomic { close_queued -> close_queued = false; close_runs = true }
		killed = true;
		if
		:: offered ->
			queue_closed = true;
			do
			:: atomic { queue_next(i);
				if
				:: i < CALLS -> req_put(i)
				:: else
				fi }
				if
				:: i == CALLS -> break
				:: else
				fi
			od;
			atomic { lost_done = true; i = 0 }
			/* svc_xprt_close() */
			xclose = true;
			if
			:: atomic { !busy -> busy = true }
				delete_xprt()
			:: else
			fi
		:: else
		fi;
		close_runs = false
	:: unloaded -> break
	od
}

/* svcrdma_release_work() */
proctype release_work() {
	byte i;

end:	do
	:: atomic { release_queued -> release_queued = false; release_runs = true }
		do
		:: atomic { queue_next(i);
			INV(11, !release_stopped && xprt_exists);
			if
			:: i < CALLS -> req_put(i)
			:: else
			fi }
			if
			:: i == CALLS -> break
			:: else
			fi
		od;
		atomic { release_runs = false; i = 0 }
	:: unloaded -> break
	od
}

/* svcrdma_memory_work() */
proctype memory_work() {
end:	do
	:: atomic { memory_queued -> memory_queued = false; memory_runs = true }
		if
		:: atomic { !killed || BUG_MEMORY_NO_ENTER -> posters++ }
			memory_waits = false;
			atomic {
				INV(7, !memory_stopped && xprt_exists);
				enqueue();
				posters--
			}
		:: else
		fi;
		memory_runs = false
	:: unloaded -> break
	od
}

/* svcrdma_free_work() */
proctype free_work() {
	byte i;

end:	do
	:: atomic { free_queued -> free_queued = false; free_runs = true }
		atomic { conn_close() }		/* rpcrdma_conn_drain() */
		!close_queued && !close_runs;
		if
		:: !BUG_MEMORY_NO_ENTER -> posters == 0
		:: else
		fi;
		if
		:: (!WAITS(DEVICE) || !qp) && !handler_runs	/* ib_drain_qp() */
		:: skip				/* the device has failed */
		fi;
		if
		:: !BUG_CQ_NOT_STOPPED -> cq_stopped = true; !handler_runs
		:: else
		fi;
		atomic { drained = true; state = CLOSED }
		if	/* cancel_work_sync(&rdma->release_work) */
		:: BUG_RELEASE_NOT_STOPPED
		:: else -> release_queued = false; !release_runs
		fi;
		release_stopped = true;
		if	/* svcrdma_memory_stop(), svcrdma_slot_stop() */
		:: BUG_MEMORY_NO_ENTER -> memory_stopped = true
		:: else -> memory_queued = false; !memory_runs; memory_stopped = true
		fi;
		qp = qp && BUG_QP_LAST;		/* rpcrdma_conn_destroy_qp() */
		atomic {			/* svcrdma_req_pool_free() */
			INV(1, !WAITS(THREAD) && !WAITS(RECEIVE));
			INV(12, !qp || !WAITS(DEVICE));
			i = 0;
			do
			:: i < CALLS -> owner[i] = FREED; i++
			:: else -> break
			od;
			i = 0
		}
		!in_handler;			/* rpcrdma_conn_destroy() */
		exists = false;
		atomic {
			xprt_exists = false;
			INV(6, !unloaded);
			free_runs = false;
			freed = true
		}
	:: unloaded -> break
	od
}

/* nfsd is stopped: svcrdma_listener_detach(), svc_xprt_destroy_all(), svcrdma_exit() */
proctype admin() {
	bool waited;

	stopping = true;		/* svc_set_num_threads(), then svc_xprt_destroy_all() */
	running == 0;
	if
	:: !BUG_DETACH_FIRST ->
		detached = true;
		id_gone = true;		/* svcrdma_listener_stop(): rdma_destroy_id() */
		!in_listener
	:: else -> detached = true
	fi;
	if	/* svcrdma_listener_sets_up() */
	:: !BUG_SETUP_NOT_AWAITED -> !setup_queued && !setup_runs
	:: else
	fi;
	atomic {
		waited = pending || (ready && !BUG_READY_FORGOTTEN);
		pending = false;
		ready = ready && BUG_READY_FORGOTTEN;
		if
		:: waited -> put()
		:: else
		fi;
		listener_gone = true;
		INV(5, !in_listener && !pending && !ready)
	}
	id_gone = true;
	do				/* svc_close_list(), svc_clean_up_xprts() */
	:: known && !dead ->
		atomic {
			if
			:: known && !dead -> xclose = true; enqueue()
			:: else
			fi
		}
		if
		:: atomic { enqueued -> enqueued = false }
			delete_xprt()
		:: else
		fi;
		/* msleep() */
		!busy || dead || enqueued || BUG_CLOSE_IGNORED
	:: !known || dead -> break
	od;
	refs == 0;			/* each has a reference to the module */
	if
	:: !BUG_NO_FLUSH -> !free_queued && !free_runs	/* flush_workqueue() */
	:: else
	fi;
	unloaded = true
}

init {
	byte i;

	atomic {
		do
		:: i < CALLS -> owner[i] = IDLE; i++
		:: else -> break
		od;
		run thread();
#if THREADS > 1
		run thread();
#endif
		run handler();
		run cm();
		run listener();
		run setup_work();
		run close_work();
		run release_work();
		run memory_work();
		run free_work();
		run admin()
	}
}

#ifdef LTL
ltl ends { <> (unloaded && !xprt_exists) }
#endif
