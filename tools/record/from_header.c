/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a recording of a table that was only listened to comes from. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "hal/base/digest.h"
#include "tools/record/from_inside.h"

#define A_YEAR (365 * 24 * 3600)

/* "night.pcap sha256 3f…", one after the other. */
static int name_captures(struct recording_from *from, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < from->options->from_count; i++) {
        const char *path = from->options->from[i], *slash = strrchr(path, '/');
        char digest[DIGEST_SIZE];
        int status = digest_file(path, digest, &from->error);

        if (status)
            return status;
        used += (size_t)snprintf(text + used, size - used, "%s%s sha256 %s", i ? ", " : "",
                                 slash ? slash + 1 : path, digest);
        if (used >= size)
            return 0;
    }
    return 0;
}

static const struct wire_identity *identity_of(const struct recording_from *from)
{
    for (size_t i = 0; i < from->known_count; i++)
        if (from->known[i].line == from->dealing && from->known[i].channel == from->channel)
            return &from->known[i].identity;
    return NULL;
}

static void name_device(const struct recording_from *from, char name[RECORD_FROM_NAME])
{
    const struct wire_identity *identity = identity_of(from);

    if (identity)
        snprintf(name, RECORD_FROM_NAME, "%s %s", identity->model, identity->serial);
    else
        memcpy(name, from->address, sizeof from->address);
}

/* "given, stax heard": whence the wagers are known. */
static void name_wagers(const struct recording_from *from, bool are_heard, char text[64])
{
    const struct game *game = from->header.setup.game;
    const char *heard = NULL;

    for (unsigned i = 0; are_heard && i < game->wager_count; i++)
        if (game->wagers[i].progressive)
            heard = game->wagers[i].name;
    snprintf(text, 64, "%s%s%s%s", from->notes ? "noted" : "given", heard ? ", " : "",
             heard ? heard : "", heard ? " heard" : "");
}

int record_from_write_header(struct recording_from *from, const struct deal *deal)
{
    const struct live_options *options = from->options;
    const struct wire_identity *identity = identity_of(from);
    time_t seconds = (time_t)(from->first / NANOS_PER_SECOND);
    char date[32] = "", device[RECORD_FROM_NAME], captures[1024] = "", decisions[32], wagers[64];
    struct recording_source source = {.device = device,
                                      .firmware = identity ? identity->firmware : NULL,
                                      .by = options->setup.by,
                                      .note = options->note,
                                      .decisions = decisions,
                                      .devices = from->is_emulated ? "emulated" : NULL,
                                      .capture = captures,
                                      .wagers = wagers,
                                      .mode = deal->is_in_test_mode ? "test" : NULL};
    struct tm utc;
    int status = name_captures(from, captures, sizeof captures);

    if (status)
        return status;
    if (seconds > A_YEAR && gmtime_r(&seconds, &utc) &&
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc))
        source.recorded = date;
    name_device(from, device);
    name_wagers(from, deal->has_wagers, wagers);
    snprintf(decisions, sizeof decisions, "%s%s", from->notes ? "noted" : "policy ",
             from->notes ? "" : policy_names[from->table.policy]);
    from->has_header = true;
    from->is_of_test_mode = deal->is_in_test_mode;
    return recorder_header(from->recorder, &from->header, &source, &from->error);
}
