// Purpose: MatrixMarket coordinate files into blocks of bits. Rows are samples, columns variables.
// Format: Boisvert, Pozo, Remington, "The Matrix Market exchange formats" (NISTIR 5935, 1996).
// Entries come in any order, so the bits of many rows are held at once; where they exceed
// options.memory_bytes the file is read again for the next rows.
// Cost: linear in the file for every pass; passes = bits / memory, at least one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/readers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

// Beyond this the size line is wrong, or the table is (32 TiB).
constexpr std::uint64_t most_bits = std::uint64_t{1} << 48U;
constexpr std::size_t not_kept = std::numeric_limits<std::size_t>::max();

struct Sizes {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  bool operator==(const Sizes&) const = default;
};

struct Entry {
  std::uint64_t row = 0;     // from 1, as in the file
  std::uint64_t column = 0;  // from 1
  bool is_one = false;
};

// Takes the next word, or number, off the front of `text`.
std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

bool take_integer(std::string_view& text, std::uint64_t& value) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(begin);
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = stop == text.data() + text.size() || *stop == ' ' || *stop == '\t';
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return error == std::errc{} && is_whole;
}

bool is_comment_or_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '%';
}

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

void require_mtx_options(const ImportOptions& options) {
  if (options.header == Header::yes) {
    throw UsageError(
        "--header yes: MatrixMarket has no column names; leave the option out, or give --format");
  }
  if (!options.missing_tokens.empty()) {
    throw UsageError(
        fmt::format("--missing {}: MatrixMarket has no missing values; leave the option out, or "
                    "write the table as csv",
                    in_quotes(options.missing_tokens.front())));
  }
}

class MtxReader {
 public:
  MtxReader(TextReader& text, const ImportOptions& options) : text_(text), options_(options) {}

  ImportSummary run(SampleSink& sink);

 private:
  void read_banner();
  void read_sizes();
  void select();
  void restart(const std::string& stage);
  void read_pass(std::uint64_t first, std::uint64_t end, SampleBlocks& output);
  template <class EmptyBlock>
  void set_bits(std::uint64_t first_row, std::uint64_t rows_per_block,
                std::vector<BitColumns>& blocks, const EmptyBlock& empty_block);
  [[nodiscard]] Entry parse_entry(std::string_view line) const;
  [[nodiscard]] bool parse_value(std::string_view word) const;
  void require_known_word(std::string_view what, const std::string& word, std::string_view wanted,
                          std::string_view remedy) const;

  TextReader& text_;
  const ImportOptions& options_;
  bool has_values_ = false;  // not of the field "pattern"
  Sizes sizes_;
  Columns columns_;
  std::vector<std::size_t> block_column_;  // of each column of the file, or not_kept
};

ImportSummary MtxReader::run(SampleSink& sink) {
  read_banner();
  read_sizes();
  select();
  SampleBlocks output(text_.file(), columns_, sink);
  const std::uint64_t rows_per_block = output.rows_per_block();
  const std::uint64_t block_bytes = rows_per_block / 8 * output.n_columns();
  const std::uint64_t n_blocks = (sizes_.rows + rows_per_block - 1) / rows_per_block;
  const std::uint64_t blocks_per_pass =
      std::max<std::uint64_t>(1, options_.memory_bytes / block_bytes);
  const std::uint64_t n_passes = (n_blocks + blocks_per_pass - 1) / blocks_per_pass;
  if (n_passes > 1) {
    log::info("{}: {} of bits, read in {} passes of {}", text_.file(),
              format_bytes(static_cast<double>(n_blocks * block_bytes)), n_passes,
              format_bytes(static_cast<double>(blocks_per_pass * block_bytes)));
  }
  for (std::uint64_t pass = 0; pass < n_passes; ++pass) {
    if (pass > 0) {
      restart(fmt::format("import, pass {} of {}", pass + 1, n_passes));
    }
    read_pass(pass * blocks_per_pass, std::min(n_blocks, (pass + 1) * blocks_per_pass), output);
  }
  return output.finish(Format::mtx);
}

