/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A strict layer over an RDMA device: shared by its files. main.c says what it is.
 *
 * Locks, in the order of taking: strict_qp.lock, strict_device.mr_lock, strict_space.lock.
 * strict_cq.lock is taken alone. All are taken with interrupts off. The device's own locks
 * for posting are taken inside strict_qp.lock.
 */
#ifndef _STRICT_H
#define _STRICT_H

#include <linux/device.h>
#include <linux/kref.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/scatterlist.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>
#include "profile.h"
#include "report.h"

/* SGEs of a work request that the layer can take */
#define STRICT_SGES_MAX		32

/* Callers of dma_map_*() that are kept */
#define STRICT_STACK		4

struct strict_mr;

/**
 * struct strict_params - what was asked for when the module was loaded
 * @translate:	    DMA addresses are no pointers
 * @late:	    the device reads the memory of a Send itself and not a copy
 * @poison:	    memory that the device owns is overwritten
 * @merge:	    neighbours in a scatterlist have one DMA address
 * @delay_us:	    completions are held for so long
 * @batch:	    or until there are so many
 * @flush_delay_us: how much longer flushed ones are held
 * @send_delay_us:  how much longer those of the send queue are held
 * @profile:	    limits of an adapter, or NULL
 * @cm_delay_us:    events of the RDMA CM are held for less than this
 * @cm_event:	    only those of this name; "": all
 */
struct strict_params {
	bool				translate;
	bool				late;
	bool				poison;
	bool				merge;
	unsigned int			delay_us;
	unsigned int			batch;
	unsigned int			flush_delay_us;
	unsigned int			send_delay_us;
	const struct strict_profile	*profile;
	unsigned int			cm_delay_us;
	char				*cm_event;
};

extern struct strict_params strict_params;

/**
 * struct strict_space - the DMA addresses of a device
 * @lock:     protects all mappings
 * @mappings: by address
 * @next:     address of the next mapping; none is used twice
 */
struct strict_space {
	spinlock_t		lock;	/* protects all mappings */
	struct rb_root		mappings;
	u64			next;
};

/**
 * struct strict_mapping - memory that is mapped
 * @node:      in strict_space.mappings while @mapped
 * @ref:       one while @mapped, and one of each struct strict_use
 * @uses:      work requests and MRs that name it
 * @addr:      DMA address
 * @size:      bytes
 * @dir:       direction
 * @cpu:       the memory
 * @bounce:    memory that the device has instead, with the same offset in a page; or NULL.
 *	       What is read late: a copy of what was synced
 * @own:       only the kernel code that mapped it writes to it: it is not of a file
 *	       or a program
 * @mapped:    not unmapped yet
 * @checked:   a work request of a QP that is checked has used it
 * @got_start: start of what was received and not synced for the CPU
 * @got_end:   its end
 * @cpu_start: start of what the CPU owns, in a mapping for transfers from the device
 * @cpu_end:   its end
 * @stack:     who mapped it
 * @pages:     the memory, where @cpu is only its start; or NULL
 */
struct strict_mapping {
	struct rb_node		node;
	struct kref		ref;
	struct hlist_head	uses;
	u64			addr;
	size_t			size;
	enum dma_data_direction	dir;
	void			*cpu;
	void			*bounce;
	bool			own;
	bool			mapped;
	bool			checked;
	size_t			got_start;
	size_t			got_end;
	size_t			cpu_start;
	size_t			cpu_end;
	unsigned long		stack[STRICT_STACK];
	struct page		**pages;
};

/**
 * struct strict_use - a range of a mapping that the device may access
 * @node:    in strict_mapping.uses
 * @mapping: with a reference; NULL: nothing is used
 * @mr:	     MR that it is registered for; NULL: a work request names it
 * @caller:  who posted the work request
 * @offset:  in @mapping
 * @length:  bytes
 * @sum:     of the contents when they were posted
 * @summed:  @sum is set
 * @writeback: the memory is of a page that was being written back when it was posted
 * @held:    its page had a reference when it was posted, or put into its MR
 */
