#include "model/row_posterior.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "data/bits.hpp"
#include "model/numbers.hpp"

namespace orrery::model {
namespace {

using data::for_each_bit;

}  // namespace

PosteriorNetwork::PosteriorNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0),
      parents_(network.edges().size()),
      children_(network.n_causes() * network.n_observed()),
      failure_(children_.size(), 1),
      edge_(children_.size(), no_edge) {
  for (const Observed& observed : network.observed()) {
    leak_.push_back(kept_possible(observed.leak));
    log_leak_.push_back(std::log(leak_.back()));
    log_quiet_.push_back(std::log1p(-leak_.back()));
    log_silent_ += log_quiet_.back();
  }
  for (const Edge& edge : network.edges()) ++first_parent_[edge.observed + 1];
  for (std::size_t a = 0; a < leak_.size(); ++a) first_parent_[a + 1] += first_parent_[a];
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (const Cause& cause : network.causes()) {
    const double prior = kept_possible(cause.prior);
    log_odds_.push_back(std::log(prior) - std::log1p(-prior));
    log_silent_ += std::log1p(-prior);
  }
  child_bits_.assign(network.n_causes() * n_words(), 0);
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const Edge& edge = network.edges()[e];
    const std::size_t a = edge.observed;
    const std::size_t at = edge.cause * n_observed() + a;
    failure_[at] = std::max(edge.failure, least_possible);
    edge_[at] = static_cast<std::uint32_t>(e);
    children_[at] = {std::log(failure_[at]),
                     std::log(1 - (1 - leak_[a]) * failure_[at]) - log_leak_[a]};
    child_bits_[edge.cause * n_words() + a / 64] |= std::uint64_t{1} << (a % 64);
    log_odds_[edge.cause] += children_[at].log_failure;
    parents_[next[a]++] = {edge.cause, edge_[at]};
  }
  for (const double log_odds : log_odds_) {
    log_sum_.push_back(log1p_exp(log_odds));
    log_silent_ += log_sum_.back();
    quiet_.push_back(std::exp(log_odds - log_sum_.back()));
  }
}

PosteriorNetwork::PosteriorNetwork(const NoisyOrNetwork& network, std::uint64_t n_rows,
                                   bool may_miss)
    : PosteriorNetwork(network) {
  if (StateTable::suits(network, n_rows)) table_.emplace(network, may_miss);
}

RowPosterior::RowPosterior(const PosteriorNetwork& network, double tolerance)
    : network_(&network),
      tolerance_(tolerance),
      least_log_odds_(std::log(tolerance)),
      posterior_(network.n_causes(), 0),
      is_touched_(network.n_causes(), 0),
      on_children_(network.n_causes() * network.n_words(), 0),
      position_(network.n_observed(), 0),
      place_(network.n_observed(), 0),
      reach_(network.n_words(), 0),
      grouped_(network.n_words(), 0),
      is_followed_(network.n_causes(), 0),
      candidate_at_(network.n_causes(), 0) {
  if (network.table()) sums_.emplace(*network.table(), tolerance);
}

void RowPosterior::read_variables(std::span<const std::uint64_t> values,
                                  std::span<const std::uint64_t> missing) {
  on_.clear();
  for (std::size_t w = 0; w < missing.size(); ++w) {
    for_each_bit(missing[w], 64 * w,
                 [&](std::size_t a) { log_likelihood_ -= network_->log_quiet(a); });
  }
  for (std::size_t w = 0; w < values.size(); ++w) {
    for_each_bit(values[w], 64 * w, [&](std::size_t a) {
      log_likelihood_ -= network_->log_quiet(a);
      position_[a] = static_cast<std::uint32_t>(on_.size());
      on_.push_back(static_cast<std::uint32_t>(a));
    });
  }
  inverse_.resize(on_.size());
}

void RowPosterior::settle_alone(std::uint32_t cause, double log_odds) {
  const double log_sum = log1p_exp(log_odds);
  log_likelihood_ += log_sum;
  posterior_[cause] = std::exp(log_odds - log_sum);
}

