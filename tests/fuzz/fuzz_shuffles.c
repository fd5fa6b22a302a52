/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings as shuffles to be judged: an input is a whole .shoe file, read twice as if it were two
 * of one device. P-values are chances, and the page of what was found can be written.
 *
 * Covers: rigs/shuffles/read.c rigs/shuffles/html.c rigs/shuffles/html_map.c
 * Covers: rigs/shuffles/html_chart.c games/shuffles/count.c games/shuffles/hands.c
 * Covers: games/shuffles/judge.c games/shuffles/trials.c games/shuffles/repeats.c
 * Covers: games/shuffles/places.c games/shuffles/order.c
 * Seeds: fixtures/ .shoe
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/shuffles/html.h"
#include "rigs/shuffles/read.h"
#include "tests/fuzz/fuzz.h"

static void judge(struct shuffles_reader *reader)
{
    static struct shuffles_report report;
    char digest[DIGEST_SIZE];
    struct shuffles_page page = {.shuffles = reader->shuffles,
                                 .report = &report,
                                 .device = reader->device,
                                 .firmware = reader->firmware,
                                 .from = reader->name,
                                 .recordings = reader->recordings,
                                 .recorded = reader->first,
                                 .digest = digest};
    FILE *out = fuzz_sink();

    shuffles_read_digest(reader, digest);
    shuffles_judge(reader->shuffles, 0.01, &report);
    for (size_t i = 0; i < report.result_count; i++)
        FUZZ_MUST(!shuffles_is_judged(&report.results[i]) ||
                  (report.results[i].p >= 0 && report.results[i].p <= 1));
    shuffles_html_page(&page, out);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_file file = fuzz_file(data, size);
    struct shuffles_reader reader = {.stop = -1, .shuffles = shuffles_new()};
    struct error error = {.text = ""};
    int status = 0;

    FUZZ_MUST(reader.shuffles);
    for (unsigned i = 0; i < 2 && !status; i++) {
        lseek(file.fd, 0, SEEK_SET);
        status = shuffles_read(&reader, file.fd, "fuzz.shoe", &error);
    }
    FUZZ_MUST(!status || (status == ERROR_CONFIG && error.text[0]));
    if (!status)
        judge(&reader);
    shuffles_free(reader.shuffles);
    fuzz_file_close(&file);
    return 0;
}

FUZZ_WORDS
