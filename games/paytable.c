/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/paytable.h"

#include <string.h>

#include "games/meter.h"

bool pay_better(struct pay a, struct pay b)
{
    if (a.kind != b.kind)
        return a.kind > b.kind;
    return a.kind == PAY_METER ? a.amount < b.amount : a.amount > b.amount;
}

int paytable_line(const struct paytable *table, lines_t lines)
{
    int best = -1;

    for (; lines; lines &= (lines_t)(lines - 1)) {
        int line = __builtin_ctz(lines);

        if (best < 0 || pay_better(table->pays[line], table->pays[best]))
            best = line;
    }
    return best;
}

static int check_lines(const char *wager, const struct line *lines, size_t count,
                       struct error *error)
{
    if (count > LINES_MAX)
        return error_set(error, ERROR_CONFIG, "%s: %zu lines, at most %d are possible", wager,
                         count, LINES_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!lines[i].name || !*lines[i].name)
            return error_set(error, ERROR_CONFIG, "%s: line %zu has no name", wager, i + 1);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(lines[i].name, lines[j].name))
                return error_set(error, ERROR_CONFIG, "%s: two lines are named '%s'", wager,
                                 lines[i].name);
    }
    return 0;
}

static int check_names(const char *wager, const struct paytable *tables, size_t count,
                       struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!*tables[i].name || !memchr(tables[i].name, '\0', TABLE_NAME_MAX))
            return error_set(error, ERROR_CONFIG,
                             "%s: table %zu needs a name of 1 to %d characters", wager, i + 1,
                             TABLE_NAME_MAX - 1);
        for (size_t j = 0; j < i; j++)
            if (!strcmp(tables[i].name, tables[j].name))
                return error_set(error, ERROR_CONFIG, "%s: two tables are named '%s'", wager,
                                 tables[i].name);
    }
    return 0;
}

static const char *pay_fault(struct pay pay, bool progressive)
{
    switch (pay.kind) {
    case PAY_NONE:
        return "has no pay";
    case PAY_ODDS:
        if (progressive)
            return "pays odds, but a progressive wager pays cash or a meter";
        return pay.amount < 0 ? "pays less than a push" : NULL;
    case PAY_CASH:
        if (!progressive)
            return "pays cash, but only a progressive wager does";
        return pay.amount <= 0 ? "pays no cash" : NULL;
    case PAY_METER:
        if (!progressive)
            return "pays a meter, but only a progressive wager does";
        return pay.amount < 0 || pay.amount >= METERS_MAX ? "pays a meter that cannot exist" : NULL;
    }
    return "has a pay of no known kind";
}

static int check_pays(const char *wager, const struct line *lines, size_t count,
                      const struct paytable *table, bool progressive, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct pay pay = table->pays[i];
        const char *fault = pay_fault(pay, progressive);

        if (fault)
            return error_set(error, ERROR_CONFIG, "%s, table '%s': '%s' %s (%d)", wager,
                             table->name, lines[i].name, fault, pay.amount);
        for (size_t j = 0; j < i; j++) {
            if (pay.kind == PAY_METER && table->pays[j].kind == PAY_METER &&
                table->pays[j].amount == pay.amount)
                return error_set(error, ERROR_CONFIG,
                                 "%s, table '%s': '%s' and '%s' pay the same meter", wager,
                                 table->name, lines[j].name, lines[i].name);
            if (lines[j].family == lines[i].family && pay_better(pay, table->pays[j]))
                return error_set(error, ERROR_CONFIG,
                                 "%s, table '%s': '%s' pays more than the better hand '%s'", wager,
                                 table->name, lines[i].name, lines[j].name);
        }
    }
    for (size_t i = count; i < LINES_MAX; i++)
        if (table->pays[i].kind != PAY_NONE)
            return error_set(error, ERROR_CONFIG, "%s, table '%s': more pays than the %zu lines",
                             wager, table->name, count);
    return 0;
}

int paytables_check(const char *wager, const struct line *lines, size_t line_count,
                    const struct paytable *tables, size_t table_count, bool progressive,
                    struct error *error)
{
    int status = check_lines(wager, lines, line_count, error);

    if (!status)
        status = check_names(wager, tables, table_count, error);
    for (size_t i = 0; !status && i < table_count; i++)
        status = check_pays(wager, lines, line_count, &tables[i], progressive, error);
    return status;
}
