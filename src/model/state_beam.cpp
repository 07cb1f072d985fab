#include "model/state_beam.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace orrery::model {
namespace {

constexpr double nothing_forgotten = -1e30;
// The states that a row has met stand in a table of 2^few_slots slots, which stays in the nearest
// cache, and once most of these are taken in one of 2^many_slots.
constexpr unsigned few_slots = 9;
constexpr unsigned many_slots = 12;
constexpr std::size_t most_met_of(unsigned log_slots) {
  return (std::size_t{1} << log_slots) * 3 / 4;
}
constexpr std::uint64_t taken_bit = std::uint64_t{1}
                                    << most_beam_causes;  // the bit that no cause has
constexpr std::size_t many_states = 256;
constexpr std::size_t most_states = 1024;
constexpr double least_share = 1e-3;

constexpr std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }

std::size_t slot_of(std::uint64_t causes, unsigned log_slots) {
  return static_cast<std::size_t>((causes * 0x9E3779B97F4A7C15ULL) >> (64U - log_slots));
}

// Shares are sorted into classes, eight for each factor of two below 1, the largest share; the last
// class has all that are lighter.
constexpr unsigned class_bits = 3;
constexpr std::size_t n_classes = 128;

std::size_t class_of(double share) {
  const std::uint64_t below =
      std::bit_cast<std::uint64_t>(1.0) - std::bit_cast<std::uint64_t>(share);
  return std::min<std::size_t>(below >> (52U - class_bits), n_classes - 1);
}

}  // namespace

RowKernels find_row_kernels(kernels::Isa isa) {
#if defined(__x86_64__)
  if (isa == kernels::Isa::avx2) return row_kernels_avx2();
  if (isa == kernels::Isa::avx512) return row_kernels_avx512();
#endif
  return row_kernels_baseline();
}

Beam::Beam(const BeamNetwork& network, const BeamOptions& options)
    : network_(network),
      options_(options),
      kernels_(find_row_kernels(kernels::active().isa)),
      quiet_on_(padded(network.n_observed_)),
      failure_on_(padded(network.n_observed_) * network.n_causes_),
      off_(padded(network.n_observed_)),
      field_(network.width_),
      gains_(network.width_),
      slots_(std::size_t{1} << many_slots, 0),
      taken_slots_(most_met_of(many_slots)) {}

void Beam::list(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing) {
  const auto collect = [](std::span<const std::uint64_t> words, std::vector<std::uint32_t>& to) {
    to.clear();
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
        to.push_back(static_cast<std::uint32_t>(64 * w) +
                     static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  };
  collect(values, on_);
  collect(missing, missing_);
}

/// What is on, side by side for each of the causes.
void Beam::pack(std::uint64_t causes) {
  stride_ = padded(on_.size());
  const auto fill = [&](double* to, double padding, const auto& value_of) {
    for (std::size_t j = 0; j < on_.size(); ++j) to[j] = value_of(on_[j]);
    std::fill(to + on_.size(), to + stride_, padding);
  };
  fill(quiet_on_.data(), 0, [&](std::uint32_t a) { return network_.quiet_[a]; });
  for (std::uint64_t rest = causes; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    fill(failure_on_.data() + c * stride_, 1,
         [&](std::uint32_t a) { return network_.failure_[a * network_.width_ + c]; });
  }
}

RowArrays Beam::arrays() const {
  return {on_.size(),
          stride_,
          network_.n_causes_,
          network_.width_,
          on_.data(),
          quiet_on_.data(),
          failure_on_.data(),
          network_.failure_.data(),
          network_.inverse_.data(),
          field_.data(),
          network_.coupling_.data()};
}

void Beam::clear_slots() {
  for (std::size_t i = 0; i < n_met_; ++i) slots_[taken_slots_[i]] = 0;
  n_met_ = 0;
}

/// True if the row has not met the state before.
inline bool Beam::meet(std::uint64_t causes) {
  const std::size_t mask = (std::size_t{1} << log_slots_) - 1;
  std::size_t slot = slot_of(causes, log_slots_);
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if (slots_[slot] == (causes | taken_bit)) return false;
  }
  if (n_met_ == most_met_) return meet_more(causes);
  slots_[slot] = causes | taken_bit;
  taken_slots_[n_met_++] = static_cast<std::uint32_t>(slot);
  return true;
}

/// The same of a new state where the slots are as full as they may be.
bool Beam::meet_more(std::uint64_t causes) {
  if (log_slots_ == many_slots) {
    truncated_ = true;
    return false;
  }
  std::vector<std::uint64_t> met;
  for (std::size_t i = 0; i < n_met_; ++i) met.push_back(slots_[taken_slots_[i]] & ~taken_bit);
  clear_slots();
  log_slots_ = many_slots;
  most_met_ = most_met_of(many_slots);
  for (const std::uint64_t state : met) meet(state);
  return meet(causes);
}

