// For samples that no rank holds whole: counts that all ranks make together before they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::moments {

/// Triples (a, x, y) of wanted x, y; as bits, ceil(m / 64) words.
struct TripleRequest {
  std::size_t a;
  std::span<const std::uint64_t> wanted;
};
/// Quartets (a, b, x, y) of wanted x, y; `triples` is what was wanted of `a`.
struct QuartetRequest {
  std::size_t a, b;
  std::span<const std::uint64_t> triples;
  std::vector<std::uint64_t> wanted;
};

/// Walkers of the source find what was counted last. Everything is collective, with the same
/// requests at every rank; false: given up because a rank was asked to stop.
class CountsAhead {
 public:
  CountsAhead() = default;
  CountsAhead(const CountsAhead&) = delete;
  CountsAhead& operator=(const CountsAhead&) = delete;
  virtual ~CountsAhead() = default;

  [[nodiscard]] virtual bool count_triples(std::span<const TripleRequest> requests) = 0;
  /// Sorted by (a, b).
  [[nodiscard]] virtual bool count_quartets(std::span<const QuartetRequest> requests) = 0;
  /// Bytes that the counts of triples, and those of quartets, should each not exceed.
  [[nodiscard]] virtual std::size_t budget_bytes() const = 0;
  /// Bytes of the counts for a request.
  [[nodiscard]] static std::size_t bytes_for(std::span<const std::uint64_t> wanted);
};

}  // namespace orrery::moments
