/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open protocol's page, sentence by sentence, tried on a device. */
#include <stdio.h>
#include <string.h>

#include "devices/conform/conform.h"
#include "devices/model.h"
#include "tools/interrupt.h"
#include "tools/json_print.h"
#include "tools/options.h"
#include "tools/others.h"

#define TEXT_WIDTH 96 /* of a sentence in a line of text */

struct options {
    const char *class, *only, *code, *admin_code;
    bool hands, alter, json, all;
    const struct command *command;
};

static const struct option_row rows[] = {
    {"class", 0, "CLASS", "what the device is: shuffler, shoe, terminal or sensors",
     OPTION_INTO(struct options, class)},
    {"only", 0, "ID", "one sentence, by its number in devices/PROTOCOL.md or PROTOCOL-2.md",
     OPTION_INTO(struct options, only)},
    {"hands", 0, NULL,
     "somebody is at the device who takes packets and draws cards when told; implied at an "
     "emulated "
     "device (emu:), whose own options say what its hands do",
     OPTION_INTO(struct options, hands)},
    {"code", 0, "DIGITS", "the authorization code of a terminal",
     OPTION_INTO(struct options, code)},
    {"admin-code", 0, "DIGITS", "its administrator's code",
     OPTION_INTO(struct options, admin_code)},
    {"alter", 0, NULL,
     "a terminal may be configured anew, pay awards and have its meters corrected: that stays, its "
     "former configuration cannot be read",
     OPTION_INTO(struct options, alter)},
    {"all", 'a', NULL, "the frames of every sentence, not only of those that fail",
     OPTION_INTO(struct options, all)},
    {"json", 0, NULL, "a line of JSON for each sentence, and one with the totals",
     OPTION_INTO(struct options, json)},
    OPTIONS_END};

/* As much of a text as goes into a line, cut between characters. */
static void print_short(const char *text)
{
    size_t length = strlen(text);

    if (length > TEXT_WIDTH) {
        length = TEXT_WIDTH;
        while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
    }
    printf("%.*s%s", (int)length, text, text[length] ? "…" : "");
}

static void format_bytes(const struct conform_frame *frame, char *text)
{
    for (unsigned i = 0; i < frame->count; i++)
        text += sprintf(text, "%s%02x", i ? " " : "", frame->bytes[i]);
    *text = '\0';
}

static void print_frames(const struct conform_result *result)
{
    char bytes[FRAME_ENCODED_MAX * 3 + 1];

    for (size_t i = 0; i < result->frame_count; i++) {
        const struct conform_frame *frame = &result->frames[i];

        format_bytes(frame, bytes);
        printf("    %10.3f s %s %s\n", (double)(frame->time - result->frames[0].time) / 1e9,
               frame->from_device ? "device" : "host  ", bytes);
    }
}

static void print_json(const struct conform_result *result)
{
    struct json_print line = {.out = stdout};
    char bytes[FRAME_ENCODED_MAX * 3 + 1];

    json_print_open(&line, NULL, "{}");
    json_print_text(&line, "id", result->id);
    json_print_text(&line, "verdict", conform_verdicts[result->verdict]);
    json_print_text(&line, "text", result->text);
    if (result->why)
        json_print_text(&line, "why", result->why);
    json_print_open(&line, "frames", "[]");
    for (size_t i = 0; i < result->frame_count; i++) {
        const struct conform_frame *frame = &result->frames[i];

        json_print_open(&line, NULL, "{}");
        json_print_integer(&line, "us", frame->time / NANOS_PER_MICRO);
        json_print_text(&line, "from", frame->from_device ? "device" : "host");
        format_bytes(frame, bytes);
        json_print_text(&line, "bytes", bytes);
        json_print_close(&line, "{}");
    }
    json_print_close(&line, "[]");
    json_print_close(&line, "{}");
    printf("\n");
}

static void tell(void *context, const struct conform_result *result)
{
    const struct options *options = context;

    if (options->json) {
        print_json(result);
        return;
    }
    printf("%-14s %-5s ", conform_verdicts[result->verdict], result->id);
    print_short(result->text);
    printf("\n");
    if (result->why)
        printf("    %s\n", result->why);
    if (result->verdict == CONFORM_FAIL || options->all)
        print_frames(result);
}

static void ask_person(void *context, const char *what)
{
    const struct options *options = context;

    fprintf(stderr, "dealproof %s: %s\n", options->command->name, what);
}

