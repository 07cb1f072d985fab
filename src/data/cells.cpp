// What a cell of a text file means, and what to say of one that means nothing.

#include "data/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "data/readers.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

struct Meaning {
  std::string_view word;  // lower case
  Cell cell;
};
constexpr std::array meanings{
    Meaning{"true", Cell::one},    Meaning{"false", Cell::zero},  Meaning{"yes", Cell::one},
    Meaning{"no", Cell::zero},     Meaning{"y", Cell::one},       Meaning{"n", Cell::zero},
    Meaning{"t", Cell::one},       Meaning{"f", Cell::zero},      Meaning{"1", Cell::one},
    Meaning{"0", Cell::zero},      Meaning{"?", Cell::missing},   Meaning{"na", Cell::missing},
    Meaning{"n/a", Cell::missing}, Meaning{"nan", Cell::missing}, Meaning{"null", Cell::missing},
    Meaning{".", Cell::missing},
};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

Cell look_up(std::string_view token) {
  const auto same_letter = [](char word, char c) { return word == lower(c); };
  for (const Meaning& meaning : meanings) {
    if (std::equal(meaning.word.begin(), meaning.word.end(), token.begin(), token.end(),
                   same_letter)) {
      return meaning.cell;
    }
  }
  return Cell::other;
}

// "1.0", "0.", "0.000", and "1,0" where commas are decimal.
bool is_decimal(std::string_view token, bool has_decimal_comma = false) {
  return token.size() >= 2 && (token[0] == '0' || token[0] == '1') &&
         (token[1] == '.' || (has_decimal_comma && token[1] == ',')) &&
         token.find_first_not_of('0', 2) == std::string_view::npos;
}

// The whole token as a number; nan and inf are numbers here.
std::errc parse_number(std::string_view token, double& number, bool has_decimal_comma = false) {
  constexpr std::size_t longest_number = 64;
  std::array<char, longest_number> with_point{};
  const std::size_t comma = has_decimal_comma ? token.find(',') : token.npos;
  if (comma != token.npos && token.size() <= longest_number && token.find('.') == token.npos) {
    std::ranges::copy(token, with_point.begin());
    with_point[comma] = '.';
    return parse_number({with_point.data(), token.size()}, number);
  }
  const bool has_plus = token.size() > 1 && token[0] == '+' && token[1] != '-';
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data() + (has_plus ? 1 : 0), end, number);
  return stop == end ? error : std::errc::invalid_argument;
}

}  // namespace

CellReader::CellReader(const std::vector<std::string>& missing_tokens) {
  for (std::size_t c = 0; c < single_.size(); ++c) {
    const char token = static_cast<char>(c);
    single_[c] = look_up({&token, 1});
  }
  for (const std::string& given : missing_tokens) {
    const std::string_view token = trimmed(given);
    if (token == "0" || token == "1") {
      throw UsageError(fmt::format(
          "--missing {}: 0 and 1 are values and cannot mean missing; give the token that stands "
          "for a missing value",
          token));
    }
    if (token.size() == 1) {
      single_[static_cast<unsigned char>(token[0])] = Cell::missing;
    }
    missing_tokens_.emplace_back(token);
  }
}

CellReader::CellReader(const ImportOptions& options, bool has_decimal_comma)
    : CellReader(options.missing_tokens) {
  has_decimal_comma_ = has_decimal_comma;
  threshold_ = options.threshold;
  take_tokens(options.on_tokens, on_tokens_);
  take_tokens(options.off_tokens, off_tokens_);
  for (std::size_t c = 0; c < single_.size(); ++c) {
    const char token = static_cast<char>(c);
    if (!has_words() && single_[c] <= Cell::one) single_[c] = Cell::other;
    if (threshold_ && token >= '0' && token <= '9' && single_[c] != Cell::missing) {
      single_[c] = classify_number({&token, 1});
    }
    const auto is = [&](const std::string& given) {
      return given.size() == 1 && given[0] == token;
    };
    if (std::ranges::any_of(on_tokens_, is)) single_[c] = Cell::one;
    if (std::ranges::any_of(off_tokens_, is)) single_[c] = Cell::zero;
  }
}

void CellReader::take_tokens(const std::vector<std::string>& tokens,
                             std::vector<std::string>& into) {
  for (const std::string& given : tokens) {
    const std::string token(trimmed(given));
    if (token.empty()) {
      throw UsageError("--on '', --off '': an empty cell is missing; name the value");
    }
    for (const auto* others : {&missing_tokens_, &on_tokens_, &off_tokens_}) {
      if (others == &into || std::ranges::find(*others, token) == others->end()) continue;
      throw UsageError(
          fmt::format("--on, --off, --missing: {} cannot mean two of them; leave it out of one",
                      in_quotes(token)));
    }
    const Cell built_in = built_in_meaning(token);
    const Cell meaning = &into == &on_tokens_ ? Cell::one : Cell::zero;
    if (has_words() && built_in <= Cell::one && built_in != meaning) turned_word_ = token;
    into.push_back(token);
  }
}

