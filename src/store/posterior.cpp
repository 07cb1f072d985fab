// Posteriors and predictions into and out of files, some rows at a time.
// Memory: what is appended; a megabyte to verify.

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

#include "store/dataset.hpp"
#include "store/groups.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;

bool is_of_rows(const PosteriorRows& rows, std::size_t n_rows) {
  const auto sum_of = [](const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  const std::size_t n_explanations = rows.log_probability.size();
  return n_rows > 0 && rows.log_evidence.size() == n_rows &&
         rows.log_evidence_error.size() == n_rows && rows.method.size() == n_rows &&
         rows.effective_samples.size() == n_rows && rows.n_listed.size() == n_rows &&
         rows.cause.size() == sum_of(rows.n_listed) &&
         rows.probability.size() == rows.cause.size() && rows.error.size() == rows.cause.size() &&
         n_explanations % n_rows == 0 && rows.proven.size() == n_explanations &&
         rows.n_present.size() == n_explanations && rows.present.size() == sum_of(rows.n_present);
}

void PosteriorRows::append(const PosteriorRows& rows) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(log_evidence, rows.log_evidence);
  add(log_evidence_error, rows.log_evidence_error);
  add(method, rows.method);
  add(effective_samples, rows.effective_samples);
  add(n_listed, rows.n_listed);
  add(cause, rows.cause);
  add(probability, rows.probability);
  add(error, rows.error);
  add(log_probability, rows.log_probability);
  add(proven, rows.proven);
  add(n_present, rows.n_present);
  add(present, rows.present);
}

// --------------------------------------------------------------------------------------- writing

namespace {

/// Where each list ends, for lists of the given lengths, behind `last`.
std::vector<std::uint64_t> ends_of(const std::vector<std::uint64_t>& lengths, std::uint64_t& last) {
  std::vector<std::uint64_t> ends;
  ends.reserve(lengths.size());
  for (const std::uint64_t length : lengths) ends.push_back(last += length);
  return ends;
}

}  // namespace

struct PosteriorWriter::State {
  struct Explanations {
    Handle group;
    ValueStream<double> log_probability;
    ValueStream<std::uint32_t> proven;
    ValueStream<std::uint64_t> end;
    ValueStream<std::uint32_t> cause;
    std::uint64_t last = 0;

    Explanations(const Handle& parent, std::uint64_t n)
        : group(hdf5::create_group(parent, "explanations")),
          log_probability(group, "log_probability", n),
          proven(group, "proven", n),
          end(group, "end", n),
          cause(group, "cause", n) {}
  };
  NewFile file;  // first: destroyed after all that is inside it
  Handle group;
  ValueStream<double> log_evidence, log_evidence_error;
  ValueStream<std::uint32_t> method;
  ValueStream<double> effective_samples;
  ValueStream<std::uint64_t> end;
  ValueStream<std::uint32_t> cause;
  ValueStream<double> probability, error;
  std::optional<Explanations> explanations;
  std::uint64_t n_samples;
  std::uint64_t n_appended = 0;
  std::uint64_t last = 0;

  State(const std::filesystem::path& path, const PosteriorHeader& header);
  void append(const PosteriorRows& rows);
  void finish(const RunInfo& run);
};

PosteriorWriter::State::State(const std::filesystem::path& path, const PosteriorHeader& header)
    : file(path),
      group(hdf5::create_group(file.root(), "posterior")),
      log_evidence(group, "log_evidence", header.n_samples),
      log_evidence_error(group, "log_evidence_error", header.n_samples),
      method(group, "method", header.n_samples),
      effective_samples(group, "effective_samples", header.n_samples),
      end(group, "end", header.n_samples),
      cause(group, "cause", header.n_samples),
      probability(group, "probability", header.n_samples),
      error(group, "error", header.n_samples),
      n_samples(header.n_samples) {
  require_storable_names(header.causes);
  hdf5::write_attribute(group, "n_samples", header.n_samples);
  write_digest_attribute(group, "data_digest", header.data_digest);
  hdf5::write_attribute(group, "min_posterior", header.min_posterior);
  hdf5::write_attribute(group, "top", header.top);
  write_strings(group, "causes", header.causes);
  if (header.top > 0) explanations.emplace(group, header.n_samples);
}

