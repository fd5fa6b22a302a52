/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bundles of real runs: made, withheld, amended, signed, forged and torn. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/veil.h"
#include "rigs/evidence/bundle.h"
#include "rigs/evidence/role.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A folder with a run in it, "run", and keys. */
struct lab {
    char folder[32], path[2][96];
    struct error error;
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
    /* In the language that these tests look for. */
    snprintf(command, sizeof command, "export LC_ALL=C; cd %s && { %s; } >/dev/null 2>&1",
             lab->folder, words);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *in_lab(struct lab *lab, unsigned which, const char *name)
{
    char path[sizeof lab->path[which]];

    snprintf(path, sizeof path, "%s/%s", lab->folder, name);
    return strcpy(lab->path[which], path);
}

static const char *first_recording(void)
{
    static char path[128];
    FILE *list = popen("ls fixtures/three-card-poker/*.shoe", "r");

    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    CU_ASSERT_PTR_NOT_NULL(fgets(path, sizeof path, list));
    path[strcspn(path, "\n")] = '\0';
    pclose(list);
    return path;
}

static void open_lab(struct lab *lab)
{
    strcpy(lab->folder, "/tmp/dealproof-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab->folder));
    CU_ASSERT_EQUAL_FATAL(
        process_status_with(
            process_run((const char *const[]){"run", "--by", "Ann", "--reports",
                                              in_lab(lab, 0, "run"), first_recording(), NULL},
                        -1),
            "journal: "),
        0);
    CU_ASSERT_EQUAL_FATAL(shell(lab,
                                "for who in ann bob; do ssh-keygen -q -t ed25519 -N '' -f $who "
                                "-C $who@lab && { printf \"$who@lab \"; cat $who.pub; } >> "
                                "allowed; done; mkdir run/captures && echo bytes > "
                                "run/captures/a.pcap"),
                          0);
}

static void close_lab(const struct lab *lab)
{
    CU_ASSERT_EQUAL(shell(lab, "rm -r %s", lab->folder), 0);
}

static int make(struct lab *lab, const char *name, const char *without, const char *amends)
{
    const char *const list[] = {without, NULL};
    const struct bundle_options options = {
        .commit = "unknown", .folder = in_lab(lab, 0, "run"), .without = list, .amends = amends};
    struct bundle_made made;

    return bundle_make(in_lab(lab, 1, name), &options, &made, &lab->error);
}

/* Exit status of 'verify' with these words in what it prints; -1 without them. */
static int verify(struct lab *lab, const char *name, const char *signers, const char *words)
{
    const char *arguments[] = {"verify", in_lab(lab, 0, name), signers ? "--signers" : NULL,
                               in_lab(lab, 1, signers ? signers : ""), NULL};

    return process_status_with(process_run(arguments, -1), words);
}

static int sign(struct lab *lab, const char *name, const char *key, const char *role)
{
    return process_status_with(
        process_run((const char *const[]){"sign", in_lab(lab, 0, name), "--key",
                                          in_lab(lab, 1, key), "--as", role, NULL},
                    -1),
        "");
}

TEST(two_bundles_of_a_folder_are_the_same_to_the_byte)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "one.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "sleep 0; touch run/report.txt"), 0);
    CU_ASSERT_EQUAL(make(&lab, "two.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cmp one.tar two.tar"), 0);
    CU_ASSERT_EQUAL(make(&lab, "two.tar", NULL, NULL), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "is there already"));
    close_lab(&lab);
}

/* The commands of VERIFY.md, as it has them. */
static int check_last(const struct lab *lab, const char *folder)
{
    return shell(
        lab, "cd %s && test \"$(%s | cut -c-64)\" = \"$(jq -r .last statement.json)\"", folder,
        "head -n $(wc -l < run.journal) run.journal | tail -n 1 | tr -d '\\n' | sha256sum");
}

static int list_added(const struct lab *lab, const char *file)
{
    return shell(lab,
                 "tar -xOf %s MANIFEST > MANIFEST; { cut -c67- MANIFEST > names\n"
                 "tar -tf %s | grep -vxF -e MANIFEST -f names\n"
                 "tar -tf %s | sort | uniq -d; } | grep .",
                 file, file, file);
}

