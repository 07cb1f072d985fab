#!/usr/bin/env bash
# Tab in bash, fish and zsh: commands, methods, options, values of few words, files.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

for shell in bash fish zsh; do
  accepts "orrery completion $shell" -- completion "$shell"
  cp "$outside/out" "$outside/$shell.script"
done
refuses 2 '"tcsh"' 'bash, fish, zsh' -- completion tcsh
refuses 2 'SHELL is missing' -- completion
mkdir models
touch data.h5 'my rows.h5' models/model.h5

# in_bash WORD...: what the last word may become, a line each.
in_bash() {
  bash --norc -c '
    source "$1"
    shift
    COMP_WORDBREAKS=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _orrery
    ((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"' bash "$outside/bash.script" "$breaks" "$@"
}
breaks=$' \t\n"'\''><=;|&(:'
# bash_offers WORD... -- WORD...: behind the first words all of the others, and -- NOT -- none of the rest.
bash_offers() {
  local typed=() wanted=yes word
  while [[ $1 != -- ]]; do typed+=("$1") && shift; done
  shift
  in_bash "${typed[@]}" >offered 2>complaints
  check "bash: ${typed[*]}: $(cat complaints)" test ! -s complaints
  for word in "$@"; do
    if [[ $word == NOT ]]; then
      wanted=no
    elif [[ $wanted == yes ]]; then
      check "bash: ${typed[*]}: $word is not offered, but: $(tr '\n' ' ' <offered)" grep -qxF -e "$word" offered
    else
      check "bash: ${typed[*]}: $word is offered" test -z "$(grep -xF -e "$word" offered)"
    fi
  done
}
bash_offers orrery '' -- import learn help completion --version NOT data.h5 quartet
bash_offers orrery le -- learn NOT import
bash_offers orrery learn '' -- quartet sep --help NOT data.h5 tree.h5
bash_offers orrery learn qu -- quartet NOT vem
bash_offers orrery plan '' -- tree
bash_offers orrery help re -- report rename reading NOT learn
bash_offers orrery help qu -- quartet
bash_offers orrery --version '' -- --verbose --json
bash_offers orrery learn quartet -- quartet NOT data.h5
bash_offers orrery learn quartet '' -- data.h5 'my rows.h5' models NOT --test
bash_offers orrery learn quartet --t -- --test --tau-q --threads --time-limit NOT --truth
bash_offers orrery learn quartet data.h5 --test '' -- calibrated rank coherence NOT data.h5
bash_offers orrery learn anchored data.h5 --structure '' -- tree independent indegree: NOT data.h5
bash_offers orrery learn anchored data.h5 --anchors d -- data.h5
bash_offers orrery learn sep --causes a -- auto
bash_offers orrery import --format '' -- auto csv npy plink text edges NOT json
bash_offers orrery export models/model.h5 --format '' -- json csv dot graphml bif uai anchors npy NOT plink
bash_offers orrery export --format = gr -- graphml NOT --format=graphml
bash_offers orrery sample --network '' -- img con: qmr tree:chain: anchored:indegree: categorical: data.h5 NOT K M
bash_offers orrery sample --network tree : -- chain: star: recursive: NOT img tree:chain:
bash_offers orrery depth '' -- img data.h5
bash_offers orrery depth img --test '' -- quartet triplet expansion
bash_offers orrery sample --samples '' -- NOT data.h5 img
bash_offers orrery infer models/model.h5 data.h5 -o '' -- data.h5 models
bash_offers orrery infer --explain '' -- data.h5
bash_offers orrery completion '' -- bash fish zsh NOT data.h5
bash_offers orrery cite v -- vem
bash_offers orrery learn no '' -- NOT data.h5
breaks=$' \t\n"'\''><;|&(' # some take : and = out
bash_offers orrery sample --network tree: -- tree:chain: tree:star: NOT chain:
bash_offers orrery export --format=gr -- --format=graphml NOT graphml
command -v shellcheck >/dev/null && check 'shellcheck' shellcheck -s bash "$outside/bash.script"

if command -v fish >/dev/null; then
  fish_offers() {  # LINE WORD... [NOT WORD...]
    local line=$1 wanted=yes word
    HOME=$outside fish --no-config -c "source $outside/fish.script; complete -C '$line'" >lines 2>complaints
    check "fish: $line: $(cat complaints)" test ! -s complaints
    cut -f1 lines >offered
    for word in "${@:2}"; do
      if [[ $word == NOT ]]; then
        wanted=no
      elif [[ $wanted == yes ]]; then
        check "fish: $line: $word is not offered, but: $(tr '\n' ' ' <offered)" grep -qxF -e "$word" offered
      else
        check "fish: $line: $word is offered" test -z "$(grep -xF -e "$word" offered)"
      fi
    done
  }
  fish_offers 'orrery ' import learn help NOT data.h5 quartet
  fish_offers 'orrery learn ' quartet sep NOT data.h5 import
  fish_offers 'orrery learn quartet ' data.h5 NOT sep
  fish_offers 'orrery learn quartet --te' --test NOT --network
  fish_offers 'orrery learn quartet --test ' calibrated rank NOT data.h5
  fish_offers 'orrery import --format ' plink edges NOT data.h5
  fish_offers 'orrery sample --network ' img con: data.h5
  fish_offers 'orrery sample --samples ' NOT data.h5
  fish_offers 'orrery help exit' exit-codes
  check 'fish says what a command is' grep -qE "^learn[[:space:]]+find hidden causes" \
    <(HOME=$outside fish --no-config -c "source $outside/fish.script; complete -C 'orrery le'")
fi

if command -v zsh >/dev/null; then
  check 'zsh reads it' zsh -n "$outside/zsh.script"
  mkdir "$outside/functions"
  cp "$outside/zsh.script" "$outside/functions/_orrery"
  # FUNCTIONS LINE TEXT...: on a terminal of its own, what Tab shows behind LINE; until all TEXTs are there.
  cat >"$outside/tab.zsh" <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=999; echo re\"\"ady"
until [[ $seen == *ready* ]]; do zpty -r shell piece || exit 1; seen+=$piece; done
zpty -w -n shell "$2"$'\t\t'
seen=
for ((i = 0; i < 200; ++i)); do
  while zpty -r -t shell piece; do seen+=$piece; done
  missing=0
  for word in "${@:3}"; do [[ $seen == *$word* ]] || missing=1; done
  ((missing)) || exit 0
  sleep 0.1
done
print -r -- "$seen"
exit 1
END
  zsh_shows() {  # LINE TEXT...
    timeout -k 5 60 zsh -f "$outside/tab.zsh" "$outside/functions" "$@" >shown
    code=$?
    check "zsh: $1: not all of ${*:2} in: $(cat -v shown)" test "$code" = 0
  }
  zsh_shows 'orrery ' 'find hidden causes' completion
  zsh_shows 'orrery lea' 'by quartet tests' # behind learn, which the first Tab completed
  zsh_shows 'orrery learn ' quartet 'by variational EM'
  zsh_shows 'orrery learn quartet --test ' calibrated coherence
  zsh_shows 'orrery import --form' '--format='
  zsh_shows 'orrery sample --network ' 'img' 'tree:chain:' data.h5
  zsh_shows 'orrery learn quartet da' 'data.h5 '
fi
finish
