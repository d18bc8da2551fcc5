# bash completion for wgdn, made by 'wgdn completion bash'
_wgdn() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} flags
  case $previous in
    --format|-f) COMPREPLY=($(compgen -W 'auto edges npz mtx ogb tu safetensors graphml' -- "$word")); return ;;
    --features|-x) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --labels|-y) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --label-column) return ;;
    --splits) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --header) COMPREPLY=($(compgen -W 'auto no yes' -- "$word")); return ;;
    --max-nodes) return ;;
    --max-entries) return ;;
    --max-bytes) return ;;
    --preset|-p) return ;;
    --config|-c) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --checkpoint) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --checkpoint-every) return ;;
    --checkpoint-steps) return ;;
    --log) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --rank-timeout) return ;;
    --ranks) return ;;
    --task|-t) COMPREPLY=($(compgen -W 'auto probe cluster links graph' -- "$word")); return ;;
    --task) COMPREPLY=($(compgen -W 'auto node graph' -- "$word")); return ;;
    --pool) COMPREPLY=($(compgen -W 'mean sum max' -- "$word")); return ;;
    --protocol) COMPREPLY=($(compgen -W 'validation-selected test-selected' -- "$word")); return ;;
    --data|-d) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --results|-r) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --study|-s) COMPREPLY=($(compgen -W 'all main ablation kernels beta drop precision' -- "$word")); return ;;
    --sets) return ;;
    --seeds) return ;;
    --count|-k) return ;;
    --metric|-m) COMPREPLY=($(compgen -W 'cosine dot' -- "$word")); return ;;
    --kind) COMPREPLY=($(compgen -W 'map curve response' -- "$word")); return ;;
    --points) return ;;
    --to|-t) COMPREPLY=($(compgen -W 'auto edges npz safetensors' -- "$word")); return ;;
    --to|-t) COMPREPLY=($(compgen -W 'auto tsv csv word2vec npy npz safetensors' -- "$word")); return ;;
    --part|-p) COMPREPLY=($(compgen -W 'all graph features labels splits' -- "$word")); return ;;
    --order) COMPREPLY=($(compgen -W 'none metis scotch' -- "$word")); return ;;
    --output|-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --threads|-T) return ;;
    --seed) return ;;
    --runs) return ;;
    --classifier) COMPREPLY=($(compgen -W 'adam liblinear' -- "$word")); return ;;
    --steps) return ;;
    --learning-rate) return ;;
    --weight-decay) return ;;
    --folds) return ;;
    --restarts) return ;;
    --test-edge-fraction) return ;;
    --metric) COMPREPLY=($(compgen -W 'cosine dot' -- "$word")); return ;;
    --seed) return ;;
    --projection) COMPREPLY=($(compgen -W 'tsne pca' -- "$word")); return ;;
    --perplexity) return ;;
    --steps) return ;;
    --theta) return ;;
    --metric) COMPREPLY=($(compgen -W 'cosine dot' -- "$word")); return ;;
    --seed) return ;;
    --kernel) return ;;
    --gamma) return ;;
    --dim) return ;;
    --layers) return ;;
    --decoder-layers) return ;;
    --encoder-order) return ;;
    --decoder-order) return ;;
    --aggregate) COMPREPLY=($(compgen -W 'max sum mean' -- "$word")); return ;;
    --skip) COMPREPLY=($(compgen -W 'none sum mean' -- "$word")); return ;;
    --norm) COMPREPLY=($(compgen -W 'none layer batch' -- "$word")); return ;;
    --average) COMPREPLY=($(compgen -W 'row column' -- "$word")); return ;;
    --decoder) COMPREPLY=($(compgen -W 'wiener inverse' -- "$word")); return ;;
    --loss) COMPREPLY=($(compgen -W 'rmse row-rmse mse' -- "$word")); return ;;
    --balance) COMPREPLY=($(compgen -W 'balanced plain' -- "$word")); return ;;
    --augment) COMPREPLY=($(compgen -W 'noise none drop-edge drop-node' -- "$word")); return ;;
    --beta) return ;;
    --epochs) return ;;
    --learning-rate) return ;;
    --decay) return ;;
    --decay-every) return ;;
    --structural-dim) return ;;
    --workspace) COMPREPLY=($(compgen -W 'auto store recompute' -- "$word")); return ;;
    --drop-rate) return ;;
    --task) COMPREPLY=($(compgen -W 'auto node graph' -- "$word")); return ;;
    --batch-size) return ;;
    --pool) COMPREPLY=($(compgen -W 'mean sum max' -- "$word")); return ;;
    --precision) COMPREPLY=($(compgen -W 'fp32 bf16' -- "$word")); return ;;
  esac
  local commands='info convert train embed eval similar plot reproduce estimate doctor completion help'
  case ${COMP_WORDS[1]} in
    info) flags=' --format --features --labels --label-column --splits --header --binarise --max-nodes --max-entries --max-bytes --output --json --threads --quiet --help' ;;
    convert) flags=' --format --features --labels --label-column --splits --header --binarise --max-nodes --max-entries --max-bytes --to --part --order --threads --quiet --help' ;;
    train) flags=' --format --features --labels --label-column --splits --header --max-nodes --max-entries --max-bytes --preset --config --checkpoint --checkpoint-every --checkpoint-steps --resume --log --rank-timeout --explain --output --json --threads --quiet --help --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --embedding-activation --average --decoder --loss --balance --augment --beta --epochs --learning-rate --decay --decay-every --structural-dim --binarise --workspace --drop-rate --task --batch-size --pool --precision' ;;
    embed) flags=' --format --features --labels --label-column --splits --header --max-nodes --max-entries --max-bytes --rank-timeout --task --pool --to --output --json --threads --quiet --help' ;;
    eval) flags=' --format --features --labels --label-column --splits --header --max-nodes --max-entries --max-bytes --preset --config --task --pool --protocol --baselines --output --json --threads --quiet --help --seed --runs --classifier --steps --learning-rate --weight-decay --folds --restarts --test-edge-fraction --metric' ;;
    similar) flags=' --count --metric --output --json --threads --quiet --help' ;;
    plot) flags=' --format --features --labels --label-column --header --max-nodes --max-entries --max-bytes --preset --config --kind --points --output --json --threads --quiet --help --seed --projection --perplexity --steps --theta --metric --kernel --gamma --encoder-order --decoder-order --average' ;;
    reproduce) flags=' --data --results --study --sets --seeds --quick --threads --quiet --help' ;;
    estimate) flags=' --format --features --labels --label-column --splits --header --max-nodes --max-entries --max-bytes --preset --config --ranks --explain --output --json --threads --quiet --help --seed --kernel --gamma --dim --layers --decoder-layers --encoder-order --decoder-order --aggregate --skip --norm --embedding-activation --average --decoder --loss --balance --augment --beta --epochs --learning-rate --decay --decay-every --structural-dim --binarise --workspace --drop-rate --task --batch-size --pool --precision' ;;
    doctor) flags=' --output --json --help' ;;
    completion) flags=' --output --help' ;;
    help) flags=' --output --man --help' ;;
    *) flags=' --help --version' ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ $COMP_CWORD -eq 1 || ${COMP_WORDS[1]} == help ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$word"))
  elif [[ ${COMP_WORDS[1]} == completion ]]; then
    COMPREPLY=($(compgen -W bash -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _wgdn wgdn
