/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every backend of hal/pins/pins.h must do, as tests. A backend's test program defines
 * `pins_contract`, which knows how to play the other end of such a chip, and writes
 * PINS_CONTRACT_TESTS. A peer is made by make() and freed by free(); each test makes its own.
 * Levels are physical.
 *
 *   const struct pins_contract pins_contract = {.make = make, ...};
 *   PINS_CONTRACT_TESTS
 */
#ifndef TESTS_SUPPORT_DEVICES_PINS_CONTRACT_H
#define TESTS_SUPPORT_DEVICES_PINS_CONTRACT_H

#include "hal/pins/pins.h"
#include "tests/support/suite.h"

/* The lines of every peer's chip, by offset: one has no name, one looks like an offset. */
#define PINS_CONTRACT_LINES                                                                        \
    {                                                                                              \
        "bet1", "bet2", "light1", "light2", "chip1", "", "2", "twin", "twin"                       \
    }
#define PINS_CONTRACT_COUNT 9

enum pins_contract_line { BET1, BET2, LIGHT1, LIGHT2, CHIP1, NAMELESS, TWO, TWIN_A, TWIN_B };

struct pins_peer;

struct pins_contract {
    bool is_virtual; /* the chip can live in virtual time, and does in most tests */
    /* Must be refused with ERROR_CONFIG; ends with NULL. */
    const char *const *bad_addresses;
    /* A chip with the lines above, and its address. NULL fails the test. */
    struct pins_peer *(*make)(struct hal *hal, char address[PINS_LABEL_MAX]);
    /* The peer's present: drives are at or after it, and pass() moves it on. */
    nanos_t (*now)(struct pins_peer *peer);
    void (*pass)(struct pins_peer *peer, nanos_t until);
    void (*drive)(struct pins_peer *peer, unsigned line, bool level, nanos_t time);
    bool (*level)(struct pins_peer *peer, unsigned line);
    /* The next edges are lost. */
    void (*lose)(struct pins_peer *peer, unsigned edges);
    /* Another program has the line. */
    void (*occupy)(struct pins_peer *peer, unsigned line, const char *consumer);
    /* Goes away as an unplugged chip does, and comes back. */
    void (*drop)(struct pins_peer *peer);
    void (*restore)(struct pins_peer *peer);
    void (*free)(struct pins_peer *peer);
    /* Puts a decorator around opened pins, which it then owns. NULL: there is none. */
    struct pins *(*wrap)(struct pins *inner);
};

extern const struct pins_contract pins_contract __attribute__((weak));

/* What holds for the lines of any chip; and what takes a peer that plays events at a given time. */
#define PINS_CONTRACT_OF_LINES(TEST)                                                               \
    TEST(pins_open_and_close_many_times_without_leaking)                                           \
    TEST(an_input_reads_the_level_of_its_line)                                                     \
    TEST(an_active_low_input_reads_the_opposite_level)                                             \
    TEST(a_pull_decides_an_input_that_nobody_drives)                                               \
    TEST(an_output_starts_at_its_initial_value)                                                    \
    TEST(outputs_written_together_leave_the_others_alone)                                          \
    TEST(an_output_reads_back_what_was_written)                                                    \
    TEST(writing_an_input_is_refused)                                                              \
    TEST(a_wait_without_edges_is_0_at_its_deadline)                                                \
    TEST(a_line_may_be_given_by_its_offset)                                                        \
    TEST(a_name_goes_before_an_offset_that_looks_like_it)                                          \
    TEST(an_absent_line_is_refused_with_the_names_there_are)                                       \
    TEST(a_name_that_two_lines_bear_is_refused)                                                    \
    TEST(a_line_asked_for_twice_is_refused)                                                        \
    TEST(a_refused_request_leaves_its_other_lines_free)                                            \
    TEST(a_line_that_is_open_already_is_refused)                                                   \
    TEST(a_cancelled_bench_waits_no_more)                                                          \
    TEST(a_cancelled_bench_ends_a_blocked_wait)                                                    \
    TEST(a_bad_address_of_pins_is_named_in_the_refusal)                                            \
    TEST(requests_that_make_no_sense_are_refused)

#define PINS_CONTRACT_OF_EVENTS(TEST)                                                              \
    TEST(an_edge_bears_its_pin_direction_and_time)                                                 \
    TEST(an_edge_of_an_active_low_line_has_its_logical_direction)                                  \
    TEST(only_the_edges_asked_for_come)                                                            \
    TEST(edges_of_several_lines_come_oldest_first)                                                 \
    TEST(a_wait_whose_deadline_has_passed_takes_what_is_there)                                     \
    TEST(a_bounce_shorter_than_the_period_is_no_edge)                                              \
    TEST(a_level_that_stands_for_the_period_is_one_edge_at_its_end)                                \
    TEST(debounced_lines_settle_in_the_order_of_time)                                              \
    TEST(a_debounced_input_reads_as_its_debounced_level)                                           \
    TEST(lost_edges_are_an_error_where_they_can_be_known)                                          \
    TEST(a_line_in_use_is_refused_with_its_consumer)                                               \
    TEST(two_sets_of_pins_on_one_chip_do_not_mix)                                                  \
    TEST(a_chip_that_goes_is_gone_and_not_silent)                                                  \
    TEST(a_chip_that_comes_back_can_be_opened_again)

PINS_CONTRACT_OF_LINES(DECLARE_TEST)
PINS_CONTRACT_OF_EVENTS(DECLARE_TEST)

#define PINS_CONTRACT_TESTS                                                                        \
    PINS_CONTRACT_OF_LINES(TEST_OF_CONTRACT)                                                       \
    PINS_CONTRACT_OF_EVENTS(TEST_OF_CONTRACT)

#endif
