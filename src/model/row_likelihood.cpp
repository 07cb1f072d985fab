#include "model/row_likelihood.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "data/bits.hpp"

namespace orrery::model {
namespace {

// Multiply and fold, word by word, with the constants of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t hash_words(std::span<const std::uint64_t> words) noexcept {
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9U;
    hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
    hash ^= hash >> 31U;
  }
  return hash;
}

// Rows [64 group, 64 group + 64) of the columns into keys[r * stride + offset + w].
void gather_rows(const data::BitPanels& panels, std::span<const std::uint32_t> columns,
                 std::size_t group, std::size_t stride, std::size_t offset,
                 std::vector<std::uint64_t>& keys) {
  for (std::size_t first = 0; first < columns.size(); first += 64) {
    data::BitSquare square{};
    const std::size_t n = std::min<std::size_t>(64, columns.size() - first);
    for (std::size_t i = 0; i < n; ++i) square[i] = panels.word(columns[first + i], group);
    data::transpose(square);
    for (std::size_t r = 0; r < 64; ++r) keys[r * stride + offset + first / 64] = square[r];
  }
}

}  // namespace

RowPatterns::RowPatterns(std::size_t n_columns, bool may_miss)
    : n_columns_(n_columns),
      n_words_((n_columns + 63) / 64),
      key_words_(may_miss ? 2 * n_words_ : n_words_),
      slots_(1024, 0) {}

RowPatterns::RowPatterns(const data::SampleMatrix& samples, std::span<const std::uint32_t> columns)
    : RowPatterns(columns.size(), samples.missing.has_value()) {
  add_all(samples.values, samples.missing ? &*samples.missing : nullptr, columns,
          std::numeric_limits<std::size_t>::max());
}

RowPatterns::RowPatterns(const data::BitPanels& values, const data::BitPanels* missing,
                         std::span<const std::uint32_t> columns, std::size_t most)
    : RowPatterns(columns.size(), missing != nullptr) {
  add_all(values, missing, columns, most);
  if (size() > most) *this = RowPatterns(columns.size(), missing != nullptr);
}

void RowPatterns::add_all(const data::BitPanels& values, const data::BitPanels* missing,
                          std::span<const std::uint32_t> columns, std::size_t most) {
  std::vector<std::uint64_t> keys(64 * key_words_);
  for (std::size_t group = 0; group < values.n_words() && size() <= most; ++group) {
    gather_rows(values, columns, group, key_words_, 0, keys);
    if (missing != nullptr) gather_rows(*missing, columns, group, key_words_, n_words_, keys);
    const std::size_t n_rows = std::min<std::size_t>(64, values.n_rows() - 64 * group);
    for (std::size_t r = 0; r < n_rows; ++r) {
      const std::span key(keys.data() + r * key_words_, key_words_);
      for (std::size_t w = n_words_; w < key_words_; ++w) key[w - n_words_] &= ~key[w];
      add(key);
    }
  }
}

data::SampleMatrix RowPatterns::as_samples() const {
  data::SampleMatrix samples;
  const auto put = [](data::BitPanels& panels, std::size_t row,
                      std::span<const std::uint64_t> words) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
        panels.set(row, 64 * w + static_cast<std::size_t>(std::countr_zero(rest)), true);
      }
    }
  };
  samples.values = data::BitPanels(n_columns_, size());
  if (key_words_ > n_words_) samples.missing.emplace(n_columns_, size());
  for (std::size_t i = 0; i < size(); ++i) {
    put(samples.values, i, values(i));
    if (samples.missing) put(*samples.missing, i, missing(i));
  }
  return samples;
}

std::size_t RowPatterns::find_slot(std::span<const std::uint64_t> wanted) const noexcept {
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = hash_words(wanted) & last;
  while (slots_[slot] != 0 && !std::ranges::equal(key(slots_[slot] - 1), wanted)) {
    slot = (slot + 1) & last;
  }
  return slot;
}

