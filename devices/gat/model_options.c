/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "devices/gat/model.h"

/* The options that both sides have find their settings first. */
struct reading {
    struct gat_settings *settings;
    struct gat_model *gat;
};

static struct gat_model *model_of(void *context)
{
    return ((struct reading *)context)->gat;
}

static int read_text(const char *key, const char *value, char *text, size_t size,
                     struct error *error)
{
    if (!*value || strlen(value) >= size)
        return error_set(error, ERROR_CONFIG, "%s=%s: write 1 to %zu characters", key, value,
                         size - 1);
    memcpy(text, value, strlen(value) + 1);
    return 0;
}

static int read_component(void *context, const char *value, struct error *error)
{
    struct gat_model *gat = model_of(context);

    if (gat->count == GAT_MODEL_COMPONENTS)
        return error_set(error, ERROR_CONFIG, "component=%s is one too many: a model has %d", value,
                         GAT_MODEL_COMPONENTS);
    for (unsigned i = 0; i < gat->count; i++)
        if (!strcmp(gat->components[i].name, value))
            return error_set(error, ERROR_CONFIG, "component=%s is there twice", value);
    return read_text("component", value, gat->components[gat->count++].name, GAT_MODEL_NAME, error);
}

static int read_image(void *context, const char *value, struct error *error)
{
    struct gat_model *gat = model_of(context);

    if (!gat->count)
        return error_set(error, ERROR_CONFIG, "image=%s: write it after its component", value);
    return read_text("image", value, gat->components[gat->count - 1].image, GAT_MODEL_IMAGE, error);
}

static int read_game(void *context, const char *value, struct error *error)
{
    return read_text("game", value, model_of(context)->game, GAT_MODEL_NAME, error);
}

static int read_manufacturer(void *context, const char *value, struct error *error)
{
    return read_text("manufacturer", value, model_of(context)->manufacturer, GAT_MODEL_NAME, error);
}

static int read_stored(void *context, const char *value, struct error *error)
{
    return read_text("stored", value, model_of(context)->stored, GAT_MODEL_NAME, error);
}

static int read_seed(void *context, const char *value, struct error *error)
{
    return model_option_number("seed", value, UINT64_MAX, &model_of(context)->seed, error);
}

static int read_part(void *context, const char *value, struct error *error)
{
    int status = model_option_number("part", value, GAT_PART_MAX, &model_of(context)->part, error);

    if (!status && !model_of(context)->part)
        return error_set(error, ERROR_CONFIG, "part=0: write a number from 1 to %d", GAT_PART_MAX);
    return status;
}

static int read_calculation(void *context, const char *value, struct error *error)
{
    return model_option_millis("calculation", value, &model_of(context)->calculation, error);
}

static int read_delay(void *context, const char *value, struct error *error)
{
    return model_option_millis("delay", value, &model_of(context)->delay, error);
}

static int read_small(const char *key, const char *value, uint64_t most, uint8_t *number,
                      struct error *error)
{
    uint64_t read = 0;
    int status = model_option_number(key, value, most, &read, error);

    *number = (uint8_t)read;
    return status;
}

static int read_idle(void *context, const char *value, struct error *error)
{
    return read_small("idle", value, GAT_IN_ERROR, &model_of(context)->idle, error);
}

static int read_reserved_bits(void *context, const char *value, struct error *error)
{
    return read_small("reserved-bits", value, UINT8_MAX & ~GAT_STATUS_BITS,
                      &model_of(context)->reserved_bits, error);
}

static int read_never(void *context, const char *value, struct error *error)
{
    uint64_t read = 0;
    int status = model_option_number("never", value, UINT32_MAX, &read, error);

    model_of(context)->never = (uint32_t)read;
    return status;
}

static int read_single(void *context, const char *value, struct error *error)
{
    return gat_option_word("single", value, "one", "all", &model_of(context)->answers_all, error);
}

static int read_zero(void *context, const char *value, struct error *error)
{
    bool is_there = false;
    int status = gat_option_word("zero", value, "no", "yes", &is_there, error);

    model_of(context)->zero = is_there;
    return status;
}

