/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bundles that are played or settled again, from what they hold and from nothing else. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/digest.h"
#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FIXTURE "fixtures/chase-the-flush/meters-carry-over-rounds"

/* A folder with a rig, a recording, and what a run of them has left: "run". */
struct lab {
    char folder[32], path[128];
};

__attribute__((format(printf, 2, 3))) static int shell(const struct lab *lab, const char *format,
                                                       ...)
{
    char words[1024], command[1200];
    va_list arguments;
    int status;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && { %s; } >/dev/null 2>&1", lab->folder, words);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *in_lab(struct lab *lab, const char *name)
{
    snprintf(lab->path, sizeof lab->path, "%s/%s", lab->folder, name);
    return lab->path;
}

static void write_rig(struct lab *lab, const char *name, const char *text)
{
    scratch_write(in_lab(lab, name), text, strlen(text));
}

#define RIG(clock)                                                                                 \
    "rig: lab\nclock: " clock "\npaytables: tables.json\ndevices:\n"                               \
    "  shuffler: {address: 'emu:shuffler?shuffle=5,deal=1,take=1'}\n"                              \
    "  terminal: {address: 'emu:terminal', code: '4711', admin: '86420'}\n"                        \
    "timing: {reply: 20000, packet: 20000, take: 20000, light: 20000, jackpot: 20000}\n"

#define TABLES                                                                                     \
    "{\"game\":\"chase-the-flush\",\"wager\":\"x-tra\",\"table\":\"C\",\"pays\":{"                 \
    "\"7-card flush\":300,\"6-card flush\":50,\"5-card flush\":6,\"4-card flush\":\"push\"}}\n"

/* The run is played there, and what it was played with is gone. */
static void open_lab(struct lab *lab, const char *rig)
{
    char here[256], program[512];

    strcpy(lab->folder, "/tmp/dealproof-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab->folder));
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(getenv("DEALPROOF"), program));
    write_rig(lab, "rig.yaml", rig);
    scratch_write(in_lab(lab, "tables.json"), TABLES, strlen(TABLES));
    CU_ASSERT_EQUAL_FATAL(shell(lab,
                                "cp %s/" FIXTURE ".shoe a.shoe && cp %s/" FIXTURE ".expect "
                                "a.expect && %s run --rig ./rig.yaml --reports run a.shoe && rm "
                                "rig.yaml a.shoe a.expect tables.json",
                                here, here, program),
                          0);
}

static void close_lab(const struct lab *lab)
{
    scratch_remove(lab->folder);
}

/* Exit status of 'bundle' with these words in what it prints; -1 without them. */
static int bundle_with(struct lab *lab, const char *without, const char *words)
{
    char folder[64], file[64];

    CU_ASSERT_EQUAL(shell(lab, "rm -f b.tar"), 0);
    snprintf(folder, sizeof folder, "%s/run", lab->folder);
    snprintf(file, sizeof file, "%s/b.tar", lab->folder);
    return process_status_with(
        process_run((const char *const[]){"bundle", folder, "-o", file,
                                          without ? "--without" : NULL, without, NULL},
                    -1),
        words);
}

static int bundle(struct lab *lab, const char *without)
{
    return bundle_with(lab, without, "");
}

/* Exit status of 'verify' with these words in what it prints; -1 without them. */
static int verify(struct lab *lab, bool insists, const char *words)
{
    const char *file = in_lab(lab, "b.tar");

    return process_status_with(
        process_run((const char *const[]){"verify", file, insists ? "--replay" : NULL, NULL}, -1),
        words);
}

/* Those of the journal as it was would tell that it was forged. */
static void remove_reports(const struct lab *lab)
{
    CU_ASSERT_EQUAL(shell(lab, "rm -f run/report.html run/report.txt run/junit.xml"), 0);
}

/* Puts another rig into the folder, and its digest into the journal. */
static void exchange_rig(struct lab *lab, const char *text)
{
    char journal[64], was[DIGEST_SIZE], now[DIGEST_SIZE];
    struct forgery forgery;
    size_t length;
    char *old = scratch_read(in_lab(lab, "run/rig.yaml"), &length);

    digest_bytes(old, length, was);
    digest_bytes(text, strlen(text), now);
    free(old);
    write_rig(lab, "run/rig.yaml", text);
    snprintf(journal, sizeof journal, "%s/run/run.journal", lab->folder);
    forgery = forge_read(journal);
    forge_replace(&forgery, 0, was, now);
    forge_write(&forgery, journal);
    forge_free(&forgery);
    remove_reports(lab);
}

static void change_line(struct lab *lab, const char *within, const char *old, const char *new)
{
    char journal[64];
    struct forgery forgery;

    snprintf(journal, sizeof journal, "%s/run/run.journal", lab->folder);
    forgery = forge_read(journal);
    forge_replace(&forgery, forge_find(&forgery, within, 1), old, new);
    forge_write(&forgery, journal);
    forge_free(&forgery);
    remove_reports(lab);
}

TEST(a_bundle_is_played_again_from_its_own_copies)
{
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "played again: "), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "lines come out the same\n"), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "devices: all emulated, as the journal says"), 0);
    change_line(&lab, "\"kind\":\"device\"", "\"address\":\"emu:", "\"address\":\"usb:");
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, ""), 1);
    close_lab(&lab);
}

