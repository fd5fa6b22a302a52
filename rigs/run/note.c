/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is noted of a round while it is played: times, events, tries. */
#include <stdarg.h>
#include <stdio.h>

#include "rigs/run/options.h"
#include "rigs/run/round.h"

const char *const run_timing_names[RUN_TIMINGS] = {"shuffle", "packet", "card", "lights",
                                                   "jackpot", "take",   "reply"};

/* The device whose time it is, and which of its times; NULL: nobody's. */
static const struct device *timed_device(const struct run *run, enum run_timing timing,
                                         unsigned *time)
{
    static const struct {
        enum device_class class;
        unsigned time;
    } of[RUN_TIMINGS] = {
        [RUN_SHUFFLE] = {DEVICE_SHUFFLER, DEVICE_TIME_SHUFFLE},
        [RUN_PACKET] = {DEVICE_SHUFFLER, DEVICE_TIME_PACKET},
        [RUN_TAKE] = {DEVICE_SHUFFLER, DEVICE_TIME_TAKE},
        [RUN_CARD] = {DEVICE_SHOE, DEVICE_TIME_CARD},
        [RUN_LIGHTS] = {DEVICE_TERMINAL, DEVICE_TIME_LIGHTS},
        [RUN_JACKPOT] = {DEVICE_TERMINAL, DEVICE_TIME_JACKPOT},
    };
    const struct bench_device *device = bench_find(run->bench, of[timing].class);

    *time = of[timing].time;
    return device ? device->device : NULL;
}

bool run_is_by_hand(const struct run *run, enum run_timing timing)
{
    unsigned time;
    const struct device *device = timed_device(run, timing, &time);

    return device && device->by_hand & time;
}

static bool is_untimed(const struct run *run, enum run_timing timing)
{
    unsigned time;
    const struct device *device = timed_device(run, timing, &time);

    return device && device->untimed & time;
}

/* Said once in a recording of each. */
static void skip_time(struct run *run, enum run_timing timing, const char *before,
                      const char *after)
{
    char why[96];

    if (run->recording.by_hand & 1u << timing)
        return;
    run->recording.by_hand |= 1u << timing;
    snprintf(why, sizeof why, "%s '%s'%s", before, run_timing_names[timing], after);
    check_skip(run->book, CHECK_TIMING, why);
}

void run_time(struct run *run, enum run_timing timing, nanos_t took, uint32_t limit)
{
    char expected[32], got[32];

    if (is_untimed(run, timing)) {
        skip_time(run, timing, "no line tells when", " is over: its time is not known");
        return;
    }
    if (took > run->round.took[timing])
        run->round.took[timing] = took;
    if (run_is_by_hand(run, timing)) {
        run->round.by_hand |= 1u << timing;
        skip_time(run, timing, "people take the time of", ": it is not the machine's");
        return;
    }
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

int run_enter_question(void *context, const struct desk_open *question, const struct answer *answer,
                       struct error *error)
{
    struct run *run = context;
    struct check_book *book = run->book;

    if (!run->journal)
        return 0;
    if (!book->status)
        book->status = answer ? journal_answer(run->journal, question, answer, &book->error)
                              : journal_question(run->journal, question, &book->error);
    if (book->status && error)
        *error = book->error;
    return book->status;
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
        book->status = journal_wait(run->journal, &(struct journal_wait){what, device, limit_ms, 0},
                                    &book->error);
    if (options->awaited)
        options->awaited(options->context, &(struct run_wait){what, device, limit_ms, 0});
}

void run_wait_end(const struct run *run)
{
    if (run->options->awaited && run->bench->rig->clock != RIG_CLOCK_VIRTUAL)
        run->options->awaited(run->options->context, NULL);
}

/* To whom a step deals. */
static const char *name_place(const struct deal_step *step, char text[16])
{
    switch (step->to) {
    case DEAL_TO_SEAT:
        snprintf(text, 16, "seat %u", step->seat);
        return text;
    case DEAL_TO_DEALER:
        return "dealer";
    case DEAL_TO_BOARD:
        return "board";
    default:
        return "burned";
    }
}

void run_tell_dealt(const struct run *run)
{
    const struct runner_options *options = run->options;
    const struct round *dealt = &run->round.dealt;
    struct deal_step steps[PACKETS_MAX];
    struct run_cards told = {.round = dealt->number, .to = "drawn"};
    unsigned last = dealt->packet_count - 1u;
    char place[16];

    if (!options->dealt || run->bench->rig->clock == RIG_CLOCK_VIRTUAL)
        return;
    if (last < game_deal(&run->recording.header->setup, dealt->seats, steps))
        told.to = name_place(&steps[last], place);
    told.count = dealt->packet[last];
    told.cards = dealt->dealt + dealt->dealt_count - told.count;
    options->dealt(options->context, &told);
}

void run_enter_settlement(struct run *run)
{
    struct check_book *book = run->book;

    if (run->journal && !book->status)
        book->status =
            journal_settlement(run->journal, run->line, run->round.line_length, &book->error);
}