// Reads every entry, and pushes blocks [first, end). A block takes memory from its first one on, so
// that a wrong size line is refused before it costs any.
void MtxReader::read_pass(std::uint64_t first, std::uint64_t end, SampleBlocks& output) {
  const std::uint64_t rows_per_block = output.rows_per_block();
  const auto empty_block = [&](std::uint64_t b) {
    return BitColumns(output.n_columns(),
                      std::min(rows_per_block, sizes_.rows - (first + b) * rows_per_block));
  };
  std::vector<BitColumns> blocks(end - first);
  set_bits(first * rows_per_block, rows_per_block, blocks, empty_block);
  for (std::uint64_t b = 0; b < blocks.size(); ++b) {
    output.push(blocks[b].n_rows() > 0 ? blocks[b] : empty_block(b), nullptr);
  }
}

// %%MatrixMarket matrix coordinate pattern|integer|real general
void MtxReader::read_banner() {
  std::array<std::string, 5> words;
  if (text_.next_line()) {
    std::string_view line = text_.line();
    for (std::string& word : words) {
      word = lower_case(take_word(line));
    }
  }
  if (words[0] != "%%matrixmarket") {
    throw InputError(fmt::format(
        "{}: line 1 does not begin with %%MatrixMarket; if it is no MatrixMarket file, give "
        "--format csv|tsv|rows|npy",
        text_.file()));
  }
  require_known_word("object", words[1], "matrix", "write the table as a matrix");
  require_known_word("format", words[2], "coordinate",
                     "write it sparse, e.g. scipy.io.mmwrite(name, scipy.sparse.coo_matrix(a))");
  if (words[3] != "pattern" && words[3] != "integer") {
    require_known_word("field", words[3], "real",
                       "the values must be 0 or 1: write it as pattern, integer or real");
  }
  require_known_word("symmetry", words[4], "general",
                     "rows are samples, so write every entry: scipy.io.mmwrite(name, a, "
                     "symmetry='general')");
  has_values_ = words[3] != "pattern";
}

void MtxReader::require_known_word(std::string_view what, const std::string& word,
                                   std::string_view wanted, std::string_view remedy) const {
  if (word != wanted) {
    throw InputError(fmt::format("{}: line 1: the MatrixMarket {} is {}, read is {}; {}",
                                 text_.file(), what, in_quotes(word), wanted, remedy));
  }
}

void MtxReader::read_sizes() {
  bool found = false;
  while (!found && text_.next_line()) {
    found = !is_comment_or_blank(text_.line());
  }
  std::string_view line = found ? text_.line() : std::string_view();
  if (!take_integer(line, sizes_.rows) || !take_integer(line, sizes_.columns) ||
      !take_integer(line, sizes_.entries) || !trimmed(line).empty()) {
    throw InputError(fmt::format(
        "{}: line {}: {} is not a size line (rows, columns, entries: three whole numbers); was "
        "the file written completely?",
        text_.file(), text_.line_number(), in_quotes(found ? text_.line() : std::string_view())));
  }
  require_column_count(text_.file(), sizes_.columns);
  if (sizes_.rows > most_bits / sizes_.columns) {
    throw InputError(
        fmt::format("{}: line {}: {} rows of {} columns are more than 32 TiB of bits; "
                    "is the size line right?",
                    text_.file(), text_.line_number(), sizes_.rows, sizes_.columns));
  }
  if (sizes_.entries > sizes_.rows * sizes_.columns) {
    throw InputError(fmt::format(
        "{}: line {}: {} entries do not fit into {} x {}; is the size "
        "line right?",
        text_.file(), text_.line_number(), sizes_.entries, sizes_.rows, sizes_.columns));
  }
}

