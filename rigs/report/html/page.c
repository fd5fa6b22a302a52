/* The head of a page with its style sheet, and the script of its filters. Both are in the page. */
#include <string.h>

#include "hal/base/embed.h"
#include "rigs/report/html/html.h"

EMBED_TEXT(html_page_css, "rigs/report/html/page.css");
EMBED_TEXT(html_page_js, "rigs/report/html/page.js");

/* Leaves out line ends and indentation, so that the page is smaller than the files. */
static void write_packed(FILE *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        fwrite(text, 1, length, out);
        text += length;
        text += strspn(text, "\n ");
    }
}

void html_head(FILE *out, const char *title, const char *more_style)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n",
          out);
    fprintf(out, "<title>dealproof: %s</title>\n<style>", title);
    write_packed(out, html_page_css);
    write_packed(out, more_style);
    fputs("</style></head><body>\n", out);
}

void html_filter_script(FILE *out)
{
    fputs("<script>", out);
    write_packed(out, html_page_js);
    fputs("</script>", out);
}
