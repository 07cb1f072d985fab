// Topics of `orrery help`: one table of short texts.
#include <fmt/format.h>

#include <iterator>
#include <sstream>
#include <vector>

#include "base/text.hpp"
#include "cli/help.hpp"
#include "commands/guide.hpp"
#include "commands/help.hpp"
#include "family/table.hpp"

namespace orrery::commands {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// "  NAME    what it is", with further lines below "what" from `column` on, for a manual page too.
std::string entry(const std::string& name, std::size_t column, const std::string& meaning) {
  constexpr std::size_t most_columns = 73;
  std::string line = fmt::format("  {:{}}", name, column - 2);
  std::string text;
  for (const std::string& word : words_of(meaning)) {
    if (line.size() > column && line.size() + 1 + word.size() > most_columns) {
      text += line + "\n";
      line = std::string(column, ' ');
    }
    append_text(line, "{}{}", line.size() > column ? " " : "", word);
  }
  return text + line + "\n";
}

std::string files() {
  return R"(Data, models, moments, posteriors and checkpoints are HDF5 files of one schema,
which h5py, R and others read without code of orrery's. `orrery info FILE` says
what one holds, and which command made it. Networks are JSON too (`orrery export
MODEL --format json`), and every table can be CSV; a page is one HTML file that
needs no network.

  DATA     rows: what `orrery import` and `orrery sample` write
  MODEL    what `orrery learn` and `orrery params` write, or any NETWORK
  NETWORK  a generator (`orrery help networks`), a model file, a JSON
           file (FILE:NAME for one of several networks), or the data that
           `orrery sample` drew, which hold their true network
  -o -     standard output, of `orrery export`

A file appears whole or not at all: it is written under a hidden name beside the
last one, checked and renamed. The previous file stays until then. No command
writes over a file that it reads, whatever links lead to it.

Groups of a file, and datasets of those that are read most:

  /samples      rows of bits: names; bits, uint64, a row per variable, in
                which bit i of word w is sample 64 w + i; missing alike
  /dense        rows of numbers: names; values, float64, NaN is missing
  /categorical  rows of categories: names; codes, uint8, 255 is missing;
                category, the names of all, of the first column first
  /moments      counts of pairs and triples
  /model        a noisy-OR network: causes/name, causes/prior;
                observed/name, observed/leak; edges/cause, edges/observed
                (places in the two lists), edges/failure
  /tree, /linear, /categorical_network
                models of the other families
  /posterior    answers of `orrery infer`: causes; of row i the entries
                end[i - 1] to end[i] of cause, probability and error
  /prediction   of a tree: signs predicted from others
  /checkpoint   a run that can go on
  /run          who made the file: version, commit, command_line, host,
                started, seed, ranks, threads; the only group that may
                differ between two runs of the same work

Each dataset has an attribute "digest"; a file that was damaged is refused.
)";
}

std::string formats() {
  std::string networks;
  for (const family::Family* family : family::families()) {
    for (const family::NetworkImport& network : family->imports) {
      networks += fmt::format("--format {}: {}\n", network.format, network.help);
    }
  }
  return cli::filled(fmt::format(
      "Read by `orrery import`: tables with one row per sample. The format is "
      "recognised by itself; "
      "--format names it, and `orrery help import` lists all that there are.\n"
      "\n"
      "Read by `orrery import`, networks instead of rows:\n{}"
      "\n"
      "Written by `orrery export`: json, {}. Rows of a data file are written as csv or npy.\n"
      "\n"
      "Everything else is HDF5 (`orrery help files`).\n",
      networks, family::format_help()));
}

std::string networks() {
  return cli::filled(fmt::format(
      "Where a command takes a NETWORK, it takes a file (`orrery help files`) or one of these "
      "generators, whose random parts are a function of --seed:\n\n{}.\n",
      family::generator_help()));
}

