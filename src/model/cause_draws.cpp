#include "model/cause_draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "model/cause_chain.hpp"
#include "model/cause_sums.hpp"
#include "model/row_findings.hpp"

namespace orrery::model {
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
