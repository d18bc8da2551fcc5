/* SPDX-License-Identifier: Apache-2.0 */
/* Operators, polynomials and the linear probe of golden.json; tolerances: golden_excess(). */
#include "check.h"
#include "golden/golden.h"

enum { NODES = 6, FEATURES = 5 };

static const double relative = 2e-8;

/* The fit alone, for penalties that the file chose. */
static void coefficients(void)
{
    static const char *const name[] = {"gcn", "heat", "ppr"};
    json_t *root = golden_load(), *node;
    const char *penalty;
    for (int k = REF_GCN; k <= REF_PPR; k++) {
        double got[REF_ORDER + 2], want[REF_ORDER + 2];
        ref_config c;
        ref_config_init(&c, (ref_kernel)k, 1, 1);
        ref_nodes(got, c.decoder_order);
        CHECK(golden_read(want, REF_ORDER + 2, golden_at(root, "wiener_coefs/%s/nodes", name[k])) ==
              c.decoder_order + 2);
        CHECK(golden_excess(got, want, c.decoder_order + 2, 0) <= 1);
        json_object_foreach(golden_at(root, "wiener_coefs/%s/penalty", name[k]), penalty, node)
        {
            CHECK(golden_read(want, REF_ORDER + 1, node) == c.decoder_order + 1);
            CHECK(ref_coefficients(got, c.decoder_order, c.kernel, c.parameter, REF_WIENER,
                                   strtod(penalty, NULL)));
            CHECK_NEAR(golden_excess(got, want, c.decoder_order + 1,
                                     relative * golden_largest(want, c.decoder_order + 1)),
                       0, 1);
        }
    }
    json_decref(root);
}

/* 1 / g of ppr is 1 + 4 x itself; of gcn it has a pole on a node of every odd order. */
static void encoder_and_inverse(void)
{
    static const struct {
        const char *name;
        ref_kernel kernel;
        ref_response response;
        int order;
    } fit[] = {{"gcn", REF_GCN, REF_FORWARD, 1},
               {"heat", REF_HEAT, REF_FORWARD, 2},
               {"ppr", REF_PPR, REF_FORWARD, 2},
               {"heat_inv", REF_HEAT, REF_INVERSE, 2},
               {"ppr_inv", REF_PPR, REF_INVERSE, 1}};
    json_t *root = golden_load();
    double got[REF_ORDER + 1], want[REF_ORDER + 1];
    for (size_t k = 0; k < sizeof fit / sizeof *fit; k++) {
        ref_config c;
        ref_config_init(&c, fit[k].kernel, 1, 1);
        CHECK(golden_read(want, REF_ORDER + 1, golden_at(root, "encoder_coefs/%s", fit[k].name)) ==
              fit[k].order + 1);
        CHECK(ref_coefficients(got, fit[k].order, c.kernel, c.parameter, fit[k].response, 0));
        CHECK(golden_excess(got, want, fit[k].order + 1, 1e-15) <= 1);
    }
    CHECK(!ref_coefficients(got, 9, REF_GCN, 1, REF_INVERSE, 0));
    CHECK(ref_coefficients(got, 9, REF_GCN, 1, REF_WIENER, 0));
    json_decref(root);
}

static void operators(void)
{
    enum { SIZE = NODES * NODES };
    json_t *root = golden_load();
    ref_graph row, column;
    double X[NODES * FEATURES], want[SIZE];
    CHECK(golden_graph(&row, root, REF_ROW, X, NODES * FEATURES));
    CHECK(golden_graph(&column, root, REF_COLUMN, X, NODES * FEATURES));
    CHECK(golden_read(want, SIZE, golden_at(root, "graph/laplacian_dense")) == SIZE);
    CHECK(golden_excess(row.laplacian, want, SIZE, 1e-15) <= 1);
    CHECK(golden_read(want, SIZE, golden_at(root, "graph/rw_dense*")) == SIZE);
    CHECK(golden_excess(row.average, want, SIZE, 1e-15) <= 1);
    for (int i = 0; i < SIZE; i++) /* A D^-1 is the transpose */
        CHECK(column.average[i] == row.average[i % NODES * NODES + i / NODES]);
    ref_graph_free(&column);
    ref_graph_free(&row);
    json_decref(root);
}

/* Five Adam steps from (W0, b0). The decay is l2 p added to the gradient, of W and of b. */
static void linear_probe(void)
{
    enum { D = 4, CLASSES = 3, SIZE = CLASSES * (D + 1), PROBE_STEPS = 5 };
    json_t *root = golden_load(), *node = golden_at(root, "linear_probe");
    double Z[NODES * D], labels[NODES], p[SIZE], g[SIZE], m[SIZE] = {0}, v[SIZE] = {0};
    double losses[PROBE_STEPS], want[SIZE], work[CLASSES];
    const double lr = golden_number(golden_at(node, "lr"));
    const double l2 = golden_number(golden_at(node, "weight_decay"));
    int label[NODES];
    CHECK(golden_read(Z, NODES * D, golden_at(node, "Z")) == NODES * D);
    CHECK(golden_read(labels, NODES, golden_at(node, "labels")) == NODES);
    CHECK(golden_read(p, CLASSES * D, golden_at(node, "W0")) == CLASSES * D);
    CHECK(golden_read(p + CLASSES * D, CLASSES, golden_at(node, "b0")) == CLASSES);
    for (int i = 0; i < NODES; i++)
        label[i] = (int)labels[i];
    for (int step = 1; step <= PROBE_STEPS; step++) {
        losses[step - 1] = ref_probe(g, p, &(ref_labelled){Z, label, NODES, D, CLASSES}, l2, work);
        ref_adam(p, m, v, g, SIZE, step, lr);
    }
    CHECK(golden_read(want, PROBE_STEPS, golden_at(node, "loss_per_step")) == PROBE_STEPS);
    CHECK_NEAR(golden_excess(losses, want, PROBE_STEPS, relative), 0, 1);
    CHECK(golden_read(want, CLASSES * D, golden_at(node, "W_after_5")) == CLASSES * D);
    CHECK(golden_read(want + CLASSES * D, CLASSES, golden_at(node, "b_after_5")) == CLASSES);
    CHECK_NEAR(golden_excess(p, want, SIZE, relative * golden_largest(want, SIZE)), 0, 1);
    json_decref(root);
}

int main(void)
{
    RUN(operators);
    RUN(coefficients);
    RUN(encoder_and_inverse);
    RUN(linear_probe);
    return check_result();
}
