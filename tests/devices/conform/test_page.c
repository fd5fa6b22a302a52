/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of devices/PROTOCOL.md, PROTOCOL-2.md and the clauses of the suite: one for each. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/conform/records.h"
#include "devices/wire/layout.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PAGE   "devices/PROTOCOL.md"
#define PAGE_2 "devices/PROTOCOL-2.md"

REGISTRY(conform_chapters);
REGISTRY(conform_kinds);

#define IDS_MAX 600

static unsigned times_on_page(const char *id)
{
    static char ids[IDS_MAX][16];
    static size_t count;
    unsigned times = 0;

    while (count < IDS_MAX && conform_page_id(count, ids[count], sizeof ids[0]))
        count++;
    for (size_t i = 0; i < count; i++)
        times += !strcmp(ids[i], id);
    return times;
}

static unsigned rows_of(const char *id)
{
    const struct conform_chapter *chapter;
    unsigned rows = 0;

    for (size_t i = 0; (chapter = registry_at(&conform_chapters, i)); i++)
        for (size_t j = 0; j < chapter->count; j++)
            rows += !strcmp(chapter->clauses[j].id, id);
    return rows;
}

TEST(every_number_of_the_page_is_there_once_and_has_one_clause)
{
    char id[16], text[1600];
    size_t count = 0;

    for (; conform_page_id(count, id, sizeof id); count++) {
        if (times_on_page(id) != 1 || rows_of(id) != 1)
            printf("%s: %u times on the page, %u clauses\n", id, times_on_page(id), rows_of(id));
        CU_ASSERT_EQUAL(times_on_page(id), 1);
        CU_ASSERT_EQUAL(rows_of(id), 1);
        CU_ASSERT_TRUE(conform_page_text(id, text, sizeof text));
        CU_ASSERT(strlen(text) > 3);
        CU_ASSERT_PTR_NULL(strchr(text, '\n'));
    }
    CU_ASSERT(count > 430);
    CU_ASSERT_FALSE(conform_page_text("SH999", text, sizeof text));
}

TEST(every_clause_is_of_a_number_and_says_why_it_is_not_tried)
{
    const struct conform_chapter *chapter;

    for (size_t i = 0; (chapter = registry_at(&conform_chapters, i)); i++)
        for (size_t j = 0; j < chapter->count; j++) {
            const struct conform_clause *clause = &chapter->clauses[j];

            if (times_on_page(clause->id) != 1)
                printf("%s is not on the page\n", clause->id);
            CU_ASSERT_EQUAL(times_on_page(clause->id), 1);
            CU_ASSERT(clause->step || clause->unseen);
        }
}

TEST(numbers_of_a_chapter_count_up_from_one)
{
    char id[16], chapter[16] = "";
    unsigned next = 1;

    for (size_t i = 0; conform_page_id(i, id, sizeof id); i++) {
        size_t letters = strcspn(id, "0123456789");

        if (strncmp(chapter, id, letters) != 0 || chapter[letters]) {
            snprintf(chapter, sizeof chapter, "%.*s", (int)letters, id);
            next = 1;
        }
        CU_ASSERT_EQUAL(strtoul(id + letters, NULL, 10), next);
        next++;
    }
}

/* Headings below which stand examples and what a run makes of the rest. */
static bool is_apart(const char *heading)
{
    static const char *const headings[] = {"The open wire protocol, version 1",
                                           "The open wire protocol, version 2",
                                           "What a run holds against a device",
                                           "A refusal, an event and its acknowledgement",
                                           "A round in hex",
                                           "An example",
                                           "A round on a unit in hex",
                                           "Examples",
                                           "What version 1 leaves open",
                                           "What version 2 leaves open"};

    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (!strcmp(heading, headings[i]))
            return true;
    return false;
}

/* Paragraphs that only lead to what is numbered. */
static bool is_lead(const char *line)
{
    static const char *const leads[] = {
        "All numbers are one byte unless", "Each entry's code is the type",
        "Which request is possible when;", "Bet sensors are lines, and so",
        "Debouncing in the kernel comes",  "The number is in the flags, and",
        "With the challenge 10 11"};

    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
        if (!strncmp(line, leads[i], strlen(leads[i])))
            return true;
    return false;
}

