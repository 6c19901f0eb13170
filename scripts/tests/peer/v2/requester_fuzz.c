// SPDX-License-Identifier: GPL-2.0-only
/* What the fuzzer varies in version 2 only. */
#include "requester/fuzz.h"
#include "v2/requester.h"
#include "v2/requester_fuzz.h"

struct call *random_connprop(void)
{
	static const uint8_t data[PROPERTY_SIZE];
	struct call *call = new_connprop();
	unsigned int n = fuzz_below(5);

	while (n--)
		switch (fuzz_below(4)) {
		case 0:
			header_add_number(&call->header, PROPERTY_RBSIZ,
					  fuzz_below(2) ? 4096u << fuzz_below(3) :
						     edge_word());
			break;
		case 1:
			header_add_number(&call->header, PROPERTY_BRS, fuzz_below(4));
			break;
		case 2:
			header_add_property(&call->header, fuzz_below(4), data,
					    fuzz_below(8));
			break;
		case 3:
			header_add_property(&call->header, edge_word(), data,
					    fuzz_below(PROPERTY_SIZE + 1));
			break;
		}
	return call;
}

void vary_version_2(struct header *header)
{
	if (fuzz_below(2))
		header->inv_handle = fuzz_below(8) ? header_first_handle(header) :
						edge_word();
	if (!fuzz_below(20))
		header->flags = edge_word();
	if (!fuzz_below(50))
		header->vers = fuzz_below(4);
	if (!fuzz_below(50))
		header->layout = 1;
}
