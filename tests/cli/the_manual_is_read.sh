#!/usr/bin/env bash
# Manual pages: one of the program, of each command, method and topic; man, mandoc and the index of
# names read them without a complaint; they say what --help says.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

accepts 'orrery-import.1' 'orrery-learn-quartet.1' 'orrery-plan-tree.1' 'orrery-files.5' 'orrery-exit-codes.7' -- manual
cut -d' ' -f1 "$outside/out" | sort >names
accepts 'pages written to pages' -- manual -o pages
(cd pages && printf '%s\n' man?/* | sed 's|man./||' | sort) >written
check "every page is written: $(diff names written)" cmp -s names written
check 'sections in their folders' test -s pages/man1/orrery.1 -a -s pages/man5/orrery-files.5 -a -s pages/man7/orrery-json.7

# One page for each name that help lists.
listed() { "$orrery" help "${@:2}" | sed -n "/^$1/,/^\$/s/^  \\([a-z-]*\\) .*/\\1/p"; }
{
  echo orrery.1
  for command in $(listed commands); do
    echo "orrery-$command.1"
    [[ $command == learn || $command == plan ]] || continue
    for method in $("$orrery" help "$command" | awk '/^  / { print $1 }'); do echo "orrery-$command-$method.1"; done
  done
  for topic in $(listed topics); do
    [[ $topic == files ]] && echo orrery-files.5 || echo "orrery-$topic.7"
  done
} | sort >expected
check "a page for each: $(diff expected names)" cmp -s expected names
check "many pages: $(wc -l <names)" test "$(wc -l <names)" -ge 35

accepts '.TH "ORRERY-IMPORT" 1' -- manual orrery-import
cp "$outside/out" import.1
for name in import orrery-import.1; do
  accepts -- manual "$name"
  check "manual $name is the same page" cmp -s import.1 "$outside/out"
done
check 'as it is written' cmp -s import.1 pages/man1/orrery-import.1
accepts '.TH "ORRERY-LEARN-QUARTET" 1' -- manual quartet
refuses 2 '"orrery-imp"' 'orrery manual' -- manual orrery-imp
refuses 2 'PAGE and -o' -- manual import -o other
: >file
refuses 4 'file' 'name a folder' -- manual -o file/below

# Every section, every option with its default, and nothing that help does not say.
for title in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' ENVIRONMENT EXAMPLES 'SEE ALSO' VERSION; do
  check "orrery-import.1: $title" grep -qx ".SH $title" import.1
done
for page in orrery-learn-sem.1 orrery-params.1; do
  check "$page: REFERENCES" grep -qx '.SH REFERENCES' "pages/man1/$page"
done
check 'FILES' grep -qx '.SH FILES' pages/man1/orrery.1
check 'a checkpoint may stop it' grep -qF '\fB75\fR' pages/man1/orrery-learn-quartet.1
check 'nothing stops an import' grep -cqvF '\fB75\fR' pages/man1/orrery-import.1
check 'no option but those of help' cmp -s \
  <("$orrery" help infer | sed -nE 's/^  (-. \[ )?--([a-z-]+).*/\2/p' | sort) \
  <(sed -nE 's/^(\\fB\\-.\\fR, )?\\fB\\-\\-([a-z\\-]+)\\fR.*/\2/p' pages/man1/orrery-infer.1 | tr -d '\\' | sort)

if command -v man >/dev/null; then
  export MANWIDTH=80 MANROFFOPT='' MANPAGER=cat
  for page in pages/man?/*; do
    man -l --warnings "$page" >shown 2>complaints
    check "$page: man: $(head -2 complaints)" test ! -s complaints -a -s shown
    check "$page: fits 80 columns: $(awk 'length > 80' shown | head -1)" test -z "$(awk 'length > 80' shown)"
  done
  man -l pages/man1/orrery-infer.1 | col -b | tr -s '[:space:]' ' ' >infer.txt
  check 'a default' grep -qF 'Default: 4000.' infer.txt
  check 'an example' grep -qF 'orrery infer model.h5 data.h5 --top 3 -o posterior.h5' infer.txt
fi
if command -v lexgrog >/dev/null; then
  for page in pages/man?/*; do
    name=${page##*/}
    check "$page: the index of names: $(lexgrog "$page" 2>&1)" grep -qF "\"${name%.*} - " <(lexgrog "$page")
  done
fi
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning pages/man?/* >complaints
  check "mandoc: $(head -3 complaints)" test ! -s complaints
fi

command -v python3 >/dev/null || skip 'python3 reads the JSON'
run manual --json
check 'the list as JSON' python3 -c '
import json, sys
pages = json.load(open(sys.argv[1]))["pages"]
sys.exit([p["section"] for p in pages if p["name"] == "orrery-files"] != [5])' "$outside/out"
finish
