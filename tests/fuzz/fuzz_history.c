/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals (tests/fuzz/chain.h) of others put into a history: two, with a line "---" between them.
 * What is taken is what a reader of journals takes, the same once more changes nothing, and
 * whatever is in the store can be found, told, compared, followed over time and pooled.
 *
 * Covers: rigs/history/import.c rigs/history/read.c rigs/history/run.c rigs/history/put.c
 * Covers: rigs/history/orders.c rigs/history/store/bytes.c
 * Covers: rigs/history/details.c rigs/history/whole.c
 * Seeds: tests/fuzz/corpus/journal
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rigs/history/details.h"
#include "rigs/history/diff.h"
#include "rigs/history/import.h"
#include "rigs/history/orders.h"
#include "rigs/history/pool.h"
#include "rigs/history/store/schema.h"
#include "rigs/history/trend.h"
#include "rigs/journal/verify.h"
#include "tests/fuzz/chain.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/scratch.h"

static char place[SCRATCH_PATH_SIZE];

static void clear_place(void)
{
    scratch_remove(place);
}

/* Made once, and emptied for each input. */
static struct store *open_store(void)
{
    static struct store *store;
    char address[SCRATCH_PATH_SIZE + 24];
    struct error error;

    if (!store) {
        scratch_path(place);
        FUZZ_MUST(!mkdir(place, 0700) && !atexit(clear_place));
        snprintf(address, sizeof address, "sqlite:%s/history.db", place);
        if (history_open(address, true, &store, &error))
            fuzz_found(__FILE__, __LINE__, error.text);
        FUZZ_MUST(!store_do(store, "PRAGMA synchronous = OFF", NULL, 0, &error));
    }
    FUZZ_MUST(!store_do(store, "DELETE FROM run", NULL, 0, &error));
    return store;
}

static void said(int status, const struct error *error)
{
    FUZZ_MUST(!status || (status == (int)error->code && error->text[0]));
}

/* Under an id that somebody gives; one that a journal has itself stays. */
static void import_named(struct store *store, const char *path)
{
    const struct history_import import = {.host = "the bench", .id = "named", .source = "\xff"};
    struct history_imported imported;
    struct error error = {.text = ""};
    int status = history_import(store, path, &import, &imported, &error);

    said(status, &error);
    FUZZ_MUST(status || !strncmp(imported.id, "named", 5));
}

/* Under an id that is too long, and what is not there. */
static void refuse(struct store *store, const char *path)
{
    char longest[2 * HISTORY_ID_MAX];
    const struct history_import import = {.host = "bench", .id = longest, .unverified = true};
    struct history_imported imported;
    struct error error = {.text = ""};

    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    FUZZ_MUST(history_import(store, path, &import, &imported, &error) && error.text[0]);
    FUZZ_MUST(history_import(store, "/proc/none", &import, &imported, &error) && error.text[0]);
}

static void import_one(struct store *store, const char *text, size_t size)
{
    const struct history_import strict = {.host = "bench"}, lax = {.unverified = true};
    struct history_imported imported, again;
    struct journal_verified verified;
    struct error error = {.text = ""}, why = {.text = ""};
    size_t length;
    char *journal = fuzz_chain(text, size, &length);
    struct fuzz_file file = fuzz_file(journal, length);
    int intact = journal_verify(file.path, &(struct journal_verify){0}, &verified, &why);
    int status = history_import(store, file.path, &strict, &imported, &error);

    said(status, &error);
    FUZZ_MUST(status || !intact);
    if (status == ERROR_RULE && !imported.is_verified) {
        FUZZ_MUST(intact && imported.problem[0]);
        status = history_import(store, file.path, &lax, &imported, &error);
        said(status, &error);
    }
    if (!status) {
        FUZZ_MUST(!history_check_id(imported.id, &error));
        FUZZ_MUST(!history_import(store, file.path, imported.is_verified ? &strict : &lax, &again,
                                  &error));
        FUZZ_MUST(again.outcome == HISTORY_SAME && !strcmp(again.id, imported.id));
    }
    import_named(store, file.path);
    refuse(store, file.path);
    fuzz_file_close(&file);
    free(journal);
}

/* What is told of a run. */
struct told {
    struct store *store;
    int64_t runs[8];
    size_t count;
    struct history_counts rounds, checks;
    struct shuffles *shuffles;
};

static int tell_recording(void *context, const struct history_recording *recording, int64_t others)
{
    struct told *told = context;

    FUZZ_MUST(others >= 0 && recording->verdict < VERDICT_COUNT);
    told->rounds.passed += recording->rounds.passed;
    told->rounds.failed += recording->rounds.failed;
    told->rounds.skipped += recording->rounds.skipped;
    return 0;
}

static int tell_check(void *context, const struct history_check *check)
{
    struct told *told = context;

    FUZZ_MUST(check->name);
    told->checks.passed += check->counts.passed;
    told->checks.failed += check->counts.failed;
    told->checks.skipped += check->counts.skipped;
    return 0;
}

