/*
 * What every backend of hal/pins/pins.h must do, as tests. A backend's test program defines
 * `pins_contract`, which knows how to play the other end of such a chip, and lists
 * PINS_CONTRACT_TESTS in its SUITE. A peer is made by make() and freed by free(); each test makes
 * its own. Levels are physical.
 *
 *   const struct pins_contract pins_contract = {.make = make, ...};
 *   PINS_CONTRACT_TESTS
 */
#ifndef TESTS_SUPPORT_PINS_CONTRACT_H
#define TESTS_SUPPORT_PINS_CONTRACT_H

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

void pins_open_and_close_many_times_without_leaking(void);
void an_input_reads_the_level_of_its_line(void);
void an_active_low_input_reads_the_opposite_level(void);
void a_pull_decides_an_input_that_nobody_drives(void);
void an_output_starts_at_its_initial_value(void);
void outputs_written_together_leave_the_others_alone(void);
void an_output_reads_back_what_was_written(void);
void writing_an_input_is_refused(void);
void an_edge_bears_its_pin_direction_and_time(void);
void an_edge_of_an_active_low_line_has_its_logical_direction(void);
void only_the_edges_asked_for_come(void);
void edges_of_several_lines_come_oldest_first(void);
void a_wait_without_edges_is_0_at_its_deadline(void);
void a_wait_whose_deadline_has_passed_takes_what_is_there(void);
void a_bounce_shorter_than_the_period_is_no_edge(void);
void a_level_that_stands_for_the_period_is_one_edge_at_its_end(void);
void debounced_lines_settle_in_the_order_of_time(void);
void a_debounced_input_reads_as_its_debounced_level(void);
void lost_edges_are_an_error_where_they_can_be_known(void);
void a_line_may_be_given_by_its_offset(void);
void a_name_goes_before_an_offset_that_looks_like_it(void);
void an_absent_line_is_refused_with_the_names_there_are(void);
void a_name_that_two_lines_bear_is_refused(void);
void a_line_asked_for_twice_is_refused(void);
void a_line_in_use_is_refused_with_its_consumer(void);
void a_refused_request_leaves_its_other_lines_free(void);
void two_sets_of_pins_on_one_chip_do_not_mix(void);
void a_line_that_is_open_already_is_refused(void);
void a_chip_that_goes_is_gone_and_not_silent(void);
void a_chip_that_comes_back_can_be_opened_again(void);
void a_cancelled_bench_waits_no_more(void);
void a_cancelled_bench_ends_a_blocked_wait(void);
void a_bad_address_of_pins_is_named_in_the_refusal(void);
void requests_that_make_no_sense_are_refused(void);

#define PINS_CONTRACT_TESTS                                                                        \
    TEST_OF_CONTRACT(pins_open_and_close_many_times_without_leaking)                               \
    TEST_OF_CONTRACT(an_input_reads_the_level_of_its_line)                                         \
    TEST_OF_CONTRACT(an_active_low_input_reads_the_opposite_level)                                 \
    TEST_OF_CONTRACT(a_pull_decides_an_input_that_nobody_drives)                                   \
    TEST_OF_CONTRACT(an_output_starts_at_its_initial_value)                                        \
    TEST_OF_CONTRACT(outputs_written_together_leave_the_others_alone)                              \
    TEST_OF_CONTRACT(an_output_reads_back_what_was_written)                                        \
    TEST_OF_CONTRACT(writing_an_input_is_refused)                                                  \
    TEST_OF_CONTRACT(an_edge_bears_its_pin_direction_and_time)                                     \
    TEST_OF_CONTRACT(an_edge_of_an_active_low_line_has_its_logical_direction)                      \
    TEST_OF_CONTRACT(only_the_edges_asked_for_come)                                                \
    TEST_OF_CONTRACT(edges_of_several_lines_come_oldest_first)                                     \
    TEST_OF_CONTRACT(a_wait_without_edges_is_0_at_its_deadline)                                    \
    TEST_OF_CONTRACT(a_wait_whose_deadline_has_passed_takes_what_is_there)                         \
    TEST_OF_CONTRACT(a_bounce_shorter_than_the_period_is_no_edge)                                  \
    TEST_OF_CONTRACT(a_level_that_stands_for_the_period_is_one_edge_at_its_end)                    \
    TEST_OF_CONTRACT(debounced_lines_settle_in_the_order_of_time)                                  \
    TEST_OF_CONTRACT(a_debounced_input_reads_as_its_debounced_level)                               \
    TEST_OF_CONTRACT(lost_edges_are_an_error_where_they_can_be_known)                              \
    TEST_OF_CONTRACT(a_line_may_be_given_by_its_offset)                                            \
    TEST_OF_CONTRACT(a_name_goes_before_an_offset_that_looks_like_it)                              \
    TEST_OF_CONTRACT(an_absent_line_is_refused_with_the_names_there_are)                           \
    TEST_OF_CONTRACT(a_name_that_two_lines_bear_is_refused)                                        \
    TEST_OF_CONTRACT(a_line_asked_for_twice_is_refused)                                            \
    TEST_OF_CONTRACT(a_line_in_use_is_refused_with_its_consumer)                                   \
    TEST_OF_CONTRACT(a_refused_request_leaves_its_other_lines_free)                                \
    TEST_OF_CONTRACT(two_sets_of_pins_on_one_chip_do_not_mix)                                      \
    TEST_OF_CONTRACT(a_line_that_is_open_already_is_refused)                                       \
    TEST_OF_CONTRACT(a_chip_that_goes_is_gone_and_not_silent)                                      \
    TEST_OF_CONTRACT(a_chip_that_comes_back_can_be_opened_again)                                   \
    TEST_OF_CONTRACT(a_cancelled_bench_waits_no_more)                                              \
    TEST_OF_CONTRACT(a_cancelled_bench_ends_a_blocked_wait)                                        \
    TEST_OF_CONTRACT(a_bad_address_of_pins_is_named_in_the_refusal)                                \
    TEST_OF_CONTRACT(requests_that_make_no_sense_are_refused)

#endif