void PosteriorWriter::State::append(const PosteriorRows& rows) {
  log_evidence.append(rows.log_evidence);
  log_evidence_error.append(rows.log_evidence_error);
  method.append(rows.method);
  effective_samples.append(rows.effective_samples);
  end.append(ends_of(rows.n_listed, last));
  cause.append(rows.cause);
  probability.append(rows.probability);
  error.append(rows.error);
  if (explanations) {
    explanations->log_probability.append(rows.log_probability);
    explanations->proven.append(rows.proven);
    explanations->end.append(ends_of(rows.n_present, explanations->last));
    explanations->cause.append(rows.present);
  }
  n_appended += rows.size();
}

void PosteriorWriter::State::finish(const RunInfo& run) {
  assert(n_appended == n_samples);
  log_evidence.finish();
  log_evidence_error.finish();
  method.finish();
  effective_samples.finish();
  end.finish();
  cause.finish();
  probability.finish();
  error.finish();
  if (explanations) {
    explanations->log_probability.finish();
    explanations->proven.finish();
    explanations->end.finish();
    explanations->cause.finish();
    explanations->group.close();
  }
  group.close();
  file.finish(run);
}

PosteriorWriter::PosteriorWriter(const std::filesystem::path& path, const PosteriorHeader& header)
    : state_(writing(path, [&] { return std::make_unique<State>(path, header); })) {}

PosteriorWriter::~PosteriorWriter() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

void PosteriorWriter::append(const PosteriorRows& rows) {
  writing(state_->file.path(), [&] { state_->append(rows); });
}

void PosteriorWriter::finish(const RunInfo& run) {
  writing(state_->file.path(), [&] { state_->finish(run); });
}

// --------------------------------------------------------------------------------------- reading

namespace {

PosteriorHeader read_posterior_parts(const Handle& group) {
  PosteriorHeader header;
  header.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  header.data_digest = read_digest_attribute(group, "data_digest");
  header.min_posterior = hdf5::read_attribute<double>(group, "min_posterior");
  header.top = hdf5::read_attribute<std::uint32_t>(group, "top");
  header.causes = read_strings(group, "causes");
  return header;
}

/// The ends of n lists; lengths into `lengths`. Returns the last.
std::uint64_t read_ends(const Handle& group, std::uint64_t n, std::vector<std::uint64_t>* lengths) {
  std::uint64_t last = 0;
  for_each_value<std::uint64_t>(group, "end", n, [&](std::uint64_t end) {
    if (end < last) {
      throw FormatError(fmt::format("{}/end falls from {} to {}; {}", hdf5::object_name(group),
                                    last, end, not_ours));
    }
    if (lengths != nullptr) lengths->push_back(end - last);
    last = end;
  });
  return last;
}

/// Checks all; keeps it in `rows` unless that is null.
void read_posterior_group(const StoredFile& file, PosteriorRows* rows) {
  const Handle group = file.group("posterior");
  const PosteriorHeader header = read_posterior_parts(group);
  const std::uint64_t n = header.n_samples;
  const auto keep = [&](auto member) { return rows == nullptr ? nullptr : &(rows->*member); };
  const auto most_cause =
      static_cast<std::uint32_t>(std::max<std::size_t>(header.causes.size(), 1) - 1);
  using Rows = PosteriorRows;
  read_any(group, "log_evidence", n, keep(&Rows::log_evidence));
  read_any(group, "log_evidence_error", n, keep(&Rows::log_evidence_error));
  read_bounded(group, "method", n, std::uint32_t{2}, keep(&Rows::method));
  read_any(group, "effective_samples", n, keep(&Rows::effective_samples));
  const std::uint64_t n_listed = read_ends(group, n, keep(&Rows::n_listed));
  read_bounded(group, "cause", n_listed, most_cause, keep(&Rows::cause));
  read_bounded(group, "probability", n_listed, 1.0, keep(&Rows::probability));
  read_bounded(group, "error", n_listed, 1.0, keep(&Rows::error));
  if (header.top == 0) return;
  std::uint64_t n_explanations = 0;
  if (__builtin_mul_overflow(n, std::uint64_t{header.top}, &n_explanations)) {
    throw FormatError(
        fmt::format("/posterior has {} explanations of {} rows; {}", header.top, n, not_ours));
  }
  const Handle part = hdf5::open_group(group, "explanations");
  read_any(part, "log_probability", n_explanations, keep(&Rows::log_probability));
  read_bounded(part, "proven", n_explanations, std::uint32_t{1}, keep(&Rows::proven));
  const std::uint64_t n_present = read_ends(part, n_explanations, keep(&Rows::n_present));
  read_bounded(part, "cause", n_present, most_cause, keep(&Rows::present));
}

}  // namespace

