/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mock/gpio_mock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <umockdev.h>
#include <unistd.h>

#include "hal/pins/debounce.h"
#include "tests/support/mock/testbed_node.h"

/* Each granted request is a node of its own, which must be attached before it is opened. */
#define NODES       16
#define CHIPS_MAX   4
#define LINES_MAX   16
#define PATH_LENGTH 512

enum edges { RISING = 1, FALLING = 2 };

struct mock_line {
    char name[GPIO_MAX_NAME_SIZE];
    char consumer[GPIO_MAX_NAME_SIZE];
    bool occupied; /* by another program */
    struct mock_node *node;
    bool output, pull_up, pull_down, active_low, driven;
    unsigned edges;
    uint32_t line_sequence;
    struct debounce debounce;
    bool level;
};

/* A request that was granted, or room for one. Its reader is the library; a reader that is gone
 * has released the lines. */
struct mock_node {
    struct gpio_mock *mock;
    struct gpio_mock_chip *chip;
    char path[32];
    int writer; /* -1 when free */
    bool second_interface;
    uint32_t sequence;
    unsigned count;
    uint32_t offsets[GPIO_V2_LINES_MAX];
};

struct gpio_mock_chip {
    struct gpio_mock *mock;
    unsigned number;
    char label[GPIO_MAX_NAME_SIZE];
    int failure;
    unsigned to_lose;
    unsigned writes;
    unsigned count;
    struct mock_line lines[LINES_MAX];
};

struct gpio_mock {
    pthread_mutex_t mutex; /* ioctls are answered in a thread of umockdev's */
    UMockdevTestbed *testbed;
    UMockdevIoctlBase *handlers[CHIPS_MAX + NODES];
    size_t handler_count;
    char root[PATH_LENGTH / 2];
    size_t chip_count;
    struct gpio_mock_chip chips[CHIPS_MAX];
    struct mock_node nodes[NODES];
};

static void release_line(struct mock_line *line)
{
    line->node = NULL;
    line->output = false;
    line->edges = 0;
    line->consumer[0] = '\0';
}

static void node_release(struct mock_node *node)
{
    for (unsigned i = 0; i < node->count; i++)
        release_line(&node->chip->lines[node->offsets[i]]);
    close(node->writer);
    node->writer = -1;
}

/* Lines whose request was closed are free again at once, as in the kernel. */
static void reap(struct gpio_mock *mock)
{
    for (size_t i = 0; i < NODES; i++) {
        struct pollfd fd = {.fd = mock->nodes[i].writer};

        if (fd.fd >= 0 && poll(&fd, 1, 0) > 0 && fd.revents & POLLERR)
            node_release(&mock->nodes[i]);
    }
}

static void send_event(struct mock_line *line, uint32_t offset, bool rising, nanos_t time)
{
    struct mock_node *node = line->node;
    const struct gpioevent_data first = {.timestamp = (uint64_t)time,
                                         .id = rising ? GPIOEVENT_EVENT_RISING_EDGE
                                                      : GPIOEVENT_EVENT_FALLING_EDGE};
    const struct gpio_v2_line_event second = {
        .timestamp_ns = (uint64_t)time,
        .id = rising ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE,
        .offset = offset,
        .seqno = ++node->sequence,
        .line_seqno = ++line->line_sequence,
    };
    ssize_t written;

    if (node->chip->to_lose) {
        node->chip->to_lose--;
        return;
    }
    if (node->second_interface)
        written = write(node->writer, &second, sizeof second);
    else
        written = write(node->writer, &first, sizeof first);
    (void)written;
}

/* The line that settles first at or before that time, or `count`. */
static uint32_t first_to_settle(const struct gpio_mock_chip *chip, nanos_t until)
{
    uint32_t first = chip->count;
    nanos_t earliest = until == NEVER ? NEVER : until + 1;

    for (uint32_t i = 0; i < chip->count; i++)
        if (chip->lines[i].node && debounce_due(&chip->lines[i].debounce) < earliest) {
            earliest = debounce_due(&chip->lines[i].debounce);
            first = i;
        }
    return first;
}

