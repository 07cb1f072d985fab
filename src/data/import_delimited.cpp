// Purpose: CSV and TSV (delimited.hpp) into rows of bits, with any of the words for 0, 1 and
// missing (cells.cpp).
// Cost: linear. Cells are read in place; four cells of one character at a time where they come so.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "data/bits.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/delimited.hpp"
#include "data/import_blocks.hpp"
#include "data/readers.hpp"
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
        cells_(options),
        table_(text, format, options, [this](const auto& first) { return are_names(first); }),
        columns_(table_.columns()),
        cell_(table_.delimiter()) {
    // Four cells of one character: each '0' or '1', each followed by a delimiter.
    const auto delimiter = static_cast<unsigned char>(table_.delimiter());
    const auto pair = static_cast<std::uint64_t>('0' | (unsigned{delimiter} << 8U));
    four_zeros_ = pair * 0x0001000100010001U;
    if (table_.has_header() && options.header == Header::automatic) {
      warn_of_names_that_are_values();
    }
  }

  ImportSummary run(SampleSink& sink);

 private:
  [[nodiscard]] bool are_names(const std::vector<std::string>& first) const;
  void warn_of_names_that_are_values() const;
  void read_row();
  const char* read_fours(const char* position, const char* end, BitAppender& bits,
                         std::size_t& column) const;
  unsigned read_value(std::size_t column);

  TextReader& text_;
  const ImportOptions& options_;
  const std::string& file_;
  Format format_;
  CellReader cells_;
  DelimitedTable table_;
  const Columns& columns_;
  CellSplitter cell_;  // the one read last
  std::uint64_t four_zeros_ = 0;
  RowStage* stage_ = nullptr;
};

ImportSummary DelimitedReader::run(SampleSink& sink) {
  SampleBlocks blocks(file_, columns_, sink);
  RowStage stage(columns_, blocks);
  stage_ = &stage;
  while (table_.next_row()) read_row();
  stage.finish();
  return blocks.finish(format_);
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

// Reads cells from `position` on, four at a time, while they are '0' or '1' and a delimiter each;
// returns where the next cell begins. There is one, since the last of the four was delimited.
const char* DelimitedReader::read_fours(const char* position, const char* end, BitAppender& bits,
                                        std::size_t& column) const {
  if (!cells_.has_plain_digits()) return position;
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
    const bool is_single = p != end && (p + 1 == end || p[1] == table_.delimiter());
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
    table_.refuse_width(column);
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
  throw InputError(not_binary(text_, format_, options_, cells_, table_.where(column),
                              std::string(cell_.token()), column, columns_.names[column]));
}

}  // namespace

ImportSummary import_delimited(TextReader& text, Format format, const ImportOptions& options,
                               SampleSink& sink) {
  return DelimitedReader(text, format, options).run(sink);
}

}  // namespace orrery::data
