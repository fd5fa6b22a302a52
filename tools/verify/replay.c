/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/verify/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/regular.h"
#include "rigs/journal/libraries.h"
#include "rigs/page/markup.h"
#include "rigs/rig/named.h"
#include "tools/command.h"
#include "tools/run/named.h"

/* A run comes to many times as many bytes of its journal in a second, on any machine. */
#define SECONDS_AT_LEAST 600
#define BYTES_A_SECOND   50000

/* What its first line says. */
struct origin {
    const char *path;
    struct kept *kept; /* what it is played from; NULL: the files that the journal names */
    struct json_value *start;
    const struct command *command; /* that can play it again; NULL: none can */
    bool is_virtual;
    bool is_own; /* this very build has written it */
    struct rig *rig;
    int argc;
    char **argv;
};

static void free_origin(struct origin *origin)
{
    for (int i = 0; i < origin->argc; i++)
        free(origin->argv[i]);
    free(origin->argv);
    free(origin->start);
    rig_free(origin->rig);
}

static const char *text_of(const struct origin *origin, const char *key)
{
    const char *text = json_chars(json_member(origin->start, key));

    return text ? text : "";
}

static int read_start(struct origin *origin, struct error *error)
{
    struct journal_reader *reader;
    struct journal_line line;
    int status = journal_reader_open(origin->path, &reader, error);

    if (status)
        return status;
    status = journal_reader_next(reader, &line, error);
    if (status > 0)
        origin->start = json_keep(line.fields);
    journal_reader_close(reader);
    if (status < 0)
        return status;
    return origin->start ? 0 : error_set(error, ERROR_RIG, "out of memory");
}

static int take_command(struct origin *origin, struct error *error)
{
    const struct json_value *command = json_member(origin->start, "command");
    char build[LIBRARIES_BUILD_SIZE];

    origin->is_virtual = !strcmp(text_of(origin, "clock"), "virtual");
    origin->is_own = !strcmp(text_of(origin, "version"), DEALPROOF_VERSION) &&
                     !strcmp(text_of(origin, "build"), libraries_build(build));
    origin->argv = calloc(json_count(command) + 1, sizeof *origin->argv);
    if (!origin->argv)
        return error_set(error, ERROR_RIG, "out of memory");
    JSON_EACH (argument, command) {
        origin->argv[origin->argc] = strdup(argument->text);
        if (!origin->argv[origin->argc++])
            return error_set(error, ERROR_RIG, "out of memory");
    }
    origin->command = origin->argc ? command_find(origin->argv[0]) : NULL;
    return 0;
}

/* The rig of the run, if it is still what it was. */
static int load_rig(struct origin *origin, struct error *error)
{
    const struct json_value *rig = json_member(origin->start, "rig");
    const char *path = json_chars(json_member(rig, "path"));
    const char *was = json_chars(json_member(rig, "sha256"));
    char now[DIGEST_SIZE];

    if (origin->kept)
        return kept_rig(origin->kept, origin->start, origin->is_own, &origin->rig, error);
    if (!path)
        return rig_default(&origin->rig, error);
    if (regular_digest(path, now) != REGULAR_READ || strcmp(now, was))
        return error_set(error, ERROR_RIG, "its rig file %.200s is missing here, or another by now",
                         path);
    if (rig_load(&origin->rig, path, error)) {
        error->code = ERROR_RIG;
        return ERROR_RIG;
    }
    return 0;
}

/* So that nothing that somebody else has written keeps a processor for ever. */
static void limit_time(const struct origin *origin)
{
    struct stat about;
    rlim_t seconds = SECONDS_AT_LEAST;

    if (!stat(origin->path, &about))
        seconds += (rlim_t)(about.st_size / BYTES_A_SECOND);
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
}

