// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's file of the same name, with another save_stack_trace().
 *
 * KASAN, kmemleak and page_owner save a call trace with each allocation, lockdep with each
 * new dependency. The kernel's own function looks up each word of the stack, to the stack's
 * end, as an address in the kernel's text, and then keeps the return addresses of the chain
 * of frame pointers only. Following the chain gives the same trace without the search. Only
 * a trace taken in a fault handler differs: this one begins in the handler.
 */
#include <linux/export.h>
#include <linux/stacktrace.h>

void searching_save_stack_trace(struct stack_trace *trace);

#define save_stack_trace searching_save_stack_trace
#include "../../../source/arch/um/kernel/stacktrace.c"
#undef save_stack_trace

static unsigned long stack_end(unsigned long address)
{
	return round_down(address, THREAD_SIZE) + THREAD_SIZE;
}

static bool frame_in(const struct stack_frame *frame, unsigned long from, unsigned long end)
{
	unsigned long address = (unsigned long)frame;

	return address >= from && address <= end - sizeof(*frame) &&
	       IS_ALIGNED(address, sizeof(long));
}

void __no_sanitize_address save_stack_trace(struct stack_trace *trace)
{
	const struct stack_frame *frame = __builtin_frame_address(0);
	unsigned long from = (unsigned long)frame, end = stack_end(from);

	while (trace->nr_entries < trace->max_entries && frame_in(frame, from, end) &&
	       __kernel_text_address(frame->return_address)) {
		trace->entries[trace->nr_entries++] = frame->return_address;
		from = (unsigned long)(frame + 1);
		frame = frame->next_frame;
	}
}
EXPORT_SYMBOL_GPL(save_stack_trace);
