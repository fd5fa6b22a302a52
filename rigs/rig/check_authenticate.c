/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where devices answer what their software comes to: the group `authenticate` of a rig file. */
#include <stdio.h>
#include <string.h>

#include "devices/gat/host.h"
#include "devices/model.h"
#include "rigs/rig/check.h"

struct subject {
    const struct rig_check *check;
    const struct device_driver *driver;
    struct rig_authenticate *wanted;
};

static void place_of(const struct subject *subject, const char *field, char where[RIG_WHERE_MAX])
{
    snprintf(where, RIG_WHERE_MAX, "devices.%s.authenticate.%s",
             device_class_name(subject->driver->class), field);
}

static int wrong(const struct subject *subject, const char *field, const char *sentence)
{
    char where[RIG_WHERE_MAX];

    place_of(subject, field, where);
    return tree_error(subject->check->tree, subject->check->error, where, "%s", sentence);
}

/* Only the model knows its options. */
static int try_model(const struct subject *subject)
{
    static const char name[] = "emu:gat";
    const char *address = subject->wanted->address, *options = strchr(address, '?');
    size_t length = options ? (size_t)(options - address) : strlen(address);
    struct error said = {.code = ERROR_CONFIG};
    struct model *model;

    if (length != strlen(name) || strncmp(address, name, length) != 0)
        return wrong(subject, "address", "no other model answers GAT; write emu:gat");
    model = model_make(NULL, "gat", options ? options + 1 : "", &said);
    if (!model && said.code == ERROR_RIG)
        return error_set(subject->check->error, ERROR_RIG, "%s", said.text);
    if (!model)
        return wrong(subject, "address", said.text);
    model->ops->free(model);
    return 0;
}

static int check_address(const struct subject *subject)
{
    const char *address = subject->wanted->address;
    struct error said;

    if (rig_is_emulated(address))
        return try_model(subject);
    if (link_check(address, &said))
        return wrong(subject, "address", said.text);
    if (subject->check->rig->clock == RIG_CLOCK_VIRTUAL)
        return wrong(subject, "address",
                     "a real device cannot follow a virtual clock; write 'clock: real'");
    return 0;
}

static int check_key(const struct subject *subject)
{
    const struct rig_authenticate *wanted = subject->wanted;
    struct gat_settings settings = gat_standard;
    struct gat_key key;
    struct error said;

    if (gat_settings_read(&settings, wanted->options, &said))
        return wrong(subject, "options", said.text);
    if (*wanted->key && *wanted->key_hex)
        return wrong(subject, "key-hex", "there is a 'key' beside it; give one of them");
    if (*wanted->key && gat_key_text(&key, wanted->key, &said))
        return wrong(subject, "key", said.text);
    if (*wanted->key_hex && gat_key_hex(&key, wanted->key_hex, &said))
        return wrong(subject, "key-hex", said.text);
    return 0;
}

int rig_check_authenticate(const struct rig_check *check, const struct rig_device *device,
                           const struct device_driver *driver)
{
    struct subject subject = {check, driver, device->authenticate};
    char where[RIG_WHERE_MAX];
    int status;

    if (!subject.wanted)
        return 0;
    status = check_address(&subject);
    if (!status)
        status = check_key(&subject);
    place_of(&subject, "approved", where);
    return status ? status : rig_place_path(check, where, subject.wanted->approved);
}
