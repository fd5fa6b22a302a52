/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says whether a mutant is killed, after how many computed seconds, and by which suite:
 *
 *     try BUILD NUMBER SUITE.c:HUNDREDTHS...
 *
 * The hundredths of a second are what the suite computes without a mutant. One that computes ten
 * times as long is killed. So is one that stands still, if the suite does not without it. Who waits
 * for a processor does not stand still: a busy machine kills nothing.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STANDS_STILL (-1)

static void limit(enum __rlimit_resource resource, rlim_t most)
{
    setrlimit(resource, &(struct rlimit){most, most});
}

/* The timer counts what is computed, and goes on in the program that is started. */
static void become(const char *program, const char *mutant, long hundredths)
{
    long most = 10 * hundredths + 30;
    struct itimerval timer = {.it_value = {most / 100, most % 100 * 10000}};
    int null = open("/dev/null", O_RDWR);
    sigset_t all;

    setpgid(0, 0);
    if (mutant)
        setenv("MUTANT", mutant, 1);
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    limit(RLIMIT_CPU, (rlim_t)(most / 100 + 1)); /* also of what it starts */
    limit(RLIMIT_AS, (rlim_t)16 << 30);
    limit(RLIMIT_CORE, 0);
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
    execl(program, program, (char *)NULL);
    _exit(127);
}

/* For how long it has computed or waited for a processor, in seconds. */
static double awake(pid_t process)
{
    unsigned long long computing = 0, waiting = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)process);
    file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%llu %llu", &computing, &waiting) != 2)
        computing = waiting = 0;
    fclose(file);
    return (double)(computing + waiting) / 1e9;
}

/* Whether it sleeps most of the time, before it has ended. */
static bool falls_asleep(pid_t child, time_t patience)
{
    struct timespec wait = {patience, 0};
    double before = 0, now = 0;
    sigset_t ended;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    do {
        if (sigtimedwait(&ended, NULL, &wait) >= 0)
            return false;
        before = now;
        now = awake(child);
    } while (now - before > (double)patience / 2);
    return true;
}

/* 0 where it ends well. */
static int run(const char *program, const char *mutant, long hundredths, time_t patience)
{
    pid_t child = fork();
    int status = 0;
    bool is_still;

    if (child < 0) {
        perror("try: cannot start a suite");
        exit(2);
    }
    if (!child)
        become(program, mutant, hundredths);
    is_still = falls_asleep(child, patience);
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return is_still ? STANDS_STILL : status;
}

static bool is_killed(const char *program, const char *mutant, long hundredths)
{
    for (time_t patience = 10;; patience *= 2) {
        int status = run(program, mutant, hundredths, patience);

        if (status != STANDS_STILL)
            return status;
        if (!run(program, NULL, hundredths, patience))
            return true;
    }
}

/* Of all suites that have ended. */
static double computed(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    sigset_t ended;

    if (argc < 3) {
        fputs("usage: try BUILD NUMBER SUITE.c:HUNDREDTHS...\n", stderr);
        return 2;
    }
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    for (int i = 3; i < argc; i++) {
        char *suite = argv[i], *end = strstr(suite, ".c:"), program[4096];

        if (!end)
            continue;
        snprintf(program, sizeof program, "%s/%.*s", argv[1], (int)(end - suite), suite);
        if (is_killed(program, argv[2], atol(end + 3))) {
            printf("%s killed %.3f %.*s\n", argv[2], computed(), (int)(end - suite), suite);
            return 0;
        }
    }
    printf("%s %s %.3f\n", argv[2], argc > 3 ? "survived" : "unreached", computed());
    return 0;
}
