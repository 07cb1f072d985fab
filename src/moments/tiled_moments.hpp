// Negative moments from counts of tiles, wherever these come from.
#pragma once

#include <functional>

#include "moments/moment_source.hpp"
#include "moments/pair_counts.hpp"
#include "moments/tiles.hpp"

namespace orrery::moments {

/// Off-counts of all (a, x, y), a < x < y, x-major: C(m - 1 - a, 2) values, from a stored file.
using StoredTriples = std::function<std::vector<std::uint32_t>(std::size_t a)>;

class TiledMoments : public MomentSource {
 public:
  [[nodiscard]] std::size_t n_observed() const override { return m_; }
  [[nodiscard]] std::uint64_t n_samples() const override { return n_samples_; }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const override {
    return off(a, b) * scale_;
  }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override;
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override;
  [[nodiscard]] std::unique_ptr<MomentWalker> walker() const override;
  [[nodiscard]] std::size_t walker_bytes() const override;

  /// A table of them as wide as when they were counted.
  [[nodiscard]] PairCounts counts() const;
  /// Rows in which both are on.
  [[nodiscard]] std::uint64_t both_on(std::size_t a, std::size_t b) const noexcept {
    return n_samples_ + off(a, b) - off(a, a) - off(b, b);
  }

  /// Rows in which both are off.
  [[nodiscard]] std::uint32_t off(std::size_t a, std::size_t b) const noexcept {
    return off_[a * row_stride(m_) + b];
  }

 protected:
  /// N < 2^32, so that 4 bytes a pair are kept, and 12 needed. With `stored_triples`, triples are
  /// read, not counted (thread-safe function).
  explicit TiledMoments(const PairCounts& pairs, StoredTriples stored_triples = {});

  /// A word per column (of whole panels): all ones if it is complemented for counting.
  [[nodiscard]] std::span<const std::uint64_t> flips() const noexcept { return flips_; }
  /// One thread's tiles, of columns complemented by flips().
  [[nodiscard]] virtual std::unique_ptr<TileCounter> tiles() const = 0;
  /// Bytes of one of them.
  [[nodiscard]] virtual std::size_t tiles_bytes() const = 0;
  /// P(a, b, x off) from the rows in which a and b are off and x is on.
  [[nodiscard]] std::vector<std::vector<double>> off_beside_pairs(
      std::span<const std::array<std::uint32_t, 2>> pairs,
      const std::vector<std::vector<std::uint32_t>>& on) const;
  /// From counts of the rows looked at: those with x on at [x]; of the pair itself, all of them.
  [[nodiscard]] OnWithPair shares_with_pair(const std::array<std::uint32_t, 2>& pair,
                                            std::span<const std::uint32_t> counts) const;
  /// Rows in which all of the given variables are off.
  [[nodiscard]] virtual std::uint64_t count_off(std::span<const std::size_t> set) const = 0;

 private:
  friend class TiledWalker;

  std::size_t m_;
  std::uint64_t n_samples_;
  double scale_;                    // 1 / n_samples
  std::vector<std::uint32_t> off_;  // m x row_stride(m)
  std::vector<std::uint64_t> flips_;
  StoredTriples stored_triples_;
};

}  // namespace orrery::moments