void Beam::open(std::uint64_t causes, double log_weight) {
  ++n_opened_;
  kernels_.open(arrays(), causes, off_.data(), gains_.data());
  add_triples(causes);
  double best = states_[best_].log_weight;
  // Whose flip may be kept: a few, at places that cannot be predicted.
  std::uint64_t heavy =
      kernels_.find_heavy(gains_.data(), network_.width_, log_weight, best - options_.keep) &
      ((std::uint64_t{1} << network_.n_causes_) - 1);
  for (; heavy != 0; heavy &= heavy - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(heavy));
    const double weight = log_weight + gains_[c];
    if (weight < best - options_.keep) continue;
    const std::uint64_t flipped = causes ^ (std::uint64_t{1} << c);
    if (!meet(flipped)) continue;
    if (weight >= best - options_.open) {
      to_open_.push_back({weight, static_cast<std::uint32_t>(states_.size())});
      std::ranges::push_heap(to_open_);
    }
    states_.push_back({flipped, weight, false});
    if (weight > best) {
      best = weight;
      best_ = states_.size() - 1;
    }
  }
}

void Beam::add_triples(std::uint64_t causes) {
  const auto is_on = [causes](std::uint32_t c) { return ((causes >> c) & 1U) != 0; };
  for (const BeamNetwork::Triple& triple : network_.triples_) {
    const auto [a, b, c] = triple.causes;
    const auto flip = [&](std::uint32_t one, std::uint32_t other, std::uint32_t third) {
      if (is_on(other) && is_on(third))
        gains_[one] += is_on(one) ? -triple.log_weight : triple.log_weight;
    };
    flip(a, b, c);
    flip(b, a, c);
    flip(c, a, b);
  }
}

/// Those that the heaviest has left behind make room. Under the same heaviest state there are none
/// but those that were met before it.
void Beam::forget_light() {
  const State heaviest = states_[best_];
  if (heaviest.log_weight == forgot_below_) return;
  forgot_below_ = heaviest.log_weight;
  std::erase_if(states_, [&](const State& state) {
    return state.log_weight < heaviest.log_weight - options_.keep;
  });
  const auto place = std::ranges::find(states_, heaviest.causes, &State::causes);
  best_ = static_cast<std::size_t>(place - states_.begin());
  to_open_.clear();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].opened && states_[i].log_weight >= heaviest.log_weight - options_.open) {
      to_open_.push_back({states_[i].log_weight, static_cast<std::uint32_t>(i)});
    }
  }
  std::ranges::make_heap(to_open_);
}

/// The heaviest that may be opened; of equals the one met last.
std::optional<std::size_t> Beam::take_next() {
  if (to_open_.empty() || to_open_.front().log_weight < states_[best_].log_weight - options_.open) {
    return std::nullopt;
  }
  std::ranges::pop_heap(to_open_);
  const std::size_t place = to_open_.back().place;
  to_open_.pop_back();
  return place;
}

void Beam::open_best_first() {
  for (;;) {
    if (states_.size() > many_states) forget_light();
    if (states_.size() > most_states) {
      truncated_ = true;
      return;
    }
    const std::optional<std::size_t> next = take_next();
    if (!next) return;
    if (n_opened_ >=
        options_.most_opened + static_cast<std::size_t>(std::popcount(states_[best_].causes))) {
      truncated_ = true;
      return;
    }
    states_[*next].opened = true;
    open(states_[*next].causes, states_[*next].log_weight);
  }
}

/// True if that has led to a heavier state.
bool Beam::open_swaps() {
  const State heaviest = states_[best_];
  if (std::popcount(heaviest.causes) < 1) return false;
  // Its gains once more: those of the states without one of its causes.
  open(heaviest.causes, heaviest.log_weight);
  const std::vector<double> gains(gains_.begin(), gains_.end());
  for (std::uint64_t rest = heaviest.causes; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(std::countr_zero(rest));
    if (gains[c] > -options_.open) continue;  // has been opened
    open(heaviest.causes ^ (std::uint64_t{1} << c), heaviest.log_weight + gains[c]);
  }
  return states_[best_].log_weight > heaviest.log_weight;
}

void Beam::begin(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                 std::uint64_t causes) {
  list(values, missing);
  pack(causes);
  truncated_ = false;
  log_share_kept_ = 0;
  const std::size_t width = network_.width_;
  log_silent_ = network_.log_empty_;
  std::ranges::copy(network_.field_, field_.begin());
  const auto take_out = [&](std::uint32_t a) {
    log_silent_ -= network_.log_quiet_[a];
    const double* log_failure = network_.log_failure_.data() + a * width;
    for (std::size_t c = 0; c < width; ++c) field_[c] -= log_failure[c];
  };
  for (const std::uint32_t a : on_) take_out(a);
  for (const std::uint32_t a : missing_) take_out(a);
}

/// The share that the states which are kept have of the likelihood of all that were met.
double Beam::search(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing) {
  begin(values, missing, (std::uint64_t{1} << network_.n_causes_) - 1);
  follows_ = false;
  clear_slots();
  log_slots_ = few_slots;
  most_met_ = most_met_of(few_slots);
  n_opened_ = 0;
  best_ = 0;
  forgot_below_ = nothing_forgotten;
  double log_empty = log_silent_;
  for (const std::uint32_t a : on_) log_empty += network_.log_leak_[a];
  states_.clear();
  states_.push_back({0, log_empty, false});
  to_open_.assign(1, {log_empty, 0});
  meet(0);
  do open_best_first();
  while (open_swaps() && !truncated_);
  return keep_heaviest();
}

