#include "families/noisy_or/anchored/moments/shared_steps.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/progress.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index points_per_unit = 64;
constexpr std::uint64_t starts_per_unit = 10;

enum Task : std::uint64_t { end_of_steps, search_for_states, columns_of_hessian };

}  // namespace

// The points.

HullPoints::HullPoints(const Objective& objective, const ProductBasis& basis)
    : objective_(objective), basis_(basis) {
  const auto observed = objective.anchors().observed.cells();
  const auto independent = objective.independent().cells();
  std::vector<double> counts;
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    if (observed[cell] <= 0) continue;
    observed_cells_.push_back(cell);
    counts.push_back(observed[cell]);
  }
  for (std::size_t cell = 0; cell < independent.size() && objective.regularise() > 0; ++cell) {
    if (independent[cell] <= 0) continue;
    regularised_cells_.push_back(cell);
    counts.push_back(objective.regularise() * independent[cell]);
  }
  counts_ = Eigen::Map<const VectorXd>(counts.data(), static_cast<Index>(counts.size()));
}

VectorXd HullPoints::cells_of(const VectorXd& products) const {
  model::SubsetTables tables = basis_.tables(products);
  VectorXd result(counts_.size());
  Index row = static_cast<Index>(observed_cells_.size());
  for (const std::size_t cell : regularised_cells_) result[row++] = tables.cells()[cell];
  for (const auto& set : basis_.sets()) apply_noise(tables.table(set), objective_.rates_of(set));
  row = 0;
  for (const std::size_t cell : observed_cells_) result[row++] = tables.cells()[cell];
  return result.cwiseMax(0);  // rounding of inclusion and exclusion
}

void HullPoints::add(const VectorXd& products) {
  const Index n = size();
  if (n == components_.cols()) {
    const Index room = 2 * n + 32;
    components_.conservativeResize(counts_.size(), room);
    points_.conservativeResize(basis_.size(), room);
  }
  components_.col(n) = cells_of(products);
  points_.col(n) = products;
  sent_as_.push_back(-1);
}

void HullPoints::keep(const std::vector<Index>& kept) {
  for (std::size_t to = 0; to < kept.size(); ++to) {
    const Index from = kept[to];
    if (std::cmp_equal(from, to)) continue;
    components_.col(static_cast<Index>(to)) = components_.col(from);
    points_.col(static_cast<Index>(to)) = points_.col(from);
    sent_as_[to] = sent_as_[static_cast<std::size_t>(from)];
  }
  sent_as_.resize(kept.size());
}

std::vector<std::uint64_t> HullPoints::kept_since_last_call() {
  std::vector<std::uint64_t> kept;
  for (const Index place : sent_as_) {
    if (place >= 0) kept.push_back(static_cast<std::uint64_t>(place));
  }
  std::iota(sent_as_.begin(), sent_as_.end(), Index{0});
  return kept;
}

void HullPoints::hessian_columns(const VectorXd& mean, Index first, Index end,
                                 std::span<double> columns) const {
  const Index n_rows = size() - first;
  Eigen::Map<MatrixXd> result(columns.data(), n_rows, end - first);
  const VectorXd weights = counts_.cwiseQuotient(mean.cwiseAbs2());
  const MatrixXd weighted = weights.asDiagonal() * components_.middleCols(first, end - first);
  result.noalias() = components_.middleCols(first, n_rows).transpose() * weighted;
}

// The ranks.

SharedSteps::SharedSteps(const parallel::Team& team, int threads, const Objective& objective,
                         const ProductBasis& basis)
    : team_(team), threads_(threads), basis_(basis), copy_(objective, basis) {}

std::vector<double> SharedSteps::shared(
    std::uint64_t n_units, std::size_t size,
    const std::function<void(std::uint64_t, std::span<double>)>& work) {
  std::vector<double> values(static_cast<std::size_t>(n_units) * size, 0);
  parallel::Units units{n_units, 0, {}};
  Progress silent("", 0, "");
  const auto stretch = team_.run_units(
      units, threads_, parallel::Team::never, silent, [&](std::uint64_t unit, int /*thread*/) {
        work(unit, std::span(values).subspan(static_cast<std::size_t>(unit) * size, size));
        return true;
      });
  busy_seconds_ += stretch.busy_seconds;
  n_units_ += n_units;
  if (team_.size() > 1) team_.share_values(values);
  return values;
}

