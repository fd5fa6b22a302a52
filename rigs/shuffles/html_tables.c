/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every position by itself and the pairs of positions that are farthest off. Each p-value is also
 * given as corrected for all places, or all pairs; that is the one that the tests judge.
 */
#include <inttypes.h>
#include <math.h>

#include "games/shuffles/tail.h"
#include "rigs/shuffles/html.h"

#define FARTHEST 5

static void write_p(double p, unsigned of, FILE *out)
{
    fputs("<td class=\"n\">", out);
    shuffles_html_p(p, out);
    fputs("<td class=\"n\">", out);
    shuffles_html_p(fmin(1, p * of), out);
    putc('\n', out);
}

static void write_positions(const struct shuffles *shuffles, FILE *out)
{
    unsigned places = 0;

    for (unsigned place = 0; place < DECK_SIZE; place++)
        places += isnan(shuffles_position(shuffles, place).p) ? 0 : 1;
    if (!places)
        return;
    fputs("<details><summary>Each position</summary><div class=\"scroll\"><table><thead><tr>"
          "<th scope=\"col\">Place<th scope=\"col\">Used<th scope=\"col\">X² on 51 df"
          "<th scope=\"col\">p<th scope=\"col\">for all places<tbody>\n",
          out);
    for (unsigned place = 0; place < DECK_SIZE; place++) {
        struct shuffles_position position = shuffles_position(shuffles, place);

        if (isnan(position.p))
            continue;
        fprintf(out, "<tr><th scope=\"row\">%u<td class=\"n\">%" PRIu64 "<td class=\"n\">%.1f",
                place + 1, position.count, position.statistic);
        write_p(position.p, places, out);
    }
    fputs("</table></div></details>\n", out);
}

struct pair {
    unsigned upper, lower;
    double z;
};

/* The farthest of all pairs, descending; returns how many pairs there are. */
static unsigned find_pairs(const struct shuffles *shuffles, struct pair far[FARTHEST])
{
    unsigned pairs = 0;

    for (unsigned lower = 1; lower < DECK_SIZE; lower++)
        for (unsigned upper = 0; upper < lower; upper++) {
            struct pair now = {upper, lower, shuffles_pair(shuffles, upper, lower)};

            if (isnan(now.z))
                return pairs;
            pairs++;
            for (unsigned i = 0; i < FARTHEST; i++)
                if (fabs(now.z) > fabs(far[i].z)) {
                    struct pair pushed = far[i];

                    far[i] = now;
                    now = pushed;
                }
        }
    return pairs;
}

static void write_pairs(const struct shuffles *shuffles, FILE *out)
{
    struct pair far[FARTHEST] = {{0}};
    unsigned pairs = find_pairs(shuffles, far);

    if (!pairs)
        return;
    fprintf(out,
            "<details><summary>Pairs of positions, the %d farthest of %u</summary>"
            "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Places"
            "<th scope=\"col\">Ranks go together, in standard deviations"
            "<th scope=\"col\">p<th scope=\"col\">for all pairs<tbody>\n",
            FARTHEST, pairs);
    for (unsigned i = 0; i < FARTHEST && far[i].lower; i++) {
        fprintf(out, "<tr><th scope=\"row\">%u and %u<td class=\"n\">%.2f", far[i].upper + 1,
                far[i].lower + 1, far[i].z);
        write_p(tail_normal(far[i].z), pairs, out);
    }
    fputs("</table></div></details>\n", out);
}

void shuffles_html_tables(const struct shuffles *shuffles, FILE *out)
{
    write_positions(shuffles, out);
    write_pairs(shuffles, out);
}
