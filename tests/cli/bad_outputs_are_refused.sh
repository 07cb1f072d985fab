#!/usr/bin/env bash
# Places that cannot be written: exit code 4, said before the work, nothing lost.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

make sample --network img --samples 200 -o data.h5
make params data.h5 --structure img -o model.h5
make_table 60 >table.csv
mkdir folder closed
printf 'a previous output' >closed/out
mkfifo pipe

# Every command that writes a file.
writers='import table.csv
sample --network img --samples 10
moments data.h5
learn quartet data.h5
params data.h5 --structure img
report model.h5
export model.h5 --format json
rename model.h5 x1=first
export data.h5 --rows --format csv'
while read -r command; do
  # shellcheck disable=SC2086  # the words are the arguments
  {
    refuses 4 folder 'is a directory' -- $command -o folder
    refuses 4 absent/out 'no directory absent' -- $command -o absent/out
    refuses 4 table.csv/out 'no directory' -- $command -o table.csv/out
    refuses 4 pipe 'device or pipe' -- $command -o pipe
    refuses 4 /dev/full 'device or pipe' -- $command -o /dev/full
  }
done <<<"$writers"

# Standard output may fail too.
full_output() {
  "$orrery" export model.h5 --format json -o - >/dev/full 2>"$outside/err"
  [[ $? == 4 ]] && grep -q 'error: standard output' "$outside/err"
}
check 'a full standard output' full_output

# A link stays a link; the file behind it is replaced.
mkdir elsewhere
printf 'old' >elsewhere/real.json
ln -s elsewhere/real.json link.json
make export model.h5 --format json -o link.json
check 'the link stays' test -L link.json
check 'its target is written' grep -q orrery-network elsewhere/real.json

# No permission. Root has every permission: it becomes nobody for this.
as_nobody=()
if ((EUID == 0)); then
  as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 777 "$folder"
  if ! command -v setpriv >/dev/null || ! "${as_nobody[@]}" "$orrery" --version >/dev/null 2>&1; then
    echo 'permissions are not tested: root cannot run the program as nobody'
    finish
  fi
fi
chmod 555 closed
cat >"$outside/as_nobody" <<END
#!/bin/sh
exec ${as_nobody[*]} "$orrery" "\$@"
END
chmod 755 "$outside" "$outside/as_nobody"
program=$orrery
orrery=$outside/as_nobody
while read -r command; do
  # shellcheck disable=SC2086  # the words are the arguments
  refuses 4 closed/out 'Permission denied' 'another place' 'untouched' -- $command -o closed/out
done <<<"$writers"
chmod 000 data.h5 table.csv model.h5
refuses 3 table.csv 'cannot be read' 'Permission denied' -- import table.csv -o out.h5
refuses 3 data.h5 'cannot be read' 'Permission denied' -- learn quartet data.h5 -o out.h5
refuses 3 model.h5 'cannot be read' 'Permission denied' -- evaluate model.h5 --truth img
chmod 644 data.h5 table.csv model.h5
chmod 755 closed
orrery=$program
finish
