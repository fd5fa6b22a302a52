/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reseeds and rates that a terminal is found with, by its log, its ledger and its meters. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

enum { ROYAL, DIAMOND, MUST_HIT, FOUND_METERS };

#define RESEED      10000000 /* of the diamond, in millionths */
#define CONTRIBUTES 30000    /* a wager of a dollar to the diamond, at 3 % */
#define OF_STATUS   7        /* checks of what STATUS tells before CONFIGURE and after it */
#define WINDOW      140      /* entries of the log that are looked at */

static const char award_why[] = "millionths that an award has left, by the sheet's reseed value";
static const char grown_why[] = "millionths of the meter that was found, by the sheet's rate";

/* Of this game, configured, with nothing played since; STATUS says that awards were paid. */
static struct terminal_scene *open_found(void)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct run_recording *recording = &scene->run.recording;

    recording->meters = (struct meters){
        .meter = {{.name = "royal", .reseed = 500000000, .rate = 500},
                  {.name = "diamond", .reseed = RESEED, .rate = 300},
                  {.name = "must-hit", .reseed = 20000000, .ceiling = 50000000, .rate = 100}},
        .count = FOUND_METERS,
        .must_hit = MUST_HIT};
    recording->terminal = (struct terminal_config){.wager = 100, .meter_count = MUST_HIT};
    strcpy(recording->terminal.meters[ROYAL].name, "royal");
    strcpy(recording->terminal.meters[DIAMOND].name, "diamond");
    scene->writer.meters =
        (struct terminal_meters){.count = FOUND_METERS,
                                 .must_hit = MUST_HIT,
                                 .meter = {{.name = "royal", .micros = 900000000},
                                           {.name = "diamond", .micros = 70000000},
                                           {.name = "lucky", .micros = 30000000}}};
    scene->writer.status = (struct terminal_status){.state = TERMINAL_IDLE, .awards = 1};
    scene->run.found.screen = TERMINAL_IDLE;
    terminal_scene_log(scene, TERMINAL_LOG_CONFIGURED, 0, 0);
    return scene;
}

/* The ledger has it; a jackpot pays whole cents of what the meter had. */
static struct terminal_ledger_entry *book(struct terminal_scene *scene, unsigned code,
                                          unsigned meter, uint64_t before, uint64_t after)
{
    struct terminal_ledger_entry *entry = terminal_scene_book(scene, code, 3);

    entry->meter = (uint8_t)meter;
    entry->cents = code == TERMINAL_LOG_JACKPOT_PAID ? before / MICROS_PER_CENT : 0;
    entry->before = before;
    entry->after = after;
    return entry;
}

/* The diamond is paid, and shows what it began with again. */
static struct terminal_ledger_entry *pay_diamond(struct terminal_scene *scene)
{
    scene->writer.meters.meter[DIAMOND].micros = RESEED;
    return book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, 70000000, RESEED);
}

/* A round with so many wagers, on the last seats. */
static void play(struct terminal_scene *scene, unsigned wagers)
{
    unsigned seats = 0xff & ~(0xffu >> wagers);

    terminal_scene_log(scene, TERMINAL_LOG_ROUND_STARTED, seats, 1);
    terminal_scene_log(scene, TERMINAL_LOG_ROUND_ENDED, seats, 1);
}

static int look(struct terminal_scene *scene)
{
    return run_look_at_rules(&scene->run, &scene->error);
}

/* What it found is judged when the terminal was configured, which has changed nothing. */
static void judge(struct terminal_scene *scene)
{
    scene->run.found.after = scene->run.found.before;
    run_check_rules(&scene->run);
}

static void expect_judged(struct terminal_scene *scene, unsigned passed, unsigned failed)
{
    CU_ASSERT_EQUAL(look(scene), 0);
    CU_ASSERT_EQUAL(scene->run.found.count, passed + failed);
    judge(scene);
    terminal_scene_expect_found(scene, OF_STATUS + passed, failed);
    CU_ASSERT_EQUAL(scene->skipped, !passed && !failed);
}

