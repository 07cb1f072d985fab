// Purpose: the structure of networks like QMR-DT.
// Method: degrees first, then who copies whom; ordinary causes take the variables that have no
//         parent yet, and then more by weight; composites and twins copy them.
//
//   degree of a cause       log-normal, sigma 0.55, scaled to the number of edges; 4 to half of the
//                           variables
//   weight of a variable    log-normal, sigma 1.25: of 100 variables the 10th, 50th, 90th and 99th
//                           have some 1, 6, 26 and 85 parents
//   topics                  one for 23 causes; a cause prefers variables of its topic six to one
//   composites              21 % of the causes, smaller ones: all children but two, or three, are
//                           children of one relative (of two, in 30 %) of the same topic, which
//                           keeps at least six to itself. They are learned late; degrees alone
//                           leave all causes at depth 0
//   twins                   a pair for 285 causes, alike but for one child each, or two (in turn):
//                           never learned by quartets, the former not even by triplets
//
// Draws: all of stream `structure`, cause i's from row i, a variable's from row 2^41 + a, what
// belongs to the whole network from row 2^40. Cost: O(causes * observed).

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "model/qmr_network.hpp"

namespace orrery::model {
namespace {

constexpr double degree_sigma = 0.55;
constexpr double weight_sigma = 1.25;
constexpr std::uint32_t causes_per_topic = 23;
constexpr double topic_affinity = 6;
constexpr double composite_share = 0.21;
constexpr double two_relatives_share = 0.3;
constexpr double third_own_share = 0.5;
constexpr std::uint32_t relative_margin = 6;  // children that a relative keeps to itself
constexpr std::uint32_t causes_per_twin_pair = 285;

// Whole numbers in proportion to `weights`, of the given sum, each within [low, high].
std::vector<std::uint32_t> apportion(const std::vector<double>& weights, std::uint32_t sum,
                                     std::uint32_t low, std::uint32_t high) {
  const auto share = [&](std::size_t i, double scale) {
    return std::clamp(scale * weights[i], double{1} * low, double{1} * high);
  };
  double below = 0;
  double above = high / *std::ranges::min_element(weights);
  for (int step = 0; step < 100; ++step) {
    const double scale = (below + above) / 2;
    double total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) total += share(i, scale);
    (total < sum ? below : above) = scale;
  }
  // Rounding the running sum keeps every part within one of its share, and the sum as it is.
  std::vector<std::uint32_t> parts;
  double running = 0;
  std::uint32_t given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    running += share(i, above);
    const auto until = static_cast<std::uint32_t>(std::llround(running));
    parts.push_back(until - given);
    given = until;
  }
  return parts;
}

// Twins and composites copy what ordinary causes have.
enum class CauseKind { ordinary, composite, twin };

struct CauseDraft {
  RowRandom random;  // of its structure
  double size = 0;   // in proportion to its degree
  std::uint32_t degree = 0;
  std::uint32_t topic = 0;
  CauseKind kind = CauseKind::ordinary;
  std::vector<std::uint32_t> children{};
  std::vector<bool> has{};  // a flag per variable

  [[nodiscard]] std::uint32_t n_missing() const {
    return degree - static_cast<std::uint32_t>(children.size());
  }
  void add(std::uint32_t a) {
    children.push_back(a);
    has[a] = true;
  }
};

struct VariableDraft {
  double weight = 0;
  std::uint32_t topic = 0;
  double first_parent = 0;  // uniform draw that finds it
};

class Draft {
 public:
  Draft(const QmrSize& size, std::uint64_t seed);
  [[nodiscard]] std::vector<CauseDraft> build();

 private:
  using Twins = std::pair<std::uint32_t, std::uint32_t>;

  void set_degrees();
  bool is_spared(std::uint32_t n_children);
  void choose_twins(const std::vector<std::uint32_t>& order);
  void choose_composites(const std::vector<std::uint32_t>& order);
  void give_every_variable_a_parent();
  void add_by_weight(CauseDraft& cause, const std::vector<bool>& barred);
  void copy(CauseDraft& cause, std::vector<std::uint32_t> pool, std::size_t n);
  std::vector<CauseDraft*> composites();
  void compose(CauseDraft& cause);
  const CauseDraft& relative(CauseDraft& cause, std::uint32_t n_children) const;
  [[nodiscard]] double affinity(const CauseDraft& cause, const VariableDraft& variable) const {
    return cause.topic == variable.topic ? topic_affinity : 1;
  }

