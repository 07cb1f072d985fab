// Purpose: documents, one per line, into rows of words: the commonest ones are the variables.
// Two passes: the first counts the documents of each word, the second gives the rows. Counts are
// exact: where the different words exceed the memory, those of a part of the hash values alone are
// counted, and the file is read again for each of the other parts.
// Cost: linear for every pass; a look-up for each word.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/name_index.hpp"
#include "data/text_sources.hpp"
#include "data/words.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t usual_vocabulary = 1000;
constexpr std::uint64_t usual_min_documents = 20;

void require_utf8(const TextReader& text) {
  if (is_utf8(text.line())) return;
  throw InputError(
      fmt::format("{}: line {} is not UTF-8; convert the file, e.g. `iconv -f latin1 -t utf-8`",
                  text.file(), text.line_number()));
}

/// Words by their hash values: those whose part of it is `rest` modulo `modulus`, a power of two.
struct Part {
  std::uint64_t rest = 0;
  std::uint64_t modulus = 1;

  static constexpr std::uint64_t most = std::uint64_t{1} << 24U;
  /// The upper bits: the lower ones are a word's place in NameIndex.
  [[nodiscard]] bool holds(std::string_view word) const noexcept {
    return (NameIndex::hash(word) >> 40U) % modulus == rest;
  }
};

struct CountedWord {
  std::uint64_t n_documents = 0;
  std::string word;
  /// Commonest first; a total order.
  bool operator<(const CountedWord& other) const {
    return n_documents != other.n_documents ? n_documents > other.n_documents : word < other.word;
  }
};

/// In how many documents each of the words of a part is.
class DocumentCounts {
 public:
  void add(std::string_view word, std::uint64_t document) {
    const std::uint32_t number = words_.add(word);
    if (number == counts_.size()) counts_.push_back({});
    Count& count = counts_[number];
    if (std::exchange(count.last_document, document) != document) ++count.n_documents;
  }
  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return words_.bytes() + counts_.capacity() * sizeof(Count);
  }
  /// Forgets the words of other parts.
  void restrict_to(const Part& part);
  /// Adds the words of at least `least` documents to `best`, and leaves the `most` first of all.
  void add_best(std::vector<CountedWord>& best, std::uint64_t least, std::uint64_t most) const;

 private:
  struct Count {
    std::uint64_t n_documents = 0;
    std::uint64_t last_document = 0;  // from 1
  };
  NameIndex words_;
  std::vector<Count> counts_;
};

void DocumentCounts::restrict_to(const Part& part) {
  DocumentCounts fewer;
  for (std::uint32_t number = 0; number < size(); ++number) {
    if (!part.holds(words_[number])) continue;
    (void)fewer.words_.add(words_[number]);
    fewer.counts_.push_back(counts_[number]);
  }
  *this = std::move(fewer);
}

void DocumentCounts::add_best(std::vector<CountedWord>& best, std::uint64_t least,
                              std::uint64_t most) const {
  const auto keep_most = [&] {
    std::ranges::sort(best, std::less<>());
    if (best.size() <= most) return;
    best.resize(most);
    if (most > 0) least = std::max(least, best.back().n_documents);
  };
  for (std::uint32_t number = 0; number < size(); ++number) {
    if (counts_[number].n_documents < least) continue;
    best.push_back({counts_[number].n_documents, std::string(words_[number])});
    if (best.size() > 2 * most) keep_most();
  }
  keep_most();
}

class DocumentSource final : public RowSource {
 public:
  DocumentSource(TextReader& text, const ImportOptions& options, Values values);

  [[nodiscard]] const std::string& file() const override { return text_.file(); }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override;
  [[nodiscard]] std::string where() const override {
    return fmt::format("{}: line {}", file(), text_.line_number());
  }

 private:
  void choose_words();
  void count(Part part, std::vector<Part>& others, std::vector<CountedWord>& best);
  void restart();

  TextReader& text_;
  const ImportOptions& options_;
  std::uint64_t vocabulary_;
  std::uint64_t min_documents_;
  bool counts_words_;
  std::uint64_t n_passes_ = 0;
  WordSplitter splitter_;
  std::vector<std::string> names_;
  NameIndex columns_;                  // of the names
  std::vector<std::uint64_t> in_row_;  // how often each word is in the row
};

DocumentSource::DocumentSource(TextReader& text, const ImportOptions& options, Values values)
    : text_(text),
      options_(options),
      vocabulary_(std::min(options.vocabulary.value_or(usual_vocabulary), most_columns)),
      min_documents_(options.min_documents.value_or(usual_min_documents)),
      counts_words_(values == Values::numbers),
      names_(options.like_columns) {
  if (names_.empty()) {
    choose_words();
    if (n_passes_ > 1) {
      log::info("{}: its different words exceed {}; they were counted in {} passes", file(),
                format_bytes(static_cast<double>(options.memory_bytes)), n_passes_);
    }
    restart();
  }
  for (const std::string& name : names_) (void)columns_.add(name);
  in_row_.assign(names_.size(), 0);
}

void DocumentSource::choose_words() {
  std::vector<CountedWord> best;
  std::vector<Part> left{Part{}};
  while (!left.empty()) {
    const Part part = left.back();
    left.pop_back();
    if (n_passes_ > 0) restart();
    ++n_passes_;
    count(part, left, best);
  }
  for (CountedWord& counted : best) names_.push_back(std::move(counted.word));
  if (names_.size() >= 2) return;
  throw InputError(fmt::format(
      "{}: {} {} in {} documents or more, and two are needed; is every document one line? Set "
      "--min-documents lower",
      file(), names_.size(), names_.size() == 1 ? "word is" : "words are", min_documents_));
}

/// One pass. A part that is too large is halved, and the other half left for later.
void DocumentSource::count(Part part, std::vector<Part>& others, std::vector<CountedWord>& best) {
  const NameIndex stopped = stop_words(options_.stop_words);
  DocumentCounts counts;
  for (std::uint64_t document = 1; text_.next_line(); ++document) {
    require_utf8(text_);
    splitter_.for_each_word(text_.line(), [&](std::string_view word) {
      if (part.modulus > 1 && !part.holds(word)) return;
      if (stopped.size() > 0 && stopped.find(word) != NameIndex::none) return;
      counts.add(word, document);
    });
    while (counts.bytes() > options_.memory_bytes && counts.size() > 1 &&
           part.modulus < Part::most) {
      others.push_back({part.rest + part.modulus, 2 * part.modulus});
      part.modulus *= 2;
      counts.restrict_to(part);
    }
  }
  counts.add_best(best, min_documents_, vocabulary_);
}

void DocumentSource::restart() { text_.restart(fmt::format("import, pass {}", n_passes_ + 1)); }

bool DocumentSource::next_row(std::vector<RowValue>& values) {
  values.clear();
  if (!text_.next_line()) return false;
  require_utf8(text_);
  splitter_.for_each_word(text_.line(), [&](std::string_view word) {
    const std::uint32_t column = columns_.find(word);
    if (column != NameIndex::none && in_row_[column]++ == 0) values.push_back({column, 0});
  });
  std::ranges::sort(values, {}, &RowValue::column);
  for (auto& [column, value] : values) {
    value = counts_words_ ? static_cast<double>(in_row_[column]) : 1;
    in_row_[column] = 0;
  }
  return true;
}

}  // namespace

std::unique_ptr<RowSource> open_documents(TextReader& text, const ImportOptions& options,
                                          Values values) {
  return std::make_unique<DocumentSource>(text, options, values);
}

}  // namespace orrery::data
