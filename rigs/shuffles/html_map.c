/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The map: how often each card came to each place, as colours. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "games/shuffles/places.h"
#include "hal/base/plural.h"
#include "rigs/page/page.h"
#include "rigs/shuffles/html.h"

/* In units of the picture, which is as wide as a phone and grows with the screen. */
#define CELL       7
#define LEFT       22
#define TOP        26
#define EDGE       4
#define MAP_WIDTH  (LEFT + DECK_SIZE * CELL + EDGE)
#define MAP_HEIGHT (TOP + DECK_SIZE * CELL + EDGE)

#define PLACES_STEP 4 /* places between numbers at the side */

/* Classes of colour end at these standard deviations from what is due. */
static const double bounds[] = {-4, -3, -2, -1, 1, 2, 3, 4};
#define CLASSES (sizeof bounds / sizeof bounds[0] + 1)

static const char *const class_names[CLASSES] = {"below \u22124",
                                                 "\u22124 to \u22123",
                                                 "\u22123 to \u22122",
                                                 "\u22122 to \u22121",
                                                 "as due",
                                                 "1 to 2",
                                                 "2 to 3",
                                                 "3 to 4",
                                                 "above 4"};

#define FARTHEST 3 /* cells that are named */

struct map {
    const shuffles_places *counts;
    uint64_t total[DECK_SIZE]; /* of each place */
    unsigned places;           /* that enough orders reach, from the top */
    uint64_t seen[CLASSES];    /* cells */
    double due[CLASSES];
};

/* The chance of one card at one place is that of a binomial trial. */
static double deviation(uint64_t total)
{
    return sqrt((double)total * (DECK_SIZE - 1)) / DECK_SIZE;
}

static double residual(const struct map *map, unsigned place, unsigned card)
{
    double due = (double)map->total[place] / DECK_SIZE;

    return ((double)(*map->counts)[place][card] - due) / deviation(map->total[place]);
}

static size_t class_of(double off)
{
    size_t class = 0;

    while (class + 1 < CLASSES && off >= bounds[class])
        class ++;
    return class;
}

/* Cells of one place that a uniform shuffle puts below a bound, by the exact law. */
static double due_below(uint64_t total, double bound)
{
    double count = ceil((double)total / DECK_SIZE + bound * deviation(total)) - 1;

    return count < 0
               ? 0
               : DECK_SIZE * gsl_cdf_binomial_P((unsigned)count, 1.0 / DECK_SIZE, (unsigned)total);
}

static void count_classes(struct map *map)
{
    for (unsigned place = 0; place < map->places; place++) {
        double before = 0;

        for (unsigned card = 0; card < DECK_SIZE; card++)
            map->seen[class_of(residual(map, place, card))]++;
        for (size_t i = 0; i < CLASSES; i++) {
            double below =
                i + 1 < CLASSES ? due_below(map->total[place], bounds[i]) : (double)DECK_SIZE;

            map->due[i] += below - before;
            before = below;
        }
    }
}

/* Orders of which only the first cards were seen reach the upper places alone. */
static struct map make_map(const struct shuffles *shuffles)
{
    struct map map = {.counts = shuffles_place_counts(shuffles)};

    for (unsigned place = 0; place < DECK_SIZE; place++) {
        map.total[place] = places_total(map.counts, place);
        if (map.places == place && map.total[place] >= PLACES_ORDERS_MIN)
            map.places++;
    }
    count_classes(&map);
    return map;
}

static void write_axes(const struct map *map, FILE *out)
{
    fputs("<g class=\"axis\" text-anchor=\"middle\">", out);
    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        fprintf(out, "<text class=\"suit%s\" x=\"%g\" y=\"11\">%s</text>",
                suit == SUIT_DIAMONDS || suit == SUIT_HEARTS ? " red" : "",
                LEFT + (suit + 0.5) * RANK_COUNT * CELL, html_suits[suit]);
    for (unsigned card = 0; card < DECK_SIZE; card++) {
        char text[2];

        card_format(card_from_index(card), text);
        fprintf(out, "<text class=\"rank\" x=\"%g\" y=\"%d\">%c</text>", LEFT + (card + 0.5) * CELL,
                TOP - 4, text[0]);
    }
    fputs("</g><g class=\"axis\" text-anchor=\"end\">", out);
    for (unsigned place = 0; place < map->places; place += place ? PLACES_STEP : PLACES_STEP - 1)
        fprintf(out, "<text class=\"place\" x=\"%d\" y=\"%g\">%u</text>", LEFT - 4,
                TOP + (place + 0.5) * CELL + 3, place + 1);
    fputs("</g>", out);
}

