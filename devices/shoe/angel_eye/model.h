/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of an Angel Eye II-EX shoe: the device's side of devices/ANGEL-EYE.md, a pure state
 * machine on bytes and time. It deals baccarat whatever the table plays, as the real one does.
 * angel_eye_model_new() allocates; whoever gets the model frees it through its ops. The functions
 * below stand for what happens to a shoe on a table. All of them take a model made here.
 */
#ifndef DEVICES_SHOE_ANGEL_EYE_MODEL_H
#define DEVICES_SHOE_ANGEL_EYE_MODEL_H

#include "games/card.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

/*
 * Options and defects are those of devices/shoe/open/model.h, but for serial=TEXT, which the
 * protocol cannot say; and bcc=with-stx (as the published example) or bcc=without-stx (as the
 * published text): where the block check of an operation starts; and stand-by=deck or
 * stand-by=game: what P follows. The shoe is locked at first.
 */
struct model *angel_eye_model_new(const char *options, struct error *error);

/* As shoe_model_load(); the protocol has no test mode and the shoe says nothing about it. */
int angel_eye_model_load(struct model *model, const card_t *top, size_t count, nanos_t now,
                         struct error *error);

/* A hand draws a card, locked or not; false when the deck is used up or nobody listens. */
bool angel_eye_model_draw(struct model *model, nanos_t now);

/* A hand puts the next deck in, whatever is left of the last one. */
void angel_eye_model_refill(struct model *model, nanos_t now);

/* Somebody ends the game by hand, or changes a setting: two and four characters. */
void angel_eye_model_end_game(struct model *model, nanos_t now);
bool angel_eye_model_set(struct model *model, const char *address, const char *value, nanos_t now);

/* Power gone and back at once; cards that were not acknowledged are sent again. */
void angel_eye_model_power_cycle(struct model *model, nanos_t now);

#endif
