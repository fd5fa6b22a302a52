/*
 * Writes a journal for people and programs to look at:
 *
 *     sample JOURNAL ROUNDS FAIL-EVERY TIMEOUT-EVERY
 *
 * Every so many rounds one fails or times out; 0 is never.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/journal_sample.h"

int main(int argc, char **argv)
{
    struct journal_sample sample;
    struct error error;

    if (argc != 5) {
        fprintf(stderr, "usage: sample JOURNAL ROUNDS FAIL-EVERY TIMEOUT-EVERY\n");
        return 2;
    }
    sample = (struct journal_sample){.rounds = strtoull(argv[2], NULL, 10),
                                     .fail_every = strtoull(argv[3], NULL, 10),
                                     .timeout_every = strtoull(argv[4], NULL, 10)};
    if (journal_sample_write(argv[1], &sample, &error)) {
        fprintf(stderr, "sample: %s\n", error.text);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
