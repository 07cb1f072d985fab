// Negative moments counted from samples.
#pragma once

#include <functional>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/moments/pair_counts.hpp"

namespace orrery::moments {

/// Off-counts of all (a, x, y), a < x < y, x-major: C(m - 1 - a, 2) values, from a stored file.
using StoredTriples = std::function<std::vector<std::uint32_t>(std::size_t a)>;

class CountedMoments final : public MomentSource {
 public:
  /// `values` must outlive the object. N < 2^32. With `stored_triples`, triples are read, not
  /// counted (thread-safe function).
  CountedMoments(const data::BitPanels& values, PairCounts pairs,
                 StoredTriples stored_triples = {});

  [[nodiscard]] std::size_t n_observed() const override { return counts_.n_observed; }
  [[nodiscard]] std::uint64_t n_samples() const override { return counts_.n_samples; }
  [[nodiscard]] const std::vector<double>& pairs() const override { return pairs_; }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override;
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override;
  [[nodiscard]] std::unique_ptr<MomentWalker> walker() const override;
  [[nodiscard]] std::size_t walker_bytes() const override;

  [[nodiscard]] const PairCounts& counts() const noexcept { return counts_; }

 private:
  friend class CountedWalker;
  /// Rows in which all of the given variables are off.
  [[nodiscard]] std::uint64_t count_off(std::span<const std::size_t> set) const;

  const data::BitPanels& values_;
  PairCounts counts_;
  std::vector<double> pairs_;
  std::vector<std::uint32_t> off_;    // counts_.off in 32 bits, m x row_stride(m)
  std::vector<std::uint64_t> flips_;  // a column: all ones if it is complemented for counting
  StoredTriples stored_triples_;
};

}  // namespace orrery::moments
