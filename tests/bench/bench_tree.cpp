// The tree learner's pairs against the counting of all pairs, which it cannot do without, on the
// same bits in one run: 4,075 columns x 1,000,000 rows of dense random bits, and 20,000 x 10,000.
#include <omp.h>

#include <cstdlib>
#include <vector>

#include "base/log.hpp"
#include "base/random.hpp"
#include "bench/timing.hpp"
#include "families/sign_tree/hidden_tree/search.hpp"
#include "moments/pair_counts.hpp"

namespace {

using namespace orrery;

/// Every other bit on; n a multiple of 64.
data::BitPanels dense_samples(std::size_t m, std::size_t n) {
  data::BitPanels values(m, n);
  RowRandom random(1, Stream::check, 0);
  for (std::size_t i = 0; i < values.words().size(); ++i) {
    const std::size_t column = 8 * (i / (8 * values.n_words())) + i % 8;
    if (column < m) values.words()[i] = random.below(~std::uint64_t{0});
  }
  return values;
}

hidden_tree::Rows rows_of(data::BitPanels values) {
  hidden_tree::Rows rows;
  rows.samples.matrix = std::make_unique<data::SampleMatrix>();
  rows.samples.matrix->values = std::move(values);
  const data::BitPanels& bits = rows.samples.matrix->values;
  rows.samples.names.resize(bits.n_columns());
  rows.singles.n_rows = bits.n_rows();
  for (std::size_t a = 0; a < bits.n_columns(); ++a) {
    std::uint64_t on = 0;
    for (std::size_t w = 0; w < bits.n_words(); ++w) {
      on += static_cast<std::uint64_t>(std::popcount(bits.word(a, w)));
    }
    rows.singles.on.push_back(on);
  }
  return rows;
}

double find(const hidden_tree::Rows& rows, const auto& weights) {
  static const parallel::Team team;
  std::vector<Stage> stages;
  learning::Checkpoints checkpoints;
  const std::string path;
  const learning::DataContext context{team, 1, 1, path, nullptr, 0, nullptr, stages, checkpoints};
  return static_cast<double>(hidden_tree::find_tree(context, rows, weights, "tree")[0].a);
}

void compete(std::size_t m, std::size_t n) {
  const hidden_tree::Rows rows = rows_of(dense_samples(m, n));
  double sink = 0;
  std::vector<bench::Contestant> contestants{
      {"counts of all pairs",
       [&] {
         sink += static_cast<double>(moments::count_pairs(rows.samples.matrix->values).off[1]);
       }},
      {"the tree, uniform marginals", [&] { sink += find(rows, hidden_tree::UniformWeights{}); }},
      {"the tree, free marginals", [&] { sink += find(rows, hidden_tree::FreeWeights{.1}); }}};
  bench::compete(contestants, 3);
  bench::print_times(contestants);
  const double counting = contestants[0].median();
  fmt::print(
      "tree of {} x {}, one thread: {:.2f} of the time of pair counts, {:.2f} with free "
      "marginals [{}]\n",
      m, n, contestants[1].median() / counting, contestants[2].median() / counting,
      sink > 0 ? 1 : 0);
}

}  // namespace

int main(int argc, char** /*argv*/) {
  log::configure(log::Level::quiet, true);
  omp_set_num_threads(1);
  compete(4'075, 1'000'000);
  if (argc > 1) compete(20'000, 10'048);  // 9 GB of memory, for the counts of all pairs
  return EXIT_SUCCESS;
}
