// Purpose: tables of numbers into rows of doubles: CSV and TSV (text_table.hpp), and the choice of
// the reader of each other format.
// Cost: linear; a block of rows is held at a time.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_limit.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/delimited_rows.hpp"
#include "data/import_tables.hpp"
#include "data/readers.hpp"
#include "data/text_sources.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

class DenseDelimitedReader {
 public:
  DenseDelimitedReader(TextReader& text, Format format, const ImportOptions& options)
      : file_(text.file()),
        format_(format),
        may_be_names_(options.header == Header::automatic),
        numbers_(options.missing_tokens,
                 dialect_of(text.peek(), format, options).has_decimal_comma()),
        table_(text, format, options, [this](const auto& first) { return are_names(first); }),
        cell_(table_.delimiter()) {}

  DenseImportSummary run(DenseSink& sink);

 private:
  [[nodiscard]] bool are_names(const std::vector<std::string>& first) const;
  void read_row(DenseBlocks& blocks);
  double read_value(std::size_t column);
  [[noreturn]] void refuse(NumberCell cell, std::size_t column) const;

  const std::string& file_;
  Format format_;
  bool may_be_names_;  // of the first row, which was taken for values
  NumberReader numbers_;
  DelimitedTable table_;
  CellSplitter cell_;  // the one read last
};

DenseImportSummary DenseDelimitedReader::run(DenseSink& sink) {
  DenseBlocks blocks(file_, table_.columns(), sink);
  may_be_names_ = may_be_names_ && !table_.has_header();
  while (table_.next_row()) {
    read_row(blocks);
    may_be_names_ = false;
  }
  return blocks.finish(format_, table_.row_names());
}

bool DenseDelimitedReader::are_names(const std::vector<std::string>& first) const {
  // The name of the rows' names may be empty.
  const auto begin = first.begin() + (first.front().empty() && first.size() > 1 ? 1 : 0);
  return std::all_of(begin, first.end(), [&](const std::string& cell) {
    double value = 0;
    return numbers_.read(cell, value) == NumberCell::other;
  });
}

void DenseDelimitedReader::read_row(DenseBlocks& blocks) {
  double* value = blocks.row();
  table_.for_each_kept(cell_, [&](std::size_t column) { *value++ = read_value(column); });
  blocks.finish_row();
}

// The number of the cell read last.
double DenseDelimitedReader::read_value(std::size_t column) {
  double value = 0;
  const NumberCell cell = numbers_.read(cell_.token(), value);
  if (cell > NumberCell::missing) refuse(cell, column);
  return value;
}

void DenseDelimitedReader::refuse(NumberCell cell, std::size_t column) const {
  const std::string token = in_quotes(cell_.token());
  const std::string place = fmt::format("{}: {}", table_.where(column), token);
  if (cell == NumberCell::out_of_range) {
    throw InputError(fmt::format(
        "{} is beyond what a double holds (2e-308 to 1.8e308 in size); scale the column, or name "
        "it as missing with --missing {}",
        place, token));
  }
  throw InputError(fmt::format(
      "{} is {}; write a number, name it as missing with --missing {}, or leave the column out "
      "with --drop {}{}",
      place, cell == NumberCell::infinite ? "infinite" : "not a number", token,
      in_quotes(table_.columns().names[column]),
      may_be_names_ ? "; if the first row holds names, import with --header yes" : ""));
}

DenseImportSummary import_turned(TextReader& text, Format format, ImportOptions options,
                                 DenseSink& sink) {
  DelimitedRows rows(text, format, options, false);
  options.missing_tokens.clear();  // told already
  options.header = Header::automatic;
  return import_numbers(rows, format, options, sink);
}

DenseImportSummary import_as(Format format, const std::filesystem::path& path, TextReader& text,
                             const ImportOptions& options, DenseSink& sink) {
  switch (format) {
    case Format::npy:
      return import_dense_npy(path, options, sink);
    case Format::mtx:
      return import_dense_mtx(text, options, sink);
    case Format::npz:
      return import_dense_npz(path, options, sink);
    case Format::plink:
      return import_dense_plink(path, options, sink);
    case Format::svmlight:
    case Format::arff:
    case Format::long_table:
    case Format::text:
      return import_text_source(text, format, options, sink);
    case Format::csv:
    case Format::tsv:
      if (options.transpose) return import_turned(text, format, options, sink);
      return DenseDelimitedReader(text, format, options).run(sink);
    default:
      throw InputError(
          fmt::format("{}: a {} file holds bits, not numbers; leave --numeric out, or save the "
                      "numbers as csv, tsv, mtx or npy",
                      path.string(), format_name(format)));
  }
}

}  // namespace

DenseImportSummary import_dense(const std::filesystem::path& given, const ImportOptions& options,
                                DenseSink& sink) {
  if (options.format == Format::rows) {
    throw UsageError(
        fmt::format("--format {}: holds bits; numbers (--numeric) are read from csv, tsv, mtx and "
                    "npy",
                    format_name(options.format)));
  }
  const std::filesystem::path path = plink_file(given);
  try {
    TextReader text(path);
    const Format format = recognise(path, text, options, false);
    refuse_options_of_others(format, options);
    return import_as(format, path, text, options, sink);
  } catch (const std::bad_alloc&) {
    throw EnvironmentError(
        fmt::format("{}: not enough memory to import it: {}; run where more is free", path.string(),
                    describe_memory_in_use()));
  }
}

}  // namespace orrery::data
