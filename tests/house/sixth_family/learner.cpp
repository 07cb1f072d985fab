// Expectation maximisation from a start that is drawn; one iteration is one step of a checkpoint.
// Time: O(N m K) per iteration. Every rank does the same work.
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>

#include "base/random.hpp"
#include "mixture.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::bernoulli_mixture {
namespace {

namespace po = boost::program_options;
using Values = po::variables_map;

void add_options(po::options_description& options) {
  options.add_options()("kinds", po::value<std::uint64_t>()->value_name("K")->default_value(2),
                        "how many kinds of rows there are")(
      "iterations", po::value<std::uint64_t>()->value_name("N")->default_value(50),
      "of expectation maximisation");
}

std::vector<std::pair<std::string, std::string>> result_options(bool exact_moments,
                                                                const Values& values) {
  if (exact_moments) throw UsageError("learn mixture goes over rows; leave --moments out");
  const auto text = [&](const char* name) {
    return fmt::format("{}", values[name].as<std::uint64_t>());
  };
  return {
      {"--kinds", text("kinds")}, {"--iterations", text("iterations")}, {"--seed", text("seed")}};
}

/// Rows as words, whatever block they are read in.
std::vector<std::vector<std::uint64_t>> rows_of(const data::SampleMatrix& samples) {
  const std::size_t m = samples.n_observed();
  std::vector<std::vector<std::uint64_t>> rows(samples.n_samples(),
                                               std::vector<std::uint64_t>((m + 63) / 64, 0));
  for (std::size_t a = 0; a < m; ++a) {
    for (std::uint64_t row = 0; row < samples.n_samples(); ++row) {
      if ((samples.values.word(a, row / 64) >> (row % 64) & 1U) == 0) continue;
      rows[row][a / 64] |= std::uint64_t{1} << (a % 64);
    }
  }
  return rows;
}

LearnedMixture drawn(const learning::DataContext& context, const data::SampleMatrix& samples,
                     std::size_t n_kinds) {
  LearnedMixture mixture;
  mixture.learner = "mixture";
  mixture.names = samples.names;
  mixture.n_samples = samples.n_samples();
  mixture.data_digest = samples.digest;
  for (std::size_t k = 0; k < n_kinds; ++k) {
    RowRandom random(context.seed, Stream::restart, k);
    mixture.kinds.push_back(fmt::format("kind{}", k));
    mixture.weights.push_back(1 / static_cast<double>(n_kinds));
    auto& on = mixture.on.emplace_back();
    for (std::size_t a = 0; a < mixture.names.size(); ++a) on.push_back(.25 + random.uniform() / 2);
  }
  return mixture;
}

void iterate(const std::vector<std::vector<std::uint64_t>>& rows, LearnedMixture& mixture) {
  const std::size_t m = mixture.names.size();
  const std::size_t n_kinds = mixture.kinds.size();
  std::vector<double> weight(n_kinds, 1);
  std::vector<std::vector<double>> on(n_kinds, std::vector<double>(m, .5));
  for (const auto& row : rows) {
    const RowKinds found = kinds_of_row(mixture, row, {});
    for (std::size_t k = 0; k < n_kinds; ++k) {
      weight[k] += found.posterior[k];
      for (std::size_t a = 0; a < m; ++a) {
        if ((row[a / 64] >> (a % 64) & 1U) != 0) on[k][a] += found.posterior[k];
      }
    }
  }
  for (std::size_t k = 0; k < n_kinds; ++k) {
    for (std::size_t a = 0; a < m; ++a) mixture.on[k][a] = on[k][a] / weight[k];
    mixture.weights[k] = weight[k] / static_cast<double>(rows.size() + n_kinds);
  }
}

/// Into the arrays of a checkpoint, and back.
void put(const LearnedMixture& mixture, std::uint64_t done, store::Checkpoint& state) {
  state.words["done"] = {done};
  state.reals["weights"] = mixture.weights;
  auto& on = state.reals["on"];
  on.clear();
  for (const auto& kind : mixture.on) on.insert(on.end(), kind.begin(), kind.end());
}
std::uint64_t take(const store::Checkpoint& state, LearnedMixture& mixture) {
  if (state.words.empty()) return 0;
  mixture.weights = learning::array(state.reals, "weights");
  const std::vector<double>& on = learning::array(state.reals, "on");
  const std::size_t m = mixture.names.size();
  learning::require(mixture.weights.size() == mixture.kinds.size(), "weights");
  learning::require(on.size() == m * mixture.kinds.size(), "on");
  for (std::size_t k = 0; k < mixture.kinds.size(); ++k) {
    const auto first = on.begin() + static_cast<std::ptrdiff_t>(k * m);
    mixture.on[k].assign(first, first + static_cast<std::ptrdiff_t>(m));
  }
  return learning::array(state.words, "done").at(0);
}

model::AnyModel learn(const learning::DataContext& context, const Values& values) {
  const data::SampleMatrix samples = store::read_samples(context.path);
  const auto rows = rows_of(samples);
  LearnedMixture mixture = drawn(context, samples, values["kinds"].as<std::uint64_t>());
  const std::uint64_t n = values["iterations"].as<std::uint64_t>();
  for (std::uint64_t done = take(context.checkpoints.state(), mixture); done < n;) {
    iterate(rows, mixture);
    ++done;
    context.checkpoints.between_steps(context.team,
                                      [&] { put(mixture, done, context.checkpoints.state()); });
  }
  return mixture;
}

learning::Plan plan(const learning::DataPlanContext& context, const Values& values) {
  const store::SampleHeader header = store::read_sample_header(context.path);
  const double cells = static_cast<double>(header.n_samples * header.n_observed);
  const auto passes = static_cast<double>(values["kinds"].as<std::uint64_t>() *
                                          values["iterations"].as<std::uint64_t>());
  return {1e7 + cells / 4, header.n_samples, "rows", 1e-8 * cells * passes};
}

}  // namespace

const learning::LearnerEntry entry{.name = "mixture",
                                   .summary = "rows of several kinds, by expectation maximisation",
                                   .add_options = add_options,
                                   .result_options = result_options,
                                   .learn_data = learn,
                                   .plan_data = plan};

}  // namespace orrery::bernoulli_mixture
