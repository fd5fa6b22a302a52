/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenes/ending_scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define BEGIN (10 * NANOS_PER_SECOND) /* by the bench's clock */

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
                                                      ...)
{
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
    CU_ASSERT_FATAL(length < size);
}

/* A word, behind the time if that is another one. */
static void note(struct ending_scene *scene, const char *before, const char *word)
{
    nanos_t now = scene->bench.clock.now;

    if (now != scene->noted)
        add(scene->said, sizeof scene->said, "\n%jd:", (intmax_t)((now - BEGIN) / NANOS_PER_MILLI));
    scene->noted = now;
    add(scene->said, sizeof scene->said, " %s%s", before, word);
}

static struct ending_device *of(const void *device)
{
    return (struct ending_device *)device;
}

/* Whether the request is answered, which is told by the caller where it is not noted here. */
static int answer(struct ending_device *device, const char *request, struct error *error)
{
    if (!device->fails || strcmp(device->fails, request) != 0 || !device->fails_times)
        return 0;
    if (device->fails_after) {
        device->fails_after--;
        return 0;
    }
    device->fails_times--;
    return error_set(error, device->fails_with, "no %s", request);
}

static int ask(struct ending_device *device, const char *request, struct error *error)
{
    char word[32];

    snprintf(word, sizeof word, "%s ", device->name);
    note(device->scene, word, request);
    device->scene->bench.clock.now += device->scene->takes;
    return answer(device, request, error);
}

/* The next event that has come by the deadline: 1, 0, or an error. */
static int next(struct ending_device *device, struct ending_event *event, nanos_t deadline,
                struct error *error)
{
    struct clock *clock = &device->scene->bench.clock;
    bool waits = deadline > clock->now;
    char word[32];
    int status;

    snprintf(word, sizeof word, waits ? "..%jd" : "?",
             (intmax_t)((deadline - clock->now) / NANOS_PER_MILLI));
    note(device->scene, device->name, word);
    status = answer(device, waits ? "await" : "hear", error);
    if (status)
        return status;
    if (device->told < device->event_count && device->events[device->told].time <= deadline) {
        *event = device->events[device->told++];
        clock_advance(clock, event->time);
        note(device->scene, device->name, "!");
        return 1;
    }
    clock_advance(clock, deadline);
    return 0;
}

static int tell_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    struct ending_device *asked = of(device);
    struct ending_scene *scene = asked->scene;
    uint64_t now = (uint64_t)(scene->bench.clock.now / NANOS_PER_MILLI);
    char word[32];
    int status;

    snprintf(word, sizeof word, first == UINT32_MAX ? "end" : "log %u", (unsigned)first);
    note(scene, asked->name, " ");
    add(scene->said, sizeof scene->said, "%s", word);
    asked->host.counts.retries += asked->retries;
    status = answer(asked, "log", error);
    for (*count = *total = 0; *total < asked->logged && asked->log[*total].millis <= now; ++*total)
        if (*total >= first && *count < asked->per_reply)
            entries[(*count)++] = asked->log[*total];
    if (asked->logs_asked++ == asked->counted_at)
        *total += (uint32_t)asked->counts_wrong;
    scene->bench.clock.now += scene->takes;
    return status;
}

static int tell_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    *identity = (struct wire_identity){.model = ""};
    return ask(of(device), "who", error);
}

static int tell_mode(struct device *device, bool *is_on, struct error *error)
{
    struct ending_device *asked = of(device);

    *is_on = asked->is_on;
    asked->is_on &= !asked->is_off_later;
    return ask(asked, "mode", error);
}

static struct host *host(struct device *device)
{
    return of(device)->has_host ? &of(device)->host : NULL;
}

/* It has in its log that it leaves test mode, and says so 10 ms later. */
static struct ending_event *leave(struct ending_device *device, unsigned code)
{
    static struct ending_event unsaid;
    struct ending_scene *scene = device->scene;
    enum device_class class = device->device.driver->class;
    int millis = (int)((scene->bench.clock.now - BEGIN) / NANOS_PER_MILLI);

    device->is_on = device->stays_on;
    if (!device->logs_nothing)
        ending_scene_log(scene, class, millis, code, 0, 0);
    return device->says_nothing ? &unsaid : ending_scene_tell(scene, class, (unsigned)millis + 10);
}

