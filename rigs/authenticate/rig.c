/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/authenticate/rig.h"

#include <string.h>

#include "hal/base/random.h"

int authenticate_fresh(struct authenticate_setup *setup, const uint64_t *seed, struct error *error)
{
    uint8_t bytes[GAT_KEY_RANDOM];
    int status = 0;

    if (!authenticate_needs_key(&setup->plan))
        return 0;
    if (seed) {
        uint64_t state = *seed;

        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_next(&state) >> 56);
    } else {
        status = random_fresh(bytes, sizeof bytes, error);
    }
    if (!status)
        gat_key_random(&setup->fresh, bytes, setup->plan.settings.key_is_hex);
    setup->plan.fresh = &setup->fresh;
    return status;
}

/* A key says of itself whether it is digits; without one, the options do. */
static int read_key(struct authenticate_setup *setup, const struct rig_authenticate *wanted,
                    struct error *error)
{
    struct gat_settings *settings = &setup->plan.settings;
    int status = gat_settings_read(settings, wanted->options, error);

    if (!status && *wanted->key)
        status = gat_key_text(&setup->key, wanted->key, error);
    if (!status && *wanted->key_hex) {
        status = gat_key_hex(&setup->key, wanted->key_hex, error);
        settings->key_is_hex = true;
    }
    if (*wanted->key || *wanted->key_hex)
        setup->plan.key = &setup->key;
    return status;
}

int authenticate_setup(struct authenticate_setup *setup, const struct rig *rig,
                       const struct rig_authenticate *wanted, const uint64_t *seed,
                       struct error *error)
{
    int status;

    *setup = (struct authenticate_setup){.plan.settings = gat_standard};
    status = read_key(setup, wanted, error);
    if (!status && *wanted->approved) {
        status = approved_load(wanted->approved, &setup->approved, error);
        if (!status && setup->approved->key.is_hex)
            setup->plan.settings.key_is_hex = true;
        setup->plan.approved = setup->approved;
        if (!status)
            status = authenticate_check(&setup->plan, error);
        if (status)
            rig_place_error(rig, &wanted->approved_place, "approved", error);
    }
    if (!status)
        status = authenticate_fresh(setup, seed, error);
    if (status)
        authenticate_setup_free(setup);
    return status;
}

void authenticate_setup_free(struct authenticate_setup *setup)
{
    approved_free(setup->approved);
    *setup = (struct authenticate_setup){.approved = NULL};
}
