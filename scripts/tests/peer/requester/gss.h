/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RPCSEC_GSS (RFC 2203) with Kerberos, for Calls of the requester. The ticket is that of the
 * process; the name of the server is in the environment (PEER_GSS, as "nfs@host").
 */
#ifndef PEER_GSS_H
#define PEER_GSS_H

#include <sys/types.h>
#include "requester/requester.h"

struct gss;

/* Make a context with the server, with Calls on this connection */
struct gss *gss_open(struct verbs_conn *conn);
void gss_close(struct gss *gss);

/*
 * Give a complete Call the credential and verifier of the context, and protect its
 * arguments. Return: by how many bytes these have moved; not for privacy
 */
ssize_t gss_protect(struct gss *gss, struct call *call, enum gss_service service);

/* Check verifier and protection of a Reply; @results are those of the procedure then */
void gss_check(struct gss *gss, struct reply *reply, enum gss_service service);

#endif /* PEER_GSS_H */
