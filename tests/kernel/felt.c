#include "tests/kernel/felt.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SIM  "/sys/kernel/config/gpio-sim/felt"
#define BANK SIM "/bank0"

/* Hands are slow; the outputs of gpio-sim can only be asked for. */
#define LOOK_EVERY 2 /* milliseconds */

static const char *const names[] = {"bet", "light", "chip", "lamp"};

static unsigned index_of(unsigned seat, enum felt_line line)
{
    return (seat - 1) * 4 + line;
}

static void make_line(unsigned seat, enum felt_line line)
{
    char path[GUEST_PATH_SIZE], name[GUEST_PATH_SIZE];

    guest_text(path, BANK "/line%u", index_of(seat, line));
    guest_make_directory(path);
    guest_text(path, BANK "/line%u/name", index_of(seat, line));
    guest_text(name, "%s%u", names[line], seat);
    guest_write(path, name);
}

static int open_attribute(const char *device, const char *chip, unsigned index, const char *name,
                          int flags)
{
    char path[GUEST_PATH_SIZE];
    int fd;

    guest_text(path, "/sys/devices/platform/%s/%s/sim_gpio%u/%s", device, chip, index, name);
    fd = open(path, flags | O_CLOEXEC);
    if (fd < 0)
        guest_die("%s: %m", path);
    return fd;
}

static void open_lines(struct felt *felt)
{
    char device[32] = "";

    if (!guest_read(SIM "/dev_name", device, sizeof device) ||
        !guest_read(BANK "/chip_name", felt->chip, sizeof felt->chip))
        guest_die(SIM ": the chip has no name");
    for (unsigned i = 0; i < FELT_LINES; i++) {
        felt->pull[i] = open_attribute(device, felt->chip, i, "pull", O_WRONLY);
        felt->value[i] = open_attribute(device, felt->chip, i, "value", O_RDONLY);
    }
}

void felt_make(struct felt *felt)
{
    char count[8];

    memset(felt, 0, sizeof *felt);
    snprintf(count, sizeof count, "%d", FELT_LINES);
    guest_make_directory(SIM);
    guest_make_directory(BANK);
    guest_write(BANK "/label", FELT_LABEL);
    guest_write(BANK "/num_lines", count);
    for (unsigned seat = 1; seat <= FELT_SEATS; seat++)
        for (enum felt_line line = FELT_BET; line <= FELT_LAMP; line++)
            make_line(seat, line);
    guest_write(SIM "/live", "1");
    open_lines(felt);
}

void felt_free(struct felt *felt)
{
    char path[GUEST_PATH_SIZE];

    felt_rest(felt);
    for (unsigned i = 0; i < FELT_LINES; i++) {
        close(felt->pull[i]);
        close(felt->value[i]);
    }
    guest_write(SIM "/live", "0");
    for (unsigned i = 0; i < FELT_LINES; i++) {
        guest_text(path, BANK "/line%u", i);
        guest_remove(path);
    }
    guest_remove(BANK);
    guest_remove(SIM);
}

void felt_pull(struct felt *felt, unsigned seat, enum felt_line line, bool up)
{
    const char *text = up ? "pull-up" : "pull-down";

    if (pwrite(felt->pull[index_of(seat, line)], text, strlen(text), 0) != (ssize_t)strlen(text))
        guest_die("%s%u: cannot be pulled: %m", names[line], seat);
}

bool felt_value(const struct felt *felt, unsigned seat, enum felt_line line)
{
    char value = '?';

    if (pread(felt->value[index_of(seat, line)], &value, 1, 0) != 1)
        guest_die("%s%u: cannot be looked at: %m", names[line], seat);
    return value == '1';
}

/* An input does what an output says; each time that it goes up counts. */
static void follow(struct felt *felt, unsigned seat, enum felt_line input, enum felt_line output,
                   bool *was, atomic_uint *count)
{
    bool is = felt_value(felt, seat, output);

    if (is == *was)
        return;
    *was = is;
    felt_pull(felt, seat, input, is);
    atomic_fetch_add(count, is);
}

static void *play(void *context)
{
    struct felt *felt = context;
    bool chips[FELT_SEATS + 1] = {false}, lamps[FELT_SEATS + 1] = {false};

    while (!atomic_load(&felt->stop)) {
        for (unsigned seat = 1; seat <= FELT_SEATS; seat++) {
            follow(felt, seat, FELT_BET, FELT_CHIP, &chips[seat], &felt->placed[seat]);
            follow(felt, seat, FELT_LAMP, FELT_LIGHT, &lamps[seat], &felt->lit[seat]);
        }
        guest_sleep(LOOK_EVERY);
    }
    return NULL;
}

void felt_play(struct felt *felt)
{
    atomic_store(&felt->stop, false);
    if (pthread_create(&felt->player, NULL, play, felt))
        guest_die("nobody plays the chips: no thread");
    felt->is_played = true;
}

void felt_rest(struct felt *felt)
{
    if (!felt->is_played)
        return;
    atomic_store(&felt->stop, true);
    pthread_join(felt->player, NULL);
    felt->is_played = false;
}
