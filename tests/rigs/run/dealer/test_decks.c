/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two decks that take turns, through devices: which one is dealt, and who finds out. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/model.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define TWO_DECKS                                                                                  \
    "rig: test\nclock: virtual\ndecks: 2\ndevices:\n"                                              \
    "  shuffler: {address: 'emu:shuffler?decks=2'%s}\n  terminal: {address: emu:terminal}\n"

static uint64_t passed(const struct scene *scene, enum check check)
{
    return runner_counts(scene->runner)->checks.passed[check];
}

static void open_with(struct scene *scene, const char *format, const char *more)
{
    char text[1024];

    snprintf(text, sizeof text, format, more);
    scene_open(scene, text, 3);
}

TEST(every_recording_passes_on_a_bench_with_two_decks)
{
    struct scene scene;
    glob_t found;
    size_t length;
    char *rig = scratch_read("rigs/two-decks.yaml", &length);

    CU_ASSERT_EQUAL_FATAL(glob("fixtures/*/two-decks-*.shoe", 0, NULL, &found), 0);
    CU_ASSERT_EQUAL(found.gl_pathc, 5);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        bool is_from_shoe = strstr(found.gl_pathv[i], "card-by-card") != NULL;

        scene_open(&scene, rig, 1);
        CU_ASSERT_EQUAL(runner_play(scene.runner, found.gl_pathv[i], &scene.error), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        if (*scene.first)
            printf("%s: %s\n", found.gl_pathv[i], scene.first);
        CU_ASSERT_EQUAL(passed(&scene, CHECK_DECK_TURNS) > 0, !is_from_shoe);
        scene_close(&scene);
    }
    globfree(&found);
    free(rig);
}

TEST(what_is_recorded_says_the_deck_of_each_round_and_replays)
{
    struct scene scene;
    size_t length;
    char *text, *line;
    unsigned rounds = 0;

    open_with(&scene, TWO_DECKS, "");
    CU_ASSERT_EQUAL(
        scene_record(&scene, (struct observation){.header = SCENE_CHASE, .rounds = 7, .seed = 3}),
        0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(passed(&scene, CHECK_DECK_TURNS), 7);
    text = scratch_read(scene.shoe, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"decks\":2"));
    for (line = text; (line = strstr(line, "\"deck-id\":")); line++)
        CU_ASSERT_EQUAL(line[10], '1' + (char)(rounds++ % 2));
    CU_ASSERT_EQUAL(rounds, 7);
    free(text);
    scene_replay(&scene, 7);
    scene_forget(&scene);
    scene_close(&scene);
}

/* The wire of version 1 tells no deck, and its people are not emulated. */
TEST(where_nobody_sees_the_backs_turns_are_skipped_and_nothing_else)
{
    static const char *const rigs[] = {
        "rig: test\nclock: virtual\ndecks: 2\ndevices:\n  shuffler: {address: emu:shuffler}\n",
        "rig: test\nclock: virtual\ndevices:\n  shuffler: {address: 'emu:shuffler?decks=2'}\n"};

    for (size_t i = 0; i < 2; i++) {
        struct scene scene;

        scene_open(&scene, rigs[i], 1);
        CU_ASSERT_EQUAL(
            runner_play(scene.runner, "fixtures/flush-rush/two-decks-in-turn.shoe", &scene.error),
            0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(passed(&scene, CHECK_DECK_TURNS), 0);
        CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.skipped[CHECK_DECK_TURNS], i == 0);
        scene_close(&scene);
    }
}

/* A shuffler on a real wire, whose packets somebody looks at: a driver that tells backs. */
static struct {
    struct model_pump *pump; /* whose model is asked for them; NULL: these are */
    uint8_t decks[8];        /* by shuffle, from 1; the deck that its cards are of */
    unsigned stray;          /* the shuffle of which the second card is of the other one; 0: none */
    unsigned shuffle;
    bool is_silent;   /* nobody tells them, */
    uint8_t came[16]; /* but these were dealt, by round */
    unsigned rounds;
} seen;