static void expect_failure(struct terminal_scene *scene, const char *meter, const char *expected,
                           const char *got, const char *why)
{
    terminal_scene_expect_first(scene, "meter-rules", 0, expected, got, why);
    CU_ASSERT_STRING_EQUAL(scene->wager, meter);
}

TEST(an_award_leaves_the_reseed_value_with_the_fraction_of_a_cent_that_was_not_paid)
{
    static const struct {
        uint64_t before, after;
        const char *expected, *got; /* NULL: it is right */
    } awards[] = {
        {70000000, RESEED, NULL, NULL},
        {70003456, RESEED + 3456, NULL, NULL},
        {70003456, RESEED, "10003456", "10000000"},
        {70003456, RESEED - 3456, "10003456", "9996544"},
        {70000000, RESEED + 1, "10000000", "10000001"},
    };

    for (size_t i = 0; i < sizeof awards / sizeof awards[0]; i++) {
        struct terminal_scene *scene = open_found();

        book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, awards[i].before, awards[i].after);
        expect_judged(scene, !awards[i].got, awards[i].got != NULL);
        if (awards[i].got)
            expect_failure(scene, "diamond", awards[i].expected, awards[i].got, award_why);
        free(scene);
    }
}

TEST(an_award_of_whole_dollars_leaves_the_reseed_value_alone)
{
    static const enum rounding roundings[] = {ROUNDING_UP, ROUNDING_NEAREST};

    for (unsigned i = 0; i < 2; i++)
        for (unsigned keeps = 0; keeps < 2; keeps++) {
            struct terminal_scene *scene = open_found();

            scene->run.recording.meters.rounding = roundings[i];
            book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, 70003456, RESEED + 3456 * keeps);
            expect_judged(scene, !keeps, keeps);
            if (keeps)
                expect_failure(scene, "diamond", "10000000", "10003456", award_why);
            free(scene);
        }
}

TEST(a_meter_grows_by_the_rate_of_each_wager_locked_since_its_award)
{
    for (int apart = -1; apart <= 1; apart++) {
        struct terminal_scene *scene = open_found();

        play(scene, 7); /* before the award, which pays it */
        pay_diamond(scene);
        play(scene, 2);
        play(scene, 1);
        scene->writer.meters.meter[DIAMOND].micros += (uint64_t)(3 * CONTRIBUTES + apart);
        expect_judged(scene, apart ? 1 : 2, apart != 0);
        if (apart)
            expect_failure(scene, "diamond", "10090000", apart < 0 ? "10089999" : "10090001",
                           grown_why);
        free(scene);
    }
}

TEST(an_award_finds_its_meter_grown_since_the_award_before)
{
    for (unsigned apart = 0; apart < 2; apart++) {
        struct terminal_scene *scene = open_found();

        pay_diamond(scene);
        play(scene, 4);
        book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, RESEED + 4 * CONTRIBUTES + apart,
             RESEED + apart); /* a fraction of a cent that nobody has wagered */
        expect_judged(scene, 3 - apart, apart);
        if (apart)
            expect_failure(scene, "diamond", "10120000", "10120001", grown_why);
        free(scene);
    }
}

TEST(a_correction_shows_no_reseed_but_its_meter_grows_from_there)
{
    for (unsigned apart = 0; apart < 2; apart++) {
        struct terminal_scene *scene = open_found();

        book(scene, TERMINAL_LOG_CORRECTED, ROYAL, 900000000, 1234);
        play(scene, 2);
        scene->writer.meters.meter[ROYAL].micros = 1234 + 2 * 50000 + apart;
        expect_judged(scene, !apart, apart);
        if (apart)
            expect_failure(scene, "royal", "101234", "101235", grown_why);
        free(scene);
    }
}

TEST(a_meter_is_judged_by_what_follows_its_own_award_or_correction_alone)
{
    struct terminal_scene *scene = open_found();

    pay_diamond(scene);
    book(scene, TERMINAL_LOG_CORRECTED, ROYAL, 900000000, 1234);
    scene->writer.meters.meter[ROYAL].micros = 1; /* no round has ended since */
    expect_judged(scene, 1, 0);
    free(scene);

    scene = open_found();
    pay_diamond(scene);
    play(scene, 1); /* what the royal had before it is not known */
    scene->writer.meters.meter[DIAMOND].micros += CONTRIBUTES;
    expect_judged(scene, 2, 0);
    free(scene);
}

