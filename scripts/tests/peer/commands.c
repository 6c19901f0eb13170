// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that list and run the tables of scenarios.
 */
#include <stdio.h>
#include "commands.h"
#include "requester/requester.h"
#include "responder/scenarios.h"
#include "v2/requester.h"
#include "v2/responder.h"

int command_list(int argc, char **argv)
{
	list_scenarios(requester_scenarios, requester_scenario_count);
	list_scenarios(v2_requester_scenarios, v2_requester_scenario_count);
	list_scenarios(responder_scenarios, responder_scenario_count);
	list_scenarios(v2_responder_scenarios, v2_responder_scenario_count);
	return 0;
}

static int run_table(const struct scenario *table, unsigned int count,
		     void (*alive)(void), int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "peer COMMAND ADDRESS PORT [PATTERN...]\n");
		return 2;
	}
	target.address = argv[0];
	target.port = argv[1];
	return run_scenarios(table, count, argv + 2, alive) ? 1 : 0;
}

int command_requester(int argc, char **argv)
{
	return run_table(requester_scenarios, requester_scenario_count,
			 check_server_alive, argc, argv);
}

int v2_command_requester(int argc, char **argv)
{
	return run_table(v2_requester_scenarios, v2_requester_scenario_count,
			 check_server_alive, argc, argv);
}

int command_responder(int argc, char **argv)
{
	return run_table(responder_scenarios, responder_scenario_count,
			 check_client_alive, argc, argv);
}

int v2_command_responder(int argc, char **argv)
{
	return run_table(v2_responder_scenarios, v2_responder_scenario_count,
			 check_client_alive, argc, argv);
}