/* The journal may be wanted elsewhere; what is bundled is the folder. */
TEST(a_folder_whose_journal_was_written_elsewhere_has_a_copy_of_it)
{
    char program[512];
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(getenv("DEALPROOF"), program));
    CU_ASSERT_EQUAL(shell(&lab,
                          "cp run/rig.yaml . && cp run/paytables.json tables.json && cp "
                          "run/recordings/001-a.shoe a.shoe && cp run/recordings/001-a.expect "
                          "a.expect && rm -r run && %s run --rig ./rig.yaml --reports run "
                          "--journal elsewhere.journal a.shoe && cmp elsewhere.journal "
                          "run/run.journal",
                          program),
                    0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "made again from the journal: 5 files, the same"), 0);
    CU_ASSERT_EQUAL(shell(&lab,
                          "rm -r run && %s run --rig ./rig.yaml --reports run --journal "
                          "./run/run.journal a.shoe",
                          program),
                    0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    close_lab(&lab);
}

TEST(a_run_on_a_real_clock_is_settled_again_from_its_cards)
{
    struct lab lab;

    open_lab(&lab, RIG("real"));
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "rounds come to what the journal says"), 0);
    change_line(&lab, "\"kind\":\"settled\"", "\"net\":{\"ante\":-", "\"net\":{\"ante\":");
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "does not follow from the cards above it"), 1);
    close_lab(&lab);
}

TEST(what_is_withheld_is_not_compared_and_not_called_altered)
{
    static const char *const needed[] = {"recordings", "rig.yaml", "paytables.json",
                                         "recordings/001-a.expect"};
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        CU_ASSERT_EQUAL(bundle(&lab, needed[i]), 0);
        CU_ASSERT_EQUAL(verify(&lab, false, " is withheld"), 0);
        CU_ASSERT_EQUAL(verify(&lab, false, "not compared: "), 0);
        CU_ASSERT_EQUAL(verify(&lab, true, "not compared: "), 4);
    }
    CU_ASSERT_EQUAL(bundle(&lab, "captures"), 2);
    CU_ASSERT_EQUAL(bundle(&lab, "report.html"), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "played again: "), 0);
    CU_ASSERT_EQUAL(shell(&lab, "rm -r run/recordings"), 0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "the bundle has no copies of its recordings"), 0);
    close_lab(&lab);
}

/* The bundle again from what was unpacked to x, with a manifest of what is there now. */
static void repack(struct lab *lab, const char *withheld)
{
    CU_ASSERT_EQUAL(
        shell(lab,
              "cd x && sha256sum $(find . -type f ! -name MANIFEST | cut -c3- | LC_ALL=C sort) > M "
              "&& sed -i '/  M$/d' M && mv M MANIFEST && tar --format=ustar --owner=0 --group=0 "
              "--numeric-owner --mtime=@0 --mode=0644 -cf ../b.tar MANIFEST $(cut -c67- MANIFEST | "
              "grep -vxF \"%s\")",
              withheld),
        0);
}

