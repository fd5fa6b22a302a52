/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents of devices that answer GAT: what is read of them, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gat/document.h"
#include "tests/support/suite.h"

#define DIGEST "EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79"

static struct error error;
static struct gat_functions functions;
static struct gat_components components;

static int read_functions(const char *text)
{
    return gat_read_functions(text, strlen(text), &functions, &error);
}

static int read_components(const char *text)
{
    return gat_read_components(text, strlen(text), &components, &error);
}

static bool is_refused(int status, const char *why)
{
    bool is_so = status == ERROR_DEVICE && strstr(error.text, why);

    if (!is_so)
        printf("status %d: %s (wanted: %s)\n", status, error.text, why);
    return is_so;
}

TEST(the_list_is_read_as_the_page_has_it)
{
    CU_ASSERT_EQUAL_FATAL(
        read_functions("<?xml version='1.0'?><GAT><SpecialFunctions>\n"
                       " <Function><Feature> Get File </Feature>\n"
                       "  <Parameter>AuthenticationResponse.xml</Parameter>\n"
                       "  <Parameter>%%SHA1_HMAC%%</Parameter></Function>\n"
                       " <Function><Feature>Get Special Functions</Feature></Function>\n"
                       "</SpecialFunctions><SpecialFunctions><Function/></SpecialFunctions></GAT>"),
        0);
    CU_ASSERT_EQUAL(functions.count, 2);
    CU_ASSERT_STRING_EQUAL(functions.list[0].feature, "Get File");
    CU_ASSERT_EQUAL(functions.list[0].count, 2);
    CU_ASSERT_STRING_EQUAL(functions.list[0].parameters[0], "AuthenticationResponse.xml");
    CU_ASSERT_TRUE(gat_is_blank(functions.list[0].parameters[1]));
    CU_ASSERT_FALSE(gat_is_blank(functions.list[0].parameters[0]));
    CU_ASSERT_FALSE(gat_is_blank("%%"));
    CU_ASSERT_FALSE(gat_is_blank("%%%"));
    CU_ASSERT_EQUAL(functions.list[1].count, 0);
}