static int shuffler_off(struct shuffler *shuffler, bool on, struct error *error)
{
    int status = ask(of(shuffler), on ? "on" : "off", error);

    if (!status)
        leave(of(shuffler), SHUFFLER_LOG_TEST_MODE)->shuffler.kind = SHUFFLER_EVENT_TEST_MODE;
    return status;
}

static int tell_shuffler(struct shuffler *shuffler, struct shuffler_status *status,
                         struct error *error)
{
    *status = of(shuffler)->scene->shuffler;
    return ask(of(shuffler), "status", error);
}

static int next_shuffler(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                         struct error *error)
{
    struct ending_event told;
    int status = next(of(shuffler), &told, deadline, error);

    if (status > 0)
        *event = told.shuffler;
    return status;
}

static const struct shuffler_driver shuffler_driver = {
    .device = {.key = "shuffler/ending",
               .class = DEVICE_SHUFFLER,
               .noun = "shuffler",
               .identity = tell_identity,
               .in_test_mode = tell_mode,
               .log = tell_log,
               .host = host},
    .status = tell_shuffler,
    .test_mode = shuffler_off,
    .next = next_shuffler,
};

static int shoe_off(struct shoe *shoe, bool on, struct error *error)
{
    int status = ask(of(shoe), on ? "on" : "off", error);

    if (!status) {
        struct shoe_event *event = &leave(of(shoe), SHOE_LOG_TEST_MODE)->shoe;

        event->kind = SHOE_EVENT_TEST_MODE;
        event->entry.code = SHOE_LOG_TEST_MODE;
    }
    return status;
}

static int tell_shoe(struct shoe *shoe, struct shoe_status *status, struct error *error)
{
    *status = of(shoe)->scene->shoe;
    return ask(of(shoe), "status", error);
}

static int next_shoe(struct shoe *shoe, struct shoe_event *event, nanos_t deadline,
                     struct error *error)
{
    struct ending_event told;
    int status = next(of(shoe), &told, deadline, error);

    if (status > 0)
        *event = told.shoe;
    return status;
}

static const struct shoe_driver shoe_driver = {
    .device = {.key = "shoe/ending",
               .class = DEVICE_SHOE,
               .noun = "shoe",
               .identity = tell_identity,
               .in_test_mode = tell_mode,
               .log = tell_log,
               .host = host},
    .status = tell_shoe,
    .test_mode = shoe_off,
    .next = next_shoe,
};

static int terminal_off(struct terminal *terminal, bool on, struct error *error)
{
    int status = ask(of(terminal), on ? "on" : "off", error);

    if (!status)
        leave(of(terminal), TERMINAL_LOG_TEST_MODE)->terminal.kind = TERMINAL_EVENT_TEST_MODE;
    return status;
}

static int tell_terminal(struct terminal *terminal, struct terminal_status *status,
                         struct error *error)
{
    struct ending_scene *scene = of(terminal)->scene;

    *status = scene->asked_terminal++ % 2 ? scene->terminal_later : scene->terminal;
    return ask(of(terminal), "status", error);
}

static int tell_meters(struct terminal *terminal, struct terminal_meters *meters,
                       struct error *error)
{
    *meters = of(terminal)->scene->meters;
    return ask(of(terminal), "meters", error);
}

static int tell_screen(struct terminal *terminal, struct terminal_screen *screen,
                       struct error *error)
{
    *screen = of(terminal)->scene->screen;
    return ask(of(terminal), "screen", error);
}

static int tell_lights(struct terminal *terminal, uint8_t *seats, struct error *error)
{
    *seats = of(terminal)->scene->lights;
    return ask(of(terminal), "lights", error);
}

static int tell_sign(struct terminal *terminal, struct terminal_sign *sign, struct error *error)
{
    *sign = of(terminal)->scene->sign;
    return ask(of(terminal), "sign", error);
}

static int tell_ledger(struct terminal *terminal, uint32_t number,
                       struct terminal_ledger_entry *entry, struct error *error)
{
    struct ending_device *asked = of(terminal);
    struct ending_scene *scene = asked->scene;
    int status = ask(asked, "ledger", error);

