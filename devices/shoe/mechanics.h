/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is inside an emulated shoe whatever protocol it speaks: the deck, the cut card, the hand
 * that draws, the defects. Used by devices/shoe/open/model.c and devices/shoe/angel_eye/model.c,
 * which report what a draw gave. The orders of recorded decks are its own, given back by
 * shoe_mechanics_free().
 */
#ifndef DEVICES_SHOE_MECHANICS_H
#define DEVICES_SHOE_MECHANICS_H

#include "devices/deck/shuffle.h"
#include "devices/shoe/shoe.h"
#include "devices/wire/log.h"
#include "devices/wire/options.h"
#include "devices/wire/peer.h"
#include "games/card.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

/* In the order of their names in devices/shoe/options.c. */
enum shoe_defect {
    SHOE_DEFECT_MISREAD,
    SHOE_DEFECT_JAM,
    SHOE_DEFECT_WRONG,
    SHOE_DEFECT_TWICE,
    SHOE_DEFECT_REPEAT,
    SHOE_DEFECT_LOST_ACK,
    SHOE_DEFECT_UNPLUG,
    SHOE_DEFECT_OVERDRAW,
    SHOE_DEFECT_REVERSE,
    SHOE_DEFECT_SWAP,
    SHOE_DEFECT_POWER,
    SHOE_DEFECT_SNEAK,
    SHOE_DEFECT_NEW_DECK,
    SHOE_DEFECT_WHISPER,
    SHOE_DEFECT_UNFLAGGED,
    SHOE_DEFECT_UNLOGGED,
    SHOE_DEFECT_MISLOGGED,
    SHOE_DEFECT_SKIP,
    SHOE_DEFECT_LOSE,
    SHOE_DEFECT_SMUGGLE,
    SHOE_DEFECT_MISSTATED,
    SHOE_DEFECT_MISNUMBERED,
    SHOE_DEFECT_UNLOGGED_DECK,
    SHOE_DEFECT_FALSE_LOCK,
    SHOE_DEFECT_ENDS_SILENTLY,
    SHOE_DEFECT_TALKS,
    SHOE_DEFECT_WAVERS,
    SHOE_DEFECT_FLIPS,
    SHOE_DEFECT_STIRS,
    SHOE_DEFECT_LOG,                                       /* the first of LOG_DEFECTS */
    SHOE_DEFECT_PEER = SHOE_DEFECT_LOG + LOG_DEFECT_COUNT, /* the first of PEER_DEFECTS */
    SHOE_DEFECTS = SHOE_DEFECT_PEER + PEER_DEFECT_COUNT,
};

/* Non-volatile: what a power loss leaves as it was. */
struct shoe_memory {
    bool is_locked;
    uint8_t error;  /* enum shoe_fault */
    bool is_loaded; /* the order of the deck was given */
    bool cut_out;   /* the cut card has come */
    uint8_t drawn;
    uint32_t number; /* of the deck */
    card_t deck[DECK_SIZE];
    struct shuffle_generator generator;
};

struct shoe_mechanics {
    struct shoe_memory memory;
    nanos_t due; /* when the hand draws or changes the deck */
    nanos_t draw_time, refill_time;
    uint8_t cut;                    /* cards before the cut card; 0: there is none */
    struct defects defects;         /* kinds are enum shoe_defect */
    card_t (*recording)[DECK_SIZE]; /* orders of the decks to come */
    size_t recorded, played;
};

/* What the sensors of the shoe saw of one draw. */
struct shoe_draw {
    bool has_cut_card; /* which came before the card */
    bool has_card;
    card_t card;
    uint8_t index; /* of the card in its deck, from 0 */
    bool outside;
    bool repeat;           /* say it twice */
    bool lose_ack;         /* do not hear its first acknowledgement */
    enum shoe_fault fault; /* raised after it, or in its place */
};

/* A locked shoe with its first deck; nobody draws, nobody changes the deck. */
void shoe_mechanics_init(struct shoe_mechanics *mechanics, uint64_t seed);
void shoe_mechanics_free(struct shoe_mechanics *mechanics);

/* Rows of a model's table of options; their context begins with a struct shoe_model_base. */
struct shoe_model_base {
    struct model model;
    struct shoe_mechanics mechanics;
};
int shoe_option_seed(void *base, const char *value, struct error *error);
int shoe_option_draw(void *base, const char *value, struct error *error);
int shoe_option_refill(void *base, const char *value, struct error *error);
int shoe_option_cut(void *base, const char *value, struct error *error);
int shoe_option_fault(void *base, const char *value, struct error *error);
#define SHOE_OPTIONS                                                                               \
    {"seed=N", shoe_option_seed}, {"draw=MS", shoe_option_draw},                                   \
        {"refill=MS", shoe_option_refill},                                                         \
    {                                                                                              \
        "cut=N", shoe_option_cut                                                                   \
    }

/* Of such a model, as struct model_kind has them. */
extern const struct defect_table shoe_defects;
int shoe_model_fault(struct model *model, const char *spec, struct error *error);
bool shoe_model_has_shown(const struct model *model);

/* One more deck to come, `count` cards from the top given. */
int shoe_mechanics_record(struct shoe_mechanics *mechanics, const card_t *top, size_t count,
                          struct error *error);

/* False when the deck is used up; nothing has happened then. */
bool shoe_mechanics_draw(struct shoe_mechanics *mechanics, struct shoe_draw *draw);

/* A hand takes out what is left and puts the next deck in: a recorded one, or one of its own. */
void shoe_mechanics_refill(struct shoe_mechanics *mechanics);

/* A deck with this order on top of its own. */
void shoe_mechanics_load(struct shoe_mechanics *mechanics, const card_t *top, size_t count);

/* All different and all cards, at least one and at most 52. */
bool shoe_mechanics_is_order(const card_t *cards, size_t count);

/* Sets when the hand does something next, after the lock, an error or the deck has changed. */
void shoe_mechanics_plan(struct shoe_mechanics *mechanics, nanos_t now);

/* The hand is about to change the deck, not to draw. */
bool shoe_mechanics_refills(const struct shoe_mechanics *mechanics);

/* Whether such a defect is at that card and has not shown yet; now it has. */
bool shoe_mechanics_shows(struct shoe_mechanics *mechanics, enum shoe_defect defect, unsigned card);

/* Whether the cable is torn after so many frames of the host. */
bool shoe_mechanics_is_unplugged(struct shoe_mechanics *mechanics, uint64_t frames);

#endif
