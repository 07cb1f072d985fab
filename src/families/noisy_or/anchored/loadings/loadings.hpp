// Step 3, LearnFactorLoadings: failures and leaks of every observed variable (Halpern, Horng,
// Sontag 2015, Sec. 4.2 and 4.3, Eqs. (6)-(11)), with standard errors.
//
//   paper        code
//   f_ij         Loading::failure           Eq. (7) direct, (8)-(9) tree, (6) blanket, or matched
//   c_ijk        correction (failure_estimators.cpp)
//   l_j          VariableLoadings::leak     Eq. (10): 1 - l = P(x = 0) / P_-l(x = 0)
//
// Eq. (10) as printed has the fraction upside down. P_-l (x = 0) = E[prod f^y] is a product where
// causes are independent (Eq. (11)), and CauseExpectations elsewhere.
//
// An edge is kept if f < 1 is significant: the false discovery rate of all edges is --alpha
// (Benjamini, Hochberg 1995). `matched` is then solved again for those that are kept.
//
// Errors are the jackknife's over views of the rows, through everything that follows the structure:
// rates, moments, tables, failures. Cost: for a block of columns, its products with the signs over
// all rows (K, and for trees an edge, for blankets 2^|B| a cause), then K numbers per column and
// view.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/moments/cause_moments.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"

namespace orrery::anchored {

inline constexpr std::size_t columns_a_unit = 32;

struct Loading {
  std::uint32_t cause = 0;
  double failure = 1;
  double error = 0;
};

struct VariableLoadings {
  std::vector<Loading> edges;  ///< by cause
  double leak = 0;
  double leak_error = 0;
};

struct AllLoadings {
  std::vector<VariableLoadings> variables;  ///< an observed variable; anchors' are empty
  std::size_t unsolved = 0;                 ///< variables whose ratios no failures match
};

struct LoadingsInput {
  const Observations& observed;
  const std::vector<Sign>& signs;
  const std::vector<CauseView>& views;
  const Options& options;
};

/// Throws InputError naming two causes that go together without exception, or a cause whose Markov
/// blanket is too large for Eq. (6). Collective.
AllLoadings find_loadings(const learning::Workers& workers, const LoadingsInput& input);

/// Which edges are kept: f < 1 is significant, at a false discovery rate over all variables and
/// causes (Benjamini, Hochberg 1995). `values`: f and error of every variable and cause, m x n x 2.
/// Of each variable, the causes that are kept, rising. Anchors have none. Exact moments: f < 1
/// beyond rounding.
std::vector<std::vector<std::uint32_t>> significant_edges(std::span<const double> values,
                                                          std::size_t n_observed,
                                                          std::size_t n_causes,
                                                          const Observations& observed,
                                                          double alpha);

}  // namespace orrery::anchored