  QmrSize size_;
  RowRandom random_;    // of the whole network
  std::uint32_t room_;  // children of ordinary causes
  std::vector<CauseDraft> causes_;
  std::vector<VariableDraft> variables_;
  std::vector<Twins> twins_;
};

Draft::Draft(const QmrSize& size, std::uint64_t seed)
    : size_(size), random_(seed, Stream::structure, network_row), room_(size.edges) {
  const std::uint32_t n_topics = std::max(1U, size.causes / causes_per_topic);
  for (std::uint32_t c = 0; c < size.causes; ++c) {
    CauseDraft cause{RowRandom(seed, Stream::structure, c)};
    cause.size = log_normal(1, degree_sigma, cause.random);
    cause.topic = static_cast<std::uint32_t>(cause.random.below(n_topics));
    cause.has.assign(size.observed, false);
    causes_.push_back(std::move(cause));
  }
  for (std::uint32_t a = 0; a < size.observed; ++a) {
    RowRandom random(seed, Stream::structure, first_observed_row + a);
    VariableDraft variable;
    variable.weight = log_normal(1, weight_sigma, random);
    variable.topic = static_cast<std::uint32_t>(random.below(n_topics));
    variable.first_parent = random.uniform();
    variables_.push_back(variable);
  }
}

void Draft::set_degrees() {
  std::vector<double> sizes;
  for (const CauseDraft& cause : causes_) sizes.push_back(cause.size);
  const std::vector<std::uint32_t> degrees =
      apportion(sizes, size_.edges, QmrSize::least_degree, size_.observed / 2);
  for (std::size_t c = 0; c < causes_.size(); ++c) causes_[c].degree = degrees[c];
}

// What is left has room for every variable.
bool Draft::is_spared(std::uint32_t n_children) {
  if (room_ < size_.observed + n_children) return false;
  room_ -= n_children;
  return true;
}

// Causes of one degree.
void Draft::choose_twins(const std::vector<std::uint32_t>& order) {
  std::map<std::uint32_t, std::uint32_t> single;  // the cause of this degree that has no twin yet
  for (const std::uint32_t c : order) {
    if (twins_.size() == size_.causes / causes_per_twin_pair) return;
    const auto [found, fresh] = single.emplace(causes_[c].degree, c);
    if (fresh || !is_spared(2 * causes_[c].degree)) continue;
    twins_.emplace_back(found->second, c);
    causes_[c].kind = causes_[found->second].kind = CauseKind::twin;
    single.erase(found);
  }
}

// The smaller of two: of aQMR-DT's causes those that are learned late have fewer children.
void Draft::choose_composites(const std::vector<std::uint32_t>& order) {
  auto n_left = static_cast<std::uint32_t>(composite_share * size_.causes);
  for (std::size_t i = 0; i + 1 < order.size() && n_left > 0; i += 2) {
    CauseDraft& first = causes_[order[i]];
    CauseDraft& second = causes_[order[i + 1]];
    CauseDraft& smaller = second.degree < first.degree ? second : first;
    if (smaller.kind != CauseKind::ordinary || !is_spared(smaller.degree)) continue;
    smaller.kind = CauseKind::composite;
    --n_left;
  }
}

// A cause with room for more children gets more of them.
void Draft::give_every_variable_a_parent() {
  std::vector<double> until(causes_.size());
  for (std::uint32_t a = 0; a < size_.observed; ++a) {
    double total = 0;
    for (std::size_t c = 0; c < causes_.size(); ++c) {
      const CauseDraft& cause = causes_[c];
      const bool takes = cause.kind == CauseKind::ordinary;
      total += takes ? cause.n_missing() * affinity(cause, variables_[a]) : 0;
      until[c] = total;
    }
    const double chosen = variables_[a].first_parent * total;
    causes_[static_cast<std::size_t>(std::ranges::upper_bound(until, chosen) - until.begin())].add(
        a);
  }
}

