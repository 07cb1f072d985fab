#include "model/cause_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "base/random.hpp"
#include "model/cause_chain.hpp"
#include "model/cause_sums.hpp"
#include "model/row_findings.hpp"

namespace orrery::model {
namespace {

/// Those that are on, known ones among them.
std::vector<std::uint32_t> present_in(const RowFindings& row,
                                      std::span<const std::uint8_t> values) {
  std::vector<std::uint32_t> present;
  for (std::uint32_t i = 0; i < row.network().n_causes(); ++i) {
    if (row.state(i) == CauseState::on) present.push_back(i);
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != 0) present.push_back(row.free()[k]);
  }
  std::ranges::sort(present);
  return present;
}

/// States that agree with `fixed`, and the best of them.
struct Part {
  double log_joint = 0;
  std::vector<std::uint8_t> values;
  std::vector<CauseState> fixed;
  /// The less probable part comes later; of equals the one with the larger numbers.
  bool operator<(const Part& other) const {
    return log_joint != other.log_joint ? log_joint < other.log_joint
                                        : EarlierState()(other.values, values);
  }
};

}  // namespace

std::optional<std::vector<Explanation>> best_states(const RowFindings& row, std::size_t n,
                                                    double log_evidence, double max_work) {
  CauseSums sums;
  sums.plan(row, CauseSums::Form::tables);
  const std::size_t n_free = row.free().size();
  const double n_searches = n <= 1 ? 1 : static_cast<double>(n * n_free);
  if (!(n_searches * sums.work() <= max_work)) return std::nullopt;
  std::priority_queue<Part> parts;
  const auto search = [&](std::vector<CauseState> fixed) {
    Part part{0, std::vector<std::uint8_t>(n_free), std::move(fixed)};
    part.log_joint = sums.find_best(part.fixed, part.values);
    if (!std::isinf(part.log_joint)) parts.push(std::move(part));
  };
  search(std::vector<CauseState>(n_free, CauseState::unknown));
  std::vector<Explanation> found;
  while (found.size() < n && !parts.empty()) {
    const Part best = parts.top();
    parts.pop();
    found.push_back({best.log_joint - log_evidence, present_in(row, best.values), true});
    if (found.size() == n) break;
    // The others of this part: those that first differ from its best at cause k, for each k.
    std::vector<CauseState> fixed = best.fixed;
    for (std::size_t k = 0; k < n_free; ++k) {
      if (fixed[k] != CauseState::unknown) continue;
      fixed[k] = best.values[k] != 0 ? CauseState::off : CauseState::on;
      search(fixed);
      fixed[k] = best.values[k] != 0 ? CauseState::on : CauseState::off;
    }
  }
  return found;
}

void MetStates::add(const CauseChain& chain) {
  std::vector<std::uint8_t> state(chain.values().begin(), chain.values().end());
  if (states_.size() < most) states_.try_emplace(std::move(state), chain.log_joint());
}

void MetStates::meet(CauseChain& chain) {
  const std::vector<std::uint8_t> here(chain.values().begin(), chain.values().end());
  if (states_.contains(here)) return;
  add(chain);
  chain.climb();
  add(chain);
  chain.move_to(here);
}

std::vector<MetStates::States::const_iterator> MetStates::sorted() const {
  std::vector<States::const_iterator> order;
  for (auto it = states_.begin(); it != states_.end(); ++it) order.push_back(it);
  std::ranges::stable_sort(order,
                           [](const auto& a, const auto& b) { return a->second > b->second; });
  return order;
}

const std::vector<std::uint8_t>& MetStates::best() const { return sorted().front()->first; }
double MetStates::best_log_joint() const { return sorted().front()->second; }

