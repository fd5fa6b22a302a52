/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device's log against what is due in it: entries, their order, their times and how many. */
#include "rigs/run/log.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

#define MS(millis) ((nanos_t)(millis)*NANOS_PER_MILLI)

/* What was told last, of how many. */
static struct {
    unsigned failed, seat;
    char expected[64], got[64], why[128];
} told;

static int note(void *context, const struct check_result *result, struct error *error)
{
    (void)context;
    (void)error;
    told.failed++;
    told.seat = result->seat;
    snprintf(told.expected, sizeof told.expected, "%s", result->expected);
    snprintf(told.got, sizeof told.got, "%s", result->got);
    snprintf(told.why, sizeof told.why, "%s", result->why);
    return 0;
}

struct bench_log {
    struct check_tally tally;
    struct check_book book;
    struct run_log due;
    struct run_log_past past;
    struct run_log_reading reading;
};

/* A reading of what comes from entry `next` on, a second of the bench's clock after the last one.
 */
static void begin(struct bench_log *log, uint32_t next)
{
    memset(&told, 0, sizeof told);
    log->reading = (struct run_log_reading){.book = &log->book,
                                            .device = "terminal",
                                            .expected = &log->due,
                                            .next = next,
                                            .past = &log->past,
                                            .now = log->past.read + MS(1000)};
}

/* Static, since it is large. */
static struct bench_log *open_log(uint32_t next)
{
    static struct bench_log log;

    memset(&log, 0, sizeof log);
    log.book = (struct check_book){.write_result = note, .tally = &log.tally};
    run_log_follow(&log.past, next, MS(1000));
    begin(&log, next);
    return &log;
}

/* An entry of code 7 about seat 1 is due, and was told in the reading; it comes. */
static void due(struct bench_log *log, int64_t value)
{
    run_log_add(&log->due, 7, 1, value, 0, MS(2000));
}

static struct log_entry entry(uint32_t number, uint64_t millis, uint32_t value)
{
    return (struct log_entry){
        .number = number, .millis = millis, .code = 7, .detail = 1, .value = value};
}

static void come(struct bench_log *log, uint32_t number, uint64_t millis, uint32_t value)
{
    const struct log_entry comes = entry(number, millis, value);

    run_log_read(&log->reading, &comes);
}

static void come_again(struct bench_log *log, uint32_t number, uint64_t millis, uint32_t value)
{
    const struct log_entry comes = entry(number, millis, value);

    run_log_again(&log->reading, &comes);
}

static void pass_over(struct bench_log *log, uint32_t number, uint64_t millis)
{
    const struct log_entry comes = entry(number, millis, 0);

    run_log_pass(&log->reading, &comes);
}

static void expect_told(const char *expected, const char *got, const char *why)
{
    CU_ASSERT_EQUAL(told.failed, 1);
    CU_ASSERT_STRING_EQUAL(told.expected, expected);
    CU_ASSERT_STRING_EQUAL(told.got, got);
    CU_ASSERT_PTR_NOT_NULL(strstr(told.why, why));
}

TEST(more_than_there_is_room_for_leaves_open_what_is_due)
{
    struct bench_log *log = open_log(0);

    for (unsigned i = 0; i < RUN_LOG_MAX; i++)
        due(log, i);
    CU_ASSERT_FALSE(log->due.is_unsure);
    due(log, 1);
    CU_ASSERT(log->due.is_unsure);
    CU_ASSERT_EQUAL(log->due.count, RUN_LOG_MAX);
    run_log_clear(&log->due);
    CU_ASSERT_FALSE(log->due.is_unsure);
    CU_ASSERT_EQUAL(log->due.count, 0);
}

static void expect_values(const struct run_log *log, const char *expected)
{
    CU_ASSERT_EQUAL_FATAL(log->count, strlen(expected));
    for (unsigned i = 0; i < log->count; i++)
        CU_ASSERT_EQUAL(log->entries[i].value, expected[i] - '0');
}

TEST(one_that_is_due_changes_places_with_the_one_after_it)
{
    struct bench_log *log = open_log(0);

    for (unsigned i = 1; i <= 4; i++)
        due(log, i);
    run_log_swap(&log->due, 1);
    expect_values(&log->due, "1324");
}

