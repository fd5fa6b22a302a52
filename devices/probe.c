/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/probe.h"

#include <stdio.h>

REGISTRY(device_probes);

static bool has_rate(const struct device_probe *probe, uint32_t rate)
{
    for (const uint32_t *at = probe->rates; *at; at++)
        if (*at == rate)
            return true;
    return false;
}

/* The fastest rate of all probes below `limit`; 0: there is none. */
static uint32_t next_rate(uint32_t limit)
{
    const struct device_probe *probe;
    uint32_t next = 0;

    for (size_t i = 0; (probe = registry_at(&device_probes, i)); i++)
        for (const uint32_t *at = probe->rates; *at; at++)
            if (*at<limit && * at> next)
                next = *at;
    return next;
}

/* The port is opened once for all that are asked at a rate: some devices start anew with it. */
static int probe_at(const struct hal *hal, const char *path, uint32_t rate,
                    struct device_found *found, struct error *error)
{
    const struct device_probe *probe;
    char address[LINK_ADDRESS_MAX];
    struct link *link;
    int status;

    if (snprintf(address, sizeof address, "serial:%s@%u", path, rate) >= LINK_ADDRESS_MAX)
        return error_set(error, ERROR_CONFIG, "%.60s…: no address is so long", path);
    status = link_open(&link, hal, address, error);
    if (status)
        return status;
    for (size_t i = 0; !status && (probe = registry_at(&device_probes, i)); i++)
        if (has_rate(probe, rate))
            status = probe->ask(link, found, error);
    link_close(link);
    /* A line that takes no bytes, for want of a cable, has nobody behind it. */
    return status == ERROR_TIMEOUT ? 0 : status;
}

int device_probe_port(const struct hal *hal, const char *path, struct device_found *found,
                      struct error *error)
{
    int status = 0;

    for (uint32_t rate = next_rate(UINT32_MAX); rate && !status; rate = next_rate(rate)) {
        *found = (struct device_found){.rate = rate};
        status = probe_at(hal, path, rate, found, error);
    }
    return status;
}

int device_probe_link(struct link *link, struct device_found *found, const char **protocol,
                      struct error *error)
{
    const struct device_probe *probe;
    int status = 0;

    for (size_t i = 0; !status && (probe = registry_at(&device_probes, i)); i++) {
        *found = (struct device_found){.rate = 0};
        *protocol = probe->name;
        status = probe->ask(link, found, error);
    }
    return status == ERROR_TIMEOUT ? 0 : status;
}
