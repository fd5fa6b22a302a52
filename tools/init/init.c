/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A first rig file: what was asked is written, and tried. */
#include "tools/init/init.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/save.h"
#include "rigs/page/markup.h"
#include "rigs/rig/write.h"
#include "tools/ask.h"
#include "tools/doctor/doctor.h"
#include "tools/interrupt.h"
#include "tools/options.h"

#define STANDARD_FILE "rig.yaml"

/* The name of the bench: that of its file. */
static void set_name(struct init *init)
{
    const char *path = init->options.output, *slash = strrchr(path, '/');
    const char *name = init->options.name ? init->options.name : slash ? slash + 1 : path;
    size_t length = strlen(name);

    if (!init->options.name && length > 5 && !strcmp(name + length - 5, ".yaml"))
        length -= 5;
    if (!init->options.name && !strcmp(name, "-")) {
        name = "bench";
        length = strlen(name);
    }
    snprintf(init->rig.name, sizeof init->rig.name, "%.*s", (int)length, name);
}

struct draft {
    const char *text;
    size_t size;
};

static void write_draft(const void *what, FILE *out)
{
    const struct draft *draft = what;

    fwrite(draft->text, 1, draft->size, out);
}

/* A file that would not load is not written. */
static int save(const struct init *init, struct error *error)
{
    const char *path = init->options.output;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct draft draft;
    struct rig *rig;
    int status;

    if (!out)
        return error_set(error, ERROR_RIG, "no memory for a rig file");
    rig_write(&init->rig, init->game, out);
    fclose(out);
    draft = (struct draft){text, size};
    status = rig_parse(&rig, path, text, size, error);
    rig_free(rig);
    if (!status && !strcmp(path, "-"))
        write_draft(&draft, stdout);
    else if (!status)
        status = (init->options.force ? save_whole : save_new)(path, write_draft, &draft, error);
    free(text);
    return status;
}

/* Before anybody is asked anything. */
static int check_output(const struct init_options *options, struct error *error)
{
    const char *path = options->output, *slash = strrchr(path, '/');
    char *folder;
    int denied;

    if (!strcmp(path, "-"))
        return 0;
    if (!options->force && !access(path, F_OK))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already; name another file, or replace it with --force",
                         path);
    folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    if (!folder)
        return error_set(error, ERROR_RIG, "no memory for a path");
    denied = access(folder, W_OK | X_OK) ? errno : 0;
    free(folder);
    return denied ? error_set(error, ERROR_RIG, "%s: cannot be written: %s", path, strerror(denied))
                  : 0;
}

static int report(const struct init *init)
{
    const char *path = init->options.output;
    bool json = init->options.questions || init->options.json;

    if (!strcmp(path, "-"))
        return EXIT_PASS;
    if (json) {
        printf("{\"written\":true}\n");
    } else {
        printf("written: ");
        plain_text(stdout, path);
        printf("\n");
    }
    fflush(stdout);
    return init->options.no_doctor ? EXIT_PASS : doctor_report(init->command, path, json);
}

static void interrupted(void *context, unsigned times)
{
    (void)times;
    hal_cancel(context);
}

/* With the desk, where somebody is there to be asked. */
static int ask_and_save(struct init *init, struct error *error)
{
    unsigned side = init->options.yes ? 0 : ask_side(init->options.questions);
    struct run_show nothing = {.bar = false};
    struct ask *ask = NULL;
    int status = 0;

    if (side) {
        init->desk = desk_new(error);
        if (!init->desk)
            return ERROR_RIG;
        desk_sides(init->desk, side);
        status = ask_open(&ask, init->desk, (enum desk_side)side, NULL, &nothing, error);
    }
    if (!status)
        status = init_ask(init, error);
    ask_close(ask);
    desk_free(init->desk);
    return status ? status : save(init, error);
}

static int run_init_with(struct init *init)
{
    struct interrupt interrupt;
    struct error error;
    int status;

    set_name(init);
    clock_real(&init->clock);
    if (check_output(&init->options, &error) || hal_open(&init->hal, &init->clock, &error))
        return command_error(init->command, &error);
    status = interrupt_watch(&interrupt, interrupted, &init->hal, &error);
    if (!status) {
        status = ask_and_save(init, &error);
        interrupt_release(&interrupt);
        interrupt_allow();
    }
    hal_close(&init->hal);
    return status ? command_error(init->command, &error) : report(init);
}

static int read_lines(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct init_options *options = context;
    unsigned seat = *text >= '1' && *text <= '0' + SEATS_MAX ? (unsigned)(*text - '0') : 0;
    size_t length = seat ? 1 : strlen("shuffler");

    if ((!seat && strncmp(text, "shuffler", length) != 0) || text[length] != ' ' ||
        options->lines[seat])
        return error_set(
            error, ERROR_CONFIG,
            "--%s is '%.60s'; it must be \"SEAT BET LIGHT CHIP LAMP\", once a seat, or "
            "\"shuffler BUTTON EXIT READY JAM DOOR\"",
            row->name, text);
    options->lines[seat] = text + length + 1;
    return 0;
}

static int read_questions(const struct option_row *row, char *text, void *context,
                          struct error *error)
{
    struct init_options *options = context;

    if (strcmp(text, "json") != 0)
        return error_set(error, ERROR_CONFIG, "--%s is '%s'; it must be json", row->name, text);
    options->questions = text;
    return 0;
}

