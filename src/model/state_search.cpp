#include "model/state_search.hpp"

#include "model/numbers.hpp"

namespace orrery::model {

void StateSearch::resize(std::size_t causes, std::size_t variables) {
  n_causes = causes;
  n_vectors = (variables + search_lanes - 1) / search_lanes;
  const std::size_t width = n_vectors * search_lanes;
  grow(odds, causes);
  grow(quiet, width);
  grow(failure, causes * width);
  // The padding; the rest is the caller's to fill.
  for (std::size_t a = variables; a < width; ++a) {
    quiet[a] = 0;
    for (std::size_t k = 0; k < causes; ++k) failure[k * width + a] = 1;
  }
  grow(posterior, causes);
  grow(inverse, width);
  grow(shared, causes * width);
  grow(reach, (causes + 1) * (causes + 2) / 2 * width);
  grow(off, (causes + 1) * width);
  grow(inverse_on, (causes + 1) * width);
  grow(scale, width);
  grow(included, causes);
  grow(open, causes * (causes + 1));
}

SearchStates find_state_search(kernels::Isa isa) {
  if (kernels::find(isa) == nullptr) return nullptr;
#if defined(__x86_64__)
  if (isa == kernels::Isa::avx2) return search_states_avx2;
  if (isa == kernels::Isa::avx512) return search_states_avx512;
#endif
  return search_states_baseline;
}

void StateSearch::run() { run(find_state_search(kernels::active().isa)); }

void StateSearch::run(SearchStates search) {
  const SearchResult result =
      search({n_causes, n_vectors, tolerance, max_nodes, odds.data(), failure.data(), quiet.data(),
              posterior.data(), inverse.data(), shared.data(), reach.data(), scale.data(),
              off.data(), inverse_on.data(), included.data(), open.data()});
  log_total = result.log_total;
  truncated = result.truncated;
  n_states = result.n_states;
}

}  // namespace orrery::model
