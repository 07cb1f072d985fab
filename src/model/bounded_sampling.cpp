#include "model/bounded_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace orrery::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t batch = 2048;  // draws at a time
constexpr double largest_tangent = 40;
/// log(2 / delta), delta = 1e-4.
constexpr double log_confidence = 9.903487552536127;

double log1p_exp(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Maurer & Pontil 2009, Theorem 4, of n numbers in an interval of this length.
double bernstein(double variance, double length, double n) {
  return std::sqrt(2 * variance * log_confidence / n) + 7 * length * log_confidence / (3 * (n - 1));
}

}  // namespace

// -------------------------------------------------------------------------------------- the bound

void BoundedSampling::prepare(const FindingGroup& group) {
  group_ = &group;
  const std::size_t n = group.n_findings();
  theta0_.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    theta0_[a] = group.fire[a] < .5 ? -std::log1p(-group.fire[a]) : -std::log(group.quiet[a]);
  }
  theta_.resize(group.links.size());
  rise_.assign(group.links.size(), 0);
  first_parent_.assign(n + 1, 0);
  for (std::size_t l = 0; l < theta_.size(); ++l) {
    theta_[l] = -std::log(group.links[l].failure);
    ++first_parent_[group.links[l].finding + 1];
  }
  for (std::size_t a = 0; a < n; ++a) first_parent_[a + 1] += first_parent_[a];
  parents_.resize(theta_.size());
  failure_.assign(group.causes.size() * n, 1);
  log_odds_.clear();
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (std::uint32_t k = 0; k < group.causes.size(); ++k) {
    const FindingGroup::Cause& cause = group.causes[k];
    log_odds_.push_back(std::log(cause.present) - std::log(cause.absent));
    for (std::size_t l = cause.first_link; l < cause.end_link; ++l) {
      parents_[next[group.links[l].finding]++] = {k, l};
      failure_[k * n + group.links[l].finding] = group.links[l].failure;
    }
  }
  believed_ = log_odds_;
  tangent_.assign(n, 0);
  log_base_.assign(n, 0);
  is_exact_.assign(n, 0);
}

void BoundedSampling::set_tangent(std::size_t finding, double z) {
  z = std::clamp(z, std::max(theta0_[finding], 1e-12), std::max(theta0_[finding], largest_tangent));
  tangent_[finding] = z;
  double& base = log_base_[finding];
  base = 0;
  double slope = 0;
  if (z <= largest_tangent) {  // else it is on anyway
    slope = 1 / std::expm1(z);
    base = std::min(0.0, std::log(-std::expm1(-z)) + slope * (theta0_[finding] - z));
  }
  for (std::size_t i = first_parent_[finding]; i < first_parent_[finding + 1]; ++i) {
    const std::size_t link = parents_[i].link;
    rise_[link] = base == 0 ? 0 : std::min(slope * theta_[link], -base);
  }
}

/// What the finding adds to the log of the bound if causes were independent, each with the odds in
/// others_.
double BoundedSampling::partial_bound(std::size_t finding) const {
  double sum = log_base_[finding];
  for (std::size_t i = first_parent_[finding]; i < first_parent_[finding + 1]; ++i) {
    const double odds = others_[parents_[i].cause];
    sum += odds == infinity ? rise_[parents_[i].link]
                            : log1p_exp(odds + rise_[parents_[i].link]) - log1p_exp(odds);
  }
  return sum;
}

