// A network of variables with a few states each, as tables of conditional probabilities, once: the
// formats of programs for Bayesian networks are writers of this.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace orrery::report {

struct DiscreteVariable {
  std::string name;
  std::vector<std::string> states;
  std::vector<std::uint32_t> parents{};  ///< numbers of variables
  /// P(each state | these states of the parents), in the parents' order.
  std::function<void(std::span<const std::uint32_t> parents, std::span<double> probability)> given;
};
using DiscreteNetwork = std::vector<DiscreteVariable>;

/// Bayesian interchange format: identifiers are made of the names. Cost: the cells of all tables.
/// Throws UsageError naming a variable with a table of more than 65,536 rows, or the rows of all
/// tables if they are more than 2^22.
std::string to_bif(const DiscreteNetwork& network);

struct DiscreteFormat {
  const char* name;
  std::string (*write)(const DiscreteNetwork& network);
};
const std::vector<DiscreteFormat>& discrete_formats();

}  // namespace orrery::report
