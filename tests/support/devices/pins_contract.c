/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/pins_contract.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/support/descriptors.h"

#define MS NANOS_PER_MILLI

/* A bench with one chip and, once opened, pins on it. */
struct bench {
    struct clock clock;
    struct hal hal;
    struct pins_peer *peer;
    char address[PINS_LABEL_MAX];
    struct pins *pins;
    struct error error;
};

static void bench_make(struct bench *bench, bool is_virtual)
{
    memset(bench, 0, sizeof *bench);
    if (is_virtual)
        clock_virtual(&bench->clock, 0);
    else
        clock_real(&bench->clock);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    bench->peer = pins_contract.make(&bench->hal, bench->address);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench->peer);
}

static int bench_try(struct bench *bench, const struct pin_request *requests, size_t count)
{
    int status =
        pins_open(&bench->pins, &bench->hal, bench->address, requests, count, &bench->error);

    if (!status && pins_contract.wrap)
        bench->pins = pins_contract.wrap(bench->pins);
    return status;
}

static void bench_open(struct bench *bench, const struct pin_request *requests, size_t count)
{
    int status = bench_try(bench, requests, count);

    if (status)
        fprintf(stderr, "%s\n", bench->error.text);
    CU_ASSERT_FATAL(status == 0);
}

#define OPEN(bench, ...)                                                                           \
    bench_open(bench, (const struct pin_request[]){__VA_ARGS__},                                   \
               sizeof((const struct pin_request[]){__VA_ARGS__}) / sizeof(struct pin_request))

#define START(bench, ...)                                                                          \
    do {                                                                                           \
        bench_make(bench, pins_contract.is_virtual);                                               \
        OPEN(bench, __VA_ARGS__);                                                                  \
    } while (0)

static void bench_end(struct bench *bench)
{
    pins_close(bench->pins);
    pins_contract.free(bench->peer);
    hal_close(&bench->hal);
}

#define REFUSED(bench, code, phrase, ...)                                                          \
    do {                                                                                           \
        CU_ASSERT_EQUAL(bench_try(bench, (const struct pin_request[]){__VA_ARGS__},                \
                                  sizeof((const struct pin_request[]){__VA_ARGS__}) /              \
                                      sizeof(struct pin_request)),                                 \
                        code);                                                                     \
        CU_ASSERT_PTR_NULL((bench)->pins);                                                         \
        CU_ASSERT_PTR_NOT_NULL(strstr((bench)->error.text, phrase));                               \
    } while (0)

static uint64_t read_pins(struct bench *bench)
{
    uint64_t values = ~UINT64_C(0);

    CU_ASSERT_EQUAL(pins_read(bench->pins, &values, &bench->error), 0);
    return values;
}

static void drive(struct bench *bench, unsigned line, bool level, nanos_t time)
{
    pins_contract.drive(bench->peer, line, level, time);
}

/* Whether the next edge, which must be there, is this one. */
static bool next_is(struct bench *bench, unsigned pin, bool rising, nanos_t time)
{
    struct pin_event event = {.pin = PINS_MAX};
    int result = pins_wait(bench->pins, &event, clock_deadline(&bench->clock, 1000), &bench->error);

    if (result == 1 && event.pin == pin && event.rising == rising && event.time == time)
        return true;
    fprintf(stderr, "got %d: pin %u %s at %lld, not pin %u %s at %lld\n", result, event.pin,
            event.rising ? "rising" : "falling", (long long)event.time, pin,
            rising ? "rising" : "falling", (long long)time);
    return false;
}

static bool nothing_comes(struct bench *bench)
{
    struct pin_event event;

    return !pins_wait(bench->pins, &event, clock_now(&bench->clock), &bench->error);
}

/*
 * What is open is counted after the first time: only then is it sure that the thread in which
 * umockdev answers has begun and opened what it keeps. The number must come down after each close.
 */
