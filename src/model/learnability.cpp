// Purpose: the depth at which each cause could be learned if every test were perfect.
// Source: Jernite, Halpern, Sontag 2013, Def. 1 and Table 1 (quartets, unknown structure); Halpern
// &
//         Sontag 2013 with the extension of Jernite et al., Sec. 2.2 (triplets, known structure).
// A set of children of X is singly coupled if no two of them share another cause. A cause is
// learned at depth d if four of its children (three, if the structure is known) are singly coupled
// once all causes of lower depth are subtracted off; a cause has all its edges learned with it,
// because a singly-coupled pair suffices to extend it to any other child (Lemma 2, Eq. 6).
//
//   paper    code
//   U        causes, `open` while not yet learned
//   S        a clique of the graph on X's children in which those are joined that share no open
//            cause but X
//
// Method: a row of bits a child holds the children that it must not be together with; an early-exit
// search for a clique among the rest takes the least entangled children first.
// Cost: a round takes sum over open causes' children of their number of open parents, and
//       children/64 words for each child of each overlap; k^set_size / 64 a cause of k children if
//       there is no set, next to nothing if there is. Rounds after the first see what is left.
#include "model/learnability.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace orrery::model {
namespace {

using Row = std::vector<std::uint64_t>;  // a bit a child of one cause

class Graph {
 public:
  explicit Graph(std::size_t n) : n_(n), n_words_((n + 63) / 64), apart_(n * n_words_, 0) {}

  // No two of these may be together.
  void part(const std::vector<std::uint32_t>& members) {
    Row bits(n_words_, 0);
    for (const std::uint32_t i : members) bits[i / 64] |= std::uint64_t{1} << (i % 64);
    for (const std::uint32_t i : members) {
      for (std::size_t w = 0; w < n_words_; ++w) apart_[i * n_words_ + w] |= bits[w];
    }
  }

  // `size` members of which all pairs may be together, or nothing.
  [[nodiscard]] std::vector<std::uint32_t> clique(std::size_t size) const {
    Row all(n_words_, ~std::uint64_t{0});
    if (n_ % 64 != 0) all.back() = (std::uint64_t{1} << (n_ % 64)) - 1;
    std::vector<std::uint32_t> members;
    if (n_ < size || !extend(all, size, members)) members.clear();
    return members;
  }

 private:
  // Adds `missing` members out of `candidates`, the first in order; each beyond the one before it.
  bool extend(const Row& candidates, std::size_t missing,
              std::vector<std::uint32_t>& members) const {
    if (missing == 0) return true;
    Row next(n_words_, 0);
    for (std::size_t w = 0; w < n_words_; ++w) {
      for (std::uint64_t left = candidates[w]; left != 0; left &= left - 1) {
        const auto i =
            static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint64_t* const apart = &apart_[i * n_words_];
        std::fill_n(next.begin(), w, 0);
        next[w] = left & (left - 1) & ~apart[w];
        std::size_t n_next = static_cast<std::size_t>(std::popcount(next[w]));
        for (std::size_t v = w + 1; v < n_words_; ++v) {
          next[v] = candidates[v] & ~apart[v];
          n_next += static_cast<std::size_t>(std::popcount(next[v]));
        }
        if (n_next + 1 < missing) continue;
        members.push_back(i);
        if (extend(next, missing - 1, members)) return true;
        members.pop_back();
      }
    }
    return false;
  }

  std::size_t n_;
  std::size_t n_words_;
  Row apart_;  // n_ rows
};

class Rounds {
 public:
  explicit Rounds(const NoisyOrNetwork& network);

  // Children of an open cause, the least entangled first, and which of them to keep apart; of
  // children that are alike one.
  struct Couplings {
    std::vector<std::uint32_t> children;
    Graph graph;
  };
  [[nodiscard]] Couplings couplings(std::uint32_t cause);
  // Open causes that share two or more children with it.
  [[nodiscard]] std::vector<CauseLearnability::Overlap> overlaps(std::uint32_t cause);

  [[nodiscard]] bool is_open(std::uint32_t cause) const { return open_[cause]; }
  void close(std::uint32_t cause) { open_[cause] = false; }
  [[nodiscard]] std::size_t n_children(std::uint32_t cause) const {
    return children_[cause].size();
  }

