// A network as rows need it: by variable, with what a row of negative findings makes of each cause;
// and a row in its groups of findings.
#include "model/row_groups.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "data/bits.hpp"
#include "model/numbers.hpp"
#include "orrery/model/inference.hpp"

namespace orrery::model {

double InferenceNetwork::CauseWeights::log_present_now() const noexcept {
  return n_certain > 0 ? -infinity : log_present;
}

double InferenceNetwork::CauseWeights::log_sum() const noexcept {
  return log_add(log_absent, log_present_now());
}

InferenceNetwork::InferenceNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0), parents_(network.edges().size()) {
  for (std::uint32_t a = 0; a < network.n_observed(); ++a) {
    leak_.push_back(network.observed()[a].leak);
    if (leak_[a] == 1) {
      leaking_.push_back(a);
    } else {
      log_silent_ += std::log1p(-leak_[a]);
    }
  }
  for (const Cause& cause : network.causes()) {
    causes_.push_back({std::log1p(-cause.prior), std::log(cause.prior), 0});
  }
  for (const Edge& edge : network.edges()) ++first_parent_[edge.observed + 1];
  for (std::size_t a = 0; a < leak_.size(); ++a) first_parent_[a + 1] += first_parent_[a];
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (const Edge& edge : network.edges()) {
    const double log_failure = edge.failure > 0 ? std::log(edge.failure) : 0;
    parents_[next[edge.observed]++] = {edge.cause, edge.failure, log_failure};
    causes_[edge.cause].log_present += log_failure;
    if (edge.failure == 0) ++causes_[edge.cause].n_certain;
  }
  for (std::uint32_t c = 0; c < causes_.size(); ++c) {
    const double log_sum = causes_[c].log_sum();
    if (log_sum == -infinity) {
      contradicting_.push_back(c);
      silent_posterior_.push_back(1);
      silent_absence_.push_back(0);
    } else {
      log_silent_ += log_sum;
      silent_posterior_.push_back(std::exp(causes_[c].log_present_now() - log_sum));
      silent_absence_.push_back(std::exp(causes_[c].log_absent - log_sum));
    }
  }
}

namespace {

/// A present cause that is less likely counts as this likely: it may still be the only explanation.
constexpr double least_present = 1e-290;

bool has_bit(std::span<const std::uint64_t> words, std::size_t a) {
  return !words.empty() && ((words[a / 64] >> (a % 64)) & 1U) != 0;
}

}  // namespace

RowGroups::RowGroups(const InferenceNetwork& network)
    : network_(&network), slot_of_(network.n_causes(), none) {}

void RowGroups::touch_parents(std::uint32_t observed, std::uint32_t finding) {
  const double leak = network_->leak(observed);
  if (leak < 1) log_factored_ -= std::log1p(-leak);
  for (const InferenceNetwork::Parent& parent : network_->parents(observed)) {
    std::uint32_t& slot = slot_of_[parent.cause];
    if (slot == none) {
      slot = static_cast<std::uint32_t>(touched_.size());
      touched_.push_back({});
      touched_.back().cause = parent.cause;
      weights_.push_back(network_->silent(parent.cause));
    }
    if (parent.failure == 0) {
      --weights_[slot].n_certain;
    } else {
      weights_[slot].log_present -= parent.log_failure;
    }
    if (finding != none) raw_links_.push_back({slot, finding, parent.failure});
  }
}

void RowGroups::read(std::span<const std::uint64_t> values,
                     std::span<const std::uint64_t> missing) {
  for (const Touched& cause : touched_) slot_of_[cause.cause] = none;
  touched_.clear();
  weights_.clear();
  raw_links_.clear();
  positives_.clear();
  contradiction_.reset();
  n_groups_ = 0;
  log_factored_ = network_->log_silent();
  require_no_certain_leak(values, missing);
  data::for_each_bit(missing,
                     [&](std::size_t a) { touch_parents(static_cast<std::uint32_t>(a), none); });
  data::for_each_bit(values, [&](std::size_t at) {
    const auto a = static_cast<std::uint32_t>(at);
    touch_parents(a, static_cast<std::uint32_t>(positives_.size()));
    positives_.push_back(a);
  });
  for (const std::uint32_t cause : network_->contradicting()) {
    const std::uint32_t slot = slot_of_[cause];
    if (slot == none || weights_[slot].n_certain > 0) blame_certain_child(cause, values, missing);
  }
  if (contradiction_) return;
  settle_touched();
  sort_links();
  settle_lone_causes();
  form_groups();
  for (std::uint32_t i = 0; i < positives_.size() && !contradiction_; ++i) {
    if (!is_alone(i)) continue;
    if (!(fire_[i] > 0)) contradiction_ = {positives_[i], true, std::nullopt};
    log_factored_ += std::log(fire_[i]);
  }
  if (!contradiction_) fill_groups();
}

