/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "rigs/evidence/manifest.h"
#include "tests/support/suite.h"

TEST(a_manifest_of_no_file_is_an_empty_text)
{
    struct manifest manifest = {0};
    char *text;

    CU_ASSERT_EQUAL(manifest_read(&manifest, "", NULL), 0);
    /* Memory that was used before, so that what is not written can be seen. */
    text = malloc(1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    *text = 'x';
    free(text);
    text = manifest_text(&manifest);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(strlen(text), manifest_length(&manifest));
    free(text);
    manifest_free(&manifest);
}
