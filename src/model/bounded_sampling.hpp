// Purpose: evidence and posteriors of a group with too many positive findings, with an honest
// error. Source: Jaakkola & Jordan 1999, "Variational probabilistic inference and the QMR-DT
// network": the
//         logarithm of P(a on | causes) = 1 - exp(-z_a), z_a = theta_a0 + sum theta_Ua U, is
//         concave in z_a, so its tangent bounds it from above by a product over the causes. The
//         hardest findings stay exact (Quickscore); Q is the posterior with the others so
//         transformed. The bound serves as a proposal: causes are drawn from Q exactly and
//         independently, and weigh w = prod over transformed findings of P(a on | causes) / bound,
//         which is in [0, 1]. Z = Z_Q E_Q[w]; the posterior of a cause is E_Q[w rho] / E_Q[w],
//         where rho is P(cause | all other causes, findings) (Rao-Blackwell).
// Errors: numbers in [0, 1] have no heavy tails, so the empirical Bernstein bound (Maurer & Pontil
//         2009) holds whatever the network: with probability 1 - delta, |mean - expectation| <=
//         sqrt(2 V log(4/delta) / n) + 7 log(4/delta) / (3 (n - 1)), V the sample variance. What is
//         given is that bound for delta = 1e-4 on w and on w (rho - posterior). And always
//         Z <= Z_Q.
//
//   symbol                                               code
//   theta_Ua = -log f_Ua, theta_a0 = -log quiet_a        theta
//   tangent point z_a                                    tangent_
//   log of the bound at no cause, its rise by a cause    log_base_, rise_
// Departure: a rise stops where the bound reaches 1 (which no probability exceeds): tighter, and
//         findings that a cause never fails to switch on need no infinite theta.
// Cost: a few runs of Quickscore within the given work, then O(n_samples links).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "model/quickscore.hpp"
#include "model/row_groups.hpp"

namespace orrery::model {

class BoundedSampling {
 public:
  /// Work and numbers that a run of Quickscore may take, and the draws.
  struct Limits {
    double work;
    double cells;
    std::uint32_t n_samples;
    std::size_t max_exact;  ///< findings that are not transformed
  };
  /// Fills all of `result`.
  void run(const FindingGroup& group, const Limits& limits, RowRandom& random,
           GroupPosterior& result);

 private:
  void prepare(const FindingGroup& group);
  void set_tangent(std::size_t finding, double z);
  [[nodiscard]] double partial_bound(std::size_t finding) const;
  void improve_tangent(std::size_t finding);
  void believe(std::size_t cause);
  void fit_factored();
  [[nodiscard]] double looseness(std::size_t finding) const;
  void choose_exact(const Limits& limits);
  bool plan_core(std::size_t n_exact);
  void weigh_core();
  void tighten();
  void add_draws(std::size_t n);
  void add_draw(double times);
  double weigh_draw();
  [[nodiscard]] double on_without(std::size_t cause, std::size_t finding) const;
  [[nodiscard]] double conditional_odds(std::size_t cause, bool is_present) const;
  void settle(std::uint32_t n_samples, GroupPosterior& result);

  /// Of one number that is averaged with the weights.
  struct Sums {
    double wx = 0, wwx = 0, wwxx = 0;
    void add(double times, double w, double x) {
      const double twx = times * w * x;
      wx += twx;
      wwx += twx * w;
      wwxx += twx * w * x;
    }
  };

  const FindingGroup* group_ = nullptr;
  FindingGroup core_;  // the exact findings, all causes
  Quickscore quickscore_;
  GroupPosterior core_posterior_;
  double log_transformed_ = 0, log_bound_ = 0;
  std::size_t n_exact_ = 0;
  struct Parent {
    std::uint32_t cause;
    std::size_t link;
  };
  std::vector<std::size_t> first_parent_;
  std::vector<Parent> parents_;            // by finding
  std::vector<double> theta0_, tangent_;   // a finding
  std::vector<double> log_base_;           // the same
  std::vector<double> theta_, rise_;       // a link
  std::vector<double> log_odds_, others_;  // a cause: log odds, and with the other findings' rises
  std::vector<double> believed_;           // a cause: its log odds under Q
  std::vector<std::uint32_t> by_looseness_;  // findings, the loosest first
  std::vector<std::uint8_t> is_exact_;       // a finding
  std::vector<double> failure_;              // causes x findings; 1: no link
  std::vector<std::uint8_t> present_;        // of a batch of draws
  std::vector<std::size_t> first_drawn_;     // by draw, in
  std::vector<std::uint32_t> all_drawn_;     // their causes, rising
  std::span<const std::uint32_t> drawn_;     // causes of the draw at hand
  std::vector<double> on_, inverse_;         // P(a on | them), and one over it
  std::vector<Sums> of_cause_, of_inverse_;
  std::vector<double> sum_absent_;  // of w (1 - rho), a cause
  double sum_w_ = 0, sum_ww_ = 0;
};

}  // namespace orrery::model
