#include "devices/models.h"

#include <stdio.h>
#include <string.h>

#include "devices/sensors/unit/model.h"
#include "devices/shoe/angel_eye/model.h"
#include "devices/shoe/open/model.h"
#include "devices/shuffler/open/model.h"
#include "devices/terminal/open/model.h"
#include "devices/wire/host.h"

const struct model_kind model_kinds[] = {
    {.name = "shuffler",
     .make = shuffler_model_new,
     .load = shuffler_model_load,
     .deals_packets = true,
     .class = FRAME_SHUFFLER,
     .usb_product = 1,
     .hands = ""},
    {.name = "shoe",
     .make = shoe_model_new,
     .load = shoe_model_load,
     .class = FRAME_SHOE,
     .usb_product = 2,
     .hands = "draw=700,refill=2000"},
    {.name = "angel-eye",
     .make = angel_eye_model_new,
     .load = angel_eye_model_load,
     .hands = "draw=700,refill=2000"},
    {.name = "terminal",
     .make = terminal_model_new,
     .class = FRAME_TERMINAL,
     .usb_product = 3,
     .hands = ""},
    {.name = "bet-sensor",
     .make = bet_unit_model_new,
     .class = FRAME_BET_SENSOR,
     .hands = "place=3000"},
    {.name = NULL},
};

const struct model_kind *models_find(const char *name, struct error *error)
{
    char known[128] = "";
    size_t used = 0;

    for (const struct model_kind *kind = model_kinds; kind->name; kind++) {
        if (!strcmp(kind->name, name))
            return kind;
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                 kind->name);
    }
    error_set(error, ERROR_CONFIG, "there is no model '%.40s'; the models are %s", name, known);
    return NULL;
}

struct model *models_make(void *context, const char *name, const char *options, struct error *error)
{
    const struct model_kind *kind = models_find(name, error);

    (void)context;
    return kind ? kind->make(options, error) : NULL;
}

static int ask_identity(struct link *link, const struct model_kind *kind,
                        struct wire_identity *identity, struct error *error)
{
    struct host host;
    int status = host_open(&host, link, (enum frame_class)kind->class, error);

    return status ? status : host_identity(&host, identity, error);
}

int models_identity(const struct model_kind *kind, const char *options,
                    struct wire_identity *identity, struct error *error)
{
    char address[LINK_ADDRESS_MAX];
    struct clock clock;
    struct hal hal;
    struct link *link;
    int status;

    if (!kind->class)
        return error_set(error, ERROR_CONFIG, "a model of '%s' has no way to say who it is",
                         kind->name);
    snprintf(address, sizeof address, "emu:%s?%s", kind->name, options);
    clock_virtual(&clock, 0);
    status = hal_open(&hal, &clock, error);
    if (status)
        return status;
    hal.make_model = models_make;
    status = link_open(&link, &hal, address, error);
    if (status == 0) {
        status = ask_identity(link, kind, identity, error);
        link_close(link);
    }
    hal_close(&hal);
    return status;
}
