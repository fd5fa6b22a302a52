/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that tell more, less or something else than they should: what becomes of each component.
 */
#include "rigs/authenticate/authenticate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/devices/gat_liar.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define A "1111111111111111111111111111111111111111"
#define B "2222222222222222222222222222222222222222"
#define C "3333333333333333333333333333333333333333"

#define KEYED(name)                                                                                \
    "<Function><Feature>Component</Feature><Parameter>" name                                       \
    "</Parameter><Parameter>%%SHA1_HMAC%%</Parameter></Function>"
#define FILE_FUNCTION(more)                                                                        \
    "<Function><Feature>Get File</Feature><Parameter>AuthenticationResponse.xml</Parameter>" more  \
    "</Function>"
#define BLANK        "<Parameter>%%SHA1_HMAC%%</Parameter>"
#define LIST(inside) "<SpecialFunctions>" inside "</SpecialFunctions>"
#define TOLD(inside) "<Components>" inside "</Components>"
#define ONE(name, value)                                                                           \
    "<Component><Name>" name "</Name><Checksum>" value "</Checksum></Component>"

static struct gat_liar liar;
static struct authenticate_result result;
static struct error error;

static int ask(const struct authenticate_plan *plan, const char *const *documents)
{
    struct clock clock;
    struct hal hal;
    struct link *link;
    int status;

    liar.documents = documents;
    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, NULL), 0);
    gat_liar_open(&liar, &hal);
    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, "emu:gat", &error), 0);
    status = authenticate(link, plan, &result, &error);
    link_close(link);
    hal_close(&hal);
    return status;
}

static bool is_told(unsigned pass, const char *name, enum authenticate_outcome outcome)
{
    for (unsigned i = 0; i < result.row_count; i++) {
        const struct authenticate_row *row = &result.rows[i];

        if (row->pass != pass || strcmp(row->name, name) != 0)
            continue;
        if (row->outcome != outcome)
            printf("%s: %s\n", name, authenticate_outcome_name(row->outcome));
        return row->outcome == outcome;
    }
    printf("%s is not told\n", name);
    return false;
}

static struct gat_key key, fresh;
static struct approved approved;
static struct authenticate_plan plan;

/* "a" and "b" are approved, for the key "Jefe". */
static void set_up(void)
{
    CU_ASSERT_EQUAL_FATAL(gat_key_text(&key, "Jefe", &error), 0);
    CU_ASSERT_EQUAL_FATAL(gat_key_text(&fresh, "fresh", &error), 0);
    approved = (struct approved){.by = "me",
                                 .key = key,
                                 .count = 2,
                                 .list = {{.name = "a", .digest = A}, {.name = "b", .digest = B}}};
    plan = (struct authenticate_plan){
        .settings = gat_standard, .approved = &approved, .fresh = &fresh};
}

TEST(all_that_an_answer_about_one_component_holds_is_compared)
{
    static const char list[] = LIST(KEYED("a") KEYED("b"));
    static const char *const honest[] = {list, TOLD(ONE("a", A)), TOLD(ONE("b", B)), NULL};
    static const char *const all[] = {list, TOLD(ONE("a", A) ONE("b", B)),
                                      TOLD(ONE("a", A) ONE("b", B)), NULL};
    static const char *const more[] = {list, TOLD(ONE("a", A) ONE("evil", C)), TOLD(ONE("b", B)),
                                       NULL};
    static const char *const before[] = {list, TOLD(ONE("a", A) ONE("b", C)), TOLD(ONE("b", B)),
                                         NULL};
    static const char *const after[] = {list, TOLD(ONE("a", A)), TOLD(ONE("b", B) ONE("a", C)),
                                        NULL};
    static const char *const other[] = {list, TOLD(ONE("b", B)), TOLD(ONE("b", B) ONE("a", A)),
                                        NULL};

    set_up();
    CU_ASSERT_EQUAL(ask(&plan, honest), 0);
    CU_ASSERT(result.wrong == 0 && result.compared == 2);
    CU_ASSERT_EQUAL(ask(&plan, all), 0);
    CU_ASSERT(result.wrong == 0 && result.compared == 2);
    CU_ASSERT_EQUAL(ask(&plan, more), 0);
    CU_ASSERT(is_told(0, "evil", AUTHENTICATE_UNAPPROVED));
    CU_ASSERT_EQUAL(ask(&plan, before), 0);
    CU_ASSERT(is_told(0, "b", AUTHENTICATE_DIFFERS));
    CU_ASSERT_EQUAL(result.wrong, 1);
    CU_ASSERT_EQUAL(ask(&plan, after), 0);
    CU_ASSERT(is_told(0, "a", AUTHENTICATE_DIFFERS));
    CU_ASSERT_STRING_EQUAL(result.rows[0].digest, C);
    CU_ASSERT_STRING_EQUAL(result.rows[0].expected, A);
    CU_ASSERT_EQUAL(ask(&plan, other), 0);
    CU_ASSERT(is_told(0, "a", AUTHENTICATE_MISSING));
}

