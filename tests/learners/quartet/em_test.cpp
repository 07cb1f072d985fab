// EM against what it promises, on data drawn from known networks.
#include <gtest/gtest.h>
#include <chrono>
#include <fmt/format.h>
#include <cstdlib>
#include "learners/run_learner.hpp"
#include "learners/sampled.hpp"
#include "learners/quartet/rounds.hpp"
#include "learners/quartet/em.hpp"
#include "orrery/evaluate/match.hpp"
#include "orrery/model/contamination.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/network_json.hpp"
#include "orrery/model/likelihood.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::quartet {
namespace {
TEST(Fit, time) {
  const char* sets = std::getenv("SETS");
  std::stringstream names(sets ? sets : "img con:8 con:24 unif");
  if (std::getenv("V")) log::configure(log::Level::verbose, true);
  const int seeds = std::getenv("SEEDS") ? std::atoi(std::getenv("SEEDS")) : 3;
  std::string name;
  while (names >> name) for (std::size_t n : {500, 1000, 2000, 10000}) {
  if (std::getenv("N") && std::atoi(std::getenv("N")) != (int)n) continue;
  double rec = 0, extra = 0, sec = 0, worst=0; std::string each; int whole = 0;
  for (int seed = std::getenv("FIRST") ? std::atoi(std::getenv("FIRST")) : 1; seed <= seeds; ++seed) {
  const auto truth = name == "plnt" ? model::read_network_json(std::string(ORRERY_SHARED_DATA) + "/noisy_or/networks.json", "PLNT").network : *model::generate_network(name == "flip" ? "img" : name, name.find("causes=") != std::string::npos ? std::uint64_t(100 + seed) : 1);
  auto block = model::sample_rows(truth, 1000+std::uint64_t(seed), 0, n);
  if (name == "flip") model::contaminate(block, {.1, 4}, 1000+std::uint64_t(seed), 0);
  data::BitPanels panels(truth.n_observed(), n); panels.insert(0, block);
  const learners::Sampled s(std::move(panels));
  const learners::RowPass rows(learners::lone_team(), 2, s.values, nullptr);
  std::vector<Stage> stages; learners::Checkpoints cp;
  const auto nm = learners::names_of(truth);
  const learners::LearnContext context{learners::lone_team(), 2, 1, s.moments, nm, nullptr, &rows, 0, stages, cp};
  Options o; o.test = quartet::Test::calibrated;
  auto t0 = std::chrono::steady_clock::now();
  const auto m = learn_refined(context, o);
  const double t = std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count();
  const auto e = evaluate::evaluate(m, truth);
  if (std::getenv("V")) {
    const Fit best = fit(rows, truth, {200, 0.01, {}});
    fmt::print("score of truth's EM {:.1f} ll {:.1f}; ours ll {:.1f}\n", score(best, Penalty(n, truth.n_observed(), .05)), best.log_likelihood, fit(rows, m.network, {0, 1, {}}).log_likelihood);
    for (std::size_t u = 0; u < e.causes.size(); ++u) {
      fmt::print("true {} p {:.3f} cost {:.2f} {}\n", u, truth.causes()[u].prior, e.causes[u].cost, e.causes[u].recovered);
      if (e.causes[u].recovered) continue;
      for (std::size_t a = 0; a < truth.n_observed(); ++a) { const double f = truth.failure(u,a), g = e.causes[u].learned >= 0 ? m.network.failure(std::size_t(e.causes[u].learned), a) : 1, h = best.network.failure(u,a);
        if (f < 1 || g < 1) fmt::print("   x{} leak {:.3f} true {:.2f} learned {:.2f} EM from truth {:.2f}\n", a, truth.observed()[a].leak, f, g, h); }
    }
  }
  rec += double(e.recovered); extra += double(e.extra.size()); sec += t; worst = std::max(worst,t);
  each += fmt::format(" {}/{}+{}", e.recovered, e.n_true, e.extra.size()); whole += e.recovered == e.n_true;
  }
  fmt::print("{} N {}: whole {}, recovered {:.2f} extra {:.2f} sec {:.2f} max {:.2f}:{}\n", name, n, whole, rec/seeds, extra/seeds, sec/seeds, worst, each); std::fflush(stdout);
  }
}
}
}