TEST(digests_are_read_as_the_page_has_them)
{
    CU_ASSERT_EQUAL_FATAL(
        read_components("<?xml version='1.0'?>\n<Components GatExec='default'>\n<Game>\n"
                        "<Name>DeckMate2</Name> <Manufacturer>A &amp; B</Manufacturer>\n"
                        "<Component> <Name>UI &#x32;</Name> <Checksum>\n" DIGEST
                        "\n</Checksum> <Size>12</Size></Component>\n"
                        "</Game><g:Component xmlns:g='urn:x'><Checksum>" DIGEST
                        "</Checksum><Name>NXP</Name></g:Component></Components>"),
        0);
    CU_ASSERT_STRING_EQUAL(components.game, "DeckMate2");
    CU_ASSERT_STRING_EQUAL(components.manufacturer, "A & B");
    CU_ASSERT_EQUAL(components.count, 2);
    CU_ASSERT_STRING_EQUAL(components.list[0].name, "UI 2");
    CU_ASSERT_STRING_EQUAL(components.list[0].digest, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    CU_ASSERT_PTR_EQUAL(gat_find_component(&components, "NXP"), &components.list[1]);
    CU_ASSERT_PTR_NULL(gat_find_component(&components, "nxp"));
}

TEST(a_mark_of_the_byte_order_and_other_encodings_that_xml_has_are_read)
{
    static const char latin[] =
        "<?xml version='1.0' encoding='ISO-8859-1'?><Components><Component>"
        "<Name>\xe9</Name><Checksum>" DIGEST "</Checksum></Component></Components>";
    uint8_t wide[2 * 160 + 2] = {0xff, 0xfe};
    static const char plain[] =
        "<Components><Component><Name>a</Name><Checksum>" DIGEST "</Checksum></Component>"
        "</Components>";

    CU_ASSERT_EQUAL(read_components("\xef\xbb\xbf<Components/>"), 0);
    CU_ASSERT_EQUAL(read_components(latin), 0);
    CU_ASSERT_STRING_EQUAL(components.list[0].name, "\xc3\xa9");
    for (size_t i = 0; i < strlen(plain); i++)
        wide[2 + 2 * i] = (uint8_t)plain[i];
    CU_ASSERT_EQUAL(gat_read_components(wide, 2 + 2 * strlen(plain), &components, &error), 0);
    CU_ASSERT_STRING_EQUAL(components.list[0].name, "a");
}

TEST(entities_and_whatever_could_define_them_are_refused)
{
    CU_ASSERT(is_refused(read_components("<!DOCTYPE Components><Components/>"), "document type"));
    CU_ASSERT(is_refused(read_components("<!DOCTYPE Components [<!ENTITY a 'b'>]>"
                                         "<Components>&a;</Components>"),
                         "document type"));
    CU_ASSERT(is_refused(read_components("<!DOCTYPE Components SYSTEM 'file:///etc/passwd'>"
                                         "<Components/>"),
                         "document type"));
    CU_ASSERT(is_refused(read_components("<!DOCTYPE C [<!ENTITY % p SYSTEM 'http://x/'> %p;]><C/>"),
                         "document type"));
    CU_ASSERT(is_refused(read_components("<Components>&a;</Components>"), "no XML"));
    CU_ASSERT(is_refused(read_functions("<!DOCTYPE SpecialFunctions><SpecialFunctions/>"),
                         "document type"));
}

static int read_deep(unsigned depth)
{
    char text[64 * 16 + 32] = "<Components>";

    for (unsigned i = 1; i < depth; i++)
        strcat(text, "<a>");
    for (unsigned i = 1; i < depth; i++)
        strcat(text, "</a>");
    strcat(text, "</Components>");
    return read_components(text);
}

TEST(depth_and_size_are_bounded)
{
    char *large = malloc(GAT_DOCUMENT_MAX + 64);
    size_t size;

    CU_ASSERT_EQUAL(read_deep(GAT_DEPTH_MAX), 0);
    CU_ASSERT(is_refused(read_deep(GAT_DEPTH_MAX + 1), "inside each other"));
    size = (size_t)sprintf(large, "<Components/>");
    memset(large + size, ' ', GAT_DOCUMENT_MAX + 1 - size);
    CU_ASSERT_EQUAL(gat_read_components(large, GAT_DOCUMENT_MAX, &components, &error), 0);
    CU_ASSERT(is_refused(gat_read_components(large, GAT_DOCUMENT_MAX + 1, &components, &error),
                         "more than 262144 bytes"));
    free(large);
}

TEST(names_are_bounded_and_have_no_control_characters)
{
    char text[512], name[GAT_NAME_SIZE + 1];

    memset(name, 'n', GAT_NAME_SIZE);
    name[GAT_NAME_SIZE] = '\0';
    for (unsigned over = 0; over < 2; over++) {
        snprintf(text, sizeof text,
                 "<Components><Component><Name>%s</Name><Checksum>" DIGEST
                 "</Checksum></Component></Components>",
                 name + 1 - over);
        CU_ASSERT_EQUAL(read_components(text), over ? ERROR_DEVICE : 0);
    }
    CU_ASSERT(is_refused(read_components("<Components><Component><Name>a&#9;b</Name>"
                                         "</Component></Components>"),
                         "control character"));
    CU_ASSERT(is_refused(read_components("<Components><Component><Name>a&#x9b;31m</Name>"
                                         "</Component></Components>"),
                         "control character"));
    CU_ASSERT(is_refused(read_components("<Components><Component><Name>a&#27;</Name>"
                                         "</Component></Components>"),
                         "no XML"));
}

static int read_many(const char *one, unsigned count, int (*reader)(const char *text),
                     const char *root)
{
    size_t size = count * (strlen(one) + 16) + 64, used;
    char *text = malloc(size);
    int status;

    used = (size_t)snprintf(text, size, "<%s>", root);
    for (unsigned i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, one, i);
    snprintf(text + used, size - used, "</%s>", root);
    status = reader(text);
    free(text);
    return status;
}

TEST(counts_are_bounded)
{
    static const char one[] =
        "<Component><Name>c%u</Name><Checksum>" DIGEST "</Checksum></Component>";
    static const char function[] = "<Function><Feature>f%u</Feature></Function>";

    CU_ASSERT_EQUAL(read_many(one, GAT_COMPONENTS_MAX, read_components, "Components"), 0);
    CU_ASSERT(is_refused(read_many(one, GAT_COMPONENTS_MAX + 1, read_components, "Components"),
                         "more than 128 components"));
    CU_ASSERT_EQUAL(read_many(function, GAT_FUNCTIONS_MAX, read_functions, "SpecialFunctions"), 0);
    CU_ASSERT(
        is_refused(read_many(function, GAT_FUNCTIONS_MAX + 1, read_functions, "SpecialFunctions"),
                   "more than 160 functions"));
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions><Function><Feature>f</Feature>"
                                        "<Parameter/><Parameter/><Parameter/><Parameter/>"
                                        "<Parameter/><Parameter/><Parameter/><Parameter/>"
                                        "<Parameter/></Function></SpecialFunctions>"),
                         "more than 8 parameters"));
}

