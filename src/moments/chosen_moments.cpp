#include "moments/chosen_moments.hpp"

#include <utility>

namespace orrery::moments {

ChosenMoments::ChosenMoments(const MomentSource& all, std::vector<std::uint32_t> variables)
    : all_(all), chosen_(std::move(variables)) {}

std::vector<std::array<std::uint32_t, 2>> ChosenMoments::in_all(
    std::span<const std::array<std::uint32_t, 2>> pairs) const {
  std::vector<std::array<std::uint32_t, 2>> there(pairs.begin(), pairs.end());
  for (auto& [a, b] : there) {
    a = chosen_[a];
    b = chosen_[b];
  }
  return there;
}

std::vector<std::uint64_t> ChosenMoments::bits_in_all(std::span<const std::uint64_t> bits) const {
  std::vector<std::uint64_t> there((all_.n_observed() + 63) / 64, 0);
  for (std::size_t x = 0; x < chosen_.size(); ++x) {
    if (((bits[x / 64] >> (x % 64)) & 1U) == 0) continue;
    there[chosen_[x] / 64] |= std::uint64_t{1} << (chosen_[x] % 64);
  }
  return there;
}

void ChosenMoments::prepare(std::span<const std::array<std::uint32_t, 4>> sets) const {
  std::vector<std::array<std::uint32_t, 4>> there(sets.begin(), sets.end());
  for (auto& set : there) {
    for (std::uint32_t& x : set) x = x == no_variable ? x : chosen_[x];
  }
  all_.prepare(there);
}

void ChosenMoments::prepare_pairs(std::span<const std::array<std::uint32_t, 2>> pairs) const {
  all_.prepare_pairs(in_all(pairs));
}

std::vector<std::vector<double>> ChosenMoments::triples_of_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs, std::size_t first,
    std::size_t last) const {
  if (first == last) return std::vector<std::vector<double>>(pairs.size());
  const std::size_t begin = chosen_[first];
  std::vector<std::vector<double>> found =
      all_.triples_of_pairs(in_all(pairs), begin, chosen_[last - 1] + 1);
  for (std::vector<double>& values : found) {
    for (std::size_t x = first; x < last; ++x) values[x - first] = values[chosen_[x] - begin];
    values.resize(last - first);
  }
  return found;
}

void ChosenMoments::prepare_on_with_pairs(std::span<const std::array<std::uint32_t, 2>> pairs,
                                          const std::vector<std::size_t>& begins) const {
  all_.prepare_on_with_pairs(in_all(pairs), begins);
}

std::vector<OnWithPair> ChosenMoments::on_with_pairs(
    std::span<const std::array<std::uint32_t, 2>> pairs) const {
  std::vector<OnWithPair> found = all_.on_with_pairs(in_all(pairs));
  for (OnWithPair& with_pair : found) {
    for (std::size_t x = 0; x < chosen_.size(); ++x) {
      with_pair.share[x] = with_pair.share[chosen_[x]];
    }
    with_pair.share.resize(chosen_.size());
  }
  return found;
}

CountsAhead* ChosenMoments::counts_ahead() const {
  // What was counted ahead is no part of the value.
  return all_.counts_ahead() == nullptr ? nullptr : const_cast<ChosenMoments*>(this);
}

bool ChosenMoments::count_triples(std::span<const TripleRequest> requests) {
  std::vector<std::vector<std::uint64_t>> wanted;
  std::vector<TripleRequest> there;
  wanted.reserve(requests.size());
  there.reserve(requests.size());
  for (const TripleRequest& request : requests) {
    there.push_back({chosen_[request.a], wanted.emplace_back(bits_in_all(request.wanted))});
  }
  return all_.counts_ahead()->count_triples(there);
}

bool ChosenMoments::count_quartets(std::span<const QuartetRequest> requests) {
  std::vector<std::vector<std::uint64_t>> triples;
  std::vector<QuartetRequest> there;
  triples.reserve(requests.size());
  there.reserve(requests.size());
  for (const QuartetRequest& request : requests) {
    there.push_back({chosen_[request.a], chosen_[request.b],
                     triples.emplace_back(bits_in_all(request.triples)),
                     bits_in_all(request.wanted)});
  }
  return all_.counts_ahead()->count_quartets(there);
}

/// The source's slabs are beside those of the chosen variables.
class ChosenMoments::Walker final : public MomentWalker {
 public:
  explicit Walker(const ChosenMoments& source)
      : source_(source), all_(source.all_.walker()), row_(row_stride(source.n_observed())) {}

  void triples(std::size_t a, std::span<const std::uint64_t> wanted, TripleSlab& slab) override {
    const std::vector<std::uint32_t>& chosen = source_.chosen_;
    slab.reset(a, chosen.size(), wanted, false);
    TripleSlab& there = slab.beside();
    all_->triples(chosen[a], source_.bits_in_all(wanted), there);
    for (std::size_t x = a + 1; x < chosen.size(); ++x) {
      if (!slab.wants(x)) continue;
      const double* from = there.moments(chosen[x]);
      double* to = slab.moments(x);
      for (std::size_t y = x + 1; y < chosen.size(); ++y) to[y] = from[chosen[y]];
    }
  }

  void select_pair(std::size_t a, std::size_t b, const TripleSlab& slab_a, const TripleSlab& slab_b,
                   std::span<const std::uint64_t> wanted) override {
    const std::vector<std::uint32_t>& chosen = source_.chosen_;
    all_->select_pair(chosen[a], chosen[b], slab_a.beside(), slab_b.beside(),
                      source_.bits_in_all(wanted));
  }

  const double* quartets(std::size_t c) override {
    const std::vector<std::uint32_t>& chosen = source_.chosen_;
    const double* from = all_->quartets(chosen[c]);
    for (std::size_t d = c + 1; d < chosen.size(); ++d) row_[d] = from[chosen[d]];
    return row_.data();
  }

 private:
  const ChosenMoments& source_;
  std::unique_ptr<MomentWalker> all_;
  std::vector<double> row_;
};

std::unique_ptr<MomentWalker> ChosenMoments::walker() const {
  return std::make_unique<Walker>(*this);
}

}  // namespace orrery::moments
