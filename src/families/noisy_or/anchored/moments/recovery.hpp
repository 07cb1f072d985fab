// Step 1, RecoverMarginals: tables of small sets of causes from those of their anchors (Halpern,
// Horng, Sontag 2015, Sec. 3; Eqs. (1)-(4), (23); App. F.1, F.2).
//
//   paper        code
//   mu_A         AnchorTables::observed
//   P(A|Y)       AnchorTables::rates
//   R_Z          a Kronecker product of 2 x 2 matrices; never formed, applied axis by axis
//   mu           Recovery::moments
//   lambda       RecoveryOptions::regularise
//   K            observed.order()
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learning/stages.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

/// Of what the moments are taken to be the marginals: of nothing in common (each table alone lies
/// in the simplex), of tables that agree with their neighbours (Eq. (3)), with cycle inequalities
/// besides (Sontag, Jaakkola 2007; separated as they are violated), or of one distribution.
enum class Polytope : std::uint8_t { simplex, local, local_cycles, marginal };

/// What finds the least value of a linear function over the marginal polytope: a program of the
/// system, or a library.
enum class IntegerProgram : std::uint8_t { toulbar2, cbc };

struct AnchorTables {
  model::SubsetTables observed;  ///< of the anchors, one per cause
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1) of each; they differ.
  std::vector<std::array<double, 2>> rates;
};

struct RecoveryOptions {
  Polytope polytope = Polytope::simplex;
  IntegerProgram integer_program = IntegerProgram::toulbar2;  ///< of the marginal polytope
  double regularise = 0;  ///< lambda of Eq. (23), times KL(mu_indep, mu) of every table
  /// Frank-Wolfe ends when its duality gap, a bound on what is still to be gained, is this small;
  /// nats per row, sum over all sets.
  double gap = 0.005;
  std::uint32_t max_iterations = 2000;
};

struct Recovery {
  model::SubsetTables moments;  ///< of the causes
  double objective = 0;         ///< Eq. (4), or (23) with a regulariser; nats
  double gap = 0;               ///< the objective is at most this far above the least one
  std::uint32_t iterations = 0;
};

/// What the tables of sets of `order` of so many causes take in a polytope; 0 in the simplex, where
/// each is a small problem of its own.
struct PolytopeCost {
  std::size_t n_tables = 0;  ///< of the largest sets
  double bytes = 0;          ///< of the points kept
  double seconds = 0;        ///< 0 for pairs: how long these take is up to the moments
};

/// By what was measured (local_polytope.hpp). Throws InputError for more tables of three and more
/// causes than a run ends with.
PolytopeCost cost_of(Polytope polytope, std::size_t n_causes, std::size_t order);

/// Throws EnvironmentError if the program that the marginal polytope needs is not on this host.
void require_program(const RecoveryOptions& options);

/// Same result at every rank. Collective. Throws InputError where a solver gives up, and as
/// cost_of and require_program.
Recovery recover_moments(const learning::Workers& workers, const AnchorTables& anchors,
                         const RecoveryOptions& options);

/// The simplex alone, of one table: argmin KL(observed, R mu) + lambda KL(independent, mu) by
/// exponentiated gradient, to machine precision. `rates`: of the members of the set; `independent`
/// may be empty when lambda is 0. Also of tables whose last member is itself observed (rates
/// {0,1}).
std::vector<double> recover_table(std::span<const double> observed,
                                  std::span<const std::array<double, 2>> rates, double regularise,
                                  std::span<const double> independent);

// One table of hidden causes from the table of their anchors, each within the simplex alone
// (Halpern, Horng, Sontag 2015, Sec. 3.1, Eq. (2); App. F.1): recover_table,
// with the bound that certifies it.
//
// 1. Where lambda is 0 and R_Z^-1 observed has no negative cell, it fits exactly: KL is 0.
// 2. Otherwise exponentiated gradient (the paper's, Kivinen, Warmuth 1997) comes near; its rate is
//    linear, and worse the nearer the minimum is to the boundary, where sampled tables lie as soon
//    as a cause is rare: quadratic programs finish (mixture_weights.hpp) until the duality gap is
//    1e-13 nats, or rounding leaves nothing to be gained.
//
// Cost: |Z| <= 6, a few hundred steps of 4^|Z| operations and about five of 8^|Z|.

struct TableFit {
  std::vector<double> moments;
  double gap = 0;  ///< nats; what the objective is above its least value, at most
  std::uint32_t iterations = 0;
};

/// As recover_table.
TableFit fit_table(std::span<const double> observed, std::span<const std::array<double, 2>> rates,
                   double regularise, std::span<const double> independent);

}  // namespace orrery::anchored