Cell CellReader::classify(std::string_view token) const {
  if (token.size() == 1) {
    return classify(token[0]);
  }
  return token.empty() ? Cell::missing : classify_word(token);
}

Cell CellReader::classify_word(std::string_view token) const {
  if (std::find(missing_tokens_.begin(), missing_tokens_.end(), token) != missing_tokens_.end()) {
    return Cell::missing;
  }
  if (std::ranges::find(on_tokens_, token) != on_tokens_.end()) return Cell::one;
  if (std::ranges::find(off_tokens_, token) != off_tokens_.end()) return Cell::zero;
  if (threshold_) {
    if (const Cell meaning = classify_number(token); meaning != Cell::other) return meaning;
  }
  if (has_words() && is_decimal(token, has_decimal_comma_)) {
    return token[0] == '1' ? Cell::one : Cell::zero;
  }
  const Cell meaning = look_up(token);
  return !has_words() && meaning <= Cell::one ? Cell::other : meaning;
}

// Beside the threshold; `other` if it is no number.
Cell CellReader::classify_number(std::string_view token) const {
  double number = 0;
  const std::errc error = parse_number(token, number, has_decimal_comma_);
  if (error != std::errc{}) return Cell::other;
  if (std::isnan(number)) return Cell::missing;
  return number > *threshold_ ? Cell::one : Cell::zero;
}

Cell built_in_meaning(std::string_view token) {
  if (is_decimal(token)) return token[0] == '1' ? Cell::one : Cell::zero;
  return token.empty() ? Cell::missing : look_up(token);
}

NumberReader::NumberReader(const std::vector<std::string>& missing_tokens, bool has_decimal_comma)
    : has_decimal_comma_(has_decimal_comma) {
  for (const std::string& given : missing_tokens) {
    const std::string_view token = trimmed(given);
    double number = 0;
    if (parse_number(token, number) == std::errc{}) missing_numbers_.push_back(number);
    missing_tokens_.emplace_back(token);
  }
}

NumberCell NumberReader::read(std::string_view token, double& value) const {
  const auto holds = [](const auto& list, const auto& entry) {
    return std::find(list.begin(), list.end(), entry) != list.end();
  };
  value = std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  const std::errc error = parse_number(token, number, has_decimal_comma_);
  if (error != std::errc{}) {
    if (token.empty() || holds(missing_tokens_, token) || look_up(token) == Cell::missing) {
      return NumberCell::missing;
    }
    return error == std::errc::result_out_of_range ? NumberCell::out_of_range : NumberCell::other;
  }
  if (std::isnan(number) || holds(missing_numbers_, number)) return NumberCell::missing;
  if (std::isinf(number)) return NumberCell::infinite;
  value = number;
  return NumberCell::number;
}

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::size_t shown = std::min(text.size(), longest);
  // Do not cut a UTF-8 sequence: its continuation bytes are 10xxxxxx.
  while (shown > 0 && shown < text.size() && (static_cast<unsigned char>(text[shown]) >> 6U) == 2) {
    --shown;
  }
  std::string result = "'";
  for (const char c : text.substr(0, shown)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return result + (shown < text.size() ? "...'" : "'");
}

std::string list_in_quotes(const std::vector<std::string>& texts) {
  constexpr std::size_t most_listed = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(texts.size(), most_listed); ++i) {
    list += (i == 0 ? "" : ", ") + in_quotes(texts[i]);
  }
  return list + (texts.size() > most_listed ? ", ..." : "");
}

std::string_view take_word(std::string_view& text) {
  constexpr std::string_view blanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}

// What is said of a value that is neither 0 nor 1: the values of its column are counted first.

