// What a cell of a text file means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/data/import.hpp"

namespace orrery::data {

enum class Cell : std::uint8_t { zero, one, missing, other };

class CellReader {
 public:
  /// The built-in words and the user's tokens for "missing", which win over values (`--missing n`).
  /// Throws UsageError for the tokens 0 and 1.
  explicit CellReader(const std::vector<std::string>& missing_tokens);
  /// The same with tokens for 1 and 0, or with a threshold (see ImportOptions), over which words
  /// and tokens for 1 and 0 win. Throws UsageError for a token of two meanings.
  explicit CellReader(const ImportOptions& options, bool has_decimal_comma = false);
  /// "0" is 0 and "1" is 1.
  [[nodiscard]] bool has_plain_digits() const noexcept {
    return single_['0'] == Cell::zero && single_['1'] == Cell::one;
  }

  /// False if a token for 1 or 0 turns a built-in word round (turned_word()): then none of these
  /// words means a value.
  [[nodiscard]] bool has_words() const noexcept { return turned_word_.empty(); }
  [[nodiscard]] const std::string& turned_word() const noexcept { return turned_word_; }

  /// `token` has no blanks around it and no quotes.
  [[nodiscard]] Cell classify(std::string_view token) const;
  /// The same for one character.
  [[nodiscard]] Cell classify(char token) const noexcept {
    return single_[static_cast<unsigned char>(token)];
  }

 private:
  void take_tokens(const std::vector<std::string>& tokens, std::vector<std::string>& into);
  [[nodiscard]] Cell classify_word(std::string_view token) const;
  [[nodiscard]] Cell classify_number(std::string_view token) const;

  std::array<Cell, 256> single_{};
  bool has_decimal_comma_ = false;
  std::optional<double> threshold_;
  std::vector<std::string> missing_tokens_, on_tokens_, off_tokens_;
  std::string turned_word_;  // empty: the built-in words for 0 and 1 hold
};

/// What a token means where no option says otherwise.
[[nodiscard]] Cell built_in_meaning(std::string_view token);

/// What a cell of a table of numbers holds.
enum class NumberCell : std::uint8_t { number, missing, infinite, out_of_range, other };

class NumberReader {
 public:
  /// The built-in words and the user's tokens for "missing", which win over numbers: a token that
  /// is a number (`--missing -9`) stands for it however it is written, any other for its text.
  /// With a decimal comma "1,5" is a number, and "1.5" is one as well.
  explicit NumberReader(const std::vector<std::string>& missing_tokens,
                        bool has_decimal_comma = false);

  /// `token` has no blanks around it and no quotes. `value` is set for a number, in the C locale
  /// (a leading + is fine), and to NaN for what is missing.
  NumberCell read(std::string_view token, double& value) const;

 private:
  std::vector<std::string> missing_tokens_;
  std::vector<double> missing_numbers_;
  bool has_decimal_comma_ = false;
};

/// Without blanks (spaces and tabs) on either side.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// In quotes, on one line and short, for a message: control characters as \xNN, at most 40 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// The first eight of `texts`, in quotes.
[[nodiscard]] std::string list_in_quotes(const std::vector<std::string>& texts);
/// Takes the next word, which blanks or tabulators end, off the front of `text`; empty at its end.
std::string_view take_word(std::string_view& text);

}  // namespace orrery::data
