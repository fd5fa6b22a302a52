/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a search for generators. */
#include <inttypes.h>

#include "rigs/page/page.h"
#include "rigs/shuffles/generators_words.h"
#include "rigs/shuffles/html.h"

static void write_banner(const struct generators_page *page, FILE *out)
{
    const char *class = page->found->is_found ? "fail" : "pass";

    fprintf(out, "<header class=\"top %s\"><h1><span class=\"v %s\">%s</span></h1>\n<p>", class,
            class, page->found->is_found ? "a weak generator" : "no generator found");
    generators_say_found(page->generators, page->found, out);
    fputs("</header>\n", out);
}

static void write_next(const struct generators_page *page, FILE *out)
{
    fputs("<h2>What it predicts</h2>\n<p>", out);
    generators_say_followed(page->generators, page->found, out);
    if (!page->found->has_next)
        return;
    fputs("<p>", out);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        html_card(out, page->found->next[i]);
        putc(i % 13 == 12 ? '\n' : ' ', out);
    }
}

static void write_catalogue(const struct generators *generators, FILE *out)
{
    const struct weak_generator *generator;

    fputs("<h2>The catalogue</h2><div class=\"scroll\"><table><thead><tr><th scope=\"col\">"
          "Generator<th scope=\"col\">What it is<th scope=\"col\">Seeds<th scope=\"col\">"
          "Mappings tried<tbody>\n",
          out);
    for (size_t i = 0; (generator = weak_generator_at(i)); i++) {
        uint64_t first, seeds;

        generators_seeds(generators, generator, &first, &seeds);
        fprintf(out,
                "<tr><th scope=\"row\">%s<td>%s<td class=\"n\">%" PRIu64 "<td class=\"n\">%u\n",
                generator->name, generator->what, seeds, generators_mappings(generators, i));
    }
    fputs("</table></div>\n", out);
}

void generators_html_page(const struct generators_page *page, FILE *out)
{
    html_head(out, page->found->is_found ? "a weak generator" : "no generator found",
              shuffles_html_style);
    write_banner(page, out);
    if (page->found->is_found)
        write_next(page, out);
    fputs("<h2>What was looked for</h2>\n<p>", out);
    generators_say_sought(page->generators, out);
    generators_say_left(page->generators, out);
    write_catalogue(page->generators, out);
    fputs("<h2>Where it comes from</h2><div class=\"scroll\"><table class=\"facts\">\n", out);
    html_fact(out, "Device", page->device);
    html_fact(out, "Firmware", page->firmware);
    html_fact(out, page->recordings > 1 ? "First recording" : "From", page->from);
    html_fact(out, "Recorded", *page->recorded ? page->recorded : "not said");
    html_fact(out, page->recordings > 1 ? "SHA-256 of the list of their digests" : "SHA-256",
              page->digest);
    html_fact(out, "dealproof", DEALPROOF_VERSION);
    fputs("</table></div>\n</body></html>\n", out);
}
