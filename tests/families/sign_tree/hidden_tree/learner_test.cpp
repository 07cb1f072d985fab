// What is learned: the tree, its moments and their errors; what is refused.
#include <cmath>

#include "families/sign_tree/hidden_tree/estimate.hpp"
#include "families/sign_tree/hidden_tree/trees.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/import.hpp"

namespace orrery::hidden_tree {
namespace {

using trees::Engine;

/// log P(row) of the hidden signs: the product of Eq. (4), cell by cell.
double log_likelihood(const model::SignTree& tree, const data::BitPanels& rows) {
  double sum = 0;
  const auto sign = [&](std::size_t row, std::size_t a) { return rows.at(row, a) ? 1.0 : -1.0; };
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    for (std::size_t a = 0; a < tree.n_variables(); ++a) {
      const double own = 1 + sign(row, a) * tree.means()[a];
      const std::uint32_t parent = tree.parents()[a];
      if (parent == model::SignTree::none) {
        sum += std::log(own / 2);
        continue;
      }
      const double joint =
          own + sign(row, parent) * tree.means()[parent] +
          sign(row, a) * sign(row, parent) * tree.edges()[tree.parent_edges()[a]].moment;
      sum += std::log(joint / 2 / (1 + sign(row, parent) * tree.means()[parent]));
    }
  }
  return sum / static_cast<double>(rows.n_rows());
}

TEST(LearnTree, finds_the_tree_and_its_moments_through_noise) {
  Engine engine(7);
  for (const double q : {0.0, .1, .2}) {
    const model::SignTree truth = trees::random_tree(engine, 40, .3, .8, q);
    const std::size_t n = 30'000;
    const trees::File file(trees::draw(engine, truth, n));
    const model::LearnedTree learned =
        trees::learn(file.path(), {"--crossover", std::to_string(q)}, 2);
    ASSERT_EQ(trees::pairs_of(learned.tree), trees::pairs_of(truth)) << q;
    EXPECT_TRUE(learned.tree.is_uniform());
    double squares = 0;
    for (std::size_t e = 0; e < truth.edges().size(); ++e) {
      const double z =
          (learned.tree.edges()[e].moment - truth.edges()[e].moment) / learned.edge_errors[e];
      squares += z * z;
      const double kappa = (1 - 2 * q) * (1 - 2 * q);
      const double r = learned.tree.edges()[e].moment * kappa;
      EXPECT_NEAR(learned.edge_errors[e], std::sqrt((1 - r * r) / n) / kappa, 1e-12);
    }
    // Chi-square of 39 degrees: mean 39, standard deviation 8.8; five of these.
    EXPECT_NEAR(squares, 39, 45) << q;
    EXPECT_EQ(learned.n_samples, n);
    EXPECT_EQ(learned.learner, "tree");
  }
}

TEST(LearnTree, free_marginals_find_what_uniform_ones_mistake) {
  // A chain; the first and third variables have E[X X'] = .42 by their means, edges .25.
  const std::vector<double> means{.6, 0, .6, 0};
  const model::SignTree truth(trees::names(4), means, {{0, 1, .25}, {1, 2, .25}, {2, 3, .25}}, .1);
  Engine engine(8);
  const std::size_t n = 400'000;
  const trees::File file(trees::draw(engine, truth, n));
  const model::LearnedTree learned =
      trees::learn(file.path(), {"--crossover", ".1", "--marginals", "free"});
  ASSERT_EQ(trees::pairs_of(learned.tree), trees::pairs_of(truth));
  // Five standard errors: 1 / sqrt(n) / .8 of a mean, 1 / sqrt(n) / .64 of a moment.
  for (std::size_t a = 0; a < 4; ++a) {
    EXPECT_NEAR(learned.tree.means()[a], means[a], 5 / std::sqrt(n) / .8);
  }
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_NEAR(learned.tree.edges()[e].moment, truth.edges()[e].moment, 5 / std::sqrt(n) / .64);
  }
  EXPECT_NE(trees::pairs_of(trees::learn(file.path(), {}).tree), trees::pairs_of(truth));
}

TEST(LearnTree, missing_values_leave_the_moments_where_they_are) {
  Engine engine(9);
  const model::SignTree truth = trees::random_tree(engine, 25, .3, .8, .05);
  const std::size_t n = 30'000;
  data::BitPanels values = trees::draw(engine, truth, n);
  data::BitPanels mask(25, n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t a = 0; a < 25; ++a) {
      if (trees::uniform(engine) >= .2) continue;
      mask.set(row, a, true);
      values.set(row, a, false);
    }
  }
  const trees::File file(values, &mask);
  for (const char* marginals : {"uniform", "free"}) {
    const model::LearnedTree learned =
        trees::learn(file.path(), {"--crossover", ".05", "--marginals", marginals});
    ASSERT_EQ(trees::pairs_of(learned.tree), trees::pairs_of(truth));
    for (std::size_t e = 0; e < truth.edges().size(); ++e) {
      // Five standard errors of some .64 n rows.
      EXPECT_NEAR(learned.tree.edges()[e].moment, truth.edges()[e].moment,
                  5 * learned.edge_errors[e]);
      EXPECT_NEAR(learned.edge_errors[e], 1 / std::sqrt(.64 * n) / .81, .5 / std::sqrt(.64 * n));
    }
  }
}

