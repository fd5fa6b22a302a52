/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A capture as messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/listen/script.h"
#include "hal/base/plural.h"
#include "tools/listen_show.h"
#include "tools/options.h"

struct options {
    const char *protocol, *script;
    bool json;
};

struct decode {
    struct listen_show show;
    struct listener *listener;
    struct capture_reader *reader;
    struct listen_script script;
};

static void print(void *context, const struct listened *listened)
{
    struct decode *decode = context;

    fwrite(decode->show.line, 1, listen_show(&decode->show, listened), stdout);
}

static void say_counts(const struct decode *decode)
{
    const struct listener_counts *counts = listener_counted(decode->listener);

    if (decode->show.json)
        printf("{\"kind\":\"end\",\"messages\":%ju,\"damaged\":%ju,\"missed\":%ju,\"unanswered\":%"
               "ju,\"unknown\":%ju}\n",
               (uintmax_t)counts->messages, (uintmax_t)counts->damaged, (uintmax_t)counts->missed,
               (uintmax_t)counts->unanswered, (uintmax_t)counts->unknown);
    else
        fprintf(stderr,
                "%ju message%s, %ju damaged, %ju not heard, %ju unanswered, %ju piece%s of an "
                "unknown protocol\n",
                (uintmax_t)counts->messages, plural(counts->messages), (uintmax_t)counts->damaged,
                (uintmax_t)counts->missed, (uintmax_t)counts->unanswered,
                (uintmax_t)counts->unknown, plural(counts->unknown));
}

/* 0 at the end of the capture. What was whole before a cut is printed. */
static int decode_all(struct decode *decode, struct error *error)
{
    struct heard_packet packet;
    int status;

    while ((status = capture_reader_next(decode->reader, &packet, error)) > 0) {
        status = listener_hear(decode->listener, &packet, error);
        if (!status && decode->script.status) {
            *error = decode->script.error;
            status = decode->script.status;
        }
        if (status)
            break;
    }
    listener_end(decode->listener);
    return status;
}

static int decode_capture(const struct command *command, struct decode *decode, const char *path)
{
    const struct listener_counts *counts;
    struct error error;
    int status = capture_reader_open(&decode->reader, path, &error);

    if (status)
        return command_error(command, &error);
    status = decode_all(decode, &error);
    say_counts(decode);
    if (status)
        return command_finish(command, command_error(command, &error));
    counts = listener_counted(decode->listener);
    return command_finish(command, counts->damaged || counts->missed || counts->gaps ? EXIT_FAIL
                                                                                     : EXIT_PASS);
}

/* What the line speaks, by name or by a script. */
static int choose_protocol(const struct options *options, struct decode *decode,
                           struct listener_options *listening, struct error *error)
{
    int status = 0;

    if (options->protocol) {
        listening->protocol = protocol_find(options->protocol, error);
        status = listening->protocol ? 0 : ERROR_CONFIG;
    } else if (options->script) {
        status = listen_script_load(&decode->script, options->script, error);
        listening->unnamed = &decode->script.protocol;
    }
    return status;
}

static int decode_with(const struct command *command, const struct options *options,
                       struct decode *decode, const char *path)
{
    struct listener_options listening = {.tell = print, .context = decode};
    struct error error;
    int status = choose_protocol(options, decode, &listening, &error);

    if (status)
        return command_error(command, &error);
    decode->show.json = options->json;
    decode->listener = listener_new(&listening);
    if (!decode->listener) {
        error_set(&error, ERROR_RIG, "out of memory");
        return command_error(command, &error);
    }
    status = decode_capture(command, decode, path);
    capture_reader_close(decode->reader);
    listener_free(decode->listener);
    return status;
}

static int run_decode(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    struct decode *decode;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command,
                                   names[0] ? "one capture at a time" : "no capture given");
    if (options.protocol && options.script)
        return command_usage_error(command, "one of --protocol and --script");
    decode = calloc(1, sizeof *decode);
    if (!decode)
        return command_end(command, EXIT_RIG, "out of memory");
    status = decode_with(command, &options, decode, names[0]);
    free(decode);
    return status;
}

static void print_protocols(void)
{
    const struct protocol *protocol;

    printf("Protocols:\n");
    for (size_t i = 0; (protocol = protocol_at(i)); i++)
        options_print_item(protocol->name, protocol->summary);
}

static const struct option_row rows[] = {
    {"protocol", 0, "NAME",
     "what the line speaks, whatever the capture says (default: what the capture says; bytes where "
     "it says nothing)",
     OPTION_INTO(struct options, protocol)},
    {"script", 0, "FILE",
     "a script of the lab that knows what channels speak of which the capture says nothing "
     "(devices/SCRIPTS.md)",
     OPTION_INTO(struct options, script)},
    {"json", 0, NULL, "one line of JSON for each message (devices/LISTENING.md)",
     OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const struct command decode_command = {
    .name = "decode",
    .synopsis = "[--protocol NAME|--script FILE] [--json] CAPTURE",
    .summary = "Turn a capture of a line into messages, with cards, keys and meters spelled out",
    .about =
        "Reads what 'dealproof bridge' or a rig file's 'capture' recorded ('-' is standard input)\n"
        "and prints each message of both directions: '>' said to the device, '<' by it; an answer\n"
        "with the time since its question was first asked. What is no whole frame is told with "
        "its\n"
        "place and why. Codes that authorize are never printed.\n",
    .list = print_protocols,
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof decode bench-usb.pcap\n"
        "  dealproof decode --json night.pcap | jq 'select(.name == \"PACKET PRESENT\").fields'\n\n"
        "Exit status: 0 every byte is part of a message, 1 some are not, a message is not what\n"
        "the protocol says, events were not heard, the capture has a gap or is cut off, 2 not a\n"
        "capture or no script, 4 reading failed, or the script did.\n",
    .run = run_decode,
};
REGISTER(commands, decode_command);