TEST(what_was_added_and_a_torn_line_do_not_mislead_a_stranger)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(list_added(&lab, "b.tar"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "cp b.tar more.tar && echo > REPORT.html && tar --format=ustar "
                                "--owner=0 --group=0 --numeric-owner --mtime=@0 --mode=0644 -rf "
                                "more.tar REPORT.html"),
                    0);
    CU_ASSERT_EQUAL(list_added(&lab, "more.tar"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "more.tar", NULL, ""), 1);
    CU_ASSERT_EQUAL(shell(&lab, "truncate -s -9 run/run.journal && rm run/report.* run/junit.xml"),
                    0);
    CU_ASSERT_EQUAL(make(&lab, "torn.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "mkdir torn && tar -xf torn.tar -C torn"), 0);
    CU_ASSERT_EQUAL(check_last(&lab, "torn"), 0);
    /* And the page has these commands. */
    CU_ASSERT_PTR_NOT_NULL(strstr(bundle_verify_page(),
                                  "head -n $(wc -l < run.journal) run.journal "
                                  "| tail -n 1 | tr -d '\\n' | sha256sum"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bundle_verify_page(), "grep -vxF -e MANIFEST -f names\n"));
    close_lab(&lab);
}

TEST(a_stranger_checks_a_bundle_with_tar_sha256sum_and_ssh_keygen)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "mkdir x && tar -xf b.tar -C x && cd x && sha256sum -c MANIFEST && "
                                "diff -r ../run . | grep -v '^Only in \\.: ' | wc -l | grep -qx 0"),
                    0);
    CU_ASSERT_EQUAL(shell(&lab, "ssh-keygen -Y verify -f allowed -I ann@lab -n dealproof -s "
                                "b.tar.performed.sig < x/MANIFEST"),
                    0);
    CU_ASSERT_EQUAL(shell(&lab,
                          "awk '/BEGIN SSH SIGNATURE/{n++} n==2' b.tar.performed.sig > role && "
                          "ssh-keygen -Y verify -f allowed -I ann@lab -n dealproof-performed "
                          "-s role < x/MANIFEST"),
                    0);
    CU_ASSERT_EQUAL(check_last(&lab, "x"), 0);
    /* And what they made we take: an archive of tar's, a signature of ssh-keygen's. */
    CU_ASSERT_EQUAL(shell(&lab, "cd x && { echo MANIFEST; cut -c67- MANIFEST; } > ../names && tar "
                                "--format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0 "
                                "--mode=0644 -T ../names -cf ../theirs.tar && ssh-keygen -Y sign "
                                "-f ../bob -n dealproof MANIFEST && "
                                "mv MANIFEST.sig ../theirs.tar.performed.sig"),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "theirs.tar", NULL, "role not proved"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "theirs.tar", "allowed", "role not proved"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "ssh-keygen -Y sign -f bob -n dealproof-performed < x/MANIFEST >> "
                                "theirs.tar.performed.sig"),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "theirs.tar", "allowed", "bob@lab vouches"), 0);
    close_lab(&lab);
}

/* All of the page but what an authority must answer first; the program's own from beside the
 * bundle. */
TEST(every_command_of_the_page_in_a_bundle_works_as_it_stands_there)
{
    const char *page = bundle_verify_page();
    char program[4096];
    struct lab lab;

    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(getenv("DEALPROOF"), program));
    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 0);
    scratch_write(in_lab(&lab, 0, "page"), page, strlen(page));
    CU_ASSERT_EQUAL(shell(&lab, "awk '/^ *```/ { inside = !inside && /sh$/; next } inside' page | "
                                "sed 's/FILE.tar/b.tar/g; s/ann@lab.example/ann@lab/' | "
                                "grep -v 'openssl ts -verify' > commands && "
                                "[ $(grep -c . commands) -ge 12 ]"),
                    0);
    CU_ASSERT_EQUAL(shell(&lab,
                          "{ echo 'dealproof() { (cd .. && %s \"$@\"); }'; cat commands; } > try; "
                          "sh try > said 2>&1",
                          program),
                    0);
    CU_ASSERT_EQUAL(shell(&lab, "[ $(grep -c '^Good \"dealproof' said) -eq 2 ] && "
                                "[ $(grep -c ': OK$' said) -eq $(wc -l < MANIFEST) ] && "
                                "grep -q \"^$(jq -r .last bundle/statement.json)  -\" said && "
                                "grep -q 'ann@lab vouches' said"),
                    0);
    CU_ASSERT_EQUAL(shell(&lab, "[ -s bundle/MANIFEST.tsq ] || ! command -v openssl"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "grep -e 'not found' -e FAILED said"), 1);
    close_lab(&lab);
}

