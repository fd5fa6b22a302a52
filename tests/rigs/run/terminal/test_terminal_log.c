/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the terminal's log of a round is read, and what the protocol leaves open in it. */
#include <stdlib.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

/* A wrong code that is due, as a seat's first; and the log has it as a key refused besides. */
static struct terminal_scene *open_refused(bool is_before, unsigned reason, unsigned state)
{
    struct terminal_scene *scene = terminal_scene_open();
    unsigned code =
        reason == TERMINAL_CODE_LOCKED ? TERMINAL_LOG_CODE_LOCKED : TERMINAL_LOG_CODE_WRONG;

    scene->run.round.code_entries = 1;
    terminal_scene_due(scene, code, 3, 1);
    if (is_before)
        terminal_scene_log(scene, TERMINAL_LOG_KEY_REFUSED, TERMINAL_CODE, reason << 8 | state);
    terminal_scene_log(scene, code, 3, 1);
    if (!is_before)
        terminal_scene_log(scene, TERMINAL_LOG_KEY_REFUSED, TERMINAL_CODE, reason << 8 | state);
    return scene;
}

TEST(a_wrong_code_may_be_in_the_log_as_a_key_refused_as_well)
{
    static const struct {
        unsigned reason, state;
        bool is_open;
    } cases[] = {
        {TERMINAL_WRONG_CODE, TERMINAL_CODE_ENTRY, true},
        {TERMINAL_WRONG_CODE, TERMINAL_OPEN, false},
        {TERMINAL_CODE_LOCKED, TERMINAL_CODE_ENTRY, true},
        {TERMINAL_CODE_LOCKED, TERMINAL_OPEN, true},
        {TERMINAL_CODE_LOCKED, TERMINAL_AMOUNT, false},
        {TERMINAL_WRONG_STATE, TERMINAL_CODE_ENTRY, false},
        {TERMINAL_CODE_LOCKED + 0x100, TERMINAL_CODE_ENTRY, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned before = 0; before < 2; before++) {
            struct terminal_scene *scene = open_refused(before, cases[i].reason, cases[i].state);

            CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
            CU_ASSERT_EQUAL(scene->failed, !cases[i].is_open);
            CU_ASSERT_EQUAL(scene->run.round.code_entries, !cases[i].is_open);
            free(scene);
        }
}

TEST(a_key_that_is_refused_is_left_open_only_beside_its_code_and_once)
{
    struct terminal_scene *scene = open_refused(true, TERMINAL_WRONG_CODE, TERMINAL_CODE_ENTRY);

    scene->run.round.code_entries = 0;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    scene = open_refused(true, TERMINAL_WRONG_CODE, TERMINAL_CODE_ENTRY);
    scene->writer.log[0].detail = TERMINAL_OK;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    scene = open_refused(true, TERMINAL_WRONG_CODE, TERMINAL_CODE_ENTRY);
    scene->writer.log[0].code = TERMINAL_LOG_ADMINISTRATOR_REFUSED;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    scene = open_refused(true, TERMINAL_WRONG_CODE, TERMINAL_CODE_ENTRY);
    scene->writer.log[0].number = 4;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    CU_ASSERT_STRING_EQUAL(scene->why, "number of an entry of the log");
    free(scene);
    for (unsigned reason = TERMINAL_WRONG_CODE; reason <= TERMINAL_CODE_LOCKED; reason++) {
        /* Another entry is beside it. */
        scene = open_refused(true, reason, TERMINAL_CODE_ENTRY);
        scene->run.round.log.entries[0].code = scene->writer.log[1].code = TERMINAL_LOG_AUTHORIZED;
        CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
        free(scene);
        scene = open_refused(false, reason, TERMINAL_CODE_ENTRY);
        scene->run.round.log.entries[0].code = scene->writer.log[0].code = TERMINAL_LOG_AUTHORIZED;
        CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
        free(scene);
    }
    /* What was due there before is not due any more. */
    scene = open_refused(false, TERMINAL_WRONG_CODE, TERMINAL_CODE_ENTRY);
    scene->run.round.log.entries[1].code = TERMINAL_LOG_CODE_WRONG;
    scene->run.round.log.entries[0].code = scene->writer.log[0].code = TERMINAL_LOG_AUTHORIZED;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
}

/* The third wrong code of seat 3 is due as one that locks, and is in the log as a wrong one too. */
static struct terminal_scene *open_third(unsigned tries, unsigned seat)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.round.code_entries = 1;
    terminal_scene_due(scene, TERMINAL_LOG_CODE_LOCKED, 3, RUN_LOG_ANY);
    terminal_scene_log(scene, TERMINAL_LOG_CODE_WRONG, seat, tries);
    terminal_scene_log(scene, TERMINAL_LOG_CODE_LOCKED, 3, 0);
    return scene;
}

