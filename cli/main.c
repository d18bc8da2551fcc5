/* SPDX-License-Identifier: Apache-2.0 */
/* wgdn: a table of commands, and what they have in common. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "interrupt.h"

#include <limits.h>
#include <stdlib.h>

static const command commands[] = {
    {"info", IN_INFO, "FILE...", 1, INT_MAX, "what is in a file",
     "Print what each FILE holds: nodes, edges, degrees, features, classes, splits, graphs, and "
     "what "
     "was dropped or merged on the way in. A folder is fine where the format is one; - is standard "
     "input.",
     "wgdn info cora.npz\nwgdn info edges.csv --features features.npy --json", cmd_info},
    {"convert", IN_CONVERT, "IN OUT", 2, 2, "from any format to any that can hold it",
     "Read IN and write OUT, which appears whole or not at all. The format of OUT follows the "
     "ending "
     "of its name: .npz, .safetensors, and .tsv, .txt, .edges for an edge list. OUT - is standard "
     "output and needs --to.\n\n"
     "An edge list holds the graph and its ids alone: ask for --part graph to leave the rest "
     "behind. Safetensors keeps everything, and with --order lays neighbours near each other.",
     "wgdn convert edges.csv graph.safetensors --features features.npy --labels labels.tsv\n"
     "wgdn convert cora.npz cora.tsv --part graph\n"
     "wgdn convert cora.npz cora.safetensors --order metis",
     cmd_convert},
    {"train", IN_TRAIN, "DATA", 1, 1, "learn a model from a graph",
     "Train a model on DATA, without labels, and write it to the file that -o names. Options come "
     "from the preset, then the configuration file, then the command line, and are stored in the "
     "model.\n\n"
     "Ctrl-C and SIGTERM end the run after the epoch in hand with a checkpoint and exit code 75; "
     "the same command then goes on and ends with the same model, bit for bit, as a run that was "
     "left alone. DATA without features gets some made of the graph.\n\n"
     "DATA with several graphs is trained in batches of whole graphs (--task graph), and 'wgdn "
     "embed' then gives each graph a vector; --task node sees all nodes in every step. The presets "
     "of graph sets, such as proteins, are a good start for others of their kind.",
     "wgdn train cora.npz --preset cora -o cora.model\n"
     "wgdn train PROTEINS.zip --preset proteins -o proteins.model\n"
     "wgdn train edges.tsv --dim 64 --epochs 100 -o edges.model --log edges.csv",
     cmd_train},
    {"embed", IN_EMBED, "MODEL DATA", 2, 2, "vectors of nodes or graphs, from a model",
     "Write one vector for each node of DATA, or for each graph where MODEL was trained on "
     "graphs: the graph that MODEL was trained on, the same with more nodes, or another one with "
     "the same features. Ids stand beside the vectors in every format that can hold them: .npz, "
     ".safetensors, .tsv, .csv, and .w2v for word2vec's text; .npy holds the numbers alone.",
     "wgdn embed cora.model cora.npz -o vectors.npz\nwgdn embed edges.model edges.tsv -o - --to "
     "tsv\nwgdn embed proteins.model PROTEINS.zip --pool max -o graphs.npz",
     cmd_embed},
    {"eval", IN_EVAL, "VECTORS|MODEL DATA", 2, 2, "what vectors are worth, beside baselines",
     "Ask vectors for what they were not taught. A linear probe learns the labels of DATA from "
     "the training nodes and is tested on others; its mean and deviation over --runs stand beside "
     "those of raw features, smoothed features, an encoder with random parameters and the "
     "principal components of the smoothed features. --task cluster compares k-means with the "
     "classes (NMI, ARI). --task links trains MODEL again without a tenth of the edges and tells "
     "whether these are nearer to each other than pairs without an edge (AUC, average "
     "precision). --task graph classifies whole graphs by support vector machines over ten folds, "
     "beside pooled features, an encoder with random parameters and counts of Weisfeiler-Lehman "
     "subtrees.\n\n"
     "VECTORS are those of 'wgdn embed' or anybody's: .npz, .safetensors, .npy, or text with an id "
     "and its numbers on a line. Accuracies are honest unless said otherwise: the step is chosen "
     "on validation nodes alone. The seed fixes every number.",
     "wgdn eval cora.model cora.npz\nwgdn eval vectors.tsv photo.npz --preset photo --protocol "
     "published --json\nwgdn eval cora.model cora.npz --task links\nwgdn eval proteins.model "
     "PROTEINS.zip "
     "--preset proteins",
     cmd_eval},
    {"similar", IN_SIMILAR, "VECTORS ID...", 2, INT_MAX, "nearest neighbours of ids",
     "Print, for each ID, the ids whose vectors are most similar to its own, best first, with "
     "their similarity, one to a line: ID, neighbour, similarity. The search is exact.",
     "wgdn similar vectors.tsv anna ben -k 5", cmd_similar},
    {"plot", IN_PLOT, "VECTORS|MODEL|LOG... [DATA]", 1, INT_MAX,
     "pictures: maps, curves, responses",
     "Draw a picture to the file that -o names: .png, .svg or .pdf.\n\n"
     "--kind map shows VECTORS, or those that MODEL gives the nodes of DATA, as points of the "
     "plane, "
     "coloured by the labels of DATA or --labels; t-SNE keeps neighbours together, --projection "
     "pca is "
     "quick. --kind curve draws the loss of each LOG that 'wgdn train --log' wrote. --kind "
     "response "
     "draws the kernel, its Wiener responses at the factors of --gamma and the polynomials that "
     "stand for them (dashed), over the spectral energy of the features of DATA; with MODEL DATA, "
     "the model's settings over the energy of its vectors.",
     "wgdn plot vectors.npz cora.npz -o map.png\n"
     "wgdn plot vectors.tsv --labels labels.tsv --projection pca -o map.svg\n"
     "wgdn plot --kind curve cora.csv -o curve.png\n"
     "wgdn plot --kind response cora.npz --preset cora -o response.pdf",
     cmd_plot},
    {"reproduce", IN_REPRODUCE, "node|graph", 1, 1, "the paper's experiments, with honest numbers",
     "Train on the datasets of the paper with their presets, several seeds each, probe the vectors "
     "by the published and by the honest protocol, and write node.md, node.json and node.csv to "
     "the folder of the results. Every run is a line of node.csv; what stands there is not run "
     "again, so a command that was stopped goes on where it was, and two may share a folder. "
     "--study asks for the main table or one of the studies beside it: parts left out, kernels, "
     "scale of the noise, dropped edges and nodes, products in bf16. 'graph' is the same for sets "
     "of whole graphs, by support vector machines over ten folds, with the study of bf16 alone, "
     "and writes graph.md, graph.json and graph.csv.\n\n"
     "--quick makes two short runs and fails when their accuracy is not what it should be.",
     "wgdn reproduce node --data datasets --study main --sets cora\n"
     "wgdn reproduce node --data datasets --quick\n"
     "wgdn reproduce graph --data datasets --sets proteins",
     cmd_reproduce},
    {"estimate", IN_ESTIMATE, "DATA", 1, 1, "the memory that training will need",
     "Read DATA and print how much memory training with the same options will take at its peak, "
     "beside what there is. Ends with code 4 if it does not fit.",
     "wgdn estimate cora.npz --preset cora", cmd_estimate},
    {"doctor", IN_DOCTOR, "", 0, 0, "what this machine and this build can do",
     "Print version, processor and the variant chosen for it, threads, memory, huge pages and the "
     "optional features of this build, and say what is missing and how to get it.",
     "wgdn doctor", cmd_doctor},
    {"completion", IN_COMPLETION, "SHELL", 1, 1, "completion for a shell",
     "Print a script that lets a shell complete commands and options. SHELL is bash.",
     "source <(wgdn completion bash)", cmd_completion},
    {"help", IN_HELP, "[COMMAND]", 0, 1, "explain a command",
     "Explain a command, or the program. With --man, print the manual page.",
     "wgdn help convert\nwgdn help --man | man -l -", cmd_help},
    {0},
};

static int unknown_command(const char *name)
{
    guess g = {.word = name};
    for (const command *d = commands; d->name; d++)
        guess_offer(&g, d->name);
    if (g.best)
        complain("unknown command '%s'; did you mean '%s'?", name, g.best);
    else
        complain("unknown command '%s'", name);
    complain("'wgdn --help' lists the commands");
    return USAGE;
}

/* Options in front of the command: --help and --version. */
static int run_bare(cli *c, int count, const char **word)
{
    const int code = parse_arguments(c, count, word);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_VERSION)) {
        fprintf(c->out, "wgdn %s\n", wgdn_version());
    } else if (option_on(&c->values, OPT_HELP)) {
        print_program_help(c, c->out);
    } else {
        complain("no command was given");
        complain("'wgdn --help' lists the commands");
        return USAGE;
    }
    return DONE;
}

