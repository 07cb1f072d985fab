// Networks in formats that are not orrery's: tables (`import --format edges`), and the published
// benchmark networks.
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/cause_fields.hpp"
#include "families/noisy_or/commands.hpp"
#include "family/table.hpp"
#include "model/network_tables.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;

constexpr const char* drawn_by_seed = "qmr";

bool is_number(const std::string& text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

/// A number, a table's name, or "qmr". What is known of a network should be said, not assumed:
/// there is no default.
model::ParameterSource source_of(const cli::Arguments& arguments, const std::string& option,
                                 bool may_be_zero) {
  if (!arguments.has(option)) {
    throw UsageError(fmt::format(
        "--{} is missing; a network needs them: give a table, one value for all, or {} to draw "
        "them as the generator qmr does",
        option, drawn_by_seed));
  }
  const std::string text = arguments.text(option);
  double value = 0;
  if (text == drawn_by_seed) return {};
  if (!is_number(text, value)) return {{}, text};
  if (!(value >= 0 && value < 1) || (value == 0 && !may_be_zero)) {
    throw UsageError(fmt::format("--{} {}: must be {} and below 1", option, text,
                                 may_be_zero ? "0 or more" : "above 0"));
  }
  return {value, {}};
}

model::NetworkTables tables_of(const cli::Arguments& arguments, data::Header header) {
  for (const char* option : {"missing", "drop"}) {
    if (!arguments.has(option)) continue;
    throw UsageError(fmt::format("--{} is for samples, not for --format edges", option));
  }
  model::NetworkTables tables;
  tables.edges = arguments.required("file");
  tables.strength =
      model::parse_strength(arguments.has("strength") ? arguments.text("strength") : "probability");
  if (arguments.has("min-strength")) tables.min_strength = arguments.get<double>("min-strength");
  if (!(tables.min_strength >= 0)) {
    throw UsageError(fmt::format("--min-strength {}: must be 0 or more", tables.min_strength));
  }
  tables.header = header;
  tables.priors = source_of(arguments, "priors", false);
  tables.leaks = source_of(arguments, "leaks", true);
  tables.seed = arguments.seed();
  return tables;
}

std::string describe(const model::ImportedNetwork& imported, const std::string& output) {
  const model::NoisyOrNetwork& network = imported.network;
  std::string text = fmt::format(
      "{} causes, {} variables and {} edges written to {}", format_count(network.n_causes()),
      format_count(network.n_observed()), format_count(network.edges().size()), output);
  if (imported.edges_left_out == 0) return text;
  return text + fmt::format(
                    "; left out as too weak: {} edges, and with them {} causes and {} "
                    "variables",
                    format_count(imported.edges_left_out), format_count(imported.causes_left_out),
                    format_count(imported.observed_left_out));
}

}  // namespace

void add_network_import_options(po::options_description& options) {
  options.add_options()("priors", po::value<std::string>()->value_name("WHAT"),
                        "edges: a table (cause, prior), one value for all, or qmr: drawn by --seed "
                        "as the generator qmr does")(
      "leaks", po::value<std::string>()->value_name("WHAT"),
      "edges: the same for variables; a leak may be 0")(
      "strength", po::value<std::string>()->value_name("probability|class|rank"),
      "edges: what the third column is: probability (the default), class (1 to 5 of QMR), or rank "
      "(any number; its rank becomes a class)")(
      "min-strength", po::value<double>()->value_name("X"), "edges: leave out those with less");
}

