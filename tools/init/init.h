/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of `dealproof init` share: what is attached to this machine, what an answer about
 * a device means, and the rig that answers make. Nothing here writes to a device but init_probe().
 */
#ifndef TOOLS_INIT_INIT_H
#define TOOLS_INIT_INIT_H

#include <stdbool.h>
#include <stdio.h>

#include "devices/device.h"
#include "games/game.h"
#include "hal/desk/desk.h"
#include "hal/link/discover.h"
#include "rigs/rig/rig.h"
#include "tools/command.h"

#define INIT_ITEMS_MAX 32

/* Something attached, by its number in the list. */
struct init_item {
    char address[LINK_ADDRESS_MAX]; /* of a serial port without a rate until one is known */
    char text[2 * DISCOVER_TEXT_MAX];
    bool is_known; /* what device it is: class and driver */
    enum device_class class;
    char driver[RIG_NAME_MAX];
    char path[DISCOVER_TEXT_MAX]; /* of a serial port that may be opened; "" otherwise */
};

struct init_items {
    struct init_item list[INIT_ITEMS_MAX];
    unsigned count;
};

/* What options say; NULL where they do not. */
struct init_options {
    const char *output, *name;
    const char *devices[DEVICE_CLASSES];
    const char *game, *seats, *decks, *clock, *order, *wagers, *code, *admin;
    const char *lines[SEATS_MAX + 1]; /* of each seat; of the shuffler first */
    const char *cards, *map, *script;
    const char *questions;
    bool probe, no_probe, yes, force, no_doctor, json;
};

/* A rig that is being put together, and who is asked about it. */
struct init {
    const struct command *command;
    struct init_options options;
    struct hal hal;
    struct clock clock;
    struct desk *desk; /* NULL: nobody is asked */
    struct init_items items;
    const struct game *game; /* NULL: any */
    struct rig rig;
    struct rig_device devices[DEVICE_CLASSES]; /* without a driver: there is none */
    struct rig_sensors sensors;
    struct rig_seat seats[SEATS_MAX];
    struct rig_reopen reopen;
    bool is_stacked; /* the machine deals a deck as people have put it in */
};

/* Opens nothing that could disturb a device. What cannot be listed is said on `notes`. */
void init_find(struct init_items *items, FILE *notes);

/*
 * Asks at each serial port of the list who is there (devices/probe.h); what has answered is known
 * from then on. What came of each is said on `notes`. ERROR_ABORTED, and no other error: a port
 * that cannot be opened stays unknown.
 */
int init_probe(struct init_items *items, const struct hal *hal, FILE *notes, struct error *error);

/* How many serial ports could be probed. */
unsigned init_ports(const struct init_items *items);

/* The list, numbered from 1: on standard error, or as lines of JSON on standard output. */
void init_print(const struct init_items *items, bool json);

/* The only known device of a class: its number. 0 when there is none, -1 when there are several. */
int init_only(const struct init_items *items, enum device_class class);

/*
 * A device as it is answered: none, emu, a number of the list, an address, DRIVER=one of these, or
 * a driver alone that needs no address. An empty driver means that there is none. ERROR_CONFIG with
 * what is wrong with it.
 */
int init_read_device(const struct init_items *items, enum device_class class, const char *answer,
                     struct rig_device *device, struct error *error);

/* Whether the address is one of a serial port and lacks its baud rate. */
bool init_lacks_rate(const char *address);

/*
 * The lines of a seat on pins as they are answered: bet, light, chip and lamp by name or offset,
 * with blanks between them and "-" for none; the chip at that address must have them where it is
 * attached. And the lines that seat has on a bench wired as rigs/RASPBERRY-PI.md says, or by the
 * names of its lines; false where the chip has no such lines.
 */
int init_read_lines(const char *address, unsigned seat, const char *answer, struct rig_seat *lines,
                    struct error *error);
bool init_usual_lines(const char *address, unsigned seat, struct rig_seat *lines);

/*
 * Likewise of a shuffler: button, exit, ready, jam and door, of which the exit must be there; and
 * what is answered where the lines have these names.
 */
#define INIT_LINES_SIZE 64
int init_read_shuffler(const char *address, const char *answer, struct rig_lines *lines,
                       struct error *error);
bool init_usual_shuffler(const char *address, char text[INIT_LINES_SIZE]);

/* Whether all of that are the lines of the Raspberry Pi's header, which are low when on. */
bool init_is_header(const struct rig_seat *lines);

/* Lists, probes if that is wanted, asks all that no option says, and fills in the rig. */
int init_ask(struct init *init, struct error *error);

/* The file of a device whose driver takes one, which must be a script of its class. */
int init_ask_script(struct init *init, enum device_class class, struct error *error);

/* Once all were asked for: that the one of the options is of one of them. */
int init_check_script(const struct init *init, struct error *error);

/* Of the driver, or of the script; 0 where there is no such device. */
unsigned init_capabilities(const struct init *init, enum device_class class);

#endif
