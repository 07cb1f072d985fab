// Predictions into and out of files, some rows at a time.
// Memory: what is appended; a megabyte to verify.
#include <fmt/format.h>

#include <cassert>

#include "store/dataset.hpp"
#include "store/groups.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;

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