void verify_posterior_group(const StoredFile& file) { read_posterior_group(file, nullptr); }

PosteriorHeader read_posterior_header(const std::filesystem::path& path) {
  return reading(path, [&] { return read_posterior_parts(StoredFile(path).group("posterior")); });
}

PosteriorRows read_posterior(const std::filesystem::path& path) {
  return reading(path, [&] {
    PosteriorRows rows;
    read_posterior_group(StoredFile(path), &rows);
    return rows;
  });
}

// ------------------------------------------------------------------------------------ predictions

struct PredictionWriter::State {
  NewFile file;  // first: destroyed after all that is inside it
  Handle group;
  ValueStream<double> log_evidence, probability;
  std::uint64_t n_samples;
  std::uint64_t n_variables;
  std::uint64_t n_appended = 0;

  State(const std::filesystem::path& path, const PredictionHeader& header)
      : file(path),
        group(hdf5::create_group(file.root(), "prediction")),
        log_evidence(group, "log_evidence", header.n_samples),
        probability(group, "probability", header.n_samples * header.variables.size()),
        n_samples(header.n_samples),
        n_variables(header.variables.size()) {
    require_storable_names(header.variables);
    hdf5::write_attribute(group, "n_samples", header.n_samples);
    write_digest_attribute(group, "data_digest", header.data_digest);
    hdf5::write_attribute(group, "given", header.n_given);
    hdf5::write_attribute(group, "crossover", header.crossover);
    write_strings(group, "variables", header.variables);
  }
};

PredictionWriter::PredictionWriter(const std::filesystem::path& path,
                                   const PredictionHeader& header)
    : state_(writing(path, [&] { return std::make_unique<State>(path, header); })) {}

PredictionWriter::~PredictionWriter() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

void PredictionWriter::append(const PredictionRows& rows) {
  assert(rows.probability.size() == rows.log_evidence.size() * state_->n_variables);
  writing(state_->file.path(), [&] {
    state_->log_evidence.append(rows.log_evidence);
    state_->probability.append(rows.probability);
  });
  state_->n_appended += rows.log_evidence.size();
}

void PredictionWriter::finish(const RunInfo& run) {
  assert(state_->n_appended == state_->n_samples);
  writing(state_->file.path(), [&] {
    state_->log_evidence.finish();
    state_->probability.finish();
    state_->group.close();
    state_->file.finish(run);
  });
}

namespace {

PredictionHeader read_prediction_parts(const Handle& group) {
  PredictionHeader header;
  header.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  header.data_digest = read_digest_attribute(group, "data_digest");
  header.n_given = hdf5::read_attribute<std::uint64_t>(group, "given");
  header.crossover = hdf5::read_attribute<double>(group, "crossover");
  header.variables = read_strings(group, "variables");
  if (header.crossover >= 0 && header.crossover < .5) return header;
  throw FormatError(fmt::format("/prediction is of crossover {}, but it must be in [0, 0.5); {}",
                                header.crossover, not_ours));
}

/// Checks all; keeps it in `rows` unless that is null.
void read_prediction_group(const StoredFile& file, PredictionRows* rows) {
  const Handle group = file.group("prediction");
  const PredictionHeader header = read_prediction_parts(group);
  std::uint64_t n_values = 0;
  if (__builtin_mul_overflow(header.n_samples, std::uint64_t{header.variables.size()}, &n_values)) {
    throw FormatError(fmt::format("/prediction is of {} variables in {} rows; {}",
                                  header.variables.size(), header.n_samples, not_ours));
  }
  read_any(group, "log_evidence", header.n_samples,
           rows == nullptr ? nullptr : &rows->log_evidence);
  read_bounded(group, "probability", n_values, 1.0, rows == nullptr ? nullptr : &rows->probability);
}

}  // namespace

void verify_prediction_group(const StoredFile& file) { read_prediction_group(file, nullptr); }

PredictionHeader read_prediction_header(const std::filesystem::path& path) {
  return reading(path, [&] { return read_prediction_parts(StoredFile(path).group("prediction")); });
}

PredictionRows read_prediction(const std::filesystem::path& path) {
  return reading(path, [&] {
    PredictionRows rows;
    read_prediction_group(StoredFile(path), &rows);
    return rows;
  });
}

}  // namespace orrery::store