struct strict_use {
	struct hlist_node	node;
	struct strict_mapping	*mapping;
	struct strict_mr	*mr;
	const void		*caller;
	size_t			offset;
	size_t			length;
	u32			sum;
	bool			summed;
	bool			writeback;
	bool			held;
};

/**
 * struct strict_pd - a PD with QPs that are checked, or with MRs
 * @refs:   number of these
 * @pd:	    the PD
 * @usable: number of QPs that are not known to be in the error state
 */
struct strict_pd {
	unsigned int		refs;
	struct ib_pd		*pd;
	atomic_t		usable;
};

enum strict_mr_state {
	STRICT_MR_INVALID,	/* may be registered */
	STRICT_MR_VALID,	/* a registration is posted, or has completed */
	STRICT_MR_ENDING,	/* an invalidation is posted */
	STRICT_MR_UNKNOWN,	/* a registration or an invalidation has failed */
};

/**
 * struct strict_mr - an MR for fast registration; under strict_device.mr_lock
 * @rcu:    who has looked it up may still use it
 * @mr:	    the MR
 * @pd:	    its PD
 * @max:    entries of @uses
 * @pooled: it is in a pool of a QP, and rdma_rw uses it
 * @dead:   it has been freed, and work requests that were posted for it are not complete
 * @state:  state
 * @key:    of the last registration
 * @access: rights of the last registration
 * @iova:   start of the last registration
 * @length: bytes of it
 * @first:  start of the memory that was mapped for the next one
 * @posted: registrations and invalidations that have not completed
 * @serial: of the last one of these
 * @ender:  QP that an invalidation was posted on
 * @cq:	    whose completion has ended the registration; NULL: none
 * @polls:  strict_cq.polls of @cq then. Until it is polled again, the handler of that
 *	    completion may not have run
 * @poller: task that has polled that completion
 * @nuses:  number of @uses
 * @uses:   the memory
 */
struct strict_mr {
	struct rcu_head		rcu;
	struct ib_mr		*mr;
	struct strict_pd	*pd;
	u32			max;
	bool			pooled;
	bool			dead;
	enum strict_mr_state	state;
	u32			key;
	int			access;
	u64			iova;
	u64			length;
	u64			first;
	unsigned int		posted;
	u32			serial;
	const struct strict_qp	*ender;
	const struct strict_cq	*cq;
	u64			polls;
	const void		*poller;
	u32			nuses;
	struct strict_use	uses[];
};

/**
 * struct strict_wr - a work request that was posted
 * @wr_id:    as posted
 * @uses:     memory; @few, or allocated
 * @few:      most work requests need no more
 * @nuses:    number of @uses
 * @mr:	      of a registration or a local invalidation, or NULL
 * @serial:   strict_mr.serial of it
 * @caller:   who posted it
 * @units:    of the queue that it takes
 * @opcode:   enum ib_wr_opcode; not of a Receive
 * @signaled: has a completion if it succeeds
 * @done:     it is complete, and an older one is not
 */
struct strict_wr {
	u64			wr_id;
	struct strict_use	*uses;
	struct strict_use	few[2];
	struct strict_mr	*mr;
	const void		*caller;
	u32			units;
	u32			nuses;
	u32			serial;
	enum ib_wr_opcode	opcode;
	bool			signaled;
	bool			done;
};

/**
 * struct strict_queue - a send or receive queue
 * @wrs:   ring of work requests
 * @size:  number of these that were asked for
 * @head:  oldest one
 * @count: number of those posted and not known to be complete
 * @drained: what was posted last is the marker of ib_drain_qp()
 * @units: what they take
 * @limit: most of that
 */
struct strict_queue {
	struct strict_wr	*wrs;
	u32			size;
	u32			head;
	u32			count;
	u32			units;
	u32			limit;
	bool			drained;
};

/**
 * struct strict_flush - memory of a WR whose flush the driver has made up
 * @node:  in strict_qp.flushes
 * @nuses: number of @uses
 * @uses:  the memory
 */
struct strict_flush {
	struct list_head	node;
	u32			nuses;
	struct strict_use	uses[];
};

struct strict_held;

