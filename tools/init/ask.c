/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of who knows the bench, or said by options, one thing after the other. */
#include <string.h>

#include "tools/init/inquiry.h"

static int check_game(const struct init *init, enum device_class class, const char *answer,
                      struct error *error)
{
    const struct game *game;
    struct name_list known;

    (void)init;
    (void)class;
    name_list_start(&known);
    name_list_add(&known, "any");
    for (size_t i = 0; (game = game_at(i)); i++) {
        if (!strcmp(game->name, answer))
            return 0;
        name_list_add(&known, game->name);
    }
    return strcmp(answer, "any") ? init_none_of(answer, name_list_text(&known), error) : 0;
}

static int ask_game(struct init *init, struct error *error)
{
    struct inquiry inquiry = {
        .option = "game", .given = init->options.game, .suggested = "any", .check = check_game};
    char answer[DESK_ANSWER_SIZE];
    const struct game *game;
    struct name_list known;
    int status;

    name_list_start(&known);
    for (size_t i = 0; (game = game_at(i)); i++)
        name_list_add(&known, game->name);
    snprintf(inquiry.text, sizeof inquiry.text, "Which game is dealt: %s or any?",
             name_list_text(&known));
    status = init_inquire(init, &inquiry, answer, error);
    for (size_t i = 0; !status && (game = game_at(i)); i++)
        if (!strcmp(game->name, answer))
            init->game = game;
    return status;
}

static int check_seats(const struct init *init, enum device_class class, const char *answer,
                       struct error *error)
{
    (void)init;
    (void)class;
    if (answer[0] >= '1' && answer[0] <= '0' + SEATS_MAX && !answer[1])
        return 0;
    return error_set(error, ERROR_CONFIG, "'%.40s' is no number of seats; a table has 1 to %d",
                     answer, SEATS_MAX);
}

static int ask_seats(struct init *init, struct error *error)
{
    struct inquiry inquiry = {.option = "seats",
                              .given = init->options.seats,
                              .suggested = "7",
                              .text = "How many seats has the table?",
                              .check = check_seats};
    char answer[DESK_ANSWER_SIZE];
    int status = init_inquire(init, &inquiry, answer, error);

    if (!status)
        init->rig.seats = (uint8_t)(answer[0] - '0');
    return status;
}

static int check_wagers(const struct init *init, enum device_class class, const char *answer,
                        struct error *error)
{
    (void)init;
    (void)class;
    return strcmp(answer, "collected") != 0 && strcmp(answer, "left") != 0
               ? init_none_of(answer, "collected, left", error)
               : 0;
}

static int ask_wagers(struct init *init, struct error *error)
{
    struct inquiry inquiry = {
        .option = "wagers",
        .given = init->options.wagers,
        .suggested = "collected",
        .check = check_wagers,
        .text = "What becomes of the progressive wagers at START ROUND: collected or left?"};
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (!inquiry.given &&
        !(*init->devices[DEVICE_TERMINAL].driver && *init->devices[DEVICE_SENSORS].driver))
        inquiry.given = "left";
    status = init_inquire(init, &inquiry, answer, error);
    init->rig.wagers =
        status || strcmp(answer, "left") == 0 ? RIG_WAGERS_LEFT : RIG_WAGERS_COLLECTED;
    return status;
}

static int check_yes(const struct init *init, enum device_class class, const char *answer,
                     struct error *error)
{
    (void)init;
    (void)class;
    return strcmp(answer, "yes") != 0 && strcmp(answer, "no") != 0
               ? init_none_of(answer, "yes, no", error)
               : 0;
}

/* Nothing is sent to a port unless somebody has said so. */
static int ask_probe(struct init *init, struct error *error)
{
    struct inquiry inquiry = {.option = "probe",
                              .given = init->options.probe      ? "yes"
                                       : init->options.no_probe ? "no"
                                                                : NULL,
                              .suggested = "no",
                              .check = check_yes};
    unsigned ports = init_ports(&init->items);
    char answer[DESK_ANSWER_SIZE];
    int status;

    if (!ports)
        return 0;
    snprintf(inquiry.text, sizeof inquiry.text,
             "May %s be asked what is there? Bytes are sent that known devices "
             "answer; what another one makes of them is not known. yes or no?",
             ports == 1 ? "the serial port" : "the serial ports");
    status = init_inquire(init, &inquiry, answer, error);
    return status || strcmp(answer, "yes") != 0
               ? status
               : init_probe(&init->items, &init->hal, stderr, error);
}

static bool is_emulated_bench(const struct init *init)
{
    for (unsigned class = 0; class < DEVICE_CLASSES; class ++)
        if (*init->devices[class].driver && !rig_is_emulated(init->devices[class].address))
            return false;
    return true;
}

static bool loads_order(const struct init *init, enum device_class class)
{
    return !*init->devices[class].driver || init_capabilities(init, class) & DEVICE_LOADS_ORDER;
}

/* One of two words of the rig file; anything else is a mistake. */
static int choose(const char *option, const char *given, const char *first, const char *second,
                  bool *is_second, struct error *error)
{
    if (!given)
        return 0;
    *is_second = !strcmp(given, second);
    if (*is_second || !strcmp(given, first))
        return 0;
    return error_set(error, ERROR_CONFIG, "--%s is '%.40s'; it must be %s or %s", option, given,
                     first, second);
}

static int conclude(struct init *init, struct error *error)
{
    struct rig_devices *devices = &init->rig.devices;
    bool is_real = !is_emulated_bench(init),
         compares = !loads_order(init, DEVICE_SHUFFLER) || !loads_order(init, DEVICE_SHOE);
    int status = choose("clock", init->options.clock, "virtual", "real", &is_real, error);

    if (!status && !init->is_stacked)
        status = choose("order", init->options.order, "load", "compare", &compares, error);
    init->rig.clock = is_real ? RIG_CLOCK_REAL : RIG_CLOCK_VIRTUAL;
    init->rig.order = init->is_stacked ? RIG_ORDER_STACK
                      : compares       ? RIG_ORDER_COMPARE
                                       : RIG_ORDER_LOAD;
    init->rig.reopen = is_real ? &init->reopen : NULL;
    if (*init->devices[DEVICE_SHUFFLER].driver)
        devices->shuffler = &init->devices[DEVICE_SHUFFLER];
    if (*init->devices[DEVICE_SHOE].driver)
        devices->shoe = &init->devices[DEVICE_SHOE];
    if (*init->devices[DEVICE_TERMINAL].driver)
        devices->terminal = &init->devices[DEVICE_TERMINAL];
    if (*init->devices[DEVICE_SENSORS].driver)
        devices->sensors = &init->sensors;
    if (!status && !devices->shuffler && !devices->shoe && !devices->terminal && !devices->sensors)
        return error_set(error, ERROR_CONFIG,
                         "there is no device, so there is no bench; 'dealproof discover' lists "
                         "what is attached, and --shuffler emu is an emulated one");
    return status;
}

int init_ask(struct init *init, struct error *error)
{
    int status;

    init_find(&init->items, stderr);
    if (init->options.questions || !init->options.json || strcmp(init->options.output, "-"))
        init_print(&init->items, init->options.questions || init->options.json);
    status = ask_probe(init, error);
    if (!status)
        status = ask_game(init, error);
    if (!status)
        status = ask_seats(init, error);
    if (!status)
        status = init_ask_machines(init, error);
    if (!status)
        status = ask_wagers(init, error);
    return status ? status : conclude(init, error);
}
