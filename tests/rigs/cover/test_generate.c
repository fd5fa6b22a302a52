/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings that nobody has played: legal, the same for the same seed, and complete when asked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/cover/generate.h"
#include "tests/support/suite.h"

struct kept {
    char *text; /* of all recordings and expectations, one after the other */
    size_t length;
    FILE *out;
    unsigned recordings, rounds, refused, refused_elsewhere;
    unsigned misdeals, unreached; /* rounds, and decisions before the cards that they are made by */
};

static void count_unreached(struct kept *kept, const struct recording_header *header,
                            const struct round *round)
{
    struct settlement settlement;

    if (!round->is_void || game_settle(&header->setup, round, &settlement, NULL))
        return;
    kept->misdeals++;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            kept->unreached += round->decision_count[seat] -
                               cover_decided(header->setup.game, round, &settlement, seat);
}

static void count_misdeals(struct kept *kept, const struct generated *generated)
{
    struct json_reader *json = json_reader_new(JSON_LONGEST);
    const char *line = generated->shoe, *end = line + generated->shoe_length;
    struct recording_header header;
    size_t length = strcspn(line, "\n");

    CU_ASSERT_PTR_NOT_NULL_FATAL(json);
    CU_ASSERT_EQUAL_FATAL(recording_read_header(line, length, NULL, &header, NULL), 0);
    for (line += length + 1; line < end; line += length + 1) {
        struct recording_round round;

        length = strcspn(line, "\n");
        if (!recording_read_round(json, line, length, &header, &round, NULL))
            count_unreached(kept, &header, &round.round);
    }
    json_reader_free(json);
}

static void count_errors(struct kept *kept, const struct generated *generated)
{
    bool may_refuse = strstr(generated->name, "refused");

    for (const char *at = generated->expect; (at = strstr(at, "\"error\":")); at++) {
        kept->refused += may_refuse;
        kept->refused_elsewhere += !may_refuse;
    }
}

static int keep(void *context, const struct generated *generated, struct error *error)
{
    struct kept *kept = context;

    (void)error;
    fprintf(kept->out, "%s\n", generated->name);
    fwrite(generated->shoe, 1, generated->shoe_length, kept->out);
    fwrite(generated->expect, 1, generated->expect_length, kept->out);
    kept->recordings++;
    kept->rounds += (unsigned)generated->rounds;
    count_errors(kept, generated);
    count_misdeals(kept, generated);
    return 0;
}

/* What is left to show; `kept` is the caller's to free. */
static unsigned generate(struct kept *kept, const char *game, uint64_t seed, uint64_t rounds,
                         bool cover)
{
    struct generate_job job = {.game = game_find(game),
                               .seed = seed,
                               .rounds = rounds,
                               .cover = cover,
                               .context = kept,
                               .write = keep};
    struct cover_book book = {.games = NULL};
    struct cover_game *page = cover_book_game(&book, job.game);
    unsigned missed;

    *kept = (struct kept){.text = NULL};
    kept->out = open_memstream(&kept->text, &kept->length);
    CU_ASSERT_FATAL(page && kept->out);
    CU_ASSERT_EQUAL(generate_run(&job, page, NULL), 0);
    fclose(kept->out);
    missed = cover_book_missed(page);
    cover_book_clear(&book);
    return missed;
}

TEST(random_rounds_are_as_many_as_asked_and_all_legal)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++) {
        struct kept kept;

        generate(&kept, game->name, 5, 300, false);
        CU_ASSERT_EQUAL(kept.recordings, 1);
        CU_ASSERT_EQUAL(kept.rounds, 300);
        CU_ASSERT_EQUAL(kept.refused + kept.refused_elsewhere, 0);
        free(kept.text);
    }
}

TEST(the_same_seed_makes_the_same_bytes_and_another_seed_others)
{
    struct kept one, again, other;

    generate(&one, "three-card-catch", 7, 50, false);
    generate(&again, "three-card-catch", 7, 50, false);
    generate(&other, "three-card-catch", 8, 50, false);
    CU_ASSERT_STRING_EQUAL(one.text, again.text);
    CU_ASSERT_STRING_NOT_EQUAL(one.text, other.text);
    free(one.text);
    free(again.text);
    free(other.text);
}

TEST(seats_of_a_round_have_stakes_of_their_own)
{
    struct kept kept;
    unsigned different = 0;

    generate(&kept, "flush-rush", 3, 50, false);
    for (char *line = strtok(kept.text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *first = strstr(line, "\"ante\":");
        const char *second = first ? strstr(first + 1, "{\"ante\":") : NULL;

        different += strstr(line, "\"bets\"") && second && atoi(first + 7) != atoi(second + 8);
    }
    CU_ASSERT(different > 20);
    free(kept.text);
}

TEST(guided_rounds_show_every_point_of_every_game)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++) {
        struct kept kept;
        unsigned missed = generate(&kept, game->name, 1, 0, true);

        if (missed)
            printf("%s: %u points are not shown\n", game->name, missed);
        CU_ASSERT_EQUAL(missed, 0);
        CU_ASSERT_EQUAL(kept.refused_elsewhere, 0);
        CU_ASSERT(kept.refused > 10);
        CU_ASSERT(kept.misdeals > 2);
        CU_ASSERT_EQUAL(kept.unreached, 0);
        free(kept.text);
    }
}

TEST(a_limit_of_rounds_holds_for_all_recordings_together)
{
    struct kept kept;

    CU_ASSERT(generate(&kept, "three-card-poker", 1, 10, true) > 0);
    CU_ASSERT_EQUAL(kept.rounds, 10);
    free(kept.text);
}