 private:
  void gather(std::uint32_t cause);
  [[nodiscard]] std::vector<std::uint32_t> one_of_each_kind(std::uint32_t cause) const;

  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::vector<std::uint32_t>> parents_;  // open ones, as far as `gather` came by
  std::vector<bool> open_;
  // Of the cause gathered last: the open causes that share children with it, each with these, as
  // places among its children.
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::vector<std::uint32_t>> shared_;
};

// A variable that is on in every row tells nothing of its causes.
std::vector<bool> always_on(const NoisyOrNetwork& network) {
  std::vector<bool> on(network.n_observed(), false);
  for (std::size_t a = 0; a < on.size(); ++a) on[a] = network.observed()[a].leak == 1;
  for (const Edge& edge : network.edges()) {
    if (edge.failure == 0 && network.causes()[edge.cause].prior == 1) on[edge.observed] = true;
  }
  return on;
}

Rounds::Rounds(const NoisyOrNetwork& network)
    : children_(network.n_causes()),
      parents_(network.n_observed()),
      open_(network.n_causes(), false),
      shared_(network.n_causes()) {
  const std::vector<bool> on = always_on(network);
  for (std::size_t c = 0; c < open_.size(); ++c) {
    const double prior = network.causes()[c].prior;
    open_[c] = prior > 0 && prior < 1;
  }
  for (const Edge& edge : network.edges()) {
    if (!open_[edge.cause] || on[edge.observed]) continue;
    children_[edge.cause].push_back(edge.observed);
    parents_[edge.observed].push_back(edge.cause);
  }
}

void Rounds::gather(std::uint32_t cause) {
  for (const std::uint32_t other : neighbours_) shared_[other].clear();
  neighbours_.clear();
  const std::vector<std::uint32_t>& children = children_[cause];
  for (std::uint32_t i = 0; i < children.size(); ++i) {
    std::vector<std::uint32_t>& parents = parents_[children[i]];
    std::erase_if(parents, [&](std::uint32_t other) { return !open_[other]; });
    for (const std::uint32_t other : parents) {
      if (other == cause) continue;
      if (shared_[other].empty()) neighbours_.push_back(other);
      shared_[other].push_back(i);
    }
  }
  std::erase_if(neighbours_, [&](std::uint32_t other) {
    if (shared_[other].size() > 1) return false;
    shared_[other].clear();
    return true;
  });
}

// Children with the same parents are apart from each other, and from the same others: one of them
// stands for all, unless the cause is their only parent.
std::vector<std::uint32_t> Rounds::one_of_each_kind(std::uint32_t cause) const {
  std::vector<std::uint32_t> places;
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint32_t i = 0; i < children_[cause].size(); ++i) {
    const std::vector<std::uint32_t>& parents = parents_[children_[cause][i]];
    if (parents.size() == 1 || seen.insert(parents).second) places.push_back(i);
  }
  return places;
}

Rounds::Couplings Rounds::couplings(std::uint32_t cause) {
  gather(cause);
  const std::vector<std::uint32_t>& children = children_[cause];
  std::vector<std::size_t> entangled(children.size(), 0);
  for (const std::uint32_t other : neighbours_) {
    for (const std::uint32_t i : shared_[other]) entangled[i] += shared_[other].size() - 1;
  }
  std::vector<std::uint32_t> order = one_of_each_kind(cause);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return entangled[i]; });
  Couplings result{{}, Graph(order.size())};
  constexpr std::uint32_t left_out = 0xFFFFFFFF;
  std::vector<std::uint32_t> place(children.size(), left_out);
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    place[order[rank]] = rank;
    result.children.push_back(children[order[rank]]);
  }
  std::vector<std::uint32_t> members;
  for (const std::uint32_t other : neighbours_) {
    members.clear();
    for (const std::uint32_t i : shared_[other]) {
      if (place[i] != left_out) members.push_back(place[i]);
    }
    result.graph.part(members);
  }
  return result;
}

std::vector<CauseLearnability::Overlap> Rounds::overlaps(std::uint32_t cause) {
  gather(cause);
  std::vector<CauseLearnability::Overlap> overlaps;
  for (const std::uint32_t other : neighbours_) overlaps.push_back({other, shared_[other].size()});
  std::ranges::sort(overlaps, [](const auto& a, const auto& b) {
    return a.n_shared != b.n_shared ? a.n_shared > b.n_shared : a.cause < b.cause;
  });
  return overlaps;
}

// Of a cause: `size` children that it singly couples, by rising index; nothing if there are none.
std::vector<std::uint32_t> singly_coupled(const Rounds::Couplings& couplings, std::size_t size) {
  std::vector<std::uint32_t> set = couplings.graph.clique(size);
  for (std::uint32_t& i : set) i = couplings.children[i];
  std::ranges::sort(set);
  return set;
}

}  // namespace

std::vector<CauseLearnability> learnability(const NoisyOrNetwork& network, std::size_t set_size) {
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  Rounds rounds(network);
  std::vector<CauseLearnability> result(n);
  for (std::uint32_t c = 0; c < n; ++c) result[c].n_children = rounds.n_children(c);
  for (std::int32_t depth = 0;; ++depth) {
    std::vector<std::uint32_t> learned;
    for (std::uint32_t c = 0; c < n; ++c) {
      if (!rounds.is_open(c)) continue;
      result[c].singly_coupled = singly_coupled(rounds.couplings(c), set_size);
      if (!result[c].singly_coupled.empty()) learned.push_back(c);
    }
    if (learned.empty()) break;
    for (const std::uint32_t c : learned) {
      result[c].depth = depth;
      rounds.close(c);
    }
  }
  for (std::uint32_t c = 0; c < n; ++c) {
    if (!rounds.is_open(c)) continue;
    const Rounds::Couplings couplings = rounds.couplings(c);
    for (std::size_t size = set_size - 1; size > 0 && result[c].singly_coupled.empty(); --size) {
      result[c].singly_coupled = singly_coupled(couplings, size);
    }
    result[c].overlaps = rounds.overlaps(c);
  }
  return result;
}

std::vector<std::int32_t> structural_depths(const LearnedModel& model) {
  std::vector<std::int32_t> depths;
  const auto has_round = [](const Provenance& from) { return from.depth >= 0; };
  if (std::ranges::none_of(model.provenance, has_round)) return depths;
  for (const CauseLearnability& cause : learnability(model.network, quartet_size)) {
    depths.push_back(cause.depth);
  }
  return depths;
}

}  // namespace orrery::model
