// `sample` for linear networks.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "families/linear/commands.hpp"
#include "families/linear/network/generators.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "orrery/model/linear_sampling.hpp"
#include "store/dense.hpp"

namespace orrery::linear {
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