void RowPosterior::touch_causes(std::span<const std::uint64_t> values,
                                std::span<const std::uint64_t> missing) {
  for (const std::uint32_t cause : touched_) is_touched_[cause] = 0;
  touched_.clear();
  candidates_.clear();
  const std::size_t n_words = network_->n_words();
  for (std::uint32_t cause = 0; cause < network_->n_causes(); ++cause) {
    const std::uint64_t* bits = network_->child_bits(cause);
    std::uint64_t* on = on_children_.data() + cause * n_words;
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < n_words; ++w) any |= on[w] = bits[w] & values[w];
    std::uint64_t gone = 0;
    for (std::size_t w = 0; w < missing.size(); ++w) gone |= bits[w] & missing[w];
    if ((any | gone) == 0) continue;
    is_touched_[cause] = 1;
    touched_.push_back(cause);
    log_likelihood_ -= network_->log_sum(cause);
    const bool is_absent = follows_ && is_followed_[cause] == 0 && any != 0;
    posterior_[cause] = 0;
    if (is_absent) continue;
    const PosteriorNetwork::Child* children = network_->children(cause);
    double log_odds = network_->log_odds(cause);
    for (std::size_t w = 0; gone != 0 && w < missing.size(); ++w) {
      for_each_bit(bits[w] & missing[w], 64 * w,
                   [&](std::size_t a) { log_odds -= children[a].log_failure; });
    }
    if (any == 0) {
      settle_alone(cause, log_odds);
      continue;
    }
    double gain = 0;
    for (std::size_t w = 0; w < n_words; ++w) {
      for_each_bit(on[w], 64 * w, [&](std::size_t a) {
        log_odds -= children[a].log_failure;
        gain += children[a].gain;
      });
    }
    if (follows_ || log_odds + gain >= least_log_odds_) {
      candidate_at_[cause] = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back({log_odds + gain, log_odds, cause, false});
    }
  }
  if (follows_) return;
  std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return a.log_most > b.log_most || (a.log_most == b.log_most && a.cause < b.cause);
  });
}

/// Whether candidate k shares a variable with the group at hand; if so it is of it.
bool RowPosterior::join(std::size_t k) {
  const std::uint64_t* on = on_children(candidates_[k].cause);
  std::uint64_t common = 0;
  for (std::size_t w = 0; w < reach_.size(); ++w) common |= on[w] & reach_[w];
  if (common == 0) return false;
  for (std::size_t w = 0; w < reach_.size(); ++w) reach_[w] |= on[w];
  candidates_[k].grouped = true;
  members_.push_back(static_cast<std::uint32_t>(k));
  return true;
}

void RowPosterior::clear_groups() {
  groups_.clear();
  group_causes_.clear();
  group_odds_.clear();
  group_on_.clear();
  std::ranges::fill(grouped_, 0);
}

void RowPosterior::form_groups() {
  clear_groups();
  for (std::size_t first = 0; first < candidates_.size(); ++first) {
    if (candidates_[first].grouped) continue;
    members_.clear();
    std::copy_n(on_children(candidates_[first].cause), reach_.size(), reach_.begin());
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t k = first; k < candidates_.size(); ++k) {
        if (!candidates_[k].grouped && join(k)) grows = true;
      }
    }
    std::ranges::sort(members_);
    close_group();
  }
}

void RowPosterior::close_group() {
  const std::size_t first_shared =
      groups_.empty() ? 0
                      : groups_.back().first_shared + groups_.back().n_causes * groups_.back().n_on;
  Group group{group_causes_.size(), members_.size(), group_on_.size(), 0, first_shared};
  for (const std::uint32_t k : members_) {
    group_causes_.push_back(candidates_[k].cause);
    group_odds_.push_back(std::exp(candidates_[k].log_odds));
  }
  for (std::size_t w = 0; w < reach_.size(); ++w) {
    grouped_[w] |= reach_[w];
    for_each_bit(reach_[w], 64 * w, [&](std::size_t a) {
      place_[a] = static_cast<std::uint32_t>(group.n_on++);
      group_on_.push_back(position_[a]);
    });
  }
  groups_.push_back(group);
}

/// Variables that are on and that no candidate explains.
void RowPosterior::settle_leaked(std::span<const std::uint64_t> values) {
  for (std::size_t w = 0; w < grouped_.size(); ++w) {
    for_each_bit(values[w] & ~grouped_[w], 64 * w, [&](std::size_t a) {
      log_likelihood_ += network_->log_leak(a);
      inverse_[position_[a]] = 1 / network_->leak(a);
    });
  }
}

