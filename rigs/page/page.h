/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What pages of any kind are made of: the head with its style sheet, and elements that need nothing
 * of a report. Each writes markup that is complete in itself.
 */
#ifndef RIGS_PAGE_PAGE_H
#define RIGS_PAGE_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "games/card.h"

/*
 * The beginning of a page, up to its body; `more_style` comes after what all pages share. Its
 * policy allows this style and the script below by their digests, so that no element may have a
 * style or a script of its own.
 */
void html_head(FILE *out, const char *title, const char *more_style);

/* The script that moves the filters above the rounds. */
void html_filter_script(FILE *out);

/* A number in large type with its name; a row of a table of facts, if there is a value. */
void html_tile(FILE *out, const char *class, uint64_t number, const char *name);
void html_fact(FILE *out, const char *name, const char *value);

extern const char *const html_suits[SUIT_COUNT];

/* A card, drawn with its suit. */
void html_card(FILE *out, card_t card);

/* The beginning of a picture; `shows` describes it to a screen reader. */
void html_picture(FILE *out, double width, double height, const char *shows);

/* A bar of a histogram that stands at a height, and the points of a curve. */
void html_bar(FILE *out, double x, double foot, double width, double height);
void html_point(FILE *out, double x, double y);

#endif