void RowGroups::settle_touched() {
  for (std::size_t slot = 0; slot < touched_.size(); ++slot) {
    Touched& cause = touched_[slot];
    const double silent = network_->silent(cause.cause).log_sum();
    cause.log_sum = weights_[slot].log_sum();
    log_factored_ += cause.log_sum - (silent == -infinity ? 0 : silent);
    const double log_present = weights_[slot].log_present_now();
    cause.absent = std::exp(weights_[slot].log_absent - cause.log_sum);
    cause.present = std::exp(log_present - cause.log_sum);
    if (log_present > -infinity) cause.present = std::max(cause.present, least_present);
  }
}

/// By cause; of a cause by finding.
void RowGroups::sort_links() {
  for (const RawLink& link : raw_links_) ++touched_[link.slot].end_link;
  std::size_t next = 0;
  for (Touched& cause : touched_) {
    cause.first_link = next;
    next += cause.end_link;
    cause.end_link = cause.first_link;
  }
  links_.resize(next);
  for (const RawLink& link : raw_links_) {
    links_[touched_[link.slot].end_link++] = {link.finding, link.failure};
  }
}

void RowGroups::settle_lone_causes() {
  quiet_.clear();
  fire_.clear();
  for (const std::uint32_t a : positives_) {
    fire_.push_back(network_->leak(a));
    quiet_.push_back(1 - network_->leak(a));
  }
  for (const Touched& cause : touched_) {
    if (cause.n_links() != 1) continue;
    const auto& [finding, failure] = links_[cause.first_link];
    fire_[finding] += quiet_[finding] * cause.present * (1 - failure);
    quiet_[finding] *= cause.absent + cause.present * failure;
  }
}

std::uint32_t RowGroups::root_of(std::uint32_t finding) {
  while (joined_[finding] != finding) {
    finding = joined_[finding] = joined_[joined_[finding]];
  }
  return finding;
}

void RowGroups::form_groups() {
  const auto n = static_cast<std::uint32_t>(positives_.size());
  joined_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) joined_[i] = i;
  group_of_.assign(n, none);
  for (const Touched& cause : touched_) {
    if (!in_group(cause)) continue;
    const std::uint32_t first = links_[cause.first_link].finding;
    for (const auto& link : links(cause)) {
      const std::uint32_t a = root_of(first);
      const std::uint32_t b = root_of(link.finding);
      joined_[std::max(a, b)] = std::min(a, b);
    }
    group_of_[first] = 0;  // it shares a cause: its root numbers the group below
  }
  // A root is the smallest of its findings: groups are numbered by it.
  std::vector<std::size_t>& first = first_finding_;
  first.assign(1, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (group_of_[i] == 0) group_of_[root_of(i)] = 0;
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t root = root_of(i);
    if (group_of_[root] == none) continue;
    if (root == i) {
      group_of_[i] = static_cast<std::uint32_t>(n_groups_++);
      first.push_back(0);
    }
    group_of_[i] = group_of_[root];
    ++first[group_of_[i] + 1];
  }
  for (std::size_t g = 0; g < n_groups_; ++g) first[g + 1] += first[g];
}

void RowGroups::fill_groups() {
  if (groups_.size() < n_groups_) groups_.resize(n_groups_);
  for (std::size_t g = 0; g < n_groups_; ++g) groups_[g].clear();
  group_findings_.resize(first_finding_[n_groups_]);
  local_.resize(positives_.size());
  for (std::uint32_t i = 0; i < positives_.size(); ++i) {
    if (is_alone(i)) continue;
    FindingGroup& group = groups_[group_of_[i]];
    local_[i] = static_cast<std::uint32_t>(group.n_findings());
    group_findings_[first_finding_[group_of_[i]] + local_[i]] = i;
    group.quiet.push_back(quiet_[i]);
    group.fire.push_back(fire_[i]);
  }
  for (const Touched& cause : touched_) {
    if (!in_group(cause)) continue;
    FindingGroup& group = groups_[group_of_[links_[cause.first_link].finding]];
    const std::size_t first = group.links.size();
    for (const auto& link : links(cause)) {
      group.links.push_back({local_[link.finding], link.failure});
    }
    group.causes.push_back({cause.cause, cause.present, cause.absent, first, group.links.size()});
  }
}

// --------------------------------------------------------------------------------- contradictions

void RowGroups::require_no_certain_leak(std::span<const std::uint64_t> values,
                                        std::span<const std::uint64_t> missing) {
  for (const std::uint32_t a : network_->leaking()) {
    if (!has_bit(values, a) && !has_bit(missing, a)) contradiction_ = {a, false, std::nullopt};
  }
}

void RowGroups::blame_certain_child(std::uint32_t cause, std::span<const std::uint64_t> values,
                                    std::span<const std::uint64_t> missing) {
  for (std::uint32_t a = 0; a < network_->n_observed(); ++a) {
    if (has_bit(values, a) || has_bit(missing, a)) continue;
    for (const InferenceNetwork::Parent& parent : network_->parents(a)) {
      if (parent.cause == cause && parent.failure == 0) contradiction_ = {a, false, cause};
    }
  }
}

}  // namespace orrery::model