static int read_fault(void *context, const char *value, struct error *error)
{
    return defects_add(&model_of(context)->defects, &gat_model_defects, value, error);
}

const struct model_option gat_model_options[] = {
    {"seed=N", read_seed},
    {"component=NAME", read_component},
    {"image=TEXT", read_image},
    {"game=TEXT", read_game},
    {"manufacturer=TEXT", read_manufacturer},
    {"stored=KEY", read_stored},
    {"part=N", read_part},
    {"calculation=MS", read_calculation},
    {"delay=MS", read_delay},
    {"idle=N", read_idle},
    {"never=N", read_never},
    {"single=one|all", read_single},
    {"reserved-bits=N", read_reserved_bits},
    {"zero=yes|no", read_zero},
    GAT_OPTIONS,
    {"fault=SPEC", read_fault},
    {NULL, NULL},
};

#define ANY 1, 1000000

static const struct defect_kind kinds[GAT_DEFECTS] = {
    [GAT_DEFECT_WRONG_CRC] = {"wrong-crc", "reply", ANY},
    [GAT_DEFECT_LOW_FIRST] = {"low-first", NULL, 0, 0},
    [GAT_DEFECT_LATE] = {"late", "reply", ANY},
    [GAT_DEFECT_SILENT] = {"silent", "reply", ANY},
    [GAT_DEFECT_CUT] = {"cut", "reply", ANY},
    [GAT_DEFECT_BABBLE] = {"babble", "reply", ANY},
    [GAT_DEFECT_WRONG_PART] = {"wrong-part", "part", ANY},
    [GAT_DEFECT_PART_ERROR] = {"part-error", "part", ANY},
    [GAT_DEFECT_REFUSES] = {"refuses", "calculation", ANY},
    [GAT_DEFECT_FAILS] = {"fails", "calculation", ANY},
    [GAT_DEFECT_NO_RESULTS] = {"no-results", "calculation", ANY},
    [GAT_DEFECT_ENDLESS] = {"endless", "calculation", ANY},
    [GAT_DEFECT_STALE] = {"stale", "calculation", 2, 1000000},
    [GAT_DEFECT_OTHER_DIGEST] = {"other-digest", "component", 1, GAT_MODEL_COMPONENTS},
    [GAT_DEFECT_LEFT_OUT] = {"left-out", "component", 1, GAT_MODEL_COMPONENTS},
    [GAT_DEFECT_ADDED] = {"added", NULL, 0, 0},
    [GAT_DEFECT_REPLAYS] = {"replays", NULL, 0, 0},
    [GAT_DEFECT_ENTITIES] = {"entities", "calculation", ANY},
    [GAT_DEFECT_EXTERNAL] = {"external", "calculation", ANY},
    [GAT_DEFECT_DEEP] = {"deep", "calculation", ANY},
    [GAT_DEFECT_LARGE] = {"large", "calculation", ANY},
    [GAT_DEFECT_OLD_VERSION] = {"old-version", NULL, 0, 0},
    [GAT_DEFECT_UNPLUG] = {"unplug", "frames", ANY},
};

const struct defect_table gat_model_defects = {
    .noun = "a device that answers GAT", .kinds = kinds, .count = GAT_DEFECTS};

/* The names that slides of Black Hat USA 2023 show. */
static void put_standard_components(struct gat_model *gat)
{
    static const char *const names[] = {"DeckMate2_UI_2.0.254", "DeckMate2_CardRec_5.0.023",
                                        "DeckMate2_NXP_NXP 1.0.172", "DeckMate2_Games_1.0.095"};

    for (gat->count = 0; gat->count < sizeof names / sizeof names[0]; gat->count++)
        snprintf(gat->components[gat->count].name, GAT_MODEL_NAME, "%s", names[gat->count]);
}

int gat_model_read(struct gat_model *gat, const char *text, struct error *error)
{
    struct reading reading = {&gat->settings, gat};
    int status =
        model_options_read(gat_model_options, gat_model_defects.noun, text, &reading, error);

    if (!status && !gat->count)
        put_standard_components(gat);
    return status;
}
