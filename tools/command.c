/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/command.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/page/markup.h"
#include "tools/json_print.h"

/* Set once, before a command is begun. */
static bool is_json;

/* Somebody has said that standard output cannot be written. */
static bool is_loss_told;

/* An option by its name, or by so many characters of it that no other begins with. */
static bool is_option(const char *word, const char *name, size_t least)
{
    size_t length = strcspn(word, "=");

    return length >= least && !strncmp(word, name, length) && length <= strlen(name);
}

void command_choose_form(char *const *argv)
{
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        is_json |= (is_option(*argv, "--json", 4) && !strchr(*argv, '=')) ||
                   is_option(*argv, "--questions", 5);
}

/*
 * After an interrupt the program must end even if nobody reads its standard error: the sentence is
 * left out then.
 */
static bool can_be_said(const struct error *error)
{
    struct pollfd polled = {.fd = STDERR_FILENO, .events = POLLOUT};

    return error->code != ERROR_ABORTED || poll(&polled, 1, 0) == 1;
}

size_t command_json_error(const char *name, const char *message, int status,
                          char line[COMMAND_ERROR_SIZE])
{
    FILE *whole = fmemopen(line, COMMAND_ERROR_SIZE, "w");
    struct json_print print = {.out = whole};

    *line = '\0';
    if (!whole)
        return 0;
    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "error", "{}");
    json_print_text(&print, "command", name);
    json_print_text(&print, "message", message);
    json_print_integer(&print, "status", status);
    json_print_close(&print, "{}");
    json_print_close(&print, "{}");
    json_print_end(&print);
    fclose(whole);
    return strlen(line);
}

/* In one call, as below. */
static void print_error(const char *name, const char *message, int status)
{
    char line[COMMAND_ERROR_SIZE];

    command_json_error(name, message, status, line);
    fputs(line, stderr);
}

/*
 * Names of devices and files lose their control characters, which could move the cursor. One call
 * writes all, so that lines of several processes do not mix.
 */
static void print_sentence(const char *name, const char *text, const char *after, int status)
{
    char sentence[ERROR_TEXT_SIZE + 1] = "";
    FILE *plain = is_json ? NULL : fmemopen(sentence, sizeof sentence, "w");

    if (is_json) {
        print_error(name, text, status);
        return;
    }
    if (plain) {
        plain_text(plain, text);
        fclose(plain);
    }
    fprintf(stderr, "dealproof%s%s: %s\n%s", name ? " " : "", name ? name : "", sentence, after);
}

int command_usage_error(const struct command *command, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE], after[64];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(after, sizeof after, "Try 'dealproof %s%s--help'.\n", command ? command->name : "",
             command ? " " : "");
    print_sentence(command ? command->name : NULL, text, after, EXIT_USAGE);
    return EXIT_USAGE;
}

int command_error(const struct command *command, const struct error *error)
{
    if (can_be_said(error))
        print_sentence(command->name, error->text, "", -(int)error->code);
    return -(int)error->code;
}

int command_end(const struct command *command, int status, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_sentence(command->name, text, "", status);
    return status;
}

int command_finish(const struct command *command, int status)
{
    char text[ERROR_TEXT_SIZE];

    if (!fflush(stdout) && !ferror(stdout))
        return status;
    if (is_loss_told)
        return EXIT_RIG;
    is_loss_told = true;
    snprintf(text, sizeof text, "cannot write standard output: %s", strerror(errno));
    print_sentence(command ? command->name : NULL, text, "", EXIT_RIG);
    return EXIT_RIG;
}

void command_loss_told(void)
{
    is_loss_told = true;
}

void command_ready(const char *address, bool json)
{
    struct json_print print = {.out = stdout};

    if (!json) {
        printf("ready %s\n", address);
        return;
    }
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "ready", address);
    json_print_close(&print, "{}");
    json_print_end(&print);
}
