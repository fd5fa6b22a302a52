/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked about the machines of a bench. */
#include <string.h>

#include "devices/cards/reader.h"
#include "devices/model.h"
#include "tools/init/inquiry.h"

/* A port, chip or device has one use; emulated ones are made as they are needed. */
static int check_use(const struct init *init, enum device_class class,
                     const struct rig_device *device, struct error *error)
{
    size_t length = strcspn(device->address, "@");

    if (!*device->address || rig_is_emulated(device->address))
        return 0;
    if (strncmp(device->address, "serial:", 7) != 0)
        length = strlen(device->address);
    for (unsigned other = 0; other < class; other++)
        if (!strncmp(init->devices[other].address, device->address, length) &&
            (!init->devices[other].address[length] || init->devices[other].address[length] == '@'))
            return error_set(error, ERROR_CONFIG, "%s is the address of the %s already",
                             device->address, device_class_name((enum device_class)other));
    return 0;
}

static int check_device(const struct init *init, enum device_class class, const char *answer,
                        struct error *error)
{
    struct rig_device device;
    int status = init_read_device(&init->items, class, answer, &device, error);

    return status ? status : check_use(init, class, &device, error);
}

static int check_rate(const struct init *init, enum device_class class, const char *answer,
                      struct error *error)
{
    struct rig_device device = init->devices[class];
    char named[2 * LINK_ADDRESS_MAX];

    if (strlen(answer) > 16 || answer[strspn(answer, "0123456789")] || *answer == '0')
        return error_set(error, ERROR_CONFIG, "'%.40s' is no baud rate; it is a number", answer);
    snprintf(named, sizeof named, "%s=%s@%s", device.driver, device.address, answer);
    return init_read_device(&init->items, class, named, &device, error);
}

/* A port does not tell at which rate its device speaks. */
static int ask_rate(struct init *init, enum device_class class, struct error *error)
{
    struct rig_device *device = &init->devices[class];
    struct inquiry inquiry = {
        .option = device_class_name(class), .check = check_rate, .class = class};
    char answer[DESK_ANSWER_SIZE];
    size_t length = strlen(device->address);
    int status;

    if (!init_lacks_rate(device->address))
        return 0;
    snprintf(inquiry.text, sizeof inquiry.text, "What is the baud rate at %.180s?",
             device->address);
    status = init_inquire(init, &inquiry, answer, error);
    if (!status)
        snprintf(device->address + length, sizeof device->address - length, "@%s", answer);
    return status;
}

static int ask_device(struct init *init, enum device_class class, struct error *error)
{
    static const char *const called[DEVICE_CLASSES] = {"Is there a shuffler", "Is there a shoe",
                                                       "Is there a dealer terminal",
                                                       "Are there bet sensors"};
    int only = init_only(&init->items, class);
    char sure[RIG_NAME_MAX + LINK_ADDRESS_MAX], answer[DESK_ANSWER_SIZE];
    struct inquiry inquiry = {.option = device_class_name(class),
                              .given = init->options.devices[class],
                              .suggested = only > 0 ? sure
                                           : only   ? NULL
                                                    : "none",
                              .check = check_device,
                              .class = class};
    int status;

    if (only > 0)
        snprintf(sure, sizeof sure, "%s=%s", init->items.list[only - 1].driver,
                 init->items.list[only - 1].address);
    snprintf(inquiry.text, sizeof inquiry.text,
             "%s? none, emu, %s%san address, or DRIVER=ADDRESS%s", called[class],
             class == DEVICE_SENSORS ? "" : "hands, ",
             init->items.count ? "a number of the list, " : "",
             only < 0 ? "; several are attached." : ".");
    status = init_inquire(init, &inquiry, answer, error);
    if (!status)
        status = init_read_device(&init->items, class, answer, &init->devices[class], error);
    if (!status)
        status = ask_rate(init, class, error);
    return status ? status : init_ask_script(init, class, error);
}

static int check_decks(const struct init *init, enum device_class class, const char *answer,
                       struct error *error)
{
    (void)init;
    (void)class;
    return strcmp(answer, "1") != 0 && strcmp(answer, "2") != 0
               ? init_none_of(answer, "1, 2", error)
               : 0;
}

/* An emulated shuffler is told, a real one knows. */
static void give_decks(struct rig_device *shuffler)
{
    const struct device_driver *driver =
        device_driver_find(DEVICE_SHUFFLER, shuffler->driver, NULL);
    const struct model_kind *kind = driver ? model_kind_for(driver) : NULL;
    size_t length = strlen(shuffler->address);

    if (rig_is_emulated(shuffler->address) && kind && kind->deck_in &&
        !strchr(shuffler->address, '?'))
        snprintf(shuffler->address + length, sizeof shuffler->address - length, "?decks=2");
}

