
#include "store/stored_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/log.hpp"
#include "base/memory_limit.hpp"
#include "store/archive.hpp"
#include "store/dataset.hpp"
#include "store/groups.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"

namespace orrery::store {

using hdf5::FormatError;
using hdf5::Handle;

namespace {

/// The superblock: HDF5's signature and the number of its version.
constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
/// The first version with checksums, of the superblock and (so written) of all metadata. Without
/// them a damaged file could mislead HDF5 itself, so such files are not even opened.
constexpr int checksummed_superblock = 3;

/// Up to `n` bytes from the beginning.
std::string first_bytes(const std::filesystem::path& path, std::size_t n) {
  require_readable_file(path);
  std::string bytes(n, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(n));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// Text of a file's making as one line of a message: control characters escaped.
std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    text += code >= 0x20 && code != 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", code);
  }
  return text;
}

void require_our_superblock(const std::filesystem::path& path) {
  const std::string bytes = first_bytes(path, signature.size() + 1);
  if (!bytes.starts_with(signature) || bytes.size() == signature.size()) {
    throw InputError(
        bytes.empty()
            ? fmt::format("{}: the file is empty, not HDF5; write it anew", path.string())
            : fmt::format("{}: not an HDF5 file: it begins with '{}'; if it is a table, import it "
                          "first: orrery import {} -o data.h5",
                          path.string(), printable(bytes.substr(0, 8)), path.string()));
  }
  const int version = static_cast<unsigned char>(bytes.back());
  if (version < checksummed_superblock) {
    throw InputError(fmt::format(
        "{}: an HDF5 file, but not one of orrery's (HDF5 superblock version {}, orrery writes {}); "
        "save its table as CSV or NPY and use orrery import",
        path.string(), version, checksummed_superblock));
  }
}

}  // namespace

void throw_misformed(const std::filesystem::path& path, const FormatError& error) {
  throw InputError(fmt::format("{}: {}", path.string(), printable(error.what())));
}

void throw_unreadable(const std::filesystem::path& path, const hdf5::Hdf5Error& error) {
  log::verbose("HDF5: {}", error.stack());
  // A damaged file may ask for more than any machine has; under a limit it is not to blame.
  if (error.lacks_memory() && has_address_space_limit()) throw_out_of_memory(path);
  const bool truncated = error.stack().find("truncated file") != std::string::npos;
  throw InputError(fmt::format("{}: {} ({}); restore a copy or write it anew", path.string(),
                               truncated ? "the file is truncated" : "the file is damaged",
                               error.what()));
}

void throw_unwritable(const std::filesystem::path& path, const hdf5::Hdf5Error& error) {
  log::verbose("HDF5: {}", error.stack());
  if (error.lacks_memory() && error.system_reason().empty()) throw_out_of_memory(path);
  throw EnvironmentError(
      fmt::format("{}: {}; nothing was changed, a previous file of this name is as it was: make "
                  "room or choose another place",
                  path.string(), error.what()));
}

void throw_out_of_memory(const std::filesystem::path& path) {
  throw EnvironmentError(
      fmt::format("{}: not enough memory: {}; use fewer ranks per node, or a larger node",
                  path.string(), describe_memory_in_use()));
}

NewFile::NewFile(const std::filesystem::path& path)
    : output_(path), file_(hdf5::create_file(output_.temporary())) {
  hdf5::write_attribute(file_, "format", std::string(format_name));
  hdf5::write_attribute(file_, "schema", schema_version);
}

void NewFile::finish(const RunInfo& run) {
  prepare(run);
  commit();
}

void NewFile::prepare(const RunInfo& run) {
  write_run(file_, run);
  hdf5::flush_file(file_);
  file_.close();
  try {
    reading(output_.temporary(), [&] { verify_file(output_.temporary()); });
  } catch (const InputError& error) {
    throw EnvironmentError(
        fmt::format("{}: what was written does not read back ({}); the storage may be faulty, a "
                    "previous file of this name is as it was",
                    path().string(), error.what()));
  }
}

void write_group(const std::filesystem::path& path, const GroupWriter& group, const RunInfo& run) {
  writing(path, [&] {
    NewFile file(path);
    group(file.root());
    file.finish(run);
  });
}

GroupWriter group_of_fields(std::string name, GoThroughFields fields) {
  return [name = std::move(name), fields = std::move(fields)](const hdf5::Handle& root) {
    hdf5::Handle group = hdf5::create_group(root, name);
    write_hdf5_fields(group, fields);
    group.close();
  };
}