/* Digests of what is withheld are proved all the same. */
TEST(a_copy_that_is_not_of_the_file_that_was_played_is_found)
{
    static const char *const copies[] = {"recordings/001-a.shoe", "recordings/001-a.expect",
                                         "rig.yaml", "paytables.json"};
    struct lab lab;

    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        open_lab(&lab, RIG("virtual"));
        CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
        CU_ASSERT_EQUAL(shell(&lab, "mkdir x && tar -xf b.tar -C x && echo >> x/%s", copies[i]), 0);
        repack(&lab, "");
        CU_ASSERT_EQUAL(verify(&lab, false, "was altered: it is not the file that line"), 1);
        repack(&lab, copies[i]);
        CU_ASSERT_EQUAL(verify(&lab, false, "was altered: it is not the file that line"), 1);
        CU_ASSERT_EQUAL(shell(&lab, "echo >> run/%s", copies[i]), 0);
        CU_ASSERT_EQUAL(bundle(&lab, NULL), 1);
        CU_ASSERT_EQUAL(bundle(&lab, copies[i]), 1);
        CU_ASSERT_EQUAL(shell(&lab, "test -e b.tar"), 1);
        close_lab(&lab);
    }
}

/* A report of another run says what this journal does not, and so do a page and a bill. */
TEST(what_a_bundle_has_beside_its_journal_is_made_again_and_compared)
{
    static const struct {
        const char *forge, *words;
    } forgeries[] = {
        {"sed -i s/pass/FINE/ x/report.txt", "report.txt was altered"},
        {"sed -i s/pass/FINE/ x/report.html", "report.html was altered"},
        {"echo >> x/junit.xml", "junit.xml was altered"},
        {"echo Trust me. >> x/VERIFY.md", "VERIFY.md was altered"},
        {"sed -i 's/\"nettle\"/\"mettle\"/' x/sbom.spdx.json", "sbom.spdx.json was altered"},
        {"echo >> x/sbom.spdx.json", "sbom.spdx.json was altered"},
        {": > x/sbom.spdx.json", "sbom.spdx.json was altered"},
        {"rm x/sbom.spdx.json", "sbom.spdx.json is missing"},
        {"rm x/VERIFY.md", "VERIFY.md is missing"},
    };
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "made again from the journal: 5 files, the same"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp b.tar kept.tar"), 0);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        CU_ASSERT_EQUAL(
            shell(&lab, "rm -rf x && mkdir x && tar -xf kept.tar -C x && %s", forgeries[i].forge),
            0);
        repack(&lab, "");
        CU_ASSERT_EQUAL(verify(&lab, false, forgeries[i].words), 1);
    }
    CU_ASSERT_EQUAL(bundle(&lab, "report.html"), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "made again from the journal: 5 files, the same"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp run/report.html ."), 0);
    change_line(&lab, "\"kind\":\"start\"", "\"build\":\"", "\"build\":\"0");
    CU_ASSERT_EQUAL(shell(&lab, "cp report.html run"), 0);
    CU_ASSERT_EQUAL(bundle_with(&lab, NULL, "build has made them: report.html\n"), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "another version or build has made them: report.html"), 0);
    close_lab(&lab);
}

TEST(a_report_that_tells_something_else_than_the_journal_is_not_bundled)
{
    static const char *const reports[] = {"report.txt", "report.html", "junit.xml"};
    char words[64];
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        CU_ASSERT_EQUAL(
            shell(&lab, "cp run/%s kept && echo pass >> run/%s", reports[i], reports[i]), 0);
        snprintf(words, sizeof words, "%s was altered", reports[i]);
        CU_ASSERT_EQUAL(bundle_with(&lab, NULL, words), 1);
        CU_ASSERT_EQUAL(shell(&lab, "test -e b.tar"), 1);
        CU_ASSERT_EQUAL(shell(&lab, "mv kept run/%s", reports[i]), 0);
    }
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    close_lab(&lab);
}

TEST(the_bundle_of_a_shard_says_so)
{
    char here[256], program[512];
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(here, sizeof here));
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(getenv("DEALPROOF"), program));
    CU_ASSERT_EQUAL(shell(&lab,
                          "rm -r run && cp %s/" FIXTURE ".shoe a.shoe && cp %s/" FIXTURE
                          ".expect a.expect && cp a.shoe b.shoe && cp a.expect b.expect && %s run "
                          "--shard 2/2 --reports run a.shoe b.shoe",
                          here, here, program),
                    0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "run: pass, of shard 2/2 alone, not of the whole run"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "tar -xOf b.tar statement.json | grep -q '\"shard\":\"2/2\"'"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "%s verify --json b.tar | grep -q '\"shard\":\"2/2\"'", program),
                    0);
    close_lab(&lab);
}