TEST(what_was_not_asked_for_and_is_told_is_compared_too)
{
    static const char *const names[] = {"a"};
    static const char list[] = LIST(FILE_FUNCTION(BLANK) KEYED("a") KEYED("b"));
    static const char *const wrong[] = {list, TOLD(ONE("a", A) ONE("b", C)), NULL};
    static const char *const more[] = {list, TOLD(ONE("a", A) ONE("evil", C)), NULL};
    static const char *const honest[] = {list, TOLD(ONE("a", A)), NULL};

    set_up();
    plan.components = names;
    plan.component_count = 1;
    CU_ASSERT_EQUAL(ask(&plan, honest), 0);
    CU_ASSERT(result.wrong == 0 && result.row_count == 1);
    CU_ASSERT_EQUAL(ask(&plan, wrong), 0);
    CU_ASSERT(is_told(0, "b", AUTHENTICATE_DIFFERS));
    CU_ASSERT_EQUAL(ask(&plan, more), 0);
    CU_ASSERT(is_told(0, "evil", AUTHENTICATE_UNAPPROVED));
}

TEST(two_digests_of_one_component_differ_with_nothing_approved)
{
    static const char *const documents[] = {LIST(KEYED("a") KEYED("b")), TOLD(ONE("a", A)),
                                            TOLD(ONE("b", B) ONE("a", C)), NULL};

    set_up();
    plan.approved = NULL;
    CU_ASSERT_EQUAL(ask(&plan, documents), 0);
    CU_ASSERT(is_told(0, "a", AUTHENTICATE_DIFFERS));
    CU_ASSERT(is_told(0, "b", AUTHENTICATE_SHOWN));
    CU_ASSERT(result.wrong == 1 && result.compared == 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(authenticate_row_why(&result.rows[0]), "two digests"));
}

TEST(what_is_approved_is_told_under_a_fresh_key_too_and_nothing_else)
{
    static const char *const documents[] = {LIST(FILE_FUNCTION(BLANK)),
                                            TOLD(ONE("a", A) ONE("b", B)),
                                            TOLD(ONE("a", A) ONE("evil", C)), NULL};
    char path[SCRATCH_PATH_SIZE];
    struct authenticate_image image = {"a", path};

    set_up();
    scratch_path(path);
    scratch_write(path, "image", 5);
    plan.images = &image;
    plan.image_count = 1;
    CU_ASSERT_EQUAL(ask(&plan, documents), 0);
    CU_ASSERT(is_told(0, "a", AUTHENTICATE_MATCHES));
    CU_ASSERT(is_told(0, "b", AUTHENTICATE_MATCHES));
    CU_ASSERT(is_told(1, "a", AUTHENTICATE_DIFFERS));
    CU_ASSERT(is_told(1, "b", AUTHENTICATE_MISSING));
    CU_ASSERT(is_told(1, "evil", AUTHENTICATE_UNAPPROVED));
    CU_ASSERT_EQUAL(result.wrong, 3);
    unlink(path);
}

TEST(a_function_that_takes_a_key_is_preferred)
{
    static const char *const documents[] = {LIST(FILE_FUNCTION("") FILE_FUNCTION(BLANK)),
                                            TOLD(ONE("a", A) ONE("b", B)), NULL};

    set_up();
    CU_ASSERT_EQUAL(ask(&plan, documents), 0);
    CU_ASSERT_STRING_EQUAL(liar.asked, "Get File\tAuthenticationResponse.xml\tJefe");
    CU_ASSERT_FALSE(result.passes[0].is_unkeyed);
    CU_ASSERT_EQUAL(result.wrong, 0);
}

