/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options and defects that emulated shoes of every protocol have. */
#include "devices/shoe/mechanics.h"

/* In the order of enum shoe_defect. */
static const struct defect_kind kinds[SHOE_DEFECTS] = {
    {"misread", "card", 1, DECK_SIZE},
    {"jam", "card", 1, DECK_SIZE},
    /* It changes places with the bottom card, and the first card cannot come before itself. */
    {"wrong", "card", 1, DECK_SIZE - 1},
    {"twice", "card", 2, DECK_SIZE},
    {"repeat", "card", 1, DECK_SIZE},
    {"lost-ack", "card", 1, DECK_SIZE},
    {"unplug", "frames", 1, 999999999},
    {"overdraw", "card", 1, DECK_SIZE},
    {"reverse", "card", 1, DECK_SIZE},
    {"swap", "card", 1, DECK_SIZE - 1},
    {"power", "card", 1, DECK_SIZE},
    {"sneak", "card", 1, DECK_SIZE},
    {"new-deck", "card", 1, DECK_SIZE},
    {"whisper", "card", 1, DECK_SIZE},
    {"unflagged", "card", 1, DECK_SIZE},
    {"unlogged", "card", 1, DECK_SIZE},
    {"mislogged", "card", 1, DECK_SIZE},
    {"skip", "card", 1, DECK_SIZE},
    {"lose", "card", 1, DECK_SIZE - 1},
    {"smuggle", "card", 1, DECK_SIZE - 1},
    {"misstated", "byte", 1, 8},
    {"misnumbered", "deck", 1, UINT16_MAX},
    {"unlogged-deck", "deck", 1, UINT16_MAX},
    {"false-lock", "card", 1, DECK_SIZE},
    {"ends-silently", NULL, 0, 0},
    {"talks", NULL, 0, 0},
    {"wavers", "status", 1, 999999999},
    {"flips", "card", 1, DECK_SIZE},
    {"stirs", NULL, 0, 0},
    LOG_DEFECTS,
    PEER_DEFECTS,
};

const struct defect_table shoe_defects = {"a shoe", kinds, SHOE_DEFECTS};

static struct shoe_mechanics *mechanics_of(void *base)
{
    return &((struct shoe_model_base *)base)->mechanics;
}

/* The last option of the text wins: a seed makes the first deck anew. */
int shoe_option_seed(void *base, const char *value, struct error *error)
{
    struct shoe_mechanics *mechanics = mechanics_of(base);
    uint64_t seed = 0;
    int status = model_option_number("seed", value, UINT64_MAX, &seed, error);

    if (status)
        return status;
    shuffle_seed(&mechanics->memory.generator, seed);
    shoe_mechanics_refill(mechanics);
    mechanics->memory.number = 1;
    return 0;
}

int shoe_option_draw(void *base, const char *value, struct error *error)
{
    return model_option_millis("draw", value, &mechanics_of(base)->draw_time, error);
}

int shoe_option_refill(void *base, const char *value, struct error *error)
{
    return model_option_millis("refill", value, &mechanics_of(base)->refill_time, error);
}

int shoe_option_cut(void *base, const char *value, struct error *error)
{
    uint64_t cut = 0;
    int status = model_option_number("cut", value, DECK_SIZE - 1, &cut, error);

    mechanics_of(base)->cut = (uint8_t)cut;
    return status;
}

int shoe_option_fault(void *base, const char *value, struct error *error)
{
    return shoe_model_fault(base, value, error);
}

int shoe_model_fault(struct model *model, const char *spec, struct error *error)
{
    return defects_add(&mechanics_of(model)->defects, &shoe_defects, spec, error);
}

bool shoe_model_has_shown(const struct model *model)
{
    return defects_have_shown(&((const struct shoe_model_base *)model)->mechanics.defects);
}
