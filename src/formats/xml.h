/* SPDX-License-Identifier: Apache-2.0 */
/* XML with nodes, edges and attributes: expat behind a bound on depth, values and entities. */
#ifndef WGDN_FORMATS_XML_H
#define WGDN_FORMATS_XML_H

#include "attributes.h"

typedef struct wgdn_xml wgdn_xml;
struct wgdn_xml {
    wgdn_attributes g; /* what is read; its line is kept */
    /* An element begins or ends; attributes are names and values in turn, NULL behind them. */
    wgdn_status (*begin)(wgdn_xml *x, const char *name, const char *const *attribute);
    wgdn_status (*end)(wgdn_xml *x);
    int at;          /* the reader's own: where in the file it is */
    bool graph_seen; /* likewise: at the end there must have been one */
    int skipped;     /* elements that are open and nobody reads: 1 skips the one that begins */
    bool collects;   /* text counts; it is forgotten when that begins: */
    char *text;      /* of a value */
    int64_t size, room;
    int depth; /* elements that are open */
    void *parser;
    const wgdn_input *in;
    int64_t told;
    wgdn_status st; /* the first failure; the rest is quiet */
};

/* begin and end are set. Gives the draft what was read. */
WGDN_MUST_CHECK wgdn_status wgdn_xml_read(wgdn_xml *x, wgdn_draft *w, const wgdn_input *in,
                                          wgdn_error *err);
const char *wgdn_xml_get(const char *const *attribute, const char *name); /* or NULL */
void wgdn_xml_collect(wgdn_xml *x);                                       /* from here on */
wgdn_text wgdn_xml_text(wgdn_xml *x);                                     /* and no further */

#endif
