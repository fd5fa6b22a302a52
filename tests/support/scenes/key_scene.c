/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenes/key_scene.h"

#include "tests/support/suite.h"

static struct rig_device device;

struct terminal_scene *key_scene_open(enum terminal_state state)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct run *run = &scene->run;

    device =
        (struct rig_device){.address = "emu:terminal", .code = TERMINAL_SCENE_CODE, .admin = ADMIN};
    scene->rig.devices.terminal = &device;
    run->recording.terminal.hand_count = HANDS;
    run->recording.terminal.hands[FLUSH] = (struct terminal_hand){"flush", TERMINAL_NONE, 2000};
    run->recording.terminal.hands[DIAMOND] = (struct terminal_hand){"diamond", 1, 0};
    run->round.live =
        (struct meters){.meter = {{.name = "royal", .value = 900000000},
                                  {.name = "diamond", .value = 70120000, .reseed = 10000000}},
                        .count = 2,
                        .must_hit = -1};
    run->round.is_settled = true;
    run->round.state = state;
    run->round.approving = SEAT;
    run->round.hand = DIAMOND;
    run->round.laid = run->round.sensed = run->round.paid = (seats_t)(seat_bit(SEAT) | seat_bit(5));
    scene->writer.meters = (struct terminal_meters){
        .count = 2,
        .must_hit = TERMINAL_NONE,
        .meter = {{.name = "royal", .micros = 900000000}, {.name = "diamond", .micros = 70120000}}};
    scene->writer.cents[0] = scene->writer.cents[1] = 7012;
    scene->writer.sign = (struct terminal_sign){SEAT, 1, 7012};
    scene->writer.walk = (struct terminal_walk){.state = state,
                                                .laid = run->round.laid,
                                                .sensed = run->round.sensed,
                                                .hands = HANDS,
                                                .approving = SEAT,
                                                .hand = DIAMOND};
    return scene;
}

struct terminal_scene *key_scene_by_hand(enum terminal_state state)
{
    struct terminal_scene *scene = key_scene_open(state);

    scene->writer.terminal.device.capabilities = 0;
    return scene;
}

struct terminal_press key_scene_press(enum terminal_key key)
{
    return (struct terminal_press){
        .key = key, .seat = SEAT, .hand = DIAMOND, .code = TERMINAL_SCENE_CODE};
}

void key_scene_expect_entry(const struct terminal_scene *scene, unsigned at, unsigned code,
                            unsigned detail, int64_t value)
{
    const struct run_log *log = &scene->run.round.log;

    CU_ASSERT_FATAL(at < log->count);
    CU_ASSERT_EQUAL(log->entries[at].code, code);
    CU_ASSERT_EQUAL(log->entries[at].detail, detail);
    CU_ASSERT_EQUAL(log->entries[at].value, value);
}
