// Samples in memory, written out or of a network, whole or with values missing, and their counted
// moments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::learning {

/// Rows of "0", "1" and "?".
inline data::SampleMatrix samples_of(const std::vector<std::string>& rows) {
  const std::size_t m = rows.front().size();
  data::SampleMatrix samples;
  samples.values = data::BitPanels(m, rows.size());
  data::BitPanels missing(m, rows.size());
  bool any_missing = false;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t a = 0; a < m; ++a) {
      samples.values.set(r, a, rows[r][a] == '1');
      missing.set(r, a, rows[r][a] == '?');
      any_missing = any_missing || rows[r][a] == '?';
    }
  }
  if (any_missing) samples.missing = missing;
  return samples;
}

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

/// Samples of which a part is missing, and their moments by pairwise deletion, which refer to them.
struct SampledInPart {
  /// Which of a row's values are missing.
  using Misses = std::function<bool(RowRandom& random, std::size_t column)>;

  /// Each value is missing with probability `share`, whatever else is.
  SampledInPart(const model::NoisyOrNetwork& network, std::uint64_t seed, std::size_t n_rows,
                double share)
      : SampledInPart(network, seed, n_rows,
                      [share](RowRandom& random, std::size_t) { return random.bernoulli(share); }) {
  }
  SampledInPart(const model::NoisyOrNetwork& network, std::uint64_t seed, std::size_t n_rows,
                const Misses& misses)
      : values(draw(network, seed, n_rows)),
        missing(values.n_columns(), n_rows),
        on_or_missing(values) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      RowRandom random(seed, Stream::check, row);
      for (std::size_t x = 0; x < values.n_columns(); ++x) {
        if (!misses(random, x)) continue;
        missing.set(row, x, true);
        on_or_missing.set(row, x, true);
        values.set(row, x, false);
      }
    }
    moments = std::make_unique<moments::PairwiseDeleted>(
        std::make_unique<moments::CountedMoments>(on_or_missing,
                                                  moments::count_pairs(on_or_missing)),
        std::make_unique<moments::CountedMoments>(missing, moments::count_pairs(missing)));
  }

  data::BitPanels values;  // 0 where missing
  data::BitPanels missing;
  data::BitPanels on_or_missing;
  std::unique_ptr<moments::PairwiseDeleted> moments;
};

}  // namespace orrery::learning
