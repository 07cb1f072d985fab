// Line 3 of Algorithm 2 (Halpern, Horng, Sontag 2015, App. F.2): minimises a linear function over a
// polytope of tables. Polytopes hold the marginal polytope, and are held by the local one.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

struct Minimum {
  std::vector<Eigen::VectorXd> vertices;  ///< found below the target; best first; may be none
  double bound = 0;                       ///< nowhere in the polytope is the form less
};

class LinearOracle {
 public:
  LinearOracle() = default;
  LinearOracle(const LinearOracle&) = delete;
  LinearOracle& operator=(const LinearOracle&) = delete;
  virtual ~LinearOracle() = default;

  /// Points of no use at or above `target`: where there are none below it, that is told by a bound
  /// of at least `target`, and how much more need not be found out. Throws InputError where the
  /// solver gives up with nothing, EnvironmentError where one is a program that fails.
  virtual Minimum minimise(const LinearForm& form, double target) = 0;
  /// Whether consistent tables lie within the polytope; false where it cannot be told.
  virtual bool contains(const Eigen::VectorXd& products) = 0;
  /// Steps of Frank-Wolfe after which it is worth asking again, though states are still found that
  /// lie below: by what minimise() costs. 0: never.
  [[nodiscard]] virtual std::uint32_t steps_between() const = 0;
};

}  // namespace orrery::anchored
