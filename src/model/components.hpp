// Connected components of a network: causes that share a child, directly or not, and their
// children. Given the parameters, the likelihood of a row is a product over components.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// A part of a network with its own numbering: cause i is causes[i] of the network, variable a is
/// variables[a] (both by rising network index).
struct Component {
  std::vector<std::uint32_t> causes;
  std::vector<std::uint32_t> variables;
  std::vector<double> prior;      // a cause
  std::vector<double> leak;       // a variable
  std::vector<double> log_quiet;  // log(1 - leak), a variable

  struct Child {
    std::uint32_t variable;
    double failure;
  };
  std::vector<Child> edges;             // by cause
  std::vector<std::size_t> first_edge;  // n + 1 offsets into edges

  [[nodiscard]] std::span<const Child> children(std::size_t cause) const noexcept {
    return {edges.data() + first_edge[cause], first_edge[cause + 1] - first_edge[cause]};
  }
};

/// Indices of the causes of each component, by smallest member; union-find over shared children.
/// O((n + edges) * inverse Ackermann).
std::vector<std::vector<std::uint32_t>> connected_causes(const NoisyOrNetwork& network);
/// The part of `network` made of these causes (rising) and all their children.
Component make_component(const NoisyOrNetwork& network, std::span<const std::uint32_t> causes);
/// Variables without a parent, rising.
std::vector<std::uint32_t> orphans(const NoisyOrNetwork& network);

}  // namespace orrery::model
