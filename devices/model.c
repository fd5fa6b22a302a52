/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/model.h"

#include <stdio.h>

struct model *model_make(void *context, const char *name, const char *options, struct error *error)
{
    const struct model_kind *kind = model_kind_find(name, error);

    (void)context;
    return kind ? kind->make(options, error) : NULL;
}

static int ask_identity(struct link *link, const struct model_kind *kind,
                        struct wire_identity *identity, struct error *error)
{
    struct host host;
    int status = host_open(&host, link, (enum frame_class)kind->frame_class, error);

    return status ? status : host_identity(&host, identity, error);
}

int model_identity(const struct model_kind *kind, const char *options,
                   struct wire_identity *identity, struct error *error)
{
    char address[LINK_ADDRESS_MAX];
    struct clock clock;
    struct hal hal;
    struct link *link;
    int status;

    if (!kind->frame_class)
        return error_set(error, ERROR_CONFIG, "a model of '%s' has no way to say who it is",
                         kind->name);
    snprintf(address, sizeof address, "emu:%s?%s", kind->name, options);
    clock_virtual(&clock, 0);
    status = hal_open(&hal, &clock, error);
    if (status)
        return status;
    hal.make_model = model_make;
    status = link_open(&link, &hal, address, error);
    if (status == 0) {
        status = ask_identity(link, kind, identity, error);
        link_close(link);
    }
    hal_close(&hal);
    return status;
}

size_t model_known_usb(struct usb_known known[REGISTRY_MAX])
{
    const struct model_kind *kind;
    size_t count = 0;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->usb_product)
            known[count++] = (struct usb_known){kind->usb_vendor, kind->usb_product, kind->name};
    return count;
}
