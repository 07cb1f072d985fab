// The bound of BoundedSampling: tangents of the transformed findings, and which ones stay exact.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/bounded_sampling.hpp"
#include "model/numbers.hpp"

namespace orrery::model {
namespace {

constexpr double largest_tangent = 40;

}  // namespace

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

}  // namespace orrery::model