static int ask_decks(struct init *init, struct error *error)
{
    struct inquiry inquiry = {.option = "decks",
                              .given = init->options.decks,
                              .suggested = "1",
                              .text = "How many decks take turns at the shuffler, 1 or 2?",
                              .check = check_decks};
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (!inquiry.given && !*init->devices[DEVICE_SHUFFLER].driver)
        inquiry.given = "1";
    status = init_inquire(init, &inquiry, answer, error);
    if (status)
        return status;
    init->rig.decks = (uint8_t)(answer[0] - '0');
    if (init->rig.decks > 1)
        give_decks(&init->devices[DEVICE_SHUFFLER]);
    return 0;
}

static int check_code(const struct init *init, enum device_class class, const char *answer,
                      struct error *error)
{
    size_t length = strlen(answer);

    (void)init;
    (void)class;
    if (length >= 4 && length <= RIG_CODE_MAX && strspn(answer, "0123456789") == length)
        return 0;
    return error_set(error, ERROR_CONFIG, "this is no code; a code has 4 to %d digits",
                     RIG_CODE_MAX);
}

static int ask_code(struct init *init, const char *option, const char *given, const char *suggested,
                    const char *text, char code[RIG_CODE_MAX + 1], struct error *error)
{
    struct inquiry inquiry = {
        .option = option, .given = given, .suggested = suggested, .check = check_code};
    char answer[DESK_ANSWER_SIZE];
    int status;

    snprintf(inquiry.text, sizeof inquiry.text, "%s", text);
    status = init_inquire(init, &inquiry, answer, error);
    if (!status)
        snprintf(code, RIG_CODE_MAX + 1, "%.*s", RIG_CODE_MAX, answer);
    return status;
}

/* Emulated terminals have the usual codes, and people who enter them keep theirs. */
static int ask_codes(struct init *init, struct error *error)
{
    struct rig_device *terminal = &init->devices[DEVICE_TERMINAL];
    bool is_usual = !*terminal->address || rig_is_emulated(terminal->address);
    const char *code = init->options.code, *admin = init->options.admin;
    int status;

    if (is_usual && !code && !admin)
        return 0;
    status = ask_code(init, "code", !code && is_usual ? "4711" : code, "4711",
                      "Which code authorizes an award at the terminal?", terminal->code, error);
    return status ? status
                  : ask_code(init, "admin", !admin && is_usual ? "86420" : admin, "86420",
                             "Which code has its administrator?", terminal->admin, error);
}

static int check_shuffler(const struct init *init, enum device_class class, const char *answer,
                          struct error *error)
{
    struct rig_lines lines;

    return init_read_shuffler(init->devices[class].address, answer, &lines, error);
}

/* The lines of a shuffler on pins. */
static int ask_shuffler(struct init *init, struct error *error)
{
    struct rig_device *shuffler = &init->devices[DEVICE_SHUFFLER];
    const struct device_driver *driver =
        device_driver_find(DEVICE_SHUFFLER, shuffler->driver, NULL);
    char usual[INIT_LINES_SIZE], answer[DESK_ANSWER_SIZE];
    struct inquiry inquiry = {
        .option = "lines",
        .given = init->options.lines[0],
        .text = "Its lines button, exit, ready, jam and door, by name or offset, - for none?",
        .check = check_shuffler,
        .class = DEVICE_SHUFFLER};
    int status;

    if (!driver || !driver->on_pins)
        return 0;
    if (init_usual_shuffler(shuffler->address, usual))
        inquiry.suggested = usual;
    if (rig_is_emulated(shuffler->address) && !inquiry.given)
        inquiry.given = usual;
    status = init_inquire(init, &inquiry, answer, error);
    shuffler->lines.press_ms = 100;
    shuffler->lines.debounce_us = 20000;
    return status ? status : init_read_shuffler(shuffler->address, answer, &shuffler->lines, error);
}

static int check_reader(const struct init *init, enum device_class class, const char *answer,
                        struct error *error)
{
    (void)init;
    (void)class;
    return card_reader_check(answer, error);
}

/* The file is read when the bench is opened; that it is there is asked for now. */
static int check_map(const struct init *init, enum device_class class, const char *answer,
                     struct error *error)
{
    (void)init;
    (void)class;
    return strlen(answer) < RIG_PATH_MAX
               ? 0
               : error_set(error, ERROR_CONFIG, "a path has at most %d bytes", RIG_PATH_MAX - 1);
}

static int ask_map(struct init *init, struct rig_device *device, struct error *error)
{
    struct inquiry inquiry = {.option = "map",
                              .given = init->options.map,
                              .text = "Which file has the scanner's codes and their cards?",
                              .check = check_map};
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (strncmp(device->cards, "scanner", 7) != 0)
        return 0;
    status = init_inquire(init, &inquiry, answer, error);
    if (!status)
        snprintf(device->map, sizeof device->map, "%s", answer);
    return status;
}

