// Signatures cost 8 m N bit operations for eight pairs, shared by ranks and threads; pairs x m
// bits.
//
// Of the vote: child sets are hashed first: most voters of a cause name the same one. Then the set
// with most votes leads; those with a Jaccard index of 0.7 or more to it follow; a variable is a
// child if most of them name it. Candidates with three or more members among the elected children
// are spent.
#include "families/noisy_or/quartet/calibrated/vote.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {
namespace {

using Pair = std::array<std::uint32_t, 2>;
constexpr std::size_t pairs_per_unit = 8;      // counted in one pass: see triples_of_pairs
constexpr std::size_t pairs_at_a_time = 4096;  // bounds what a source counts ahead

/// Every pair within a candidate, rising, at all ranks.
std::vector<Pair> pairs_within(const parallel::Team& team, std::span<const Candidate> candidates,
                               std::size_t m) {
  std::vector<Pair> pairs;
  if (team.is_root()) {
    std::vector<bool> used(m * m, false);
    for (const Candidate& candidate : candidates) {
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
          used[candidate.members[i] * m + candidate.members[j]] = true;
        }
      }
    }
    for (std::uint32_t a = 0; a < m; ++a) {
      for (std::uint32_t b = a + 1; b < m; ++b) {
        if (used[a * m + b]) pairs.push_back({a, b});
      }
    }
  }
  team.broadcast(pairs);
  return pairs;
}

}  // namespace

Signatures::Signatures(const parallel::Team& team, int threads,
                       const moments::MomentSource& moments, const Calibration& calibration,
                       std::span<const Candidate> candidates)
    : m_(moments.n_observed()), words_((m_ + 63) / 64), row_of_(m_ * m_, 0) {
  const std::vector<Pair> pairs = pairs_within(team, candidates, m_);
  bits_.assign(pairs.size() * words_, 0);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    row_of_[pairs[k][0] * m_ + pairs[k][1]] = static_cast<std::uint32_t>(k);
  }
  Progress silent("", 0, "");
  for (std::size_t begin = 0; begin < pairs.size(); begin += pairs_at_a_time) {
    const auto some =
        std::span(pairs).subspan(begin, std::min(pairs_at_a_time, pairs.size() - begin));
    moments.prepare_pairs(some);
    const std::size_t n_units = (some.size() + pairs_per_unit - 1) / pairs_per_unit;
    team.for_each_unit(n_units, threads, silent, [&](std::uint64_t unit, int) {
      const std::size_t first = unit * pairs_per_unit;
      const auto few = some.subspan(first, std::min(pairs_per_unit, some.size() - first));
      const auto triples = moments.triples_of_pairs(few, 0, m_);
      for (std::size_t k = 0; k < few.size(); ++k) {
        const auto [a, b] = few[k];
        std::uint64_t* row = bits_.data() + (begin + first + k) * words_;
        for (std::size_t x = 0; x < m_; ++x) {
          const bool child = x == a || x == b ||
                             calibration.triple_z(a, b, x, triples[k][x]) > calibration.child_bar();
          row[x / 64] |= std::uint64_t{child} << (x % 64);
        }
      }
    });
  }
  team.sum_words(bits_);
}

void Signatures::children_of(const Candidate& candidate, std::span<std::uint64_t> children) const {
  std::ranges::fill(children, ~std::uint64_t{0});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = i + 1; j < 4; ++j) {
      const std::uint32_t row = row_of_[candidate.members[i] * m_ + candidate.members[j]];
      for (std::size_t w = 0; w < words_; ++w) children[w] &= bits_[row * words_ + w];
    }
  }
  for (const std::uint32_t x : candidate.members) children[x / 64] |= std::uint64_t{1} << (x % 64);
}