static int run(cli *c, int count, const char **word)
{
    int code = DONE;
    if (count == 0 || word[0][0] == '-') return run_bare(c, count, word);
    c->command = command_find(commands, word[0]);
    if (!c->command) return unknown_command(word[0]);
    code = parse_arguments(c, count - 1, word + 1);
    if (code != DONE) return code;
    if (option_on(&c->values, OPT_HELP)) {
        print_command_help(c->command, c->out);
        return DONE;
    }
    wgdn_ranks_set_timeout(c->ranks, atoi(option_text(&c->values, OPT_RANK_TIMEOUT)));
    /* What is not shared between ranks is done by one of them. */
    if (!(c->command->bit & IN_SHARED) && !is_speaker(c)) return DONE;
    return c->command->run(c);
}

bool is_speaker(const cli *c)
{
    return wgdn_ranks_rank(c->ranks) == 0;
}

int ranks_code(const cli *c, int code)
{
    return wgdn_ranks_allreduce_max(c->ranks, code);
}

/* Where a command makes a file of its own at -o, what it says goes to standard output. */
static const char *text_goes_to(const cli *c)
{
    const bool file = c->command && (c->command->bit & (IN_TRAIN | IN_EMBED | IN_PLOT));
    return file ? "-" : option_text(&c->values, OPT_OUTPUT);
}

