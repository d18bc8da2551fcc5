/* SPDX-License-Identifier: Apache-2.0 */
/* The reference against every case of golden.json; tolerances: golden_excess(). */
#include "check.h"
#include "golden/golden.h"

static const double relative = 2e-8;

enum { ROOM = 4096, STEPS = 3, DRAWS = REF_LAYERS, NODES = 6, FEATURES = 5 };

static const char calls_key[] = "deconv_calls_in_order(channel innermost)";

/* Everything that a case needs and has. */
typedef struct golden_run {
    json_t *root, *node;
    const char *name;
    ref_graph graph;
    ref_state *state;
    double X[NODES * FEATURES], draw[DRAWS][ROOM], buffers[ROOM];
    const double *draws[DRAWS], *const *Z;
    double p[ROOM], g[ROOM], m[ROOM], v[ROOM], want[ROOM];
    double worst; /* share of a tolerance that was used */
} golden_run;

/* Notes the share of the tolerance that was used; complains when it is more than all. */
static void judge(golden_run *r, const char *part, const char *name, double excess)
{
    CHECK(excess <= 1);
    if (!(excess <= 1))
        fprintf(stderr, "  %s, %s %s: %g of what is allowed\n", r->name, part, name, excess);
    if (!(excess <= r->worst)) r->worst = excess;
}

/* Compares what is at a path of the case; a number that is missing is a failure. */
static void check_at(golden_run *r, const char *path, const double *got, int64_t count)
{
    const int64_t found = golden_read(r->want, ROOM, golden_at(r->node, "%s", path));
    CHECK(found == count);
    if (found != count) return;
    judge(r, path, "",
          golden_excess(got, r->want, count, relative * golden_largest(r->want, count)));
}

static void check_block(golden_run *r, const char *part, const double *got)
{
    const ref_layout *l = &r->state->layout;
    CHECK(golden_block(r->want, l, r->root, r->name, part));
    const double slack = relative * golden_largest(r->want, l->size);
    for (int k = 0; k < l->count; k++) {
        const ref_slice *s = &l->slice[k];
        judge(r, part, s->name,
              golden_excess(got + s->offset, r->want + s->offset, s->rows * s->cols, slack));
    }
}

/* "zero", or one n x H matrix per draw */
static void read_draws(golden_run *r)
{
    json_t *draws = golden_at(r->node, "noise_draws_in_order");
    const int expected = r->state->config.skip ? r->state->config.decoder_layers : 1;
    r->Z = json_is_array(draws) ? r->draws : NULL;
    CHECK(r->Z ? (int)json_array_size(draws) == expected : strcmp(golden_text(draws), "zero") == 0);
    for (int k = 0; r->Z && k < expected; k++) {
        golden_read(r->draw[k], ROOM, golden_at(draws, "%d", k));
        r->draws[k] = r->draw[k];
    }
}

static bool open_case(golden_run *r, json_t *root, const char *name)
{
    ref_config c;
    ref_average average;
    *r = (golden_run){.root = root, .name = name, .node = golden_at(root, "cases/%s", name)};
    CHECK(golden_config(&c, &average, root, name));
    CHECK(golden_graph(&r->graph, root, average, r->X, NODES * FEATURES));
    r->state = ref_state_new(&c, &r->graph);
    CHECK(r->state && r->state->layout.size <= ROOM && ref_buffers_size(&c) <= ROOM);
    if (!r->state) return false;
    CHECK(golden_block(r->p, &r->state->layout, root, name, "params"));
    ref_buffers_init(r->buffers, &c);
    read_draws(r);
    return true;
}

static void check_encoder(golden_run *r)
{
    const ref_config *c = &r->state->config;
    for (int l = 0; l < c->encoder_layers; l++) {
        char path[40];
        snprintf(path, sizeof path, "encoder_layers/%d", l);
        check_at(r, path, r->state->encoder[l].H, (int64_t)NODES * c->width);
    }
}

