/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/hands/step.h"

#include <stdio.h>
#include <string.h>

#include "hal/desk/desk.h"

int hands_step(const struct hal *hal, const struct hands_step *step, nanos_t *time,
               struct error *error)
{
    struct question question = {
        .kind = QUESTION_STEP, .text = step->text, .choices = {"done"}, .limit_ms = step->limit_ms};
    struct answer answer;
    unsigned count = 1;
    int status;

    for (; step->words && step->words[count - 1] && count < DESK_CHOICES_MAX; count++)
        question.choices[count] = step->words[count - 1];
    status = desk_ask(hal->desk, hal, &question, &answer, error);
    if (status)
        return status;
    *time = answer.answered;
    for (unsigned i = 1; i < count; i++)
        if (!strcmp(answer.text, question.choices[i]))
            return (int)i;
    return 0;
}

int hands_confirm(const struct hal *hal, const card_t *cards, const uint8_t *backs, unsigned count,
                  uint32_t limit_ms, struct error *error)
{
    static const char *const words[] = {"undo", NULL};
    char text[DESK_TEXT_SIZE];
    const struct hands_step step = {.text = text, .words = words, .limit_ms = limit_ms};
    size_t used = (size_t)snprintf(text, sizeof text, "the last were");
    nanos_t time;

    for (unsigned i = 0; i < count && used < sizeof text - 32; i++) {
        char card[4] = " ";

        card_format(cards[i], card + 1);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", card);
        if (backs[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "/%u", backs[i]);
    }
    snprintf(text + used, sizeof text - used, "; is it right?");
    return hands_step(hal, &step, &time, error);
}
