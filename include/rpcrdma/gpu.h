/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * I/O to GPU memory (GPUDirect Storage), see gpu.c.
 */
#ifndef _RPCRDMA_GPU_H
#define _RPCRDMA_GPU_H

#include <linux/bits.h>
#include <linux/dma-direction.h>
#include <linux/jump_label.h>
#include <linux/types.h>

struct device;
struct page;
struct request;
struct request_queue;
struct rpcrdma_conn;
struct scatterlist;

/* Features of a provider, in nvfs_dma_rw_ops.ft_bmap */
#define RPCRDMA_GPU_FT_BLOCK	BIT_ULL(0)	/* not used here */
#define RPCRDMA_GPU_FT_MAP	BIT_ULL(1)
#define RPCRDMA_GPU_FT_IS_GPU	BIT_ULL(2)
#define RPCRDMA_GPU_FT_PRIORITY	BIT_ULL(3)	/* not used here */
/*
 * Not known to nvidia-fs: maps for all devices, not only those of PCI, also for devices of
 * software, which have no struct device
 */
#define RPCRDMA_GPU_FT_NO_DEVICE	BIT_ULL(63)

/* What nvfs_dma_map_sg_attrs returns in place of the number of mapped entries */
#define RPCRDMA_GPU_IO_ERR	(-1)
#define RPCRDMA_GPU_CPU_REQ	(-2)	/* no page is GPU memory */

/**
 * struct nvfs_dma_rw_ops - a provider of GPU memory
 * @ft_bmap: its features
 * @nvfs_blk_rq_map_sg: for block devices; not used here
 * @nvfs_dma_map_sg_attrs: map GPU memory for DMA. May sleep. Returns the number of
 *	mapped entries, or one of the two values above: then entries before the one that
 *	failed may stay mapped. Called for one entry at a time
 * @nvfs_dma_unmap_sg: undo that, with the same arguments. May sleep
 * @nvfs_is_gpu_page: does a page stand for GPU memory? May sleep
 * @nvfs_gpu_index: not used here
 * @nvfs_device_priority: not used here
 *
 * The binary interface of nvidia-fs: names and order are fixed. Later members, which some
 * versions have, are not used. The struct device is that of ib_device.dma_device. It is
 * that of a PCI device, unless the provider has RPCRDMA_GPU_FT_NO_DEVICE: then it may be
 * another one, or NULL, and with NULL the DMA address of memory is its address in the kernel.
 */
struct nvfs_dma_rw_ops {
	unsigned long long	ft_bmap;
	int (*nvfs_blk_rq_map_sg)(struct request_queue *queue,
				  struct request *request,
				  struct scatterlist *sg);
	int (*nvfs_dma_map_sg_attrs)(struct device *device,
				     struct scatterlist *sg, int nents,
				     enum dma_data_direction dir,
				     unsigned long attrs);
	int (*nvfs_dma_unmap_sg)(struct device *device, struct scatterlist *sg,
				 int nents, enum dma_data_direction dir);
	bool (*nvfs_is_gpu_page)(struct page *page);
	unsigned int (*nvfs_gpu_index)(struct page *page);
	unsigned int (*nvfs_device_priority)(struct device *device,
					     unsigned int gpu_index);
};

DECLARE_STATIC_KEY_FALSE(rpcrdma_gpu_key);

/* gpu.c */
int rpcrdma_register_nvfs_dma_ops(struct nvfs_dma_rw_ops *ops);
void rpcrdma_unregister_nvfs_dma_ops(void);
int rpcrdma_gpu_pages(struct page **pages, unsigned int count);
int rpcrdma_gpu_map(struct rpcrdma_conn *conn, struct scatterlist *sg,
		    unsigned int nents, enum dma_data_direction dir);
void rpcrdma_gpu_unmap(struct rpcrdma_conn *conn, struct scatterlist *sg,
		       unsigned int nents, enum dma_data_direction dir);

/**
 * rpcrdma_gpu_on - is there a provider of GPU memory?
 *
 * Context: any. Costs one branch that is patched.
 * Return: true if pages may be GPU memory.
 */
static inline bool rpcrdma_gpu_on(void)
{
	return static_branch_unlikely(&rpcrdma_gpu_key);
}

#endif /* _RPCRDMA_GPU_H */
