#include "families/noisy_or/anchored/structure/network_relaxation.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

namespace orrery::anchored {
namespace {

/// Where vertices coincide the simplex method can go round in circles.
int most_pivots(int rows, int columns) { return 20'000 + 20 * (rows + columns / 10); }

constexpr int trial_pivots = 50;

}  // namespace

struct NetworkRelaxation::Model {
  ClpSimplex simplex;
};

NetworkRelaxation::NetworkRelaxation(const FamilyLists& families, const Start& start)
    : families_(families), model_(std::make_unique<Model>()) {
  build();
  add_clusters(start.clusters);
  if (start.columns.empty()) return;
  using Basis = ClpSimplex::Status;
  for (std::size_t c = 0; c < start.columns.size(); ++c) {
    model_->simplex.setColumnStatus(static_cast<int>(c), static_cast<Basis>(start.columns[c]));
  }
  for (std::size_t r = 0; r < start.rows.size(); ++r) {
    model_->simplex.setRowStatus(static_cast<int>(r), static_cast<Basis>(start.rows[r]));
  }
}
NetworkRelaxation::~NetworkRelaxation() = default;

void NetworkRelaxation::build() {
  std::vector<double> costs;
  CoinPackedMatrix matrix(true, 0, 0);
  matrix.setDimensions(static_cast<int>(families_.size()), 0);
  first_column_.push_back(0);
  for (std::size_t i = 0; i < families_.size(); ++i) {
    const int row = static_cast<int>(i);
    const double one = 1;
    best_ += families_[i][0].score;
    for (const Family& family : families_[i]) {
      matrix.appendCol(1, &row, &one);
      costs.push_back(families_[i][0].score - family.score);
    }
    first_column_.push_back(static_cast<int>(costs.size()));
  }
  const std::vector<double> lower(costs.size(), 0);
  // No upper bound of 1: the rows give it, and the basis stays smaller.
  const std::vector<double> upper(costs.size(), COIN_DBL_MAX);
  const std::vector<double> ones(families_.size(), 1);
  ClpSimplex& simplex = model_->simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(matrix, lower.data(), upper.data(), costs.data(), ones.data(), ones.data());
}

struct NetworkRelaxation::Row {
  std::vector<int> columns;
  double lower;
  double upper;
};

/// Families with `rank` parents in the cluster: at most |C| - rank of them; or the others: at least
/// rank. The rows of the causes make the two the same; the shorter one is taken.
NetworkRelaxation::Row NetworkRelaxation::row_of(const Cluster& cluster) const {
  const auto rank = static_cast<double>(cluster.rank);
  Row inside{{}, -COIN_DBL_MAX, static_cast<double>(cluster.causes.size()) - rank};
  Row others{{}, rank, COIN_DBL_MAX};
  for (const std::uint32_t i : cluster.causes) {
    for (std::size_t f = 0; f < families_[i].size(); ++f) {
      const bool is_inside = families_[i][f].n_parents_in(cluster.causes) >= cluster.rank;
      (is_inside ? inside : others).columns.push_back(first_column_[i] + static_cast<int>(f));
    }
  }
  return inside.columns.size() < others.columns.size() ? inside : others;
}

bool NetworkRelaxation::add_clusters(const std::vector<Cluster>& clusters) {
  std::vector<int> starts{0};
  std::vector<int> columns;
  std::vector<double> lower;
  std::vector<double> upper;
  for (const Cluster& cluster : clusters) {
    if (!known_.emplace(cluster.rank, cluster.causes).second) continue;
    clusters_.push_back(cluster);
    const Row row = row_of(cluster);
    columns.insert(columns.end(), row.columns.begin(), row.columns.end());
    starts.push_back(static_cast<int>(columns.size()));
    lower.push_back(row.lower);
    upper.push_back(row.upper);
  }
  if (lower.empty()) return false;
  const std::vector<double> ones(columns.size(), 1);
  model_->simplex.addRows(static_cast<int>(lower.size()), lower.data(), upper.data(), starts.data(),
                          columns.data(), ones.data());
  return true;
}

void NetworkRelaxation::choose(std::span<const ArcChoice> choices) {
  std::fill_n(model_->simplex.columnUpper(), first_column_.back(), COIN_DBL_MAX);
  for (const ArcChoice& choice : choices) exclude(choice);
}

/// The families that contradict the choice.
void NetworkRelaxation::exclude(const ArcChoice& choice) {
  double* upper = model_->simplex.columnUpper();
  const std::vector<Family>& list = families_[choice.child];
  for (std::size_t f = 0; f < list.size(); ++f) {
    if (list[f].has(choice.parent) != choice.is_there) {
      upper[first_column_[choice.child] + static_cast<int>(f)] = 0;
    }
  }
}

double NetworkRelaxation::bound_after(const ArcChoice& choice) {
  const ClpSimplex before = model_->simplex;
  exclude(choice);
  ClpSimplex& simplex = model_->simplex;
  simplex.setMaximumIterations(trial_pivots);
  simplex.dual();
  pivots_ += static_cast<std::uint64_t>(simplex.numberIterations());
  // Each dual solution bounds the program from below; an infeasible one has no end.
  const double value = simplex.isProvenPrimalInfeasible() ? COIN_DBL_MAX : simplex.objectiveValue();
  model_->simplex = before;
  return best_ - value;
}

NetworkRelaxation::Status NetworkRelaxation::solve() {
  ClpSimplex& simplex = model_->simplex;
  simplex.setMaximumIterations(most_pivots(simplex.numberRows(), simplex.numberColumns()));
  simplex.dual();
  pivots_ += static_cast<std::uint64_t>(simplex.numberIterations());
  if (!simplex.isProvenOptimal() && !simplex.isProvenPrimalInfeasible()) {
    simplex.allSlackBasis(true);  // a basis that has become ill-conditioned: from scratch
    simplex.primal();
    pivots_ += static_cast<std::uint64_t>(simplex.numberIterations());
  }
  if (simplex.isProvenOptimal()) return Status::solved;
  return simplex.isProvenPrimalInfeasible() ? Status::infeasible : Status::stopped;
}

double NetworkRelaxation::bound() const { return best_ - model_->simplex.objectiveValue(); }

FractionalNetwork NetworkRelaxation::shares() const {
  const double* values = model_->simplex.primalColumnSolution();
  std::vector<std::vector<FractionalNetwork::Share>> shares(families_.size());
  for (std::size_t i = 0; i < families_.size(); ++i) {
    for (std::uint32_t f = 0; f < families_[i].size(); ++f) {
      const double weight = values[first_column_[i] + static_cast<int>(f)];
      if (weight > 1e-9) shares[i].push_back({f, weight});
    }
  }
  return {families_, std::move(shares)};
}

std::vector<std::vector<bool>> NetworkRelaxation::can_reach(double score) const {
  const double* reduced = model_->simplex.dualColumnSolution();
  const double slack = bound() - score;
  std::vector<std::vector<bool>> can(families_.size());
  for (std::size_t i = 0; i < families_.size(); ++i) {
    for (std::size_t f = 0; f < families_[i].size(); ++f) {
      can[i].push_back(reduced[first_column_[i] + static_cast<int>(f)] <= slack);
    }
  }
  return can;
}

NetworkRelaxation::Start NetworkRelaxation::here() const {
  const ClpSimplex& simplex = model_->simplex;
  Start start;
  for (int c = 0; c < simplex.numberColumns(); ++c) {
    start.columns.push_back(simplex.getColumnStatus(c));
  }
  for (int r = 0; r < simplex.numberRows(); ++r) {
    // A basic row does not hold anything down: without it and its slack the basis is still one.
    const auto n_causes = static_cast<int>(families_.size());
    if (r >= n_causes && simplex.getRowStatus(r) == ClpSimplex::basic) continue;
    if (r >= n_causes) start.clusters.push_back(clusters_[static_cast<std::size_t>(r - n_causes)]);
    start.rows.push_back(simplex.getRowStatus(r));
  }
  return start;
}

}  // namespace orrery::anchored
