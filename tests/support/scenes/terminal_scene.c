/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenes/terminal_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

static int tell_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)device;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    if (writer->asked_logs++ >= writer->logs_before_failure && writer->log_status)
        return error_set(error, writer->log_status, "no log");
    for (*count = 0; *count < writer->per_reply && first < writer->logged; first++)
        entries[(*count)++] = writer->log[first];
    *total = writer->logged;
    return 0;
}

static int tell_ledger(struct terminal *terminal, uint32_t number,
                       struct terminal_ledger_entry *entry, struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    terminal->device.refusal = 0;
    if (writer->asked_ledger++ >= writer->ledger_before_failure && writer->ledger_status) {
        terminal->device.refusal = writer->refusal;
        return error_set(error, writer->ledger_status, "no ledger");
    }
    if (number < writer->first || number >= writer->end)
        return device_refuse(&terminal->device, "LEDGER",
                             number < writer->first && writer->refusal_gone ? writer->refusal_gone
                                                                            : writer->refusal,
                             "not there", error);
    *entry = writer->ledger[number % TERMINAL_SCENE_LEDGER];
    return 0;
}

static int tell_status(struct terminal *terminal, struct terminal_status *status,
                       struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    if (writer->status_status)
        return error_set(error, writer->status_status, "no status");
    *status = writer->status;
    return 0;
}

static int tell_configuration(struct terminal *terminal, struct terminal_config *config,
                              struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    if (writer->config_status)
        return error_set(error, writer->config_status, "no configuration");
    *config = writer->config;
    return 0;
}

static int tell_meters(struct terminal *terminal, struct terminal_meters *meters,
                       struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    if (writer->meters_status)
        return error_set(error, writer->meters_status, "no meters");
    *meters = writer->meters;
    return 0;
}

static int tell_lights(struct terminal *terminal, uint8_t *seats, struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    if (writer->lights_status)
        return error_set(error, writer->lights_status, "no lights");
    *seats = writer->lights;
    return 0;
}

/* A key is wrong by its code; where it leads is on the screen at once. */
static int press(struct terminal *terminal, const struct terminal_press *pressed,
                 struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;
    struct terminal_press key = *pressed;
    int refusal;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    key.is_wrong = strcmp(key.code, TERMINAL_SCENE_CODE) != 0;
    refusal = terminal_walk_press(&writer->walk, &key);
    if (writer->keys++ == writer->spoiled_key && writer->key_answer)
        refusal = writer->key_answer;
    if (writer->host && writer->keys == writer->retried_key)
        writer->host->counts.retries++;
    terminal->answered = writer->answers_otherwise ? TERMINAL_IDLE : writer->walk.state;
    return refusal ? (error_set(error, refusal < 0 ? refusal : ERROR_RULE, "refused"), refusal) : 0;
}

static int tell_screen(struct terminal *terminal, struct terminal_screen *screen,
                       struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;
    const struct terminal_walk *walk = &writer->walk;
    bool is_amount = walk->state >= TERMINAL_AMOUNT;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    writer->asked_screens++;
    if (writer->screen_status)
        return error_set(error, writer->screen_status, "no screen");
    *screen = (struct terminal_screen){
        .state = walk->state,
        .seat = walk->state >= TERMINAL_CHOOSE ? (uint8_t)walk->approving : 0,
        .hand = walk->state >= TERMINAL_PENDING ? (uint8_t)walk->hand : TERMINAL_NONE,
        .wrong_codes = walk->state == TERMINAL_CODE_ENTRY ? (uint8_t)walk->wrong_codes : 0,
        .amount_shown = is_amount || (writer->shows_early && walk->state == TERMINAL_CONFIRM),
        .cents = is_amount ? writer->cents[walk->state == TERMINAL_SIGNED] : 0};
    return 0;
}

static int tell_sign(struct terminal *terminal, struct terminal_sign *sign, struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;
    bool is_on = !writer->walk.state || writer->walk.state == TERMINAL_SIGNED;

    writer->clock->now += 10 * NANOS_PER_MILLI;
    if (writer->sign_status && (!writer->walk.state || !is_on))
        return error_set(error, writer->sign_status, "no sign");
    *sign = is_on || writer->stays_on ? writer->sign : (struct terminal_sign){0};
    return 0;
}

