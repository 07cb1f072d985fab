// log P(row), exactly: the distinct rows of a data set, and the probability of each under a
// component of a noisy-OR network; real numbers whose products never underflow.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

// The distinct rows of some columns of a data set, and how often each occurs.

/// Rows as words: bit i of word w is column 64 w + i of the chosen ones.
class RowPatterns {
 public:
  /// None yet, of rows of so many columns.
  RowPatterns(std::size_t n_columns, bool may_miss);
  /// O(rows * columns / 64) expected; memory for the distinct rows only.
  RowPatterns(const data::SampleMatrix& samples, std::span<const std::uint32_t> columns);
  /// None if more than `most` differ. `missing`: the mask, or null; where it is set `values` may
  /// hold anything.
  RowPatterns(const data::BitPanels& values, const data::BitPanels* missing,
              std::span<const std::uint32_t> columns, std::size_t most);

  /// One row more: its values (0 where missing), then its mask if rows may miss values. Returns the
  /// number of its pattern.
  std::size_t add(std::span<const std::uint64_t> key);

  /// Number of distinct rows, in order of first appearance.
  [[nodiscard]] std::size_t size() const noexcept { return counts_.size(); }
  [[nodiscard]] std::uint64_t count(std::size_t i) const noexcept { return counts_[i]; }
  /// Values of pattern i (0 where missing).
  [[nodiscard]] std::span<const std::uint64_t> values(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_, n_words_};
  }
  /// 1 = missing; empty if the data set has no mask.
  [[nodiscard]] std::span<const std::uint64_t> missing(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_ + n_words_, key_words_ - n_words_};
  }
  /// Each once.
  [[nodiscard]] data::SampleMatrix as_samples() const;

 private:
  /// Every row of these columns, unless more than `most` differ.
  void add_all(const data::BitPanels& values, const data::BitPanels* missing,
               std::span<const std::uint32_t> columns, std::size_t most);
  void grow();
  [[nodiscard]] std::size_t find_slot(std::span<const std::uint64_t> key) const noexcept;
  [[nodiscard]] std::span<const std::uint64_t> key(std::size_t i) const noexcept {
    return {keys_.data() + i * key_words_, key_words_};
  }

  std::size_t n_columns_;
  std::size_t n_words_;
  std::size_t key_words_;            // values, then the mask if there is one
  std::vector<std::uint64_t> keys_;  // of the patterns, one after the other
  std::vector<std::uint64_t> counts_;
  std::vector<std::size_t> slots_;  // open addressing, a power of two: pattern + 1; 0 is free
};

/// A nonnegative real with an exponent of its own: products of thousands of small probabilities
/// neither underflow nor need a logarithm per factor.
///
/// mantissa * 2^(256 exponent). Zero, or the mantissa is at least 2^-256; it stays of order 1
/// upwards only by sums, so a double holds it.
class ScaledReal {
 public:
  ScaledReal() = default;  ///< zero
  /// `value` >= 0.
  explicit ScaledReal(double value) noexcept : mantissa_(value) { normalise(); }

  [[nodiscard]] bool is_zero() const noexcept { return mantissa_ == 0; }

  /// Both mantissas are at least 2^-256: their product is a normal double.
  ScaledReal& operator*=(const ScaledReal& other) noexcept {
    mantissa_ *= other.mantissa_;
    exponent_ += other.exponent_;
    normalise();
    return *this;
  }
  /// `factor` in [0, 1].
  ScaledReal& operator*=(double factor) noexcept { return *this *= ScaledReal(factor); }

  ScaledReal& operator+=(const ScaledReal& other) noexcept {
    if (other.is_zero()) return *this;
    if (is_zero() || other.exponent_ > exponent_) {
      const ScaledReal smaller = *this;
      *this = other;
      mantissa_ += smaller.mantissa_at(exponent_);
    } else {
      mantissa_ += other.mantissa_at(exponent_);
    }
    return *this;
  }

