// Purpose: long tables, whose lines say that a row has a variable, into rows.
// The first pass numbers the names of rows and variables, and keeps the lines as pairs of numbers.
// These are then gathered by rows (a counting sort). Where the lines exceed options.memory_bytes
// they are not kept, and the file is read again for as many rows at a time as fit.
// Cost: linear for every pass; a look-up for each new row and for each variable.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/long_lines.hpp"
#include "data/name_index.hpp"
#include "data/text_sources.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint32_t not_a_variable = std::numeric_limits<std::uint32_t>::max();

/// A line by numbers. Its variable is not_a_variable if it has none.
struct Line {
  std::uint32_t row = 0;
  std::uint32_t variable = 0;
};

/// The lines of rows [first, end), gathered by rows.
struct Gathered {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::vector<std::uint64_t> begins;  // of each row in `variables`; one more at the end
  std::vector<std::uint64_t> next;    // where the next line of each row goes
  std::vector<std::uint32_t> variables;
  std::vector<double> values;  // none: all are 1

  [[nodiscard]] bool holds(std::uint64_t row) const noexcept { return row >= first && row < end; }
};

/// Numbers as numbers if all are, else bytes.
bool are_numbers(const std::vector<std::string>& names, std::vector<double>& numbers) {
  const NumberReader reader({});
  numbers.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (reader.read(names[i], numbers[i]) != NumberCell::number) return false;
  }
  return true;
}

void sort_names(std::vector<std::string>& names) {
  std::vector<double> numbers;
  if (!are_numbers(names, numbers)) {
    std::ranges::sort(names);
    return;
  }
  std::vector<std::pair<double, std::string>> pairs(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) pairs[i] = {numbers[i], std::move(names[i])};
  std::ranges::sort(pairs);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::move(pairs[i].second);
}

class LongSource final : public RowSource {
 public:
  LongSource(TextReader& text, const ImportOptions& options, Values values);

  [[nodiscard]] const std::string& file() const override { return text_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool has_row_names() const override { return true; }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string_view row_name() const override {
    return rows_[static_cast<std::uint32_t>(row_ - 1)];
  }
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: row {} ({})", file(), row_, in_quotes(row_name()));
  }

 private:
  // The first pass.
  void number_names();
  std::uint32_t number_row();
  std::uint32_t number_variable();
  void keep(const Line& line, double value);
  [[nodiscard]] bool is_missing(std::string_view token) const;
  // The variables.
  void choose_variables();
  [[nodiscard]] std::vector<std::uint64_t> count_rows();
  void keep_variables(const std::vector<std::uint64_t>& n_rows);
  // Lines by rows.
  [[nodiscard]] double read_value() const;
  [[noreturn]] void refuse_value() const;
  [[nodiscard]] std::uint64_t bytes_per_line() const {
    return sizeof(std::uint32_t) + (lines_.has_values() ? sizeof(double) : 0);
  }
  void gather_from(std::uint64_t first);
  void gather_kept();
  void gather_by_reading();
  void place(const Line& line, double value);
  void merge_row(std::uint64_t row, std::vector<RowValue>& values) const;
  [[noreturn]] void refuse_change() const;
  void say_what_was_left_out() const;

  TextReader& text_;
  const ImportOptions& options_;
  Values kind_;
  LongLines lines_;
  CellBits bits_;
  NumberReader numbers_;
  NameIndex rows_, variables_;
  std::uint32_t last_row_ = NameIndex::none;
  std::vector<std::uint64_t> n_lines_;     // of each row
  std::vector<std::uint8_t> is_variable_;  // false of a text that means missing
  bool keeps_lines_ = true;
  std::vector<Line> kept_;
  std::vector<double> kept_values_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> column_of_;  // of each variable, or not_a_variable
  Gathered gathered_;
  std::uint64_t row_ = 0;  // rows given so far
  std::uint64_t n_passes_ = 1;
};

LongSource::LongSource(TextReader& text, const ImportOptions& options, Values values)
    : text_(text),
      options_(options),
      kind_(values),
      lines_(text, options),
      bits_(options, lines_.has_decimal_comma()),
      numbers_(options.missing_tokens, lines_.has_decimal_comma()) {
  number_names();
  choose_variables();
}

// --------------------------------------------------------------------------------- first pass

void LongSource::number_names() {
  while (lines_.next()) {
    const Line line{number_row(), number_variable()};
    const double value = line.variable == not_a_variable ? no_value : read_value();
    if (line.variable != not_a_variable) ++n_lines_[line.row];
    if (keeps_lines_) keep(line, value);
  }
  if (rows_.size() > 0) return;
  throw InputError(
      fmt::format("{}: there is no line{}; was the table written completely?", file(),
                  lines_.n_outside() > 0 ? " with a time from --from on and before --before" : ""));
}

