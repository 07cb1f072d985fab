#include "good_files.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "families/model_files.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/model/linear_network.hpp"
#include "store/posterior.hpp"
#include "store/run.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::fuzz {
namespace {

constexpr std::size_t n_rows = 100;
const std::vector<std::string> names{"fever", "cough", "ache", "Halsweh", "頭痛"};

/// Some ones without pattern.
bool is_on(std::size_t row, std::size_t column) {
  return (row * 37 + column * 11 + row * row * (column + 3)) % 7 < 3;
}

data::BitColumns some_values() {
  data::BitColumns values(names.size(), n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (is_on(row, c)) values.set(row, c);
    }
  }
  return values;
}

model::LearnedModel some_model() {
  model::LearnedModel model;
  std::vector<model::Observed> observed;
  for (const std::string& name : names) observed.push_back({name, 0.0625});
  model.network = model::NoisyOrNetwork({{"flu", 0.125}, {"cold", 0.25}, {"rest", 0.5}}, observed,
                                        {{0, 0, 0.25}, {0, 1, 0.5}, {1, 1, 0}, {2, 4, 0.75}});
  model.provenance = {{0, {0, 1, 2, 3}, 0.0078125, 5}, {1, {1, 2, 4, -1}, 0.25, 3}, {}};
  model.errors = {{0.01, 0.02, 0.03}, {0.1, 0.2, 0.3, 0.4, 0.5}, {0.25, 0.5, 0.75, 1}};
  model.stability = {50, {1, 0.5, 0.75}, {0.5, 1, 0, 0.25}};
  model.fit = {0.01, 60, -2, -2.5, -3, -1.75, 3};
  model.learner = std::string("quartet");
  model.data_digest = 0x0123456789abcdef;
  model.n_samples = n_rows;
  return model;
}

const store::RunInfo some_run{
    .command_line = "orrery",
    .version = "0",
    .host = "here",
    .hosts = {"here", "there"},
    .started = "2013-12-05T00:00:00Z",
    .kernel = "scalar",
    .stages = {{"count", 0.5, 3, 1.25}},
};

/// The number of samples in which every variable of `set` is off.
std::uint32_t count_off(const std::vector<std::size_t>& set) {
  std::uint32_t count = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    bool all_off = true;
    for (const std::size_t c : set) all_off = all_off && !is_on(row, c);
    if (all_off) ++count;
  }
  return count;
}

}  // namespace

void write_good_samples(const std::filesystem::path& path) {
  data::BitColumns values = some_values();
  data::BitColumns missing(names.size(), n_rows);
  for (const std::size_t row : {3U, 64U, 97U}) {
    missing.set(row, row % 2);
    values.column(row % 2)[row / 64] &= ~(std::uint64_t{1} << (row % 64));
  }
  const model::LearnedModel truth = some_model();
  store::SampleWriter writer(path);
  writer.begin(names);
  writer.append(values, &missing);
  writer.finish(some_run, store::group_of(truth));
}

void write_good_dense(const std::filesystem::path& path) {
  data::DenseBlock block(n_rows, names.size());
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t c = 0; c < names.size(); ++c) {
      const bool is_missing = (row == 3 && c == 0) || (row > 60 && row % 7 == 0 && c == 4);
      block.row(row)[c] = is_missing
                              ? std::nan("")
                              : static_cast<double>(row * (c + 1)) / 8 - static_cast<double>(c);
    }
  }
  store::DenseWriter writer(path);
  writer.begin(names);
  writer.append(block);
  writer.finish(some_run);
}

void write_good_moments(const std::filesystem::path& path) {
  const std::size_t m = names.size();
  moments::PairCounts pairs{m, n_rows, {}};
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) pairs.off.push_back(count_off({a, b}));
  }
  store::MomentsWriter writer(path, pairs, 3, 0x0123456789abcdef, names);
  for (std::size_t a = 0; a < m; ++a) {
    std::vector<std::uint32_t> triples;
    for (std::size_t x = a + 1; x < m; ++x) {
      for (std::size_t y = x + 1; y < m; ++y) triples.push_back(count_off({a, x, y}));
    }
    writer.append_triples(a, triples);
  }
  writer.finish(some_run);
}

