/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "serial:PATH@BAUD[,8N1][,rtscts|,xonxoff]" on libserialport: opened for this process alone, raw,
 * its input flushed. An unplugged adapter only ever reads as silence, so a read that wakes without
 * bytes or meets its deadline asks the driver whether the port is still there.
 */
#include <errno.h>
#include <libserialport.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "hal/base/registry.h"
#include "hal/base/udev.h"
#include "hal/link/descriptor.h"

#define SLOWEST_BAUD 50
#define FASTEST_BAUD 12000000

static const struct link_backend serial_backend;

struct serial_settings {
    char path[LINK_ADDRESS_MAX];
    int baud;
    int data_bits;
    enum sp_parity parity;
    int stop_bits;
    enum sp_flowcontrol flow;
};

struct serial_link {
    struct link link;
    struct sp_port *port;
    int fd;
    bool flow_owns_rts;
};

static int bad_address(const struct link *link, const char *what, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s: %s; write %s", link->address, what,
                     serial_backend.form);
}

static int parse_baud(const struct link *link, const char *text, const char **end, int *baud,
                      struct error *error)
{
    long value;
    char *stop;

    if (*text < '0' || *text > '9')
        return bad_address(link, "the baud rate after '@' is not a number", error);
    errno = 0;
    value = strtol(text, &stop, 10);
    if (errno || value < SLOWEST_BAUD || value > FASTEST_BAUD)
        return bad_address(link, "the baud rate is not between 50 and 12000000", error);
    *baud = (int)value;
    *end = stop;
    return 0;
}

static bool parse_frame(const char *word, struct serial_settings *settings)
{
    static const char letters[] = "NEO";
    static const enum sp_parity parities[] = {SP_PARITY_NONE, SP_PARITY_EVEN, SP_PARITY_ODD};
    const char *letter;

    if (strlen(word) != 3 || word[0] < '5' || word[0] > '8' || word[2] < '1' || word[2] > '2')
        return false;
    letter = strchr(letters, word[1]);
    if (!letter)
        return false;
    settings->data_bits = word[0] - '0';
    settings->parity = parities[letter - letters];
    settings->stop_bits = word[2] - '0';
    return true;
}

static bool parse_flow(const char *word, struct serial_settings *settings)
{
    if (!strcmp(word, "rtscts"))
        settings->flow = SP_FLOWCONTROL_RTSCTS;
    else if (!strcmp(word, "xonxoff"))
        settings->flow = SP_FLOWCONTROL_XONXOFF;
    else
        return false;
    return true;
}

/* The words after the baud rate, each kind at most once and in any order. */
static int parse_words(const struct link *link, const char *text, struct serial_settings *settings,
                       struct error *error)
{
    char words[LINK_ADDRESS_MAX];
    bool framed = false, flow_set = false;
    char *rest = words, *word;

    if (!*text)
        return 0;
    if (*text != ',')
        return bad_address(link, "the baud rate is not a number", error);
    memccpy(words, text + 1, '\0', sizeof words);
    while ((word = strsep(&rest, ","))) {
        if (!framed && parse_frame(word, settings))
            framed = true;
        else if (!flow_set && parse_flow(word, settings))
            flow_set = true;
        else
            return error_set(error, ERROR_CONFIG, "%s: '%s' is not known there; write %s",
                             link->address, word, serial_backend.form);
    }
    return 0;
}

static int parse_address(const struct link *link, const char *rest,
                         struct serial_settings *settings, struct error *error)
{
    const char *at = strrchr(rest, '@');
    const char *end = "";
    size_t length;
    int status;

    *settings = (struct serial_settings){
        .data_bits = 8, .parity = SP_PARITY_NONE, .stop_bits = 1, .flow = SP_FLOWCONTROL_NONE};
    if (!at)
        return bad_address(link, "there is no '@' with a baud rate", error);
    length = (size_t)(at - rest);
    if (rest[0] != '/' || length >= sizeof settings->path)
        return bad_address(link, "the port is not an absolute path", error);
    memcpy(settings->path, rest, length);
    status = parse_baud(link, at + 1, &end, &settings->baud, error);
    return status ? status : parse_words(link, end, settings, error);
}

