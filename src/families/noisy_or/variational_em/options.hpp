// The variational learner's settings.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>

#include "families/noisy_or/variational_em/fit.hpp"

namespace orrery::variational_em {

struct Options {
  std::size_t causes = 0;  ///< 0: by the bound of rows held out
  std::size_t restarts = 16;
  double prune = 0.9;  ///< an edge with a larger failure is left out of the network
  FitSettings fit;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError naming the option, its value and its range; also for exact moments.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

}  // namespace orrery::variational_em
