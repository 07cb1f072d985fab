#include "model/row_findings.hpp"

#include <algorithm>
#include <cmath>

#include "data/bits.hpp"

namespace orrery::model {
namespace {

using Kind = CausePosterior::Contradiction::Kind;

bool is_set(std::span<const std::uint64_t> bits, std::size_t i) {
  return !bits.empty() && ((bits[i / 64] >> (i % 64)) & 1U) != 0;
}

}  // namespace

void RowFindings::read(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> missing, std::span<const CauseState> known) {
  contradiction_.reset();
  findings_.clear();
  weigh_absent(values, missing);
  if (contradiction_) return;
  settle_states(known, values, missing);
  if (contradiction_) return;
  data::for_each_bit(values, [&](std::size_t j) {
    if (!contradiction_) weigh_present(static_cast<std::uint32_t>(j));
  });
  for (auto& weights : log_weights_) {
    const double larger = std::max(weights[0], weights[1]);
    log_common_ += larger;
    for (double& weight : weights) weight -= larger;
  }
}

/// From a row in which all is absent: what is present or missing is taken back.
void RowFindings::weigh_absent(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  const PreparedAnchored& network = *network_;
  const std::size_t n = network.n_causes();
  log_silent_.resize(n);
  n_certain_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    log_silent_[i] = network.log_silent(i);
    n_certain_[i] = network.n_certain(i);
  }
  for (const std::uint32_t j : network.leaking()) {
    if (is_set(values, j) || is_set(missing, j)) continue;
    contradiction_ = {Kind::always_leaks, j, 0};
    return;
  }
  log_common_ = network.log_quiet();
  const auto take_back = [&](std::size_t j) {
    if (network.leak(j) < 1) log_common_ -= std::log1p(-network.leak(j));
    for (const PreparedAnchored::Parent& parent : network.parents(j)) {
      log_silent_[parent.cause] -= parent.log_failure;
      if (parent.failure == 0) --n_certain_[parent.cause];
    }
  };
  data::for_each_bit(values, take_back);
  data::for_each_bit(missing, take_back);
}

void RowFindings::settle_states(std::span<const CauseState> known,
                                std::span<const std::uint64_t> values,
                                std::span<const std::uint64_t> missing) {
  const PreparedAnchored& network = *network_;
  const std::size_t n = network.n_causes();
  state_.assign(n, CauseState::unknown);
  std::ranges::copy(known, state_.begin());
  free_.clear();
  place_.assign(n, 0);
  log_weights_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (state_[i] == CauseState::on) {
      if (n_certain_[i] == 0) {
        log_common_ += log_silent_[i];
        continue;
      }
      for (const Edge& edge : network.network().children(i)) {
        if (edge.failure != 0 || is_set(values, edge.observed) || is_set(missing, edge.observed)) {
          continue;
        }
        contradiction_ = {Kind::known_cause, edge.observed, i};
        return;
      }
    } else if (state_[i] == CauseState::unknown && n_certain_[i] > 0) {
      state_[i] = CauseState::off;
    } else if (state_[i] == CauseState::unknown) {
      place_[i] = static_cast<std::uint32_t>(free_.size());
      free_.push_back(i);
      // Beyond 0 by rounding alone.
      log_weights_.push_back({0, std::min(log_silent_[i], 0.0)});
    }
  }
}

void RowFindings::weigh_present(std::uint32_t observed) {
  Finding finding{observed, network_->leak(observed), {}, {}};
  for (const PreparedAnchored::Parent& parent : network_->parents(observed)) {
    const CauseState state = state_[parent.cause];
    if (state == CauseState::on) finding.leak += (1 - finding.leak) * (1 - parent.failure);
    if (state != CauseState::unknown) continue;
    finding.parents.push_back(place_[parent.cause]);
    finding.failures.push_back(parent.failure);
  }
  if (finding.parents.empty()) {
    if (finding.leak == 0) contradiction_ = {Kind::nothing_causes, observed, 0};
    log_common_ += std::log(finding.leak);
  } else if (finding.parents.size() == 1) {
    auto& weights = log_weights_[finding.parents[0]];
    weights[0] += std::log(finding.leak);
    weights[1] += std::log(finding.leak + (1 - finding.leak) * (1 - finding.failures[0]));
  } else {
    findings_.push_back(std::move(finding));
  }
}

}  // namespace orrery::model
