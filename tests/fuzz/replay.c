/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Goes once through the inputs of a target: those in tests/fuzz/corpus/NAME, or in the folders that
 * are given. That happens in a child process, so that the input which ends it can be named.
 */
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/scratch.h"

/* Where the child is, for its parent to say. */
struct progress {
    size_t inputs;
    char path[PATH_MAX];
};

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void replay(const char *path, struct progress *progress)
{
    size_t size;
    char *text = scratch_read(path, &size);
    uint8_t *bytes = malloc(size ? size : 1);

    /* Without the NUL behind it, so that reading beyond the end is seen. */
    FUZZ_MUST(text && bytes);
    memcpy(bytes, text, size);
    free(text);
    snprintf(progress->path, sizeof progress->path, "%s", path);
    LLVMFuzzerTestOneInput(bytes, size);
    progress->inputs++;
    free(bytes);
}

static void replay_all(char *const *folders, struct progress *progress)
{
    FTS *walk = fts_open(folders, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    FTSENT *entry;

    FUZZ_MUST(walk);
    while ((entry = fts_read(walk)))
        if (entry->fts_info == FTS_F)
            replay(entry->fts_path, progress);
    fts_close(walk);
    snprintf(progress->path, sizeof progress->path, "the end");
}

int main(int argc, char **argv)
{
    const char *name = strstr(argv[0], "fuzz_") ? strrchr(argv[0], '/') + strlen("/fuzz_") : "?";
    char folder[256], *own[] = {folder, NULL};
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = -1;
    pid_t child;

    FUZZ_MUST(progress != MAP_FAILED);
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
    child = fork();
    if (!child) {
        replay_all(argc > 1 ? argv + 1 : own, progress);
        exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        printf("fuzz/%s: ended with status %d at %s\n", name, status, progress->path);
    else if (!progress->inputs)
        printf("fuzz/%s: there is no input in %s\n", name, argc > 1 ? argv[1] : folder);
    status = status || !progress->inputs;
    printf("fuzz/%s: %d passed, %d failed\n", name, !status, status);
    return status;
}
