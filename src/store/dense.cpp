// Dense samples into and out of files, a block of rows at a time.
// Memory: one block (2 MiB, or 16 rows if that is more). Time: linear.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "store/groups.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

using data::dense_block_rows;
using data::DenseBlock;
using hdf5::FormatError;
using hdf5::Handle;

std::uint64_t dense_digest(std::uint64_t n_samples, std::uint64_t n_columns, std::uint64_t values,
                           std::uint64_t names) {
  const std::array<std::uint64_t, 4> parts = {n_samples, n_columns, values, names};
  return digest_of(std::span<const std::uint64_t>(parts));
}

// What is told of the columns of a dense table, gathered as its rows go by.

/// Mean and squared distances by Welford's updates (Technometrics 4, 1962), a row after another: a
/// function of the rows alone, however they are cut, and exact for a constant column.
class DenseColumns {
 public:
  explicit DenseColumns(std::size_t n_columns)
      : present_(n_columns),
        mean_(n_columns),
        squares_(n_columns),
        min_(n_columns),
        max_(n_columns) {
    clear();
  }
  void clear() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (auto* sums : {&present_, &mean_, &squares_}) std::ranges::fill(*sums, 0.0);
    std::ranges::fill(min_, infinity);
    std::ranges::fill(max_, -infinity);
  }
  /// A missing value adds 0 to everything: no branch, so that the compiler takes several columns at
  /// once.
  void add_row(const double* row) {
    for (std::size_t c = 0; c < mean_.size(); ++c) {
      const double value = row[c];
      const bool is_here = !std::isnan(value);
      present_[c] += is_here ? 1.0 : 0.0;
      const double distance = is_here ? value - mean_[c] : 0.0;
      mean_[c] += distance / std::max(present_[c], 1.0);
      squares_[c] += is_here ? distance * (value - mean_[c]) : 0.0;
      min_[c] = value < min_[c] ? value : min_[c];
      max_[c] = value > max_[c] ? value : max_[c];
    }
  }
  /// Without a value: NaN.
  [[nodiscard]] std::vector<DenseColumn> columns() const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<DenseColumn> columns(mean_.size(), {0, none, none, none, none});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (present_[c] > 0) {
        columns[c] = {static_cast<std::uint64_t>(present_[c]), mean_[c],
                      std::sqrt(squares_[c] / present_[c]), min_[c], max_[c]};
      }
    }
    return columns;
  }

 private:
  // A vector for each number, so that a row is taken many columns at a time.
  std::vector<double> present_;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> min_;
  std::vector<double> max_;
};

namespace {

std::uint64_t digest_of_block(const DenseBlock& block) {
  return digest_of(std::span<const double>(block.values));
}

/// "row 7, column 3": the first value that `is_wrong`, from the top; none: empty.
template <class IsWrong>
std::string find_value(const DenseBlock& block, std::uint64_t first_row, const IsWrong& is_wrong) {
  for (std::size_t i = 0; i < block.n_rows; ++i) {
    for (std::size_t c = 0; c < block.n_columns; ++c) {
      if (is_wrong(block.row(i)[c], c)) {
        return fmt::format("row {}, column {}", first_row + i + 1, c + 1);
      }
    }
  }
  return {};
}

}  // namespace

// --------------------------------------------------------------------------------------- writing

struct DenseWriter::State {
  NewFile file;  // first: destroyed after all that is inside it
  Handle group;
  std::vector<std::string> names;
  std::optional<Dataset> values;
  std::optional<DenseColumns> columns;
  std::vector<std::uint64_t> block_digests;
  data::RowNames row_names;
  std::uint64_t n_samples = 0;

  explicit State(const std::filesystem::path& path) : file(path) {}

  void create_values(std::size_t n_rows);
  void append(const DenseBlock& block);
  void write_columns();
  void finish(const RunInfo& run, const GroupWriter& truth);
};

// If the first block is shorter than others may be, there is no other: small data make a small
// file.
void DenseWriter::State::create_values(std::size_t n_rows) {
  values = Dataset::create_growing_rows(group, "values", hdf5::number_type<double>(), names.size(),
                                        std::max<hsize_t>(1, n_rows));
}

void DenseWriter::State::append(const DenseBlock& block) {
  assert(block.n_columns == names.size() && block.n_rows <= dense_block_rows(names.size()));
  assert(n_samples % dense_block_rows(names.size()) == 0 && "only the last block may be short");
  const auto is_infinite = [](double value, std::size_t) { return std::isinf(value); };
  if (const std::string place = find_value(block, n_samples, is_infinite); !place.empty()) {
    throw InputError(fmt::format("{}: {} is infinite; what it is made of is too large, scale it",
                                 file.path().string(), place));
  }
  if (!values) create_values(block.n_rows);
  values->extend_rows(n_samples + block.n_rows);
  values->write({n_samples, 0}, {block.n_rows, block.n_columns}, block.values.data());
  block_digests.push_back(digest_of_block(block));
  for (std::size_t i = 0; i < block.n_rows; ++i) columns->add_row(block.row(i).data());
  n_samples += block.n_rows;
}

