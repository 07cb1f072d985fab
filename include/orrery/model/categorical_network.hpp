// Bipartite Bayesian networks of categorical variables: hidden causes, each with a few states, are
// the parents of observed variables (Lazic, Bishop, Winn 2013, "Structural expectation
// propagation").
//
//   paper            code                       shape     what
//   U_k (Z_l)        causes                     K         hidden; states 0 .. cardinality - 1
//   X_i              variables                  D         observed; codes 0 .. L_i - 1
//   G_i              variables[i].parents                 rising numbers of causes; may be empty
//   theta_ij         variables[i].table         J x L_i   row j: P(X_i = . | parents' states j)
//   q(G_i)           structure                  D x sets  posterior of each parent set
//   lambda_ij        variables[i].counts        J x L_i   Dirichlet pseudocounts of row j
//
// Row j of a table: j = sum over parents a of state_a * product of the cardinalities of the parents
// before a (the first parent's state changes fastest).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model/origin.hpp"

namespace orrery::model {

struct CategoricalCause {
  std::string name;
  std::vector<double> prior;  ///< of each state; its size is the cardinality

  [[nodiscard]] std::size_t cardinality() const noexcept { return prior.size(); }
  bool operator==(const CategoricalCause&) const = default;
};

struct CategoricalVariable {
  std::string name;
  std::vector<std::string> categories;
  std::vector<std::uint32_t> parents;  ///< numbers of causes, rising
  std::vector<double> table;           ///< J x L by rows; each row sums to 1
  std::vector<double> counts;          ///< J x L pseudocounts of the posterior; empty: not known

  [[nodiscard]] std::size_t n_categories() const noexcept { return categories.size(); }
  bool operator==(const CategoricalVariable&) const = default;
};

class CategoricalNetwork {
 public:
  CategoricalNetwork() = default;
  /// Throws InputError naming the variable or cause, the value and the need: names that are empty
  /// or repeat, a cause with fewer than 2 or more than 64 states, parents that are not rising or
  /// not there, tables of another size, numbers that are not finite or negative, rows that do not
  /// sum to 1 within 1e-9 (they are scaled to), counts that are not positive, more than 2^24
  /// entries; no variable. Without causes, variables are independent.
  CategoricalNetwork(std::vector<CategoricalCause> causes,
                     std::vector<CategoricalVariable> variables);

  [[nodiscard]] std::size_t n_causes() const noexcept { return causes_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return variables_.size(); }
  [[nodiscard]] const std::vector<CategoricalCause>& causes() const noexcept { return causes_; }
  [[nodiscard]] const std::vector<CategoricalVariable>& variables() const noexcept {
    return variables_;
  }
  [[nodiscard]] std::vector<std::string> names() const;  ///< of the observed variables
  [[nodiscard]] std::size_t n_edges() const noexcept;
  /// Rows of variable i's table.
  [[nodiscard]] std::size_t n_configurations(std::size_t i) const;
  bool operator==(const CategoricalNetwork&) const = default;

 private:
  std::vector<CategoricalCause> causes_;
  std::vector<CategoricalVariable> variables_;
};

/// A structure that a variable's posterior does not rule out, and how good the network with it is.
struct StructureMode {
  std::uint32_t variable = 0;
  std::vector<std::uint32_t> parents;
  double log_evidence = 0;  ///< of the whole network with it
  bool operator==(const StructureMode&) const = default;
};

/// What `learn sep` and `learn sem` return.
struct LearnedCategorical : Origin {
  CategoricalNetwork network;  ///< the most probable parents; tables are posterior means
  // Each may be empty: not known.
  std::vector<std::vector<std::uint32_t>> parent_sets;  ///< the columns of `structure`
  Eigen::MatrixXd structure;                            ///< D x parent_sets, rows sum to 1
  std::vector<StructureMode> modes;                     ///< by variable, then from the best
  double log_evidence = 0;                              ///< of the data; natural logarithm
  /// sep: the expectation propagation's (Eqs. 10-12); sem: the Cheeseman-Stutz or BIC score
  std::string evidence_kind;
  /// Numbers of causes tried, and the mean held-out log likelihood per row and its standard error.
  struct Choice {
    std::uint32_t n_causes = 0;
    double held_out = 0;
    double error = 0;
    bool operator==(const Choice&) const = default;
  };
  std::vector<Choice> choices;
};

/// Throws InputError, naming the place and the values, unless what was learned fits the network:
/// `parent_sets` differ and are rising numbers of its causes, `structure` has a row per variable
/// that sums to 1 within 1e-9 (both empty: not known), `modes` name its variables and causes.
void check(const LearnedCategorical& learned);

}  // namespace orrery::model
