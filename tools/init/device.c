/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an answer about a device means, held to what a rig file may say of it. */
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/shuffler.h"
#include "hal/base/plural.h"
#include "hal/pins/discover.h"
#include "rigs/rig/write.h"
#include "tools/init/init.h"

bool init_lacks_rate(const char *address)
{
    return !strncmp(address, "serial:", 7) && !strchr(address, '@');
}

/* The model that an address names, or NULL. */
static const struct model_kind *model_of(enum device_class class, const char *address)
{
    const struct model_kind *kind;
    size_t length;

    if (!rig_is_emulated(address))
        return NULL;
    address += strlen("emu:");
    length = strcspn(address, "?");
    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->class == class && strlen(kind->name) == length &&
            !strncmp(kind->name, address, length))
            return kind;
    return NULL;
}

/* The driver that is meant where an address stands alone. */
static const char *usual_driver(enum device_class class, const char *address)
{
    const struct model_kind *kind = model_of(class, address);
    const struct device_driver *driver;

    if (kind)
        return kind->driver;
    if (!strncmp(address, "gpio:", 5))
        for (size_t i = 0; (driver = device_driver_at(i)); i++)
            if (driver->class == class && driver->on_pins)
                return device_driver_name(driver);
    return device_driver_find(class, "open", NULL) ? "open" : "unit";
}

static int read_number(const struct init_items *items, enum device_class class, const char *answer,
                       struct rig_device *device, struct error *error)
{
    unsigned long number = strtoul(answer, NULL, 10);
    const struct init_item *item;

    if (!number || number > items->count)
        return error_set(error, ERROR_CONFIG, "'%.20s' is no number of the list", answer);
    item = &items->list[number - 1];
    if (item->is_known && item->class != class)
        return error_set(error, ERROR_CONFIG, "%s is of %s, not of %s", item->address,
                         device_class_name(item->class), device_class_name(class));
    snprintf(device->address, sizeof device->address, "%s", item->address);
    if (!*device->driver && item->is_known)
        snprintf(device->driver, sizeof device->driver, "%s", item->driver);
    return 0;
}

/* The emulated device that the driver talks to. */
static int read_emulated(enum device_class class, struct rig_device *device, struct error *error)
{
    const char *usual = class == DEVICE_SENSORS ? "pins" : "open";
    const struct device_driver *driver =
        device_driver_find(class, *device->driver ? device->driver : usual, error);
    const struct model_kind *kind = driver ? model_kind_for(driver) : NULL;

    if (!driver)
        return ERROR_CONFIG;
    if (!kind)
        return error_set(error, ERROR_CONFIG, "there is no emulated %s for the driver '%s'",
                         device_class_name(class), device->driver);
    snprintf(device->address, sizeof device->address, "emu:%s", kind->name);
    return 0;
}

/* Cuts "DRIVER=REST", or takes a driver alone; the rest, or NULL when it is no driver. */
static const char *cut_driver(enum device_class class, const char *answer,
                              struct rig_device *device)
{
    size_t length = strcspn(answer, "=");
    char name[RIG_NAME_MAX];

    if (length >= sizeof name || memchr(answer, ':', length))
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, answer);
    if (!device_driver_find(class, name, NULL))
        return NULL;
    snprintf(device->driver, sizeof device->driver, "%s", name);
    return answer + length + (answer[length] == '=');
}

