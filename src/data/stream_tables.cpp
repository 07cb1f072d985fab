#include "data/stream_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/progress.hpp"
#include "data/text_sources.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

void require_length(const NumberStream& array, std::uint64_t wanted, const std::string& why) {
  if (array.size() == wanted) return;
  throw InputError(fmt::format("{}: has {} values, but {} has {}; write the file again",
                               array.name(), array.size(), why, wanted));
}

void require_integers(const NumberStream& array) {
  if (array.holds_integers()) return;
  throw InputError(fmt::format("{}: must hold whole numbers; write the file again", array.name()));
}

/// Of columns times rows, which may not overflow.
void require_cells(const TableFrame& frame, const NumberStream& values) {
  const std::uint64_t n_columns = frame.names.size();
  if (n_columns > 0 && values.size() % n_columns == 0 &&
      values.size() / n_columns == frame.n_rows) {
    return;
  }
  throw InputError(
      fmt::format("{}: has {} values, but a table of {} x {} was announced; write the "
                  "file again",
                  values.name(), values.size(), frame.n_rows, n_columns));
}

void require_compressed(const CompressedArrays& arrays, std::uint64_t n_lines,
                        std::string_view line) {
  require_integers(*arrays.pointers);
  require_integers(*arrays.indices);
  if (arrays.pointers->size() == 0 || arrays.pointers->size() - 1 != n_lines) {
    throw InputError(
        fmt::format("{}: has {} values, needed is one for each {} and one more: {} "
                    "and 1; write the file again",
                    arrays.pointers->name(), arrays.pointers->size(), line, n_lines));
  }
  require_length(*arrays.indices, arrays.data->size(), "the array of values");
}

/// Shown while the values of a table are read.
class TableProgress {
 public:
  explicit TableProgress(const NumberStream& values) : values_(values) { start("import"); }
  void start(const std::string& stage) {
    progress_.reset();
    progress_.emplace(stage, values_.size() * sizeof(double) / megabyte + 1, "MB");
  }
  void show() {
    const std::uint64_t now = values_.position() * sizeof(double) / megabyte;
    if (now != std::exchange(shown_, now)) progress_->set(now);
  }
  void restart(std::uint64_t pass, std::uint64_t n_passes) {
    if (pass > 1) start(fmt::format("import, pass {} of {}", pass, n_passes));
  }

 private:
  const NumberStream& values_;
  std::optional<Progress> progress_;
  std::uint64_t shown_ = 0;
};

// ------------------------------------------------------------------------------- rows in order

class FramedRows : public RowSource {
 public:
  explicit FramedRows(TableFrame frame) : frame_(std::move(frame)) {}
  [[nodiscard]] const std::string& file() const override { return frame_.file; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return frame_.names; }
  [[nodiscard]] bool has_row_names() const override { return static_cast<bool>(frame_.row_name); }
  [[nodiscard]] bool nan_is_missing() const override { return false; }
  [[nodiscard]] std::string_view row_name() const override { return row_name_; }
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: row {}", frame_.file, n_given_);
  }

 protected:
  [[nodiscard]] bool is_at_end() const { return n_given_ == frame_.n_rows; }
  /// Goes to the next row.
  void advance() {
    if (frame_.row_name) row_name_ = frame_.row_name(n_given_);
    ++n_given_;
  }
  [[nodiscard]] std::size_t n_columns() const { return frame_.names.size(); }

 private:
  TableFrame frame_;
  std::uint64_t n_given_ = 0;
  std::string row_name_;
};

class DenseRows final : public FramedRows {
 public:
  DenseRows(TableFrame frame, std::unique_ptr<NumberStream> values)
      : FramedRows(std::move(frame)), values_(std::move(values)), progress_(*values_) {}

  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override {
    values.clear();
    if (is_at_end()) {
      values_->finish();
      return false;
    }
    advance();
    for (std::size_t c = 0; c < n_columns(); ++c) {
      const double value = values_->next();
      if (is_listed(value)) values.push_back({c, value});
    }
    progress_.show();
    return true;
  }

 private:
  std::unique_ptr<NumberStream> values_;
  TableProgress progress_;
};

class CompressedRows final : public FramedRows {
 public:
  CompressedRows(TableFrame frame, CompressedArrays arrays)
      : FramedRows(std::move(frame)), arrays_(std::move(arrays)), progress_(*arrays_.data) {}

  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;

 private:
  void sort(std::vector<RowValue>& values) const;

  CompressedArrays arrays_;
  TableProgress progress_;
  std::uint64_t begin_ = 0;  // of the next row
  bool has_begun_ = false;
};

