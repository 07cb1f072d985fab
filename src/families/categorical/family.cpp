// Categorical networks: causes and observed variables of several states each (Lazic, Bishop, Winn
// 2013): the line of the table, what is said of a network, and `sample`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "families/categorical/commands.hpp"
#include "families/categorical/network/generators.hpp"
#include "families/categorical/scores/scores.hpp"
#include "family/draws.hpp"
#include "family/posterior_rows.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_sampling.hpp"
#include "report/text.hpp"
#include "store/tables.hpp"

namespace orrery::structural_ep {
extern const learning::LearnerEntry entry;
}
namespace orrery::structural_em {
extern const learning::LearnerEntry entry;
}

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using nlohmann::json;
using report::count_of;

void add_causes(report::Table& table, const CategoricalNetwork& network) {
  constexpr std::size_t listed_children = 12;
  const std::vector<std::string> titles = titles_of_causes(network);
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    json prior = json::array();
    std::vector<std::string> prior_texts;
    for (const double p : network.causes()[k].prior) {
      prior.push_back(report::finite_or_null(p));
      prior_texts.push_back(fmt::format("{:.3g}", p));
    }
    std::vector<std::string> children;
    for (const auto& variable : network.variables()) {
      if (std::ranges::binary_search(variable.parents, k)) children.push_back(variable.name);
    }
    const std::string& name = network.causes()[k].name;
    report::Record& row = table.row();
    row.tell("name", name, "cause", titles[k]).data("title", titles[k]);
    row.tell("prior", std::move(prior), "P(state)", fmt::format("{}", fmt::join(prior_texts, " ")));
    row.data("children", children);
    row.show("variables", fmt::format("{}", children.size()));
    const bool cut = children.size() > listed_children;
    children.resize(std::min(children.size(), listed_children));
    row.show("they are", fmt::format("{}{}", fmt::join(children, ", "), cut ? ", ..." : ""));
  }
}

void add_choices(report::Table& table, const std::vector<LearnedCategorical::Choice>& choices) {
  const auto text = [](double value) {
    return std::isfinite(value) ? fmt::format("{:.5g}", value) : std::string("-");
  };
  for (const auto& choice : choices) {
    table.row()
        .tell("n_causes", choice.n_causes, "causes", fmt::format("{}", choice.n_causes))
        .tell("held_out", report::finite_or_null(choice.held_out), "held-out log-likelihood",
              text(choice.held_out))
        .tell("error", report::finite_or_null(choice.error), "standard error", text(choice.error));
  }
}

}  // namespace

void info(const LearnedCategorical& learned, report::Section& section) {
  const CategoricalNetwork& network = learned.network;
  section.sentences.push_back(
      fmt::format("categorical network: {} of {}, {}{}{}", count_of(network.n_causes(), "cause"),
                  count_of(network.n_observed(), "variable"), count_of(network.n_edges(), "edge"),
                  learned.learner.empty() ? "" : ", learned by " + learned.learner,
                  learned.parent_sets.empty() ? "" : ", with the posterior of its structure"));
  section.data("learner", learned.learner)
      .data("n_causes", network.n_causes())
      .data("n_observed", network.n_observed())
      .data("n_edges", network.n_edges())
      .data("n_samples", learned.n_samples)
      .data("data_digest", fmt::format("{:016x}", learned.data_digest))
      .data("posterior_of_structure", !learned.parent_sets.empty())
      .data("evidence_kind", learned.evidence_kind)
      .data("remarks", learned.remarks);
  section.data("log_evidence", report::finite_or_null(learned.log_evidence));
  if (!learned.evidence_kind.empty() && std::isfinite(learned.log_evidence)) {
    section.show("log evidence", fmt::format("{:.6g}", learned.log_evidence),
                 learned.evidence_kind);
  }
  add_causes(section.table("causes", "Causes"), network);
  add_choices(section.table("choices", "Numbers of causes that were tried"), learned.choices);
  section.remarks = learned.remarks;
}

void summary(const LearnedCategorical& learned, report::Section& section) {
  info(learned, section);
  const CategoricalNetwork& network = learned.network;
  section.sentences = {
      fmt::format("{} of {} with {}, from {}", count_of(network.n_causes(), "cause"),
                  count_of(network.n_observed(), "variable"), count_of(network.n_edges(), "edge"),
                  count_of(learned.n_samples, "sample"))};
}

using family::typed;

