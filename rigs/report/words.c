/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a failed check has compared, in words: cards as "5h Jh As 7d", and nothing as JSON. */
#include "rigs/page/markup.h"
#include "rigs/report/report.h"

static void put(FILE *out, const struct json_value *value, report_writer *write);

/* Cards and other words lie side by side; what has parts of its own is told apart. */
static void put_list(FILE *out, const struct json_value *list, report_writer *write)
{
    const char *separator = "";

    JSON_EACH (entry, list) {
        fputs(separator, out);
        put(out, entry, write);
        separator = entry->kind >= JSON_KIND_ARRAY ? "; " : " ";
    }
}

static void put_fields(FILE *out, const struct json_value *fields, report_writer *write)
{
    const char *separator = "";

    JSON_EACH (value, fields) {
        fputs(separator, out);
        write(out, value->key);
        putc(' ', out);
        put(out, value, write);
        separator = ", ";
    }
}

static void put(FILE *out, const struct json_value *value, report_writer *write)
{
    if (json_is(value, JSON_KIND_STRING))
        write(out, json_chars(value));
    else if (json_is(value, JSON_KIND_NULL))
        fputs("nothing", out);
    else if (value && value->kind >= JSON_KIND_ARRAY && !json_count(value))
        fputs("none", out);
    else if (json_is(value, JSON_KIND_ARRAY))
        put_list(out, value, write);
    else if (json_is(value, JSON_KIND_OBJECT))
        put_fields(out, value, write);
    else
        plain_json(out, value); /* a number, true or false: nothing in it is markup */
}

void report_compared(FILE *out, const struct json_value *failure, const struct json_value *value,
                     report_writer *write)
{
    char money[REPORT_MONEY_SIZE];

    if (*report_money(failure, value, money))
        fputs(money, out);
    else
        put(out, value, write);
}

void report_witness(FILE *out, const struct json_value *failure, const struct json_value *value,
                    report_writer *write)
{
    if (!value || json_is(value, JSON_KIND_NULL))
        fputs("silent", out);
    else
        report_compared(out, failure, value, write);
}
