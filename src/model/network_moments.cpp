// Purpose: exact moments of a known network.
// Source: Halpern, Horng, Sontag 2015, Sec. 2 and 4.2 (the moments that its estimators take).
#include "model/network_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "model/cause_elimination.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

std::uint32_t index(std::size_t x) { return static_cast<std::uint32_t>(x); }

class NetworkWalker final : public moments::MomentWalker {
 public:
  explicit NetworkWalker(const NetworkMoments& source)
      : source_(source), row_(moments::row_stride(source.n_observed())) {}

  void triples(std::size_t a, std::span<const std::uint64_t> wanted,
               moments::TripleSlab& slab) override {
    const std::size_t m = source_.n_observed();
    slab.reset(a, m, wanted, false);
    for (std::size_t x = a + 1; x < m; ++x) {
      if (!slab.wants(x)) continue;
      double* row = slab.moments(x);
      for (std::size_t y = x + 1; y < m; ++y) {
        if (slab.wants(y)) row[y] = source_.triple(a, x, y);
      }
    }
  }

  void select_pair(std::size_t a, std::size_t b, const moments::TripleSlab& /*slab_a*/,
                   const moments::TripleSlab& /*slab_b*/,
                   std::span<const std::uint64_t> wanted) override {
    a_ = a;
    b_ = b;
    wanted_.assign(wanted.begin(), wanted.end());
  }

  const double* quartets(std::size_t c) override {
    for (std::size_t d = c + 1; d < source_.n_observed(); ++d) {
      if (((wanted_[d / 64] >> (d % 64)) & 1U) != 0) row_[d] = source_.quartet(a_, b_, c, d);
    }
    return row_.data();
  }

 private:
  const NetworkMoments& source_;
  std::vector<double> row_;
  std::vector<std::uint64_t> wanted_;
  std::size_t a_ = 0;
  std::size_t b_ = 0;
};

}  // namespace

NetworkMoments::NetworkMoments(const NoisyOrNetwork& network)
    : network_(network), pairs_(network.n_observed() * network.n_observed()) {
  const std::size_t m = network.n_observed();
  for (std::size_t a = 0; a < m; ++a) {
    pairs_[a * m + a] = network.negative_moment(std::array{index(a)});
    for (std::size_t b = a + 1; b < m; ++b) {
      const double moment = network.negative_moment(std::array{index(a), index(b)});
      pairs_[a * m + b] = moment;
      pairs_[b * m + a] = moment;
    }
  }
}

double NetworkMoments::triple(std::size_t a, std::size_t b, std::size_t c) const {
  return network_.negative_moment(std::array{index(a), index(b), index(c)});
}

double NetworkMoments::quartet(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
  return network_.negative_moment(std::array{index(a), index(b), index(c), index(d)});
}

std::unique_ptr<moments::MomentWalker> NetworkMoments::walker() const {
  return std::make_unique<NetworkWalker>(*this);
}

namespace {

/// From P(the variables of `z` free, the others off) at each z to P(those of z on, the others off),
/// over the lowest `n_bits` bits. What is below 0 is rounding.
void exclude(std::span<double> cells, std::size_t n_bits) {
  for (std::size_t i = 0; i < n_bits; ++i) {
    const std::size_t bit = std::size_t{1} << i;
    for (std::size_t z = 0; z < cells.size(); ++z) {
      if ((z & bit) != 0) cells[z] -= cells[z ^ bit];
    }
  }
  for (double& cell : cells) cell = std::max(cell, 0.0);
}

std::vector<std::uint32_t> chosen(std::span<const std::uint32_t> from, std::size_t bits) {
  std::vector<std::uint32_t> members;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (((bits >> i) & 1U) != 0) members.push_back(from[i]);
  }
  return members;
}

}  // namespace

AnchoredMoments::AnchoredMoments(const NoisyOrNetwork& network)
    : network_(network), elimination_(network.cause_network()), parents_(network.n_observed()) {
  for (const Edge& edge : network.edges()) parents_[edge.observed].push_back(edge);
  (void)elimination_.expectation(weights({}).causes);  // refuses what is not feasible here
}

AnchoredMoments::Weights AnchoredMoments::weights(std::span<const std::uint32_t> observed) const {
  Weights result{1, std::vector<CauseWeight>(network_.n_causes(), CauseWeight{1, 1})};
  for (const std::uint32_t j : observed) {
    result.leaks_fail *= 1 - network_.observed()[j].leak;
    for (const Edge& edge : parents_[j]) result.causes[edge.cause][1] *= edge.failure;
  }
  return result;
}

std::vector<double> AnchoredMoments::off_with_causes(std::span<const std::uint32_t> observed,
                                                     std::span<const std::uint32_t> causes) const {
  const Weights with = weights(observed);
  std::vector<double> cells = elimination_.table(causes, with.causes);
  for (double& cell : cells) cell *= with.leaks_fail;
  return cells;
}

std::vector<double> AnchoredMoments::table(std::span<const std::uint32_t> observed,
                                           std::span<const std::uint32_t> causes) const {
  if (observed.size() + causes.size() > max_members) {
    throw InputError(
        fmt::format("a table of {} observed variables and {} causes; at most {} "
                    "together are possible",
                    observed.size(), causes.size(), max_members));
  }
  const std::size_t n_states = std::size_t{1} << observed.size();
  std::vector<double> cells(n_states << causes.size());
  for (std::size_t z = 0; z < n_states; ++z) {
    const std::vector<std::uint32_t> off = chosen(observed, ~z);
    const std::vector<double> of_causes = off_with_causes(off, causes);
    for (std::size_t y = 0; y < of_causes.size(); ++y) cells[z + y * n_states] = of_causes[y];
  }
  exclude(cells, observed.size());
  return cells;
}

std::vector<CauseDependence> dependences_of(const NoisyOrNetwork& network) {
  std::vector<CauseDependence> found;
  if (!network.has_dependent_causes()) return found;
  const CauseElimination sums(network.cause_network());
  if (!sums.is_feasible()) return found;
  const std::vector<CauseWeight> none(network.n_causes(), {1, 1});
  for (std::uint32_t cause = 0; cause < network.n_causes(); ++cause) {
    for (const std::uint32_t parent : network.cause_network().tables()[cause].parents) {
      const std::array<std::uint32_t, 2> pair{std::min(cause, parent), std::max(cause, parent)};
      const std::vector<double> p = sums.table(pair, none);
      const std::size_t parent_bit = parent < cause ? 1 : 2;
      const std::size_t cause_bit = 3 - parent_bit;
      const auto share = [](double on, double off) { return on + off > 0 ? on / (on + off) : 0; };
      found.push_back({cause, parent, share(p[3], p[parent_bit]), share(p[cause_bit], p[0])});
    }
  }
  return found;
}

std::string in_words(const CauseDependence& dependence, const NoisyOrNetwork& network) {
  std::string words =
      fmt::format("{} is on in {:.3g} % of the rows with {}, in {:.3g} % of the others",
                  network.causes()[dependence.cause].name, 100 * dependence.with,
                  network.causes()[dependence.parent].name, 100 * dependence.without);
  if (dependence.with > 0 && dependence.without > 0) {
    // Two digits of a small ratio, all of a large one.
    const auto digits = [](double ratio) {
      return ratio < 10 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.0f}", ratio);
    };
    const double ratio = dependence.with / dependence.without;
    words += ratio >= 1 ? ": " + digits(ratio) + " times as often"
                        : ": " + digits(1 / ratio) + " times less often";
  }
  return words;
}

}  // namespace orrery::model
