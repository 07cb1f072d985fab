// Moments of 50 causes, pairs, from anchors a third of which are violated (another cause turns them
// on too), 10,000 samples: how long each polytope takes to a gap of .005 nats. The paper's times
// are 30, 519 and 6,073 s (Halpern, Horng, Sontag 2015, Sec. 5). Arguments: causes, samples, mean P
// of a rare cause.
#include <cstdlib>
#include <string>

#include "base/log.hpp"
#include "base/random.hpp"
#include "bench/timing.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"

namespace {

using namespace orrery;

/// A tree of causes; each has an anchor, and with probability 1/3 an intruder.
struct World {
  std::vector<std::uint32_t> parent;
  std::vector<std::array<double, 2>> on;  ///< P(cause | parent)
  std::vector<std::array<double, 2>> rates;
  std::vector<std::uint32_t> intruder;  ///< the cause itself: none
  std::vector<double> strength;
};

World draw_world(std::uint32_t n, double rare) {
  RowRandom random(1, Stream::structure, 0);
  World world;
  for (std::uint32_t i = 0; i < n; ++i) {
    world.parent.push_back(i == 0 ? 0 : static_cast<std::uint32_t>(random.below(i)));
    world.on.push_back({rare * (.5 + random.uniform()), .2 + .5 * random.uniform()});
    world.rates.push_back({.01 + .09 * random.uniform(), .5 + .45 * random.uniform()});
    const bool violated = random.bernoulli(1.0 / 3);
    const auto other = static_cast<std::uint32_t>((i + 1 + random.below(n - 1)) % n);
    world.intruder.push_back(violated ? other : i);
    world.strength.push_back(.1 + .4 * random.uniform());
  }
  return world;
}

anchored::AnchorTables sample(const World& world, std::uint32_t n, std::size_t n_samples) {
  model::SubsetTables tables(n, 2);
  std::vector<std::uint32_t> cause(n);
  std::vector<std::uint32_t> anchor(n);
  for (std::size_t row = 0; row < n_samples; ++row) {
    RowRandom random(1, Stream::rows, row);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t above = i == 0 ? 0 : cause[world.parent[i]];
      cause[i] = random.bernoulli(world.on[i][above]) ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool intrudes = world.intruder[i] != i && cause[world.intruder[i]] != 0;
      const double off = 1 - world.rates[i][cause[i]];
      anchor[i] = random.bernoulli(1 - off * (intrudes ? 1 - world.strength[i] : 1)) ? 1 : 0;
    }
    for (std::size_t size = 1; size <= 2; ++size) {
      tables.for_each_set(size, [&](std::span<const std::uint32_t> set) {
        const std::uint32_t cell = anchor[set[0]] | (size > 1 ? anchor[set[1]] << 1U : 0U);
        tables.table(set)[cell] += 1 / static_cast<double>(n_samples);
      });
    }
  }
  return {tables, world.rates};
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t n = argc > 1 ? static_cast<std::uint32_t>(std::stoul(argv[1])) : 50;
  const std::size_t n_samples = argc > 2 ? std::stoul(argv[2]) : 10'000;
  const double rare = argc > 3 ? std::stod(argv[3]) : .05;
  log::configure(log::Level::quiet, true);
  const parallel::Team team(&argc, &argv);
  const anchored::AnchorTables anchors = sample(draw_world(n, rare), n, n_samples);
  fmt::print("moments of {} causes, pairs, {} samples, to a gap of .005 nats\n", n, n_samples);
  const std::vector<std::pair<const char*, anchored::Polytope>> polytopes{
      {"simplex", anchored::Polytope::simplex},
      {"local", anchored::Polytope::local},
      {"local+cycles", anchored::Polytope::local_cycles},
      {"marginal", anchored::Polytope::marginal}};
  for (const auto& [name, polytope] : polytopes) {
    std::vector<Stage> stages;
    learning::Checkpoints checkpoints;
    anchored::RecoveryOptions options;
    options.polytope = polytope;
    anchored::Recovery found;
    const double seconds = bench::time_once([&] {
      found = anchored::recover_moments({team, 2, checkpoints, stages}, anchors, options);
    });
    fmt::print("  {:14} {:10.3f} s  objective {:.6f}  gap {:.6f}  {} steps\n", name, seconds,
               found.objective, found.gap, found.iterations);
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}
