/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal's ledger against what was told, and against the log that names its entries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

#define LIMIT   TERMINAL_SCENE_LIMIT
#define JACKPOT 50000

/* A jackpot of hand 2 by meter 1 that was told, is due and is booked. */
static struct terminal_ledger_entry *pay(struct terminal_scene *scene, unsigned seat)
{
    struct terminal_ledger_entry *entry =
        terminal_scene_book(scene, TERMINAL_LOG_JACKPOT_PAID, seat);
    struct run_round *round = &scene->run.round;

    entry->hand = 2;
    entry->meter = 1;
    entry->cents = JACKPOT;
    entry->before = 700;
    entry->after = 100;
    round->awards[round->award_count++] =
        (struct award){.seat = (uint8_t)seat, .meter = 1, .pays = JACKPOT};
    round->bookings[round->booking_count++] = (struct run_booking){2, 700, 100};
    return entry;
}

static struct terminal_ledger_entry *correct(struct terminal_scene *scene)
{
    struct terminal_ledger_entry *entry = terminal_scene_book(scene, TERMINAL_LOG_CORRECTED, 0);
    struct run_round *round = &scene->run.round;

    entry->meter = 3;
    entry->before = 800;
    entry->after = 900;
    strcpy(entry->reason, RUN_CORRECTION);
    round->corrections[round->correction_count++] = (struct run_correction){3, 800, 900};
    return entry;
}

/* Must Hit, of meter 1 at 40 dollars; the round has added a part of a dollar. */
static struct terminal_ledger_entry *hit(struct terminal_scene *scene, unsigned seat)
{
    struct terminal_ledger_entry *entry =
        terminal_scene_book(scene, TERMINAL_LOG_MUST_HIT_PAID, seat);
    struct run_round *round = &scene->run.round;
    struct meters before, after;

    round->is_settled = true;
    round->at_end = (struct meters){.meter = {{.name = "diamond", .value = 7, .rate = 100},
                                              {.name = "must-hit",
                                               .value = 40 * MICROS_PER_DOLLAR,
                                               .reseed = 10 * MICROS_PER_DOLLAR,
                                               .ceiling = 50 * MICROS_PER_DOLLAR,
                                               .rate = 200}},
                                    .count = 2,
                                    .must_hit = 1};
    round->paid = seat_bit(seat);
    round->dealt.bets[seat][0] = 100;
    CU_ASSERT_FATAL(run_meters_ended(&scene->run, false, &before));
    CU_ASSERT_FATAL(run_meters_ended(&scene->run, true, &after));
    CU_ASSERT_FATAL(before.meter[1].value > after.meter[1].value);
    entry->meter = 1;
    entry->cents = 4000;
    entry->before = (uint64_t)before.meter[1].value;
    entry->after = (uint64_t)after.meter[1].value;
    round->awards[round->award_count++] =
        (struct award){.seat = (uint8_t)seat, .meter = 1, .pays = 4000};
    return entry;
}

/* Once, of that seat. */
static void expect_failed(struct terminal_scene *scene, unsigned seat, const char *expected,
                          const char *got, const char *why)
{
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    CU_ASSERT_EQUAL(scene->failed, 1);
    CU_ASSERT_EQUAL(scene->seat, seat);
    CU_ASSERT_STRING_EQUAL(scene->name, "event-log");
    CU_ASSERT_STRING_EQUAL(scene->wager, "ledger");
    CU_ASSERT_STRING_EQUAL(scene->expected, expected);
    CU_ASSERT_STRING_EQUAL(scene->got, got);
    CU_ASSERT_STRING_EQUAL(scene->why, why);
}

/* Each comparison of an award, or of a correction. */
#define OF_AWARD      9
#define OF_CORRECTION 9

TEST(what_is_booked_as_it_was_told_passes)
{
    struct terminal_scene *scene = terminal_scene_open();

    pay(scene, 3);
    pay(scene, 5);
    hit(scene, 2);
    correct(scene);
    correct(scene);
    /* From the second on the one above is read again. */
    terminal_scene_expect_passed(scene,
                                 3 * OF_AWARD + 2 * OF_CORRECTION + 4 + TERMINAL_SCENE_ROUND);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 5 + 4 + 1);
    CU_ASSERT_EQUAL(scene->run.recording.ledger_next, 5);
    CU_ASSERT_EQUAL(scene->run.ledger_past.first, 0);
    CU_ASSERT_EQUAL(scene->run.ledger_past.next, 5);
    CU_ASSERT(scene->run.recording.has_booked && scene->run.recording.is_ledger_known);
    CU_ASSERT_EQUAL(scene->run.recording.terminal_logged, 5);
    free(scene);
}

