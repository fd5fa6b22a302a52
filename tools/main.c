#include "tools/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/report/markup.h"

extern const struct command *const __start_commands[];
extern const struct command *const __stop_commands[];

static const char intro[] =
    "Proves that a card table's devices deal, sense and pay what the approved rules say.\n";

/* The commands one after the other, as the linker put them side by side; NULL at the end. */
static const struct command *command_at(size_t index)
{
    /* cppcheck-suppress comparePointers */
    return index < (size_t)(__stop_commands - __start_commands) ? __start_commands[index] : NULL;
}

static void print_help(void)
{
    const struct command *command;

    printf("Usage: dealproof COMMAND [OPTION]... [ARGUMENT]...\n%s\nCommands:\n", intro);
    for (size_t i = 0; (command = command_at(i)); i++)
        printf("  %-10s %s\n", command->name, command->summary);
    printf("\n'dealproof COMMAND --help' explains one of them. Exit status: 0 pass, 1 fail,\n"
           "2 usage or configuration, 3 device, 4 rig, 5 timeout, 6 too few shuffles to say,\n"
           "130 aborted.\n");
}

void command_help(const struct command *command)
{
    printf("Usage: dealproof %s %s\n%s.\n\n%s", command->name, command->synopsis, command->summary,
           command->help);
}

int command_usage_error(const struct command *command, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "dealproof %s: ", command->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'dealproof %s --help'.\n", command->name);
    return EXIT_USAGE;
}

/* After an interrupt nothing may wait any more, not even for somebody to read the reason. */
static bool heard(const struct error *error)
{
    struct pollfd polled = {.fd = STDERR_FILENO, .events = POLLOUT};

    return error->code != ERROR_ABORTED || poll(&polled, 1, 0) == 1;
}

/* What a device or a file is called must not move the cursor; one write, so that lines stay whole.
 */
static void print_sentence(const char *name, const char *text)
{
    char sentence[ERROR_TEXT_SIZE + 1] = "";
    FILE *plain = fmemopen(sentence, sizeof sentence, "w");

    if (plain) {
        plain_text(plain, text);
        fclose(plain);
    }
    fprintf(stderr, "dealproof %s: %s\n", name, sentence);
}

int command_error(const struct command *command, const struct error *error)
{
    if (heard(error))
        print_sentence(command->name, error->text);
    return -(int)error->code;
}

static int finish(const char *blank, const char *name, int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "dealproof%s%s: cannot write standard output: %s\n", blank, name,
            strerror(errno));
    return EXIT_RIG;
}

int command_finish(const struct command *command, int status)
{
    return finish(" ", command->name, status);
}

/*
 * A closed descriptor would be given to the next file that is opened, and results would go there.
 * In its place stands one that can be used for nothing: reading or writing it is an error.
 */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_RIG);
}

int main(int argc, char **argv)
{
    const struct command *command;

    occupy_standard_descriptors();
    /*
     * A reader that has seen enough, or a file that may not grow, is an error of write(2), not a
     * reason to die.
     */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        fprintf(stderr, "dealproof: no command given\nTry 'dealproof --help'.\n");
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help();
        return finish("", "", EXIT_PASS);
    }
    if (!strcmp(argv[1], "--version")) {
        printf("dealproof %s\n", DEALPROOF_VERSION);
        return finish("", "", EXIT_PASS);
    }
    for (size_t i = 0; (command = command_at(i)); i++)
        if (!strcmp(command->name, argv[1]))
            return command->run(command, argc - 1, argv + 1);
    fprintf(stderr, "dealproof: unknown command '%s'\nTry 'dealproof --help'.\n", argv[1]);
    return EXIT_USAGE;
}
