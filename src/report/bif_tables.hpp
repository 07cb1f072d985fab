// Full conditional tables of the Bayesian interchange format.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::report {

/// Identifiers of a network's variables.
struct BifNames {
  std::vector<std::string> causes;
  std::vector<std::string> observed;
};
/// The head of the file, and the declaration of each variable.
BifNames begin_bif(const model::NoisyOrNetwork& network, std::string& out);

/// P(off) and P(on); bit i of `states` is the value of parent i. Both, so that the one which is
/// known is written to the last digit.
struct OffOn {
  double off = 0;
  double on = 0;
};
using GivenParents = std::function<OffOn(std::uint32_t states)>;

/// The table of a variable: rows in the order of counting with the first parent as the highest bit.
void add_bif_table(const std::string& name, const std::vector<std::string>& parents,
                   const GivenParents& given, std::string& out);

/// The edges into each observed variable, by rising cause.
std::vector<std::vector<model::Edge>> parents_of(const model::NoisyOrNetwork& network);
/// Throws UsageError naming a variable with too many parents, or the size of all tables. `above`:
/// rows of other tables that are written besides.
void require_small_tables(const model::NoisyOrNetwork& network,
                          const std::vector<std::vector<model::Edge>>& parents,
                          std::size_t above = 0);
/// The tables of the observed variables: (1 - leak) times the failures of the parents that are on.
void add_noisy_or_tables(const model::NoisyOrNetwork& network,
                         const std::vector<std::vector<model::Edge>>& parents,
                         const BifNames& names, std::string& out);

}  // namespace orrery::report
