// What a row of values says of the causes, exactly: sums over all joint states of the causes; and
// the rows of a table as a network's variables and categories number them.
//
// A table's logarithms are added up by the rows of the table, for all variables with the same
// parents together; each such set of parents is spread over the joint states once.
//
// Cost: a row S G + (the rows of all variables' tables), S the number of joint states (2^K of
// binary causes) and G the number of different sets of parents, at most S D in all; memory S G
// numbers of 4 bytes, and the tables once more. Beyond 2^16 joint states it is refused. Every rank
// has all of it: at 1,000 ranks nothing breaks before S does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::model {

/// Numbers of joint states of a few categorical causes: cause 0 changes fastest.
/// Memory: K S bytes for K causes with S joint states.
class JointStates {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16U;

  /// Throws InputError if the causes have more than `most` joint states, saying how many. A cause
  /// has 1 to 64 states; without causes there is one joint state.
  explicit JointStates(std::vector<std::size_t> cardinalities);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::size_t>& cardinalities() const noexcept {
    return cardinalities_;
  }
  /// State of each cause in a joint state; of n_causes.
  [[nodiscard]] std::span<const std::uint8_t> states(std::size_t joint) const noexcept {
    return std::span(states_).subspan(joint * cardinalities_.size(), cardinalities_.size());
  }
  /// Rows of a table with these parents (rising numbers of causes).
  [[nodiscard]] std::size_t n_configurations(std::span<const std::uint32_t> parents) const;
  /// The table's row in each joint state: the first parent's state changes fastest.
  [[nodiscard]] std::vector<std::uint32_t> configurations(
      std::span<const std::uint32_t> parents) const;

 private:
  std::vector<std::size_t> cardinalities_;
  std::size_t size_ = 1;
  std::vector<std::uint8_t> states_;  // size_ x causes
};

struct CategoricalPosterior {
  std::vector<double> marginals;  ///< of each cause's states, one cause after the other
  double log_likelihood = 0;      ///< log P(values that are there)
};

class CategoricalInference {
 public:
  /// Throws InputError if the causes have more than 2^16 joint states, saying how many.
  explicit CategoricalInference(const CategoricalNetwork& network);

  [[nodiscard]] std::size_t n_states() const noexcept { return states_.size(); }  ///< joint
  [[nodiscard]] const JointStates& states() const noexcept { return states_; }
  /// `codes`: a code per variable, or data::missing_code. Log P(u, codes) of each joint state u
  /// (cause 0 changes fastest) goes to `scores`, of n_states(). Thread-safe.
  void log_joint(std::span<const std::uint8_t> codes, std::span<double> scores) const;
  /// Thread-safe. A row that is impossible has log_likelihood -infinity and the priors.
  [[nodiscard]] CategoricalPosterior posterior(std::span<const std::uint8_t> codes) const;

 private:
  /// Variables with the same parents.
  struct Family {
    std::vector<std::uint32_t> parents;
    std::size_t n_configurations = 1;
    std::vector<std::uint32_t> configuration;  // of each joint state
    struct Member {
      std::uint32_t variable = 0;
      std::vector<double> log_table;  // L x J: a category's row is adjacent
    };
    std::vector<Member> members;
  };
  Family& family_of(const std::vector<std::uint32_t>& parents);

  JointStates states_;
  std::vector<double> log_prior_;  // of the joint states
  std::vector<Family> families_;   // by their first variable
  std::size_t most_configurations_ = 1;
};

/// Turns log weights into probabilities and returns the log of their sum. If all are -infinity they
/// stay as they are, and so is the sum.
double normalise_log_weights(std::span<double> weights);

// ---- rows of a table

/// The table with the network's variables and categories, in their order; both are matched by name.
/// A category that the table lists but no row has may be unknown to the network. Throws InputError
/// naming `source` and the columns that it lacks, or the first row with an unknown category, its
/// column and the category; columns that the network has not are warned of. O(N D) time, a copy of
/// the table.
[[nodiscard]] data::CategoricalTable in_order_of(const CategoricalNetwork& network,
                                                 const data::CategoricalTable& table,
                                                 const std::string& source);

/// The first rows of the table, `most` at most: what plans are timed on.
[[nodiscard]] data::CategoricalTable first_rows(const data::CategoricalTable& table,
                                                std::uint64_t most);

}  // namespace orrery::model