  /// Natural logarithm; -infinity of zero.
  [[nodiscard]] double log() const noexcept {
    if (is_zero()) return -std::numeric_limits<double>::infinity();
    constexpr double log_2_256 = 177.445678223345999210811423093293;
    return std::log(mantissa_) + static_cast<double>(exponent_) * log_2_256;
  }

 private:
  static constexpr double step = 0x1.0p+256;

  void normalise() noexcept {
    if (mantissa_ == 0) return;
    while (mantissa_ < 1 / step) {
      mantissa_ *= step;
      --exponent_;
    }
  }
  // This number's mantissa when written with a larger exponent.
  [[nodiscard]] double mantissa_at(std::int64_t exponent) const noexcept {
    switch (exponent - exponent_) {
      case 0:
        return mantissa_;
      case 1:
        return mantissa_ / step;
      default:
        return 0;  // below the last bit of the other
    }
  }

  double mantissa_ = 0;
  std::int64_t exponent_ = 0;
};

// Purpose: log P(row) of one component of a noisy-OR network, exactly: causes that share a child,
//          directly or not, and their children. The likelihood of a row is a product over
//          components.
// Source: Heckerman 1989 ("A tractable inference algorithm for diagnosing multiple diseases"):
//         negative findings factor over the causes; here the positive ones are summed over the
//         states of the causes that could explain them.
//
//   symbol                                                code
//   w_X = p_X prod_{a = 0} f_{X,a}                        Step::present
//   q_a = P(a = 1 | the causes decided so far)            on_[a]
//
// Cost: O(2^k * children of the cause decided last) for k causes with a positive child.
// Departure: q_a is kept rather than 1 - q_a: q_a <- (1 - f) + f q_a adds positive numbers only, so
// that a leak of 1e-18 keeps all its digits. Products are ScaledReal: nothing underflows.

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

/// Holds the scratch memory of one thread. evaluate() allocates nothing.
class RowLikelihood {
 public:
  explicit RowLikelihood(const Component& component);

  /// log P(row) in nats; -infinity if the row is impossible. Layout of RowPatterns; `missing` may
  /// be empty.
  double evaluate(std::span<const std::uint64_t> values,
                  std::span<const std::uint64_t> missing) noexcept;

 private:
  // One cause to decide, with its ranges in influences_ and settled_.
  struct Step {
    std::uint32_t cause = 0;
    ScaledReal absent;           // 1 - p
    ScaledReal present;          // w_X
    std::size_t n_positive = 0;  // its positive children
    std::size_t first_influence = 0;
    std::size_t end_influence = 0;
    std::size_t first_settled = 0;
    std::size_t end_settled = 0;
  };
  // The children that the enumeration visits: positive ones.
  struct Influence {
    std::uint32_t variable = 0;
    double failure = 0;
    double success = 0;  // 1 - failure
    double saved = 0;    // q_a before this cause was switched on
  };

  void read_row(std::span<const std::uint64_t> values,
                std::span<const std::uint64_t> missing) noexcept;
  void plan_steps() noexcept;
  void plan_influences() noexcept;
  void descend(std::size_t depth, const ScaledReal& weight) noexcept;
  void settle(std::size_t depth, ScaledReal weight) noexcept;

  const Component& component_;
  enum class Finding : std::uint8_t { negative, positive, missing };
  std::vector<Finding> finding_;        // a variable
  std::vector<double> on_;              // q_a, a variable
  std::vector<std::size_t> last_step_;  // a variable: the last step that can change q_a
  std::vector<Step> steps_;             // room for every cause; n_steps_ in use
  std::size_t n_steps_ = 0;
  std::vector<Influence> influences_;
  std::vector<std::uint32_t> settled_;  // variables, by the step after which q_a is final
  double log_closed_ = 0;               // what needs no enumeration
  ScaledReal total_;                    // sum over the states
};

}  // namespace orrery::model
