/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/page/page.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdbool.h>
#include <string.h>

#include "hal/base/embed.h"
#include "rigs/page/markup.h"

EMBED_TEXT(html_colors_css, "rigs/page/colors.css");
EMBED_TEXT(html_page_css, "rigs/page/page.css");
EMBED_TEXT(html_page_js, "rigs/page/page.js");

/*
 * Leaves out line ends and indentation, so that the page is smaller than the files. What is left is
 * written, or added to a digest.
 */
static void pack(const char *text, FILE *out, struct sha256_ctx *sum)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        if (out)
            fwrite(text, 1, length, out);
        else
            sha256_update(sum, length, (const uint8_t *)text);
        text += length;
        text += strspn(text, "\n ");
    }
}

/* Texts up to a NULL, one after the other. */
static void pack_all(const char *const *texts, FILE *out, struct sha256_ctx *sum)
{
    for (; *texts; texts++)
        pack(*texts, out, sum);
}

/* 'sha256-…' of the texts together, as a policy has it. */
static void write_source(FILE *out, const char *const *texts)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE)];
    struct sha256_ctx sum;

    sha256_init(&sum);
    pack_all(texts, NULL, &sum);
    sha256_digest(&sum, sizeof digest, digest);
    base64_encode_raw(text, sizeof digest, digest);
    fprintf(out, "'sha256-%.*s'", (int)sizeof text, text);
}

static const char *const script[] = {html_page_js, NULL};

/* The page may use its own style and script, and nothing else of any kind. */
static void write_policy(FILE *out, const char *const *style)
{
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ",
          out);
    write_source(out, style);
    fputs("; script-src ", out);
    write_source(out, script);
    fputs("; img-src data:; base-uri 'none'; form-action 'none'\">\n", out);
}

void html_head(FILE *out, const char *title, const char *more_style)
{
    const char *const style[] = {html_colors_css, html_page_css, more_style, NULL};

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n",
          out);
    write_policy(out, style);
    fprintf(out, "<link rel=\"icon\" href=\"data:,\">\n<title>dealproof: %s</title>\n<style>",
            title);
    pack_all(style, out, NULL);
    fputs("</style></head><body>\n", out);
}

void html_filter_script(FILE *out)
{
    fputs("<script>", out);
    pack_all(script, out, NULL);
    fputs("</script>", out);
}

void html_tile(FILE *out, const char *class, uint64_t number, const char *name)
{
    fprintf(out, "<li%s%s%s><b>%ju</b>%s\n", *class ? " class=\"" : "", class, *class ? "\"" : "",
            (uintmax_t)number, name);
}

void html_fact(FILE *out, const char *name, const char *value)
{
    if (!*value)
        return;
    fprintf(out, "<tr><th scope=\"row\">%s<td><code>", name);
    markup_text(out, value);
    fputs("</code>\n", out);
}

const char *const html_suits[SUIT_COUNT] = {[SUIT_CLUBS] = "\u2663",
                                            [SUIT_DIAMONDS] = "\u2666",
                                            [SUIT_HEARTS] = "\u2665",
                                            [SUIT_SPADES] = "\u2660"};

void html_card(FILE *out, card_t card)
{
    bool red = card_suit(card) == SUIT_DIAMONDS || card_suit(card) == SUIT_HEARTS;
    char text[2];

    card_format(card, text);
    /* A rank over its suit: the break is kept by the style. */
    fprintf(out, "<i%s>%.*s\n%s</i>", red ? " class=\"red\"" : "", text[0] == 'T' ? 2 : 1,
            text[0] == 'T' ? "10" : text, html_suits[card_suit(card)]);
}

void html_picture(FILE *out, double width, double height, const char *shows)
{
    fprintf(out, "<svg role=\"img\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" aria-label=\"",
            width, height, width, height);
    markup_text(out, shows);
    fputs("\">", out);
}

void html_bar(FILE *out, double x, double foot, double width, double height)
{
    fprintf(out, "<rect class=\"bar\" x=\"%g\" y=\"%.1f\" width=\"%g\" height=\"%.1f\"/>", x,
            foot - height, width, height);
}

void html_point(FILE *out, double x, double y)
{
    fprintf(out, " %.4g,%.1f", x, y);
}