TEST(a_statement_is_one_line_as_it_would_be_made)
{
    static const struct {
        const char *forge, *words;
    } forgeries[] = {
        {"sed 's/pass/fail/' x/statement.json >> x/statement.json", "one line and nothing else"},
        {"printf '\\0x\\n' >> x/statement.json", "one line and nothing else"},
        {"truncate -s -1 x/statement.json", "one line and nothing else"},
        {"sed -i 's/,/, /' x/statement.json", "not written as this program"},
        {"jq -cS . x/statement.json > s; mv s x/statement.json", "not written as this program"},
        {"jq -c '.more = 1' x/statement.json > s; mv s x/statement.json", "says more than"},
        {"sed 's/\"bundler\":\"/&9./' x/statement.json > s; cat s s > x/statement.json",
         "one line and nothing else"},
    };
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp b.tar kept.tar"), 0);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        CU_ASSERT_EQUAL(shell(&lab, "rm -rf x && mkdir x && tar -xf kept.tar -C x && { %s; }",
                              forgeries[i].forge),
                        0);
        repack(&lab, "");
        CU_ASSERT_EQUAL(verify(&lab, false, forgeries[i].words), 1);
    }
    close_lab(&lab);
}

TEST(what_another_version_played_is_no_forgery)
{
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    change_line(&lab, "\"kind\":\"start\"", "\"version\":\"", "\"version\":\"9.");
    change_line(&lab, "\"kind\":\"device\"", "\"serial\":\"", "\"serial\":\"X");
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "not compared: made by version 9."), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "not compared: made by version 9."), 4);
    close_lab(&lab);
}

/* A pipe that nobody writes to would be waited for without end. */
TEST(a_rig_of_a_bundle_opens_no_file_that_it_names)
{
    static const char *const rigs[] = {
        "rig: x\nclock: virtual\ndevices:\n  shuffler: {driver: script, script: %s/pipe, address: "
        "'emu:shuffler'}\n",
        "rig: x\nclock: virtual\ndevices:\n  shuffler: {address: 'emu:script?file=%s/pipe'}\n",
        "rig: x\nclock: real\ndevices:\n  shuffler: {driver: hands, cards: 'scanner:x', map: "
        "%s/pipe}\n"};
    char text[512];
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_EQUAL(shell(&lab, "mkfifo pipe"), 0);
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
        snprintf(text, sizeof text, rigs[i], lab.folder);
        exchange_rig(&lab, text);
        CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
        CU_ASSERT_EQUAL(verify(&lab, true, "names a script or a map of cards, which nobody opens"),
                        4);
    }
    snprintf(text, sizeof text,
             "rig: x\nclock: virtual\npaytables: %s/pipe\ndevices:\n  shuffler: {address: "
             "'emu:shuffler'}\n",
             lab.folder);
    exchange_rig(&lab, text);
    CU_ASSERT_EQUAL(shell(&lab, "rm run/paytables.json"), 0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "the bundle has no copy of its paytables.json"), 4);
    close_lab(&lab);
}

/* The journal says that time was virtual; the rig beside it names a device that is there. */
TEST(a_rig_of_a_bundle_opens_no_device)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t length = sizeof address;
    char text[256];
    struct lab lab;

    CU_ASSERT_EQUAL_FATAL(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    CU_ASSERT_EQUAL_FATAL(listen(listener, 1), 0);
    CU_ASSERT_EQUAL_FATAL(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    open_lab(&lab, RIG("virtual"));
    snprintf(text, sizeof text,
             "rig: x\nclock: real\ndevices:\n  shuffler: {address: 'tcp:127.0.0.1:%u'}\n",
             ntohs(address.sin_port));
    exchange_rig(&lab, text);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "its clock is virtual, and that of its rig real"), 1);
    CU_ASSERT_EQUAL(poll(&(struct pollfd){listener, POLLIN, 0}, 1, 0), 0);
    close(listener);
    close_lab(&lab);
}

