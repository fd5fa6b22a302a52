/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "tests/support/station.h"
#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FILES_MAX    40
#define PATH_SIZE    64

/* The files of the page as they are found, one named by the other. */
struct found {
    char paths[FILES_MAX][PATH_SIZE];
    size_t count;
};

static void add(struct found *found, const char *folder, const char *name, size_t length)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s%.*s", folder, (int)length, name);
    for (size_t i = 0; i < found->count; i++)
        if (!strcmp(found->paths[i], path))
            return;
    CU_ASSERT_FATAL(found->count < FILES_MAX);
    memcpy(found->paths[found->count++], path, sizeof path);
}

/* What stands between `before` and the next `after` is a file in that folder. */
static void add_named(struct found *found, const char *folder, const char *text, const char *before,
                      char after)
{
    for (const char *at = text; (at = strstr(at, before));) {
        at += strlen(before);
        add(found, folder, at, (size_t)(strchr(at, after) - at));
    }
}

static void look_into(struct found *found, const char *path, const char *text)
{
    char folder[PATH_SIZE];

    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') + 1 - path), path);
    if (!strcmp(path, "/")) {
        add_named(found, folder, text, " href=\"", '"');
        add_named(found, folder, text, " src=\"", '"');
    }
    if (strstr(path, ".js"))
        add_named(found, folder, text, " from './", '\'');
}

static const char *type_of(const char *path)
{
    return strstr(path, ".css")  ? "Content-Type: text/css; charset=utf-8\r\n"
           : strstr(path, ".js") ? "Content-Type: text/javascript; charset=utf-8\r\n"
                                 : "Content-Type: text/html; charset=utf-8\r\n";
}

TEST(every_file_that_the_page_names_is_served_under_a_policy_that_allows_these_alone)
{
    struct found found = {.count = 0};
    struct http_client client;
    struct station station;

    station_set_up(&station);
    add(&found, "/", "", 0);
    for (size_t i = 0; i < found.count; i++) {
        station_ask_for(&station, &client, found.paths[i], "");
        CU_ASSERT_EQUAL(http_client_status(&client), 200);
        CU_ASSERT_PTR_NOT_NULL(strstr(client.text, type_of(found.paths[i])));
        CU_ASSERT_PTR_NOT_NULL(strstr(client.text,
                                      "Content-Security-Policy: default-src 'none'; script-src "
                                      "'self'; style-src 'self'; connect-src 'self'; "
                                      "base-uri"));
        CU_ASSERT_PTR_NULL(strstr(client.text, "unsafe"));
        CU_ASSERT_PTR_NULL(strstr(client.text, "Set-Cookie"));
        CU_ASSERT_PTR_NULL(strstr(client.text, "Access-Control"));
        CU_ASSERT(strlen(http_client_body(&client)) > 0);
        look_into(&found, found.paths[i], http_client_body(&client));
        http_client_close(&client);
    }
    CU_ASSERT(found.count > 10);
    station_tear_down(&station);
}

/* In a style attribute, a string that is parsed, or a script in the page. */
TEST(nothing_of_the_page_needs_what_its_policy_forbids)
{
    static const char *const forbidden[] = {
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
        "Function(", " style=\"", " onclick=",          "<style",         "javascript:"};
    struct found found = {.count = 0};
    struct http_client client;
    struct station station;

    station_set_up(&station);
    add(&found, "/", "", 0);
    for (size_t i = 0; i < found.count; i++) {
        station_ask_for(&station, &client, found.paths[i], "");
        for (size_t f = 0; f < COUNT(forbidden); f++)
            if (strstr(http_client_body(&client), forbidden[f]) &&
                !(strstr(found.paths[i], "shuffles.js") && !strcmp(forbidden[f], "<style")))
                CU_FAIL("the page has what its policy forbids");
        look_into(&found, found.paths[i], http_client_body(&client));
        http_client_close(&client);
    }
    station_tear_down(&station);
}

TEST(what_is_no_file_of_the_page_is_not_there)
{
    static const char *const paths[] = {"/page/",          "/page/none.js",  "/page/../status",
                                        "/page/page.html", "/page/text.js/", "/page"};
    struct station station;

    station_set_up(&station);
    for (size_t i = 0; i < COUNT(paths); i++)
        CU_ASSERT_EQUAL(station_status_of(&station, paths[i], ""), 404);
    station_tear_down(&station);
}