TEST(what_was_paid_before_the_terminal_was_configured_shows_nothing)
{
    struct terminal_scene *scene = open_found();

    book(scene, TERMINAL_LOG_JACKPOT_PAID, ROYAL, 900000000, 1);
    book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, 70000000, 1);
    terminal_scene_log(scene, TERMINAL_LOG_CONFIGURED, 0, 0);
    play(scene, 3);
    scene->writer.status.awards = 2;
    expect_judged(scene, 0, 0);
    CU_ASSERT_STRING_EQUAL(scene->why,
                           "the terminal was found with no award since it was configured for this "
                           "game: nothing shows its reseeds and rates");
    CU_ASSERT_EQUAL(scene->book.counts.skipped[CHECK_METER_RULES], 1);
    free(scene);
}

TEST(all_meters_that_a_terminal_can_have_are_followed)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct terminal_scene *scene = open_found();
    struct run_recording *recording = &scene->run.recording;

    recording->meters = (struct meters){.count = METERS_MAX, .must_hit = -1};
    recording->terminal.meter_count = METERS_MAX;
    scene->writer.meters = (struct terminal_meters){.count = METERS_MAX, .must_hit = TERMINAL_NONE};
    for (unsigned i = 0; i < METERS_MAX; i++) {
        recording->meters.meter[i] =
            (struct meter){.name = names[i], .reseed = RESEED, .rate = 300};
        strcpy(recording->terminal.meters[i].name, names[i]);
        strcpy(scene->writer.meters.meter[i].name, names[i]);
        book(scene, TERMINAL_LOG_JACKPOT_PAID, i, 70000000, RESEED);
        scene->writer.meters.meter[i].micros = RESEED + CONTRIBUTES;
    }
    play(scene, 1);
    scene->writer.meters.meter[METERS_MAX - 1].micros++;
    scene->writer.status.awards = METERS_MAX;
    expect_judged(scene, 2 * METERS_MAX - 1, 1);
    expect_failure(scene, "e", "10030000", "10030001", grown_why);
    free(scene);
}

TEST(fixed_amounts_must_hit_and_meters_that_are_none_show_no_reseed)
{
    static const unsigned meters[] = {TERMINAL_NONE, MUST_HIT, FOUND_METERS};

    for (unsigned i = 0; i < sizeof meters / sizeof meters[0]; i++) {
        struct terminal_scene *scene = open_found();

        book(scene, TERMINAL_LOG_JACKPOT_PAID, meters[i], 70000000, 1);
        play(scene, 1);
        expect_judged(scene, 0, 0);
        free(scene);
    }
}

TEST(an_entry_that_the_ledger_has_no_more_or_as_another_one_is_left_out)
{
    struct terminal_scene *scene = open_found();

    book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, 70000000, 1); /* the first is gone */
    book(scene, TERMINAL_LOG_CORRECTED, ROYAL, 900000000, 1234);
    scene->writer.first = 1;
    scene->writer.status.awards = 2;
    play(scene, 1);
    scene->writer.meters.meter[ROYAL].micros = 51234;
    expect_judged(scene, 1, 0);
    free(scene);

    scene = open_found();
    book(scene, TERMINAL_LOG_JACKPOT_PAID, DIAMOND, 70000000, 1)->code = TERMINAL_LOG_MUST_HIT_PAID;
    play(scene, 1);
    expect_judged(scene, 0, 0);
    free(scene);
}

TEST(the_log_names_an_entry_by_its_last_16_bits_or_whole_where_numbers_are_wide)
{
    enum { NARROW, WIDE, WIDE_CUT, WAYS };

    for (unsigned way = NARROW; way < WAYS; way++) {
        struct terminal_scene *scene = open_found();

        scene->writer.terminal.device.is_wide = way != NARROW;
        scene->writer.first = scene->writer.end = 65535;
        pay_diamond(scene);
        book(scene, TERMINAL_LOG_JACKPOT_PAID, ROYAL, 900000000, 500000000);
        scene->writer.status.awards = scene->writer.end;
        if (way == WIDE_CUT) /* which is another one, and no more there */
            scene->writer.log[2].value = 0;
        expect_judged(scene, way == WIDE_CUT ? 1 : 2, 0);
        free(scene);
    }
}

