/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/pins.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/registry.h"

REGISTRY(pins_backends);

const struct pins_backend *pins_backend_at(size_t index)
{
    return registry_at(&pins_backends, index);
}

static int refuse_scheme(const char *address, struct error *error)
{
    const struct pins_backend *backend;
    struct name_list forms;

    name_list_start(&forms);
    for (size_t i = 0; (backend = pins_backend_at(i)); i++)
        name_list_add(&forms, backend->form);
    return error_set(error, ERROR_CONFIG, "'%.100s' is no address of pins; write one of: %s",
                     address, name_list_text(&forms));
}

static int refuse(const char *address, size_t pin, const struct pin_request *request,
                  const char *reason, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s: pin %zu ('%.*s') %s", address, pin,
                     (int)sizeof request->line, request->line, reason);
}

static int check_request(const char *address, size_t pin, const struct pin_request *request,
                         struct error *error)
{
    if (!request->line[0] || !memchr(request->line, '\0', sizeof request->line))
        return refuse(address, pin, request, "needs the name or offset of a line", error);
    if (request->direction != PIN_INPUT && request->direction != PIN_OUTPUT)
        return refuse(address, pin, request, "is neither input nor output", error);
    if ((unsigned)request->bias > PIN_PULL_DOWN)
        return refuse(address, pin, request, "has an unknown bias", error);
    if ((unsigned)request->edges > PIN_BOTH_EDGES)
        return refuse(address, pin, request, "has unknown edges", error);
    if (request->direction == PIN_OUTPUT && request->edges)
        return refuse(address, pin, request, "is an output and cannot watch for edges", error);
    if (request->direction == PIN_OUTPUT && request->debounce_us)
        return refuse(address, pin, request, "is an output and cannot be debounced", error);
    return 0;
}

static int check_requests(const char *address, const struct pin_request *requests, size_t count,
                          struct error *error)
{
    if (!count || count > PINS_MAX)
        return error_set(error, ERROR_CONFIG, "%s: %zu lines asked for; 1 to %d can be opened",
                         address, count, PINS_MAX);
    for (size_t i = 0; i < count; i++) {
        int result = check_request(address, i, &requests[i], error);

        if (result)
            return result;
    }
    return 0;
}

int pins_open(struct pins **pins, const struct hal *hal, const char *address,
              const struct pin_request *requests, size_t count, struct error *error)
{
    const struct pins_backend *backend = registry_find_scheme(&pins_backends, address);
    struct pins *opened;
    int result;

    *pins = NULL;
    if (!backend)
        return refuse_scheme(address, error);
    if (strlen(address) >= sizeof opened->address)
        return error_set(error, ERROR_CONFIG,
                         "'%.60s...' is too long for an address of pins: at most %zu bytes",
                         address, sizeof opened->address - 1);
    result = check_requests(address, requests, count, error);
    if (result)
        return result;
    opened = calloc(1, backend->size);
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: out of memory", address);
    opened->backend = backend;
    opened->hal = hal;
    opened->count = count;
    strcpy(opened->address, address);
    memcpy(opened->requests, requests, count * sizeof *requests);
    result = backend->open(opened, address + strlen(backend->scheme) + 1, requests, count, error);
    if (result) {
        free(opened);
        return result;
    }
    *pins = opened;
    return 0;
}

void pins_close(struct pins *pins)
{
    if (!pins)
        return;
    pins->backend->close(pins);
    free(pins);
}

int pins_read(struct pins *pins, uint64_t *values, struct error *error)
{
    return pins->backend->read(pins, values, error);
}

int pins_write(struct pins *pins, uint64_t mask, uint64_t values, struct error *error)
{
    for (unsigned pin = 0; pin < PINS_MAX; pin++) {
        if (!(mask >> pin & 1))
            continue;
        if (pin >= pins->count)
            return error_set(error, ERROR_CONFIG, "%s: pin %u was written but only %zu are open",
                             pins->address, pin, pins->count);
        if (pins->requests[pin].direction != PIN_OUTPUT)
            return refuse(pins->address, pin, &pins->requests[pin],
                          "is an input and was written; request it as an output", error);
    }
    return pins->backend->write(pins, mask, values, error);
}

int pins_wait(struct pins *pins, struct pin_event *event, nanos_t deadline, struct error *error)
{
    uint32_t lost;
    int result;

    if (pins->held) {
        pins->held = false;
        *event = pins->after_loss;
        return 1;
    }
    result = pins->backend->wait(pins, event, deadline, error);
    if (result <= 0 || !event->sequence)
        return result;
    lost = event->sequence - pins->sequence - 1;
    pins->sequence = event->sequence;
    if (!lost)
        return result;
    pins->held = true;
    pins->after_loss = *event;
    return error_set(error, ERROR_RIG,
                     "%s: %" PRIu32 " edge%s lost before the one on '%s'; "
                     "read them sooner, or debounce the line",
                     pins->address, lost, lost == 1 ? "" : "s", pins->requests[event->pin].line);
}

unsigned pins_capabilities(const struct pins *pins)
{
    return pins->backend->capabilities(pins);
}
