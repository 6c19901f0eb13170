# SPDX-License-Identifier: GPL-2.0-only
"""Names of what a connection has in sysfs, where several modules need them. Only data."""

# Files of a connection whose values make sense as a sum
GAUGES = {
    "credits_max": "Most Calls that the Receive buffers allow",
    "credits_asked": "Credits that clients ask for",
    "credits_granted": "Credits that servers granted",
    "credits_used": "Calls that have no Reply yet",
    "reverse_credits": "Most callbacks under way",
    "requests_in_flight": "RPCs that wait for their Reply (client), Calls without a Reply (server)",
    "requests_waiting": "RPCs that cannot be sent yet (client), Calls that wait to be served (server)",
    "send_queue_depth": "Send queue slots",
    "send_queue_used": "Send queue slots in use",
    "receive_queue_depth": "Receive buffers",
    "receive_queue_used": "Receive buffers whose message is being processed",
    "mrs": "Memory regions",
    "mrs_used": "Memory regions used by a request",
}
# Name of a histogram: (a title, a sentence)
HISTOGRAMS = {
    "post_to_completion": ("post to completion", "From posting a WR chain until its completion is handled"),
    "registration": ("registration", "Registering the memory of a Call (client), or one rdma_rw context (server)"),
    "credit_wait": ("wait for a credit", "How long RPCs that had to wait for a credit waited"),
    "send_queue_wait": ("wait for send queue slots",
                        "How long posts that had to wait for send queue slots waited"),
}
BUCKETS = 28        # of a histogram; the last one has no upper bound


def upper_bound(bucket):
    """In nanoseconds"""
    return 1 << (bucket + 8)
