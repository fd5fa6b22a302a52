/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/puppet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t queue_put(struct puppet_queue *queue, const uint8_t *bytes, size_t count)
{
    if (queue->start == queue->end)
        queue->start = queue->end = 0;
    if (count > PUPPET_QUEUE - queue->end)
        count = PUPPET_QUEUE - queue->end;
    memcpy(queue->bytes + queue->end, bytes, count);
    queue->end += count;
    return count;
}

static size_t queue_take(struct puppet_queue *queue, uint8_t *bytes, size_t count)
{
    if (count > queue->end - queue->start)
        count = queue->end - queue->start;
    memcpy(bytes, queue->bytes + queue->start, count);
    queue->start += count;
    return count;
}

static void puppet_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct puppet *puppet = (struct puppet *)model;

    (void)now;
    queue_put(puppet->is_echo ? &puppet->to_host : &puppet->from_host, bytes, count);
}

static size_t puppet_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct puppet *puppet = (struct puppet *)model;

    if (now < puppet->ready_at || puppet->is_stuck)
        return 0;
    if (puppet->mouthful && size > puppet->mouthful)
        size = puppet->mouthful;
    return queue_take(&puppet->to_host, bytes, size);
}

static nanos_t puppet_due(struct model *model)
{
    struct puppet *puppet = (struct puppet *)model;

    return puppet->to_host.start == puppet->to_host.end ? NEVER : puppet->ready_at;
}

static void puppet_unplugged(struct model *model, nanos_t now)
{
    (void)now;
    ((struct puppet *)model)->unplugged++;
}

static void puppet_freed(struct model *model)
{
    ((struct puppet *)model)->freed++;
}

static const struct model_ops puppet_ops = {
    .receive = puppet_receive,
    .send = puppet_send,
    .due = puppet_due,
    .unplug = puppet_unplugged,
    .free = puppet_freed,
};

static struct model *puppet_make(void *context, const char *name, const char *options,
                                 struct error *error)
{
    struct puppet_stage *stage = context;

    snprintf(stage->options, sizeof stage->options, "%s", options);
    for (size_t i = 0; i < stage->count; i++) {
        struct puppet *puppet = stage->puppets[i];

        if (strcmp(puppet->name, name) != 0)
            continue;
        if (puppet->is_away) {
            error_set(error, ERROR_DEVICE, "'%s' is switched off", name);
            return NULL;
        }
        puppet->model.gone = false;
        puppet->plugged++;
        return &puppet->model;
    }
    error_set(error, ERROR_CONFIG, "there is no model '%s'", name);
    return NULL;
}

void puppet_stage_open(struct puppet_stage *stage, struct hal *hal)
{
    memset(stage, 0, sizeof *stage);
    hal->make_model = puppet_make;
    hal->model_context = stage;
}

void puppet_stage_close(struct puppet_stage *stage)
{
    while (stage->count)
        free(stage->puppets[--stage->count]);
}

struct puppet *puppet_add(struct puppet_stage *stage)
{
    struct puppet *puppet = calloc(1, sizeof *puppet);

    if (!puppet || stage->count == sizeof stage->puppets / sizeof stage->puppets[0])
        abort();
    puppet->model.ops = &puppet_ops;
    snprintf(puppet->name, sizeof puppet->name, "puppet%zu", stage->count);
    stage->puppets[stage->count++] = puppet;
    return puppet;
}

size_t puppet_take(struct puppet *puppet, void *bytes, size_t size)
{
    return queue_take(&puppet->from_host, bytes, size);
}

size_t puppet_put(struct puppet *puppet, const void *bytes, size_t size)
{
    return queue_put(&puppet->to_host, bytes, size);
}

void puppet_unplug(struct puppet *puppet)
{
    puppet->is_away = puppet->model.gone = true;
}
