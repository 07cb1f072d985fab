// Where tests get negative moments from: counted samples (CountedMoments) or a known network
// (model::NetworkMoments). All values are probabilities P(every variable of the set is off).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace orrery::moments {

/// Length of a row of m values in tables that are read sixteen values on from any of them.
[[nodiscard]] constexpr std::size_t row_stride(std::size_t m) { return (m + 30) / 16 * 16; }

/// All triples of one variable `a` with later ones; stride = row_stride(m).
struct TripleSlab {
  /// moment[x * stride + y] = P(a, x, y off) for a < x < y; other entries are unspecified.
  std::vector<double> moment;
  /// The same as numbers of rows, where the source counts (else empty).
  std::vector<std::uint32_t> off_count;
};

/// One thread's way through the quartets. Buffers: O(m^2) and the bits of one variable's rows.
class MomentWalker {
 public:
  MomentWalker() = default;
  MomentWalker(const MomentWalker&) = delete;
  MomentWalker& operator=(const MomentWalker&) = delete;
  virtual ~MomentWalker() = default;

  virtual void triples(std::size_t a, TripleSlab& slab) = 0;
  /// Makes (a, b), a < b, the current pair; `slab_a` and `slab_b` are those variables' slabs, and
  /// must live until the next call. Only variables whose bit is set in `wanted` (ceil(m / 64)
  /// words) will be asked for.
  virtual void select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a,
                           const TripleSlab& slab_b, std::span<const std::uint64_t> wanted) = 0;
  /// P(a, b, c, d off) at [d], for wanted d > c; c wanted, b < c. Ask with rising c. row_stride(m)
  /// values, the others unspecified.
  virtual const double* quartets(std::size_t c) = 0;
};

class MomentSource {
 public:
  MomentSource() = default;
  MomentSource(const MomentSource&) = delete;
  MomentSource& operator=(const MomentSource&) = delete;
  virtual ~MomentSource() = default;

  [[nodiscard]] virtual std::size_t n_observed() const = 0;
  /// Rows behind the moments; 0: exact.
  [[nodiscard]] virtual std::uint64_t n_samples() const = 0;
  /// m x m, symmetric; the diagonal holds the singles.
  [[nodiscard]] virtual const std::vector<double>& pairs() const = 0;
  [[nodiscard]] virtual double triple(std::size_t a, std::size_t b, std::size_t c) const = 0;
  [[nodiscard]] virtual double quartet(std::size_t a, std::size_t b, std::size_t c,
                                       std::size_t d) const = 0;
  [[nodiscard]] virtual std::unique_ptr<MomentWalker> walker() const = 0;
  /// Bytes of one walker, for plans.
  [[nodiscard]] virtual std::size_t walker_bytes() const = 0;

  [[nodiscard]] double single(std::size_t a) const { return pairs()[a * n_observed() + a]; }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const {
    return pairs()[a * n_observed() + b];
  }
};

}  // namespace orrery::moments
