/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listening between a machine and its own controller. */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/listen/script.h"
#include "hal/base/plural.h"
#include "hal/link/bridge.h"
#include "rigs/page/markup.h"
#include "tools/interrupt.h"
#include "tools/listen_show.h"
#include "tools/options.h"
#include "tools/others.h"

struct options {
    const char *capture;
    const char *protocol, *script;
    uint64_t reopen;
    bool keep_lines;
    bool json;
    bool quiet;
};

struct listening {
    const struct command *command;
    struct options options;
    const struct protocol *protocol; /* NULL: nothing is shown */
    struct listen_script script;
    bool is_script_lost; /* it failed, which was said */
    struct clock clock;
    struct hal hal;
    struct bridge bridge;
    struct bridge_counts counts;
    struct interrupt interrupt;
    struct listener *listener;
    struct listen_show show;
    uint64_t unshown; /* lines that nobody has read in time */
};

static void caught(void *context, unsigned times)
{
    struct listening *listening = context;

    (void)times;
    hal_cancel(&listening->hal);
}

static void say(void *context, const char *sentence)
{
    struct listening *listening = context;

    fprintf(stderr, "dealproof %s: %s\n", listening->command->name, sentence);
}

/*
 * A reader who does not read must not hold the table up: what a pipe does not take at once is
 * counted. It takes PIPE_BUF bytes whenever poll() says that it takes any.
 */
static void show(void *context, const struct listened *listened)
{
    struct listening *listening = context;
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    size_t length = listen_show(&listening->show, listened);

    if (length > PIPE_BUF || poll(&out, 1, 0) != 1 || !(out.revents & POLLOUT) ||
        write(STDOUT_FILENO, listening->show.line, length) != (ssize_t)length)
        listening->unshown++;
}

static void heard(void *context, enum bridge_side from, const uint8_t *bytes, size_t count,
                  nanos_t time)
{
    struct listening *listening = context;
    const struct heard_packet packet = {.time = time,
                                        .direction =
                                            from == BRIDGE_DEVICE ? TAP_FROM_DEVICE : TAP_TO_DEVICE,
                                        .bytes = bytes,
                                        .count = count};

    listener_hear(listening->listener, &packet, NULL);
    if (listening->script.status && !listening->is_script_lost) {
        listening->is_script_lost = true;
        error_prefix(&listening->script.error, "bytes still pass, but are shown no more");
        say(listening, listening->script.error.text);
    }
}

static void say_of(const struct listening *listening, const char *before, const char *address)
{
    fprintf(stderr, "dealproof %s: %s", listening->command->name, before);
    plain_text(stderr, address);
    putc('\n', stderr);
}

/* Whoever is waited for may come at any time; everything else is there or is not. */
static int open_side(struct listening *listening, enum bridge_side side, const char *address,
                     struct error *error)
{
    bool waits = !strncmp(address, "listen:", 7);
    int status;

    others_warn_of_link(listening->command->name, address, "speaks with the other side");
    if (waits && !listening->options.quiet)
        say_of(listening, "waiting for somebody to connect to ", address);
    do
        status = link_open(&listening->bridge.links[side], &listening->hal, address, error);
    while (waits && status == ERROR_DEVICE);
    return status;
}

static int prepare(struct listening *listening, char **names, struct error *error)
{
    const struct listener_options options = {
        .protocol = listening->protocol, .tell = show, .context = listening};
    struct bridge *bridge = &listening->bridge;
    int status = 0;

    bridge->hal = &listening->hal;
    bridge->protocol = listening->protocol ? listening->protocol->number : TAP_RAW;
    bridge->keeps_lines = listening->options.keep_lines;
    bridge->reopens = (unsigned)listening->options.reopen;
    bridge->context = listening;
    bridge->said = say;
    if (listening->protocol) {
        bridge->heard = heard;
        listening->listener = listener_new(&options);
        if (!listening->listener)
            return error_set(error, ERROR_RIG, "out of memory");
    }
    for (int side = 0; side < BRIDGE_SIDES && !status; side++)
        status = open_side(listening, (enum bridge_side)side, names[side], error);
    return status ? status : capture_open(&bridge->capture, listening->options.capture, error);
}