void pins_open_and_close_many_times_without_leaking(void)
{
    struct bench bench;
    size_t open = 0;

    bench_make(&bench, pins_contract.is_virtual);
    for (int i = 0; i < 20; i++) {
        OPEN(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES},
             {.line = "light1", .direction = PIN_OUTPUT});
        pins_close(bench.pins);
        bench.pins = NULL;
        if (!i)
            open = descriptors_settled();
        CU_ASSERT_TRUE_FATAL(descriptors_come_down_to(open));
    }
    bench_end(&bench);
}

void an_input_reads_the_level_of_its_line(void)
{
    struct bench bench;

    START(&bench, {.line = "bet1"}, {.line = "bet2"});
    drive(&bench, BET1, false, pins_contract.now(bench.peer));
    drive(&bench, BET2, true, pins_contract.now(bench.peer));
    CU_ASSERT_EQUAL(read_pins(&bench), 2);
    drive(&bench, BET1, true, pins_contract.now(bench.peer));
    drive(&bench, BET2, false, pins_contract.now(bench.peer));
    CU_ASSERT_EQUAL(read_pins(&bench), 1);
    bench_end(&bench);
}

void an_active_low_input_reads_the_opposite_level(void)
{
    struct bench bench;

    START(&bench, {.line = "bet1", .active_low = true}, {.line = "bet2"});
    drive(&bench, BET1, true, pins_contract.now(bench.peer));
    CU_ASSERT_EQUAL(read_pins(&bench), 0);
    drive(&bench, BET1, false, pins_contract.now(bench.peer));
    CU_ASSERT_EQUAL(read_pins(&bench), 1);
    bench_end(&bench);
}

void a_pull_decides_an_input_that_nobody_drives(void)
{
    struct bench bench;

    START(&bench, {.line = "bet1", .bias = PIN_PULL_UP}, {.line = "bet2", .bias = PIN_PULL_DOWN},
          {.line = "chip1", .bias = PIN_PULL_UP, .active_low = true});
    CU_ASSERT_EQUAL(read_pins(&bench), 1);
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, CHIP1));
    drive(&bench, BET1, false, pins_contract.now(bench.peer));
    drive(&bench, BET2, true, pins_contract.now(bench.peer));
    CU_ASSERT_EQUAL(read_pins(&bench), 2);
    bench_end(&bench);
}

void an_output_starts_at_its_initial_value(void)
{
    struct bench bench;

    START(&bench, {.line = "light1", .direction = PIN_OUTPUT, .initial = true},
          {.line = "light2", .direction = PIN_OUTPUT},
          {.line = "chip1", .direction = PIN_OUTPUT, .active_low = true});
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, LIGHT1));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, LIGHT2));
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, CHIP1));
    bench_end(&bench);
}

void outputs_written_together_leave_the_others_alone(void)
{
    struct bench bench;

    START(&bench, {.line = "light1", .direction = PIN_OUTPUT},
          {.line = "light2", .direction = PIN_OUTPUT, .initial = true},
          {.line = "chip1", .direction = PIN_OUTPUT, .active_low = true}, {.line = "bet1"});
    CU_ASSERT_EQUAL(pins_write(bench.pins, 5, 5, &bench.error), 0);
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, LIGHT1));
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, LIGHT2));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, CHIP1));
    CU_ASSERT_EQUAL(pins_write(bench.pins, 3, 0, &bench.error), 0);
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, LIGHT1));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, LIGHT2));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, CHIP1));
    bench_end(&bench);
}

void an_output_reads_back_what_was_written(void)
{
    struct bench bench;

    START(&bench, {.line = "light1", .direction = PIN_OUTPUT}, {.line = "bet1"},
          {.line = "light2", .direction = PIN_OUTPUT, .active_low = true});
    CU_ASSERT_EQUAL(read_pins(&bench), 0);
    CU_ASSERT_EQUAL(pins_write(bench.pins, 5, 4, &bench.error), 0);
    CU_ASSERT_EQUAL(read_pins(&bench), 4);
    CU_ASSERT_EQUAL(pins_write(bench.pins, 5, 1, &bench.error), 0);
    CU_ASSERT_EQUAL(read_pins(&bench), 1);
    bench_end(&bench);
}

