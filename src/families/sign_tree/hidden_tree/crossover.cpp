// The crossover probability from paths of two edges (estimate.hpp says how), and whether it is the
// same for all variables.
//
// Cost: three pairs a path, N / 64 words each. Memory: 96 bytes a path and group.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <span>

#include "base/log.hpp"
#include "families/sign_tree/hidden_tree/estimate.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"
#include "learning/row_slices.hpp"
#include "learning/stages.hpp"
#include "orrery/base/error.hpp"

namespace orrery::hidden_tree {

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

/// Least squares over these paths; NaN if all their ends are uncorrelated.
double kappa_of(std::span<const Counts> counts, bool uniform) {
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

/// Paths [first, last), whose numbers are counted in groups of rows.
struct Range {
  std::size_t first;
  std::size_t last;
};

/// Counts of all rows together.
std::vector<Counts> total(const GroupedCounts& groups, Range paths) {
  std::vector<Counts> all((paths.last - paths.first) * pairs_of_path, Counts{});
  for (std::size_t g = 0; g < groups.n_groups(); ++g) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Counts part = groups.at(g, paths.first * pairs_of_path + i);
      for (std::size_t k = 0; k < part.size(); ++k) all[i][k] += part[k];
    }
  }
  return all;
}

Estimate jackknife(const GroupedCounts& groups, Range paths, bool uniform) {
  const std::vector<Counts> all = total(groups, paths);
  std::vector<Counts> rest(all.size());
  std::vector<double> without;
  double sum = 0;
  for (std::size_t g = 0; g < groups.n_groups(); ++g) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Counts part = groups.at(g, paths.first * pairs_of_path + i);
      for (std::size_t k = 0; k < part.size(); ++k) rest[i][k] = all[i][k] - part[k];
    }
    without.push_back(kappa_of(rest, uniform));
    sum += without.back();
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

namespace {

/// Does a pair of ends go together beyond doubt, on the mean of these paths? Where it does not, the
/// least squares say little.
bool is_clear(std::span<const Counts> counts, bool uniform) {
  constexpr double standard_errors = 6;
  double squares = 0;
  double errors = 0;
  for (std::size_t at = 2; at < counts.size(); at += pairs_of_path) {
    const double covariance = moments_of(counts[at], uniform).covariance;
    squares += covariance * covariance;
    errors += 1 / std::max(1.0, static_cast<double>(counts[at][0]));
  }
  return squares > standard_errors * standard_errors * errors;
}

/// The paths with one middle k give (1 - 2 q_k)^2, whatever the crossovers of their ends are. Says
/// which of them departs most from that of all, if any does at the level 0.001 of all of them
/// together (Bonferroni).
void warn_of_unequal_noise(const learning::DataContext& context, const Rows& rows,
                           const std::vector<Path>& paths, const GroupedCounts& groups,
                           double kappa, bool uniform) {
  std::size_t n_middles = 0;
  double furthest = 0;
  std::uint32_t worst = 0;
  Estimate of_worst{};
  for (std::size_t first = 0; first < paths.size();) {
    std::size_t last = first + 1;
    while (last < paths.size() && paths[last].middle == paths[first].middle) ++last;
    const Range range{first, last};
    first = last;
    if (!is_clear(total(groups, range), uniform)) continue;
    ++n_middles;
    const Estimate own = jackknife(groups, range, uniform);
    const double z = std::abs(own.kappa - kappa) / own.error;
    if (!(z > furthest)) continue;
    furthest = z;
    worst = paths[range.first].middle;
    of_worst = own;
  }
  if (!(std::erfc(furthest / std::numbers::sqrt2) * static_cast<double>(n_middles) < .001)) return;
  const double root = std::sqrt(std::clamp(of_worst.kappa, 0.0, 1.0));
  log::warning(
      "{}: the noise seems to differ between variables: what goes through '{}' tells a crossover "
      "of "
      "{:.3g}, all together one of {:.3g} (z = {:.1f}); edges at noisy variables may then be "
      "wrong, "
      "and with unknown crossovers no method tells a leaf from its neighbour",
      context.path, rows.samples.names[worst], (1 - root) / 2,
      (1 - std::sqrt(std::min(1.0, kappa))) / 2, furthest);
}

}  // namespace

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
  const auto [kappa, error] = jackknife(groups, {0, paths.size()}, uniform);
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
    warn_of_unequal_noise(context, rows, paths, groups, kappa, uniform);
  }
  return crossover;
}

}  // namespace orrery::hidden_tree
