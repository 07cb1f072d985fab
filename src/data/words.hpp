// The words of a text in UTF-8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/name_index.hpp"

namespace orrery::data {

/// A longer run of letters is no word: encoded data, and texts that do not separate their words.
inline constexpr std::size_t longest_word = 64;  // bytes

/// Words are runs of letters and digits, at least two. Beyond ASCII every character counts as a
/// letter but for punctuation, symbols and emoji. Letters become lower case in ASCII, Latin-1,
/// Greek and Cyrillic; others stay as they are.
class WordSplitter {
 public:
  /// Calls use(word) for each word from the left; `word` is valid during the call.
  template <class Use>
  void for_each_word(std::string_view text, const Use& use) {
    word_.clear();
    n_characters_ = 0;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t length = take(text.substr(i));
      if (length == 0) end_word(use);
      i += length == 0 ? length_of(text[i]) : length;
    }
    end_word(use);
  }

 private:
  /// The bytes of the letter that `text` begins with, which becomes part of the word; 0: none.
  std::size_t take(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first >= 0x80) return take_beyond_ascii(text);
    const char letter = ascii[first];
    if (letter == '\0') return 0;
    word_ += letter;
    ++n_characters_;
    return 1;
  }
  std::size_t take_beyond_ascii(std::string_view text);
  template <class Use>
  void end_word(const Use& use) {
    if (n_characters_ >= 2 && word_.size() <= longest_word) use(std::string_view(word_));
    word_.clear();
    n_characters_ = 0;
  }
  /// Of the character that begins with this byte.
  [[nodiscard]] static std::size_t length_of(char first) noexcept {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  }

  /// Letters as lower case, digits; 0 for all others.
  static constexpr std::array<char, 128> ascii = [] {
    std::array<char, 128> letters{};
    for (std::size_t c = 0; c < 26; ++c) {
      letters['a' + c] = letters['A' + c] = static_cast<char>('a' + c);
    }
    for (std::size_t c = 0; c < 10; ++c) letters['0' + c] = static_cast<char>('0' + c);
    return letters;
  }();

  std::string word_;
  std::size_t n_characters_ = 0;
};

/// The words of --stop-words: none, english (the articles, pronouns, prepositions, conjunctions and
/// auxiliary verbs), or those of a file. Throws InputError for a file that is not UTF-8 or has
/// none.
[[nodiscard]] NameIndex stop_words(const std::string& source);

}  // namespace orrery::data