void writing_an_input_is_refused(void)
{
    struct bench bench;

    START(&bench, {.line = "light1", .direction = PIN_OUTPUT}, {.line = "bet1"});
    CU_ASSERT_EQUAL(pins_write(bench.pins, 3, 3, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "bet1"));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, LIGHT1));
    CU_ASSERT_EQUAL(pins_write(bench.pins, 4, 4, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "pin 2"));
    bench_end(&bench);
}

void an_edge_bears_its_pin_direction_and_time(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet2"}, {.line = "bet1", .edges = PIN_BOTH_EDGES});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 3);
    drive(&bench, BET1, false, start + 7 * MS);
    CU_ASSERT_TRUE(next_is(&bench, 1, true, start + 3));
    CU_ASSERT_TRUE(next_is(&bench, 1, false, start + 7 * MS));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void an_edge_of_an_active_low_line_has_its_logical_direction(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES, .active_low = true});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 1);
    drive(&bench, BET1, false, start + 2);
    CU_ASSERT_TRUE(next_is(&bench, 0, false, start + 1));
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 2));
    bench_end(&bench);
}

void only_the_edges_asked_for_come(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_RISING}, {.line = "bet2", .edges = PIN_FALLING},
          {.line = "chip1"}, {.line = "2", .edges = PIN_FALLING, .debounce_us = 100});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 1);
    drive(&bench, BET2, true, start + 2);
    drive(&bench, CHIP1, true, start + 3);
    drive(&bench, TWO, true, start + 4);
    drive(&bench, BET1, false, start + MS);
    drive(&bench, BET2, false, start + MS + 1);
    drive(&bench, CHIP1, false, start + MS + 2);
    drive(&bench, TWO, false, start + MS + 3);
    pins_contract.pass(bench.peer, start + 3 * MS);
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 1));
    CU_ASSERT_TRUE(next_is(&bench, 1, false, start + MS + 1));
    CU_ASSERT_TRUE(next_is(&bench, 3, false, start + MS + 3 + 100000));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void edges_of_several_lines_come_oldest_first(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES},
          {.line = "bet2", .edges = PIN_BOTH_EDGES}, {.line = "chip1", .edges = PIN_BOTH_EDGES});
    start = pins_contract.now(bench.peer);
    for (int i = 0; i < 15; i++)
        drive(&bench, (unsigned[]){CHIP1, BET1, BET2}[i % 3], i / 3 % 2 == 0, start + 1 + i);
    pins_contract.pass(bench.peer, start + MS);
    for (unsigned i = 0; i < 15; i++)
        CU_ASSERT_TRUE(
            next_is(&bench, (unsigned[]){2, 0, 1}[i % 3], i / 3 % 2 == 0, start + 1 + i));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void a_wait_without_edges_is_0_at_its_deadline(void)
{
    struct bench bench;
    struct pin_event event;
    nanos_t deadline;

    START(&bench, {.line = "bet1", .edges = PIN_RISING});
    deadline = clock_deadline(&bench.clock, 10);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, deadline, &bench.error), 0);
    CU_ASSERT_TRUE(clock_now(&bench.clock) >= deadline);
    CU_ASSERT_TRUE(clock_now(&bench.clock) < deadline + 1000 * MS);
    pins_close(bench.pins);
    OPEN(&bench, {.line = "light1", .direction = PIN_OUTPUT});
    deadline = clock_deadline(&bench.clock, 10);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, deadline, &bench.error), 0);
    CU_ASSERT_TRUE(clock_now(&bench.clock) >= deadline);
    bench_end(&bench);
}

void a_wait_whose_deadline_has_passed_takes_what_is_there(void)
{
    struct bench bench;
    struct pin_event event;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, start - MS, &bench.error), 1);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, start - MS, &bench.error), 0);
    bench_end(&bench);
}

