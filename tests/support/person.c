/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"
#include "tests/support/suite.h"

static const char *next_answer(struct person *person, const struct desk_open *question)
{
    if (!person->answers)
        return person->answer(person, question);
    return *person->answers ? *person->answers++ : NULL;
}

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct person *person = context;
    enum desk_result result = DESK_NOT_ALLOWED;

    if (answer)
        return;
    if (person->asked < PERSON_KEPT) {
        person->kinds[person->asked] = question->kind;
        strcpy(person->texts[person->asked], question->text);
    }
    person->asked++;
    while (result == DESK_NOT_ALLOWED) {
        const char *text = next_answer(person, question);
        struct error error = {.text = ""};

        if (!text) {
            desk_leave(person->desk, DESK_PAGE);
            return;
        }
        result = desk_answer(person->desk, question->id, text, "Ann", DESK_PAGE, NULL, &error);
        if (result == DESK_NOT_ALLOWED && person->refused < PERSON_KEPT)
            strcpy(person->refusals[person->refused++], error.text);
    }
    CU_ASSERT_EQUAL(result, DESK_TAKEN);
}

void person_sit(struct person *person)
{
    person->desk = desk_new(NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(person->desk);
    desk_sides(person->desk, DESK_PAGE);
    CU_ASSERT_EQUAL_FATAL(desk_listen(person->desk, &(struct desk_reader){told, person}, NULL), 0);
}

void person_rise(struct person *person)
{
    desk_free(person->desk);
}

static void shuffle(struct person *person)
{
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        unsigned at = (unsigned)(random_next(&person->seed) % (i + 1));

        person->deck[i] = person->deck[at];
        person->deck[at] = card_from_index(i);
    }
    person->left = DECK_SIZE;
}

/* The cards of a pile go onto those before it; the first one onto all others. */
static void stack(struct person *person, const char *text)
{
    const char *at = strstr(text, "bottom first:") + strlen("bottom first:");
    card_t cards[DECK_SIZE];
    int count = cards_parse(at + 1, strcspn(at + 1, ";"), cards, DECK_SIZE, NULL);
    unsigned kept = 0;

    CU_ASSERT_FATAL(count > 0);
    if (!strncmp(text, "pile 1 ", 7))
        shuffle(person);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (!memchr(cards, person->deck[i], (size_t)count))
            person->deck[kept++] = person->deck[i];
    memcpy(person->deck + kept, cards, (size_t)count);
}

/* "take packet 1 of 7: its 3 cards? (Enter, as recorded: As Kd 2c)" */
static const char *deal(struct person *person, const char *text)
{
    const char *count = strstr(text, ": its "), *recorded = strstr(text, "as recorded: ");
    unsigned cards;

    count += strspn(count, ": itscard,upo");
    cards = (unsigned)strtoul(count, NULL, 10);
    CU_ASSERT_FATAL(cards > 0 && cards <= person->left);
    for (unsigned i = 0; i < cards; i++) {
        card_format(person->deck[--person->left], person->said + (size_t)3 * i);
        person->said[3 * i + 2] = ' ';
    }
    person->said[3 * cards - 1] = '\0';
    if (recorded && !strncmp(recorded + 13, person->said, strlen(person->said))) {
        person->nodded++;
        return "";
    }
    person->typed++;
    return person->said;
}

const char *person_deals(struct person *person, const struct desk_open *question)
{
    if (question->kind == QUESTION_CARDS)
        return deal(person, question->text);
    CU_ASSERT_EQUAL(question->kind, QUESTION_STEP);
    if (!strncmp(question->text, "pile ", 5))
        stack(person, question->text);
    else if (strstr(question->text, "52 cards"))
        shuffle(person);
    return "done";
}
