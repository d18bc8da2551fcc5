/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loss without its reconstruction against the dense way on real data (Coauthor CS), at the
 * start and after training, when the residual is small and sums of squares might cancel.
 */
#include "support.h"
#include "train/train.h"

enum { WIDTH = 64, EPOCHS = 120, SKIPPED = 77 };

static void step(double *loss, float *grad, wgdn_model *m, const wgdn_dataset *d, wgdn_feed *feed,
                 wgdn_last use)
{
    wgdn_workspace *w = NULL;
    m->last = use;
    CHECK(wgdn_workspace_new(&w, m, &feed->input, true, NULL) == WGDN_OK);
    const wgdn_pass pass = wgdn_pass_of(m, w, wgdn_dataset_get_graph(d), &feed->input, 7);
    CHECK(wgdn_step(loss, grad, &pass, NULL) == WGDN_OK);
    wgdn_workspace_free(w);
}

static void compare(wgdn_model *m, const wgdn_dataset *d, const char *when)
{
    wgdn_feed feed;
    double gram = 0, dense = 0, worst = 0;
    CHECK(wgdn_feed_open(&feed, d, m, NULL) == WGDN_OK);
    float *a = matrix(m->layout.size, 1), *b = matrix(m->layout.size, 1);
    step(&gram, a, m, d, &feed, WGDN_LAST_GRAM);
    step(&dense, b, m, d, &feed, WGDN_LAST_PLAIN);
    CHECK_NEAR(gram / dense, 1, 1e-4);
    for (int k = 0; k < m->layout.views; k++) {
        const wgdn_view *v = &m->layout.view[k];
        double most = 0, apart = 0;
        for (int64_t i = v->offset; i < v->offset + v->rows * v->cols; i++) {
            most = fmax(most, fabs(b[i]));
            apart = fmax(apart, fabs((double)a[i] - b[i]));
        }
        CHECK(apart <= 1e-4 * most);
        worst = fmax(worst, apart / most);
    }
    printf("     %s: loss %.6f and %.6f, gradients apart by %.1e of their largest\n", when, gram,
           dense, worst);
    wgdn_release(b);
    wgdn_release(a);
    wgdn_feed_free(&feed);
}

static void early_and_late(void)
{
    char path[512];
    wgdn_dataset *d = NULL;
    wgdn_train_options o;
    snprintf(path, sizeof path, "%s/coauthor_cs/ms_academic_cs.npz", getenv("WGDN_DATA"));
    CHECK(wgdn_dataset_read(&d, path, NULL, NULL) == WGDN_OK);
    if (!d) return;
    wgdn_train_options_init(&o);
    CHECK(wgdn_options_parse(WGDN_OPTIONS_TRAIN, &o, wgdn_preset_text("cs"), "cs", NULL) ==
          WGDN_OK);
    o.dim = WIDTH;
    o.learning_rate = 0.01;
    for (int late = 0; late < 2; late++) {
        wgdn_model *m = NULL;
        o.epochs = late ? EPOCHS : 0;
        CHECK(wgdn_model_train(&m, d, &o, NULL, NULL) == WGDN_OK);
        compare(m, d, late ? "late" : "early");
        wgdn_model_free(m);
    }
    wgdn_dataset_free(d);
}

int main(void)
{
    if (!getenv("WGDN_DATA")) {
        printf("skipped: WGDN_DATA is not set\n");
        return SKIPPED;
    }
    RUN(early_and_late);
    return check_result();
}