TEST(meters_of_another_game_show_nothing_of_this_one)
{
    enum { COUNT, NO_MUST_HIT, FIRST_NAME, LAST_NAME, WAYS };

    for (unsigned way = COUNT; way < WAYS; way++) {
        struct terminal_scene *scene = open_found();

        pay_diamond(scene);
        if (way == COUNT)
            scene->writer.meters.count++;
        if (way == NO_MUST_HIT)
            scene->writer.meters.must_hit = TERMINAL_NONE;
        if (way == FIRST_NAME)
            strcpy(scene->writer.meters.meter[ROYAL].name, "emerald");
        if (way == LAST_NAME)
            strcpy(scene->writer.meters.meter[DIAMOND].name, "emerald");
        expect_judged(scene, 0, 0);
        CU_ASSERT_EQUAL(scene->writer.asked_ledger, 0);
        free(scene);
    }
}

TEST(a_game_without_must_hit_is_the_same_game)
{
    struct terminal_scene *scene = open_found();

    scene->run.recording.meters.must_hit = -1;
    scene->run.recording.meters.count = MUST_HIT;
    scene->writer.meters.must_hit = TERMINAL_NONE;
    scene->writer.meters.count = MUST_HIT;
    pay_diamond(scene);
    book(scene, TERMINAL_LOG_CORRECTED, MUST_HIT, 1, 2); /* there is no such meter */
    play(scene, 1);
    scene->writer.meters.meter[DIAMOND].micros += CONTRIBUTES;
    expect_judged(scene, 2, 0);
    free(scene);
}

TEST(the_last_140_entries_of_the_log_are_looked_at_however_many_a_reply_has)
{
    static const unsigned per_reply[] = {1, 5, 13, LOG_REPLY_MAX};

    for (unsigned i = 0; i < sizeof per_reply / sizeof per_reply[0]; i++)
        for (unsigned late = 0; late < 2; late++) {
            struct terminal_scene *scene = open_found();

            scene->writer.per_reply = per_reply[i];
            for (unsigned n = 0; n < 40; n++)
                terminal_scene_log(scene, TERMINAL_LOG_KEY_REFUSED, 0xfe, 0);
            pay_diamond(scene); /* with it and what follows there are 140, or one too many */
            for (unsigned n = 0; n < WINDOW - 3 + late; n++)
                terminal_scene_log(scene, TERMINAL_LOG_KEY_REFUSED, 0xfe, 0);
            play(scene, 1);
            scene->writer.meters.meter[DIAMOND].micros += CONTRIBUTES;
            expect_judged(scene, late ? 0 : 2, 0);
            free(scene);
        }
}

TEST(a_log_that_misses_an_entry_shows_nothing)
{
    enum { FIRST, LATER, WAYS };

    for (unsigned way = FIRST; way < WAYS; way++) {
        struct terminal_scene *scene = open_found();

        scene->writer.log[0].code = TERMINAL_LOG_POWER_UP;
        pay_diamond(scene)->after = 1;
        for (unsigned n = 0; n < LOG_REPLY_MAX; n++)
            play(scene, 1);
        if (way == FIRST) /* the oldest are not kept any more */
            memmove(scene->writer.log, scene->writer.log + 1,
                    --scene->writer.logged * sizeof scene->writer.log[0]);
        else
            scene->writer.log[LOG_REPLY_MAX].number++;
        expect_judged(scene, 0, 0);
        free(scene);
    }
}

TEST(a_log_that_does_not_come_shows_nothing)
{
    struct terminal_scene *scene = open_found();

    pay_diamond(scene)->after = 1;
    scene->writer.per_reply = 0;
    expect_judged(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_logs, 2);
    free(scene);
}