TEST(a_bundle_by_nobody_is_intact_and_not_enough)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", NULL, "intact, by nobody"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "intact, by nobody"), 1);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "bob", "reviewed"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "performed: nobody"), 1);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "ann@lab vouches"), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 2);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "witnessed"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "the same key has performed and witnessed"),
                    0);
    CU_ASSERT_EQUAL(shell(&lab, "sed -i '/^ann/d' allowed"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "is of nobody on the list"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "echo nonsense > allowed"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "allowed:1"), 2);
    close_lab(&lab);
}

TEST(a_signature_of_another_bundle_or_role_does_not_count)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "a.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "a.tar", "ann", "performed"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp a.tar r.tar && cp a.tar.performed.sig r.tar.reviewed.sig"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "r.tar", "allowed", "reviewed: DOES NOT COUNT"), 1);
    CU_ASSERT_EQUAL(
        shell(&lab, "echo more > run/more && cp a.tar.performed.sig b.tar.performed.sig"), 0);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "performed: DOES NOT COUNT"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "cp a.tar s.tar && ssh-keygen -Y sign -f ann -n file - < a.tar > "
                                "s.tar.performed.sig"),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "s.tar", "allowed", "namespace 'file'"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "head -c 100 a.tar.performed.sig > s.tar.performed.sig"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "s.tar", "allowed", "performed: DOES NOT COUNT"), 1);
    close_lab(&lab);
}

/* What everybody can do who has a signature of another role. */
TEST(a_signature_without_its_second_block_proves_no_role)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "witnessed"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "awk '{print} /END SSH/{exit}' b.tar.witnessed.sig > first && cp "
                                "first b.tar.performed.sig"),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "role not proved"), 1);
    CU_ASSERT_EQUAL(shell(&lab, "rm b.tar.performed.sig"), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "bob", "performed"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "bob@lab vouches"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp first b.tar.reviewed.sig"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "of a signature the role is not proved"), 1);
    close_lab(&lab);
}

/* Nobody has signed what stands there, and everybody reads it. */
TEST(a_signature_file_holds_its_blocks_and_nothing_else)
{
    static const char *const edits[] = {"{ echo Approved by the Commission; cat whole; }",
                                        "{ cat whole; echo hello; }",
                                        "{ cat whole; echo; }",
                                        "sed '0,/END SSH/{s/^-----END.*/&\\nhello/}' whole",
                                        "sed 's/$/\\r/' whole",
                                        "{ cat whole; cat whole; }",
                                        "{ awk '{print} /END SSH/{exit}' whole; echo hello; }",
                                        "head -c -1 whole",
                                        "echo hello",
                                        "cat whole /dev/null | tr -d '\\n'"};
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "mv b.tar.performed.sig whole"), 0);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        CU_ASSERT_EQUAL(shell(&lab, "%s > b.tar.performed.sig", edits[i]), 0);
        CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "performed: DOES NOT COUNT: "), 1);
        CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "b.tar.performed.sig: "), 1);
        CU_ASSERT_EQUAL(verify(&lab, "b.tar", NULL, "performed: DOES NOT COUNT: "), 1);
    }
    CU_ASSERT_EQUAL(shell(&lab, "cp whole b.tar.performed.sig"), 0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", "ann@lab vouches"), 0);
    close_lab(&lab);
}

