/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/gat/model.h"

#include <stdlib.h>
#include <string.h>

#include "devices/model.h"

#define LATE        (210 * NANOS_PER_MILLI) /* ten more than is allowed */
#define OLD_VERSION 0x0300

static struct gat_model *gat_of(struct model *model)
{
    return (struct gat_model *)model;
}

static bool shows(struct gat_model *gat, enum gat_defect defect, uint64_t at)
{
    return defects_show(&gat->defects, defect, at, at);
}

static bool holds(struct gat_model *gat, enum gat_defect defect)
{
    return defects_hold(&gat->defects, defect, 0);
}

static enum gat_state state_of(const struct gat_model *gat, nanos_t now)
{
    if (!gat->has_calculated)
        return (enum gat_state)gat->idle;
    if (gat->is_endless || now < gat->started + gat->calculation)
        return GAT_WORKING;
    return gat->is_failed ? GAT_IN_ERROR : GAT_FINISHED;
}

static bool has_results(const struct gat_model *gat, nanos_t now)
{
    return gat->has_calculated && !gat->has_no_results && gat->results &&
           state_of(gat, now) == GAT_FINISHED;
}

static void put16(uint8_t *bytes, unsigned number)
{
    bytes[0] = (uint8_t)(number >> 8);
    bytes[1] = (uint8_t)number;
}

static void put_status(struct gat_model *gat, struct gat_frame *reply, nanos_t now)
{
    enum gat_state state = state_of(gat, now);

    put16(reply->data, holds(gat, GAT_DEFECT_OLD_VERSION) ? OLD_VERSION : gat->settings.version);
    reply->data[2] =
        (uint8_t)(state << GAT_STATE_SHIFT | (state == GAT_WORKING ? GAT_CALCULATING : 0) |
                  (has_results(gat, now) ? GAT_HAS_RESULTS : 0) | gat->reserved_bits);
    reply->data[3] = GAT_XML;
    reply->size = 4;
}

static void put_last(const struct gat_model *gat, struct gat_frame *reply, nanos_t now)
{
    uint32_t seconds =
        gat->has_calculated ? (uint32_t)((now - gat->started) / NANOS_PER_SECOND) : gat->never;

    reply->data[0] = gat->settings.level;
    put16(reply->data + 1, seconds >> 16);
    put16(reply->data + 3, seconds & 0xffff);
    reply->size = 5;
}

static void put_part(struct gat_model *gat, const struct gat_frame *question,
                     struct gat_frame *reply, nanos_t now)
{
    unsigned number = (unsigned)question->data[1] << 8 | question->data[2];
    uint64_t first = number ? (number - 1) * gat->part : UINT64_MAX;
    bool is_there = has_results(gat, now) && question->data[0] == gat->settings.format &&
                    first < gat->size && !shows(gat, GAT_DEFECT_PART_ERROR, ++gat->parts);
    uint64_t size = is_there ? gat->size - first : 0;

    put16(reply->data + 1,
          is_there && shows(gat, GAT_DEFECT_WRONG_PART, gat->parts) ? number + 1 : number);
    reply->data[0] = is_there ? 0 : GAT_PART_ERROR;
    if (is_there && size <= gat->part)
        reply->data[0] = GAT_PART_LAST;
    else if (is_there)
        size = gat->part;
    if (size)
        memcpy(reply->data + GAT_PART_HEAD, gat->results + first, size);
    reply->size = (uint8_t)(GAT_PART_HEAD + size);
}

static void calculate(struct gat_model *gat, const uint8_t *text, size_t size, nanos_t now)
{
    int status = gat_model_answer(gat, text, size);

    if (status < 0)
        gat->model.broken = "out of memory for the document of an emulated device";
    gat->has_calculated = true;
    gat->started = now;
    gat->is_failed = status > 0 || shows(gat, GAT_DEFECT_FAILS, gat->calculations);
    gat->is_endless = shows(gat, GAT_DEFECT_ENDLESS, gat->calculations);
    gat->has_no_results = shows(gat, GAT_DEFECT_NO_RESULTS, gat->calculations);
}

/* The size of what stands before the text, or 0 where the question is not one. */
static unsigned head_of(const struct gat_model *gat, const struct gat_frame *question)
{
    bool has_zero = question->size > 1 && !question->data[1];

    if (!question->size || question->data[0] != gat->settings.level ||
        (gat->zero >= 0 && has_zero != gat->zero))
        return 0;
    return has_zero ? 2 : 1;
}

static bool start(struct gat_model *gat, const struct gat_frame *question, struct gat_frame *reply,
                  nanos_t now)
{
    unsigned head = head_of(gat, question);
    uint8_t said = (uint8_t)(gat->settings.iacr < 0 ? 0 : gat->settings.iacr);

    if (!head)
        return false;
    reply->size = 1;
    reply->data[0] = said;
    if (shows(gat, GAT_DEFECT_REFUSES, ++gat->calculations))
        reply->data[0] = (uint8_t)(said + 1);
    else
        calculate(gat, question->data + head, question->size - head, now);
    return true;
}

