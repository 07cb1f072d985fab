#include "families/noisy_or/variational_em/parameters.hpp"

namespace orrery::variational_em {

Parameters between(const Parameters& from, const Parameters& to, double share) {
  Parameters point = from;
  const auto move = [share](std::vector<double>& values, const std::vector<double>& goal) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += share * (goal[i] - values[i]);
  };
  move(point.prior, to.prior);
  move(point.failure, to.failure);
  move(point.leak, to.leak);
  return point;
}

}  // namespace orrery::variational_em