/* What keeps a path from being a serial port at all; 0 when nothing obvious does. */
static int check_path(const struct link *link, const char *path, struct error *error)
{
    struct stat status;

    if (stat(path, &status)) {
        if (errno == EACCES)
            return error_set(error, ERROR_RIG, "%s: no permission to look at %s", link->address,
                             path);
        return error_set(error, ERROR_DEVICE,
                         "%s: there is no %s: plug the adapter in, or see 'dealproof discover'",
                         link->address, path);
    }
    if (S_ISDIR(status.st_mode))
        return error_set(error, ERROR_CONFIG,
                         "%s: %s is a directory, not a serial port; see 'dealproof discover'",
                         link->address, path);
    if (!S_ISCHR(status.st_mode))
        return error_set(error, ERROR_CONFIG,
                         "%s: %s is not a serial port; see 'dealproof discover'", link->address,
                         path);
    return 0;
}

/* libserialport knows the kernel's names only, so links such as /dev/serial/by-id/X are followed.
 */
static bool find_by_name(struct serial_link *serial, const char *path)
{
    char name[PATH_MAX + sizeof "/dev/"], target[PATH_MAX];

    snprintf(name, sizeof name, "%s", path);
    for (int links = 0; links < 8; links++) {
        const char *slash;
        ssize_t length;

        if (sp_get_port_by_name(name, &serial->port) == SP_OK)
            return true;
        length = readlink(name, target, sizeof target - 1);
        if (length < 0)
            return false;
        target[length] = '\0';
        slash = strrchr(target, '/');
        snprintf(name, sizeof name, "/dev/%s", slash ? slash + 1 : target);
    }
    return false;
}

static int find_port(struct serial_link *serial, const char *path, struct error *error)
{
    const char *address = serial->link.address;
    char resolved[PATH_MAX];

    if (find_by_name(serial, path))
        return 0;
    if (realpath(path, resolved) && !strncmp(resolved, "/dev/pts/", 9))
        return error_set(error, ERROR_CONFIG,
                         "%s: %s is a pseudo-terminal, which has no modem lines; write pty:%s",
                         address, path, path);
    return error_set(error, ERROR_CONFIG, "%s: %s is not a serial port; see 'dealproof discover'",
                     address, path);
}

static int open_failed(const struct link *link, const char *path, int number, struct error *error)
{
    switch (number) {
    case EACCES:
    case EPERM:
        return error_set(error, ERROR_RIG,
                         "%s: no permission to use %s; join the group dialout ('sudo usermod -aG "
                         "dialout $USER', then log in again), to which " UDEV_RULES
                         " gives every port",
                         link->address, path);
    case EBUSY:
    case EWOULDBLOCK:
        return error_set(error, ERROR_RIG,
                         "%s: %s is in use by another program; 'fuser -v %s' names it",
                         link->address, path, path);
    case ENOENT:
    case ENXIO:
    case ENODEV:
    case EIO:
        return error_set(error, ERROR_DEVICE, "%s: nothing answers behind %s: %s; plug it in again",
                         link->address, path, strerror(number));
    case ENOTTY:
    case EINVAL:
        return error_set(error, ERROR_CONFIG,
                         "%s: %s has no modem lines, so it is no serial port; a pseudo-terminal "
                         "is written pty:%s",
                         link->address, path, path);
    default:
        return error_set(error, ERROR_RIG, "%s: cannot open %s: %s", link->address, path,
                         strerror(number));
    }
}

/* libserialport up to 0.1.2 puts RTS/CTS into the wrong word of the settings on Linux. */
static int set_rts_cts(int fd, bool on)
{
    struct termios settings;

    if (tcgetattr(fd, &settings))
        return -1;
    settings.c_cflag = on ? settings.c_cflag | CRTSCTS : settings.c_cflag & ~CRTSCTS;
    return tcsetattr(fd, TCSANOW, &settings);
}

static struct sp_port_config *new_config(const struct serial_settings *settings)
{
    struct sp_port_config *config;