static void settle(struct gpio_mock_chip *chip, nanos_t until)
{
    uint32_t offset;

    while ((offset = first_to_settle(chip, until)) < chip->count) {
        struct mock_line *line = &chip->lines[offset];
        nanos_t at;

        debounce_settle(&line->debounce, until, &at);
        if (line->edges & (line->debounce.level ? RISING : FALLING))
            send_event(line, offset, line->debounce.level, at);
    }
}

static void set_level(struct gpio_mock_chip *chip, uint32_t offset, bool level, nanos_t time)
{
    struct mock_line *line = &chip->lines[offset];

    if (line->level == level)
        return;
    line->level = level;
    if (!line->node || line->output)
        return;
    debounce_edge(&line->debounce, level != line->active_low, time);
    if (!line->debounce.period)
        settle(chip, time);
}

static bool logical(const struct mock_line *line)
{
    return line->output ? line->level != line->active_low : line->debounce.level;
}

/* What both interfaces say about a line that is asked for, in the flags of the second. */
static void take_line(struct mock_node *node, uint32_t offset, uint64_t flags, bool value,
                      uint32_t debounce_us, const char *consumer)
{
    struct mock_line *line = &node->chip->lines[offset];

    line->node = node;
    line->line_sequence = 0;
    line->active_low = flags & GPIO_V2_LINE_FLAG_ACTIVE_LOW;
    line->output = flags & GPIO_V2_LINE_FLAG_OUTPUT;
    line->edges = (flags & GPIO_V2_LINE_FLAG_EDGE_RISING ? RISING : 0) |
                  (flags & GPIO_V2_LINE_FLAG_EDGE_FALLING ? FALLING : 0);
    if (flags & (GPIO_V2_LINE_FLAG_BIAS_PULL_UP | GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN |
                 GPIO_V2_LINE_FLAG_BIAS_DISABLED)) {
        line->pull_up = flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP;
        line->pull_down = flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    }
    if (line->output)
        line->level = value != line->active_low;
    else if (!line->driven && (line->pull_up || line->pull_down))
        line->level = line->pull_up;
    debounce_start(&line->debounce, debounce_us * NANOS_PER_MICRO, line->level != line->active_low);
    snprintf(line->consumer, sizeof line->consumer, "%s", consumer);
}

static uint64_t second_flags(uint32_t handle, uint32_t event)
{
    uint64_t flags = 0;

    flags |= handle & GPIOHANDLE_REQUEST_INPUT ? GPIO_V2_LINE_FLAG_INPUT : 0;
    flags |= handle & GPIOHANDLE_REQUEST_OUTPUT ? GPIO_V2_LINE_FLAG_OUTPUT : 0;
    flags |= handle & GPIOHANDLE_REQUEST_ACTIVE_LOW ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0;
    flags |= handle & GPIOHANDLE_REQUEST_BIAS_PULL_UP ? GPIO_V2_LINE_FLAG_BIAS_PULL_UP : 0;
    flags |= handle & GPIOHANDLE_REQUEST_BIAS_PULL_DOWN ? GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN : 0;
    flags |= handle & GPIOHANDLE_REQUEST_BIAS_DISABLE ? GPIO_V2_LINE_FLAG_BIAS_DISABLED : 0;
    flags |= event & GPIOEVENT_REQUEST_RISING_EDGE ? GPIO_V2_LINE_FLAG_EDGE_RISING : 0;
    flags |= event & GPIOEVENT_REQUEST_FALLING_EDGE ? GPIO_V2_LINE_FLAG_EDGE_FALLING : 0;
    return flags;
}

static const struct gpio_v2_line_attribute *attribute_of(const struct gpio_v2_line_config *config,
                                                         uint32_t id, unsigned index)
{
    for (uint32_t i = 0; i < config->num_attrs; i++)
        if (config->attrs[i].attr.id == id && config->attrs[i].mask >> index & 1)
            return &config->attrs[i].attr;
    return NULL;
}