/// Where the next row or column of compressed arrays ends, which begins at `begin`.
std::uint64_t next_end(const CompressedArrays& arrays, std::uint64_t begin) {
  const std::uint64_t end = arrays.pointers->next_index(arrays.indices->size());
  if (end >= begin) return end;
  throw InputError(fmt::format("{}: value {} is {}, less than {} before it; write the file again",
                               arrays.pointers->name(), arrays.pointers->position(), end, begin));
}

void require_begin(const CompressedArrays& arrays) {
  if (arrays.pointers->next_index(arrays.indices->size()) == 0) return;
  throw InputError(
      fmt::format("{}: does not begin with 0; write the file again", arrays.pointers->name()));
}

bool CompressedRows::next_row(std::vector<RowValue>& values) {
  values.clear();
  if (!std::exchange(has_begun_, true)) require_begin(arrays_);
  if (is_at_end()) {
    if (begin_ == arrays_.data->size()) {
      arrays_.data->finish();
      arrays_.indices->finish();
    }
    arrays_.pointers->finish();
    return false;
  }
  advance();
  const std::uint64_t end = next_end(arrays_, begin_);
  if (end - begin_ > n_columns()) {
    throw InputError(
        fmt::format("{}: has {} values for {} columns; sum up those of one place with "
                    ".sum_duplicates()",
                    where(), end - begin_, n_columns()));
  }
  for (; begin_ < end; ++begin_) {
    const std::uint64_t column = arrays_.indices->next_index(n_columns() - 1);
    values.push_back({static_cast<std::size_t>(column), arrays_.data->next()});
  }
  sort(values);
  progress_.show();
  return true;
}

void CompressedRows::sort(std::vector<RowValue>& values) const {
  if (!std::ranges::is_sorted(values, {}, &RowValue::column)) {
    std::ranges::stable_sort(values, {}, &RowValue::column);
  }
  const auto twice = std::ranges::adjacent_find(values, {}, &RowValue::column);
  if (twice == values.end()) return;
  throw InputError(
      fmt::format("{}, column {} ('{}') has a second entry; write every entry once, summed up with "
                  ".sum_duplicates() if that is what they mean",
                  where(), twice->column + 1, names()[twice->column]));
}

// ------------------------------------------------------------------------- entries in any order

class FramedEntries : public EntrySource {
 public:
  explicit FramedEntries(TableFrame frame) : frame_(std::move(frame)) {}
  [[nodiscard]] const std::string& file() const override { return frame_.file; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return frame_.names; }
  [[nodiscard]] std::uint64_t n_rows() const override { return frame_.n_rows; }
  [[nodiscard]] bool has_row_names() const override { return static_cast<bool>(frame_.row_name); }
  [[nodiscard]] std::string row_name(std::uint64_t row) const override {
    return frame_.row_name ? frame_.row_name(row) : std::string();
  }
  [[nodiscard]] bool nan_is_missing() const override { return false; }
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: row {}", file(), row_);
  }

 protected:
  [[nodiscard]] std::size_t n_columns() const { return frame_.names.size(); }
  void set_row(std::uint64_t row) { row_ = row + 1; }

 private:
  TableFrame frame_;
  std::uint64_t row_ = 0;  // of the current entry, from 1
};

class DenseColumns final : public FramedEntries {
 public:
  DenseColumns(TableFrame frame, std::unique_ptr<NumberStream> values)
      : FramedEntries(std::move(frame)), values_(std::move(values)), progress_(*values_) {}

  void restart(std::uint64_t pass, std::uint64_t n_passes) override {
    values_->restart();
    progress_.restart(pass, n_passes);
  }
  [[nodiscard]] bool next(TableEntry& entry) override {
    while (values_->position() < values_->size()) {
      const std::uint64_t position = values_->position();
      entry.value = values_->next();
      if (entry.value == 0) continue;
      entry.row = position % n_rows();
      entry.column = static_cast<std::size_t>(position / n_rows());
      set_row(entry.row);
      progress_.show();
      return true;
    }
    values_->finish();
    return false;
  }

 private:
  std::unique_ptr<NumberStream> values_;
  TableProgress progress_;
};

class CompressedColumns final : public FramedEntries {
 public:
  CompressedColumns(TableFrame frame, CompressedArrays arrays)
      : FramedEntries(std::move(frame)), arrays_(std::move(arrays)), progress_(*arrays_.data) {}

