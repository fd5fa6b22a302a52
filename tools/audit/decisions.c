/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/audit/decisions.h"

#include "hal/base/save.h"

struct table {
    const struct audit_part *total;
    const struct audit_entry *entries;
    size_t count;
};

struct rows {
    const struct audit_entry *entry;
    FILE *out;
};

static void put_cards(FILE *out, hand_t hand)
{
    const char *between = "";

    for (; hand; hand &= hand - 1) {
        char text[2];

        card_format((card_t)__builtin_ctzll(hand), text);
        fprintf(out, "%s%.2s", between, text);
        between = " ";
    }
}

/* Ranks from the highest down, as in K-9-2: no suit is meant. */
static void put_flush(FILE *out, unsigned ranks)
{
    const char *between = "";

    for (unsigned rank = RANK_COUNT; rank-- > 0;) {
        char text[2];

        if (!(ranks >> rank & 1))
            continue;
        card_format(card_make(rank, 0), text);
        fprintf(out, "%s%c", between, text[0]);
        between = "-";
    }
}

/* Names of tables may come from a user's file. */
static void put_name(FILE *out, const char *name)
{
    putc('"', out);
    for (; *name; name++) {
        if (*name == '"')
            putc('"', out);
        putc(*name, out);
    }
    putc('"', out);
}

/* What the choices are worth; a flush stands for hands that are worth different things. */
static void put_values(FILE *out, const struct audit_row *row)
{
    char bet[RATIO_TEXT_SIZE] = "", not_bet[RATIO_TEXT_SIZE] = "";

    if (!row->flush) {
        ratio_format(ratio_reduce(row->bet), RATIO_DECIMALS_MAX, bet);
        ratio_format(ratio_reduce(row->not_bet), RATIO_DECIMALS_MAX, not_bet);
    }
    fprintf(out, "%s,%s", bet, not_bet);
}

static void put_row(void *context, const struct audit_row *row)
{
    const struct rows *rows = context;
    const struct stage *stage = &rows->entry->game->stages[row->stage];

    put_name(rows->out, rows->entry->table->name);
    fprintf(rows->out, ",%u,", row->stage + 1);
    if (row->flush)
        put_flush(rows->out, row->flush);
    else
        put_cards(rows->out, row->hand);
    putc(',', rows->out);
    put_cards(rows->out, row->board);
    fprintf(rows->out, ",%lld,", (long long)row->deals);
    put_values(rows->out, row);
    fprintf(rows->out, ",%s\n", decision_names[stage->choices[row->bets].decision]);
}

static void write_table(const void *what, FILE *out)
{
    const struct table *table = what;

    fputs("table,decision,cards,board,deals,ev-bet,ev-not-bet,best\n", out);
    for (unsigned i = 0; i < table->count && table->entries[i].strategy_count; i++)
        audit_decisions(table->total, i, put_row, &(struct rows){&table->entries[i], out});
}

int audit_decisions_write(const struct audit_part *total, const struct audit_entry *entries,
                          size_t count, const char *path, bool replace, struct error *error)
{
    const struct table table = {total, entries, count};

    return replace ? save_whole(path, write_table, &table, error)
                   : save_new(path, write_table, &table, error);
}
