#include "families/noisy_or/command_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/program_options/options_description.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "base/log.hpp"
#include "cli/arguments.hpp"
#include "data/row_lists.hpp"
#include "families/noisy_or/scores/match.hpp"
#include "family/matched_rows.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "learning/learner.hpp"
#include "learning/row_sums.hpp"
#include "model/likelihood.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {

model::LearnedModel require_network(const family::AnyModel& loaded, const std::string& source) {
  return family::require<model::LearnedModel>(loaded, source, "a noisy-OR network is needed here");
}

model::LearnedModel require_independent(const family::AnyModel& loaded, const std::string& source) {
  model::LearnedModel learned = require_network(loaded, source);
  if (!learned.network.has_dependent_causes()) return learned;
  family::refuse(loaded, source, "a noisy-OR network of independent causes is needed here");
}

model::LearnedModel load_network(const std::string& argument, std::uint64_t seed) {
  return require_independent(family::load_model(argument, seed), argument);
}

std::vector<std::size_t> places_in_data(const model::NoisyOrNetwork& network,
                                        const std::vector<std::string>& names,
                                        const std::string& source, const std::string& data_source) {
  const std::vector<std::string> wanted = network.observed_names();
  const auto places =
      family::columns_by_name(wanted, names, source, data_source, family::Use::learning);
  if (names.size() > wanted.size()) {
    log::warning(
        "{}: {} of its {} columns are no variables of {}: no known cause has edges to them",
        data_source, names.size() - wanted.size(), names.size(), source);
  }
  return places;
}

model::NoisyOrNetwork align_to_data(const model::NoisyOrNetwork& network,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& places) {
  std::vector<model::Observed> observed;
  for (const std::string& name : names) observed.push_back({name, 0});
  for (std::size_t x = 0; x < places.size(); ++x) {
    observed[places[x]].leak = network.observed()[x].leak;
  }
  std::vector<model::Edge> edges = network.edges();
  for (auto& edge : edges) edge.observed = static_cast<std::uint32_t>(places[edge.observed]);
  return {network.causes(), std::move(observed), std::move(edges)};
}

namespace {

namespace po = boost::program_options;

constexpr std::uint64_t most_sets = 1'000'000;

std::size_t n_sets(const cli::Arguments& arguments) {
  const auto n = arguments.get<std::uint64_t>("triples");
  if (n > most_sets) {
    throw UsageError(fmt::format("--triples {}: must be 0 (no check) to {}", n, most_sets));
  }
  return n;
}

/// Comparisons that are not quite fair.
void warn_of_data(const model::LearnedModel& model, const DataScores& scores,
                  const data::SampleMatrix* train) {
  if (!scores.held_out) {
    log::warning("the model was learned from these data: its likelihood is not held out");
  }
  if (train != nullptr && model.data_digest != 0 && train->digest != model.data_digest) {
    log::warning(
        "--train has the digest {:016x}, but the model was learned from {:016x}: the "
        "baselines know other rows than the model",
        train->digest, model.data_digest);
  }
  if (!scores.exact) {
    log::warning(
        "{} causes {}: the log-likelihood leaves out the states that weigh least in a row, so "
        "it is a little too low",
        model.network.has_dependent_causes() ? model.network.n_causes()
                                             : model::largest_component(model.network),
        model.network.has_dependent_causes() ? "depend on one another" : "share variables");
  }
}

}  // namespace

void add_data_options(po::options_description& options) {
  family::add_data_option(options);
  family::add_train_option(options);
  options.add_options()("triples", po::value<std::uint64_t>()->value_name("N")->default_value(1000),
                        "random triples, and pairs, of --data to compare with the model; 0: none");
}

void add_match_options(po::options_description& options) {
  options.add_options()(
      "min-prior", po::value<double>()->value_name("P")->default_value(default_min_prior, "0.02"),
      "a learned cause with a smaller prior does not count as recovering one of --truth");
}

