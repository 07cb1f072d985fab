// Purpose: categorical samples into and out of files, whole.
// Memory: the table, and while a new file is checked the table once more. Time: linear.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/categorical_network.hpp"
#include "store/dataset.hpp"
#include "store/groups.hpp"

namespace orrery::store {

using data::CategoricalTable;
using hdf5::FormatError;
using hdf5::Handle;

std::uint64_t categorical_digest(std::uint64_t n_samples, std::uint64_t n_columns,
                                 const std::array<std::uint64_t, 4>& digests) {
  const std::array<std::uint64_t, 6> parts = {n_samples,  n_columns,  digests[0],
                                              digests[1], digests[2], digests[3]};
  return digest_of(std::span<const std::uint64_t>(parts));
}

namespace {

constexpr hsize_t chunk_bytes = hsize_t{1} << 20U;

/// Lists of texts as two datasets: their lengths, and the texts one list after the other.
struct TextLists {
  std::vector<std::uint32_t> lengths;
  std::vector<std::string> texts;

  TextLists() = default;
  explicit TextLists(const std::vector<std::vector<std::string>>& lists) {
    for (const std::vector<std::string>& list : lists) {
      lengths.push_back(static_cast<std::uint32_t>(list.size()));
      texts.insert(texts.end(), list.begin(), list.end());
    }
  }
  [[nodiscard]] std::uint64_t total() const {
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  }
  /// `texts` must be total() of them.
  [[nodiscard]] std::vector<std::vector<std::string>> split() const {
    std::vector<std::vector<std::string>> lists;
    auto next = texts.begin();
    for (const std::uint32_t length : lengths) {
      lists.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
      next += static_cast<std::ptrdiff_t>(length);
    }
    return lists;
  }
};

void write_text_lists(const Handle& group, const std::string& lengths, const std::string& values,
                      const std::vector<std::vector<std::string>>& lists) {
  const TextLists flat(lists);
  write_array(group, lengths, flat.lengths);
  write_strings(group, values, flat.texts);
}

/// Of `n` lists. Throws FormatError.
std::vector<std::vector<std::string>> read_text_lists(const Handle& group,
                                                      const std::string& lengths,
                                                      const std::string& values, std::size_t n) {
  TextLists flat;
  flat.lengths = read_array<std::uint32_t>(group, lengths, {n});
  flat.texts = read_strings(group, values, flat.total());
  return flat.split();
}

std::uint64_t digest_of_table(const CategoricalTable& table, std::uint64_t codes) {
  const TextLists categories(table.categories);
  return categorical_digest(table.n_rows, table.n_columns(),
                            {codes, digest_of_names(table.names),
                             digest_of(std::span<const std::uint32_t>(categories.lengths)),
                             digest_of_names(categories.texts)});
}

std::uint64_t write_codes(const Handle& group, const CategoricalTable& table) {
  const hsize_t d = table.n_columns();
  const hsize_t most = std::max<hsize_t>(1, chunk_bytes / d);
  Dataset codes = Dataset::create_growing_rows(group, "codes", hdf5::number_type<std::uint8_t>(), d,
                                               std::clamp<hsize_t>(table.n_rows, 1, most));
  codes.extend_rows(table.n_rows);
  codes.write({0, 0}, {table.n_rows, d}, table.codes.data());
  const std::uint64_t digest = digest_of(std::span<const std::uint8_t>(table.codes));
  codes.write_digest(digest);
  codes.close();
  return digest;
}

}  // namespace

void write_categorical_group(const Handle& root, const CategoricalTable& table,
                             const data::RowNames& row_names) {
  Handle group = hdf5::create_group(root, "categorical");
  write_row_names(group, row_names);
  const std::uint64_t codes = write_codes(group, table);
  write_strings(group, "names", table.names);
  write_text_lists(group, "n_categories", "category", table.categories);
  hdf5::write_attribute(group, "n_samples", table.n_rows);
  hdf5::write_attribute(group, "n_columns", std::uint64_t{table.n_columns()});
  write_digest_attribute(group, "digest", digest_of_table(table, codes));
  group.close();
}

StoredTable read_categorical_group(const StoredFile& file) {
  const Handle group = file.group("categorical");
  StoredTable stored;
  CategoricalTable& table = stored.table;
  table.n_rows = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  const auto d = hdf5::read_attribute<std::uint64_t>(group, "n_columns");
  table.names = read_strings(group, "names", d);
  table.categories = read_text_lists(group, "n_categories", "category", d);
  table.codes = read_array<std::uint8_t>(group, "codes", {table.n_rows, d});
  stored.digest = digest_of_table(table, digest_of(std::span<const std::uint8_t>(table.codes)));
  const std::uint64_t said = read_digest_attribute(group, "digest");
  if (said != stored.digest) {
    throw FormatError(fmt::format("the digest of /categorical is {}, but its datasets give {}; {}",
                                  digest_to_hex(said), digest_to_hex(stored.digest), not_ours));
  }
  try {
    data::check(table);
  } catch (const InputError& error) {
    throw FormatError(fmt::format("/categorical: {}", error.what()));
  }
  return stored;
}

void write_categorical(const std::filesystem::path& path, const CategoricalTable& table,
                       const RunInfo& run, const GroupWriter& truth,
                       const data::RowNames& row_names) {
  data::check(table);
  writing(path, [&] {
    NewFile file(path);
    write_categorical_group(file.root(), table, row_names);
    if (truth) truth(file.root());
    file.finish(run);
  });
}

StoredTable as_stored(CategoricalTable table) {
  data::check(table);
  const std::uint64_t codes = digest_of(std::span<const std::uint8_t>(table.codes));
  const std::uint64_t digest = digest_of_table(table, codes);
  return {std::move(table), digest};
}

StoredTable read_categorical(const std::filesystem::path& path) {
  return reading(path, [&] { return read_categorical_group(StoredFile(path)); });
}

}  // namespace orrery::store
