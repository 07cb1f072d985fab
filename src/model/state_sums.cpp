#include "model/state_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "model/numbers.hpp"

namespace orrery::model {

void StateSearch::resize(std::size_t causes, std::size_t variables) {
  n_causes = causes;
  n_vectors = (variables + search_lanes - 1) / search_lanes;
  const std::size_t width = n_vectors * search_lanes;
  grow(odds, causes);
  grow(quiet, width);
  grow(failure, causes * width);
  // The padding; the rest is the caller's to fill.
  for (std::size_t a = variables; a < width; ++a) {
    quiet[a] = 0;
    for (std::size_t k = 0; k < causes; ++k) failure[k * width + a] = 1;
  }
  grow(posterior, causes);
  grow(inverse, width);
  grow(shared, causes * width);
  grow(reach, (causes + 1) * (causes + 2) / 2 * width);
  grow(off, (causes + 1) * width);
  grow(inverse_on, (causes + 1) * width);
  grow(scale, width);
  grow(included, causes);
  grow(open, causes * (causes + 1));
}

SearchStates find_state_search(kernels::Isa isa) {
  if (kernels::find(isa) == nullptr) return nullptr;
#if defined(__x86_64__)
  if (isa == kernels::Isa::avx2) return search_states_avx2;
  if (isa == kernels::Isa::avx512) return search_states_avx512;
#endif
  return search_states_baseline;
}

void StateSearch::run() { run(find_state_search(kernels::active().isa)); }

void StateSearch::run(SearchStates search) { run(search, 0, 0); }

SearchResult StateSearch::run(SearchStates search, std::size_t n_followed,
                              std::size_t room_for_steps) {
  const SearchResult result = search(
      {n_causes, n_vectors, tolerance, max_nodes, noted_.data(), n_followed, room_for_steps,
       odds.data(), failure.data(), quiet.data(), posterior.data(), inverse.data(), shared.data(),
       reach.data(), scale.data(), off.data(), inverse_on.data(), included.data(), open.data()});
  log_total = result.log_total;
  truncated = result.truncated;
  n_states = result.n_states;
  return result;
}

bool StateSearch::run_noting() {
  noted_.resize(std::max(noted_.size(), most_steps));
  const SearchResult result = run(find_state_search(kernels::active().isa), 0, most_steps);
  n_noted_ = std::min(result.n_steps, most_steps);
  return result.n_steps <= most_steps;
}

void StateSearch::follow(std::span<const std::uint8_t> path) {
  follow(path, find_state_search(kernels::active().isa));
}

void StateSearch::follow(std::span<const std::uint8_t> path, SearchStates search) {
  const std::size_t n = path.size() / 2;
  noted_.resize(std::max(noted_.size(), n));
  for (std::size_t i = 0; i < n; ++i) noted_[i] = {0, path[2 * i], path[2 * i + 1]};
  run(search, n, 0);
}

double StateSearch::drop_light_steps() {
  double heaviest = 0;
  double total = 0;
  for (const StateStep& step : steps()) {
    heaviest = std::max(heaviest, step.weight);
    total += step.weight;
  }
  // From the last step on: what leads to a step that stays is the next one of less depth.
  double left = 0;
  std::optional<std::uint32_t> depth_that_leads;
  std::size_t first = n_noted_;
  for (std::size_t i = n_noted_; i-- > 0;) {
    const StateStep step = noted_[i];
    if (step.depth != depth_that_leads && step.weight < tolerance * heaviest) continue;
    left += step.weight;
    depth_that_leads.reset();
    if (step.depth > 0) depth_that_leads = step.depth - 1;
    noted_[--first] = step;
  }
  std::copy(noted_.begin() + static_cast<std::ptrdiff_t>(first),
            noted_.begin() + static_cast<std::ptrdiff_t>(n_noted_), noted_.begin());
  n_noted_ -= first;
  return total > 0 ? left / total : 1;
}

namespace {

// Times the variables. The table is then of 10 MiB at most; beyond it a search is as fast, as it is
// where states are more than rows.
constexpr std::size_t max_numbers = std::size_t{1} << 18;

}  // namespace

bool StateTable::suits(std::size_t n_causes, std::size_t n_observed, std::uint64_t n_rows) {
  if (n_causes > 16) return false;
  const std::size_t n_states = std::size_t{1} << n_causes;
  return n_states <= n_rows && n_states * n_observed <= max_numbers;
}

bool StateTable::suits(const NoisyOrNetwork& network, std::uint64_t n_rows) {
  return suits(network.n_causes(), network.n_observed(), n_rows);
}

StateTable::StateTable(const NoisyOrNetwork& network, bool may_miss)
    : n_causes_(network.n_causes()),
      n_observed_(network.n_observed()),
      n_parts_(may_miss ? 2 : 1),
      n_chunks_(std::max(std::size_t{1}, (std::size_t{1} << n_causes_) / lanes)),
      rank_(n_causes_),
      terms_(n_chunks_ * n_terms() * lanes, 0),
      inverse_on_(n_chunks_ * n_observed_ * lanes, 0) {
  rank_causes(network);
  tabulate(network);
  add_up_fours();
}

/// What a silent row leaves open most rows leave open: such causes are tried both ways at once, as
/// the lanes of a chunk.
void StateTable::rank_causes(const NoisyOrNetwork& network) {
  std::vector<double> log_odds(n_causes_), log_quiet(n_causes_);
  double log_none = 0;
  for (std::size_t u = 0; u < n_causes_; ++u) {
    const double prior = kept_possible(network.causes()[u].prior);
    log_odds[u] = log_quiet[u] = std::log(prior) - std::log1p(-prior);
    log_none += std::log1p(-prior);
  }
  for (const Edge& edge : network.edges()) {
    log_quiet[edge.cause] += std::log(std::max(edge.failure, least_possible));
  }
  std::vector<std::size_t> order(n_causes_);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t u) { return log_quiet[u]; });
  std::fill_n(silent(0), lanes, -HUGE_VAL);  // states of causes that there are not
  *silent(0) = log_none;
  for (std::size_t rank = 0; rank < n_causes_; ++rank) {
    rank_[order[rank]] = rank;
    const std::size_t bit = std::size_t{1} << rank;
    for (std::size_t s = 0; s < bit; ++s) {
      silent((bit + s) / lanes)[(bit + s) % lanes] =
          silent(s / lanes)[s % lanes] + log_odds[order[rank]];
    }
  }
}