TEST(what_is_withheld_stays_proved_and_signatures_hold)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "all.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "all.tar", "ann", "performed"), 0);
    CU_ASSERT_EQUAL(make(&lab, "some.tar", "captures", NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp all.tar.performed.sig some.tar.performed.sig && ! tar -tf "
                                "some.tar | grep captures"),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "some.tar", "allowed", "withheld: captures/a.pcap"), 0);
    CU_ASSERT_EQUAL(make(&lab, "none.tar", "run.journal", NULL), ERROR_CONFIG);
    CU_ASSERT_EQUAL(make(&lab, "none.tar", "capture", NULL), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "no 'capture'"));
    close_lab(&lab);
}

TEST(an_amendment_names_the_manifest_of_the_bundle_that_it_corrects)
{
    char amended[96];
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "a.tar", NULL, NULL), 0);
    snprintf(amended, sizeof amended, "%s/a.tar", lab.folder);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, amended), 0);
    CU_ASSERT_EQUAL(shell(&lab, "test \"$(tar -xOf b.tar statement.json | jq -r .amends)\" = "
                                "\"$(tar -xOf a.tar MANIFEST | sha256sum | cut -c-64)\""),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", NULL, "amends: the bundle of manifest "), 0);
    CU_ASSERT_EQUAL(make(&lab, "c.tar", NULL, "/dev/zero"), ERROR_CONFIG);
    /* One that was altered cannot be what is corrected. */
    CU_ASSERT_EQUAL(shell(&lab, "sed -i 's/\"kind\":\"end\"/\"kind\":\"End\"/' a.tar"), 0);
    CU_ASSERT_EQUAL(make(&lab, "c.tar", NULL, amended), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "a.tar: run.journal was altered"));
    close_lab(&lab);
}

TEST(a_folder_that_is_no_runs_or_holds_more_than_files_is_not_bundled)
{
    static const char *const spoils[] = {"ln -s /etc/passwd run/x",     "mkfifo run/x",
                                         "printf x > \"run/a\tb\"",     "echo x > run/MANIFEST",
                                         "echo x > run/statement.json", "rm run/run.journal",
                                         "ln -s run/nothing run/x"};
    struct lab lab;

    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        open_lab(&lab);
        CU_ASSERT_EQUAL(shell(&lab, "%s", spoils[i]), 0);
        CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), ERROR_CONFIG);
        CU_ASSERT_EQUAL(shell(&lab, "test -e b.tar"), 1);
        close_lab(&lab);
    }
    open_lab(&lab);
    CU_ASSERT_EQUAL(shell(&lab, "sed -i 's/\"pass\":\\([0-9]\\)/\"pass\":9\\1/' run/run.journal"),
                    0);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), ERROR_RULE);
    close_lab(&lab);
}

TEST(a_run_that_goes_on_is_not_bundled)
{
    struct lab lab;
    int writer;

    open_lab(&lab);
    writer = open(in_lab(&lab, 0, "run/run.journal"), O_WRONLY | O_APPEND);
    CU_ASSERT_TRUE_FATAL(writer >= 0 && veil_lock(writer));
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "is still being written"));
    CU_ASSERT_EQUAL(shell(&lab, "test -e b.tar"), 1);
    close(writer);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    close_lab(&lab);
}