void a_bounce_shorter_than_the_period_is_no_edge(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES, .debounce_us = 5000});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 1 * MS);
    drive(&bench, BET1, false, start + 6 * MS - 1);
    pins_contract.pass(bench.peer, start + 50 * MS);
    CU_ASSERT_TRUE(nothing_comes(&bench));
    drive(&bench, BET1, true, start + 51 * MS);
    drive(&bench, BET1, false, start + 56 * MS);
    pins_contract.pass(bench.peer, start + 100 * MS);
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 56 * MS));
    CU_ASSERT_TRUE(next_is(&bench, 0, false, start + 61 * MS));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void a_level_that_stands_for_the_period_is_one_edge_at_its_end(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES, .debounce_us = 5000});
    start = pins_contract.now(bench.peer);
    for (int i = 0; i < 9; i++)
        drive(&bench, BET1, i % 2 == 0, start + i * MS);
    pins_contract.pass(bench.peer, start + 100 * MS);
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 13 * MS));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void debounced_lines_settle_in_the_order_of_time(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES, .debounce_us = 9000},
          {.line = "bet2", .edges = PIN_BOTH_EDGES, .debounce_us = 2000},
          {.line = "chip1", .edges = PIN_BOTH_EDGES});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 1 * MS);
    drive(&bench, BET2, true, start + 2 * MS);
    drive(&bench, CHIP1, true, start + 5 * MS);
    drive(&bench, CHIP1, false, start + 20 * MS);
    pins_contract.pass(bench.peer, start + 30 * MS);
    CU_ASSERT_TRUE(next_is(&bench, 1, true, start + 4 * MS));
    CU_ASSERT_TRUE(next_is(&bench, 2, true, start + 5 * MS));
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 10 * MS));
    CU_ASSERT_TRUE(next_is(&bench, 2, false, start + 20 * MS));
    bench_end(&bench);
}

void a_debounced_input_reads_as_its_debounced_level(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .debounce_us = 60000000}, {.line = "bet2", .debounce_us = 1000},
          {.line = "chip1"});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start);
    drive(&bench, BET2, true, start);
    drive(&bench, CHIP1, true, start);
    pins_contract.pass(bench.peer, start + 2 * MS);
    CU_ASSERT_EQUAL(read_pins(&bench), 6);
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void lost_edges_are_an_error_where_they_can_be_known(void)
{
    struct bench bench;
    struct pin_event event;
    nanos_t start;
    bool known;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES},
          {.line = "bet2", .edges = PIN_BOTH_EDGES});
    start = pins_contract.now(bench.peer);
    known = pins_capabilities(bench.pins) & PINS_LOSS_DETECTED;
    drive(&bench, BET2, true, start + 1);
    CU_ASSERT_TRUE(next_is(&bench, 1, true, start + 1));
    pins_contract.lose(bench.peer, 2);
    drive(&bench, BET1, true, start + 2);
    drive(&bench, BET1, false, start + 3);
    drive(&bench, BET1, true, start + 4);
    pins_contract.pass(bench.peer, start + MS);
    if (known) {
        CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, NEVER, &bench.error), ERROR_RIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "2 edges lost"));
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    }
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, NEVER, &bench.error), 1);
    CU_ASSERT_EQUAL(event.time, start + 4);
    CU_ASSERT_EQUAL(event.sequence, known ? 4 : 0);
    drive(&bench, BET2, false, start + 2 * MS);
    CU_ASSERT_TRUE(next_is(&bench, 1, false, start + 2 * MS));
    bench_end(&bench);
}

void a_line_may_be_given_by_its_offset(void)
{
    struct bench bench;

    START(&bench, {.line = "5", .direction = PIN_OUTPUT, .initial = true},
          {.line = "8", .direction = PIN_OUTPUT, .initial = true});
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, NAMELESS));
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, TWIN_B));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, TWIN_A));
    bench_end(&bench);
}

void a_name_goes_before_an_offset_that_looks_like_it(void)
{
    struct bench bench;

    START(&bench, {.line = "2", .direction = PIN_OUTPUT, .initial = true});
    CU_ASSERT_TRUE(pins_contract.level(bench.peer, TWO));
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, LIGHT1));
    bench_end(&bench);
}

