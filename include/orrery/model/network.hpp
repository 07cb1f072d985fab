// The bipartite noisy-OR network: hidden causes above, observed variables below (Jernite, Halpern,
// Sontag 2013, Sec. 1, "Background"). The causes may depend on one another, and some variables may
// be known as anchors, each of one cause (Halpern, Horng, Sontag 2015, Sec. 2).
//
//   2013      2015        code               shape   range
//   p_X       P(Y_i = 1)  Cause::prior       n       [0, 1] probability
//   f_{X,a}   f_{i,j}     Edge::failure      edges   [0, 1); no edge means f = 1
//   nu_a      l_j         Observed::leak     m       [0, 1] P(a on with every cause off)
//             P(Y)        cause_network()            a Bayesian network of the causes
//             A_i         anchors()
//
// An anchor's noise is its leak, P(A=1|Y=0), and its one failure: P(A=0|Y=1) = (1 - leak) failure.
// An anchor with further edges breaks the assumption (Definition 1); generators make such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::model {

struct Cause {
  std::string name;
  double prior = 0;
};

struct Observed {
  std::string name;
  double leak = 0;
};

/// Present cause `cause` fails to switch on `observed` with probability `failure`.
struct Edge {
  std::uint32_t cause = 0;
  std::uint32_t observed = 0;
  double failure = 0;
  bool operator==(const Edge&) const = default;
};

/// An observed variable that one cause alone switches on.
struct Anchor {
  std::uint32_t cause = 0;
  std::uint32_t observed = 0;
  /// The columns of which the observed variable is the union; one or none: itself.
  std::vector<std::string> columns{};
  bool operator==(const Anchor&) const = default;
};

class NoisyOrNetwork {
 public:
  NoisyOrNetwork() = default;
  /// `cause_network`: how the causes depend on one another; without causes: they do not. A cause's
  /// prior becomes what its tables say, where elimination is feasible. Edges may come in any order;
  /// they are kept sorted by (cause, observed), and so are anchors. A failure of exactly 1 is no
  /// edge. Throws InputError naming the entry: a probability that is not in [0, 1], an index out of
  /// range, a second edge between the same two, tables of another number of causes, an anchor of
  /// two causes, a column in two unions. A cause without an anchor is allowed.
  NoisyOrNetwork(std::vector<Cause> causes, std::vector<Observed> observed, std::vector<Edge> edges,
                 CauseNetwork cause_network = {}, std::vector<Anchor> anchors = {});
  /// The edges and variables of `loadings` below other dependence, with these anchors.
  NoisyOrNetwork(const NoisyOrNetwork& loadings, CauseNetwork cause_network,
                 std::vector<Anchor> anchors);

  /// True if there is nothing above the causes and no anchor below them: the network of the paper
  /// of 2013, of which sums over the causes factor.
  [[nodiscard]] bool is_plain() const noexcept {
    return !has_dependent_causes() && anchors_.empty();
  }
  [[nodiscard]] bool has_dependent_causes() const noexcept { return cause_network_.n_edges() > 0; }
  /// Of all causes, also where they do not depend on one another.
  [[nodiscard]] const CauseNetwork& cause_network() const noexcept { return cause_network_; }
  /// By rising (cause, observed).
  [[nodiscard]] const std::vector<Anchor>& anchors() const noexcept { return anchors_; }
  /// P(A = 1 | Y = 0) and P(A = 1 | Y = 1) of anchor number `anchor`, by leak and failure.
  [[nodiscard]] std::pair<double, double> anchor_rates(std::size_t anchor) const;

  [[nodiscard]] std::size_t n_causes() const noexcept { return causes_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return observed_.size(); }
  [[nodiscard]] const std::vector<Cause>& causes() const noexcept { return causes_; }
  [[nodiscard]] const std::vector<Observed>& observed() const noexcept { return observed_; }
  [[nodiscard]] const std::vector<Edge>& edges() const noexcept { return edges_; }
  [[nodiscard]] std::vector<std::string> observed_names() const;
  /// The edges of one cause, by rising observed index.
  [[nodiscard]] std::span<const Edge> children(std::size_t cause) const noexcept {
    return {edges_.data() + first_edge_[cause], first_edge_[cause + 1] - first_edge_[cause]};
  }
  /// f_{X,a}; 1 where there is no edge. O(log children).
  [[nodiscard]] double failure(std::size_t cause, std::size_t observed) const noexcept;
  /// All failures of one cause, dense: m values, 1 where there is no edge.
  [[nodiscard]] std::vector<double> dense_failures(std::size_t cause) const;

  /// P(every variable of `set` is 0), Eq. (1); where causes depend on one another by elimination,
  /// which throws InputError if they do too much. `set` holds distinct observed indices, any order.
  /// O(n * |set| * log children).
  [[nodiscard]] double negative_moment(std::span<const std::uint32_t> set) const;

 private:
  std::vector<Cause> causes_;
  std::vector<Observed> observed_;
  std::vector<Edge> edges_;
  CauseNetwork cause_network_;
  std::vector<Anchor> anchors_;
  std::vector<std::size_t> first_edge_{0};  // n + 1 offsets into edges_
};

}  // namespace orrery::model