TEST(the_third_wrong_code_may_be_in_the_log_as_a_wrong_one_as_well)
{
    struct terminal_scene *scene = open_third(TERMINAL_CODE_TRIES, 3);

    terminal_scene_expect_passed(scene, TERMINAL_SCENE_ROUND);
    free(scene);
    scene = open_third(TERMINAL_CODE_TRIES - 1, 3);
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    scene = open_third(TERMINAL_CODE_TRIES, 4);
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    scene = open_third(TERMINAL_CODE_TRIES, 3);
    scene->writer.log[0].code = TERMINAL_LOG_CODE_ESCAPED;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    scene = open_third(TERMINAL_CODE_TRIES, 3);
    scene->run.round.log.entries[0].code = scene->writer.log[1].code = TERMINAL_LOG_AUTHORIZED;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
    /* Behind it, where what was due there before is not due any more. */
    scene = open_third(TERMINAL_CODE_TRIES, 3);
    scene->run.round.log.entries[1] = scene->run.round.log.entries[0];
    scene->writer.log[0].code = TERMINAL_LOG_CODE_LOCKED;
    scene->writer.log[1].code = TERMINAL_LOG_CODE_WRONG;
    scene->writer.log[1].value = TERMINAL_CODE_TRIES;
    CU_ASSERT(!terminal_scene_check_log(scene) && scene->failed == 1);
    free(scene);
}

/* Codes that are due, after one another, and those that come. */
static struct terminal_scene *open_codes(const uint8_t *dues, const uint8_t *comes, unsigned count)
{
    struct terminal_scene *scene = terminal_scene_open();

    for (unsigned i = 0; i < count; i++) {
        terminal_scene_due(scene, dues[i], 0, RUN_LOG_ANY);
        terminal_scene_log(scene, comes[i], 0, 0);
    }
    return scene;
}

TEST(a_round_may_end_before_or_after_its_must_hit)
{
    enum { HIT = TERMINAL_LOG_MUST_HIT_PAID, END = TERMINAL_LOG_ROUND_ENDED };
    enum { ON = TERMINAL_LOG_TEST_MODE, START = TERMINAL_LOG_ROUND_STARTED };
    static const struct {
        uint8_t due[3], comes[3];
        bool is_open;
    } cases[] = {
        {{START, HIT, END}, {START, HIT, END}, true},
        {{START, HIT, END}, {START, END, HIT}, true},
        {{HIT, END, ON}, {END, HIT, ON}, true},
        {{HIT, ON, END}, {END, ON, HIT}, false},
        {{ON, START, HIT}, {ON, END, START}, false},
        {{HIT, END, ON}, {ON, END, HIT}, false},
        {{START, END, HIT}, {END, START, HIT}, false},
        {{START, END, HIT}, {START, HIT, END}, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = open_codes(cases[i].due, cases[i].comes, 3);

        CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
        CU_ASSERT_EQUAL(scene->failed, !cases[i].is_open);
        free(scene);
    }
}

TEST(what_was_due_behind_the_last_one_does_not_change_places)
{
    struct terminal_scene *scene = terminal_scene_open();

    terminal_scene_due(scene, TERMINAL_LOG_MUST_HIT_PAID, 0, RUN_LOG_ANY);
    terminal_scene_due(scene, TERMINAL_LOG_ROUND_ENDED, 0, RUN_LOG_ANY);
    scene->run.round.log.count = 1; /* the second is of a round before */
    terminal_scene_log(scene, TERMINAL_LOG_ROUND_ENDED, 0, 0);
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    CU_ASSERT_EQUAL(scene->failed, 1);
    free(scene);
}

TEST(a_log_of_many_entries_is_read_to_its_end)
{
    static const unsigned per_reply[] = {1, 2, LOG_REPLY_MAX}, replies[] = {40, 20, 3};

    for (size_t i = 0; i < sizeof per_reply / sizeof per_reply[0]; i++) {
        struct terminal_scene *scene = terminal_scene_open();
        nanos_t now;

        scene->writer.per_reply = per_reply[i];
        for (unsigned n = 0; n < 40; n++) {
            terminal_scene_due(scene, TERMINAL_LOG_HAND_CHOSEN, 1, n);
            terminal_scene_log(scene, TERMINAL_LOG_HAND_CHOSEN, 1, n);
        }
        terminal_scene_expect_passed(scene, TERMINAL_SCENE_ROUND);
        CU_ASSERT_EQUAL(scene->run.recording.terminal_logged, 40);
        CU_ASSERT_EQUAL(scene->writer.asked_logs, replies[i]);
        now = 10 * NANOS_PER_SECOND + replies[i] * 10 * NANOS_PER_MILLI;
        CU_ASSERT_EQUAL(scene->run.pasts[DEVICE_TERMINAL].read, now - 10 * NANOS_PER_MILLI);
        CU_ASSERT_EQUAL(scene->run.pasts[DEVICE_TERMINAL].pending.until, now);
        free(scene);
    }
}

TEST(a_log_that_gives_nothing_although_it_has_more_is_not_asked_for_ever)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->writer.per_reply = 0;
    terminal_scene_log(scene, TERMINAL_LOG_HAND_CHOSEN, 1, 1);
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    CU_ASSERT_EQUAL(scene->failed, 1);
    CU_ASSERT_STRING_EQUAL(scene->why, "entries that the log says it has");
    CU_ASSERT_STRING_EQUAL(scene->expected, "0");
    CU_ASSERT_STRING_EQUAL(scene->got, "1");
    free(scene);
}