void write_good_model(const std::filesystem::path& path) {
  store::write_model(path, some_model(), some_run);
}

void write_good_checkpoint(const std::filesystem::path& path) {
  const store::Checkpoint checkpoint{.learner = "quartet",
                                     .data_digest = 0x0123456789abcdef,
                                     .n_samples = n_rows,
                                     .n_observed = names.size(),
                                     .options = {{"tau-q", "0.005"}, {"test", "rank"}},
                                     .words = {{"done", {1, 2, 3}}, {"none", {}}},
                                     .reals = {{"statistics", {0.5, 0.25}}}};
  store::write_checkpoint(path, checkpoint, some_run);
}

void write_good_posterior(const std::filesystem::path& path) {
  store::PosteriorWriter writer(path, {2, 0x0123456789abcdef, 0.001, 1, {"flu", "cold"}});
  writer.append({{-3.5, -7.25},
                 {0, 0.125},
                 {0, 1},
                 {0, 3210.5},
                 {2, 1},
                 {0, 1, 1},
                 {0.75, 0.25, 1},
                 {0, 0, 0.01},
                 {-0.5, -1.5},
                 {1, 0},
                 {1, 2},
                 {0, 0, 1}});
  writer.finish(some_run);
}

void write_good_tree(const std::filesystem::path& path) {
  model::LearnedTree learned;
  learned.tree = model::SignTree(names, {0.5, 0, 0.25, 0, -0.125},
                                 {{0, 1, 0.25}, {1, 3, -0.5}, {2, 3, 0.125}}, 0.0625);
  learned.edge_errors = {0.25, std::nan(""), 0.5};
  learned.crossover_error = 0.03125;
  learned.learner = "tree";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = n_rows;
  store::write_model(path, learned, some_run);
}

void write_good_linear(const std::filesystem::path& path) {
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  model::LinearParts parts;
  parts.names = names;
  parts.means = VectorXd{{1, 0, -2, 0.5, 0}};
  parts.loadings = MatrixXd{{1, 0}, {-0.5, 0}, {0.25, 1}, {0, 2}, {0, 0.5}};
  parts.noise = VectorXd{{1, 0.5, 0, 0.25, 1}};
  parts.cause_names = {"flu", "cold"};
  parts.upper.push_back({MatrixXd{{1, 0, 0.5}, {0, 1, 0}}, VectorXd{{0.5, 0.25}}, {"u", "v", "w"}});
  parts.upper.push_back({MatrixXd{{1.0}, {-1.0}, {0.5}}, VectorXd{{1, 1, 1}}, {"root"}});
  parts.covariance = MatrixXd{{2.0}};
  parts.law = model::CauseLaw::skewed;
  model::LearnedLinear learned;
  learned.network = model::LinearNetwork(std::move(parts));
  learned.estimates = learned.network.loadings();
  learned.estimates(0, 1) = std::nan("");
  learned.loading_errors = MatrixXd::Constant(5, 2, 0.125);
  learned.noise_errors = VectorXd::Constant(5, 0.0625);
  learned.covariance_errors = MatrixXd::Constant(2, 2, 0.25);
  learned.rank_test = {{1, 8, 2, 0.5}, {2, 1, 1, 0.25}};
  learned.remarks = {"levels end", "nothing is left"};
  learned.learner = "linear";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = n_rows;
  store::write_model(path, learned, some_run);
}

