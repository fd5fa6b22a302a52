/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How sentences name the rules that give devices to groups: right where the program was installed,
 * which puts them in place, and in a source tree, which has them in tools/.
 */
#ifndef HAL_BASE_UDEV_H
#define HAL_BASE_UDEV_H

#define UDEV_RULES                                                                                 \
    "99-dealproof.rules (installed in lib/udev/rules.d; in the sources tools/99-dealproof.rules)"

#endif
