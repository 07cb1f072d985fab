// How far sampling moves the information in a recovered table: behind noisy anchors N samples are
// worth less than N samples of the causes themselves, and Eq. (5) with the plain N then takes noise
// for edges.
//
//   q = R p            table of the anchors, of the causes      R = kron_k P(A_k | Y_k)
//   Cov(q^) = (diag(q) - q q') / N,   p^ = R^-1 q^   so   Cov(p^) = R^-1 (diag(q) - q q') R^-T / N
//
// A contrast c of p^ with c'p = 0 has the variance sum_a q_a w_a^2 / N, w = R^-T c; of the causes'
// own samples it would be sum_y p_y c_y^2 / N.
//
// Parameters of a family (the child y, its parents' states s), by the delta method:
//   P^(y=1|s) - P(y=1|s) = c_s'p^ / P(s) to first order, c_s = (y - P(y=1|s)) 1[s].
//   The information gained by fitting them is half of sum_s lambda_s / N on average, with
//   lambda_s = N Var(c_s'p^) / (P(s) P(y=1|s) P(y=0|s)).   Of the causes' own samples lambda_s = 1,
//   and the sum is 2^parents, the number of parameters that Eq. (5) charges log N each for; here
//   the sum is charged. It is the number of parameters of Takeuchi's criterion (1976), tr(I J^-1).
//
// Independence of x and y given the others (states z): 2 N I(x; y | z) tends to
//   sum_z d_z^2,   d_z = sqrt(N) c_z'p^ / sqrt(P(z) Var(x|z) Var(y|z)),
//   c_z = (x - E[x|z]) (y - E[y|z]) 1[z]:
//   a sum of chi-squares weighted by the eigenvalues of Cov(d) = M, all 1 without noise. It is
//   compared with a chi^2_f of the same mean and variance (Satterthwaite 1946):
//   a = tr(M^2) / tr(M), f = tr(M)^2 / tr(M^2).
//
// Cells at the border of the simplex are recovered as 0, where the delta method has no meaning: a
// cell's probability is taken to be no less than its own standard error, nor than 1 / N.
//
// Departure from the paper, which has N as it is. Cost: O(s 4^s) a table of s members.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::anchored {

// What the probability table of a few binary variables says of their dependence. A table has 2^s
// cells that sum to 1; bit i of a cell's number is the value of member i. All in nats.

/// H of a binary variable.
double entropy(double on);
/// I(member; all others).
double information(std::span<const double> table, std::size_t member);
/// I(a; b | all others). Two members alone: I(a; b).
double conditional_information(std::span<const double> table, std::size_t a, std::size_t b);

/// Visits the cells with bits a and b off: the states of the others.
template <class Use>  // void(std::size_t cell)
void for_each_state_without(std::size_t n_cells, std::size_t bits, const Use& use) {
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    if ((cell & bits) == 0) use(cell);
  }
}

struct IndependenceTest {
  double statistic = 0;  ///< 2 N I(a; b | others)
  double critical = 0;   ///< exceeded with probability alpha where there is independence
  [[nodiscard]] bool is_independent() const noexcept { return statistic <= critical; }
  /// Above 1: dependent. Orders tests of unlike degrees of freedom.
  [[nodiscard]] double strength() const noexcept { return critical > 0 ? statistic / critical : 0; }
};

class SamplingNoise {
 public:
  /// `rates`: P(A = 1 | Y = 0), P(A = 1 | Y = 1) of each cause's anchor, which differ; empty: the
  /// causes themselves were seen. `n_samples` > 1.
  SamplingNoise(double n_samples, std::span<const std::array<double, 2>> rates);

  [[nodiscard]] double n_samples() const noexcept { return n_samples_; }
  /// Of P(set[child] | the others); 2^others without noise.
  [[nodiscard]] double parameters(std::span<const std::uint32_t> set, std::span<const double> table,
                                  std::size_t child) const;
  /// Of members a and b given the others.
  [[nodiscard]] IndependenceTest test(std::span<const std::uint32_t> set,
                                      std::span<const double> table, std::size_t a, std::size_t b,
                                      double alpha) const;

 private:
  using Matrix = std::array<double, 4>;  // row by row
  struct Axis {
    Matrix to_anchor;  // P(A | Y), of a cause
    Matrix inverse;
    Matrix inverse_squared;  // entry by entry
    Matrix inverse_transposed;
  };

  [[nodiscard]] std::vector<double> along(std::span<const std::uint32_t> set,
                                          std::span<const double> cells,
                                          Matrix Axis::*matrix) const;
  [[nodiscard]] std::vector<double> above_noise(std::span<const std::uint32_t> set,
                                                std::span<const double> table) const;
  [[nodiscard]] std::array<double, 2> traces(std::span<const std::uint32_t> set,
                                             std::span<const double> table, std::size_t a,
                                             std::size_t b) const;

  double n_samples_;
  std::vector<Axis> axes_;  // empty: no noise
};

}  // namespace orrery::anchored