TEST(more_findings_than_there_is_room_for_are_left_out)
{
    struct terminal_scene *scene = open_found();

    for (unsigned n = 0; n < RUN_FOUND_MAX + 1; n++)
        pay_diamond(scene);
    scene->writer.status.awards = RUN_FOUND_MAX + 1;
    expect_judged(scene, RUN_FOUND_MAX, 0);
    free(scene);
}

TEST(a_terminal_that_has_paid_nothing_is_not_asked_for_its_ledger)
{
    struct terminal_scene *scene = open_found();

    pay_diamond(scene); /* which STATUS does not count */
    scene->writer.status.awards = 0;
    scene->writer.meters_status = ERROR_TIMEOUT;
    expect_judged(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_logs + scene->writer.asked_ledger, 0);
    free(scene);
}

TEST(a_terminal_is_looked_at_and_judged_once_and_only_where_it_keeps_a_log)
{
    struct terminal_scene *scene = open_found();

    pay_diamond(scene);
    expect_judged(scene, 1, 0);
    scene->writer.status_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(look(scene), 0);
    judge(scene);
    terminal_scene_expect_found(scene, OF_STATUS + 1, 0);
    free(scene);

    scene = open_found();
    scene->writer.terminal.device.capabilities = DEVICE_TELLS_STATUS;
    scene->writer.status_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(look(scene), 0);
    CU_ASSERT_FALSE(scene->run.found.was_looked_at);
    judge(scene);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->skipped, 0);
    CU_ASSERT_FALSE(scene->run.found.was_judged);
    free(scene);
}

