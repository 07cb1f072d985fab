// Samples of a network in memory, and their counted moments.
#pragma once

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/sampling.hpp"
#include "orrery/moments/counted_moments.hpp"

namespace orrery::learners {

inline data::BitPanels draw(const model::NoisyOrNetwork& network, std::uint64_t seed,
                            std::size_t n_rows) {
  data::BitPanels values(network.n_observed(), n_rows);
  values.insert(0, model::sample_rows(network, seed, 0, n_rows));
  return values;
}

/// Samples and their moments, which refer to them.
struct Sampled {
  Sampled(const model::NoisyOrNetwork& network, std::uint64_t seed, std::size_t n_rows)
      : Sampled(draw(network, seed, n_rows)) {}
  explicit Sampled(data::BitPanels rows)
      : values(std::move(rows)), moments(values, moments::count_pairs(values)) {}
  Sampled(const Sampled&) = delete;
  Sampled& operator=(const Sampled&) = delete;

  data::BitPanels values;
  moments::CountedMoments moments;
};

}  // namespace orrery::learners