// Draws without replacement in proportion to weight: the least of exponential waiting times
// (Efraimidis and Spirakis 2006). Barred variables come last.
void Draft::add_by_weight(CauseDraft& cause, const std::vector<bool>& barred) {
  std::vector<std::tuple<bool, double, std::uint32_t>> waiting;
  for (std::uint32_t a = 0; a < size_.observed; ++a) {
    const double rate = variables_[a].weight * affinity(cause, variables_[a]);
    const double time = -std::log(1 - cause.random.uniform()) / rate;
    if (!cause.has[a]) waiting.emplace_back(barred[a], time, a);
  }
  const std::uint32_t n = cause.n_missing();
  std::ranges::partial_sort(waiting, waiting.begin() + n);
  for (std::uint32_t i = 0; i < n; ++i) cause.add(std::get<2>(waiting[i]));
}

void Draft::copy(CauseDraft& cause, std::vector<std::uint32_t> pool, std::size_t n) {
  for (std::size_t i = 0; i < std::min(n, pool.size()); ++i) {
    std::swap(pool[i], pool[i + cause.random.below(pool.size() - i)]);
    cause.add(pool[i]);
  }
}

// A cause with at least so many children: of the same topic if there is one.
const CauseDraft& Draft::relative(CauseDraft& cause, std::uint32_t n_children) const {
  std::vector<const CauseDraft*> alike;
  std::vector<const CauseDraft*> others;
  const CauseDraft* largest = nullptr;
  for (const CauseDraft& other : causes_) {
    if (other.kind == CauseKind::twin || other.children.empty()) continue;
    if (largest == nullptr || other.degree > largest->degree) largest = &other;
    if (other.degree >= n_children) (other.topic == cause.topic ? alike : others).push_back(&other);
  }
  if (largest == nullptr) throw std::logic_error("a cause that none can be related to");
  const auto& candidates = alike.empty() ? others : alike;
  return candidates.empty() ? *largest : *candidates[cause.random.below(candidates.size())];
}

// The largest first, so that the others may be related to them.
std::vector<CauseDraft*> Draft::composites() {
  std::vector<CauseDraft*> list;
  for (CauseDraft& cause : causes_) {
    if (cause.kind == CauseKind::composite) list.push_back(&cause);
  }
  std::ranges::stable_sort(list, std::greater{}, &CauseDraft::degree);
  return list;
}

void Draft::compose(CauseDraft& cause) {
  const std::uint32_t n_own = 2 + (cause.random.bernoulli(third_own_share) ? 1 : 0);
  const std::uint32_t n_copied = cause.degree - n_own;
  const std::uint32_t n_relatives = cause.random.bernoulli(two_relatives_share) ? 2 : 1;
  std::vector<bool> barred(size_.observed, false);
  std::vector<std::uint32_t> pool;
  for (std::uint32_t i = 0; i < n_relatives; ++i) {
    const std::uint32_t n_needed = (n_copied + n_relatives - 1) / n_relatives + relative_margin;
    for (const std::uint32_t a : relative(cause, n_needed).children) {
      if (!barred[a]) pool.push_back(a);
      barred[a] = true;
    }
  }
  copy(cause, std::move(pool), n_copied);
  add_by_weight(cause, barred);
}

std::vector<CauseDraft> Draft::build() {
  std::vector<std::uint32_t> order(size_.causes);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = 0; i < size_.causes; ++i) {
    std::swap(order[i], order[i + random_.below(size_.causes - i)]);
  }
  set_degrees();
  choose_twins(order);
  choose_composites(order);
  give_every_variable_a_parent();
  const std::vector<bool> none(size_.observed, false);
  for (CauseDraft& cause : causes_) {
    if (cause.kind == CauseKind::ordinary) add_by_weight(cause, none);
  }
  for (CauseDraft* cause : composites()) compose(*cause);
  for (std::size_t i = 0; i < twins_.size(); ++i) {
    CauseDraft& first = causes_[twins_[i].first];
    CauseDraft& second = causes_[twins_[i].second];
    add_by_weight(first, none);
    copy(second, first.children, second.degree - (1 + i % 2));
    add_by_weight(second, first.has);
  }
  return std::move(causes_);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> qmr_children(const QmrSize& size, std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> children;
  for (CauseDraft& cause : Draft(size, seed).build()) {
    std::ranges::sort(cause.children);
    children.push_back(std::move(cause.children));
  }
  return children;
}

}  // namespace orrery::model