const family::Family& family() {
  static const family::Family of_table{
      .name = "categorical",
      .type = typeid(LearnedCategorical),
      .input = learning::Input::categories,
      .describe = [](const family::AnyModel&) { return "a categorical network"; },
      .variables =
          [](const family::AnyModel& model) {
            return model.as<LearnedCategorical>()->network.names();
          },
      .size =
          [](const family::AnyModel& model) {
            const model::CategoricalNetwork& network = model.as<LearnedCategorical>()->network;
            return family::Size{network.n_causes(), "causes", network.n_edges()};
          },
      .info = typed(info),
      .summary = typed(summary),
      .generators = model::categorical_generator_help(),
      .generate = generate,
      .fields = family::fields_of(fields),
      .renamed = typed(renamed),
      .groups = {"categorical_network"},
      .json_formats = {"orrery-categorical-1"},
      .formats = {{"csv", typed(to_csv)}},
      .graph = typed(graph),
      .discrete = typed(discrete),
      .learners = {&structural_ep::entry, &structural_em::entry},
      .papers = {{"sem", {"friedman1998", "cheeseman1996"}}, {"sep", {"lazic2013"}}},
      .sample = {typed(sample), add_sample_options, "Of a categorical network: categories."},
      .infer = {typed(infer), add_infer_options,
                "Of a categorical network: the states of its causes."},
      .evaluate =
          {typed(evaluate), add_evaluate_options,
           "Of a categorical network: edges that differ from the true one's once causes are "
           "matched, likelihood of data.",
           typed(plan_evaluate)},
      .report = {typed(report), family::add_data_option,
                 "Of a categorical network: its structure above its data.", typed(plan_report)},
  };
  return of_table;
}

// ---- `sample`

namespace {

namespace po = boost::program_options;

/// The file is written from one table.
class CategoricalDraws {
 public:
  using Block = data::CategoricalTable;
  CategoricalDraws(const model::LearnedCategorical& truth, std::uint64_t seed, double missing)
      : truth_(truth), seed_(seed), missing_(missing), table_(draw(0, 0)) {}

  [[nodiscard]] double bytes_a_row() const { return static_cast<double>(n_observed()); }
  /// The table, and once more when what was written is checked.
  [[nodiscard]] double bytes_held(std::uint64_t n_samples) const {
    return 2 * bytes_a_row() * static_cast<double>(n_samples);
  }
  [[nodiscard]] std::uint64_t block_rows() const {
    return std::max<std::uint64_t>(1, (std::uint64_t{1} << 20U) / n_observed());
  }
  [[nodiscard]] Block draw(std::uint64_t first_row, std::size_t n_rows) const {
    return model::sample_categorical(truth_.network, seed_, first_row, n_rows, missing_);
  }
  [[nodiscard]] Block empty(std::size_t n_rows) const {
    Block block;
    block.n_rows = n_rows;
    block.codes.resize(n_rows * n_observed());
    return block;
  }
  static std::span<std::uint8_t> values(Block& block) { return block.codes; }

  void begin(const std::string& output) {
    OutputFile probe(output);
    output_ = output;
  }
  void append(const Block& block) {
    table_.n_rows += block.n_rows;
    table_.codes.insert(table_.codes.end(), block.codes.begin(), block.codes.end());
  }
  void finish(const store::RunInfo& run) {
    store::write_categorical(output_, table_, run, family::group_of(truth_));
  }

 private:
  [[nodiscard]] std::size_t n_observed() const noexcept { return truth_.network.n_observed(); }

  const model::LearnedCategorical& truth_;
  std::uint64_t seed_;
  double missing_;
  Block table_;
  std::string output_;
};

double missing_share(const Arguments& arguments) {
  if (!arguments.has("missing-share")) return 0;
  const auto share = arguments.get<double>("missing-share");
  if (share >= 0 && share < 1) return share;
  throw UsageError(fmt::format(
      "--missing-share {}: must be a probability below 1: nothing would be left", share));
}

}  // namespace

void add_sample_options(po::options_description& options) {
  options.add_options()(
      "concentration", po::value<double>()->value_name("A"),
      "of a categorical:...: rows of tables are drawn from a Dirichlet distribution of A "
      "pseudocounts, 1 to 10^6, around those that it has without this option")(
      "missing-share", po::value<double>()->value_name("Q"),
      "of a categorical network: each value is missing with this probability (0 without it)");
}

std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments) {
  if (!model::is_categorical_spec(argument)) return std::nullopt;
  model::CategoricalDesign design = model::parse_categorical_design(argument);
  design.concentration = 0;
  if (arguments != nullptr && arguments->has("concentration")) {
    design.concentration = arguments->get<double>("concentration");
  }
  model::LearnedCategorical learned;
  learned.network = model::draw_categorical(design, seed);
  return learned;
}

void sample(const model::LearnedCategorical& learned, const Arguments& arguments,
            const parallel::Team& team) {
  const std::string name = arguments.text("network");
  if (!model::is_categorical_spec(name)) {
    family::refuse_options(arguments, {"concentration"}, name, "a network with tables of its own");
  }
  const model::CategoricalNetwork& network = learned.network;
  family::draw(arguments, team,
               CategoricalDraws(learned, arguments.seed(), missing_share(arguments)),
               {network.n_observed(),
                fmt::format("a categorical network of {} hidden causes, {} edges",
                            network.n_causes(), network.n_edges()),
                {{"n_causes", network.n_causes()}, {"n_edges", network.n_edges()}}});
}

}  // namespace orrery::categorical
