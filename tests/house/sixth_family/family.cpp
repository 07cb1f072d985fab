// What the commands do for mixtures, and the line of the table.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/random.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "family/answers.hpp"
#include "family/draws.hpp"
#include "family/matched_rows.hpp"
#include "family/posterior_rows.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "mixture.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "store/store.hpp"

namespace orrery::bernoulli_mixture {
namespace {

using cli::Arguments;
using family::AnyModel;

std::string describe(const LearnedMixture& /*mixture*/) { return "a mixture of kinds of rows"; }
std::vector<std::string> variables(const LearnedMixture& mixture) { return mixture.names; }
family::Size size(const LearnedMixture& mixture) {
  return {mixture.kinds.size(), "kinds", mixture.kinds.size() * mixture.names.size()};
}

AnyModel renamed(const LearnedMixture& mixture, const family::NewName& new_name) {
  LearnedMixture copy = mixture;
  for (std::string& kind : copy.kinds) kind = new_name(family::NodeKind::cause, kind);
  for (std::string& name : copy.names) name = new_name(family::NodeKind::variable, name);
  return copy;
}

void info(const LearnedMixture& mixture, report::Section& section) {
  section.sentences.push_back(fmt::format("mixture: {} variables, {} kinds of rows",
                                          mixture.names.size(), mixture.kinds.size()));
  section.data("learner", mixture.learner).data("n_variables", mixture.names.size());
  report::Table& kinds = section.table("kinds", "Kinds");
  for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
    kinds.row()
        .tell("name", mixture.kinds[k], "kind", mixture.kinds[k])
        .tell("weight", mixture.weights[k], "weight", fmt::format("{:.4f}", mixture.weights[k]));
  }
}

// ---- sample --network mixture:K,M ---------------------------------------------------------------

std::optional<AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                 const Arguments* arguments) {
  std::size_t n_kinds = 0;
  std::size_t m = 0;
  if (std::sscanf(argument.c_str(), "mixture:%zu,%zu", &n_kinds, &m) != 2) return std::nullopt;
  const double contrast = arguments != nullptr ? arguments->get<double>("contrast") : .4;
  LearnedMixture mixture;
  for (std::size_t a = 0; a < m; ++a) mixture.names.push_back(fmt::format("x{}", a));
  for (std::size_t k = 0; k < n_kinds; ++k) {
    RowRandom random(seed, Stream::parameters, k);
    mixture.kinds.push_back(fmt::format("kind{}", k));
    mixture.weights.push_back(1 / static_cast<double>(n_kinds));
    auto& on = mixture.on.emplace_back();
    for (std::size_t a = 0; a < m; ++a) {
      on.push_back(random.bernoulli(.5) ? .5 + contrast : .5 - contrast);
    }
  }
  return mixture;
}
void add_sample_options(boost::program_options::options_description& options) {
  options.add_options()(
      "contrast",
      boost::program_options::value<double>()->value_name("C")->default_value(.4, "0.4"),
      "of a mixture:...: variables are on with probability 0.5 + C or 0.5 - C");
}
void sample(const LearnedMixture& mixture, const Arguments& arguments, const parallel::Team& team) {
  const auto rows = [&](std::uint64_t first_row, std::size_t n_rows) {
    data::BitColumns block(mixture.names.size(), n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
      RowRandom random(arguments.seed(), Stream::rows, first_row + row);
      double left = random.uniform();
      std::size_t kind = 0;
      while (kind + 1 < mixture.kinds.size() && left >= mixture.weights[kind]) {
        left -= mixture.weights[kind++];
      }
      for (std::size_t a = 0; a < mixture.names.size(); ++a) {
        if (random.bernoulli(mixture.on[kind][a])) block.set(row, a);
      }
    }
    return block;
  };
  family::draw(arguments, team, family::BitDraws(mixture.names, rows, family::group_of(mixture)),
               {mixture.names.size(),
                fmt::format("{} kinds of rows", mixture.kinds.size()),
                {{"n_kinds", mixture.kinds.size()}}});
}

// ---- infer, evaluate, report --------------------------------------------------------------------

/// Calls use(row, what was found of it) for all rows of a file, in order.
template <class Use>
void for_each_row(const LearnedMixture& mixture, const Arguments& arguments, const Use& use) {
  const std::string data = arguments.required("data");
  const store::SampleReader reader(data);
  family::MatchedRows matched(
      family::match_columns(mixture.names, reader.names(), arguments.text("model"), data));
  std::uint64_t row = 0;
  for (std::size_t b = 0; b < reader.n_blocks(); ++b) {
    const auto block = reader.read(b);
    for (std::size_t r = 0; r < reader.rows_of(b); ++r, ++row) {
      if (r % 64 == 0) matched.load(block, r);
      use(row, kinds_of_row(mixture, matched.values(r % 64), matched.missing(r % 64)));
    }
  }
}

