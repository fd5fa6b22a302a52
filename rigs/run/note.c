/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is noted of a round while it is played: times, events, tries. */
#include <stdarg.h>
#include <stdio.h>

#include "rigs/run/options.h"
#include "rigs/run/round.h"

const char *const run_timing_names[RUN_TIMINGS] = {"shuffle", "packet", "card", "lights",
                                                   "jackpot", "take",   "reply"};

void run_time(struct run *run, enum run_timing timing, nanos_t took, uint32_t limit)
{
    char expected[32], got[32];

    if (took > run->round.took[timing])
        run->round.took[timing] = took;
    run->round.limit[timing] = limit * NANOS_PER_MILLI;
    if (took <= limit * NANOS_PER_MILLI) {
        check_pass(run->book, CHECK_TIMING);
        return;
    }
    snprintf(expected, sizeof expected, "%u", (unsigned)limit);
    snprintf(got, sizeof got, "%.3f", (double)took / (double)NANOS_PER_MILLI);
    check_fail(run->book, CHECK_TIMING,
               (struct check_result){.wager = run_timing_names[timing],
                                     .expected = expected,
                                     .got = got,
                                     .device = got,
                                     .why = "milliseconds at most"});
}

void run_event(struct run *run, const char *device, const char *name, const char *details,
               nanos_t time)
{
    struct check_book *book = run->book;

    if (run->journal && !book->status)
        book->status = journal_event(run->journal, device, name, details, time, &book->error);
}

void run_retry(struct run *run, const char *device, const char *what, unsigned attempt,
               const char *why)
{
    struct check_book *book = run->book;

    if (run->journal && !book->status)
        book->status = journal_retry(run->journal, device, what, attempt, why, &book->error);
}

void run_ask(const struct run *run, const char *format, ...)
{
    char what[96];
    va_list arguments;

    if (!run->options->asked || run->bench->rig->clock == RIG_CLOCK_VIRTUAL)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    run->options->asked(run->options->context, what);
}

void run_wait_begin(struct run *run, const char *what, const char *device, uint64_t limit_ms)
{
    const struct runner_options *options = run->options;
    struct check_book *book = run->book;

    if (run->bench->rig->clock == RIG_CLOCK_VIRTUAL)
        return;
    if (run->journal && !book->status)
        book->status = journal_wait(run->journal, &(struct journal_wait){what, device, limit_ms},
                                    &book->error);
    if (options->awaited)
        options->awaited(options->context, &(struct run_wait){what, device, limit_ms});
}

void run_wait_end(const struct run *run)
{
    if (run->options->awaited && run->bench->rig->clock != RIG_CLOCK_VIRTUAL)
        run->options->awaited(run->options->context, NULL);
}

void run_enter_settlement(struct run *run)
{
    struct check_book *book = run->book;

    if (run->journal && !book->status)
        book->status =
            journal_settlement(run->journal, run->line, run->round.line_length, &book->error);
}