void write_good_coupled(const std::filesystem::path& path) {
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  model::LinearParts parts;
  parts.names = {"a", "b", "c"};
  parts.loadings = MatrixXd{{1, 0}, {-0.5, 0.25}, {0, 2}};
  parts.noise = VectorXd{{1, 0.5, 0}};
  parts.cause_names = {"flu", "cold"};
  parts.coupling = MatrixXd{{0, 0}, {0.5, 0}};
  parts.innovation = VectorXd{{1, 0.75}};
  model::LearnedLinear learned;
  learned.network = model::LinearNetwork(std::move(parts));
  learned.coupling_errors = MatrixXd{{0, 0}, {0.125, 0}};
  store::write_model(path, learned, some_run);
}

void write_good_anchored(const std::filesystem::path& path) {
  std::vector<model::Observed> observed;
  for (const std::string& name : names) observed.push_back({name, 0.0625});
  model::NoisyOrNetwork loadings(
      {{"flu", 0}, {"cold", 0}, {"rest", 0}}, observed,
      {{0, 0, 0.25}, {0, 3, 0.5}, {1, 1, 0.125}, {2, 2, 0.75}, {2, 4, 0}});
  model::CauseNetwork causes(
      {{{}, {0.25}}, {{0}, {0.5, 0.125}}, {{0, 1}, {0.0625, 0.25, 0.5, 0.75}}});
  model::LearnedModel learned;
  learned.network =
      model::NoisyOrNetwork(std::move(loadings), std::move(causes),
                            {{0, 0}, {1, 1, {"cough at night", "cough"}}, {2, 2, {"ache"}}});
  learned.errors = {{0.01, 0.02, 0.03}, {0.1, 0.2, 0.3, 0.4, 0.5}, {0.25, 0.5, 0.75, 1, 0}};
  learned.rates = {{0.0625, 0.75, 0, 0, "given"},
                   {0.125, 0.5, 0.01, 0.02, "labels"},
                   {0.0625, 0.25, std::nan(""), 0.5, "two anchors"}};
  learned.moments = model::SubsetTables(3, 2);
  for (double& cell : learned.moments.cells()) cell = 0.25;
  learned.remarks = {"few rows", "rest is rare"};
  learned.learner = "anchored";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = n_rows;
  store::write_model(path, learned, some_run);
}

namespace {

model::LearnedCategorical good_categorical() {
  model::LearnedCategorical learned;
  learned.network = model::CategoricalNetwork(
      {{"flu", {0.75, 0.25}}, {"cold", {0.5, 0.25, 0.25}}},
      {{"fever", {"no", "yes"}, {0}, {0.75, 0.25, 0.125, 0.875}, {3, 1, 0.5, 3.5}},
       {"cough", {"low", "mid", "high"}, {}, {0.5, 0.25, 0.25}, {}},
       {"ache", {"a", "b"}, {1}, {0.5, 0.5, 0.25, 0.75, 1, 0}, {}}});
  learned.parent_sets = {{}, {0}, {1}, {0, 1}};
  learned.structure =
      Eigen::MatrixXd{{0.25, 0.5, 0.25, 0}, {0.75, 0.25, 0, 0}, {0, 0, 0.875, 0.125}};
  learned.modes = {{0, {0}, -100.5}, {0, {1}, std::nan("")}};
  learned.choices = {{2, -3.5, 0.25}, {3, -3.75, std::nan("")}};
  learned.log_evidence = -100.5;
  learned.evidence_kind = "expectation propagation";
  learned.remarks = {"few rows"};
  learned.learner = "sep";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = n_rows;
  return learned;
}

}  // namespace

void write_good_categorical(const std::filesystem::path& path) {
  const model::LearnedCategorical truth = good_categorical();
  data::CategoricalTable table;
  table.names = truth.network.names();
  for (const auto& variable : truth.network.variables()) {
    table.categories.push_back(variable.categories);
  }
  table.n_rows = n_rows;
  for (std::uint64_t e = 0; e < 3 * table.n_rows; ++e) {
    table.codes.push_back(e % 11 == 0 ? data::missing_code : static_cast<std::uint8_t>(e % 2));
  }
  store::write_categorical(path, table, some_run, store::group_of(truth));
}

}  // namespace orrery::fuzz
