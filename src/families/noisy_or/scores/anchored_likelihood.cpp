#include "families/noisy_or/scores/anchored_likelihood.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "data/bits.hpp"
#include "data/row_lists.hpp"
#include "model/cause_posterior.hpp"

namespace orrery::noisy_or {

AnchoredLikelihood anchored_likelihood(const model::NoisyOrNetwork& network,
                                       const data::BitPanels& rows, int threads,
                                       const BlockShare& share) {
  const model::PreparedAnchored prepared(network);
  model::CausePosteriorOptions options;
  options.n_draws = 1;  // rows that are sampled are only counted
  const data::RowLists lists(rows, threads);
  std::vector<double> of_rows(rows.n_rows());
#pragma omp parallel num_threads(threads)
  {
    model::CausePosterior posterior(prepared, options);
    std::vector<std::uint64_t> words((rows.n_columns() + 63) / 64);
#pragma omp for schedule(dynamic, 64)
    for (std::size_t r = 0; r < of_rows.size(); ++r) {
      if (!share.has(r / 64)) continue;
      data::set_bits(lists.row(r), std::span(words));
      posterior.evaluate(r, words, {});
      const bool sampled = posterior.method() == model::PosteriorMethod::sampled;
      of_rows[r] = sampled ? std::numeric_limits<double>::quiet_NaN() : posterior.log_evidence();
    }
  }
  share.gather(of_rows);
  AnchoredLikelihood found{of_rows.size(), 0, 0, 0};
  for (const double value : of_rows) {  // in the order of the rows
    if (std::isnan(value)) ++found.n_out_of_reach;
    if (value == -std::numeric_limits<double>::infinity()) ++found.n_impossible;
    found.mean += value;
  }
  found.mean /= static_cast<double>(of_rows.size());
  return found;
}

}  // namespace orrery::noisy_or