static bool has_number(const char *text, const char *end)
{
    for (; text < end; text++)
        if (*text == '[' && isupper((unsigned char)text[1])) {
            const char *at = text + 1;

            while (isupper((unsigned char)*at))
                at++;
            if (isdigit((unsigned char)*at))
                return true;
        }
    return false;
}

/* The end of a row of a table, or of a paragraph; headings are by themselves. */
static char *block_end(char *at)
{
    char *end = at;

    do
        end = strchr(end, '\n') ? strchr(end, '\n') + 1 : end + strlen(end);
    while (*at != '|' && *at != '#' && *end && *end != '\n' && *end != '|' && *end != '#');
    return end;
}

static unsigned hold_numbered(const char *path)
{
    size_t length;
    char *page = scratch_read(path, &length), heading[128] = "";
    unsigned blocks = 0;

    for (char *at = page, *end; *at; at = end) {
        bool is_head, is_frame;

        end = block_end(at);
        if (*at == '#')
            snprintf(heading, sizeof heading, "%.*s", (int)(end - at - 1) - (int)strspn(at, "# "),
                     at + strspn(at, "# "));
        if (*at == '#' || *at == '\n' || is_apart(heading) || is_lead(at))
            continue;
        /* The head of a table, its line, and frames in hex. */
        is_head = *at == '|' && (!strncmp(at, "|---", 4) || !strncmp(end, "|---", 4));
        is_frame = *at == '|' && !strncmp(end - 4, "` |", 3);
        if (is_head || is_frame)
            continue;
        blocks++;
        if (!has_number(at, end))
            printf("without a number, under '%s': %.60s\n", heading, at);
        CU_ASSERT_TRUE(has_number(at, end));
    }
    free(page);
    return blocks;
}

TEST(nothing_on_the_pages_that_binds_somebody_is_without_a_number)
{
    CU_ASSERT(hold_numbered(PAGE) > 200);
    CU_ASSERT(hold_numbered(PAGE_2) > 30);
}

/* Decodes a frame that stands in hex between two ticks; 0 where none does. */
static size_t read_frame(const char *at, struct frame *frame)
{
    struct frame_decoder decoder = {.used = 0};
    uint8_t bytes[FRAME_ENCODED_MAX];
    size_t count = 0, taken;
    int used;

    for (unsigned byte; count < sizeof bytes && sscanf(at, "%2x%n", &byte, &used) == 1 && used == 2;
         at += 2 + (at[2] == ' '))
        bytes[count++] = (uint8_t)byte;
    return *at == '`' && count > 7 && bytes[count - 1] == 0 &&
                   frame_decode(&decoder, bytes, count, &taken, frame) == FRAME_READY
               ? count
               : 0;
}

TEST(the_page_has_a_frame_of_every_message_of_every_class)
{
    size_t length;
    char *page = scratch_read(PAGE, &length);
    bool seen[FRAME_TERMINAL + 1][256] = {{false}};
    const struct layout_class *class;
    struct frame frame;

    for (char *at = page; (at = strchr(at, '`')); at++)
        if (read_frame(at + 1, &frame) && frame.class <= FRAME_TERMINAL)
            seen[frame.class][frame.type] = true;
    for (size_t i = 0; (class = layout_class_at(i)); i++)
        for (const struct layout_message *message = class->messages; message->type; message++) {
            if (!seen[class->class][message->type])
                printf("no frame of %s %s\n", class->name, message->name);
            CU_ASSERT_TRUE(seen[class->class][message->type]);
        }
    free(page);
}

TEST(every_class_of_the_protocol_has_its_suite)
{
    const struct conform_kind *kind;
    unsigned classes = 0;

    for (size_t i = 0; (kind = registry_at(&conform_kinds, i)); i++) {
        CU_ASSERT_STRING_EQUAL(conform_class_name(kind->class), kind->name);
        CU_ASSERT_EQUAL(conform_class(kind->name), kind->class);
        classes |= 1u << kind->class;
    }
    CU_ASSERT_EQUAL(classes, 0x1e);
    CU_ASSERT_EQUAL(conform_class("roulette"), 0);
    CU_ASSERT_PTR_NULL(conform_class_name(9));
}
