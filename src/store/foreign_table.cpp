#include "store/foreign_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "store/foreign_array.hpp"
#include "store/schema.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

using hdf5::Handle;

namespace {

/// Of a group that is a sparse matrix.
struct SparseKind {
  bool is_by_rows = true;
  std::uint64_t n_rows = 0;
  std::uint64_t n_columns = 0;
};

/// AnnData since 0.7, and what it wrote before.
std::optional<SparseKind> sparse_kind(const Handle& group) {
  auto encoding = text_attribute(group, "encoding-type");
  if (!encoding) encoding = text_attribute(group, "h5sparse_format");
  auto shape = integers_attribute(group, "shape");
  if (!shape) shape = integers_attribute(group, "h5sparse_shape");
  if (!encoding || !shape || shape->size() != 2) return std::nullopt;
  const bool is_by_rows = encoding == "csr_matrix" || encoding == "csr";
  if (!is_by_rows && encoding != "csc_matrix" && encoding != "csc") return std::nullopt;
  return SparseKind{is_by_rows, shape->at(0), shape->at(1)};
}

Handle open_object(const Handle& parent, const std::string& name) {
  return {H5Oopen(parent.id(), name.c_str(), H5P_DEFAULT), H5Oclose, "open " + name};
}

bool is_group(const Handle& object) { return H5Iget_type(object.id()) == H5I_GROUP; }
bool is_dataset(const Handle& object) { return H5Iget_type(object.id()) == H5I_DATASET; }

/// The object at a path of hard links; nothing if there is none.
std::optional<Handle> find_object(const Handle& root, std::string_view path) {
  Handle object = open_object(root, "/");
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string name(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty()) continue;
    if (!is_group(object) || !hdf5::has_object(object, name)) return std::nullopt;
    object = open_object(object, name);
  }
  return object;
}

/// Without slashes around.
std::string trimmed_path(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

class Tables {
 public:
  explicit Tables(SharedFile file) : file_(std::move(file)) { require_foreign(); }

  [[nodiscard]] ArraysOfTable open(const std::string& dataset) const;

 private:
  void require_foreign() const;
  [[nodiscard]] std::string choose() const;
  void list(const Handle& group, const std::string& path, std::size_t depth) const;
  [[nodiscard]] bool is_table(const Handle& object, const std::string& path) const;
  [[nodiscard]] std::string list_of() const;
  [[nodiscard]] ArraysOfTable open_dense(Handle object, const std::string& path) const;
  [[nodiscard]] ArraysOfTable open_sparse(const SparseKind& kind, const std::string& path) const;
  [[nodiscard]] data::TableFrame frame_of(const std::string& path, std::uint64_t n_rows,
                                          std::uint64_t n_columns) const;
  [[nodiscard]] std::shared_ptr<const ForeignArray> array_at(const std::string& path) const;
  [[nodiscard]] std::unique_ptr<data::NumberStream> list_at(const std::string& path) const;
  [[nodiscard]] std::shared_ptr<const ForeignArray> index_of(const std::string& path,
                                                             std::uint64_t n) const;
  [[nodiscard]] std::string name() const { return file_->path().string(); }

  SharedFile file_;
  mutable std::vector<std::string> found_;  // tables, by list()
  mutable std::size_t n_looked_at_ = 0;
};

void Tables::require_foreign() const {
  if (text_attribute(file_->root(), "format") != std::string(format_name)) return;
  throw InputError(fmt::format(
      "{}: already an HDF5 file; if orrery wrote it, give it to the next command as it is",
      name()));
}

ArraysOfTable Tables::open(const std::string& dataset) const {
  const std::string path = dataset.empty() ? choose() : trimmed_path(dataset);
  std::optional<Handle> object = find_object(file_->root(), path);
  if (!object || !is_table(*object, path)) {
    list(open_object(file_->root(), "/"), "", 0);
    throw InputError(fmt::format(
        "{}: --dataset {}: {}; the tables are {}", name(), data::in_quotes(dataset),
        object ? "neither a data set of numbers in two dimensions nor a sparse matrix (CSR, CSC)"
               : "there is no such data set",
        list_of()));
  }
  if (is_dataset(*object)) return open_dense(std::move(*object), path);
  return open_sparse(*sparse_kind(*object), path);
}

/// The path of the table if none was named.
std::string Tables::choose() const {
  const auto x = find_object(file_->root(), "X");
  if (x && is_table(*x, "X")) return "X";
  list(open_object(file_->root(), "/"), "", 0);
  if (found_.size() == 1) return found_.front();
  if (found_.empty()) {
    throw InputError(
        fmt::format("{}: an HDF5 file without a table: a data set of numbers in two dimensions, or "
                    "a sparse matrix of AnnData (CSR, CSC)",
                    name()));
  }
  throw InputError(
      fmt::format("{}: holds several tables, {}; name one with --dataset PATH", name(), list_of()));
}

/// Gathers the tables below a group. Hard links may form a circle.
void Tables::list(const Handle& group, const std::string& path, std::size_t depth) const {
  constexpr std::size_t deepest = 16;
  constexpr std::size_t most_looked_at = 10'000;
  if (depth > deepest) return;
  for (const std::string& child : hdf5::object_names(group)) {
    if (++n_looked_at_ > most_looked_at) return;
    if (!hdf5::has_object(group, child)) continue;
    const Handle object = open_object(group, child);
    const std::string place = path.empty() ? child : path + "/" + child;
    if (is_table(object, place)) {
      found_.push_back(place);
    } else if (is_group(object)) {
      list(object, place, depth + 1);
    }
  }
}

bool Tables::is_table(const Handle& object, const std::string& path) const {
  if (is_group(object)) return sparse_kind(object).has_value();
  if (!is_dataset(object)) return false;
  const ForeignArray array(file_, open_object(object, "."), "/" + path);
  return array.holds_numbers() && array.shape().size() == 2;
}

std::string Tables::list_of() const {
  constexpr std::size_t most_listed = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(found_.size(), most_listed); ++i) {
    text += (i == 0 ? "" : ", ") + data::in_quotes(found_[i]);
  }
  return text.empty() ? "none" : text + (found_.size() > most_listed ? ", ..." : "");
}