/* Opens a free node as the library's side of a request; 0 or an errno. */
static int node_open(struct gpio_mock_chip *chip, bool second_interface, const uint32_t *offsets,
                     unsigned count, int *fd, struct mock_node **opened)
{
    char path[PATH_LENGTH];
    struct mock_node *node = chip->mock->nodes;

    while (node < chip->mock->nodes + NODES && node->writer >= 0)
        node++;
    for (unsigned i = 0; i < count; i++)
        if (offsets[i] >= chip->count)
            return EINVAL;
        else if (chip->lines[offsets[i]].node || chip->lines[offsets[i]].occupied)
            return EBUSY;
    if (node == chip->mock->nodes + NODES)
        return ENFILE;
    *fd = open(node->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0)
        return errno;
    snprintf(path, sizeof path, "%s%s", chip->mock->root, node->path);
    node->writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    fcntl(*fd, F_SETFL, 0);
    node->chip = chip;
    node->second_interface = second_interface;
    node->sequence = 0;
    node->count = count;
    memcpy(node->offsets, offsets, count * sizeof *offsets);
    *opened = node;
    return 0;
}

static int second_request(struct gpio_mock_chip *chip, struct gpio_v2_line_request *request)
{
    struct mock_node *node;
    int result = node_open(chip, true, request->offsets, request->num_lines, &request->fd, &node);

    if (result)
        return result;
    for (unsigned i = 0; i < request->num_lines; i++) {
        const struct gpio_v2_line_attribute *flags, *values, *debounce;

        flags = attribute_of(&request->config, GPIO_V2_LINE_ATTR_ID_FLAGS, i);
        values = attribute_of(&request->config, GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, i);
        debounce = attribute_of(&request->config, GPIO_V2_LINE_ATTR_ID_DEBOUNCE, i);
        take_line(node, request->offsets[i], flags ? flags->flags : request->config.flags,
                  values && values->values >> i & 1, debounce ? debounce->debounce_period_us : 0,
                  request->consumer);
    }
    return 0;
}

static int first_handle(struct gpio_mock_chip *chip, struct gpiohandle_request *request)
{
    struct mock_node *node;
    int result = node_open(chip, false, request->lineoffsets, request->lines, &request->fd, &node);

    if (result)
        return result;
    for (unsigned i = 0; i < request->lines; i++)
        take_line(node, request->lineoffsets[i], second_flags(request->flags, 0),
                  request->default_values[i], 0, request->consumer_label);
    return 0;
}

static int first_event(struct gpio_mock_chip *chip, struct gpioevent_request *request)
{
    struct mock_node *node;
    int result = node_open(chip, false, &request->lineoffset, 1, &request->fd, &node);

    if (!result)
        take_line(node, request->lineoffset,
                  second_flags(request->handleflags, request->eventflags), false, 0,
                  request->consumer_label);
    return result;
}

static int chip_info(const struct gpio_mock_chip *chip, struct gpiochip_info *info)
{
    snprintf(info->name, sizeof info->name, "gpiochip%u", chip->number);
    memcpy(info->label, chip->label, sizeof info->label);
    info->lines = chip->count;
    return 0;
}

static int first_info(const struct gpio_mock_chip *chip, struct gpioline_info *info)
{
    const struct mock_line *line;

    if (info->line_offset >= chip->count)
        return EINVAL;
    line = &chip->lines[info->line_offset];
    memcpy(info->name, line->name, sizeof info->name);
    memcpy(info->consumer, line->consumer, sizeof info->consumer);
    info->flags = (uint32_t)((line->node || line->occupied ? GPIOLINE_FLAG_KERNEL : 0) |
                             (line->output ? GPIOLINE_FLAG_IS_OUT : 0) |
                             (line->active_low ? GPIOLINE_FLAG_ACTIVE_LOW : 0));
    return 0;
}

