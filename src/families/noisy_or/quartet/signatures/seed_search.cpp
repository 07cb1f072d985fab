// The search through seeds, a batch at a time (signature_search.hpp).
#include <algorithm>
#include <numeric>
#include <optional>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"

namespace orrery::quartet {
namespace {

/// Causes that were learned while a batch was worked on.
class Changes {
 public:
  void add(const Elected& cause) { causes_.push_back(&cause); }
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
 public:
  SeedSearch(std::span<const Pair> seeds, const PairResiduals& residuals,
             PairSignatures& signatures, const SeedCalls& calls, SeedPlace& place)
      : seeds_(seeds),
        residuals_(residuals),
        signatures_(signatures),
        calls_(calls),
        place_(place) {}

  /// False if there is none left.
  bool next_batch() {
    batch_.clear();
    std::vector<std::uint32_t> waiting;
    const auto consider = [&](std::uint32_t i) {
      if (!is_open(seeds_[i])) return;
      if (batch_.size() < constants::signatures::seeds_at_once && stands_apart(seeds_[i])) {
        batch_.push_back(i);
      } else {
        waiting.push_back(i);
      }
    };
    for (const std::uint32_t i : place_.waiting) consider(i);
    while (place_.next < seeds_.size() && batch_.size() < constants::signatures::seeds_at_once &&
           waiting.size() < constants::signatures::most_waiting_seeds) {
      consider(static_cast<std::uint32_t>(place_.next++));
    }
    place_.waiting = std::move(waiting);
    return !batch_.empty();
  }

  void search_batch(SignatureSearch& search) {
    std::vector<Pair> pairs;
    for (const std::uint32_t i : batch_) pairs.push_back(seeds_[i]);
    signatures_.trim();
    const std::vector<FoundCause> found = search.causes_of(pairs);
    Changes changes;
    std::vector<std::uint32_t> again;
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      const auto [a, b] = pairs[k];
      if (changes.touch(found[k].members)) {
        again.push_back(batch_[k]);
      } else if (found[k].cause && calls_.learn(*found[k].cause)) {
        changes.add(*found[k].cause);
        signatures_.forget();
      } else {
        ++place_.failed[a];
        ++place_.failed[b];
      }
    }
    std::vector<std::uint32_t> waiting;
    std::ranges::merge(again, place_.waiting, std::back_inserter(waiting));
    place_.waiting = std::move(waiting);
  }

 private:
  [[nodiscard]] bool is_open(const Pair& seed) const {
    const auto [a, b] = seed;
    return std::max(place_.failed[a], place_.failed[b]) <= constants::signatures::patience &&
           calls_.is_open(seed) &&
           residuals_.unexplained(a, b, constants::signatures::least_seed_share);
  }
  /// Nothing couples it with a seed of the batch that is not known yet: they may be of one cause.
  [[nodiscard]] bool stands_apart(const Pair& seed) const {
    return std::ranges::none_of(batch_, [&](std::uint32_t i) {
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
  std::vector<std::uint32_t> batch_;  // ascending
};

}  // namespace

bool is_barren(const State& state) {
  if (state.n_refined == 0 || state.causes.size() > state.n_before) return false;
  const std::vector<std::uint32_t>& failed = state.seeds.failed;
  // Each seed that failed is counted for both of its variables.
  const std::size_t n_failed = std::reduce(failed.begin(), failed.end(), std::size_t{0}) / 2;
  return n_failed >= std::max(constants::signatures::barren_seeds, failed.size());
}

void search_seeds(std::span<const Pair> seeds, const PairResiduals& residuals,
                  PairSignatures& signatures, const SeedCalls& calls, SeedPlace& place) {
  SignatureSearch search(residuals, signatures);
  SeedSearch batches(seeds, residuals, signatures, calls, place);
  for (calls.pause(); batches.next_batch(); calls.pause()) batches.search_batch(search);
}

}  // namespace orrery::quartet
