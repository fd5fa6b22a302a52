/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/terminal.h"

static const struct terminal_driver *driver_of(const struct terminal *terminal)
{
    return (const struct terminal_driver *)terminal->device.driver;
}

int terminal_open(struct terminal **terminal, const char *driver, struct link *link,
                  struct error *error)
{
    return device_open_on_link((struct device **)terminal, DEVICE_TERMINAL, driver, link, "",
                               error);
}

void terminal_close(struct terminal *terminal)
{
    device_close((struct device *)terminal);
}

int terminal_key(struct terminal *terminal, const struct terminal_press *press, struct error *error)
{
    return driver_of(terminal)->key(terminal, press, error);
}

int terminal_keys(struct terminal *terminal, const struct terminal_press *presses, unsigned count,
                  struct error *error)
{
    int result = 0;

    if (driver_of(terminal)->keys)
        return driver_of(terminal)->keys(terminal, presses, count, error);
    for (unsigned i = 0; i < count && !result; i++)
        result = terminal_key(terminal, &presses[i], error);
    return result;
}

int terminal_expect(struct terminal *terminal, const struct terminal_config *config,
                    struct error *error)
{
    return driver_of(terminal)->expect ? driver_of(terminal)->expect(terminal, config, error) : 0;
}

int terminal_status(struct terminal *terminal, struct terminal_status *status, struct error *error)
{
    if (!device_can(&terminal->device, DEVICE_TELLS_STATUS))
        return device_cannot(&terminal->device, "gives no status: look at it", error);
    return driver_of(terminal)->status(terminal, status, error);
}

int terminal_sensors(struct terminal *terminal, unsigned seats, struct error *error)
{
    return driver_of(terminal)->sensors ? driver_of(terminal)->sensors(terminal, seats, error) : 0;
}

int terminal_meters(struct terminal *terminal, struct terminal_meters *meters, struct error *error)
{
    return driver_of(terminal)->meters(terminal, meters, error);
}

int terminal_screen(struct terminal *terminal, struct terminal_screen *screen, struct error *error)
{
    return driver_of(terminal)->screen(terminal, screen, error);
}

int terminal_sign(struct terminal *terminal, struct terminal_sign *sign, struct error *error)
{
    return driver_of(terminal)->sign(terminal, sign, error);
}

int terminal_lights(struct terminal *terminal, uint8_t *seats, struct error *error)
{
    return driver_of(terminal)->lights(terminal, seats, error);
}

int terminal_configure(struct terminal *terminal, const char *admin,
                       const struct terminal_config *config, struct error *error)
{
    if (terminal_config_check(config, error)) {
        error_prefix(error, "%s", terminal->device.address);
        return ERROR_CONFIG;
    }
    return driver_of(terminal)->configure(terminal, admin, config, error);
}

int terminal_configuration(struct terminal *terminal, struct terminal_config *config,
                           struct error *error)
{
    if (!device_can(&terminal->device, DEVICE_TELLS_CONFIG))
        return device_cannot(&terminal->device, "does not tell its configuration", error);
    return driver_of(terminal)->configuration(terminal, config, error);
}

int terminal_correct(struct terminal *terminal, const char *admin, unsigned meter, uint64_t micros,
                     const char *reason, struct error *error)
{
    return driver_of(terminal)->correct(terminal, admin, meter, micros, reason, error);
}

int terminal_test_mode(struct terminal *terminal, bool on, struct error *error)
{
    if (!device_can(&terminal->device, DEVICE_HAS_TEST_MODE))
        return device_cannot(&terminal->device, "has no test mode", error);
    return driver_of(terminal)->test_mode(terminal, on, error);
}

int terminal_load_must_hit(struct terminal *terminal, unsigned seat, struct error *error)
{
    if (!device_can(&terminal->device, DEVICE_HAS_TEST_MODE))
        return device_cannot(&terminal->device, "is not told whom to pay Must Hit", error);
    return driver_of(terminal)->load_must_hit(terminal, seat, error);
}

int terminal_ledger(struct terminal *terminal, uint32_t number, struct terminal_ledger_entry *entry,
                    struct error *error)
{
    if (!device_can(&terminal->device, DEVICE_KEEPS_LOG))
        return device_cannot(&terminal->device, "shows no ledger", error);
    return driver_of(terminal)->ledger(terminal, number, entry, error);
}

int terminal_next(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                  struct error *error)
{
    return driver_of(terminal)->next(terminal, event, deadline, error);
}
