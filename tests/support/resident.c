/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/resident.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/suite.h"

static const char rig_text[] =
    "rig: bench\nclock: virtual\nseats: 7\ndevices:\n"
    "  shuffler: {driver: open, address: emu:shuffler}\n"
    "  terminal: {driver: open, address: emu:terminal, code: \"4711\", admin: \"86420\"}\n"
    "order: load\n";

static void start(struct resident *bench, const char *recordings, const char *option)
{
    const char *const arguments[] = {"station",  "--rig",  bench->rig,  "--listen",
                                     "0",        "--runs", bench->runs, "--recordings",
                                     recordings, option,   NULL};
    int ends[2], nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    char line[160] = "";
    FILE *said;

    CU_ASSERT_FATAL(!pipe2(ends, O_CLOEXEC) && nothing >= 0);
    bench->pid = process_start(arguments, nothing, ends[1], STDERR_FILENO);
    close(ends[1]);
    close(nothing);
    said = fdopen(ends[0], "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, said));
    fclose(said);
    CU_ASSERT_EQUAL_FATAL(sscanf(line, "ready %127s", bench->address), 1);
}

void resident_start(struct resident *bench)
{
    start(bench, "fixtures/flush-rush", NULL);
}

void resident_start_on(struct resident *bench, const char *recordings)
{
    start(bench, recordings, NULL);
}

void resident_start_with(struct resident *bench, const char *option)
{
    start(bench, "fixtures/flush-rush", option);
}

void resident_set_up_on(struct resident *bench, const char *rig)
{
    scratch_path(bench->rig);
    scratch_path(bench->runs);
    scratch_write(bench->rig, rig, strlen(rig));
    resident_start(bench);
}

void resident_set_up(struct resident *bench)
{
    resident_set_up_on(bench, rig_text);
}

void resident_tear_down(struct resident *bench)
{
    kill(bench->pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(bench->pid), 0);
    scratch_remove(bench->runs);
    unlink(bench->rig);
}

void resident_ask(const struct resident *bench, struct http_client *client, const char *request,
                  const char *body)
{
    const char *host = bench->address + strlen("http://");

    http_client_open(client, bench->address);
    http_client_say(client, "%s HTTP/1.0\r\nHost: %.*s\r\n", request, (int)strcspn(host, "/"),
                    host);
    if (body)
        http_client_say(client, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                        strlen(body));
    http_client_say(client, "\r\n%s", body ? body : "");
}

unsigned resident_exchange(struct resident *bench, const char *request, const char *body)
{
    struct http_client client;
    unsigned status;

    resident_ask(bench, &client, request, body);
    http_client_read_all(&client);
    status = http_client_status(&client);
    snprintf(bench->body, sizeof bench->body, "%s", http_client_body(&client));
    http_client_close(&client);
    return status;
}

unsigned resident_order(struct resident *bench, const char *body)
{
    return resident_exchange(bench, "POST /control", body);
}

bool resident_has(const struct resident *bench, const char *words)
{
    return strstr(bench->body, words);
}

void resident_await_answer(struct resident *bench, const char *request, const char *words)
{
    for (int i = 0; i < 6000; i++) {
        resident_exchange(bench, request, NULL);
        if (resident_has(bench, words))
            return;
        usleep(10000);
    }
    CU_FAIL_FATAL("it does not come");
}
