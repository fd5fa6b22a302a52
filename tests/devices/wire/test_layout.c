/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of messages, from which the decoder and the dissector are made. */
#include "devices/wire/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/listen/listener.h"
#include "tests/support/lua_tables.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* What tools/dealproof.lua calls other things, in its filters. */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {"version", "channel", "direction", "protocol", "address",
                                        "bytes",   "lines",   "note",      "message",  "answers",
                                        "after",   "again",   "frame",     "error.crc"};

    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (!strcmp(name, taken[i]))
            return true;
    return false;
}

TEST(every_field_of_a_name_has_one_kind_of_value)
{
    static struct {
        const char *name;
        bool is_number;
    } seen[256];
    const struct layout_class *class;
    size_t count = 0;

    for (size_t i = 0; (class = layout_class_at(i)); i++)
        for (const struct layout_message *message = class->messages; message->type; message++) {
            const struct layout_field *tables[] = {message->fields, message->reply};

            CU_ASSERT(strlen(message->name) < MESSAGE_NAME_SIZE);
            for (size_t j = 0; j < 2; j++)
                for (const struct layout_field *field = tables[j]; field && field->name; field++) {
                    bool is_number = field->kind == LAYOUT_NUMBER || field->kind == LAYOUT_INDEX;
                    size_t at = 0;

                    CU_ASSERT(!is_taken(field->name));
                    if (field->kind == LAYOUT_GROUPS)
                        continue;
                    while (at < count && strcmp(seen[at].name, field->name) != 0)
                        at++;
                    if (at == count) {
                        CU_ASSERT_FATAL(count < sizeof seen / sizeof seen[0]);
                        seen[count].name = field->name;
                        seen[count++].is_number = is_number;
                    }
                    CU_ASSERT_EQUAL(seen[at].is_number, is_number);
                }
        }
    CU_ASSERT(count > 30);
}

TEST(the_dissector_has_the_messages_of_this_program)
{
    size_t length, size;
    char *script = scratch_read("tools/dealproof.lua", &length), *tables = NULL, *from, *to;
    FILE *out = open_memstream(&tables, &size);

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    lua_tables_write(out);
    fclose(out);
    from = strstr(script, "-- Made from the tables of devices/");
    to = strstr(script, "-- End of what is made.");
    CU_ASSERT_FATAL(from && to);
    from = strchr(from, '\n') + 1;
    CU_ASSERT_EQUAL((size_t)(to - from), size);
    if ((size_t)(to - from) != size || memcmp(from, tables, size) != 0)
        CU_FAIL("run `make dissector`");
    free(tables);
    free(script);
}
