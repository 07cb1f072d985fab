#!/usr/bin/env bash
# Errors red, warnings yellow, verdicts green or yellow on a terminal; in files and pipes, with
# NO_COLOR or on a dumb terminal, plain.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
unset NO_COLOR

script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip 'no script (bsdutils), or no pseudo-terminal'
quoted=$(printf %q "$orrery")
on_terminal() {  # COMMAND: what reaches the terminal, in $outside/screen
  TERM=${kind-xterm} script -qec "$1" /dev/null >"$outside/screen" </dev/null
}
escape=$'\033'
shows() { check "$1: $(cat -v "$outside/screen")" grep -qF "${escape}[$2" "$outside/screen"; }
plain() { check "$1: $(cat -v "$outside/screen")" test "$(grep -cF "${escape}[3" "$outside/screen")" = 0; }

printf 'a,b\n1,0\n1,1\n1,0\n' >constant.csv
on_terminal "$quoted info absent.h5"
shows 'an error is red' '31merror:'
on_terminal "$quoted import constant.csv -o constant.h5"
shows 'a warning is yellow' '33mwarning:'
on_terminal "$quoted evaluate img --truth img"
shows 'all recovered is green' '32m8 of 8 causes recovered'
on_terminal "$quoted evaluate con:8 --truth img"
shows 'nothing recovered is yellow' '33m0 of 8 causes recovered'
shows 'a cell is coloured' '33mno'
cp "$outside/screen" coloured
on_terminal "NO_COLOR=1 $quoted evaluate con:8 --truth img"
plain 'NO_COLOR'
check 'colours move nothing' cmp -s "$outside/screen" <(sed 's/\x1b\[[0-9]*m//g' coloured)
on_terminal "NO_COLOR= $quoted info absent.h5"
shows 'an empty NO_COLOR is none' '31merror:'
kind=dumb on_terminal "$quoted info absent.h5"
plain 'a dumb terminal'
on_terminal "$quoted evaluate img --truth img --json"
plain 'JSON'
on_terminal "$quoted evaluate img --truth img | cat; $quoted info absent.h5 2>&1 | cat"
plain 'pipes'
on_terminal "$quoted evaluate img --truth img >out.txt; $quoted import constant.csv -o constant.h5 --log run.log"
check 'files are plain' test "$(cat out.txt run.log | grep -cF "$escape")" = 0
finish
