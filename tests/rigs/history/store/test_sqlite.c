/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history in a file of SQLite, held to the contract of histories; and what is wrong with files.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/history/find.h"
#include "rigs/history/import.h"
#include "rigs/history/store/schema.h"
#include "tests/support/history/contract.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"

static bool make(char address[STORE_ADDRESS_MAX])
{
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    snprintf(address, STORE_ADDRESS_MAX, "sqlite:%s", path);
    return true;
}

static void remove_store(const char *address)
{
    const char *path = address + strlen("sqlite:");
    char beside[STORE_ADDRESS_MAX + 8];

    unlink(path);
    snprintf(beside, sizeof beside, "%s-wal", path);
    unlink(beside);
    snprintf(beside, sizeof beside, "%s-shm", path);
    unlink(beside);
}

const struct history_contract history_contract = {.make = make, .remove = remove_store};
HISTORY_CONTRACT_TESTS

TEST(a_file_that_is_made_is_its_owners_alone)
{
    char address[STORE_ADDRESS_MAX];
    struct store *store;
    struct stat about;
    mode_t was = umask(0);

    make(address);
    CU_ASSERT_EQUAL_FATAL(history_open(address, true, &store, NULL), 0);
    umask(was);
    CU_ASSERT_EQUAL(stat(address + strlen("sqlite:"), &about), 0);
    CU_ASSERT_EQUAL(about.st_mode & 0777, 0600);
    store_close(store);
    remove_store(address);
}

#define OPENERS 8
#define STORES  25

/* All of them go on at the same moment, when nobody can write to the gate any more. */
static void open_behind(const int gate[2], const char *address)
{
    struct store *store;
    char byte;

    close(gate[1]);
    if (read(gate[0], &byte, 1) || history_open(address, true, &store, NULL))
        _exit(1);
    store_close(store);
    _exit(0);
}

/* SQLite lets nobody wait who turns the log on while another one does. */
TEST(who_makes_a_store_at_the_same_moment_as_others_waits_for_them)
{
    for (int i = 0; i < STORES; i++) {
        char address[STORE_ADDRESS_MAX];
        pid_t pids[OPENERS];
        int gate[2], status;

        make(address);
        CU_ASSERT_EQUAL_FATAL(pipe(gate), 0);
        for (int k = 0; k < OPENERS; k++) {
            pids[k] = fork();
            if (!pids[k])
                open_behind(gate, address);
        }
        close(gate[0]);
        close(gate[1]);
        for (int k = 0; k < OPENERS; k++) {
            CU_ASSERT_EQUAL(waitpid(pids[k], &status, 0), pids[k]);
            CU_ASSERT_EQUAL(status, 0);
        }
        remove_store(address);
    }
}

TEST(what_is_no_database_is_refused_and_left_alone)
{
    char address[STORE_ADDRESS_MAX], *text;
    static const char words[] = "This is a letter, and longer than the header of a database is. "
                                "This is a letter, and longer than the header of a database is.";
    struct store *store;
    struct error error;
    size_t length;

    make(address);
    scratch_write(address + strlen("sqlite:"), words, sizeof words);
    CU_ASSERT_EQUAL(history_open(address, true, &store, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, address));
    text = scratch_read(address + strlen("sqlite:"), &length);
    CU_ASSERT_EQUAL(length, sizeof words);
    CU_ASSERT_STRING_EQUAL(text, words);
    free(text);
    remove_store(address);
}

