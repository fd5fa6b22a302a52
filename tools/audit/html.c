/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Audits as a page. */
#include "hal/base/plural.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"
#include "tools/audit/report.h"

static void put_percent(FILE *out, struct ratio ratio)
{
    char text[RATIO_TEXT_SIZE];

    ratio = ratio_reduce(ratio);
    ratio_format(ratio_reduce(ratio_make(ratio.numerator * 100, ratio.denominator)), 6, text);
    fprintf(out, "<td class=\"n\">%s %%</td>", text);
}

static void put_figure(FILE *out, struct ratio ratio, unsigned decimals)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, decimals, text);
    fprintf(out, "<td class=\"n\">%s</td>", text);
}

static void put_cell(FILE *out, const char *element, const char *text)
{
    fprintf(out, "<%s>", element);
    markup_text(out, text);
    fprintf(out, "</%s>", element);
}

/* The beginning of a table: its columns, up to a NULL. */
static void open_table(FILE *out, const char *const *columns)
{
    fputs("<div class=\"scroll\"><table><thead><tr>", out);
    for (; *columns; columns++)
        put_cell(out, "th", *columns);
    fputs("</tr></thead><tbody>\n", out);
}

static void close_table(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

static void write_summary(const struct audit_sheet *sheets, size_t count, FILE *out)
{
    open_table(out, (const char *const[]){"wager", "table", "house edge", "EV",
                                          "standard deviation", "volatility index", "average wager",
                                          "element of risk", "hit frequency", NULL});
    for (size_t i = 0; i < count; i++) {
        const struct audit_entry *entry = sheets[i].entry;

        fputs("<tr>", out);
        put_cell(out, "th", entry->wager);
        put_cell(out, "td", entry->table->name);
        put_percent(out, ratio_negate(entry->ev));
        put_figure(out, entry->ev, 8);
        put_figure(out, audit_standard_deviation(entry), 4);
        put_figure(out, audit_volatility_index(entry), 4);
        put_figure(out, entry->average_wager, 8);
        put_percent(out, audit_element_of_risk(entry));
        put_percent(out, entry->hit_frequency);
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void write_lines(const struct audit_entry *entry, FILE *out)
{
    open_table(out, (const char *const[]){"line", "pays", "combinations", "of", "chance", NULL});
    for (unsigned i = 0; i < entry->line_count; i++) {
        const struct audit_line *line = &entry->lines[i];
        char pay[48];

        audit_sheet_pay(entry, line->pay, pay, sizeof pay);
        fputs("<tr>", out);
        put_cell(out, "th", line->name);
        put_cell(out, "td", pay);
        fprintf(out, "<td class=\"n\">%lld</td><td class=\"n\">%lld</td>",
                (long long)line->combinations, (long long)line->of);
        put_percent(out, ratio_make(line->combinations, line->of));
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void write_part(FILE *out, const char *name, struct ratio part)
{
    fputs("<tr>", out);
    put_cell(out, "th", name);
    put_percent(out, part);
    fputs("</tr>\n", out);
}

static void write_parts(const struct audit_entry *entry, FILE *out)
{
    fputs("<p>What the EV is made of, and how often optimal play ends with each decision:</p>\n",
          out);
    open_table(out, (const char *const[]){"part", "share", NULL});
    write_part(out, "base", entry->parts.base);
    write_part(out, "static pays", entry->parts.pays);
    write_part(out, "meters at reseed", entry->parts.meters);
    write_part(out, "contributions", entry->parts.contributions);
    for (unsigned i = 0; i < entry->strategy_count; i++)
        write_part(out, entry->strategy[i].name, entry->strategy[i].share);
    close_table(out);
}

static void write_law(const struct audit_sheet *sheet, FILE *out)
{
    const struct audit_law *law = &sheet->entry->law;
    unsigned decimals = law->per > 1 ? 2 : 0;

    fprintf(out, "<p>Net result of a round, and between what it lies in %llu round%s%s:</p>\n",
            (unsigned long long)sheet->terms->rounds, plural(sheet->terms->rounds),
            sheet->net.is_exact ? "" : " (by the normal law)");
    open_table(out, (const char *const[]){"net", "share", NULL});
    for (unsigned i = 0; i < law->count; i++) {
        fputs("<tr>", out);
        put_figure(out, audit_sheet_stakes(sheet, law->outcome[i].net), decimals);
        put_percent(out, ratio_make(law->outcome[i].deals, law_deals(law)));
        fputs("</tr>\n", out);
    }
    close_table(out);
    open_table(out, (const char *const[]){"of such runs", "from", "to", NULL});
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        fprintf(out, "<tr><th>%u %%</th>", band_levels[i]);
        put_figure(out, audit_sheet_stakes(sheet, sheet->net.low[i]), decimals);
        put_figure(out, audit_sheet_stakes(sheet, sheet->net.high[i]), decimals);
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void write_meter(const struct audit_sheet *sheet, const struct audit_meter *meter, FILE *out)
{
    char reseed[AUDIT_DOLLARS_SIZE], even[AUDIT_DOLLARS_SIZE], put_in[AUDIT_DOLLARS_SIZE];

    audit_sheet_dollars(meter->rule->reseed, reseed);
    audit_sheet_dollars(meter->break_even, even);
    audit_sheet_dollars(meter->contributed, put_in);
    fputs("<tr>", out);
    put_cell(out, "th", meter->rule->name);
    fprintf(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td>", reseed, even);
    put_percent(out, ratio_make(1000 * meter->takes.numerator, meter->takes.denominator));
    for (int times = 2; times <= 10; times += 4)
        put_percent(out, audit_edge_at(sheet->entry, meter, times * meter->rule->reseed));
    fprintf(out, "<td class=\"n\">%s</td>", put_in);
    put_figure(out, meter->expected, 1);
    put_figure(out, audit_sheet_hours(sheet, meter), 1);
    fputs("</tr>\n", out);
}

static void write_meters(const struct audit_sheet *sheet, FILE *out)
{
    if (!sheet->meter_count)
        return;
    fprintf(out,
            "<p>House edge with every meter at its reseed value, contributions not counted, and "
            "how it falls with each of them; hours are those of one wager in %u hands an "
            "hour:</p>\n<table class=\"facts\"><tbody><tr><th>house edge at reseed</th>",
            sheet->terms->hands_per_hour);
    put_percent(out, audit_edge_at_reseed(sheet->entry));
    fputs("</tr></tbody></table>\n", out);
    open_table(out, (const char *const[]){"meter", "reseed", "break-even", "off per $1,000",
                                          "edge at 2 reseeds", "at 6", "at 10",
                                          "contributed between hits", "rounds between hits",
                                          "hours between hits", NULL});
    for (size_t i = 0; i < sheet->meter_count; i++)
        write_meter(sheet, &sheet->meters[i], out);
    close_table(out);
}

static void write_plays(const struct audit_sheet *sheet, FILE *out)
{
    const struct audit_entry *entry = sheet->entry;

    if (!entry->rules)
        return;
    fputs("<p>Rules to play by:</p><ol>\n", out);
    for (unsigned i = 0; entry->rules[i]; i++)
        put_cell(out, "li", entry->rules[i]);
    fputs("</ol>\n", out);
    open_table(out, (const char *const[]){"play", "EV", "costs, in antes", NULL});
    for (unsigned i = 0; i < entry->play_count; i++) {
        fputs("<tr>", out);
        put_cell(out, "th", entry->plays[i].name);
        put_figure(out, entry->plays[i].ev, 8);
        put_figure(out, audit_sheet_cost(sheet, i), 8);
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void write_against(const struct audit_sheet *sheet, FILE *out)
{
    const struct audit_entry *entry = sheet->entry, *other = sheet->against;

    if (!other)
        return;
    fputs("<p>Against table ", out);
    markup_text(out, other->table->name);
    fputs(" of the sheet, what each line changes of the EV:</p>\n", out);
    open_table(out, (const char *const[]){"line", "of the sheet", "here", "change", NULL});
    for (unsigned i = 0; i < entry->line_count; i++) {
        char now[48], then[48];

        audit_sheet_pay(other, other->lines[i].pay, then, sizeof then);
        audit_sheet_pay(entry, entry->lines[i].pay, now, sizeof now);
        fputs("<tr>", out);
        put_cell(out, "th", entry->lines[i].name);
        put_cell(out, "td", then);
        put_cell(out, "td", now);
        put_percent(out, audit_sheet_change(sheet, i));
        fputs("</tr>\n", out);
    }
    fputs("<tr><th>all, other play included</th><td></td><td></td>", out);
    put_percent(out, ratio_subtract(entry->ev, other->ev));
    fputs("</tr>\n", out);
    close_table(out);
}

static void write_sheet(const struct audit_sheet *sheet, FILE *out)
{
    fputs("<section><h3>", out);
    markup_text(out, sheet->entry->wager);
    fputs(", table ", out);
    markup_text(out, sheet->entry->table->name);
    fputs("</h3>\n", out);
    for (size_t i = 0; i < sheet->warning_count; i++) {
        fputs("<p class=\"alarm\">", out);
        markup_text(out, sheet->warnings[i]);
        fputs("</p>\n", out);
    }
    write_lines(sheet->entry, out);
    write_parts(sheet->entry, out);
    write_law(sheet, out);
    write_meters(sheet, out);
    write_plays(sheet, out);
    write_against(sheet, out);
    fputs("</section>\n", out);
}

void audit_report_html(const struct audit_sheet *sheets, size_t count, FILE *out)
{
    html_head(out, "audit", "");
    fputs("<h1>Exact figures of every wager and table</h1>\n<p class=\"soft\">Every deal was "
          "counted; nothing is simulated. Figures of main games are per ante, others per "
          "stake.</p>\n",
          out);
    for (size_t start = 0, end; start < count; start = end) {
        const struct audit_entry *first = sheets[start].entry;

        for (end = start; end < count && sheets[end].entry->game == first->game; end++)
            ;
        put_cell(out, "h2", first->game->title);
        if (first->game->ace_low_open)
            fprintf(out, "<p>ace-low=%s</p>\n", first->ace_low ? "true" : "false");
        write_summary(&sheets[start], end - start, out);
        for (size_t i = start; i < end; i++)
            write_sheet(&sheets[i], out);
    }
    fputs("</body></html>\n", out);
}