/* All cells of one class in one path: a stroke for each run of neighbours. */
static void write_class(const struct map *map, size_t class, FILE *out)
{
    fprintf(out, "<path class=\"h%zu\" d=\"", class);
    for (unsigned place = 0; place < map->places; place++)
        for (unsigned card = 0; card < DECK_SIZE;) {
            unsigned end = card;

            while (end < DECK_SIZE && class_of(residual(map, place, end)) == class)
                end++;
            if (end > card)
                fprintf(out, "M%u %uh%u", card, place, end - card);
            card = end > card ? end : card + 1;
        }
    fputs("\"/>", out);
}

static void write_cells(const struct map *map, FILE *out)
{
    fprintf(out, "<g class=\"cells\" transform=\"translate(%d %g) scale(%d)\">", LEFT,
            TOP + CELL / 2.0, CELL);
    for (size_t i = 0; i < CLASSES; i++)
        if (map->seen[i])
            write_class(map, i, out);
    fputs("</g>", out);
    for (unsigned suit = 1; suit < SUIT_COUNT; suit++)
        fprintf(out, "<line class=\"between\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>",
                LEFT + (int)suit * RANK_COUNT * CELL, LEFT + (int)suit * RANK_COUNT * CELL, TOP,
                TOP + (int)map->places * CELL);
}

static void write_legend(const struct map *map, FILE *out)
{
    fputs("<table class=\"legend\"><thead><tr><th scope=\"col\">Standard deviations off what is "
          "due<th scope=\"col\">Cells<th scope=\"col\">Due<tbody>\n",
          out);
    for (size_t i = CLASSES; i-- > 0;)
        fprintf(out,
                "<tr><th scope=\"row\"><span class=\"swatch f%zu\"></span>%s<td class=\"n\">%ju"
                "<td class=\"n\">%.*f\n",
                i, class_names[i], (uintmax_t)map->seen[i], map->due[i] < 10 ? 1 : 0, map->due[i]);
    fputs("</table>\n", out);
}

struct cell {
    unsigned place, card;
    double off;
};

/* Takes a cell among the farthest, which descend. */
static void keep_far(struct cell far[FARTHEST], struct cell cell)
{
    for (unsigned i = 0; i < FARTHEST; i++)
        if (fabs(cell.off) > fabs(far[i].off)) {
            struct cell pushed = far[i];

            far[i] = cell;
            cell = pushed;
        }
}

static void write_farthest(const struct map *map, FILE *out)
{
    struct cell far[FARTHEST] = {{0}};

    for (unsigned place = 0; place < map->places; place++)
        for (unsigned card = 0; card < DECK_SIZE; card++)
            keep_far(far, (struct cell){place, card, residual(map, place, card)});
    fputs("<div><p><b>Farthest off</b>\n<ul>", out);
    for (unsigned i = 0; i < FARTHEST && far[i].off != 0; i++) {
        fputs("<li>", out);
        html_card(out, card_from_index(far[i].card));
        fprintf(out, " at place %u: %u time%s, %.1f due\n", far[i].place + 1,
                (*map->counts)[far[i].place][far[i].card],
                plural((*map->counts)[far[i].place][far[i].card]),
                (double)map->total[far[i].place] / DECK_SIZE);
    }
    fputs("</ul></div>\n", out);
}

void shuffles_html_map(const struct shuffles *shuffles, FILE *out)
{
    struct map map = make_map(shuffles);

    if (!map.places)
        return;
    fputs("<figure class=\"map\"><figcaption><b>Places and cards</b>: how often each card came to "
          "each place, the top one being 1. Orange is too often, blue too seldom.</figcaption>",
          out);
    html_picture(out, MAP_WIDTH, MAP_HEIGHT - (DECK_SIZE - map.places) * CELL,
                 "a map of 52 cards and the places they came to, coloured by how far each is off");
    write_axes(&map, out);
    write_cells(&map, out);
    fputs("</svg><div class=\"beside\">\n", out);
    write_legend(&map, out);
    write_farthest(&map, out);
    fputs("</div></figure>\n", out);
}