static void print_totals(const struct conform *conform, bool as_json)
{
    struct json_print line = {.out = stdout};

    if (!as_json) {
        printf("%u pass, %u fail, %u not offered, %u not to be seen\n",
               conform->counts[CONFORM_PASS], conform->counts[CONFORM_FAIL],
               conform->counts[CONFORM_NOT_OFFERED], conform->counts[CONFORM_NOT_SEEN]);
        return;
    }
    json_print_open(&line, NULL, "{}");
    json_print_open(&line, "totals", "{}");
    for (int i = 0; i < CONFORM_VERDICTS; i++)
        json_print_integer(&line, conform_verdicts[i], conform->counts[i]);
    json_print_close(&line, "{}");
    json_print_close(&line, "{}");
    printf("\n");
}

/* Before an error what had been found until then is told. */
static bool has_told(const struct conform *conform)
{
    for (int i = 0; i < CONFORM_VERDICTS; i++)
        if (conform->counts[i])
            return true;
    return false;
}

static void on_signal(void *context, unsigned times)
{
    (void)times;
    hal_cancel(context);
}

/* Everything else on the real clock; a line that may damage bytes proves less. */
static int try_device(const struct command *command, struct conform *conform, const char *address,
                      bool as_json)
{
    bool is_emulated = !strncmp(address, "emu:", 4);
    struct error error;
    struct clock clock;
    struct link *link;
    struct hal hal;
    int status;

    if (is_emulated)
        clock_virtual(&clock, 0);
    else
        clock_real(&clock);
    if (hal_open(&hal, &clock, &error))
        return command_error(command, &error);
    hal.make_model = model_make;
    conform->hal = &hal;
    conform->hands |= is_emulated;
    conform->is_noisy = !strncmp(address, "serial:", 7);
    others_warn_of_link(command->name, address, OTHERS_MAY_BE_DEVICE);
    status = link_open(&link, &hal, address, &error);
    if (!status) {
        struct interrupt interrupt;

        status = interrupt_watch(&interrupt, on_signal, &hal, &error);
        if (!status) {
            status = conform_run(conform, link, &error);
            interrupt_release(&interrupt);
        }
        link_close(link);
    }
    hal_close(&hal);
    conform->hal = NULL;
    if (!status || has_told(conform))
        print_totals(conform, as_json);
    if (status)
        return command_error(command, &error);
    return command_finish(command, conform->counts[CONFORM_FAIL] ? EXIT_FAIL : EXIT_PASS);
}

static int run_conform(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command};
    struct conform conform = {.told = tell, .context = &options};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command, "one address is needed, as hal/ADDRESSES.md has them");
    if (!options.class)
        return command_usage_error(command, "what is the device? Write --class CLASS");
    conform.class = conform_class(options.class);
    if (!conform.class)
        return command_usage_error(
            command, "'%s' is no class: it is shuffler, shoe, terminal or sensors", options.class);
    conform.only = options.only;
    conform.code = options.code;
    conform.admin_code = options.admin_code;
    conform.hands = options.hands;
    conform.alters = options.alter;
    conform.asks = options.hands ? ask_person : NULL;
    return try_device(command, &conform, names[0], options.json);
}

static const struct command conform_command = {
    .name = "conform",
    .synopsis = "ADDRESS --class CLASS [OPTION]...",
    .summary = "Try the sentences of the open protocol on a device",
    .about =
        "For who builds a device: each sentence of devices/PROTOCOL.md, and of PROTOCOL-2.md "
        "where\n"
        "the device knows version 2, that binds a device of the class\n"
        "is tried over the wire, by its number, also with frames that are damaged, repeated\n"
        "and not acknowledged. A line for each says pass, fail, not offered or not to be seen, "
        "and\n"
        "where it failed what was wrong and the frames, as they stood on the wire. The device "
        "must\n"
        "be at rest, and is left as it was; its log and its counters go on\n"
        "(devices/CONFORMANCE.md).\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof conform tcp:192.168.0.7:4001 --class shuffler --hands\n"
        "  dealproof conform 'emu:terminal' --class terminal --code 4711 --admin-code 86420 "
        "--alter\n"
        "  dealproof conform serial:/dev/ttyUSB0@115200 --class sensors --only B32 --json\n\n"
        "Exit status: 0 no sentence failed, 1 one did, 2 usage, or another class or protocol\n"
        "answers, 3 the device is gone or not at rest, 5 it does not answer, 130 interrupted.\n",
    .run = run_conform,
};
REGISTER(commands, conform_command);
