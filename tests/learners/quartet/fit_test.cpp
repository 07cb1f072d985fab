// EM against what it promises, on data drawn from known networks.
#include "learners/quartet/fit.hpp"

#include <gtest/gtest.h>
#include <chrono>
#include <fmt/format.h>
#include "learners/run_learner.hpp"
#include "learners/sampled.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/likelihood.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::quartet {
namespace {
TEST(Fit, time) {
  for (const char* name : {"img","con:8","con:24","unif"}) {
  const auto truth = *model::generate_network(name, 1);
  data::BitPanels values(truth.n_observed(), 10000);
  values.insert(0, model::sample_rows(truth, 7, 0, 10000));
  for (int threads : {1, 2}) {
  const learners::RowPass rows(learners::lone_team(), threads, values, nullptr);
  auto t0 = std::chrono::steady_clock::now();
  const Fit f = fit(rows, truth, {20, -1, {}});
  auto t1 = std::chrono::steady_clock::now();
  const auto tests = test_edges(rows, truth);
  auto t2 = std::chrono::steady_clock::now();
  fmt::print("{} threads {}: ll {} post {} its {} trunc {} {} ms/it test {} ms\n", name, threads, f.log_likelihood/1e4, f.log_posterior, f.iterations, f.n_truncated, std::chrono::duration<double>(t1-t0).count()*1e3/21, std::chrono::duration<double>(t2-t1).count()*1e3);
  }}
}
}
}
