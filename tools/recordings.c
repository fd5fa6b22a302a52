/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/recordings.h"

#include <limits.h>
#include <stdio.h>

#include "rigs/page/markup.h"

/* For people, also under --json: it does not begin with a brace. One call writes all of it. */
void recordings_note(const struct command *command, const struct recording_list *recordings)
{
    char folder[PATH_MAX] = "", others[48] = "";
    FILE *plain = recordings->passed_count ? fmemopen(folder, sizeof folder, "w") : NULL;
    size_t more;

    if (!plain)
        return;
    plain_text(plain, recordings->passed);
    fclose(plain);
    more = recordings->passed_count - 1;
    if (more)
        snprintf(others, sizeof others, " and %zu more folder%s", more, more == 1 ? "" : "s");
    fprintf(stderr,
            "dealproof %s: %s%s %s passed over: copies of what earlier runs have played, beside a "
            "run.journal; name such a folder to have it too\n",
            command->name, folder, others, more ? "are" : "is");
}

int recordings_find(const struct command *command, char *const *names,
                    struct recording_list *recordings, struct error *error)
{
    int status = recording_list_find(names, recordings, error);

    if (!status)
        recordings_note(command, recordings);
    return status;
}
