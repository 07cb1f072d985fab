// One iteration of variational EM on IMG, 10,000 rows x 64 variables, 8 causes: the learner, with
// its 16 restarts, against the same E-step as a plain Eigen program, a restart at a time. There a
// row is a dense array of variables x causes; a second version gathers the variables that are on.
// All must find the same bound. One thread.
#include <omp.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "bench/timing.hpp"
#include "families/noisy_or/variational_em/fit.hpp"
#include "kernels/kernels.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/generators.hpp"

namespace {

using namespace orrery;
using namespace orrery::variational_em;
using Eigen::ArrayXd;
using Eigen::ArrayXXd;

constexpr std::size_t n_rows = 10'000;
constexpr std::size_t n_causes = 8;
constexpr std::size_t n_restarts = 16;

struct Sums {
  double bound = 0;
  ArrayXd mass;             // n
  ArrayXXd credit, excuse;  // m x n
};

/// The E-step for one restart; `gather`: only the variables that are on, else all of them.
class PlainEStep {
 public:
  PlainEStep(const Parameters& from, const EStepSettings& settings, bool gather)
      : settings_(settings), gather_(gather) {
    const auto m = static_cast<Eigen::Index>(from.n_observed);
    const auto n = static_cast<Eigen::Index>(from.n_causes);
    prior_ = Eigen::Map<const ArrayXd>(from.prior.data(), n);
    leak_ = Eigen::Map<const ArrayXd>(from.leak.data(), m);
    failure_ = Eigen::Map<const ArrayXXd>(from.failure.data(), n, m).transpose();
    theta_ = -failure_.log();
    log_odds_ = prior_.log() - (1 - prior_).log();
    first_ = (1 - failure_).rowwise() * prior_.transpose();
    first_ = (first_.colwise() / first_.rowwise().sum()).eval();
  }

  [[nodiscard]] Sums add(const std::vector<ArrayXd>& rows) const {
    Sums sums{0, ArrayXd::Zero(prior_.size()), ArrayXXd::Zero(theta_.rows(), theta_.cols()),
              ArrayXXd::Zero(theta_.rows(), theta_.cols())};
    for (const ArrayXd& row : rows) {
      if (gather_) {
        add_gathered(row, sums);
      } else {
        add_dense(row, sums);
      }
    }
    return sums;
  }

 private:
  struct Local {
    ArrayXXd share, gain, slope;
    ArrayXd odds, present;
  };

  /// Shares fixed: h, g' and the odds. `on` is 1 or 0 a row of theta.
  static void evaluate(const ArrayXXd& theta, const ArrayXd& leak, const ArrayXd& on,
                       const ArrayXd& off_odds, Local& local) {
    const ArrayXXd s = theta / local.share.max(1e-200);
    const ArrayXXd off = (-s.min(700)).exp().colwise() * (1 - leak);
    const ArrayXXd value = (1 - off).log().colwise() - leak.log();
    local.slope = off / (1 - off);
    local.gain = value - s * local.slope;
    local.odds =
        off_odds + ((theta + local.share * value).colwise() * on).colwise().sum().transpose();
  }

  void solve(const ArrayXXd& theta, const ArrayXd& leak, const ArrayXd& on, const ArrayXd& off_odds,
             Local& local) const {
    evaluate(theta, leak, on, off_odds, local);
    local.present = 1 / (1 + (-local.odds / 32).exp());
    for (std::size_t sweep = 1; sweep <= settings_.sweeps; ++sweep) {
      const ArrayXXd weight =
          local.share * (local.gain.rowwise() * local.present.transpose()).exp();
      local.share = weight.colwise() / weight.rowwise().sum();
      evaluate(theta, leak, on, off_odds, local);
      const double cold = std::min(1.0, std::ldexp(1.0, static_cast<int>(sweep) - 5));
      const ArrayXd before = local.present;
      local.present = 1 / (1 + (-local.odds * cold).exp());
      if (sweep > 5 && (local.present - before).abs().maxCoeff() < settings_.settled) break;
    }
  }

  [[nodiscard]] double bound(const ArrayXd& row, const Local& local) const {
    return (1 - prior_).log().sum() + (row * leak_.log() + (1 - row) * (1 - leak_).log()).sum() +
           (local.odds.max(0) + (1 + (-local.odds.abs()).exp()).log()).sum();
  }