void RowPosterior::prepare_search(const Group& group) {
  search_.resize(group.n_causes, group.n_on);
  search_.tolerance = tolerance_;
  const std::size_t width = search_.n_vectors * search_lanes;
  const std::span<const std::uint32_t> positions = group_on(group);
  for (std::size_t l = 0; l < group.n_on; ++l) {
    search_.quiet[l] = 1 - network_->leak(on_[positions[l]]);
  }
  for (std::size_t k = 0; k < group.n_causes; ++k) {
    search_.odds[k] = group_odds_[group.first_cause + k];
    const double* failures = network_->failures(group_causes_[group.first_cause + k]);
    double* into = search_.failure.data() + k * width;
    for (std::size_t l = 0; l < group.n_on; ++l) into[l] = failures[on_[positions[l]]];
  }
}

void RowPosterior::take_results(const Group& group) {
  const std::size_t width = search_.n_vectors * search_lanes;
  const std::span<const std::uint32_t> positions = group_on(group);
  log_likelihood_ += search_.log_total;
  truncated_ = truncated_ || search_.truncated;
  n_states_ += search_.n_states;
  for (std::size_t k = 0; k < group.n_causes; ++k) {
    posterior_[group_causes_[group.first_cause + k]] = search_.posterior[k];
    std::copy_n(search_.shared.data() + k * width, group.n_on,
                shared_.data() + group.first_shared + k * group.n_on);
  }
  for (std::size_t l = 0; l < group.n_on; ++l) inverse_[positions[l]] = search_.inverse[l];
}

/// What a row tells before any group is formed: its variables and candidates.
void RowPosterior::begin(std::span<const std::uint64_t> values,
                         std::span<const std::uint64_t> missing) {
  truncated_ = false;
  n_states_ = 1;
  log_share_kept_ = 0;
  log_likelihood_ = network_->log_silent();
  read_variables(values, missing);
  touch_causes(values, missing);
}

/// For shared(), of all groups.
void RowPosterior::make_room() {
  if (groups_.empty()) return;
  const Group& last = groups_.back();
  shared_.resize(std::max(shared_.size(), last.first_shared + last.n_causes * last.n_on));
}

/// All causes are touched, and those that some state has are a group with all that is on.
void RowPosterior::look_up(std::span<const std::uint64_t> values,
                           std::span<const std::uint64_t> missing) {
  truncated_ = false;
  n_states_ = network_->table()->n_chunks();
  log_share_kept_ = 0;
  read_variables(values, missing);
  sums_->set_row(values, missing);
  log_likelihood_ = sums_->log_likelihood();
  clear_groups();
  touched_.clear();
  for (std::uint32_t cause = 0; cause < network_->n_causes(); ++cause) {
    is_touched_[cause] = 1;
    touched_.push_back(cause);
    posterior_[cause] = sums_->present(cause);
    if (posterior_[cause] > 0) group_causes_.push_back(cause);
  }
  groups_.push_back({0, group_causes_.size(), 0, on_.size(), 0});
  make_room();
  for (std::uint32_t l = 0; l < on_.size(); ++l) {
    group_on_.push_back(l);
    place_[on_[l]] = l;
    inverse_[l] = sums_->inverse(on_[l]);
  }
  double* shared = shared_.data();
  for (const std::uint32_t cause : group_causes_) {
    for (const std::uint32_t a : on_) *shared++ = sums_->shared(cause, a);
    const std::uint64_t* bits = network_->child_bits(cause);
    std::uint64_t* on = on_children_.data() + cause * network_->n_words();
    for (std::size_t w = 0; w < network_->n_words(); ++w) on[w] = bits[w] & values[w];
  }
}

void RowPosterior::evaluate(std::span<const std::uint64_t> values,
                            std::span<const std::uint64_t> missing) {
  if (sums_) return look_up(values, missing);
  follows_ = false;
  begin(values, missing);
  form_groups();
  settle_leaked(values);
  make_room();
  for (const Group& group : groups_) {
    prepare_search(group);
    search_.run();
    take_results(group);
  }
}

namespace {

void write_two(std::size_t number, std::uint8_t* bytes) {
  bytes[0] = static_cast<std::uint8_t>(number & 0xFFU);
  bytes[1] = static_cast<std::uint8_t>(number >> 8U);
}

std::size_t read_two(std::span<const std::uint8_t> bytes) { return bytes[0] | bytes[1] << 8U; }

constexpr std::size_t most_in_byte = 0xFF;  // causes of a group are numbered below it
constexpr std::size_t most_in_two = 0xFFFF;

}  // namespace

