// The linear program over shares of families, by COIN-OR's CLP:
//   min sum (best score of i - score of (i, W)) x_{i,W},   sum_W x_{i,W} = 1 for each cause i,
//   a row for each cluster found so far (cluster_cuts.hpp).
// Its rows hold for every network, so that they stay as the branch and bound goes from node to
// node; a node's choices are bounds of columns. The dual simplex method goes on from the last
// basis.
#pragma once

#include <memory>
#include <set>

#include "families/noisy_or/anchored/structure/cluster_cuts.hpp"
#include "families/noisy_or/anchored/structure/families.hpp"

namespace orrery::anchored {

/// A decision of the branch and bound: the cause has this parent, or has it not.
struct ArcChoice {
  std::uint32_t parent = 0;
  std::uint32_t child = 0;
  bool is_there = false;
};

class NetworkRelaxation {
 public:
  enum class Status : std::uint8_t { solved, infeasible, stopped };

  /// Where to go on: clusters that hold with equality, and the basis.
  struct Start {
    std::vector<Cluster> clusters{};
    std::vector<std::uint8_t> columns{};
    std::vector<std::uint8_t> rows{};
  };

  /// `families` must outlive it; `start`, if there is a basis in it, is of the same families.
  NetworkRelaxation(const FamilyLists& families, const Start& start);
  NetworkRelaxation(const NetworkRelaxation&) = delete;
  NetworkRelaxation& operator=(const NetworkRelaxation&) = delete;
  ~NetworkRelaxation();

  /// Their rows; false if all are there already.
  bool add_clusters(const std::vector<Cluster>& clusters);
  /// These choices and no others.
  void choose(std::span<const ArcChoice> choices);
  [[nodiscard]] Status solve();

  // Of the last program solved:
  /// No network with the choices scores more.
  [[nodiscard]] double bound() const;
  /// The same with one more choice, as far as a few pivots bring it.
  [[nodiscard]] double bound_after(const ArcChoice& choice);
  [[nodiscard]] FractionalNetwork shares() const;
  /// The families that a network of at least this score can have, by their reduced costs, without
  /// choices.
  [[nodiscard]] std::vector<std::vector<bool>> can_reach(double score) const;
  [[nodiscard]] Start here() const;
  [[nodiscard]] std::uint64_t n_pivots() const noexcept { return pivots_; }

 private:
  struct Model;
  void build();
  void exclude(const ArcChoice& choice);
  struct Row;
  [[nodiscard]] Row row_of(const Cluster& cluster) const;

  const FamilyLists& families_;
  std::unique_ptr<Model> model_;
  std::vector<int> first_column_;  // a cause; and the end
  std::vector<Cluster> clusters_;  // in the order of their rows
  std::set<std::pair<std::uint32_t, std::vector<std::uint32_t>>> known_;  // rank, causes
  double best_ = 0;                                                       // sum of the best scores
  std::uint64_t pivots_ = 0;
};

}  // namespace orrery::anchored