/* What an entry of the ledger may say wrongly. */
enum lie { CODE, SEAT, HAND, METER, CENTS, BEFORE, AFTER, REASON };

static void spoil(struct terminal_ledger_entry *entry, enum lie field)
{
    switch (field) {
    case CODE:
        entry->code++;
        break;
    case SEAT:
        entry->seat++;
        break;
    case HAND:
        entry->hand--;
        break;
    case METER:
        entry->meter++;
        break;
    case CENTS:
        entry->cents++;
        break;
    case BEFORE:
        entry->before++;
        break;
    case AFTER:
        entry->after++;
        break;
    case REASON:
        entry->reason[0] = 'A';
        break;
    }
}

TEST(an_award_that_is_booked_otherwise_than_it_was_told_is_told)
{
    static const struct {
        enum lie field;
        const char *expected, *got, *why;
    } lies[] = {
        {CODE, "13", "14", "code of an entry of the ledger"},
        {SEAT, "3", "4", "seat of an award by the ledger"},
        {HAND, "2", "1", "hand of an award by the ledger, 255 for none"},
        {METER, "1", "2", "meter of an award by the ledger, 255 for none"},
        {CENTS, "50000", "50001", "cents of an award by the ledger"},
        {BEFORE, "700", "701", "millionths of the meter before an award by the ledger"},
        {AFTER, "100", "101", "millionths of the meter after an award by the ledger"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = terminal_scene_open();

        spoil(pay(scene, 3), lies[i].field);
        expect_failed(scene, 3, lies[i].expected, lies[i].got, lies[i].why);
        free(scene);
    }
}

TEST(a_correction_is_booked_with_its_reason_and_pays_nothing)
{
    static const struct {
        enum lie field;
        const char *expected, *got, *why;
    } lies[] = {
        {CODE, "15", "16", "code of an entry of the ledger"},
        {HAND, "255", "254", "hand of an administrator's correction by the ledger, 255 for none"},
        {METER, "3", "4", "meter of a correction by the ledger"},
        {CENTS, "0", "1", "cents that a correction pays, by the ledger"},
        {BEFORE, "800", "801",
         "millionths of the meter before an administrator's correction by the ledger"},
        {AFTER, "900", "901",
         "millionths of the meter after an administrator's correction by the ledger"},
        {REASON, "1", "0", "the ledger has the reason of a correction"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = terminal_scene_open();

        spoil(correct(scene), lies[i].field);
        expect_failed(scene, 0, lies[i].expected, lies[i].got, lies[i].why);
        free(scene);
    }
}

TEST(must_hit_is_booked_out_of_what_the_round_has_added)
{
    static const char *const whys[] = {
        [HAND] = "hand of an award by the ledger, 255 for none",
        [BEFORE] = "millionths of the meter before an award by the ledger",
        [AFTER] = "millionths of the meter after an award by the ledger",
    };

    for (unsigned field = 0; field < sizeof whys / sizeof whys[0]; field++) {
        struct terminal_scene *scene = terminal_scene_open();

        if (whys[field]) {
            spoil(hit(scene, 2), (enum lie)field);
            CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
            CU_ASSERT_EQUAL(scene->failed, 1);
            CU_ASSERT_STRING_EQUAL(scene->why, whys[field]);
        }
        free(scene);
    }
}

TEST(where_the_engine_does_not_know_must_hit_only_what_was_told_is_compared)
{
    for (unsigned how = 0; how < 4; how++) {
        struct terminal_scene *scene = terminal_scene_open();
        struct terminal_ledger_entry *entry = hit(scene, 2);
        struct run_round *round = &scene->run.round;

        spoil(entry, BEFORE);
        if (how == 0)
            round->is_settled = false;
        else if (how == 1)
            round->at_end.must_hit = -1;
        else if (how == 2) /* no meter can hold it */
            round->at_end.meter[0].value = INT64_MAX;
        else /* it is a jackpot of which no booking is known */
            scene->writer.log[0].code = entry->code = round->log.entries[0].code =
                TERMINAL_LOG_JACKPOT_PAID;
        terminal_scene_expect_passed(scene, OF_AWARD - 3 + TERMINAL_SCENE_ROUND);
        free(scene);
    }
}

TEST(an_award_beyond_those_told_is_not_looked_up)
{
    struct terminal_scene *scene = terminal_scene_open();

    pay(scene, 3);
    scene->run.round.award_count = 0;
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 1); /* whether there is one that was not named */
    CU_ASSERT_EQUAL(scene->failed, 1);
    free(scene);
    scene = terminal_scene_open();
    correct(scene);
    scene->run.round.correction_count = 0;
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 1);
    free(scene);
}