static int second_info(const struct gpio_mock_chip *chip, struct gpio_v2_line_info *info)
{
    const struct mock_line *line;

    if (info->offset >= chip->count)
        return EINVAL;
    line = &chip->lines[info->offset];
    memcpy(info->name, line->name, sizeof info->name);
    memcpy(info->consumer, line->consumer, sizeof info->consumer);
    info->flags = (line->node || line->occupied ? GPIO_V2_LINE_FLAG_USED : 0) |
                  (line->output ? GPIO_V2_LINE_FLAG_OUTPUT : GPIO_V2_LINE_FLAG_INPUT) |
                  (line->active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    return 0;
}

static int answer_chip(struct gpio_mock_chip *chip, gulong request, void *data)
{
    reap(chip->mock);
    if (chip->failure)
        return chip->failure;
    switch (request) {
    case GPIO_GET_CHIPINFO_IOCTL:
        return chip_info(chip, data);
    case GPIO_GET_LINEINFO_IOCTL:
        return first_info(chip, data);
    case GPIO_GET_LINEHANDLE_IOCTL:
        return first_handle(chip, data);
    case GPIO_GET_LINEEVENT_IOCTL:
        return first_event(chip, data);
    case GPIO_V2_GET_LINEINFO_IOCTL:
        return second_info(chip, data);
    case GPIO_V2_GET_LINE_IOCTL:
        return second_request(chip, data);
    default:
        return ENOTTY;
    }
}

static int first_values(struct mock_node *node, struct gpiohandle_data *data, bool writes)
{
    for (unsigned i = 0; i < node->count; i++) {
        struct mock_line *line = &node->chip->lines[node->offsets[i]];

        if (writes)
            line->level = (data->values[i] != 0) != line->active_low;
        else
            data->values[i] = logical(line);
    }
    node->chip->writes += writes;
    return 0;
}

static int second_values(struct mock_node *node, struct gpio_v2_line_values *values, bool writes)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < node->count; i++) {
        struct mock_line *line = &node->chip->lines[node->offsets[i]];

        if (writes && values->mask >> i & 1)
            line->level = (values->bits >> i & 1) != line->active_low;
        else if (values->mask >> i & 1)
            bits |= (uint64_t)logical(line) << i;
    }
    if (!writes)
        values->bits = bits;
    node->chip->writes += writes;
    return 0;
}

static int answer_node(struct mock_node *node, gulong request, void *data)
{
    if (node->chip->failure)
        return node->chip->failure;
    switch (request) {
    case GPIOHANDLE_GET_LINE_VALUES_IOCTL:
    case GPIOHANDLE_SET_LINE_VALUES_IOCTL:
        return first_values(node, data, request == GPIOHANDLE_SET_LINE_VALUES_IOCTL);
    case GPIO_V2_LINE_GET_VALUES_IOCTL:
    case GPIO_V2_LINE_SET_VALUES_IOCTL:
        return second_values(node, data, request == GPIO_V2_LINE_SET_VALUES_IOCTL);
    default:
        return ENOTTY;
    }
}

/* The struct behind the argument; umockdev copies it back when the ioctl completes. */
static void *resolve(UMockdevIoctlClient *client)
{
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    UMockdevIoctlData *data = umockdev_ioctl_data_resolve(
        argument, 0, _IOC_SIZE((unsigned)umockdev_ioctl_client_get_request(client)), NULL);
    void *bytes = data ? data->data : NULL;

    g_clear_object(&data);
    return bytes;
}

static void complete(UMockdevIoctlClient *client, int result)
{
    umockdev_ioctl_client_complete(client, result ? -1 : 0, result);
}

static gboolean on_chip_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *user)
{
    struct gpio_mock_chip *chip = user;
    void *data = resolve(client);
    int result;

    (void)handler;
    pthread_mutex_lock(&chip->mock->mutex);
    result = data ? answer_chip(chip, umockdev_ioctl_client_get_request(client), data) : EFAULT;
    pthread_mutex_unlock(&chip->mock->mutex);
    complete(client, result);
    return TRUE;
}

