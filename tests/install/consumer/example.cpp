// Two illnesses behind five symptoms: sampled, then learned back from the samples alone.
#include <fmt/format.h>

#include <orrery/learning/known_structure.hpp>
#include <orrery/model/network.hpp>
#include <orrery/model/sampling.hpp>
#include <orrery/moments/counted_moments.hpp>

int main(int argc, char** argv) {
  const orrery::model::NoisyOrNetwork truth(
      {{"flu", 0.1}, {"cold", 0.3}},                                                      // priors
      {{"fever", 0.01}, {"cough", 0.05}, {"ache", 0.01}, {"sneeze", 0.02}, {"sore", 0}},  // leaks
      {{0, 0, 0.2}, {0, 1, 0.3}, {0, 2, 0.1}, {1, 1, 0.4}, {1, 3, 0.1}, {1, 4, 0.5}});  // failures

  const std::size_t n = 100'000;
  orrery::data::BitPanels values(truth.n_observed(), n);
  values.insert(0, orrery::model::sample_rows(truth, /*seed=*/1, /*first_row=*/0, n));

  const orrery::moments::CountedMoments counted(values, orrery::moments::count_pairs(values));
  const std::uint32_t fever_and_cough[] = {0, 1};
  fmt::print("neither fever nor cough: {:.4f}, counted {:.4f}\n",
             truth.negative_moment(fever_and_cough), counted.pair(0, 1));

  std::vector<std::string> names;
  for (const auto& observed : truth.observed()) names.push_back(observed.name);
  const orrery::parallel::Team team(&argc, &argv);  // one rank, or those of mpirun
  std::vector<orrery::Stage> stages;
  orrery::learning::Checkpoints no_checkpoints;
  const auto learned =
      orrery::learning::learn_parameters({team, /*threads=*/1, /*seed=*/1, counted, names, nullptr,
                                          nullptr, 0, stages, no_checkpoints},
                                         truth);
  for (const auto& cause : learned.network.causes()) {
    fmt::print("{}: prior {:.2f}\n", cause.name, cause.prior);
  }
}
