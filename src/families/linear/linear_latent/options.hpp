// The linear learner's settings, and what a run with them would take.
#pragma once

#include <cstdint>
#include <optional>

#include "base/program_options.hpp"
#include "learning/learner.hpp"

namespace orrery::linear_latent {

/// How columns of loadings are found: columns.hpp, rotation.hpp.
enum class Sparsity : std::uint8_t { polished, programs, rotated, algorithm_1 };

/// How noise is told from causes: low_rank_split.hpp, least_trace.hpp. All but `blocks` end with
/// maximum likelihood.
enum class Noise : std::uint8_t { likelihood, blocks, trace };

enum class Structure : std::uint8_t { bipartite, multilevel, effective_depth_one };

/// What tells the causes' order (depth_one.hpp). `either`: excess kurtosis where more than one
/// cause has no skewness.
enum class Cumulant : std::uint8_t { skewness, kurtosis, either };

struct Options {
  Structure structure = Structure::bipartite;
  Cumulant cumulant = Cumulant::skewness;
  std::optional<std::uint32_t> causes;  ///< none: by the rank test
  Noise noise = Noise::likelihood;
  Sparsity sparsity = Sparsity::polished;
  double alpha = .01;  ///< level of the tests of all loadings together
  std::uint32_t partitions = 32;
  bool standardize = true;
  std::uint64_t seed = 1;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError for a value out of range.
[[nodiscard]] Options read_options(const boost::program_options::variables_map& values);

/// Throws as a run would for a file that cannot be used, as far as its header shows it.
[[nodiscard]] learning::Plan predict(const learning::DataPlanContext& context,
                                     const Options& options);

}  // namespace orrery::linear_latent
