/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run shows while it goes on, from its start to its end: the bar and what stands above it.
 */
#include "tools/run/show.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/run/bar.h"

#define BAR_EVERY_MS 100
#define TICK_MS      1000

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool is_terminal(int fd)
{
    const char *kind = getenv("TERM");

    return isatty(fd) && !(kind && !strcmp(kind, "dumb"));
}

/* As no-color.org has it. */
static bool wants_colour(int fd)
{
    const char *refused = getenv("NO_COLOR");

    return is_terminal(fd) && !(refused && *refused);
}

/* The caller holds the screen, where another thread could. */
static void draw(struct run_show *show, uint64_t now)
{
    show->drawn_ms = now;
    if (show->is_paused)
        return;
    run_bar_draw(&(struct run_bar){.rounds = show->rounds,
                                   .total = show->total,
                                   .failed = show->failed,
                                   .milliseconds = now - show->start_ms,
                                   .since_round_ms = now - show->round_ms,
                                   .colour = show->bar_colour,
                                   .is_live = show->live,
                                   .is_stopping = show->is_stopping,
                                   .away = show->away,
                                   .tries = show->tries,
                                   .awaits = show->wait.what,
                                   .from = show->wait.device,
                                   .waited_ms = now - show->wait_ms,
                                   .limit_ms = show->wait.limit_ms});
}

static void draw_if_due(struct run_show *show)
{
    uint64_t now = now_ms();

    if (now - show->drawn_ms >= BAR_EVERY_MS)
        draw(show, now);
}

/* Time goes on also while nothing happens. */
static void *tick(void *context)
{
    struct run_show *show = context;

    pthread_mutex_lock(&show->screen);
    while (!show->is_over) {
        struct timespec next;

        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec += TICK_MS / 1000;
        pthread_cond_clockwait(&show->over, &show->screen, CLOCK_MONOTONIC, &next);
        if (!show->is_over)
            draw_if_due(show);
    }
    pthread_mutex_unlock(&show->screen);
    return NULL;
}

void run_show_start(struct run_show *show)
{
    show->colour = wants_colour(STDOUT_FILENO);
    show->bar_colour = wants_colour(STDERR_FILENO);
    show->bar = is_terminal(STDERR_FILENO) && !show->quiet && !show->json;
    show->start_ms = show->round_ms = now_ms();
    show->round = 0;
    show->failing = NULL;
    show->failing_count = 0;
    show->repeats = NULL;
    show->repeat_count = 0;
    pthread_mutex_init(&show->lock, NULL);
    pthread_mutex_init(&show->screen, NULL);
    pthread_cond_init(&show->over, NULL);
    /* Who reads from a pipe reads each line when it is written. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    show->is_over = show->is_paused = show->is_stopping = false;
    if (show->bar)
        draw(show, show->start_ms);
    show->ticks = show->bar && show->live && !pthread_create(&show->ticker, NULL, tick, show);
}

void run_show_stop(struct run_show *show)
{
    show->took_ms = now_ms() - show->start_ms;
    if (!show->ticks)
        return;
    pthread_mutex_lock(&show->screen);
    show->is_over = true;
    pthread_cond_signal(&show->over);
    pthread_mutex_unlock(&show->screen);
    pthread_join(show->ticker, NULL);
    show->ticks = false;
}

/* The next tick comes later than what is printed now. */
void run_show_clear(struct run_show *show)
{
    if (!show->bar)
        return;
    pthread_mutex_lock(&show->screen);
    show->drawn_ms = now_ms();
    run_bar_clear();
    pthread_mutex_unlock(&show->screen);
}

void run_show_wait(struct run_show *show, const struct run_wait *wait)
{
    if (wait && show->json && !show->quiet)
        run_show_wait_json(wait);
    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    show->wait = wait ? *wait : (struct run_wait){.what = NULL};
    show->wait_ms = now_ms();
    if (wait)
        draw_if_due(show);
    pthread_mutex_unlock(&show->screen);
}

void run_show_away(struct run_show *show, const char *device, unsigned tries)
{
    if (tries && show->json && !show->quiet)
        run_show_wait_json(&(struct run_wait){.what = "return", .device = device, .try = tries});
    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    show->away = tries ? device : NULL;
    show->tries = tries;
    draw(show, now_ms());
    pthread_mutex_unlock(&show->screen);
}

void run_show_stopping(struct run_show *show)
{
    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    show->is_stopping = true;
    if (show->is_paused)
        fputs("\nfinishing this round: answer, or press again to cut it short\n", stderr);
    else
        draw(show, now_ms());
    pthread_mutex_unlock(&show->screen);
}

void run_show_cards(struct run_show *show, const struct run_cards *cards)
{
    char text[2];

    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    run_bar_clear();
    if (cards->round != show->round)
        fprintf(stderr, "round %jd\n", (intmax_t)cards->round);
    show->round = cards->round;
    fprintf(stderr, "  %-8s", cards->to);
    for (unsigned i = 0; i < cards->count; i++) {
        card_format(cards->cards[i], text);
        fprintf(stderr, " %.2s", text);
    }
    fputc('\n', stderr);
    draw(show, now_ms());
    pthread_mutex_unlock(&show->screen);
}

void run_show_pause(struct run_show *show, bool is_paused)
{
    if (!show->bar)
        return;
    pthread_mutex_lock(&show->screen);
    show->is_paused = is_paused;
    if (is_paused)
        run_bar_clear();
    pthread_mutex_unlock(&show->screen);
}

void run_show_progress(struct run_show *show, uint64_t rounds, uint64_t failed)
{
    if (!show->bar)
        return;
    pthread_mutex_lock(&show->screen);
    show->rounds += rounds;
    show->failed += failed;
    show->round_ms = now_ms();
    draw_if_due(show);
    pthread_mutex_unlock(&show->screen);
}

void run_show_request(struct run_show *show, const char *what)
{
    if (show->quiet)
        return;
    run_show_clear(show);
    fprintf(stderr, "%s\n", what);
}

void run_show_end(struct run_show *show)
{
    free(show->failing);
    free(show->repeats);
    pthread_cond_destroy(&show->over);
    pthread_mutex_destroy(&show->screen);
    pthread_mutex_destroy(&show->lock);
}
