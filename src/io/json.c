/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses JSON with Jansson after checking the nesting depth, because Jansson recurses at every
 * level. The JSON readers in formats and the safetensors header use it.
 */
#include "json.h"
#include "base/base.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/*
 * Where level WGDN_JSON_DEPTH + 1 begins, or size. Brackets within strings do not count; in a text
 * that is no JSON the count may be anything, and the parser finds what is wrong with it.
 */
static size_t too_deep(const char *text, size_t size)
{
    bool string = false;
    int level = 0;
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (string) {
            if (c == '\\')
                i++;
            else if (c == '"' || c == '\n') /* no string has a line break */
                string = false;
        } else if (c == '"') {
            string = true;
        } else if (c == '[' || c == '{') {
            if (++level > WGDN_JSON_DEPTH) return i;
        } else if ((c == ']' || c == '}') && level > 0) {
            level--;
        }
    }
    return size;
}

json_t *wgdn_json_load(const void *data, size_t size, json_error_t *why)
{
    const char *text = size ? data : "";
    const size_t at = too_deep(text, size);
    if (at == size) return json_loadb(text, size, JSON_REJECT_DUPLICATES, why);
    memset(why, 0, sizeof *why);
    why->position = (int)at;
    why->line = 1;
    for (size_t i = 0; i < at; i++) {
        why->column++;
        if (text[i] != '\n') continue;
        why->line++;
        why->column = 0;
    }
    why->column++;
    snprintf(why->text, sizeof why->text - 1, "nested more than %d levels deep", WGDN_JSON_DEPTH);
    why->text[sizeof why->text - 1] = (char)json_error_stack_overflow;
    return NULL;
}

char *wgdn_json_text(const json_t *value, size_t flags)
{
    const size_t size = json_dumpb(value, NULL, 0, flags);
    char *text = size ? wgdn_alloc(size + 1, 1) : NULL;
    if (!text) return NULL;
    if (json_dumpb(value, text, size, flags) == size) {
        text[size] = '\0';
        return text;
    }
    wgdn_release(text);
    return NULL;
}
