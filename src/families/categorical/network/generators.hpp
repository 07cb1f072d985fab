// Random categorical networks (Lazic, Bishop, Winn 2013, section 6.1; parameters after Chickering
// and Meek 2002: the basis 1, 1/2, 1/3, ... scaled to sum 1, shifted by one for each state).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "orrery/model/categorical_network.hpp"

namespace orrery::model {

struct CategoricalDesign {
  std::uint32_t n_causes = 3;
  std::uint32_t n_observed = 50;
  std::uint32_t max_parents = 1;   ///< a variable has 1 to this many, each number equally likely
  std::uint32_t cardinality = 2;   ///< of the causes
  std::uint32_t n_categories = 4;  ///< of the variables
  /// 0: rows of tables are the shifted basis itself, as the paper prints them. More: drawn from a
  /// Dirichlet distribution of this many pseudocounts around it (Chickering and Meek: 10).
  double concentration = 0;
};

/// "categorical:PARENTS,CAUSES,VARIABLES[,CATEGORIES[,CARDINALITY]]", "categorical:1,3,50". Throws
/// UsageError, as every generator's text does, for numbers out of range (more parents than causes),
/// naming them.
[[nodiscard]] CategoricalDesign parse_categorical_design(const std::string& text);
/// True of a text that begins with "categorical:" (or is "categorical").
[[nodiscard]] bool is_categorical_spec(std::string_view text);
/// The name, for messages and help.
[[nodiscard]] std::string categorical_generator_help();
/// Causes "cause 1" ..., variables "x1" ..., categories "0" ...; priors are the basis of the
/// causes' cardinality (2/3, 1/3 for two states). Row j of a table: the basis of the categories,
/// shifted to the right by j. A function of design and seed alone; graphs do not depend on the
/// parameters. Throws UsageError for a concentration that is neither 0 nor from 1 to 10^6.
[[nodiscard]] CategoricalNetwork draw_categorical(const CategoricalDesign& design,
                                                  std::uint64_t seed);

}  // namespace orrery::model