static gboolean on_node_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, void *user)
{
    struct mock_node *node = user;
    void *data = resolve(client);
    int result;

    (void)handler;
    pthread_mutex_lock(&node->mock->mutex);
    result = data ? answer_node(node, umockdev_ioctl_client_get_request(client), data) : EFAULT;
    pthread_mutex_unlock(&node->mock->mutex);
    complete(client, result);
    return TRUE;
}

static void attach(struct gpio_mock *mock, const char *path, GCallback on_ioctl, void *user)
{
    UMockdevIoctlBase *handler = umockdev_ioctl_base_new();

    mock->handlers[mock->handler_count++] = handler;
    g_signal_connect(handler, "handle-ioctl", on_ioctl, user);
    umockdev_testbed_attach_ioctl(mock->testbed, path, handler, NULL);
}

static void add_node(struct gpio_mock *mock, size_t index)
{
    struct mock_node *node = &mock->nodes[index];
    char path[PATH_LENGTH];

    *node = (struct mock_node){.mock = mock, .writer = -1};
    snprintf(node->path, sizeof node->path, "/dev/gpiorequest%zu", index);
    snprintf(path, sizeof path, "%s%s", mock->root, node->path);
    mkfifo(path, 0600);
    attach(mock, node->path, G_CALLBACK(on_node_ioctl), node);
}

struct gpio_mock *gpio_mock_new(void)
{
    struct gpio_mock *mock = calloc(1, sizeof *mock);
    char path[PATH_LENGTH];
    gchar *root;

    if (!mock)
        abort();
    pthread_mutex_init(&mock->mutex, NULL);
    mock->testbed = testbed_new();
    root = umockdev_testbed_get_root_dir(mock->testbed);
    snprintf(mock->root, sizeof mock->root, "%s", root);
    g_free(root);
    snprintf(path, sizeof path, "%s/dev", mock->root);
    mkdir(path, 0755);
    for (size_t i = 0; i < NODES; i++)
        add_node(mock, i);
    return mock;
}

UMockdevTestbed *gpio_mock_testbed(const struct gpio_mock *mock)
{
    return mock->testbed;
}

void gpio_mock_free(struct gpio_mock *mock)
{
    g_object_unref(mock->testbed);
    for (size_t i = 0; i < mock->handler_count; i++)
        g_object_unref(mock->handlers[i]);
    for (size_t i = 0; i < NODES; i++)
        if (mock->nodes[i].writer >= 0)
            close(mock->nodes[i].writer);
    pthread_mutex_destroy(&mock->mutex);
    free(mock);
}

static void make_link(const struct gpio_mock *mock, const char *target, const char *link)
{
    char path[PATH_LENGTH];

    snprintf(path, sizeof path, "%s%s", mock->root, link);
    unlink(path);
    if (symlink(target, path))
        perror(path);
}

static void make_directory(const struct gpio_mock *mock, const char *directory)
{
    char path[PATH_LENGTH];

    snprintf(path, sizeof path, "%s%s", mock->root, directory);
    mkdir(path, 0755);
}

/* umockdev takes "gpio" for a class; libgpiod wants to see a bus. */
static void add_sysfs(struct gpio_mock *mock, const char *name, unsigned number)
{
    char device[32], node[64], target[96], link[96];

    snprintf(device, sizeof device, "254:%u\n", number);
    snprintf(node, sizeof node, "/dev/%s", name);
    g_free(umockdev_testbed_add_device(mock->testbed, "gpio", name, NULL, "dev", device, NULL,
                                       "DEVNAME", node, NULL));
    make_directory(mock, "/sys/bus/gpio");
    make_directory(mock, "/sys/bus/gpio/devices");
    snprintf(target, sizeof target, "../../../devices/%s", name);
    snprintf(link, sizeof link, "/sys/bus/gpio/devices/%s", name);
    make_link(mock, target, link);
    snprintf(link, sizeof link, "/sys/devices/%s/subsystem", name);
    make_link(mock, "../../bus/gpio", link);
}