TEST(a_terminal_that_does_not_answer_while_it_is_looked_at_ends_the_run)
{
    enum { STATUS, CONFIG, METERS, LEDGER, NO_LOG, LOG, BOOKED, GONE, WAYS };

    for (unsigned way = STATUS; way < WAYS; way++) {
        struct terminal_scene *scene = open_found();
        struct terminal_writer *writer = &scene->writer;

        pay_diamond(scene);
        pay_diamond(scene);
        writer->status.awards = 2;
        writer->terminal.device.capabilities |= DEVICE_TELLS_CONFIG;
        writer->status_status = way == STATUS ? ERROR_TIMEOUT : 0;
        writer->config_status = way == CONFIG ? ERROR_TIMEOUT : 0;
        writer->meters_status = way == METERS ? ERROR_TIMEOUT : 0;
        writer->ledger_status = way == LEDGER || way == BOOKED ? ERROR_TIMEOUT : 0;
        writer->ledger_before_failure = way == BOOKED ? 2 : 0; /* which find its end */
        writer->log_status = way == NO_LOG || way == LOG ? ERROR_TIMEOUT : 0;
        writer->logs_before_failure = way == LOG;
        writer->first = way == GONE;
        writer->refusal_gone = REFUSED_STATE; /* and not for the number */
        CU_ASSERT_EQUAL(look(scene), way == GONE ? ERROR_DEVICE : ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(scene->error.code, way == GONE ? ERROR_DEVICE : ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(writer->asked_logs, way <= LEDGER ? 0 : way == NO_LOG ? 1 : 2);
        CU_ASSERT_EQUAL(scene->run.found.count, 0);
        CU_ASSERT_EQUAL(scene->run.found.is_counted, way != STATUS);
        judge(scene);
        terminal_scene_expect_found(scene, way == STATUS ? 0 : OF_STATUS, 0);
        free(scene);
    }
}

TEST(a_terminal_that_was_never_configured_may_have_no_meters_to_tell)
{
    struct terminal_scene *scene = open_found();

    pay_diamond(scene);
    scene->writer.meters_status = ERROR_DEVICE;
    expect_judged(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_ledger, 0);
    free(scene);
}

TEST(configure_changes_neither_the_state_nor_the_mode_nor_what_was_counted)
{
    static const char *const whys[OF_STATUS] = {
        "state by SCREEN and by STATUS, as it was found",
        "state by STATUS, before CONFIGURE and after it",
        "test mode by STATUS, likewise",
        "set of locked seats by STATUS, likewise",
        "set of seats that have won, likewise",
        "rounds started, likewise",
        "awards paid, likewise",
    };
    static const char *const due[OF_STATUS] = {"2", "1", "0", "8", "4", "50", "20"};
    static const char *const got[OF_STATUS] = {"1", "2", "1", "9", "5", "51", "21"};
    static const struct terminal_status before = {
        .state = TERMINAL_IDLE, .locked = 8, .paid = 4, .rounds = 50, .awards = 20};

    for (unsigned i = 0; i <= OF_STATUS; i++) {
        struct terminal_scene *scene = open_found();
        struct run_found *found = &scene->run.found;

        found->was_looked_at = found->is_counted = true;
        found->screen = i ? TERMINAL_IDLE : TERMINAL_OPEN;
        found->before = found->after = before;
        if (i == 1)
            found->after.state = TERMINAL_OPEN;
        found->after.test_mode = i == 2;
        found->after.locked = i == 3 ? 9 : before.locked;
        found->after.paid = i == 4 ? 5 : before.paid;
        found->after.rounds += i == 5;
        found->after.awards += i == 6;
        run_check_rules(&scene->run);
        terminal_scene_expect_found(scene, OF_STATUS - (i < OF_STATUS), i < OF_STATUS);
        if (i < OF_STATUS) {
            terminal_scene_expect_first(scene, "event-log", 0, due[i], got[i], whys[i]);
            CU_ASSERT_STRING_EQUAL(scene->wager, "terminal");
        }
        free(scene);
    }
}

TEST(configure_may_count_from_0_again)
{
    struct terminal_scene *scene = open_found();
    struct run_found *found = &scene->run.found;

    found->was_looked_at = found->is_counted = true;
    found->before =
        (struct terminal_status){.state = TERMINAL_IDLE, .paid = 4, .rounds = 50, .awards = 20};
    found->after = (struct terminal_status){.state = TERMINAL_IDLE};
    run_check_rules(&scene->run);
    terminal_scene_expect_found(scene, OF_STATUS, 0);
    free(scene);
}

TEST(a_configuration_that_is_told_is_judged_and_leaves_nothing_to_be_skipped)
{
    for (unsigned apart = 0; apart < 2; apart++) {
        struct terminal_scene *scene = open_found();
        struct terminal_config *config = &scene->writer.config;

        scene->writer.terminal.device.capabilities |= DEVICE_TELLS_CONFIG;
        scene->writer.status.awards = 0;
        *config = scene->run.recording.terminal;
        config->meters[DIAMOND].reseed = RESEED;
        scene->run.recording.terminal.meters[DIAMOND].reseed = RESEED;
        config->meters[DIAMOND].reseed += apart;
        CU_ASSERT_EQUAL(look(scene), 0);
        judge(scene);
        terminal_scene_expect_found(scene, OF_STATUS + 1 - apart, apart);
        CU_ASSERT_EQUAL(scene->skipped, 0);
        if (apart)
            expect_failure(scene, "diamond", "10000000", "10000001",
                           "millionths of the reseed value, by CONFIGURATION");
        free(scene);
    }
}

TEST(an_award_is_judged_beside_a_configuration_and_leaves_nothing_to_be_skipped)
{
    struct terminal_scene *scene = open_found();

    scene->writer.terminal.device.capabilities |= DEVICE_TELLS_CONFIG;
    scene->writer.config = scene->run.recording.terminal;
    pay_diamond(scene);
    CU_ASSERT_EQUAL(look(scene), 0);
    judge(scene);
    terminal_scene_expect_found(scene, OF_STATUS + 2, 0);
    CU_ASSERT_EQUAL(scene->skipped, 0);
    free(scene);
}

TEST(what_is_read_back_after_configure_is_judged_each_time_it_was_asked_for)
{
    struct terminal_scene *scene = open_found();

    for (unsigned times = 1; times <= 2; times++) {
        scene->run.configured = (struct run_finding){"royal", 500, 499, "basis points"};
        run_check_rules(&scene->run);
        terminal_scene_expect_found(scene, 0, times);
        run_check_rules(&scene->run); /* it was judged */
        terminal_scene_expect_found(scene, 0, times);
    }
    expect_failure(scene, "royal", "500", "499", "basis points");
    free(scene);
}
