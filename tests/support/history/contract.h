/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a history must be, whatever store it is in. A suite defines `history_contract`, which knows
 * how to make an empty store, and writes HISTORY_CONTRACT_TESTS.
 */
#ifndef TESTS_SUPPORT_HISTORY_CONTRACT_H
#define TESTS_SUPPORT_HISTORY_CONTRACT_H

#include "rigs/history/store/store.h"
#include "tests/support/suite.h"

struct history_contract {
    /* The address of a store that nothing is in yet; false: there can be none on this machine. */
    bool (*make)(char address[STORE_ADDRESS_MAX]);
    void (*remove)(const char *address);
};

extern const struct history_contract history_contract __attribute__((weak));

#define HISTORY_CONTRACT(TEST)                                                                     \
    TEST(values_of_every_kind_come_back_as_they_were)                                              \
    TEST(what_is_undone_was_never_there)                                                           \
    TEST(a_store_of_a_later_schema_is_refused)                                                     \
    TEST(a_run_in_the_history_is_what_its_report_says)                                             \
    TEST(the_same_journal_again_changes_nothing)                                                   \
    TEST(a_journal_that_has_grown_replaces_its_shorter_self)                                       \
    TEST(another_journal_of_the_same_id_is_refused)                                                \
    TEST(a_journal_that_does_not_verify_is_refused_or_marked_for_ever)                             \
    TEST(a_torn_journal_is_imported_as_one_that_was_cut_off)                                       \
    TEST(a_run_that_was_cut_off_has_not_passed)                                                    \
    TEST(what_is_no_journal_is_refused)                                                            \
    TEST(an_import_that_fails_leaves_nothing)                                                      \
    TEST(importers_at_once_import_each_run_once)                                                   \
    TEST(runs_are_found_by_what_they_have)                                                         \
    TEST(a_run_is_found_by_the_beginning_of_its_id)                                                \
    TEST(a_run_on_a_real_clock_is_known_by_the_id_in_its_journal)                                  \
    TEST(what_differs_between_two_runs_is_told_and_nothing_else)                                   \
    TEST(many_runs_are_compared_with_many_by_rate)                                                 \
    TEST(a_rate_differs_where_chance_does_not_explain_it)                                          \
    TEST(a_round_that_was_settled_otherwise_is_named)                                              \
    TEST(the_same_name_with_another_content_is_another_recording)                                  \
    TEST(a_machine_that_has_become_slower_is_found_with_the_run)                                   \
    TEST(what_no_machine_did_is_in_no_trend)                                                       \
    TEST(a_shuffler_that_slows_down_before_it_fails_is_found)                                      \
    TEST(a_recording_that_came_out_both_ways_is_flaky)                                             \
    TEST(what_passed_with_something_else_is_not_flaky)                                             \
    TEST(orders_of_all_runs_of_a_machine_are_pooled_each_once)                                     \
    TEST(orders_that_a_longer_run_begins_with_are_no_second_sample)                                \
    TEST(shards_are_one_run_when_all_are_there)                                                    \
    TEST(what_is_kept_of_shards_is_told_of_their_run)                                              \
    TEST(an_attempt_that_proved_nothing_is_kept_and_not_counted)                                   \
    TEST(a_failure_of_a_shard_cannot_be_tried_away)                                                \
    TEST(a_failure_before_a_shard_was_ended_is_not_left_out)                                       \
    TEST(a_shard_with_two_journals_of_one_attempt_has_not_passed)                                  \
    TEST(shards_of_other_recordings_are_another_run)                                               \
    TEST(a_store_of_an_earlier_schema_is_brought_to_this_one)

HISTORY_CONTRACT(DECLARE_TEST)

#define HISTORY_CONTRACT_TESTS HISTORY_CONTRACT(TEST_OF_CONTRACT)

#endif
