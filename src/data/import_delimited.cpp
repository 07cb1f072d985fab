// Purpose: CSV and TSV into rows of bits. Format: RFC 4180, with any of the words for 0, 1 and
// missing (cells.cpp), blanks around cells, LF or CRLF.
// Cost: linear. Cells are read in place; four cells of one character at a time where they come so.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/bit_packing.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/delimited_cells.hpp"
#include "data/readers.hpp"
#include "data/row_stage.hpp"
#include "data/sample_blocks.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"

namespace orrery::data {

namespace {

class DelimitedReader {
 public:
  DelimitedReader(TextReader& text, Format format, const ImportOptions& options)
      : text_(text),
        format_(format),
        options_(options),
        delimiter_(format == Format::tsv ? '\t' : ','),
        cells_(options.missing_tokens),
        cell_(delimiter_) {
    // Four cells of one character: each '0' or '1', each followed by a delimiter.
    const auto pair = static_cast<std::uint64_t>('0' | (static_cast<unsigned>(delimiter_) << 8U));
    four_zeros_ = pair * 0x0001000100010001U;
  }

  ImportSummary run(SampleSink& sink);

 private:
  bool next_record();
  std::vector<std::string> read_cells();
  [[nodiscard]] bool decide_header(const std::vector<std::string>& first) const;
  void warn_of_names_that_are_values() const;
  void read_row();
  const char* read_fours(const char* position, const char* end, BitAppender& bits,
                         std::size_t& column) const;
  unsigned read_value(std::size_t column);
  [[noreturn]] void refuse_width(std::size_t n_cells) const;
  [[nodiscard]] std::string where() const;

  TextReader& text_;
  Format format_;
  const ImportOptions& options_;
  char delimiter_;
  CellReader cells_;
  std::uint64_t four_zeros_ = 0;
  Columns columns_;
  RowStage* stage_ = nullptr;
  std::uint64_t row_ = 0;         // rows of values so far, the current one included
  std::uint64_t blank_line_ = 0;  // a blank line, if one was passed
  CellSplitter cell_;             // the one read last
};

ImportSummary DelimitedReader::run(SampleSink& sink) {
  if (!next_record()) {
    throw InputError(
        fmt::format("{}: the file is empty; was it written completely?", text_.file()));
  }
  std::vector<std::string> first = read_cells();
  require_column_count(text_.file(), first.size());
  const bool has_header = decide_header(first);
  columns_ =
      select_columns(text_.file(), has_header ? std::move(first) : default_names(first.size()),
                     options_.drop_columns);
  if (has_header && options_.header == Header::automatic) {
    warn_of_names_that_are_values();
  }
  SampleBlocks blocks(text_.file(), columns_, sink);
  RowStage stage(columns_, blocks);
  stage_ = &stage;
  for (bool more = !has_header || next_record(); more; more = next_record()) {
    read_row();
  }
  stage.finish();
  return blocks.finish(format_);
}

// The cells of the current line; not many more than can be imported.
std::vector<std::string> DelimitedReader::read_cells() {
  std::vector<std::string> cells;
  const std::string_view line = text_.line();
  const char* const end = line.data() + line.size();
  for (const char* p = line.data();; ++p) {
    p = cell_.read(p, end);
    cells.emplace_back(cell_.token());
    if (p == end || cells.size() > most_columns) {
      return cells;
    }
  }
}

// Blank lines may only end the file.
bool DelimitedReader::next_record() {
  while (text_.next_line()) {
    const std::string_view line = text_.line();
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      blank_line_ = blank_line_ == 0 ? text_.line_number() : blank_line_;
      continue;
    }
    if (blank_line_ != 0) {
      throw InputError(fmt::format(
          "{}: line {} is blank but line {} is not; remove the blank line, or write its values",
          text_.file(), blank_line_, text_.line_number()));
    }
    if (std::memchr(line.data(), '"', line.size()) != nullptr) {
      complete_record(text_);
    }
    return true;
  }
  return false;
}

bool DelimitedReader::decide_header(const std::vector<std::string>& first) const {
  if (options_.header != Header::automatic) {
    return options_.header == Header::yes;
  }
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
        text_.file(), in_quotes(*value));
  }
}

// Reads cells from `position` on, four at a time, while they are '0' or '1' and a delimiter each;
// returns where the next cell begins. There is one, since the last of the four was delimited.
const char* DelimitedReader::read_fours(const char* position, const char* end, BitAppender& bits,
                                        std::size_t& column) const {
  while (column + 4 < columns_.size() && end - position >= 8) {
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
  ++row_;
  const std::size_t n_columns = columns_.size();
  const std::string_view line = text_.line();
  const char* p = line.data();
  const char* const end = p + line.size();
  BitAppender bits(stage_->values());
  std::size_t column = 0;
  while (true) {
    p = read_fours(p, end, bits, column);
    if (column == n_columns) {
      refuse_width(column + 1 + static_cast<std::size_t>(std::count(p, end, delimiter_)));
    }
    const bool is_single = p != end && (p + 1 == end || p[1] == delimiter_);
    const Cell single = is_single ? cells_.classify(*p) : Cell::other;
    if (single <= Cell::one) {
      bits.put(single == Cell::one ? 1 : 0, 1);
      ++p;
    } else {
      p = cell_.read(p, end);
      bits.put(read_value(column), 1);
    }
    ++column;
    if (p == end) {
      break;
    }
    ++p;
  }
  if (column != n_columns) {
    refuse_width(column);
  }
  bits.finish();
  stage_->finish_row();
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
  throw InputError(fmt::format(
      "{}: {}, column {}: {} is not binary; write 0 or 1 (true/false, yes/no, y/n, t/f), name it "
      "as missing with --missing {}, or leave the column out with --drop {}",
      text_.file(), where(), columns_.describe(column), in_quotes(cell_.token()),
      in_quotes(cell_.token()), in_quotes(columns_.names[column])));
}

void DelimitedReader::refuse_width(std::size_t n_cells) const {
  throw InputError(fmt::format(
      "{}: {} has {} columns, the first row has {}; complete the row, or quote a cell that holds "
      "the delimiter",
      text_.file(), where(), n_cells, columns_.size()));
}

std::string DelimitedReader::where() const {
  return fmt::format("row {} (line {})", row_, text_.line_number());
}

}  // namespace

ImportSummary import_delimited(TextReader& text, Format format, const ImportOptions& options,
                               SampleSink& sink) {
  return DelimitedReader(text, format, options).run(sink);
}

}  // namespace orrery::data
