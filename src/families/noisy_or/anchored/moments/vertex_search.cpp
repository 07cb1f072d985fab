#include "families/noisy_or/anchored/moments/vertex_search.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using State = std::vector<std::uint8_t>;

class Descent {
 public:
  Descent(const ProductBasis& basis, const LinearForm& form) : basis_(basis), form_(form) {}

  void run(State& state) {
    const std::size_t n = state.size();
    std::vector<double> slopes(n);
    while (true) {
      for (std::uint32_t i = 0; i < n; ++i) slopes[i] = gain(state, i);
      const auto best = std::ranges::min_element(slopes);
      if (*best < -tiny) {
        flip(state, static_cast<std::size_t>(best - slopes.begin()));
        continue;
      }
      if (!flip_pair(state, slopes)) return;
    }
  }

  double value(const State& state) {
    ones_.clear();
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      if (state[i] != 0) ones_.push_back(i);
    }
    double sum = form_.constant;
    chosen_.clear();
    for (std::size_t last = 0; last < ones_.size(); ++last) add_sets(last, ones_.size(), sum);
    return sum;
  }

 private:
  static constexpr double tiny = 1e-12;

  static void flip(State& state, std::size_t i) { state[i] ^= 1U; }

  /// Change of the form when variable i flips.
  double gain(const State& state, std::uint32_t i) {
    ones_.clear();
    for (std::uint32_t j = 0; j < state.size(); ++j) {
      if (state[j] != 0 && j != i) ones_.push_back(j);
    }
    double sum = slope_with(i);
    return state[i] != 0 ? -sum : sum;
  }

  /// Sum of the coefficients of i with the subsets of ones_.
  double slope_with(std::uint32_t i) {
    if (basis_.order() <= 2) {  // the common case, without enumeration
      double sum = form_.coefficients[i];
      if (basis_.order() == 1) return sum;
      const auto n = static_cast<Index>(basis_.n_variables());
      for (const std::uint32_t j : ones_) {
        const auto low = static_cast<Index>(std::min(i, j));
        const auto high = static_cast<Index>(std::max(i, j));
        sum += form_.coefficients[n + high * (high - 1) / 2 + low];
      }
      return sum;
    }
    // Sets with i are those of ones_ and i, less those of ones_ alone.
    const auto place = std::ranges::lower_bound(ones_, i) - ones_.begin();
    ones_.insert(ones_.begin() + place, i);
    double sum = 0;
    with_ = i;
    chosen_.clear();
    for (std::size_t last = 0; last < ones_.size(); ++last) add_sets(last, ones_.size(), sum);
    with_ = none;
    ones_.erase(ones_.begin() + place);
    return sum;
  }

  /// Adds the coefficients of the sets of ones_ that go on from chosen_ with ones_[at].
  void add_sets(std::size_t at, std::size_t end, double& sum) {
    chosen_.push_back(ones_[at]);
    const bool counts = with_ == none || std::ranges::find(chosen_, with_) != chosen_.end();
    if (counts) sum += form_.coefficients[basis_.coordinate(chosen_)];
    if (chosen_.size() < basis_.order()) {
      for (std::size_t next = at + 1; next < end; ++next) add_sets(next, end, sum);
    }
    chosen_.pop_back();
  }

  /// The first pair, in order, whose flip gains though neither alone does.
  bool flip_pair(State& state, const std::vector<double>& slopes) {
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      flip(state, i);
      for (std::uint32_t j = 0; j < i; ++j) {
        if (slopes[i] + gain(state, j) >= -tiny) continue;
        flip(state, j);
        return true;
      }
      flip(state, i);
    }
    return false;
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  const ProductBasis& basis_;
  const LinearForm& form_;
  std::vector<std::uint32_t> ones_;
  std::vector<std::uint32_t> chosen_;
  std::uint32_t with_ = none;
};

}  // namespace

std::vector<FoundState> search_vertices(const ProductBasis& basis, const LinearForm& form,
                                        std::span<const double> on, std::uint64_t round,
                                        const VertexSearch& search) {
  Descent descent(basis, form);
  std::vector<FoundState> found;
  for (std::size_t start = 0; start < search.n_starts; ++start) {
    RowRandom random(0, Stream::restart, round * search.n_starts + start);
    State state(on.size());
    for (std::size_t i = 0; i < on.size(); ++i) {
      state[i] = random.bernoulli(start % 4 == 0 ? .5 : on[i]) ? 1 : 0;
    }
    descent.run(state);
    const double value = descent.value(state);
    found.push_back({std::move(state), value});
  }
  std::ranges::sort(found, [](const FoundState& a, const FoundState& b) {
    return a.value != b.value ? a.value < b.value : a.state < b.state;
  });
  const auto same = std::ranges::unique(found, {}, &FoundState::state);
  found.erase(same.begin(), same.end());
  if (found.size() > search.n_kept) found.resize(search.n_kept);
  return found;
}

}  // namespace orrery::anchored
