#include "families/noisy_or/anchored/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>
#include <chrono>
#include <cmath>

#include "families/noisy_or/anchored/loadings/failure_estimators.hpp"
#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/moments/frequencies.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"
#include "store/store.hpp"

namespace orrery::anchored {
namespace {

namespace po = boost::program_options;

constexpr std::array method_words{std::pair{"moments", Method::moments},
                                  std::pair{"oracle-moments", Method::oracle_moments},
                                  std::pair{"oracle-likelihood", Method::oracle_likelihood},
                                  std::pair{"imputation", Method::imputation}};
constexpr std::array polytope_words{
    std::pair{"simplex", Polytope::simplex}, std::pair{"local", Polytope::local},
    std::pair{"local+cycles", Polytope::local_cycles}, std::pair{"marginal", Polytope::marginal}};
constexpr std::array integer_program_words{std::pair{"toulbar2", IntegerProgram::toulbar2},
                                           std::pair{"cbc", IntegerProgram::cbc}};
constexpr std::array loadings_words{
    std::pair{"auto", Loadings::matched}, std::pair{"matched", Loadings::matched},
    std::pair{"direct", Loadings::direct}, std::pair{"tree", Loadings::tree},
    std::pair{"blanket", Loadings::blanket}};

constexpr std::array structure_rows_words{std::pair{"effective", true}, std::pair{"all", false}};

constexpr double least_gap = 1e-6;
constexpr double most_gap = .005;

/// "indegree:2": the kind and its number.
void read_structure(const std::string& text, StructureOptions& options) {
  const auto limited = [&](const char* kind, Structure structure, std::size_t most) {
    const std::string begin = std::string(kind) + ":";
    if (!text.starts_with(begin)) return false;
    const char* const first = text.data() + begin.size();
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, options.limit);
    if (error != std::errc() || end != last || options.limit < 1 || options.limit > most) {
      throw UsageError(fmt::format("--structure {}: {}:K with K from 1 to {}", text, kind, most));
    }
    options.structure = structure;
    return true;
  };
  if (text == "independent") {
    options.structure = Structure::independent;
  } else if (text == "tree") {
    options.structure = Structure::tree;
  } else if (!limited("indegree", Structure::in_degree, 4) &&
             !limited("degree", Structure::degree, 3)) {
    throw UsageError(
        fmt::format("--structure {}: independent, tree, indegree:K or degree:K", text));
  }
}

void require_together(const po::variables_map& values, const Options& options) {
  if (options.anchors.empty()) {
    throw UsageError(
        "--anchors FILE is needed: a table cause,column[,off,on] that names one sure sign of each "
        "cause");
  }
  if (options.positive_only && options.mutually_irreducible) {
    throw UsageError(
        "--positive-only and --mutually-irreducible: an anchor is never on without its cause, or "
        "its rate there is to be found; give one of them");
  }
  const bool oracle =
      options.method == Method::oracle_moments || options.method == Method::oracle_likelihood;
  if (oracle && options.labels.empty()) {
    throw UsageError(fmt::format("--method {} learns from labels of all rows; give --labels FILE",
                                 values["method"].as<std::string>()));
  }
  if (options.loadings == Loadings::tree && options.structure.structure != Structure::tree &&
      options.structure.structure != Structure::independent) {
    throw UsageError(
        "--loadings tree: Eqs. (8) and (9) hold where the causes are a tree; use --structure tree, "
        "or --loadings matched");
  }
  if (options.recovery.polytope == Polytope::local_cycles && order_needed(options.structure) > 2) {
    throw UsageError(
        "--polytope local+cycles is of pairs of causes; use --structure tree or independent, or "
        "--polytope marginal");
  }
}

}  // namespace

