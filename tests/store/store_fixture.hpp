// Small files of every kind, in a folder that goes away with the test.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "families/model_files.hpp"
#include "model/same_model.hpp"
#include "orrery/base/error.hpp"
#include "store/posterior.hpp"
#include "store/run.hpp"
#include "store/store.hpp"

namespace orrery::store {

using model::expect_same;

/// Names of columns.
inline const std::vector<std::string> three = {"a", "b", "c"};

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "orrery-store-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~StoreTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::size_t n_files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
inline void put_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline RunInfo some_run() {
  RunInfo run;
  run.command_line = "orrery sample --network bars:8 -o 'data 1.h5'";
  run.version = "0.1.0";
  run.host = "node1";
  run.started = "2024-05-01T12:00:00Z";
  run.kernel = "scalar";
  run.seed = 0xfedcba9876543210;
  run.ranks = 3;
  run.threads = 2;
  run.hosts = {"node1", "node2"};
  run.bytes_read = 123456789012;
  run.stages = {{"test", 1.5, 7, 1.25}, {"count", 0.25}};
  return run;
}

/// A cell's value, or whether it is missing.
using Cell = std::function<bool(std::uint64_t row, std::size_t column)>;

/// About half ones, without pattern.
inline bool scattered(std::uint64_t row, std::size_t column) {
  std::uint64_t x = row * 0x9e3779b97f4a7c15ULL + column * 0xbf58476d1ce4e5b9ULL + 1;
  x ^= x >> 31U;
  x *= 0x94d049bb133111ebULL;
  return ((x >> 40U) & 1U) != 0;
}
inline bool nowhere(std::uint64_t /*row*/, std::size_t /*column*/) { return false; }

/// The values are `cell` where nothing is missing. A mask is passed with every block.
inline void push_rows(SampleWriter& writer, std::uint64_t n_rows,
                      const std::vector<std::string>& names, const Cell& cell,
                      const Cell& missing) {
  writer.begin(names);
  const std::uint64_t rows = data::block_rows(names.size());
  for (std::uint64_t first = 0; first < n_rows; first += rows) {
    data::BitColumns values(names.size(), std::min(rows, n_rows - first));
    data::BitColumns mask(names.size(), values.n_rows());
    for (std::size_t row = 0; row < values.n_rows(); ++row) {
      for (std::size_t column = 0; column < names.size(); ++column) {
        if (missing(first + row, column)) {
          mask.set(row, column);
        } else if (cell(first + row, column)) {
          values.set(row, column);
        }
      }
    }
    writer.append(values, &mask);
  }
}

inline void write_samples(const std::filesystem::path& path, std::uint64_t n_rows,
                          const std::vector<std::string>& names, const Cell& cell = scattered,
                          const Cell& missing = nowhere, const RunInfo& run = some_run(),
                          const model::LearnedModel* truth = nullptr) {
  SampleWriter writer(path);
  push_rows(writer, n_rows, names, cell, missing);
  writer.finish(run, truth != nullptr ? group_of(*truth) : GroupWriter());
}

/// Two causes over four observed variables, learned from data.
inline model::LearnedModel some_model() {
  model::LearnedModel model;
  model.network =
      model::NoisyOrNetwork({{"flu, seasonal", 0.25}, {"Erkältung", 0.125}},
                            {{"fever", 0.01}, {"cough", 0.02}, {"", 0.0}, {"头痛", 0.5}},
                            {{1, 3, 0.75}, {0, 0, 0.1}, {0, 1, 0.2}, {0, 2, 0.3}, {1, 1, 0.0}});
  model.provenance = {{0, {0, 1, 2, 3}, 0.0625, 17}, {-1, {1, 2, 3, -1}, -1, 0}};
  model.errors = {{0.03125, std::nan("")}, {0.001, 0.002, 0, 0.003}, {0.1, 0.2, 0.3, 0.4, 0.5}};
  model.stability = {200, {0.995, 0.5}, {1, 0.75, 0.5, 0.25, 0}};
  model.fit = {0.004, 100, -3.5, -4.25, -6, -3.75, 10};
  model.learner = "quartet";
  model.data_digest = 0x0123456789abcdef;
  model.n_samples = 10000;
  return model;
}

/// Four signs, one of them alone, learned from data.
inline model::LearnedTree some_tree() {
  model::LearnedTree learned;
  learned.tree = model::SignTree({"left", "Mitte", "", "右"}, {0.25, 0, -0.5, 0},
                                 {{0, 3, -0.625}, {2, 3, 0.125}}, 0.0625);
  learned.edge_errors = {0.03125, std::nan("")};
  learned.crossover_error = 0.015625;
  learned.learner = "tree";
  learned.data_digest = 0x0123456789abcdef;
  learned.n_samples = 10000;
  return learned;
}

/// Half-way through a run; one array is empty.
inline Checkpoint some_checkpoint() {
  Checkpoint state;
  state.learner = "quartet";
  state.data_digest = 0x0123456789abcdef;
  state.n_samples = 10000;
  state.n_observed = 64;
  state.options = {{"tau-q", "0.005"}, {"test", "rank"}, {"empty", ""}};
  state.words = {{"finished", {0, 1, ~std::uint64_t{0}}}, {"candidates", {}}, {"round", {3}}};
  state.reals = {{"prior", {0.25, -0.0, 1e-300}}, {"failure", {0.5}}};
  return state;
}

/// Three rows, two explanations each: one exact, one impossible, one sampled.
inline PosteriorHeader some_posterior_header() {
  return {3, 0x0123456789abcdef, 0.001, 2, {"flu, seasonal", "Erkältung", "头痛"}};
}
inline PosteriorRows some_posterior() {
  PosteriorRows rows;
  rows.log_evidence = {-3.5, -HUGE_VAL, -700.25};
  rows.log_evidence_error = {0, 0, 0.125};
  rows.method = {0, 2, 1};
  rows.effective_samples = {0, 0, 3210.5};
  rows.n_listed = {2, 0, 3};
  rows.cause = {0, 2, 0, 1, 2};
  rows.probability = {0.75, 0.25, 1, 0.5, 0.0625};
  rows.error = {0, 0, 0.01, 0.02, 0.03};
  rows.log_probability = {-0.5, -1.5, -HUGE_VAL, -HUGE_VAL, -0.25, -2};
  rows.proven = {1, 1, 0, 0, 1, 0};
  rows.n_present = {1, 0, 0, 0, 2, 3};
  rows.present = {0, 0, 1, 0, 1, 2};
  return rows;
}
inline void write_some_posterior(const std::filesystem::path& path) {
  PosteriorWriter writer(path, some_posterior_header());
  writer.append(some_posterior());
  writer.finish(some_run());
}

/// The most memory that this process has held so far.
inline long peak_mebibytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// The message of the Expected error that `work` must throw.
template <class Expected>
std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Expected& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

}  // namespace orrery::store