void DenseWriter::State::write_columns() {
  const std::vector<DenseColumn> found = columns->columns();
  for (std::size_t c = 0; c < found.size(); ++c) {
    if (found[c].n_present > 0 && !(std::isfinite(found[c].mean) && std::isfinite(found[c].sd))) {
      throw InputError(
          fmt::format("{}: the values of column {} ({}), {:.3g} to {:.3g}, are too large for a "
                      "variance; scale them",
                      file.path().string(), c + 1, names[c], found[c].min, found[c].max));
    }
  }
  write_array(group, "present", gather<std::uint64_t>(found, &DenseColumn::n_present));
  write_array(group, "mean", gather<double>(found, &DenseColumn::mean));
  write_array(group, "sd", gather<double>(found, &DenseColumn::sd));
  write_array(group, "min", gather<double>(found, &DenseColumn::min));
  write_array(group, "max", gather<double>(found, &DenseColumn::max));
}

void DenseWriter::State::finish(const RunInfo& run, const GroupWriter& truth) {
  if (!values) create_values(0);
  const std::uint64_t n_columns = names.size();
  const std::uint64_t digest = write_array(group, "block_digests", block_digests);
  values->write_digest(digest);
  values->close();
  write_strings(group, "names", names);
  write_row_names(group, row_names);
  write_columns();
  hdf5::write_attribute(group, "n_samples", n_samples);
  hdf5::write_attribute(group, "n_columns", n_columns);
  write_digest_attribute(group, "digest",
                         dense_digest(n_samples, n_columns, digest, digest_of_names(names)));
  group.close();
  if (truth) truth(file.root());
  file.finish(run);
}

DenseWriter::DenseWriter(const std::filesystem::path& path)
    : state_(writing(path, [&] { return std::make_unique<State>(path); })) {}

DenseWriter::~DenseWriter() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

void DenseWriter::begin(const std::vector<std::string>& names) {
  if (names.empty()) {
    throw InputError(fmt::format("{}: samples of no variable cannot be stored; give at least one",
                                 state_->file.path().string()));
  }
  require_storable_names(names);
  state_->names = names;
  state_->columns.emplace(names.size());
  writing(state_->file.path(),
          [&] { state_->group = hdf5::create_group(state_->file.root(), "dense"); });
}

void DenseWriter::append(const DenseBlock& block) {
  if (block.n_rows > 0) {
    writing(state_->file.path(), [&] { state_->append(block); });
  }
}

void DenseWriter::name_rows(const data::RowNames& names) { state_->row_names = names; }

void DenseWriter::finish(const RunInfo& run, const GroupWriter& truth) {
  writing(state_->file.path(), [&] { state_->finish(run, truth); });
}

// --------------------------------------------------------------------------------------- reading

namespace {

bool is_possible(const DenseColumn& column, std::uint64_t n_samples) {
  if (column.n_present == 0) {
    return std::isnan(column.mean) && std::isnan(column.sd) && std::isnan(column.min) &&
           std::isnan(column.max);
  }
  return column.n_present <= n_samples && std::isfinite(column.min) && std::isfinite(column.max) &&
         column.min <= column.mean && column.mean <= column.max && column.sd >= 0 &&
         std::isfinite(column.sd);
}

/// NaN equals NaN.
bool same(const DenseColumn& a, const DenseColumn& b) {
  const auto alike = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.n_present == b.n_present && alike(a.mean, b.mean) && alike(a.sd, b.sd) &&
         alike(a.min, b.min) && alike(a.max, b.max);
}

}  // namespace

StoredDense::StoredDense(const StoredFile& file) {
  const Handle group = file.group("dense");
  header_.n_samples = hdf5::read_attribute<std::uint64_t>(group, "n_samples");
  header_.n_columns = hdf5::read_attribute<std::uint64_t>(group, "n_columns");
  const std::uint64_t stored = read_digest_attribute(group, "digest");
  names_ = read_strings(group, "names", header_.n_columns);
  if (names_.empty()) {
    throw FormatError(fmt::format("/dense has no variable; {}", not_ours));
  }
  values_ = Dataset::open(group, "values", hdf5::number_type<double>(), 2);
  values_.require_shape({header_.n_samples, header_.n_columns});
  const std::uint64_t rows = dense_block_rows(header_.n_columns);
  const std::uint64_t n_blocks = header_.n_samples / rows + (header_.n_samples % rows != 0 ? 1 : 0);
  block_digests_ = read_array<std::uint64_t>(group, "block_digests", {n_blocks});
  const std::uint64_t digest = digest_of(std::span<const std::uint64_t>(block_digests_));
  values_.require_digest(digest);
  header_.digest =
      dense_digest(header_.n_samples, header_.n_columns, digest, digest_of_names(names_));
  if (stored != header_.digest) {
    throw FormatError(fmt::format("the digest of /dense is {}, but its datasets give {}; {}",
                                  digest_to_hex(stored), digest_to_hex(header_.digest), not_ours));
  }
  read_columns(group);
}