TEST(digests_for_no_key_are_compared_with_none_for_a_key)
{
    static const char *const stored[] = {LIST(FILE_FUNCTION("")), TOLD(ONE("a", A) ONE("b", B)),
                                         NULL};
    static const char *const other[] = {LIST(FILE_FUNCTION("")), TOLD(ONE("a", C) ONE("b", C)),
                                        NULL};

    set_up();
    CU_ASSERT_EQUAL(ask(&plan, stored), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "it replays what it has stored"));
    CU_ASSERT_EQUAL(ask(&plan, other), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "cannot be compared"));
    plan.approved = NULL;
    plan.key = &key;
    CU_ASSERT_EQUAL(ask(&plan, other), ERROR_DEVICE);
    plan.key = NULL;
    CU_ASSERT_EQUAL(ask(&plan, other), 0);
    CU_ASSERT(is_told(0, "a", AUTHENTICATE_SHOWN));
    CU_ASSERT_TRUE(result.passes[0].is_unkeyed);
    CU_ASSERT_STRING_EQUAL(result.passes[0].key.text, "");
}

TEST(an_image_that_cannot_be_read_is_told_before_the_device_is_asked)
{
    static const struct authenticate_image image = {"a", "/nowhere/at/all"};
    static const char *const documents[] = {LIST(FILE_FUNCTION(BLANK)), TOLD(ONE("a", A)), NULL};

    set_up();
    plan.approved = NULL;
    plan.images = &image;
    plan.image_count = 1;
    CU_ASSERT_EQUAL(ask(&plan, documents), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/nowhere/at/all"));
    CU_ASSERT_EQUAL(liar.answered, 0);
    CU_ASSERT_FALSE(result.has_answered);
}

/* One after the other, each with its number in it. */
static char *join(const char *before, const char *each, const char *after)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fputs(before, out);
    for (unsigned i = 0; i < GAT_COMPONENTS_MAX; i++)
        fprintf(out, each, i);
    fputs(after, out);
    fclose(out);
    return text;
}

TEST(a_device_with_as_many_components_as_are_taken_may_list_other_functions_beside_them)
{
    char *list = join("<SpecialFunctions><Function><Feature>Get Special "
                      "Functions</Feature></Function>" FILE_FUNCTION(BLANK),
                      "<Function><Feature>Component</Feature><Parameter>c%u</Parameter>"
                      "<Parameter>%%%%SHA1_HMAC%%%%</Parameter></Function>",
                      "</SpecialFunctions>");
    char *told = join("<Components>", ONE("c%u", A), "</Components>");
    const char *const documents[] = {list, told, NULL};

    set_up();
    plan.approved = NULL;
    CU_ASSERT_EQUAL(ask(&plan, documents), 0);
    CU_ASSERT_EQUAL(result.functions.count, GAT_COMPONENTS_MAX + 2);
    CU_ASSERT_EQUAL(result.row_count, GAT_COMPONENTS_MAX);
    CU_ASSERT(is_told(0, "c127", AUTHENTICATE_SHOWN));
    CU_ASSERT_EQUAL(result.wrong, 0);
    free(list);
    free(told);
}

TEST(what_is_listed_and_cannot_be_asked_for_is_the_fault_of_the_device)
{
    static const char *const documents[] = {LIST(KEYED("\xe2\x82\xac")), NULL};
    char text[GAT_KEY_MAX + 1], name[GAT_NAME_SIZE];
    char list[1024];

    set_up();
    plan.approved = NULL;
    CU_ASSERT_EQUAL(ask(&plan, documents), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the device lists what cannot be asked for"));
    memset(text, 'k', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CU_ASSERT_EQUAL(gat_key_text(&fresh, text, &error), 0);
    /* The key of a person is too long for this name. */
    snprintf(list, sizeof list,
             LIST("<Function><Feature>Component</Feature><Parameter>%s</Parameter><Parameter>%s"
                  "</Parameter></Function>"),
             name, "%%SHA1_HMAC%%");
    CU_ASSERT_EQUAL(ask(&plan, (const char *const[]){list, NULL}), ERROR_CONFIG);
}
