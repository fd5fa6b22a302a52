/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page itself: plain files, as they stand in the tree. */
#include <string.h>

#include "hal/base/embed.h"
#include "rigs/station/station.h"

EMBED_TEXT(station_page_html, "rigs/station/page.html");
EMBED_TEXT(station_page_css, "rigs/station/page.css");
EMBED_TEXT(station_page_js, "rigs/station/page.js");
EMBED_TEXT(station_colors_css, "rigs/page/colors.css");
EMBED_TEXT(station_deal_js, "rigs/station/page/deal.js");
EMBED_TEXT(station_desk_js, "rigs/station/page/desk.js");
EMBED_TEXT(station_link_js, "rigs/station/page/link.js");
EMBED_TEXT(station_now_js, "rigs/station/page/now.js");
EMBED_TEXT(station_results_js, "rigs/station/page/results.js");
EMBED_TEXT(station_run_js, "rigs/station/page/run.js");
EMBED_TEXT(station_shuffles_js, "rigs/station/page/shuffles.js");
EMBED_TEXT(station_start_js, "rigs/station/page/start.js");
EMBED_TEXT(station_table_js, "rigs/station/page/table.js");
EMBED_TEXT(station_text_js, "rigs/station/page/text.js");
EMBED_TEXT(station_views_js, "rigs/station/page/views.js");

#define STYLE  "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"

#define POLICY_PAGE                                                                                \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "                \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

enum MHD_Result order_page(struct request *request)
{
    static const struct {
        const char *path, *type, *text;
    } files[] = {
        {"/", "text/html; charset=utf-8", station_page_html},
        {"/page.css", STYLE, station_page_css},
        {"/page.js", SCRIPT, station_page_js},
        {"/page/colors.css", STYLE, station_colors_css},
        {"/page/deal.js", SCRIPT, station_deal_js},
        {"/page/desk.js", SCRIPT, station_desk_js},
        {"/page/link.js", SCRIPT, station_link_js},
        {"/page/now.js", SCRIPT, station_now_js},
        {"/page/results.js", SCRIPT, station_results_js},
        {"/page/run.js", SCRIPT, station_run_js},
        {"/page/shuffles.js", SCRIPT, station_shuffles_js},
        {"/page/start.js", SCRIPT, station_start_js},
        {"/page/table.js", SCRIPT, station_table_js},
        {"/page/text.js", SCRIPT, station_text_js},
        {"/page/views.js", SCRIPT, station_views_js},
    };

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (!strcmp(files[i].path, request->path))
            return reply_text(request, 200, files[i].type, POLICY_PAGE, files[i].text,
                              strlen(files[i].text), MHD_RESPMEM_PERSISTENT);
    return reply_why(request, 404, "there is no such path");
}
