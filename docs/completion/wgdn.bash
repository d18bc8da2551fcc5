# bash completion for wgdn, made by 'wgdn completion bash'
_wgdn() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} flags
  case $previous in
    --format|-f) COMPREPLY=($(compgen -W 'auto edges npz mtx tu ogb safetensors' -- "$word")); return ;;
    --features|-x) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --labels|-y) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --label-column) return ;;
    --splits) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --header) COMPREPLY=($(compgen -W 'auto no yes' -- "$word")); return ;;
    --most-nodes) return ;;
    --most-entries) return ;;
    --most-bytes) return ;;
    --to|-t) COMPREPLY=($(compgen -W 'auto edges npz safetensors' -- "$word")); return ;;
    --part|-p) COMPREPLY=($(compgen -W 'all graph features labels splits' -- "$word")); return ;;
    --output|-o) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --threads|-T) return ;;
  esac
  local commands='info convert estimate doctor completion help'
  case ${COMP_WORDS[1]} in
    info) flags=' --format --features --labels --label-column --splits --header --binarise --most-nodes --most-entries --most-bytes --output --json --threads --quiet --help' ;;
    convert) flags=' --format --features --labels --label-column --splits --header --binarise --most-nodes --most-entries --most-bytes --to --part --threads --quiet --help' ;;
    estimate) flags=' --format --features --labels --label-column --splits --header --binarise --most-nodes --most-entries --most-bytes --output --json --threads --quiet --help' ;;
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
