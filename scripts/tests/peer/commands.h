/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of the program. Each gets the arguments after its name and
 * returns an exit status.
 */
#ifndef PEER_COMMANDS_H
#define PEER_COMMANDS_H

struct command {
	const char	*name;
	const char	*arguments;
	const char	*text;
	int		(*run)(int argc, char **argv);
};

/* commands.c */
int command_list(int argc, char **argv);
int command_requester(int argc, char **argv);
int command_responder(int argc, char **argv);
int v2_command_requester(int argc, char **argv);
int v2_command_responder(int argc, char **argv);

/* requester/fuzz.c */
int command_fuzz(int argc, char **argv);

/* requester/crowd.c */
int command_crowd(int argc, char **argv);

/* requester/flood.c */
int command_flood(int argc, char **argv);

#endif /* PEER_COMMANDS_H */