/* Archives of the very files, which every digest in the manifest is right for. */
TEST(an_archive_in_another_order_or_with_folders_was_altered)
{
    static const struct {
        const char *pack, *words;
    } archives[] = {
        {"-cf ../b.tar $(cut -c67- MANIFEST) MANIFEST", "MANIFEST is not its first file"},
        {"-cf ../b.tar MANIFEST $(cut -c67- MANIFEST | tac)", "not in the order of names"},
        {"-cf ../b.tar MANIFEST $(cut -d/ -f1 MANIFEST | cut -c67- | uniq)", "only files"},
        {"-cf ../b.tar --mode=4755 MANIFEST $(cut -c67- MANIFEST)", "not as a bundle has it"},
    };
    static const char *const folders[] = {"MANIFEST", "statement.json", "VERIFY.md",
                                          "sbom.spdx.json"};
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(shell(&lab, "mkdir x && tar -xf b.tar -C x"), 0);
    for (size_t i = 0; i < sizeof archives / sizeof archives[0]; i++) {
        CU_ASSERT_EQUAL(shell(&lab,
                              "cd x && tar --format=ustar --owner=0 --group=0 --numeric-owner "
                              "--mtime=@0 --mode=0644 %s",
                              archives[i].pack),
                        0);
        CU_ASSERT_EQUAL(verify(&lab, "b.tar", NULL, archives[i].words), 1);
    }
    /* No disk can hold a file and a folder of one name. */
    CU_ASSERT_EQUAL(shell(&lab, "cd x && { cat MANIFEST; echo \"$(tail -n 1 MANIFEST | cut "
                                "-c-66)statement.json/evil\"; } | LC_ALL=C sort -k2 > M && mv M "
                                "MANIFEST && tar --format=ustar --owner=0 --group=0 "
                                "--numeric-owner --mtime=@0 --mode=0644 -cf ../b.tar MANIFEST "
                                "$(cut -c67- MANIFEST | grep -v evil)"),
                    0);
    CU_ASSERT_EQUAL(verify(&lab, "b.tar", NULL, "'statement.json' is a file and a folder"), 1);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        CU_ASSERT_EQUAL(shell(&lab, "mkdir run/%s && echo > run/%s/evil", folders[i], folders[i]),
                        0);
        CU_ASSERT_EQUAL(make(&lab, "c.tar", NULL, NULL), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "is a file and a folder"));
        CU_ASSERT_EQUAL(shell(&lab, "rm -r run/%s", folders[i]), 0);
    }
    close_lab(&lab);
}

/* Forgeries that keep the archive and its manifest right, by somebody without a key. */
TEST(a_forger_without_a_key_is_found_out)
{
    static const struct {
        const char *forge, *words;
    } forgeries[] = {
        /* The manifest is made anew: the signature is of another one. */
        {"echo forged >> x/report.txt; remake", "report.txt was altered"},
        {"echo forged >> x/doctor.txt; remake", "DOES NOT COUNT"},
        {"sed -i 's/\"verdict\":\"pass\"/\"verdict\":\"fail\"/' x/statement.json; remake",
         "does not say what the journal does"},
        {"cp run/report.txt x/extra; remake", "DOES NOT COUNT"},
        /* It is kept: a digest is not that of the file. */
        {"echo forged >> x/report.txt; pack", "report.txt was altered"},
        {"cp run/report.txt x/extra; pack extra", "extra was added"},
        {"sed -i 's/pass/fail/' x/statement.json; pack", "statement.json was altered"},
        {"rm x/run.journal; pack", "run.journal is missing"},
        {"rm x/statement.json; pack", "statement.json is missing"},
        {"sed -i 1d x/MANIFEST; pack VERIFY.md", "VERIFY.md was added"},
        {"sed -i '1{h;d};2{G}' x/MANIFEST; pack", "out of order"},
        {"sed -i 's/  /  ..\\//' x/MANIFEST; pack", "must stay below"},
        {"echo x >> x/MANIFEST; pack", "is no digest and name"},
        {"truncate -s -1 x/MANIFEST; pack", "does not end"},
    };
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 0);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        CU_ASSERT_EQUAL(
            shell(&lab,
                  "files() { (cd x && find . -type f ! -name MANIFEST | cut -c3- | LC_ALL=C sort); "
                  "}\n"
                  "pack() { (cd x && tar --format=ustar --owner=0 --group=0 --numeric-owner "
                  "--mtime=@0 --mode=0644 -cf ../b.tar MANIFEST $(cd .. && files)); }\n"
                  "remake() { (cd x && rm MANIFEST && sha256sum $(cd .. && files) > MANIFEST) && "
                  "pack; }\n"
                  "[ -e kept.tar ] || cp b.tar kept.tar; rm -rf x; mkdir x; tar -xf kept.tar -C x; "
                  "%s",
                  forgeries[i].forge),
            0);
        CU_ASSERT_EQUAL(verify(&lab, "b.tar", "allowed", forgeries[i].words), 1);
    }
    close_lab(&lab);
}