/// Variable by variable: states with cause u from those without. P(on) is a sum of positive terms:
/// nothing cancels. Where the cause is no parent the numbers are the same with it.
void StateTable::tabulate(const NoisyOrNetwork& network) {
  const std::size_t n_states = std::size_t{1} << n_causes_;
  std::vector<double> on(n_states), log_on(n_states), log_off(n_states);
  std::vector<double> failures(n_causes_ * n_observed_, 1);
  for (const Edge& edge : network.edges()) {
    failures[rank_[edge.cause] * n_observed_ + edge.observed] =
        std::max(edge.failure, least_possible);
  }
  for (std::size_t a = 0; a < n_observed_; ++a) {
    const double leak = kept_possible(network.observed()[a].leak);
    on[0] = leak;
    log_on[0] = std::log(leak);
    log_off[0] = std::log1p(-leak);
    for (std::size_t u = 0; u < n_causes_; ++u) {
      const double failure = failures[u * n_observed_ + a];
      const std::size_t bit = std::size_t{1} << u;
      if (failure == 1) {
        std::copy_n(on.data(), bit, on.data() + bit);
        std::copy_n(log_on.data(), bit, log_on.data() + bit);
        std::copy_n(log_off.data(), bit, log_off.data() + bit);
        continue;
      }
      const double log_failure = std::log(failure);
      for (std::size_t s = 0; s < bit; ++s) {
        on[bit + s] = on[s] + (1 - on[s]) * (1 - failure);
        log_on[bit + s] = std::log(on[bit + s]);
        log_off[bit + s] = log_off[s] + log_failure;
      }
    }
    for (std::size_t s = 0; s < n_states; ++s) {
      const std::size_t chunk = s / lanes;
      const std::size_t lane = s % lanes;
      silent(chunk)[lane] += log_off[s];
      inverse_on_[(chunk * n_observed_ + a) * lanes + lane] = 1 / on[s];
      term(chunk, 0, a)[lane] = log_on[s] - log_off[s];
      if (n_parts_ == 2) term(chunk, 1, a)[lane] = -log_off[s];
    }
  }
}