void an_absent_line_is_refused_with_the_names_there_are(void)
{
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    REFUSED(&bench, ERROR_CONFIG, "bet1, bet2, light1, light2, chip1, 2, twin", {.line = "bet3"});
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "'bet3'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    REFUSED(&bench, ERROR_CONFIG, "0 to 8", {.line = "9"});
    REFUSED(&bench, ERROR_CONFIG, "'-1'", {.line = "-1"});
    REFUSED(&bench, ERROR_CONFIG, "'1x'", {.line = "1x"});
    REFUSED(&bench, ERROR_CONFIG, "'4294967296'", {.line = "4294967296"});
    bench_end(&bench);
}

void a_name_that_two_lines_bear_is_refused(void)
{
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    REFUSED(&bench, ERROR_CONFIG, "both line 7 and line 8 are named 'twin'", {.line = "twin"});
    bench_end(&bench);
}

void a_line_asked_for_twice_is_refused(void)
{
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    REFUSED(&bench, ERROR_CONFIG, "'1' is asked for twice, as pins 0 and 2", {.line = "bet2"},
            {.line = "bet1"}, {.line = "1"});
    bench_end(&bench);
}

void a_line_in_use_is_refused_with_its_consumer(void)
{
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    pins_contract.occupy(bench.peer, BET2, "spi0 CS0");
    REFUSED(&bench, ERROR_RIG, "'bet2' (offset 1) is in use by 'spi0 CS0'", {.line = "bet1"},
            {.line = "bet2"});
    pins_contract.occupy(bench.peer, BET2, "");
    REFUSED(&bench, ERROR_RIG, "in use by the kernel", {.line = "bet2"});
    bench_end(&bench);
}

void a_refused_request_leaves_its_other_lines_free(void)
{
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    REFUSED(&bench, ERROR_CONFIG, "bet3", {.line = "light1", .direction = PIN_OUTPUT},
            {.line = "bet1", .edges = PIN_RISING}, {.line = "bet3"});
    OPEN(&bench, {.line = "light1", .direction = PIN_OUTPUT}, {.line = "bet1"});
    bench_end(&bench);
}

void two_sets_of_pins_on_one_chip_do_not_mix(void)
{
    struct bench bench;
    struct pins *first;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_BOTH_EDGES},
          {.line = "light1", .direction = PIN_OUTPUT});
    first = bench.pins;
    OPEN(&bench, {.line = "bet2", .edges = PIN_BOTH_EDGES},
         {.line = "light2", .direction = PIN_OUTPUT});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 1);
    drive(&bench, BET2, true, start + 2);
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 2));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    CU_ASSERT_EQUAL(pins_write(bench.pins, 2, 2, &bench.error), 0);
    CU_ASSERT_FALSE(pins_contract.level(bench.peer, LIGHT1));
    pins_close(bench.pins);
    bench.pins = first;
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 1));
    CU_ASSERT_TRUE(nothing_comes(&bench));
    bench_end(&bench);
}

void a_line_that_is_open_already_is_refused(void)
{
    struct bench bench;
    struct pins *first;

    START(&bench, {.line = "bet1"});
    first = bench.pins;
    REFUSED(&bench, ERROR_RIG, "'bet1' (offset 0) is in use by 'dealproof'", {.line = "bet1"});
    pins_close(first);
    OPEN(&bench, {.line = "bet1"});
    bench_end(&bench);
}

