/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "emu:NAME[?OPTIONS]": a device model in this process. On a virtual clock nothing really waits:
 * time jumps to when the model is due, or to the deadline.
 */
#include <string.h>

#include "hal/base/registry.h"
#include "hal/link/link.h"
#include "hal/link/model.h"

struct emu_link {
    struct link link;
    struct model *model;
};

static int emu_open(struct link *link, const char *rest, struct error *error)
{
    struct emu_link *emu = (struct emu_link *)link;
    const struct hal *hal = link->hal;
    size_t length = strcspn(rest, "?");
    char name[LINK_ADDRESS_MAX];
    struct error unsaid = {.code = ERROR_CONFIG};
    struct error *said = error ? error : &unsaid;

    if (length == 0)
        return error_set(error, ERROR_CONFIG,
                         "%s names no model: write emu:NAME, as in "
                         "emu:shuffler",
                         link->address);
    if (!hal->make_model)
        return error_set(error, ERROR_CONFIG,
                         "%s: nothing is emulated on this bench: give a real device's address",
                         link->address);
    memcpy(name, rest, length);
    name[length] = '\0';
    emu->model =
        hal->make_model(hal->model_context, name, rest[length] ? rest + length + 1 : "", said);
    return emu->model ? 0 : (int)said->code;
}

static void emu_close(struct link *link)
{
    struct model *model = ((struct emu_link *)link)->model;

    if (model->ops->unplug)
        model->ops->unplug(model, clock_now(link->hal->clock));
    model->ops->free(model);
}

static bool is_lost(const struct model *model)
{
    return model->gone || model->broken;
}

static int say_gone(const struct link *link, const struct model *model, struct error *error)
{
    if (model->broken)
        return error_set(error, ERROR_RIG, "%s: %s", link->address, model->broken);
    return error_set(error, ERROR_DEVICE, "%s is gone: the model left the bus", link->address);
}

/*
 * Waits until the model, which had nothing to send at `asked`, has something to do; real time may
 * have passed that by now. With `has_looked`, a cancellation was looked for just now, and on a
 * virtual clock there is nothing else to ask the system for.
 */
static int emu_wait(struct link *link, struct model *model, nanos_t asked, nanos_t deadline,
                    bool has_looked, struct error *error)
{
    nanos_t due = model->ops->due(model);
    nanos_t until = due < deadline ? due : deadline;

    if (due <= asked)
        return error_set(error, ERROR_RIG,
                         "%s: the model is due but has nothing to send: correct its due()",
                         link->address);
    if (has_looked && link->hal->clock->is_virtual && until != NEVER) {
        clock_advance(link->hal->clock, until);
        return 0;
    }
    return hal_wait(link->hal, -1, 0, until, error);
}

static ssize_t emu_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                        struct error *error)
{
    struct model *model = ((struct emu_link *)link)->model;
    const struct clock *clock = link->hal->clock;
    bool has_looked = true;

    if (hal_cancelled(link->hal))
        return error_set(error, ERROR_ABORTED, "cancelled");
    for (;;) {
        nanos_t now = clock_now(clock);
        size_t count = is_lost(model) ? 0 : model->ops->send(model, bytes, size, now);
        int status;

        if (count)
            return (ssize_t)count;
        if (is_lost(model))
            return say_gone(link, model, error);
        if (now >= deadline)
            return 0;
        status = emu_wait(link, model, now, deadline, has_looked, error);
        if (status < 0)
            return status;
        has_looked = false;
    }
}

static ssize_t emu_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    struct model *model = ((struct emu_link *)link)->model;

    (void)deadline;
    if (is_lost(model))
        return say_gone(link, model, error);
    model->ops->receive(model, bytes, size, clock_now(link->hal->clock));
    return (ssize_t)size;
}

static const struct link_backend emu_backend = {
    .scheme = "emu",
    .form = "emu:MODEL or emu:MODEL?OPTIONS, as in emu:shuffler",
    .size = sizeof(struct emu_link),
    .open = emu_open,
    .close = emu_close,
    .read = emu_read,
    .write = emu_write,
};

REGISTER(link_backends, emu_backend);
