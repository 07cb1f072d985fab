// The quartet learner's settings.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <cstdint>

namespace orrery::quartet {

enum class Test { calibrated, rank, coherence };

/// How causes are looked for: by going through all quartets, or by pair signatures.
enum class Search { automatic, exhaustive, signatures };

struct Options {
  Test test = Test::calibrated;
  Search search = Search::automatic;
  double alpha = 0.05;   ///< calibrated: false discoveries among the pairs that share a parent
  bool refine = true;    ///< by EM and changes of the structure; false: as the tests find it
  double tau_q = 0.005;  ///< rank: largest third singular value; coherence: variance of estimates
  double tau_q2 = 0.05;  ///< coherence: L1 error of the rebuilt moments
  double tau_e = 0.03;   ///< pretest and extend: least PMI - CPMI
  int max_depth = 10;    ///< last subtract-off round
  std::size_t max_candidates = 1'000'000;  ///< accepted quartets kept a round, best first
  std::uint32_t stability = 0;             ///< bootstrap resamples learned from; 0: none
  /// Triples kept by a thread, in bytes; less memory only makes a scan slower (not on the command
  /// line).
  std::size_t slab_budget_bytes = std::size_t{256} << 20U;
};

[[nodiscard]] const char* to_string(Test test);
[[nodiscard]] const char* to_string(Search search);

/// What `automatic` comes to: beyond a thousand variables, signatures.
[[nodiscard]] Options resolve(Options options, std::size_t n_observed);

void add_options(boost::program_options::options_description& options);
/// Exact moments need no slack for sampling noise: their defaults are much smaller.
/// Throws UsageError naming the option, its value and its range.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

}  // namespace orrery::quartet
