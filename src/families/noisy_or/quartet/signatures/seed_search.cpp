// The search through seeds, a batch at a time (signature_search.hpp).
#include <algorithm>
#include <numeric>
#include <optional>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"
#include "parallel/ledger.hpp"

namespace orrery::quartet {
namespace {

/// Causes that were learned while a batch was worked on.
class Changes {
 public:
  void add(const Elected& cause) { causes_.push_back(&cause); }
  [[nodiscard]] bool any() const { return !causes_.empty(); }
  /// One of them couples the pair: what it explains was not subtracted.
  [[nodiscard]] bool touch(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::any_of(causes_, [&](const Elected* cause) {
      return cause->failures[a] < 1 && cause->failures[b] < 1;
    });
  }
  [[nodiscard]] bool touch(const std::vector<std::uint32_t>& variables) const {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (touch(variables[i], variables[j])) return true;
      }
    }
    return false;
  }

 private:
  std::vector<const Elected*> causes_;
};

class SeedSearch {
  static constexpr std::size_t stretch_seeds = 65'536;

 public:
  SeedSearch(std::span<const Pair> seeds, const PairResiduals& residuals,
             PairSignatures& signatures, const SeedCalls& calls, SeedPlace& place)
      : seeds_(seeds),
        residuals_(residuals),
        signatures_(signatures),
        calls_(calls),
        place_(place),
        unexplained_by_(seeds.size(), unknown),
        most_ahead_(std::clamp(signatures.most() / constants::signatures::seeds_at_once / 8,
                               std::size_t{1}, constants::signatures::batches_at_once)) {}

  /// Goes on by the next batch or several; false if there is none left.
  bool go_on(SignatureSearch& search) {
    const std::vector<Batch> batches = next_batches();
    std::vector<Pair> pairs;
    for (const Batch& batch : batches) {
      for (const std::uint32_t i : batch.seeds) pairs.push_back(seeds_[i]);
    }
    if (pairs.empty()) return false;
    signatures_.trim();
    const std::vector<FoundCause> found = search.causes_of(pairs);
    auto next = found.begin();
    for (const Batch& batch : batches) {
      if (!are_open(batch.seeds)) return true;  // the round has ended meanwhile
      place_ = batch.place;
      const auto n = static_cast<std::ptrdiff_t>(batch.seeds.size());
      const bool any = learn_from(batch.seeds, {next, next + n});
      calls_.pause();
      n_ahead_ = any ? std::max(n_ahead_ / 2, std::size_t{1}) : std::min(2 * n_ahead_, most_ahead_);
      if (any) return true;  // the others of these batches were searched for in vain
      next += n;
    }
    return true;
  }

 private:
  struct Batch {
    std::vector<std::uint32_t> seeds;  // ascending
    SeedPlace place;                   // without these seeds
  };

  /// Those that come one after the other if no seed of theirs becomes a cause.
  std::vector<Batch> next_batches() {
    std::vector<Batch> batches;
    SeedPlace place = place_;
    while (batches.size() < n_ahead_) {
      std::vector<std::uint32_t> seeds = take_batch(place);
      if (seeds.empty()) break;
      batches.push_back({seeds, place});
      for (const std::uint32_t i : seeds) fail(seeds_[i], place);
    }
    if (batches.empty()) place_ = std::move(place);
    return batches;
  }

  std::vector<std::uint32_t> take_batch(SeedPlace& place) {
    std::vector<std::uint32_t> batch;
    std::vector<std::uint32_t> waiting;
    const auto consider = [&](std::uint32_t i) {
      if (!may_be_open(i) || !is_open(i, place)) return;
      if (batch.size() < constants::signatures::seeds_at_once && stands_apart(seeds_[i], batch)) {
        batch.push_back(i);
      } else {
        waiting.push_back(i);
      }
    };
    for (const std::uint32_t i : place.waiting) consider(i);
    while (place.next < seeds_.size() && batch.size() < constants::signatures::seeds_at_once &&
           waiting.size() < constants::signatures::most_waiting_seeds) {
      consider(static_cast<std::uint32_t>(place.next++));
    }
    place.waiting = std::move(waiting);
    return batch;
  }

  /// True if any became a cause. `place_` is that of the batch, and is whole afterwards.
  bool learn_from(const std::vector<std::uint32_t>& batch, std::span<const FoundCause> found) {
    Changes changes;
    std::vector<std::uint32_t> again;
    for (std::size_t k = 0; k < batch.size(); ++k) {
      if (changes.touch(found[k].members)) {
        again.push_back(batch[k]);
      } else if (found[k].cause && calls_.learn(*found[k].cause)) {
        changes.add(*found[k].cause);
        signatures_.forget();
      } else {
        fail(seeds_[batch[k]], place_);
      }
    }
    std::vector<std::uint32_t> waiting;
    std::ranges::merge(again, place_.waiting, std::back_inserter(waiting));
    place_.waiting = std::move(waiting);
    return changes.any();
  }