/* Who has seen enough. */
static int look_once(void *context, const struct history_check *check)
{
    FUZZ_MUST(check->name);
    return ++*(unsigned *)context == 1 ? ERROR_ABORTED : 0;
}

static int tell_failure(void *context, const struct history_failure *failure)
{
    (void)context;
    FUZZ_MUST(failure->name && failure->seat >= 0);
    return 0;
}

static int tell_round(void *context, const struct history_unpassed *round)
{
    (void)context;
    FUZZ_MUST(round->verdict != VERDICT_PASS && round->verdict < VERDICT_COUNT);
    return 0;
}

static int tell_timing(void *context, const struct history_timing *timing)
{
    (void)context;
    FUZZ_MUST(timing->name && timing->took.length && !(timing->took.length % HISTORY_TOOK));
    return 0;
}

static int tell_run(void *context, const struct history_found *found)
{
    struct told *told = context;

    FUZZ_MUST(told->count < 8 && found->id && found->verdict && found->performer_count <= 64);
    told->runs[told->count++] = found->number;
    told->rounds.passed -= found->rounds.passed;
    told->rounds.failed -= found->rounds.failed;
    told->rounds.skipped -= found->rounds.skipped;
    told->checks.passed -= found->checks.passed;
    told->checks.failed -= found->checks.failed;
    told->checks.skipped -= found->checks.skipped;
    return 0;
}

static bool is_nothing(const struct history_counts *counts)
{
    return !counts->passed && !counts->failed && !counts->skipped;
}

/* The counts of a run are those of its recordings and checks. */
static void tell_details(struct told *told)
{
    struct error error = {.text = ""};
    char id[HISTORY_ID_MAX + 1];

    for (size_t i = 0; i < told->count; i++) {
        int64_t run = told->runs[i];
        unsigned looks = 0;

        FUZZ_MUST(!history_checks(told->store, run, look_once, &looks, &error) || looks == 1);
        FUZZ_MUST(!history_recordings(told->store, run, tell_recording, told, &error) &&
                  !history_checks(told->store, run, tell_check, told, &error) &&
                  !history_failures(told->store, run, tell_failure, told, &error) &&
                  !history_rounds(told->store, run, tell_round, told, &error) &&
                  !history_timings(told->store, run, tell_timing, told, &error) &&
                  !history_dated_after(told->store, run, id, &error));
    }
    FUZZ_MUST(is_nothing(&told->rounds) && is_nothing(&told->checks));
}

static int tell_machine(void *context, const char *serial)
{
    struct told *told = context;
    struct history_machine machine;
    struct history_pooled pooled;
    struct error error = {.text = ""};

    said(history_trend(told->store, serial, &machine, &error), &error);
    history_machine_free(&machine);
    said(history_pool(told->store, serial, NULL, told->shuffles, &pooled, &error), &error);
    shuffles_clear(told->shuffles);
    return 0;
}

static int tell_flaky(void *context, const struct history_flaky *flaky)
{
    (void)context;
    FUZZ_MUST(flaky->passed && flaky->failed);
    return 0;
}

static void compare(struct told *told)
{
    struct history_side sides[2] = {{.runs = &told->runs[0], .count = 1},
                                    {.runs = &told->runs[1], .count = 1}};
    struct history_diff diff;
    struct error error = {.text = ""};

    if (told->count < 2)
        return;
    FUZZ_MUST(!history_diff(told->store, sides, &diff, &error));
    history_diff_free(&diff);
}

/* Orders as a store might have them. */
static void read_orders(struct shuffles *shuffles, const struct fuzz_input *input)
{
    struct game_setup setup;
    struct shuffles_order order;
    struct error error = {.text = ""};
    size_t at = 0, before = 0;
    int status;

    while ((status = history_orders_next(input->at, input->left, &at, "chase-the-flush", &setup,
                                         &order, &error)) > 0) {
        FUZZ_MUST(at > before && at <= input->left && order.count && order.count <= DECK_SIZE);
        before = at;
        shuffles_add(shuffles, &order, &error);
    }
    shuffles_clear(shuffles);
    said(status, &error);
    FUZZ_MUST(status || at == input->left);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char between[] = "\n---\n";
    const char *text = (const char *)data, *end = memmem(data, size, between, strlen(between));
    size_t first = end ? (size_t)(end - text) + 1 : size, from = first + strlen(between) - 1;
    static struct shuffles *shuffles;
    struct told told = {.store = open_store()};
    struct error error = {.text = ""};

    if (!shuffles)
        shuffles = shuffles_new();
    told.shuffles = shuffles;
    FUZZ_MUST(shuffles);
    read_orders(shuffles, &(struct fuzz_input){data, size});
    import_one(told.store, text, first);
    if (end)
        import_one(told.store, text + from, size - from);
    FUZZ_MUST(!history_find(told.store, &(struct history_filter){0}, tell_run, &told, &error));
    tell_details(&told);
    history_run_free(NULL);
    compare(&told);
    FUZZ_MUST(!history_serials(told.store, tell_machine, &told, &error));
    FUZZ_MUST(!history_flaky(told.store, NULL, tell_flaky, &told, &error));
    return 0;
}

FUZZ_WORDS
