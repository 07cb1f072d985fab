// A sweep of structural expectation propagation against rows N, variables D and causes K: each of
// them once, twice and four times; time of the processor, one thread. Linear: the middle one lies
// on the line through the outer ones; of K in the states of all parent sets, of which pairs make
// K^2. Before that: eight rows at once against row by row.
#include <cstdlib>
#include <vector>

#include "bench/timing.hpp"
#include "families/categorical/network/generators.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/random_start.hpp"
#include "orrery/model/categorical_sampling.hpp"

namespace {

using namespace orrery;

constexpr std::size_t n_sweeps = 10;

struct Size {
  std::uint64_t rows = 0;
  std::uint32_t variables = 0;
  std::uint32_t causes = 0;
};

/// Sweeps from the true structure and causes, so that every size does alike.
class Sweeps {
 public:
  Sweeps(const parallel::Team& team, std::uint32_t max_parents, const Size& size)
      : share_(team, 1, size.rows) {
    const model::CategoricalNetwork network =
        model::draw_categorical({size.causes, size.variables, max_parents}, 1);
    std::vector<std::uint8_t> states;
    table_ = model::sample_categorical(network, 1, 0, size.rows, 0, &states);
    shape_ = structural_ep::make_shape(size.causes, 2, max_parents,
                                       std::vector<std::size_t>(size.variables, 4));
    for (const model::CategoricalVariable& variable : network.variables()) {
      std::uint32_t set = 0;
      while (shape_.sets[set].causes != variable.parents) ++set;
      start_.sets.push_back(set);
    }
    start_.states.resize(size.causes);
    for (std::size_t at = 0; at < states.size(); ++at) {
      start_.states[at % size.causes].push_back(states[at]);
    }
  }

  void run() {
    structural_ep::Approximation approximation(shape_, table_, share_, 1);
    structural_ep::begin_from(start_, approximation);
    structural_ep::IterateOptions options;
    options.max_sweeps = n_sweeps;
    options.tolerance = 0;
    sink_ += static_cast<double>(structural_ep::iterate(approximation, options));
    sink_ += approximation.posterior().structure[0];
  }
  [[nodiscard]] std::size_t n_states() const { return shape_.n_states; }
  [[nodiscard]] double sink() const { return sink_; }

 private:
  learning::RowShare share_;
  data::CategoricalTable table_;
  structural_ep::Shape shape_;
  structural_ep::Start start_;
  double sink_ = 0;
};

/// Sizes of one kind; `amount` of the three is what their times should be linear in.
void compare(const parallel::Team& team, std::uint32_t max_parents, const char* what,
             const std::vector<Size>& sizes, std::vector<double> amounts = {1, 2, 4}) {
  std::vector<Sweeps> sweeps;
  for (const Size& size : sizes) sweeps.emplace_back(team, max_parents, size);
  std::vector<bench::Contestant> contestants;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    contestants.push_back(
        {fmt::format("{} x {}, {} causes", sizes[i].rows, sizes[i].variables, sizes[i].causes),
         [&sweeps, i] { sweeps[i].run(); }});
    if (sizes[i].causes != sizes[0].causes) {
      amounts[i] =
          static_cast<double>(sweeps[i].n_states()) / static_cast<double>(sweeps[0].n_states());
    }
  }
  bench::compete(contestants, 5, bench::processor_time_once);
  fmt::print("sep{}, {} sweeps, against {}\n", max_parents, n_sweeps, what);
  bench::print_times(contestants);
  const double low = contestants[0].median();
  const double high = contestants[2].median();
  const double share = (amounts[1] - amounts[0]) / (amounts[2] - amounts[0]);
  fmt::print(
      "  {:.2f} and {:.2f} times the first, for {:.2f} and {:.2f} times the size; the middle "
      "is {:.3f} of the line through the others\n",
      contestants[1].median() / low, high / low, amounts[1], amounts[2],
      contestants[1].median() / (low + share * (high - low)));
}

/// Messages of all rows updated once, as they are after some sweeps.
class OneSweep {
 public:
  OneSweep(const parallel::Team& team, std::uint32_t max_parents)
      : share_(team, 1, n_rows),
        table_(model::sample_categorical(model::draw_categorical({3, 50, max_parents}, 1), 1, 0,
                                         n_rows, 0)),
        approximation_(structural_ep::shape_of(table_, 3, 2, max_parents), table_, share_, 1),
        beliefs_(approximation_.shape()),
        log_structure_(approximation_.posterior().structure.size()),
        counts_(approximation_.posterior().counts.size()) {
    structural_ep::begin_at_random(1, 0, approximation_);
    structural_ep::IterateOptions options;
    options.max_sweeps = n_sweeps;
    structural_ep::iterate(approximation_, options);
  }
  void row_by_row(const structural_ep::SweepOptions& options) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      beliefs_.update(approximation_.view(row), approximation_.posterior(), options,
                      {log_structure_, counts_});
    }
  }
  void in_groups(const structural_ep::SweepOptions& options) {
    for (std::size_t row = 0; row < n_rows; row += structural_ep::row_lanes) {
      const auto group = approximation_.group(row);
      approximation_.group_update(0).update(group.views, group.weights, approximation_.posterior(),
                                            options, {log_structure_, counts_}, beliefs_);
    }
  }

 private:
  static constexpr std::size_t n_rows = 1000;
  learning::RowShare share_;
  data::CategoricalTable table_;
  structural_ep::Approximation approximation_;
  structural_ep::RowBeliefs beliefs_;
  std::vector<double> log_structure_, counts_;
};

/// Eight rows at once against row by row.
void compare_groups(const parallel::Team& team, std::uint32_t max_parents,
                    structural_ep::Projection projection, const char* what) {
  OneSweep sweep(team, max_parents);
  structural_ep::SweepOptions options;
  options.projection = projection;
  std::vector<bench::Contestant> contestants{
      {"row by row", [&] { sweep.row_by_row(options); }},
      {"eight rows at once", [&] { sweep.in_groups(options); }}};
  bench::compete(contestants, 9, bench::processor_time_once);
  fmt::print("sep{}, 1,000 x 50, 3 causes, messages of all rows by {}\n", max_parents, what);
  bench::print_times(contestants);
  fmt::print("  {:.2f} times as fast\n", contestants[0].median() / contestants[1].median());
}

}  // namespace

int main() {
  const parallel::Team team;
  for (const std::uint32_t parents : {1U, 2U}) {
    compare_groups(team, parents, structural_ep::Projection::mean_variance, "mean and variance");
    compare_groups(team, parents, structural_ep::Projection::mean_log, "mean logarithms");
  }
  for (const std::uint32_t parents : {1U, 2U}) {
    compare(team, parents, "rows", {{500, 50, 3}, {1000, 50, 3}, {2000, 50, 3}});
    compare(team, parents, "variables", {{500, 25, 3}, {500, 50, 3}, {500, 100, 3}});
    compare(team, parents, "causes", {{500, 50, 2}, {500, 50, 4}, {500, 50, 8}});
  }
  return EXIT_SUCCESS;
}
