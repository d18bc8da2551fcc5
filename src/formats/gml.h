/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WGDN_FORMATS_GML_H
#define WGDN_FORMATS_GML_H

#include "attributes.h"
#include "formats.h"

/* GML: keys and values in brackets, as NetworkX, igraph and Gephi write it. */
extern const wgdn_format wgdn_gml_format;

/* A file in memory. */
WGDN_MUST_CHECK wgdn_status wgdn_gml_parse(wgdn_draft *w, const wgdn_input *in, wgdn_error *err);

/* GML as tokens: keys, numbers, strings and brackets. */
typedef enum wgdn_gml_kind {
    WGDN_GML_END,
    WGDN_GML_WORD,
    WGDN_GML_NUMBER,
    WGDN_GML_STRING,
    WGDN_GML_OPEN,
    WGDN_GML_CLOSE,
} wgdn_gml_kind;

typedef struct wgdn_gml_token {
    wgdn_gml_kind kind;
    wgdn_text text; /* of a string: between its quotes, entities as they are */
} wgdn_gml_token;

/* The rest of a file, and what is made of it, whose line is kept. */
typedef struct wgdn_gml {
    wgdn_attributes g;
    const unsigned char *at, *end;
} wgdn_gml;

/* Text whose entities are undone; to be released. */
typedef struct wgdn_gml_plain {
    unsigned char *at;
    int64_t room;
} wgdn_gml_plain;

#endif
