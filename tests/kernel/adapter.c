/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/adapter.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define GADGETS "/sys/kernel/config/usb_gadget"
#define TTYS    "/sys/class/tty"

#define ARGUMENTS_MAX 16

static void set(const struct adapter *adapter, const char *attribute, const char *value)
{
    char path[GUEST_PATH_SIZE];

    guest_text(path, GADGETS "/adapter%u/%s", adapter->number, attribute);
    guest_write(path, value);
}

static void make_directory(const struct adapter *adapter, const char *name)
{
    char path[GUEST_PATH_SIZE];

    guest_text(path, GADGETS "/adapter%u%s", adapter->number, name);
    guest_make_directory(path);
}

static void take_away(const struct adapter *adapter, const char *name)
{
    char path[GUEST_PATH_SIZE];

    guest_text(path, GADGETS "/adapter%u%s", adapter->number, name);
    guest_remove(path);
}

static void name_device(struct adapter *adapter)
{
    char path[GUEST_PATH_SIZE], number[8] = "";

    guest_text(path, GADGETS "/adapter%u/functions/acm.0/port_num", adapter->number);
    if (!guest_read(path, number, sizeof number))
        guest_die("%s: %m", path);
    snprintf(adapter->device, sizeof adapter->device, "/dev/ttyGS%s", number);
}

static void put_function(const struct adapter *adapter)
{
    char from[GUEST_PATH_SIZE], to[GUEST_PATH_SIZE];

    guest_text(from, GADGETS "/adapter%u/functions/acm.0", adapter->number);
    guest_text(to, GADGETS "/adapter%u/configs/c.1/acm.0", adapter->number);
    if (symlink(from, to))
        guest_die("%s: %m", to);
}

void adapter_make(struct adapter *adapter, unsigned number, const char *serial)
{
    *adapter = (struct adapter){.number = number, .serial = serial};
    make_directory(adapter, "");
    set(adapter, "idVendor", "0x1d6b");
    set(adapter, "idProduct", "0x0106");
    make_directory(adapter, "/strings/0x409");
    set(adapter, "strings/0x409/serialnumber", serial);
    set(adapter, "strings/0x409/manufacturer", "dealproof");
    set(adapter, "strings/0x409/product", "serial adapter");
    make_directory(adapter, "/configs/c.1");
    make_directory(adapter, "/functions/acm.0");
    put_function(adapter);
    name_device(adapter);
    adapter_plug_in(adapter);
}

/* The port whose USB device has that serial number. */
static bool find_port(const struct adapter *adapter, char *port, size_t size)
{
    DIR *ttys = opendir(TTYS);
    const struct dirent *entry;
    bool is_found = false;

    while (ttys && !is_found && (entry = readdir(ttys))) {
        char path[GUEST_PATH_SIZE], serial[64];

        if (strncmp(entry->d_name, "ttyACM", strlen("ttyACM")) != 0)
            continue;
        guest_text(path, TTYS "/%s/device/../serial", entry->d_name);
        is_found = guest_read(path, serial, sizeof serial) && !strcmp(serial, adapter->serial);
        if (is_found)
            snprintf(port, size, "/dev/%.20s", entry->d_name);
    }
    if (ttys)
        closedir(ttys);
    return is_found;
}

/* The name that udev gives to the port. */
static void name_link(const struct adapter *adapter, char path[GUEST_PATH_SIZE])
{
    guest_text(path, "/dev/serial/by-id/usb-dealproof_serial_adapter_%s-if00", adapter->serial);
}

static bool has_port(const void *context)
{
    const struct adapter *adapter = context;
    char port[32], link[GUEST_PATH_SIZE];

    name_link(adapter, link);
    return find_port(adapter, port, sizeof port) && !access(link, F_OK);
}

/* The link too, or what udev is late to remove would be taken for that of the next port. */
static bool has_no_port(const void *context)
{
    const struct adapter *adapter = context;
    char port[32], link[GUEST_PATH_SIZE];

    name_link(adapter, link);
    return !find_port(adapter, port, sizeof port) &&
           faccessat(AT_FDCWD, link, F_OK, AT_SYMLINK_NOFOLLOW);
}

void adapter_plug_in(struct adapter *adapter)
{
    char controller[32];

    snprintf(controller, sizeof controller, "dummy_udc.%u", adapter->number);
    set(adapter, "UDC", controller);
    if (!guest_wait(has_port, adapter) || !find_port(adapter, adapter->port, sizeof adapter->port))
        guest_die("%s: the kernel makes no port of the adapter", adapter->serial);
}

void adapter_serve(struct adapter *adapter, const char *device, const char *const *arguments)
{
    const char *words[ARGUMENTS_MAX] = {device, "--tty", adapter->device};

    for (size_t i = 3; arguments && *arguments && i + 1 < ARGUMENTS_MAX; i++)
        words[i] = *arguments++;
    guest_emulate(&adapter->model, words);
    adapter->is_served = true;
}

static void end_model(struct adapter *adapter)
{
    if (adapter->is_served)
        guest_end(&adapter->model);
    adapter->is_served = false;
}

void adapter_unplug(struct adapter *adapter)
{
    set(adapter, "UDC", "\n");
    end_model(adapter);
    if (!guest_wait(has_no_port, adapter))
        guest_die("%s: the port stays although its adapter is gone", adapter->serial);
}

void adapter_free(struct adapter *adapter)
{
    end_model(adapter);
    if (!has_no_port(adapter))
        adapter_unplug(adapter);
    take_away(adapter, "/configs/c.1/acm.0");
    take_away(adapter, "/functions/acm.0");
    take_away(adapter, "/configs/c.1");
    take_away(adapter, "/strings/0x409");
    take_away(adapter, "");
}
