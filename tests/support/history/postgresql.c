/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/history/postgresql.h"

#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/scratch.h"

static char programs[PATH_MAX], folder[SCRATCH_PATH_SIZE];
static pid_t server;

static void die(const char *what)
{
    fprintf(stderr, "postgresql: %s\n", what);
    postgresql_stop();
    exit(EXIT_FAILURE);
}

/* The newest version that is there; false: none. */
static bool find_programs(void)
{
    glob_t found;
    bool is_there = !glob("/usr/lib/postgresql/*/bin/postgres", 0, NULL, &found);

    if (is_there)
        snprintf(programs, sizeof programs, "%.*s",
                 (int)(strrchr(found.gl_pathv[found.gl_pathc - 1], '/') -
                       found.gl_pathv[found.gl_pathc - 1]),
                 found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return is_there;
}

/* Whoever owns the folder. */
static void become_owner(void)
{
    const struct passwd *nobody = getuid() ? NULL : getpwnam("nobody");

    if (nobody && (setgroups(0, NULL) || setgid(nobody->pw_gid) || setuid(nobody->pw_uid)))
        _exit(126);
}

static pid_t start(const char *const *arguments)
{
    pid_t parent = getpid(), pid = fork();
    char log[PATH_MAX];
    int fd;

    if (pid)
        return pid;
    become_owner();
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (getppid() != parent || chdir(folder))
        _exit(126);
    snprintf(log, sizeof log, "%s/log", folder);
    fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
        _exit(126);
    unsetenv("LANG");
    setenv("LC_ALL", "C", 1);
    execv(arguments[0], (char *const *)arguments);
    _exit(127);
}

static void make_folder(void)
{
    const struct passwd *nobody = getuid() ? NULL : getpwnam("nobody");
    char path[PATH_MAX];

    scratch_path(folder);
    if (mkdir(folder, 0700) || (!getuid() && !nobody))
        die("no folder for a server");
    snprintf(path, sizeof path, "%s/password", folder);
    scratch_write(path, POSTGRESQL_PASSWORD "\n", strlen(POSTGRESQL_PASSWORD "\n"));
    if (nobody && (chown(folder, nobody->pw_uid, nobody->pw_gid) ||
                   chown(path, nobody->pw_uid, nobody->pw_gid)))
        die("the folder cannot be given to nobody");
}

static void make_cluster(void)
{
    char initdb[PATH_MAX + 16], data[PATH_MAX], password[PATH_MAX];
    const char *const arguments[] = {initdb,
                                     "--no-sync",
                                     "--auth=scram-sha-256",
                                     "--username=" POSTGRESQL_USER,
                                     "--encoding=UTF8",
                                     "--no-locale",
                                     "-D",
                                     data,
                                     password,
                                     NULL};
    int status;

    snprintf(initdb, sizeof initdb, "%s/initdb", programs);
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(password, sizeof password, "--pwfile=%s/password", folder);
    if (waitpid(start(arguments), &status, 0) < 0 || status)
        die("initdb failed");
}

/* It is there when its socket takes connections, which it says in this file. */
static bool is_ready(void)
{
    char path[PATH_MAX], text[512] = "";
    int fd;

    snprintf(path, sizeof path, "%s/data/postmaster.pid", folder);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(fd);
    return strstr(text, "ready") != NULL;
}

bool postgresql_start(void)
{
    char postgres[PATH_MAX + 16], data[PATH_MAX];
    const char *const arguments[] = {postgres,
                                     "-D",
                                     data,
                                     "-k",
                                     folder,
                                     "-c",
                                     "listen_addresses=",
                                     "-c",
                                     "fsync=off",
                                     "-c",
                                     "max_connections=20",
                                     "-c",
                                     "shared_buffers=8MB",
                                     NULL};

    if (!find_programs())
        return false;
    make_folder();
    make_cluster();
    snprintf(postgres, sizeof postgres, "%s/postgres", programs);
    snprintf(data, sizeof data, "%s/data", folder);
    server = start(arguments);
    while (!is_ready()) {
        if (waitpid(server, NULL, WNOHANG)) {
            server = 0;
            die("the server has ended");
        }
        usleep(10000);
    }
    return true;
}

void postgresql_stop(void)
{
    if (server > 0) {
        kill(server, SIGQUIT);
        waitpid(server, NULL, 0);
    }
    server = 0;
    if (*folder)
        scratch_remove(folder);
    *folder = '\0';
}

void postgresql_address(const char *schema, char address[POSTGRESQL_ADDRESS_SIZE])
{
    snprintf(address, POSTGRESQL_ADDRESS_SIZE,
             "postgresql://" POSTGRESQL_USER
             ":open%%20sesame@/postgres?host=%s&options=-csearch_path%%3D%s",
             folder, schema);
}

const char *postgresql_folder(void)
{
    return folder;
}
