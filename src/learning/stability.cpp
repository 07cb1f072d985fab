#include "learning/stability.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "learning/checkpoints.hpp"
#include "learning/resample.hpp"
#include "learning/stages.hpp"

namespace orrery::learning {

namespace {

// Of two that share half of their strength in squares the cosine is 0.5, of one that a resample
// merged with another as strong 1 / sqrt(2).
constexpr double least_cosine = .8;

/// Nothing but errors is said while it lives: a resample's figures and warnings are not the run's.
class Hush {
 public:
  Hush() : before_(log::hush(true)) {}
  Hush(const Hush&) = delete;
  Hush& operator=(const Hush&) = delete;
  ~Hush() { log::hush(before_); }

 private:
  bool before_;
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

// How far a bootstrap is, in a checkpoint.

namespace {

// Names in a checkpoint.
namespace stored {
constexpr const char* progress = "bootstrap_progress";  // resamples done, n_samples
constexpr const char* causes_found = "bootstrap_causes_found";
constexpr const char* edges_found = "bootstrap_edges_found";
constexpr const char* texts = "bootstrap_texts";      // learner, names of causes; each ends in 0
constexpr const char* edges = "bootstrap_edges";      // cause, observed
constexpr const char* origins = "bootstrap_origins";  // depth, support, four members; or empty
constexpr const char* parents = "bootstrap_parents";  // a cause: how many, and which; or empty
constexpr const char* on = "bootstrap_on";            // a cause: its table; or empty
constexpr const char* priors = "bootstrap_priors";
constexpr const char* leaks = "bootstrap_leaks";
constexpr const char* failures = "bootstrap_failures";
constexpr const char* statistics = "bootstrap_statistics";  // a cause, or empty
constexpr const char* prior_errors = "bootstrap_prior_errors";
constexpr const char* leak_errors = "bootstrap_leak_errors";
constexpr const char* failure_errors = "bootstrap_failure_errors";
}  // namespace stored

constexpr const char* all_words[] = {stored::progress, stored::causes_found, stored::edges_found,
                                     stored::texts,    stored::edges,        stored::origins,
                                     stored::parents};
constexpr const char* all_reals[] = {
    stored::priors,       stored::leaks,       stored::failures,       stored::statistics,
    stored::prior_errors, stored::leak_errors, stored::failure_errors, stored::on};
constexpr std::size_t origin_words = 6;

void put_text(const std::string& text, std::vector<std::uint64_t>& words) {
  for (const char c : text) words.push_back(static_cast<unsigned char>(c));
  words.push_back(0);
}

std::vector<std::string> take_texts(const std::vector<std::uint64_t>& words) {
  std::vector<std::string> found;
  std::string text;
  for (const std::uint64_t word : words) {
    if (word == 0) {
      found.push_back(std::exchange(text, {}));
    } else {
      text += static_cast<char>(word);
    }
  }
  return found;
}

/// Of causes that depend on one another.
model::CauseNetwork take_dependence(const store::Checkpoint& arrays, std::size_t n_causes) {
  const std::vector<std::uint64_t>& listed = arrays.words.at(stored::parents);
  const std::vector<double>& on = arrays.reals.at(stored::on);
  std::vector<model::CauseTable> tables;
  std::size_t next = 0;
  std::size_t next_on = 0;
  while (next < listed.size()) {
    const std::uint64_t n_parents = listed[next++];
    require(n_parents <= std::min(listed.size() - next, model::CauseNetwork::max_parents),
            stored::parents);
    model::CauseTable& table = tables.emplace_back();
    for (std::size_t i = 0; i < n_parents; ++i) {
      require(listed[next] < n_causes, stored::parents);
      table.parents.push_back(static_cast<std::uint32_t>(listed[next++]));
    }
    const std::size_t n_cells = std::size_t{1} << n_parents;
    require(n_cells <= on.size() - next_on, stored::on);
    const auto first = on.begin() + static_cast<std::ptrdiff_t>(next_on);
    table.on.assign(first, first + static_cast<std::ptrdiff_t>(n_cells));
    next_on += n_cells;
  }
  require(next_on == on.size(), stored::on);
  require(tables.empty() || tables.size() == n_causes, stored::parents);
  return model::CauseNetwork(std::move(tables));
}

model::NoisyOrNetwork take_network(store::Checkpoint& arrays, const std::vector<std::string>& names,
                                   const std::vector<std::string>& cause_texts) {
  const std::vector<double>& prior = arrays.reals[stored::priors];
  const std::vector<double>& leak = arrays.reals[stored::leaks];
  const std::vector<double>& failure = arrays.reals[stored::failures];
  const std::vector<std::uint64_t>& ends = arrays.words[stored::edges];
  require(cause_texts.size() == 1 + prior.size(), stored::texts);
  require(leak.size() == names.size(), stored::leaks);
  require(ends.size() == 2 * failure.size(), stored::edges);
  std::vector<model::Cause> causes;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> listed;
  for (std::size_t u = 0; u < prior.size(); ++u) causes.push_back({cause_texts[1 + u], prior[u]});
  for (std::size_t a = 0; a < leak.size(); ++a) observed.push_back({names[a], leak[a]});
  for (std::size_t e = 0; e < failure.size(); ++e) {
    listed.push_back({static_cast<std::uint32_t>(ends[2 * e]),
                      static_cast<std::uint32_t>(ends[2 * e + 1]), failure[e]});
  }
  model::CauseNetwork dependence = take_dependence(arrays, causes.size());
  return {std::move(causes), std::move(observed), std::move(listed), std::move(dependence)};
}

std::vector<model::Provenance> take_origins(store::Checkpoint& arrays, std::size_t n_causes) {
  const std::vector<std::uint64_t>& origin = arrays.words[stored::origins];
  const std::vector<double>& statistic = arrays.reals[stored::statistics];
  require(statistic.empty() || statistic.size() == n_causes, stored::statistics);
  require(origin.size() == origin_words * statistic.size(), stored::origins);
  std::vector<model::Provenance> provenance(statistic.size());
  for (std::size_t u = 0; u < provenance.size(); ++u) {
    const std::uint64_t* from = origin.data() + origin_words * u;
    provenance[u].statistic = statistic[u];
    provenance[u].depth = static_cast<std::int32_t>(from[0]);
    provenance[u].support = from[1];
    for (std::size_t k = 0; k < 4; ++k) {
      provenance[u].quartet[k] = static_cast<std::int32_t>(from[2 + k]);
    }
  }
  return provenance;
}

BootstrapState load(store::Checkpoint& arrays, const std::vector<std::string>& names) {
  BootstrapState state;
  require(arrays.words[stored::progress].size() == 2, stored::progress);
  const std::vector<std::string> found_texts = take_texts(arrays.words[stored::texts]);
  state.model.network = take_network(arrays, names, found_texts);
  const std::size_t n = state.model.network.n_causes();
  const std::size_t n_edges = state.model.network.edges().size();
  state.model.learner = found_texts[0];
  state.model.provenance = take_origins(arrays, n);
  model::StandardErrors& errors = state.model.errors;
  errors = {arrays.reals[stored::prior_errors], arrays.reals[stored::leak_errors],
            arrays.reals[stored::failure_errors]};
  require(errors.empty() || (errors.prior.size() == n && errors.leak.size() == names.size() &&
                             errors.failure.size() == n_edges),
          stored::prior_errors);
  state.n_done = arrays.words[stored::progress][0];
  state.model.n_samples = arrays.words[stored::progress][1];
  state.cause_found = arrays.words[stored::causes_found];
  state.edge_found = arrays.words[stored::edges_found];
  require(state.cause_found.size() == n, stored::causes_found);
  require(state.edge_found.size() == n_edges, stored::edges_found);
  return state;
}

}  // namespace

void save(const BootstrapState& state, store::Checkpoint& checkpoint) {
  auto& words = checkpoint.words;
  auto& reals = checkpoint.reals;
  for (const char* name : all_words) words[name].clear();
  for (const char* name : all_reals) reals[name].clear();
  words[stored::progress] = {state.n_done, state.model.n_samples};
  words[stored::causes_found] = state.cause_found;
  words[stored::edges_found] = state.edge_found;
  put_text(state.model.learner, words[stored::texts]);
  for (const model::Cause& cause : state.model.network.causes()) {
    put_text(cause.name, words[stored::texts]);
    reals[stored::priors].push_back(cause.prior);
  }
  for (const model::Observed& observed : state.model.network.observed()) {
    reals[stored::leaks].push_back(observed.leak);
  }
  for (const model::Edge& edge : state.model.network.edges()) {
    words[stored::edges].insert(words[stored::edges].end(), {edge.cause, edge.observed});
    reals[stored::failures].push_back(edge.failure);
  }
  for (const model::CauseTable& table : state.model.network.cause_network().tables()) {
    words[stored::parents].push_back(table.parents.size());
    words[stored::parents].insert(words[stored::parents].end(), table.parents.begin(),
                                  table.parents.end());
    reals[stored::on].insert(reals[stored::on].end(), table.on.begin(), table.on.end());
  }
  for (const model::Provenance& origin : state.model.provenance) {
    words[stored::origins].insert(words[stored::origins].end(),
                                  {static_cast<std::uint64_t>(origin.depth), origin.support});
    std::ranges::transform(origin.quartet, std::back_inserter(words[stored::origins]),
                           [](std::int32_t x) { return static_cast<std::uint64_t>(x); });
    reals[stored::statistics].push_back(origin.statistic);
  }
  reals[stored::prior_errors] = state.model.errors.prior;
  reals[stored::leak_errors] = state.model.errors.leak;
  reals[stored::failure_errors] = state.model.errors.failure;
}

bool holds_bootstrap(const parallel::Team& team, const store::Checkpoint& checkpoint) {
  std::vector<int> holds{team.is_root() && checkpoint.words.contains(stored::progress) ? 1 : 0};
  team.broadcast(holds);
  return holds[0] != 0;
}

BootstrapState load_bootstrap(const parallel::Team& team, const store::Checkpoint& checkpoint,
                              const std::vector<std::string>& names) {
  store::Checkpoint arrays;
  if (team.is_root()) {
    for (const char* name : all_words) arrays.words[name] = array(checkpoint.words, name);
    for (const char* name : all_reals) arrays.reals[name] = array(checkpoint.reals, name);
    (void)load(arrays, names);  // what is wrong is said once
  }
  for (const char* name : all_words) team.broadcast(arrays.words[name]);
  for (const char* name : all_reals) team.broadcast(arrays.reals[name]);
  return load(arrays, names);
}

}  // namespace orrery::learning
