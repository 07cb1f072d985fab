// Documents: one per line, words are variables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "data/words.hpp"
#include "text_formats_support.hpp"

namespace orrery::data::testing {
namespace {

ImportOptions documents(std::uint64_t min_documents = 1) {
  ImportOptions options = with_format(Format::text);
  options.min_documents = min_documents;
  return options;
}

Names words_of(std::string_view text) {
  Names words;
  WordSplitter splitter;
  splitter.for_each_word(text, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

TEST(Words, are_runs_of_two_letters_or_more) {
  EXPECT_EQ(words_of("The cat's 2nd_try, a B2-b\t(x) 42"),
            (Names{"the", "cat", "2nd", "try", "b2", "42"}));
  EXPECT_EQ(words_of(""), Names{});
  EXPECT_EQ(words_of("a b c"), Names{});
}

TEST(Words, go_beyond_ascii) {
  EXPECT_EQ(words_of("Über ÉTÉ“naïve”—ÀÞ×ß ΑΒΓ ДЁ"),
            (Names{"über", "été", "naïve", "àþ", "αβγ", "дё"}));
  EXPECT_EQ(words_of("東京、大阪 🙂ok🙂"), (Names{"東京", "大阪", "ok"}));
  EXPECT_EQ(words_of("é à ß"), Names{});  // one character each
}

TEST(Words, of_many_letters_are_none) {
  EXPECT_EQ(words_of(std::string(64, 'x')), (Names{std::string(64, 'x')}));
  EXPECT_EQ(words_of(fmt::format("{:x>65} yes", "")), (Names{"yes"}));
}

// Documents of: the 4, cat 2, dog 2, ran 2, a 0 (one letter), sat 1.
constexpr std::string_view pets =
    "The cat sat.\n\nthe dog ran; the dog RAN\n\nA cat the ran\nTHE dog\n";

TEST(ImportDocuments, the_commonest_words_are_variables) {
  EXPECT_EQ(names_of(pets, documents()), (Names{"the", "cat", "dog", "ran", "sat"}));
  EXPECT_EQ(bits_of(pets, documents()),
            (Table{"11001", "00000", "10110", "00000", "11010", "10100"}));
  EXPECT_EQ(numbers_of(pets, documents()),
            (Names{"1 1 0 0 1", "0 0 0 0 0", "2 0 2 2 0", "0 0 0 0 0", "1 1 0 1 0", "1 0 1 0 0"}));
  EXPECT_EQ(names_of(pets, documents(2)), (Names{"the", "cat", "dog", "ran"}));
  ImportOptions options = documents();
  options.vocabulary = 3;  // ties by bytes
  EXPECT_EQ(names_of(pets, options), (Names{"the", "cat", "dog"}));
}

TEST(ImportDocuments, a_word_is_in_twenty_documents_by_default) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += i < 19 ? "alpha beta gamma\n" : "alpha beta\n";
  EXPECT_EQ(names_of(text, with_format(Format::text)), (Names{"alpha", "beta"}));
}

TEST(ImportDocuments, stop_words_are_left_out) {
  ImportOptions options = documents();
  options.stop_words = "english";
  EXPECT_EQ(names_of(pets, options), (Names{"cat", "dog", "ran", "sat"}));
  const ScratchFolder folder;
  options.stop_words = folder.write("stop.txt", "CAT\nsat ran\n").string();
  EXPECT_EQ(names_of(pets, options), (Names{"the", "dog"}));
  options.stop_words = folder.write("none.txt", "- a\n").string();
  expect_parts(bits_refusal(pets, options), {"none.txt", "no word"});
  options.stop_words = "englisch";
  expect_parts(bits_refusal<UsageError>(pets, options), {"--stop-words 'englisch'", "english"});
}

TEST(ImportDocuments, little_memory_gives_the_same) {
  std::string text;
  std::uint64_t state = 3;
  for (int document = 0; document < 200; ++document) {
    for (int word = 0; word < 30; ++word) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += fmt::format("w{} ", (state >> 33U) % (10 + (state >> 50U) % 300));
    }
    text += "\n";
  }
  ImportOptions options = documents(3);
  options.vocabulary = 50;
  const Imported expected = import_content("t.txt", text, options);
  EXPECT_EQ(expected.summary.names.size(), 50U);
  for (const std::uint64_t memory : {1U, 1500U, 10'000U}) {
    options.memory_bytes = memory;
    const Imported found = import_content("t.txt", text, options);
    EXPECT_EQ(found.summary.names, expected.summary.names) << memory;
    EXPECT_EQ(found.table, expected.table) << memory;
  }
}

TEST(ImportDocuments, words_of_a_model_are_the_variables) {
  ImportOptions options = with_format(Format::text);
  options.like_columns = {"ran", "bird", "cat"};
  EXPECT_EQ(names_of(pets, options), options.like_columns);
  EXPECT_EQ(bits_of(pets, options), (Table{"001", "000", "100", "000", "101", "000"}));
  options.vocabulary = 5;
  expect_parts(bits_refusal<UsageError>(pets, options), {"--vocabulary", "--like"});
}

TEST(ImportDocuments, bad_files_are_refused) {
  expect_parts(bits_refusal("good words\nna\xEFve words\n", documents()),
               {"t.txt: line 2", "not UTF-8", "iconv"});
  expect_parts(bits_refusal("one\none\n", documents()), {"1 word is", "--min-documents"});
  expect_parts(bits_refusal("\n", documents()), {"0 words are in 1 documents"});
  ImportOptions options = documents();
  options.missing_tokens = {"NA"};
  expect_parts(bits_refusal<UsageError>(pets, options), {"--missing", "text"});
  options = documents();
  options.threshold = 1;
  expect_parts(bits_refusal<UsageError>(pets, options), {"--threshold", "text"});
  options = documents();
  options.index = "none";
  expect_parts(bits_refusal<UsageError>(pets, options), {"--index", "text"});
  options = documents();
  options.row_column = "id";
  expect_parts(bits_refusal<UsageError>(pets, options), {"--row", "text"});
}

}  // namespace
}  // namespace orrery::data::testing
