// A noisy-OR network whose causes may depend on one another, as the beam (state_beam.hpp) needs it
// for each row: the symbols and the memory are told there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// Causes are the bits of a word.
inline constexpr std::size_t most_beam_causes = 63;
inline constexpr std::size_t most_beam_parents = 2;

/// A network as rows need it.
class BeamNetwork {
 public:
  /// `failures`: of a cause m values, 1 where there is no edge. `causes` are at most
  /// most_beam_causes with at most two parents each.
  BeamNetwork(std::span<const double> leaks, std::span<const std::vector<double>> failures,
              const CauseNetwork& causes);
  explicit BeamNetwork(const NoisyOrNetwork& network);
  /// Few enough causes, none with three parents.
  [[nodiscard]] static bool suits(const NoisyOrNetwork& network);

 private:
  friend class Beam;
  /// Log weight that three causes add when all of them are on, beyond what each pair adds.
  struct Triple {
    std::array<std::uint32_t, 3> causes;
    double log_weight;
  };
  void add_table(std::size_t cause, const CauseTable& table);
  void add_coupling(std::size_t c, std::size_t d, double log_weight);

  std::size_t n_causes_, n_observed_, width_;
  std::vector<double> quiet_, log_quiet_, log_leak_;
  data::AlignedVector<double> failure_, inverse_, log_failure_;
  data::AlignedVector<double> field_, coupling_;
  std::vector<Triple> triples_;
  double log_empty_ = 0;  // log P(no cause, no variable)
};

}  // namespace orrery::model
