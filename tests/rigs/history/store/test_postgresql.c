/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A history in a server of PostgreSQL, held to the contract of histories; and servers that are away
 * or take no such password. One server serves all tests, each in a schema of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/store/schema.h"
#include "tests/support/history/contract.h"
#include "tests/support/history/postgresql.h"

/* Started by the first test that needs it. */
static bool is_there(void)
{
    static enum { UNKNOWN, THERE, MISSING } state;

    if (state == UNKNOWN) {
        state = postgresql_start() ? THERE : MISSING;
        atexit(postgresql_stop);
        if (state == MISSING)
            fputs("PostgreSQL is not installed: nothing of it is tested\n", stderr);
    }
    return state == THERE;
}

static void ask(const char *sql)
{
    char address[POSTGRESQL_ADDRESS_SIZE];
    struct store *store;

    postgresql_address("public", address);
    CU_ASSERT_EQUAL_FATAL(store_open(address, false, &store, NULL), 0);
    CU_ASSERT_EQUAL(store_do(store, sql, NULL, 0, NULL), 0);
    store_close(store);
}

static bool make(char address[STORE_ADDRESS_MAX])
{
    static unsigned made;
    char own[POSTGRESQL_ADDRESS_SIZE], sql[64], name[16];

    if (!is_there())
        return false;
    snprintf(name, sizeof name, "test_%u", ++made);
    snprintf(sql, sizeof sql, "CREATE SCHEMA %s", name);
    ask(sql);
    postgresql_address(name, own);
    snprintf(address, STORE_ADDRESS_MAX, "%s", own);
    return true;
}

static void remove_store(const char *address)
{
    char sql[64];

    snprintf(sql, sizeof sql, "DROP SCHEMA %s CASCADE", strstr(address, "%3D") + 3);
    ask(sql);
}

const struct history_contract history_contract = {.make = make, .remove = remove_store};
HISTORY_CONTRACT_TESTS

static void refuse(const char *address, enum error_code code, const char *words)
{
    struct store *store;
    struct error error;

    CU_ASSERT_EQUAL(history_open(address, true, &store, &error), code);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
    CU_ASSERT_PTR_NULL(strstr(error.text, "sesame"));
    CU_ASSERT_PTR_NULL(strstr(error.text, "swordfish"));
}

TEST(a_wrong_password_is_told_and_no_password_is_shown)
{
    char address[STORE_ADDRESS_MAX];

    if (!is_there())
        return;
    snprintf(address, sizeof address, "postgresql://lab:swordfish@/postgres?host=%s",
             postgresql_folder());
    refuse(address, ERROR_CONFIG, "takes no such user and password");
    snprintf(address, sizeof address, "postgresql://lab@/postgres?host=%s&password=swordfish",
             postgresql_folder());
    refuse(address, ERROR_CONFIG, "takes no such user and password");
    snprintf(address, sizeof address, "postgresql://lab@/postgres?host=%s", postgresql_folder());
    refuse(address, ERROR_CONFIG, "~/.pgpass");
}

TEST(a_server_that_is_away_is_told)
{
    refuse("postgresql://lab:open%20sesame@/postgres?host=/nowhere/at/all", ERROR_RIG,
           "cannot be reached");
}

TEST(an_address_that_cannot_be_read_is_not_shown)
{
    refuse("postgresql://lab:swordfish@host:port:port/x?y", ERROR_CONFIG, "cannot be read");
    refuse("postgresql:swordfish", ERROR_CONFIG, "cannot be read");
    refuse("postgresql://lab:sword%fish@host/swordfish?x=swordfish", ERROR_CONFIG,
           "cannot be read");
}
