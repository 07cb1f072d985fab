#include "families/noisy_or/quartet/refine/refine_journal.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "learning/checkpoints.hpp"
#include "orrery/base/error.hpp"

namespace orrery::quartet {
namespace {

// Names in a checkpoint.
constexpr const char* name_of_words = "refinement";
constexpr const char* name_of_reals = "refinement_values";

void require(bool fits) { learning::require(fits, name_of_words); }

/// One text in words, the last one filled up with zeros.
void append_text(const std::string& text, std::vector<std::uint64_t>& words) {
  const std::size_t first = words.size();
  words.resize(first + (text.size() + 7) / 8, 0);
  std::memcpy(words.data() + first, text.data(), text.size());
}

void append(const model::NoisyOrNetwork& network, std::vector<std::uint64_t>& words,
            std::vector<double>& reals) {
  std::string names;
  for (const model::Cause& cause : network.causes()) {
    names += cause.name + '\0';
    reals.push_back(cause.prior);
  }
  words.insert(words.end(), {network.n_causes(), network.edges().size(), names.size()});
  append_text(names, words);
  for (const model::Observed& observed : network.observed()) reals.push_back(observed.leak);
  for (const model::Edge& edge : network.edges()) {
    words.push_back(std::uint64_t{edge.cause} << 32U | edge.observed);
    reals.push_back(edge.failure);
  }
}

/// Goes through both arrays from the front.
class Reader {
 public:
  Reader(const std::vector<std::uint64_t>& words, const std::vector<double>& reals)
      : words_(words), reals_(reals) {}
  [[nodiscard]] bool is_done() const {
    require(word_ < words_.size() || real_ == reals_.size());
    return word_ == words_.size();
  }
  std::uint64_t word() {
    require(word_ < words_.size());
    return words_[word_++];
  }
  double real() {
    require(real_ < reals_.size());
    return reals_[real_++];
  }
  std::string text(std::uint64_t n_bytes) {
    require(n_bytes <= 8 * (words_.size() - word_));
    std::string text(n_bytes, '\0');
    std::memcpy(text.data(), words_.data() + word_, n_bytes);
    word_ += (n_bytes + 7) / 8;
    return text;
  }
  [[nodiscard]] std::size_t words_left() const { return words_.size() - word_; }
  [[nodiscard]] std::size_t reals_left() const { return reals_.size() - real_; }

 private:
  const std::vector<std::uint64_t>& words_;
  const std::vector<double>& reals_;
  std::size_t word_ = 0;
  std::size_t real_ = 0;
};

model::NoisyOrNetwork read_network(Reader& reader, const std::vector<std::string>& variables) {
  const std::uint64_t n_causes = reader.word();
  const std::uint64_t n_edges = reader.word();
  const std::string names = reader.text(reader.word());
  require(n_causes <= reader.reals_left() && n_edges <= reader.words_left());
  std::vector<model::Cause> causes;
  std::size_t begin = 0;
  for (std::uint64_t u = 0; u < n_causes; ++u) {
    const std::size_t end = names.find('\0', begin);
    require(end != std::string::npos);
    causes.push_back({names.substr(begin, end - begin), reader.real()});
    begin = end + 1;
  }
  require(begin == names.size());
  std::vector<model::Observed> observed;
  observed.reserve(variables.size());
  for (const std::string& name : variables) observed.push_back({name, reader.real()});
  std::vector<model::Edge> edges;
  for (std::uint64_t e = 0; e < n_edges; ++e) {
    const std::uint64_t place = reader.word();
    edges.push_back({static_cast<std::uint32_t>(place >> 32U), static_cast<std::uint32_t>(place),
                     reader.real()});
  }
  try {
    return {std::move(causes), std::move(observed), std::move(edges)};
  } catch (const InputError&) {  // a probability or a place out of range
    require(false);
    throw;
  }
}

}  // namespace

std::optional<Fit> Journal::next(Kind kind) {
  if (next_ == entries_.size() || entries_[next_].kind != kind) return std::nullopt;
  if (kind != Kind::begun) return entries_[next_++].fit;
  // It is not handed out again: what it comes to takes its place.
  Fit begun = std::move(entries_.back().fit);
  entries_.pop_back();
  return begun;
}

double Journal::n_states() const {
  double sum = running_ ? running_->n_states : 0;
  for (std::size_t i = 0; i < next_; ++i) sum += entries_[i].n_states;
  return sum;
}

void Journal::add(Kind kind, const Fit& fit, double n_states) {
  // A resumed run that decides otherwise than the file says is not that run any more.
  require(next_ == entries_.size());
  push(kind, fit, n_states);
  ++next_;
}

/// As a checkpoint keeps it.
void Journal::push(Kind kind, const Fit& fit, double n_states) {
  entries_.push_back({kind, fit, n_states});
  entries_.back().fit.tests.reset();
  entries_.back().fit.expectation.reset();
}

void Journal::rewind() {
  if (running_) push(Kind::begun, *running_, running_->n_states);
  running_.reset();
  next_ = 0;
}

void Journal::save(store::Checkpoint& checkpoint) const {
  std::vector<std::uint64_t>& words = checkpoint.words[name_of_words];
  std::vector<double>& reals = checkpoint.reals[name_of_reals];
  words.clear();
  reals.clear();
  const auto append_entry = [&](Kind kind, const Fit& fit, double n_states) {
    words.insert(words.end(),
                 {static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(fit.iterations)});
    reals.push_back(n_states);
    if (kind == Kind::rejected) return;
    reals.insert(reals.end(),
                 {fit.log_likelihood, fit.log_posterior, fit.n_truncated, fit.last_gain});
    append(fit.network, words, reals);
  };
  for (const Entry& kept : entries_) append_entry(kept.kind, kept.fit, kept.n_states);
  if (running_) append_entry(Kind::begun, *running_, running_->n_states);
}

Journal Journal::load(const std::vector<std::uint64_t>& words, const std::vector<double>& reals,
                      const std::vector<std::string>& names) {
  Journal journal;
  Reader reader(words, reals);
  while (!reader.is_done()) {
    const std::uint64_t kind = reader.word();
    const std::uint64_t iterations = reader.word();
    require(kind <= static_cast<std::uint64_t>(Kind::begun) && iterations <= 1'000'000);
    Entry read{static_cast<Kind>(kind), {}};
    read.fit.iterations = static_cast<int>(iterations);
    read.n_states = reader.real();
    read.fit.n_states = read.n_states;
    require(read.n_states >= 0);
    if (read.kind != Kind::rejected) {
      read.fit.log_likelihood = reader.real();
      read.fit.log_posterior = reader.real();
      read.fit.n_truncated = reader.real();
      read.fit.last_gain = reader.real();
      read.fit.network = read_network(reader, names);
      require(std::isfinite(read.fit.log_posterior) && read.fit.n_truncated >= 0);
    }
    require(journal.entries_.empty() || journal.entries_.back().kind != Kind::begun);
    journal.entries_.push_back(std::move(read));
  }
  return journal;
}

Journal Journal::restore(const parallel::Team& team, const store::Checkpoint& checkpoint,
                         const std::vector<std::string>& names) {
  std::vector<std::uint64_t> words;
  std::vector<double> reals;
  if (team.is_root() && checkpoint.words.contains(name_of_words)) {
    words = learning::array(checkpoint.words, name_of_words);
    reals = learning::array(checkpoint.reals, name_of_reals);
  }
  team.broadcast(words);
  team.broadcast(reals);
  return load(words, reals, names);
}

}  // namespace orrery::quartet
