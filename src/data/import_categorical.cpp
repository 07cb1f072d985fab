// Purpose: CSV and TSV (text_table.hpp), and ARFF, into a table of categories.
// Cost: a look-up a value; the table is held, a byte per value.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "base/memory_limit.hpp"
#include "data/category_rows.hpp"
#include "data/cells.hpp"
#include "data/import_tables.hpp"
#include "data/readers.hpp"
#include "data/text_sources.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {
namespace {

class CategoricalReader {
 public:
  CategoricalReader(CategoryRows& table, Format format, const GivenCategories& given)
      : file_(table.file()), given_(given), table_(table) {
    result_.format = format;
    result_.table.names = table_.columns().kept_names();
    open_columns();
  }

  CategoricalImport run();

 private:
  void open_columns();
  void require_few(const std::string& name, const CategoryCodes& codes) const;
  void read_row();
  std::uint8_t read_code(std::size_t column, CategoryCodes& codes);
  [[noreturn]] void refuse_value(std::size_t column, const CategoryCodes& codes) const;
  [[noreturn]] void refuse_many(std::size_t column) const;
  static void require_text(const std::string& place, std::string_view category);
  void require_row_of_values(std::size_t first) const;
  void require_usable(const std::string& name, const CategoryCodes& codes) const;
  void sort_categories();

  [[nodiscard]] std::string_view token() const noexcept { return token_; }

  const std::string& file_;
  const GivenCategories& given_;
  CategoryRows& table_;
  std::string_view token_;              // of the value read last
  std::vector<CategoryCodes> columns_;  // of those that are kept
  std::vector<std::uint64_t> missing_;  // values, likewise
  CategoricalImport result_;
};

void CategoricalReader::open_columns() {
  const std::vector<std::string>& names = result_.table.names;
  for (const auto& [name, categories] : given_.of_columns) {
    if (std::ranges::find(names, name) != names.end() || table_.columns().may_lack_values) continue;
    throw InputError(
        fmt::format("{}: column {} is not among those imported from {}; correct its name, or take "
                    "its line out",
                    given_.source, in_quotes(name), file_));
  }
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto own = given_.of_columns.find(names[c]);
    const std::vector<std::string>& declared = table_.declared(table_.columns().kept[c]);
    columns_.emplace_back(own != given_.of_columns.end() ? own->second
                          : given_.all.empty()           ? declared
                                                         : given_.all);
    require_few(names[c], columns_.back());
  }
  missing_.assign(names.size(), 0);
}

/// A file may declare what no option can.
void CategoricalReader::require_few(const std::string& name, const CategoryCodes& codes) const {
  if (codes.categories().size() > max_categories) {
    throw InputError(fmt::format(
        "{}: column {} declares {} categories, and a column may have {}; leave it out with --drop "
        "{}",
        file_, in_quotes(name), codes.categories().size(), max_categories, in_quotes(name)));
  }
  const std::string place = fmt::format("{}: column {}", file_, in_quotes(name));
  for (const std::string& category : codes.categories()) require_text(place, category);
}

CategoricalImport CategoricalReader::run() {
  CategoricalTable& table = result_.table;
  while (table_.next_row()) {
    read_row();
    ++table.n_rows;
  }
  require_some_values(file_, table.names, table.n_rows, missing_, table_.columns().may_lack_values);
  for (const std::uint64_t n : missing_) result_.n_missing += n;
  for (std::size_t c = 0; c < columns_.size(); ++c) require_usable(table.names[c], columns_[c]);
  sort_categories();
  RowNames row_names = table_.take_row_names();
  if (are_fit(file_, row_names, table.n_rows)) result_.row_names = std::move(row_names);
  return std::move(result_);
}

void CategoricalReader::read_row() {
  std::vector<std::uint8_t>& codes = result_.table.codes;
  const std::size_t first = codes.size();
  table_.for_each_kept([&](std::size_t column, std::string_view token, bool is_missing) {
    token_ = token;
    CategoryCodes& categories = columns_[codes.size() - first];
    codes.push_back(is_missing ? missing_code : read_code(column, categories));
  });
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    missing_[c] += codes[first + c] == missing_code ? 1 : 0;
  }
  if (!table_.columns().may_lack_values) require_row_of_values(first);
}

/// Of the value read last.
std::uint8_t CategoricalReader::read_code(std::size_t column, CategoryCodes& codes) {
  std::uint8_t code = missing_code;
  switch (codes.find(token(), code)) {
    case CategoryCodes::Found::known:
      break;
    case CategoryCodes::Found::added:
      require_text(table_.where(column), token());
      break;
    case CategoryCodes::Found::not_given:
      refuse_value(column, codes);
    case CategoryCodes::Found::too_many:
      refuse_many(column);
  }
  return code;
}

void CategoricalReader::refuse_value(std::size_t column, const CategoryCodes& codes) const {
  std::string list;
  for (const std::string& category : codes.categories()) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", in_quotes(category));
  }
  throw InputError(fmt::format(
      "{}: {} is not among the categories given, {}; correct it, add it to them, or name it as "
      "missing with --missing {}",
      table_.where(column), in_quotes(token()), list, in_quotes(token())));
}

void CategoricalReader::refuse_many(std::size_t column) const {
  const std::string name = in_quotes(table_.columns().names[column]);
  throw InputError(fmt::format(
      "{}: {} is the category beyond the {} that a column may have; if the column holds numbers, "
      "bin it, or import it with --numeric; if it names the rows, say --index {}; else leave it "
      "out "
      "with --drop {}",
      table_.where(column), in_quotes(token()), max_categories, name, name));
}