/// The best of a grid between its leak and certainty: with rises that stop the bound has no
/// derivative to follow.
void BoundedSampling::improve_tangent(std::size_t finding) {
  constexpr int n_steps = 20;
  others_ = believed_;
  for (std::size_t i = first_parent_[finding]; i < first_parent_[finding + 1]; ++i) {
    if (is_exact_[finding] == 0) others_[parents_[i].cause] -= rise_[parents_[i].link];
  }
  const double low = std::max(theta0_[finding], 1e-6);
  const double high = std::max(low, 8.0);
  double best = tangent_[finding];
  set_tangent(finding, best > 0 ? best : low);
  best = tangent_[finding];
  double least = partial_bound(finding);
  for (int step = 0; step <= n_steps; ++step) {
    const double z = low * std::pow(high / low, static_cast<double>(step) / n_steps);
    set_tangent(finding, z);
    const double bound = partial_bound(finding);
    if (bound < least) {
      least = bound;
      best = z;
    }
  }
  set_tangent(finding, best);
  for (std::size_t i = first_parent_[finding]; i < first_parent_[finding + 1]; ++i) {
    const std::uint32_t cause = parents_[i].cause;
    believed_[cause] = others_[cause] + rise_[parents_[i].link];
  }
}

/// Every finding transformed: the causes are independent under Q.
void BoundedSampling::fit_factored() {
  constexpr int n_sweeps = 5;
  for (std::size_t a = 0; a < tangent_.size(); ++a) set_tangent(a, std::max(theta0_[a], 1.0));
  for (std::size_t k = 0; k < believed_.size(); ++k) believe(k);
  for (int sweep = 0; sweep < n_sweeps; ++sweep) {
    for (std::size_t a = 0; a < tangent_.size(); ++a) improve_tangent(a);
  }
}

/// Its odds with the rises of all transformed findings.
void BoundedSampling::believe(std::size_t cause) {
  const FindingGroup::Cause& of = group_->causes[cause];
  believed_[cause] = log_odds_[cause];
  for (std::size_t l = of.first_link; l < of.end_link; ++l) {
    if (is_exact_[group_->links[l].finding] == 0) believed_[cause] += rise_[l];
  }
}

/// -log E_Q[P(a on) / bound] with independent causes.
double BoundedSampling::looseness(std::size_t finding) const {
  double all = std::exp(-log_base_[finding]);
  double off = all * group_->quiet[finding];
  for (std::size_t i = first_parent_[finding]; i < first_parent_[finding + 1]; ++i) {
    const double present = logistic(believed_[parents_[i].cause]);
    const double factor = std::exp(-rise_[parents_[i].link]);
    all *= 1 - present + present * factor;
    off *= 1 - present + present * factor * group_->links[parents_[i].link].failure;
  }
  return all > off ? -std::log(all - off) : infinity;
}

// --------------------------------------------------------------------------------- exact findings

/// As many of the loosest as may be.
void BoundedSampling::choose_exact(const Limits& limits) {
  const std::size_t n = group_->n_findings();
  by_looseness_.resize(n);
  std::iota(by_looseness_.begin(), by_looseness_.end(), 0U);
  std::vector<double> loose(n);
  for (std::size_t a = 0; a < n; ++a) loose[a] = looseness(a);
  std::ranges::sort(by_looseness_, [&](std::uint32_t a, std::uint32_t b) {
    return loose[a] > loose[b] || (loose[a] == loose[b] && a < b);
  });
  n_exact_ = 0;
  const std::size_t most = std::min({n, limits.max_exact, Quickscore::max_findings});
  while (n_exact_ < most && plan_core(n_exact_ + 1) && quickscore_.work() <= limits.work &&
         quickscore_.cells() <= limits.cells) {
    ++n_exact_;
  }
  (void)plan_core(n_exact_);
  for (std::size_t k = 0; k < believed_.size(); ++k) believe(k);
}

bool BoundedSampling::plan_core(std::size_t n_exact) {
  core_.clear();
  std::ranges::fill(is_exact_, std::uint8_t{0});
  std::vector<std::uint32_t> place(is_exact_.size(), 0);
  for (std::size_t i = 0; i < n_exact; ++i) {
    const std::uint32_t a = by_looseness_[i];
    is_exact_[a] = 1;
    place[a] = static_cast<std::uint32_t>(i);
    core_.quiet.push_back(group_->quiet[a]);
    core_.fire.push_back(group_->fire[a]);
  }
  for (const FindingGroup::Cause& cause : group_->causes) {
    FindingGroup::Cause copy = cause;
    copy.first_link = core_.links.size();
    for (const auto& [finding, failure] : group_->links_of(cause)) {
      if (is_exact_[finding] != 0) core_.links.push_back({place[finding], failure});
    }
    copy.end_link = core_.links.size();
    core_.causes.push_back(copy);
  }
  return quickscore_.plan(core_);
}