    if (sp_new_config(&config) != SP_OK)
        return NULL;
    sp_set_config_baudrate(config, settings->baud);
    sp_set_config_bits(config, settings->data_bits);
    sp_set_config_parity(config, settings->parity);
    sp_set_config_stopbits(config, settings->stop_bits);
    sp_set_config_flowcontrol(config, settings->flow);
    return config;
}

static int configure(struct serial_link *serial, const struct serial_settings *settings,
                     struct error *error)
{
    struct sp_port_config *config = new_config(settings);
    bool done;

    if (!config)
        return error_set(error, ERROR_RIG, "%s: out of memory", serial->link.address);
    serial->flow_owns_rts = settings->flow == SP_FLOWCONTROL_RTSCTS;
    done = !set_rts_cts(serial->fd, serial->flow_owns_rts) &&
           sp_set_config(serial->port, config) == SP_OK;
    sp_free_config(config);
    if (!done)
        return error_set(error, ERROR_CONFIG,
                         "%s: %s refuses these settings (%s); try a usual baud rate and 8N1",
                         serial->link.address, settings->path, strerror(errno));
    sp_flush(serial->port, SP_BUF_INPUT);
    return 0;
}

/* The lock is ours as well: root is not stopped by the exclusive mode that libserialport sets. */
static int open_port(struct serial_link *serial, const struct serial_settings *settings,
                     struct error *error)
{
    if (sp_open(serial->port, SP_MODE_READ_WRITE) != SP_OK)
        return open_failed(&serial->link, settings->path, sp_last_error_code(), error);
    if (sp_get_port_handle(serial->port, &serial->fd) != SP_OK)
        return error_set(error, ERROR_RIG, "%s: libserialport shows no descriptor for %s",
                         serial->link.address, settings->path);
    if (flock(serial->fd, LOCK_EX | LOCK_NB))
        return open_failed(&serial->link, settings->path, errno, error);
    return configure(serial, settings, error);
}

/* sp_open() may fail and leave the descriptor open; closing a closed port is harmless. */
static void serial_close(struct link *link)
{
    struct serial_link *serial = (struct serial_link *)link;

    sp_close(serial->port);
    sp_free_port(serial->port);
}

static int serial_open(struct link *link, const char *rest, struct error *error)
{
    struct serial_link *serial = (struct serial_link *)link;
    struct serial_settings settings;
    int status;

    status = parse_address(link, rest, &settings, error);
    if (!status)
        status = check_path(link, settings.path, error);
    if (!status)
        status = find_port(serial, settings.path, error);
    if (status)
        return status;
    status = open_port(serial, &settings, error);
    if (status)
        serial_close(link);
    return status;
}

static int port_failed(const struct link *link, struct error *error)
{
    int number = sp_last_error_code();

    switch (number) {
    case EIO:
    case ENXIO:
    case ENODEV:
    case ENOENT:
        return error_set(error, ERROR_DEVICE, "%s: the port is gone (%s); plug it in again",
                         link->address, strerror(number));
    default:
        return error_set(error, ERROR_RIG, "%s: the port fails: %s", link->address,
                         strerror(number));
    }
}

static int hung_up(const struct link *link, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s: the port is gone (hung up); plug it in again",
                     link->address);
}

/* 0 while the driver still answers for the port. */
static int still_there(struct serial_link *serial, struct error *error)
{
    return sp_input_waiting(serial->port) < 0 ? port_failed(&serial->link, error) : 0;
}

/* The events when it is worth another try, 0 at the deadline, or an error. */
static int wait_for(struct serial_link *serial, short events, nanos_t deadline, struct error *error)
{
    int revents = hal_wait(serial->link.hal, serial->fd, events, deadline, error);

    if (revents < 0 || revents & events)
        return revents;
    if (revents & (POLLHUP | POLLERR | POLLNVAL))
        return hung_up(&serial->link, error);
    return still_there(serial, error);
}

/* libserialport 0.1.1 reports a full queue as a failure. */
static bool is_not_yet(int count)
{
    return count == 0 || (count == SP_ERR_FAIL &&
                          (sp_last_error_code() == EAGAIN || sp_last_error_code() == EINTR));
}

