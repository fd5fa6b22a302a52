/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signatures and keys, held against OpenSSH's own ssh-keygen, ssh-agent and ssh-add. */
#include "rigs/evidence/keys/signature.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/evidence/keys/signers.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define MESSAGE "0000  run.journal\n"
#define QUIET   " >/dev/null 2>&1"

/* A folder with keys and a message in it. */
struct lab {
    char folder[32];
    struct error error;
};

/* The exit status of a shell command with the folder put in for each %s; -1 when it was killed. */
__attribute__((format(printf, 2, 3))) static int shell(const struct lab *lab, const char *format,
                                                       ...)
{
    char words[1024], command[1200];
    va_list arguments;
    int status;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(command, sizeof command, "cd %s && { %s; }" QUIET, lab->folder, words);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *in_lab(const struct lab *lab, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", lab->folder, name);
    return path;
}

static void write_file(const struct lab *lab, const char *name, const char *text)
{
    char path[128];

    scratch_write(in_lab(lab, name, path), text, strlen(text));
}

static void make_key(const struct lab *lab, const char *name, const char *kind)
{
    CU_ASSERT_EQUAL_FATAL(shell(lab, "ssh-keygen -q -t %s -N '' -C %s@lab -f %s", kind, name, name),
                          0);
    CU_ASSERT_EQUAL_FATAL(shell(lab, "{ printf '%s@lab '; cat %s.pub; } >> allowed", name, name),
                          0);
}

static void open_lab(struct lab *lab)
{
    strcpy(lab->folder, "/tmp/dealproof-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab->folder));
    write_file(lab, "MANIFEST", MESSAGE);
    make_key(lab, "ann", "ed25519");
}

static void close_lab(const struct lab *lab)
{
    CU_ASSERT_EQUAL(shell(lab, "rm -r %s", lab->folder), 0);
}

static void sign_as(struct lab *lab, const char *key, const char *name)
{
    char path[128], text[ARMOUR_SIZE];
    struct signer signer;

    CU_ASSERT_EQUAL_FATAL(signer_open_file(&signer, in_lab(lab, key, path), &lab->error), 0);
    CU_ASSERT_EQUAL_FATAL(
        signature_make(&signer, "dealproof", MESSAGE, strlen(MESSAGE), text, &lab->error), 0);
    signer_close(&signer);
    write_file(lab, name, text);
}

/* Freed by the caller. */
static char *read_file(const struct lab *lab, const char *name)
{
    char path[128];
    size_t length;

    return scratch_read(in_lab(lab, name, path), &length);
}

static int verify_by_theirs(const struct lab *lab, const char *who, const char *name)
{
    return shell(lab, "ssh-keygen -Y verify -f allowed -I %s@lab -n dealproof -s %s < MANIFEST",
                 who, name);
}

static int check_ours(struct lab *lab, const char *name, const char *message, struct public_key *by)
{
    char *text = read_file(lab, name);
    int status =
        signature_check(text, "dealproof", message, strlen(message), by, NULL, &lab->error);

    free(text);
    return status;
}

TEST(ssh_keygen_verifies_what_we_signed_and_refuses_it_for_one_byte_more)
{
    struct lab lab;

    open_lab(&lab);
    sign_as(&lab, "ann", "ours.sig");
    CU_ASSERT_EQUAL(verify_by_theirs(&lab, "ann", "ours.sig"), 0);
    write_file(&lab, "MANIFEST", MESSAGE "x");
    CU_ASSERT_EQUAL(verify_by_theirs(&lab, "ann", "ours.sig"), 255);
    close_lab(&lab);
}

TEST(we_verify_what_ssh_keygen_signed_with_each_kind_of_key)
{
    static const char *const kinds[] = {"ed25519", "ecdsa", "rsa"};
    struct public_key by, known;
    char name[32], path[128];
    struct lab lab;

    open_lab(&lab);
    for (unsigned i = 0; i < 3; i++) {
        make_key(&lab, kinds[i], kinds[i]);
        CU_ASSERT_EQUAL_FATAL(shell(&lab,
                                    "cp MANIFEST %s.m && ssh-keygen -Y sign -f %s -n dealproof "
                                    "%s.m",
                                    kinds[i], kinds[i], kinds[i]),
                              0);
        snprintf(name, sizeof name, "%s.m.sig", kinds[i]);
        CU_ASSERT_EQUAL(check_ours(&lab, name, MESSAGE, &by), 0);
        CU_ASSERT_EQUAL(check_ours(&lab, name, MESSAGE "x", &by), ERROR_RULE);
        snprintf(name, sizeof name, "%s.pub", kinds[i]);
        CU_ASSERT_EQUAL(public_key_load(&known, in_lab(&lab, name, path), &lab.error), 0);
        CU_ASSERT_TRUE(public_key_same(&by, &known));
    }
    close_lab(&lab);
}

TEST(a_fingerprint_is_the_one_that_ssh_keygen_prints)
{
    char path[128], fingerprint[KEY_FINGERPRINT_SIZE];
    struct public_key key;
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(public_key_load(&key, in_lab(&lab, "ann.pub", path), &lab.error), 0);
    public_key_fingerprint(&key, fingerprint);
    CU_ASSERT_EQUAL(shell(&lab, "ssh-keygen -l -f ann.pub | grep -F '%s '", fingerprint), 0);
    close_lab(&lab);
}

TEST(a_signature_for_another_namespace_is_none)
{
    struct public_key by;
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL_FATAL(shell(&lab, "ssh-keygen -Y sign -f ann -n file MANIFEST"), 0);
    CU_ASSERT_EQUAL(check_ours(&lab, "MANIFEST.sig", MESSAGE, &by), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "'file'"));
    close_lab(&lab);
}

/* A second block behind the first is for us; others read the first. */
TEST(ssh_keygen_reads_the_first_of_two_signatures_and_we_read_both)
{
    char *text;
    const char *rest;
    struct public_key by;
    struct lab lab;

    open_lab(&lab);
    sign_as(&lab, "ann", "one");
    CU_ASSERT_EQUAL_FATAL(shell(&lab, "ssh-keygen -Y sign -f ann -n dealproof-reviewed MANIFEST && "
                                      "cat one MANIFEST.sig > both"),
                          0);
    CU_ASSERT_EQUAL(verify_by_theirs(&lab, "ann", "both"), 0);
    text = read_file(&lab, "both");
    CU_ASSERT_EQUAL_FATAL(
        signature_check(text, "dealproof", MESSAGE, strlen(MESSAGE), &by, &rest, &lab.error), 0);
    CU_ASSERT_EQUAL(signature_check(rest, "dealproof-reviewed", MESSAGE, strlen(MESSAGE), &by,
                                    &rest, &lab.error),
                    0);
    CU_ASSERT_EQUAL(
        signature_check(rest, "dealproof", MESSAGE, strlen(MESSAGE), &by, &rest, &lab.error),
        ERROR_CONFIG);
    free(text);
    close_lab(&lab);
}

TEST(no_bit_of_a_signature_can_be_turned)
{
    char path[128], *text, forged[ARMOUR_SIZE];
    struct public_key by, ann;
    struct blob blob;
    struct lab lab;

    open_lab(&lab);
    sign_as(&lab, "ann", "ours.sig");
    CU_ASSERT_EQUAL(public_key_load(&ann, in_lab(&lab, "ann.pub", path), &lab.error), 0);
    text = read_file(&lab, "ours.sig");
    CU_ASSERT_TRUE_FATAL(armour_read(&blob, "SSH SIGNATURE", text, NULL));
    for (size_t bit = 0; bit < 8 * blob.size; bit++) {
        blob.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        armour_write(&blob, "SSH SIGNATURE", forged);
        CU_ASSERT_TRUE(
            signature_check(forged, "dealproof", MESSAGE, strlen(MESSAGE), &by, NULL, NULL) < 0);
        blob.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t size = 0; size < blob.size; size++) {
        struct blob cut = blob;

        cut.size = size;
        armour_write(&cut, "SSH SIGNATURE", forged);
        CU_ASSERT_EQUAL(
            signature_check(forged, "dealproof", MESSAGE, strlen(MESSAGE), &by, NULL, NULL),
            ERROR_CONFIG);
    }
    free(text);
    close_lab(&lab);
}

static int open_key(struct lab *lab, const char *name)
{
    struct signer signer;
    char path[128];
    int status = signer_open_file(&signer, in_lab(lab, name, path), &lab->error);

    if (!status)
        signer_close(&signer);
    return status;
}

TEST(a_key_that_cannot_be_used_says_what_to_do)
{
    struct lab lab;

    open_lab(&lab);
    CU_ASSERT_EQUAL(open_key(&lab, "ann"), 0);
    CU_ASSERT_EQUAL(shell(&lab, "chmod 640 ann"), 0);
    CU_ASSERT_EQUAL(open_key(&lab, "ann"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "chmod 600"));
    CU_ASSERT_EQUAL(shell(&lab, "ssh-keygen -q -t ed25519 -N secret -f locked"), 0);
    CU_ASSERT_EQUAL(open_key(&lab, "locked"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "--agent"));
    make_key(&lab, "rsa", "rsa");
    CU_ASSERT_EQUAL(open_key(&lab, "rsa"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "ssh-rsa"));
    CU_ASSERT_EQUAL(open_key(&lab, "ann.pub"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(open_key(&lab, "nothing"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(open_key(&lab, "."), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shell(&lab, "chmod 600 ann; head -c 200 ann > cut; chmod 600 cut"), 0);
    CU_ASSERT_EQUAL(open_key(&lab, "cut"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shell(&lab, "head -c 20000 /dev/zero > zeros; chmod 600 zeros"), 0);
    CU_ASSERT_EQUAL(open_key(&lab, "zeros"), ERROR_CONFIG);
    close_lab(&lab);
}

static bool answers(void)
{
    struct error error;
    int agent;
    bool there = !agent_connect(&agent, &error);

    close(agent);
    return there;
}

/* A real agent with its socket in the folder, found by SSH_AUTH_SOCK. */
static pid_t start_agent(const struct lab *lab)
{
    char path[128];
    pid_t pid = fork();

    setenv("SSH_AUTH_SOCK", in_lab(lab, "agent", path), 1);
    if (!pid) {
        freopen("/dev/null", "w", stdout);
        execlp("ssh-agent", "ssh-agent", "-D", "-a", path, (char *)NULL);
        _exit(127);
    }
    /* Its socket is there a moment before it listens. */
    for (unsigned i = 0; i < 2000 && !answers(); i++)
        usleep(5000);
    return pid;
}

static void stop_agent(pid_t pid)
{
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    unsetenv("SSH_AUTH_SOCK");
}

static int sign_by_agent(struct lab *lab, const char *public_name, const char *name)
{
    char path[128], text[ARMOUR_SIZE];
    struct signer signer;
    int status = signer_open_agent(&signer, public_name ? in_lab(lab, public_name, path) : NULL,
                                   &lab->error);

    if (status)
        return status;
    status = signature_make(&signer, "dealproof", MESSAGE, strlen(MESSAGE), text, &lab->error);
    signer_close(&signer);
    if (!status)
        write_file(lab, name, text);
    return status;
}

TEST(an_agent_signs_with_the_key_that_is_named)
{
    static const char *const names[] = {"ann", "bob", "eve"};
    char public_name[16];
    struct lab lab;
    pid_t agent;

    open_lab(&lab);
    make_key(&lab, "bob", "ecdsa");
    make_key(&lab, "eve", "rsa");
    agent = start_agent(&lab);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, NULL, "sig"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "ssh-add"));
    CU_ASSERT_EQUAL(shell(&lab, "ssh-keygen -q -t ecdsa -b 521 -N '' -f other && ssh-add other"),
                    0);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, NULL, "sig"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "ECDSA on P-256"));
    CU_ASSERT_EQUAL(shell(&lab, "ssh-add ann"), 0);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, NULL, "sig"), 0);
    CU_ASSERT_EQUAL(verify_by_theirs(&lab, "ann", "sig"), 0);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, "bob.pub", "sig"), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shell(&lab, "ssh-add bob eve"), 0);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, NULL, "sig"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, "--key"));
    for (unsigned i = 0; i < 3; i++) {
        struct public_key by;

        snprintf(public_name, sizeof public_name, "%s.pub", names[i]);
        CU_ASSERT_EQUAL(sign_by_agent(&lab, public_name, "sig"), 0);
        CU_ASSERT_EQUAL(verify_by_theirs(&lab, names[i], "sig"), 0);
        CU_ASSERT_EQUAL(check_ours(&lab, "sig", MESSAGE, &by), 0);
    }
    stop_agent(agent);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, NULL, "sig"), ERROR_CONFIG);
    close_lab(&lab);
}