std::vector<Explanation> MetStates::explain(const RowFindings& row, std::size_t n,
                                            double log_evidence, bool exact) const {
  const auto order = sorted();
  double met = 0;
  for (const auto& state : order) met += std::exp(state->second - log_evidence);
  std::vector<Explanation> found;
  for (std::size_t i = 0; i < std::min(n, order.size()); ++i) {
    const double log_probability = order[i]->second - log_evidence;
    // A state that was not met has at most what those met leave.
    const bool proven = exact && std::exp(log_probability) > std::max(0.0, 1 - met) + 1e-9;
    found.push_back({log_probability, present_in(row, order[i]->first), proven});
  }
  return found;
}

namespace {

using Kind = CausePosterior::Contradiction::Kind;

/// Seeds of different rounds have nothing in common: 2^64 divided by the golden ratio.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t round) {
  return seed + 0x9E3779B97F4A7C15U * (round + 1);
}

}  // namespace

struct CauseDraws::State {
  CauseDrawOptions options;
  RowFindings row;
  CauseSums sums;
  CauseChain chain;
  RowRandom random{0, Stream::inference, 0};
  bool is_exact = true;
  std::vector<std::uint8_t> free;  // values of the free causes
  std::optional<CausePosterior::Contradiction> contradiction;

  State(const PreparedAnchored& network, const CauseDrawOptions& with)
      : options(with), row(network) {}
  [[nodiscard]] bool begin_chain(std::span<const std::uint8_t> state);
};

CauseDraws::CauseDraws(const PreparedAnchored& network, const CauseDrawOptions& options)
    : state_(std::make_unique<State>(network, options)) {}
CauseDraws::CauseDraws(CauseDraws&&) noexcept = default;
CauseDraws& CauseDraws::operator=(CauseDraws&&) noexcept = default;
CauseDraws::~CauseDraws() = default;

bool CauseDraws::read(std::uint64_t row, std::uint64_t round, std::span<const std::uint64_t> values,
                      std::span<const std::uint64_t> missing, std::span<const CauseState> known,
                      std::span<const std::uint8_t> state) {
  State& s = *state_;
  s.row.read(values, missing, known);
  s.contradiction = s.row.contradiction();
  if (s.contradiction) return false;
  s.random = RowRandom(seed_of(s.options.seed, round), Stream::inference, row);
  s.free.assign(s.row.free().size(), 0);
  s.is_exact = false;
  if (s.options.exact_work > 0) s.sums.plan(s.row);
  if (s.options.exact_work > 0 && s.sums.work() <= s.options.exact_work) {
    s.is_exact = true;
    s.sums.run();
    if (!std::isinf(s.sums.log_evidence())) return true;
    s.contradiction = {Kind::causes_together, 0, 0};
    return false;
  }
  if (s.begin_chain(state)) return true;
  s.contradiction = {Kind::none_found, 0, 0};
  return false;
}

bool CauseDraws::State::begin_chain(std::span<const std::uint8_t> state) {
  chain.read(row);
  for (std::size_t k = 0; k < free.size(); ++k) {
    free[k] = state.empty() ? static_cast<std::uint8_t>(random.bernoulli(.5) ? 1 : 0)
                            : state[row.free()[k]];
  }
  chain.start(free);
  // A state that was possible may be so no more where a probability has become 0.
  if (!state.empty() && chain.is_possible()) return true;
  return chain.settle(options.burn_in, random);
}

void CauseDraws::draw(std::span<std::uint8_t> state) {
  State& s = *state_;
  if (s.is_exact) {
    s.sums.draw([&] { return s.random.uniform(); }, s.free);
  } else {
    s.chain.sweep(s.random);
    std::ranges::copy(s.chain.values(), s.free.begin());
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    state[i] = s.row.state(i) == CauseState::on ? 1 : 0;
  }
  for (std::size_t k = 0; k < s.free.size(); ++k) state[s.row.free()[k]] = s.free[k];
}

bool CauseDraws::is_exact() const noexcept { return state_->is_exact; }
double CauseDraws::log_evidence() const noexcept {
  return state_->is_exact ? state_->sums.log_evidence() : std::numeric_limits<double>::quiet_NaN();
}
const std::optional<CausePosterior::Contradiction>& CauseDraws::contradiction() const noexcept {
  return state_->contradiction;
}

}  // namespace orrery::model