  static void fail(const Pair& seed, SeedPlace& place) {
    for (const std::uint32_t a : seed) ++place.failed[a];
  }
  [[nodiscard]] bool is_open(std::uint32_t i, const SeedPlace& place) {
    const auto [a, b] = seeds_[i];
    return std::max(place.failed[a], place.failed[b]) <= constants::signatures::patience &&
           calls_.is_open(seeds_[i]) && is_unexplained(i);
  }
  [[nodiscard]] bool is_unexplained(std::uint32_t i) {
    if (unexplained_by_[i] == n_learned()) return true;
    const auto [a, b] = seeds_[i];
    if (!residuals_.unexplained(a, b, constants::signatures::least_seed_share)) return false;
    unexplained_by_[i] = n_learned();
    return true;
  }
  [[nodiscard]] std::uint32_t n_learned() const {
    return static_cast<std::uint32_t>(residuals_.learned().n_causes());
  }
  /// False for seeds that all ranks together found closed when the first of a stretch of them came
  /// up: they stay so, as causes that are learned since can only explain more. Collective.
  [[nodiscard]] bool may_be_open(std::uint32_t i) {
    const std::size_t stretch = i / stretch_seeds;
    if (open_.size() <= stretch) open_.resize(stretch + 1);
    if (open_[stretch].empty()) open_[stretch] = open_of(stretch * stretch_seeds);
    return (open_[stretch][i % stretch_seeds / 64] >> (i % 64) & 1U) != 0;
  }
  /// Those of a stretch: a bit for each.
  [[nodiscard]] std::vector<std::uint64_t> open_of(std::size_t first) {
    std::vector<std::uint64_t> open(stretch_seeds / 64, 0);
    const parallel::Team::Part own = signatures_.team().part_of(open.size());
    {
      const parallel::SharedTime time(signatures_.threads());
#pragma omp parallel for num_threads(signatures_.threads()) schedule(static)
      for (std::size_t w = own.begin; w < own.end; ++w) {
        for (std::size_t i = first + 64 * w; i < std::min(first + 64 * (w + 1), seeds_.size());
             ++i) {
          if (is_open(static_cast<std::uint32_t>(i), place_))
            open[w] |= std::uint64_t{1} << (i % 64);
        }
      }
    }
    signatures_.team().sum_words(open);
    data::for_each_bit(open, [&](std::size_t i) { unexplained_by_[first + i] = n_learned(); });
    return open;
  }
  [[nodiscard]] bool are_open(const std::vector<std::uint32_t>& batch) const {
    return std::ranges::all_of(batch, [&](std::uint32_t i) { return calls_.is_open(seeds_[i]); });
  }
  /// Nothing couples it with a seed of the batch that is not known yet: they may be of one cause.
  [[nodiscard]] bool stands_apart(const Pair& seed, const std::vector<std::uint32_t>& batch) const {
    return std::ranges::none_of(batch, [&](std::uint32_t i) {
      for (const std::uint32_t a : seeds_[i]) {
        for (const std::uint32_t b : seed) {
          if (a == b) return true;
          if (residuals_.may_be_unexplained(a, b) &&  // most go here
              residuals_.unexplained(a, b, constants::signatures::least_seed_share))
            return true;
        }
      }
      return false;
    });
  }

  std::span<const Pair> seeds_;
  const PairResiduals& residuals_;
  PairSignatures& signatures_;
  const SeedCalls& calls_;
  SeedPlace& place_;
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::uint32_t> unexplained_by_;     // of each seed: so many learned causes
  std::vector<std::vector<std::uint64_t>> open_;  // by stretch; empty: not asked for yet
  std::size_t most_ahead_;
  std::size_t n_ahead_ = 1;
};

}  // namespace

bool is_barren(const State& state) {
  if (state.n_refined == 0) return false;
  const std::size_t n_new = state.causes.size() - state.n_before;
  const std::vector<std::uint32_t>& failed = state.seeds.failed;
  // Each seed that failed is counted for both of its variables.
  const std::size_t n_failed = std::reduce(failed.begin(), failed.end(), std::size_t{0}) / 2;
  return n_failed >= (1 + n_new) * std::max(constants::signatures::barren_seeds, failed.size());
}

void search_seeds(std::span<const Pair> seeds, const PairResiduals& residuals,
                  PairSignatures& signatures, const SeedCalls& calls, SeedPlace& place) {
  SignatureSearch search(residuals, signatures);
  SeedSearch batches(seeds, residuals, signatures, calls, place);
  calls.pause();
  while (batches.go_on(search)) {
  }
}

}  // namespace orrery::quartet
