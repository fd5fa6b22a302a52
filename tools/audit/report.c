/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Audits as tables for people. */
#include "tools/audit/report.h"
#include "hal/base/plural.h"

#define PERCENT_DECIMALS 6

static void print_percent(struct ratio ratio, int width)
{
    char text[RATIO_TEXT_SIZE];

    ratio = ratio_reduce(ratio);
    ratio_format(ratio_reduce(ratio_make(ratio.numerator * 100, ratio.denominator)),
                 PERCENT_DECIMALS, text);
    printf("%*s %%", width, text);
}

static void print_decimals(struct ratio ratio, unsigned decimals, int width)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, decimals, text);
    printf("%*s", width, text);
}

static void print_summary(const struct audit_sheet *sheets, size_t count)
{
    printf("  %-18s %-8s %12s %13s %14s %15s %14s\n", "wager", "table", "house edge", "EV",
           "average wager", "element of risk", "hit frequency");
    for (size_t i = 0; i < count; i++) {
        const struct audit_entry *entry = sheets[i].entry;

        printf("  %-18s %-8s ", entry->wager, entry->table->name);
        print_percent(ratio_negate(entry->ev), 10);
        putchar(' ');
        print_decimals(entry->ev, 8, 13);
        putchar(' ');
        print_decimals(entry->average_wager, 8, 14);
        putchar(' ');
        print_percent(audit_element_of_risk(entry), 13);
        putchar(' ');
        print_percent(entry->hit_frequency, 12);
        putchar('\n');
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

        audit_sheet_pay(entry, line->pay, pay, sizeof pay);
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

static void print_part(const char *name, struct ratio part)
{
    if (!part.numerator)
        return;
    printf("      %-31s ", name);
    print_percent(part, 12);
    putchar('\n');
}

static void print_spread(const struct audit_sheet *sheet)
{
    const struct audit_entry *entry = sheet->entry;
    const struct audit_law *law = &entry->law;

    fputs("    standard deviation ", stdout);
    print_decimals(audit_standard_deviation(entry), 4, 0);
    fputs(", volatility index ", stdout);
    print_decimals(audit_volatility_index(entry), 4, 0);
    puts("\n    the EV is made of");
    print_part("base", entry->parts.base);
    print_part("static pays", entry->parts.pays);
    print_part("meters at reseed", entry->parts.meters);
    print_part("contributions", entry->parts.contributions);
    puts("    net result of a round");
    for (unsigned i = 0; i < law->count; i++) {
        fputs("      ", stdout);
        print_decimals(audit_sheet_stakes(sheet, law->outcome[i].net), law->per > 1 ? 2 : 0, 10);
        printf("%22s", "");
        print_percent(ratio_make(law->outcome[i].deals, law_deals(law)), 12);
        putchar('\n');
    }
}

static void print_bands(const struct audit_sheet *sheet)
{
    unsigned decimals = sheet->entry->law.per > 1 ? 2 : 0;

    printf("    net result of %llu round%s%s\n", (unsigned long long)sheet->terms->rounds,
           plural(sheet->terms->rounds), sheet->net.is_exact ? "" : ", by the normal law");
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        printf("      %u %% lie from ", band_levels[i]);
        print_decimals(audit_sheet_stakes(sheet, sheet->net.low[i]), decimals, 0);
        fputs(" to ", stdout);
        print_decimals(audit_sheet_stakes(sheet, sheet->net.high[i]), decimals, 0);
        putchar('\n');
    }
}

static void print_meters(const struct audit_sheet *sheet)
{
    if (!sheet->meter_count)
        return;
    fputs("    house edge at reseed, contributions not counted ", stdout);
    print_percent(audit_edge_at_reseed(sheet->entry), 0);
    printf("\n    %-10s %14s %16s %14s %18s %16s\n", "meter", "reseed", "break-even",
           "off per $1,000", "rounds between", "hours between");
    for (size_t i = 0; i < sheet->meter_count; i++) {
        const struct audit_meter *meter = &sheet->meters[i];
        char reseed[AUDIT_DOLLARS_SIZE], even[AUDIT_DOLLARS_SIZE];

        audit_sheet_dollars(meter->rule->reseed, reseed);
        audit_sheet_dollars(meter->break_even, even);
        printf("    %-10s %14s %16s ", meter->rule->name, reseed, even);
        print_percent(ratio_make(1000 * meter->takes.numerator, meter->takes.denominator), 12);
        print_decimals(meter->expected, 1, 19);
        print_decimals(audit_sheet_hours(sheet, meter), 1, 17);
        putchar('\n');
    }
    printf("    hours are those of one wager in %u hands an hour\n", sheet->terms->hands_per_hour);
}

static void print_plays(const struct audit_sheet *sheet)
{
    const struct audit_entry *entry = sheet->entry;

    if (!entry->rules)
        return;
    puts("    rules");
    for (unsigned i = 0; entry->rules[i]; i++)
        printf("      %s\n", entry->rules[i]);
    puts("    what a play costs, in antes");
    for (unsigned i = 0; i < entry->play_count; i++) {
        printf("      ");
        print_decimals(audit_sheet_cost(sheet, i), 8, 0);
        printf("  %s\n", entry->plays[i].name);
    }
}

static void print_against(const struct audit_sheet *sheet)
{
    const struct audit_entry *entry = sheet->entry, *other = sheet->against;
    struct ratio left;

    if (!other)
        return;
    left = ratio_subtract(entry->ev, other->ev);
    printf("    against table %s of the sheet, the EV changes by ", other->table->name);
    print_percent(left, 0);
    putchar('\n');
    for (unsigned i = 0; i < entry->line_count; i++) {
        struct ratio change = audit_sheet_change(sheet, i);
        char now[48], then[48];

        left = ratio_subtract(left, change);
        audit_sheet_pay(other, other->lines[i].pay, then, sizeof then);
        audit_sheet_pay(entry, entry->lines[i].pay, now, sizeof now);
        if (!change.numerator)
            continue;
        printf("      %-31s ", entry->lines[i].name);
        print_percent(change, 12);
        printf("  %s, not %s\n", now, then);
    }
    print_part("other play", left);
}

static void print_warnings(const struct audit_sheet *sheet)
{
    for (size_t i = 0; i < sheet->warning_count; i++)
        printf("    warning: %s\n", sheet->warnings[i]);
}

void audit_report_text(const struct audit_sheet *sheets, size_t count)
{
    for (size_t start = 0, end; start < count; start = end) {
        const struct audit_entry *first = sheets[start].entry;

        for (end = start; end < count && sheets[end].entry->game == first->game; end++)
            ;
        printf("%s%s", start ? "\n" : "", first->game->title);
        if (first->game->ace_low_open)
            printf(" (ace-low=%s)", first->ace_low ? "true" : "false");
        puts("");
        print_summary(&sheets[start], end - start);
        for (size_t i = start; i < end; i++) {
            print_lines(sheets[i].entry);
            print_spread(&sheets[i]);
            print_bands(&sheets[i]);
            print_meters(&sheets[i]);
            print_plays(&sheets[i]);
            print_against(&sheets[i]);
            print_warnings(&sheets[i]);
        }
    }
}
