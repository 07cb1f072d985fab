#include "mixture.hpp"

#include <algorithm>
#include <cmath>

#include "store/archive.hpp"

namespace orrery::bernoulli_mixture {

RowKinds kinds_of_row(const LearnedMixture& mixture, std::span<const std::uint64_t> values,
                      std::span<const std::uint64_t> missing) {
  const auto bit = [](std::span<const std::uint64_t> words, std::size_t a) {
    return !words.empty() && (words[a / 64] >> (a % 64) & 1U) != 0;
  };
  RowKinds found;
  for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
    double log_joint = std::log(mixture.weights[k]);
    for (std::size_t a = 0; a < mixture.names.size(); ++a) {
      if (bit(missing, a)) continue;
      log_joint += std::log(bit(values, a) ? mixture.on[k][a] : 1 - mixture.on[k][a]);
    }
    found.posterior.push_back(log_joint);
  }
  const double largest = *std::ranges::max_element(found.posterior);
  double sum = 0;
  for (double& value : found.posterior) sum += value = std::exp(value - largest);
  for (double& value : found.posterior) value /= sum;
  found.log_evidence = largest + std::log(sum);
  return found;
}

void fields(store::Archive& archive, LearnedMixture& mixture) {
  archive.origin(mixture);
  archive.remarks(mixture);
  {
    const auto list = archive.list({"kinds", "kinds/name"}, mixture.kinds.size());
    list->names({"name", "kinds/name"}, "kind", mixture.kinds);
    list->numbers({"weight", "kinds/weight"}, store::Need::probability, store::required,
                  mixture.weights);
    list->number_lists({"on", "kinds/on"}, "kinds/n_on", mixture.on);
  }
  {
    const auto list = archive.list({"variables", "variables/name"}, mixture.names.size());
    list->names({"name", "variables/name"}, "x", mixture.names);
  }
  for (const std::vector<double>& on : mixture.on) {
    if (on.size() != mixture.names.size()) {
      archive.refuse("each kind needs one probability per variable");
    }
  }
}

}  // namespace orrery::bernoulli_mixture
