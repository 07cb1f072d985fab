// Purpose: exact samples of a categorical network: causes first, then the variables given theirs.
// Cost: a random number per cause and per variable, and of each a walk along its states; for
//       missing values one more per variable.
// Order of draws of a row: states of the causes, then the variables, from
// RowRandom(seed, Stream::rows, row); which values are missing from Stream::contamination: values
// that stay are the same for every share. A change to this order changes every sample.
#include <fmt/format.h>
#include <omp.h>

#include <cstddef>
#include <span>

#include "base/random.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace orrery::model {
namespace {

/// The state that `u`, uniform on [0, 1), falls on; never one of probability 0.
std::uint8_t state_at(std::span<const double> probabilities, double u) noexcept {
  std::size_t last = 0;  // of those that are possible: sums of rounded numbers may end before u
  double sum = 0;
  for (std::size_t l = 0; l < probabilities.size(); ++l) {
    if (probabilities[l] == 0) continue;
    last = l;
    sum += probabilities[l];
    if (u < sum) break;
  }
  return static_cast<std::uint8_t>(last);
}

class CategoricalRowSampler {
 public:
  CategoricalRowSampler(const CategoricalNetwork& network, std::uint64_t seed, double missing)
      : network_(network), seed_(seed), missing_(missing) {}

  void draw_row(std::uint64_t row, std::span<std::uint8_t> states,
                std::span<std::uint8_t> codes) const noexcept {
    RowRandom random(seed_, Stream::rows, row);
    for (std::size_t k = 0; k < states.size(); ++k) {
      states[k] = state_at(network_.causes()[k].prior, random.uniform());
    }
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const CategoricalVariable& variable = network_.variables()[i];
      const std::size_t n = variable.n_categories();
      const std::span<const double> table(variable.table);
      codes[i] = state_at(table.subspan(row_of(variable, states) * n, n), random.uniform());
    }
    if (missing_ == 0) return;
    RowRandom gaps(seed_, Stream::contamination, row);
    for (std::uint8_t& code : codes) {
      if (gaps.bernoulli(missing_)) code = data::missing_code;
    }
  }

 private:
  [[nodiscard]] std::size_t row_of(const CategoricalVariable& variable,
                                   std::span<const std::uint8_t> states) const noexcept {
    std::size_t row = 0;
    std::size_t stride = 1;
    for (const std::uint32_t parent : variable.parents) {
      row += stride * states[parent];
      stride *= network_.causes()[parent].cardinality();
    }
    return row;
  }

  const CategoricalNetwork& network_;
  std::uint64_t seed_;
  double missing_;
};

}  // namespace

data::CategoricalTable sample_categorical(const CategoricalNetwork& network, std::uint64_t seed,
                                          std::uint64_t first_row, std::uint64_t n_rows,
                                          double missing, std::vector<std::uint8_t>* states) {
  if (!(missing >= 0 && missing <= 1)) {
    throw UsageError(fmt::format("a share of {} missing values: 0 to 1 is needed", missing));
  }
  data::CategoricalTable table;
  table.names = network.names();
  for (const CategoricalVariable& variable : network.variables()) {
    table.categories.push_back(variable.categories);
  }
  table.n_rows = n_rows;
  const std::size_t d = network.n_observed();
  const std::size_t k = network.n_causes();
  table.codes.resize(n_rows * d);
  std::vector<std::uint8_t> own;
  std::vector<std::uint8_t>& drawn = states == nullptr ? own : *states;
  drawn.assign(n_rows * k, 0);
  const CategoricalRowSampler sampler(network, seed, missing);
#pragma omp parallel for schedule(static) if (n_rows > 1)
  for (std::uint64_t r = 0; r < n_rows; ++r) {
    sampler.draw_row(first_row + r, std::span(drawn).subspan(r * k, k),
                     std::span(table.codes).subspan(r * d, d));
  }
  return table;
}

}  // namespace orrery::model