  void restart(std::uint64_t pass, std::uint64_t n_passes) override {
    arrays_.data->restart();
    arrays_.indices->restart();
    arrays_.pointers->restart();
    column_ = 0;
    next_ = 0;
    require_begin(arrays_);
    end_ = n_columns() > 0 ? next_end(arrays_, 0) : 0;
    progress_.restart(pass, n_passes);
  }
  [[nodiscard]] bool next(TableEntry& entry) override;

 private:
  CompressedArrays arrays_;
  TableProgress progress_;
  std::size_t column_ = 0;
  std::uint64_t next_ = 0, end_ = 0;  // the next entry, and where those of the column end
};

bool CompressedColumns::next(TableEntry& entry) {
  while (next_ == end_) {
    if (column_ + 1 >= n_columns()) {
      if (end_ == arrays_.data->size()) {
        arrays_.data->finish();
        arrays_.indices->finish();
      }
      arrays_.pointers->finish();
      return false;
    }
    ++column_;
    end_ = next_end(arrays_, end_);
  }
  entry.row = arrays_.indices->next_index(n_rows() - 1);
  entry.column = column_;
  entry.value = arrays_.data->next();
  ++next_;
  set_row(entry.row);
  progress_.show();
  return true;
}

class Coordinates final : public FramedEntries {
 public:
  Coordinates(TableFrame frame, CoordinateArrays arrays)
      : FramedEntries(std::move(frame)), arrays_(std::move(arrays)), progress_(*arrays_.data) {}

  void restart(std::uint64_t pass, std::uint64_t n_passes) override {
    arrays_.data->restart();
    arrays_.rows->restart();
    arrays_.columns->restart();
    progress_.restart(pass, n_passes);
  }
  [[nodiscard]] bool next(TableEntry& entry) override {
    if (arrays_.data->position() == arrays_.data->size()) {
      arrays_.data->finish();
      arrays_.rows->finish();
      arrays_.columns->finish();
      return false;
    }
    entry.row = arrays_.rows->next_index(n_rows() - 1);
    entry.column = static_cast<std::size_t>(arrays_.columns->next_index(n_columns() - 1));
    entry.value = arrays_.data->next();
    set_row(entry.row);
    progress_.show();
    return true;
  }

 private:
  CoordinateArrays arrays_;
  TableProgress progress_;
};

/// Entries need a row that they can lie in.
void require_rows(const TableFrame& frame, const NumberStream& values) {
  if (frame.n_rows > 0 || values.size() == 0) return;
  throw InputError(fmt::format("{}: has {} values, but the table has no rows; write the file again",
                               values.name(), values.size()));
}

}  // namespace

SourceOfTable dense_by_rows(TableFrame frame, std::unique_ptr<NumberStream> values) {
  require_cells(frame, *values);
  return std::make_unique<DenseRows>(std::move(frame), std::move(values));
}

SourceOfTable dense_by_columns(TableFrame frame, std::unique_ptr<NumberStream> values) {
  require_cells(frame, *values);
  return std::make_unique<DenseColumns>(std::move(frame), std::move(values));
}

SourceOfTable sparse_by_rows(TableFrame frame, CompressedArrays arrays) {
  require_compressed(arrays, frame.n_rows, "row");
  return std::make_unique<CompressedRows>(std::move(frame), std::move(arrays));
}

SourceOfTable sparse_by_columns(TableFrame frame, CompressedArrays arrays) {
  require_compressed(arrays, frame.names.size(), "column");
  require_rows(frame, *arrays.data);
  return std::make_unique<CompressedColumns>(std::move(frame), std::move(arrays));
}

SourceOfTable sparse_entries(TableFrame frame, CoordinateArrays arrays) {
  require_integers(*arrays.rows);
  require_integers(*arrays.columns);
  require_length(*arrays.rows, arrays.data->size(), "the array of values");
  require_length(*arrays.columns, arrays.data->size(), "the array of values");
  require_rows(frame, *arrays.data);
  return std::make_unique<Coordinates>(std::move(frame), std::move(arrays));
}

ImportSummary import_bits(const SourceOfTable& table, Format format, const ImportOptions& options,
                          SampleSink& sink) {
  refuse_options_of_others(format, options);
  return std::visit([&](const auto& source) { return import_bits(*source, format, options, sink); },
                    table);
}

DenseImportSummary import_numbers(const SourceOfTable& table, Format format,
                                  const ImportOptions& options, DenseSink& sink) {
  refuse_options_of_others(format, options);
  return std::visit(
      [&](const auto& source) { return import_numbers(*source, format, options, sink); }, table);
}

}  // namespace orrery::data