void add_options(po::options_description& options) {
  const auto text = [](const char* value, const char* choices) {
    return po::value<std::string>()->default_value(value)->value_name(choices);
  };
  options.add_options()(
      "anchors", po::value<std::string>()->value_name("FILE"),
      "a table cause,column[,off,on]: the anchor of each cause and, if they are known, its noise "
      "rates P(on | cause absent) and P(on | cause present); a;b is an anchor that is on where a "
      "or b is; several rows with one cause give it several anchors")(
      "labels", po::value<std::string>()->value_name("FILE"),
      "a samples file with one column per cause, and the rows of DATA in their order; a missing "
      "value is no label. The noise rates of anchors are estimated from labels, and the oracle "
      "methods learn from them")("positive-only",
                                 "anchors are never on without their cause; a classifier estimates "
                                 "how often they are on with it")(
      "mutually-irreducible",
      "assume that some rows surely have a cause and some surely lack it; how often its anchor is "
      "on in the rows that a classifier ranks first and last are then its noise rates (Menon et "
      "al. 2015)")(
      "method", text("moments", "moments|imputation|oracle-moments|oracle-likelihood"),
      "moments (of anchors), imputation (labels drawn from noise-tolerant classifiers), "
      "oracle-moments, oracle-likelihood (both with --labels of all rows)")(
      "polytope", text("simplex", "simplex|local|local+cycles|marginal"),
      "what the recovered moments of causes must satisfy: simplex (each table alone), local (they "
      "agree in what they share), local+cycles, marginal (they are of one distribution)")(
      "integer-program", text("toulbar2", "toulbar2|cbc"),
      "what solves the integer programs of --polytope marginal: toulbar2 (a program that is looked "
      "for on the PATH) or cbc (slower)")(
      "gap", po::value<double>()->value_name("NATS"),
      "moments are this close to the best in their polytope, in nats per row. Default: 1 / rows "
      "(one nat over all rows, less than sampling error), within 0.000001 and 0.005")(
      "regularise", po::value<double>()->default_value(0)->value_name("X"),
      "pulls moments of causes towards independence (the paper has 0.01)")(
      "regularise-loadings", po::value<double>()->default_value(0)->value_name("X"),
      "the same for the moments of causes with an observed variable (the paper has 0.1)")(
      "structure", text("tree", "independent|tree|indegree:K|degree:K"),
      "how causes may depend: independent, tree, indegree:K (best BIC), degree:K (independence "
      "tests)")(
      "structure-rows", text("effective", "effective|all"),
      "for how many rows the BIC and the tests of independence take what is seen through noisy "
      "anchors: effective (as many as rows of the causes themselves would tell as much) or all (of "
      "them, as in the paper)")(
      "loadings", text("auto", "auto|matched|direct|tree|blanket"),
      "estimator of failures: matched (all causes of a variable at once; auto), direct "
      "(Eq. 7), tree (Eqs. 8-9), blanket (Eq. 6)")(
      "alpha", po::value<double>()->default_value(.01)->value_name("A"),
      "share of false edges among those kept, and level of tests of independence")(
      "em", po::value<std::uint32_t>()->default_value(0)->value_name("N"),
      "steps of Monte-Carlo EM after the moments")(
      "draws", po::value<std::uint64_t>()->default_value(100'000)->value_name("D"),
      "samples of the causes where exact sums are out of reach");
}

double gap_of(const Options& options, std::uint64_t n_samples) {
  if (options.gap) return *options.gap;
  if (n_samples == 0) return least_gap;
  return std::clamp(1 / static_cast<double>(n_samples), least_gap, most_gap);
}

Options read_options(const po::variables_map& values) {
  Options options;
  if (values.count("anchors") > 0) options.anchors = values["anchors"].as<std::string>();
  if (values.count("labels") > 0) options.labels = values["labels"].as<std::string>();
  options.positive_only = values.count("positive-only") > 0;
  options.mutually_irreducible = values.count("mutually-irreducible") > 0;
  options.method = learning::value_of_word(values, "method", method_words);
  options.recovery.polytope = learning::value_of_word(values, "polytope", polytope_words);
  options.recovery.integer_program =
      learning::value_of_word(values, "integer-program", integer_program_words);
  if (values.count("gap") > 0) options.gap = learning::positive_value(values, "gap", 1e3);
  options.recovery.regularise = learning::value_within<double>(values, "regularise", 0, 1e6);
  options.regularise_loadings =
      learning::value_within<double>(values, "regularise-loadings", 0, 1e6);
  read_structure(values["structure"].as<std::string>(), options.structure);
  options.effective_rows = learning::value_of_word(values, "structure-rows", structure_rows_words);
  options.loadings = learning::value_of_word(values, "loadings", loadings_words);
  if (options.loadings == Loadings::matched &&
      options.structure.structure == Structure::independent &&
      values["loadings"].as<std::string>() == "auto") {
    options.loadings = Loadings::direct;
  }
  options.alpha = learning::level_value(values, "alpha");
  options.structure.alpha = options.alpha;
  options.em_steps = learning::value_within<std::uint32_t>(values, "em", 0, 10'000);
  options.draws = learning::value_within<std::uint64_t>(values, "draws", 1'000, 100'000'000);
  require_together(values, options);
  return options;
}

std::vector<std::pair<std::string, std::string>> describe_options(bool exact,
                                                                  const po::variables_map& values) {
  const Options options = read_options(values);
  if (exact && (!options.labels.empty() || options.positive_only || options.mutually_irreducible ||
                options.em_steps > 0 || options.method != Method::moments)) {
    throw UsageError(
        "--moments: exact moments have no rows, so no --labels, --positive-only, "
        "--mutually-irreducible, --em, nor another --method");
  }
  std::vector<std::pair<std::string, std::string>> described{
      {"--positive-only", options.positive_only ? "yes" : "no"},
      {"--mutually-irreducible", options.mutually_irreducible ? "yes" : "no"}};
  for (const char* option :
       {"method", "polytope", "integer-program", "structure", "structure-rows", "loadings"}) {
    described.emplace_back(std::string("--") + option, values[option].as<std::string>());
  }
  described.emplace_back("--gap", options.gap ? fmt::format("{}", *options.gap) : "by rows");
  for (const char* option : {"regularise", "regularise-loadings", "alpha"}) {
    described.emplace_back(std::string("--") + option,
                           fmt::format("{}", values[option].as<double>()));
  }
  described.emplace_back("--em", fmt::format("{}", options.em_steps));
  described.emplace_back("--draws", fmt::format("{}", options.draws));
  described.emplace_back("--seed", fmt::format("{}", values["seed"].as<std::uint64_t>()));
  return described;
}

std::vector<learning::OptionFile> option_files(const po::variables_map& values) {
  const Options options = read_options(values);
  std::vector<learning::OptionFile> files{{"--anchors", options.anchors}};
  if (!options.labels.empty()) files.push_back({"--labels", options.labels, true});
  return files;
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr double measuring_seconds = .1;

double sets_of(double n, std::size_t size) {
  double sets = 1;
  for (std::size_t i = 0; i < size; ++i) {
    sets *= (n - static_cast<double>(i)) / static_cast<double>(i + 1);
  }
  return std::max(0.0, sets);
}

/// Seconds of a product and a column over all rows, by the file's first block.
double time_counts(const store::SampleReader& reader, learning::Timing& timing) {
  const auto begin = Clock::now();
  const store::SampleReader::Block block = reader.read(0);
  timing.waits("load", std::chrono::duration<double>(Clock::now() - begin).count() *
                           static_cast<double>(reader.n_blocks()));
  Observations first;
  first.n_samples = block.values.n_rows();
  first.values = data::BitPanels(block.values.n_columns(), block.values.n_rows());
  first.values.insert(0, block.values);
  std::vector<Column> columns;
  for (std::uint32_t c = 0; c < std::min(columns_a_unit, block.values.n_columns()); ++c) {
    columns.push_back({Column::Kind::observed, c});
  }
  std::vector<Product> products;
  for (const Column& column : columns) products.push_back({column});
  const double seconds = timing.measure(measuring_seconds, [&] {
    const Frequencies counts(first, products, columns);
    if (counts.n_views() == 0) throw std::logic_error("no view");
  });
  return seconds / static_cast<double>(products.size() * columns.size()) *
         static_cast<double>(reader.header().n_samples) / static_cast<double>(first.n_samples);
}

/// Seconds of a variable in a view.
double time_failures(std::size_t n, learning::Timing& timing) {
  std::vector<model::CauseTable> tables(n);
  for (std::uint32_t i = 1; i < n; ++i) tables[i] = {{(i - 1) / 2}, {.2, .5}};
  const CauseExpectations sums(model::CauseNetwork(tables), 1, 1);
  const RatioMatcher matcher(sums);
  std::vector<std::uint32_t> active(n);
  for (std::uint32_t i = 0; i < n; ++i) active[i] = i;
  const std::vector<double> ratios(n, -.1);
  return timing.measure(measuring_seconds, [&] {
    std::vector<double> logs = ratios;
    if (!matcher.solve(ratios, active, logs)) throw std::logic_error("no failures");
  });
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  require_program(options.recovery);
  const NamedAnchors named = read_anchors(options.anchors);
  const auto k = static_cast<double>(named.causes.size());
  learning::Plan plan;
  plan.unit = "blocks of variables";
  plan.memory = learning::memory_of_program(context.resources);
  const PolytopeCost polytope =
      cost_of(options.recovery.polytope, named.causes.size(), order_needed(options.structure));
  if (polytope.bytes > 0) plan.memory.emplace_back("polytope", polytope.bytes);
  // One processor works on it.
  if (polytope.seconds > 0) context.timing.waits("cause_moments", polytope.seconds);
  double variables = 0;
  double rows = 0;
  if (context.exact == nullptr) {
    const store::SampleReader reader(context.path);
    rows = static_cast<double>(reader.header().n_samples);
    variables = static_cast<double>(reader.header().n_observed);
    const double count = time_counts(reader, context.timing);
    const std::size_t order = order_needed(options.structure);
    double sets = 0;
    for (std::size_t size = 0; size < order; ++size) sets += sets_of(k, size);
    context.timing.shared("anchors", 2 * count * k * variables);
    context.timing.shared("anchor_moments", count * sets * k);
    const double views = static_cast<double>(n_views(reader.header().n_samples));
    const double edges = options.loadings == Loadings::tree ? k - 1 : 0;
    const double blankets = options.loadings == Loadings::blanket ? 8 * k : 0;
    const double failures = time_failures(named.causes.size(), context.timing);
    context.timing.shared("loadings",
                          2 * variables * (count * (1 + k + edges + blankets) + failures * views));
    plan.memory.emplace_back("bits",
                             bits_needed(reader.header().n_samples, reader.header().n_observed));
    plan.memory.emplace_back("anchor_moments", 8 * views * sets * (k + 1));
    plan.memory.emplace_back("loadings", 16 * 2 * variables * (k + 1));
  } else if (const auto* learned = context.exact->as<model::LearnedModel>()) {
    variables = static_cast<double>(learned->network.n_observed());
  }
  if (!options.labels.empty()) {
    plan.memory.emplace_back(
        "labels", 2 * bits_needed(static_cast<std::uint64_t>(rows), named.causes.size()));
  }
  plan.units =
      static_cast<std::uint64_t>(std::ceil(variables / static_cast<double>(columns_a_unit)));
  plan.memory_bytes = learning::total(plan.memory);
  return plan;
}

}  // namespace orrery::anchored
