/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <string.h>

static bool is_among(const char *const *names, const char *name)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return names && *names;
}

bool command_takes(const command *d, option_id id)
{
    if (id == OPT_HELP) return true;
    if (!d || id == OPT_VERSION) return !d && id == OPT_VERSION;
    if (id == OPT_HELP_ALL) return true;
    for (const option_id *o = d->options; o && *o != OPT_END; o++)
        if (*o == id) return true;
    const option *o = option_get(id);
    return is_among(d->topics, o->topic) || (o->home == HOME_FIT && is_among(d->fits, o->name));
}

static bool is_called(const option *o, const char *name, size_t length)
{
    if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return true;
    return o->alias && strlen(o->alias) == length && memcmp(o->alias, name, length) == 0;
}

bool command_reads(const command *d, int operand)
{
    return d->operand[operand > 0].files && operand != d->output_operand - 1;
}

int command_option(const command *d, const char *name, size_t length)
{
    for (int i = 0; i < option_count(); i++)
        if (command_takes(d, (option_id)i) && is_called(option_get((option_id)i), name, length))
            return i;
    return -1;
}

int command_letter(const command *d, char letter)
{
    for (int i = 0; letter && i < option_count(); i++)
        if (option_get((option_id)i)->letter == letter && command_takes(d, (option_id)i)) return i;
    return -1;
}

int any_option(const char *name, size_t length)
{
    for (int i = 0; i < option_count(); i++)
        if (is_called(option_get((option_id)i), name, length)) return i;
    return -1;
}

int any_letter(char letter)
{
    for (int i = 0; letter && i < option_count(); i++)
        if (option_get((option_id)i)->letter == letter) return i;
    return -1;
}

const command *command_find(const command *const *commands, const char *name)
{
    for (; *commands; commands++)
        if (strcmp((*commands)->name, name) == 0) return *commands;
    return NULL;
}