int main(int argc, char **argv)
{
    cli c = {.commands = commands};
    char *data = NULL;
    size_t size = 0;
    int code = FAILED, delivered = DONE;

    interrupt_watch();
    if (wgdn_ranks_open(&c.ranks, NULL)) {
        complain("no memory to start with");
        return FAILED;
    }
    if (!is_speaker(&c)) {
        complain_no_more();
        interrupt_silence();
    }
    c.operand = calloc((size_t)argc + 1, sizeof *c.operand);
    c.out = open_memstream(&data, &size);
    if (!c.operand || !c.out) {
        complain("no memory to start with");
        goto done;
    }
    /* Data waits in memory until the command is through: a failure leaves no half of it. */
    code = run(&c, argc > 0 ? argc - 1 : 0, (const char **)argv + 1);
    if (fclose(c.out) != 0) {
        complain("no memory for the output");
        code = DOES_NOT_FIT;
    }
    c.out = NULL;
    if (size > 0 && is_speaker(&c)) delivered = deliver(text_goes_to(&c), data, size);
    if (code == DONE) code = delivered;

done:
    if (c.out) fclose(c.out);
    free(data);
    free(c.operand);
    if (!is_speaker(&c)) code = DONE; /* the one that speaks tells the code, too */
    wgdn_ranks_close(c.ranks);
    return code;
}
