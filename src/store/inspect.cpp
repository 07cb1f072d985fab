// /run, what a file holds, and whether all of it reads back.
#include <algorithm>
#include <iterator>
#include <utility>

#include "store/dataset.hpp"
#include "store/groups.hpp"
#include "store/store.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

using hdf5::Handle;

void write_run(const Handle& root, const RunInfo& run) {
  Handle group = hdf5::create_group(root, "run");
  hdf5::write_attribute(group, "version", run.version);
  hdf5::write_attribute(group, "host", run.host);
  hdf5::write_attribute(group, "started", run.started);
  hdf5::write_attribute(group, "kernel", run.kernel);
  hdf5::write_attribute(group, "seed", run.seed);
  hdf5::write_attribute(group, "ranks", run.ranks);
  hdf5::write_attribute(group, "threads", run.threads);
  hdf5::write_attribute(group, "bytes_read", run.bytes_read);
  write_strings(group, "command_line", {run.command_line});
  write_strings(group, "hosts", run.hosts);
  write_strings(group, "stage_names", gather<std::string>(run.stages, &Stage::name));
  write_array(group, "stage_seconds", gather<double>(run.stages, &Stage::seconds));
  write_array(group, "stage_units", gather<std::uint64_t>(run.stages, &Stage::units));
  write_array(group, "stage_imbalance", gather<double>(run.stages, &Stage::imbalance));
  group.close();
}

RunInfo read_run(const StoredFile& file) {
  const Handle group = file.group("run");
  RunInfo run;
  run.version = hdf5::read_attribute<std::string>(group, "version");
  run.host = hdf5::read_attribute<std::string>(group, "host");
  run.started = hdf5::read_attribute<std::string>(group, "started");
  run.kernel = hdf5::read_attribute<std::string>(group, "kernel");
  run.seed = hdf5::read_attribute<std::uint64_t>(group, "seed");
  run.ranks = hdf5::read_attribute<std::uint32_t>(group, "ranks");
  run.threads = hdf5::read_attribute<std::uint32_t>(group, "threads");
  run.command_line = read_strings(group, "command_line", 1).front();
  run.bytes_read = hdf5::read_attribute<std::uint64_t>(group, "bytes_read");
  run.hosts = read_strings(group, "hosts");
  const auto names = read_strings(group, "stage_names");
  const Shape shape = {names.size()};
  const auto seconds = read_array<double>(group, "stage_seconds", shape);
  const auto units = read_array<std::uint64_t>(group, "stage_units", shape);
  const auto imbalance = read_array<double>(group, "stage_imbalance", shape);
  for (std::size_t i = 0; i < names.size(); ++i) {
    run.stages.push_back({names[i], seconds[i], units[i], imbalance[i]});
  }
  return run;
}

namespace {

struct Verifier {
  const char* group;
  void (*verify)(const StoredFile& file);
};

void verify_samples(const StoredFile& file) {
  const StoredSamples samples(file);
  for (std::size_t block = 0; block < samples.n_blocks(); ++block) {
    static_cast<void>(samples.read(block));
  }
}

/// Groups whose datasets are held against more than a digest each. Of all others every dataset is.
constexpr Verifier verifiers[] = {
    {"samples", verify_samples},
    {"dense", [](const StoredFile& file) { StoredDense(file).verify(); }},
    {"moments", [](const StoredFile& file) { StoredMoments(file).verify_triples(); }},
    {"categorical", [](const StoredFile& file) { read_categorical_group(file); }},
    {"checkpoint", verify_checkpoint_group},
    {"posterior", verify_posterior_group},
    {"prediction", verify_prediction_group},
};

}  // namespace

void verify_file(const std::filesystem::path& path) {
  const StoredFile file(path);
  for (const std::string& name : file.groups()) {
    const auto* const known = std::ranges::find(verifiers, name, &Verifier::group);
    if (known != std::end(verifiers)) {
      known->verify(file);
    } else {
      verify_datasets(file.group(name));
    }
  }
  read_run(file);
}

FileContents inspect(const std::filesystem::path& path) {
  return reading(path, [&] {
    const StoredFile file(path);
    FileContents contents;
    contents.schema = file.schema();
    for (std::string& name : file.groups()) contents.groups.insert(std::move(name));
    if (contents.has("run")) contents.run = read_run(file);
    return contents;
  });
}

}  // namespace orrery::store
