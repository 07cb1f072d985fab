// Purpose: MatrixMarket coordinate files: rows are samples, columns variables.
// Format: Boisvert, Pozo, Remington, "The Matrix Market exchange formats" (NISTIR 5935, 1996).
// Entries come in any order: import_source.cpp makes rows of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/readers.hpp"
#include "data/table_source.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

struct Sizes {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  bool operator==(const Sizes&) const = default;
};

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

class MtxSource final : public EntrySource {
 public:
  explicit MtxSource(TextReader& text) : text_(text) {
    read_banner();
    read_sizes();
    names_ = default_names(static_cast<std::size_t>(sizes_.columns));
  }

  [[nodiscard]] const std::string& file() const override { return text_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] std::uint64_t n_rows() const override { return sizes_.rows; }
  [[nodiscard]] bool nan_is_missing() const override { return false; }
  void restart(std::uint64_t pass, std::uint64_t n_passes) override;
  [[nodiscard]] bool next(TableEntry& entry) override;
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: line {}", text_.file(), text_.line_number());
  }

 private:
  void read_banner();
  void read_sizes();
  void parse_entry(std::string_view line, TableEntry& entry) const;
  [[nodiscard]] double parse_value(std::string_view word) const;
  void require_known_word(std::string_view what, const std::string& word, std::string_view wanted,
                          std::string_view remedy) const;
  void require_all_entries() const;

  TextReader& text_;
  bool has_values_ = false;  // not of the field "pattern"
  Sizes sizes_;
  std::vector<std::string> names_;
  std::uint64_t n_seen_ = 0;
};

// %%MatrixMarket matrix coordinate pattern|integer|real general
void MtxSource::read_banner() {
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
    require_known_word("field", words[3], "real", "write it as pattern, integer or real");
  }
  require_known_word("symmetry", words[4], "general",
                     "rows are samples, so write every entry: scipy.io.mmwrite(name, a, "
                     "symmetry='general')");
  has_values_ = words[3] != "pattern";
}

void MtxSource::require_known_word(std::string_view what, const std::string& word,
                                   std::string_view wanted, std::string_view remedy) const {
  if (word != wanted) {
    throw InputError(fmt::format("{}: line 1: the MatrixMarket {} is {}, read is {}; {}",
                                 text_.file(), what, in_quotes(word), wanted, remedy));
  }
}

void MtxSource::read_sizes() {
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
  require_column_count(text_.file(), sizes_.columns, true);
  if (sizes_.rows < std::numeric_limits<std::uint64_t>::max() / sizes_.columns &&
      sizes_.entries > sizes_.rows * sizes_.columns) {
    throw InputError(fmt::format(
        "{}: line {}: {} entries do not fit into {} x {}; is the size "
        "line right?",
        text_.file(), text_.line_number(), sizes_.entries, sizes_.rows, sizes_.columns));
  }
}

void MtxSource::restart(std::uint64_t pass, std::uint64_t n_passes) {
  n_seen_ = 0;
  if (pass == 1) return;  // the first entry is next
  const Sizes before = sizes_;
  text_.restart(fmt::format("import, pass {} of {}", pass, n_passes));
  read_banner();
  read_sizes();
  if (sizes_ != before) {
    throw InputError(
        fmt::format("{}: the file changed while it was read; import it again", text_.file()));
  }
}

bool MtxSource::next(TableEntry& entry) {
  do {
    if (!text_.next_line()) {
      require_all_entries();
      return false;
    }
  } while (is_comment_or_blank(text_.line()));
  if (++n_seen_ > sizes_.entries) require_all_entries();
  parse_entry(text_.line(), entry);
  return true;
}

void MtxSource::require_all_entries() const {
  if (n_seen_ == sizes_.entries) return;
  throw InputError(fmt::format(
      "{}: the size line announces {} entries, the file has {}; was it written completely?",
      text_.file(), sizes_.entries, n_seen_ > sizes_.entries ? "more" : fmt::to_string(n_seen_)));
}

void MtxSource::parse_entry(std::string_view line, TableEntry& entry) const {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::string_view rest = line;
  bool is_well_formed = take_integer(rest, row) && take_integer(rest, column);
  const std::string_view value = has_values_ ? take_word(rest) : std::string_view("1");
  is_well_formed = is_well_formed && !value.empty() && trimmed(rest).empty();
  if (!is_well_formed) {
    throw InputError(fmt::format(
        "{}: line {}: {} is not an entry (row, column{}: whole numbers); correct the line",
        text_.file(), text_.line_number(), in_quotes(line), has_values_ ? ", value" : ""));
  }
  if (row - 1 >= sizes_.rows || column - 1 >= sizes_.columns) {
    throw InputError(fmt::format(
        "{}: line {}: row {}, column {} is outside the matrix of {} x {}; indices begin with 1",
        text_.file(), text_.line_number(), row, column, sizes_.rows, sizes_.columns));
  }
  entry.row = row - 1;
  entry.column = static_cast<std::size_t>(column - 1);
  if (value == "0" || value == "1") {
    entry.value = value == "1" ? 1 : 0;
  } else {
    entry.value = parse_value(value);
  }
}

// Slower: "1.0", "1e0", "0.000000e+00".
double MtxSource::parse_value(std::string_view word) const {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error == std::errc{} && stop == end) return value;
  throw InputError(fmt::format(
      "{}: line {}: the value {} is {}; correct the line", text_.file(), text_.line_number(),
      in_quotes(word),
      error == std::errc::result_out_of_range ? "beyond what a double holds" : "not a number"));
}

}  // namespace

ImportSummary import_mtx(TextReader& text, const ImportOptions& options, SampleSink& sink) {
  MtxSource table(text);
  return import_bits(table, Format::mtx, options, sink);
}

DenseImportSummary import_dense_mtx(TextReader& text, const ImportOptions& options,
                                    DenseSink& sink) {
  MtxSource table(text);
  return import_numbers(table, Format::mtx, options, sink);
}

}  // namespace orrery::data
