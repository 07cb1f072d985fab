// Jernite, Halpern, Sontag 2013, Sec. 3: the width W of a network.
//
// Of each cause that is not learned at once, the fewest learned causes that couple two or more of a
// quartet of its children which no other cause couples; W is the most of them.
//
// Cost: a search among the children of each such cause, of at most 3,000 steps.
#include <algorithm>
#include <utility>

#include "model/sample_complexity.hpp"

namespace orrery::model {
namespace {

/// Learned causes that share children with one that is learned later: which of its children.
using Shared = std::vector<std::vector<bool>>;

/// The search for the singly coupled quartet of one cause that the fewest learned causes couple.
class WidthSearch {
 public:
  WidthSearch(std::size_t n_children, Shared open, Shared learned)
      : n_(n_children), open_(std::move(open)), learned_(std::move(learned)) {}

  /// The fewest; `limit` steps at most, after which what was found is an upper bound.
  SubtractionWidth least(std::size_t upper, std::size_t limit) {
    best_ = upper;
    steps_ = limit;
    extend(0);
    return {best_, steps_ > 0};
  }

 private:
  [[nodiscard]] bool apart(std::size_t i) const {
    return std::ranges::any_of(open_, [&](const std::vector<bool>& of) {
      return of[i] && std::ranges::any_of(chosen_, [&](std::size_t j) { return of[j]; });
    });
  }

  [[nodiscard]] std::size_t coupling() const {
    return static_cast<std::size_t>(std::ranges::count_if(learned_, [&](const auto& of) {
      return std::ranges::count_if(chosen_, [&](std::size_t j) { return of[j]; }) >= 2;
    }));
  }

  // A cause that was not learned at once is coupled by one learned cause at least.
  void extend(std::size_t first) {
    if (chosen_.size() == quartet_size) {
      best_ = std::min(best_, coupling());
      return;
    }
    for (std::size_t i = first; i < n_ && best_ > 1 && steps_ > 0; ++i) {
      --steps_;
      if (apart(i)) continue;
      chosen_.push_back(i);
      if (coupling() < best_) extend(i + 1);
      chosen_.pop_back();
    }
  }

  std::size_t n_;
  Shared open_;
  Shared learned_;
  std::vector<std::size_t> chosen_;
  std::size_t best_ = 0;
  std::size_t steps_ = 0;
};

/// The children of a cause, those with the fewest other parents first: their quartets are tried
/// first.
std::vector<std::uint32_t> least_shared_first(const NoisyOrNetwork& network, std::size_t cause) {
  std::vector<std::size_t> n_parents(network.n_observed(), 0);
  for (const Edge& edge : network.edges()) ++n_parents[edge.observed];
  std::vector<std::uint32_t> children;
  for (const Edge& edge : network.children(cause)) children.push_back(edge.observed);
  std::ranges::stable_sort(children, {}, [&](std::uint32_t a) { return n_parents[a]; });
  return children;
}

SubtractionWidth width_of(const NoisyOrNetwork& network,
                          const std::vector<CauseLearnability>& causes, std::size_t cause) {
  constexpr std::size_t most_steps = 3'000;
  const std::vector<std::uint32_t> children = least_shared_first(network, cause);
  Shared open;
  Shared learned;
  for (std::size_t other = 0; other < network.n_causes(); ++other) {
    const double prior = network.causes()[other].prior;
    if (other == cause || prior == 0 || prior == 1) continue;
    std::vector<bool> shares(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) {
      shares[i] = network.failure(other, children[i]) < 1;
    }
    if (std::ranges::count(shares, true) < 2) continue;
    const std::int32_t depth = causes[other].depth;
    const bool is_learned = depth != CauseLearnability::never && depth < causes[cause].depth;
    (is_learned ? learned : open).push_back(std::move(shares));
  }
  const std::size_t n_learned = learned.size();
  WidthSearch search(children.size(), std::move(open), std::move(learned));
  return search.least(n_learned, most_steps);
}

}  // namespace

SubtractionWidth subtraction_width(const NoisyOrNetwork& network,
                                   const std::vector<CauseLearnability>& causes) {
  SubtractionWidth result;
  for (std::size_t c = 0; c < causes.size(); ++c) {
    if (causes[c].depth <= 0) continue;
    const SubtractionWidth of_cause = width_of(network, causes, c);
    result.is_exact = result.is_exact && (of_cause.is_exact || of_cause.width <= result.width);
    result.width = std::max(result.width, of_cause.width);
  }
  return result;
}

}  // namespace orrery::model