void StateTable::add_up_fours() {
  for (std::size_t i = 0; i < n_chunks_ * n_parts_ * n_fours(); ++i) {
    const std::size_t of_chunk = n_parts_ * n_fours();
    double* of_four = silent(i / of_chunk) + (1 + 16 * (i % of_chunk)) * lanes;
    for (std::size_t value = 3; value < 16; ++value) {
      const std::size_t rest = value & (value - 1);
      if (rest == 0) continue;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        of_four[value * lanes + lane] =
            of_four[rest * lanes + lane] + of_four[(value ^ rest) * lanes + lane];
      }
    }
  }
}

StateSumsKernels find_state_sums(kernels::Isa isa) {
#if defined(__x86_64__)
  if (isa == kernels::Isa::avx2) return state_sums_kernels_avx2();
  if (isa == kernels::Isa::avx512) return state_sums_kernels_avx512();
#endif
  return state_sums_kernels_baseline();
}

StateSums::StateSums(const StateTable& table, double tolerance)
    : StateSums(table, tolerance, find_state_sums(kernels::active().isa)) {}

StateSums::StateSums(const StateTable& table, double tolerance, const StateSumsKernels& kernels)
    : table_(&table),
      log_tolerance_(std::log(tolerance)),
      kernels_(kernels),
      weights_((table.n_chunks() + StateSumsArrays::batch) * StateTable::lanes),
      mass_(table.n_chunks() * table.n_columns() * StateTable::lanes, 0),
      mass_with_((std::bit_width(table.n_chunks())) * table.n_columns() * StateTable::lanes, 0),
      chunks_(table.n_chunks() + StateSumsArrays::batch),
      row_terms_(2 + table.n_parts() * table.n_fours()),
      row_columns_(table.n_columns()),
      open_(table.n_causes() * (table.n_causes() + 1)),
      used_(table.n_chunks(), 0),
      all_(table.n_columns(), 0),
      with_cause_(table.n_causes() * table.n_columns(), 0) {}

StateSumsArrays StateSums::arrays() {
  return {table_->n_causes(), table_->n_observed(), table_->n_parts(),    table_->n_chunks(),
          table_->n_terms(),  table_->terms(),      table_->inverse_on(), log_tolerance_,
          weights_.data(),    mass_.data(),         mass_with_.data(),    chunks_.data(),
          row_terms_.data(),  row_columns_.data(),  open_.data(),         used_.data(),
          all_.data(),        with_cause_.data()};
}

void StateSums::set_rows(std::span<const std::uint64_t> values,
                         std::span<const std::uint64_t> missing, std::size_t n_rows) {
  log_likelihood_ = kernels_.add_rows(arrays(), values.data(),
                                      missing.empty() ? nullptr : missing.data(), n_rows);
}

void StateSums::set_row(std::span<const std::uint64_t> values,
                        std::span<const std::uint64_t> missing) {
  log_likelihood_ =
      kernels_.find_row(arrays(), values.data(), missing.empty() ? nullptr : missing.data());
}

}  // namespace orrery::model