void MtxReader::select() {
  columns_ = select_columns(text_.file(), default_names(static_cast<std::size_t>(sizes_.columns)),
                            options_.drop_columns);
  block_column_.assign(columns_.size(), not_kept);
  for (std::size_t k = 0; k < columns_.kept.size(); ++k) {
    block_column_[columns_.kept[k]] = k;
  }
}

void MtxReader::restart(const std::string& stage) {
  const Sizes before = sizes_;
  text_.restart(stage);
  read_banner();
  read_sizes();
  if (sizes_ != before) {
    throw InputError(
        fmt::format("{}: the file changed while it was read; import it again", text_.file()));
  }
}

// Sets the bits of the rows from `first_row` on that `blocks` cover; checks every entry.
template <class EmptyBlock>
void MtxReader::set_bits(std::uint64_t first_row, std::uint64_t rows_per_block,
                         std::vector<BitColumns>& blocks, const EmptyBlock& empty_block) {
  std::uint64_t n_seen = 0;
  while (text_.next_line()) {
    if (is_comment_or_blank(text_.line())) {
      continue;
    }
    if (++n_seen > sizes_.entries) {
      break;
    }
    const Entry entry = parse_entry(text_.line());
    const std::size_t column = block_column_[entry.column - 1];
    const std::uint64_t row = entry.row - 1 - first_row;  // wraps for an earlier row
    const std::uint64_t block = row / rows_per_block;
    if (!entry.is_one || column == not_kept || block >= blocks.size()) {
      continue;
    }
    if (blocks[block].n_rows() == 0) blocks[block] = empty_block(block);
    const auto row_in_block = static_cast<std::size_t>(row % rows_per_block);
    if (blocks[block].at(row_in_block, column)) {
      throw InputError(fmt::format(
          "{}: line {}: row {}, column {} has a second entry, and their sum is not binary; write "
          "every entry once",
          text_.file(), text_.line_number(), entry.row, entry.column));
    }
    blocks[block].set(row_in_block, column);
  }
  if (n_seen != sizes_.entries) {
    throw InputError(fmt::format(
        "{}: the size line announces {} entries, the file has {}; was it written completely?",
        text_.file(), sizes_.entries, n_seen > sizes_.entries ? "more" : fmt::to_string(n_seen)));
  }
}

Entry MtxReader::parse_entry(std::string_view line) const {
  Entry entry;
  std::string_view rest = line;
  bool is_well_formed = take_integer(rest, entry.row) && take_integer(rest, entry.column);
  const std::string_view value = has_values_ ? take_word(rest) : std::string_view("1");
  is_well_formed = is_well_formed && !value.empty() && trimmed(rest).empty();
  if (!is_well_formed) {
    throw InputError(fmt::format(
        "{}: line {}: {} is not an entry (row, column{}: whole numbers); correct the line",
        text_.file(), text_.line_number(), in_quotes(line), has_values_ ? ", value" : ""));
  }
  if (entry.row - 1 >= sizes_.rows || entry.column - 1 >= sizes_.columns) {
    throw InputError(fmt::format(
        "{}: line {}: row {}, column {} is outside the matrix of {} x {}; indices begin with 1",
        text_.file(), text_.line_number(), entry.row, entry.column, sizes_.rows, sizes_.columns));
  }
  if (value != "0" && value != "1") {
    entry.is_one = parse_value(value);
  } else {
    entry.is_one = value == "1";
  }
  return entry;
}

// Slower: "1.0", "1e0", "0.000000e+00".
bool MtxReader::parse_value(std::string_view word) const {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc{} || stop != end || (value != 0 && value != 1)) {
    throw InputError(
        fmt::format("{}: line {}: the value {} is neither 0 nor 1; binarise the matrix first, e.g. "
                    "(a > 0).astype('uint8')",
                    text_.file(), text_.line_number(), in_quotes(word)));
  }
  return value == 1;
}

}  // namespace

ImportSummary import_mtx(TextReader& text, const ImportOptions& options, SampleSink& sink) {
  require_mtx_options(options);
  return MtxReader(text, options).run(sink);
}

}  // namespace orrery::data