TEST(times_of_log_and_ledger_may_differ_by_the_limit_of_a_key)
{
    for (int later = -1; later <= 1; later += 2) {
        struct terminal_scene *scene = terminal_scene_open();
        char got[16];

        pay(scene, 3)->millis = (uint64_t)(5000 + later * LIMIT);
        terminal_scene_expect_passed(scene, OF_AWARD + TERMINAL_SCENE_ROUND);
        free(scene);
        scene = terminal_scene_open();
        pay(scene, 3)->millis = (uint64_t)(5000 + later * (LIMIT + 1));
        snprintf(got, sizeof got, "%d", 5000 + later * (LIMIT + 1));
        expect_failed(scene, 3, "5000", got,
                      "milliseconds of an entry of the ledger, against the log");
        free(scene);
    }
}

TEST(times_of_the_ledger_do_not_go_back_from_one_entry_to_the_next)
{
    static const struct {
        int first, second; /* later than the log has them */
        bool is_back;
    } cases[] = {{0, 0, false},
                 {LIMIT, LIMIT - 200, false},
                 {LIMIT, LIMIT - 201, true},
                 {LIMIT, -LIMIT, true},
                 {-LIMIT, LIMIT, false}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = terminal_scene_open();
        struct terminal_ledger_entry *first = pay(scene, 3), *second = pay(scene, 5);
        char expected[16], got[16];

        first->millis = (uint64_t)(5000 + cases[i].first);
        second->millis = (uint64_t)(5200 + cases[i].second);
        snprintf(expected, sizeof expected, "%d", 5000 + cases[i].first);
        snprintf(got, sizeof got, "%d", 5200 + cases[i].second);
        if (cases[i].is_back)
            expect_failed(scene, 5, expected, got,
                          "milliseconds of an entry of the ledger, before those of the one above");
        else
            terminal_scene_expect_passed(scene, 2 * OF_AWARD + 1 + TERMINAL_SCENE_ROUND);
        free(scene);
    }
}

TEST(the_first_entry_after_a_failure_may_be_of_any_time)
{
    struct terminal_scene *scene = terminal_scene_open();

    pay(scene, 3)->millis = 6000;
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    scene->run.recording.has_booked = false;
    run_log_clear(&scene->run.round.log);
    scene->run.round.award_count = scene->run.round.booking_count = 0;
    pay(scene, 5);
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    CU_ASSERT_EQUAL(scene->failed, 0);
    free(scene);
}

TEST(the_log_names_the_next_entry_of_the_ledger)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.recording.ledger_next = 6;
    scene->writer.end = 7;
    pay(scene, 3);
    expect_failed(scene, 3, "6", "7", "entry of the ledger by the log");
    CU_ASSERT_EQUAL(scene->run.recording.ledger_next, 8);
    free(scene);
    /* Where it is not known which one is next, the log tells. */
    scene = terminal_scene_open();
    scene->run.recording.is_ledger_known = false;
    scene->run.recording.ledger_next = 6;
    scene->writer.end = 7;
    pay(scene, 3);
    terminal_scene_expect_passed(scene, OF_AWARD - 1 + TERMINAL_SCENE_ROUND);
    CU_ASSERT_EQUAL(scene->run.recording.ledger_next, 8);
    CU_ASSERT(scene->run.recording.is_ledger_known);
    free(scene);
}

TEST(a_number_of_16_bits_goes_on_behind_the_last_one)
{
    static const uint32_t numbers[] = {65535, 65536, 65540, 0x12345678};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        for (unsigned wide = 0; wide < 2; wide++) {
            struct terminal_scene *scene = terminal_scene_open();

            scene->writer.terminal.device.is_wide = wide;
            scene->run.recording.ledger_next = scene->writer.first = scene->writer.end = numbers[i];
            pay(scene, 3);
            terminal_scene_expect_passed(scene, OF_AWARD + TERMINAL_SCENE_ROUND);
            CU_ASSERT_EQUAL(scene->run.recording.ledger_next, numbers[i] + 1);
            free(scene);
        }
}

TEST(a_number_of_32_bits_is_taken_as_it_is)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->writer.terminal.device.is_wide = true;
    scene->run.recording.ledger_next = 65541;
    scene->writer.end = 4;
    pay(scene, 3);
    expect_failed(scene, 3, "65541", "4", "entry of the ledger by the log");
    free(scene);
}