    asked->host.counts.retries += asked->retries;
    terminal->device.refusal = 0;
    if (!status && number >= scene->booked)
        return device_refuse(&terminal->device, "LEDGER", REFUSED_VALUE, "not there", error);
    if (!status)
        *entry = scene->ledger[number];
    return status;
}

static int next_terminal(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                         struct error *error)
{
    struct ending_event told;
    int status = next(of(terminal), &told, deadline, error);

    if (status > 0)
        *event = told.terminal;
    return status;
}

static const struct terminal_driver terminal_driver = {
    .device = {.key = "terminal/ending",
               .class = DEVICE_TERMINAL,
               .noun = "terminal",
               .identity = tell_identity,
               .in_test_mode = tell_mode,
               .log = tell_log,
               .host = host},
    .status = tell_terminal,
    .meters = tell_meters,
    .screen = tell_screen,
    .lights = tell_lights,
    .sign = tell_sign,
    .ledger = tell_ledger,
    .test_mode = terminal_off,
    .next = next_terminal,
};

/* Its edge is kept when it comes. */
static int next_sensors(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                        struct error *error)
{
    struct ending_scene *scene = of(sensors)->scene;
    struct ending_event told;
    int status = next(of(sensors), &told, deadline, error);

    if (status <= 0)
        return status;
    *event = told.sensors;
    if (event->kind == BET_EVENT_PLACED)
        scene->placed |= 1u << event->seat;
    return status;
}

static int check_lamps(struct sensors *sensors, unsigned *wrong, struct error *error)
{
    *wrong = of(sensors)->scene->wrong;
    return ask(of(sensors), "lamps", error);
}

static unsigned tell_placed(const struct sensors *sensors)
{
    return of(sensors)->scene->placed;
}

static unsigned with(const struct sensors *sensors, enum bet_line line)
{
    (void)sensors;
    return line == BET_LINE_BET ? BET_ALL_SEATS : 0;
}

static const struct sensors_status *last_status(const struct sensors *sensors)
{
    return of(sensors)->scene->has_sensors_status ? &of(sensors)->scene->sensors : NULL;
}

static int rest(struct sensors *sensors, struct error *error)
{
    return ask(of(sensors), "rest", error);
}

static const struct sensors_driver sensors_driver = {
    .device = {.key = "sensors/ending",
               .class = DEVICE_SENSORS,
               .noun = "sensors",
               .identity = tell_identity,
               .in_test_mode = tell_mode,
               .log = tell_log,
               .host = host},
    .check_lamps = check_lamps,
    .next = next_sensors,
    .placed = tell_placed,
    .with = with,
    .last_status = last_status,
    .rest = rest,
};

/* What BYE and STATUS would be said on. */
static ssize_t write_nothing(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                             struct error *error)
{
    struct ending_device *device =
        (struct ending_device *)((char *)link - offsetof(struct ending_device, link));

    (void)bytes;
    (void)size;
    (void)deadline;
    note(device->scene, device->name, " parts");
    return error_set(error, ERROR_DEVICE, "no line");
}

static ssize_t read_nothing(struct link *link, void *bytes, size_t size, nanos_t deadline,
                            struct error *error)
{
    struct ending_device *device =
        (struct ending_device *)((char *)link - offsetof(struct ending_device, link));

    (void)bytes;
    (void)size;
    (void)error;
    clock_advance(&device->scene->bench.clock, deadline);
    return 0;
}

static const struct link_backend backend = {
    .scheme = "ending", .read = read_nothing, .write = write_nothing};

static int note_pass(void *context, const char *name, struct error *error)
{
    (void)error;
    note(context, "+", name);
    return 0;
}

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct ending_scene *scene = context;

    (void)error;
    note(scene, result->outcome == CHECK_SKIPPED ? "~" : "-", result->name);
    add(scene->found, sizeof scene->found, "%s", result->name);
    if (result->wager)
        add(scene->found, sizeof scene->found, " %s", result->wager);
    if (result->seat)
        add(scene->found, sizeof scene->found, " seat %u", result->seat);
    if (result->outcome == CHECK_SKIPPED)
        add(scene->found, sizeof scene->found, ": skipped: %s\n", result->why);
    else
        add(scene->found, sizeof scene->found, ": %s, not %s: %s\n", result->expected, result->got,
            result->why);
    return 0;
}

