/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a capture of a small conversation, in virtual time: a dealproof device that answers in two
 * pieces and comes back after an unplug, and an Angel Eye shoe. tests/check-dissector has tshark
 * read it.
 *
 *   sample FILE
 */
#include <stdio.h>
#include <string.h>

#include "devices/wire/frame.h"
#include "hal/link/tap.h"
#include "tests/support/devices/puppet.h"

struct scene {
    struct clock clock;
    struct hal hal;
    struct puppet_stage stage;
    struct capture *capture;
    struct error error;
};

static struct link *tap(struct scene *scene, const char *address, uint8_t channel,
                        enum tap_protocol protocol)
{
    struct link *link, *tapped;

    if (link_open(&link, &scene->hal, address, &scene->error) < 0)
        return NULL;
    if (tap_link(&tapped, link, scene->capture, channel, protocol, &scene->error) == 0)
        return tapped;
    link_close(link);
    return NULL;
}

/* Everything that the device has to say; a read of nothing ends it. */
static int hear(struct scene *scene, struct link *link, struct puppet *puppet, const void *bytes,
                size_t size)
{
    uint8_t heard[64];
    ssize_t n;

    puppet_put(puppet, bytes, size);
    do
        n = link_read(link, heard, sizeof heard, scene->clock.now, &scene->error);
    while (n > 0);
    return (int)n;
}

static int say(struct scene *scene, struct link *link, const void *bytes, size_t size)
{
    clock_advance(&scene->clock, scene->clock.now + NANOS_PER_MILLI);
    return link_write_all(link, bytes, size, NEVER, &scene->error);
}

static int talk_to_device(struct scene *scene, struct link *link, struct puppet *puppet)
{
    const struct reopen_policy policy = {
        .first = NANOS_PER_SECOND, .longest = NANOS_PER_SECOND, .tries = 1};
    const struct frame ask = {.class = FRAME_SHUFFLER, .type = 0x01, .sequence = 7};
    const struct frame answer = {
        .class = FRAME_SHUFFLER, .type = 0x81, .sequence = 7, .size = 3, .payload = {1, 0, 255}};
    uint8_t bytes[FRAME_ENCODED_MAX];
    size_t size = frame_encode(&ask, bytes);
    int status = say(scene, link, bytes, size);

    size = frame_encode(&answer, bytes);
    puppet->mouthful = size - 4;
    if (status == 0)
        status = hear(scene, link, puppet, bytes, size);
    if (status == 0)
        status = link_reopen(link, &policy, &scene->error);
    puppet->model.gone = true;
    return status ? status : (int)link_read(link, bytes, 1, NEVER, &scene->error);
}

static int talk_to_shoe(struct scene *scene, struct link *link, struct puppet *puppet)
{
    static const uint8_t drawn[] = {0x05, '1', 'D', 0x81, 0xb8, 0x03, '4', 'F'}, taken[] = {0x06};
    int status = hear(scene, link, puppet, drawn, sizeof drawn);

    return status ? status : say(scene, link, taken, sizeof taken);
}

static int play(struct scene *scene)
{
    struct puppet *device = puppet_add(&scene->stage), *shoe = puppet_add(&scene->stage);
    struct link *first = tap(scene, "emu:puppet0", 0, TAP_DEALPROOF);
    struct link *second = first ? tap(scene, "emu:puppet1", 3, TAP_ANGEL_EYE) : NULL;
    int status = second ? talk_to_device(scene, first, device) : -1;

    if (status == 0)
        status = talk_to_shoe(scene, second, shoe);
    link_close(second);
    link_close(first);
    return status;
}

int main(int argc, char **argv)
{
    struct scene scene = {.capture = NULL};
    int status;

    if (argc != 2) {
        fprintf(stderr, "usage: sample FILE\n");
        return 2;
    }
    clock_virtual(&scene.clock, NANOS_PER_SECOND);
    status = hal_open(&scene.hal, &scene.clock, &scene.error);
    puppet_stage_open(&scene.stage, &scene.hal);
    if (status == 0)
        status = capture_open(&scene.capture, argv[1], &scene.error);
    if (status == 0)
        status = play(&scene);
    if (status == 0) {
        status = capture_close(scene.capture, &scene.error);
        scene.capture = NULL;
    }
    capture_close(scene.capture, NULL);
    puppet_stage_close(&scene.stage);
    hal_close(&scene.hal);
    if (status)
        fprintf(stderr, "sample: %s\n", scene.error.text);
    return status ? 1 : 0;
}
