#include "data/long_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/cells.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

bool is_number(std::string_view text, double& number) {
  return NumberReader({}).read(text, number) == NumberCell::number;
}

/// 2020, 2020-01, 2020-01-31, and 2020-01-31T08:15 with whatever follows.
bool is_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  const std::string_view day = text.substr(0, form.size());
  const bool fits = std::ranges::equal(day, form.substr(0, day.size()), [](char c, char of_form) {
    return of_form == 'd' ? c >= '0' && c <= '9' : c == of_form;
  });
  if (!fits) return false;
  if (text.size() > form.size()) return text[form.size()] == 'T' || text[form.size()] == ' ';
  return text.size() == 4 || text.size() == 7 || text.size() == 10;
}

std::string as_date(std::string_view text) {
  std::string date(text);
  if (date.size() > 10 && date[10] == ' ') date[10] = 'T';
  return date;
}

}  // namespace

TimeInterval::TimeInterval(const ImportOptions& options)
    : from_(as_date(options.from)),
      before_(as_date(options.before)),
      least_(-std::numeric_limits<double>::infinity()),
      most_(std::numeric_limits<double>::infinity()) {
  const bool has_limits = !from_.empty() || !before_.empty();
  if (has_limits && options.time_column.empty()) {
    throw UsageError("--from, --before: are limits of a time; name its column with --time");
  }
  if (!has_limits && !options.time_column.empty()) {
    throw UsageError(
        fmt::format("--time {}: without a limit all lines count; set one with --from or --before",
                    in_quotes(options.time_column)));
  }
  if (!has_limits) return;
  are_numbers_ =
      (from_.empty() || is_number(from_, least_)) && (before_.empty() || is_number(before_, most_));
  are_dates_ = (from_.empty() || is_date(from_)) && (before_.empty() || is_date(before_));
  if (are_numbers_ || are_dates_) return;
  throw UsageError(
      fmt::format("--from, --before: {}: must be dates (ISO 8601, such as 2020-01-31) or numbers, "
                  "both of one kind",
                  from_.empty()     ? in_quotes(before_)
                  : before_.empty() ? in_quotes(from_)
                                    : in_quotes(from_) + " and " + in_quotes(before_)));
}

std::optional<bool> TimeInterval::contains(std::string_view time) const {
  double number = 0;
  if (are_numbers_ && is_number(time, number)) return number >= least_ && number < most_;
  if (!are_dates_ || !is_date(time)) return std::nullopt;
  const std::string date = as_date(time);
  return date >= from_ && (before_.empty() || date < before_);
}

LongLines::LongLines(TextReader& text, const ImportOptions& options)
    : text_(text),
      options_(options),
      table_options_(options),
      interval_(options),
      tokens_(options.missing_tokens) {
  if (options.row_column.empty() || options.variable_column.empty()) {
    throw UsageError(
        "--format long: which columns name the rows and the variables? Say so with --row and "
        "--column, such as --row patient --column code");
  }
  // The options on columns mean the variables, not the columns of the file.
  table_options_.header = Header::yes;
  table_options_.index = "none";
  table_options_.keep_columns.clear();
  table_options_.drop_columns.clear();
  table_options_.like_columns.clear();
  open();
  use_of_.assign(table_->columns().size(), n_cells);
  find_column(row_cell, "--row", options.row_column);
  find_column(variable_cell, "--column", options.variable_column);
  find_column(value_cell, "--value", options.value_column);
  find_column(time_cell, "--time", options.time_column);
}

void LongLines::open() {
  const std::string_view content = text_.peek();
  const std::string_view header = content.substr(0, content.find_first_of("\r\n"));
  const bool has_tabs = std::ranges::count(header, '\t') > std::ranges::count(header, ',');
  table_.emplace(text_, has_tabs ? Format::tsv : Format::csv, table_options_,
                 [](const auto&) { return true; });
  splitter_.emplace(table_->delimiter());
}

void LongLines::find_column(Cell cell, const char* option, const std::string& name) {
  if (name.empty()) return;
  const std::vector<std::string>& names = table_->columns().names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw InputError(fmt::format("{}: {} {}: there is no such column; the columns are {}",
                                 text_.file(), option, in_quotes(name), list_in_quotes(names)));
  }
  column_of_[cell] = static_cast<std::size_t>(found - names.begin());
  std::uint8_t& use = use_of_[column_of_[cell]];
  if (use != n_cells) {
    throw UsageError(
        fmt::format("{} {}: is the column of another of --row, --column, --value and "
                    "--time; name each column once",
                    option, in_quotes(name)));
  }
  use = cell;
}

bool LongLines::next() {
  while (table_->next_row()) {
    table_->for_each_kept(*splitter_, [&](std::size_t column) {
      if (use_of_[column] != n_cells) cells_[use_of_[column]] = splitter_->token();
    });
    if (!interval_.has_limits() || is_within_interval()) return true;
  }
  return false;
}

bool LongLines::is_within_interval() {
  const std::string& time = cells_[time_cell];
  const std::optional<bool> is_within = interval_.contains(time);
  if (is_within) {
    n_outside_ += *is_within ? 0 : 1;
    return *is_within;
  }
  double ignored = 0;
  if (tokens_.read(time, ignored) != NumberCell::missing) {
    throw InputError(fmt::format(
        "{}: {} is not {}, as the limits of --from and --before are; write the time so, or name it "
        "as missing with --missing {}",
        where(time_cell), in_quotes(time), interval_.kind(), in_quotes(time)));
  }
  ++n_without_time_;
  return false;
}

void LongLines::restart(const std::string& stage) {
  text_.restart(stage);
  n_without_time_ = n_outside_ = 0;
  open();
}

}  // namespace orrery::data
