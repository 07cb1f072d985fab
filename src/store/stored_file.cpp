#include "store/stored_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "base/log.hpp"
#include "base/memory_limit.hpp"
#include "store/archive.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"

namespace orrery::store {

using hdf5::FormatError;

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

}  // namespace orrery::store
