// What the user knows beforehand, as rules on networks.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "learning/learner.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

class Constraints {
 public:
  /// `known` may be null: no rules.
  Constraints(const learning::KnownParts* known, const std::vector<std::string>& names);

  /// The causes of the known structure, then those to start from (but for names that the structure
  /// has already).
  [[nodiscard]] const std::vector<model::Cause>& causes() const noexcept { return causes_; }
  /// Their failures, m values each, 1 where there is no edge.
  [[nodiscard]] const std::vector<double>& failures() const noexcept { return failures_; }

  /// A cause of the known structure: it stays, and its edges with it; no edge is added.
  [[nodiscard]] bool is_fixed(const std::string& cause) const { return fixed_.contains(cause); }
  [[nodiscard]] bool is_known_name(const std::string& cause) const;
  [[nodiscard]] bool may_add(const std::string& cause, std::uint32_t observed) const;
  [[nodiscard]] bool may_drop(const std::string& cause, std::uint32_t observed) const;
  /// Without forbidden edges, with the required ones.
  [[nodiscard]] model::NoisyOrNetwork conform(model::NoisyOrNetwork network) const;

 private:
  using EdgeSet = std::set<std::pair<std::string, std::uint32_t>>;  // cause "*": any not fixed
  [[nodiscard]] static bool has(const EdgeSet& edges, const std::string& cause,
                                std::uint32_t observed);

  std::vector<model::Cause> causes_;
  std::vector<double> failures_;
  std::set<std::string> fixed_;
  EdgeSet forbidden_;
  EdgeSet required_;
};

}  // namespace orrery::quartet
