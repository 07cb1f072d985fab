#include "families/noisy_or/known_structure/triplets.hpp"

namespace orrery::known_structure {

std::vector<Triplet> singly_coupled_triplets(const model::NoisyOrNetwork& structure,
                                             std::size_t cause, const std::vector<bool>& learned,
                                             std::size_t limit) {
  const auto children = structure.children(cause);
  const std::size_t k = children.size();
  // alone[i * k + j]: children i and j share no other cause that is not yet learned.
  std::vector<char> alone(k * k, 1);
  for (std::size_t other = 0; other < structure.n_causes(); ++other) {
    if (other == cause || learned[other]) continue;
    std::vector<std::size_t> shared;
    for (std::size_t i = 0; i < k; ++i) {
      if (structure.failure(other, children[i].observed) < 1) shared.push_back(i);
    }
    for (const std::size_t i : shared) {
      for (const std::size_t j : shared) alone[i * k + j] = 0;
    }
  }
  std::vector<Triplet> triplets;
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = i + 1; j < k; ++j) {
      if (alone[i * k + j] == 0) continue;
      for (std::size_t l = j + 1; l < k; ++l) {
        if (alone[i * k + l] == 0 || alone[j * k + l] == 0) continue;
        triplets.push_back({children[i].observed, children[j].observed, children[l].observed});
        if (triplets.size() == limit) return triplets;
      }
    }
  }
  return triplets;
}

}  // namespace orrery::known_structure