static void check_call(golden_run *r, const ref_call *call, int *at)
{
    const ref_config *c = &r->state->config;
    for (int q = 0; q < c->channels; q++, (*at)++) {
        char path[80];
        snprintf(path, sizeof path, "%s/%d/penalty", calls_key, *at);
        check_at(r, path, &call->penalty[q], 1);
        snprintf(path, sizeof path, "%s/%d/coefs", calls_key, *at);
        check_at(r, path, call->coefficient[q], c->decoder_order + 1);
    }
}

/* With skip, a layer first deconvolves the encoder's branch, then its own input. */
static void check_calls(golden_run *r)
{
    const ref_config *c = &r->state->config;
    int at = 0;
    for (int l = 0; l < c->decoder_layers; l++) {
        if (l == 0 || c->skip) check_call(r, &r->state->decoder[l].call[0], &at);
        if (l > 0) check_call(r, &r->state->decoder[l].call[1], &at);
    }
    CHECK(at == (int)json_array_size(golden_at(r->node, "%s", calls_key)));
}

static void check_first_step(golden_run *r)
{
    ref_state *s = r->state;
    CHECK(ref_forward(s, r->p, r->X, r->Z, NULL, REF_TRAIN));
    check_encoder(r);
    check_calls(r);
    check_at(r, "reconstruction", s->reconstruction, (int64_t)NODES * FEATURES);
    check_at(r, "loss", &s->loss, 1);
    ref_backward(s, r->p, r->g);
    check_block(r, "grads", r->g);
}

static void check_buffers(golden_run *r)
{
    const ref_config *c = &r->state->config;
    for (int k = 0; k < c->encoder_layers + c->decoder_layers - 1; k++) {
        const bool encoder = k < c->encoder_layers;
        const double *mean = r->buffers + 2 * k * c->width;
        char path[80];
        for (int second = 0; second < 2; second++) {
            snprintf(path, sizeof path, "buffers_after_3_steps/%s_norms.%d.%s",
                     encoder ? "encoder.enc" : "decoder.dec", encoder ? k : k - c->encoder_layers,
                     second ? "running_var" : "running_mean");
            check_at(r, path, mean + second * c->width, c->width);
        }
    }
}

/*
 * Same noise in every step. The file's encoder ran once more, before the first step, to write its
 * outputs down: its count of batches says 4 where the decoder's says 3, and its averages agree
 * only with that extra pass.
 */
static void check_steps(golden_run *r)
{
    ref_state *s = r->state;
    double losses[STEPS];
    ref_encode(s, r->p, r->X, r->buffers, REF_TRAIN);
    for (int step = 1; step <= STEPS; step++) {
        CHECK(ref_forward(s, r->p, r->X, r->Z, r->buffers, REF_TRAIN));
        losses[step - 1] = s->loss;
        ref_backward(s, r->p, r->g);
        ref_adam(r->p, r->m, r->v, r->g, s->layout.size, step, 0.01);
    }
    check_at(r, "loss_per_step*", losses, STEPS);
    check_block(r, "params_after_3_adam_steps", r->p);
    if (s->config.norm == REF_NORM_BATCH) check_buffers(r);
}

static void cases(void)
{
    json_t *root = golden_load(), *node;
    golden_run *r = malloc(sizeof *r);
    const char *name;
    int count = 0;
    CHECK(root && r);
    json_object_foreach(golden_at(root, "cases"), name, node)
    {
        if (r && open_case(r, root, name)) {
            check_first_step(r);
            check_steps(r);
            printf("     %-40s at most %.2f of the tolerance\n", name, r->worst);
        }
        if (r) {
            ref_state_free(r->state);
            ref_graph_free(&r->graph);
        }
        count++;
    }
    CHECK(count == 11);
    free(r);
    json_decref(root);
}

int main(void)
{
    RUN(cases);
    return check_result();
}
