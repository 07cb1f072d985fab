// Linear networks of numbers (Anandkumar, Hsu, Javanmard, Kakade 2013): the line of the table,
// what is said of a network, and `sample`.
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "cli/arguments.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/network/generators.hpp"
#include "families/linear/scores/scores.hpp"
#include "family/draws.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "orrery/model/linear_sampling.hpp"
#include "report/text.hpp"
#include "store/tables.hpp"

namespace orrery::linear_latent {
extern const learning::LearnerEntry entry;
}

namespace orrery::linear {
namespace {

using model::LinearNetwork;
using report::count_of;

std::size_t n_couplings(const LinearNetwork& network) {
  return static_cast<std::size_t>((network.coupling().array() != 0).count());
}

/// ", 7 edges among causes", ", levels of 3 and 1 above them"
std::string describe_above(const LinearNetwork& network) {
  if (network.has_coupling()) {
    return fmt::format(", {} among causes", count_of(n_couplings(network), "edge"));
  }
  std::string sizes;
  for (const model::UpperLevel& level : network.upper()) {
    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", level.names.size());
  }
  return sizes.empty() ? "" : fmt::format(", levels above them of {}", sizes);
}

}  // namespace

void info(const LearnedLinear& learned, report::Section& section) {
  const LinearNetwork& network = learned.network;
  const std::size_t n_levels = network.upper().size();
  const bool has_errors = learned.loading_errors.size() > 0;
  section.data("learner", learned.learner)
      .data("n_causes", network.n_causes())
      .data("n_observed", network.n_observed())
      .data("n_edges", network.n_edges())
      .data("upper_levels", n_levels)
      .data("coupled", network.has_coupling())
      .data("cause_law", model::cause_law_name(network.law()))
      .data("n_samples", learned.n_samples)
      .data("data_digest", fmt::format("{:016x}", learned.data_digest))
      .data("standard_errors", has_errors);
  section.sentences.push_back(fmt::format(
      "linear network: {} of {}, {}{}{}{}{}", count_of(network.n_causes(), "cause"),
      count_of(network.n_observed(), "variable"), count_of(network.n_edges(), "edge"),
      n_levels > 0 ? fmt::format(", {} above the causes", count_of(n_levels, "level")) : "",
      network.has_coupling() ? ", causes coupled" : "",
      learned.learner.empty() ? "" : ", learned by " + learned.learner,
      has_errors ? ", with standard errors" : ""));
}

void summary(const LearnedLinear& learned, report::Section& section) {
  const LinearNetwork& network = learned.network;
  section.sentences.push_back(fmt::format(
      "{} of {} with {}{} from {}", count_of(network.n_causes(), "cause"),
      count_of(network.n_observed(), "variable"), count_of(network.n_edges(), "edge"),
      describe_above(network),
      learned.n_samples == 0 ? "exact moments" : count_of(learned.n_samples, "sample")));
  nlohmann::json levels = nlohmann::json::array();
  for (const model::UpperLevel& level : network.upper()) levels.push_back(level.names.size());
  section.data("n_observed", network.n_observed())
      .data("n_edges", network.n_edges())
      .data("n_couplings", n_couplings(network))
      .data("levels", std::move(levels))
      .data("remarks", learned.remarks)
      .data("n_samples", learned.n_samples);
  section.remarks = learned.remarks;
  report::Table& causes = section.table("causes", "Causes");
  const std::vector<std::string> titles = titles_of_causes(network);
  for (std::size_t j = 0; j < network.n_causes(); ++j) {
    const auto column = network.loadings().col(static_cast<Eigen::Index>(j));
    const auto n_children = static_cast<std::size_t>((column.array() != 0).count());
    causes.row()
        .tell("name", network.cause_names()[j], "cause", titles[j])
        .data("title", titles[j])
        .tell("children", n_children, "children", fmt::format("{}", n_children));
  }
}

using family::typed;

const family::Family& family() {
  static const family::Family of_table{
      .name = "linear",
      .type = typeid(LearnedLinear),
      .input = learning::Input::numbers,
      .describe = [](const family::AnyModel&) { return "a linear network"; },
      .variables =
          [](const family::AnyModel& model) { return model.as<LearnedLinear>()->network.names(); },
      .size =
          [](const family::AnyModel& model) {
            const model::LinearNetwork& network = model.as<LearnedLinear>()->network;
            return family::Size{network.n_causes(), "causes", network.n_edges()};
          },
      .info = typed(info),
      .summary = typed(summary),
      .generators = model::linear_generator_help(),
      .generate = generate,
      .fields = family::fields_of(fields),
      .renamed = typed(renamed),
      .groups = {"linear"},
      .json_formats = {"orrery-linear-1"},
      .formats = {{"csv", typed(to_csv), typed(strong_csv)}},
      .graph = typed(graph),
      .learners = {&linear_latent::entry},
      .papers = {{"linear",
                  "A. Anandkumar, D. Hsu, A. Javanmard, S. M. Kakade. Learning linear "
                  "Bayesian networks with latent variables. ICML 2013."}},
      .sample = {typed(sample), add_sample_options, "Of a linear network: numbers."},
      .evaluate = {typed(evaluate), family::add_data_option,
                   "Of a linear network: causes matched up to order and sign, edges and errors of "
                   "loadings, likelihood of data.",
                   typed(plan_evaluate)},
      .report = {typed(report), nullptr, "Of a linear network: its loadings and causes.",
                 typed(plan_report)},
      .depth = {expansion_depth()},
  };
  return of_table;
}

// ---- `sample`

namespace {

namespace po = boost::program_options;
using model::LearnedLinear;

class LinearDraws {
 public:
  using Block = data::DenseBlock;
  LinearDraws(const LearnedLinear& truth, std::uint64_t seed) : truth_(truth), seed_(seed) {}