void StoredDense::read_columns(const Handle& group) {
  const Shape shape = {names_.size()};
  const auto present = read_array<std::uint64_t>(group, "present", shape);
  const auto mean = read_array<double>(group, "mean", shape);
  const auto sd = read_array<double>(group, "sd", shape);
  const auto min = read_array<double>(group, "min", shape);
  const auto max = read_array<double>(group, "max", shape);
  for (std::size_t c = 0; c < names_.size(); ++c) {
    columns_.push_back({present[c], mean[c], sd[c], min[c], max[c]});
    if (!is_possible(columns_[c], header_.n_samples)) {
      throw FormatError(fmt::format(
          "/dense says of column {} that of {} values {} are there, from {} to {}, "
          "mean {}, sd {}; {}",
          c + 1, header_.n_samples, present[c], min[c], max[c], mean[c], sd[c], not_ours));
    }
    header_.n_missing += header_.n_samples - present[c];
  }
}

DenseBlock StoredDense::read(std::size_t block) const {
  assert(block < n_blocks());
  const std::uint64_t rows = dense_block_rows(header_.n_columns);
  const std::uint64_t first_row = block * rows;
  DenseBlock found(std::min(rows, header_.n_samples - first_row), header_.n_columns);
  values_.read({first_row, 0}, {found.n_rows, found.n_columns}, found.values.data());
  const std::uint64_t computed = digest_of_block(found);
  if (computed != block_digests_[block]) {
    throw FormatError(fmt::format(
        "the digest of block {} of {} (rows {} to {}) is {}, but its values give {}; the file is "
        "damaged: restore a copy or write it anew",
        block, values_.name(), first_row, first_row + found.n_rows - 1,
        digest_to_hex(block_digests_[block]), digest_to_hex(computed)));
  }
  require_possible(found, first_row);
  return found;
}

// Users rely on what the columns say: that nothing is missing, above all.
void StoredDense::require_possible(const DenseBlock& block, std::uint64_t first_row) const {
  const auto is_wrong = [&](double value, std::size_t c) {
    return std::isnan(value) ? columns_[c].n_present == header_.n_samples
                             : !(value >= columns_[c].min && value <= columns_[c].max);
  };
  if (const std::string place = find_value(block, first_row, is_wrong); !place.empty()) {
    throw FormatError(fmt::format("{}, {}: this value is not what /dense says of its column; {}",
                                  values_.name(), place, not_ours));
  }
}

void StoredDense::verify() const {
  DenseColumns found(names_.size());
  for (std::size_t b = 0; b < n_blocks(); ++b) {
    const DenseBlock block = read(b);
    for (std::size_t i = 0; i < block.n_rows; ++i) found.add_row(block.row(i).data());
  }
  const std::vector<DenseColumn> columns = found.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!same(columns[c], columns_[c])) {
      throw FormatError(fmt::format(
          "the values of column {} do not give what /dense says of it; {}", c + 1, not_ours));
    }
  }
}

struct DenseReader::State {
  std::filesystem::path path;
  StoredFile file;
  StoredDense dense;

  explicit State(const std::filesystem::path& where) : path(where), file(where), dense(file) {}
};

DenseReader::DenseReader(const std::filesystem::path& path)
    : state_(reading(path, [&] { return std::make_unique<State>(path); })) {}

DenseReader::~DenseReader() {
  const hdf5::LibraryLock lock;
  state_.reset();
}

const DenseHeader& DenseReader::header() const { return state_->dense.header(); }
const std::vector<std::string>& DenseReader::names() const { return state_->dense.names(); }
const std::vector<DenseColumn>& DenseReader::columns() const { return state_->dense.columns(); }

void DenseReader::visit(std::uint64_t first_row, std::uint64_t n_rows, const Use& use) const {
  assert(first_row <= header().n_samples && n_rows <= header().n_samples - first_row);
  const std::uint64_t rows = dense_block_rows(header().n_columns);
  const std::uint64_t end = first_row + n_rows;
  for (std::uint64_t row = first_row; row < end;) {
    const DenseBlock block = reading(state_->path, [&] { return state_->dense.read(row / rows); });
    const std::uint64_t in_block = row % rows;
    const std::uint64_t n = std::min(block.n_rows - in_block, end - row);
    use(block.row(in_block).data(), n);
    row += n;
  }
}

}  // namespace orrery::store