TEST(one_that_is_due_before_the_last_was_told_with_it)
{
    struct bench_log *log = open_log(0);

    for (unsigned i = 1; i <= 3; i++)
        run_log_add(&log->due, 7, 1, i, MS(i), MS(10 * i));
    run_log_insert(&log->due, 8, 2, 9);
    expect_values(&log->due, "1293");
    CU_ASSERT_EQUAL(log->due.entries[2].code, 8);
    CU_ASSERT_EQUAL(log->due.entries[2].detail, 2);
    CU_ASSERT_EQUAL(log->due.entries[2].since, 0);
    CU_ASSERT_EQUAL(log->due.entries[2].told, MS(30));
    CU_ASSERT_EQUAL(log->due.entries[3].told, MS(30));
}

TEST(where_there_is_no_room_before_the_last_all_stay_in_their_places)
{
    struct bench_log *log = open_log(0);

    for (unsigned i = 0; i < RUN_LOG_MAX; i++)
        due(log, i);
    run_log_insert(&log->due, 8, 2, 9);
    CU_ASSERT(log->due.is_unsure);
    for (unsigned i = 0; i < RUN_LOG_MAX; i++)
        CU_ASSERT_EQUAL(log->due.entries[i].value, i);
}

TEST(only_the_first_difference_is_told)
{
    struct bench_log *log = open_log(4);

    due(log, 1);
    due(log, 2);
    come(log, 4, 10, 8);
    expect_told("[7,1,1]", "[7,1,8]", "code and details");
    come(log, 5, 20, 9);
    come(log, 9, 5, 9);
    CU_ASSERT_EQUAL(told.failed, 1);
    CU_ASSERT_EQUAL(log->reading.next, 10);
    CU_ASSERT_EQUAL(log->reading.count, 1);
}

TEST(an_entry_is_of_the_code_the_detail_and_the_value_that_are_due)
{
    static const struct log_entry wrong[] = {
        {.number = 0, .millis = 10, .code = 8, .detail = 1, .value = 1},
        {.number = 0, .millis = 10, .code = 7, .detail = 2, .value = 1},
        {.number = 0, .millis = 10, .code = 7, .detail = 1, .value = 2},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct bench_log *log = open_log(0);
        char got[64];

        due(log, 1);
        run_log_read(&log->reading, &wrong[i]);
        snprintf(got, sizeof got, "[%u,%u,%u]", wrong[i].code, wrong[i].detail, wrong[i].value);
        expect_told("[7,1,1]", got, "code and details");
    }
}

TEST(an_entry_that_is_due_and_does_not_come_is_told_at_the_end)
{
    struct bench_log *log = open_log(0);

    due(log, 1);
    due(log, 2);
    run_log_total(&log->reading, 1, MS(1500));
    come(log, 0, 10, 1);
    run_log_end(&log->reading);
    expect_told("2", "1", "entries of the log in this round");
    CU_ASSERT_EQUAL(told.seat, 0);
}

TEST(an_entry_that_is_not_due_is_held_against_none_that_was_due_before)
{
    struct bench_log *log = open_log(0);

    /* What stood there before says that it is slow, and that it was not counted. */
    run_log_add(&log->due, 7, 1, 5, MS(1900), MS(1));
    run_log_add(&log->due, 7, 1, 5, MS(1900), MS(1));
    run_log_clear(&log->due);
    log->past.anchor = log->past.origin = (struct run_log_anchor){true, 10, MS(1000), MS(1000)};
    run_log_total(&log->reading, 0, MS(500));
    run_log_total(&log->reading, 1, MS(600));
    come(log, 0, 10, 5);
    expect_told("null", "[7,1,5]", "code and details");
}

TEST(a_number_that_is_left_out_is_told)
{
    struct bench_log *log = open_log(4);

    due(log, 1);
    come(log, 6, 10, 1);
    expect_told("4", "6", "number of an entry");
    CU_ASSERT_EQUAL(log->reading.next, 7);
}

/* The first entry was written between 1 s and 2 s of the bench's clock, at 1000 ms of its own. */
static struct bench_log *open_anchored(void)
{
    struct bench_log *log = open_log(0);

    log->past.millis = 1000;
    log->past.anchor = log->past.origin = (struct run_log_anchor){true, 1000, MS(1000), MS(2000)};
    return log;
}

/* The next one comes when the bench's clock is at `now`, and was not written before `since`. */
static void come_at(struct bench_log *log, uint64_t ran, nanos_t since, nanos_t now)
{
    log->past.read = since;
    log->reading.now = now;
    due(log, 1);
    come(log, 0, 1000 + ran, 1);
}

