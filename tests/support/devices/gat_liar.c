/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/gat_liar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

static void receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct gat_liar *liar = (struct gat_liar *)model;
    struct gat_model *gat = liar->gat;

    gat->model.ops->receive(&gat->model, bytes, count, now);
    if (gat->calculations == liar->answered)
        return;
    memcpy(liar->asked, bytes + 4, count - 6);
    liar->asked[count - 6] = '\0';
    CU_ASSERT_PTR_NOT_NULL_FATAL(liar->documents[liar->answered]);
    free(gat->results);
    gat->results = strdup(liar->documents[liar->answered++]);
    gat->size = strlen(gat->results);
    gat->is_failed = false;
}

static size_t give(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct gat_model *gat = ((struct gat_liar *)model)->gat;

    return gat->model.ops->send(&gat->model, bytes, size, now);
}

static nanos_t due(struct model *model)
{
    struct gat_model *gat = ((struct gat_liar *)model)->gat;

    return gat->model.ops->due(&gat->model);
}

static void leave(struct model *model)
{
    struct gat_liar *liar = (struct gat_liar *)model;

    liar->gat->model.ops->free(&liar->gat->model);
    liar->freed++;
}

static struct model *make(void *context, const char *name, const char *options, struct error *error)
{
    static const struct model_ops ops = {
        .receive = receive, .send = give, .due = due, .free = leave};
    struct gat_liar *liar = context;

    (void)name;
    if (liar->status) {
        error_set(error, liar->status, "it is not there");
        return NULL;
    }
    snprintf(liar->options, sizeof liar->options, "%s", options);
    liar->model = (struct model){.ops = &ops};
    liar->gat = (struct gat_model *)gat_model_new(options, error);
    liar->answered = 0;
    return liar->gat ? &liar->model : NULL;
}

void gat_liar_open(struct gat_liar *liar, struct hal *hal)
{
    hal->make_model = make;
    hal->model_context = liar;
}
