#include "data/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

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

// "1.0", "0.", "0.000".
bool is_decimal(std::string_view token) {
  return token.size() >= 2 && (token[0] == '0' || token[0] == '1') && token[1] == '.' &&
         token.find_first_not_of('0', 2) == std::string_view::npos;
}

// The whole token as a number; nan and inf are numbers here.
std::errc parse_number(std::string_view token, double& number) {
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

CellReader::CellReader(const ImportOptions& options) : CellReader(options.missing_tokens) {
  const auto take = [&](const std::vector<std::string>& tokens, std::vector<std::string>& into) {
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
  };
  take(options.on_tokens, on_tokens_);
  take(options.off_tokens, off_tokens_);
  for (std::size_t c = 0; c < single_.size(); ++c) {
    const char token = static_cast<char>(c);
    if (!has_words() && single_[c] <= Cell::one) single_[c] = Cell::other;
    const auto is = [&](const std::string& given) {
      return given.size() == 1 && given[0] == token;
    };
    if (std::ranges::any_of(on_tokens_, is)) single_[c] = Cell::one;
    if (std::ranges::any_of(off_tokens_, is)) single_[c] = Cell::zero;
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
  if (has_words() && is_decimal(token)) return token[0] == '1' ? Cell::one : Cell::zero;
  const Cell meaning = look_up(token);
  return !has_words() && meaning <= Cell::one ? Cell::other : meaning;
}

Cell built_in_meaning(std::string_view token) {
  if (is_decimal(token)) return token[0] == '1' ? Cell::one : Cell::zero;
  return token.empty() ? Cell::missing : look_up(token);
}

NumberReader::NumberReader(const std::vector<std::string>& missing_tokens) {
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
  const std::errc error = parse_number(token, number);
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

}  // namespace orrery::data
