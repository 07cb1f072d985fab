// Settings of structural EM.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <cstdint>

#include "families/categorical/structural_em/fit.hpp"
#include "families/categorical/structural_em/start.hpp"

namespace orrery::structural_em {

struct Options {
  std::size_t causes = 0;
  std::size_t cardinality = 2;
  std::uint64_t restarts = 5;
  StartKind start = StartKind::products;
  std::uint64_t early_passes = 2;  ///< 0: EM always goes on until it has converged
  FitSettings fit;
};

void add_options(boost::program_options::options_description& options);
/// Throws UsageError naming the option, its value and its range; also for exact moments.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

}  // namespace orrery::structural_em