std::string learners_of(learning::Input input) {
  std::string text;
  for (const family::Family* family : family::families()) {
    for (const learning::LearnerEntry* learner : family->learners) {
      if (learner->input != input) continue;
      text += entry(learner->name, 12, learner->summary);
    }
  }
  return text;
}

std::string learners() {
  return fmt::format(
      "`orrery learn METHOD DATA -o model.h5`: which method depends on what the columns\n"
      "hold. `orrery help learn METHOD` lists a method's options.\n\n"
      "columns that are on or off (`orrery import`)\n{}\n"
      "columns of numbers (`orrery import --numeric`)\n{}\n"
      "columns of categories (`orrery import --categorical`)\n{}",
      learners_of(learning::Input::bits), learners_of(learning::Input::numbers),
      learners_of(learning::Input::categories));
}

std::string exit_codes() {
  std::string text;
  for (const ExitStatus& status : exit_statuses()) {
    text += entry(fmt::format("{}", status.code), 6, status.meaning);
  }
  return text + R"(
An error is one line on standard error: what is wrong, where, the values, and
what to do. `orrery` alone shows its help on standard error and ends with 2.
)";
}

std::string environment_text() {
  std::string text;
  for (const Variable& variable : environment()) {
    text += entry(variable.name, 19, variable.meaning);
  }
  return text;
}

std::string config() {
  return R"(--config FILE reads options from a file, a line each, without their dashes:

  # learn.ini
  threads = 4
  seed = 7
  time-limit = 2h

  orrery learn quartet data.h5 --config learn.ini --seed 8 -o model.h5

The command line wins: the seed is 8. An option without a value is NAME = true.
Options that every command has may stand in a file for several commands, those
without an effect (threads, of `orrery info`) too; any other option that the
command does not have is an error.

A whole number may have an exponent: --samples 1e6.

Variables of the environment:
)" + std::string("\n") +
         environment_text();
}

std::string json() {
  return R"(With --json a command prints one JSON object on standard output, and nothing
else there; progress, warnings and errors go to standard error, with the same
exit codes. Infinite numbers are null. These are the members; those in brackets
are there where they say something, or for some families of networks only.

  import    format n_samples n_observed n_missing output [row_names]
            of a network: format n_causes n_observed n_edges left_out
            output
  sample    n_samples n_observed output [n_causes n_edges n_anchors
            n_cause_edges labels crossover crossovers law]
  moments   order n_observed n_samples output
  learn, params
            output seconds n_samples [n_observed n_variables causes
            n_edges edges remarks n_cause_edges n_couplings levels
            components crossover crossover_error]
            of categories also: choices data_digest evidence_kind learner
            log_evidence posterior_of_structure
  depth     test n_causes n_observed n_edges [epsilon quartets
            quartets_examined width width_is_exact] [depths never causes;
            holds levels]
  evaluate  the model: model, linear, tree or anchored
            with --truth: true_causes learned_causes [recovered extra
            min_prior causes matches matched_by by_cosine same_support
            difference coverage learned_at_depth
            learned_at_structural_depth true_cause_edges
            learned_cause_edges common_cause_edges true_edges
            learned_edges common_edges missing_edges wrong_edges edge_f1
            edge_precision edge_recall f1 precision recall true_loadings
            extra_loadings mean_extra_strength mean_prior_error
            max_prior_error mean_failure_error median_failure_error
            max_failure_error mean_leak_error max_leak_error
            loading_error largest_loading_error covariance_error
            noise_error level_errors coupling kl_to_truth kl_from_truth
            symmetric_kl symmetric_kl_by_interactions exact
            exact_up_to_leaves sstv sstv_pair sstv_3 sstv_triple
            largest_moment_error variables exact_variables]
            with --data: rows held_out log_likelihood
            [true_log_likelihood train_rows independent_log_likelihood
            chow_liu_log_likelihood mixture_log_likelihood
            mixture_components predictive_check missing_values data
            observed]; with --marginal-likelihood:
            log_marginal_likelihood [true_log_marginal_likelihood]
            with --labels: labels [last_tag]; with --moment: moment
  plan tree p alpha beta crossover delta structure [eta prediction
            symmetric_kl weakest_edge]
  plan quartet
            n_causes n_learnable least_prior least_failure most_failure
            least_off priors_below_half epsilon quartets
            quartets_examined width width_is_exact depth delta
            log10_sufficient [samples log10_error]
  infer     rows mean_log_evidence impossible [exact sampled
            largest_error unproven_explanations corrected_signs variables
            score]; output, or results without -o; with --explain: row
            [row_name] causes
  report    output bytes
  export    output bytes [n_samples n_observed]
  rename    output renamed
  split     n_train n_test output test_file
  cat       n_samples n_observed n_files output
  info      schema, and each group that the file holds: samples dense
            categorical moments model tree linear anchored checkpoint
            posterior prediction run (version commit command_line ...)
  completion
            shell script
  manual    pages: name section summary; of a page name section text;
            with -o output n_pages
  cite      entries: key text bibtex
  help      version commands topics; of a command command usage
            description options common_options (of each name help [value
            default choices]) examples, or usage methods; of a topic
            topic text
  --version version; with --verbose also commit commit_date compiler
            flags build mpi hdf5 blas eigen boost kernels kernel families

  with --dry-run, any command
            memory_bytes_per_rank memory_bytes units unit [seconds
            processor_seconds stage_seconds not_forecast]
  learn with --ranks
            also scaling: ranks seconds efficiency limit limit_seconds;
            stage_costs: stage alone waited shared longest messages bytes
            exchanged

With -o - of `orrery export` standard output is what is exported: --json is
refused.
)";
}

