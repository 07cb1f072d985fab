#!/usr/bin/env bash
# jobs/learn.sbatch by itself, with a program and a scontrol that only look like it: what goes back into
# the queue, and that two requeues that bring the run no further are the last.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"

mkdir bin
# Ends with $ENDS_WITH; a checkpoint says what $STATE is.
cat >bin/orrery <<'END'
#!/usr/bin/env bash
if [[ $1 == info ]]; then
  printf '{\n  "state_digest": "%s"\n}\n' "$(cat "$3")"
  exit 0
fi
[[ -z ${STATE:-} ]] || echo "$STATE" >model.h5.checkpoint
exit "$ENDS_WITH"
END
printf '#!/usr/bin/env bash\necho "requeued $2"\nexit 1\n' >bin/scontrol  # 1: the script goes on
chmod +x bin/orrery bin/scontrol

# attempt CODE STATE: sets $log; one attempt of the job
attempt() {
  log=$(PATH=$PWD/bin:$PATH SLURM_JOB_ID=7 SLURM_JOB_NODELIST=here LAUNCHER=env ORRERY=orrery \
    ENDS_WITH=$1 STATE=$2 bash "$jobs/learn.sbatch" data.h5 -o model.h5 2>&1)
  code=$?
}
says() { grep -q -- "$1" <<<"$log"; }
says_not() { ! says "$1"; }

attempt 75 a1
check '75: back into the queue' says 'requeued 7'
check '75: its code' test $code = 75
attempt 75 a2
check 'with progress: again' says 'requeued 7'
attempt 75 a2
check 'without: again' says 'requeued 7'
attempt 75 a3
check 'with progress: again, and the count begins anew' says 'requeued 7'
attempt 75 a3
check 'once without' says 'requeued 7'
attempt 75 a3
check 'twice without: no more' says_not 'requeued'
check 'it says why' says 'brought it no further'
check 'its code is the last one' test $code = 75

rm -f model.h5.checkpoint
attempt 139 ''
check 'dead at once: back into the queue' says 'requeued 7'
check 'it says what it was' says 'signal 11'
attempt 138 ''
check 'by another signal: again' says 'requeued 7'
attempt 143 ''
check 'the third time: no more' says_not 'requeued'

attempt 3 ''
check 'an input error: never' says_not 'requeued'
attempt 4 ''
check 'no new checkpoint: never' says_not 'requeued'
attempt 75 b1
attempt 0 ''
check 'done: nothing is left beside the model' test ! -e model.h5.checkpoint.attempts
finish