/* So its log was read to its end. */
static void read_past(struct ending_scene *scene, enum device_class class)
{
    struct run_log_past *past = &scene->runner.run.pasts[class];
    struct run_log_reading reading = {.book = &scene->runner.book, .past = past};

    for (unsigned i = 0; i < ENDING_SCENE_PAST; i++) {
        const struct log_entry *entry =
            ending_scene_log(scene, class, -2000 + 1000 * (int)i, 1, (unsigned)class, i);

        past->read = reading.now = (nanos_t)entry->millis * NANOS_PER_MILLI;
        run_log_pass(&reading, entry);
    }
    past->read = BEGIN;
}

static void add_device(struct ending_scene *scene, enum device_class class)
{
    static const struct device_driver *const drivers[DEVICE_CLASSES] = {
        [DEVICE_SHUFFLER] = &shuffler_driver.device,
        [DEVICE_SHOE] = &shoe_driver.device,
        [DEVICE_TERMINAL] = &terminal_driver.device,
        [DEVICE_SENSORS] = &sensors_driver.device};
    struct ending_device *device = &scene->devices[class];

    *device = (struct ending_device){
        .scene = scene, .name = device_class_name(class), .per_reply = LOG_REPLY_MAX};
    device->link = (struct link){
        .backend = &backend, .hal = &scene->bench.hal, .address = "here", .is_open = true};
    device->host.link = &device->link;
    device->host.hal = &scene->bench.hal;
    device->device = (struct device){.driver = drivers[class],
                                     .address = "here",
                                     .link = &device->link,
                                     .capabilities = DEVICE_HAS_TEST_MODE | DEVICE_KEEPS_LOG |
                                                     DEVICE_TELLS_STATUS | DEVICE_TELLS_IDENTITY};
    scene->bench.devices[scene->bench.device_count++] =
        (struct bench_device){.class = class,
                              .name = device->name,
                              .device = &device->device,
                              .has_identity = true,
                              .link = &device->link,
                              .bench = &scene->bench};
    scene->runner.run.entered[class] = class != DEVICE_SENSORS;
}

static void add_devices(struct ending_scene *scene, unsigned classes)
{
    struct bench *bench = &scene->bench;

    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        if (classes & 1u << i)
            add_device(scene, i);
    bench->shuffler = classes & ENDING_SHUFFLER ? &scene->devices[DEVICE_SHUFFLER].shuffler : NULL;
    bench->shoe = classes & ENDING_SHOE ? &scene->devices[DEVICE_SHOE].shoe : NULL;
    bench->terminal = classes & ENDING_TERMINAL ? &scene->devices[DEVICE_TERMINAL].terminal : NULL;
    bench->sensors = classes & ENDING_SENSORS ? &scene->devices[DEVICE_SENSORS].sensors : NULL;
}

static void begin_recording(struct ending_scene *scene, unsigned classes)
{
    struct run_recording *recording = &scene->runner.run.recording;
    enum device_class dealer = classes & ENDING_SHUFFLER ? DEVICE_SHUFFLER : DEVICE_SHOE;

    recording->dealer = dealer == DEVICE_SHUFFLER ? &run_dealer_shuffler : &run_dealer_shoe;
    recording->in_test_mode = recording->dealer_said = true;
    recording->dealer_log.logged = recording->sensors_log.logged = recording->terminal_logged =
        ENDING_SCENE_PAST;
    recording->shuffles = 7;
    recording->shoe = (struct run_shoe){.knows_deck = true, .deck = 3};
    recording->meters = (struct meters){
        .meter = {{.name = "royal", .value = ENDING_SCENE_METER}}, .count = 1, .must_hit = -1};
    recording->rounds_started = 5;
    recording->award_number = 2;
    recording->is_counted = true;
    read_past(scene, dealer);
    if (classes & ENDING_TERMINAL) {
        recording->has_terminal = recording->terminal_test_mode = recording->terminal_said = true;
        recording->is_sign_left = true;
        read_past(scene, DEVICE_TERMINAL);
    }
    if (classes & ENDING_SENSORS) {
        recording->sensors_begun = true;
        read_past(scene, DEVICE_SENSORS);
    }
}

