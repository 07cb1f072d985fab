// orrery evaluate MODEL [--truth NETWORK] [--data DATA]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/network_argument.hpp"
#include "cli/summary.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/evaluate/match.hpp"
#include "orrery/model/likelihood.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

constexpr std::size_t max_exact_component = 20;

struct Likelihoods {
  double model = 0;
  std::optional<double> truth;
  std::uint64_t n_samples = 0;
};

/// Mean log-likelihoods where they are exact; empty (with a message) where a component is too
/// large.
std::optional<Likelihoods> score(const model::NoisyOrNetwork& learned,
                                 const model::NoisyOrNetwork* truth, const std::string& path) {
  const data::SampleMatrix samples = store::read_samples(path);
  if (samples.n_observed() != learned.n_observed()) {
    throw InputError(
        fmt::format("{}: {} variables, but the model has {}; give data of the model's variables",
                    path, samples.n_observed(), learned.n_observed()));
  }
  const std::size_t component = model::largest_component(learned);
  if (component > max_exact_component) {
    log::warning("{} causes share a component; the exact log-likelihood takes at most {}: left out",
                 component, max_exact_component);
    return std::nullopt;
  }
  Likelihoods result;
  result.n_samples = samples.n_samples();
  result.model = model::mean_log_likelihood(learned, samples, max_exact_component);
  if (truth != nullptr && truth->n_observed() == samples.n_observed() &&
      model::largest_component(*truth) <= max_exact_component) {
    result.truth = model::mean_log_likelihood(*truth, samples, max_exact_component);
  }
  return result;
}

/// JSON has no infinity: null stands for a row that the model calls impossible.
nlohmann::json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json evaluation_json(const evaluate::Evaluation& result,
                               const model::LearnedModel& learned,
                               const model::NoisyOrNetwork& truth) {
  nlohmann::json causes = nlohmann::json::array();
  for (std::size_t u = 0; u < result.causes.size(); ++u) {
    const auto& match = result.causes[u];
    nlohmann::json entry{{"true", truth.causes()[u].name}, {"recovered", match.recovered}};
    if (match.learned >= 0) {
      const auto index = static_cast<std::size_t>(match.learned);
      entry["learned"] = learned.network.causes()[index].name;
      entry["cost"] = match.cost;
      entry["prior_error"] = match.prior_error;
      entry["failure_error"] = match.failure_error;
      if (!learned.provenance.empty()) entry["depth"] = learned.provenance[index].depth;
    }
    causes.push_back(std::move(entry));
  }
  return {{"true_causes", result.n_true},
          {"learned_causes", result.n_learned},
          {"recovered", result.recovered},
          {"extra", result.extra.size()},
          {"edge_precision", result.edge_precision},
          {"edge_recall", result.edge_recall},
          {"edge_f1", result.edge_f1},
          {"mean_prior_error", result.mean_prior_error},
          {"max_failure_error", result.max_failure_error},
          {"max_leak_error", result.max_leak_error},
          {"learned_at_depth", result.learned_at_depth},
          {"causes", std::move(causes)}};
}

void print_evaluation(const evaluate::Evaluation& result, const model::LearnedModel& learned,
                      const model::NoisyOrNetwork& truth) {
  std::cout << fmt::format("{} of {} causes recovered, {} extra\n", result.recovered, result.n_true,
                           result.extra.size());
  for (std::size_t u = 0; u < result.causes.size(); ++u) {
    const auto& match = result.causes[u];
    std::cout << fmt::format("  {:14}", truth.causes()[u].name);
    if (match.learned < 0) {
      std::cout << "no match\n";
      continue;
    }
    const auto index = static_cast<std::size_t>(match.learned);
    const int depth = learned.provenance.empty() ? -1 : learned.provenance[index].depth;
    std::cout << fmt::format(
        "{} {:10}{}  cost {:.3g}  prior {:.4g} (true {:.4g})  worst failure error {:.2g}\n",
        match.recovered ? "=" : "~", learned.network.causes()[index].name,
        depth < 0 ? "" : fmt::format("  depth {}", depth), match.cost,
        learned.network.causes()[index].prior, truth.causes()[u].prior, match.failure_error);
  }
  std::cout << fmt::format("edges (1 - f > .1): precision {:.3f}, recall {:.3f}, F1 {:.3f}\n",
                           result.edge_precision, result.edge_recall, result.edge_f1);
  if (result.recovered > 0) {
    std::cout << fmt::format(
        "recovered causes: mean prior error {:.2g}, worst failure error {:.2g}\n",
        result.mean_prior_error, result.max_failure_error);
  }
  std::cout << fmt::format("worst leak error {:.2g}\n", result.max_leak_error);
  for (std::size_t depth = 0; depth < result.learned_at_depth.size(); ++depth) {
    std::cout << fmt::format("learned at depth {}: {}\n", depth, result.learned_at_depth[depth]);
  }
}