/* The rig file that has this device alone says what is wrong with it. */
static int try_device(enum device_class class, const struct rig_device *device, struct error *error)
{
    const struct device_driver *driver = device_driver_find(class, device->driver, error);
    struct rig_seat seat = {.seat = 1, .bet = "bet1"};
    struct rig_sensors sensors = {.device = *device, .debounce_us = 20000, .seats = &seat};
    struct rig_device copy = *device;
    const struct rig_lines some = {.exit = "exit", .press_ms = 100, .debounce_us = 20000};
    struct rig rig = {.name = "bench", .seats = 7, .order = RIG_ORDER_COMPARE}, *parsed;
    struct error said;
    size_t size;
    char *text = NULL, *sentence;
    FILE *out = open_memstream(&text, &size);
    int status;

    if (!driver || !out)
        return driver ? error_set(error, ERROR_RIG, "no memory for a rig file") : ERROR_CONFIG;
    rig.clock = rig_is_emulated(device->address) ? RIG_CLOCK_VIRTUAL : RIG_CLOCK_REAL;
    sensors.seats_count = driver->on_pins;
    if (!*copy.lines.exit)
        copy.lines = some;
    rig.devices = (struct rig_devices){.shuffler = class == DEVICE_SHUFFLER ? &copy : NULL,
                                       .shoe = class == DEVICE_SHOE ? &copy : NULL,
                                       .terminal = class == DEVICE_TERMINAL ? &copy : NULL,
                                       .sensors = class == DEVICE_SENSORS ? &sensors : NULL};
    rig_write(&rig, NULL, out);
    fclose(out);
    status = rig_parse(&parsed, "rig", text, size, &said);
    rig_free(parsed);
    free(text);
    if (!status)
        return 0;
    sentence = strstr(said.text, ": ");
    return error_set(error, (enum error_code)status, "%s", sentence ? sentence + 2 : said.text);
}

/* A rig file without its script would not do; it is asked for next. */
static bool lacks_script(enum device_class class, const struct rig_device *device)
{
    const struct device_driver *driver = device_driver_find(class, device->driver, NULL);

    return driver && driver->takes_script && *device->address;
}

int init_read_device(const struct init_items *items, enum device_class class, const char *answer,
                     struct rig_device *device, struct error *error)
{
    const char *rest;
    int status = 0;

    *device = (struct rig_device){.driver = ""};
    if (!strcmp(answer, "none"))
        return 0;
    rest = cut_driver(class, answer, device);
    answer = rest ? rest : answer;
    if (*answer && answer[strspn(answer, "0123456789")] == '\0')
        status = read_number(items, class, answer, device, error);
    else if (!strcmp(answer, "emu"))
        status = read_emulated(class, device, error);
    else if (!rest && !strchr(answer, ':'))
        return error_set(error, ERROR_CONFIG,
                         "'%.60s' is no answer; write none, emu, a number of the list, an address "
                         "as in usb:1209:0001, or DRIVER=ADDRESS",
                         answer);
    else if (strlen(answer) >= sizeof device->address)
        return error_set(error, ERROR_CONFIG, "an address has at most %d bytes",
                         LINK_ADDRESS_MAX - 1);
    else
        strcpy(device->address, answer);
    if (status)
        return status;
    if (!*device->driver)
        snprintf(device->driver, sizeof device->driver, "%s", usual_driver(class, device->address));
    if (init_lacks_rate(device->address))
        return 0;
    status = link_backend_of(device->address) ? link_check(device->address, error) : 0;
    return status || lacks_script(class, device) ? status : try_device(class, device, error);
}

/* Looks for lines of a chip. */
struct chip_search {
    const char *label;
    const char *name;
    bool is_there, has_line;
};

static void look_at_chip(void *context, const struct gpio_chip_info *chip)
{
    struct chip_search *search = context;
    char *end;
    unsigned long offset = strtoul(search->name, &end, 10);

    if (chip->failed || strcmp(chip->label, search->label) != 0)
        return;
    search->is_there = true;
    search->has_line |= *search->name && !*end && offset < chip->count;
    for (size_t i = 0; i < chip->count; i++)
        search->has_line |= !strcmp(chip->lines[i].name, search->name);
}

static struct chip_search search_chip(const char *address, const char *name)
{
    struct chip_search search = {.label = address + strlen("gpio:"), .name = name};

    if (!strncmp(address, "gpio:", 5))
        discover_gpio(look_at_chip, &search, NULL);
    return search;
}