TEST(a_component_is_whole_and_there_once)
{
    static const struct {
        const char *inside, *why;
    } documents[] = {
        {"<Component><Checksum>" DIGEST "</Checksum></Component>", "without a Name"},
        {"<Component><Name/><Checksum>" DIGEST "</Checksum></Component>", "Name is empty"},
        {"<Component><Name>a</Name></Component>", "'a' has no Checksum"},
        {"<Component><Name>a</Name><Checksum/></Component>", "not 40 hexadecimal digits"},
        {"<Component><Name>a</Name><Checksum>EFFC</Checksum></Component>", "'EFFC' is not 40"},
        {"<Component><Name>a</Name><Name>b</Name></Component>", "second Name"},
        {"<Component><Checksum>" DIGEST "</Checksum><Checksum>" DIGEST "</Checksum></Component>",
         "second Checksum"},
        {"<Component><Name>a</Name><Checksum>" DIGEST "</Checksum></Component>"
         "<Component><Name>a</Name><Checksum>" DIGEST "</Checksum></Component>",
         "'a' is there twice"},
        {"<Component><Component/></Component>", "inside of another"},
        {"<Component><x><Component/></x></Component>", "inside of another"},
        {"<Component><Name>a<b/></Name></Component>", "instead of text"},
    };
    char text[512];

    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        snprintf(text, sizeof text, "<Components>%s</Components>", documents[i].inside);
        CU_ASSERT(is_refused(read_components(text), documents[i].why));
    }
}

#define WHOLE(name) "<Component><Name>" name "</Name><Checksum>" DIGEST "</Checksum></Component>"

TEST(no_component_stands_outside_of_the_components)
{
    static const char whole[] = "<Components>" WHOLE("a") "</Components>";
    char text[1024];

    snprintf(text, sizeof text, "<R>%s<Components>%s</Components></R>", whole, WHOLE("b"));
    CU_ASSERT(is_refused(read_components(text), "a second Components"));
    snprintf(text, sizeof text, "<R>%s<Components/></R>", whole);
    CU_ASSERT(is_refused(read_components(text), "a second Components"));
    snprintf(text, sizeof text, "<R>%s%s</R>", WHOLE("b"), whole);
    CU_ASSERT(is_refused(read_components(text), "not below Components"));
    snprintf(text, sizeof text, "<R>%s<x>%s</x></R>", whole, WHOLE("b"));
    CU_ASSERT(is_refused(read_components(text), "not below Components"));
    snprintf(text, sizeof text, "<R><x/>%s<x/></R>", whole);
    CU_ASSERT_EQUAL(read_components(text), 0);
    CU_ASSERT_EQUAL(components.count, 1);
}

TEST(the_name_of_a_component_is_read_as_it_is_told)
{
    CU_ASSERT_EQUAL(
        read_components("<Components>" WHOLE("a") WHOLE(" a") WHOLE("a ") "</Components>"), 0);
    CU_ASSERT_EQUAL(components.count, 3);
    CU_ASSERT_STRING_EQUAL(components.list[1].name, " a");
    CU_ASSERT_STRING_EQUAL(components.list[2].name, "a ");
    CU_ASSERT(is_refused(read_components("<Components>" WHOLE("a&#9;") "</Components>"),
                         "control character"));
    CU_ASSERT(is_refused(read_components("<Components>" WHOLE("\n a") "</Components>"),
                         "control character"));
}

TEST(a_function_has_one_feature)
{
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions><Function/></SpecialFunctions>"),
                         "without a Feature"));
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions><Function><Feature>a</Feature>"
                                        "<Feature>b</Feature></Function></SpecialFunctions>"),
                         "second Feature"));
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions><x><Function/></x></SpecialFunctions>"),
                         "right below"));
    CU_ASSERT_EQUAL(read_functions("<SpecialFunctions><Feature>a</Feature></SpecialFunctions>"), 0);
    CU_ASSERT_EQUAL(functions.count, 0);
}

TEST(a_document_that_is_another_one_is_refused)
{
    CU_ASSERT(is_refused(read_components("<SpecialFunctions/>"), "has no Components"));
    CU_ASSERT(is_refused(read_functions("<Components/>"), "has no SpecialFunctions"));
    CU_ASSERT(is_refused(read_functions(""), "no XML"));
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions>"), "no XML"));
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions/>\x01"), "no XML"));
    CU_ASSERT(is_refused(read_functions("<SpecialFunctions>\xff</SpecialFunctions>"), "no XML"));
}