void add_infer_options(boost::program_options::options_description& options) {
  options.add_options()(
      "min-posterior",
      boost::program_options::value<double>()->value_name("P")->default_value(.001, "0.001"),
      "list kinds that are at least this likely");
  family::add_format_option(options);
}
void infer(const LearnedMixture& mixture, const Arguments& arguments, const parallel::Team& team,
           const family::OpenBatches& open_batches) {
  if (!team.is_root()) return;
  const double least = family::least_posterior(arguments);
  const parallel::Team alone;
  family::KeptBatches batches = open_batches(alone);
  const store::SampleHeader header = store::read_sample_header(arguments.required("data"));
  const store::PosteriorHeader of_file{header.n_samples, header.digest, least, 0, mixture.kinds};
  family::PosteriorOutput output(arguments, of_file,
                                 {mixture.kinds, mixture.weights, mixture.names});
  family::InferenceSummary summary;
  for_each_row(mixture, arguments, [&](std::uint64_t row, const RowKinds& found) {
    store::PosteriorRows rows;
    if (row < batches.n_done()) {
      rows = family::unpack_answers(batches.batch(row), 1);
    } else {
      rows.log_evidence = {found.log_evidence};
      rows.log_evidence_error = {0};
      rows.method = {0};
      rows.effective_samples = {0};
      for (std::uint32_t k = 0; k < found.posterior.size(); ++k) {
        if (found.posterior[k] < least) continue;
        rows.cause.push_back(k);
        rows.probability.push_back(found.posterior[k]);
        rows.error.push_back(0);
      }
      rows.n_listed = {rows.cause.size()};
      batches.add(batches.keeps() ? family::pack_answers(rows) : std::vector<std::byte>());
    }
    summary.add(rows, 0);
    output.append(rows);
  });
  output.finish(arguments.run_info(team));
  batches.remove();
  family::print_inference(arguments, family::summary_json(summary),
                          family::describe_summary(summary));
}

void evaluate(const LearnedMixture& mixture, const Arguments& arguments,
              const parallel::Team& /*team*/, report::Sheet& sheet) {
  report::Section& section = sheet.section("", "Scores");
  info(mixture, section);
  if (arguments.has("truth")) {
    const std::string source = arguments.text("truth");
    const auto truth = family::require<LearnedMixture>(family::load_model(source, arguments.seed()),
                                                       source, "a mixture is needed here");
    section.tell("true_kinds", truth.kinds.size(), "true kinds",
                 fmt::format("{}", truth.kinds.size()));
  }
  if (arguments.has("data")) {
    double sum = 0;
    std::uint64_t n = 0;
    for_each_row(mixture, arguments, [&](std::uint64_t /*row*/, const RowKinds& found) {
      sum += found.log_evidence;
      ++n;
    });
    const double mean = sum / static_cast<double>(n);
    section.tell("log_likelihood", mean, "log-likelihood per row", fmt::format("{:.4f}", mean));
  }
}

learning::Plan plan_scores(const LearnedMixture& mixture, const Arguments& /*arguments*/) {
  return {1e7, mixture.kinds.size(), "kinds", 0};
}

std::string report(const LearnedMixture& mixture, const Arguments& arguments,
                   const parallel::Team& /*team*/) {
  report::Sheet sheet;
  report::Section& section = sheet.section("", "The mixture");
  info(mixture, section);
  report::Table& variables = section.table("", "How often variables are on");
  for (std::size_t a = 0; a < mixture.names.size(); ++a) {
    report::Record& row = variables.row().show("variable", mixture.names[a]);
    for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
      row.show(mixture.kinds[k], fmt::format("{:.3f}", mixture.on[k][a]));
    }
  }
  report::PageParts parts;
  parts.title = family::title_of(arguments, "A mixture");
  parts.body = report::as_html(sheet.sections.front());
  return report::html_page(parts, family::colophon_of(arguments, mixture));
}

/// kind,weight,variable,on: a row per kind and variable.
std::string to_csv(const LearnedMixture& mixture) {
  std::string out = "kind,weight,variable,on\n";
  for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
    for (std::size_t a = 0; a < mixture.names.size(); ++a) {
      out += fmt::format("{},{},{},{}\n", mixture.kinds[k], mixture.weights[k], mixture.names[a],
                         mixture.on[k][a]);
    }
  }
  return out;
}

/// Each kind with an edge to each variable, as wide as the variable is often on.
report::Graph graph(const LearnedMixture& mixture) {
  report::Graph graph{.keys = {{"kind", "node", "kind", "string"},
                               {"name", "node", "name", "string"},
                               {"on", "edge", "on", "double"}}};
  for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
    graph.nodes.push_back({fmt::format("c{}", k), mixture.kinds[k], "kind"});
  }
  for (std::size_t a = 0; a < mixture.names.size(); ++a) {
    graph.nodes.push_back({fmt::format("x{}", a), mixture.names[a], "observed", false});
  }
  for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
    for (std::size_t a = 0; a < mixture.names.size(); ++a) {
      std::vector<report::Attribute> said;
      report::add_attribute(said, "on", "on", mixture.on[k][a]);
      graph.edges.push_back({fmt::format("c{}", k), fmt::format("x{}", a), "", true,
                             .2 + 2.8 * mixture.on[k][a], report::Sign::none, std::move(said)});
    }
  }
  return graph;
}

}  // namespace

const family::Family& family() {
  using family::typed;
  static const family::Family of_table{
      .name = "bernoulli_mixture",
      .type = typeid(LearnedMixture),
      .describe = typed(describe),
      .variables = typed(variables),
      .size = typed(size),
      .info = typed(info),
      .summary = typed(info),
      .generators = "mixture:K,M (K kinds of rows of M variables)",
      .generate = generate,
      .fields = family::fields_of(fields),
      .renamed = typed(renamed),
      .groups = {"mixture"},
      .json_formats = {"orrery-mixture-1"},
      .formats = {{"csv", typed(to_csv)}},
      .graph = typed(graph),
      .learners = {&entry},
      .sample = {typed(sample), add_sample_options, "Of a mixture: rows of its kinds."},
      .infer = {typed(infer), add_infer_options, "Of a mixture: the kind of each row."},
      .evaluate = {typed(evaluate), family::add_data_option, "Of a mixture: likelihood of data.",
                   typed(plan_scores)},
      .report = {typed(report), nullptr, "Of a mixture: its kinds.", typed(plan_scores)},
  };
  return of_table;
}

}  // namespace orrery::bernoulli_mixture
