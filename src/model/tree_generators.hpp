// Built-in sign trees, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// Parameters of a generated tree.
struct TreeParameters {
  double low = .2;  ///< edge correlations are uniform on [low, high]
  double high = .8;
  bool either_sign = false;  ///< half of them, at random, are negated
  double crossover = 0;
};

/// "LO,HI" or "LO,HI,signed". UsageError naming `form`: what is no such text, ends that are not
/// rising or not in (-1, 1); with "signed", an end below 0.
void parse_correlations(std::string_view form, std::string_view text, TreeParameters& parameters);

/// tree:recursive:P   variable i = 1 ... P - 1 is joined to one of 0 ... i - 1, uniformly
/// tree:chain:P       variable i is joined to i - 1
/// tree:star:P        variable i is joined to 0
/// with uniform marginals (means of 0). A function of `seed` and the parameters: the tree does not
/// depend on the correlations, nor these on the crossover. Empty if `spec` does not begin with
/// "tree:" (or is "tree"); UsageError if what follows is none of these.
std::optional<SignTree> generate_tree(const std::string& spec, std::uint64_t seed,
                                      const TreeParameters& parameters);
/// True if generate_tree would not return empty.
bool is_tree_spec(std::string_view spec);
/// The names, for messages and help.
std::string tree_generator_help();

}  // namespace orrery::model