/* Who reads the cards of a machine that does not tell them. */
static int ask_reader(struct init *init, enum device_class class, struct error *error)
{
    struct rig_device *device = &init->devices[class];
    const struct device_driver *driver = device_driver_find(class, device->driver, NULL);
    struct inquiry inquiry = {.option = "cards",
                              .given = init->options.cards,
                              .suggested = rig_is_emulated(device->address) ? "model" : "hands",
                              .check = check_reader};
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (!driver || !driver->takes_cards)
        return 0;
    snprintf(inquiry.text, sizeof inquiry.text,
             "Who reads the cards of the %s: hands, scanner:PATH or none?",
             device_class_name(class));
    status = init_inquire(init, &inquiry, answer, error);
    if (status)
        return status;
    snprintf(device->cards, sizeof device->cards, "%s", answer);
    return ask_map(init, device, error);
}

static int check_order(const struct init *init, enum device_class class, const char *answer,
                       struct error *error)
{
    (void)init;
    (void)class;
    return strcmp(answer, "stack") != 0 && strcmp(answer, "compare") != 0
               ? init_none_of(answer, "stack, compare", error)
               : 0;
}

/* Only who knows the machine can say whether it deals a deck as it was put in. */
static int ask_order(struct init *init, struct error *error)
{
    struct inquiry inquiry = {
        .option = "order",
        .given = init->options.order,
        .suggested = "compare",
        .check = check_order,
        .text =
            "Can it deal a deck as it was put in, so that people stack recorded orders (stack), "
            "or does it always shuffle (compare)?"};
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (!((init_capabilities(init, DEVICE_SHUFFLER) | init_capabilities(init, DEVICE_SHOE)) &
          DEVICE_IS_STACKED))
        return 0;
    status = init_inquire(init, &inquiry, answer, error);
    init->is_stacked = !status && !strcmp(answer, "stack");
    return status;
}

static int check_lines(const struct init *init, enum device_class seat, const char *answer,
                       struct error *error)
{
    struct rig_seat lines;

    return init_read_lines(init->devices[DEVICE_SENSORS].address, (unsigned)seat, answer, &lines,
                           error);
}

static const char *dash(const char *line)
{
    return *line ? line : "-";
}

static int ask_lines(struct init *init, unsigned seat, struct error *error)
{
    const char *address = init->devices[DEVICE_SENSORS].address;
    struct rig_seat *lines = &init->seats[seat - 1];
    char usual[4 * PIN_NAME_MAX], answer[DESK_ANSWER_SIZE];
    bool has_usual = init_usual_lines(address, seat, lines);
    struct inquiry inquiry = {.option = "lines",
                              .given = init->options.lines[seat],
                              .suggested = has_usual ? usual : NULL,
                              .check = check_lines,
                              .class = (enum device_class)seat};
    int status;

    snprintf(usual, sizeof usual, "%s %s %s %s", dash(lines->bet), dash(lines->light),
             dash(lines->chip), dash(lines->lamp));
    if (rig_is_emulated(address) && !inquiry.given)
        inquiry.given = usual;
    snprintf(inquiry.text, sizeof inquiry.text,
             "Seat %u: its lines bet, light, chip and lamp, by name or offset, - for none?", seat);
    status = init_inquire(init, &inquiry, answer, error);
    return status ? status : init_read_lines(address, seat, answer, lines, error);
}

static int ask_wiring(struct init *init, struct error *error)
{
    const struct device_driver *driver =
        device_driver_find(DEVICE_SENSORS, init->devices[DEVICE_SENSORS].driver, NULL);
    bool is_header = true;
    int status = 0;

    init->sensors.device = init->devices[DEVICE_SENSORS];
    if (!driver || !driver->on_pins)
        return 0;
    init->sensors.debounce_us = 20000;
    init->sensors.seats = init->seats;
    init->sensors.seats_count = init->rig.seats;
    for (unsigned seat = 1; seat <= init->rig.seats && !status; seat++) {
        status = ask_lines(init, seat, error);
        is_header &= init_is_header(&init->seats[seat - 1]);
    }
    if (is_header) {
        init->sensors.bias = PIN_PULL_UP;
        init->sensors.active_low = 1 << BET_LINE_BET | 1 << BET_LINE_LAMP;
    }
    return status;
}

int init_ask_machines(struct init *init, struct error *error)
{
    int status = 0;

    for (unsigned class = 0; class < DEVICE_CLASSES && !status; class ++)
        status = ask_device(init, (enum device_class) class, error);
    if (!status)
        status = init_check_script(init, error);
    if (!status)
        status = ask_shuffler(init, error);
    if (!status)
        status = ask_reader(init, DEVICE_SHUFFLER, error);
    if (!status)
        status = ask_reader(init, DEVICE_SHOE, error);
    if (!status)
        status = ask_order(init, error);
    if (!status)
        status = ask_decks(init, error);
    if (!status)
        status = ask_codes(init, error);
    if (!status)
        status = ask_wiring(init, error);
    return status;
}