void read_group(const std::filesystem::path& path, const std::string& name,
                const GoThroughFields& fields) {
  reading(path, [&] {
    const StoredFile file(path);
    read_hdf5_fields(file.group(name), fields);
  });
}

StoredFile::StoredFile(const std::filesystem::path& path) {
  require_our_superblock(path);
  file_ = hdf5::open_file(path);
  if (!hdf5::has_attribute(file_, "format") || !hdf5::has_attribute(file_, "schema")) {
    throw FormatError(
        "an HDF5 file, but not one of orrery's (no attributes 'format' and 'schema'); save its "
        "table as CSV or NPY and use orrery import");
  }
  const std::string format = hdf5::read_attribute<std::string>(file_, "format");
  if (format != format_name) {
    throw FormatError(
        fmt::format("an HDF5 file, but its format is '{}', not '{}'; save its table as CSV or NPY "
                    "and use orrery import",
                    format, format_name));
  }
  schema_ = hdf5::read_attribute<std::uint32_t>(file_, "schema");
  if (schema_ != schema_version) {
    throw FormatError(fmt::format(
        "the file has schema {}, this orrery reads schema {}; {}", schema_, schema_version,
        schema_ > schema_version ? "use a newer orrery" : "write it anew"));
  }
}

bool StoredFile::has(const std::string& group) const { return hdf5::has_object(file_, group); }

std::vector<std::string> StoredFile::groups() const {
  std::vector<std::string> names = hdf5::object_names(file_);
  std::erase_if(names, [&](const std::string& name) { return !has(name); });
  return names;
}

hdf5::Handle StoredFile::group(const std::string& name) const {
  if (!has(name)) {
    if (name == "samples" && has("dense")) {
      throw FormatError(
          "the file holds numbers (/dense), but this command reads bits; give a file of binary "
          "variables, imported without --numeric");
    }
    if (name == "dense" && has("samples")) {
      throw FormatError(
          "the file holds bits (/samples), but this command reads numbers; import the table with "
          "orrery import FILE --numeric");
    }
    if ((name == "samples" || name == "dense") && has("categorical")) {
      throw FormatError(
          fmt::format("the file holds categories (/categorical), but this command reads {}; give a "
                      "file imported without --categorical",
                      name == "samples" ? "bits" : "numbers"));
    }
    if (name == "categorical" && (has("samples") || has("dense"))) {
      throw FormatError(fmt::format(
          "the file holds {}, but this command reads categories (/categorical); import the table "
          "with orrery import FILE --categorical",
          has("samples") ? "bits (/samples)" : "numbers (/dense)"));
    }
    std::string present;
    for (const std::string& other : groups()) {
      if (other == "run") continue;  // every file has it
      present += (present.empty() ? "/" : ", /") + other;
    }
    throw FormatError(fmt::format("the file holds no /{}, but {}; give a file that holds it", name,
                                  present.empty() ? "nothing" : present));
  }
  return hdf5::open_group(file_, name);
}

bool is_hdf5(const std::filesystem::path& path) {
  return first_bytes(path, signature.size()) == signature;
}

// /run, what a file holds, and whether all of it reads back.

void write_run(const Handle& root, const RunInfo& run) {
  Handle group = hdf5::create_group(root, "run");
  hdf5::write_attribute(group, "version", run.version);
  hdf5::write_attribute(group, "commit", run.commit);
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
  if (hdf5::has_attribute(group, "commit")) {  // files before 0.2.0 have none
    run.commit = hdf5::read_attribute<std::string>(group, "commit");
  }
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
  verify_row_names(file.group("samples"), samples.header().n_samples);
}

void verify_dense(const StoredFile& file) {
  const StoredDense dense(file);
  dense.verify();
  verify_row_names(file.group("dense"), dense.header().n_samples);
}

void verify_categorical(const StoredFile& file) {
  const std::uint64_t n_rows = read_categorical_group(file).table.n_rows;
  verify_row_names(file.group("categorical"), n_rows);
}

/// Groups whose datasets are held against more than a digest each. Of all others every dataset is.
constexpr Verifier verifiers[] = {
    {"samples", verify_samples},
    {"dense", verify_dense},
    {"moments", [](const StoredFile& file) { StoredMoments(file).verify_triples(); }},
    {"categorical", verify_categorical},
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
