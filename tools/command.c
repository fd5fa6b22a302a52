/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/command.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/page/markup.h"

/*
 * After an interrupt the program must end even if nobody reads its standard error: the sentence is
 * left out then.
 */
static bool can_be_said(const struct error *error)
{
    struct pollfd polled = {.fd = STDERR_FILENO, .events = POLLOUT};

    return error->code != ERROR_ABORTED || poll(&polled, 1, 0) == 1;
}

/*
 * Names of devices and files lose their control characters, which could move the cursor. One call
 * writes all, so that lines of several processes do not mix.
 */
static void print_sentence(const char *name, const char *text, const char *after)
{
    char sentence[ERROR_TEXT_SIZE + 1] = "";
    FILE *plain = fmemopen(sentence, sizeof sentence, "w");

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
    print_sentence(command ? command->name : NULL, text, after);
    return EXIT_USAGE;
}

int command_error(const struct command *command, const struct error *error)
{
    if (can_be_said(error))
        print_sentence(command->name, error->text, "");
    return -(int)error->code;
}

int command_finish(const struct command *command, int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "dealproof%s%s: cannot write standard output: %s\n", command ? " " : "",
            command ? command->name : "", strerror(errno));
    return EXIT_RIG;
}