/* A command line is the word of who made the journal: 'record --from' would make a file. */
TEST(a_command_line_of_a_bundle_writes_nothing)
{
    char program[512], command[512];
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    write_rig(&lab, "rig.yaml",
              "rig: heard\nclock: virtual\ncapture: heard.pcap\ndevices:\n"
              "  shoe: {address: 'emu:shoe?draw=700,refill=2000'}\norder: compare\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(getenv("DEALPROOF"), program));
    CU_ASSERT_EQUAL(
        shell(&lab, "%s observe --rig rig.yaml --game chase-the-flush --rounds 3", program), 0);
    snprintf(
        command, sizeof command,
        "\"record\",\"-o\",\"%s/x.shoe\",\"--from\",\"%s/heard.pcap\",\"--game\","
        "\"chase-the-flush\",\"--play\",\"plain\",\"--bet\",\"ante=1000\",\"--seats\",\"1-7\"]",
        lab.folder, lab.folder);
    change_line(&lab, "\"kind\":\"start\"",
                "\"run\",\"--rig\",\"./rig.yaml\",\"--reports\",\"run\",\"a.shoe\"]", command);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "a table was listened to"), 4);
    CU_ASSERT_EQUAL(shell(&lab, "ls x*"), 2);
    close_lab(&lab);
}

/* As it was made with the first version of a statement, and as it would be with a lie. */
static void restate(struct lab *lab, const char *filter)
{
    CU_ASSERT_EQUAL(shell(lab,
                          "rm -rf x && mkdir x && tar -xf b.tar -C x && cd x && jq -c '%s' "
                          "statement.json > s && was=$(sha256sum < statement.json | cut -c-64) && "
                          "mv s statement.json && sed -i \"s/$was/$(sha256sum < statement.json | "
                          "cut -c-64)/\" sbom.spdx.json",
                          filter),
                    0);
    repack(lab, "");
}

TEST(a_statement_says_that_a_run_was_cut_off_and_went_on)
{
    char program[512], journal[64];
    struct forgery forgery;
    struct lab lab;
    size_t line;

    open_lab(&lab, RIG("real"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(getenv("DEALPROOF"), program));
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "tar -xOf b.tar statement.json | jq -e '.resumed == {\"times\":0,"
                                "\"first\":[]}'"),
                    0);
    snprintf(journal, sizeof journal, "%s/run/run.journal", lab.folder);
    for (unsigned times = 1; times <= 2; times++) {
        forgery = forge_read(journal);
        line = forge_find(&forgery, "\"kind\":\"verdict\"", times);
        forge_remove(&forgery, line + 1, forgery.count - line - 1);
        forge_write(&forgery, journal);
        forge_free(&forgery);
        CU_ASSERT_EQUAL(shell(&lab,
                              "cp run/rig.yaml . && cp run/paytables.json tables.json && cp "
                              "run/recordings/001-a.shoe a.shoe && cp run/recordings/001-a.expect "
                              "a.expect && %s run --resume run/run.journal",
                              program),
                        0);
    }
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, true, "cut off and resumed: 2 times, the last time by "), 0);
    CU_ASSERT_EQUAL(
        shell(&lab, "tar -xOf b.tar statement.json | jq -e '.resumed.times == 2 and "
                    "(.resumed.first | length) == 2 and .resumed.first[1].by == \"'$(id -un)'\" "
                    "and (.resumed.first[0].date | test(\"^20..-..-..T..:..:..Z$\"))'"),
        0);
    restate(&lab, ".resumed.times = 1");
    CU_ASSERT_EQUAL(verify(&lab, false, "does not say what the journal does of 'resumed'"), 1);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    restate(&lab, ".statement = 1 | del(.resumed, .shard)");
    CU_ASSERT_EQUAL(verify(&lab, true, "cut off and resumed: 2 times"), 0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    restate(&lab, ".statement = 4 | .bundler = \"9.0\" | .more = 1");
    CU_ASSERT_EQUAL(shell(&lab, "sed -i 's/\"versionInfo\":\"[^\"]*/\"versionInfo\":\"9.0/' "
                                "x/sbom.spdx.json"),
                    0);
    repack(&lab, "");
    CU_ASSERT_EQUAL(verify(&lab, false, "statement.json: made by another version"), 0);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    restate(&lab, ".amends = \"x\"");
    CU_ASSERT_EQUAL(verify(&lab, false, "'amends' is no digest"), 1);
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    restate(&lab, "del(.resumed)");
    CU_ASSERT_EQUAL(verify(&lab, false, "does not say what the journal does of 'resumed'"), 1);
    close_lab(&lab);
}

