// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's file of the same name, with shared memory for the shadow of KASAN.
 *
 * It is private memory otherwise. Up to 6.12 each process of a guest begins as a fork of the
 * kernel's own process. That copies the page tables of private memory, and makes all of its
 * pages read-only until the kernel writes to them again. The shadow has a page for each eight
 * pages of the guest. Shared memory is not touched. The only other private map of this file
 * tries whether /dev/shm may hold programs, for which it does not matter.
 */
#include <sys/mman.h>

#undef MAP_PRIVATE
#define MAP_PRIVATE MAP_SHARED
#include "../../../source/arch/um/os-Linux/mem.c"
