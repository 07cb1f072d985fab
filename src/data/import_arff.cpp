// Purpose: ARFF (arff_table.hpp) into rows of bits and numbers, and into a table of categories.
// Cost: linear; the header and a line are held, and of categories the table.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "data/arff_table.hpp"
#include "data/category_rows.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/text_sources.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

using Kind = ArffAttribute::Kind;

class ArffSource final : public RowSource {
 public:
  ArffSource(TextReader& text, const ImportOptions& options, Values values);

  [[nodiscard]] const std::string& file() const override { return table_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return columns_.names; }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string where() const override { return table_.where(); }

 private:
  /// What a text means; NaN: missing; nothing: it has no meaning here.
  [[nodiscard]] std::optional<double> meaning_of(std::string_view token) const;
  [[nodiscard]] double value_of(const ArffCell& cell) const;
  void add(const ArffCell& cell, std::vector<RowValue>& values) const;
  [[noreturn]] void refuse(const ArffCell& cell) const;
  [[noreturn]] void refuse_bit(const ArffCell& cell) const;

  ArffTable table_;
  Values values_;
  CellBits bits_;
  NumberReader numbers_;
  Columns columns_;
  std::vector<std::vector<std::optional<double>>> meanings_;  // of each nominal column's categories
  std::vector<ArffCell> odd_absent_;  // of sparse rows: what stands for it is not 0
};

ArffSource::ArffSource(TextReader& text, const ImportOptions& options, Values values)
    : table_(text, options.missing_tokens),
      values_(values),
      bits_(options),
      numbers_(options.missing_tokens),
      columns_(select_columns(table_.file(), table_.names(), options)) {
  const std::vector<ArffAttribute>& attributes = table_.attributes();
  meanings_.resize(attributes.size());
  for (const std::size_t c : columns_.kept) {
    const std::vector<std::string>& categories = attributes[c].categories;
    for (const std::string& category : categories) {
      meanings_[c].push_back(meaning_of(category));
    }
    ArffCell absent;
    absent.column = c;
    absent.is_missing = categories.empty();  // of a text, and of a nominal one without any
    if (!categories.empty()) absent.token = categories.front();
    const bool is_zero = !meanings_[c].empty() && meanings_[c].front() == 0.0;
    if (attributes[c].kind != Kind::number && !is_zero) odd_absent_.push_back(absent);
  }
}

std::optional<double> ArffSource::meaning_of(std::string_view token) const {
  double number = no_value;
  if (values_ == Values::numbers) {
    const NumberCell cell = numbers_.read(token, number);
    return cell <= NumberCell::missing ? std::optional(number) : std::nullopt;
  }
  const Cell cell = bits_(token);
  if (cell == Cell::other) return std::nullopt;
  return cell == Cell::missing ? no_value : cell == Cell::one ? 1.0 : 0.0;
}

double ArffSource::value_of(const ArffCell& cell) const {
  if (cell.is_missing) return no_value;
  const bool is_nominal = table_.attributes()[cell.column].kind == Kind::nominal;
  const std::optional<double> value =
      is_nominal ? meanings_[cell.column][cell.category] : meaning_of(cell.token);
  if (!value) refuse(cell);
  return *value;
}

bool ArffSource::next_row(std::vector<RowValue>& values) {
  values.clear();
  if (!table_.next_row()) return false;
  auto absent = odd_absent_.begin();
  const auto add_absent_before = [&](std::size_t column) {
    for (; absent != odd_absent_.end() && absent->column < column; ++absent) add(*absent, values);
    if (absent != odd_absent_.end() && absent->column == column) ++absent;
  };
  for (const ArffCell& cell : table_.cells()) {
    if (table_.is_sparse()) add_absent_before(cell.column);
    if (columns_.is_kept[cell.column] != 0) add(cell, values);
  }
  if (table_.is_sparse()) add_absent_before(columns_.size());
  return true;
}

void ArffSource::add(const ArffCell& cell, std::vector<RowValue>& values) const {
  const double value = value_of(cell);
  if (is_listed(value)) values.push_back({cell.column, value});
}