TEST(an_entry_that_the_log_names_and_the_ledger_has_not_is_told)
{
    struct terminal_scene *scene = terminal_scene_open();

    pay(scene, 3);
    scene->writer.end = 0;
    expect_failed(scene, 3, "1", "0", "the ledger has the entry that the log names");
    CU_ASSERT_EQUAL(scene->run.recording.ledger_next, 0);
    CU_ASSERT_FALSE(scene->run.recording.has_booked);
    free(scene);
    scene = terminal_scene_open();
    correct(scene);
    scene->writer.end = 0;
    expect_failed(scene, 0, "1", "0", "the ledger has the entry that the log names");
    free(scene);
}

TEST(an_entry_that_the_log_does_not_name_is_told)
{
    struct terminal_scene *scene = terminal_scene_open();

    pay(scene, 3);
    scene->writer.ledger[1] = (struct terminal_ledger_entry){.number = 1, .seat = 6};
    scene->writer.end = 2;
    expect_failed(scene, 6, "0", "1", "an entry of the ledger that the log does not name");
    CU_ASSERT_FALSE(scene->run.recording.is_ledger_known);
    free(scene);
    scene = terminal_scene_open();
    scene->run.recording.is_ledger_known = false;
    scene->writer.end = 1;
    terminal_scene_expect_passed(scene, 1);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 0);
    free(scene);
}

TEST(the_last_entry_that_was_read_stays_what_it_was)
{
    for (unsigned field = CODE; field <= REASON + 2; field++) {
        struct terminal_scene *scene = terminal_scene_open();
        struct terminal_ledger_entry *entry = pay(scene, 3);

        CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
        CU_ASSERT_EQUAL_FATAL(scene->failed, 0);
        run_log_clear(&scene->run.round.log);
        scene->run.round.award_count = scene->run.round.booking_count = 0;
        pay(scene, 5);
        if (field < REASON)
            spoil(entry, (enum lie)field);
        else if (field == REASON)
            entry->millis++;
        else if (field == REASON + 1)
            scene->writer.first = 1;
        if (field == REASON + 2)
            terminal_scene_expect_passed(scene, 2 * OF_AWARD + 1 + 2 * TERMINAL_SCENE_ROUND);
        else
            expect_failed(scene, 3, "1", "0", "an entry of the ledger stays what it was");
        free(scene);
    }
}

/* So many jackpots that were booked, each read when it was told. */
static struct terminal_scene *open_paid(uint32_t first, unsigned count)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.recording.ledger_next = scene->writer.first = scene->writer.end = first;
    for (unsigned i = 0; i < count; i++) {
        run_log_clear(&scene->run.round.log);
        scene->run.round.award_count = scene->run.round.booking_count = 0;
        scene->writer.logged = 0;
        scene->run.recording.terminal_logged = 0;
        scene->run.pasts[DEVICE_TERMINAL] = (struct run_log_past){0};
        pay(scene, i % SEATS_MAX + 1);
        CU_ASSERT_EQUAL_FATAL(terminal_scene_check_log(scene), 0);
        CU_ASSERT_EQUAL_FATAL(scene->failed, 0);
    }
    scene->passed = scene->writer.asked_ledger = 0;
    return scene;
}

TEST(an_entry_that_was_read_is_the_same_when_it_is_read_again)
{
    for (unsigned field = SEAT; field <= REASON + 2; field++) {
        struct terminal_scene *scene = open_paid(7, 3);
        bool is_same;

        if (field <= REASON)
            spoil(&scene->writer.ledger[8], (enum lie)field);
        else if (field == REASON + 1)
            scene->writer.ledger[8].millis++;
        else
            scene->writer.first = 9; /* it has gone */
        CU_ASSERT_EQUAL(run_ledger_check_again(&scene->run, 9, &is_same, &scene->error), 0);
        CU_ASSERT(is_same);
        terminal_scene_expect_found(scene, 0, 0);
        CU_ASSERT_EQUAL(run_ledger_check_again(&scene->run, 8, &is_same, &scene->error), 0);
        CU_ASSERT_FALSE(is_same);
        terminal_scene_expect_found(scene, 0, 1);
        terminal_scene_expect_first(
            scene, "event-log", 2, "null", "8",
            "number of an entry of the ledger that is not what it was when first read");
        CU_ASSERT_STRING_EQUAL(scene->wager, "ledger");
        free(scene);
    }
}

