# shellcheck shell=bash
# Jobs on the SLURM of the test: submitted, followed to their end.
# shellcheck disable=SC2154  # scratch, root and orrery are lib.sh's

# submit SBATCH OPTION...: jobs/learn.sbatch on data.h5 for again.h5; sets $job. The watchdog is short
# unless $watchdog says otherwise; the rest of the environment is the test's.
submit() {
  job=$(on_head env ORRERY="$orrery" EVERY=0.5s OMPI_MCA_btl=self,vader,tcp \
    OMPI_MCA_btl_tcp_if_include=eth0 sbatch --parsable --chdir="$scratch" --output="$scratch/log" \
    --cpus-per-task=1 "$@" "$root/jobs/learn.sbatch" --test rank "$scratch/data.h5" -o again.h5 \
    --watchdog "${watchdog:-5s}")
  [[ -n $job ]] || exit 4
}

# SLURM takes a host out of service where a process took long to die, as it may on a busy machine; it
# is put back, as an administrator would do. A host whose daemon is gone stays out.
return_hosts() {
  local host pid
  for host in $(on_head sinfo --noheader --Node --states=down,drain,fail --format=%n | sort -u); do
    for pid in $("$here/hosts" processes "$host"); do
      [[ $(cat "/proc/$pid/comm" 2>/dev/null) == slurmd ]] || continue
      on_head sinfo --noheader --nodes="$host" --format=%n:%t:%E
      on_head scontrol update "NodeName=$host" State=RESUME
    done
  done
}

# A job whose attempt is over keeps a host until SLURM has seen the last of its processes there, and so
# cannot begin again. A host that has not let a job go for long is put down and back, as an
# administrator would do: SLURM then forgets what it waited for.
free_hosts() {
  local host pid
  for host in $(on_head sinfo --noheader --Node --states=completing --format=%n | sort -u); do
    echo "$host does not let the job go; its processes, their seconds and where they wait:"
    for pid in $("$here/hosts" processes "$host"); do
      ps --no-headers -o pid,etimes,wchan:20,args --pid "$pid"
      [[ $(cat "/proc/$pid/comm" 2>/dev/null) != slurmstepd ]] || kill -KILL "$pid"
    done
    on_head scontrol update "NodeName=$host" State=DOWN Reason=completing
  done
  return_hosts
}

job_state() {
  on_head scontrol show job "$job" | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p'
}

# SLURM holds a requeued job for two minutes, since a host refuses a job whose last attempt it ended in
# the same second; five seconds are enough here. A job that a slow host refused all the same is
# released, as an administrator would do.
hurry_job() {
  on_head scontrol update "JobId=$job" StartTime=now
  return_hosts
  # "launch failed requeued held": nothing else would start it.
  on_head squeue --noheader --format=%r --jobs="$job" | grep -qi held && on_head scontrol release "$job"
}

# await_checkpoint SECONDS FILE: of the submitted job, which a host may have refused at first; it
# looks often, since a short run removes its checkpoint soon.
await_checkpoint() {
  local tenths
  for ((tenths = 1; tenths <= 10 * $1; ++tenths)); do
    [[ -s $2 ]] && return
    sleep 0.1
    ((tenths % 50 == 0)) && [[ $(job_state) == PENDING ]] && hurry_job
  done
  [[ -s $2 ]]
}

# follow_job SECONDS: until the job is over; sets $state. What looks like an end may be a moment on
# the way back into the queue, so it must last.
# shellcheck disable=SC2034  # the tests read $state
follow_job() {
  local last='' until=$((SECONDS + $1)) over=0 pending=0 completing=0
  while ((SECONDS < until && over < 6)); do
    state=$(job_state)
    [[ $state == "$last" ]] || echo "job $job: $state"
    last=$state
    case $state in
      COMPLETED) break ;;
      FAILED | CANCELLED | TIMEOUT | NODE_FAIL | OUT_OF_MEMORY) over=$((over + 1)) ;;
      PENDING)
        over=0
        pending=$((pending + 1))
        ((pending % 10 == 0)) && hurry_job
        ;;
      COMPLETING)
        over=0
        completing=$((completing + 1))
        ((completing % 80 == 0)) && free_hosts
        ;;
      *)
        over=0
        pending=0
        completing=0
        ;;
    esac
    sleep 0.5
  done
  [[ $state == COMPLETED ]] && return
  on_head scontrol show job "$job"
  on_head squeue --all
  on_head sinfo --Node --long
  grep -v ' debug' "$scratch/slurm/log/slurmctld" | tail -n 40
}
