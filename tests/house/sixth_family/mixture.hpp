// A mixture of Bernoulli distributions: rows of several kinds, in each of which the variables are
// independent. It is the family that shows what a new one takes: this folder, and one word in the
// list of families of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "family/family.hpp"
#include "orrery/model/origin.hpp"

namespace orrery::bernoulli_mixture {

/// P(row) = sum_k weights[k] prod_a (on[k][a] if a is on, else 1 - on[k][a]).
struct LearnedMixture : model::Origin {
  std::vector<std::string> names;
  std::vector<std::string> kinds;
  std::vector<double> weights;          ///< of each kind; sum 1
  std::vector<std::vector<double>> on;  ///< of each kind: P(variable is on)
};

/// P(kind | row), and log P(row) in nats; a missing value is summed out.
struct RowKinds {
  double log_evidence = 0;
  std::vector<double> posterior;
};
RowKinds kinds_of_row(const LearnedMixture& mixture, std::span<const std::uint64_t> values,
                      std::span<const std::uint64_t> missing);

void fields(store::Archive& archive, LearnedMixture& mixture);
extern const learning::LearnerEntry entry;

}  // namespace orrery::bernoulli_mixture