static ssize_t serial_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                           struct error *error)
{
    struct serial_link *serial = (struct serial_link *)link;

    for (;;) {
        int ready = wait_for(serial, POLLIN, deadline, error);
        int count, status;

        if (ready <= 0)
            return ready;
        count = (int)sp_nonblocking_read(serial->port, bytes, size);
        if (count > 0)
            return count;
        if (!is_not_yet(count))
            return port_failed(link, error);
        /* Readable without bytes is how a hung-up terminal looks to poll(2). */
        if (ready & (POLLHUP | POLLERR))
            return hung_up(link, error);
        status = still_there(serial, error);
        if (status)
            return status;
    }
}

static ssize_t serial_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                            struct error *error)
{
    struct serial_link *serial = (struct serial_link *)link;

    for (;;) {
        int count = (int)sp_nonblocking_write(serial->port, bytes, size);
        int ready;

        if (count > 0)
            return count;
        if (!is_not_yet(count))
            return port_failed(link, error);
        ready = wait_for(serial, POLLOUT, deadline, error);
        if (ready <= 0)
            return ready;
    }
}

static int get_outputs(struct serial_link *serial, unsigned *lines, struct error *error)
{
    struct sp_port_config *config;
    enum sp_rts rts;
    enum sp_dtr dtr;
    int status = 0;

    if (sp_new_config(&config) != SP_OK)
        return error_set(error, ERROR_RIG, "%s: out of memory", serial->link.address);
    if (sp_get_config(serial->port, config) != SP_OK || sp_get_config_rts(config, &rts) != SP_OK ||
        sp_get_config_dtr(config, &dtr) != SP_OK)
        status = port_failed(&serial->link, error);
    else
        *lines |= (rts != SP_RTS_OFF ? LINK_RTS : 0u) | (dtr != SP_DTR_OFF ? LINK_DTR : 0u);
    sp_free_config(config);
    return status;
}

static int serial_get_lines(struct link *link, unsigned *lines, struct error *error)
{
    struct serial_link *serial = (struct serial_link *)link;
    enum sp_signal signals;

    if (sp_get_signals(serial->port, &signals) != SP_OK)
        return port_failed(link, error);
    *lines = (signals & SP_SIG_CTS ? LINK_CTS : 0u) | (signals & SP_SIG_DSR ? LINK_DSR : 0u) |
             (signals & SP_SIG_DCD ? LINK_DCD : 0u) | (signals & SP_SIG_RI ? LINK_RI : 0u);
    return get_outputs(serial, lines, error);
}

static int serial_set_lines(struct link *link, unsigned mask, unsigned lines, struct error *error)
{
    struct serial_link *serial = (struct serial_link *)link;

    if (mask & ~(unsigned)(LINK_RTS | LINK_DTR))
        return error_set(error, ERROR_CONFIG,
                         "%s: only RTS and DTR can be set; the other modem lines are the device's",
                         link->address);
    if (mask & LINK_RTS && serial->flow_owns_rts)
        return error_set(error, ERROR_CONFIG,
                         "%s: RTS belongs to the flow control; leave 'rtscts' out of the address",
                         link->address);
    if (mask & LINK_RTS &&
        sp_set_rts(serial->port, lines & LINK_RTS ? SP_RTS_ON : SP_RTS_OFF) != SP_OK)
        return port_failed(link, error);
    if (mask & LINK_DTR &&
        sp_set_dtr(serial->port, lines & LINK_DTR ? SP_DTR_ON : SP_DTR_OFF) != SP_OK)
        return port_failed(link, error);
    return 0;
}

static void serial_polled(const struct link *link, bool reads, bool writes, struct pollfd *polled)
{
    descriptor_polled(((const struct serial_link *)link)->fd, reads, writes, polled);
}

static const struct link_backend serial_backend = {
    .scheme = "serial",
    .form = "serial:PATH@BAUD[,8N1][,rtscts|,xonxoff], as in serial:/dev/ttyUSB0@115200,8E1",
    .size = sizeof(struct serial_link),
    .open = serial_open,
    .close = serial_close,
    .read = serial_read,
    .write = serial_write,
    .get_lines = serial_get_lines,
    .set_lines = serial_set_lines,
    .polled = serial_polled,
};
REGISTER(link_backends, serial_backend);