/* SoftHSM is a token in software: its key is used through PKCS #11 and leaves it never. */
#define TOKEN_LIBRARY "/usr/lib/softhsm/libsofthsm2.so"

static void make_token(const struct lab *lab)
{
    char path[128], text[256];

    snprintf(text, sizeof text, "directories.tokendir = %s/tokens\nobjectstore.backend = file\n",
             lab->folder);
    write_file(lab, "softhsm2.conf", text);
    write_file(lab, "pin", "#!/bin/sh\necho 1234\n");
    setenv("SOFTHSM2_CONF", in_lab(lab, "softhsm2.conf", path), 1);
    CU_ASSERT_EQUAL_FATAL(
        shell(lab, "chmod +x pin && mkdir tokens && softhsm2-util --init-token --free --label lab "
                   "--so-pin 1234 --pin 1234 && openssl ecparam -name prime256v1 -genkey -noout | "
                   "openssl pkcs8 -topk8 -nocrypt -out k.pem && softhsm2-util --import k.pem "
                   "--token lab --label tom --id a1 --pin 1234 && rm k.pem"),
        0);
}

TEST(a_key_on_a_token_signs_through_the_agent)
{
    struct public_key by;
    struct lab lab;
    pid_t agent;

    if (access(TOKEN_LIBRARY, R_OK)) {
        printf("no token is tried: " TOKEN_LIBRARY " (package softhsm2) is not here\n");
        return;
    }
    open_lab(&lab);
    make_token(&lab);
    agent = start_agent(&lab);
    CU_ASSERT_EQUAL(shell(&lab,
                          "SSH_ASKPASS=$PWD/pin SSH_ASKPASS_REQUIRE=force ssh-add -s " TOKEN_LIBRARY
                          " && ssh-add -L > tom.pub && { printf 'tom@lab '; cat tom.pub; } >> "
                          "allowed"),
                    0);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, NULL, "sig"), 0);
    CU_ASSERT_EQUAL(verify_by_theirs(&lab, "tom", "sig"), 0);
    CU_ASSERT_EQUAL(check_ours(&lab, "sig", MESSAGE, &by), 0);
    CU_ASSERT_EQUAL(check_ours(&lab, "sig", MESSAGE "x", &by), ERROR_RULE);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, "tom.pub", "sig"), 0);
    /* The token is pulled out. */
    CU_ASSERT_EQUAL(shell(&lab, "ssh-add -e " TOKEN_LIBRARY), 0);
    CU_ASSERT_EQUAL(sign_by_agent(&lab, "tom.pub", "sig"), ERROR_CONFIG);
    stop_agent(agent);
    unsetenv("SOFTHSM2_CONF");
    close_lab(&lab);
}

