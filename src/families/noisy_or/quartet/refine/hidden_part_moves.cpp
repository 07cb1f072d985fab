#include "families/noisy_or/quartet/refine/hidden_part_moves.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "families/noisy_or/quartet/refine/cause_offers.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/refine/network_trials.hpp"
#include "families/noisy_or/quartet/signatures/cause_parts.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"

namespace orrery::quartet {
namespace {

constexpr double no_gain = std::numeric_limits<double>::infinity();

bool try_part(Refinement& refinement, const model::Cause& whole, const Part& part, int depth) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const auto& causes = network.causes();
  const auto now = std::ranges::find(causes, whole.name, &model::Cause::name);
  if (now == causes.end()) return false;
  const auto u = static_cast<std::size_t>(now - causes.begin());
  if (refinement.is_fixed(u)) return false;
  const auto m = network.n_observed();
  model::Cause cause = refinement.names.name(part.cause, depth);
  cause.prior = part.cause.prior * whole.prior;
  std::vector<double> failures(m);
  std::vector<double> rest(m);
  for (std::size_t a = 0; a < m; ++a) {
    failures[a] = part.cause.failures[a] < 1 ? std::clamp(part.cause.failures[a], .01, .98) : 1;
    rest[a] = part.rest[a] < 1 ? std::clamp(part.rest[a], .01, .98) : 1;
  }
  const model::Cause other{whole.name, whole.prior - cause.prior};
  return try_network(refinement, "part", {u},
                     with(with(without(network, u), other, rest), cause, failures));
}

}  // namespace

bool uncover_parts(Refinement& refinement, int depth) {
  if (refinement.fit.network.n_causes() == 0) return false;
  const std::uint64_t n_thinned =
      refinement.rows.n_rows() / constants::refinement::most_rows_attributed;
  const learning::RowPass rows = refinement.rows.thinned(std::max<std::uint64_t>(n_thinned, 1));
  const SparseExpectation found =
      expect_sparse(rows, refinement.fit.network, Missing::find, no_gain);
  // A copy: trials replace the fit.
  const std::vector<model::Cause> causes = refinement.fit.network.causes();
  bool any = false;
  for (const Part& part :
       find_parts(refinement.context, found.attributed, causes.size(), refinement.penalty.cause)) {
    if (part.behind == causes.size()) {
      any = try_cause(refinement, part.cause, depth) || any;
      continue;
    }
    any = try_part(refinement, causes[part.behind], part, depth) || any;
  }
  return any;
}

}  // namespace orrery::quartet