/// Into `json`, or printed.
void compare(const Arguments& arguments, const model::LearnedModel& learned,
             const model::NoisyOrNetwork& truth, nlohmann::json& json) {
  const evaluate::Evaluation result = evaluate::evaluate(learned, truth);
  if (arguments.json()) {
    json = evaluation_json(result, learned, truth);
  } else {
    print_evaluation(result, learned, truth);
  }
}

void print_likelihoods(const Arguments& arguments, const Likelihoods& mean, nlohmann::json& json) {
  if (arguments.json()) {
    json["log_likelihood"] = finite_or_null(mean.model);
    if (mean.truth) json["true_log_likelihood"] = finite_or_null(*mean.truth);
    json["rows"] = mean.n_samples;
    return;
  }
  std::cout << fmt::format("log-likelihood a row: {:.4f} nats over {} rows{}\n", mean.model,
                           format_count(mean.n_samples),
                           mean.truth ? fmt::format(" (true network {:.4f})", *mean.truth) : "");
}

/// A row costs 2^causes states of m variables at worst.
learners::Plan make_plan(const model::NoisyOrNetwork& learned, const std::string& data,
                         int threads) {
  const double rows =
      data.empty() ? 0 : static_cast<double>(store::read_sample_header(data).n_samples);
  const auto m = static_cast<double>(learned.n_observed());
  const double states = std::pow(
      2, static_cast<double>(std::min(model::largest_component(learned), max_exact_component)));
  return {m * rows / 4 + 1e6, static_cast<std::uint64_t>(rows), "rows",
          rows * states * 2e-9 * m / 8 / threads};
}

}  // namespace

void run_evaluate(const CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("truth", po::value<std::string>()->value_name("NETWORK"),
                    "the true network: a file, a generator (with its --seed), or the data file it "
                    "was sampled to")(
      "data", po::value<std::string>()->value_name("DATA"),
      "samples for the mean log-likelihood a row (exact; up to 20 causes a component)");
  const Arguments arguments(
      {"evaluate",
       "MODEL [--truth NETWORK] [--data DATA]",
       "Counts recovered causes (Hungarian matching on the worst |log failure ratio|; at most 1, "
       "learned prior at least .02), edges, errors, and scores data.",
       "orrery evaluate model.h5 --truth img --data heldout.h5",
       {"model"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  if (!arguments.has("truth") && !arguments.has("data")) {
    throw UsageError("nothing to evaluate against: give --truth NETWORK, --data DATA or both");
  }
  const model::LearnedModel learned = load_network(arguments.required("model"), arguments.seed());
  std::optional<model::LearnedModel> truth;
  if (arguments.has("truth")) {
    truth = load_network(arguments.get<std::string>("truth"), arguments.seed());
  }
  if (arguments.dry_run()) {
    print_plan(arguments, make_plan(learned.network, arguments.text("data"), arguments.threads()));
    return;
  }
  nlohmann::json result = nlohmann::json::object();
  if (truth) compare(arguments, learned, truth->network, result);
  if (arguments.has("data")) {
    const auto likelihoods =
        score(learned.network, truth ? &truth->network : nullptr, arguments.text("data"));
    if (likelihoods) print_likelihoods(arguments, *likelihoods, result);
  }
  if (arguments.json()) print_json(result);
}

}  // namespace orrery::cli
