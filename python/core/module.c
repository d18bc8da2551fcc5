/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#define ROW(name, doc)                        \
    {                                         \
#name, core_##name, METH_VARARGS, doc \
    }

/* Types and meaning of the arguments: _core.pyi. */
static PyMethodDef calls[] = {
    ROW(option_table, "Rows of an option table."),
    ROW(preset_names, "Names of the presets."),
    ROW(preset, "Training options of a preset, as text."),
    ROW(machine, "Hardware and built-in features."),
    ROW(size_parse, "A number of bytes from text such as 1.5G, or None."),
    ROW(demo_files, "The sample data, or the files of one set."),
    ROW(number_texts, "Numbers of texts in order of appearance."),
    ROW(encode_texts, "Python's text as a block of UTF-8."),
    ROW(gather_texts, "Texts of Arrow's views, one behind another."),
    ROW(edge_columns,
        "Source, target, weight and graph of a table of edges, by the rules for files."),
    ROW(dataset_from_arrays, "A dataset from arrays; features are borrowed."),
    ROW(dataset_read, "A dataset from a file or folder."),
    ROW(dataset_write, "Write a dataset."),
    ROW(dataset_facts, "Counts of a dataset."),
    ROW(dataset_remarks, "What reading dropped, merged or decided."),
    ROW(dataset_dense, "Copy dense features."),
    ROW(dataset_sparse, "Copy sparse features."),
    ROW(dataset_adjacency, "Copy the adjacency matrix."),
    ROW(dataset_encoding, "How tables became features."),
    ROW(hold_out, "A dataset without a part of its edges."),
    ROW(dataset_of_graphs, "A dataset whose nodes are the graphs of another."),
    ROW(dataset_labels, "Copy labels."),
    ROW(dataset_splits, "Copy splits."),
    ROW(dataset_graphs, "Copy offsets and labels of graphs."),
    ROW(dataset_ids, "Ids of the nodes."),
    ROW(dataset_class_names, "Names of the classes."),
    ROW(train, "Train a model."),
    ROW(fit, "Fit the closed form."),
    ROW(fit_estimate, "Memory and time that the closed form needs."),
    ROW(recommend_estimate, "Memory and time that a recommender and its lists need."),
    ROW(estimate, "Memory that training needs."),
    ROW(model_embed, "Embeddings of nodes or graphs."),
    ROW(model_save, "Write a model."),
    ROW(model_load, "Read a model."),
    ROW(model_facts, "Kind, dimensions and options of a model."),
    ROW(model_encoding, "How the features of a model were encoded."),
    ROW(model_parts, "What a fitted model is made of."),
    ROW(model_remarks, "What a fit decided that its caller may want to know."),
    ROW(embedding_read, "Read embeddings."),
    ROW(embedding_values, "Copy embeddings."),
    ROW(embedding_ids, "Ids of embeddings."),
    ROW(embedding_write, "Write embeddings."),
    ROW(search, "Nearest neighbors."),
    ROW(probe, "Linear probes of vectors or of a baseline."),
    ROW(cluster, "K-means of vectors or of a baseline."),
    ROW(links, "Link prediction, by a model or a baseline."),
    ROW(baselines, "Number and name of each baseline that fits a dataset and a task."),
    ROW(recommender_fit, "Fit a recommender."),
    ROW(recommender_facts, "What a recommender is, and how good on held-out interactions."),
    ROW(recommender_ids, "Ids of the users or of the items of a recommender."),
    ROW(recommender_rank, "Lists of items."),
    ROW(recommender_embed, "Vectors of users and items."),
    ROW(recommender_save, "Write a recommender."),
    ROW(recommender_load, "Read a recommender."),
    ROW(is_recommender, "Whether a file holds a recommender."),
    ROW(restore, "Denoise a graph signal."),
    ROW(project, "Points of the plane for vectors."),
    ROW(energy, "Spectral energy, signal and noise of a matrix."),
    ROW(train_orders, "Orders of the polynomials that training takes."),
    ROW(response, "A kernel or its Wiener response, and the polynomial for it."),
    ROW(predictor_fit, "Learn labels."),
    ROW(predictor_report, "What a predictor chose, and how good it is."),
    ROW(predictor_classes, "Names of the classes of a predictor."),
    ROW(predictor_apply, "Predict labels."),
    ROW(predictor_save, "Write a predictor with its model."),
    ROW(predictor_load, "Read a predictor and its model."),
    ROW(find_clusters, "Clusters of nodes."),
    {NULL, NULL, 0, NULL},
};

static int start(PyObject *module)
{
    if (PyModule_AddStringConstant(module, "version", wgdn_version()) < 0) return -1;
    return core_add_errors(module);
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    const core_state *state = PyModule_GetState(module);
    for (int i = 0; state && i < ERRORS; i++)
        Py_VISIT(state->error[i]);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *state = PyModule_GetState(module);
    for (int i = 0; state && i < ERRORS; i++)
        Py_CLEAR(state->error[i]);
    return 0;
}

static void release(void *module)
{
    (void)clear(module);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "wgdn._core",
    .m_doc = "The library's public header, call by call.",
    .m_size = sizeof(core_state),
    .m_methods = calls,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