void a_chip_that_goes_is_gone_and_not_silent(void)
{
    struct bench bench;
    struct pin_event event;
    uint64_t values;

    START(&bench, {.line = "bet1", .edges = PIN_RISING},
          {.line = "light1", .direction = PIN_OUTPUT}, {.line = "bet2"});
    pins_contract.drop(bench.peer);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, clock_deadline(&bench.clock, 1000), &bench.error),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    CU_ASSERT_EQUAL(pins_read(bench.pins, &values, &bench.error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(pins_write(bench.pins, 2, 2, &bench.error), ERROR_DEVICE);
    bench_end(&bench);
}

void a_chip_that_comes_back_can_be_opened_again(void)
{
    struct bench bench;
    nanos_t start;

    START(&bench, {.line = "bet1", .edges = PIN_RISING});
    pins_contract.drop(bench.peer);
    pins_close(bench.pins);
    CU_ASSERT_TRUE(bench_try(&bench, &(struct pin_request){.line = "bet1"}, 1) < 0);
    pins_contract.restore(bench.peer);
    OPEN(&bench, {.line = "bet1", .edges = PIN_RISING});
    start = pins_contract.now(bench.peer);
    drive(&bench, BET1, true, start + 1);
    CU_ASSERT_TRUE(next_is(&bench, 0, true, start + 1));
    bench_end(&bench);
}

void a_cancelled_bench_waits_no_more(void)
{
    struct bench bench;
    struct pin_event event;

    START(&bench, {.line = "bet1", .edges = PIN_RISING},
          {.line = "light1", .direction = PIN_OUTPUT, .initial = true});
    drive(&bench, BET1, true, pins_contract.now(bench.peer));
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, NEVER, &bench.error), ERROR_ABORTED);
    CU_ASSERT_EQUAL(pins_wait(bench.pins, &event, 0, &bench.error), ERROR_ABORTED);
    /* The lamps can still be put out. */
    CU_ASSERT_EQUAL(pins_write(bench.pins, 2, 0, &bench.error), 0);
    CU_ASSERT_EQUAL(read_pins(&bench), 1);
    bench_end(&bench);
}

static void *cancel_soon(void *hal)
{
    const struct timespec moment = {.tv_nsec = 20 * MS};

    nanosleep(&moment, NULL);
    hal_cancel(hal);
    return NULL;
}

void a_cancelled_bench_ends_a_blocked_wait(void)
{
    struct bench bench;
    struct pin_event event;
    pthread_t canceller;

    bench_make(&bench, false);
    OPEN(&bench, {.line = "bet1", .edges = PIN_RISING, .debounce_us = 1000}, {.line = "bet2"});
    CU_ASSERT_EQUAL_FATAL(pthread_create(&canceller, NULL, cancel_soon, &bench.hal), 0);
    CU_ASSERT_EQUAL(
        pins_wait(bench.pins, &event, clock_deadline(&bench.clock, 10000), &bench.error),
        ERROR_ABORTED);
    pthread_join(canceller, NULL);
    bench_end(&bench);
}

void a_bad_address_of_pins_is_named_in_the_refusal(void)
{
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    for (const char *const *address = pins_contract.bad_addresses; *address; address++) {
        CU_ASSERT_EQUAL(pins_open(&bench.pins, &bench.hal, *address,
                                  &(struct pin_request){.line = "bet1"}, 1, &bench.error),
                        ERROR_CONFIG);
        CU_ASSERT_PTR_NULL(bench.pins);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, *address));
    }
    bench_end(&bench);
}

void requests_that_make_no_sense_are_refused(void)
{
    struct pin_request many[PINS_MAX + 1] = {{.line = "bet1"}};
    struct bench bench;

    bench_make(&bench, pins_contract.is_virtual);
    CU_ASSERT_EQUAL(bench_try(&bench, many, 0), ERROR_CONFIG);
    CU_ASSERT_EQUAL(bench_try(&bench, many, PINS_MAX + 1), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "65 lines"));
    memset(many[0].line, 'x', sizeof many[0].line);
    CU_ASSERT_EQUAL(bench_try(&bench, many, 1), ERROR_CONFIG);
    REFUSED(&bench, ERROR_CONFIG, "pin 1 ('') needs the name", {.line = "bet1"}, {.line = ""});
    REFUSED(&bench, ERROR_CONFIG, "cannot watch for edges",
            {.line = "light1", .direction = PIN_OUTPUT, .edges = PIN_RISING});
    REFUSED(&bench, ERROR_CONFIG, "cannot be debounced",
            {.line = "light1", .direction = PIN_OUTPUT, .debounce_us = 1});
    REFUSED(&bench, ERROR_CONFIG, "unknown edges", {.line = "bet1", .edges = (enum pin_edges)4});
    REFUSED(&bench, ERROR_CONFIG, "unknown bias", {.line = "bet1", .bias = (enum pin_bias)4});
    REFUSED(&bench, ERROR_CONFIG, "neither input nor output",
            {.line = "bet1", .direction = (enum pin_direction)2});
    bench_end(&bench);
}