static uint8_t back_of(card_t card)
{
    nanos_t now;
    struct model *model = model_pump_lock(seen.pump, &now);
    uint8_t back = model_kind_find("shuffler", NULL)->back_of(model, card);

    model_pump_unlock(seen.pump);
    return back;
}

static const struct shuffler_driver *wire(void)
{
    return (const struct shuffler_driver *)device_driver_find(DEVICE_SHUFFLER, "open", NULL);
}

static int look(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                struct error *error)
{
    int status = wire()->next(shuffler, event, deadline, error);

    if (status > 0 && event->kind == SHUFFLER_EVENT_SHUFFLED)
        seen.shuffle++;
    for (unsigned i = 0;
         status > 0 && event->kind == SHUFFLER_EVENT_PRESENT && i < event->packet.size; i++) {
        bool is_stray = seen.stray == seen.shuffle && !event->packet.index && i == 1;

        uint8_t deck = seen.pump ? back_of(event->packet.cards[i]) : seen.decks[seen.shuffle % 8];

        if (!event->packet.index && !i)
            seen.came[seen.rounds++ % 16] = deck;
        if (!seen.is_silent)
            event->packet.backs[i] = (uint8_t)(is_stray ? 3 - deck : deck);
    }
    return status;
}

#define FORWARD(name, ...) return wire()->name(__VA_ARGS__)

static int look_open(struct device *device, const struct device_connection *connection,
                     struct error *error)
{
    FORWARD(device.open, device, connection, error);
}

static int look_in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    FORWARD(device.in_test_mode, device, is_on, error);
}

static int look_status(struct shuffler *shuffler, struct shuffler_status *status,
                       struct error *error)
{
    FORWARD(status, shuffler, status, error);
}

static int look_can_program(const struct shuffler_program *program, const char *address,
                            unsigned version, struct error *error)
{
    FORWARD(can_program, program, address, version, error);
}

static int look_program(struct shuffler *shuffler, const struct shuffler_program *program,
                        struct error *error)
{
    FORWARD(program, shuffler, program, error);
}

static int look_shuffle(struct shuffler *shuffler, struct error *error)
{
    FORWARD(shuffle, shuffler, error);
}

static int look_press(struct shuffler *shuffler, struct error *error)
{
    FORWARD(press, shuffler, error);
}

static int look_return(struct shuffler *shuffler, struct error *error)
{
    FORWARD(return_deck, shuffler, error);
}

static int look_test_mode(struct shuffler *shuffler, bool on, struct error *error)
{
    FORWARD(test_mode, shuffler, on, error);
}

static int look_load(struct shuffler *shuffler, const card_t order[DECK_SIZE], struct error *error)
{
    FORWARD(load_order, shuffler, order, error);
}

static int look_clear(struct shuffler *shuffler, enum shuffler_fault code, struct error *error)
{
    FORWARD(clear_error, shuffler, code, error);
}

static const struct shuffler_driver looked_at = {
    .device = {.key = "shuffler/looked-at",
               .class = DEVICE_SHUFFLER,
               .noun = "shuffler",
               .size = 1 << 16, /* more than that of the wire's */
               .capabilities = DEVICE_TELLS_CARDS | DEVICE_TELLS_BACKS | DEVICE_TELLS_STATUS |
                               DEVICE_LOADS_ORDER | DEVICE_HAS_TEST_MODE,
               .open = look_open,
               .in_test_mode = look_in_test_mode},
    .status = look_status,
    .can_program = look_can_program,
    .program = look_program,
    .shuffle = look_shuffle,
    .press = look_press,
    .return_deck = look_return,
    .test_mode = look_test_mode,
    .load_order = look_load,
    .clear_error = look_clear,
    .next = look,
};
REGISTER(device_drivers, looked_at);