TEST(an_entry_that_cannot_be_read_again_ends_with_its_error)
{
    struct terminal_scene *scene = open_paid(0, 1);
    bool is_same = true;

    scene->writer.ledger_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(run_ledger_check_again(&scene->run, 0, &is_same, &scene->error), ERROR_TIMEOUT);
    CU_ASSERT_FALSE(is_same);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(as_many_entries_are_kept_as_a_terminal_keeps)
{
    static const struct {
        uint32_t first;
        unsigned count;
        uint32_t kept;
    } cases[] = {{0, 256, 0}, {0, 257, 1}, {65000, 3, 65000}, {65000, 300, 65044}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = open_paid(cases[i].first, cases[i].count);
        const struct run_ledger_past *past = &scene->run.ledger_past;

        CU_ASSERT_EQUAL(past->first, cases[i].kept);
        CU_ASSERT_EQUAL(past->next, cases[i].first + cases[i].count);
        for (uint32_t number = past->first; number != past->next; number++)
            CU_ASSERT_EQUAL(past->entries[number % RUN_LEDGER_KEPT].number, number);
        free(scene);
    }
}

TEST(entries_are_kept_from_where_the_log_has_left_off_naming_the_next_one)
{
    for (unsigned known = 0; known < 2; known++) {
        struct terminal_scene *scene = open_paid(0, 3);
        struct run_recording *recording = &scene->run.recording;

        recording->has_booked = known; /* it is not known where the ledger was after a failure */
        scene->writer.end += known ? 2 : 0;
        recording->is_ledger_known = false;
        run_log_clear(&scene->run.round.log);
        scene->run.round.award_count = scene->run.round.booking_count = 0;
        pay(scene, 3);
        CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
        CU_ASSERT_EQUAL(scene->run.ledger_past.first, known ? 5 : 0);
        CU_ASSERT_EQUAL(scene->run.ledger_past.next, known ? 6 : 4);
        CU_ASSERT(recording->has_booked);
        free(scene);
    }
}

TEST(a_ledger_that_does_not_answer_ends_the_round)
{
    /* A refusal for another reason than the number, and none. */
    static const struct {
        int status;
        unsigned refusal;
    } cases[] = {{ERROR_DEVICE, REFUSED_VALUE + 1}, {ERROR_TIMEOUT, REFUSED_VALUE}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned how = 0; how < 4; how++) {
            struct terminal_scene *scene = terminal_scene_open();

            scene->run.recording.has_booked = how == 3;
            if (how == 1)
                correct(scene);
            else if (how)
                pay(scene, 3);
            scene->writer.ledger_status = cases[i].status;
            scene->writer.refusal = cases[i].refusal;
            CU_ASSERT_EQUAL(terminal_scene_check_log(scene), cases[i].status);
            CU_ASSERT_EQUAL(scene->writer.asked_ledger, 1);
            CU_ASSERT_EQUAL(scene->failed, 0);
            free(scene);
        }
    }
}

TEST(a_ledger_that_stops_answering_after_an_award_is_not_asked_about_a_correction)
{
    struct terminal_scene *scene = terminal_scene_open();

    pay(scene, 3);
    correct(scene);
    scene->writer.ledger_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 1);
    free(scene);
}

TEST(the_end_of_the_ledger_is_looked_for_behind_the_awards)
{
    static const struct {
        uint32_t first, end, awards, logged;
        bool is_known;
        uint32_t next, asked;
    } cases[] = {
        {0, 0, 0, 0, true, 0, 1},   {0, 3, 3, 9, true, 3, 2},    {0, 5, 3, 300, true, 5, 4},
        {0, 5, 0, 255, true, 5, 6}, {9, 9, 0, 256, false, 0, 0}, {0, 2, 3, 9, false, 3, 1},
        {2, 3, 3, 300, true, 3, 2}, {0, 1, 1, 9, true, 1, 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = terminal_scene_open();

        scene->run.recording.is_ledger_known = !cases[i].is_known;
        scene->run.recording.terminal_logged = cases[i].logged;
        scene->writer.first = cases[i].first;
        scene->writer.end = cases[i].end;
        CU_ASSERT_EQUAL(run_ledger_find_end(&scene->run, cases[i].awards, &scene->error), 0);
        CU_ASSERT_EQUAL(scene->run.recording.is_ledger_known, cases[i].is_known);
        CU_ASSERT_EQUAL(scene->run.recording.ledger_next, cases[i].next);
        CU_ASSERT_EQUAL(scene->writer.asked_ledger, cases[i].asked);
        free(scene);
    }
}

TEST(a_ledger_whose_end_cannot_be_asked_for_ends_the_run)
{
    for (uint32_t awards = 0; awards < 2; awards++) {
        struct terminal_scene *scene = terminal_scene_open();

        scene->writer.ledger_status = ERROR_TIMEOUT;
        CU_ASSERT_EQUAL(run_ledger_find_end(&scene->run, awards, &scene->error), ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(scene->writer.asked_ledger, 1);
        free(scene);
    }
}
