// What all threads read in the scan of one round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/scan/work_plan.hpp"
#include "moments/moment_source.hpp"
#include "moments/subtraction.hpp"

namespace orrery::quartet {

/// Slabs that a thread keeps: those of one unit and one more, if they fit; never fewer than two.
std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options);
/// Bytes of the slab of a variable with `n_siblings` later ones.
std::size_t slab_bytes(std::size_t m, std::size_t n_siblings);

struct Round {
  Round(const moments::MomentSource& source, const moments::Subtraction& causes,
        const Options& settings)
      : moments(source),
        learned(causes),
        options(settings),
        adjusted(source, causes),
        calibration(settings.test == Test::calibrated
                        ? std::make_optional<Calibration>(source, causes, settings.alpha)
                        : std::nullopt),
        siblings(calibration ? SiblingGraph(*calibration) : SiblingGraph(adjusted, settings.tau_e)),
        m(adjusted.m),
        stride(adjusted.stride),
        bit_words(siblings.row_words()),
        slabs_kept(quartet::slabs_kept(siblings, settings)) {}

  const moments::MomentSource& moments;
  const moments::Subtraction& learned;
  const Options& options;
  AdjustedPairs adjusted;
  std::optional<Calibration> calibration;
  SiblingGraph siblings;
  std::size_t m;
  std::size_t stride;      // row_stride(m)
  std::size_t bit_words;   // words of a set of variables
  std::size_t slabs_kept;  // by a thread

  [[nodiscard]] const double* pair_row(std::size_t a) const { return adjusted.row(a); }
  [[nodiscard]] double single(std::size_t a) const { return adjusted.singles[a]; }
  /// Siblings of `a` after it, as bits.
  [[nodiscard]] std::vector<std::uint64_t> later_siblings(std::size_t a) const;
};

}  // namespace orrery::quartet
