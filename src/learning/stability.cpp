#include "learning/stability.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "learning/derived_rows.hpp"
#include "learning/stages.hpp"

namespace orrery::learning {
namespace {

// Of two that share half of their strength in squares the cosine is 0.5, of one that a resample
// merged with another as strong 1 / sqrt(2).
constexpr double least_cosine = .8;

/// Nothing but errors is said while it lives: a resample's figures and warnings are not the run's.
class Hush {
 public:
  Hush() : level_(log::level()), speaks_(log::shows_progress()) {
    if (level_ != log::Level::quiet) log::configure(log::Level::quiet, speaks_);
  }
  Hush(const Hush&) = delete;
  Hush& operator=(const Hush&) = delete;
  ~Hush() {
    if (level_ != log::Level::quiet) log::configure(level_, speaks_);
  }

 private:
  log::Level level_;
  bool speaks_;
};

/// What is kept from here on, and nothing of what was learned before.
void begin_anew(const LearnContext& context, const BootstrapState& state) {
  if (!context.team.is_root()) return;
  store::Checkpoint& kept = context.checkpoints.state();
  kept.words.clear();
  kept.reals.clear();
  save(state, kept);
}

void count(const model::NoisyOrNetwork& again, BootstrapState& state) {
  const model::NoisyOrNetwork& learned = state.model.network;
  const auto same = found_again(learned, again);
  for (std::size_t u = 0; u < same.size(); ++u) state.cause_found[u] += same[u] ? 1 : 0;
  for (std::size_t e = 0; e < learned.edges().size(); ++e) {
    const model::Edge& edge = learned.edges()[e];
    if (same[edge.cause] && again.failure(*same[edge.cause], edge.observed) < 1) {
      ++state.edge_found[e];
    }
  }
  ++state.n_done;
}

std::vector<double> shares(const std::vector<std::uint64_t>& found, std::uint64_t of) {
  std::vector<double> result;
  for (const std::uint64_t n : found) {
    result.push_back(static_cast<double>(n) / static_cast<double>(of));
  }
  return result;
}

}  // namespace

std::vector<std::optional<std::size_t>> found_again(const model::NoisyOrNetwork& learned,
                                                    const model::NoisyOrNetwork& again) {
  const auto norm = [](const model::NoisyOrNetwork& network, std::size_t cause) {
    double squares = 0;
    for (const model::Edge& edge : network.children(cause)) {
      squares += (1 - edge.failure) * (1 - edge.failure);
    }
    return std::sqrt(squares);
  };
  struct Pair {
    double cosine;
    std::size_t here, there;
  };
  std::vector<Pair> pairs;
  for (std::size_t u = 0; u < learned.n_causes(); ++u) {
    for (std::size_t v = 0; v < again.n_causes(); ++v) {
      double product = 0;
      for (const model::Edge& edge : learned.children(u)) {
        product += (1 - edge.failure) * (1 - again.failure(v, edge.observed));
      }
      const double cosine = product / (norm(learned, u) * norm(again, v));
      if (cosine > least_cosine) pairs.push_back({cosine, u, v});
    }
  }
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
    return std::tuple(-a.cosine, a.here, a.there) < std::tuple(-b.cosine, b.here, b.there);
  });
  std::vector<std::optional<std::size_t>> same(learned.n_causes());
  std::vector<bool> taken(again.n_causes(), false);
  for (const Pair& pair : pairs) {
    if (same[pair.here] || taken[pair.there]) continue;
    same[pair.here] = pair.there;
    taken[pair.there] = true;
  }
  return same;
}

model::LearnedModel learn_with_stability(const LearnContext& context, std::uint32_t resamples,
                                         const Learn& learn) {
  if (resamples == 0) return learn(context);
  require_room_to_resample(context);
  BootstrapState state;
  if (holds_bootstrap(context.team, context.checkpoints.state())) {
    state = load_bootstrap(context.team, context.checkpoints.state(), context.names);
  } else {
    state.model = learn(context);
    state.cause_found.resize(state.model.network.n_causes());
    state.edge_found.resize(state.model.network.edges().size());
    begin_anew(context, state);
  }
  StageWatch watch(context.stages, "stability");
  Progress progress("stability", resamples, "resamples");
  progress.set(state.n_done);
  Resample resample(context);
  while (state.n_done < resamples && !context.checkpoints.is_cut_short()) {
    {
      const Hush hush;
      resample.draw(state.n_done);
      const model::LearnedModel again = learn(resample.context());
      if (context.checkpoints.is_cut_short()) break;  // it is no fair judge
      count(again.network, state);
    }
    begin_anew(context, state);
    watch.add(context.team, {}, 1);
    progress.advance();
    context.checkpoints.keep(context.team, context.checkpoints.pause_now(context.team));
  }
  if (state.n_done == 0) return std::move(state.model);
  state.model.stability = {static_cast<std::uint32_t>(state.n_done),
                           shares(state.cause_found, state.n_done),
                           shares(state.edge_found, state.n_done)};
  return std::move(state.model);
}

}  // namespace orrery::learning