/* Without its code nothing is corrected. */
static int correct(struct terminal *terminal, const char *admin, unsigned meter, uint64_t micros,
                   const char *reason, struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;
    bool is_right = writer->admin && !strcmp(admin, writer->admin);
    unsigned refusal = is_right ? writer->correct_refusal : REFUSED_AUTHORIZATION;

    writer->corrected++;
    writer->corrects = meter;
    writer->corrects_to = micros;
    snprintf(writer->correction, sizeof writer->correction, "%s", reason);
    terminal->device.refusal = 0;
    if (writer->correct_status)
        return error_set(error, writer->correct_status, "no correction");
    if (refusal)
        return device_refuse(&terminal->device, "CORRECT METER", refusal, "wrong code", error);
    writer->meters.meter[meter].micros = micros;
    if (writer->tells_correction)
        writer->events[writer->event_count++] =
            (struct terminal_event){.kind = TERMINAL_EVENT_METERS, .meters = writer->meters};
    return 0;
}

static int tell_next(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                     struct error *error)
{
    struct terminal_writer *writer = (struct terminal_writer *)terminal;

    if (writer->told < writer->event_count) {
        *event = writer->events[writer->told++];
        return 1;
    }
    if (writer->event_status)
        return error_set(error, writer->event_status, "no event");
    if (deadline > writer->clock->now) {
        writer->clock->now = deadline;
        writer->was_awaited = true;
    }
    return 0;
}

static struct host *host_of(struct device *device)
{
    return ((struct terminal_writer *)device)->host;
}

static const struct terminal_driver driver = {
    .device = {.key = "terminal/writer",
               .class = DEVICE_TERMINAL,
               .noun = "terminal",
               .capabilities = DEVICE_KEEPS_LOG | DEVICE_TELLS_STATUS,
               .log = tell_log,
               .host = host_of},
    .status = tell_status,
    .configuration = tell_configuration,
    .meters = tell_meters,
    .lights = tell_lights,
    .key = press,
    .screen = tell_screen,
    .sign = tell_sign,
    .correct = correct,
    .ledger = tell_ledger,
    .next = tell_next,
};

static int note_pass(void *context, const char *name, struct error *error)
{
    (void)name;
    (void)error;
    ((struct terminal_scene *)context)->passed++;
    return 0;
}

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct terminal_scene *scene = context;

    (void)error;
    if (result->outcome == CHECK_SKIPPED) {
        scene->skipped++;
        if (!scene->failed)
            snprintf(scene->why, sizeof scene->why, "%s", result->why);
        return 0;
    }
    if (scene->failed++)
        return 0;
    scene->seat = result->seat;
    snprintf(scene->name, sizeof scene->name, "%s", result->name);
    snprintf(scene->wager, sizeof scene->wager, "%s", result->wager ? result->wager : "");
    snprintf(scene->expected, sizeof scene->expected, "%s", result->expected);
    snprintf(scene->got, sizeof scene->got, "%s", result->got);
    snprintf(scene->why, sizeof scene->why, "%s", result->why);
    return 0;
}

struct terminal_scene *terminal_scene_open(void)
{
    struct terminal_scene *scene = calloc(1, sizeof *scene);

    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    clock_virtual(&scene->bench.clock, 10 * NANOS_PER_SECOND);
    scene->writer.terminal.device = (struct device){
        .driver = &driver.device, .address = "here", .capabilities = driver.device.capabilities};
    scene->writer.clock = scene->bench.hal.clock = &scene->bench.clock;
    scene->writer.link.hal = &scene->bench.hal;
    scene->writer.terminal.device.link = &scene->writer.link;
    scene->writer.per_reply = LOG_REPLY_MAX;
    scene->writer.refusal = REFUSED_VALUE;
    scene->rig.clock = RIG_CLOCK_VIRTUAL;
    scene->rig.timing.jackpot = scene->rig.timing.light = TERMINAL_SCENE_LIMIT;
    scene->bench.rig = &scene->rig;
    scene->bench.terminal = &scene->writer.terminal;
    scene->book = (struct check_book){.context = scene,
                                      .write_pass = note_pass,
                                      .write_result = note_result,
                                      .tally = &scene->run.round.tally};
    scene->run.book = &scene->book;
    scene->run.bench = &scene->bench;
    scene->run.options = &scene->options;
    scene->run.recording.has_terminal = true;
    scene->run.recording.is_ledger_known = true;
    scene->run.round.at_end.must_hit = -1;
    return scene;
}

