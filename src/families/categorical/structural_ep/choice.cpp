#include "families/categorical/structural_ep/choice.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "families/categorical/network/inference.hpp"

namespace orrery::structural_ep {
namespace {

data::CategoricalTable rows_where(const data::CategoricalTable& table, std::uint64_t seed,
                                  std::uint32_t n_folds, std::uint32_t fold, bool inside) {
  data::CategoricalTable part;
  part.names = table.names;
  part.categories = table.categories;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const bool is_in = RowRandom(seed, Stream::resample, n).below(n_folds) == fold;
    if (is_in != inside) continue;
    const auto row = table.row(n);
    part.codes.insert(part.codes.end(), row.begin(), row.end());
    ++part.n_rows;
  }
  return part;
}

}  // namespace

data::CategoricalTable rows_in_fold(const data::CategoricalTable& table, std::uint64_t seed,
                                    std::uint32_t n_folds, std::uint32_t fold) {
  return rows_where(table, seed, n_folds, fold, true);
}

data::CategoricalTable rows_outside_fold(const data::CategoricalTable& table, std::uint64_t seed,
                                         std::uint32_t n_folds, std::uint32_t fold) {
  return rows_where(table, seed, n_folds, fold, false);
}

void predict_rows(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
                  const parallel::Team& team, int threads, HeldOut& sums) {
  const model::CategoricalInference inference(network);
  const learning::RowShare rows(team, threads, table.n_rows);
  const auto of_rows = rows.sum(2, [&](std::size_t row, int /*thread*/, std::span<double> to) {
    const double value = inference.posterior(table.row(rows.first() + row)).log_likelihood;
    to[0] += value;
    to[1] += value * value;
  });
  sums.n += static_cast<double>(table.n_rows);
  sums.sum += of_rows[0];
  sums.squares += of_rows[1];
}

std::vector<model::LearnedCategorical::Choice> choices(std::uint32_t first,
                                                       const std::vector<HeldOut>& sums) {
  std::vector<model::LearnedCategorical::Choice> result;
  for (const HeldOut& held_out : sums) {
    const double mean = held_out.sum / held_out.n;
    const double variance = std::max(0.0, held_out.squares / held_out.n - mean * mean);
    result.push_back({first + static_cast<std::uint32_t>(result.size()), mean,
                      std::sqrt(variance / held_out.n)});
  }
  return result;
}

}  // namespace orrery::structural_ep