namespace {

constexpr std::uint64_t most_seen_rows = 100'000;
constexpr std::size_t most_values = 4;  // more make no difference to the advice

struct Value {
  std::string text;
  std::uint64_t n_rows = 0;
};

/// What the first rows say of a column.
struct SeenValues {
  std::vector<Value> different;  ///< in the order of the file; nothing that is missing
  bool are_all_rows = true;      ///< the table ends within most_seen_rows
};

void count(SeenValues& values, std::string_view token) {
  const auto found = std::ranges::find(values.different, token, &Value::text);
  if (found != values.different.end()) {
    ++found->n_rows;
  } else {
    values.different.push_back({std::string(token), 1});
  }
}

/// Ends without a word where the file cannot be read on: what was refused first is what is said.
SeenValues values_of(TextReader& text, Format format, const ImportOptions& options,
                     const CellReader& cells, std::size_t column) {
  SeenValues values;
  try {
    text.restart("");
    DelimitedTable table(text, format, options, [&](const auto& first) {
      return std::ranges::any_of(first, [&](const std::string& cell) {
        return cells.classify(std::string_view(cell)) == Cell::other;
      });
    });
    CellSplitter cell(table.delimiter());
    for (std::uint64_t row = 0; values.different.size() < most_values; ++row) {
      if (!table.next_row()) break;
      values.are_all_rows = row < most_seen_rows;
      if (!values.are_all_rows) break;
      table.for_each_kept(cell, [&](std::size_t at) {
        if (at != column || cells.classify(cell.token()) == Cell::missing) return;
        count(values, cell.token());
      });
    }
  } catch (const InputError&) {
  }
  return values;
}

/// True if all but one of the values are 0 and 1, in some words.
bool is_binary_but_for_one(const SeenValues& values, const CellReader& cells) {
  const auto n_of = [&](Cell meaning) {
    return std::ranges::count_if(values.different, [&](const Value& value) {
      return cells.classify(std::string_view(value.text)) == meaning;
    });
  };
  return n_of(Cell::zero) == 1 && n_of(Cell::one) == 1 && n_of(Cell::other) == 1;
}

std::string describe(const Value& value) {
  return fmt::format("{} ({} row{})", in_quotes(value.text), format_count(value.n_rows),
                     value.n_rows == 1 ? "" : "s");
}

/// "the column has two values, 'male' (33 rows) and 'female' (1 row; correct it if it is a slip)"
std::string describe_two(const SeenValues& values) {
  const Value& one = values.different[0];
  const Value& two = values.different[1];
  const bool is_slip = std::min(one.n_rows, two.n_rows) == 1 && one.n_rows != two.n_rows;
  return fmt::format(
      "the column has two values{}, {} and {}{}",
      values.are_all_rows ? "" : fmt::format(" in the first {} rows", format_count(most_seen_rows)),
      describe(one), describe(two), is_slip ? "; if the rarer one is a slip, correct it" : "");
}

std::string all_of(const char* option, const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += fmt::format(" {} {}", option, in_quotes(token));
  return text;
}

/// The built-in words mean nothing, since --on or --off turned one of them round, and this column
/// is coded in them: what to add so that it is read as well, if anything can.
std::string without_words(const SeenValues& values, const ImportOptions& options,
                          const CellReader& cells, const std::string& drop) {
  const std::string why = fmt::format(
      "--on and --off turn {} round, so the built-in words (0, 1, yes, no and the like) mean "
      "nothing here",
      in_quotes(cells.turned_word()));
  std::vector<std::string> on = options.on_tokens;
  std::vector<std::string> off = options.off_tokens;
  std::size_t n_on = 0;
  std::size_t n_off = 0;
  for (const Value& value : values.different) {
    const Cell now = cells.classify(std::string_view(value.text));
    const Cell meaning = now == Cell::other ? built_in_meaning(value.text) : now;
    if (meaning > Cell::one) {
      return fmt::format("{}; name every value that means 1 or 0, or {}", why, drop);
    }
    ++(meaning == Cell::one ? n_on : n_off);
    if (now == Cell::other) (meaning == Cell::one ? on : off).push_back(value.text);
  }
  if (n_on > 0 && n_off > 0) {
    return fmt::format("{}; name this column's values too:{}{}, or {}", why, all_of("--on", on),
                       all_of("--off", off), drop);
  }
  return fmt::format("{}, and the column is coded in another way; recode it, or {}", why, drop);
}

}  // namespace

std::string not_binary(TextReader& text, Format format, const ImportOptions& options,
                       const CellReader& cells, const std::string& place, const std::string& value,
                       std::size_t column, const std::string& name) {
  const SeenValues values = values_of(text, format, options, cells, column);
  const std::string shown = in_quotes(value);
  const std::string drop = fmt::format("leave the column out with --drop {}", in_quotes(name));
  const bool has_two = values.different.size() == 2;
  if (!cells.has_words() && built_in_meaning(value) <= Cell::one) {
    return fmt::format("{}: {} is not binary; {}{}", place, shown,
                       has_two ? describe_two(values) + "; " : "",
                       without_words(values, options, cells, drop));
  }
  if (has_two) {
    const std::string one = in_quotes(values.different[0].text);
    const std::string two = in_quotes(values.different[1].text);
    return fmt::format(
        "{}: {} is not binary; {}: say which is on and which is off ({}--on {} --off {}, or the "
        "reverse), read the table as categories with --categorical, or {}",
        place, shown, describe_two(values),
        options.on_tokens.empty() ? "" : "beside the --on and --off given, ", two, one, drop);
  }
  if (is_binary_but_for_one(values, cells)) {
    return fmt::format(
        "{}: {} is not binary; write 0 or 1 (true/false, yes/no, y/n, t/f), name it as missing "
        "with --missing {} if it stands for no value, {}, or import a table of numbers with "
        "--numeric",
        place, shown, shown, drop);
  }
  return fmt::format(
      "{}: {} is not binary; write 0 or 1 (true/false, yes/no, y/n, t/f), {}, say --index {} if it "
      "names the rows, or import a table of numbers with --numeric, of categories with "
      "--categorical",
      place, shown, drop, in_quotes(name));
}

}  // namespace orrery::data