namespace {

/// A child set and those who vote for it.
struct Ballot {
  VariableSet children;
  std::size_t size = 0;
  std::vector<std::uint32_t> voters;  // rising
};

bool alike(const Ballot& ballot, const VariableSet& set, std::size_t set_size) {
  const std::size_t common = n_common(ballot.children, set);
  const std::size_t both = ballot.size + set_size - common;
  return static_cast<double>(common) >=
         constants::calibrated::least_vote_overlap * static_cast<double>(both);
}

/// Variables that most voters of the ballots name.
VariableSet majority(const std::vector<const Ballot*>& ballots, std::size_t n_words) {
  std::vector<std::uint64_t> votes(64 * n_words, 0);
  std::uint64_t n = 0;
  for (const Ballot* ballot : ballots) {
    n += ballot->voters.size();
    for (std::size_t w = 0; w < n_words; ++w) {
      for (std::uint64_t left = ballot->children[w]; left != 0; left &= left - 1) {
        votes[64 * w + static_cast<std::size_t>(std::countr_zero(left))] += ballot->voters.size();
      }
    }
  }
  VariableSet set(n_words, 0);
  for (std::size_t x = 0; x < votes.size(); ++x) {
    if (2 * votes[x] > n) set[x / 64] |= std::uint64_t{1} << (x % 64);
  }
  return set;
}

/// Most votes first, then the best voter's statistic: a total order, whatever that of the
/// variables.
void sort_by_votes(std::vector<Ballot>& ballots) {
  std::ranges::sort(ballots, [](const Ballot& x, const Ballot& y) {
    if (x.voters.size() != y.voters.size()) return x.voters.size() > y.voters.size();
    return x.voters.front() < y.voters.front();
  });
}

std::vector<Ballot> collect(std::span<const Candidate> candidates, const Signatures& signatures) {
  std::map<VariableSet, std::vector<std::uint32_t>> by_set;
  VariableSet children(signatures.n_words());
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    signatures.children_of(candidates[i], children);
    by_set[children].push_back(i);
  }
  std::vector<Ballot> ballots;
  for (auto& [set, voters] : by_set) ballots.push_back({set, n_in(set), std::move(voters)});
  sort_by_votes(ballots);
  return ballots;
}

std::vector<const Ballot*> followers(const std::vector<Ballot>& ballots, const VariableSet& set) {
  const std::size_t size = n_in(set);
  std::vector<const Ballot*> alike_ones;
  for (const Ballot& ballot : ballots) {
    if (alike(ballot, set, size)) alike_ones.push_back(&ballot);
  }
  return alike_ones;
}

std::size_t members_in(const Candidate& candidate, const VariableSet& set) {
  std::size_t n = 0;
  for (const std::uint32_t x : candidate.members) n += (set[x / 64] >> (x % 64)) & 1U;
  return n;
}

/// Takes the spent candidates out; ballots stay in order of their votes.
void spend(std::vector<Ballot>& ballots, std::span<const Candidate> candidates,
           const VariableSet& elected) {
  for (Ballot& ballot : ballots) {
    if (n_common(ballot.children, elected) < 3) continue;
    std::erase_if(ballot.voters,
                  [&](std::uint32_t voter) { return members_in(candidates[voter], elected) >= 3; });
  }
  std::erase_if(ballots, [](const Ballot& ballot) { return ballot.voters.empty(); });
  sort_by_votes(ballots);
}

}  // namespace

std::size_t n_in(const VariableSet& set) {
  std::size_t n = 0;
  for (const std::uint64_t word : set) n += static_cast<std::size_t>(std::popcount(word));
  return n;
}

std::size_t n_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::size_t n = 0;
  for (std::size_t w = 0; w < a.size(); ++w)
    n += static_cast<std::size_t>(std::popcount(a[w] & b[w]));
  return n;
}

std::vector<Cluster> vote(std::span<const Candidate> candidates, const Signatures& signatures) {
  std::vector<Ballot> ballots = collect(candidates, signatures);
  std::vector<Cluster> elected;
  while (!ballots.empty()) {
    Cluster cluster;
    // The leader's followers, then those of what they agree on.
    const auto first = followers(ballots, ballots.front().children);
    cluster.children = majority(first, signatures.n_words());
    auto final = followers(ballots, cluster.children);
    if (final.empty()) final = first;
    cluster.children = majority(final, signatures.n_words());
    for (const Ballot* ballot : final) {
      cluster.voters.insert(cluster.voters.end(), ballot->voters.begin(), ballot->voters.end());
    }
    std::ranges::sort(cluster.voters);
    cluster.support = cluster.voters.size();
    const VariableSet children = cluster.children;
    const std::size_t before = ballots.size();
    const std::uint32_t leader = ballots.front().voters.front();
    if (n_in(children) >= 4) elected.push_back(std::move(cluster));
    spend(ballots, candidates, children);
    // A leader that its followers outvoted must not lead again.
    if (ballots.size() == before && ballots.front().voters.front() == leader) {
      ballots.erase(ballots.begin());
    }
  }
  std::ranges::stable_sort(elected, std::greater<>{}, &Cluster::support);
  return elected;
}

}  // namespace orrery::quartet