/* The child: plays into the pipe, and says into the other why it could not. */
static void play(const struct origin *origin, struct run_named *named, int journal, int said)
{
    struct kept *kept = origin->kept;
    char path[32];
    struct command_again again = {.journal = path,
                                  .rig = origin->rig,
                                  .recordings = kept && kept->names.count ? &kept->names : NULL,
                                  .place = kept ? &kept->place : &recording_regular_files,
                                  .named = named};
    int null = open("/dev/null", O_RDWR), status;

    snprintf(path, sizeof path, "/proc/self/fd/%d", journal);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    limit_time(origin);
    status = origin->command->again(origin->command, origin->argc, origin->argv, &again);
    if (named && named->is_compared)
        dprintf(journal, "%s\n", named->differs.code ? named->differs.text : "");
    _exit(status);
}

/* A process that plays, or says whether what is named is what was played. */
struct child {
    pid_t pid;
    int journal, said; /* what it writes, and why it cannot */
};

static int start_child(const struct origin *origin, struct run_named *named, struct child *child,
                       struct error *error)
{
    int journal[2], said[2];

    if (pipe2(journal, O_CLOEXEC))
        return error_set(error, ERROR_RIG, "no pipe: %s", strerror(errno));
    if (pipe2(said, O_CLOEXEC)) {
        close(journal[0]);
        close(journal[1]);
        return error_set(error, ERROR_RIG, "no pipe: %s", strerror(errno));
    }
    fflush(NULL);
    child->pid = fork();
    if (!child->pid)
        play(origin, named, journal[1], said[1]);
    close(journal[1]);
    close(said[1]);
    child->journal = journal[0];
    child->said = said[0];
    return 0;
}

static void end_child(const struct child *child)
{
    if (child->pid <= 0)
        return;
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
}

