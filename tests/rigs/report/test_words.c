/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a failed check has compared is told in words: nobody reads JSON in a report. */
#include <string.h>
#include <unistd.h>

#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

/* A run whose one round fails by that check. */
static struct report_forms forms_of(struct check_result result)
{
    char path[SCRATCH_PATH_SIZE];
    struct report_forms forms;
    struct clock clock;
    struct journal *journal = report_forms_journal(path, &clock);

    result.outcome = CHECK_FAIL;
    journal_recording(journal, &(struct journal_recording){.path = "a.shoe", .game = "x"}, NULL);
    journal_round(journal, 1, "{}", 2, NULL);
    journal_check(journal, &result, NULL);
    journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_FAIL}, NULL);
    journal_check(journal, &result, NULL); /* and after the last one */
    journal_end(journal, VERDICT_FAIL, NULL, NULL);
    journal_close(journal);
    forms = report_forms_of(path);
    unlink(path);
    return forms;
}

static bool tells(const struct report_forms *forms, const char *words)
{
    return strstr(forms->text[REPORT_TEXT], words) && strstr(forms->text[REPORT_JUNIT], words);
}

TEST(cards_are_told_as_cards_and_who_tells_nothing_as_silent)
{
    struct report_forms forms =
        forms_of((struct check_result){.name = "dealt-cards",
                                       .expected = "[\"5h\",\"Jh\",\"As\",\"7d\"]",
                                       .got = "[]",
                                       .recording = "[\"5h\",\"Jh\",\"As\",\"7d\"]",
                                       .device = "null"});

    CU_ASSERT_TRUE(tells(&forms, "expected 5h Jh As 7d, got none; recording 5h Jh As 7d, engine "
                                 "silent, device silent"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], ", expected 5h Jh As 7d, got none"));
    report_forms_free(&forms);
}

TEST(what_is_not_there_is_nothing_and_what_has_parts_is_told_by_their_names)
{
    struct report_forms forms = forms_of(
        (struct check_result){.name = "jackpots",
                              .expected = "null",
                              .got = "[{\"seat\":1,\"meter\":\"a<b\"},{\"seat\":2,\"won\":true}]"});

    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_TEXT],
                                  "expected nothing, got seat 1, meter a<b; seat 2, won true\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_JUNIT],
                                  "expected nothing, got seat 1, meter a&lt;b; seat 2, won true"));
    CU_ASSERT_PTR_NOT_NULL(strstr(forms.text[REPORT_HTML], "<td>nothing<td class=\"wrong\">seat "));
    report_forms_free(&forms);
}