/* Whether a bundle is as it was made; and, where somebody is to have signed it, its signature. */
static int check_all(struct lab *lab, const struct signers *signers)
{
    const struct role_trust trust = {.signers = signers, .when = 1};
    const char *path = in_lab(lab, 0, "b.tar");
    struct role_found found = {.is_there = true};
    struct sealed sealed;
    int status = sealed_open(&sealed, path, &lab->error);

    if (status)
        return status;
    if (signers)
        role_look(&sealed, path, ROLE_PERFORMED, &trust, &found);
    sealed_close(&sealed);
    return found.is_there ? found.status : ERROR_RULE;
}

/* Turns one bit in so many of a file, each alone; how many of them nobody has found. */
static size_t turn_bits(struct lab *lab, const char *name, const struct signers *signers,
                        size_t step)
{
    int fd = open(in_lab(lab, 0, name), O_RDWR);
    size_t turned = 0, missed = 0;
    struct stat about;

    CU_ASSERT_FATAL(fd >= 0 && !fstat(fd, &about));
    for (size_t bit = 0; bit < 8 * (size_t)about.st_size; bit += step, turned++) {
        off_t at = (off_t)(bit / 8);
        uint8_t byte, other;

        CU_ASSERT_EQUAL_FATAL(pread(fd, &byte, 1, at), 1);
        other = (uint8_t)(byte ^ 1 << bit % 8);
        CU_ASSERT_EQUAL_FATAL(pwrite(fd, &other, 1, at), 1);
        if (check_all(lab, signers) >= 0) {
            printf("%s: bit %zu of byte %jd, '%c', can be turned\n", name, bit % 8, (intmax_t)at,
                   byte);
            missed++;
        }
        CU_ASSERT_EQUAL_FATAL(pwrite(fd, &byte, 1, at), 1);
    }
    CU_ASSERT_EQUAL(check_all(lab, signers), 0);
    close(fd);
    if (step == 1)
        printf("%s, %ssigned: %zu bits turned, %zu not found\n", name, signers ? "" : "not ",
               turned, missed);
    return missed;
}

/* CAMPAIGN=whole turns every bit (make check-bits); a test run one in 61, which meets every part.
 */
TEST(no_bit_of_a_bundle_can_be_turned)
{
    const char *campaign = getenv("CAMPAIGN");
    size_t step = campaign && !strcmp(campaign, "whole") ? 1 : 61;
    struct signers *signers;
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(shell(&lab, "rm -r run/captures run/report.* run/junit.xml run/doctor.txt"), 0);
    CU_ASSERT_EQUAL(make(&lab, "b.tar", NULL, NULL), 0);
    CU_ASSERT_EQUAL(sign(&lab, "b.tar", "ann", "performed"), 0);
    CU_ASSERT_EQUAL_FATAL(signers_load(&signers, in_lab(&lab, 0, "allowed"), &lab.error), 0);
    CU_ASSERT_EQUAL(turn_bits(&lab, "b.tar", NULL, step), 0);
    CU_ASSERT_EQUAL(turn_bits(&lab, "b.tar", signers, step), 0);
    CU_ASSERT_EQUAL(turn_bits(&lab, "b.tar.performed.sig", signers, step), 0);
    signers_free(signers);
    close_lab(&lab);
}

TEST(a_bundle_that_cannot_be_written_leaves_nothing)
{
    const struct bundle_options options = {.commit = "unknown", .folder = "/tmp/no-such-run"};
    struct bundle_made made;
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(bundle_make(in_lab(&lab, 0, "b.tar"), &options, &made, &lab.error),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(make(&lab, "nowhere/b.tar", NULL, NULL), ERROR_RIG);
    CU_ASSERT_EQUAL(
        shell(&lab, "ls | grep -v -e run -e ann -e bob -e allowed | wc -l | grep -qx 0"), 0);
    close_lab(&lab);
}