std::size_t RowPatterns::add(std::span<const std::uint64_t> row) {
  const std::size_t slot = find_slot(row);
  if (slots_[slot] != 0) {
    const std::size_t known = slots_[slot] - 1;
    ++counts_[known];
    return known;
  }
  keys_.insert(keys_.end(), row.begin(), row.end());
  counts_.push_back(1);
  slots_[slot] = counts_.size();
  if (2 * counts_.size() > slots_.size()) grow();
  return counts_.size() - 1;
}

void RowPatterns::grow() {
  slots_.assign(2 * slots_.size(), 0);
  for (std::size_t i = 0; i < counts_.size(); ++i) slots_[find_slot(key(i))] = i + 1;
}

namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];  // halves the path
      i = parent_[i];
    }
    return i;
  }
  // The smaller index stays the root.
  void unite(std::uint32_t i, std::uint32_t j) {
    const auto [low, high] = std::minmax({find(i), find(j)});
    parent_[high] = low;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::vector<std::uint32_t> children_of(const NoisyOrNetwork& network,
                                       std::span<const std::uint32_t> causes) {
  std::vector<std::uint32_t> variables;
  for (const std::uint32_t c : causes) {
    for (const Edge& edge : network.children(c)) variables.push_back(edge.observed);
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> connected_causes(const NoisyOrNetwork& network) {
  constexpr auto none = static_cast<std::uint32_t>(-1);
  const auto n_causes = static_cast<std::uint32_t>(network.n_causes());
  DisjointSets sets(n_causes);
  std::vector<std::uint32_t> first_parent(network.n_observed(), none);
  for (const Edge& edge : network.edges()) {
    std::uint32_t& first = first_parent[edge.observed];
    if (first == none) {
      first = edge.cause;
    } else {
      sets.unite(first, edge.cause);
    }
  }
  std::vector<std::vector<std::uint32_t>> components;
  std::vector<std::size_t> component_of(n_causes);
  for (std::uint32_t c = 0; c < n_causes; ++c) {
    const std::uint32_t root = sets.find(c);
    if (root == c) {  // met before its other members: it is the smallest
      component_of[c] = components.size();
      components.emplace_back();
    }
    components[component_of[root]].push_back(c);
  }
  return components;
}

Component make_component(const NoisyOrNetwork& network, std::span<const std::uint32_t> causes) {
  Component part;
  part.causes.assign(causes.begin(), causes.end());
  part.variables = children_of(network, causes);
  for (const std::uint32_t a : part.variables) {
    part.leak.push_back(network.observed()[a].leak);
    part.log_quiet.push_back(std::log1p(-part.leak.back()));
  }
  part.first_edge.push_back(0);
  for (const std::uint32_t c : causes) {
    part.prior.push_back(network.causes()[c].prior);
    for (const Edge& edge : network.children(c)) {
      const auto local =
          std::lower_bound(part.variables.begin(), part.variables.end(), edge.observed);
      part.edges.push_back(
          {static_cast<std::uint32_t>(local - part.variables.begin()), edge.failure});
    }
    part.first_edge.push_back(part.edges.size());
  }
  return part;
}

std::vector<std::uint32_t> orphans(const NoisyOrNetwork& network) {
  std::vector<bool> has_parent(network.n_observed(), false);
  for (const Edge& edge : network.edges()) has_parent[edge.observed] = true;
  std::vector<std::uint32_t> variables;
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    if (!has_parent[a]) variables.push_back(a);
  }
  return variables;
}

RowLikelihood::RowLikelihood(const Component& component)
    : component_(component),
      finding_(component.variables.size()),
      on_(component.variables.size()),
      last_step_(component.variables.size()),
      steps_(component.causes.size()),
      influences_(component.edges.size()),
      settled_(component.variables.size()) {}

double RowLikelihood::evaluate(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) noexcept {
  log_closed_ = 0;
  read_row(values, missing);
  plan_steps();
  plan_influences();
  total_ = ScaledReal();
  descend(0, ScaledReal(1));
  return log_closed_ + total_.log();
}

// Findings, and the leak's share of the negative ones.
void RowLikelihood::read_row(std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing) noexcept {
  const auto bit = [](std::span<const std::uint64_t> words, std::size_t i) {
    return ((words[i / 64] >> (i % 64)) & 1U) != 0;
  };
  for (std::size_t a = 0; a < finding_.size(); ++a) {
    if (!missing.empty() && bit(missing, a)) {
      finding_[a] = Finding::missing;
    } else if (bit(values, a)) {
      finding_[a] = Finding::positive;
      on_[a] = component_.leak[a];
    } else {
      finding_[a] = Finding::negative;
      log_closed_ += component_.log_quiet[a];
    }
  }
}

// Absorbs the negative findings into the weight of each cause, sums out those without a positive
// child in closed form and orders the others: most positive children first, as the last step is
// taken 2^k times.
void RowLikelihood::plan_steps() noexcept {
  n_steps_ = 0;
  for (std::uint32_t c = 0; c < component_.causes.size(); ++c) {
    Step step;
    step.cause = c;
    step.absent = ScaledReal(1 - component_.prior[c]);
    step.present = ScaledReal(component_.prior[c]);
    for (const auto& [variable, failure] : component_.children(c)) {
      if (finding_[variable] == Finding::negative) step.present *= failure;
      if (finding_[variable] == Finding::positive) ++step.n_positive;
    }
    if (step.n_positive > 0) {
      steps_[n_steps_++] = step;
    } else {
      step.absent += step.present;
      log_closed_ += step.absent.log();
    }
  }
  std::sort(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(n_steps_),
            [](const Step& a, const Step& b) {
              return std::tie(b.n_positive, a.cause) < std::tie(a.n_positive, b.cause);
            });
}

// Lists what each step changes (positive children of its cause) and which variables are final
// after it: their factors enter there, once for the whole subtree below.
void RowLikelihood::plan_influences() noexcept {
  std::size_t n_influences = 0;
  for (std::size_t depth = 0; depth < n_steps_; ++depth) {
    Step& step = steps_[depth];
    step.first_influence = n_influences;
    for (const auto& [variable, failure] : component_.children(step.cause)) {
      if (finding_[variable] != Finding::positive) continue;
      influences_[n_influences++] = {variable, failure, 1 - failure, 0};
      last_step_[variable] = depth;
    }
    step.end_influence = n_influences;
  }
  std::size_t n_settled = 0;
  for (std::size_t depth = 0; depth < n_steps_; ++depth) {
    Step& step = steps_[depth];
    step.first_settled = n_settled;
    for (std::size_t i = step.first_influence; i < step.end_influence; ++i) {
      const std::uint32_t variable = influences_[i].variable;
      if (last_step_[variable] == depth) settled_[n_settled++] = variable;
    }
    step.end_settled = n_settled;
  }
}

// Adds to total_ the weights of all states of steps [depth, n_steps_), given the earlier ones.
void RowLikelihood::descend(std::size_t depth, const ScaledReal& weight) noexcept {
  if (depth == n_steps_) {
    total_ += weight;
    return;
  }
  const Step& step = steps_[depth];
  ScaledReal absent = weight;
  absent *= step.absent;
  settle(depth, absent);

  ScaledReal present = weight;
  present *= step.present;
  if (present.is_zero()) return;
  for (std::size_t i = step.first_influence; i < step.end_influence; ++i) {
    Influence& influence = influences_[i];
    double& on = on_[influence.variable];
    influence.saved = on;
    on = influence.success + influence.failure * on;
  }
  settle(depth, present);
  // Restored from the saved value: dividing by f would lose digits, and f may be 0.
  for (std::size_t i = step.first_influence; i < step.end_influence; ++i) {
    on_[influences_[i].variable] = influences_[i].saved;
  }
}

void RowLikelihood::settle(std::size_t depth, ScaledReal weight) noexcept {
  const Step& step = steps_[depth];
  for (std::size_t i = step.first_settled; i < step.end_settled; ++i) weight *= on_[settled_[i]];
  if (!weight.is_zero()) descend(depth + 1, weight);
}

}  // namespace orrery::model
