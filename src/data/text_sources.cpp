#include "data/text_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <unordered_set>

#include "orrery/base/error.hpp"

namespace orrery::data {

CellBits::CellBits(const ImportOptions& options, bool has_decimal_comma)
    : cells_(options, has_decimal_comma), numbers_(options.missing_tokens, has_decimal_comma) {}

Cell CellBits::operator()(std::string_view token) const {
  const Cell meaning = cells_.classify(token);
  double number = 0;
  if (meaning != Cell::other || !cells_.has_words()) return meaning;
  switch (numbers_.read(token, number)) {
    case NumberCell::missing:
      return Cell::missing;
    case NumberCell::number:
      return number == 1 ? Cell::one : number == 0 ? Cell::zero : Cell::other;
    default:
      return Cell::other;
  }
}

void add_absent_names(std::vector<std::string>& names, const std::vector<std::string>& like) {
  if (like.empty()) return;
  const std::unordered_set<std::string> known(names.begin(), names.end());
  std::ranges::copy_if(like, std::back_inserter(names),
                       [&](const std::string& name) { return !known.contains(name); });
}

bool is_text_source(Format format) {
  return format == Format::svmlight || format == Format::arff || format == Format::long_table ||
         format == Format::text;
}

namespace {

std::unique_ptr<RowSource> open(TextReader& text, Format format, const ImportOptions& options,
                                Values values) {
  switch (format) {
    case Format::svmlight:
      return open_svmlight(text, options);
    case Format::arff:
      return open_arff(text, options, values);
    case Format::long_table:
      return open_long_table(text, options, values);
    default:
      return open_documents(text, options, values);
  }
}

/// Of a table that is turned round, the options on columns mean what the rows become.
ImportOptions of_source(const ImportOptions& options) {
  ImportOptions own = options;
  if (options.transpose) {
    own.keep_columns.clear();
    own.drop_columns.clear();
    own.like_columns.clear();
  }
  return own;
}

/// SVMlight's values are numbers that are yet to be understood; the others gave theirs a meaning.
ImportOptions left_to_obey(Format format, const ImportOptions& options) {
  ImportOptions left = options;
  left.header = Header::automatic;
  if (format != Format::svmlight) {
    left.missing_tokens.clear();
    left.on_tokens.clear();
    left.off_tokens.clear();
    left.threshold.reset();
  }
  return left;
}

}  // namespace

ImportSummary import_text_source(TextReader& text, Format format, const ImportOptions& options,
                                 SampleSink& sink) {
  const ImportOptions own = of_source(options);
  const auto table = open(text, format, own, Values::bits);
  return import_bits(*table, format, left_to_obey(format, options), sink);
}

DenseImportSummary import_text_source(TextReader& text, Format format, const ImportOptions& options,
                                      DenseSink& sink) {
  const ImportOptions own = of_source(options);
  const auto table = open(text, format, own, Values::numbers);
  return import_numbers(*table, format, left_to_obey(format, options), sink);
}

namespace {

void refuse_unless(bool obeys, bool is_given, Format format, std::string_view option,
                   std::string_view of) {
  if (obeys || !is_given) return;
  throw UsageError(
      fmt::format("{}: is for {}, and the format is {}; leave the option out, or name another "
                  "format with --format",
                  option, of, format_name(format)));
}

/// Of svmlight, arff, long tables and documents.
void refuse_options_of_cells(Format format, const ImportOptions& options) {
  const bool has_values = format != Format::text;
  const auto require = [&](bool obeys, bool is_given, std::string_view option,
                           std::string_view of) {
    refuse_unless(obeys, is_given, format, option, of);
  };
  require(format == Format::long_table, options.delimiter != '\0', "--delimiter",
          "csv, tsv and long tables");
  require(false, !options.index.empty(), "--index", "csv and tsv");
  require(false, options.header == Header::yes, "--header yes", "csv and tsv");
  require(has_values, !options.missing_tokens.empty(), "--missing", "tables of values");
  require(has_values, !options.on_tokens.empty() || !options.off_tokens.empty(), "--on, --off",
          "tables of values");
  require(has_values, options.threshold.has_value(), "--threshold", "tables of values");
}

}  // namespace

void refuse_options_of_others(Format format, const ImportOptions& options) {
  const bool is_long = format == Format::long_table;
  const bool is_text = format == Format::text;
  const auto require = [&](bool obeys, bool is_given, std::string_view option,
                           std::string_view of) {
    refuse_unless(obeys, is_given, format, option, of);
  };
  require(is_long,
          !options.row_column.empty() || !options.variable_column.empty() ||
              !options.value_column.empty() || !options.time_column.empty() ||
              !options.from.empty() || !options.before.empty(),
          "--row, --column, --value, --time, --from, --before", "long tables (--format long)");
  require(is_long || is_text, options.vocabulary || options.min_documents,
          "--vocabulary, --min-documents", "documents and long tables (text, long)");
  require(is_text, options.stop_words != "none", "--stop-words", "documents (text)");
  require(format == Format::svmlight, options.is_zero_based || !options.label.empty(),
          "--zero-based, --label", "SVMlight (svmlight)");
  require(format == Format::npz || format == Format::hdf5, !options.dataset.empty(), "--dataset",
          "archives of arrays and HDF5 (npz, hdf5)");
  constexpr std::array of_numbers{Format::mtx, Format::npy, Format::npz, Format::hdf5,
                                  Format::plink};
  const bool has_cells = std::ranges::find(of_numbers, format) == of_numbers.end();
  require(has_cells, options.delimiter != '\0', "--delimiter", "csv and tsv");
  require(has_cells, !options.index.empty(), "--index", "csv and tsv");
  if (!options.like_columns.empty() &&
      (options.vocabulary || options.min_documents || options.stop_words != "none")) {
    throw UsageError(
        "--vocabulary, --min-documents, --stop-words: --like says which variables there are; leave "
        "these out");
  }
  if (is_text_source(format)) refuse_options_of_cells(format, options);
}

}  // namespace orrery::data