TEST(a_store_that_is_not_there_is_not_made_by_who_only_reads)
{
    char address[STORE_ADDRESS_MAX];
    struct store *store;
    struct error error;

    make(address);
    CU_ASSERT_EQUAL(history_open(address, false, &store, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "history import"));
    CU_ASSERT_NOT_EQUAL(access(address + strlen("sqlite:"), F_OK), 0);
    CU_ASSERT_EQUAL(history_open("sqlite:", true, &store, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(history_open("sqlite:/nowhere/at/all", true, &store, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(history_open("oracle:x", true, &store, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "postgresql, sqlite"));
    CU_ASSERT_EQUAL(history_open("/tmp/x", true, &store, &error), ERROR_CONFIG);
}

/* No file may grow beyond so many bytes: what a full disk is to SQLite. */
static int import_into_little(const char *address, const char *journal, rlim_t room)
{
    const struct rlimit limit = {room, room};
    struct history_imported imported;
    struct store *store;
    struct error error;
    int status;

    signal(SIGXFSZ, SIG_IGN);
    if (history_open(address, true, &store, &error) || setrlimit(RLIMIT_FSIZE, &limit))
        return 99;
    status =
        history_import(store, journal, &(struct history_import){.id = "large"}, &imported, &error);
    store_close(store);
    return status == ERROR_RIG ? 0 : 98;
}

TEST(a_full_disk_leaves_nothing_of_a_run)
{
    const struct journal_sample sample = {.rounds = 2000, .fail_every = 3};
    struct history_imported imported;
    char address[STORE_ADDRESS_MAX], journal[SCRATCH_PATH_SIZE];
    struct store_rows *rows;
    struct store *store;
    int status;
    pid_t pid;

    make(address);
    scratch_path(journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(journal, &sample, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_open(address, true, &store, NULL), 0);
    pid = fork();
    if (!pid)
        _exit(import_into_little(address, journal, 200000));
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL_FATAL(store_ask(store, "SELECT COUNT(*) FROM device", NULL, 0, &rows, NULL), 0);
    CU_ASSERT_EQUAL(store_next(rows, NULL), 1);
    CU_ASSERT_EQUAL(store_integer(rows, 0), 0);
    store_rows_free(rows);
    CU_ASSERT_EQUAL(
        history_import(store, journal, &(struct history_import){.id = "large"}, &imported, NULL),
        0);
    store_close(store);
    unlink(journal);
    remove_store(address);
}

static int count_run(void *context, const struct history_found *run)
{
    (void)run;
    ++*(int *)context;
    return 0;
}

/* As somebody who may read and no more: 0 when one run is found and none can be imported. */
static int read_only(const char *address, const char *journal)
{
    struct history_imported imported;
    struct error error = {.text = ""};
    struct store *store;
    int runs = 0, status;

    if (!geteuid() && (setgid(65534) || setuid(65534)))
        return 99;
    if (history_open(address, false, &store, &error))
        return 98;
    if (history_find(store, &(struct history_filter){.serial = "SH-0042"}, count_run, &runs, NULL))
        return 97;
    store_close(store);
    if (runs != 1)
        return 96;
    if (history_open(address, true, &store, &error))
        return strstr(error.text, address) ? 0 : 95;
    status =
        history_import(store, journal, &(struct history_import){.id = "other"}, &imported, &error);
    store_close(store);
    return status && strstr(error.text, address) ? 0 : 94;
}

static void look_at_read_only(const char *address, const char *journal)
{
    int status;
    pid_t pid = fork();

    if (!pid)
        _exit(read_only(address, journal));
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(status, 0);
}

/* Also while somebody else has it open and writes. */
TEST(a_store_that_cannot_be_written_can_be_asked)
{
    const struct journal_sample sample = {.rounds = 20};
    struct history_imported imported;
    char folder[SCRATCH_PATH_SIZE], address[SCRATCH_PATH_SIZE + 32], journal[SCRATCH_PATH_SIZE];
    const char *path = address + strlen("sqlite:");
    struct store *store;

    scratch_path(folder);
    scratch_path(journal);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    snprintf(address, sizeof address, "sqlite:%s/a b%%.db", folder);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(journal, &sample, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(history_open(address, true, &store, NULL), 0);
    chmod(path, 0644);
    store_close(store);
    CU_ASSERT_EQUAL_FATAL(history_open(address, true, &store, NULL), 0);
    CU_ASSERT_EQUAL(
        history_import(store, journal, &(struct history_import){.id = "first"}, &imported, NULL),
        0);
    chmod(journal, 0644);
    chmod(path, 0444);
    chmod(folder, 0555);
    look_at_read_only(address, journal);
    store_close(store);
    look_at_read_only(address, journal);
    chmod(folder, 0700);
    unlink(journal);
    scratch_remove(folder);
}