double min_prior(const cli::Arguments& arguments) {
  const auto value = arguments.get<double>("min-prior");
  if (value >= 0 && value <= 1) return value;
  throw UsageError(fmt::format("--min-prior {}: must be a probability from 0 to 1", value));
}

std::optional<Judgement> judge_by_truth(const cli::Arguments& arguments,
                                        const model::LearnedModel& learned) {
  if (!arguments.has("truth")) return std::nullopt;
  const std::string source = arguments.text("truth");
  Judgement judged{require_network(family::load_model(source, arguments.seed()), source), {}};
  try {
    judged.evaluation = score_network(learned, judged.truth.network, min_prior(arguments));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  return judged;
}

void require_used_options(const cli::Arguments& arguments) {
  family::require_with(arguments, "train", "data");
  family::require_with(arguments, "triples", "data");
  family::require_with(arguments, "min-prior", "truth");
  (void)n_sets(arguments);
  (void)min_prior(arguments);
}

std::optional<DataScores> score_data_option(const cli::Arguments& arguments,
                                            const parallel::Team& team,
                                            const model::LearnedModel& model,
                                            const model::NoisyOrNetwork* truth) {
  if (!arguments.has("data")) return std::nullopt;
  const std::vector<std::string> names = model.network.observed_names();
  const auto read = [&](const char* option) {
    return family::read_matched_samples(names, arguments.text("model"), arguments.text(option));
  };
  const data::SampleMatrix samples = read("data");
  std::optional<data::SampleMatrix> train;
  if (arguments.has("train")) train = read("train");
  std::optional<model::NoisyOrNetwork> truth_in_order;
  if (truth != nullptr) truth_in_order = in_order_of(model.network, *truth);
  DataScoreOptions options;
  options.truth = truth_in_order ? &*truth_in_order : nullptr;
  options.train = train ? &*train : nullptr;
  options.n_sets = n_sets(arguments);
  options.seed = arguments.seed();
  options.threads = arguments.threads();
  options.share = learning::share_of_blocks(team);
  DataScores scores = score_data(model, samples, options);
  warn_of_data(model, scores, options.train);
  return scores;
}

learning::Plan plan_data_scores(const cli::Arguments& arguments,
                                const model::NoisyOrNetwork& network) {
  const auto n_rows = [&](const char* option) {
    return arguments.has(option)
               ? static_cast<double>(store::read_sample_header(arguments.text(option)).n_samples)
               : 0;
  };
  const double rows = n_rows("data");
  const double train = n_rows("train");
  const auto m = static_cast<double>(network.n_observed());
  return {m * (rows + train) / 4 + (train > 0 ? 8 * m * m : 0) + 1e6,
          static_cast<std::uint64_t>(rows), "rows"};
}

// Rows of data, and of labels, as an anchored network needs them.

namespace {

using data::ColumnUnions;
using model::NoisyOrNetwork;

/// Places by name; of a repeated one the first.
class Columns {
 public:
  explicit Columns(const std::vector<std::string>& names) {
    for (std::size_t c = names.size(); c-- > 0;) place_[names[c]] = c;
  }

  /// Appends the place of each name, and to `lacks` each that has none. True: all are there.
  bool find(const std::vector<std::string>& names, std::vector<std::size_t>& places,
            std::vector<std::string>& lacks) const {
    const std::size_t before = lacks.size();
    for (const std::string& name : names) {
      const auto found = place_.find(name);
      if (found == place_.end()) {
        lacks.push_back(name);
      } else {
        places.push_back(found->second);
      }
    }
    return lacks.size() == before;
  }

 private:
  std::map<std::string, std::size_t> place_;
};

/// The names of what a variable is the union of: one, but for an anchor of several columns.
std::vector<std::vector<std::string>> members_of(const NoisyOrNetwork& network) {
  std::vector<std::vector<std::string>> members;
  for (const model::Observed& observed : network.observed()) {
    members.push_back({observed.name});
  }
  for (const model::Anchor& anchor : network.anchors()) {
    if (!anchor.columns.empty()) members[anchor.observed] = anchor.columns;
  }
  return members;
}

/// `what` are the wanted, in a message.
ColumnUnions find_columns(const std::vector<std::string>& wanted,
                          const std::vector<std::vector<std::string>>& members,
                          const std::vector<std::string>& names, const std::string& source,
                          const char* what) {
  const Columns columns(names);
  ColumnUnions unions{wanted, std::vector<std::vector<std::size_t>>(wanted.size())};
  std::vector<std::string> lacks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<std::string> ignored;
    if (columns.find({wanted[i]}, unions.members[i], ignored)) continue;
    columns.find(members[i], unions.members[i], lacks);
  }
  if (lacks.empty()) return unions;
  throw InputError(
      fmt::format("{}: {} columns, among them none named {}; the model has {} {}, and columns are "
                  "matched by name: give data that have them all",
                  source, names.size(), learning::list_names(lacks), wanted.size(), what));
}

std::uint64_t count_ones(const data::BitColumns& block) {
  return std::transform_reduce(
      block.words().begin(), block.words().end(), std::uint64_t{0}, std::plus<>(),
      [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
}

}  // namespace

ColumnUnions columns_of(const NoisyOrNetwork& network, const std::vector<std::string>& names,
                        const std::string& source) {
  std::vector<std::string> wanted;
  for (const model::Observed& observed : network.observed()) {
    wanted.push_back(observed.name);
  }
  return find_columns(wanted, members_of(network), names, source, "observed variables");
}

family::AskedVariables asked_variables(const NoisyOrNetwork& network) {
  return {network.observed_names(), members_of(network)};
}

data::SampleMatrix read_rows_of(const NoisyOrNetwork& network, const std::string& model_source,
                                const std::string& path) {
  const store::SampleReader reader(path);
  const auto n_rows = static_cast<std::size_t>(reader.header().n_samples);
  if (n_rows == 0) throw InputError(fmt::format("{}: holds no row; one at least is needed", path));
  if (network.n_observed() > data::RowLists::most_columns) {
    throw InputError(fmt::format("{} observed variables: at most {} can be held against rows",
                                 network.n_observed(), data::RowLists::most_columns));
  }
  const ColumnUnions unions = columns_of(network, reader.names(), path);
  if (!model_source.empty()) family::warn_of_unused(reader.names(), unions, model_source, path);
  data::SampleMatrix rows;
  rows.names = unions.names;
  rows.digest = reader.header().digest;
  rows.values = data::BitPanels(unions.members.size(), n_rows);
  std::uint64_t n_missing = 0;
  std::size_t first = 0;
  for (std::size_t b = 0; b < reader.n_blocks(); ++b) {
    const auto block = reader.read(b);
    if (block.missing) n_missing += count_ones(data::unite(*block.missing, unions));
    rows.values.insert(first, data::unite(block.values, unions));
    first += reader.rows_of(b);
  }
  if (n_missing == 0) return rows;
  throw InputError(fmt::format(
      "{}: {} value{} missing; an anchored network is held against whole rows: impute or "
      "leave out",
      path, n_missing, n_missing == 1 ? " is" : "s are"));
}

data::SampleMatrix read_labels_of(const NoisyOrNetwork& network, const std::string& model_source,
                                  const std::string& path) {
  const data::SampleMatrix samples = store::read_samples(path);
  std::vector<std::string> causes;
  std::vector<std::vector<std::string>> members;
  for (const model::Cause& cause : network.causes()) {
    causes.push_back(cause.name);
    members.push_back({cause.name});
  }
  const ColumnUnions places = find_columns(causes, members, samples.names, path, "causes");
  family::warn_of_unused(samples.names, places, model_source, path);
  return family::in_order(samples, places);
}

}  // namespace orrery::noisy_or
