/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy of a page: its own style and script, by their digests, and nothing else. */
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/page/page.h"
#include "tests/support/document.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

/* "NAME 'sha256-…'" of what stands between two marks of a page, as a browser takes it. */
static const char *source_of(const char *page, const char *name, const char *from, const char *to)
{
    static char text[128];
    char sum[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE)];
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx state;
    const char *start = strstr(page, from), *end = start ? strstr(start, to) : NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    start += strlen(from);
    sha256_init(&state);
    sha256_update(&state, (size_t)(end - start), (const uint8_t *)start);
    sha256_digest(&state, sizeof digest, digest);
    base64_encode_raw(sum, sizeof digest, digest);
    snprintf(text, sizeof text, "%s 'sha256-%.*s';", name, (int)sizeof sum, sum);
    return text;
}

static void check_policy(const char *page)
{
    const char *policy = strstr(page, "<meta http-equiv=\"Content-Security-Policy\" content=\""
                                      "default-src 'none'; ");

    CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
    CU_ASSERT_PTR_NULL(strstr(page, "unsafe"));
    CU_ASSERT_PTR_NOT_NULL(strstr(policy, source_of(page, "style-src", "<style>", "</style>")));
    CU_ASSERT_PTR_NOT_NULL(strstr(policy, source_of(page, "script-src", "<script>", "</script>")));
    CU_ASSERT(policy < strstr(page, "<style>"));
}

TEST(the_policy_of_a_report_names_its_style_and_its_script)
{
    const struct journal_sample sample = {.rounds = 10, .fail_every = 3, .timeout_every = 4};
    struct report_forms forms = report_forms_of_sample(&sample);

    check_policy(forms.text[REPORT_HTML]);
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<style"), 1);
    CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], "<script"), 1);
    report_forms_free(&forms);
}

TEST(no_element_of_a_report_has_a_style_or_a_script_of_its_own)
{
    static const char *const words[] = {
        " style=", " onclick=", " onload=", " onerror=", "javascript:"};
    const struct journal_sample sample = {.rounds = 100, .fail_every = 3, .timeout_every = 4};
    struct report_forms forms = report_forms_of_sample(&sample);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        CU_ASSERT_EQUAL(document_count(forms.text[REPORT_HTML], words[i]), 0);
    report_forms_free(&forms);
}

TEST(a_page_with_more_style_has_another_policy)
{
    static const char *const styles[] = {"", "p{color:red}\n  q{color:blue}\n"};
    char *pages[2] = {NULL, NULL};
    size_t length;

    for (unsigned i = 0; i < 2; i++) {
        FILE *out = open_memstream(&pages[i], &length);

        html_head(out, "x", styles[i]);
        html_filter_script(out);
        fclose(out);
        check_policy(pages[i]);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(pages[1], "p{color:red}q{color:blue}</style>"));
    free(pages[0]);
    free(pages[1]);
}
