#!/usr/bin/env bash
# The elements of a SLURM array, in any order and number, do together what one machine does.
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "$0")/lib.sh"
small_sweep
ln -s "$jobs" jobs  # jobs are submitted from the root of the repository

element() {  # LAST K FOLDER
  SLURM_ARRAY_TASK_MAX=$1 SLURM_ARRAY_TASK_ID=$2 SLURM_CPUS_PER_TASK=1 \
    bash jobs/sweep.sbatch small.ini "$3"
}
check 'one machine' jobs/sweep run small.ini local
jobs/sweep collect small.ini local >local.table
for k in 3 1 0 2; do check "element $k of 0-3" element 3 "$k" four; done
check 'an element per task' test "$(echo four/*.json | wc -w)" = 4
jobs/sweep collect small.ini four >four.table
check 'an element of 0-2 that has two tasks' element 2 0 three
check 'has these two' test "$(echo three/*.json)" = \
  'three/con_2000_0.01_2.json three/con_200_0.01_1.json'
for k in 1 2; do check "element $k of 0-2" element 2 "$k" three; done
jobs/sweep collect small.ini three >three.table
for folder_of in four three; do
  check "$folder_of: the same CSV" diff <(without_times local/sweep.csv) \
    <(without_times $folder_of/sweep.csv)
  check "$folder_of: the same table" diff <(without_times local.table) \
    <(without_times $folder_of.table)
done

# Before the time limit SLURM sends USR1 to the script alone. What this asks SLURM for goes to a file.
slow_program 'learn *'
printf '#!/bin/sh\necho "$@" >slow/asked\n' >slow/scontrol
chmod +x slow/scontrol
PATH=$PWD/slow:$PATH ORRERY=$PWD/slow/orrery SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_MAX=3 \
  SLURM_ARRAY_TASK_ID=2 SLURM_CPUS_PER_TASK=1 bash jobs/sweep.sbatch small.ini stopped &
script=$!
check 'it runs' appears slow/learning
kill -USR1 "$script"
wait "$script"
check 'a stopped element says so by its code' test $? = 75
check 'its program was ended first' test -e slow/ended
check 'it asks to be requeued' test "$(cat slow/asked)" = 'requeue 7_2'

refuses 2 'usage: sbatch' -- bash jobs/sweep.sbatch small.ini out
refuses 2 'usage: sbatch' -- env SLURM_ARRAY_TASK_ID=0 bash jobs/sweep.sbatch small.ini
mkdir elsewhere
cp "$jobs/sweep.sbatch" elsewhere
cd elsewhere || exit 1
refuses 2 'submit from the root' -- env SLURM_ARRAY_TASK_ID=0 bash sweep.sbatch small.ini out
cd ..
finish
