/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals (tests/fuzz/chain.h) whose rounds are settled once more, with the rig that is built in
 * and the recordings of the tree. What cannot be settled again is said, and what does not follow
 * from the lines above it is named.
 *
 * Covers: rigs/evidence/resettle.c rigs/evidence/told.c
 */
#include <stdlib.h>

#include "rigs/evidence/resettle.h"
#include "tests/fuzz/chain.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct resettled resettled = {0};
    struct error error = {.text = ""};
    struct rig *rig = NULL;
    size_t length;
    char *journal = fuzz_chain((const char *)data, size, &length);
    struct fuzz_file file = fuzz_file(journal, length);
    int status;

    FUZZ_MUST(!rig_default(&rig, &error));
    status = resettle_journal(file.path, rig, NULL, &resettled, &error);
    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    FUZZ_MUST(status || !resettled.left || resettled.why[0]);
    rig_free(rig);
    fuzz_file_close(&file);
    free(journal);
    return 0;
}

FUZZ_WORDS
