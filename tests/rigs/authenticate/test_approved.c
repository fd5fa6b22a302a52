/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of approved digests: what they say, and every way in which they are wrong. */
#include "rigs/authenticate/approved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define HEAD   "{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"Jefe\",\"by\":\"the lab\"}\n"
#define DIGEST "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
#define ONE    "{\"component\":\"ui\",\"digest\":\"" DIGEST "\"}\n"

static struct error error;
static struct approved *approved;

static int load(const char *text)
{
    char path[SCRATCH_PATH_SIZE];
    int status;

    scratch_path(path);
    scratch_write(path, text, strlen(text));
    status = approved_load(path, &approved, &error);
    unlink(path);
    return status;
}

static bool is_refused(const char *text, const char *line, const char *why)
{
    bool is_so = load(text) == ERROR_CONFIG && strstr(error.text, line) && strstr(error.text, why);

    if (!is_so)
        printf("%s\n  %s (wanted: %s %s)\n", text, error.text, line, why);
    approved_free(is_so ? NULL : approved);
    return is_so;
}

TEST(a_file_says_who_approved_what)
{
    CU_ASSERT_EQUAL_FATAL(
        load("{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key-hex\":\"4A656665\",\"by\":\"me\","
             "\"date\":\"2026-11-17\",\"device\":\"a shuffler\",\"note\":\"n\"}\n"
             "{\"component\":\"ui\",\"version\":\"2.0\",\"digest\":\"" DIGEST "\"}\n"
             "{\"component\":\"nxp\",\"digest\":\"EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79\"}"),
        0);
    CU_ASSERT_EQUAL(approved->count, 2);
    CU_ASSERT_STRING_EQUAL(approved->by, "me");
    CU_ASSERT_STRING_EQUAL(approved->date, "2026-11-17");
    CU_ASSERT_STRING_EQUAL(approved->device, "a shuffler");
    CU_ASSERT_TRUE(approved->key.is_hex);
    CU_ASSERT_EQUAL(approved->key.size, 4);
    CU_ASSERT_STRING_EQUAL(approved_find(approved, "ui")->version, "2.0");
    CU_ASSERT_STRING_EQUAL(approved_find(approved, "nxp")->digest, DIGEST);
    CU_ASSERT_PTR_NULL(approved_find(approved, "UI"));
    approved_free(approved);
}

TEST(what_is_wrong_is_told_with_its_line)
{
    static const struct {
        const char *text, *line, *why;
    } files[] = {
        {"", "", "no component"},
        {HEAD, "", "no component"},
        {ONE, ":1", "'component'"},
        {HEAD ONE ONE, ":3", "'ui' is there twice"},
        {HEAD "{\"component\":\"ui\",\"digest\":\"" DIGEST "\",\"colour\":\"red\"}\n", ":2",
         "colour"},
        {HEAD "{\"component\":\"ui\",\"digest\":\"effc\"}\n", ":2", "'effc' is not the 40"},
        {HEAD "{\"component\":\"ui\",\"digest\":\"" DIGEST "0\"}\n", ":2", "is not the 40"},
        {HEAD "{\"component\":\"ui\",\"digest\":12}\n", ":2", "digest"},
        {HEAD "{\"component\":\"ui\"}\n", ":2", "digest"},
        {HEAD "{\"component\":\"\",\"digest\":\"" DIGEST "\"}\n", ":2", "'component' has 1 to 128"},
        {HEAD "{\"digest\":\"" DIGEST "\"}\n", ":2", "component"},
        {HEAD "{\"component\":\"ui\",\"component\":\"b\",\"digest\":\"" DIGEST "\"}\n", ":2", ""},
        {HEAD "[]\n", ":2", ""},
        {HEAD "ui " DIGEST "\n", ":2", ""},
        {HEAD "\n", ":2", ""},
        {"{\"approved\":2,\"algorithm\":\"hmac-sha1\",\"key\":\"a\",\"by\":\"me\"}\n" ONE, ":1",
         "approved"},
        {"{\"algorithm\":\"hmac-sha1\",\"key\":\"a\",\"by\":\"me\"}\n" ONE, ":1", "approved"},
        {"{\"approved\":1,\"algorithm\":\"sha1\",\"key\":\"a\",\"by\":\"me\"}\n" ONE, ":1",
         "'sha1' is not known"},
        {"{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"a\"}\n" ONE, ":1", "by"},
        {"{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"by\":\"me\"}\n" ONE, ":1", "either 'key'"},
        {"{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"a\",\"key-hex\":\"0a\",\"by\":"
         "\"me\"}\n" ONE,
         ":1", "either 'key'"},
        {"{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"\",\"by\":\"me\"}\n" ONE, ":1",
         "empty"},
        {"{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key-hex\":\"abc\",\"by\":\"me\"}\n" ONE,
         ":1", "odd"},
        {"{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"a\",\"by\":\"me\",\"x\":1}\n" ONE,
         ":1", "x"},
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        CU_ASSERT(is_refused(files[i].text, files[i].line, files[i].why));
}

TEST(a_file_that_is_none_is_refused)
{
    CU_ASSERT_EQUAL(approved_load("/nowhere/at/all", &approved, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(approved);
    CU_ASSERT_EQUAL(approved_load("/tmp", &approved, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(approved_load("/dev/zero", &approved, &error), ERROR_CONFIG);
}

TEST(no_more_components_are_approved_than_a_device_may_have)
{
    char *text = malloc(200 * 128);

    for (unsigned count = GAT_COMPONENTS_MAX; count <= GAT_COMPONENTS_MAX + 1; count++) {
        size_t used = (size_t)sprintf(text, "%s", HEAD);

        for (unsigned i = 0; i < count; i++)
            used += (size_t)sprintf(text + used,
                                    "{\"component\":\"c%u\",\"digest\":\"" DIGEST "\"}\n", i);
        CU_ASSERT_EQUAL(load(text), count > GAT_COMPONENTS_MAX ? ERROR_CONFIG : 0);
        approved_free(approved);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, ":130"));
    free(text);
}