static const struct option_row rows[] = {
    {"output", 'o', "FILE", "the rig file to write (default " STANDARD_FILE "); - prints it",
     OPTION_INTO(struct init_options, output), .use = OPTION_WRITES},
    {"force", 0, NULL, "replace a file of that name", OPTION_INTO(struct init_options, force)},
    {"name", 0, "TEXT", "of the bench, for reports (default: that of the file)",
     OPTION_INTO(struct init_options, name)},
    {"shuffler", 0, "WHAT",
     "none, emu, a number of the list that is printed, an address, DRIVER=ADDRESS, or hands",
     OPTION_INTO(struct init_options, devices[DEVICE_SHUFFLER])},
    {"shoe", 0, "WHAT", "likewise, as angel-eye=serial:/dev/ttyUSB0@4800",
     OPTION_INTO(struct init_options, devices[DEVICE_SHOE])},
    {"terminal", 0, "WHAT", "likewise", OPTION_INTO(struct init_options, devices[DEVICE_TERMINAL])},
    {"sensors", 0, "WHAT", "likewise, as gpio:pinctrl-rp1 or unit=tcp:10.0.0.7:4003",
     OPTION_INTO(struct init_options, devices[DEVICE_SENSORS])},
    {"seats", 0, "N", "of the table (default 7)", OPTION_INTO(struct init_options, seats)},
    {"decks", 0, "N", "that take turns at the shuffler, 1 or 2 (default 1)",
     OPTION_INTO(struct init_options, decks)},
    {"lines", 0, "LIST",
     "of a seat on pins, \"1 GPIO4 GPIO10 GPIO16 GPIO22\": seat, bet, light, chip, lamp, - for "
     "none; again for other seats. \"shuffler BUTTON EXIT READY JAM DOOR\" are those of a shuffler "
     "on pins",
     .read = read_lines},
    {"cards", 0, "WHO",
     "reads those of a machine that does not tell them: hands, scanner:PATH, none",
     OPTION_INTO(struct init_options, cards)},
    {"map", 0, "FILE", "of a scanner's codes and their cards",
     OPTION_INTO(struct init_options, map)},
    {"script", 0, "FILE",
     "that knows the protocol of a shuffler or shoe with the driver 'script', relative to the rig "
     "file",
     OPTION_INTO(struct init_options, script)},
    {"game", 0, "GAME", "whose wagers and meters the comments name (default any)",
     OPTION_INTO(struct init_options, game)},
    {"code", 0, "DIGITS", "of the terminal, that authorizes an award (default 4711)",
     OPTION_INTO(struct init_options, code)},
    {"admin", 0, "DIGITS", "of its administrator (default 86420)",
     OPTION_INTO(struct init_options, admin)},
    {"order", 0, "WORD",
     "load, compare, or stack where people put the deck in (default: load where the devices can)",
     OPTION_INTO(struct init_options, order)},
    {"wagers", 0, "WORD", "collected or left at START ROUND",
     OPTION_INTO(struct init_options, wagers)},
    {"clock", 0, "WORD", "virtual or real (default: virtual where all devices are emulated)",
     OPTION_INTO(struct init_options, clock)},
    {"probe", 0, NULL,
     "ask at each serial port who is there: sends what known devices answer, at the usual rates",
     OPTION_INTO(struct init_options, probe)},
    {"no-probe", 0, NULL, "send nothing to them, and do not ask whether to",
     OPTION_INTO(struct init_options, no_probe)},
    {"yes", 0, NULL, "ask nothing: what no option says is what is sure, or an error",
     OPTION_INTO(struct init_options, yes)},
    {"questions", 0, "json", "questions as lines of JSON, answers on standard input",
     .read = read_questions},
    {"json", 0, NULL, "what came of it as lines of JSON: that it is written, and the doctor's",
     OPTION_INTO(struct init_options, json)},
    {"no-doctor", 0, NULL, "only write the file", OPTION_INTO(struct init_options, no_doctor)},
    OPTIONS_END};

static int run_init(const struct command *command, int argc, char **argv)
{
    struct init init = {.command = command, .options = {.output = STANDARD_FILE}};
    int status;
    char **names = options_read(command, argc, argv, &init.options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command, "unknown argument '%s'; -o FILE names the rig file",
                                   *names);
    if (init.options.probe && init.options.no_probe)
        return command_usage_error(command, "--probe and --no-probe exclude each other");
    if (!init.options.yes && !ask_side(init.options.questions))
        return command_usage_error(command, "nobody is there to answer; use a terminal, "
                                            "--questions json, or --yes and options");
    return command_finish(command, run_init_with(&init));
}

static const struct command init_command = {
    .name = "init",
    .synopsis = "[-o FILE] [OPTION]...",
    .summary = "Write a first rig file: asks what stands on the bench, then tries it",
    .about =
        "Lists what is attached and asks which of it is the shuffler, the shoe, the terminal and\n"
        "the bet sensors; Enter takes the answer in brackets. Options say it beforehand. Nothing\n"
        "is guessed: where two devices could be meant, or none is known, there is no answer in\n"
        "brackets. What is behind a serial port is found out only with --probe or a yes.\n"
        "\n"
        "The file has comments for who goes on with it, and is written whole or not at all. Then\n"
        "'dealproof doctor' tries it: devices move, keep hands off the table.\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof init\n"
        "  dealproof init -o bench.yaml --probe\n"
        "  dealproof init --yes --shuffler usb:1209:0001 --terminal usb:1209:0003\n"
        "  dealproof init --yes --shoe angel-eye=serial:/dev/ttyUSB0@4800 -o shoe.yaml\n"
        "  dealproof init --yes --shuffler emu --terminal emu --sensors emu --no-doctor -o -\n\n"
        "Exit status: 0 the file is written and the bench is ready, 2 usage, a file that is\n"
        "there, or an answer that cannot be, 4 the file cannot be written, or is and something\n"
        "of the bench is not usable, 130 interrupted: nothing is written.\n",
    .run = run_init,
};
REGISTER(commands, init_command);