std::vector<double> SharedSteps::states(const LinearForm& form, std::span<const double> on,
                                        std::uint64_t round) {
  const std::size_t room = on.size() + 1;
  return shared(starts_per_round / starts_per_unit, starts_per_unit * room,
                [&](std::uint64_t unit, std::span<double> values) {
                  for (std::uint64_t i = 0; i < starts_per_unit; ++i) {
                    const FoundState found =
                        search_from_start(basis_, form, on, round, unit * starts_per_unit + i);
                    const auto own = values.subspan(static_cast<std::size_t>(i) * room, room);
                    std::ranges::copy(found.state, own.begin());
                    own[room - 1] = found.value;
                  }
                });
}

std::vector<FoundState> SharedSteps::search(const LinearForm& form, std::span<const double> on,
                                            std::uint64_t round) {
  std::vector<double> numbers{form.constant};
  numbers.insert(numbers.end(), form.coefficients.begin(), form.coefficients.end());
  numbers.insert(numbers.end(), on.begin(), on.end());
  order({search_for_states, round}, std::move(numbers));
  const std::vector<double> values = states(form, on, round);
  std::vector<FoundState> found;
  for (auto next = values.begin(); next != values.end(); ++next) {
    const auto end = next + static_cast<std::ptrdiff_t>(on.size());
    found.push_back({{next, end}, *end});
    next = end;
  }
  return best_states(std::move(found));
}

std::vector<double> SharedSteps::columns(const HullPoints& points, const VectorXd& mean) {
  const Index n = points.size();
  const Index n_units = (n + points_per_unit - 1) / points_per_unit;
  return shared(static_cast<std::uint64_t>(n_units), static_cast<std::size_t>(n * points_per_unit),
                [&](std::uint64_t unit, std::span<double> values) {
                  const Index first = static_cast<Index>(unit) * points_per_unit;
                  points.hessian_columns(mean, first, std::min(first + points_per_unit, n), values);
                });
}

MatrixXd SharedSteps::hessian(HullPoints& points, const VectorXd& mean) {
  if (team_.size() > 1) {
    std::vector<std::uint64_t> task = points.kept_since_last_call();
    const MatrixXd added =
        points.points().rightCols(points.size() - static_cast<Index>(task.size()));
    task.insert(task.begin(), columns_of_hessian);
    std::vector<double> numbers(mean.begin(), mean.end());
    numbers.insert(numbers.end(), added.data(), added.data() + added.size());
    order(std::move(task), std::move(numbers));
  }
  const std::vector<double> values = columns(points, mean);
  const Index n = points.size();
  MatrixXd result = MatrixXd::Zero(n, n);
  for (Index first = 0; first < n; first += points_per_unit) {
    const Index width = std::min(points_per_unit, n - first);
    result.block(first, first, n - first, width) =
        Eigen::Map<const MatrixXd>(values.data() + first * n, n - first, width);
  }
  return result;
}

void SharedSteps::end() { order({end_of_steps}, {}); }

void SharedSteps::order(std::vector<std::uint64_t> task, std::vector<double> numbers) const {
  if (team_.size() == 1) return;
  team_.broadcast(task);
  team_.broadcast(numbers);
}

void SharedSteps::update_copy(std::span<const std::uint64_t> kept, std::span<const double> added) {
  copy_.keep({kept.begin(), kept.end()});
  const auto size = static_cast<std::size_t>(basis_.size());
  for (std::size_t at = 0; at < added.size(); at += size) {
    copy_.add(Eigen::Map<const VectorXd>(added.data() + at, basis_.size()));
  }
}

void SharedSteps::serve() {
  while (true) {
    std::vector<std::uint64_t> task;
    std::vector<double> numbers;
    team_.broadcast(task);
    team_.broadcast(numbers);
    const std::span<const double> all(numbers);
    if (task[0] == end_of_steps) return;
    if (task[0] == search_for_states) {
      const auto n = static_cast<std::size_t>(basis_.size());
      (void)states({all[0], Eigen::Map<const VectorXd>(&all[1], basis_.size())}, all.subspan(1 + n),
                   task[1]);
    } else {
      const auto n = static_cast<std::size_t>(copy_.counts().size());
      update_copy(std::span(task).subspan(1), all.subspan(n));
      (void)columns(copy_, Eigen::Map<const VectorXd>(all.data(), copy_.counts().size()));
    }
  }
}

}  // namespace orrery::anchored
