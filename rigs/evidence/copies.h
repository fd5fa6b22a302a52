/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a journal says of the files that the folder of its run has copies of: the digests of the rig
 * file, of what that names, and of each recording and what it is expected to come to. Taken line by
 * line, and then held against a manifest. copies_free() gives back what is kept.
 */
#ifndef RIGS_EVIDENCE_COPIES_H
#define RIGS_EVIDENCE_COPIES_H

#include "rigs/evidence/manifest.h"
#include "rigs/journal/read.h"
#include "rigs/rig/named.h"

#define COPIES_RIG        "rig.yaml"
#define COPIES_RECORDINGS "recordings/"
#define COPIES_PAYTABLES  "paytables.json"
#define COPIES_FILES      "files/" /* scripts and maps */

struct copies_recording {
    uint64_t line; /* of the journal; 0: it does not name it */
    char shoe[DIGEST_SIZE], expect[DIGEST_SIZE];
};

struct copies {
    char rig[DIGEST_SIZE];                  /* "": it is built in */
    char named[RIG_NAMED_MAX][DIGEST_SIZE]; /* what it names */
    size_t named_count;                     /* 0: nothing, or an earlier version does not say */
    struct copies_recording *recordings;
    size_t room;
};

/* Takes what a line says of such files, if anything. ERROR_RIG: memory is short. */
int copies_see(struct copies *copies, const struct journal_line *line, struct error *error);
void copies_free(struct copies *copies);

/* ERROR_RULE names the file of the manifest that is not the one that the journal names. */
int copies_check(const struct copies *copies, const struct manifest *manifest, struct error *error);

/* The number in "recordings/012-NAME.shoe", from 1; 0 where it is something else. */
size_t copies_number(const char *name);

#endif
