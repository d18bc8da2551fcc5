# fish completion for wgdn, made by 'wgdn completion fish'
function __wgdn_offer # words; endings of files, * for any, / for folders
    string split -n ' ' -- $argv[1]
    test -n "$argv[2]"; or return
    set -l files (__fish_complete_path (commandline -ct) | string replace -r '\t.*' '')
    set -l endings (string join '|' -- (string split ' ' -- $argv[2]))
    if test "$argv[2]" = /
        string match -r '.*/$' -- $files
    else if string match -qr "\\.($endings)\$" -- $files
        string match -r ".*(?:/|\\.(?:$endings))\$" -- $files
    else
        string join \n -- $files
    end
end

function __wgdn_at # command; 0 for its first operand, 1 for others, nothing for options
    set -l words (commandline -opc)
    test "$words[2]" = $argv[1]; or return
    set -q argv[2]; or return 0
    set -l count 0
    set -l skip 0
    for word in $words[3..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word $argv[3..-1]
            set skip 1
        else if not string match -q -- '-*' $word
            set count 1
        end
    end
    test $count = $argv[2]
end

function __wgdn_bare # no command yet
    test (count (commandline -opc)) = 1
end

complete -c wgdn -f
complete -c wgdn -n __wgdn_bare -a demo -d 'write sample data, or show every step on a small graph'
complete -c wgdn -n __wgdn_bare -a info -d 'show what a dataset, a model or vectors hold'
complete -c wgdn -n __wgdn_bare -a convert -d 'convert a dataset, or vectors, to another format'
complete -c wgdn -n __wgdn_bare -a fit -d 'fit the closed form to a graph: a model in seconds, without training'
complete -c wgdn -n __wgdn_bare -a train -d 'train a model on a graph, without labels'
complete -c wgdn -n __wgdn_bare -a embed -d 'compute embeddings of nodes or graphs, with or without a model'
complete -c wgdn -n __wgdn_bare -a eval -d 'evaluate embeddings on a downstream task, beside baselines'
complete -c wgdn -n __wgdn_bare -a similar -d 'find the nearest neighbors of ids'
complete -c wgdn -n __wgdn_bare -a predict -d 'predict the labels of nodes that have none'
complete -c wgdn -n __wgdn_bare -a recommend -d 'list the most likely new neighbors of nodes'
complete -c wgdn -n __wgdn_bare -a cluster -d 'find groups of nodes, without labels'
complete -c wgdn -n __wgdn_bare -a compare -d 'report what changed between two embeddings of the same nodes'
complete -c wgdn -n __wgdn_bare -a plot -d 'draw 2-D projections, loss curves, spectral responses'
complete -c wgdn -n __wgdn_bare -a estimate -d 'estimate memory and time of the closed form and of lists, and memory of training'
complete -c wgdn -n __wgdn_bare -a doctor -d 'show what this machine and this build support'
complete -c wgdn -n __wgdn_bare -a completion -d 'print a completion script for a shell'
complete -c wgdn -n __wgdn_bare -a help -d 'explain a command'
complete -c wgdn -n __wgdn_bare -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n __wgdn_bare -s V -l version -d 'Print the version'
complete -c wgdn -n '__wgdn_at demo' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at demo' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at demo' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at demo 0' -a '(__wgdn_offer "countries friends transactions purchases articles molecules" "/")'
complete -c wgdn -n '__wgdn_at demo 1' -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at info' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at info' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side' -x -a '(__wgdn_offer "" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at info' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at info' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at info' -l splits -d 'Train, validation and test splits: id and train, val or test on a line, one column for each split' -x -a '(__wgdn_offer "" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at info' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at info' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at info' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at info' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at info' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at info' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at info' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at info' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at info' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at info' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at info' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at info' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at info' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at info' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at info' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at info' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at info' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at info' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at info' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at info' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at info' -l vectors -d 'The input holds vectors, not a graph; --no-vectors: a graph'
complete -c wgdn -n '__wgdn_at info' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at info' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at info' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at info' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at info' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at info' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at info 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --output -o --threads -T' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v model")'
complete -c wgdn -n '__wgdn_at info 1 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --output -o --threads -T' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v model")'
complete -c wgdn -n '__wgdn_at convert' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at convert' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side' -x -a '(__wgdn_offer "" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at convert' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at convert' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at convert' -l splits -d 'Train, validation and test splits: id and train, val or test on a line, one column for each split' -x -a '(__wgdn_offer "" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at convert' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at convert' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at convert' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at convert' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at convert' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at convert' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at convert' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at convert' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at convert' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at convert' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at convert' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at convert' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at convert' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at convert' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at convert' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at convert' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at convert' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at convert' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at convert' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at convert' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at convert' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at convert' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at convert' -l vectors -d 'The input holds vectors, not a graph; --no-vectors: a graph'
complete -c wgdn -n '__wgdn_at convert' -s t -l to -d 'Format of the output; auto goes by the ending of its name' -x -a '(__wgdn_offer "auto edges npz safetensors tsv csv word2vec jsonl npy" "")'
complete -c wgdn -n '__wgdn_at convert' -s p -l part -d 'Write one part of the dataset only; features, labels and splits become TSV keyed by id' -x -a '(__wgdn_offer "all graph features labels splits" "")'
complete -c wgdn -n '__wgdn_at convert' -l order -d 'Node reordering of a packed dataset, for cache locality and for sharing between ranks; ids and embeddings keep their order' -x -a '(__wgdn_offer "none metis scotch" "")'
complete -c wgdn -n '__wgdn_at convert' -l no-header -d 'Write TSV and CSV embeddings without the row of column names (id, v0, v1 and so on)'
complete -c wgdn -n '__wgdn_at convert' -l numbers -d 'Type of the numbers in .npy, .npz and .safetensors; f16 halves the file and keeps three digits; bf16 is for .safetensors' -x -a '(__wgdn_offer "f32 f16 bf16" "")'
complete -c wgdn -n '__wgdn_at convert' -s o -l output -d 'File to write; the same as the second operand' -x -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v")'
complete -c wgdn -n '__wgdn_at convert' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at convert' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at convert' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at convert' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at convert 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --to -t --part -p --order --numbers --output -o --threads -T' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v")'
complete -c wgdn -n '__wgdn_at convert 1 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --to -t --part -p --order --numbers --output -o --threads -T' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v")'
complete -c wgdn -n '__wgdn_at fit' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at fit' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side; \'structure\' takes the graph alone, and \'FILE,structure\' both' -x -a '(__wgdn_offer "structure" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at fit' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at fit' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at fit' -l splits -d 'Train, validation and test splits: id and train, val or test on a line, one column for each split' -x -a '(__wgdn_offer "" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at fit' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at fit' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at fit' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at fit' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at fit' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at fit' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at fit' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at fit' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at fit' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at fit' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at fit' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at fit' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at fit' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at fit' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at fit' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at fit' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at fit' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at fit' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at fit' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at fit' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at fit' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at fit' -l rank-timeout -d 'Under mpirun: abort all ranks when one has not answered for this long, and name it; 0 waits forever' -x
complete -c wgdn -n '__wgdn_at fit' -l explain -d 'Show what embeddings are made of, and how the scale of the filter was chosen'
complete -c wgdn -n '__wgdn_at fit' -s o -l output -d 'File to write the trained model to' -x -a '(__wgdn_offer "" "model safetensors")'
complete -c wgdn -n '__wgdn_at fit' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at fit' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at fit' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at fit' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at fit' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at fit' -l seed -d 'Random seed; it fixes every random choice' -x
complete -c wgdn -n '__wgdn_at fit' -l dim -d 'Dimension of the embedding; fewer columns where the data has a lower rank' -x
complete -c wgdn -n '__wgdn_at fit' -l pad -d 'Always return exactly dim columns: fill up with columns of zeros'
complete -c wgdn -n '__wgdn_at fit' -l scale -d 'Scale t of the filter exp(-t L): 0 leaves features as they are, larger values smooth more; -1 chooses it without labels' -x
complete -c wgdn -n '__wgdn_at fit' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at fit' -l refine -d 'Epochs of training on top of the closed form: better with few labels on sparse graphs; 20 are enough, 0 is none' -x
complete -c wgdn -n '__wgdn_at fit' -l ids -d 'Store the ids of the nodes in a model of the graph\'s structure, which finds known nodes by them; without them, known nodes are found by 64-bit hashes of their ids'
complete -c wgdn -n '__wgdn_at fit' -l no-ids
complete -c wgdn -n '__wgdn_at fit' -l task -d 'Whether nodes or whole graphs are embedded; auto is graph where the data has several graphs' -x -a '(__wgdn_offer "auto node graph" "")'
complete -c wgdn -n '__wgdn_at fit 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --output -o --threads -T --seed --dim --scale --refine --task' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at train' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at train' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side; or structural features of the graph by name' -x -a '(__wgdn_offer "random-walk degree" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at train' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at train' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at train' -l splits -d 'Train, validation and test splits: id and train, val or test on a line, one column for each split' -x -a '(__wgdn_offer "" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at train' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at train' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at train' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at train' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at train' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at train' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at train' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at train' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at train' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at train' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at train' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at train' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at train' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at train' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at train' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at train' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at train' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at train' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at train' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at train' -s p -l preset -d 'Hyperparameters of the paper for a dataset' -x -a '(__wgdn_offer "arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed" "")'
complete -c wgdn -n '__wgdn_at train' -s c -l config -d 'Configuration file with lines \'name = value\'; it overrides the preset, and command-line options override both' -x -a '(__wgdn_offer "" "ini")'
complete -c wgdn -n '__wgdn_at train' -l checkpoint -d 'Checkpoint file of an interrupted run; deleted when the run completes, unless this option names it' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at train' -l checkpoint-every -d 'Epochs between checkpoints; 0 saves one on Ctrl-C, SIGTERM and SIGHUP only' -x
complete -c wgdn -n '__wgdn_at train' -l checkpoint-steps -d 'Optimizer steps between checkpoints, also within an epoch; 0 saves none between epochs' -x
complete -c wgdn -n '__wgdn_at train' -l health -d 'What becomes of a run whose loss grows to four times that of the first epoch, or whose embedding collapses to one direction: it ends (stop), or goes on (warn)' -x -a '(__wgdn_offer "stop warn" "")'
complete -c wgdn -n '__wgdn_at train' -l resume -d 'Resume from a checkpoint of the same run; --no-resume starts again from the first epoch'
complete -c wgdn -n '__wgdn_at train' -l no-resume
complete -c wgdn -n '__wgdn_at train' -l log -d 'Write epoch, loss and seconds after each epoch: CSV, or JSON lines if the name ends in .jsonl' -x -a '(__wgdn_offer "" "csv jsonl")'
complete -c wgdn -n '__wgdn_at train' -l rank-timeout -d 'Under mpirun: abort all ranks when one has not answered for this long, and name it; 0 waits forever' -x
complete -c wgdn -n '__wgdn_at train' -l explain -d 'Show which algebraic optimizations apply and how many operations an epoch takes'
complete -c wgdn -n '__wgdn_at train' -s o -l output -d 'File to write the trained model to' -x -a '(__wgdn_offer "" "model safetensors")'
complete -c wgdn -n '__wgdn_at train' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at train' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at train' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at train' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at train' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at train' -l seed -d 'Random seed; it fixes initialization, noise and batches' -x
complete -c wgdn -n '__wgdn_at train' -l kernel -d 'Graph filter g(lambda): gcn, heat:t=1, ppr:alpha=0.2, band:mu=1,width=0.5, poly: or table: with numbers' -x
complete -c wgdn -n '__wgdn_at train' -l gamma -d 'Energy factors of the Wiener decoder, one decoder channel each, e.g. 0.1,1,10' -x
complete -c wgdn -n '__wgdn_at train' -l dim -d 'Embedding dimension' -x
complete -c wgdn -n '__wgdn_at train' -l layers -d 'Number of encoder layers' -x
complete -c wgdn -n '__wgdn_at train' -l decoder-layers -d 'Number of decoder layers: 1, or 0 for as many as the encoder has' -x
complete -c wgdn -n '__wgdn_at train' -l encoder-order -d 'Polynomial order of the encoder\'s filter; 0 takes the kernel\'s default, 2 for heat' -x
complete -c wgdn -n '__wgdn_at train' -l decoder-order -d 'Polynomial order of the decoder\'s filter; 0 takes the kernel\'s default, 2 for heat' -x
complete -c wgdn -n '__wgdn_at train' -l aggregate -d 'Aggregation of the decoder channels' -x -a '(__wgdn_offer "max sum mean" "")'
complete -c wgdn -n '__wgdn_at train' -l skip -d 'Skip connections from encoder layers to decoder layers' -x -a '(__wgdn_offer "none sum mean" "")'
complete -c wgdn -n '__wgdn_at train' -l norm -d 'Normalization within layers: LayerNorm, BatchNorm or none' -x -a '(__wgdn_offer "none layer batch" "")'
complete -c wgdn -n '__wgdn_at train' -l embedding-activation -d 'Apply the activation function to the embedding, too'
complete -c wgdn -n '__wgdn_at train' -l average -d 'Neighbor average of the noise estimate: D^-1 A (row) or A D^-1 (column)' -x -a '(__wgdn_offer "row column" "")'
complete -c wgdn -n '__wgdn_at train' -l decoder -d 'Spectral response of the decoder: Wiener filter or plain inverse' -x -a '(__wgdn_offer "wiener inverse" "")'
complete -c wgdn -n '__wgdn_at train' -l loss -d 'Reconstruction loss' -x -a '(__wgdn_offer "rmse row-rmse mse cosine" "")'
complete -c wgdn -n '__wgdn_at train' -l balance -d 'Weights of the reconstruction loss: balanced gives all non-zero features together the weight of all zeros, plain weighs every entry alike' -x -a '(__wgdn_offer "balanced plain" "")'
complete -c wgdn -n '__wgdn_at train' -l augment -d 'Augmentation of the embedding before it is decoded' -x -a '(__wgdn_offer "noise none drop-edge drop-node" "")'
complete -c wgdn -n '__wgdn_at train' -l beta -d 'Scale of the latent noise' -x
complete -c wgdn -n '__wgdn_at train' -l epochs -d 'Number of epochs' -x
complete -c wgdn -n '__wgdn_at train' -l learning-rate -l lr -d 'Learning rate of Adam' -x
complete -c wgdn -n '__wgdn_at train' -l decay -d 'Learning-rate decay factor' -x
complete -c wgdn -n '__wgdn_at train' -l decay-every -d 'Epochs between learning-rate decays' -x
complete -c wgdn -n '__wgdn_at train' -l structural-dim -d 'Dimension of random-walk structural features' -x
complete -c wgdn -n '__wgdn_at train' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at train' -l workspace -d 'Whether the decoder\'s filtered inputs are stored for the backward pass, or recomputed to save memory; the result is the same' -x -a '(__wgdn_offer "auto store recompute" "")'
complete -c wgdn -n '__wgdn_at train' -l drop-rate -d 'Fraction of the edges or nodes that drop-edge or drop-node removes in a step' -x
complete -c wgdn -n '__wgdn_at train' -l task -d 'Whether node or graph embeddings are trained; auto is graph where the data has several graphs' -x -a '(__wgdn_offer "auto node graph" "")'
complete -c wgdn -n '__wgdn_at train' -l batch-size -d 'Graphs in a batch where graph embeddings are trained; 0 takes all of them' -x
complete -c wgdn -n '__wgdn_at train' -l pool -d 'Pooling of node embeddings into graph embeddings' -x -a '(__wgdn_offer "mean sum max" "")'
complete -c wgdn -n '__wgdn_at train' -l precision -d 'Precision of matrix products in training; bf16 is faster on processors with units for it' -x -a '(__wgdn_offer "fp32 bf16" "")'
complete -c wgdn -n '__wgdn_at train' -l patience -d 'Stop when some features that are held out of training have been reconstructed no better for so many epochs, and keep the best parameters; 0: train for all epochs on all features' -x
complete -c wgdn -n '__wgdn_at train 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --checkpoint --checkpoint-every --checkpoint-steps --health --log --rank-timeout --output -o --threads -T --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --average --decoder --loss --balance --augment --beta --epochs --learning-rate --lr --decay --decay-every --structural-dim --workspace --drop-rate --task --batch-size --pool --precision --patience' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at embed' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at embed' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side; \'structure\' takes the graph alone, and \'FILE,structure\' both' -x -a '(__wgdn_offer "structure" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at embed' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at embed' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at embed' -l splits -d 'Train, validation and test splits: id and train, val or test on a line, one column for each split' -x -a '(__wgdn_offer "" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at embed' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at embed' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at embed' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at embed' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at embed' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at embed' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at embed' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at embed' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at embed' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at embed' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at embed' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at embed' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at embed' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at embed' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at embed' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at embed' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at embed' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at embed' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at embed' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at embed' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at embed' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at embed' -l rank-timeout -d 'Under mpirun: abort all ranks when one has not answered for this long, and name it; 0 waits forever' -x
complete -c wgdn -n '__wgdn_at embed' -l explain -d 'Show what embeddings are made of, and how the scale of the filter was chosen'
complete -c wgdn -n '__wgdn_at embed' -l task -d 'Whether every node or every graph gets an embedding; auto is what MODEL was trained for' -x -a '(__wgdn_offer "auto node graph" "")'
complete -c wgdn -n '__wgdn_at embed' -l align -d 'Rotate the embeddings onto older ones, by the ids that both have, so that what was built on these still fits; cosines do not change' -x -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz")'
complete -c wgdn -n '__wgdn_at embed' -l pool -d 'Pooling of node embeddings into graph embeddings' -x -a '(__wgdn_offer "mean sum max" "")'
complete -c wgdn -n '__wgdn_at embed' -s t -l to -d 'Format of the embeddings; auto goes by the ending of the name' -x -a '(__wgdn_offer "auto tsv csv word2vec jsonl npy npz safetensors" "")'
complete -c wgdn -n '__wgdn_at embed' -l no-header -d 'Write TSV and CSV embeddings without the row of column names (id, v0, v1 and so on)'
complete -c wgdn -n '__wgdn_at embed' -l numbers -d 'Type of the numbers in .npy, .npz and .safetensors; f16 halves the file and keeps three digits; bf16 is for .safetensors' -x -a '(__wgdn_offer "f32 f16 bf16" "")'
complete -c wgdn -n '__wgdn_at embed' -s o -l output -d 'File to write the embeddings to; - is standard output and needs --to' -x -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz")'
complete -c wgdn -n '__wgdn_at embed' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at embed' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at embed' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at embed' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at embed' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at embed' -l seed -d 'Random seed; it fixes every random choice' -x
complete -c wgdn -n '__wgdn_at embed' -l dim -d 'Dimension of the embedding; fewer columns where the data has a lower rank' -x
complete -c wgdn -n '__wgdn_at embed' -l pad -d 'Always return exactly dim columns: fill up with columns of zeros'
complete -c wgdn -n '__wgdn_at embed' -l scale -d 'Scale t of the filter exp(-t L): 0 leaves features as they are, larger values smooth more; -1 chooses it without labels' -x
complete -c wgdn -n '__wgdn_at embed' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at embed' -l refine -d 'Epochs of training on top of the closed form: better with few labels on sparse graphs; 20 are enough, 0 is none' -x
complete -c wgdn -n '__wgdn_at embed' -l ids -d 'Store the ids of the nodes in a model of the graph\'s structure, which finds known nodes by them; without them, known nodes are found by 64-bit hashes of their ids'
complete -c wgdn -n '__wgdn_at embed' -l no-ids
complete -c wgdn -n '__wgdn_at embed 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --task --align --pool --to -t --numbers --output -o --threads -T --seed --dim --scale --refine' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph model")'
complete -c wgdn -n '__wgdn_at embed 1 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --task --align --pool --to -t --numbers --output -o --threads -T --seed --dim --scale --refine' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at eval' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at eval' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side' -x -a '(__wgdn_offer "" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at eval' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at eval' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at eval' -l splits -d 'Where the train, validation and test splits come from: the dataset, random permutations, stratified folds, the paper\'s permutations, or a file with id and train, val or test on a line' -x -a '(__wgdn_offer "dataset random stratified paper" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at eval' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at eval' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at eval' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at eval' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at eval' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at eval' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at eval' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at eval' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at eval' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at eval' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at eval' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at eval' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at eval' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at eval' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at eval' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at eval' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at eval' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at eval' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at eval' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at eval' -s p -l preset -d 'Hyperparameters of the paper for a dataset' -x -a '(__wgdn_offer "arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed" "")'
complete -c wgdn -n '__wgdn_at eval' -s c -l config -d 'Configuration file with lines \'name = value\'; it overrides the preset, and command-line options override both' -x -a '(__wgdn_offer "" "ini")'
complete -c wgdn -n '__wgdn_at eval' -s t -l task -d 'Downstream task: node classification by a linear probe, clustering, link prediction or graph classification, quality without labels, or lists of recommendations; auto is graph where the data has several labeled graphs, else probe' -x -a '(__wgdn_offer "auto probe cluster links graph quality recommend" "")'
complete -c wgdn -n '__wgdn_at eval' -l pool -d 'Pooling of node embeddings into graph embeddings' -x -a '(__wgdn_offer "mean sum max" "")'
complete -c wgdn -n '__wgdn_at eval' -l protocol -d 'How the step of classifier adam is selected: by validation accuracy; test-selected also shows what the paper\'s code reports, which looks at test labels, and implies --classifier adam' -x -a '(__wgdn_offer "validation-selected test-selected" "")'
complete -c wgdn -n '__wgdn_at eval' -l baselines -d 'Evaluate baselines, too: raw and smoothed features, a random encoder and PCA, or degrees and adjacency rows without features; degree product, Adamic-Adar and resource allocation of links; for graphs pooled features, a random encoder and Weisfeiler-Lehman subtrees'
complete -c wgdn -n '__wgdn_at eval' -l no-baselines
complete -c wgdn -n '__wgdn_at eval' -l test -d 'Test interactions, in the same columns as DATA; without, a fraction of the edges is drawn' -x -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at eval' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at eval' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at eval' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at eval' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at eval' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at eval' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at eval' -l seed -d 'Random seed; it fixes splits, probes and restarts' -x
complete -c wgdn -n '__wgdn_at eval' -l train-fraction -d 'Fraction of the labeled nodes that random splits train on; 0 takes 0.1, or 0.5 where nodes have several labels' -x
complete -c wgdn -n '__wgdn_at eval' -l validation-fraction -d 'Fraction of the labeled nodes that random splits validate on' -x
complete -c wgdn -n '__wgdn_at eval' -l runs -d 'Number of splits; with classifier adam number of probes, each with its own split and initialization' -x
complete -c wgdn -n '__wgdn_at eval' -l classifier -d 'Linear probe: logistic regression on normalized embeddings, C chosen on the validation nodes, or the paper\'s probe, a linear layer trained by Adam' -x -a '(__wgdn_offer "logistic adam" "")'
complete -c wgdn -n '__wgdn_at eval' -l steps -d 'Optimizer steps of classifier adam' -x
complete -c wgdn -n '__wgdn_at eval' -l learning-rate -l lr -d 'Learning rate of classifier adam' -x
complete -c wgdn -n '__wgdn_at eval' -l weight-decay -d 'Weight decay of classifier adam' -x
complete -c wgdn -n '__wgdn_at eval' -l folds -d 'Folds of stratified splits and of graph classification' -x
complete -c wgdn -n '__wgdn_at eval' -l svm -d 'Support vector machines of graph classification: with an RBF kernel, linear, or both; the linear one is slow on some sets' -x -a '(__wgdn_offer "both rbf linear" "")'
complete -c wgdn -n '__wgdn_at eval' -l restarts -d 'Restarts of k-means' -x
complete -c wgdn -n '__wgdn_at eval' -l test-edge-fraction -d 'Fraction of the edges that are test edges of link prediction' -x
complete -c wgdn -n '__wgdn_at eval' -l metric -d 'Similarity of embeddings in link prediction and clustering: cosine, which normalizes them, or dot product' -x -a '(__wgdn_offer "cosine dot" "")'
complete -c wgdn -n '__wgdn_at eval' -l label-kind -d 'Whether labels are classes, or numbers for ridge regression; auto: numbers where they have fractions or are mostly different' -x -a '(__wgdn_offer "auto class number" "")'
complete -c wgdn -n '__wgdn_at eval 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --task -t --pool --protocol --test --output -o --threads -T --seed --train-fraction --validation-fraction --runs --classifier --steps --learning-rate --lr --weight-decay --folds --svm --restarts --test-edge-fraction --metric --label-kind' -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz model mtx edges")'
complete -c wgdn -n '__wgdn_at eval 1 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --task -t --pool --protocol --test --output -o --threads -T --seed --train-fraction --validation-fraction --runs --classifier --steps --learning-rate --lr --weight-decay --folds --svm --restarts --test-edge-fraction --metric --label-kind' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at similar' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at similar' -s k -l count -d 'Number of nearest neighbors of each id' -x
complete -c wgdn -n '__wgdn_at similar' -s i -l ids -d 'File with the ids to search for, one on a line; - is standard input' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at similar' -s a -l all -d 'Search for the neighbors of every id'
complete -c wgdn -n '__wgdn_at similar' -s m -l metric -d 'Similarity of embeddings: cosine or dot product' -x -a '(__wgdn_offer "cosine dot" "")'
complete -c wgdn -n '__wgdn_at similar' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at similar' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at similar' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at similar' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at similar' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at similar' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at similar 0 --count -k --ids -i --metric -m --output -o --threads -T' -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz")'
complete -c wgdn -n '__wgdn_at predict' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at predict' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side; \'structure\' takes the graph alone, and \'FILE,structure\' both' -x -a '(__wgdn_offer "structure" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at predict' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at predict' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at predict' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at predict' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at predict' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at predict' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at predict' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at predict' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at predict' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at predict' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at predict' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at predict' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at predict' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at predict' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at predict' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at predict' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at predict' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at predict' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at predict' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at predict' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at predict' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at predict' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at predict' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at predict' -s a -l all -d 'Write all nodes, also those that have a label'
complete -c wgdn -n '__wgdn_at predict' -s o -l output -d 'File to write the rows to: .csv, .tsv, .jsonl or .npz; - is standard output, as CSV' -x -a '(__wgdn_offer "" "csv tsv jsonl npz")'
complete -c wgdn -n '__wgdn_at predict' -l save -d 'File to save what was learned to, for other data later' -x -a '(__wgdn_offer "" "model safetensors")'
complete -c wgdn -n '__wgdn_at predict' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at predict' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at predict' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at predict' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at predict' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at predict' -l dim -d 'Dimension of the embedding; fewer columns where the data has a lower rank' -x
complete -c wgdn -n '__wgdn_at predict' -l scale -d 'Scale t of the filter exp(-t L): 0 leaves features as they are, larger values smooth more; -1 chooses it without labels' -x
complete -c wgdn -n '__wgdn_at predict' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at predict' -l refine -d 'Epochs of training on top of the closed form: better with few labels on sparse graphs; 20 are enough, 0 is none' -x
complete -c wgdn -n '__wgdn_at predict' -l seed -d 'Random seed; it fixes the folds of cross-validation' -x
complete -c wgdn -n '__wgdn_at predict' -l label-kind -d 'Whether labels are classes, or numbers to be predicted; auto: numbers where they have fractions or are mostly different' -x -a '(__wgdn_offer "auto class number" "")'
complete -c wgdn -n '__wgdn_at predict' -l method -d 'What predictions are made from: the vectors, these combined with labels smoothed over the graph, smoothed labels alone (neighbors), or vectors and how often classes are linked (mixing); auto: the best one in cross-validation' -x -a '(__wgdn_offer "auto vectors combined neighbors mixing" "")'
complete -c wgdn -n '__wgdn_at predict' -l folds -d 'Folds of cross-validation' -x
complete -c wgdn -n '__wgdn_at predict' -l balance -d 'Give all classes the same weight, however rare; probabilities are then those of equally frequent classes'
complete -c wgdn -n '__wgdn_at predict 0 --format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --output -o --save --threads -T --dim --scale --refine --seed --label-kind --method --folds' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph model")'
complete -c wgdn -n '__wgdn_at predict 1 --format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --output -o --save --threads -T --dim --scale --refine --seed --label-kind --method --folds' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at recommend' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at recommend' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at recommend' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at recommend' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at recommend' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at recommend' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at recommend' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at recommend' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at recommend' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at recommend' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at recommend' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at recommend' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at recommend' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at recommend' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at recommend' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at recommend' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at recommend' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at recommend' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at recommend' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at recommend' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at recommend' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at recommend' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at recommend' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at recommend' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at recommend' -s i -l ids -d 'File with the ids to search for, one on a line; - is standard input' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at recommend' -s k -l count -d 'Length of each list' -x
complete -c wgdn -n '__wgdn_at recommend' -l new -d 'Interactions of users who are not in DATA, in the same columns; they get the lists' -x -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at recommend' -l among -d 'File with the items that may be listed, one on a line' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at recommend' -l include-seen -d 'List items that the user already has, too'
complete -c wgdn -n '__wgdn_at recommend' -l explain -d 'Print how the score was chosen; lists are written only with -o'
complete -c wgdn -n '__wgdn_at recommend' -l vectors -d 'Write vectors of users and items whose dot products approximate the scores, for a vector index; lists are written only with -o' -x -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz")'
complete -c wgdn -n '__wgdn_at recommend' -l dim -d 'Columns of --vectors' -x
complete -c wgdn -n '__wgdn_at recommend' -l save -d 'Save the recommender; \'wgdn recommend MODEL\' loads it. Lists are written only with -o' -x -a '(__wgdn_offer "" "model safetensors")'
complete -c wgdn -n '__wgdn_at recommend' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at recommend' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at recommend' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at recommend' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at recommend' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at recommend' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at recommend' -l seed -d 'Random seed; it fixes which interactions are held out to choose the score' -x
complete -c wgdn -n '__wgdn_at recommend' -l hold-out -d 'Fraction of the interactions that is held out to choose the score' -x
complete -c wgdn -n '__wgdn_at recommend' -l sample -d 'Number of users, or of edges in a graph that is not bipartite, that the score is chosen for' -x
complete -c wgdn -n '__wgdn_at recommend' -l columns -d 'Largest number of singular vectors in the low-pass part of the score' -x
complete -c wgdn -n '__wgdn_at recommend' -l ridge-items -d 'Largest number of items for which ridge regression over items competes' -x
complete -c wgdn -n '__wgdn_at recommend' -l values -d 'What weights of interactions are for: nothing (one), log(1 + weight), or the weight; auto: one or log, whichever finds more of what is held out' -x -a '(__wgdn_offer "auto one log weight" "")'
complete -c wgdn -n '__wgdn_at recommend 0 --format -f --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --ids -i --count -k --new --among --vectors --dim --save --output -o --threads -T --seed --hold-out --sample --columns --ridge-items --values' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph model")'
complete -c wgdn -n '__wgdn_at cluster' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at cluster' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side; \'structure\' takes the graph alone, and \'FILE,structure\' both' -x -a '(__wgdn_offer "structure" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at cluster' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at cluster' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at cluster' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at cluster' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at cluster' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at cluster' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at cluster' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at cluster' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at cluster' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at cluster' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at cluster' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at cluster' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at cluster' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at cluster' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at cluster' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at cluster' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at cluster' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at cluster' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at cluster' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at cluster' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at cluster' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at cluster' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at cluster' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at cluster' -l vectors -d 'The input holds vectors, not a graph; --no-vectors: a graph'
complete -c wgdn -n '__wgdn_at cluster' -s o -l output -d 'File to write the rows to: .csv, .tsv, .jsonl or .npz; - is standard output, as CSV' -x -a '(__wgdn_offer "" "csv tsv jsonl npz")'
complete -c wgdn -n '__wgdn_at cluster' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at cluster' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at cluster' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at cluster' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at cluster' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at cluster' -l dim -d 'Dimension of the embedding; fewer columns where the data has a lower rank' -x
complete -c wgdn -n '__wgdn_at cluster' -l scale -d 'Scale t of the filter exp(-t L): 0 leaves features as they are, larger values smooth more; -1 chooses it without labels' -x
complete -c wgdn -n '__wgdn_at cluster' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at cluster' -l refine -d 'Epochs of training on top of the closed form: better with few labels on sparse graphs; 20 are enough, 0 is none' -x
complete -c wgdn -n '__wgdn_at cluster' -l seed -d 'Random seed; it fixes where k-means starts' -x
complete -c wgdn -n '__wgdn_at cluster' -l clusters -d 'Number of clusters' -x
complete -c wgdn -n '__wgdn_at cluster' -l method -d 'What clusters are made from: k-means on the vectors, communities of large modularity in the graph, or, with auto, vectors first and then neighbors, which pull nodes into their clusters' -x -a '(__wgdn_offer "auto vectors graph" "")'
complete -c wgdn -n '__wgdn_at cluster' -l restarts -d 'Restarts of k-means' -x
complete -c wgdn -n '__wgdn_at cluster 0 --format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --output -o --threads -T --dim --scale --refine --seed --clusters --method --restarts' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v")'
complete -c wgdn -n '__wgdn_at cluster 1 --format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --output -o --threads -T --dim --scale --refine --seed --clusters --method --restarts' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at compare' -s k -l count -d 'Number of nearest neighbors of each id' -x
complete -c wgdn -n '__wgdn_at compare' -s a -l all -d 'Search for the neighbors of every id'
complete -c wgdn -n '__wgdn_at compare' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at compare' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at compare' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at compare' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at compare' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at compare' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at compare 0 --count -k --output -o --threads -T' -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz")'
complete -c wgdn -n '__wgdn_at compare 1 --count -k --output -o --threads -T' -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz")'
complete -c wgdn -n '__wgdn_at plot' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at plot' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side' -x -a '(__wgdn_offer "" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at plot' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at plot' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at plot' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at plot' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at plot' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at plot' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at plot' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at plot' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at plot' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at plot' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at plot' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at plot' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at plot' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at plot' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at plot' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at plot' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at plot' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at plot' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at plot' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at plot' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at plot' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at plot' -s p -l preset -d 'Hyperparameters of the paper for a dataset' -x -a '(__wgdn_offer "arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed" "")'
complete -c wgdn -n '__wgdn_at plot' -s c -l config -d 'Configuration file with lines \'name = value\'; it overrides the preset, and command-line options override both' -x -a '(__wgdn_offer "" "ini")'
complete -c wgdn -n '__wgdn_at plot' -l kind -d 'What is drawn: a map, which is a 2-D projection of embeddings, the loss curve of a log, or the spectral responses of kernel and decoder' -x -a '(__wgdn_offer "map curve response" "")'
complete -c wgdn -n '__wgdn_at plot' -l points -d 'Maximum number of points of a 2-D projection; larger embeddings are subsampled' -x
complete -c wgdn -n '__wgdn_at plot' -l title -d 'Title of the picture' -x
complete -c wgdn -n '__wgdn_at plot' -l size -d 'Width and height of the picture, 200x150 to 4000x4000; a PNG has twice as many pixels either way' -x
complete -c wgdn -n '__wgdn_at plot' -l dark -d 'Draw light on a dark background'
complete -c wgdn -n '__wgdn_at plot' -s o -l output -d 'File to write the picture to: .png, .svg, .pdf or .html' -x -a '(__wgdn_offer "" "png svg pdf html")'
complete -c wgdn -n '__wgdn_at plot' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at plot' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at plot' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at plot' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at plot' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at plot' -l kernel -d 'Graph filter g(lambda): gcn, heat:t=1, ppr:alpha=0.2, band:mu=1,width=0.5, poly: or table: with numbers' -x
complete -c wgdn -n '__wgdn_at plot' -l gamma -d 'Energy factors of the Wiener decoder, one decoder channel each, e.g. 0.1,1,10' -x
complete -c wgdn -n '__wgdn_at plot' -l encoder-order -d 'Polynomial order of the encoder\'s filter; 0 takes the kernel\'s default, 2 for heat' -x
complete -c wgdn -n '__wgdn_at plot' -l decoder-order -d 'Polynomial order of the decoder\'s filter; 0 takes the kernel\'s default, 2 for heat' -x
complete -c wgdn -n '__wgdn_at plot' -l average -d 'Neighbor average of the noise estimate: D^-1 A (row) or A D^-1 (column)' -x -a '(__wgdn_offer "row column" "")'
complete -c wgdn -n '__wgdn_at plot' -l seed -d 'Random seed of the projection' -x
complete -c wgdn -n '__wgdn_at plot' -l projection -d 'Method of the 2-D projection: t-SNE, which keeps neighbors together, or PCA, a fast linear projection' -x -a '(__wgdn_offer "tsne pca" "")'
complete -c wgdn -n '__wgdn_at plot' -l perplexity -d 'Perplexity of t-SNE: about how many neighbors of a point count' -x
complete -c wgdn -n '__wgdn_at plot' -l steps -d 'Gradient steps of t-SNE' -x
complete -c wgdn -n '__wgdn_at plot' -l theta -d 'Barnes-Hut angle of t-SNE: larger is faster and coarser, 0 is exact and slow' -x
complete -c wgdn -n '__wgdn_at plot' -l metric -d 'Similarity of embeddings in the projection: cosine, which normalizes them, or dot product' -x -a '(__wgdn_offer "cosine dot" "")'
complete -c wgdn -n '__wgdn_at plot 0 --format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --kind --points --title --size --output -o --threads -T --kernel --gamma --encoder-order --decoder-order --average --seed --projection --perplexity --steps --theta --metric' -a '(__wgdn_offer "" "npz npy safetensors tsv csv txt w2v jsonl gz model jsonl")'
complete -c wgdn -n '__wgdn_at plot 1 --format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --kind --points --title --size --output -o --threads -T --kernel --gamma --encoder-order --decoder-order --average --seed --projection --perplexity --steps --theta --metric' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph jsonl")'
complete -c wgdn -n '__wgdn_at estimate' -s f -l format -d 'Format of the input; auto goes by the file\'s name and contents' -x -a '(__wgdn_offer "auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis" "")'
complete -c wgdn -n '__wgdn_at estimate' -s x -l features -d 'Node features: TSV or CSV keyed by id, JSON, .npy or .npz; several files, separated by commas, become columns side by side; or structural features of the graph by name' -x -a '(__wgdn_offer "random-walk degree" "npy npz tsv csv txt json gz")'
complete -c wgdn -n '__wgdn_at estimate' -s y -l labels -d 'Node labels: id and label on a line, several lines for several labels; or .npy' -x -a '(__wgdn_offer "" "tsv csv txt gz npy")'
complete -c wgdn -n '__wgdn_at estimate' -l label-column -d 'Name of the column of --labels that holds the label' -x
complete -c wgdn -n '__wgdn_at estimate' -l splits -d 'Train, validation and test splits: id and train, val or test on a line, one column for each split' -x -a '(__wgdn_offer "" "tsv csv txt gz")'
complete -c wgdn -n '__wgdn_at estimate' -l weights -d 'What becomes of the weights of edges: they are used, ignored, or replaced by log(1 + weight)' -x -a '(__wgdn_offer "use ignore log" "")'
complete -c wgdn -n '__wgdn_at estimate' -l header -d 'Whether the first row of text files holds column names' -x -a '(__wgdn_offer "auto no yes" "")'
complete -c wgdn -n '__wgdn_at estimate' -l separator -d 'What separates the fields of text files' -x -a '(__wgdn_offer "tab comma semicolon pipe blanks" "")'
complete -c wgdn -n '__wgdn_at estimate' -l decimal -d 'Decimal point of numbers in text files' -x -a '(__wgdn_offer ". ," "")'
complete -c wgdn -n '__wgdn_at estimate' -l source -d 'Column of an edge list that holds the sources: its heading, or its number from 1' -x
complete -c wgdn -n '__wgdn_at estimate' -l target -d 'Column of an edge list that holds the targets, by heading or number' -x
complete -c wgdn -n '__wgdn_at estimate' -l weight -d 'Column of an edge list that holds the weights, by heading or number' -x
complete -c wgdn -n '__wgdn_at estimate' -l type -d 'Column of an edge list that holds the types of the edges, by heading or number' -x
complete -c wgdn -n '__wgdn_at estimate' -l graph -d 'Column of an edge list that names the graph of each edge, by heading or number' -x
complete -c wgdn -n '__wgdn_at estimate' -l id -d 'Column of --features and --labels that holds the ids, by heading or number' -x
complete -c wgdn -n '__wgdn_at estimate' -l bipartite -d 'Sources and targets are of two kinds: the same id in both columns is two nodes, named by headings, as user:1 and item:1; --no-bipartite: it is one node'
complete -c wgdn -n '__wgdn_at estimate' -l strict -d 'Refuse rows that cannot be used, such as labels of unknown ids, instead of skipping and counting them'
complete -c wgdn -n '__wgdn_at estimate' -l feature-scale -d 'Scaling of feature tables: standard gives columns of numbers and dates mean 0 and deviation 1, row gives rows length 1; auto is standard for tables with headings whose columns are not of one kind, else none' -x -a '(__wgdn_offer "auto standard none row" "")'
complete -c wgdn -n '__wgdn_at estimate' -l max-categories -d 'Words in a column of a feature table become a feature each, up to this many; the words of a column with more are hashed to this many features' -x
complete -c wgdn -n '__wgdn_at estimate' -l ignore -d 'Columns of feature tables to leave out: headings or numbers from 1 on behind the id, separated by commas' -x
complete -c wgdn -n '__wgdn_at estimate' -l directed -d 'Filter along the edges (forward), against them (backward) or both, beside the undirected graph; training ignores directions' -x -a '(__wgdn_offer "ignore forward backward both" "")'
complete -c wgdn -n '__wgdn_at estimate' -l max-nodes -d 'Refuse inputs with more nodes than this' -x
complete -c wgdn -n '__wgdn_at estimate' -l max-entries -d 'Refuse inputs with more edges, or more non-zero features, than this' -x
complete -c wgdn -n '__wgdn_at estimate' -l max-bytes -d 'Refuse to decompress more than this from one file' -x
complete -c wgdn -n '__wgdn_at estimate' -l memory -d 'Memory for edge lists and the closed form, such as 8G or 500M; what needs more goes through files, and vectors are the same' -x
complete -c wgdn -n '__wgdn_at estimate' -l scratch -d 'Folder for what does not fit into memory; it is empty again in the end. \'wgdn convert\' after a kill resumes from what is there' -x -a '(__wgdn_offer "" "/")'
complete -c wgdn -n '__wgdn_at estimate' -s p -l preset -d 'Hyperparameters of the paper for a dataset' -x -a '(__wgdn_offer "arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed" "")'
complete -c wgdn -n '__wgdn_at estimate' -s c -l config -d 'Configuration file with lines \'name = value\'; it overrides the preset, and command-line options override both' -x -a '(__wgdn_offer "" "ini")'
complete -c wgdn -n '__wgdn_at estimate' -l ranks -d 'Estimate memory and communication of each of N ranks under mpirun' -x
complete -c wgdn -n '__wgdn_at estimate' -l method -d 'What is estimated: the closed form and training (embed), or \'wgdn recommend\' with lists for all users' -x -a '(__wgdn_offer "embed recommend" "")'
complete -c wgdn -n '__wgdn_at estimate' -l explain -d 'Show which algebraic optimizations apply and how many operations an epoch takes'
complete -c wgdn -n '__wgdn_at estimate' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at estimate' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at estimate' -s T -l threads -d 'Number of threads; 0 takes OMP_NUM_THREADS, or all usable cores' -x
complete -c wgdn -n '__wgdn_at estimate' -s q -l quiet -d 'Print no progress and no notes; errors are still reported'
complete -c wgdn -n '__wgdn_at estimate' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at estimate' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at estimate' -l seed -d 'Random seed; it fixes initialization, noise and batches' -x
complete -c wgdn -n '__wgdn_at estimate' -l kernel -d 'Graph filter g(lambda): gcn, heat:t=1, ppr:alpha=0.2, band:mu=1,width=0.5, poly: or table: with numbers' -x
complete -c wgdn -n '__wgdn_at estimate' -l gamma -d 'Energy factors of the Wiener decoder, one decoder channel each, e.g. 0.1,1,10' -x
complete -c wgdn -n '__wgdn_at estimate' -l dim -d 'Embedding dimension' -x
complete -c wgdn -n '__wgdn_at estimate' -l layers -d 'Number of encoder layers' -x
complete -c wgdn -n '__wgdn_at estimate' -l decoder-layers -d 'Number of decoder layers: 1, or 0 for as many as the encoder has' -x
complete -c wgdn -n '__wgdn_at estimate' -l encoder-order -d 'Polynomial order of the encoder\'s filter; 0 takes the kernel\'s default, 2 for heat' -x
complete -c wgdn -n '__wgdn_at estimate' -l decoder-order -d 'Polynomial order of the decoder\'s filter; 0 takes the kernel\'s default, 2 for heat' -x
complete -c wgdn -n '__wgdn_at estimate' -l aggregate -d 'Aggregation of the decoder channels' -x -a '(__wgdn_offer "max sum mean" "")'
complete -c wgdn -n '__wgdn_at estimate' -l skip -d 'Skip connections from encoder layers to decoder layers' -x -a '(__wgdn_offer "none sum mean" "")'
complete -c wgdn -n '__wgdn_at estimate' -l norm -d 'Normalization within layers: LayerNorm, BatchNorm or none' -x -a '(__wgdn_offer "none layer batch" "")'
complete -c wgdn -n '__wgdn_at estimate' -l embedding-activation -d 'Apply the activation function to the embedding, too'
complete -c wgdn -n '__wgdn_at estimate' -l average -d 'Neighbor average of the noise estimate: D^-1 A (row) or A D^-1 (column)' -x -a '(__wgdn_offer "row column" "")'
complete -c wgdn -n '__wgdn_at estimate' -l decoder -d 'Spectral response of the decoder: Wiener filter or plain inverse' -x -a '(__wgdn_offer "wiener inverse" "")'
complete -c wgdn -n '__wgdn_at estimate' -l loss -d 'Reconstruction loss' -x -a '(__wgdn_offer "rmse row-rmse mse cosine" "")'
complete -c wgdn -n '__wgdn_at estimate' -l balance -d 'Weights of the reconstruction loss: balanced gives all non-zero features together the weight of all zeros, plain weighs every entry alike' -x -a '(__wgdn_offer "balanced plain" "")'
complete -c wgdn -n '__wgdn_at estimate' -l augment -d 'Augmentation of the embedding before it is decoded' -x -a '(__wgdn_offer "noise none drop-edge drop-node" "")'
complete -c wgdn -n '__wgdn_at estimate' -l beta -d 'Scale of the latent noise' -x
complete -c wgdn -n '__wgdn_at estimate' -l epochs -d 'Number of epochs' -x
complete -c wgdn -n '__wgdn_at estimate' -l learning-rate -l lr -d 'Learning rate of Adam' -x
complete -c wgdn -n '__wgdn_at estimate' -l decay -d 'Learning-rate decay factor' -x
complete -c wgdn -n '__wgdn_at estimate' -l decay-every -d 'Epochs between learning-rate decays' -x
complete -c wgdn -n '__wgdn_at estimate' -l structural-dim -d 'Dimension of random-walk structural features' -x
complete -c wgdn -n '__wgdn_at estimate' -l binarize -d 'Replace features by 1 where they are above 0, else 0'
complete -c wgdn -n '__wgdn_at estimate' -l workspace -d 'Whether the decoder\'s filtered inputs are stored for the backward pass, or recomputed to save memory; the result is the same' -x -a '(__wgdn_offer "auto store recompute" "")'
complete -c wgdn -n '__wgdn_at estimate' -l drop-rate -d 'Fraction of the edges or nodes that drop-edge or drop-node removes in a step' -x
complete -c wgdn -n '__wgdn_at estimate' -l task -d 'Whether node or graph embeddings are trained; auto is graph where the data has several graphs' -x -a '(__wgdn_offer "auto node graph" "")'
complete -c wgdn -n '__wgdn_at estimate' -l batch-size -d 'Graphs in a batch where graph embeddings are trained; 0 takes all of them' -x
complete -c wgdn -n '__wgdn_at estimate' -l pool -d 'Pooling of node embeddings into graph embeddings' -x -a '(__wgdn_offer "mean sum max" "")'
complete -c wgdn -n '__wgdn_at estimate' -l precision -d 'Precision of matrix products in training; bf16 is faster on processors with units for it' -x -a '(__wgdn_offer "fp32 bf16" "")'
complete -c wgdn -n '__wgdn_at estimate' -l patience -d 'Stop when some features that are held out of training have been reconstructed no better for so many epochs, and keep the best parameters; 0: train for all epochs on all features' -x
complete -c wgdn -n '__wgdn_at estimate' -l scale -d 'Scale t of the filter exp(-t L): 0 leaves features as they are, larger values smooth more; -1 chooses it without labels' -x
complete -c wgdn -n '__wgdn_at estimate' -l refine -d 'Epochs of training on top of the closed form: better with few labels on sparse graphs; 20 are enough, 0 is none' -x
complete -c wgdn -n '__wgdn_at estimate' -l sample -d 'Number of users, or of edges in a graph that is not bipartite, that the score is chosen for' -x
complete -c wgdn -n '__wgdn_at estimate' -l columns -d 'Largest number of singular vectors in the low-pass part of the score' -x
complete -c wgdn -n '__wgdn_at estimate' -l ridge-items -d 'Largest number of items for which ridge regression over items competes' -x
complete -c wgdn -n '__wgdn_at estimate' -l values -d 'What weights of interactions are for: nothing (one), log(1 + weight), or the weight; auto: one or log, whichever finds more of what is held out' -x -a '(__wgdn_offer "auto one log weight" "")'
complete -c wgdn -n '__wgdn_at estimate 0 --format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --preset -p --config -c --ranks --method --output -o --threads -T --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --average --decoder --loss --balance --augment --beta --epochs --learning-rate --lr --decay --decay-every --structural-dim --workspace --drop-rate --task --batch-size --pool --precision --patience --scale --refine --sample --columns --ridge-items --values' -a '(__wgdn_offer "" "npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph")'
complete -c wgdn -n '__wgdn_at doctor' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at doctor' -s j -l json -d 'Print JSON, one object on a line for each input'
complete -c wgdn -n '__wgdn_at doctor' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at doctor' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at completion' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at completion' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at completion' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at completion 0 --output -o' -a '(__wgdn_offer "bash zsh fish" "")'
complete -c wgdn -n '__wgdn_at help' -s o -l output -d 'File to write the result to; - is standard output' -x -a '(__wgdn_offer "" "*")'
complete -c wgdn -n '__wgdn_at help' -l man -d 'Print the manual page as troff source'
complete -c wgdn -n '__wgdn_at help' -s h -l help -d 'Show help with the options that are used most'
complete -c wgdn -n '__wgdn_at help' -l help-all -d 'Show help with all options, by topic'
complete -c wgdn -n '__wgdn_at help 0 --output -o' -a '(__wgdn_offer "demo info convert fit train embed eval similar predict recommend cluster compare plot estimate doctor completion help" "")'