std::uint32_t LongSource::number_row() {
  if (last_row_ != NameIndex::none && rows_[last_row_] == lines_.row()) return last_row_;
  if (rows_.size() == NameIndex::none) {
    throw InputError(fmt::format("{}: more than {} rows; split the table", lines_.where_row(),
                                 format_count(NameIndex::none)));
  }
  last_row_ = rows_.add(lines_.row());
  if (last_row_ < n_lines_.size()) return last_row_;
  if (is_missing(lines_.row())) {
    throw InputError(fmt::format("{}: {} names no row; every line needs the row that it is of",
                                 lines_.where_row(), in_quotes(lines_.row())));
  }
  n_lines_.push_back(0);
  return last_row_;
}

std::uint32_t LongSource::number_variable() {
  const std::uint32_t variable = variables_.add(lines_.variable());
  if (variable == is_variable_.size()) {
    is_variable_.push_back(is_missing(lines_.variable()) ? 0 : 1);
  }
  return is_variable_[variable] != 0 ? variable : not_a_variable;
}

bool LongSource::is_missing(std::string_view token) const {
  double ignored = 0;
  return numbers_.read(token, ignored) == NumberCell::missing;
}

/// Lines are kept while they fit.
void LongSource::keep(const Line& line, double value) {
  if (line.variable == not_a_variable) return;
  const std::uint64_t bytes = sizeof(Line) + (lines_.has_values() ? sizeof(double) : 0);
  if ((kept_.size() + 1) * (bytes + bytes_per_line()) > options_.memory_bytes) {
    keeps_lines_ = false;
    std::exchange(kept_, {});
    std::exchange(kept_values_, {});
    return;
  }
  kept_.push_back(line);
  if (lines_.has_values()) kept_values_.push_back(value);
}

/// As bits: 1, 0 or NaN (missing); as numbers: itself.
double LongSource::read_value() const {
  if (!lines_.has_values()) return 1;
  double value = no_value;
  if (kind_ == Values::numbers) {
    if (numbers_.read(lines_.value(), value) > NumberCell::missing) refuse_value();
    return value;
  }
  const Cell cell = bits_(lines_.value());
  if (cell == Cell::other) refuse_value();
  return cell == Cell::missing ? no_value : cell == Cell::one ? 1 : 0;
}

void LongSource::refuse_value() const {
  const std::string value = in_quotes(lines_.value());
  throw InputError(fmt::format(
      "{}: {} is {}; {}, name it as missing with --missing {}, or leave --value out: then a line "
      "means 1",
      lines_.where_value(), value,
      kind_ == Values::bits ? "not binary" : "not a number, or beyond what a double holds",
      kind_ == Values::bits ? "say which values are on with --threshold X, or with --on and --off"
                            : "write a number",
      value));
}

// ---------------------------------------------------------------------------------- variables

void LongSource::choose_variables() {
  names_ = options_.like_columns;
  if (names_.empty()) {
    const bool needs_counts = options_.vocabulary || options_.min_documents.value_or(1) > 1;
    keep_variables(needs_counts ? count_rows() : std::vector<std::uint64_t>(variables_.size(), 1));
    sort_names(names_);
  }
  column_of_.assign(variables_.size(), not_a_variable);
  for (std::size_t column = 0; column < names_.size(); ++column) {
    const std::uint32_t variable = variables_.find(names_[column]);
    if (variable != NameIndex::none) column_of_[variable] = static_cast<std::uint32_t>(column);
  }
}

/// In how many rows each variable is.
std::vector<std::uint64_t> LongSource::count_rows() {
  column_of_.resize(variables_.size());
  std::iota(column_of_.begin(), column_of_.end(), 0U);
  std::vector<std::uint64_t> n_rows(variables_.size(), 0);
  std::vector<RowValue> values;
  for (std::uint64_t row = 0; row < rows_.size(); ++row) {
    if (!gathered_.holds(row)) gather_from(row);
    merge_row(row, values);
    for (const auto& [variable, value] : values) {
      n_rows[variable] += std::isnan(value) || value == 0 ? 0 : 1;
    }
  }
  return n_rows;
}

void LongSource::keep_variables(const std::vector<std::uint64_t>& n_rows) {
  const std::uint64_t least = options_.min_documents.value_or(1);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t v = 0; v < variables_.size(); ++v) {
    if (is_variable_[v] != 0 && n_rows[v] >= least) chosen.push_back(v);
  }
  const std::uint64_t most = options_.vocabulary.value_or(chosen.size());
  if (chosen.size() > most) {
    std::ranges::sort(chosen, [&](std::uint32_t a, std::uint32_t b) {
      return n_rows[a] != n_rows[b] ? n_rows[a] > n_rows[b] : variables_[a] < variables_[b];
    });
    chosen.resize(most);
  }
  for (const std::uint32_t v : chosen) names_.emplace_back(variables_[v]);
  if (names_.size() >= 2) return;
  throw InputError(fmt::format(
      "{}: {} of the {} variables in column {} {} in {} rows or more, and two are needed{}", file(),
      names_.size(), variables_.size(), in_quotes(options_.variable_column),
      names_.size() == 1 ? "is" : "are", least,
      least > 1 ? "; set --min-documents lower" : "; is it the right column?"));
}

