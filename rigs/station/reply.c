/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers, with the headers that all of them have. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rigs/station/station.h"

enum MHD_Result reply_with(const struct request *request, unsigned status, const char *type,
                           const char *policy, struct MHD_Response *response)
{
    enum MHD_Result queued;

    if (!response)
        return MHD_NO;
    http.add_response_header(response, "Content-Type", type);
    http.add_response_header(response, "Content-Security-Policy", policy);
    http.add_response_header(response, "X-Content-Type-Options", "nosniff");
    http.add_response_header(response, "Referrer-Policy", "no-referrer");
    http.add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    http.add_response_header(response, "Cache-Control", "no-store");
    if (status == 401)
        http.add_response_header(response, "WWW-Authenticate", "Bearer");
    if (status == 405)
        http.add_response_header(response, "Allow", request->route->method);
    queued = http.queue_response(request->http, status, response);
    http.destroy_response(response);
    return queued;
}

enum MHD_Result reply_text(const struct request *request, unsigned status, const char *type,
                           const char *policy, const char *text, size_t length,
                           enum MHD_ResponseMemoryMode mode)
{
    /* The library takes a pointer that it does not write through. */
    struct MHD_Response *response =
        http.create_response_from_buffer(length, (void *)(uintptr_t)text, mode);

    return reply_with(request, status, type, policy, response);
}

enum MHD_Result reply_json(const struct request *request, unsigned status,
                           const struct json_text *text)
{
    return reply_text(request, status, "application/json", POLICY_NOTHING, text->start,
                      (size_t)(text->at - text->start), MHD_RESPMEM_MUST_COPY);
}

enum MHD_Result reply_why(const struct request *request, unsigned status, const char *format, ...)
{
    char sentence[ERROR_TEXT_SIZE], buffer[6 * ERROR_TEXT_SIZE + 16];
    struct json_text text;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    json_text_begin(&text, buffer, sizeof buffer);
    JSON_TEXT_PUT(&text, "{\"why\":");
    json_text_string(&text, sentence);
    JSON_TEXT_PUT(&text, "}");
    return reply_json(request, status, &text);
}
