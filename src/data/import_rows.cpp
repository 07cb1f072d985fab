// Purpose: rows of the characters 0 and 1 into rows of bits, eight characters at a time. A missing
// token of one character may stand among them. Cost: linear.
#include <fmt/format.h>

#include "data/bits.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/import_blocks.hpp"
#include "data/readers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

void require_rows_options(const ImportOptions& options) {
  if (options.header == Header::yes) {
    throw UsageError(
        "--header yes: rows of 0/1 characters have no header; leave the option out, or give "
        "--format csv|tsv");
  }
  for (const std::string& token : options.missing_tokens) {
    if (token.size() != 1) {
      throw UsageError(fmt::format(
          "--missing {}: among rows of 0/1 characters a missing value is one character, as in "
          "--missing '?'",
          in_quotes(token)));
    }
  }
}

class RowsReader {
 public:
  RowsReader(TextReader& text, const ImportOptions& options)
      : text_(text), options_(options), cells_(options.missing_tokens) {}

  ImportSummary run(SampleSink& sink);

 private:
  bool next_row();
  void read_row(RowStage& stage);
  void accept_other(RowStage& stage, std::size_t column);

  TextReader& text_;
  const ImportOptions& options_;
  CellReader cells_;
  Columns columns_;
  std::string_view row_;
  std::uint64_t n_rows_ = 0;
  std::uint64_t blank_line_ = 0;
};

ImportSummary RowsReader::run(SampleSink& sink) {
  if (!next_row()) {
    throw InputError(
        fmt::format("{}: the file is empty; was it written completely?", text_.file()));
  }
  require_column_count(text_.file(), row_.size());
  columns_ = select_columns(text_.file(), default_names(row_.size()), options_.drop_columns);
  SampleBlocks blocks(text_.file(), columns_, sink);
  RowStage stage(columns_, blocks);
  do {
    read_row(stage);
  } while (next_row());
  stage.finish();
  return blocks.finish(Format::rows);
}

// Blank lines may only end the file.
bool RowsReader::next_row() {
  while (text_.next_line()) {
    row_ = trimmed(text_.line());
    if (row_.empty()) {
      blank_line_ = blank_line_ == 0 ? text_.line_number() : blank_line_;
      continue;
    }
    if (blank_line_ != 0) {
      throw InputError(fmt::format("{}: line {} is blank but line {} is not; remove the blank line",
                                   text_.file(), blank_line_, text_.line_number()));
    }
    ++n_rows_;
    return true;
  }
  return false;
}

void RowsReader::read_row(RowStage& stage) {
  if (row_.size() != columns_.size()) {
    throw InputError(
        fmt::format("{}: row {} (line {}) has {} columns, the first row has {}; complete the row",
                    text_.file(), n_rows_, text_.line_number(), row_.size(), columns_.size()));
  }
  pack_bytes(reinterpret_cast<const unsigned char*>(row_.data()), row_.size(), '0', stage.values(),
             [&](std::size_t column) { accept_other(stage, column); });
  stage.finish_row();
}

void RowsReader::accept_other(RowStage& stage, std::size_t column) {
  if (cells_.classify(row_[column]) == Cell::missing) {
    stage.set_missing(column);
    return;
  }
  if (columns_.is_kept[column] != 0) {
    const std::string value = in_quotes(row_.substr(column, 1));
    throw InputError(fmt::format(
        "{}: row {} (line {}), column {}: {} is neither 0 nor 1; if it means missing, give "
        "--missing {}; if the values are delimited, give --format csv|tsv",
        text_.file(), n_rows_, text_.line_number(), columns_.describe(column), value, value));
  }
}

}  // namespace

ImportSummary import_rows(TextReader& text, const ImportOptions& options, SampleSink& sink) {
  require_rows_options(options);
  return RowsReader(text, options).run(sink);
}

}  // namespace orrery::data
