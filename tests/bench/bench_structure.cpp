// The search for the best network of causes, ways of it in one run on the same scores: all orders
// of 8 causes against sums over sets; sums over sets against the integer program with 18 causes;
// the tree and the program with 50 causes, from 100,000 rows seen through noisy anchors.
#include <numeric>

#include "base/log.hpp"
#include "bench/timing.hpp"
#include "families/noisy_or/anchored/causes.hpp"
#include "families/noisy_or/anchored/structure/best_network.hpp"
#include "families/noisy_or/anchored/structure/best_network_program.hpp"
#include "families/noisy_or/anchored/structure/families.hpp"

namespace {

using namespace orrery;
using namespace orrery::anchored;

constexpr std::size_t n_rows = 100'000;

struct Problem {
  model::CauseNetwork truth;
  model::SubsetTables moments;
  FamilyLists families;
};

Problem problem_of(std::size_t n) {
  Problem problem;
  problem.truth = random_causes(n, 2, 1, .6);
  const AllRates rates(n, {.05, .8});
  problem.moments = recovered_tables(sampled_tables(problem.truth, rates, 3, n_rows, 1), rates);
  Alone alone;
  problem.families =
      score_families(alone.workers(), problem.moments, 2, SamplingNoise(n_rows, rates));
  return problem;
}

double best_of_all_orders(const FamilyLists& families) {
  std::vector<std::uint32_t> order(families.size());
  std::iota(order.begin(), order.end(), 0U);
  double best = best_of_order(families, order).score;
  while (std::ranges::next_permutation(order).found) {
    best = std::max(best, best_of_order(families, order).score);
  }
  return best;
}

void print_ratio(const char* what, const std::vector<bench::Contestant>& contestants,
                 bool is_same) {
  bench::print_times(contestants);
  fmt::print("{}: {:.3f} of the time [{}]\n", what,
             contestants[1].median() / contestants[0].median(), is_same ? "same score" : "DIFFER");
}

bool are_same(double one, double other) {
  return one - other < score_tolerance(one) && other - one < score_tolerance(one);
}

void compete_orders() {
  const Problem problem = problem_of(8);
  double orders = 0;
  double sets = 0;
  std::vector<bench::Contestant> contestants{
      {"all orders of 8 causes", [&] { orders = best_of_all_orders(problem.families); }},
      {"sums over sets", [&] { sets = best_network(problem.families).bound; }}};
  bench::compete(contestants, 5);
  print_ratio("sums over sets, 8 causes", contestants, are_same(orders, sets));
}

void compete_program() {
  const Problem problem = problem_of(18);
  double sets = 0;
  double program = 0;
  std::vector<bench::Contestant> contestants{
      {"sums over sets, 18 causes", [&] { sets = best_network(problem.families).bound; }},
      {"integer program", [&] { program = best_network_program(problem.families).bound; }}};
  bench::compete(contestants, 5);
  print_ratio("the integer program, 18 causes", contestants, are_same(sets, program));
}

void run_fifty() {
  const Problem problem = problem_of(50);
  BestNetwork best;
  const double tree = bench::time_once([&] { (void)cause_tree(problem.moments); });
  const double program = bench::time_once([&] { best = best_network_program(problem.families); });
  const Parents found = anchored::parents_of(problem.families, best.choice);
  const Parents truth = anchored::parents_of(problem.truth);
  std::size_t n_families = 0;
  for (const auto& list : problem.families) n_families += list.size();
  fmt::print(
      "50 causes, {} families: tree {:.1f} ms, integer program {:.1f} s, {} nodes, {}; {} edges, "
      "{} of the {} true ones\n",
      n_families, 1e3 * tree, program, best.n_nodes, best.is_proved ? "proved" : "not proved",
      n_edges(found), n_shared_edges(found, truth), n_edges(truth));
}

}  // namespace

int main() {
  log::configure(log::Level::quiet, true);
  compete_orders();
  compete_program();
  run_fifty();
}