/* What the child said, if anything, as one sentence. */
static void read_said(int fd, char *text, size_t size)
{
    ssize_t got = read(fd, text, size - 1);

    text[got > 0 ? got : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Both readers end with the function. */
static int compare(const char *path, int fd, struct journals_compared *compared,
                   struct error *error)
{
    struct journal_reader *was = NULL, *now = NULL;
    int status = journal_reader_new(fd, &now, error);

    if (!status)
        status = journal_reader_open(path, &was, error);
    if (!status)
        status = journals_compare(was, now, compared, error);
    journal_reader_close(was);
    journal_reader_close(now);
    return status;
}

static int say_unplayed(int said, int status, struct error *error)
{
    char why[200];

    read_said(said, why, sizeof why);
    if (!*why)
        snprintf(why, sizeof why, "%.190s",
                 status == ERROR_CONFIG ? "the run does not start" : error->text);
    return error_set(error, ERROR_RIG, "it cannot be played again here: %s", why);
}

static int play_again(const struct origin *origin, struct replayed *replayed, struct error *error)
{
    struct child child;
    int status = start_child(origin, NULL, &child, error);

    if (status)
        return status;
    replayed->is_played = true;
    status = compare(origin->path, child.journal, &replayed->compared, error);
    end_child(&child);
    if (status == ERROR_CONFIG || status == ERROR_RIG)
        status = say_unplayed(child.said, status, error);
    close(child.said);
    return status;
}

/* One line, without its end; false where none came. */
static bool read_answer(int fd, char *text, size_t size)
{
    FILE *answer = fdopen(fd, "r");
    bool has_come = answer && fgets(text, (int)size, answer) && strchr(text, '\n');

    if (has_come)
        text[strcspn(text, "\n")] = '\0';
    if (answer)
        fclose(answer);
    else
        close(fd);
    return has_come;
}

static int ask_folders(const struct origin *origin, struct run_named *named, struct error *error)
{
    char text[ERROR_TEXT_SIZE + 1];
    struct child child;
    int status = start_child(origin, named, &child, error);

    if (status)
        return status;
    if (!read_answer(child.journal, text, sizeof text))
        status = say_unplayed(child.said, ERROR_CONFIG, error);
    else if (*text)
        status = error_set(error, ERROR_RIG, "%s", text);
    close(child.said);
    end_child(&child);
    return status;
}

/*
 * It comes to something else. Where folders that the run was given hold other recordings now than
 * the journal names, that is no reason to call it altered: nobody can tell.
 */
static int check_folders(const struct origin *origin, struct error *error)
{
    struct error different;
    struct run_named named;
    int status = run_named_read(&named, origin->path, &different);

    if (!status)
        status = ask_folders(origin, &named, &different);
    run_named_free(&named);
    if (!status)
        return ERROR_RULE;
    *error = different;
    return status;
}

/* Only what this very build has written can be held against what it writes. */
static int judge(const struct origin *origin, int status, struct error *error)
{
    static const char altered[] = " was altered";
    char difference[ERROR_TEXT_SIZE], *at;

    if (status != ERROR_RULE || origin->is_own)
        return status;
    memcpy(difference, error->text, sizeof difference);
    at = strstr(difference, altered);
    if (at)
        memmove(at, at + sizeof altered - 1, strlen(at + sizeof altered - 1) + 1);
    return error_set(error, ERROR_RIG,
                     "made by version %.20s%s, and this program may come to something else on "
                     "purpose: %.300s",
                     text_of(origin, "version"),
                     strcmp(text_of(origin, "version"), DEALPROOF_VERSION) ? ""
                                                                           : " of another build",
                     difference);
}

static int refuse_start(const char *why, struct error *error)
{
    return error_set(error, ERROR_RULE, "line 1 was altered: %s", why);
}

/* Line 1 against the rig: nobody leads this program away from playing a run again by a word. */
static int check_start(const struct origin *origin, struct error *error)
{
    struct rig_named named[RIG_NAMED_MAX];

    if (origin->is_virtual != (origin->rig->clock == RIG_CLOCK_VIRTUAL))
        return refuse_start(origin->is_virtual ? "its clock is virtual, and that of its rig real"
                                               : "its clock is real, and that of its rig virtual",
                            error);
    if (!origin->command || !origin->command->again)
        return refuse_start("no such command writes a journal", error);
    if (origin->is_own && !origin->kept &&
        rig_named(origin->rig, named) != json_count(json_member(origin->start, "files")))
        return refuse_start("it does not have the digests of all files that its rig names", error);
    return 0;
}

/* What a run of recordings has to play is known; without it, one that is left out leaves no gap. */
static int check_announced(const struct origin *origin, bool has_rounds, struct error *error)
{
    if (!origin->is_own || !has_rounds || strcmp(origin->argv[0], "run") != 0 ||
        json_member(origin->start, "rounds"))
        return 0;
    return refuse_start("it does not say how many rounds there are to play", error);
}

/* Whether an argument is such an option, or the beginning of its name. */
static bool is_option(const char *argument, const char *name)
{
    size_t length = strcspn(argument, "=");

    return length > 2 && !strncmp(argument, "--", 2) && !strncmp(argument + 2, name, length - 2);
}

/* Somebody can have been at a page only where there was one. */
static int check_people(const struct origin *origin, const struct journals_compared *compared,
                        struct error *error)
{
    if (!compared->people)
        return 0;
    for (int i = 1; i < origin->argc; i++)
        if (is_option(origin->argv[i], "page") || is_option(origin->argv[i], "orders"))
            return 0;
    return error_set(error, ERROR_RULE,
                     "line %ju was altered: it is of somebody at a page, and the command of line 1 "
                     "serves none",
                     (uintmax_t)compared->first_of_people);
}

static int play_and_check(struct origin *origin, struct replayed *replayed, struct error *error)
{
    int status = play_again(origin, replayed, error);

    if (status == ERROR_RULE && !origin->kept && !strcmp(origin->argv[0], "run"))
        return check_folders(origin, error);
    if (!status)
        status = check_announced(origin, replayed->compared.lacks_rounds, error);
    return status ? status : check_people(origin, &replayed->compared, error);
}

/* A run that passes has played all recordings that were copied before its first card. */
static int check_all_played(const struct origin *origin, const struct resettled *resettled,
                            struct error *error)
{
    const struct kept *kept = origin->kept;

    if (!kept || !resettled->passes || resettled->recordings >= kept->names.count)
        return 0;
    return error_set(error, ERROR_RULE,
                     "the journal was altered: its run passes with %ju recording%s, and the bundle "
                     "has copies of %zu",
                     (uintmax_t)resettled->recordings, resettled->recordings == 1 ? "" : "s",
                     kept->names.count);
}

static int settle_again(struct origin *origin, struct resettled *resettled, struct error *error)
{
    int status = resettle_journal(origin->path, origin->rig,
                                  origin->kept ? &origin->kept->place : NULL, resettled, error);

    if (!status)
        status = check_announced(origin, resettled->has_rounds, error);
    return status ? status : check_all_played(origin, resettled, error);
}

static int replay(struct origin *origin, struct replayed *replayed, struct error *error)
{
    int status = read_start(origin, error);

    if (!status)
        status = take_command(origin, error);
    if (!status)
        status = load_rig(origin, error);
    if (!status && origin->kept && origin->kept->has_recordings)
        status = kept_check_recordings(origin->kept, error);
    if (!status)
        status = judge(origin, check_start(origin, error), error);
    if (status)
        return status;
    /* What people have answered is theirs alone. */
    if (origin->is_virtual && !rig_asks(origin->rig))
        return judge(origin, play_and_check(origin, replayed, error), error);
    return judge(origin, settle_again(origin, &replayed->resettled, error), error);
}

int replay_journal(const char *path, struct replayed *replayed, struct error *error)
{
    struct origin origin = {.path = path};
    int status;

    *replayed = (struct replayed){.is_played = false};
    status = replay(&origin, replayed, error);
    free_origin(&origin);
    if (status)
        error_prefix(error, "%s", path);
    return status;
}

/* What a run on real devices has checked, and no line shows. */
static void print_unjudged(uint64_t checks)
{
    const char *before = "passed by the journal alone, and not judged again: ";

    for (unsigned i = 0; i < CHECK_COUNT; i++)
        if (checks >> i & 1) {
            printf("%s%s", before, check_kinds[i].name);
            before = ", ";
        }
    if (checks)
        putchar('\n');
}

void replay_print(const struct replayed *replayed)
{
    const struct resettled *resettled = &replayed->resettled;

    if (replayed->is_played) {
        printf("played again: %ju line%s out the same%s\n", (uintmax_t)replayed->compared.lines,
               replayed->compared.lines == 1 ? " comes" : "s come",
               replayed->compared.is_cut ? ", up to where the run was cut short" : "");
        if (replayed->compared.people)
            printf("who was at the page is the journal's word alone: %ju line%s\n",
                   (uintmax_t)replayed->compared.people, replayed->compared.people == 1 ? "" : "s");
        return;
    }
    printf("settled again: %ju round%s to what the journal says\n", (uintmax_t)resettled->rounds,
           resettled->rounds == 1 ? " comes" : "s come");
    print_unjudged(resettled->unjudged);
    if (resettled->left) {
        printf("not settled again: %ju round%s, since ", (uintmax_t)resettled->left,
               resettled->left == 1 ? "" : "s");
        plain_text(stdout, resettled->why);
        putchar('\n');
    }
}

void replay_json(struct json_print *print, const struct replayed *replayed)
{
    const struct resettled *resettled = &replayed->resettled;

    json_print_open(print, "replay", "{}");
    json_print_text(print, "by", replayed->is_played ? "playing" : "settling");
    if (replayed->is_played) {
        json_print_integer(print, "lines", (int64_t)replayed->compared.lines);
        json_print_bool(print, "cut", replayed->compared.is_cut);
        json_print_integer(print, "lines-of-people", (int64_t)replayed->compared.people);
    } else {
        json_print_integer(print, "rounds", (int64_t)resettled->rounds);
        json_print_integer(print, "rounds-left", (int64_t)resettled->left);
        json_print_text(print, "why-left", *resettled->why ? resettled->why : NULL);
        json_print_open(print, "checks-not-judged-again", "[]");
        for (unsigned i = 0; i < CHECK_COUNT; i++)
            if (resettled->unjudged >> i & 1)
                json_print_text(print, NULL, check_kinds[i].name);
        json_print_close(print, "[]");
    }
    json_print_close(print, "{}");
}

int replay_kept(struct kept *kept, struct replayed *replayed, struct error *error)
{
    struct origin origin = {.path = kept->journal_path, .kept = kept};
    int status;

    *replayed = (struct replayed){.is_played = false};
    status = replay(&origin, replayed, error);
    free_origin(&origin);
    return status;
}
