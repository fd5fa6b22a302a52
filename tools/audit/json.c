/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Audits as one JSON object. */
#include "tools/audit/report.h"
#include "tools/json_print.h"

/* Names of tables may come from a user's file. */
static void print_string(const char *text)
{
    json_print_text(&(struct json_print){.out = stdout}, NULL, text);
}

/* `before` is what parts it from the value before. */
static void print_figure(const char *before, const char *name, struct ratio ratio)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, RATIO_DECIMALS_MAX, text);
    printf("%s\"%s\":%s", before, name, text);
}

static void print_pay(const struct audit_entry *entry, struct pay pay)
{
    switch (pay.kind) {
    case PAY_METER:
        print_string(entry->game->meters[pay.amount].name);
        break;
    case PAY_CASH:
        printf(pay.amount % 100 ? "%d.%02d" : "%d", (int)pay.amount / 100, (int)pay.amount % 100);
        break;
    default:
        printf("%d", (int)pay.amount);
    }
}

static void print_lines(const struct audit_entry *entry)
{
    fputs(",\"lines\":[", stdout);
    for (unsigned i = 0; i < entry->line_count; i++) {
        const struct audit_line *line = &entry->lines[i];

        fputs(i ? ",{\"line\":" : "{\"line\":", stdout);
        print_string(line->name);
        printf(",\"combinations\":%lld,\"of\":%lld,\"pays\":", (long long)line->combinations,
               (long long)line->of);
        print_pay(entry, line->pay);
        putchar('}');
    }
    putchar(']');
}

static void print_spread(const struct audit_sheet *sheet)
{
    const struct audit_law *law = &sheet->entry->law;
    char deals[RATIO_TEXT_SIZE];

    print_figure(",", "standard-deviation", audit_standard_deviation(sheet->entry));
    print_figure(",", "volatility-index", audit_volatility_index(sheet->entry));
    fputs(",\"distribution\":[", stdout);
    for (unsigned i = 0; i < law->count; i++) {
        print_figure(i ? ",{" : "{", "net", audit_sheet_stakes(sheet, law->outcome[i].net));
        ratio_format(ratio_make(law->outcome[i].deals, 1), 0, deals);
        printf(",\"deals\":%s", deals);
        print_figure(",", "share", ratio_reduce(ratio_make(law->outcome[i].deals, law_deals(law))));
        putchar('}');
    }
    putchar(']');
}

static void print_bands(const struct audit_sheet *sheet)
{
    printf(",\"bands\":{\"rounds\":%llu,\"exact\":%s", (unsigned long long)sheet->terms->rounds,
           sheet->net.is_exact ? "true" : "false");
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        printf(",\"%u\":", band_levels[i]);
        print_figure("{", "low", audit_sheet_stakes(sheet, sheet->net.low[i]));
        print_figure(",", "high", audit_sheet_stakes(sheet, sheet->net.high[i]));
        putchar('}');
    }
    putchar('}');
}

static void print_parts(const struct audit_parts *parts)
{
    fputs(",\"return\":", stdout);
    print_figure("{", "base", parts->base);
    print_figure(",", "static-pays", parts->pays);
    print_figure(",", "meters", parts->meters);
    print_figure(",", "contributions", parts->contributions);
    putchar('}');
}

static void print_meter(const struct audit_sheet *sheet, const struct audit_meter *meter)
{
    char break_even[MICROS_TEXT_SIZE], reseed[MICROS_TEXT_SIZE], put_in[MICROS_TEXT_SIZE];

    micros_format(meter->rule->reseed, reseed);
    micros_format(meter->break_even, break_even);
    micros_format(meter->contributed, put_in);
    fputs("{\"meter\":", stdout);
    print_string(meter->rule->name);
    printf(",\"reseed\":\"%s\",\"rate\":%d.%02d", reseed, (int)meter->rule->rate / 100,
           (int)meter->rule->rate % 100);
    print_figure(",", "chance", meter->chance);
    print_figure(",", "edge-per-dollar", meter->takes);
    printf(",\"break-even\":\"%s\",\"contributed-between-hits\":\"%s\"", break_even, put_in);
    print_figure(",", "rounds-between-hits", meter->expected);
    print_figure(",", "hours-between-hits", audit_sheet_hours(sheet, meter));
    putchar('}');
}

