// Random trees of signs, drawn from row by row along the tree, and learned from as a command does.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "families/sign_tree/hidden_tree/rows.hpp"
#include "learning/run_learner.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/sign_tree.hpp"
#include "store/store.hpp"

namespace orrery::hidden_tree {
extern const learning::LearnerEntry entry;
}

namespace orrery::trees {

using Engine = std::mt19937_64;

inline double uniform(Engine& engine) { return std::uniform_real_distribution<>(0, 1)(engine); }

inline std::vector<std::string> names(std::size_t p) {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < p; ++a) names.push_back(fmt::format("x{}", a));
  return names;
}

/// A random recursive tree over shuffled names; |correlation| from `low` to `high`, means of 0.
inline model::SignTree random_tree(Engine& engine, std::size_t p, double low, double high,
                                   double crossover) {
  std::vector<std::uint32_t> order(p);
  for (std::uint32_t a = 0; a < p; ++a) order[a] = a;
  std::shuffle(order.begin(), order.end(), engine);
  std::vector<model::TreeEdge> edges;
  for (std::uint32_t a = 1; a < p; ++a) {
    const double sign = uniform(engine) < .5 ? -1 : 1;
    edges.push_back({order[a], order[engine() % a], sign * (low + (high - low) * uniform(engine))});
  }
  return {names(p), {}, edges, crossover};
}

/// Observed signs: true is +1.
inline data::BitPanels draw(Engine& engine, const model::SignTree& tree, std::size_t n_rows) {
  const std::size_t p = tree.n_variables();
  data::BitPanels values(p, n_rows);
  std::vector<bool> on(p);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (const std::uint32_t a : tree.after_parents()) {
      const std::uint32_t parent = tree.parents()[a];
      double mean = tree.means()[a];
      if (parent != model::SignTree::none) {
        const double moment = tree.edges()[tree.parent_edges()[a]].moment;
        const double sign = on[parent] ? 1 : -1;
        mean = (mean + sign * moment) / (1 + sign * tree.means()[parent]);
      }
      on[a] = uniform(engine) < (1 + mean) / 2;
      values.set(row, a, on[a] != (uniform(engine) < tree.crossover()));
    }
  }
  return values;
}

/// A file of its own, removed in the end.
class File {
 public:
  explicit File(const data::BitPanels& values, const data::BitPanels* missing = nullptr)
      : path_((std::filesystem::temp_directory_path() /
               fmt::format("trees_{}_{}.h5", ::getpid(), next_++))
                  .string()) {
    log::configure(log::Level::quiet, true);
    const std::size_t p = values.n_columns();
    store::SampleWriter writer(path_);
    writer.begin(names(p));
    const std::size_t rows = data::block_rows(p);
    for (std::size_t row = 0; row < values.n_rows(); row += rows) {
      const std::size_t n = std::min(rows, values.n_rows() - row);
      if (missing == nullptr) {
        writer.append(values.extract(row, n), nullptr);
      } else {
        const data::BitColumns mask = missing->extract(row, n);
        writer.append(values.extract(row, n), &mask);
      }
    }
    writer.finish({});
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static inline int next_ = 0;
  std::string path_;
};

/// As `orrery learn tree FILE ARGUMENTS` does.
inline model::LearnedTree learn(const std::string& path, const std::vector<std::string>& arguments,
                                int threads = 1, std::size_t memory_bytes = 0,
                                const moments::PairCounts* stored = nullptr) {
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const learning::DataContext context{learning::lone_team(), threads, 1,      path,       nullptr,
                                      memory_bytes,          stored,  stages, checkpoints};
  return *hidden_tree::entry
              .learn_data(context, learning::parse_options(hidden_tree::entry, arguments))
              .as<model::LearnedTree>();
}

using Pair = std::array<std::uint32_t, 2>;
inline std::vector<Pair> pairs_of(const model::SignTree& tree) {
  std::vector<Pair> pairs;
  for (const model::TreeEdge& edge : tree.edges()) pairs.push_back({edge.a, edge.b});
  return pairs;
}

inline void expect_same(const model::LearnedTree& learned, const model::LearnedTree& expected) {
  EXPECT_EQ(learned.tree.edges(), expected.tree.edges());
  EXPECT_EQ(learned.tree.means(), expected.tree.means());
  EXPECT_EQ(learned.tree.crossover(), expected.tree.crossover());
  EXPECT_EQ(learned.edge_errors, expected.edge_errors);
  EXPECT_EQ(learned.crossover_error, expected.crossover_error);
  EXPECT_EQ(learned.data_digest, expected.data_digest);
}

}  // namespace orrery::trees
