#include "learners/quartet/slabs.hpp"

#include <algorithm>
#include <exception>

namespace orrery::quartet {
namespace {

std::size_t slab_bytes(std::size_t m) {
  return m * moments::row_stride(m) * 12 + m * ((m + 63) / 64) * 8;
}

/// Slabs kept: all that fit in the threads' budgets, never fewer than a pair's two a thread.
std::size_t slabs_kept(std::size_t m, std::size_t budget_bytes, int threads) {
  const std::size_t of_a_thread = std::max<std::size_t>(2, budget_bytes / slab_bytes(m));
  return std::min(of_a_thread * static_cast<std::size_t>(threads), m);
}

/// PMI - CPMI exceeds tau for each pair of the triple given the third (Lemma 2), all adjusted:
/// single, pair and triple off-probabilities.
bool passes_pretest(double a, double x, double y, double ax, double ay, double xy, double axy,
                    double tau) {
  const double given_y = ax / (a * x) - axy * y / (ay * xy);
  const double given_x = ay / (a * y) - axy * x / (ax * xy);
  const double given_a = xy / (x * y) - axy * a / (ax * ay);
  return given_y > tau && given_x > tau && given_a > tau;
}

std::shared_ptr<const Slab> make_slab(const Round& round, std::size_t a,
                                      moments::MomentWalker& walker) {
  auto made = std::make_shared<Slab>();
  Slab& slab = *made;
  slab.variable = a;
  walker.triples(a, slab.triples);
  slab.passes.assign(round.m * round.bit_words, 0);
  std::vector<double> factors(round.stride);
  const double* pair_a = round.pair_row(a);
  const double tau = round.options.tau_e;
  for (std::size_t x = a + 1; x < round.m; ++x) {
    double* row = slab.triples.moment.data() + x * round.stride;
    if (!round.learned.empty()) {
      round.learned.factors({a, x}, x + 1, factors);
      for (std::size_t y = x + 1; y < round.m; ++y) row[y] /= factors[y];
    }
    const double* pair_x = round.pair_row(x);
    std::uint64_t* passes = slab.passes.data() + x * round.bit_words;
    for (std::size_t y = x + 1; y < round.m; ++y) {
      const bool pass = passes_pretest(pair_a[a], pair_x[x], round.singles[y], pair_a[x], pair_a[y],
                                       pair_x[y], row[y], tau);
      passes[y / 64] |= std::uint64_t{pass} << (y % 64);
    }
  }
  return made;
}

}  // namespace

Round adjust_pairs(const moments::MomentSource& moments, const moments::Subtraction& learned,
                   const Options& options) {
  const std::size_t m = moments.n_observed();
  const std::size_t stride = moments::row_stride(m);
  Round round{moments, learned, options, m, stride, (m + 63) / 64, {}, {}};
  round.pairs.assign(m * stride, 0);
  round.singles.assign(stride, 0);
  for (std::size_t a = 0; a < m; ++a) {
    round.singles[a] = moments.single(a) / learned.factor({a});
    round.pairs[a * stride + a] = round.singles[a];
    for (std::size_t b = a + 1; b < m; ++b) {
      const double pair = moments.pair(a, b) / learned.factor({a, b});
      round.pairs[a * stride + b] = pair;
      round.pairs[b * stride + a] = pair;
    }
  }
  return round;
}

SlabCache::SlabCache(const Round& round, int threads)
    : round_(round),
      capacity_(slabs_kept(round.m, round.options.slab_budget_bytes, threads)),
      slabs_(round.m) {}

std::shared_ptr<const Slab> SlabCache::get(std::size_t variable, moments::MomentWalker& walker) {
  std::promise<std::shared_ptr<const Slab>> promise;
  Future slab;
  {
    const std::lock_guard lock(mutex_);
    slab = slabs_[variable];
    if (slab.valid()) {
      recent_.splice(recent_.begin(), recent_, std::ranges::find(recent_, variable));
    } else {
      slabs_[variable] = promise.get_future().share();
      recent_.push_front(variable);
      if (recent_.size() > capacity_) {
        slabs_[recent_.back()] = {};  // lives on in the hands of those who use it
        recent_.pop_back();
      }
    }
  }
  if (slab.valid()) return slab.get();
  try {
    auto made = make_slab(round_, variable, walker);
    promise.set_value(made);
    return made;
  } catch (...) {
    promise.set_exception(std::current_exception());
    throw;
  }
}

std::size_t slab_cache_bytes(std::size_t n_observed, const Options& options, int threads) {
  return slabs_kept(n_observed, options.slab_budget_bytes, threads) * slab_bytes(n_observed);
}

}  // namespace orrery::quartet
