// Purpose: sums over all states of binary variables of a product of tables, by bucket elimination
//          (Dechter 1999); marginals by one pass back; exact draws.
// Cost: 2^(variables of a bucket) times its tables, for each variable; the buckets' products are
//       kept for the way back. Products, sums and quotients of nonnegative numbers alone: nothing
//       cancels. Each message is scaled by its largest entry, so that rows of a thousand findings
//       do not underflow; what still does is told, and can be summed again in long double.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "model/clique_tree.hpp"

namespace orrery::model {

/// Which tables bucket elimination would make, in a given order, and what they cost: before any is
/// filled.
struct EliminationPlan {
  static constexpr std::size_t max_scope = 27;

  struct Bucket {
    Scope scope;                         ///< places in the order, rising; the first is its own
    std::vector<std::uint32_t> factors;  ///< that are multiplied here
    std::vector<std::uint32_t> inputs;   ///< buckets whose messages come here
  };
  Scope order;                ///< all variables
  std::vector<Scope> places;  ///< a factor: its scope, as places in the order
  std::vector<Bucket> buckets;
  double work = 0;   ///< multiply-adds, there and back; infinity: a bucket beyond max_scope
  double cells = 0;  ///< of all buckets; likewise
};

EliminationPlan plan_elimination(std::span<const Scope> scopes, Scope order);

/// A table of some variables; bit i of a cell's number is the value of scope[i]. No entry is
/// negative, or above 1.
struct Factor {
  Scope scope;
  std::vector<double> table;
};

template <class Real>
class FactorElimination {
 public:
  /// `plan`: of these factors' scopes; it must fit, and outlive what follows. `log_weights`: of
  /// each variable's two values, none above 0.
  void run(const EliminationPlan& plan, std::span<const Factor> factors,
           std::span<const std::array<double, 2>> log_weights);
  /// The largest product instead of their sum, and a state that has it (0 rather than 1 where both
  /// have). Logarithm; -infinity if it is 0.
  double find_largest(const EliminationPlan& plan, std::span<const Factor> factors,
                      std::span<const std::array<double, 2>> log_weights,
                      std::span<std::uint8_t> values);

  /// Natural logarithm of the sum; -infinity if it is 0: nothing below may then be asked for.
  [[nodiscard]] double log_sum() const noexcept { return log_sum_; }
  /// Some message was so small that parts of it may have been lost.
  [[nodiscard]] bool lost_digits() const noexcept { return lost_digits_; }
  /// Shares of the sum in which a variable is 0 and 1. One pass back.
  [[nodiscard]] std::vector<std::array<double, 2>> marginals();
  /// A state drawn in proportion to its product: a value per variable. `uniform`: draws in [0, 1).
  void draw(const std::function<double()>& uniform, std::span<std::uint8_t> values) const;

 private:
  struct Table {
    std::vector<Real> product, message;
  };
  enum class Over : std::uint8_t { sum, largest };
  void eliminate(Over over, const EliminationPlan& plan, std::span<const Factor> factors,
                 std::span<const std::array<double, 2>> log_weights);
  bool send_message(Over over, std::size_t bucket);
  [[nodiscard]] std::size_t cell_of(std::size_t bucket, std::span<const std::uint8_t> values) const;
  void weigh(std::size_t bucket);

  const EliminationPlan* plan_ = nullptr;
  std::vector<Table> tables_;
  double log_sum_ = 0;
  bool lost_digits_ = false;
  bool weighed_ = false;
};

extern template class FactorElimination<double>;
extern template class FactorElimination<long double>;

}  // namespace orrery::model