static void add_file(const struct gpio_mock *mock, const char *name)
{
    char path[PATH_LENGTH];
    int fd;

    snprintf(path, sizeof path, "%s/dev/%s", mock->root, name);
    fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}

struct gpio_mock_chip *gpio_mock_add(struct gpio_mock *mock, unsigned number, const char *label,
                                     const char *const *lines, size_t count)
{
    struct gpio_mock_chip *chip = &mock->chips[mock->chip_count++];
    char name[32], path[64];

    chip->mock = mock;
    chip->number = number;
    chip->count = (unsigned)count;
    snprintf(chip->label, sizeof chip->label, "%s", label);
    for (size_t i = 0; i < count; i++)
        snprintf(chip->lines[i].name, sizeof chip->lines[i].name, "%s", lines[i]);
    snprintf(name, sizeof name, "gpiochip%u", number);
    snprintf(path, sizeof path, "/dev/%s", name);
    attach(mock, path, G_CALLBACK(on_chip_ioctl), chip);
    add_sysfs(mock, name, number);
    add_file(mock, name);
    return chip;
}

void gpio_mock_link(struct gpio_mock *mock, unsigned number, unsigned target)
{
    char link[64], name[32];

    snprintf(link, sizeof link, "/dev/gpiochip%u", number);
    snprintf(name, sizeof name, "gpiochip%u", target);
    make_link(mock, name, link);
}

void gpio_mock_fail(struct gpio_mock_chip *chip, int number)
{
    pthread_mutex_lock(&chip->mock->mutex);
    chip->failure = number;
    if (number == ENODEV)
        for (size_t i = 0; i < NODES; i++)
            if (chip->mock->nodes[i].writer >= 0 && chip->mock->nodes[i].chip == chip)
                node_release(&chip->mock->nodes[i]);
    pthread_mutex_unlock(&chip->mock->mutex);
}

void gpio_mock_drive(struct gpio_mock_chip *chip, unsigned line, bool level, nanos_t time)
{
    pthread_mutex_lock(&chip->mock->mutex);
    reap(chip->mock);
    settle(chip, time);
    chip->lines[line].driven = true;
    if (!chip->lines[line].output)
        set_level(chip, line, level, time);
    pthread_mutex_unlock(&chip->mock->mutex);
}

bool gpio_mock_level(struct gpio_mock_chip *chip, unsigned line)
{
    bool level;

    pthread_mutex_lock(&chip->mock->mutex);
    level = chip->lines[line].level;
    pthread_mutex_unlock(&chip->mock->mutex);
    return level;
}

void gpio_mock_pass(struct gpio_mock_chip *chip, nanos_t until)
{
    pthread_mutex_lock(&chip->mock->mutex);
    reap(chip->mock);
    settle(chip, until);
    pthread_mutex_unlock(&chip->mock->mutex);
}

void gpio_mock_lose(struct gpio_mock_chip *chip, unsigned edges)
{
    pthread_mutex_lock(&chip->mock->mutex);
    chip->to_lose = edges;
    pthread_mutex_unlock(&chip->mock->mutex);
}

void gpio_mock_occupy(struct gpio_mock_chip *chip, unsigned line, const char *consumer)
{
    pthread_mutex_lock(&chip->mock->mutex);
    chip->lines[line].occupied = consumer != NULL;
    snprintf(chip->lines[line].consumer, sizeof chip->lines[line].consumer, "%s",
             consumer ? consumer : "");
    pthread_mutex_unlock(&chip->mock->mutex);
}

unsigned gpio_mock_writes(struct gpio_mock_chip *chip)
{
    unsigned writes;

    pthread_mutex_lock(&chip->mock->mutex);
    writes = chip->writes;
    pthread_mutex_unlock(&chip->mock->mutex);
    return writes;
}