TEST(a_log_that_stops_answering_ends_the_round_and_is_not_judged)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->writer.per_reply = 1;
    scene->writer.log_status = ERROR_TIMEOUT;
    scene->writer.logs_before_failure = 1;
    for (unsigned n = 0; n < 3; n++) {
        terminal_scene_due(scene, TERMINAL_LOG_HAND_CHOSEN, 1, n);
        terminal_scene_log(scene, TERMINAL_LOG_HAND_CHOSEN, 1, n);
    }
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->failed, 0);
    CU_ASSERT_EQUAL(scene->passed, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 0);
    CU_ASSERT_EQUAL(scene->run.recording.terminal_logged, 0);
    free(scene);
}

TEST(a_log_that_grows_is_held_against_what_was_told_before_it_was_asked_for)
{
    struct terminal_scene *scene = terminal_scene_open();

    for (unsigned n = 0; n < 2; n++) {
        run_log_add(&scene->run.round.log, TERMINAL_LOG_HAND_CHOSEN, 1, n, 0,
                    scene->bench.clock.now - 1);
        terminal_scene_log(scene, TERMINAL_LOG_HAND_CHOSEN, 1, n);
    }
    scene->writer.per_reply = 1;
    terminal_scene_expect_passed(scene, TERMINAL_SCENE_ROUND);
    free(scene);
}

TEST(of_a_round_that_leaves_open_what_is_written_no_entry_is_judged)
{
    struct terminal_scene *scene = terminal_scene_open();

    terminal_scene_log(scene, TERMINAL_LOG_HAND_CHOSEN, 1, 1);
    scene->run.round.log.is_unsure = true;
    terminal_scene_expect_passed(scene, 1);
    CU_ASSERT_EQUAL(scene->run.recording.terminal_logged, 1);
    free(scene);
}

TEST(a_terminal_without_a_log_is_asked_nothing)
{
    for (unsigned how = 0; how < 2; how++) {
        struct terminal_scene *scene = terminal_scene_open();

        if (how)
            scene->run.recording.has_terminal = false;
        else
            scene->writer.terminal.device.capabilities = 0;
        scene->writer.log_status = scene->writer.ledger_status = ERROR_DEVICE;
        CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
        CU_ASSERT_EQUAL(run_ledger_find_end(&scene->run, 1, &scene->error), 0);
        CU_ASSERT_EQUAL(run_terminal_skip_log(&scene->run, &scene->error), 0);
        CU_ASSERT_EQUAL(scene->passed + scene->failed, 0);
        CU_ASSERT_EQUAL(scene->writer.asked_ledger, 0);
        free(scene);
    }
}

TEST(what_the_log_has_already_may_be_left_out)
{
    struct terminal_scene *scene = terminal_scene_open();
    const struct run_log_past *past = &scene->run.pasts[DEVICE_TERMINAL];

    for (unsigned n = 0; n < 5; n++)
        terminal_scene_log(scene, TERMINAL_LOG_HAND_CHOSEN, 1, n);
    CU_ASSERT_EQUAL(run_terminal_skip_log(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->run.recording.terminal_logged, 5);
    CU_ASSERT(past->first == 5 && past->next == 5 && past->read == 10 * NANOS_PER_SECOND);
    terminal_scene_expect_passed(scene, TERMINAL_SCENE_ROUND);
    scene->writer.log_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(run_terminal_skip_log(&scene->run, &scene->error), ERROR_TIMEOUT);
    scene->run.recording.has_start = true; /* which is what it is to be held against */
    CU_ASSERT_EQUAL(run_terminal_skip_log(&scene->run, &scene->error), 0);
    free(scene);
}
