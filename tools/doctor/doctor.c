/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/doctor/doctor.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"
#include "tools/doctor/write.h"
#include "tools/json_print.h"
#include "tools/options.h"

static const char *const verdict_names[] = {
    [FINDING_OK] = "ok", [FINDING_WARN] = "warn", [FINDING_FAIL] = "FAIL"};

void findings_add(struct findings *findings, enum finding_verdict verdict, const char *what,
                  const char *remedy, const char *format, ...)
{
    struct finding *finding;
    va_list arguments;

    if (findings->count == findings->room) {
        size_t room = findings->room ? 2 * findings->room : 16;
        struct finding *larger = reallocarray(findings->list, room, sizeof *larger);

        if (!larger) {
            findings->lost = 1;
            return;
        }
        findings->list = larger;
        findings->room = room;
    }
    finding = &findings->list[findings->count++];
    finding->verdict = verdict;
    snprintf(finding->what, sizeof finding->what, "%s", what);
    snprintf(finding->remedy, sizeof finding->remedy, "%s", remedy ? remedy : "");
    va_start(arguments, format);
    vsnprintf(finding->detail, sizeof finding->detail, format, arguments);
    va_end(arguments);
    printable_make(finding->what);
    printable_make(finding->detail);
}

static bool is_ready(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].verdict == FINDING_FAIL)
            return false;
    return !findings->lost;
}

static void print_text(const struct findings *findings, FILE *out)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *f = &findings->list[i];

        fprintf(out, "%-4s %s: %s%s%s\n", verdict_names[f->verdict], f->what, f->detail,
                f->remedy[0] ? " → " : "", f->remedy);
    }
    fprintf(out, "%s\n", is_ready(findings) ? "This bench is ready." : "This bench is not ready.");
}

static void print_json(const struct findings *findings, unsigned indent)
{
    struct json_print print = {.out = stdout, .indent = indent};

    json_print_open(&print, NULL, "{}");
    json_print_bool(&print, "ready", is_ready(findings));
    json_print_open(&print, "checks", "[]");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *f = &findings->list[i];

        json_print_open(&print, NULL, "{}");
        json_print_text(&print, "verdict", verdict_names[f->verdict]);
        json_print_text(&print, "what", f->what);
        json_print_text(&print, "detail", f->detail);
        json_print_text(&print, "remedy", f->remedy);
        json_print_close(&print, "{}");
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    printf("\n");
}

/* The findings about this machine, or about the bench of a rig file. */
static int check(const struct command *command, struct findings *findings, const char *rig,
                 struct error *error)
{
    doctor_check_machine(findings);
    if (rig)
        return doctor_check_rig(findings, command->name, rig, error);
    doctor_check_devices(findings);
    return 0;
}

enum form { FORM_TEXT, FORM_JSON, FORM_JSON_LINE };

static int report(const struct command *command, const char *rig, enum form form)
{
    struct findings findings = {.count = 0};
    struct error error;
    int status;

    if (check(command, &findings, rig, &error)) {
        free(findings.list);
        return command_error(command, &error);
    }
    status = is_ready(&findings) ? EXIT_PASS : EXIT_RIG;
    if (form == FORM_TEXT)
        print_text(&findings, stdout);
    else
        print_json(&findings, form == FORM_JSON ? 2 : 0);
    free(findings.list);
    return status;
}

int doctor_report(const struct command *command, const char *rig, bool json)
{
    return report(command, rig, json ? FORM_JSON_LINE : FORM_TEXT);
}

void doctor_write(FILE *out)
{
    struct findings findings = {.is_kept = true};

    check(NULL, &findings, NULL, NULL);
    print_text(&findings, out);
    free(findings.list);
}

struct options {
    const char *rig;
    bool json;
};

static const struct option_row rows[] = {
    {"rig", 0, "FILE", "test the bench of this rig file", OPTION_INTO(struct options, rig)},
    {"json", 0, NULL, "one object: \"ready\" and the list of \"checks\"",
     OPTION_INTO(struct options, json)},
    OPTIONS_END};

static int run(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command, "unknown argument '%s'", *names);
    return command_finish(command,
                          report(command, options.rig, options.json ? FORM_JSON : FORM_TEXT));
}

static const struct command doctor = {
    .name = "doctor",
    .synopsis = "[--rig FILE] [--json]",
    .summary = "Say whether this machine can use its devices, and what to do if not",
    .about =
        "Looks at the libraries, the clock, and at every serial port, USB device and GPIO chip\n"
        "that is here: may this user open it, and if not, which group or udev rule is missing.\n"
        "Opens nothing for longer than a glance and changes nothing.\n"
        "\n"
        "Each line is a verdict, what it is about, and after the arrow what to do:\n"
        "  ok    usable\n"
        "  warn  usable, with a limit that the line explains\n"
        "  FAIL  there, but not usable\n"
        "A machine without devices is ready too; the lines say that there are none.\n"
        "\n"
        "With --rig it tests the bench of a rig file instead: opens each device and asks who it\n"
        "is, puts it into test mode and takes it out again, tries the administrator's code of a\n"
        "terminal by a correction that is refused in any case, places and takes a wager at each\n"
        "seat, lights each lamp and puts it out, reads the lines of a shuffler on pins without\n"
        "pressing its button, and warns of what the bench cannot prove. Devices move: keep hands\n"
        "off the table. They are left as they were found.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof doctor\n"
            "  dealproof doctor --rig rigs/emulated.yaml\n\n"
            "Exit status: 0 ready, 2 usage or rig file, 4 something is not usable.\n",
    .run = run,
};
REGISTER(commands, doctor);
