#include "commands/guide.hpp"

namespace orrery::commands {

std::string noisy_or_topic() {
  return R"(A noisy-OR network explains why variables are on together: hidden causes switch
them on. Each cause is present in a row with its prior probability. A present
cause tries to switch on each of its children, and fails now and then. A
variable is off if its leak and all of its present causes fail, each
independently.

  P(variable is off) = (1 - leak) x the failures of its present causes

With a leak of 0.01 and two present causes of failures 0.2 and 0.5, a variable
is off with probability 0.99 x 0.2 x 0.5 = 0.099.

  sample     one observation: a patient, a document; a row of the table
  variable   what is observed of a row, on or off; a column of the table
  cause      a hidden variable, which nobody observed: a disease
  edge       a cause and a variable that the cause acts on, its child
  failure    the probability that a present cause leaves a child off
  strength   1 - failure: the probability that it switches the child on
  leak       the probability that a variable is on without any cause
  prior      the probability of a cause before a row is seen
  posterior  the same once the row is seen: what `orrery infer` tells
  anchor     a variable that one cause alone switches on: its sure sign

`orrery learn quartet` finds the causes, their priors, failures and leaks in a
table. Causes have no names of their own: `orrery rename` gives them some.
)";
}

std::string choosing_topic() {
  return R"(  I have                                 I use
  a table of 0/1, yes/no or true/false   orrery import
  a table of measured numbers            orrery import --numeric
  answers out of several categories      orrery import --categorical
  a line per row and variable, such as   orrery import --format long
  codes of patients
  a network of another program           orrery import --format edges

  bits, and know nothing of the causes   orrery learn quartet
  bits, and a number of causes in mind   orrery learn vem --causes K
  bits, and a sure sign of each cause    orrery learn anchored
  bits, and know all edges               orrery params
  bits, and know some causes or edges    orrery learn quartet --structure
  bits that depend on one another        orrery learn tree
  directly, seen through noise
  numbers                                orrery learn linear
  categories, causes of two states       orrery learn sep
  categories, any number of parents      orrery learn sem

  a model, and want to see it            orrery report
  a model, and ask if it is right        orrery evaluate
  a model and new rows                   orrery infer
  a model for another program            orrery export
  no data yet                            orrery plan, orrery sample

`orrery learn quartet` has nothing to tune: begin with it. It says at its end if
the table is not of its kind, and what would suit it better. Where an option
takes one of few words, `orrery help COMMAND` lists them. Hold rows out before
you learn (`orrery split`), so that `orrery evaluate` has rows that the model
has not seen.
)";
}

std::string reading_topic() {
  return R"(What `orrery learn` prints, what `orrery evaluate` adds, and what the page of
`orrery report` draws are the same facts. Look at them in this order.

1. The verdict. The page begins with "Good" or "Take care", and why. `orrery
learn quartet` ends with the share of the pairs of variables that are on
together more often or more rarely than the network expects, by more than 3
standard errors. Chance makes it 0.3 %. Where it is some percent, the network
misses something.

2. Held-out rows. `orrery evaluate MODEL --data TEST --train TRAIN` gives the
mean log-likelihood per row in nats; higher (nearer to 0) is better. It stands
beside that of a tree, of a mixture of kinds of rows and of independent
variables. A model that does not beat them has found no causes worth having.
"Worst pairs" tells where it errs.

3. The causes, by weight of evidence. A cause is shown by its strongest
children.

  prior          how often it is present, with a 95 % interval
  children       how many variables it acts on
  depth          how many rounds of subtracting other causes it took to
                 see it; 0 is the clearest
  support        how many quartets of variables speak for it
  learned from   the variables that it was seen by first

4. The edges. A failure near 0 is a strong edge. An interval that reaches 1, or
an edge among the "weakest edges", is a guess. `--stability 20` of `orrery
learn` tells how often each cause and edge is found again in resampled rows:
trust what is found in most of them.

5. Rows. `orrery infer MODEL DATA` gives the posterior of each cause in each
row, and with --explain the findings that speak for and against it.

With a known truth, `orrery evaluate MODEL --truth NETWORK` counts the causes
that were recovered, missed and learned in excess. A cause is a pattern of
variables that are on together; that it causes them is for you to judge.
)";
}

std::string parallel_topic() {
  return R"(Nothing is needed on one computer: orrery uses all cores that it may. --threads
N takes fewer. The result is the same on any number of threads and ranks.

  mpirun -n 4 orrery learn quartet data.h5 -o model.h5 --threads 8

starts four ranks (processes) of eight threads each. On several hosts, start one
rank per host with as many threads as the host has cores. All hosts must see the
files. --dry-run tells what memory and time a run will take. Data that are too
large for one host are divided among the ranks by --memory 4GiB of `orrery
learn`.

A long run keeps its state in a file, and goes on from there, on any number of
ranks:

  orrery learn quartet data.h5 -o model.h5 --checkpoint run.ck
  orrery learn quartet data.h5 -o model.h5 --checkpoint run.ck --resume

It is written every 5 minutes (--every). The signals USR1, TERM, HUP and INT
write it too, and end the run with exit code 75. --time-limit 2h ends it with
the best model found by then.

SLURM: ask for a signal before the time is over, and go back into the queue.

  #!/bin/bash
  #SBATCH --nodes=2 --ntasks-per-node=1 --cpus-per-task=8
  #SBATCH --time=04:00:00 --signal=USR1@120 --requeue --open-mode=append
  export SLURM_PMIX_FENCE=ring
  srun --mpi=pmix orrery learn quartet data.h5 -o model.h5 \
    --threads 8 --checkpoint run.ck --resume --log run.log
  [ $? -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"

A rank that is not heard from for --watchdog (60 s) ends the run, which then
goes on from its checkpoint. `orrery info run.ck` says how far it had come.
)";
}

}  // namespace orrery::commands
