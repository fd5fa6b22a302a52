#include "rigs/report/rounds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_ROUNDS 1024

struct report_rounds {
    FILE *file;   /* NULL while everything is in memory */
    size_t saved; /* rounds in the file, whole blocks */
    size_t count; /* of the last block, in memory */
    size_t read;  /* where the block begins that was read last; `saved` at first */
    struct report_round last[BLOCK_ROUNDS];
    struct report_round block[BLOCK_ROUNDS];
};

struct report_rounds *report_rounds_new(void)
{
    return calloc(1, sizeof(struct report_rounds));
}

void report_rounds_free(struct report_rounds *rounds)
{
    if (rounds && rounds->file)
        fclose(rounds->file);
    free(rounds);
}

static int save_block(struct report_rounds *rounds, struct error *error)
{
    if (!rounds->file)
        rounds->file = tmpfile();
    if (!rounds->file || fwrite(rounds->last, sizeof rounds->last, 1, rounds->file) != 1 ||
        fflush(rounds->file))
        return error_set(error, ERROR_RIG,
                         "cannot keep the rounds of the report in a temporary file: %s",
                         strerror(errno));
    rounds->saved += BLOCK_ROUNDS;
    rounds->read = rounds->saved;
    rounds->count = 0;
    return 0;
}

int report_rounds_add(struct report_rounds *rounds, const struct report_round *round,
                      struct error *error)
{
    int status = rounds->count == BLOCK_ROUNDS ? save_block(rounds, error) : 0;

    if (!status)
        rounds->last[rounds->count++] = *round;
    return status;
}

struct report_round report_rounds_at(struct report_rounds *rounds, size_t index)
{
    size_t start = index - index % BLOCK_ROUNDS;

    if (start == rounds->saved && index - start < rounds->count)
        return rounds->last[index - start];
    if (start >= rounds->saved)
        return (struct report_round){.judged = false};
    if (start != rounds->read) {
        ssize_t got = pread(fileno(rounds->file), rounds->block, sizeof rounds->block,
                            (off_t)(start * sizeof rounds->block[0]));

        if (got != (ssize_t)sizeof rounds->block)
            return (struct report_round){.judged = false};
        rounds->read = start;
    }
    return rounds->block[index - start];
}
