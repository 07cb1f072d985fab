#include "model/cause_dependence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "model/cause_elimination.hpp"

namespace orrery::model {

std::vector<CauseDependence> dependences_of(const NoisyOrNetwork& network) {
  std::vector<CauseDependence> found;
  if (!network.has_dependent_causes()) return found;
  const CauseElimination sums(network.cause_network());
  if (!sums.is_feasible()) return found;
  const std::vector<CauseWeight> none(network.n_causes(), {1, 1});
  for (std::uint32_t cause = 0; cause < network.n_causes(); ++cause) {
    for (const std::uint32_t parent : network.cause_network().tables()[cause].parents) {
      const std::array<std::uint32_t, 2> pair{std::min(cause, parent), std::max(cause, parent)};
      const std::vector<double> p = sums.table(pair, none);
      const std::size_t parent_bit = parent < cause ? 1 : 2;
      const std::size_t cause_bit = 3 - parent_bit;
      const auto share = [](double on, double off) { return on + off > 0 ? on / (on + off) : 0; };
      found.push_back({cause, parent, share(p[3], p[parent_bit]), share(p[cause_bit], p[0])});
    }
  }
  return found;
}

std::string in_words(const CauseDependence& dependence, const NoisyOrNetwork& network) {
  std::string words =
      fmt::format("{} is on in {:.3g} % of the rows with {}, in {:.3g} % of the others",
                  network.causes()[dependence.cause].name, 100 * dependence.with,
                  network.causes()[dependence.parent].name, 100 * dependence.without);
  if (dependence.with > 0 && dependence.without > 0) {
    // Two digits of a small ratio, all of a large one.
    const auto digits = [](double ratio) {
      return ratio < 10 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.0f}", ratio);
    };
    const double ratio = dependence.with / dependence.without;
    words += ratio >= 1 ? ": " + digits(ratio) + " times as often"
                        : ": " + digits(1 / ratio) + " times less often";
  }
  return words;
}

}  // namespace orrery::model
