#include "data/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

struct Range {
  std::uint32_t first, last;
};

/// What is no part of a word: punctuation, symbols and emoji of Unicode 15, in order.
constexpr std::array separators{
    Range{0x80, 0xA9},     Range{0xAB, 0xB4},       Range{0xB6, 0xB9},     Range{0xBB, 0xBF},
    Range{0xD7, 0xD7},     Range{0xF7, 0xF7},       Range{0x37E, 0x37E},   Range{0x387, 0x387},
    Range{0x589, 0x58A},   Range{0x5BE, 0x5BE},     Range{0x60C, 0x60D},   Range{0x61B, 0x61F},
    Range{0x66A, 0x66C},   Range{0x6D4, 0x6D4},     Range{0x964, 0x965},   Range{0x2000, 0x206F},
    Range{0x20A0, 0x20CF}, Range{0x2190, 0x2BFF},   Range{0x2E00, 0x2E7F}, Range{0x3000, 0x3004},
    Range{0x3008, 0x3020}, Range{0x3030, 0x3030},   Range{0xE000, 0xF8FF}, Range{0xFE00, 0xFE6F},
    Range{0xFEFF, 0xFF0F}, Range{0xFF1A, 0xFF20},   Range{0xFF3B, 0xFF40}, Range{0xFF5B, 0xFF65},
    Range{0xFFE0, 0xFFFF}, Range{0x1F000, 0x1FAFF},
};

bool separates(std::uint32_t character) {
  const auto range =
      std::ranges::lower_bound(separators, character, {}, [](const Range& r) { return r.last; });
  return range != separators.end() && range->first <= character;
}

std::uint32_t lower_case(std::uint32_t character) {
  const auto is_within = [&](std::uint32_t first, std::uint32_t last) {
    return character >= first && character <= last;
  };
  const bool is_upper = is_within(0xC0, 0xDE) || is_within(0x391, 0x3A9) || is_within(0x410, 0x42F);
  if (is_upper) return character + 0x20;
  return is_within(0x400, 0x40F) ? character + 0x50 : character;
}

}  // namespace

std::size_t WordSplitter::take_beyond_ascii(std::string_view text) {
  const std::size_t length = std::min(length_of(text.front()), text.size());
  const auto low_bits = [&](std::size_t i, unsigned mask) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]) & mask);
  };
  std::uint32_t character = low_bits(0, length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07);
  for (std::size_t i = 1; i < length; ++i) character = character << 6U | low_bits(i, 0x3F);
  if (length < 2 || separates(character)) return 0;
  const std::uint32_t lower = lower_case(character);
  if (lower == character) {
    word_ += text.substr(0, length);
  } else {  // both have two bytes
    word_ += static_cast<char>(0xC0U | lower >> 6U);
    word_ += static_cast<char>(0x80U | (lower & 0x3FU));
  }
  ++n_characters_;
  return length;
}

namespace {

constexpr std::string_view english =
    "about above after again against ain all also am an and any are aren as at be because been "
    "before being below between both but by can cannot could couldn did didn do does doesn doing "
    "don down during each either else ever every few for from further get got had hadn has hasn "
    "have haven having he her here hers herself him himself his how however if in into is isn it "
    "its itself just ll may me might more most must my myself neither no nor not of off on once "
    "only or other our ours ourselves out over own re same shall shan she should shouldn so some "
    "such than that the their theirs them themselves then there these they this those through to "
    "too under until up upon us ve very was wasn we were weren what when where whether which while "
    "who whom whose why will with within without won would wouldn yet you your yours yourself "
    "yourselves";

}  // namespace

NameIndex stop_words(const std::string& source) {
  NameIndex words;
  WordSplitter splitter;
  const auto add = [&](std::string_view word) { (void)words.add(word); };
  if (source == "none") return words;
  if (source == "english") {
    splitter.for_each_word(english, add);
    return words;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(source, ignored)) {
    throw UsageError(
        fmt::format("--stop-words {}: must be none, english, or a file with a word on each line",
                    in_quotes(source)));
  }
  TextReader text(source);
  while (text.next_line()) {
    if (!is_utf8(text.line())) {
      throw InputError(
          fmt::format("{}: line {} is not UTF-8; convert the file, e.g. `iconv -f latin1 -t utf-8`",
                      text.file(), text.line_number()));
    }
    splitter.for_each_word(text.line(), add);
  }
  if (words.size() == 0) {
    throw InputError(fmt::format("{}: there is no word in it; write a word on each line", source));
  }
  return words;
}

}  // namespace orrery::data