static void open_wire(struct scene *scene, struct model_pump *pump)
{
    char rig[512];

    CU_ASSERT_TRUE_FATAL(wire()->device.size <= looked_at.device.size);
    snprintf(rig, sizeof rig,
             "rig: test\nclock: real\ndecks: 2\ndevices:\n"
             "  shuffler: {driver: looked-at, address: '%s'}\n",
             model_pump_address(pump));
    scene_open(scene, rig, 1);
}

/* The rig counts: the wire says nothing, and one round names the deck that was dealt last. */
TEST(turns_are_counted_by_shuffles_where_the_wire_does_not_tell_them)
{
    static const struct {
        const char *path;
        unsigned dealt;
        uint8_t decks[16];
    } recordings[] = {
        {"fixtures/flush-rush/two-decks-in-turn.shoe", 4, {1, 2, 1, 2}},
        {"fixtures/three-card-catch/two-decks-in-turn.shoe", 4, {1, 2, 1, 1}},
        {"fixtures/chase-the-flush/two-decks-in-turn.shoe", 8, {1, 2, 1, 1, 2, 1, 2, 2}}};

    for (size_t i = 0; i < 6; i++) {
        struct model *model = model_make(NULL, "shuffler", "shuffle=1,deal=1,take=1,decks=2", NULL);
        struct scene scene;

        memset(&seen, 0, sizeof seen);
        seen.is_silent = i % 2;
        seen.pump = model_pump_tcp(model);
        open_wire(&scene, seen.pump);
        CU_ASSERT_EQUAL(runner_play(scene.runner, recordings[i / 2].path, &scene.error), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_STRING_EQUAL(scene.first, "");
        CU_ASSERT_EQUAL(passed(&scene, CHECK_DECK_TURNS),
                        seen.is_silent ? 0 : recordings[i / 2].dealt);
        CU_ASSERT_EQUAL(seen.rounds, recordings[i / 2].dealt);
        CU_ASSERT_EQUAL(memcmp(seen.came, recordings[i / 2].decks, sizeof seen.came), 0);
        scene_close(&scene);
        model_pump_stop(seen.pump);
        model->ops->free(model);
    }
}

/* Observes five rounds of such a shuffler. */
static void watch(struct scene *scene, const uint8_t decks[8], unsigned stray)
{
    struct model *model = model_make(NULL, "shuffler", "shuffle=1,deal=1,take=1", NULL);
    struct model_pump *pump = model_pump_tcp(model);

    memset(&seen, 0, sizeof seen);
    memcpy(seen.decks, decks, sizeof seen.decks);
    seen.stray = stray;
    open_wire(scene, pump);
    CU_ASSERT_EQUAL(
        scene_record(scene,
                     (struct observation){.header = SCENE_RUSH, .rounds = 5, .seats = seat_bit(1)}),
        0);
    scene_close(scene);
    model_pump_stop(pump);
    model->ops->free(model);
}

static bool was_recorded(const struct scene *scene, const char *words)
{
    size_t length;
    char *text = scratch_read(scene->shoe, &length);
    bool found = strstr(text, words) != NULL;

    free(text);
    scene_forget(scene);
    return found;
}

TEST(the_deck_that_is_in_at_first_has_its_turn_whatever_its_number)
{
    struct scene scene;

    watch(&scene, (const uint8_t[8]){0, 2, 1, 2, 1, 2}, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_STRING_EQUAL(scene.first, "");
    CU_ASSERT_TRUE(was_recorded(&scene, "\"deck-id\":2}\n{\"round\":2"));
}

TEST(a_deck_that_is_dealt_twice_in_turn_is_seen_by_its_back)
{
    struct scene scene;

    watch(&scene, (const uint8_t[8]){0, 1, 2, 2, 1, 2}, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_STRING_EQUAL(scene.first, "deck-turns in round 3: 2, not 1");
    scene_forget(&scene);
}

TEST(a_card_of_the_other_deck_is_seen_by_its_back)
{
    struct scene scene;

    watch(&scene, (const uint8_t[8]){0, 1, 2, 1, 2, 1}, 4);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.first, "card-conservation in round 4: "));
    scene_forget(&scene);
}
