/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every backend of hal/link/link.h must do, as tests. A backend's test program defines
 * `link_contract`, which knows how to play the other side of such a link, and writes
 * LINK_CONTRACT_TESTS. A peer is made by make() and freed by free(); each test makes its own.
 *
 *   const struct link_contract link_contract = {.make = make, ...};
 *   LINK_CONTRACT_TESTS
 */
#ifndef TESTS_SUPPORT_DEVICES_LINK_CONTRACT_H
#define TESTS_SUPPORT_DEVICES_LINK_CONTRACT_H

#include "hal/link/link.h"
#include "tests/support/suite.h"

struct peer;

/* What this kind of link can do; a test of what it cannot do proves the stated opposite. */
enum link_trait {
    LINK_FILLS = 1,      /* a peer that does not read makes writes fall short */
    LINK_EXCLUSIVE = 2,  /* a second open of the same address is refused */
    LINK_HAS_LINES = 4,  /* it has modem lines */
    LINK_LAST_WORDS = 8, /* what the peer sent before it went can still be read */
    LINK_VIRTUAL = 16,   /* it lives in virtual time: the other side is in this process */
};

struct link_contract {
    unsigned traits; /* a set of enum link_trait */
    /* Must be refused with ERROR_CONFIG, ERROR_DEVICE or ERROR_RIG; ends with NULL. */
    const char *const *bad_addresses;
    /*
     * A device that is there, and its address. Every peer has an address of its own. It may change
     * the hal (to set make_model) before the first link is opened. NULL fails the test.
     */
    struct peer *(*make)(struct hal *hal, char address[LINK_ADDRESS_MAX]);
    /* Bytes from the link that was opened last: those that are there within some milliseconds, or
     * 0. Negative is a failure. */
    ssize_t (*read)(struct peer *peer, void *bytes, size_t size);
    /* Bytes to the link that was opened last: how many were taken at once, or 0. */
    ssize_t (*write)(struct peer *peer, const void *bytes, size_t size);
    /* Goes away as an unplugged device does, and comes back at the same address. */
    void (*drop)(struct peer *peer);
    void (*restore)(struct peer *peer);
    void (*free)(struct peer *peer);
};

extern const struct link_contract link_contract __attribute__((weak));

#define LINK_CONTRACT(TEST)                                                                        \
    TEST(a_link_opens_and_closes_many_times_without_leaking)                                       \
    TEST(a_read_of_a_silent_device_is_0_at_its_deadline)                                           \
    TEST(a_read_whose_deadline_has_passed_takes_what_is_there)                                     \
    TEST(bytes_of_every_value_reach_the_device)                                                    \
    TEST(bytes_of_every_value_come_from_the_device)                                                \
    TEST(a_long_message_arrives_whole_both_ways)                                                   \
    TEST(a_write_to_a_device_that_does_not_read_is_0_at_its_deadline)                              \
    TEST(a_device_that_goes_while_it_is_read_is_gone_and_not_silent)                               \
    TEST(a_device_that_goes_while_it_is_written_is_gone_and_not_slow)                              \
    TEST(a_device_that_comes_back_is_reopened_when_asked_for)                                      \
    TEST(a_device_that_stays_away_is_given_up_after_its_tries)                                     \
    TEST(two_devices_are_used_at_once_without_mixing)                                              \
    TEST(the_same_device_twice_is_refused_where_that_can_be_known)                                 \
    TEST(a_cancelled_bench_ends_a_blocked_read)                                                    \
    TEST(a_cancelled_bench_reads_no_more)                                                          \
    TEST(a_bad_address_is_named_in_the_refusal)                                                    \
    TEST(an_absent_device_is_named_in_the_refusal)                                                 \
    TEST(modem_lines_are_there_or_refused)

LINK_CONTRACT(DECLARE_TEST)

#define LINK_CONTRACT_TESTS LINK_CONTRACT(TEST_OF_CONTRACT)

#endif