/// Searches the group and adds its states, if there is room for them. Causes that are on in none of
/// them are absent, and what only they could have switched on leaked.
bool RowPosterior::note_group(const Group& group, RowStates& states) {
  prepare_search(group);
  const bool is_noted = search_.run_noting();
  take_results(group);
  if (!is_noted || group.n_causes > most_in_byte || network_->n_causes() > most_in_two)
    return false;
  log_share_kept_ += std::log(search_.drop_light_steps());
  number_in_group_.assign(group.n_causes, most_in_byte);
  std::size_t n_causes = 0;
  for (const StateStep& step : search_.steps()) {
    if (step.depth > 0 && number_in_group_[step.cause] == most_in_byte) {
      number_in_group_[step.cause] = n_causes++;
    }
  }
  if (n_causes == 0) return true;
  const std::size_t n_steps = search_.steps().size();
  if (states.bytes_.size() + 3 + 2 * n_causes + 2 * n_steps > states.most_bytes_) return false;
  states.bytes_.push_back(static_cast<std::uint8_t>(n_causes));
  const std::size_t first = states.bytes_.size();
  states.bytes_.resize(first + 2 * n_causes);
  for (std::size_t k = 0; k < group.n_causes; ++k) {
    if (number_in_group_[k] == most_in_byte) continue;
    write_two(group_causes(group)[k], states.bytes_.data() + first + 2 * number_in_group_[k]);
  }
  states.bytes_.resize(states.bytes_.size() + 2);
  write_two(n_steps, states.bytes_.data() + states.bytes_.size() - 2);
  for (const StateStep& step : search_.steps()) {
    states.bytes_.push_back(static_cast<std::uint8_t>(step.depth));
    states.bytes_.push_back(
        static_cast<std::uint8_t>(step.depth > 0 ? number_in_group_[step.cause] : 0));
  }
  return true;
}

void RowPosterior::evaluate(std::span<const std::uint64_t> values,
                            std::span<const std::uint64_t> missing, RowStates& states) {
  follows_ = false;
  begin(values, missing);
  form_groups();
  settle_leaked(values);
  make_room();
  states.bytes_.push_back(0);  // it is noted
  bool is_noted = true;
  for (const Group& group : groups_) {
    if (is_noted) {
      is_noted = note_group(group, states);
      continue;
    }
    prepare_search(group);
    search_.run();
    take_results(group);
  }
  if (!is_noted) {
    states.bytes_.resize(states.ends_.back());
    log_share_kept_ = 0;
  }
  states.ends_.push_back(static_cast<std::uint32_t>(states.bytes_.size()));
}

/// The causes of the groups into `followed_`, and their steps into `paths_`.
void RowPosterior::read_groups(std::span<const std::uint8_t> bytes) {
  for (const std::uint32_t cause : followed_) is_followed_[cause] = 0;
  followed_.clear();
  paths_.clear();
  group_sizes_.clear();
  while (!bytes.empty()) {
    const std::size_t n_causes = bytes[0];
    group_sizes_.push_back(n_causes);
    for (std::size_t k = 0; k < n_causes; ++k) {
      const std::size_t cause = read_two(bytes.subspan(1 + 2 * k));
      followed_.push_back(static_cast<std::uint32_t>(cause));
      is_followed_[cause] = 1;
    }
    bytes = bytes.subspan(1 + 2 * n_causes);
    const std::size_t n_steps = read_two(bytes);
    paths_.push_back(bytes.subspan(2, 2 * n_steps));
    bytes = bytes.subspan(2 + 2 * n_steps);
  }
}

void RowPosterior::follow(std::span<const std::uint64_t> values,
                          std::span<const std::uint64_t> missing, const RowStates& states,
                          std::size_t r) {
  const std::span<const std::uint8_t> row = states.row(r);
  if (row.empty()) return evaluate(values, missing);
  read_groups(row.subspan(1));
  follows_ = true;
  begin(values, missing);
  clear_groups();
  std::size_t next = 0;
  for (const std::size_t n_causes : group_sizes_) {
    members_.clear();
    std::ranges::fill(reach_, 0);
    for (std::size_t k = 0; k < n_causes; ++k) {
      const std::uint32_t cause = followed_[next++];
      members_.push_back(candidate_at_[cause]);
      for (std::size_t w = 0; w < reach_.size(); ++w) reach_[w] |= on_children(cause)[w];
    }
    close_group();
  }
  settle_leaked(values);
  make_room();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    prepare_search(groups_[g]);
    search_.follow(paths_[g]);
    take_results(groups_[g]);
  }
}

}  // namespace orrery::model
