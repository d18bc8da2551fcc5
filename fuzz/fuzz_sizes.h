/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mutator for files whose numbers are sizes. A safetensors file is mutated as what it is: header
 * and data apart, with the header's length set right afterwards. Now and then a number, in digits or
 * as 4 or 8 bytes, becomes one near 2^31, 2^32, 2^62 and the like, or one that stands elsewhere.
 */
#ifndef WGDN_FUZZ_SIZES_H
#define WGDN_FUZZ_SIZES_H

#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#ifdef WGDN_LIBFUZZER

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t fuzz_draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* 2^7 .. 2^63, minus one, exactly, or plus one; small numbers as often. */
static uint64_t fuzz_size_near(uint32_t *state)
{
    static const int power[] = {7, 8, 15, 16, 24, 30, 31, 32, 33, 46, 53, 61, 62, 63};
    const uint32_t r = fuzz_draw(state);
    if (r % 2) return r / 2 % 70;
    const uint64_t at = (uint64_t)1 << power[r / 2 % (sizeof power / sizeof *power)];
    return at + r / 64 % 3 - 1;
}

static int fuzz_is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

/* A run of digits, the first one behind a random place, gets another number. */
static size_t fuzz_renumber(uint8_t *data, size_t size, size_t most, uint32_t *state)
{
    char text[24];
    if (size == 0) return 0;
    size_t at = fuzz_draw(state) % size;
    while (at < size && !fuzz_is_digit(data[at]))
        at++;
    while (at > 0 && at < size && fuzz_is_digit(data[at - 1]))
        at--;
    size_t end = at;
    while (end < size && fuzz_is_digit(data[end]))
        end++;
    const size_t length =
        (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)fuzz_size_near(state));
    if (at == end || size - (end - at) + length > most) return 0;
    memmove(data + at + length, data + end, size - end);
    memcpy(data + at, text, length);
    return size - (end - at) + length;
}

/* A word of the data becomes such a number. */
static size_t fuzz_replace(uint8_t *data, size_t size, uint32_t *state)
{
    const size_t width = fuzz_draw(state) % 2 ? 8 : 4;
    const uint64_t value = fuzz_size_near(state);
    if (size < width) return 0;
    memcpy(data + fuzz_draw(state) % (size / width) * width, &value, width);
    return size;
}

/* The length of a safetensors header; 0: this is none. */
static size_t fuzz_header(const uint8_t *data, size_t size)
{
    uint64_t length;
    if (size < 10 || data[8] != '{') return 0;
    memcpy(&length, data, sizeof length);
    return length <= size - 8 ? (size_t)length : 0;
}

/* The header in place of the old one, and the data behind it. */
static size_t fuzz_mutate_header(uint8_t *data, size_t size, size_t most, uint32_t *state)
{
    const size_t old = fuzz_header(data, size), behind = size - 8 - old;
    uint8_t *copy = malloc(most);
    if (!copy) return 0;
    memcpy(copy, data + 8, old);
    size_t made = fuzz_draw(state) % 2 ? fuzz_renumber(copy, old, most - 8 - behind, state) : 0;
    if (made == 0) made = LLVMFuzzerMutate(copy, old, most - 8 - behind);
    const uint64_t length = made;
    memmove(data + 8 + made, data + 8 + old, behind);
    memcpy(data, &length, sizeof length);
    memcpy(data + 8, copy, made);
    free(copy);
    return 8 + made + behind;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint32_t state = seed | 1;
    const uint32_t choice = fuzz_draw(&state) % 8;
    const size_t header = fuzz_header(data, size);
    size_t made = 0;
    if (choice == 0) return LLVMFuzzerMutate(data, size, max_size);
    const size_t from = header ? 8 + header : 0;
    /* libFuzzer puts a byte even where there is room for none. */
    if (header && (choice < 5 || from == max_size))
        return fuzz_mutate_header(data, size, max_size, &state);
    if (choice == 5) made = fuzz_replace(data + from, size - from, &state);
    if (choice == 6) made = fuzz_renumber(data + from, size - from, max_size - from, &state);
    if (made == 0) made = LLVMFuzzerMutate(data + from, size - from, max_size - from);
    return from + made;
}

#endif

#endif