TEST(a_clock_may_run_twice_as_fast_and_a_tick)
{
    static const struct {
        uint64_t ran;
        nanos_t now;
        const char *expected, *got;
    } cases[] = {
        {1300, MS(1600), NULL, NULL},
        {1301, MS(1600), "600", "1301"},
        {100, MS(1000), NULL, NULL},
        {101, MS(1000), "0", "101"},
        {101, MS(900), "0", "101"},
        {INT64_MAX, MS(1600), "600", "9223372036854775807"},
        {UINT64_C(1) << 63, MS(1600), "600", "\"9223372036854775808\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench_log *log = open_anchored();

        come_at(log, cases[i].ran, 0, cases[i].now);
        if (cases[i].expected)
            expect_told(cases[i].expected, cases[i].got, "at most so many");
        else
            CU_ASSERT_EQUAL(told.failed, 0);
    }
}

TEST(a_clock_may_run_half_as_fast_less_a_tick)
{
    static const struct {
        uint64_t ran;
        nanos_t since;
        const char *expected, *got;
    } cases[] = {
        {500, MS(3100), NULL, NULL},
        {500, MS(3101), "1101", "500"},
        {0, MS(2100), NULL, NULL},
        {0, MS(2101), "101", "0"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench_log *log = open_anchored();

        come_at(log, cases[i].ran, cases[i].since, MS(4000));
        if (cases[i].expected)
            expect_told(cases[i].expected, cases[i].got, "at least so many");
        else
            CU_ASSERT_EQUAL(told.failed, 0);
    }
}

TEST(an_entry_is_in_time_by_the_first_one_as_well_as_by_an_earlier_one)
{
    struct bench_log *log = open_anchored();

    log->past.origin = (struct run_log_anchor){true, 500, MS(1000), MS(2000)};
    come_at(log, 1000, 0, MS(1600));
    expect_told("600", "1500", "at most so many");
    log = open_anchored();
    log->past.anchor = (struct run_log_anchor){true, 500, MS(1000), MS(2000)};
    come_at(log, 1000, 0, MS(1600));
    expect_told("600", "1500", "at most so many");
}

TEST(a_time_before_that_of_the_entry_above_is_told_once)
{
    struct bench_log *log = open_anchored();

    log->past.millis = 2000;
    come_at(log, 500, 0, MS(1600));
    expect_told("2000", "1500", "before those of the one above");
    log = open_anchored();
    log->past.anchor.is_known = false;
    due(log, 1);
    come(log, 0, 999, 8);
    expect_told("1000", "999", "before those of the one above");
    CU_ASSERT_FALSE(log->past.anchor.is_known);
}

TEST(what_was_told_before_the_log_was_asked_for_was_counted)
{
    static const struct {
        uint32_t number;
        nanos_t told;
        bool is_told;
    } cases[] = {
        {4, MS(999), false},
        {5, MS(999), true},
        {5, MS(1000), false},
        {6, MS(999), true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench_log *log = open_log(cases[i].number);
        char expected[16];

        run_log_total(&log->reading, 5, MS(1000));
        run_log_total(&log->reading, 8, MS(1500));
        run_log_add(&log->due, 7, 1, 1, 0, cases[i].told);
        come(log, cases[i].number, 10, 1);
        snprintf(expected, sizeof expected, "%u", cases[i].number + 1);
        if (cases[i].is_told)
            expect_told(expected, "5", "when this one was told");
        else
            CU_ASSERT_EQUAL(told.failed, 0);
    }
}

TEST(a_log_has_grown_when_a_later_reply_counts_more_for_the_first_time)
{
    struct bench_log *log = open_log(0);
    struct run_log_reading *reading = &log->reading;

    run_log_total(reading, 5, MS(100));
    CU_ASSERT_FALSE(reading->has_grown);
    run_log_total(reading, 5, MS(200));
    CU_ASSERT_FALSE(reading->has_grown);
    run_log_total(reading, 6, MS(300));
    CU_ASSERT(reading->has_grown);
    run_log_total(reading, 7, MS(400));
    CU_ASSERT_EQUAL(reading->grown_from, 5);
    CU_ASSERT_EQUAL(reading->grown_since, MS(200));
    CU_ASSERT_EQUAL(reading->total, 7);
    CU_ASSERT_EQUAL(reading->asked, MS(400));
    CU_ASSERT_EQUAL(told.failed, 0);
}

TEST(a_log_that_counts_fewer_than_before_is_told_once)
{
    struct bench_log *log = open_log(0);

    run_log_total(&log->reading, 5, MS(100));
    run_log_total(&log->reading, 4, MS(200));
    expect_told("5", "4", "fewer than before");
    CU_ASSERT_FALSE(log->reading.has_grown);
    run_log_total(&log->reading, 3, MS(300));
    CU_ASSERT_EQUAL(told.failed, 1);
}

/* Three entries from number 200 on were read, and are read again. */
static struct bench_log *open_read(void)
{
    struct bench_log *log = open_log(200);

    for (unsigned i = 0; i < 3; i++) {
        due(log, RUN_LOG_ANY);
        come(log, 200 + i, 10 + i, i);
    }
    CU_ASSERT_EQUAL(told.failed, 0);
    begin(log, 203);
    return log;
}

TEST(an_entry_that_is_read_again_is_what_it_was)
{
    struct bench_log *log = open_read();

    for (unsigned i = 0; i < 3; i++)
        come_again(log, 200 + i, 10 + i, i);
    CU_ASSERT_EQUAL(told.failed, 0);
    for (unsigned i = 0; i < 3; i++) {
        begin(log, 203);
        come_again(log, 200 + i, 10 + i, i + 1);
        CU_ASSERT_EQUAL(told.failed, 1);
        begin(log, 203);
        come_again(log, 200 + i, 11 + i, i);
        CU_ASSERT_EQUAL(told.failed, 1);
    }
    expect_told("null", "202", "not what it was when first read");
    come_again(log, 200, 10, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
}

TEST(what_was_not_read_before_is_not_held_against_anything)
{
    struct bench_log *log = open_read();

    come_again(log, 199, 10, 8);
    come_again(log, 203, 10, 8);
    come_again(log, 204, 10, 8);
    CU_ASSERT_EQUAL(told.failed, 0);
    due(log, 1);
    come(log, 210, 50, 1); /* some are left out, which is told */
    begin(log, 211);
    come_again(log, 202, 12, 8);
    come_again(log, 209, 12, 8);
    CU_ASSERT_EQUAL(told.failed, 0);
    come_again(log, 210, 50, 2);
    CU_ASSERT_EQUAL(told.failed, 1);
}

TEST(an_entry_that_has_changed_in_two_places_does_not_look_as_before)
{
    struct bench_log *log = open_read();

    for (unsigned code = 0; code < 256; code++) {
        struct log_entry changed = entry(200, 11, 0);

        changed.code = (uint8_t)code;
        begin(log, 203);
        run_log_again(&log->reading, &changed);
        CU_ASSERT_EQUAL(told.failed, 1);
    }
}

TEST(as_many_entries_are_known_again_as_are_kept)
{
    struct bench_log *log = open_log(0);

    for (unsigned i = 0; i <= RUN_LOG_KEPT; i++)
        pass_over(log, i, 10 + i);
    CU_ASSERT_EQUAL_FATAL(told.failed, 0);
    CU_ASSERT_EQUAL(log->past.first, 1); /* so that no more is read again */
    come_again(log, 0, 10, 0);
    CU_ASSERT_EQUAL(told.failed, 0);
    come_again(log, 1, 11, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
    begin(log, RUN_LOG_KEPT + 1);
    come_again(log, RUN_LOG_KEPT, 10 + RUN_LOG_KEPT, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
}

TEST(the_clock_of_a_log_that_is_followed_anew_is_not_held_against_what_was_before)
{
    struct bench_log *log = open_read();
    const struct run_log_past *past = &log->past;

    log->past.pending = log->past.anchor;
    CU_ASSERT(past->anchor.is_known && past->origin.is_known && past->millis);
    run_log_follow(&log->past, 207, MS(5));
    CU_ASSERT(!past->anchor.is_known && !past->origin.is_known && !past->pending.is_known);
    CU_ASSERT(!past->millis && past->read == MS(5));
}

TEST(a_log_that_is_followed_anew_is_known_as_far_as_it_was_read)
{
    struct bench_log *log = open_read();

    run_log_follow(&log->past, 207, MS(5000));
    begin(log, 207);
    come_again(log, 202, 12, 2);
    come_again(log, 203, 1, 1); /* nobody has read those between */
    come_again(log, 206, 1, 1);
    CU_ASSERT_EQUAL(told.failed, 0);
    come_again(log, 202, 12, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
    begin(log, 207);
    pass_over(log, 207, 20);
    come_again(log, 200, 10, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
    begin(log, 208);
    come_again(log, 207, 20, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
}

TEST(of_a_log_that_has_become_shorter_nothing_is_known)
{
    struct bench_log *log = open_read();

    run_log_follow(&log->past, 202, MS(5));
    CU_ASSERT(log->past.first == 202 && log->past.next == 202);
    run_log_follow(&log->past, 210, MS(5));
    CU_ASSERT(log->past.first == 210 && log->past.next == 210);
    begin(log, 210);
    come_again(log, 201, 1, 8);
    come_again(log, 202, 1, 8);
    CU_ASSERT_EQUAL(told.failed, 0);
}

TEST(a_log_that_is_followed_anew_as_long_as_it_was_is_still_known)
{
    struct bench_log *log = open_read();

    run_log_follow(&log->past, log->past.next, MS(5));
    begin(log, log->past.next);
    come_again(log, 202, 12, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
}

TEST(what_is_left_out_counts_among_the_entries_that_are_kept)
{
    struct bench_log *log = open_read();
    uint32_t first = log->past.first;

    run_log_follow(&log->past, first + RUN_LOG_KEPT, MS(5));
    CU_ASSERT_EQUAL(log->past.first, first);
    run_log_follow(&log->past, first + RUN_LOG_KEPT + 1, MS(5));
    CU_ASSERT_EQUAL(log->past.first, first + 1);
    begin(log, log->past.next);
    come_again(log, first, 10, 8);
    CU_ASSERT_EQUAL(told.failed, 0);
    come_again(log, first + 1, 11, 8);
    CU_ASSERT_EQUAL(told.failed, 1);
}

TEST(of_an_entry_that_is_passed_over_only_the_time_is_held_against_others)
{
    struct bench_log *log = open_log(0);

    pass_over(log, 0, 50);
    CU_ASSERT_EQUAL(log->reading.next, 1);
    CU_ASSERT_EQUAL(log->reading.count, 0);
    CU_ASSERT_EQUAL(log->past.millis, 50);
    pass_over(log, 1, 49);
    expect_told("50", "49", "before those of the one above");
    CU_ASSERT_EQUAL(log->past.millis, 50);
    pass_over(log, 2, 10);
    CU_ASSERT_EQUAL(told.failed, 1);
    CU_ASSERT_EQUAL(log->past.millis, 50);
    CU_ASSERT_EQUAL(log->reading.next, 3);
}

TEST(what_a_vendor_writes_is_of_no_round)
{
    struct bench_log *log = open_log(3);
    struct log_entry vendor = entry(3, 10, 8);

    vendor.is_vendor = true;
    due(log, 1);
    run_log_read(&log->reading, &vendor);
    CU_ASSERT_EQUAL(log->reading.next, 4);
    CU_ASSERT_EQUAL(log->reading.count, 0);
    come(log, 4, 20, 1);
    CU_ASSERT_EQUAL(told.failed, 0);
    vendor.number = 7;
    run_log_read(&log->reading, &vendor);
    expect_told("5", "7", "number of an entry");
}

TEST(an_earlier_entry_is_held_against_only_after_another_reading)
{
    struct bench_log *log = open_log(0);
    struct run_log_past *past = &log->past;

    for (unsigned i = 0; i < 3; i++) {
        run_log_clear(&log->due);
        due(log, 1);
        begin(log, i);
        run_log_total(&log->reading, i + 1, MS(1100 + 100 * i));
        come(log, i, 100 + 100 * i, 1);
        run_log_end(&log->reading);
        CU_ASSERT_EQUAL(told.failed, 0);
        CU_ASSERT_EQUAL(past->origin.millis, 100);
        CU_ASSERT_EQUAL(past->anchor.millis, i < 2 ? 100 : 200);
        CU_ASSERT(past->pending.is_known && past->pending.millis == 100 + 100 * i);
        CU_ASSERT_EQUAL(past->pending.until, log->reading.now);
        CU_ASSERT_EQUAL(past->read, MS(1100 + 100 * i));
    }
    CU_ASSERT_EQUAL(past->pending.since, MS(1200));
    run_log_clear(&log->due);
    begin(log, 3);
    run_log_total(&log->reading, 3, MS(1500));
    run_log_end(&log->reading);
    CU_ASSERT_EQUAL(past->anchor.millis, 200);
    CU_ASSERT_EQUAL(past->pending.since, MS(1200));
    CU_ASSERT_EQUAL(past->read, MS(1500));
}

TEST(after_a_difference_the_time_may_begin_anew)
{
    struct bench_log *log = open_read();
    struct run_log_past *past = &log->past;

    past->pending = past->anchor;
    run_log_total(&log->reading, 9, MS(1500));
    run_log_end(&log->reading);
    expect_told("203", "9", "entries that the log says it has");
    CU_ASSERT(!past->anchor.is_known && !past->origin.is_known && !past->pending.is_known);
    CU_ASSERT_EQUAL(past->millis, 0);
}