/* False for what is not answered. */
static bool execute(struct gat_model *gat, const struct gat_frame *question,
                    struct gat_frame *reply, nanos_t now)
{
    *reply = (struct gat_frame){.command = question->command | GAT_REPLY};
    switch (question->command) {
    case GAT_SQ:
        put_status(gat, reply, now);
        return !question->size;
    case GAT_LASQ:
        put_last(gat, reply, now);
        return !question->size;
    case GAT_LARQ:
        if (question->size != 3)
            return false;
        put_part(gat, question, reply, now);
        return true;
    case GAT_IACQ:
        return start(gat, question, reply, now);
    default:
        return false;
    }
}

static void send_reply(struct gat_model *gat, const struct gat_frame *reply, nanos_t now)
{
    bool is_swapped = holds(gat, GAT_DEFECT_LOW_FIRST);
    enum gat_order order = is_swapped ? !gat->settings.order : gat->settings.order;
    uint64_t number = ++gat->replies;

    gat->out_at = 0;
    gat->out_end = gat_encode(reply, order, gat->out);
    gat->out_due = now + (shows(gat, GAT_DEFECT_LATE, number) ? LATE : gat->delay);
    if (shows(gat, GAT_DEFECT_WRONG_CRC, number))
        gat->out[gat->out_end - 1] ^= 1;
    if (shows(gat, GAT_DEFECT_CUT, number))
        gat->out_end--;
    if (shows(gat, GAT_DEFECT_BABBLE, number))
        gat->out[gat->out_end++] = 0;
    if (shows(gat, GAT_DEFECT_SILENT, number))
        gat->out_end = 0;
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct gat_model *gat = gat_of(model);
    size_t taken;

    if (now - gat->heard_at >= gat->settings.stall)
        gat_silence(&gat->decoder);
    gat->heard_at = now;
    for (; count; bytes += taken, count -= taken) {
        struct gat_frame question, reply;

        if (gat_decode(&gat->decoder, bytes, count, &taken, &question) != GAT_READY)
            continue;
        model->gone |= shows(gat, GAT_DEFECT_UNPLUG, ++gat->frames);
        if (execute(gat, &question, &reply, now))
            send_reply(gat, &reply, now);
    }
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct gat_model *gat = gat_of(model);
    size_t count = gat->out_end - gat->out_at;

    if (now < gat->out_due)
        return 0;
    if (count > size)
        count = size;
    memcpy(bytes, gat->out + gat->out_at, count);
    gat->out_at += count;
    return count;
}

static nanos_t model_due(struct model *model)
{
    const struct gat_model *gat = gat_of(model);

    return gat->out_at < gat->out_end ? gat->out_due : NEVER;
}

/* Results stay until the next request or until the power goes. */
static void model_unplug(struct model *model, nanos_t now)
{
    struct gat_model *gat = gat_of(model);

    (void)now;
    gat->out_at = gat->out_end = 0;
    gat->decoder.used = 0;
    gat->decoder.is_deaf = false;
}

static void model_free(struct model *model)
{
    free(gat_of(model)->results);
    free(model);
}

static void power_cycle(struct model *model, nanos_t now)
{
    struct gat_model *gat = gat_of(model);

    model_unplug(model, now);
    gat->has_calculated = false;
    free(gat->results);
    gat->results = NULL;
    gat->size = 0;
}

struct model *gat_model_new(const char *text, struct error *error)
{
    static const struct model_ops ops = {.receive = model_receive,
                                         .send = model_send,
                                         .due = model_due,
                                         .unplug = model_unplug,
                                         .free = model_free};
    struct gat_model *gat = calloc(1, sizeof *gat);

    if (!gat) {
        error_set(error, ERROR_RIG, "no memory for a model of a device that answers GAT");
        return NULL;
    }
    gat->model.ops = &ops;
    gat->settings = gat_standard;
    gat->zero = -1;
    gat->seed = 1;
    gat->part = GAT_PART_MAX;
    gat->calculation = 2500 * NANOS_PER_MILLI;
    gat->delay = 2 * NANOS_PER_MILLI;
    gat->idle = GAT_FINISHED;
    gat->never = UINT32_MAX;
    strcpy(gat->game, "DeckMate2");
    strcpy(gat->manufacturer, "emulated");
    strcpy(gat->stored, "dealproof");
    if (gat_model_read(gat, text, error)) {
        model_free(&gat->model);
        return NULL;
    }
    gat->decoder.order = gat->settings.order;
    return &gat->model;
}

static int add_fault(struct model *model, const char *spec, struct error *error)
{
    return defects_add(&gat_of(model)->defects, &gat_model_defects, spec, error);
}

static bool has_shown(const struct model *model)
{
    return defects_have_shown(&((const struct gat_model *)model)->defects);
}

/* Of no class: it stands beside a device of any, on a port of its own. */
static const struct model_kind kind = {
    .name = "gat",
    .summary = "what any device answers of its software, " GAT_SPOKEN,
    .class = DEVICE_CLASSES,
    .driver = "gat",
    .options = gat_model_options,
    .defects = &gat_model_defects,
    .make = gat_model_new,
    .fault = add_fault,
    .has_shown = has_shown,
    .power_cycle = power_cycle,
    .hands = "",
};
REGISTER(device_models, kind);