ArraysOfTable Tables::open_dense(Handle object, const std::string& path) const {
  auto array = std::make_shared<const ForeignArray>(file_, std::move(object), "/" + path);
  ArraysOfTable table;
  table.frame = frame_of(path, array->shape()[0], array->shape()[1]);
  table.arrays.push_back(stream_of(std::move(array)));
  return table;
}

ArraysOfTable Tables::open_sparse(const SparseKind& kind, const std::string& path) const {
  ArraysOfTable table;
  table.frame = frame_of(path, kind.n_rows, kind.n_columns);
  table.layout = kind.is_by_rows ? ArraysOfTable::Layout::sparse_by_rows
                                 : ArraysOfTable::Layout::sparse_by_columns;
  for (const char* name : {"/data", "/indices", "/indptr"}) {
    table.arrays.push_back(list_at(path + name));
  }
  return table;
}

/// Null if there is no data set.
std::shared_ptr<const ForeignArray> Tables::array_at(const std::string& path) const {
  std::optional<Handle> object = find_object(file_->root(), path);
  if (!object || !is_dataset(*object)) return nullptr;
  return std::make_shared<const ForeignArray>(file_, std::move(*object), "/" + path);
}

std::unique_ptr<data::NumberStream> Tables::list_at(const std::string& path) const {
  auto array = array_at(path);
  if (array == nullptr || array->shape().size() != 1 || !array->holds_numbers()) {
    throw InputError(fmt::format(
        "{}: a sparse matrix needs a list of numbers at {}; write the file again with AnnData",
        name(), data::in_quotes("/" + path)));
  }
  return stream_of(std::move(array));
}

data::TableFrame Tables::frame_of(const std::string& path, std::uint64_t n_rows,
                                  std::uint64_t n_columns) const {
  data::require_column_count(name(), n_columns, true);
  data::TableFrame frame{name(), {}, n_rows, {}};
  const bool is_raw = path == "raw/X";
  if (is_raw || path == "X" || path.starts_with("layers/")) {
    if (const auto names = index_of(is_raw ? "raw/var" : "var", n_columns)) {
      const data::RowNamer name_of = namer_of(names);
      for (std::uint64_t c = 0; c < n_columns; ++c) frame.names.push_back(name_of(c));
    }
    if (const auto names = index_of("obs", n_rows)) frame.row_name = namer_of(names);
  }
  if (frame.names.empty()) {
    frame.names = data::default_names(static_cast<std::size_t>(n_columns));
  }
  return frame;
}

/// The names of AnnData's rows or columns; null if the file has none.
std::shared_ptr<const ForeignArray> Tables::index_of(const std::string& path,
                                                     std::uint64_t n) const {
  const std::optional<Handle> group = find_object(file_->root(), path);
  if (!group || !is_group(*group)) return nullptr;
  auto names = array_at(path + "/" + text_attribute(*group, "_index").value_or("_index"));
  if (names == nullptr || names->shape().size() != 1 || !names->holds_texts()) return nullptr;
  if (names->shape()[0] != n) {
    throw InputError(fmt::format("{}: has {} names, but the table has {} {}; write the file again",
                                 names->describe(), names->shape()[0], n,
                                 path == "obs" ? "rows" : "columns"));
  }
  return names;
}

}  // namespace

ArraysOfTable find_foreign_table(const std::filesystem::path& path, const std::string& dataset) {
  return reading(path,
                 [&] { return Tables(std::make_shared<const ForeignFile>(path)).open(dataset); });
}

data::SourceOfTable table_of(ArraysOfTable table) {
  auto& arrays = table.arrays;
  if (table.layout == ArraysOfTable::Layout::dense) {
    return data::dense_by_rows(std::move(table.frame), std::move(arrays[0]));
  }
  data::CompressedArrays compressed{std::move(arrays[0]), std::move(arrays[1]),
                                    std::move(arrays[2])};
  return table.layout == ArraysOfTable::Layout::sparse_by_rows
             ? data::sparse_by_rows(std::move(table.frame), std::move(compressed))
             : data::sparse_by_columns(std::move(table.frame), std::move(compressed));
}

data::SourceOfTable open_foreign_table(const std::filesystem::path& path,
                                       const std::string& dataset) {
  return table_of(open_in_process(path, [&] { return find_foreign_table(path, dataset); }));
}

}  // namespace orrery::store
