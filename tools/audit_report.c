/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/audit_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/json_print.h"

#define PERCENT_DECIMALS 6

/* Names of tables may come from a user's file. */
static void print_string(const char *text)
{
    json_print_text(&(struct json_print){.out = stdout}, NULL, text);
}

static void print_figure(const char *name, struct ratio ratio)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, RATIO_DECIMALS_MAX, text);
    printf("\"%s\":%s", name, text);
}

static const char *meter_name(const struct audit_entry *entry, struct pay pay)
{
    return entry->game->meters[pay.amount].name;
}

static void format_dollars(int32_t cents, char *text, size_t size)
{
    if (cents % 100)
        snprintf(text, size, "%d.%02d", (int)cents / 100, (int)cents % 100);
    else
        snprintf(text, size, "%d", (int)cents / 100);
}

static void print_json_pay(const struct audit_entry *entry, struct pay pay)
{
    char text[32];

    switch (pay.kind) {
    case PAY_METER:
        print_string(meter_name(entry, pay));
        break;
    case PAY_CASH:
        format_dollars(pay.amount, text, sizeof text);
        fputs(text, stdout);
        break;
    default:
        printf("%d", (int)pay.amount);
    }
}

static void print_json_lines(const struct audit_entry *entry)
{
    fputs(",\"lines\":[", stdout);
    for (unsigned i = 0; i < entry->line_count; i++) {
        const struct audit_line *line = &entry->lines[i];

        fputs(i ? ",{\"line\":" : "{\"line\":", stdout);
        print_string(line->name);
        printf(",\"combinations\":%lld,\"of\":%lld,\"pays\":", (long long)line->combinations,
               (long long)line->of);
        print_json_pay(entry, line->pay);
        putchar('}');
    }
    putchar(']');
}

static void print_json_entry(const struct audit_entry *entry)
{
    fputs("{\"game\":", stdout);
    print_string(entry->game->name);
    fputs(",\"wager\":", stdout);
    print_string(entry->wager);
    fputs(",\"table\":", stdout);
    print_string(entry->table->name);
    fputs(",\"rules\":{", stdout);
    if (entry->game->ace_low_open)
        printf("\"ace-low\":%s", entry->ace_low ? "true" : "false");
    fputs("},", stdout);
    print_figure("ev", entry->ev);
    putchar(',');
    print_figure("house-edge", ratio_negate(entry->ev));
    putchar(',');
    print_figure("average-wager", entry->average_wager);
    putchar(',');
    print_figure("element-of-risk", audit_element_of_risk(entry));
    putchar(',');
    print_figure("hit-frequency", entry->hit_frequency);
    print_json_lines(entry);
    fputs(",\"strategy\":{", stdout);
    for (unsigned i = 0; i < entry->strategy_count; i++) {
        if (i)
            putchar(',');
        print_figure(entry->strategy[i].name, entry->strategy[i].share);
    }
    fputs("}}", stdout);
}

void audit_report_json(const struct audit_entry *entries, size_t count)
{
    fputs("{\"audits\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        if (i)
            putchar(',');
        print_json_entry(&entries[i]);
    }
    puts("]}");
}

static void print_percent(struct ratio ratio, int width)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio_reduce(ratio_make(ratio.numerator * 100, ratio.denominator)),
                 PERCENT_DECIMALS, text);
    printf("%*s %%", width, text);
}

static void print_summary(const struct audit_entry *entries, size_t count)
{
    printf("  %-18s %-8s %12s %13s %14s %15s %14s\n", "wager", "table", "house edge", "EV",
           "average wager", "element of risk", "hit frequency");
    for (size_t i = 0; i < count; i++) {
        const struct audit_entry *entry = &entries[i];
        char ev[RATIO_TEXT_SIZE], wager[RATIO_TEXT_SIZE];

        ratio_format(entry->ev, 8, ev);
        ratio_format(entry->average_wager, 8, wager);
        printf("  %-18s %-8s ", entry->wager, entry->table->name);
        print_percent(ratio_negate(entry->ev), 10);
        printf(" %13s %14s ", ev, wager);
        print_percent(audit_element_of_risk(entry), 13);
        putchar(' ');
        print_percent(entry->hit_frequency, 12);
        putchar('\n');
    }
}

static void format_pay(const struct audit_entry *entry, struct pay pay, char *text, size_t size)
{
    if (pay.kind == PAY_METER) {
        snprintf(text, size, "meter %s", meter_name(entry, pay));
    } else if (pay.kind == PAY_CASH) {
        text[0] = '$';
        format_dollars(pay.amount, text + 1, size - 1);
    } else if (pay.amount) {
        snprintf(text, size, "%d to 1", (int)pay.amount);
    } else {
        snprintf(text, size, "push");
    }
}

static void print_lines(const struct audit_entry *entry)
{
    char title[64];

    snprintf(title, sizeof title, "%s, table %s", entry->wager, entry->table->name);
    printf("\n  %-35s %14s %16s of %lld\n", title, "pays", "combinations",
           (long long)entry->lines[0].of);
    for (unsigned i = 0; i < entry->line_count; i++) {
        const struct audit_line *line = &entry->lines[i];
        char pay[48];

        format_pay(entry, line->pay, pay, sizeof pay);
        printf("    %-33s %14s %16lld\n", line->name, pay, (long long)line->combinations);
    }
    if (entry->strategy_count)
        puts("    optimal play");
    for (unsigned i = 0; i < entry->strategy_count; i++) {
        printf("      %-31s ", entry->strategy[i].name);
        print_percent(entry->strategy[i].share, 12);
        putchar('\n');
    }
}

void audit_report_text(const struct audit_entry *entries, size_t count)
{
    for (size_t start = 0, end; start < count; start = end) {
        const struct audit_entry *first = &entries[start];

        for (end = start; end < count && entries[end].game == first->game; end++)
            ;
        printf("%s%s", start ? "\n" : "", first->game->title);
        if (first->game->ace_low_open)
            printf(" (ace-low=%s)", first->ace_low ? "true" : "false");
        puts("");
        print_summary(first, end - start);
        for (size_t i = start; i < end; i++)
            print_lines(&entries[i]);
    }
}
