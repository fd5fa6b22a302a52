/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64
#define PATIENCE_MS   600000

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

int process_input(const char *text, size_t length)
{
    int fd = memfd_create("input", MFD_CLOEXEC);

    if (fd < 0 || write(fd, text, length) != (ssize_t)length || lseek(fd, 0, SEEK_SET))
        die("process_input");
    return fd;
}

static void place(int fd, int at)
{
    if (fd < 0)
        close(at);
    else
        dup2(fd, at);
}

pid_t process_start(const char *const *arguments, int in, int out, int err)
{
    const char *program = getenv("DEALPROOF");
    const char *words[ARGUMENTS_MAX] = {program};
    pid_t pid;

    if (!program) {
        fprintf(stderr, "set DEALPROOF to the program to be tested\n");
        exit(EXIT_FAILURE);
    }
    for (size_t i = 1; *arguments && i + 1 < ARGUMENTS_MAX; i++)
        words[i] = *arguments++;
    pid = fork();
    if (pid < 0)
        die("fork");
    if (!pid) {
        /* A test that fails half-way leaves no process behind. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* Also where the tests themselves run under nohup(1), or behind the & of a script. */
        signal(SIGHUP, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        place(in, STDIN_FILENO);
        place(out, STDOUT_FILENO);
        place(err, STDERR_FILENO);
        execv(program, (char *const *)words);
        _exit(127);
    }
    return pid;
}

int process_wait(pid_t pid, long *peak_kilobytes)
{
    struct rusage usage;
    int status;

    if (wait4(pid, &status, 0, &usage) != pid)
        die("wait4");
    if (peak_kilobytes)
        *peak_kilobytes = usage.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_wait_soon(pid_t pid)
{
    struct pollfd ended = {.fd = pidfd_open(pid, 0), .events = POLLIN};

    if (ended.fd < 0)
        die("pidfd_open");
    if (poll(&ended, 1, PATIENCE_MS) != 1)
        kill(pid, SIGKILL);
    close(ended.fd);
    return process_wait(pid, NULL);
}

/* Whether it waits to be taken by any thread of a process that has not ended. */
static bool is_pending(pid_t pid, int number)
{
    static const char field[] = "ShdPnd:", ended[] = "State:\tZ";
    unsigned long long pending = 0;
    bool has_ended = false;
    char path[32], line[128];
    FILE *status;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status)) {
        has_ended |= !strncmp(line, ended, strlen(ended));
        if (!strncmp(line, field, strlen(field)))
            pending = strtoull(line + strlen(field), NULL, 16);
    }
    if (status)
        fclose(status);
    return !has_ended && pending >> (number - 1) & 1;
}

void process_signal(pid_t pid, int number)
{
    if (kill(pid, number))
        die("kill");
    while (is_pending(pid, number))
        usleep(1000);
}

static char *read_back(int fd, size_t *length)
{
    off_t end = lseek(fd, 0, SEEK_END);
    char *text = end < 0 ? NULL : malloc((size_t)end + 1);

    if (!text || pread(fd, text, (size_t)end, 0) != end)
        die("read_back");
    text[end] = '\0';
    *length = (size_t)end;
    close(fd);
    return text;
}

struct process_result process_run(const char *const *arguments, int in)
{
    int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    struct process_result result = {0};

    if (out < 0 || err < 0)
        die("memfd_create");
    result.status = process_wait(process_start(arguments, in, out, err), &result.peak_kilobytes);
    result.out = read_back(out, &result.out_length);
    result.err = read_back(err, &result.err_length);
    close(in);
    return result;
}

void process_free(struct process_result *result)
{
    free(result->out);
    free(result->err);
}

int process_status_with(struct process_result result, const char *words)
{
    bool said = strstr(result.out, words) || strstr(result.err, words);
    int status = said ? result.status : -1;

    if (!said)
        printf("'%s' is not in: %.400s%.400s\n", words, result.out, result.err);
    process_free(&result);
    return status;
}

/* All that comes until nobody holds the other side. */
static char *read_terminal(int master, size_t *length)
{
    char *text = NULL, piece[4096];
    FILE *out = open_memstream(&text, length);
    ssize_t got;

    if (!out)
        die("open_memstream");
    while ((got = read(master, piece, sizeof piece)) > 0)
        fwrite(piece, 1, (size_t)got, out);
    fclose(out);
    return text;
}

struct process_result process_run_on_terminal(const char *const *arguments, unsigned columns)
{
    const struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    struct process_result result = {.err = strdup("")};
    int master, slave;
    pid_t pid;

    if (openpty(&master, &slave, NULL, NULL, &size))
        die("openpty");
    fcntl(master, F_SETFD, FD_CLOEXEC);
    pid = process_start(arguments, slave, slave, slave);
    close(slave);
    result.out = read_terminal(master, &result.out_length);
    result.status = process_wait(pid, &result.peak_kilobytes);
    close(master);
    return result;
}