static void print_meters(const struct audit_sheet *sheet)
{
    if (!sheet->meter_count)
        return;
    print_figure(",", "edge-at-reseed", audit_edge_at_reseed(sheet->entry));
    printf(",\"hands-per-hour\":%u,\"meters\":[", sheet->terms->hands_per_hour);
    for (size_t i = 0; i < sheet->meter_count; i++) {
        fputs(i ? "," : "", stdout);
        print_meter(sheet, &sheet->meters[i]);
    }
    putchar(']');
}

static void print_plays(const struct audit_sheet *sheet)
{
    const struct audit_entry *entry = sheet->entry;

    if (!entry->rules)
        return;
    fputs(",\"play-rules\":[", stdout);
    for (unsigned i = 0; entry->rules[i]; i++) {
        fputs(i ? "," : "", stdout);
        print_string(entry->rules[i]);
    }
    fputs("],\"plays\":[", stdout);
    for (unsigned i = 0; i < entry->play_count; i++) {
        fputs(i ? ",{\"play\":" : "{\"play\":", stdout);
        print_string(entry->plays[i].name);
        print_figure(",", "ev", entry->plays[i].ev);
        print_figure(",", "cost", audit_sheet_cost(sheet, i));
        putchar('}');
    }
    putchar(']');
}

static void print_against(const struct audit_sheet *sheet)
{
    const struct audit_entry *entry = sheet->entry;

    if (!sheet->against)
        return;
    fputs(",\"against\":{\"table\":", stdout);
    print_string(sheet->against->table->name);
    print_figure(",", "ev", sheet->against->ev);
    print_figure(",", "change", ratio_subtract(entry->ev, sheet->against->ev));
    fputs(",\"lines\":[", stdout);
    for (unsigned i = 0; i < entry->line_count; i++) {
        fputs(i ? ",{\"line\":" : "{\"line\":", stdout);
        print_string(entry->lines[i].name);
        fputs(",\"paid\":", stdout);
        print_pay(sheet->against, sheet->against->lines[i].pay);
        fputs(",\"pays\":", stdout);
        print_pay(entry, entry->lines[i].pay);
        print_figure(",", "change", audit_sheet_change(sheet, i));
        putchar('}');
    }
    fputs("]}", stdout);
}

static void print_warnings(const struct audit_sheet *sheet)
{
    fputs(",\"warnings\":[", stdout);
    for (size_t i = 0; i < sheet->warning_count; i++) {
        fputs(i ? "," : "", stdout);
        print_string(sheet->warnings[i]);
    }
    putchar(']');
}

static void print_entry(const struct audit_entry *entry)
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
    print_figure("},", "ev", entry->ev);
    print_figure(",", "house-edge", ratio_negate(entry->ev));
    print_figure(",", "average-wager", entry->average_wager);
    print_figure(",", "element-of-risk", audit_element_of_risk(entry));
    print_figure(",", "hit-frequency", entry->hit_frequency);
    print_lines(entry);
    fputs(",\"strategy\":{", stdout);
    for (unsigned i = 0; i < entry->strategy_count; i++)
        print_figure(i ? "," : "", entry->strategy[i].name, entry->strategy[i].share);
    putchar('}');
}

void audit_report_json(const struct audit_sheet *sheets, size_t count)
{
    fputs("{\"audits\":[", stdout);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", stdout);
        print_entry(sheets[i].entry);
        print_spread(&sheets[i]);
        print_parts(&sheets[i].entry->parts);
        print_bands(&sheets[i]);
        print_meters(&sheets[i]);
        print_plays(&sheets[i]);
        print_against(&sheets[i]);
        print_warnings(&sheets[i]);
        putchar('}');
    }
    puts("]}");
}