void CategoricalReader::require_text(const std::string& place, std::string_view category) {
  if (!category.empty() && category.size() <= longest_name && is_utf8(category) &&
      !has_control_character(category)) {
    return;
  }
  throw InputError(
      fmt::format("{}: {} is no category: UTF-8 of at most {} bytes without control characters is "
                  "needed; convert the file, e.g. `iconv -f latin1 -t utf-8`",
                  place, in_quotes(category), longest_name));
}

void CategoricalReader::require_row_of_values(std::size_t first) const {
  const std::vector<std::uint8_t>& codes = result_.table.codes;
  const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::any_of(begin, codes.end(), [](std::uint8_t code) { return code != missing_code; })) {
    return;
  }
  throw InputError(fmt::format("{} has no value in any of its {} columns; take the row out",
                               table_.where(), columns_.size()));
}

void CategoricalReader::require_usable(const std::string& name, const CategoryCodes& codes) const {
  if (codes.are_given() || codes.categories().empty()) return;
  if (codes.categories().size() == 1) {
    throw InputError(fmt::format(
        "{}: column {} has one category, {}, in every row; leave it out with --drop {}, or say "
        "with --categories which others there are",
        file_, in_quotes(name), in_quotes(codes.categories().front()), in_quotes(name)));
  }
  const std::vector<std::string> same = codes.same_numbers();
  if (same.empty()) return;
  throw InputError(
      fmt::format("{}: column {} holds {} and {}, which are one number; write it in one way, or "
                  "say with --categories which categories there are",
                  file_, in_quotes(name), in_quotes(same[0]), in_quotes(same[1])));
}

void CategoricalReader::sort_categories() {
  CategoricalTable& table = result_.table;
  const std::size_t d = columns_.size();
  for (std::size_t c = 0; c < d; ++c) {
    const std::vector<std::uint8_t> new_code = columns_[c].sort();
    table.categories.push_back(columns_[c].categories());
    for (std::uint64_t n = 0; n < table.n_rows; ++n) {
      std::uint8_t& code = table.codes[n * d + c];
      if (code != missing_code) code = new_code[code];
    }
  }
}

/// Of CSV and TSV.
class DelimitedCategories final : public CategoryRows {
 public:
  DelimitedCategories(TextReader& text, Format format, const ImportOptions& options)
      : file_(text.file()),
        tokens_(options.missing_tokens),
        table_(text, format, options, [](const auto&) { return true; }),
        cell_(table_.delimiter()) {}

  [[nodiscard]] const std::string& file() const override { return file_; }
  [[nodiscard]] const Columns& columns() const override { return table_.columns(); }
  [[nodiscard]] const std::vector<std::string>& declared(std::size_t /*column*/) const override {
    return none_;
  }
  [[nodiscard]] bool next_row() override { return table_.next_row(); }
  [[nodiscard]] RowNames take_row_names() override { return std::move(table_.row_names()); }
  void for_each_kept(const Use& use) override {
    table_.for_each_kept(cell_, [&](std::size_t column) {
      double ignored = 0;
      use(column, cell_.token(), tokens_.read(cell_.token(), ignored) == NumberCell::missing);
    });
  }
  [[nodiscard]] std::string where() const override { return table_.where(); }
  [[nodiscard]] std::string where(std::size_t column) const override {
    return table_.where(column);
  }

 private:
  const std::string& file_;
  NumberReader tokens_;  // tells which are missing, numbers among them
  DelimitedTable table_;
  CellSplitter cell_;  // the one read last
  std::vector<std::string> none_;
};

/// A category that stands for a missing value could never be read.
void require_no_missing(const GivenCategories& given, const ImportOptions& options) {
  const NumberReader tokens(options.missing_tokens);
  const auto require = [&](const std::vector<std::string>& list) {
    for (const std::string& category : list) {
      double ignored = 0;
      if (tokens.read(category, ignored) != NumberCell::missing) continue;
      throw UsageError(
          fmt::format("{}: category {} stands for a missing value; rename it, or leave it out",
                      given.source, in_quotes(category)));
    }
  };
  require(given.all);
  for (const auto& [name, list] : given.of_columns) require(list);
}

}  // namespace

CategoricalImport read_categories(CategoryRows& table, Format format,
                                  const GivenCategories& given) {
  CategoricalImport found = CategoricalReader(table, format, given).run();
  check(found.table);
  return found;
}

CategoricalImport import_categorical(const std::filesystem::path& path,
                                     const ImportOptions& options, const GivenCategories& given) {
  require_no_missing(given, options);
  if (options.transpose) {
    throw UsageError(
        "--transpose: tables of categories are not turned round; save the table with a row per "
        "sample");
  }
  try {
    TextReader text(path);
    const Format format = recognise(path, text, options, false);
    refuse_options_of_others(format, options);
    if (format == Format::arff) return import_arff_categories(text, options, given);
    if (format != Format::csv && format != Format::tsv) {
      throw InputError(
          fmt::format("{}: a {} file holds bits or numbers; leave --categorical out, or save the "
                      "categories as csv, tsv or arff",
                      path.string(), format_name(format)));
    }
    DelimitedCategories table(text, format, options);
    return read_categories(table, format, given);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError(
        fmt::format("{}: not enough memory to import it: {}; run where more is free", path.string(),
                    describe_memory_in_use()));
  }
}

}  // namespace orrery::data