void import_network(const cli::Arguments& arguments, data::Header header) {
  const model::NetworkTables tables = tables_of(arguments, header);
  const std::string input = tables.edges.string();
  require_readable_file(input);
  if (arguments.dry_run()) {
    const auto bytes = static_cast<double>(cli::bytes_of_file(input));
    cli::print_plan(arguments,
                    {2e7 + 20 * bytes, static_cast<std::uint64_t>(bytes), "bytes to read"});
    return;
  }
  const std::string output = arguments.output();
  model::LearnedModel model;
  const model::ImportedNetwork imported = model::read_network_tables(tables);
  model.network = imported.network;
  write_text_file(output, family::to_json(model));
  cli::print_done(arguments,
                  {{"format", "edges"},
                   {"n_causes", model.network.n_causes()},
                   {"n_observed", model.network.n_observed()},
                   {"n_edges", model.network.edges().size()},
                   {"left_out",
                    {{"edges", imported.edges_left_out},
                     {"causes", imported.causes_left_out},
                     {"observed", imported.observed_left_out}}},
                   {"output", output}},
                  describe(imported, output));
}

namespace {

using model::Cause;
using model::Edge;
using model::JsonEntry;
using model::LearnedModel;
using model::NoisyOrNetwork;
using model::Observed;

// "CON8", "IMG", ...
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", model::shown(names[i]));
  }
  if (names.size() > most) list += fmt::format(", ... ({} in all)", names.size());
  return list;
}

std::string select_entry(const JsonEntry& root, const std::string& entry) {
  const std::vector<std::string> names = root.keys();
  if (names.empty()) throw InputError(fmt::format("{}: holds no network", root.file()));
  if (entry.empty()) {
    if (names.size() == 1) return names.front();
    throw InputError(fmt::format(
        "{}: has no key \"format\", so it is read as a file of {} named networks; name one of {}",
        root.file(), names.size(), list_names(names)));
  }
  if (!root.has(entry)) {
    throw InputError(fmt::format("{}: has no network {}; name one of {}", root.file(),
                                 model::shown(entry), list_names(names)));
  }
  return entry;
}

void require_size(const JsonEntry& list, std::size_t size, std::string_view like) {
  if (list.size() == size) return;
  throw InputError(fmt::format("{}: {} has {} values, but {} says {}; they must agree", list.file(),
                               list.where(), list.size(), like, size));
}

void require_count(const JsonEntry& network, const std::string& key, std::size_t size,
                   std::string_view like) {
  if (!network.has(key)) return;
  const JsonEntry count = network.member(key);
  const std::int64_t said = count.whole_number(0, largest_index);
  if (static_cast<std::size_t>(said) == size) return;
  throw InputError(fmt::format("{}: {} = {}, but {} has {} values; they must agree", network.file(),
                               count.where(), said, like, size));
}

}  // namespace

LearnedModel read_published_layout(const JsonEntry& root, const std::string& entry) {
  const JsonEntry network = root.member(select_entry(root, entry));
  const JsonEntry prior_list = network.member("priors");
  const JsonEntry noise_list = network.member("noise_failure");
  const JsonEntry failure_list = network.member("failures");
  const std::vector<double> priors = prior_list.probabilities();
  const std::vector<double> noise = noise_list.probabilities();
  if (noise.empty()) noise_list.refuse("at least one observed variable is needed");
  require_count(network, "n_latent", priors.size(), prior_list.where());
  require_count(network, "n_observed", noise.size(), noise_list.where());
  require_size(failure_list, priors.size(), prior_list.where());

  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::size_t c = 0; c < priors.size(); ++c) {
    causes.push_back({fmt::format("cause{}", c), priors[c]});
    const JsonEntry row = failure_list.element(c);
    require_size(row, noise.size(), noise_list.where());
    const std::vector<double> failures = row.probabilities();
    for (std::size_t a = 0; a < failures.size(); ++a) {
      if (failures[a] == 1) continue;
      edges.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(a), failures[a]});
    }
  }
  std::vector<Observed> observed;
  for (std::size_t a = 0; a < noise.size(); ++a) {
    observed.push_back({fmt::format("x{}", a), 1 - noise[a]});
  }
  LearnedModel model;
  try {
    model.network = NoisyOrNetwork(std::move(causes), std::move(observed), std::move(edges));
  } catch (const InputError& error) {
    throw InputError(root.file() + ": " + error.what());
  }
  return model;
}

}  // namespace orrery::noisy_or