/// The causes of the core by believe(): what the transformed findings make of them.
void BoundedSampling::weigh_core() {
  log_transformed_ = 0;
  for (std::size_t a = 0; a < is_exact_.size(); ++a) {
    if (is_exact_[a] == 0) log_transformed_ += log_base_[a];
  }
  for (std::size_t k = 0; k < believed_.size(); ++k) {
    believe(k);
    const FindingGroup::Cause& of = group_->causes[k];
    const bool certain = log_odds_[k] == infinity;
    double rises = 0;
    for (std::size_t l = of.first_link; certain && l < of.end_link; ++l) {
      if (is_exact_[group_->links[l].finding] == 0) rises += rise_[l];
    }
    log_transformed_ += certain ? rises : log1p_exp(believed_[k]) - log1p_exp(log_odds_[k]);
    core_.causes[k].present = logistic(believed_[k]);
    core_.causes[k].absent = logistic(-believed_[k]);
  }
}

/// New tangents for what Q believes now; kept while they lower the bound.
void BoundedSampling::tighten() {
  constexpr int n_rounds = 4;
  weigh_core();
  quickscore_.run(core_posterior_);
  log_bound_ = log_transformed_ + core_posterior_.log_evidence;
  for (int round = 0; round < n_rounds; ++round) {
    const std::vector<double> before = tangent_;
    for (std::size_t k = 0; k < believed_.size(); ++k) {
      const double p = core_posterior_.posterior[k];
      believed_[k] = std::log(p) - std::log1p(-p);
    }
    for (std::size_t a = 0; a < is_exact_.size(); ++a) {
      if (is_exact_[a] == 0) improve_tangent(a);
    }
    weigh_core();
    quickscore_.run(core_posterior_);
    const double bound = log_transformed_ + core_posterior_.log_evidence;
    if (bound < log_bound_) {
      const double gain = log_bound_ - bound;
      log_bound_ = bound;
      if (gain > .01) continue;
      return;
    }
    for (std::size_t a = 0; a < is_exact_.size(); ++a) set_tangent(a, before[a]);
    weigh_core();
    quickscore_.run(core_posterior_);
    return;
  }
}

// -------------------------------------------------------------------------------------- the draws