/**
 * struct strict_cq - a CQ of QPs that are checked, or of CM messages
 * @cq:	       the CQ
 * @lock:      protects all from @armed on
 * @ref:       QPs
 * @polls:     number of polls
 * @expected:  completions that it must have room for
 * @cm:	       it has completions of CM messages
 * @armed:     an event was asked for
 * @work:      raises it when the first completion that is held is due
 * @held:      completions that are held, a ring; NULL: none ever is
 * @size:      of @held
 * @head:      oldest one
 * @count:     number
 */
struct strict_cq {
	struct ib_cq		*cq;
	spinlock_t		lock;	/* protects what is held */
	atomic64_t		polls;
	atomic_t		expected;
	bool			cm;
	bool			armed;
	struct work_struct	work;
	struct strict_held	*held;
	u32			size;
	u32			head;
	u32			count;
};

/**
 * struct strict_qp - a reliable connection of kernel code
 * @rcu:     who has looked it up may still use it
 * @qp:	     the QP
 * @pd:	     its PD
 * @send_cq: its CQ for Sends
 * @recv_cq: its CQ for Receives
 * @lock:    protects what follows, held while it is posted to the device
 * @cap:     what was asked for
 * @all_signaled: IB_SIGNAL_ALL_WR
 * @failed:  it is known to be in the error state
 * @stopped: its user has put it there
 * @gone:    it is destroyed
 * @flushes: what the adapter may use until it is @stopped
 * @sq:	     send queue
 * @rq:	     receive queue
 */
struct strict_qp {
	struct rcu_head		rcu;
	struct ib_qp		*qp;
	struct strict_pd	*pd;
	struct strict_cq	*send_cq;
	struct strict_cq	*recv_cq;
	spinlock_t		lock;	/* protects the queues */
	struct ib_qp_cap	cap;
	bool			all_signaled;
	bool			failed;
	bool			stopped;
	bool			gone;
	struct list_head	flushes;
	struct strict_queue	sq;
	struct strict_queue	rq;
};

/**
 * struct strict_device - a device under the layer
 * @device:  the device
 * @real:    its operations
 * @attrs:   its attributes
 * @num_comp_vectors: of it
 * @dma:     device that memory is mapped for, or NULL: nothing is translated
 * @dma_mask: of @dma
 * @dma_parms: of @dma
 * @space:   addresses of @dma
 * @mr_lock: protects all MRs
 * @lock:    serializes changes of the tables
 * @qps:     struct strict_qp by address of the ib_qp
 * @cqs:     struct strict_cq by address of the ib_cq
 * @pds:     struct strict_pd by address of the ib_pd
 * @mrs:     struct strict_mr by handle without key
 */
struct strict_device {
	struct ib_device		*device;
	const struct ib_device_ops	*real;
	struct ib_device_attr		attrs;
	int				num_comp_vectors;
	struct device			*dma;
	u64				dma_mask;
	struct device_dma_parameters	dma_parms;
	struct strict_space		space;
	spinlock_t			mr_lock; /* protects all MRs */
	struct mutex			lock;	/* serializes changes of the tables */
	struct xarray			qps;
	struct xarray			cqs;
	struct xarray			pds;
	struct xarray			mrs;
};

/* main.c */
struct strict_device *strict_of(const struct ib_device *device);

/* dma.c */
int strict_dma_start(struct strict_device *sdev);
void strict_dma_stop(struct strict_device *sdev, bool core);
bool strict_dma_is_ours(u64 addr);
bool strict_reads_late(const struct strict_mapping *mapping);
void *strict_dma_pointer(struct strict_device *sdev, u64 addr, size_t length);
bool strict_dma_use(struct strict_device *sdev, struct strict_use *use, u64 addr,
		    size_t length, enum dma_data_direction dir);
void strict_dma_share(struct strict_device *sdev, struct strict_use *use,
		      const struct strict_use *other);
void strict_dma_release(struct strict_device *sdev, struct strict_use *use);
void *strict_use_pointer(const struct strict_use *use);
void strict_mapping_put(struct strict_mapping *mapping);

/* map.c */
extern const struct dma_map_ops strict_map_ops;
struct strict_mapping *strict_mapping_find(struct strict_space *space, u64 addr);
struct strict_mapping *strict_mapping_new(void *cpu, size_t size, enum dma_data_direction dir);
void strict_bounce_init(struct strict_mapping *mapping);