// ------------------------------------------------------------------------------- lines by rows

/// Gathers rows from `first` on: as many as fit, and one at least.
void LongSource::gather_from(std::uint64_t first) {
  const std::uint64_t most_lines =
      keeps_lines_ ? std::numeric_limits<std::uint64_t>::max()
                   : std::max<std::uint64_t>(1, options_.memory_bytes / bytes_per_line());
  gathered_.first = gathered_.end = first;
  gathered_.begins.assign(1, 0);
  while (gathered_.end < rows_.size()) {
    const std::uint64_t n_lines = gathered_.begins.back() + n_lines_[gathered_.end];
    if (n_lines > most_lines && gathered_.end > first) break;
    gathered_.begins.push_back(n_lines);
    ++gathered_.end;
  }
  gathered_.next.assign(gathered_.begins.begin(), gathered_.begins.end() - 1);
  gathered_.variables.resize(gathered_.begins.back());
  gathered_.values.resize(lines_.has_values() ? gathered_.begins.back() : 0);
  if (keeps_lines_) {
    gather_kept();
  } else {
    gather_by_reading();
  }
}

void LongSource::gather_kept() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    place(kept_[i], kept_values_.empty() ? 1 : kept_values_[i]);
  }
  std::exchange(kept_, {});
  std::exchange(kept_values_, {});
}

void LongSource::gather_by_reading() {
  lines_.restart(fmt::format("import, pass {}", ++n_passes_));
  last_row_ = NameIndex::none;
  std::uint64_t n_placed = 0;
  while (lines_.next()) {
    if (last_row_ == NameIndex::none || rows_[last_row_] != lines_.row()) {
      last_row_ = rows_.find(lines_.row());
    }
    const std::uint32_t variable = variables_.find(lines_.variable());
    if (last_row_ == NameIndex::none || variable == NameIndex::none) refuse_change();
    if (!gathered_.holds(last_row_) || is_variable_[variable] == 0) continue;
    place({last_row_, variable}, read_value());
    ++n_placed;
  }
  if (n_placed != gathered_.variables.size()) refuse_change();
}

void LongSource::place(const Line& line, double value) {
  const std::size_t row = line.row - gathered_.first;
  const std::uint64_t at = gathered_.next[row]++;
  if (at == gathered_.begins[row + 1]) refuse_change();
  gathered_.variables[at] = line.variable;
  if (!gathered_.values.empty()) gathered_.values[at] = value;
}

void LongSource::refuse_change() const {
  throw InputError(fmt::format("{}: the file changed while it was read; import it again", file()));
}

/// The values of a row by columns: the sum of those that are there; as bits 1 if one of them is.
void LongSource::merge_row(std::uint64_t row, std::vector<RowValue>& values) const {
  values.clear();
  const std::size_t at = row - gathered_.first;
  for (std::uint64_t i = gathered_.begins[at]; i < gathered_.begins[at + 1]; ++i) {
    const std::uint32_t column = column_of_[gathered_.variables[i]];
    if (column == not_a_variable) continue;
    values.push_back({column, gathered_.values.empty() ? 1 : gathered_.values[i]});
  }
  std::ranges::stable_sort(values, {}, &RowValue::column);
  std::size_t n = 0;
  for (const RowValue& next : values) {
    if (n == 0 || values[n - 1].column != next.column) {
      values[n++] = next;
    } else if (std::isnan(values[n - 1].value)) {
      values[n - 1].value = next.value;
    } else if (!std::isnan(next.value)) {
      values[n - 1].value += next.value;
    }
  }
  values.resize(n);
  if (kind_ == Values::numbers) return;
  for (RowValue& value : values) value.value = value.value > 1 ? 1 : value.value;
}

void LongSource::say_what_was_left_out() const {
  if (lines_.n_outside() > 0) {
    log::info("{}: {} lines are outside of the interval of time", file(),
              format_count(lines_.n_outside()));
  }
  if (lines_.n_without_time() > 0) {
    log::warning("{}: {} lines without a time are left out", file(),
                 format_count(lines_.n_without_time()));
  }
}

bool LongSource::next_row(std::vector<RowValue>& values) {
  if (row_ == rows_.size()) {
    say_what_was_left_out();
    return false;
  }
  if (!gathered_.holds(row_)) gather_from(row_);
  merge_row(row_++, values);
  return true;
}

}  // namespace

std::unique_ptr<RowSource> open_long_table(TextReader& text, const ImportOptions& options,
                                           Values values) {
  return std::make_unique<LongSource>(text, options, values);
}

}  // namespace orrery::data
