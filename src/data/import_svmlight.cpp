// Purpose: SVMlight files (LIBSVM's are the same) into rows of numbers.
// Format: Joachims, "SVMlight", svmlight.joachims.org: lines of a label, optionally qid:NUMBER, and
// index:value with ascending indices; # begins a comment. Labels of several classes are separated
// by commas, and a row of no class may lack them, as scikit-learn writes them.
// Cost: linear; every line is parsed twice, and a line is held at a time.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/text_sources.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t no_index = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view blanks = " \t";

/// Without a comment and the blanks around.
std::string_view content_of(std::string_view line) {
  return trimmed(line.substr(0, line.find('#')));
}

/// The index before the colon of index:value; the value is `word` after it. False if it is none.
bool take_index(std::string_view& word, std::uint64_t& index) {
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, index);
  if (stop == end || *stop != ':' || stop == word.data()) return false;
  if (error == std::errc::result_out_of_range) index = no_index;
  word.remove_prefix(static_cast<std::size_t>(stop - word.data()) + 1);
  return true;
}

class SvmlightSource final : public RowSource {
 public:
  SvmlightSource(TextReader& text, const ImportOptions& options);

  [[nodiscard]] const std::string& file() const override { return text_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: row {} (line {})", file(), row_, text_.line_number());
  }

 private:
  void find_columns();
  [[nodiscard]] bool next_line(std::vector<RowValue>& values);
  void read_line(std::string_view line, std::vector<RowValue>& values);
  [[nodiscard]] double read_number(std::string_view word, std::string_view what) const;
  void read_labels(std::string_view word);
  void sort(std::vector<RowValue>& values) const;
  void to_columns(std::vector<RowValue>& values) const;

  TextReader& text_;
  const ImportOptions& options_;
  NumberReader numbers_;
  std::vector<std::string> names_;
  std::uint64_t first_index_ = 0;  // of the first column that is no label
  std::uint64_t end_index_ = 0;    // beyond the last
  std::uint64_t row_ = 0;
  std::uint64_t n_labels_ = 0;  // of the current row
  double label_ = 0;            // its last one
  bool has_labels_ = false;     // other than 0
};

SvmlightSource::SvmlightSource(TextReader& text, const ImportOptions& options)
    : text_(text), options_(options), numbers_({}) {
  find_columns();
  text_.restart("import, pass 2 of 2");
  row_ = 0;
}

void SvmlightSource::find_columns() {
  std::uint64_t least = no_index;
  std::vector<RowValue> values;
  while (next_line(values)) {
    has_labels_ = has_labels_ || (n_labels_ > 0 && label_ != 0);
    if (values.empty()) continue;
    least = std::min<std::uint64_t>(least, values.front().column);
    end_index_ = std::max<std::uint64_t>(end_index_, values.back().column + 1);
  }
  first_index_ = options_.is_zero_based.value_or(least == 0) ? 0 : 1;
  if (end_index_ > 0) names_ = default_names(end_index_ - std::min(first_index_, end_index_));
  add_absent_names(names_, options_.like_columns);
  if (!options_.label.empty()) names_.insert(names_.begin(), options_.label);
}

bool SvmlightSource::next_row(std::vector<RowValue>& values) {
  if (!next_line(values)) {
    if (has_labels_ && options_.label.empty()) {
      log::info("{}: the labels are left out; --label NAME makes a column of them", file());
    }
    return false;
  }
  if (!values.empty() && values.back().column >= end_index_) {
    throw InputError(
        fmt::format("{}: the file changed while it was read; import it again", file()));
  }
  to_columns(values);
  return true;
}

/// Columns are indices here.
bool SvmlightSource::next_line(std::vector<RowValue>& values) {
  while (text_.next_line()) {
    const std::string_view line = content_of(text_.line());
    if (line.empty()) continue;
    ++row_;
    read_line(line, values);
    return true;
  }
  return false;
}

