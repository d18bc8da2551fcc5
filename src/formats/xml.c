/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses XML with expat, with bounds on depth, value sizes and entities. The GraphML and GEXF
 * readers supply the callbacks.
 */
#include "xml.h"

#include <string.h>

const char *wgdn_xml_get(const char *const *attribute, const char *name)
{
    for (; attribute[0]; attribute += 2)
        if (strcmp(attribute[0], name) == 0) return attribute[1];
    return NULL;
}

void wgdn_xml_collect(wgdn_xml *x)
{
    x->collects = true;
    x->size = 0;
}

wgdn_text wgdn_xml_text(wgdn_xml *x)
{
    x->collects = false;
    return wgdn_text_of(x->size ? x->text : "", (size_t)x->size);
}

#ifdef WGDN_HAVE_EXPAT
#include <expat.h>

enum { DEEPEST = 64 }; /* elements within one another */
static const int64_t tell_every = 1 << 20;
static const int64_t piece_max = 1 << 30; /* expat counts in int; small ones it would join again */

/* ---- memory for expat, with the size in front ---- */

enum { HEAD = 16 };

static void *allocate(size_t size)
{
    size_t *block = size < SIZE_MAX - HEAD ? wgdn_alloc(size + HEAD, 1) : NULL;
    if (!block) return NULL;
    *block = size;
    return (char *)block + HEAD;
}

static void release(void *p)
{
    if (p) wgdn_release((char *)p - HEAD);
}

static void *reallocate(void *p, size_t size)
{
    void *wider = allocate(size);
    if (!wider || !p) return wider;
    const size_t old = *(const size_t *)(const void *)((const char *)p - HEAD);
    memcpy(wider, p, old < size ? old : size);
    release(p);
    return wider;
}

/* ---- callbacks of expat ---- */

static void stop(wgdn_xml *x, wgdn_status st)
{
    if (!st || x->st) return;
    x->st = st;
    (void)XML_StopParser(x->parser, XML_FALSE);
}

static void report_progress(wgdn_xml *x)
{
    const int64_t at = (int64_t)XML_GetCurrentByteIndex(x->parser);
    if (!x->in->watch.tell || at - x->told < tell_every) return;
    x->told = at;
    if (x->in->watch.tell(x->in->watch.user, at, (int64_t)x->in->size))
        stop(x, wgdn_fail_at(x->g.err, WGDN_ESTOPPED, x->g.name, x->g.line, "stopped on request"));
}

static void XMLCALL on_begin(void *user, const char *name, const char **attribute)
{
    wgdn_xml *x = user;
    if (x->st) return;
    x->g.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    report_progress(x);
    if (++x->depth > DEEPEST)
        stop(x,
             wgdn_attributes_refuse(&x->g, "elements within one another, more than %d", DEEPEST));
    else if (x->skipped)
        x->skipped++;
    else if (!x->st)
        stop(x, x->begin(x, name, attribute));
}

static void XMLCALL on_end(void *user, const char *name)
{
    wgdn_xml *x = user;
    (void)name;
    if (x->st) return;
    x->g.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    x->depth--;
    if (x->skipped)
        x->skipped--;
    else
        stop(x, x->end(x));
}

static void XMLCALL on_text(void *user, const char *text, int size)
{
    wgdn_xml *x = user;
    if (x->st || x->skipped || !x->collects) return;
    if (x->size + size > WGDN_ID_MAX)
        stop(x, wgdn_attributes_refuse(&x->g, "a value of more than %d bytes", WGDN_ID_MAX));
    else if (!wgdn_grow(&x->text, &x->room, x->size + size, 1))
        stop(x, wgdn_fail_in(x->g.err, WGDN_ENOMEM, x->g.name, "a value"));
    else
        memcpy(x->text + x->size, text, (size_t)size);
    x->size += size;
}

/* Entities that a file declares can grow without bound; no writer of graphs has any. */
static void XMLCALL on_doctype(void *user, const char *name, const char *system_id,
                               const char *public_id, int declares)
{
    wgdn_xml *x = user;
    (void)name, (void)system_id, (void)public_id, (void)declares;
    x->g.line = (int64_t)XML_GetCurrentLineNumber(x->parser);
    stop(x, wgdn_attributes_refuse(&x->g, "a DOCTYPE, which may declare entities: expected none"));
}

/* ---- reading a file ---- */

static wgdn_status failure(const wgdn_xml *x)
{
    const enum XML_Error why = XML_GetErrorCode(x->parser);
    if (x->st) return x->st;
    if (why == XML_ERROR_NO_MEMORY)
        return wgdn_fail_in(x->g.err, WGDN_ENOMEM, x->g.name, "reading XML");
    return wgdn_fail(x->g.err, WGDN_EFORMAT, "%s:%lld:%lld: %s", wgdn_show_name(x->g.name).text,
                     (long long)XML_GetCurrentLineNumber(x->parser),
                     (long long)XML_GetCurrentColumnNumber(x->parser) + 1, XML_ErrorString(why));
}

static wgdn_status parse(wgdn_xml *x)
{
    const char *at = x->in->size ? x->in->data : "";
    int64_t left = (int64_t)x->in->size;
    do {
        const int size = (int)wgdn_min(left, piece_max);
        left -= size;
        if (XML_Parse(x->parser, at, size, left == 0) != XML_STATUS_OK) return failure(x);
        at += size;
    } while (left > 0);
    if (!x->graph_seen) return wgdn_fail_in(x->g.err, WGDN_EFORMAT, x->g.name, "no graph in it");
    return wgdn_attributes_finish(&x->g);
}

wgdn_status wgdn_xml_read(wgdn_xml *x, wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    static const XML_Memory_Handling_Suite memory = {allocate, reallocate, release};
    wgdn_status st;
    wgdn_attributes_open(&x->g, w, in, err);
    x->in = in;
    x->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (x->parser) {
        XML_SetUserData(x->parser, x);
        XML_SetElementHandler(x->parser, on_begin, on_end);
        XML_SetCharacterDataHandler(x->parser, on_text);
        XML_SetStartDoctypeDeclHandler(x->parser, on_doctype);
        st = parse(x);
        XML_ParserFree(x->parser);
    } else {
        st = wgdn_fail_in(err, WGDN_ENOMEM, in->name, "reading XML");
    }
    wgdn_release(x->text);
    wgdn_attributes_close(&x->g);
    return st;
}

#else

wgdn_status wgdn_xml_read(wgdn_xml *x, wgdn_draft *w, const wgdn_input *in, wgdn_error *err)
{
    (void)x, (void)w;
    return wgdn_fail_in(err, WGDN_ENOSUPPORT, in->name,
                        "GraphML and GEXF are read with expat, which this build does not have");
}

#endif
