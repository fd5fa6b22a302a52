/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/input/keyboard.h"

#include <errno.h>
#include <fcntl.h>
#include <libevdev/libevdev.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/udev.h"

struct keyboard {
    char path[KEYBOARD_PATH_MAX];
    const struct hal *hal;
    int fd;
    struct libevdev *device;
    struct reopen_policy policy; /* no tries: it is not looked for */
    bool is_away;
    unsigned tries; /* since it went away */
    nanos_t gone_at, next_try, pause;
};

enum { PRESSED = 1, REPEATED = 2 };

static int open_node(struct keyboard *keyboard, struct error *error)
{
    keyboard->fd = open(keyboard->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (keyboard->fd >= 0)
        return 0;
    if (errno == EACCES || errno == EPERM)
        return error_set(error, ERROR_RIG,
                         "%s: no permission to read it: follow the first lines of " UDEV_RULES,
                         keyboard->path);
    if (errno == ENOENT || errno == ENODEV || errno == ENXIO || errno == ENOTDIR)
        return error_set(error, ERROR_DEVICE,
                         "%s: it is not there: plug the scanner in, or see 'dealproof discover'",
                         keyboard->path);
    return error_set(error, ERROR_RIG, "%s: %s", keyboard->path, strerror(errno));
}

static bool types(const struct libevdev *device)
{
    return libevdev_has_event_code(device, EV_KEY, KEY_0) &&
           (libevdev_has_event_code(device, EV_KEY, KEY_ENTER) ||
            libevdev_has_event_code(device, EV_KEY, KEY_TAB));
}

static int open_device(struct keyboard *keyboard, struct error *error)
{
    int status = libevdev_new_from_fd(keyboard->fd, &keyboard->device);

    if (status == -ENODEV)
        return error_set(error, ERROR_DEVICE, "%s: it went away while it was opened",
                         keyboard->path);
    if (status)
        return error_set(error, ERROR_CONFIG,
                         "%s is no input device (%s); see 'dealproof discover'", keyboard->path,
                         strerror(-status));
    if (!types(keyboard->device))
        return error_set(error, ERROR_CONFIG,
                         "%s ('%.60s') does not type digits and Enter or Tab; see 'dealproof "
                         "discover'",
                         keyboard->path, libevdev_get_name(keyboard->device));
    status = libevdev_grab(keyboard->device, LIBEVDEV_GRAB);
    if (status == -EBUSY)
        return error_set(error, ERROR_RIG, "%s: another program has grabbed it; end that one",
                         keyboard->path);
    if (status)
        return error_set(error, ERROR_RIG,
                         "%s: it cannot be grabbed (%s), and so others would hear what it types",
                         keyboard->path, strerror(-status));
    return 0;
}

/* Lets go of the node. */
static void release(struct keyboard *keyboard)
{
    if (keyboard->device) {
        libevdev_grab(keyboard->device, LIBEVDEV_UNGRAB);
        libevdev_free(keyboard->device);
    }
    if (keyboard->fd >= 0)
        close(keyboard->fd);
    keyboard->device = NULL;
    keyboard->fd = -1;
}

static int attach(struct keyboard *keyboard, struct error *error)
{
    int status = open_node(keyboard, error);

    if (!status)
        status = open_device(keyboard, error);
    if (status)
        release(keyboard);
    return status;
}

int keyboard_open(struct keyboard **keyboard, const struct hal *hal, const char *path,
                  struct error *error)
{
    struct keyboard *opened;
    int status;

    *keyboard = NULL;
    if (hal->clock->is_virtual)
        return error_set(
            error, ERROR_CONFIG,
            "%.100s: a real scanner cannot follow a virtual clock; write 'clock: real'", path);
    if (path[0] != '/' || strlen(path) >= KEYBOARD_PATH_MAX)
        return error_set(
            error, ERROR_CONFIG,
            "'%.60s' is no node of an input device: write its absolute path of at most "
            "%d bytes, as 'dealproof discover' shows it",
            path, KEYBOARD_PATH_MAX - 1);
    opened = calloc(1, sizeof *opened);
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: no memory for it", path);
    strcpy(opened->path, path);
    opened->hal = hal;
    status = attach(opened, error);
    if (status)
        free(opened);
    else
        *keyboard = opened;
    return status;
}

void keyboard_close(struct keyboard *keyboard)
{
    if (!keyboard)
        return;
    release(keyboard);
    free(keyboard);
}

void keyboard_reopen(struct keyboard *keyboard, const struct reopen_policy *policy)
{
    keyboard->policy = *policy;
}

bool keyboard_is_away(const struct keyboard *keyboard)
{
    return keyboard->is_away;
}

static void pause_for(struct keyboard *keyboard, nanos_t pause)
{
    keyboard->pause = pause;
    keyboard->next_try = clock_now(keyboard->hal->clock) + pause;
}

/* The node is let go of at once: while it is open, what is plugged in again gets another one. */
static void go_away(struct keyboard *keyboard)
{
    release(keyboard);
    keyboard->is_away = true;
    keyboard->tries = 0;
    keyboard->gone_at = clock_now(keyboard->hal->clock);
    pause_for(keyboard, keyboard->policy.first);
}

/* The last try has failed, if there are no more, for this reason. */
static int give_up(const struct keyboard *keyboard, struct error *error)
{
    error_prefix(error, "gone, and %u tries did not bring it back", keyboard->tries);
    if (error)
        error->code = ERROR_DEVICE;
    return ERROR_DEVICE;
}

int keyboard_seek(struct keyboard *keyboard, struct error *error)
{
    const struct reopen_policy *policy = &keyboard->policy;
    nanos_t longest = policy->longest, now = clock_now(keyboard->hal->clock);

    if (!keyboard->is_away)
        return 0;
    if (keyboard->tries < policy->tries && policy->awaits)
        policy->awaits(policy->context, keyboard->tries + 1);
    if (keyboard->tries < policy->tries && now < keyboard->next_try)
        return 0;
    if (keyboard->tries < policy->tries)
        keyboard->tries++;
    if (attach(keyboard, error)) {
        pause_for(keyboard, keyboard->pause > longest / 2 ? longest : keyboard->pause * 2);
        return keyboard->tries < policy->tries ? 0 : give_up(keyboard, error);
    }
    keyboard->is_away = false;
    if (policy->said)
        policy->said(policy->context, keyboard->path, keyboard->tries, now - keyboard->gone_at);
    return 0;
}

int keyboard_fd(const struct keyboard *keyboard)
{
    return keyboard->fd;
}

static int say_gone(const struct keyboard *keyboard, int number, struct error *error)
{
    return error_set(error, ERROR_DEVICE,
                     "%s: the scanner went away (%s); plug it in again and look at its cable",
                     keyboard->path, strerror(number));
}

/* Takes libevdev's word of the keys that are another way than it told before the loss. */
static void catch_up(struct keyboard *keyboard)
{
    struct input_event said;

    while (libevdev_next_event(keyboard->device, LIBEVDEV_READ_FLAG_SYNC, &said) ==
           LIBEVDEV_READ_STATUS_SYNC)
        continue;
}

int keyboard_next(struct keyboard *keyboard, struct keyboard_event *event, struct error *error)
{
    while (!keyboard->is_away) {
        struct input_event said;
        int status = libevdev_next_event(keyboard->device, LIBEVDEV_READ_FLAG_NORMAL, &said);

        if (status == -EAGAIN)
            return 0;
        if (status < 0 && !keyboard->policy.tries)
            return say_gone(keyboard, -status, error);
        if (status < 0) {
            go_away(keyboard);
            *event = (struct keyboard_event){.is_gone = true};
            return 1;
        }
        if (status == LIBEVDEV_READ_STATUS_SYNC) {
            catch_up(keyboard);
            *event = (struct keyboard_event){.is_lost = true};
            return 1;
        }
        if (said.type != EV_KEY || said.value == REPEATED)
            continue;
        *event = (struct keyboard_event){.key = said.code, .is_down = said.value == PRESSED};
        return 1;
    }
    return 0;
}

const char *keyboard_key_name(uint16_t key)
{
    const char *name = libevdev_event_code_get_name(EV_KEY, key);

    return name ? name : "a key without a name";
}
