/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rigs/history/store/place.h"
#include "rigs/history/store/schema.h"
#include "rigs/history/store/spool.h"

#define OPTION "--history="
#define SQLITE "sqlite:"

/* A file of a rig is copied into reports and bundles, where a password would go with it. */
static bool has_password(const char *address)
{
    const char *authority = strstr(address, "://"), *at = strrchr(address, '@');
    const char *colon = authority ? strchr(authority + 3, ':') : NULL;

    return (at && colon && colon < at) || strcasestr(address, "password=");
}

int run_history_check_rig(const struct rig *rig, struct error *error)
{
    if (!has_password(rig->history))
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "%s: history: a rig file is no place for a password; put it into ~/.pgpass",
                     rig->path);
}

/* As the rig file has it: "default", or an address; a file is relative to that of the rig. */
static int take_from_rig(struct run_history *history, const struct rig *rig, bool make,
                         struct error *error)
{
    const char *given = rig->history, *slash = strrchr(rig->path, '/');
    bool is_beside = !strncmp(given, SQLITE, strlen(SQLITE)) && given[strlen(SQLITE)] != '/';

    int status = run_history_check_rig(rig, error);

    history->is_wanted = true;
    if (status)
        return status;
    if (!strcmp(given, "default"))
        return history_place(NULL, make, history->address, error);
    if (is_beside && slash)
        snprintf(history->address, sizeof history->address, SQLITE "%.*s/%s",
                 (int)(slash - rig->path), rig->path, given + strlen(SQLITE));
    else
        snprintf(history->address, sizeof history->address, "%s", given);
    return 0;
}

/* A library that is missing, or no place in the home, is the store's trouble and not the run's. */
int run_history_prepare(struct run_history *history, const struct rig *rig, const char *journal,
                        struct error *error)
{
    bool is_asked = history->is_wanted;
    int status = 0;

    if (is_asked)
        status = history_place(history->store, journal, history->address, error);
    else if (*rig->history)
        status = take_from_rig(history, rig, journal, error);
    if (!history->is_wanted)
        return 0;
    if (!status)
        status = store_name(history->address, history->name, error);
    if (status == ERROR_CONFIG)
        return status;
    if (journal)
        return 0;
    history->is_wanted = false;
    error_set(error, ERROR_CONFIG,
              "a history is made from a journal, and %s: --journal or --reports says where it is "
              "to be",
              is_asked ? "none is written"
                       : "this run writes none, so that the rig's does not "
                         "have it");
    return is_asked ? ERROR_CONFIG : 1;
}

char **run_history_mask(const struct run_history *history, char **argv,
                        char room[STORE_ADDRESS_MAX + 16])
{
    size_t count = 0;
    char **masked;

    while (argv[count])
        count++;
    masked = calloc(count + 1, sizeof *masked);
    for (size_t i = 0; masked && i < count; i++) {
        masked[i] = argv[i];
        if (history->store && !strncmp(argv[i], "--hi", 4) && strchr(argv[i], '=') &&
            strchr(argv[i], '=') + 1 == history->store) {
            snprintf(room, STORE_ADDRESS_MAX + 16, OPTION "%s", history->name);
            masked[i] = room;
        }
    }
    return masked;
}

static void say_sent(const struct command *command, const struct history_sent *sent, bool is_shown)
{
    struct error error;

    if (sent->sent && is_shown)
        printf("history: %u journal%s that waited %s sent\n", sent->sent,
               sent->sent == 1 ? "" : "s", sent->sent == 1 ? "was" : "were");
    if (!sent->refused)
        return;
    error_set(&error, ERROR_RULE,
              "%u journal%s that waited for the history %s refused and %s not sent again: %.300s",
              sent->refused, sent->refused == 1 ? "" : "s", sent->refused == 1 ? "is" : "are",
              sent->refused == 1 ? "is" : "are", sent->why);
    command_error(command, &error);
}

int run_history_send(const struct command *command, struct store *store, bool is_shown)
{
    struct history_sent sent;
    struct error error;
    int status = history_spool_send(store, &sent, &error) ? command_error(command, &error) : 0;

    say_sent(command, &sent, is_shown);
    return status ? status : sent.refused ? EXIT_FAIL : EXIT_PASS;
}

/* 0, or what keeps the journal out of the store. */
static int import(const struct command *command, const struct run_history *history,
                  const char *journal, bool is_shown, struct error *error)
{
    struct history_imported imported;
    struct store *store;
    int status = history_open(history->address, true, &store, error);

    if (status)
        return status;
    status = history_import(store, journal, &(struct history_import){.id = NULL}, &imported, error);
    if (!status && is_shown)
        printf("history: run %s%s%s\n", imported.id, *imported.whole ? ", a shard of " : "",
               imported.whole);
    if (!status)
        run_history_send(command, store, is_shown);
    store_close(store);
    return status;
}

static void spool(const struct command *command, const struct run_history *history,
                  const char *journal, const struct error *why)
{
    struct error error, problem;

    if (*history->name && !history_spool(journal, history->name, &problem))
        error_set(&error, ERROR_RIG,
                  "the history does not have this run yet, which changes nothing about it: %.280s; "
                  "the journal waits and is sent with the next run or import",
                  why->text);
    else
        error_set(&error, ERROR_RIG,
                  "the history does not have this run, which changes nothing about it: %.280s; "
                  "'dealproof history import' takes its journal later",
                  why->text);
    command_error(command, &error);
}

void run_history_import(const struct command *command, const struct run_history *history,
                        const char *journal, bool is_shown)
{
    struct error error;
    struct stat about;

    if (!history->is_wanted || !journal)
        return;
    if (stat(journal, &about) || !S_ISREG(about.st_mode)) {
        error_set(&error, ERROR_RIG, "%s: is no file, so that the history does not have this run",
                  journal);
        command_error(command, &error);
        return;
    }
    if (import(command, history, journal, is_shown, &error))
        spool(command, history, journal, &error);
}