void Beam::evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing) {
  search(values, missing);
}

void Beam::evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                    BeamStates& found) {
  const double share_kept = search(values, missing);
  if (found.add(states_)) log_share_kept_ = std::log(share_kept);
}

void Beam::follow(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                  const BeamStates& found, std::size_t r) {
  found.read(r, followed_);
  if (followed_.empty()) return evaluate(values, missing);
  std::uint64_t any = 0;
  for (const std::uint64_t causes : followed_) any |= causes;
  begin(values, missing, any);
  follows_ = true;
  const std::size_t n = followed_.size();
  off_.resize(std::max(off_.size(), n * stride_));
  log_weights_.assign(padded(n), log_silent_);
  shares_.resize(std::max(shares_.size(), padded(n)));
  for (const BeamNetwork::Triple& triple : network_.triples_) {
    const auto [a, b, c] = triple.causes;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t state = followed_[i];
      if (((state >> a) & (state >> b) & (state >> c) & 1U) != 0)
        log_weights_[i] += triple.log_weight;
    }
  }
  kernels_.weigh(arrays(), followed_.data(), n, off_.data(), log_weights_.data());
  const double heaviest = *std::max_element(log_weights_.begin(),
                                            log_weights_.begin() + static_cast<std::ptrdiff_t>(n));
  const double total = kernels_.find_shares(log_weights_.data(), n, heaviest, shares_.data());
  log_likelihood_ = heaviest + std::log(total);
  states_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    states_.push_back({followed_[i], log_weights_[i], true, shares_[i] / total});
  }
}

void Beam::add_share(std::size_t i, double weight, double* inverse, double* shared) {
  const RowArrays row = arrays();
  const State& state = states_[i];
  double* off = off_.data() + (follows_ ? i * stride_ : 0);
  if (!follows_) kernels_.find_off(row, state.causes, off);
  kernels_.add_share(row, state.causes, weight * state.share, off, inverse, shared);
}

/// The heaviest of the states, `most_kept` at most, by their shares: sorted into classes, and
/// within these one by one. A row has met some hundred states, at places that cannot be predicted.
void Beam::sort_heaviest() {
  // Of each class; at first its size, in the place of the class after it, then its beginning.
  std::array<std::uint16_t, n_classes + 1> end{};
  for (const State& state : states_) ++end[class_of(state.share) + 1];
  for (std::size_t k = 1; k < end.size(); ++k)
    end[k] = static_cast<std::uint16_t>(end[k] + end[k - 1]);
  sorted_.resize(states_.size());
  for (const State& state : states_) sorted_[end[class_of(state.share)]++] = state;
  const auto before = [](const State& x, const State& y) {
    return x.share != y.share ? x.share > y.share : x.causes < y.causes;
  };
  // All of a class that has one of the heaviest.
  std::size_t n = std::min(states_.size(), options_.most_kept);
  if (n > 0) n = end[class_of(sorted_[n - 1].share)];
  for (std::size_t i = 1; i < n; ++i) {
    const State state = sorted_[i];
    std::size_t place = i;
    for (; place > 0 && before(state, sorted_[place - 1]); --place)
      sorted_[place] = sorted_[place - 1];
    sorted_[place] = state;
  }
  sorted_.resize(std::min(n, options_.most_kept));
  states_.swap(sorted_);
}

/// Of what has been met; the sum of all tells the row's likelihood. Returns the share of what is
/// kept.
double Beam::keep_heaviest() {
  const double heaviest = states_[best_].log_weight;
  double total = 0;
  for (State& state : states_) {
    state.share = std::exp(state.log_weight - heaviest);
    total += state.share;
  }
  log_likelihood_ = heaviest + std::log(total);
  sort_heaviest();
  double kept = 0;
  for (const State& state : states_) kept += state.share;
  while (states_.back().share < least_share * kept) {
    kept -= states_.back().share;
    states_.pop_back();
  }
  for (State& state : states_) state.share /= kept;
  return kept / total;
}

bool BeamStates::add(std::span<const Beam::State> states) {
  const bool has_room = bytes_.size() + states.size() * bytes_per_state_ <= most_bytes_;
  if (has_room) {
    for (const Beam::State& state : states) {
      for (std::size_t i = 0; i < bytes_per_state_; ++i)
        bytes_.push_back(static_cast<std::uint8_t>((state.causes >> (8 * i)) & 0xFFU));
    }
  }
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  return has_room;
}

void BeamStates::read(std::size_t r, std::vector<std::uint64_t>& causes) const {
  causes.clear();
  if (r + 1 >= ends_.size()) return;
  for (std::size_t at = ends_[r]; at < ends_[r + 1]; at += bytes_per_state_) {
    std::uint64_t state = 0;
    for (std::size_t i = 0; i < bytes_per_state_; ++i)
      state |= std::uint64_t{bytes_[at + i]} << (8 * i);
    causes.push_back(state);
  }
}

}  // namespace orrery::model
