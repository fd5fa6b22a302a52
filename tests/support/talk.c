/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/talk.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/suite.h"

struct talk *talk_start(const char *const *arguments)
{
    struct talk *talk = calloc(1, sizeof *talk);
    int in[2], out[2];

    CU_ASSERT_PTR_NOT_NULL_FATAL(talk);
    CU_ASSERT_EQUAL_FATAL(pipe2(in, O_CLOEXEC), 0);
    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC), 0);
    talk->pid = process_start(arguments, in[0], out[1], out[1]);
    talk->in = in[1];
    talk->out = out[0];
    close(in[0]);
    close(out[1]);
    return talk;
}

struct talk *talk_on_terminal(const char *const *arguments)
{
    const struct winsize size = {.ws_row = 24, .ws_col = 100};
    struct talk *talk = calloc(1, sizeof *talk);
    int slave;

    CU_ASSERT_PTR_NOT_NULL_FATAL(talk);
    CU_ASSERT_EQUAL_FATAL(openpty(&talk->out, &slave, NULL, NULL, &size), 0);
    fcntl(talk->out, F_SETFD, FD_CLOEXEC);
    talk->in = talk->out;
    talk->pid = process_start(arguments, slave, slave, slave);
    close(slave);
    return talk;
}

bool talk_hears(struct talk *talk, const char *words)
{
    char *found;

    while (!(found = strstr(talk->text, words))) {
        struct pollfd ready = {.fd = talk->out, .events = POLLIN};
        ssize_t got =
            talk->length + 1 < sizeof talk->text && poll(&ready, 1, 20000) > 0
                ? read(talk->out, talk->text + talk->length, sizeof talk->text - 1 - talk->length)
                : 0;

        if (got <= 0) {
            printf("'%s' has not come: %s\n", words, talk->text);
            return false;
        }
        talk->length += (size_t)got;
        talk->text[talk->length] = '\0';
    }
    found += strlen(words);
    talk->length -= (size_t)(found - talk->text);
    memmove(talk->text, found, talk->length + 1);
    return true;
}

void talk_say(const struct talk *talk, const char *line)
{
    CU_ASSERT_EQUAL(write(talk->in, line, strlen(line)), (ssize_t)strlen(line));
}

int talk_end(struct talk *talk)
{
    char rest[4096];
    int status;

    if (talk->in != talk->out)
        while (read(talk->out, rest, sizeof rest) > 0)
            continue;
    status = process_wait_soon(talk->pid);
    if (talk->in != talk->out)
        close(talk->in);
    close(talk->out);
    free(talk);
    return status;
}
