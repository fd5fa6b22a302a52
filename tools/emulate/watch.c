/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/emulate/watch.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/listen_show.h"

struct emulate_watch {
    struct serve_watch on;
    const struct serve *serve;
    struct listener *listener;
    struct listen_show show;
    uint64_t clients;
};

static void say_came(void *context, bool is_there)
{
    struct emulate_watch *watch = context;
    const char *from = is_there ? serve_client(watch->serve) : "";

    watch->clients += is_there;
    if (!is_there)
        listener_end(watch->listener);
    fprintf(stderr, "client %ju: %s%s%s\n", (uintmax_t)watch->clients,
            is_there ? "connected" : "gone", *from ? " from " : "", from);
}

static void say_message(void *context, const struct listened *listened)
{
    struct emulate_watch *watch = context;
    size_t length = listen_show(&watch->show, listened);

    fwrite(watch->show.line, 1, length, stderr);
}

static void hear(void *context, bool from_device, const uint8_t *bytes, size_t count, nanos_t time)
{
    struct emulate_watch *watch = context;
    const struct heard_packet packet = {.time = time,
                                        .direction = from_device ? TAP_FROM_DEVICE : TAP_TO_DEVICE,
                                        .bytes = bytes,
                                        .count = count};

    listener_hear(watch->listener, &packet, NULL);
}

/* What the device speaks; bytes where only its script knows. */
static const struct protocol *protocol_of(const struct model_kind *kind)
{
    const struct protocol *protocol = protocol_find(kind->frame_class ? "open" : kind->name, NULL);

    return protocol ? protocol : &protocol_bytes;
}

int emulate_watch_open(struct emulate_watch **made, struct serve *serve,
                       const struct model_kind *kind, bool is_usb, struct error *error)
{
    struct emulate_watch *watch = calloc(1, sizeof *watch);
    const struct listener_options options = {
        .protocol = protocol_of(kind), .tell = say_message, .context = watch};

    if (watch)
        watch->listener = listener_new(&options);
    if (!watch || !watch->listener) {
        free(watch);
        return error_set(error, ERROR_RIG, "out of memory");
    }
    watch->serve = serve;
    watch->on =
        (struct serve_watch){.context = watch, .came = say_came, .passed = is_usb ? NULL : hear};
    serve_set_watch(serve, &watch->on);
    *made = watch;
    return 0;
}

void emulate_watch_close(struct emulate_watch *watch)
{
    if (!watch)
        return;
    listener_end(watch->listener);
    listener_free(watch->listener);
    free(watch);
}