static void say_counts(const struct listening *listening)
{
    const struct bridge_counts *counts = &listening->counts;

    if (listening->unshown)
        fprintf(stderr, "dealproof %s: %ju message%s not shown: nobody read in time\n",
                listening->command->name, (uintmax_t)listening->unshown,
                listening->unshown == 1 ? " was" : "s were");
    if (listening->options.quiet)
        return;
    for (int side = 0; side < BRIDGE_SIDES; side++)
        fprintf(stderr,
                "%s %s: %ju byte%s heard, %ju passed on to it, %ju lost, %ju change%s of "
                "modem lines\n",
                side == BRIDGE_DEVICE ? "device" : "controller",
                listening->bridge.links[side]->address, (uintmax_t)counts->side[side].heard,
                plural(counts->side[side].heard), (uintmax_t)counts->side[side].passed,
                (uintmax_t)counts->side[side].lost, (uintmax_t)counts->side[side].lines,
                plural(counts->side[side].lines));
    fprintf(stderr, "capture: ");
    plain_text(stderr, listening->options.capture);
    fprintf(stderr, "%s\n", counts->is_capture_lost ? ", not whole" : "");
}

static int run_bridge_links(struct listening *listening, char **names)
{
    struct error error;
    int status = prepare(listening, names, &error), closed;

    if (status)
        return status == ERROR_ABORTED ? EXIT_PASS : command_error(listening->command, &error);
    if (!listening->options.quiet)
        fprintf(stderr, "dealproof %s: passing on; Ctrl-C ends it\n", listening->command->name);
    status = bridge_run(&listening->bridge, &listening->counts, &error);
    closed = capture_close(listening->bridge.capture, &error);
    listening->bridge.capture = NULL;
    if (listening->listener)
        listener_end(listening->listener);
    say_counts(listening);
    /* The loss of a side and that of the capture were said as they happened. */
    if (status == ERROR_RIG || (closed && !listening->counts.is_capture_lost))
        return command_error(listening->command, &error);
    if (status)
        return EXIT_DEVICE;
    return listening->counts.is_capture_lost || listening->is_script_lost ? EXIT_RIG : EXIT_PASS;
}

static void release(struct listening *listening)
{
    for (int side = 0; side < BRIDGE_SIDES; side++)
        link_close(listening->bridge.links[side]);
    capture_close(listening->bridge.capture, NULL);
    listener_free(listening->listener);
}

static int listen_between(struct listening *listening, char **names)
{
    struct error error;
    int status;

    clock_real(&listening->clock);
    if (hal_open(&listening->hal, &listening->clock, &error))
        return command_error(listening->command, &error);
    if (interrupt_watch(&listening->interrupt, caught, listening, &error)) {
        hal_close(&listening->hal);
        return command_error(listening->command, &error);
    }
    status = run_bridge_links(listening, names);
    release(listening);
    interrupt_release(&listening->interrupt);
    hal_close(&listening->hal);
    return status;
}

/* What is wrong with the command line, or 0. */
static int check(struct listening *listening, char **names)
{
    const struct options *options = &listening->options;
    struct error error;

    if (!names[0] || !names[1] || names[2])
        return command_usage_error(listening->command,
                                   "two links are needed: the machine's and its controller's");
    if (!strcmp(names[0], names[1]))
        return command_usage_error(listening->command, "both links are %s", names[0]);
    if (!options->capture)
        return command_usage_error(listening->command,
                                   "--capture is missing; it names the file to record to");
    if (options->protocol && options->script)
        return command_usage_error(listening->command, "one of --protocol and --script");
    if (options->json && !options->protocol && !options->script)
        return command_usage_error(listening->command,
                                   "--json shows messages: say of which protocol, --protocol NAME "
                                   "or --script FILE");
    if (options->script) {
        if (listen_script_load(&listening->script, options->script, &error))
            return command_error(listening->command, &error);
        listening->protocol = &listening->script.protocol;
    }
    if (options->protocol && !(listening->protocol = protocol_find(options->protocol, &error)))
        return command_error(listening->command, &error);
    return 0;
}

