// Purpose: text into rows of bits: CSV and TSV (text_table.hpp) with any of the words for 0, 1 and
// missing (cells.cpp), and rows of the characters 0 and 1.
// Cost: linear. Cells are read in place: four cells of one character at a time where they come so,
// and eight characters at a time.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "data/bits.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/delimited_rows.hpp"
#include "data/readers.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

class DelimitedReader {
 public:
  DelimitedReader(TextReader& text, Format format, const ImportOptions& options)
      : text_(text),
        options_(options),
        file_(text.file()),
        format_(format),
        cells_(options, dialect_of(text.peek(), format, options).has_decimal_comma()),
        table_(text, format, options, [this](const auto& first) { return are_names(first); }),
        columns_(table_.columns()),
        cell_(table_.delimiter()) {
    // Four cells of one character: each '0' or '1', each followed by a delimiter.
    const auto delimiter = static_cast<unsigned char>(table_.delimiter());
    const auto pair = static_cast<std::uint64_t>('0' | (unsigned{delimiter} << 8U));
    four_zeros_ = pair * 0x0001000100010001U;
    has_single_cells_ = table_.delimiter() != ' ';
    if (table_.has_header() && options.header == Header::automatic && !columns_.has_index()) {
      warn_of_names_that_are_values();
    }
  }

  ImportSummary run(SampleSink& sink);

 private:
  [[nodiscard]] bool are_names(const std::vector<std::string>& first) const;
  void warn_of_names_that_are_values() const;
  void read_row();
  [[nodiscard]] bool may_read_fours(std::size_t column) const noexcept;
  const char* read_fours(const char* position, const char* end, BitAppender& bits,
                         std::size_t& column) const;
  unsigned read_value(std::size_t column);
  unsigned read_name();

  TextReader& text_;
  const ImportOptions& options_;
  const std::string& file_;
  Format format_;
  CellReader cells_;
  DelimitedTable table_;
  const Columns& columns_;
  CellSplitter cell_;  // the one read last
  std::uint64_t four_zeros_ = 0;
  bool has_single_cells_ = true;  // a delimiter follows a cell at once
  RowStage* stage_ = nullptr;
};

ImportSummary DelimitedReader::run(SampleSink& sink) {
  SampleBlocks blocks(file_, columns_, sink);
  RowStage stage(columns_, blocks);
  stage_ = &stage;
  while (table_.next_row()) read_row();
  stage.finish();
  return blocks.finish(format_, table_.row_names());
}

bool DelimitedReader::are_names(const std::vector<std::string>& first) const {
  return std::any_of(first.begin(), first.end(), [&](const std::string& cell) {
    return cells_.classify(std::string_view(cell)) == Cell::other;
  });
}

void DelimitedReader::warn_of_names_that_are_values() const {
  const auto& names = columns_.names;
  const auto value = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    const Cell meaning = cells_.classify(std::string_view(name));
    return meaning == Cell::zero || meaning == Cell::one;
  });
  if (value != names.end()) {
    log::warning(
        "{}: the first row is taken for column names though it holds {}; if it is data, import "
        "with --header no",
        file_, in_quotes(*value));
  }
}

bool DelimitedReader::may_read_fours(std::size_t column) const noexcept {
  const bool has_name = columns_.index >= column && columns_.index < column + 4;
  return column + 4 < columns_.size() && cells_.has_plain_digits() && has_single_cells_ &&
         !has_name;
}

// Reads cells from `position` on, four at a time, while they are '0' or '1' and a delimiter each;
// returns where the next cell begins. There is one, since the last of the four was delimited.
const char* DelimitedReader::read_fours(const char* position, const char* end, BitAppender& bits,
                                        std::size_t& column) const {
  while (may_read_fours(column) && end - position >= 8) {
    const std::uint64_t four = load_eight(position) ^ four_zeros_;
    if ((four & ~std::uint64_t{0x0001000100010001}) != 0) {
      break;
    }
    bits.put(gather_four(four), 4);
    column += 4;
    position += 8;
  }
  return position;
}

void DelimitedReader::read_row() {
  const std::size_t n_columns = columns_.size();
  const std::string_view line = table_.line();
  const char* p = line.data();
  const char* const end = p + line.size();
  BitAppender bits(stage_->values());
  std::size_t column = 0;
  while (true) {
    p = read_fours(p, end, bits, column);
    if (column == n_columns) {
      table_.refuse_width(column + 1 +
                          static_cast<std::size_t>(std::count(p, end, table_.delimiter())));
    }
    const bool is_single = has_single_cells_ && p != end && column != columns_.index &&
                           (p + 1 == end || p[1] == table_.delimiter());
    const Cell single = is_single ? cells_.classify(*p) : Cell::other;
    if (single <= Cell::one) {
      bits.put(single == Cell::one ? 1 : 0, 1);
      ++p;
    } else {
      p = cell_.read(p, end);
      bits.put(column == columns_.index ? read_name() : read_value(column), 1);
    }
    ++column;
    if (p == end) {
      break;
    }
    ++p;
  }
  if (column != n_columns) {
    table_.refuse_width(column);
  }
  bits.finish();
  stage_->finish_row();
}

// Of the row; the bit of its column is not kept.
unsigned DelimitedReader::read_name() {
  table_.add_row_name(cell_.token());
  return 0;
}

// The bit of the cell read last.
unsigned DelimitedReader::read_value(std::size_t column) {
  switch (cells_.classify(cell_.token())) {
    case Cell::zero:
      return 0;
    case Cell::one:
      return 1;
    case Cell::missing:
      stage_->set_missing(column);
      return 0;
    case Cell::other:
      break;
  }
  if (columns_.is_kept[column] == 0) {
    return 0;
  }
  throw InputError(not_binary(text_, format_, options_, cells_, table_.where(column),
                              std::string(cell_.token()), column, columns_.names[column]));
}

}  // namespace

namespace {

/// What cells mean has been told: the values are 0, 1 and missing.
ImportOptions without_words(ImportOptions options) {
  options.on_tokens.clear();
  options.off_tokens.clear();
  options.missing_tokens.clear();
  options.threshold.reset();
  options.header = Header::automatic;
  return options;
}

}  // namespace

ImportSummary import_delimited(TextReader& text, Format format, const ImportOptions& options,
                               SampleSink& sink) {
  if (options.transpose) {
    DelimitedRows rows(text, format, options, true);
    return import_bits(rows, format, without_words(options), sink);
  }
  return DelimitedReader(text, format, options).run(sink);
}

// Rows of the characters 0 and 1. A missing token of one character may stand among them.

namespace {

void require_rows_options(const ImportOptions& options) {
  const char* const useless = options.threshold           ? "--threshold"
                              : !options.index.empty()    ? "--index"
                              : options.delimiter != '\0' ? "--delimiter"
                                                          : nullptr;
  if (useless != nullptr) {
    throw UsageError(
        fmt::format("{}: has no effect on rows of 0/1 characters; leave the option out, or name "
                    "the format with "
                    "--format csv|tsv",
                    useless));
  }
  if (options.transpose) {
    throw UsageError(
        "--transpose: rows of 0/1 characters are not turned round; leave the option out, or save "
        "the "
        "table as csv");
  }
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
  columns_ = select_columns(text_.file(), default_names(row_.size()), options_);
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
