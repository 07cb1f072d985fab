#include "learning/scaling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/work_time.hpp"

namespace orrery::learning {
namespace {

// Of a network of 10 Gbit/s: a message of a few words and the waking of who waits for it, and bytes
// that a rank sends or receives in a second.
constexpr double step_seconds = 2e-5;
constexpr double bytes_per_second = 1.2e9;

/// What does not become less with more ranks.
double fixed_seconds(const StageCost& cost, int ranks, int threads) {
  const double workers = static_cast<double>(ranks) * threads;
  const double steps = std::bit_width(static_cast<unsigned>(ranks - 1));
  // A sum passes each word twice: to where it is summed, and back.
  const double passed = 2 * cost.bytes * (1 - 1.0 / ranks);
  return cost.alone + cost.waited + cost.longest * (1 - 1 / workers) +
         cost.messages * steps * step_seconds + passed / bytes_per_second;
}

struct Noted {
  std::string stage;
  double alone;
  parallel::Ledger ledger;
};

std::vector<Noted>& noted() {
  static std::vector<Noted> of_process;
  return of_process;
}

/// "refine" of "refine_3", "quartets_depth" of "quartets_depth_0".
std::string kind_of(const std::string& stage) {
  const std::size_t last = stage.find_last_not_of("0123456789");
  return last + 1 < stage.size() && stage[last] == '_' ? stage.substr(0, last) : stage;
}

}  // namespace

double seconds_on(const StageCost& cost, int ranks, int threads) {
  const double exchanged = cost.exchanged / ranks * (1 - 1.0 / ranks);
  return cost.shared / (static_cast<double>(ranks) * threads) + exchanged / bytes_per_second +
         fixed_seconds(cost, ranks, threads);
}

std::vector<Scaled> scale(const std::vector<StageCost>& costs, int threads,
                          const std::vector<int>& ranks) {
  double of_one = 0;
  for (const StageCost& cost : costs) of_one += seconds_on(cost, 1, threads);
  std::vector<Scaled> all;
  for (const int n : ranks) {
    Scaled& scaled = all.emplace_back();
    scaled.ranks = n;
    for (const StageCost& cost : costs) {
      scaled.seconds += seconds_on(cost, n, threads);
      const double fixed = fixed_seconds(cost, n, threads);
      if (fixed <= scaled.limit_seconds) continue;
      scaled.limit = cost.stage;
      scaled.limit_seconds = fixed;
    }
    if (scaled.seconds > 0) scaled.efficiency = of_one / (n * scaled.seconds);
  }
  return all;
}

StageMeter::StageMeter()
    : before_(parallel::ledger()), processor_before_(thread_seconds()), n_noted_(noted().size()) {}

void StageMeter::end(const std::string& stage) {
  parallel::Ledger own = parallel::ledger();
  own -= before_;
  double alone = thread_seconds() - processor_before_ - own.own;
  for (std::size_t i = n_noted_; i < noted().size(); ++i) {
    own -= noted()[i].ledger;
    alone -= noted()[i].alone;
  }
  noted().push_back({stage, std::max(0.0, alone), own});
}

std::vector<StageCost> noted_costs(int ranks) {
  std::vector<StageCost> costs;
  for (const Noted& one : noted()) {
    const std::string kind = kind_of(one.stage);
    auto cost = std::ranges::find(costs, kind, &StageCost::stage);
    if (cost == costs.end()) cost = costs.insert(costs.end(), StageCost{kind});
    cost->alone += one.alone;
    cost->shared += one.ledger.shared * ranks;
    cost->longest += one.ledger.longest;
    cost->messages += one.ledger.messages;
    cost->bytes += one.ledger.bytes;
    cost->exchanged += one.ledger.exchanged * ranks;
  }
  return costs;
}

}  // namespace orrery::learning
