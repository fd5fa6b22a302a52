/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals (tests/fuzz/chain.h) whose rounds are settled once more, with the recordings of the tree
 * and the rig that stands above a line "---", or the one that is built in. What cannot be settled
 * again is said, and what does not follow from the lines above it is named.
 *
 * Covers: rigs/evidence/replay/resettle.c rigs/evidence/replay/told.c
 */
#include <stdlib.h>
#include <string.h>

#include "rigs/evidence/replay/resettle.h"
#include "tests/fuzz/chain.h"
#include "tests/fuzz/fuzz.h"

static void resettle(const struct rig *rig, const char *text, size_t size)
{
    struct resettled resettled = {0};
    struct error error = {.text = ""};
    size_t length;
    char *journal = fuzz_chain(text, size, &length);
    struct fuzz_file file = fuzz_file(journal, length);
    int status = resettle_journal(file.path, rig, NULL, &resettled, &error);

    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    FUZZ_MUST(status || !resettled.left || resettled.why[0]);
    fuzz_file_close(&file);
    free(journal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char between[] = "\n---\n";
    const char *text = (const char *)data, *end = memmem(data, size, between, strlen(between));
    struct error error = {.text = ""};
    struct rig *rig = NULL;
    size_t from = end ? (size_t)(end - text) + strlen(between) : 0;

    if (!end)
        FUZZ_MUST(!rig_default(&rig, &error));
    else if (rig_parse(&rig, "fuzz.yaml", text, (size_t)(end - text) + 1, &error))
        return 0;
    resettle(rig, text + from, size - from);
    rig_free(rig);
    return 0;
}

FUZZ_WORDS