struct ending_scene *ending_scene_open(unsigned classes)
{
    struct ending_scene *scene = calloc(1, sizeof *scene);
    struct run *run;

    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    run = &scene->runner.run;
    clock_virtual(&scene->bench.clock, BEGIN);
    scene->noted = BEGIN;
    scene->bench.hal = (struct hal){.clock = &scene->bench.clock, .cancel_fd = -1};
    scene->bench.rig = &scene->rig;
    scene->rig.clock = RIG_CLOCK_VIRTUAL;
    scene->rig.timing.quiet = ENDING_SCENE_QUIET;
    scene->rig.timing.reply = 2000;
    scene->runner.book = (struct check_book){.context = scene,
                                             .write_pass = note_pass,
                                             .write_result = note_result,
                                             .tally = &run->round.tally};
    scene->runner.bench = run->bench = &scene->bench;
    scene->runner.options = run->options = &scene->options;
    scene->runner.is_at_rest = scene->runner.has_passed = true;
    run->book = &scene->runner.book;
    scene->shuffler = (struct shuffler_status){.shuffle = 7, .is_as_programmed = true};
    scene->shoe = (struct shoe_status){.deck = 3};
    scene->terminal = scene->terminal_later =
        (struct terminal_status){.state = TERMINAL_IDLE, .rounds = 5, .awards = 2};
    scene->meters =
        (struct terminal_meters){.count = 1,
                                 .must_hit = TERMINAL_NONE,
                                 .meter = {{.name = "royal", .micros = ENDING_SCENE_METER}}};
    scene->screen = (struct terminal_screen){.state = TERMINAL_IDLE};
    scene->sensors.is_put_there = scene->has_sensors_status = true;
    add_devices(scene, classes);
    begin_recording(scene, classes);
    return scene;
}

void ending_scene_book(struct ending_scene *scene, unsigned count)
{
    struct run_recording *recording = &scene->runner.run.recording;

    for (unsigned i = 0; i < count; i++) {
        scene->ledger[i] = (struct terminal_ledger_entry){
            .number = i, .millis = 1000 + i, .code = TERMINAL_LOG_JACKPOT_PAID, .seat = 3};
        scene->runner.run.ledger_past.entries[i] = scene->ledger[i];
    }
    recording->has_booked = true;
    scene->runner.run.ledger_past.next = scene->booked = count;
}

struct ending_event *ending_scene_tell(struct ending_scene *scene, enum device_class class,
                                       unsigned millis)
{
    struct ending_device *device = &scene->devices[class];
    struct ending_event *event = &device->events[device->event_count++];

    CU_ASSERT_FATAL(device->event_count <= ENDING_SCENE_EVENTS);
    event->time = BEGIN + millis * NANOS_PER_MILLI;
    return event;
}

struct log_entry *ending_scene_log(struct ending_scene *scene, enum device_class class, int millis,
                                   unsigned code, unsigned detail, unsigned value)
{
    struct ending_device *device = &scene->devices[class];
    struct log_entry *entry = &device->log[device->logged];

    CU_ASSERT_FATAL(device->logged < ENDING_SCENE_LOG);
    *entry = (struct log_entry){.number = device->logged++,
                                .millis = (uint64_t)(BEGIN / NANOS_PER_MILLI + millis),
                                .code = (uint8_t)code,
                                .detail = (uint8_t)detail,
                                .value = value};
    return entry;
}

void ending_scene_fail(struct ending_scene *scene, enum device_class class, const char *request,
                       int status, unsigned after)
{
    scene->devices[class].fails = request;
    scene->devices[class].fails_with = status;
    scene->devices[class].fails_after = after;
    scene->devices[class].fails_times = 1;
}

static void expect(char *text, const char *expected)
{
    CU_ASSERT_STRING_EQUAL(text, expected);
    if (strcmp(text, expected) != 0)
        printf("expected:\n%s\ngot:\n%s\n", expected, text);
    *text = '\0';
}

void ending_scene_expect_said(struct ending_scene *scene, const char *said)
{
    expect(scene->said, said);
}

void ending_scene_expect_found(struct ending_scene *scene, const char *found)
{
    expect(scene->found, found);
}

unsigned ending_scene_count(const struct ending_scene *scene, const char *word)
{
    unsigned count = 0;

    for (const char *at = scene->said; (at = strstr(at, word)); at += strlen(word))
        count++;
    return count;
}