  [[nodiscard]] double bytes_a_row() const { return 8 * static_cast<double>(n_observed()); }
  [[nodiscard]] std::uint64_t block_rows() const { return data::dense_block_rows(n_observed()); }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const {
    return model::sample_linear_rows(truth_.network, seed_, first_row, n_rows);
  }
  [[nodiscard]] Block empty(std::size_t n_rows) const { return {n_rows, n_observed()}; }
  static std::span<double> values(Block& block) { return block.values; }

  void begin(const std::string& output) {
    writer_ = std::make_unique<store::DenseWriter>(output);
    writer_->begin(truth_.network.names());
  }
  void append(const Block& block) { writer_->append(block); }
  void finish(const store::RunInfo& run) { writer_->finish(run, family::group_of(truth_)); }

 private:
  [[nodiscard]] std::size_t n_observed() const noexcept { return truth_.network.n_observed(); }

  const LearnedLinear& truth_;
  std::uint64_t seed_;
  std::unique_ptr<store::DenseWriter> writer_;
};

model::LinearParameters parameters_of(const Arguments& arguments) {
  model::LinearParameters parameters;
  if (arguments.has("cause-law")) {
    parameters.law = model::parse_cause_law("--cause-law", arguments.text("cause-law"));
  }
  if (arguments.has("cause-correlation")) {
    parameters.correlation = arguments.get<double>("cause-correlation");
  }
  return parameters;
}

/// The law also replaces a file's.
LearnedLinear with_options(const LearnedLinear& learned, const Arguments& arguments) {
  const std::string name = arguments.text("network");
  if (!name.starts_with("linear:bipartite:")) {
    family::refuse_options(arguments, {"cause-correlation"}, name,
                           "a network that says how its causes go together");
  }
  if (model::is_linear_spec(name) || !arguments.has("cause-law")) return learned;
  LearnedLinear changed = learned;
  model::LinearParts parts = learned.network.parts();
  parts.law = parameters_of(arguments).law;
  changed.network = model::LinearNetwork(std::move(parts));
  return changed;
}

}  // namespace

void add_sample_options(po::options_description& options) {
  options.add_options()(
      "cause-law", po::value<std::string>()->value_name("LAW"),
      "of a linear network: what its independent causes (innovations) are drawn from: gaussian, "
      "skewed or heavy-tailed (gaussian, or the file's, without it)")(
      "cause-correlation", po::value<double>()->value_name("R"),
      "of a linear:bipartite:...: the correlation of any two causes (0 without it)");
}

std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments) {
  if (!model::is_linear_spec(argument)) return std::nullopt;
  const auto parameters =
      arguments != nullptr ? parameters_of(*arguments) : model::LinearParameters();
  auto network = model::generate_linear(argument, seed, parameters);
  if (!network) return std::nullopt;
  LearnedLinear learned;
  learned.network = std::move(*network);
  return learned;
}

void sample(const LearnedLinear& given, const Arguments& arguments, const parallel::Team& team) {
  const LearnedLinear learned = with_options(given, arguments);
  const model::LinearNetwork& network = learned.network;
  const std::string law(model::cause_law_name(network.law()));
  family::draw(arguments, team, LinearDraws(learned, arguments.seed()),
               {network.n_observed(),
                fmt::format("a linear network of {} hidden causes, {} edges, {} law",
                            network.n_causes(), network.n_edges(), law),
                {{"n_causes", network.n_causes()}, {"n_edges", network.n_edges()}, {"law", law}}});
}

}  // namespace orrery::linear
