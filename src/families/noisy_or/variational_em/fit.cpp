#include "families/noisy_or/variational_em/fit.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/variational_em/e_step.hpp"
#include "families/noisy_or/variational_em/m_step.hpp"

namespace orrery::variational_em {
namespace {

constexpr std::size_t bytes_a_sum = 56;  // see learning::RowPass
constexpr std::uint64_t most_halvings = 8;

std::size_t groups_in_a_pass(std::size_t n_causes, std::size_t n_observed,
                             const FitSettings& settings) {
  return std::max<std::size_t>(
      1, settings.sums_bytes / (bytes_a_sum * SumLayout(n_causes, n_observed).size()));
}

/// The bound of restart.next, and the M-step from there. Where the rows have settled in another
/// optimum with a lower bound, half the step is tried.
void advance(const Counts& counts, const FitSettings& settings, std::span<const double> sums,
             std::size_t lane, Restart& restart) {
  const double bound = sums[sum_bound + lane] / counts.n_rows;
  ++restart.passes;
  const double gain = bound - restart.bound;
  if (gain >= 0) {
    restart.best = std::move(restart.next);
    restart.bound = bound;
    if (counts.n_held_out > 0) {
      restart.held_out = sums[sum_held_out + lane] / counts.n_held_out;
    }
    restart.halvings = 0;
    restart.next = maximise(restart.best, counts, sums, lane);
  } else {
    ++restart.halvings;
    restart.next = between(restart.best, restart.next, 0.5);
  }
  restart.done = std::abs(gain) < settings.tolerance || restart.halvings > most_halvings ||
                 restart.passes >= settings.max_iterations;
}

}  // namespace

bool iterate(const learning::RowPass& rows, const Counts& counts, const FitSettings& settings,
             std::vector<Restart>& restarts) {
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < restarts.size(); ++i) {
    if (!restarts[i].done) active.push_back(i);
  }
  const std::size_t n = restarts[0].next.n_causes;
  const std::size_t m = restarts[0].next.n_observed;
  const std::size_t of_group = SumLayout(n, m).size();
  const std::size_t in_pass = groups_in_a_pass(n, m, settings) * lanes;
  std::vector<EStep> e_steps(static_cast<std::size_t>(rows.n_threads()));
  std::vector<std::vector<double>> of_pass;
  for (std::size_t first = 0; first < active.size(); first += in_pass) {
    const std::size_t last = std::min(active.size(), first + in_pass);
    std::vector<Tables> groups;
    for (std::size_t i = first; i < last; i += lanes) {
      std::vector<const Parameters*> members;
      for (std::size_t j = i; j < std::min(last, i + lanes); ++j) {
        members.push_back(&restarts[active[j]].next);
      }
      groups.emplace_back(members);
    }
    auto sums = sum_unless_stopped(
        rows, groups.size() * of_group,
        [&](const learning::RowBlock& block, int thread, std::span<double> sum) {
          for (std::size_t g = 0; g < groups.size(); ++g) {
            e_steps[static_cast<std::size_t>(thread)].add_rows(groups[g].view(), settings.e_step,
                                                               block, sum.data() + g * of_group);
          }
        });
    if (!sums) return false;
    of_pass.push_back(std::move(*sums));
  }
  for (std::size_t i = 0; i < active.size(); ++i) {
    const std::size_t group = i % in_pass / lanes;
    advance(counts, settings, std::span(of_pass[i / in_pass]).subspan(group * of_group, of_group),
            i % lanes, restarts[active[i]]);
  }
  return true;
}

const Restart& best_of(const std::vector<Restart>& restarts) {
  return *std::ranges::max_element(restarts, {}, &Restart::bound);
}

bool all_done(const std::vector<Restart>& restarts) {
  return std::ranges::all_of(restarts, &Restart::done);
}

std::size_t pass_bytes(std::size_t n_causes, std::size_t n_observed, std::size_t n_restarts,
                       int threads, const FitSettings& settings) {
  const std::size_t groups = (n_restarts + lanes - 1) / lanes;
  const std::size_t in_pass = std::min(groups, groups_in_a_pass(n_causes, n_observed, settings));
  const std::size_t sums = SumLayout(n_causes, n_observed).size();
  return static_cast<std::size_t>(threads) *
             (in_pass * sums * bytes_a_sum + EStep::bytes(n_causes, n_observed)) +
         in_pass * Tables::bytes(n_causes, n_observed) + 2 * groups * sums * sizeof(double);
}

}  // namespace orrery::variational_em
