# bash completion for wgdn, made by 'wgdn completion bash'
_wgdn_add() { mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$@" -- "$word"); }

_wgdn_offer() { # words; endings of files, * for any, / for folders
  local ending endings
  read -r -a endings <<< "$2"
  [[ -n $1 ]] && _wgdn_add -W "$1"
  case $2 in
    '') ;;
    /) _wgdn_add -d ;;
    '*') _wgdn_add -f ;;
    *)
      for ending in "${endings[@]}"; do _wgdn_add -f -X "!*.$ending"; done
      if [[ ${#COMPREPLY[@]} -gt 0 ]]; then _wgdn_add -d; else _wgdn_add -f; fi ;;
  esac
}

_wgdn() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} i count=0
  local flags valued first rest
  COMPREPLY=()
  if [[ $word == = ]]; then word=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    _wgdn_add -W 'demo info convert fit train embed eval similar predict recommend cluster compare plot estimate doctor completion help --help --version'
    return
  fi
  case ${COMP_WORDS[1]} in
    demo)
      flags='--quiet --help --help-all'
      valued=''
      first=('countries friends transactions purchases articles molecules' '/') rest=('' '/')
      case $previous in
      esac ;;
    info)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --binarize --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --vectors --output --json --threads --quiet --help --help-all'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --output -o --threads -T'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v model') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v model')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer '' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer '' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --output|-o) _wgdn_offer '' '*'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
      esac ;;
    convert)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --binarize --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --vectors --to --part --order --no-header --numbers --output --threads --quiet --help --help-all'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --to -t --part -p --order --numbers --output -o --threads -T'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer '' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer '' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --to|-t) _wgdn_offer 'auto edges npz safetensors tsv csv word2vec jsonl npy' ''; return ;;
        --part|-p) _wgdn_offer 'all graph features labels splits' ''; return ;;
        --order) _wgdn_offer 'none metis scotch' ''; return ;;
        --numbers) _wgdn_offer 'f32 f16 bf16' ''; return ;;
        --output|-o) _wgdn_offer '' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
      esac ;;
    fit)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --explain --output --json --threads --quiet --help --help-all --seed --dim --pad --scale --binarize --refine --ids --no-ids --task'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --output -o --threads -T --seed --dim --scale --refine --task'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph') rest=('' '')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer 'structure' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer '' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --rank-timeout) _wgdn_offer '' ''; return ;;
        --output|-o) _wgdn_offer '' 'model safetensors'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --scale) _wgdn_offer '' ''; return ;;
        --refine) _wgdn_offer '' ''; return ;;
        --task) _wgdn_offer 'auto node graph' ''; return ;;
      esac ;;
    train)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset --config --checkpoint --checkpoint-every --checkpoint-steps --health --resume --no-resume --log --rank-timeout --explain --output --json --threads --quiet --help --help-all --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --embedding-activation --average --decoder --loss --balance --augment --beta --epochs --learning-rate --lr --decay --decay-every --structural-dim --binarize --workspace --drop-rate --task --batch-size --pool --precision --patience'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --checkpoint --checkpoint-every --checkpoint-steps --health --log --rank-timeout --output -o --threads -T --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --average --decoder --loss --balance --augment --beta --epochs --learning-rate --lr --decay --decay-every --structural-dim --workspace --drop-rate --task --batch-size --pool --precision --patience'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph') rest=('' '')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer 'random-walk degree' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer '' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --preset|-p) _wgdn_offer 'arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed' ''; return ;;
        --config|-c) _wgdn_offer '' 'ini'; return ;;
        --checkpoint) _wgdn_offer '' '*'; return ;;
        --checkpoint-every) _wgdn_offer '' ''; return ;;
        --checkpoint-steps) _wgdn_offer '' ''; return ;;
        --health) _wgdn_offer 'stop warn' ''; return ;;
        --log) _wgdn_offer '' 'csv jsonl'; return ;;
        --rank-timeout) _wgdn_offer '' ''; return ;;
        --output|-o) _wgdn_offer '' 'model safetensors'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --kernel) _wgdn_offer '' ''; return ;;
        --gamma) _wgdn_offer '' ''; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --layers) _wgdn_offer '' ''; return ;;
        --decoder-layers) _wgdn_offer '' ''; return ;;
        --encoder-order) _wgdn_offer '' ''; return ;;
        --decoder-order) _wgdn_offer '' ''; return ;;
        --aggregate) _wgdn_offer 'max sum mean' ''; return ;;
        --skip) _wgdn_offer 'none sum mean' ''; return ;;
        --norm) _wgdn_offer 'none layer batch' ''; return ;;
        --average) _wgdn_offer 'row column' ''; return ;;
        --decoder) _wgdn_offer 'wiener inverse' ''; return ;;
        --loss) _wgdn_offer 'rmse row-rmse mse cosine' ''; return ;;
        --balance) _wgdn_offer 'balanced plain' ''; return ;;
        --augment) _wgdn_offer 'noise none drop-edge drop-node' ''; return ;;
        --beta) _wgdn_offer '' ''; return ;;
        --epochs) _wgdn_offer '' ''; return ;;
        --learning-rate|--lr) _wgdn_offer '' ''; return ;;
        --decay) _wgdn_offer '' ''; return ;;
        --decay-every) _wgdn_offer '' ''; return ;;
        --structural-dim) _wgdn_offer '' ''; return ;;
        --workspace) _wgdn_offer 'auto store recompute' ''; return ;;
        --drop-rate) _wgdn_offer '' ''; return ;;
        --task) _wgdn_offer 'auto node graph' ''; return ;;
        --batch-size) _wgdn_offer '' ''; return ;;
        --pool) _wgdn_offer 'mean sum max' ''; return ;;
        --precision) _wgdn_offer 'fp32 bf16' ''; return ;;
        --patience) _wgdn_offer '' ''; return ;;
      esac ;;
    embed)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --explain --task --align --pool --to --no-header --numbers --output --json --threads --quiet --help --help-all --seed --dim --pad --scale --binarize --refine --ids --no-ids'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --rank-timeout --task --align --pool --to -t --numbers --output -o --threads -T --seed --dim --scale --refine'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph model') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer 'structure' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer '' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --rank-timeout) _wgdn_offer '' ''; return ;;
        --task) _wgdn_offer 'auto node graph' ''; return ;;
        --align) _wgdn_offer '' 'npz npy safetensors tsv csv txt w2v jsonl gz'; return ;;
        --pool) _wgdn_offer 'mean sum max' ''; return ;;
        --to|-t) _wgdn_offer 'auto tsv csv word2vec jsonl npy npz safetensors' ''; return ;;
        --numbers) _wgdn_offer 'f32 f16 bf16' ''; return ;;
        --output|-o) _wgdn_offer '' 'npz npy safetensors tsv csv txt w2v jsonl gz'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --scale) _wgdn_offer '' ''; return ;;
        --refine) _wgdn_offer '' ''; return ;;
      esac ;;
    eval)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset --config --task --pool --protocol --baselines --no-baselines --test --output --json --threads --quiet --help --help-all --seed --train-fraction --validation-fraction --runs --classifier --steps --learning-rate --lr --weight-decay --folds --svm --restarts --test-edge-fraction --metric --label-kind'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --task -t --pool --protocol --test --output -o --threads -T --seed --train-fraction --validation-fraction --runs --classifier --steps --learning-rate --lr --weight-decay --folds --svm --restarts --test-edge-fraction --metric --label-kind'
      first=('' 'npz npy safetensors tsv csv txt w2v jsonl gz model mtx edges') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer '' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer 'dataset random stratified paper' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --preset|-p) _wgdn_offer 'arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed' ''; return ;;
        --config|-c) _wgdn_offer '' 'ini'; return ;;
        --task|-t) _wgdn_offer 'auto probe cluster links graph quality recommend' ''; return ;;
        --pool) _wgdn_offer 'mean sum max' ''; return ;;
        --protocol) _wgdn_offer 'validation-selected test-selected' ''; return ;;
        --test) _wgdn_offer '' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph'; return ;;
        --output|-o) _wgdn_offer '' '*'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --train-fraction) _wgdn_offer '' ''; return ;;
        --validation-fraction) _wgdn_offer '' ''; return ;;
        --runs) _wgdn_offer '' ''; return ;;
        --classifier) _wgdn_offer 'logistic adam' ''; return ;;
        --steps) _wgdn_offer '' ''; return ;;
        --learning-rate|--lr) _wgdn_offer '' ''; return ;;
        --weight-decay) _wgdn_offer '' ''; return ;;
        --folds) _wgdn_offer '' ''; return ;;
        --svm) _wgdn_offer 'both rbf linear' ''; return ;;
        --restarts) _wgdn_offer '' ''; return ;;
        --test-edge-fraction) _wgdn_offer '' ''; return ;;
        --metric) _wgdn_offer 'cosine dot' ''; return ;;
        --label-kind) _wgdn_offer 'auto class number' ''; return ;;
      esac ;;
    similar)
      flags='--strict --count --ids --all --metric --output --json --threads --quiet --help --help-all'
      valued='--count -k --ids -i --metric -m --output -o --threads -T'
      first=('' 'npz npy safetensors tsv csv txt w2v jsonl gz') rest=('' '')
      case $previous in
        --count|-k) _wgdn_offer '' ''; return ;;
        --ids|-i) _wgdn_offer '' '*'; return ;;
        --metric|-m) _wgdn_offer 'cosine dot' ''; return ;;
        --output|-o) _wgdn_offer '' '*'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
      esac ;;
    predict)
      flags='--format --features --labels --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --all --output --save --json --threads --quiet --help --help-all --dim --scale --binarize --refine --seed --label-kind --method --folds --balance'
      valued='--format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --output -o --save --threads -T --dim --scale --refine --seed --label-kind --method --folds'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph model') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer 'structure' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --output|-o) _wgdn_offer '' 'csv tsv jsonl npz'; return ;;
        --save) _wgdn_offer '' 'model safetensors'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --scale) _wgdn_offer '' ''; return ;;
        --refine) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --label-kind) _wgdn_offer 'auto class number' ''; return ;;
        --method) _wgdn_offer 'auto vectors combined neighbors mixing' ''; return ;;
        --folds) _wgdn_offer '' ''; return ;;
      esac ;;
    recommend)
      flags='--format --labels --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --ids --count --new --among --include-seen --explain --vectors --dim --save --output --json --threads --quiet --help --help-all --seed --hold-out --sample --columns --ridge-items --values'
      valued='--format -f --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --ids -i --count -k --new --among --vectors --dim --save --output -o --threads -T --seed --hold-out --sample --columns --ridge-items --values'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph model') rest=('' '')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --ids|-i) _wgdn_offer '' '*'; return ;;
        --count|-k) _wgdn_offer '' ''; return ;;
        --new) _wgdn_offer '' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph'; return ;;
        --among) _wgdn_offer '' '*'; return ;;
        --vectors) _wgdn_offer '' 'npz npy safetensors tsv csv txt w2v jsonl gz'; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --save) _wgdn_offer '' 'model safetensors'; return ;;
        --output|-o) _wgdn_offer '' '*'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --hold-out) _wgdn_offer '' ''; return ;;
        --sample) _wgdn_offer '' ''; return ;;
        --columns) _wgdn_offer '' ''; return ;;
        --ridge-items) _wgdn_offer '' ''; return ;;
        --values) _wgdn_offer 'auto one log weight' ''; return ;;
      esac ;;
    cluster)
      flags='--format --features --labels --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --vectors --output --json --threads --quiet --help --help-all --dim --scale --binarize --refine --seed --clusters --method --restarts'
      valued='--format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --output -o --threads -T --dim --scale --refine --seed --clusters --method --restarts'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph npy w2v') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer 'structure' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --output|-o) _wgdn_offer '' 'csv tsv jsonl npz'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --scale) _wgdn_offer '' ''; return ;;
        --refine) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --clusters) _wgdn_offer '' ''; return ;;
        --method) _wgdn_offer 'auto vectors graph' ''; return ;;
        --restarts) _wgdn_offer '' ''; return ;;
      esac ;;
    compare)
      flags='--count --all --output --json --threads --quiet --help --help-all'
      valued='--count -k --output -o --threads -T'
      first=('' 'npz npy safetensors tsv csv txt w2v jsonl gz') rest=('' 'npz npy safetensors tsv csv txt w2v jsonl gz')
      case $previous in
        --count|-k) _wgdn_offer '' ''; return ;;
        --output|-o) _wgdn_offer '' '*'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
      esac ;;
    plot)
      flags='--format --features --labels --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset --config --kind --points --title --size --dark --output --json --threads --quiet --help --help-all --kernel --gamma --encoder-order --decoder-order --average --seed --projection --perplexity --steps --theta --metric'
      valued='--format -f --features -x --labels -y --label-column --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --preset -p --config -c --kind --points --title --size --output -o --threads -T --kernel --gamma --encoder-order --decoder-order --average --seed --projection --perplexity --steps --theta --metric'
      first=('' 'npz npy safetensors tsv csv txt w2v jsonl gz model jsonl') rest=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph jsonl')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer '' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --preset|-p) _wgdn_offer 'arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed' ''; return ;;
        --config|-c) _wgdn_offer '' 'ini'; return ;;
        --kind) _wgdn_offer 'map curve response' ''; return ;;
        --points) _wgdn_offer '' ''; return ;;
        --title) _wgdn_offer '' ''; return ;;
        --size) _wgdn_offer '' ''; return ;;
        --output|-o) _wgdn_offer '' 'png svg pdf html'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --kernel) _wgdn_offer '' ''; return ;;
        --gamma) _wgdn_offer '' ''; return ;;
        --encoder-order) _wgdn_offer '' ''; return ;;
        --decoder-order) _wgdn_offer '' ''; return ;;
        --average) _wgdn_offer 'row column' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --projection) _wgdn_offer 'tsne pca' ''; return ;;
        --perplexity) _wgdn_offer '' ''; return ;;
        --steps) _wgdn_offer '' ''; return ;;
        --theta) _wgdn_offer '' ''; return ;;
        --metric) _wgdn_offer 'cosine dot' ''; return ;;
      esac ;;
    estimate)
      flags='--format --features --labels --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --bipartite --strict --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --preset --config --ranks --method --explain --output --json --threads --quiet --help --help-all --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --embedding-activation --average --decoder --loss --balance --augment --beta --epochs --learning-rate --lr --decay --decay-every --structural-dim --binarize --workspace --drop-rate --task --batch-size --pool --precision --patience --scale --refine --sample --columns --ridge-items --values'
      valued='--format -f --features -x --labels -y --label-column --splits --weights --header --separator --decimal --source --target --weight --type --graph --id --feature-scale --max-categories --ignore --directed --max-nodes --max-entries --max-bytes --memory --scratch --preset -p --config -c --ranks --method --output -o --threads -T --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --average --decoder --loss --balance --augment --beta --epochs --learning-rate --lr --decay --decay-every --structural-dim --workspace --drop-rate --task --batch-size --pool --precision --patience --scale --refine --sample --columns --ridge-items --values'
      first=('' 'npz tsv csv txt edges mtx zip gz zst xz bz2 safetensors graphml gexf gml json edgelist graph') rest=('' '')
      case $previous in
        --format|-f) _wgdn_offer 'auto edges npz npy mtx ogb tu safetensors graphml gexf gml json networkx metis' ''; return ;;
        --features|-x) _wgdn_offer 'random-walk degree' 'npy npz tsv csv txt json gz'; return ;;
        --labels|-y) _wgdn_offer '' 'tsv csv txt gz npy'; return ;;
        --label-column) _wgdn_offer '' ''; return ;;
        --splits) _wgdn_offer '' 'tsv csv txt gz'; return ;;
        --weights) _wgdn_offer 'use ignore log' ''; return ;;
        --header) _wgdn_offer 'auto no yes' ''; return ;;
        --separator) _wgdn_offer 'tab comma semicolon pipe blanks' ''; return ;;
        --decimal) _wgdn_offer '. ,' ''; return ;;
        --source) _wgdn_offer '' ''; return ;;
        --target) _wgdn_offer '' ''; return ;;
        --weight) _wgdn_offer '' ''; return ;;
        --type) _wgdn_offer '' ''; return ;;
        --graph) _wgdn_offer '' ''; return ;;
        --id) _wgdn_offer '' ''; return ;;
        --feature-scale) _wgdn_offer 'auto standard none row' ''; return ;;
        --max-categories) _wgdn_offer '' ''; return ;;
        --ignore) _wgdn_offer '' ''; return ;;
        --directed) _wgdn_offer 'ignore forward backward both' ''; return ;;
        --max-nodes) _wgdn_offer '' ''; return ;;
        --max-entries) _wgdn_offer '' ''; return ;;
        --max-bytes) _wgdn_offer '' ''; return ;;
        --memory) _wgdn_offer '' ''; return ;;
        --scratch) _wgdn_offer '' '/'; return ;;
        --preset|-p) _wgdn_offer 'arxiv citeseer collab computers cora cs dd imdb-binary imdb-multi nci1 photo physics proteins pubmed' ''; return ;;
        --config|-c) _wgdn_offer '' 'ini'; return ;;
        --ranks) _wgdn_offer '' ''; return ;;
        --method) _wgdn_offer 'embed recommend' ''; return ;;
        --output|-o) _wgdn_offer '' '*'; return ;;
        --threads|-T) _wgdn_offer '' ''; return ;;
        --seed) _wgdn_offer '' ''; return ;;
        --kernel) _wgdn_offer '' ''; return ;;
        --gamma) _wgdn_offer '' ''; return ;;
        --dim) _wgdn_offer '' ''; return ;;
        --layers) _wgdn_offer '' ''; return ;;
        --decoder-layers) _wgdn_offer '' ''; return ;;
        --encoder-order) _wgdn_offer '' ''; return ;;
        --decoder-order) _wgdn_offer '' ''; return ;;
        --aggregate) _wgdn_offer 'max sum mean' ''; return ;;
        --skip) _wgdn_offer 'none sum mean' ''; return ;;
        --norm) _wgdn_offer 'none layer batch' ''; return ;;
        --average) _wgdn_offer 'row column' ''; return ;;
        --decoder) _wgdn_offer 'wiener inverse' ''; return ;;
        --loss) _wgdn_offer 'rmse row-rmse mse cosine' ''; return ;;
        --balance) _wgdn_offer 'balanced plain' ''; return ;;
        --augment) _wgdn_offer 'noise none drop-edge drop-node' ''; return ;;
        --beta) _wgdn_offer '' ''; return ;;
        --epochs) _wgdn_offer '' ''; return ;;
        --learning-rate|--lr) _wgdn_offer '' ''; return ;;
        --decay) _wgdn_offer '' ''; return ;;
        --decay-every) _wgdn_offer '' ''; return ;;
        --structural-dim) _wgdn_offer '' ''; return ;;
        --workspace) _wgdn_offer 'auto store recompute' ''; return ;;
        --drop-rate) _wgdn_offer '' ''; return ;;
        --task) _wgdn_offer 'auto node graph' ''; return ;;
        --batch-size) _wgdn_offer '' ''; return ;;
        --pool) _wgdn_offer 'mean sum max' ''; return ;;
        --precision) _wgdn_offer 'fp32 bf16' ''; return ;;
        --patience) _wgdn_offer '' ''; return ;;
        --scale) _wgdn_offer '' ''; return ;;
        --refine) _wgdn_offer '' ''; return ;;
        --sample) _wgdn_offer '' ''; return ;;
        --columns) _wgdn_offer '' ''; return ;;
        --ridge-items) _wgdn_offer '' ''; return ;;
        --values) _wgdn_offer 'auto one log weight' ''; return ;;
      esac ;;
    doctor)
      flags='--output --json --help --help-all'
      valued='--output -o'
      first=('' '') rest=('' '')
      case $previous in
        --output|-o) _wgdn_offer '' '*'; return ;;
      esac ;;
    completion)
      flags='--output --help --help-all'
      valued='--output -o'
      first=('bash zsh fish' '') rest=('' '')
      case $previous in
        --output|-o) _wgdn_offer '' '*'; return ;;
      esac ;;
    help)
      flags='--output --man --help --help-all'
      valued='--output -o'
      first=('demo info convert fit train embed eval similar predict recommend cluster compare plot estimate doctor completion help' '') rest=('' '')
      case $previous in
        --output|-o) _wgdn_offer '' '*'; return ;;
      esac ;;
    *) return ;;
  esac
  if [[ $word == -* ]]; then _wgdn_add -W "$flags"; return; fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    case " $valued " in
      *" ${COMP_WORDS[i]} "*) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++)); ((i++)) ;;
      *) [[ ${COMP_WORDS[i]} == -* ]] || ((count++)) ;;
    esac
  done
  if [[ $count -eq 0 ]]; then _wgdn_offer "${first[@]}"; else _wgdn_offer "${rest[@]}"; fi
}
complete -o filenames -F _wgdn wgdn