/* merge.c */
unsigned int strict_merge_count(struct device *dev, struct scatterlist *sg, unsigned int nents,
				enum dma_data_direction dir);
struct strict_mapping *strict_merge(struct scatterlist *sg, unsigned int n,
				    enum dma_data_direction dir);
void *strict_cpu_at(const struct strict_mapping *mapping, size_t offset);
void strict_copy(const struct strict_mapping *mapping, size_t start, size_t end, bool to_cpu);

/* buffers.c */
bool strict_buffer_is_held(const struct strict_use *use);
void strict_buffer_posted(struct strict_device *sdev, struct strict_use *use, bool reads);
void strict_buffer_done(struct strict_device *sdev, struct strict_use *use, bool good,
			size_t got);

/* mr.c */
struct ib_mr *strict_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max);
int strict_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata);
int strict_map_mr_sg(struct ib_mr *ibmr, struct scatterlist *sg, int nents,
		     unsigned int *offset);
struct strict_mr *strict_mr_find(struct strict_device *sdev, u32 key);
bool strict_mr_exposed(const struct strict_mr *mr);
void strict_mr_register(struct strict_device *sdev, struct strict_qp *qp,
			struct strict_wr *swr, const struct ib_reg_wr *wr);
void strict_mr_invalidate(struct strict_device *sdev, struct strict_qp *qp,
			  struct strict_wr *swr, u32 key);
void strict_mr_invalidated(struct strict_device *sdev, struct strict_qp *qp, u32 key);
void strict_mr_done(struct strict_device *sdev, struct strict_qp *qp,
		    struct strict_wr *swr, bool good);
u32 strict_mr_use(struct strict_device *sdev, struct strict_qp *qp, const struct ib_sge *sge,
		  bool writes, struct strict_use *uses, u32 max, const void *caller);
void strict_mr_remote(struct strict_device *sdev, u32 key);
void strict_mr_free_all(struct strict_device *sdev);

/* pd.c */
struct strict_pd *strict_pd_get(struct strict_device *sdev, struct ib_pd *pd);
void strict_pd_put(struct strict_device *sdev, struct strict_pd *spd);

/* qp.c */
int strict_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *init,
		     struct ib_udata *udata);
int strict_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
		     struct ib_udata *udata);
int strict_destroy_qp(struct ib_qp *qp, struct ib_udata *udata);
struct strict_qp *strict_qp_find(struct strict_device *sdev, const struct ib_qp *qp);
void strict_qp_failed(struct strict_qp *qp);
void strict_qp_completed(struct strict_device *sdev, const struct ib_wc *wc);
void strict_qp_free_all(struct strict_device *sdev);

/* queue.c */
int strict_queue_init(struct strict_queue *queue, u32 size, u32 limit);
void strict_queue_free(struct strict_queue *queue);
struct strict_wr *strict_queue_add(struct strict_queue *queue, u32 units);
void strict_queue_undo(struct strict_queue *queue);
struct strict_wr *strict_queue_at(struct strict_queue *queue, u32 n);
void strict_queue_drop(struct strict_queue *queue);

/* post.c */
int strict_post_send(struct ib_qp *qp, const struct ib_send_wr *first,
		     const struct ib_send_wr **bad);
int strict_post_recv(struct ib_qp *qp, const struct ib_recv_wr *first,
		     const struct ib_recv_wr **bad);

/* cq.c */
int strict_poll_cq(struct ib_cq *cq, int entries, struct ib_wc *wc);
int strict_req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags);
int strict_destroy_cq(struct ib_cq *cq, struct ib_udata *udata);
struct strict_cq *strict_cq_get(struct strict_device *sdev, struct ib_cq *cq);
void strict_cq_forget(struct strict_cq *scq, const struct ib_qp *qp);
void strict_cq_free_all(struct strict_device *sdev);

/* cm.c */
void strict_cm_completed(const struct ib_wc *wc);
int strict_cm_init(void);
void strict_cm_exit(void);

#endif
