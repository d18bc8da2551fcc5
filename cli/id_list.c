/* SPDX-License-Identifier: Apache-2.0 */
#include "id_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int id_list_no_memory(void)
{
    complain("out of memory for the ids");
    return DOES_NOT_FIT;
}

int id_list_take(id_list *l, const char **word, int64_t count)
{
    l->id = calloc((size_t)count + 1, sizeof *l->id);
    if (!l->id) return id_list_no_memory();
    memcpy(l->id, word, (size_t)count * sizeof *l->id);
    l->count = count;
    return DONE;
}

/* All of a stream as text; NULL without memory. */
static char *read_all(FILE *f)
{
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    for (size_t got = 1; text && got > 0; used += got) {
        if (used == room) {
            char *more = realloc(text, 2 * room + 1);
            if (!more) free(text);
            text = more;
            room *= 2;
        }
        got = text ? fread(text + used, 1, room - used, f) : 0;
    }
    if (text) text[used] = '\0';
    return text;
}

/* Lines become texts of their own, in place. */
static int64_t cut_lines(const char **id, char *text)
{
    int64_t count = 0;
    for (char *at = text; *at;) {
        char *end = at + strcspn(at, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (end > at && end[-1] == '\r') end[-1] = '\0';
        if (*at) id[count] = at;
        count += *at != '\0';
        at = next;
    }
    return count;
}

int id_list_read(id_list *l, const char *path)
{
    const bool piped = strcmp(path, "-") == 0;
    FILE *f = piped ? stdin : fopen(path, "r");
    int64_t lines = 1;
    if (!f) {
        complain("%s: %s", path, strerror(errno));
        return BAD_INPUT;
    }
    l->text = read_all(f);
    const bool failed = ferror(f) != 0;
    if (!piped) fclose(f);
    if (!l->text) return id_list_no_memory();
    if (failed) {
        complain("%s: cannot be read: %s", path, strerror(errno));
        return BAD_INPUT;
    }
    for (const char *at = l->text; *at; at++)
        lines += *at == '\n';
    l->id = calloc((size_t)lines + 1, sizeof *l->id);
    if (!l->id) return id_list_no_memory();
    l->count = cut_lines(l->id, l->text);
    if (l->count > 0) return DONE;
    complain("%s: there are no ids in it; one is expected on a line", path);
    return BAD_INPUT;
}

void id_list_free(id_list *l)
{
    free(l->id);
    free(l->text);
    *l = (id_list){.count = 0};
}
