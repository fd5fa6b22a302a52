/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/conform_bench.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

static void tell(void *context, const struct conform_result *result)
{
    struct conform_bench *bench = context;
    size_t used = strlen(bench->failed);

    CU_ASSERT_FATAL(bench->count < CONFORM_BENCH_MAX);
    CU_ASSERT_FATAL(strlen(result->id) < sizeof bench->ids[0]);
    strcpy(bench->ids[bench->count], result->id);
    bench->frames[bench->count] = (unsigned)result->frame_count;
    bench->verdicts[bench->count++] = result->verdict;
    CU_ASSERT_EQUAL(result->why == NULL, result->verdict == CONFORM_PASS);
    CU_ASSERT(*result->text);
    if (result->verdict == CONFORM_FAIL)
        snprintf(bench->failed + used, sizeof bench->failed - used, "%s: %s\n", result->id,
                 result->why);
}

static void ask(void *context, const char *what)
{
    struct conform_bench *bench = context;

    (void)what;
    if (bench->meddle)
        bench->meddle(bench);
}

static struct model *make(void *context, const char *name, const char *options, struct error *error)
{
    struct conform_bench *bench = context;

    bench->kind = model_kind_find(name, error);
    bench->model = bench->kind ? bench->kind->make(options, error) : NULL;
    return bench->model;
}

void conform_bench_begin(struct conform_bench *bench, enum frame_class class)
{
    memset(bench, 0, sizeof *bench);
    bench->conform = (struct conform){.hal = &bench->hal,
                                      .class = class,
                                      .code = "4711",
                                      .admin_code = "86420",
                                      .hands = true,
                                      .alters = true,
                                      .told = tell,
                                      .asks = ask,
                                      .context = bench};
    clock_virtual(&bench->clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    bench->hal.make_model = make;
    bench->hal.model_context = bench;
}

void conform_bench_again(struct conform_bench *bench)
{
    bench->count = 0;
    bench->failed[0] = '\0';
    memset(bench->conform.counts, 0, sizeof bench->conform.counts);
    bench->status = conform_run(&bench->conform, bench->link, &bench->error);
    bench->has_shown =
        bench->kind && bench->kind->has_shown && bench->kind->has_shown(bench->model);
}

void conform_bench_run(struct conform_bench *bench, const char *address)
{
    int status = link_open(&bench->link, &bench->hal, address, &bench->error);

    if (status)
        printf("%s\n", bench->error.text);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    conform_bench_again(bench);
}

void conform_bench_end(struct conform_bench *bench)
{
    link_close(bench->link);
    hal_close(&bench->hal);
}

enum conform_verdict conform_bench_verdict(const struct conform_bench *bench, const char *id)
{
    for (unsigned i = 0; i < bench->count; i++)
        if (!strcmp(bench->ids[i], id))
            return bench->verdicts[i];
    return CONFORM_VERDICTS;
}