/// The weight of the draw at hand; sets on_.
double BoundedSampling::weigh_draw() {
  const std::size_t n = is_exact_.size();
  std::ranges::copy(group_->fire, on_.begin());
  double log_weight = 0;
  for (const std::uint32_t k : drawn_) {
    const FindingGroup::Cause& cause = group_->causes[k];
    for (std::size_t l = cause.first_link; l < cause.end_link; ++l) {
      const auto& [finding, failure] = group_->links[l];
      on_[finding] = (1 - failure) + failure * on_[finding];
      if (is_exact_[finding] == 0) log_weight -= rise_[l];
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    if (is_exact_[a] == 0) log_weight += std::log(on_[a]) - log_base_[a];
  }
  return std::min(1.0, std::exp(log_weight));
}

double BoundedSampling::on_without(std::size_t cause, std::size_t finding) const {
  const std::size_t n = is_exact_.size();
  double on = group_->fire[finding];
  for (const std::uint32_t k : drawn_) {
    if (k == cause) continue;
    const double failure = failure_[k * n + finding];
    on = (1 - failure) + failure * on;
  }
  return on;
}

/// Of P(cause | the other causes of the draw, all findings).
double BoundedSampling::conditional_odds(std::size_t cause, bool is_present) const {
  const FindingGroup::Cause& of = group_->causes[cause];
  if (of.absent == 0) return infinity;
  double odds = of.present / of.absent;
  for (const auto& [finding, failure] : group_->links_of(of)) {
    const double inverse = is_present ? 1 / on_without(cause, finding) : inverse_[finding];
    odds *= failure + (1 - failure) * inverse;
  }
  return odds;
}

void BoundedSampling::add_draw(const std::vector<std::uint8_t>& present, std::size_t n,
                               std::size_t i) {
  drawn_.clear();
  for (std::uint32_t k = 0; k < group_->causes.size(); ++k) {
    if (present[k * n + i] != 0) drawn_.push_back(k);
  }
  const double w = weigh_draw();
  if (!(w > 0)) return;
  sum_w_ += w;
  sum_ww_ += w * w;
  for (std::size_t a = 0; a < inverse_.size(); ++a) {
    inverse_[a] = 1 / on_[a];
    of_inverse_[a].add(w, inverse_[a]);
  }
  for (std::size_t k = 0; k < of_cause_.size(); ++k) {
    const double odds = conditional_odds(k, present[k * n + i] != 0);
    const double absent = 1 / (1 + odds);
    of_cause_[k].add(w, absent > 0 ? odds * absent : 1);
    sum_absent_[k] += w * absent;
  }
}

void BoundedSampling::run(const FindingGroup& group, const Limits& limits, RowRandom& random,
                          GroupPosterior& result) {
  prepare(group);
  fit_factored();
  choose_exact(limits);
  tighten();
  on_.resize(group.n_findings());
  inverse_.resize(group.n_findings());
  of_cause_.assign(group.causes.size(), {});
  sum_absent_.assign(group.causes.size(), 0);
  of_inverse_.assign(group.n_findings(), {});
  sum_w_ = sum_ww_ = 0;
  for (std::size_t done = 0; done < limits.n_samples; done += batch) {
    const std::size_t n = std::min<std::size_t>(batch, limits.n_samples - done);
    quickscore_.draw(random, n, present_);
    for (std::size_t i = 0; i < n; ++i) add_draw(present_, n, i);
  }
  settle(limits.n_samples, result);
}

void BoundedSampling::settle(std::uint32_t n_samples, GroupPosterior& result) {
  result.resize(of_cause_.size(), of_inverse_.size());
  const auto n = static_cast<double>(n_samples);
  const double mean = sum_w_ / n;
  const double error = bernstein(std::max(0.0, sum_ww_ / n - mean * mean) * n / (n - 1), 1, n);
  if (!(mean > 0)) {  // no draw explains the findings: the bound is all that is known
    result.log_evidence = log_bound_;
    result.log_evidence_error = infinity;
    result.posterior = core_posterior_.posterior;
    result.absence = core_posterior_.absence;
    std::ranges::fill(result.posterior_error, 1.0);
    std::ranges::fill(result.inverse_error, infinity);
    result.effective_samples = std::numeric_limits<double>::min();
    return;
  }
  result.log_evidence = log_bound_ + std::log(mean);
  result.log_evidence_error = error < mean ? -std::log1p(-error / mean) : infinity;
  result.effective_samples = sum_w_ * sum_w_ / sum_ww_;
  const auto error_of = [&](const Sums& sums, double value, double length) {
    const double variance = (sums.wwxx - 2 * value * sums.wwx + value * value * sum_ww_) / n;
    return bernstein(std::max(0.0, variance) * n / (n - 1), length, n) / mean;
  };
  for (std::size_t k = 0; k < of_cause_.size(); ++k) {
    const double p = of_cause_[k].wx / sum_w_;
    result.posterior[k] = p;
    result.absence[k] = sum_absent_[k] / sum_w_;
    result.posterior_error[k] = std::min(std::max(p, 1 - p), error_of(of_cause_[k], p, 1));
  }
  for (std::size_t a = 0; a < of_inverse_.size(); ++a) {
    const double fire = group_->fire[a];
    result.inverse[a] = of_inverse_[a].wx / sum_w_;
    result.inverse_error[a] = error_of(of_inverse_[a], result.inverse[a], fire > 0 ? 1 / fire : 0);
  }
}

}  // namespace orrery::model