/* Exit status of 'verify' with a list of signers, a list of lost keys and a time. */
static int verify_signed(struct lab *lab, const char *revoked, const char *when, const char *words)
{
    char file[64], allowed[64], lost[64];

    snprintf(file, sizeof file, "%s/b.tar", lab->folder);
    snprintf(allowed, sizeof allowed, "%s/allowed", lab->folder);
    snprintf(lost, sizeof lost, "%s/%s", lab->folder, revoked);
    return process_status_with(
        process_run((const char *const[]){"verify", file, "--signers", allowed, "--revoked", lost,
                                          when ? "--at" : NULL, when, NULL},
                    -1),
        words);
}

/* A wrong clock of who verifies is helped by --at; no clock of who signs is believed. */
TEST(a_revoked_key_and_one_out_of_its_time_vouch_for_nothing)
{
    char file[64], key[64];
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(
        shell(&lab, "for who in ann bob; do ssh-keygen -q -t ed25519 -N '' -f $who; done; printf "
                    "'ann@lab valid-after=\"20300101Z\",valid-before=\"20310101Z\" ' > allowed; "
                    "cat ann.pub >> allowed; : > none"),
        0);
    snprintf(file, sizeof file, "%s/b.tar", lab.folder);
    snprintf(key, sizeof key, "%s/ann", lab.folder);
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run(
                (const char *const[]){"sign", file, "--key", key, "--as", "performed", NULL}, -1),
            ""),
        0);
    CU_ASSERT_EQUAL(verify_signed(&lab, "none", "20300601Z", "ann@lab vouches"), 0);
    CU_ASSERT_EQUAL(verify_signed(&lab, "none", "20291231Z", "performed: DOES NOT COUNT"), 1);
    CU_ASSERT_EQUAL(verify_signed(&lab, "none", "20310601Z", "performed: DOES NOT COUNT"), 1);
    CU_ASSERT_EQUAL(verify_signed(&lab, "none", "yesterday", "--at must be"), 2);
    CU_ASSERT_EQUAL(verify_signed(&lab, "none", "20300230", "--at must be"), 2);
    CU_ASSERT_EQUAL(verify_signed(&lab, "none", "203006010075", "--at must be"), 2);
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run((const char *const[]){"verify", file, "--revoked", key, NULL}, -1),
            "--revoked and --at are for --signers"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run((const char *const[]){"verify", file, "--at", "20300601Z", NULL}, -1),
            "--revoked and --at are for --signers"),
        2);
    CU_ASSERT_EQUAL(verify_signed(&lab, "bob.pub", "20300601Z", "ann@lab vouches"), 0);
    CU_ASSERT_EQUAL(verify_signed(&lab, "ann.pub", "20300601Z", "revoked"), 1);
    CU_ASSERT_EQUAL(verify_signed(&lab, "nowhere", "20300601Z", "nowhere"), 2);
    close_lab(&lab);
}

/* A few bytes that stand for gigabytes are refused before anything is read or written. */
TEST(an_archive_that_would_fill_a_disk_is_not_unpacked)
{
    struct lab lab;

    open_lab(&lab, RIG("virtual"));
    CU_ASSERT_EQUAL(shell(&lab, "truncate -s 7G big && tar --format=gnu --sparse -cf b.tar big && "
                                "test $(stat -c %%s b.tar) -lt 100000"),
                    0);
    CU_ASSERT_TRUE(verify(&lab, false, "b.tar") > 0);
    CU_ASSERT_EQUAL(shell(&lab, "tar --format=ustar -cf - big | head -c 10240 > b.tar"), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "big"), 1);
    /* Nor are zeros behind its end read for hours. */
    CU_ASSERT_EQUAL(bundle(&lab, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "truncate -s %%256K b.tar"), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "there is more behind its end"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "truncate -s 4T b.tar"), 0);
    CU_ASSERT_EQUAL(verify(&lab, false, "there is more behind its end"), 1);
    close_lab(&lab);
}
