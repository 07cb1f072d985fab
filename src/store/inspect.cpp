// /run, what a file holds, and whether all of it reads back.
#include "orrery/store/store.hpp"
#include "store/dataset.hpp"
#include "store/model.hpp"
#include "store/moments.hpp"
#include "store/samples.hpp"
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
  std::vector<std::string> stages;
  std::vector<double> seconds;
  for (const auto& [stage, time] : run.stage_seconds) {
    stages.push_back(stage);
    seconds.push_back(time);
  }
  write_strings(group, "command_line", {run.command_line});
  write_strings(group, "stage_names", stages);
  write_array(group, "stage_seconds", seconds);
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
  const auto stages = read_strings(group, "stage_names");
  const auto seconds = read_array<double>(group, "stage_seconds", {stages.size()});
  for (std::size_t i = 0; i < stages.size(); ++i) {
    run.stage_seconds[stages[i]] = seconds[i];
  }
  return run;
}

void verify_file(const std::filesystem::path& path) {
  const StoredFile file(path);
  if (file.has("samples")) {
    StoredSamples(file).for_each_block(
        [](std::size_t /*row*/, const data::BitColumns& /*values*/, const data::BitColumns*) {});
  }
  if (file.has("moments")) {
    StoredMoments(file).verify_triples();
  }
  if (file.has("model")) {
    read_model_group(file);
  }
  read_run(file);
}

FileContents inspect(const std::filesystem::path& path) {
  return reading(path, [&] {
    const StoredFile file(path);
    FileContents contents;
    contents.schema = file.schema();
    contents.samples = file.has("samples");
    contents.moments = file.has("moments");
    contents.model = file.has("model");
    if (file.has("run")) {
      contents.run = read_run(file);
    }
    return contents;
  });
}

}  // namespace orrery::store