void SvmlightSource::read_line(std::string_view line, std::vector<RowValue>& values) {
  values.clear();
  n_labels_ = 0;
  const std::string_view first = line.substr(0, line.find_first_of(blanks));
  if (first.find(':') == std::string_view::npos) read_labels(take_word(line));
  bool is_first = true;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    const std::string_view whole = word;
    if (std::exchange(is_first, false) && word.starts_with("qid:")) continue;
    std::uint64_t index = 0;
    if (!take_index(word, index)) {
      throw InputError(fmt::format(
          "{}: {} is not index:value, such as 3:1; correct it, or name another format with "
          "--format",
          where(), in_quotes(whole)));
    }
    if (index > most_columns) {
      throw InputError(
          fmt::format("{}: the index of {} is beyond {}, the most columns that can be imported; "
                      "number the columns from 0 or 1 on",
                      where(), in_quotes(whole), format_count(most_columns)));
    }
    values.push_back({static_cast<std::size_t>(index), read_number(word, whole)});
  }
  sort(values);
  if (!values.empty() && values.front().column == 0 && options_.is_zero_based == false) {
    throw InputError(
        fmt::format("{}: index 0 in a file whose first index is to be 1; import with --zero-based "
                    "yes, or leave it out",
                    where()));
  }
}

void SvmlightSource::read_labels(std::string_view word) {
  const std::string_view whole = word;
  for (bool is_last = false; !is_last; ++n_labels_) {
    const std::size_t comma = word.find(',');
    is_last = comma == std::string_view::npos;
    label_ = read_number(word.substr(0, comma), whole);
    if (!is_last) word.remove_prefix(comma + 1);
  }
  if (n_labels_ > 1 && !options_.label.empty()) {
    throw InputError(
        fmt::format("{}: {} labels, {}, where --label makes one column of them; leave --label out",
                    where(), n_labels_, in_quotes(whole)));
  }
}

/// NaN: missing.
double SvmlightSource::read_number(std::string_view word, std::string_view what) const {
  double value = 0;
  const NumberCell found = word.empty() ? NumberCell::other : numbers_.read(word, value);
  if (found == NumberCell::infinite) return std::numeric_limits<double>::infinity();
  if (found <= NumberCell::missing) return value;
  throw InputError(
      fmt::format("{}: {} holds {}; correct the line, or name another format with --format",
                  where(), in_quotes(what),
                  found == NumberCell::out_of_range
                      ? "a number beyond what a double holds (2e-308 to 1.8e308 in size)"
                      : "no number where one is needed"));
}

void SvmlightSource::sort(std::vector<RowValue>& values) const {
  const auto is_before = [](const RowValue& a, const RowValue& b) { return a.column < b.column; };
  if (!std::ranges::is_sorted(values, is_before)) std::ranges::sort(values, is_before);
  const auto twice = std::ranges::adjacent_find(values, {}, &RowValue::column);
  if (twice == values.end()) return;
  throw InputError(
      fmt::format("{}: index {} has two values; write every index once", where(), twice->column));
}

/// Indices to columns; the label is the first.
void SvmlightSource::to_columns(std::vector<RowValue>& values) const {
  const bool has_label = !options_.label.empty();
  for (RowValue& value : values) value.column += (has_label ? 1 : 0) - first_index_;
  if (!has_label) return;
  const double label = n_labels_ == 0 ? no_value : label_;
  if (label != 0) values.insert(values.begin(), {0, label});
}

}  // namespace

std::unique_ptr<RowSource> open_svmlight(TextReader& text, const ImportOptions& options) {
  return std::make_unique<SvmlightSource>(text, options);
}

bool begins_as_svmlight(std::string_view content) {
  while (content.starts_with('#'))
    content.remove_prefix(std::min(content.find('\n'), content.size() - 1) + 1);
  std::string_view line = content_of(content.substr(0, content.find_first_of("\r\n")));
  if (take_word(line).find_first_not_of("0123456789+-.eE,") != std::string_view::npos) return false;
  std::size_t n_values = 0;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    std::uint64_t index = 0;
    if (n_values == 0 && word.starts_with("qid:")) continue;
    if (!take_index(word, index)) return false;
    ++n_values;
  }
  return n_values > 0;
}

}  // namespace orrery::data
