/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings as the decks of an emulated device: each round becomes the order of one shuffle, or of
 * one deck of a shoe.
 */
#ifndef TOOLS_EMULATE_DECKS_H
#define TOOLS_EMULATE_DECKS_H

#include "devices/model.h"

/*
 * Loads all rounds of a recording ("-": standard input) into a model of a kind that deals cards, or
 * fails: what cannot be played as it was dealt is no test. ERROR_CONFIG says why, with the line.
 */
int emulate_decks_load(const char *path, const struct model_kind *kind, struct model *model,
                       struct error *error);

#endif