std::string log() {
  return R"(--log FILE adds to the end of FILE, a line at a time with the time in UTC, what
a run was, said and took: the command line, version, host, folder, ranks and
threads; of `learn` and `params` what to cite; each stage when it ends, and how
far it is once a minute; warnings and errors; the exit code. -q and -v change
nothing about it. A run that is killed leaves all that it had said, without a
line "end". Several runs may share a file.

  2026-01-31T12:00:00Z start: orrery learn tree d.h5 -o m.h5 --log m.log
  2026-01-31T12:00:00Z version: orrery 1.0.0 (commit 0123456789)
  ...
  2026-01-31T12:00:09Z end: exit code 0 after 9.0 s

Rank 0 writes it; another rank adds its error to it before it ends the run. A
file that is there and is not such a log is refused.
)";
}

}  // namespace

const std::vector<ExitStatus>& exit_statuses() {
  static const std::vector<ExitStatus> table{
      {0, "done"},
      {2, "the command line cannot be obeyed"},
      {3, "an input file cannot be used"},
      {4, "the environment failed: disk full, no permission, no memory, a lost rank"},
      {75, "stopped at a checkpoint: the same command with --resume goes on"},
  };
  return table;
}

const std::vector<Variable>& environment() {
  static const std::vector<Variable> table{
      {"NO_COLOR", "if it is set, messages on a terminal have no colours"},
      {"OMP_NUM_THREADS", "threads of each rank where --threads says nothing"},
      {"ORRERY_KERNEL", "instructions that count bits: scalar, avx2 or avx512"},
  };
  return table;
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> table{
      {"noisy-or", "what the model is, and the words for its parts", noisy_or_topic},
      {"choosing", "which command and method is for what", choosing_topic},
      {"reading", "how to read a result", reading_topic},
      {"files", "what DATA, MODEL and NETWORK are, and how files are written", files},
      {"formats", "what is read and written for other programs", formats},
      {"networks", "built-in networks to sample and to compare with", networks},
      {"learners", "which method is for which data", learners},
      {"parallel", "ranks, threads, checkpoints and SLURM", parallel_topic},
      {"exit-codes", "what a script learns from them", exit_codes},
      {"config", "options from a file and from the environment", config},
      {"json", "what --json prints", json},
      {"log", "what --log keeps", log},
  };
  return table;
}

}  // namespace orrery::commands