void ArffSource::refuse(const ArffCell& cell) const {
  if (values_ == Values::bits) refuse_bit(cell);
  const std::string name = in_quotes(columns_.names[cell.column]);
  double ignored = 0;
  const NumberCell found = numbers_.read(cell.token, ignored);
  throw InputError(fmt::format(
      "{}: {} is {}; write a number, name it as missing with --missing {}, or leave the column out "
      "with --drop {}",
      table_.where(cell.column), in_quotes(cell.token),
      found == NumberCell::infinite       ? "infinite"
      : found == NumberCell::out_of_range ? "beyond what a double holds (2e-308 to 1.8e308 in size)"
                                          : "not a number",
      in_quotes(cell.token), name));
}

void ArffSource::refuse_bit(const ArffCell& cell) const {
  const ArffAttribute& attribute = table_.attributes()[cell.column];
  const std::string place =
      fmt::format("{}: {} is not binary", table_.where(cell.column), in_quotes(cell.token));
  const std::string drop =
      fmt::format("leave the column out with --drop {}", in_quotes(attribute.name));
  if (attribute.kind == Kind::number) {
    throw InputError(
        fmt::format("{}; name a threshold with --threshold X, import numbers with --numeric, or {}",
                    place, drop));
  }
  if (attribute.categories.size() == 2) {
    throw InputError(fmt::format(
        "{}; say which of the two values is on: --on {} --off {}, or the other way round; or {}",
        place, in_quotes(attribute.categories[1]), in_quotes(attribute.categories[0]), drop));
  }
  throw InputError(fmt::format(
      "{}; import categories with --categorical, say which values are on and off with --on and "
      "--off, or {}",
      place, drop));
}

class ArffCategories final : public CategoryRows {
 public:
  ArffCategories(TextReader& text, const ImportOptions& options)
      : table_(text, options.missing_tokens),
        tokens_(options.missing_tokens),
        columns_(select_columns(table_.file(), table_.names(), options)) {}

  [[nodiscard]] const std::string& file() const override { return table_.file(); }
  [[nodiscard]] const Columns& columns() const override { return columns_; }
  [[nodiscard]] const std::vector<std::string>& declared(std::size_t column) const override {
    return table_.attributes()[column].categories;
  }
  [[nodiscard]] bool next_row() override { return table_.next_row(); }
  void for_each_kept(const Use& use) override;
  [[nodiscard]] std::string where() const override { return table_.where(); }
  [[nodiscard]] std::string where(std::size_t column) const override {
    return table_.where(column);
  }

 private:
  void use_cell(const ArffCell& cell, const Use& use) const;
  void use_absent(std::size_t column, const Use& use) const;

  ArffTable table_;
  NumberReader tokens_;
  Columns columns_;
};

void ArffCategories::for_each_kept(const Use& use) {
  auto cell = table_.cells().begin();
  for (const std::size_t column : columns_.kept) {
    while (cell != table_.cells().end() && cell->column < column) ++cell;
    if (cell != table_.cells().end() && cell->column == column) {
      use_cell(*cell, use);
    } else {
      use_absent(column, use);
    }
  }
}

/// A declared value is one, be it called NA.
void ArffCategories::use_cell(const ArffCell& cell, const Use& use) const {
  double ignored = 0;
  const bool is_declared = table_.attributes()[cell.column].kind == Kind::nominal;
  use(cell.column, cell.token,
      cell.is_missing ||
          (!is_declared && tokens_.read(cell.token, ignored) == NumberCell::missing));
}

void ArffCategories::use_absent(std::size_t column, const Use& use) const {
  const ArffAttribute& attribute = table_.attributes()[column];
  if (attribute.kind == Kind::number) {
    use(column, "0", false);
  } else if (attribute.categories.empty()) {
    use(column, "", true);
  } else {
    use(column, attribute.categories.front(), false);
  }
}

}  // namespace

std::unique_ptr<RowSource> open_arff(TextReader& text, const ImportOptions& options,
                                     Values values) {
  return std::make_unique<ArffSource>(text, options, values);
}

CategoricalImport import_arff_categories(TextReader& text, const ImportOptions& options,
                                         const GivenCategories& given) {
  ArffCategories rows(text, options);
  return read_categories(rows, Format::arff, given);
}

}  // namespace orrery::data
