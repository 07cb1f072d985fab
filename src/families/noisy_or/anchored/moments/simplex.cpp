#include "families/noisy_or/anchored/moments/simplex.hpp"

#include <algorithm>

#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"
#include "families/noisy_or/anchored/noise/noise.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;

constexpr double enough = 1e-13;              // nats
constexpr double near = 1e-4;                 // where exponentiated gradient hands over
constexpr std::uint32_t most_gradient = 200;  // steps of it
constexpr std::uint32_t most_quadratic = 100;

/// The cells of Eq. (23) that weigh: observed ones, a component being the noise that a joint state
/// of the causes spreads, and those of the regulariser, a component being the state alone.
struct Cells {
  Eigen::MatrixXd components;
  Eigen::VectorXd counts;
};

Cells cells_of(std::span<const double> observed, std::span<const Rates> rates, double regularise,
               std::span<const double> independent) {
  const std::size_t n = observed.size();
  std::vector<std::vector<double>> spread(n, std::vector<double>(n, 0));
  for (std::size_t state = 0; state < n; ++state) {
    spread[state][state] = 1;
    apply_noise(spread[state], rates);
  }
  std::vector<std::size_t> kept;  // places in observed, then in independent
  for (std::size_t i = 0; i < n; ++i) {
    if (observed[i] > 0) kept.push_back(i);
  }
  for (std::size_t i = 0; i < n && regularise > 0; ++i) {
    if (independent[i] > 0) kept.push_back(n + i);
  }
  Cells cells{Eigen::MatrixXd(static_cast<Index>(kept.size()), static_cast<Index>(n)),
              Eigen::VectorXd(static_cast<Index>(kept.size()))};
  for (std::size_t row = 0; row < kept.size(); ++row) {
    const std::size_t cell = kept[row] % n;
    const bool is_observed = kept[row] < n;
    cells.counts[static_cast<Index>(row)] =
        is_observed ? observed[cell] : regularise * independent[cell];
    for (std::size_t state = 0; state < n; ++state) {
      cells.components(static_cast<Index>(row), static_cast<Index>(state)) =
          is_observed ? spread[state][cell] : static_cast<double>(state == cell);
    }
  }
  return cells;
}

}  // namespace

TableFit fit_table(std::span<const double> observed, std::span<const Rates> rates,
                   double regularise, std::span<const double> independent) {
  TableFit result{{observed.begin(), observed.end()}, 0, 0};
  if (regularise == 0) {
    remove_noise(result.moments, rates);
    if (std::ranges::all_of(result.moments, [](double cell) { return cell >= 0; })) return result;
  }
  const Cells cells = cells_of(observed, rates, regularise, independent);
  const Mixture mixture{cells.components, cells.counts};
  const auto n = static_cast<Index>(observed.size());
  const MixtureFit coarse = exponentiated_gradient(
      mixture, Eigen::VectorXd::Constant(n, 1 / static_cast<double>(n)), near, most_gradient);
  const MixtureFit fine = sequential_quadratic(mixture, coarse.weights, enough, most_quadratic);
  result.moments.assign(fine.weights.begin(), fine.weights.end());
  result.gap = fine.gap;
  result.iterations = coarse.iterations + fine.iterations;
  return result;
}

std::vector<double> recover_table(std::span<const double> observed, std::span<const Rates> rates,
                                  double regularise, std::span<const double> independent) {
  return fit_table(observed, rates, regularise, independent).moments;
}

}  // namespace orrery::anchored
