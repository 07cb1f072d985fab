// Several tables as one stream of rows: files of the same columns in one import, files put
// together, rows taken out of a file, and tables in the order of a model's variables. Columns are
// matched by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/row_names.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/dense_block.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

/// The columns that come out, and where each is in the table at hand.
class JoinedColumns {
 public:
  /// A column that is nowhere. Its values are missing.
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  /// `wanted` empty: the columns of the first table, which all tables then must have. Else those of
  /// a model, of which tables may lack some.
  explicit JoinedColumns(std::vector<std::string> wanted = {})
      : names_(std::move(wanted)), may_be_absent_(!names_.empty()) {}

  /// The table at hand is `file`, of these columns. Throws InputError for a column that it lacks,
  /// or has beyond the others.
  void begin_table(const std::string& file, const std::vector<std::string>& names);

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }
  /// Of each column, its place in the table at hand.
  [[nodiscard]] const std::vector<std::size_t>& places() const noexcept { return places_; }

 private:
  std::vector<std::string> names_;
  bool may_be_absent_;
  std::string first_file_;
  std::vector<std::size_t> places_;
};

/// Bits. Each table's begin() and its blocks, of any number of rows, come in turn; `to` receives
/// one table in blocks of its own size. Memory: one block.
class JoinedBits final : public SampleSink {
 public:
  JoinedBits(SampleSink& to, std::vector<std::string> wanted = {})
      : to_(to), columns_(std::move(wanted)) {}

  /// The file of the next table, for messages; before its begin().
  void set_file(const std::string& file) { file_ = file; }
  void begin(const std::vector<std::string>& names) override;
  void append(const BitColumns& values, const BitColumns* missing) override;
  void name_rows(const RowNames& names) override { row_names_.add(names); }
  /// After the last table.
  void finish();

 private:
  void append_piece(const BitColumns& values, const BitColumns* missing, std::size_t first,
                    std::size_t n);
  void push();

  SampleSink& to_;
  JoinedColumns columns_;
  std::string file_;
  bool has_begun_ = false;
  BitColumns values_, missing_;
  bool has_missing_ = false;
  std::size_t n_filled_ = 0;  // rows of the block
  std::uint64_t n_rows_ = 0;
  RowNames row_names_;
};

/// Numbers, likewise.
class JoinedNumbers final : public DenseSink {
 public:
  JoinedNumbers(DenseSink& to, std::vector<std::string> wanted = {})
      : to_(to), columns_(std::move(wanted)) {}

  void set_file(const std::string& file) { file_ = file; }
  void begin(const std::vector<std::string>& names) override;
  void append(const DenseBlock& block) override;
  void name_rows(const RowNames& names) override { row_names_.add(names); }
  void finish();

 private:
  void push();

  DenseSink& to_;
  JoinedColumns columns_;
  std::string file_;
  bool has_begun_ = false;
  DenseBlock block_;
  std::size_t n_filled_ = 0;
  std::uint64_t n_rows_ = 0;
  RowNames row_names_;
};

/// `more` below `table`; columns matched by name, categories by their names: they must be the same,
/// in the same order. Throws InputError naming `file`, which `more` is from.
void append_rows(CategoricalTable& table, const CategoricalTable& more, const std::string& file);

/// The columns `wanted` of a table, in that order; those that are not there are missing, and of
/// these `categories` says the categories.
[[nodiscard]] CategoricalTable in_order(const CategoricalTable& table,
                                        const std::vector<std::string>& wanted,
                                        const std::vector<std::vector<std::string>>& categories);

/// The rows whose bit is set in `rows`, a word per 64 rows.
[[nodiscard]] BitColumns take_rows(const BitColumns& block, std::span<const std::uint64_t> rows);

}  // namespace orrery::data
