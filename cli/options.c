/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stddef.h>
#include <string.h>

#define DATASET(field) HOME_DATASET, offsetof(wgdn_dataset_options, field)
#define NO_HOME HOME_NONE, 0

/* The choices of --format stand in the order of wgdn_format, those of --header in the field's. */
static const option table[OPTIONS] = {
    [OPT_FORMAT] = {"format", 'f', KIND_CHOICE, "FORMAT", "auto|edges|npz|mtx|tu|ogb|safetensors",
                    NULL, "Format of the input, where name and contents mislead", "Input",
                    IN_READERS, DATASET(format)},
    [OPT_FEATURES] = {"features", 'x', KIND_PATH, "FILE", NULL, NULL,
                      "Features of the nodes: TSV or CSV keyed by id, JSON, .npy or .npz", "Input",
                      IN_READERS, DATASET(features)},
    [OPT_LABELS] = {"labels", 'y', KIND_PATH, "FILE", NULL, NULL,
                    "Labels of the nodes: id and label on a line, or .npy", "Input", IN_READERS,
                    DATASET(labels)},
    [OPT_LABEL_COLUMN] = {"label-column", 0, KIND_TEXT, "NAME", NULL,
                          "label, class, target or y, else the last",
                          "Heading of the column of --labels that holds the label", "Input",
                          IN_READERS, DATASET(label_column)},
    [OPT_SPLITS] = {"splits", 0, KIND_PATH, "FILE", NULL, NULL,
                    "Splits: id and train, val or test on a line, one column for each split",
                    "Input", IN_READERS, DATASET(splits)},
    [OPT_HEADER] = {"header", 0, KIND_CHOICE, "WHETHER", "auto|no|yes", NULL,
                    "Whether the first row of text files holds names", "Input", IN_READERS,
                    DATASET(header)},
    [OPT_BINARISE] = {"binarise", 0, KIND_SWITCH, NULL, NULL, NULL,
                      "Turn features into 1 where they are above 0, else 0", "Input", IN_READERS,
                      DATASET(binarise)},
    [OPT_MOST_NODES] = {"most-nodes", 0, KIND_LONG, "N", NULL, NULL,
                        "Refuse inputs with more nodes", "Limits", IN_READERS, DATASET(most_nodes)},
    [OPT_MOST_ENTRIES] = {"most-entries", 0, KIND_LONG, "N", NULL, NULL,
                          "Refuse inputs with more edges, or more features that are not 0",
                          "Limits", IN_READERS, DATASET(most_entries)},
    [OPT_MOST_BYTES] = {"most-bytes", 0, KIND_LONG, "N", NULL, NULL,
                        "Refuse to unpack more bytes from one file", "Limits", IN_READERS,
                        DATASET(most_bytes)},
    [OPT_TO] = {"to", 't', KIND_CHOICE, "FORMAT", "auto|edges|npz|safetensors", "auto",
                "Format of the output; auto goes by the ending of its name", "Output", IN_CONVERT,
                NO_HOME},
    [OPT_PART] = {"part", 'p', KIND_CHOICE, "PART", "all|graph|features|labels|splits", "all",
                  "Write one part alone; features, labels and splits become TSV keyed by id",
                  "Output", IN_CONVERT, NO_HOME},
    [OPT_OUTPUT] = {"output", 'o', KIND_PATH, "FILE", NULL, "-",
                    "Write the result there instead of to standard output (-)", "Output",
                    IN_INFO | IN_ESTIMATE | IN_DOCTOR | IN_HELP | IN_COMPLETION, NO_HOME},
    [OPT_JSON] = {"json", 'j', KIND_SWITCH, NULL, NULL, NULL,
                  "Print JSON, one object on a line for each input", "Output",
                  IN_INFO | IN_ESTIMATE | IN_DOCTOR, NO_HOME},
    [OPT_MAN] = {"man", 0, KIND_SWITCH, NULL, NULL, NULL, "Print the manual page as troff source",
                 "Output", IN_HELP, NO_HOME},
    [OPT_THREADS] = {"threads", 'T', KIND_INT, "N", NULL, NULL,
                     "Number of threads; 0 takes what OpenMP offers; never changes a result",
                     "General", IN_READERS, DATASET(threads)},
    [OPT_QUIET] = {"quiet", 'q', KIND_SWITCH, NULL, NULL, NULL,
                   "No progress and no remarks; errors are still reported", "General", IN_READERS,
                   NO_HOME},
    [OPT_HELP] = {"help", 'h', KIND_SWITCH, NULL, NULL, NULL, "Explain the command and stop",
                  "General", IN_ALL, NO_HOME},
    [OPT_VERSION] = {"version", 'V', KIND_SWITCH, NULL, NULL, NULL, "Print the version and stop",
                     "General", IN_PROGRAM, NO_HOME},
};

const option *option_get(option_id id)
{
    return &table[id];
}

int option_find(const char *name, size_t length)
{
    for (int i = 0; i < OPTIONS; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) return i;
    return -1;
}

int option_find_letter(char letter)
{
    for (int i = 0; i < OPTIONS; i++)
        if (letter && table[i].letter == letter) return i;
    return -1;
}
