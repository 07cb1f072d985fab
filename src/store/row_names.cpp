// Purpose: what the rows of a table are called, as the dataset row_names beside its values.
// Cost: linear; the names are held, a megabyte of the file at a time.
#include "data/row_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "store/groups.hpp"

namespace orrery::store {

using data::RowNames;
using hdf5::FormatError;
using hdf5::Handle;

namespace {

constexpr const char* dataset_name = "row_names";
constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

void add(Digest& digest, std::string_view name) {
  digest.add(std::span<const char>(name.data(), name.size()));
  constexpr char end = '\0';
  digest.add(std::span<const char>(&end, 1));
}

}  // namespace

void write_row_names(const Handle& group, const RowNames& names) {
  if (names.empty()) return;
  const std::size_t length = std::max<std::size_t>(1, names.longest());
  const Handle type = hdf5::string_type(length);
  Dataset dataset = Dataset::create(group, dataset_name, type.id(), {names.size()});
  const std::size_t rows_of_piece = std::max<std::size_t>(1, piece_bytes / length);
  Digest digest;
  for (std::size_t first = 0; first < names.size(); first += rows_of_piece) {
    const std::size_t n = std::min(rows_of_piece, names.size() - first);
    std::string packed(n * length, '\0');
    for (std::size_t i = 0; i < n; ++i) {
      const std::string_view name = names.at(first + i);
      packed.replace(i * length, name.size(), name);
      add(digest, name);
    }
    dataset.write({first}, {n}, packed.data());
  }
  dataset.write_digest(digest.value());
  dataset.close();
}

RowNames read_row_names(const Handle& group, std::uint64_t n_rows) {
  RowNames names;
  if (!hdf5::has_object(group, dataset_name)) return names;
  const Dataset dataset = Dataset::open_strings(group, dataset_name);
  dataset.require_shape({n_rows});
  const std::size_t length = dataset.element_bytes();
  const std::size_t rows_of_piece = std::max<std::size_t>(1, piece_bytes / length);
  Digest digest;
  for (std::uint64_t first = 0; first < n_rows; first += rows_of_piece) {
    const std::size_t n = std::min<std::uint64_t>(rows_of_piece, n_rows - first);
    std::string packed(n * length, '\0');
    dataset.read({first}, {n}, packed.data());
    for (std::size_t i = 0; i < n; ++i) {
      std::string_view name = std::string_view(packed).substr(i * length, length);
      name = name.substr(0, name.find_last_not_of('\0') + 1);
      names.add(name);
      add(digest, name);
    }
  }
  dataset.require_digest(digest.value());
  return names;
}

void verify_row_names(const Handle& group, std::uint64_t n_rows) {
  const std::string unfit = data::unfit_as_row_names(read_row_names(group, n_rows));
  if (unfit.empty()) return;
  throw FormatError(
      fmt::format("{}/{}: {}; {}", hdf5::object_name(group), dataset_name, unfit, not_ours));
}

RowNames read_row_names(const std::filesystem::path& path) {
  return reading(path, [&] {
    const StoredFile file(path);
    for (const char* name : {"samples", "dense", "categorical"}) {
      if (!file.has(name)) continue;
      const Handle group = file.group(name);
      return read_row_names(group, hdf5::read_attribute<std::uint64_t>(group, "n_samples"));
    }
    return RowNames();
  });
}

}  // namespace orrery::store