struct log_entry *terminal_scene_log(struct terminal_scene *scene, unsigned code, unsigned detail,
                                     uint32_t value)
{
    struct terminal_writer *writer = &scene->writer;
    struct log_entry *entry = &writer->log[writer->logged];

    CU_ASSERT_FATAL(writer->logged < TERMINAL_SCENE_LOG);
    *entry = (struct log_entry){.number = writer->logged,
                                .millis = 5000 + 200 * (uint64_t)writer->logged,
                                .code = (uint8_t)code,
                                .detail = (uint8_t)detail,
                                .value = value};
    writer->logged++;
    return entry;
}

void terminal_scene_due(struct terminal_scene *scene, unsigned code, unsigned detail, int64_t value)
{
    run_log_add(&scene->run.round.log, code, detail, value, 0, scene->bench.clock.now);
}

struct terminal_ledger_entry *terminal_scene_book(struct terminal_scene *scene, unsigned code,
                                                  unsigned seat)
{
    struct terminal_writer *writer = &scene->writer;
    const struct log_entry *named = terminal_scene_log(
        scene, code, seat, writer->terminal.device.is_wide ? writer->end : (uint16_t)writer->end);
    struct terminal_ledger_entry *entry = &writer->ledger[writer->end % TERMINAL_SCENE_LEDGER];

    *entry = (struct terminal_ledger_entry){.number = writer->end++,
                                            .millis = named->millis,
                                            .code = (uint8_t)code,
                                            .seat = (uint8_t)seat,
                                            .hand = TERMINAL_NONE};
    terminal_scene_due(scene, code, seat, RUN_LOG_ANY);
    return entry;
}

int terminal_scene_check_log(struct terminal_scene *scene)
{
    return run_terminal_check_log(&scene->run, &scene->error);
}

void terminal_scene_expect_passed(struct terminal_scene *scene, unsigned passed)
{
    CU_ASSERT_EQUAL(terminal_scene_check_log(scene), 0);
    if (scene->failed)
        printf("%s: %s, not %s\n", scene->why, scene->expected, scene->got);
    CU_ASSERT_EQUAL(scene->failed, 0);
    CU_ASSERT_EQUAL(scene->passed, passed);
}

struct terminal_event *terminal_scene_tell(struct terminal_scene *scene,
                                           enum terminal_event_kind kind)
{
    struct terminal_writer *writer = &scene->writer;
    struct terminal_event *event = &writer->events[writer->event_count];

    CU_ASSERT_FATAL(writer->event_count < TERMINAL_SCENE_EVENTS);
    *event = (struct terminal_event){.kind = kind};
    writer->event_count++;
    return event;
}

void terminal_scene_listen(struct terminal_scene *scene)
{
    CU_ASSERT_EQUAL(run_listen(&scene->run, NULL, 0, &scene->error), 0);
}

void terminal_scene_expect_found(const struct terminal_scene *scene, unsigned passed,
                                 unsigned failed)
{
    CU_ASSERT_EQUAL(scene->passed, passed);
    CU_ASSERT_EQUAL(scene->failed, failed);
    if (scene->passed != passed || scene->failed != failed)
        printf("%u passed, %u failed: %s: %s, not %s\n", scene->passed, scene->failed, scene->why,
               scene->expected, scene->got);
}

void terminal_scene_expect_first(const struct terminal_scene *scene, const char *name,
                                 unsigned seat, const char *expected, const char *got,
                                 const char *why)
{
    CU_ASSERT(scene->failed > 0);
    CU_ASSERT_STRING_EQUAL(scene->name, name);
    CU_ASSERT_EQUAL(scene->seat, seat);
    CU_ASSERT_STRING_EQUAL(scene->expected, expected);
    CU_ASSERT_STRING_EQUAL(scene->got, got);
    CU_ASSERT_STRING_EQUAL(scene->why, why);
}
