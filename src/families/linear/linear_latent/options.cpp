#include "families/linear/linear_latent/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "base/random.hpp"
#include "families/linear/linear_latent/observations.hpp"
#include "families/linear/linear_latent/sparse_vectors.hpp"
#include "learning/option_values.hpp"
#include "linalg/decompositions.hpp"
#include "moments/dense_products.hpp"
#include "moments/matrix_products.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/linear_network.hpp"
#include "store/tables.hpp"

namespace orrery::linear_latent {
namespace {

namespace po = boost::program_options;

std::optional<std::uint32_t> read_causes(const std::string& text) {
  if (text == "auto") return std::nullopt;
  std::uint32_t k = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (error != std::errc() || end != text.data() + text.size() || k == 0) {
    throw UsageError(
        fmt::format("--causes {}: auto, or how many, from 1 to a third of the columns (half of "
                    "them with --noise trace)",
                    text));
  }
  return k;
}

constexpr std::array model_words{std::pair{"bipartite", Structure::bipartite},
                                 std::pair{"multilevel", Structure::multilevel},
                                 std::pair{"effective-depth-one", Structure::effective_depth_one}};
constexpr std::array cumulant_words{std::pair{"skewness", Cumulant::skewness},
                                    std::pair{"kurtosis", Cumulant::kurtosis},
                                    std::pair{"auto", Cumulant::either}};
constexpr std::array noise_words{std::pair{"likelihood", Noise::likelihood},
                                 std::pair{"blocks", Noise::blocks},
                                 std::pair{"trace", Noise::trace}};
constexpr std::array sparsity_words{
    std::pair{"polished", Sparsity::polished}, std::pair{"programs", Sparsity::programs},
    std::pair{"rotated", Sparsity::rotated}, std::pair{"algorithm-1", Sparsity::algorithm_1}};
constexpr std::array standardize_words{std::pair{"yes", true}, std::pair{"no", false}};

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()(
      "causes", po::value<std::string>()->default_value("auto")->value_name("auto|K"),
      "how many hidden causes; auto: the fewest that the rank test does not "
      "reject. At most a third of the columns; with --noise trace half of them can be asked for")(
      "model",
      po::value<std::string>()
          ->default_value("bipartite")
          ->value_name("bipartite|multilevel|effective-depth-one"),
      "bipartite: causes above the observed variables, however they depend on each other; "
      "multilevel: causes of causes too, level by level; effective-depth-one: causes that drive "
      "one another (h = Lambda h + eta), found from skewness or kurtosis (--cumulant)")(
      "cumulant",
      po::value<std::string>()->default_value("skewness")->value_name("skewness|kurtosis|auto"),
      "with --model effective-depth-one: what tells which cause drives which: skewness (third "
      "moments), kurtosis (fourth cumulants, for symmetric causes with heavy or light tails), or "
      "auto: kurtosis where more than one cause shows no skewness")(
      "noise",
      po::value<std::string>()->default_value("likelihood")->value_name("likelihood|blocks|trace"),
      "how noise is told from causes: blocks (the paper's SUBROUTINE), likelihood (maximum "
      "likelihood, which starts there), or trace (maximum likelihood from the least trace of the "
      "causes' part: needs no three blocks, so that half as many causes as columns can be asked "
      "for)")(
      "sparsity",
      po::value<std::string>()
          ->default_value("polished")
          ->value_name("polished|programs|rotated|algorithm-1"),
      "polished: solutions of the linear programs are made as sparse as they get, and more are "
      "tried, or rotated, where the causes explain the covariances only roughly; programs: the "
      "paper's n programs alone, the sparsest independent solutions of them; rotated: the rotation "
      "of least complexity (quartimin); algorithm-1: the paper's steps to the letter: the first "
      "independent solutions in the order of the columns, as the programs give them")(
      "alpha", po::value<double>()->default_value(.01)->value_name("A"),
      "a loading is kept if it is not 0 at this level, two-sided, corrected for all loadings")(
      "partitions", po::value<std::uint32_t>()->default_value(32)->value_name("N"),
      "random partitions into three blocks that are tried; the best-conditioned is kept; where "
      "none "
      "will do, the best are improved by swaps, up to 10,000")(
      "standardize", po::value<std::string>()->default_value("yes")->value_name("yes|no"),
      "yes: programs see columns of variance 1, so that no variable's unit matters; no: as they "
      "are. Loadings come in the data's units either way");
}

Options read_options(const po::variables_map& values) {
  Options options;
  options.causes = read_causes(values["causes"].as<std::string>());
  options.structure = learning::value_of_word(values, "model", model_words);
  options.cumulant = learning::value_of_word(values, "cumulant", cumulant_words);
  options.noise = learning::value_of_word(values, "noise", noise_words);
  options.sparsity = learning::value_of_word(values, "sparsity", sparsity_words);
  options.standardize = learning::value_of_word(values, "standardize", standardize_words);
  options.alpha = learning::level_value(values, "alpha");
  options.partitions = learning::value_within<std::uint32_t>(values, "partitions", 1, 100'000);
  return options;
}

// What a run would take.
//
// Covariances and eigendecompositions are timed on a matrix of the file's width; the programs are
// counted, and one is timed on random loadings of as many causes.

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double measuring_seconds = .1;
constexpr double programs_a_start = 12;  // with those that make it sparser, about
constexpr double rank_fits = 5;          // hypotheses tried
constexpr double decompositions_a_fit = 10;

MatrixXd random_matrix(Index rows, Index columns) {
  RowRandom random(1, Stream::check, 0);
  MatrixXd matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = 2 * random.uniform() - 1;
  return matrix;
}

void time_covariance(std::size_t n, std::uint64_t n_rows, bool may_miss, learning::Timing& timing) {
  const auto width = static_cast<Index>(n);
  const std::size_t rows = data::dense_block_rows(n);
  const moments::Standard standard{VectorXd::Zero(width), VectorXd::Ones(width)};
  moments::reserve_blas_memory(1);
  moments::ProductSums sums(standard, may_miss);
  const MatrixXd block = random_matrix(width, static_cast<Index>(rows));
  const double seconds = timing.measure(measuring_seconds, [&] { sums.add(block.data(), rows); });
  timing.shared("covariance", seconds * static_cast<double>(n_rows) / static_cast<double>(rows));
}

void time_fits(Index n, std::uint64_t groups, const Options& options, learning::Timing& timing) {
  const MatrixXd half = random_matrix(n, n);
  const MatrixXd matrix = half * half.transpose();
  const double seconds =
      timing.measure(measuring_seconds, [&] { (void)linalg::spectrum_of(matrix); });
  const double fits = options.causes ? 1 : rank_fits;
  timing.alone("rank_test", fits * seconds * (decompositions_a_fit + 1));
  timing.shared("programs_errors", seconds * 2 * static_cast<double>(groups));
}

void time_programs(Index n, Index k, const Options& options, learning::Timing& timing) {
  SparsePrograms programs(random_matrix(n, k));
  Index next = 0;
  const VectorXd ones = VectorXd::Ones(n);
  const double seconds = timing.measure(measuring_seconds, [&] {
    VectorXd direction = VectorXd::Constant(k, .1);
    direction[next++ % k] = 1;
    (void)programs.solve(direction, ones);
  });
  const bool polished = options.sparsity == Sparsity::polished;
  const double starts = static_cast<double>(n) + (polished ? 4.0 * static_cast<double>(k) : 0);
  timing.shared("programs", seconds * starts * (polished ? programs_a_start : 1));
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  std::uint64_t n_columns = 0;
  std::uint64_t n_rows = 0;
  bool may_miss = false;
  if (context.exact != nullptr) {
    if (const auto* learned = context.exact->as<model::LearnedLinear>()) {
      n_columns = learned->network.n_observed();
    }
  } else {
    const store::DenseReader reader(context.path);
    n_columns = reader.header().n_columns;
    n_rows = reader.header().n_samples;
    may_miss = reader.header().n_missing > 0;
  }
  const auto n = static_cast<Index>(n_columns);
  const Index k = options.causes ? static_cast<Index>(*options.causes)
                                 : std::clamp<Index>(n / 10, 1, std::max<Index>(n / 3, 1));
  const std::uint64_t groups = n_groups(n_rows);
  learning::Plan plan;
  if (n > 0) {
    if (n_rows > 0) time_covariance(n_columns, n_rows, may_miss, context.timing);
    time_fits(n, groups, options, context.timing);
    time_programs(n, k, options, context.timing);
  }
  plan.memory = learning::memory_of_program(context.resources);
  for (auto& part : memory_to_observe(n_columns, n_rows, may_miss)) plan.memory.push_back(part);
  plan.memory_bytes = learning::total(plan.memory);
  plan.units = groups + (n_columns + 15) / 16;
  plan.unit = "groups of rows and of programs";
  return plan;
}

}  // namespace orrery::linear_latent