/* So many lines by name or offset, "-" for none; the chip must have them where it is attached. */
static int read_words(const char *address, const char *answer, char *const into[], unsigned count,
                      const char *order, struct error *error)
{
    for (unsigned i = 0; i < count; i++) {
        size_t length = strcspn(answer += strspn(answer, " "), " ");
        char word[PIN_NAME_MAX];
        struct chip_search search;

        if (!length || length >= sizeof word || (i + 1 == count && answer[length]))
            return error_set(error, ERROR_CONFIG,
                             "this takes %u name%s of lines; write %s in this order, - for none",
                             count, plural(count), order);
        snprintf(word, sizeof word, "%.*s", (int)length, answer);
        search = search_chip(address, word);
        answer += length;
        into[i][0] = '\0';
        if (!strcmp(word, "-"))
            continue;
        if (search.is_there && !search.has_line)
            return error_set(error, ERROR_CONFIG, "%s has no line '%s'", address, word);
        strcpy(into[i], word);
    }
    return 0;
}

int init_read_lines(const char *address, unsigned seat, const char *answer, struct rig_seat *lines,
                    struct error *error)
{
    char *const into[BET_LINES] = {lines->bet, lines->light, lines->chip, lines->lamp};
    int status;

    *lines = (struct rig_seat){.seat = (uint8_t)seat};
    status = read_words(address, answer, into, BET_LINES, "bet, light, chip and lamp", error);
    if (status || *lines->bet || *lines->light || *lines->chip || *lines->lamp)
        return status;
    return error_set(error, ERROR_CONFIG, "seat %u needs one line at least", seat);
}

int init_read_shuffler(const char *address, const char *answer, struct rig_lines *lines,
                       struct error *error)
{
    char *const into[SHUFFLER_LINES] = {lines->button, lines->exit, lines->ready, lines->jam,
                                        lines->door};
    int status = read_words(address, answer, into, SHUFFLER_LINES,
                            "button, exit, ready, jam and door", error);

    if (status || *lines->exit)
        return status;
    return error_set(error, ERROR_CONFIG, "the line at the exit must be there: it sees packets");
}

bool init_usual_shuffler(const char *address, char text[INIT_LINES_SIZE])
{
    text[0] = '\0';
    for (unsigned i = 0; i < SHUFFLER_LINES; i++) {
        size_t used = strlen(text);

        if (!rig_is_emulated(address) && !search_chip(address, shuffler_line_names[i]).has_line)
            return false;
        snprintf(text + used, INIT_LINES_SIZE - used, "%s%s", i ? " " : "", shuffler_line_names[i]);
    }
    return true;
}

#define HEADER_SEATS 6

static void header_lines(unsigned seat, struct rig_seat *lines)
{
    *lines = (struct rig_seat){.seat = (uint8_t)seat};
    snprintf(lines->bet, sizeof lines->bet, "GPIO%u", 3 + seat);
    snprintf(lines->light, sizeof lines->light, "GPIO%u", 9 + seat);
    snprintf(lines->chip, sizeof lines->chip, "GPIO%u", 15 + seat);
    snprintf(lines->lamp, sizeof lines->lamp, "GPIO%u", 21 + seat);
}

static void named_lines(unsigned seat, struct rig_seat *lines)
{
    *lines = (struct rig_seat){.seat = (uint8_t)seat};
    snprintf(lines->bet, sizeof lines->bet, "bet%u", seat);
    snprintf(lines->light, sizeof lines->light, "light%u", seat);
    snprintf(lines->chip, sizeof lines->chip, "chip%u", seat);
    snprintf(lines->lamp, sizeof lines->lamp, "lamp%u", seat);
}

static bool has_all(const char *address, const struct rig_seat *lines)
{
    return search_chip(address, lines->bet).has_line &&
           search_chip(address, lines->light).has_line &&
           search_chip(address, lines->chip).has_line && search_chip(address, lines->lamp).has_line;
}

bool init_usual_lines(const char *address, unsigned seat, struct rig_seat *lines)
{
    named_lines(seat, lines);
    if (rig_is_emulated(address) || has_all(address, lines))
        return true;
    header_lines(seat, lines);
    return seat <= HEADER_SEATS && has_all(address, lines);
}

bool init_is_header(const struct rig_seat *lines)
{
    struct rig_seat header;

    header_lines(lines->seat, &header);
    return lines->seat <= HEADER_SEATS && !strcmp(header.bet, lines->bet) &&
           !strcmp(header.light, lines->light) && !strcmp(header.chip, lines->chip) &&
           !strcmp(header.lamp, lines->lamp);
}