TEST(LearnTree, a_forest_keeps_what_is_significant) {
  Engine engine(10);
  // Three trees of five, and five variables of their own.
  std::vector<model::TreeEdge> edges;
  for (std::uint32_t a = 0; a < 15; ++a) {
    if (a % 5 != 0) edges.push_back({a - 1, a, .4});
  }
  const model::SignTree truth(trees::names(20), {}, edges, .1);
  const trees::File file(trees::draw(engine, truth, 10'000));
  for (const char* marginals : {"uniform", "free"}) {
    const auto learn = [&](const char* alpha) {
      return trees::pairs_of(trees::learn(file.path(), {"--crossover", ".1", "--alpha", alpha,
                                                        "--marginals", marginals})
                                 .tree);
    };
    EXPECT_EQ(learn(".01"), trees::pairs_of(truth)) << marginals;
  }
  EXPECT_EQ(trees::learn(file.path(), {}).tree.edges().size(), 19U);
}

TEST(LearnTree, significance_is_of_all_pairs_together) {
  // z = 4 of 10,000 rows: p = 6.3e-5, times 190 pairs .012.
  const std::vector<Edge> edge{{0, 1, {10'000, 5'000, 5'000, 2'600}}};
  EXPECT_EQ(significant(edge, .0121, 20, Marginals::uniform).size(), 1U);
  EXPECT_EQ(significant(edge, .0120, 20, Marginals::uniform).size(), 0U);
  // The same product of signs from means of .2 each alone is nothing.
  const std::vector<Edge> of_means{{0, 1, {10'000, 6'000, 6'000, 3'600}}};
  EXPECT_EQ(significant(of_means, .0121, 20, Marginals::uniform).size(), 1U);
  EXPECT_EQ(significant(of_means, .99, 20, Marginals::free).size(), 0U);
}

TEST(LearnTree, correlations_beyond_the_channels_are_clipped) {
  Engine engine(11);
  const model::SignTree truth(trees::names(3), {}, {{0, 1, .9}, {1, 2, -.9}}, 0);
  const trees::File file(trees::draw(engine, truth, 5'000));
  const model::LearnedTree learned = trees::learn(file.path(), {"--crossover", ".2"});
  ASSERT_EQ(trees::pairs_of(learned.tree), trees::pairs_of(truth));
  EXPECT_EQ(learned.tree.edges()[0].moment, 1);
  EXPECT_EQ(learned.tree.edges()[1].moment, -1);
}

TEST(LearnTree, what_no_tree_can_have_is_refused) {
  const auto refused = [](const data::BitPanels& values, std::vector<std::string> arguments,
                          const std::string& text, const data::BitPanels* missing = nullptr) {
    const trees::File file(values, missing);
    try {
      (void)trees::learn(file.path(), arguments);
      ADD_FAILURE() << "not refused: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  Engine engine(12);
  const model::SignTree pair(trees::names(2), {}, {{0, 1, .5}}, 0);
  data::BitPanels two = trees::draw(engine, pair, 1'000);
  refused(two, {"--crossover", "auto"}, "with two variables");
  refused(data::BitPanels(1, 100), {}, "1 column(s)");
  data::BitPanels constant(3, 100);
  for (std::size_t row = 0; row < 50; ++row) constant.set(row, 0, true);
  for (std::size_t row = 0; row < 100; ++row) constant.set(row, 2, true);
  refused(constant, {}, "2 constant column(s) (x1, x2)");
  // No row has both.
  data::BitPanels mask(2, 1'000);
  for (std::size_t row = 0; row < 1'000; ++row) {
    mask.set(row, row % 2, true);
    two.set(row, row % 2, false);
  }
  refused(two, {}, "no row has both 'x0' and 'x1'", &mask);
  const model::SignTree apart(trees::names(4), {}, {}, 0);
  refused(trees::draw(engine, apart, 5'000), {"--crossover", "auto"}, "too little correlated");
  refused(trees::draw(engine, trees::random_tree(engine, 4, .5, .5, 0), 100),
          {"--crossover", "auto"}, "too few");
}

TEST(LearnTree, options_out_of_range_are_refused) {
  const auto read = [](const std::vector<std::string>& arguments, bool exact = false) {
    return entry.result_options(exact, learning::parse_options(entry, arguments));
  };
  for (const char* q : {".5", "-.1", "nan", "1", "x", "", ".1x"}) {
    EXPECT_THROW((void)read({"--crossover", q}), UsageError) << q;
  }
  for (const char* alpha : {"0", "1", "-1", "nan"}) {
    EXPECT_THROW((void)read({"--alpha", alpha}), UsageError) << alpha;
  }
  EXPECT_THROW((void)read({"--marginals", "some"}), UsageError);
  EXPECT_THROW((void)read({}, true), UsageError);  // exact moments
  using Named = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(read({}),
            (Named{{"--crossover", "0"}, {"--alpha", "none"}, {"--marginals", "uniform"}}));
  EXPECT_EQ(read({"--crossover", "auto", "--alpha", ".05", "--marginals", "free"}),
            (Named{{"--crossover", "auto"}, {"--alpha", "0.05"}, {"--marginals", "free"}}));
}

TEST(Crossover, is_estimated_without_bias_and_with_its_standard_error) {
  constexpr int n_runs = 200;
  for (const bool free : {false, true}) {
    Engine engine(free ? 14 : 13);
    double sum = 0;
    double squares = 0;
    int covered = 0;
    const double q = .15;
    const std::vector<double> means{.1, .15, -.1, .05, 0, .125, .05, -.15};
    for (int run = 0; run < n_runs; ++run) {
      const model::SignTree uniform = trees::random_tree(engine, 8, .4, .7, q);
      std::vector<model::TreeEdge> edges = uniform.edges();
      for (model::TreeEdge& edge : edges) {
        if (free) edge.moment = edge.moment * .8 + means[edge.a] * means[edge.b];
      }
      const model::SignTree truth(trees::names(8), free ? means : std::vector<double>{}, edges, q);
      const trees::File file(trees::draw(engine, truth, 20'000));
      const model::LearnedTree learned = trees::learn(
          file.path(), {"--crossover", "auto", "--marginals", free ? "free" : "uniform"});
      const double z = (learned.tree.crossover() - q) / learned.crossover_error;
      sum += z;
      squares += z * z;
      covered += std::abs(z) < 2 ? 1 : 0;
    }
    // z would be Student's t of 49 degrees: variance 1.04, within 2 with probability .949. Of 200
    // runs the mean has standard deviation .072, the variance .11, the share .0156: four of each.
    EXPECT_NEAR(sum / n_runs, 0, .29) << free;
    EXPECT_NEAR(squares / n_runs, 1.04, .44) << free;
    EXPECT_NEAR(static_cast<double>(covered) / n_runs, .949, .063) << free;
  }
}

TEST(Crossover, every_edge_is_on_some_path_and_there_are_p_minus_2) {
  Engine engine(15);
  const model::SignTree tree = trees::random_tree(engine, 50, .5, .5, 0);
  std::vector<Edge> edges;
  for (const model::TreeEdge& edge : tree.edges()) edges.push_back({edge.a, edge.b, {}});
  const std::vector<Path> paths = paths_of(edges, 50);
  EXPECT_EQ(paths.size(), 48U);
  for (const Edge& edge : edges) {
    EXPECT_TRUE(std::ranges::any_of(paths, [&](const Path& path) {
      return (path.middle == edge.a && (path.end == edge.b || path.other_end == edge.b)) ||
             (path.middle == edge.b && (path.end == edge.a || path.other_end == edge.a));
    }));
  }
}

std::vector<std::size_t> varying(const data::BitPanels& rows) {
  std::vector<std::size_t> columns;
  for (std::size_t a = 0; a < rows.n_columns(); ++a) {
    for (std::size_t row = 1; row < rows.n_rows(); ++row) {
      if (rows.at(row, a) == rows.at(0, a)) continue;
      columns.push_back(a);
      break;
    }
  }
  return columns;
}

data::BitPanels keep(const data::BitPanels& rows, const std::vector<std::size_t>& columns) {
  data::BitPanels kept(columns.size(), rows.n_rows());
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) kept.set(row, i, rows.at(row, columns[i]));
  }
  return kept;
}

TEST(PublishedFigures, free_marginals_without_noise_are_chow_lius_tree) {
  const std::filesystem::path folder = std::filesystem::path(ORRERY_SHARED_DATA) / "real";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "absent: " << folder;
  const auto rows_of = [&](const std::string& name) {
    data::MemorySink sink;
    data::import_samples(folder / name, {}, sink);
    return sink.take().values;
  };
  // Those of learning/chow_liu_test.cpp. Plants has a constant column, in no tree: it is nearly
  // certain, and adds some 3e-5.
  for (const auto& [name, figure] : {std::pair{"plants", -16.524}, std::pair{"nltcs", -6.759}}) {
    const data::BitPanels train = rows_of(std::string(name) + ".train.txt.gz");
    const data::BitPanels test = rows_of(std::string(name) + ".test.txt.gz");
    const std::vector<std::size_t> columns = varying(train);
    const trees::File file(keep(train, columns));
    const model::LearnedTree learned = trees::learn(file.path(), {"--marginals", "free"});
    EXPECT_NEAR(log_likelihood(learned.tree, keep(test, columns)), figure, .0005) << name;
  }
}

}  // namespace
}  // namespace orrery::hidden_tree
