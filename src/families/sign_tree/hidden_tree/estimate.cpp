//   paper      code                                                   range
//   mu^dagger  sum_of_products / n, or observed_moments(..).ab        [-1, 1]
//   mu^        TreeEdge::moment                                       [-1, 1]
//   (1-2q)^2   kappa                                                  (0, 1]
// The products of n rows of +1 and -1 with mean r have variance 1 - r^2: r has the standard error
// sqrt((1 - r^2) / n), and moment = r / kappa the same over kappa. An estimated kappa with standard
// error s adds (moment s / kappa)^2 to the variance; that kappa and r were estimated from the same
// rows is left out.
#include "families/sign_tree/hidden_tree/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "base/log.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"
#include "learning/row_slices.hpp"
#include "learning/stages.hpp"
#include "orrery/base/error.hpp"

namespace orrery::hidden_tree {
namespace {

/// Of a correlation of 0, two-sided. Exactly, n (r + 1) / 2 is binomial with both means 0; its
/// tails are lighter than the normal ones.
double p_value(const Cells& cells, Marginals marginals) {
  const auto n = static_cast<double>(cells.n);
  double r = static_cast<double>(sum_of_products(cells)) / n;
  if (marginals == Marginals::free) {
    const double a = 2 * cells.a_on / n - 1;
    const double b = 2 * cells.b_on / n - 1;
    r = (r - a * b) / std::sqrt((1 - a * a) * (1 - b * b));
  }
  return std::erfc(std::abs(r) * std::sqrt(n) / std::numbers::sqrt2);
}

struct Moved {
  std::size_t means = 0;
  std::size_t moments = 0;
};

void tell(const Moved& moved, std::size_t n_edges, double crossover, Marginals marginals,
          const std::string& path) {
  if (moved.moments > 0 && marginals == Marginals::uniform) {
    log::warning(
        "{}: {} of {} edges have correlations beyond (1-2q)^2 = {:.4g} and are clipped to "
        "it: the hidden signs count as equal or opposite; with many of them --crossover "
        "{:.4g} may be too high",
        path, moved.moments, n_edges, (1 - 2 * crossover) * (1 - 2 * crossover), crossover);
  } else if (moved.means + moved.moments > 0) {
    log::warning(
        "{}: {} mean(s) and {} of {} edges are beyond what hidden signs seen through a "
        "crossover of {:.4g} can have, and are brought to the nearest that they can",
        path, moved.means, moved.moments, n_edges, crossover);
  }
}

}  // namespace

std::vector<Edge> significant(const std::vector<Edge>& tree, double alpha, std::size_t p,
                              Marginals marginals) {
  const double tests = static_cast<double>(p) * (static_cast<double>(p) - 1) / 2;
  std::vector<Edge> kept;
  for (const Edge& edge : tree) {
    if (p_value(edge.cells, marginals) * tests <= alpha) kept.push_back(edge);
  }
  return kept;
}

model::LearnedTree estimate(const std::vector<Edge>& edges, const Rows& rows,
                            const Crossover& crossover, Marginals marginals,
                            const std::string& path, bool is_root) {
  const bool uniform = marginals == Marginals::uniform;
  const double kappa = (1 - 2 * crossover.q) * (1 - 2 * crossover.q);
  const double relative_error = 4 * std::sqrt(kappa) * crossover.error / kappa;  // of kappa
  Moved moved;
  std::vector<double> means(rows.n_variables(), 0);
  for (std::size_t a = 0; a < means.size() && !uniform; ++a) {
    const std::uint64_t n = rows.singles.observed(a);
    const double on =
        (static_cast<double>(rows.singles.observed_on(a)) + .5) / (static_cast<double>(n) + 1);
    means[a] = hidden_mean(2 * on - 1, crossover.q, n, moved.means);
  }
  // SignTree keeps edges in this order; errors stand beside them.
  std::vector<Edge> sorted = edges;
  std::ranges::sort(
      sorted, [](const Edge& x, const Edge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  model::LearnedTree learned;
  std::vector<model::TreeEdge> joints;
  for (const auto& [a, b, cells] : sorted) {
    const double r = uniform ? static_cast<double>(sum_of_products(cells)) / cells.n
                             : observed_moments(cells).ab;
    // Eq. (21); with means of 0 the range of Algorithm 1's clipping.
    const double moment = hidden_moment(r, crossover.q, means[a], means[b], moved.moments);
    joints.push_back({a, b, moment});
    learned.edge_errors.push_back(
        std::hypot(std::sqrt((1 - r * r) / cells.n) / kappa, moment * relative_error));
  }
  if (is_root) tell(moved, edges.size(), crossover.q, marginals, path);
  learned.tree =
      model::SignTree(rows.samples.names, std::move(means), std::move(joints), crossover.q);
  learned.crossover_error = crossover.error;
  learned.learner = "tree";
  learned.data_digest = rows.samples.digest;
  learned.n_samples = rows.singles.n_rows;
  return learned;
}

// ---- the crossover probability
//
// Cost: three pairs a path, N / 64 words each. Memory: 96 bytes a path and group.

namespace {

constexpr std::size_t most_paths = 4096;
constexpr std::size_t most_groups = 50;
constexpr std::size_t fewest_groups = 10;
constexpr double weak_error = .05;  // of q

/// Rows in which both are observed, and the ones among them, as sums that can be subtracted.
using Counts = std::array<std::int64_t, 4>;  // n, a on, b on, both on

struct Moments {
  double a = 0;
  double b = 0;
  double covariance = 0;
};

Moments moments_of(const Counts& counts, bool uniform) {
  const auto [n, a_on, b_on, both_on] = counts;
  if (n <= 0) return {};
  const auto rows = static_cast<double>(n);
  const double product = static_cast<double>(n - 2 * (a_on + b_on) + 4 * both_on) / rows;
  if (uniform) return {0, 0, product};
  const double a = static_cast<double>(2 * a_on - n) / rows;
  const double b = static_cast<double>(2 * b_on - n) / rows;
  return {a, b, product - a * b};
}

/// Of a path: end - middle, middle - other end, end - other end.
constexpr std::size_t pairs_of_path = 3;
std::array<std::array<std::uint32_t, 2>, pairs_of_path> pairs_of(const Path& path) {
  return {{{path.end, path.middle}, {path.middle, path.other_end}, {path.end, path.other_end}}};
}

/// Counts of the paths' pairs in groups of rows: [(group * paths + path) * 3 + pair].
class GroupedCounts {
 public:
  GroupedCounts(const learning::DataContext& context, const Rows& rows,
                const std::vector<Path>& paths)
      : n_paths_(paths.size()),
        n_words_((rows.singles.n_rows + 63) / 64),
        n_groups_(std::min<std::size_t>(most_groups, n_words_)),
        sums_(n_groups_ * n_paths_ * pairs_of_path * 4, 0) {
    (void)rows.samples.slices->for_each([&](const learning::RowSlices::Slice& slice) {
#pragma omp parallel for num_threads(context.threads) schedule(dynamic, 16) default(shared)
      for (std::size_t path = 0; path < n_paths_; ++path) {
        for (std::size_t pair = 0; pair < pairs_of_path; ++pair) {
          add(slice, pairs_of(paths[path])[pair], path * pairs_of_path + pair);
        }
      }
      return true;
    });
    context.team.sum_words(sums_);
  }

  [[nodiscard]] std::size_t n_groups() const noexcept { return n_groups_; }
  [[nodiscard]] Counts at(std::size_t group, std::size_t place) const {
    const std::uint64_t* sums = sums_.data() + (group * n_paths_ * pairs_of_path + place) * 4;
    Counts counts;
    std::copy_n(sums, 4, counts.begin());
    return counts;
  }

 private:
  void add(const learning::RowSlices::Slice& slice, const std::array<std::uint32_t, 2>& pair,
           std::size_t place) {
    const std::uint64_t n_rows = slice.values.n_rows();
    const std::uint64_t first_word = slice.first_row / 64;
    for (std::size_t w = 0; w < slice.values.n_words(); ++w) {
      std::uint64_t seen = ~std::uint64_t{0};
      if (64 * (w + 1) > n_rows) seen >>= 64 * (w + 1) - n_rows;
      if (slice.missing)
        seen &= ~(slice.missing->word(pair[0], w) | slice.missing->word(pair[1], w));
      const std::uint64_t a = slice.values.word(pair[0], w) & seen;
      const std::uint64_t b = slice.values.word(pair[1], w) & seen;
      const std::size_t group = (first_word + w) * n_groups_ / n_words_;
      std::uint64_t* sums = sums_.data() + (group * n_paths_ * pairs_of_path + place) * 4;
      sums[0] += static_cast<std::uint64_t>(std::popcount(seen));
      sums[1] += static_cast<std::uint64_t>(std::popcount(a));
      sums[2] += static_cast<std::uint64_t>(std::popcount(b));
      sums[3] += static_cast<std::uint64_t>(std::popcount(a & b));
    }
  }

  std::size_t n_paths_;
  std::uint64_t n_words_;
  std::size_t n_groups_;
  std::vector<std::uint64_t> sums_;
};

/// Least squares over all paths; NaN if all their ends are uncorrelated.
double kappa_of(const std::vector<Counts>& counts, bool uniform) {
  double products = 0;
  double squares = 0;
  for (std::size_t path = 0; path < counts.size() / pairs_of_path; ++path) {
    const Counts* of_path = counts.data() + path * pairs_of_path;
    const Moments ik = moments_of(of_path[0], uniform);
    const Moments kj = moments_of(of_path[1], uniform);
    const double c_ij = moments_of(of_path[2], uniform).covariance;
    products += c_ij * (ik.covariance * kj.covariance + ik.b * ik.b * c_ij);
    squares += c_ij * c_ij;
  }
  return products / squares;
}

struct Estimate {
  double kappa;
  double error;
};

Estimate jackknife(const GroupedCounts& groups, std::size_t n_paths, bool uniform) {
  const std::size_t n_pairs = n_paths * pairs_of_path;
  std::vector<Counts> all(n_pairs, Counts{});
  const auto shift = [&](std::vector<Counts>& counts, std::size_t group, std::int64_t sign) {
    for (std::size_t i = 0; i < n_pairs; ++i) {
      const Counts part = groups.at(group, i);
      for (std::size_t k = 0; k < part.size(); ++k) counts[i][k] += sign * part[k];
    }
  };
  for (std::size_t g = 0; g < groups.n_groups(); ++g) shift(all, g, 1);
  std::vector<double> without;
  double sum = 0;
  for (std::size_t g = 0; g < groups.n_groups(); ++g) {
    shift(all, g, -1);
    without.push_back(kappa_of(all, uniform));
    sum += without.back();
    shift(all, g, 1);
  }
  const auto n = static_cast<double>(groups.n_groups());
  double squares = 0;
  for (const double kappa : without) squares += (kappa - sum / n) * (kappa - sum / n);
  return {n * kappa_of(all, uniform) - (n - 1) / n * sum, std::sqrt((n - 1) / n * squares)};
}

[[noreturn]] void refuse(const learning::DataContext& context, const std::string& why) {
  throw InputError(
      fmt::format("{}: --crossover auto: the crossover is not identified: {}; give "
                  "--crossover Q",
                  context.path, why));
}

}  // namespace

std::vector<Path> paths_of(const std::vector<Edge>& tree, std::size_t p) {
  std::vector<std::vector<std::uint32_t>> neighbours(p);
  for (const Edge& edge : tree) {
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  std::vector<Path> paths;
  for (std::uint32_t k = 0; k < p; ++k) {
    std::ranges::sort(neighbours[k]);
    for (std::size_t i = 1; i < neighbours[k].size(); ++i) {
      paths.push_back({neighbours[k][i - 1], k, neighbours[k][i]});
    }
  }
  if (paths.size() <= most_paths) return paths;
  std::vector<Path> some;
  for (std::size_t i = 0; i < most_paths; ++i) {
    some.push_back(paths[i * paths.size() / most_paths]);
  }
  return some;
}

Crossover estimate_crossover(const learning::DataContext& context, const Rows& rows,
                             const std::vector<Edge>& tree, bool uniform) {
  const learning::StageWatch watch(context.stages, "crossover");
  const std::vector<Path> paths = paths_of(tree, rows.n_variables());
  if (paths.empty()) {
    refuse(context,
           "with two variables it enters all that is observed as a product with their correlation");
  }
  const GroupedCounts groups(context, rows, paths);
  if (groups.n_groups() < fewest_groups) {
    refuse(context, fmt::format("{} rows are too few to say how well it is estimated, at least {} "
                                "are needed",
                                rows.singles.n_rows, 64 * (fewest_groups - 1) + 1));
  }
  const auto [kappa, error] = jackknife(groups, paths.size(), uniform);
  if (!(kappa > 2 * error)) {
    refuse(context, fmt::format("the paths of two edges of the tree give (1-2q)^2 = {:.3g} with "
                                "standard error {:.3g}, their ends are too little correlated",
                                kappa, error));
  }
  const double root = std::sqrt(std::min(1.0, kappa));
  const Crossover crossover{(1 - root) / 2, error / (4 * root)};  // q = (1 - sqrt(kappa)) / 2
  if (context.team.is_root()) {
    log::verbose("crossover {:.4g}, standard error {:.2g}, from {} paths of two edges", crossover.q,
                 crossover.error, paths.size());
    if (crossover.error > weak_error) {
      log::warning(
          "{}: the crossover {:.3g} is weakly determined (standard error {:.2g}); more "
          "rows, or --crossover Q",
          context.path, crossover.q, crossover.error);
    }
  }
  return crossover;
}

}  // namespace orrery::hidden_tree