static int run_bridge(const struct command *command, int argc, char **argv)
{
    struct listening *listening = calloc(1, sizeof *listening);
    char **names;
    int status = EXIT_RIG;

    if (!listening)
        return command_end(command, EXIT_RIG, "out of memory");
    listening->command = command;
    names = options_read(command, argc, argv, &listening->options, &status);
    if (names) {
        status = check(listening, names);
        listening->show.json = listening->options.json;
        if (!status)
            status = listen_between(listening, names);
    }
    free(listening);
    return status;
}

static const struct option_row rows[] = {
    {"capture", 0, "FILE", "record both sides, with times and modem lines, to this file",
     OPTION_INTO(struct options, capture)},
    {"protocol", 0, "NAME",
     "what the line speaks, noted in the capture; messages are then shown as they pass (see "
     "'dealproof decode --help' for the names)",
     OPTION_INTO(struct options, protocol)},
    {"script", 0, "FILE", "the same by a script of the lab (devices/SCRIPTS.md)",
     OPTION_INTO(struct options, script)},
    {"json", 0, NULL, "show them as lines of JSON", OPTION_INTO(struct options, json)},
    {"reopen", 0, "N",
     "look for a side that went away up to N times, first after 0.1 s, then after twice as long "
     "each time up to 5 s (default: its loss is the end)",
     OPTION_INTO(struct options, reopen), 1, 1000000},
    {"keep-lines", 0, NULL, "record modem lines and do not pass them on",
     OPTION_INTO(struct options, keep_lines)},
    {"quiet", 'q', NULL, "say only what goes wrong", OPTION_INTO(struct options, quiet)},
    OPTIONS_END};

static const struct command bridge_command = {
    .name = "bridge",
    .synopsis = "MACHINE CONTROLLER --capture FILE [OPTION]...",
    .summary = "Pass bytes between a machine and its own controller, and record both",
    .about =
        "Opens two links (hal/ADDRESSES.md), the machine's first, and passes on what comes from\n"
        "each to the other, as it comes, until Ctrl-C or SIGTERM. Both sides are recorded with\n"
        "their times; 'dealproof decode' turns the capture into messages, 'dealproof record\n"
        "--from' into a recording. Where both are serial ports their modem lines are passed on:\n"
        "what comes in as CTS goes out as RTS, DSR as DTR.\n\n"
        "A capture that cannot be written any more is said at once, and the bytes still pass: the\n"
        "table must go on. A side that is unplugged is said at once, with the bytes that were on\n"
        "their way to it. What a side was told and did not get, because it was away or the bridge\n"
        "was ended, is heard and recorded all the same; a gap in the capture says there how many\n"
        "bytes that were. 'dealproof decode' and 'dealproof record --from' repeat it and end with\n"
        "exit status 1.\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof bridge serial:/dev/ttyUSB0@9600 serial:/dev/ttyUSB1@9600 --capture n.pcap\n"
        "  dealproof bridge tcp:192.168.0.7:4001 listen:0.0.0.0:4001 --capture n.pcap\n\n"
        "In the second the controller calls this computer. At 0.0.0.0 other machines reach the\n"
        "port, and whoever comes first speaks with the machine; listen:4001 alone is reached from\n"
        "this computer only.\n\n"
        "Exit status: 0 ended by a signal, 2 usage or a link that cannot be, 3 a side is not\n"
        "there or went away, 4 the capture could not be written, or a link is broken.\n",
    .run = run_bridge,
};
REGISTER(commands, bridge_command);
