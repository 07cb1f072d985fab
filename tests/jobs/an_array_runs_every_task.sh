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
check 'an element a task' test "$(echo four/*.json | wc -w)" = 4
jobs/sweep collect small.ini four >four.table
check 'an element of 0-2 that has two tasks' element 2 0 three
check 'has these two' test "$(echo three/*.json)" = 'three/task-0.json three/task-3.json'
for k in 1 2; do check "element $k of 0-2" element 2 "$k" three; done
jobs/sweep collect small.ini three >three.table
for folder_of in four three; do
  check "$folder_of: the same CSV" diff <(without_times local/sweep.csv) \
    <(without_times $folder_of/sweep.csv)
  check "$folder_of: the same table" diff local.table $folder_of.table
done

refuses 2 'usage: sbatch' -- bash jobs/sweep.sbatch small.ini out
refuses 2 'usage: sbatch' -- env SLURM_ARRAY_TASK_ID=0 bash jobs/sweep.sbatch small.ini
mkdir elsewhere
cp "$jobs/sweep.sbatch" elsewhere
cd elsewhere || exit 1
refuses 2 'submit from the root' -- env SLURM_ARRAY_TASK_ID=0 bash sweep.sbatch small.ini out
cd ..
finish
