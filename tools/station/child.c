/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/json_text.h"
#include "hal/desk/desk.h"

extern char **environ;

/* Both ends of the pipes of a child. */
struct ends {
    int orders[2], out[2];
};

static void close_all(const int *fds, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static bool open_ends(struct ends *ends, bool asks)
{
    *ends = (struct ends){{-1, -1}, {-1, -1}};
    return !pipe2(ends->orders, O_CLOEXEC) && !fcntl(ends->orders[1], F_SETFL, O_NONBLOCK) &&
           (!asks || !pipe2(ends->out, O_CLOEXEC));
}

/* The signals that the station waits for are not blocked in what it starts. */
static int spawn(pid_t *pid, char *const *arguments, const struct ends *ends, int hold, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    int failed;

    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends->out[1] >= 0 ? ends->out[1] : output,
                                     STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends->orders[0], atoi(STATION_ORDERS));
    posix_spawn_file_actions_adddup2(&actions, hold, STATION_HOLD);
    failed = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

/* A pipe takes them before anybody reads it, so it has them before it begins. */
static void order_first(const struct station_child *child, const struct station_work *work)
{
    if (work->operator_name && *work->operator_name)
        station_child_order(child, "operator", work->operator_name);
    if (work->by && *work->by)
        station_child_order(child, "start", work->by);
}

int station_child_start(struct station_child *child, const struct station_work *work,
                        struct error *error)
{
    struct ends ends;
    int bench = station_hold_bench(work->hold, error), failed;

    *child = (struct station_child){.ended = -1};
    if (bench < 0)
        return bench;
    failed = open_ends(&ends, work->asks) ? 0 : errno;
    child->orders = ends.orders[1];
    if (!failed && work->is_played)
        order_first(child, work);
    if (!failed)
        failed = spawn(&child->pid, work->arguments, &ends, bench, work->output);
    close_all((int[]){ends.orders[0], ends.out[1], bench}, 3);
    if (failed) {
        close_all((int[]){ends.orders[1], ends.out[0]}, 2);
        child->pid = 0;
        return error_set(error, ERROR_RIG, "the program cannot be started: %s", strerror(failed));
    }
    station_hold_name(work->hold, child->pid);
    child->said = ends.out[0];
    child->ended = pidfd_open(child->pid, 0);
    if (child->ended >= 0)
        return 0;
    failed = errno;
    kill(child->pid, SIGTERM);
    station_child_end(child);
    return error_set(error, ERROR_RIG, "the program cannot be waited for: %s", strerror(failed));
}

bool station_child_tell(const struct station_child *child, const char *line, size_t length)
{
    return write(child->orders, line, length) >= 0 || errno != EAGAIN;
}

bool station_child_order(const struct station_child *child, const char *order, const char *by)
{
    char buffer[6 * DESK_NAME_SIZE + 64];
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer);
    JSON_TEXT_PUT(&text, "{\"do\":");
    json_text_string(&text, order);
    if (by && *by) {
        JSON_TEXT_PUT(&text, ",\"by\":");
        json_text_string(&text, by);
    }
    JSON_TEXT_PUT(&text, "}\n");
    return !text.full && station_child_tell(child, buffer, (size_t)(text.at - buffer));
}

int station_child_end(struct station_child *child)
{
    int status = 0;

    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close_all((int[]){child->ended, child->orders, child->said}, 3);
    *child = (struct station_child){.ended = -1};
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
