// `sample` for categorical networks.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/output_file.hpp"
#include "families/categorical/commands.hpp"
#include "families/categorical/network/generators.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_sampling.hpp"
#include "store/categorical.hpp"

namespace orrery::categorical {
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