static int find(struct lab *lab, const char *list, int64_t when, char name[SIGNER_NAME_SIZE])
{
    char path[128], key_path[128];
    struct signers *signers;
    struct public_key key;
    int status;

    write_file(lab, "list", list);
    CU_ASSERT_EQUAL(
        shell(lab, "key=$(cut -d' ' -f1,2 ann.pub) && sed \"s|KEY|$key|\" list > allowed"), 0);
    CU_ASSERT_EQUAL(public_key_load(&key, in_lab(lab, "ann.pub", key_path), &lab->error), 0);
    status = signers_load(&signers, in_lab(lab, "allowed", path), &lab->error);
    if (status)
        return status;
    status = signers_find(signers, &key, "dealproof", when, name, &lab->error);
    signers_free(signers);
    return status;
}

#define NOON 1767268800 /* 2026-01-01 12:00 UTC */

TEST(a_list_of_signers_says_who_may_sign_what_and_when)
{
    static const struct {
        const char *list;
        int64_t when;
        int status;
        const char *words;
    } cases[] = {
        {"# nobody\n\nann@lab KEY\n", 0, 0, NULL},
        {"ann@lab,a@b KEY and a comment\n", 0, 0, NULL},
        {"ann@lab namespaces=\"file,dealproof\" KEY\n", 0, 0, NULL},
        {"ann@lab namespaces=\"file\" KEY\n", 0, ERROR_RULE, "namespace"},
        {"ann@lab namespaces=\"file\" KEY\nann@lab KEY\n", 0, 0, NULL},
        {"ann@lab valid-after=\"20260101Z\" KEY\n", NOON, 0, NULL},
        {"ann@lab valid-after=\"20260101Z\" KEY\n", 0, ERROR_RULE, "not known when"},
        {"ann@lab valid-after=\"202601011201Z\" KEY\n", NOON, ERROR_RULE,
         "not allowed to sign yet"},
        {"ann@lab valid-before=\"20260101120000Z\" KEY\n", NOON, ERROR_RULE, "any more"},
        {"ann@lab namespaces=\"dealproof\",valid-before=\"20260102Z\" KEY\n", NOON, 0, NULL},
        {"bob@lab ssh-ed25519 "
         "AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
         0, ERROR_RULE, "nobody"},
        {"", 0, ERROR_RULE, "nobody"},
        {"ann@lab KEY\nann@lab cert-authority KEY\n", 0, ERROR_CONFIG, "allowed:2"},
        {"ann@lab valid-after=\"2026\" KEY\n", 0, ERROR_CONFIG, "YYYYMMDD"},
        {"ann@lab valid-after=\"20261301Z\" KEY\n", NOON, ERROR_CONFIG, "YYYYMMDD"},
        {"ann@lab valid-before=\"20260230Z\" KEY\n", NOON, ERROR_CONFIG, "YYYYMMDD"},
        {"ann@lab valid-before= KEY\n", NOON, ERROR_CONFIG, "cannot be used"},
        {"ann@lab namespaces= KEY\n", NOON, ERROR_CONFIG, "cannot be used"},
        {"ann@lab namespaces=\"file KEY\n", 0, ERROR_CONFIG, "allowed:1"},
        {"ann@lab\n", 0, ERROR_CONFIG, "allowed:1"},
        {"ann@lab namespaces=\"\" KEY\n", 0, ERROR_CONFIG, "allowed:1"},
        {"ann@lab namespaces=\"file\",namespaces=\"dealproof\" KEY\n", 0, ERROR_CONFIG, "twice"},
        {"ann@lab valid-before=\"20200101\",valid-before=\"20990101\" KEY\n", 0, ERROR_CONFIG,
         "twice"},
        {"ann@lab valid-after=\"20200101\",valid-after=\"20100101\" KEY\n", 0, ERROR_CONFIG,
         "twice"},
        {"ann@lab valid-before=\"203001011275\" KEY\n", 0, ERROR_CONFIG, "cannot be used"},
        {"ann@lab valid-before=\"203001012400\" KEY\n", 0, ERROR_CONFIG, "cannot be used"},
        {"!ann@lab KEY\n", 0, ERROR_CONFIG, "'!ann@lab'"},
        {"*,!ann@lab KEY\n", 0, ERROR_CONFIG, "'*,!ann@lab'"},
        {"ann@lab ssh-ed25519 AAAA\n", 0, ERROR_CONFIG, "allowed:1"},
        {"ann@lab ssh-dss AAAAB3NzaC1kc3M=\n", 0, ERROR_CONFIG, "ssh-dss"},
    };
    char name[SIGNER_NAME_SIZE];
    struct lab lab;

    open_lab(&lab);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_EQUAL(find(&lab, cases[i].list, cases[i].when, name), cases[i].status);
        if (cases[i].words) {
            CU_ASSERT_PTR_NOT_NULL(strstr(lab.error.text, cases[i].words));
        } else {
            CU_ASSERT_EQUAL(strncmp(name, "ann@lab", 7), 0);
        }
    }
    close_lab(&lab);
}

TEST(a_key_that_was_revoked_is_found_on_its_list)
{
    char path[128], key_path[128];
    struct public_key key;
    struct lab lab;

    open_lab(&lab);
    make_key(&lab, "bob", "ed25519");
    CU_ASSERT_EQUAL(public_key_load(&key, in_lab(&lab, "ann.pub", key_path), &lab.error), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cp bob.pub revoked"), 0);
    CU_ASSERT_EQUAL(signers_revoked(in_lab(&lab, "revoked", path), &key, &lab.error), 0);
    CU_ASSERT_EQUAL(shell(&lab, "cat ann.pub >> revoked"), 0);
    CU_ASSERT_EQUAL(signers_revoked(path, &key, &lab.error), 1);
    CU_ASSERT_EQUAL(shell(&lab, "echo nonsense > revoked"), 0);
    CU_ASSERT_EQUAL(signers_revoked(path, &key, &lab.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(signers_revoked(in_lab(&lab, "missing", path), &key, &lab.error), ERROR_CONFIG);
    close_lab(&lab);
}
