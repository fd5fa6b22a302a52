/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <string.h>

#include "devices/model.h"
#include "games/game.h"
#include "tools/help/help.h"

static void add(struct help_words *words, const char *word, size_t length)
{
    size_t used = strlen(words->list);

    snprintf(words->list + used, sizeof words->list - used, "%s%.*s", used ? " " : "", (int)length,
             word);
}

static void add_games(struct help_words *words)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++)
        add(words, game->name, strlen(game->name));
}

static void add_models(struct help_words *words)
{
    const struct model_kind *kind;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->make)
            add(words, kind->name, strlen(kind->name));
}

static void add_commands(struct help_words *words, const struct command *of)
{
    const struct command *command;

    for (size_t i = 0; (command = of ? registry_at(of->parts, i) : help_command_at(i)); i++) {
        const char *name = of ? command->name + strlen(of->name) + 1 : command->name;

        if (!strchr(name, ' '))
            add(words, name, strlen(name));
    }
}

void help_values(const char *argument, struct help_words *words)
{
    *words = (struct help_words){.files = options_takes_files(argument)};
    if (!strcmp(argument, "GAME"))
        add_games(words);
    else if (!strcmp(argument, "SHELL"))
        add(words, "bash zsh", strlen("bash zsh"));
    else if (strspn(argument, "abcdefghijklmnopqrstuvwxyz-") == strlen(argument))
        add(words, argument, strlen(argument));
}

void help_arguments(const struct command *command, struct help_words *words)
{
    const char *synopsis = command->synopsis;
    size_t literal = strspn(synopsis, "abcdefghijklmnopqrstuvwxyz");

    *words = (struct help_words){.files = true};
    if (command->parts)
        add_commands(words, command);
    else if (!strcmp(command->name, "help"))
        add_commands(words, NULL);
    else if (!strncmp(synopsis, "DEVICE ", strlen("DEVICE ")))
        add_models(words);
    else if (literal)
        add(words, synopsis, literal);
    for (const char *at = synopsis; (at = strstr(at, "GAME")); at++)
        if (at - synopsis < 7 || strncmp(at - 7, "--game ", 7) != 0) {
            add_games(words);
            break;
        }
}
