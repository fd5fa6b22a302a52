/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the green button of a machine on pins does: an option of the driver, and of the model. */
#ifndef DEVICES_SHUFFLER_PINS_PRESS_H
#define DEVICES_SHUFFLER_PINS_PRESS_H

enum plain_press {
    PRESS_SHUFFLES_AND_DEALS,  /* one press: the packets follow the shuffle by themselves */
    PRESS_SHUFFLES_THEN_DEALS, /* one to shuffle, and one to deal */
    PRESS_DEALS,               /* the machine shuffles by itself when it has its deck */
};
#define PRESS_KINDS 3

/* "shuffles-and-deals", "shuffles-then-deals", "deals", and a NULL. */
extern const char *const plain_press_names[PRESS_KINDS + 1];

#endif