  void add_dense(const ArrayXd& row, Sums& sums) const {
    Local local{first_, {}, {}, {}, {}};
    solve(theta_, leak_, row, log_odds_ - theta_.colwise().sum().transpose(), local);
    sums.bound += bound(row, local);
    sums.mass += local.present;
    const ArrayXXd inverse = 1 + local.slope;
    sums.credit +=
        ((local.share * (1 - inverse.colwise() * leak_)).rowwise() * local.present.transpose())
            .colwise() *
        row;
    sums.excuse += (inverse.rowwise() * local.present.transpose()).colwise() * row;
  }

  void add_gathered(const ArrayXd& row, Sums& sums) const {
    std::vector<Eigen::Index> on;
    for (Eigen::Index a = 0; a < row.size(); ++a) {
      if (row[a] > 0) on.push_back(a);
    }
    Local local{first_(on, Eigen::all), {}, {}, {}, {}};
    const ArrayXd leak = leak_(on);
    solve(theta_(on, Eigen::all), leak, ArrayXd::Ones(static_cast<Eigen::Index>(on.size())),
          log_odds_ - theta_.colwise().sum().transpose(), local);
    sums.bound += bound(row, local);
    sums.mass += local.present;
    const ArrayXXd inverse = 1 + local.slope;
    sums.credit(on, Eigen::all) +=
        (local.share * (1 - inverse.colwise() * leak)).rowwise() * local.present.transpose();
    sums.excuse(on, Eigen::all) += inverse.rowwise() * local.present.transpose();
  }

  EStepSettings settings_;
  bool gather_;
  ArrayXd prior_, leak_, log_odds_;
  ArrayXXd failure_, theta_, first_;
};

}  // namespace

int main() {
  omp_set_num_threads(1);
  const auto network = *model::generate_network("img", 1);
  const learning::Sampled sampled(network, 1, n_rows);
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, nullptr);
  std::vector<ArrayXd> dense(n_rows, ArrayXd::Zero(64));
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t a = 0; a < 64; ++a) {
      dense[r][static_cast<Eigen::Index>(a)] = sampled.values.at(r, a) ? 1 : 0;
    }
  }
  // Parameters of a run that is under way.
  const Counts counts = *count_rows(rows, 64, false);
  const FitSettings settings;
  std::vector<Restart> restarts(n_restarts);
  const auto starts = *draw_starts(rows, 1, n_restarts, n_causes, counts);
  for (std::size_t i = 0; i < n_restarts; ++i) restarts[i].next = starts[i];
  for (int i = 0; i < 10; ++i) (void)iterate(rows, counts, settings, restarts);

  std::vector<Restart> moved;
  std::vector<Restart> lone;
  double plain = 0;
  double gathered = 0;
  const auto eigen = [&](bool gather, double& bound) {
    bound = PlainEStep(restarts[0].next, settings.e_step, gather).add(dense).bound / n_rows;
  };
  std::vector<bench::Contestant> contestants{
      {"learner, 16 restarts",
       [&] {
         moved = restarts;
         (void)iterate(rows, counts, settings, moved);
       }},
      {"learner, 1 restart",
       [&] {
         lone = {restarts[0]};
         (void)iterate(rows, counts, settings, lone);
       }},
      {"plain Eigen, 1 restart", [&] { eigen(false, plain); }},
      {"plain Eigen, on-variables only, 1 restart", [&] { eigen(true, gathered); }}};
  bench::compete(contestants, 5);
  fmt::print("variational EM, an iteration of IMG 10,000 x 64, 8 causes, one thread, {}\n",
             kernels::active().name);
  bench::print_times(contestants);
  const double ours = contestants[0].median() / n_restarts;
  fmt::print("  {:.0f} samples/s a restart; {:.1f} times plain Eigen, {:.1f} times with lists\n",
             n_rows / ours, contestants[2].median() / ours, contestants[3].median() / ours);
  fmt::print("  16 restarts take {:.1f} times as long as one\n",
             contestants[0].median() / contestants[1].median());
  const double bound = moved[0].halvings == 0 ? moved[0].bound : plain;
  // The learner finds the shares in single precision.
  if (std::abs(plain - bound) > 1e-6 || std::abs(gathered - plain) > 1e-9) {
    fmt::print("bounds differ: {} here, {} and {} in Eigen\n", bound, plain, gathered);
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
