#include "families/noisy_or/quartet/scan/found.hpp"

#include <algorithm>
#include <utility>

namespace orrery::quartet {

void keep_best(std::vector<Candidate>& candidates, std::size_t n) {
  if (candidates.size() <= n) return;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(n - 1),
                   candidates.end());
  candidates.resize(n);
}

bool Found::accept(const Candidate& candidate) {
  ++result_.n_accepted;
  result_.candidates.push_back(candidate);
  if (result_.candidates.size() < 2 * most_candidates_) return false;
  keep_best(result_.candidates, most_candidates_);
  bar_ = result_.candidates.back().statistic;  // nth_element leaves the worst of the best last
  return true;
}

void Found::forget(const PairBlock& block, const Counts& before) {
  // What was put aside for being worse than these stays aside: they will all be found again.
  std::erase_if(result_.candidates, [&](const Candidate& candidate) {
    const auto [a, b, c, d] = candidate.members;
    return a >= block.first_a && a < block.last_a && b >= block.first_b && b < block.last_b;
  });
  result_.n_pretested = before.n_pretested;
  result_.n_accepted = before.n_accepted;
}

ScanResult Found::take() {
  keep_best(result_.candidates, most_candidates_);
  return std::exchange(result_, {});
}

}  // namespace orrery::quartet
