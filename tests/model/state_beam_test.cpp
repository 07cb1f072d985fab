// The beam against sums over all states of the causes.
#include "model/state_beam.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace orrery::model {
namespace {

constexpr BeamOptions every_state{1e9, 1e9, 4096, 4096};

/// Five causes: 1 and 3 hang on 0, 4 hangs on 3, 2 stands alone. Nine variables.
NoisyOrNetwork forest_network() {
  std::vector<CauseTable> tables(5);
  tables[0].on = {.3};
  tables[1] = {{0}, {.1, .6}};
  tables[2].on = {.2};
  tables[3] = {{0}, {.5, .15}};
  tables[4] = {{3}, {.05, .4}};
  std::vector<Cause> causes;
  for (const char* name : {"a", "b", "c", "d", "e"}) causes.push_back({name, .3});
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  for (std::uint32_t x = 0; x < 9; ++x) {
    observed.push_back({std::string("x") + std::to_string(x), .02 + .01 * x});
    for (std::uint32_t c = 0; c < 5; ++c) {
      if ((x + c) % 3 != 0) edges.push_back({c, x, .1 + .07 * c + .02 * x});
    }
  }
  return {causes, observed, edges, CauseNetwork(std::move(tables))};
}

/// The same, but 4 hangs on 1 and 3, and 2 on 0 and 3.
NoisyOrNetwork two_parents_network() {
  const NoisyOrNetwork forest = forest_network();
  std::vector<CauseTable> tables = forest.cause_network().tables();
  tables[2] = {{0, 3}, {.1, .4, .3, .05}};
  tables[4] = {{1, 3}, {.05, .4, .6, .02}};
  return {std::vector<Cause>(5, {"u", .3}), forest.observed(), forest.edges(),
          CauseNetwork(std::move(tables))};
}

/// P(row, state), by the definition; variables of `missing` count neither way.
double joint(const NoisyOrNetwork& network, std::uint64_t row, std::uint64_t missing,
             std::uint64_t state) {
  std::vector<std::uint8_t> values(network.n_causes());
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = (state >> c) & 1U;
  double p = std::exp(network.cause_network().log_probability(values));
  for (std::uint32_t x = 0; x < network.n_observed(); ++x) {
    if (((missing >> x) & 1U) != 0) continue;
    double off = 1 - network.observed()[x].leak;
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (values[c] != 0) off *= network.failure(c, x);
    }
    p *= ((row >> x) & 1U) != 0 ? 1 - off : off;
  }
  return p;
}

void expect_sums_over_states(const NoisyOrNetwork& network, std::uint64_t row,
                             std::uint64_t missing) {
  double total = 0;
  std::vector<double> posterior(5);
  for (std::uint64_t state = 0; state < 32; ++state) {
    const double p = joint(network, row, missing, state);
    total += p;
    for (std::size_t c = 0; c < 5; ++c) posterior[c] += ((state >> c) & 1U) != 0 ? p : 0;
  }
  const BeamNetwork prepared(network);
  Beam beam(prepared, every_state);
  const std::vector<std::uint64_t> values{row};
  const std::vector<std::uint64_t> mask{missing};
  beam.evaluate(values, missing == 0 ? std::span<const std::uint64_t>() : std::span(mask));
  EXPECT_NEAR(beam.log_likelihood(), std::log(total), 1e-10) << row << ' ' << missing;
  std::vector<double> found(5);
  for (const Beam::State& state : beam.states()) {
    for (std::size_t c = 0; c < 5; ++c) {
      found[c] += ((state.causes >> c) & 1U) != 0 ? state.share : 0;
    }
  }
  // States that weigh less than a thousandth are left out.
  for (std::size_t c = 0; c < 5; ++c) EXPECT_NEAR(found[c], posterior[c] / total, .01) << row;
}

TEST(StateBeam, is_the_sum_over_all_states_for_every_row) {
  for (std::uint64_t row = 0; row < 512; ++row) {
    expect_sums_over_states(forest_network(), row, 0);
    expect_sums_over_states(two_parents_network(), row, 0);
  }
}

TEST(StateBeam, suits_causes_of_at_most_two_parents) {
  EXPECT_TRUE(BeamNetwork::suits(two_parents_network()));
  std::vector<CauseTable> tables = two_parents_network().cause_network().tables();
  tables[4] = {{0, 1, 3}, std::vector<double>(8, .3)};
  const NoisyOrNetwork three(std::vector<Cause>(5, {"u", .3}), forest_network().observed(),
                             forest_network().edges(), CauseNetwork(std::move(tables)));
  EXPECT_FALSE(BeamNetwork::suits(three));
}

TEST(StateBeam, leaves_missing_values_out) {
  for (std::uint64_t row = 0; row < 512; row += 16) {
    expect_sums_over_states(forest_network(), row, 0b1010);
    expect_sums_over_states(two_parents_network(), row, 0b1010);
  }
}

TEST(StateBeam, rows_add_up_to_one) {
  const BeamNetwork prepared(forest_network());
  Beam beam(prepared, every_state);
  double sum = 0;
  for (std::uint64_t row = 0; row < 512; ++row) {
    const std::vector<std::uint64_t> values{row};
    beam.evaluate(values, {});
    sum += std::exp(beam.log_likelihood());
  }
  EXPECT_NEAR(sum, 1, 1e-10);
}

TEST(StateBeam, finds_nearly_all_of_it_with_few_states) {
  const BeamNetwork prepared(forest_network());
  Beam beam(prepared, {});
  Beam all(prepared, every_state);
  for (std::uint64_t row = 0; row < 512; ++row) {
    const std::vector<std::uint64_t> values{row};
    beam.evaluate(values, {});
    all.evaluate(values, {});
    EXPECT_LE(beam.log_likelihood(), all.log_likelihood() + 1e-12) << row;
    EXPECT_NEAR(beam.log_likelihood(), all.log_likelihood(), .05) << row;
  }
}

/// The same row under a network with other parameters.
void expect_follows(const NoisyOrNetwork& found_under, const NoisyOrNetwork& network,
                    const BeamOptions& options) {
  const BeamNetwork before(found_under);
  const BeamNetwork now(network);
  Beam search(before, options);
  Beam follower(now, options);
  BeamStates found(5, 1 << 20);
  for (std::uint64_t row = 0; row < 512; ++row) {
    const std::vector<std::uint64_t> values{row & ~std::uint64_t{0b1010}};
    const std::vector<std::uint64_t> missing{row % 3 == 0 ? std::uint64_t{0b1010} : 0};
    search.evaluate(values, missing, found);
    follower.follow(values, missing, found, row);
    ASSERT_EQ(follower.states().size(), search.states().size());
    EXPECT_FALSE(follower.truncated());
    double total = 0;
    for (const Beam::State& state : follower.states()) {
      total += joint(network, values[0], missing[0], state.causes);
    }
    EXPECT_NEAR(follower.log_likelihood(), std::log(total), 1e-10) << row;
    data::AlignedVector<double> inverse(follower.stride()), shared(5 * follower.stride());
    std::vector<double> expected(9);
    for (std::size_t i = 0; i < follower.states().size(); ++i) {
      const Beam::State& state = follower.states()[i];
      EXPECT_EQ(state.causes, search.states()[i].causes);
      EXPECT_NEAR(state.share, joint(network, values[0], missing[0], state.causes) / total, 1e-10);
      follower.add_share(i, 2, inverse.data(), shared.data());
      for (const std::uint32_t x : follower.on()) {
        double off = 1 - network.observed()[x].leak;
        for (std::size_t c = 0; c < 5; ++c) {
          if (((state.causes >> c) & 1U) != 0) off *= network.failure(c, x);
        }
        expected[x] += 2 * state.share / (1 - off);
      }
    }
    for (std::size_t j = 0; j < follower.on().size(); ++j) {
      EXPECT_NEAR(inverse[j], expected[follower.on()[j]], 1e-9 * inverse[j]);
    }
  }
}

TEST(StateBeam, follows_the_states_that_a_search_found_under_other_parameters) {
  for (const NoisyOrNetwork& network : {forest_network(), two_parents_network()}) {
    std::vector<Observed> observed = network.observed();
    for (Observed& one : observed) one.leak *= 1.3;
    std::vector<Edge> edges = network.edges();
    for (Edge& edge : edges) edge.failure *= .9;
    const NoisyOrNetwork other(network.causes(), std::move(observed), std::move(edges),
                               network.cause_network());
    expect_follows(network, other, {});
    expect_follows(network, other, every_state);
  }
}

TEST(StateBeam, knows_what_share_of_the_likelihood_the_states_found_have) {
  const NoisyOrNetwork network = forest_network();
  const BeamNetwork prepared(network);
  Beam beam(prepared, {});
  BeamStates found(5, 1 << 20);
  for (std::uint64_t row = 0; row < 512; ++row) {
    const std::vector<std::uint64_t> values{row};
    beam.evaluate(values, {}, found);
    const double searched = beam.log_likelihood();
    const double log_share = beam.log_share_kept();
    EXPECT_LE(log_share, 0);
    beam.follow(values, {}, found, row);
    EXPECT_NEAR(beam.log_likelihood() - log_share, searched, 1e-10) << row;
    EXPECT_EQ(beam.log_share_kept(), 0);
  }
}

TEST(StateBeam, searches_rows_whose_states_found_no_room) {
  const NoisyOrNetwork network = forest_network();
  const BeamNetwork prepared(network);
  Beam beam(prepared, {});
  BeamStates found(5, 4);
  const std::vector<std::uint64_t> silent{0}, loud{0b111111111};
  beam.evaluate(loud, {}, found);
  ASSERT_GT(beam.states().size(), 4);
  EXPECT_EQ(beam.log_share_kept(), 0);
  const double searched = beam.log_likelihood();
  beam.follow(loud, {}, found, 0);
  EXPECT_EQ(beam.log_likelihood(), searched);
  // Nor does it find any of a row that was not searched.
  beam.follow(silent, {}, found, 1);
  const double followed = beam.log_likelihood();
  beam.evaluate(silent, {});
  EXPECT_EQ(followed, beam.log_likelihood());
}

// Ten causes, 1,024 states: more than the small table of states that were met holds.
TEST(StateBeam, keeps_the_heaviest_of_many_states) {
  constexpr std::size_t n_causes = 10;
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < n_causes; ++c) {
    for (std::uint32_t x = 0; x < 9; ++x) {
      if ((x + c) % 4 != 0) edges.push_back({c, x, .55 + .03 * c + .01 * x});
    }
  }
  const NoisyOrNetwork network(std::vector<Cause>(n_causes, {"u", .4}), forest_network().observed(),
                               edges);
  const BeamNetwork prepared(network);
  BeamOptions options = every_state;
  options.most_kept = 40;
  Beam beam(prepared, options);
  for (std::uint64_t row = 0; row < 512; row += 7) {
    const auto weight_of = [&](std::uint64_t state) {
      double p = 1;
      for (std::size_t c = 0; c < n_causes; ++c) p *= ((state >> c) & 1U) != 0 ? .4 : .6;
      for (std::uint32_t x = 0; x < 9; ++x) {
        double off = 1 - network.observed()[x].leak;
        for (std::size_t c = 0; c < n_causes; ++c) {
          if (((state >> c) & 1U) != 0) off *= network.failure(c, x);
        }
        p *= ((row >> x) & 1U) != 0 ? 1 - off : off;
      }
      return p;
    };
    std::vector<std::pair<double, std::uint64_t>> expected;
    double total = 0;
    for (std::uint64_t state = 0; state < 1 << n_causes; ++state) {
      expected.emplace_back(-weight_of(state), state);
      total -= expected.back().first;
    }
    std::ranges::sort(expected);
    const std::vector<std::uint64_t> values{row};
    beam.evaluate(values, {});
    EXPECT_NEAR(beam.log_likelihood(), std::log(total), 1e-10) << row;
    EXPECT_FALSE(beam.truncated());
    ASSERT_LE(beam.states().size(), options.most_kept);
    ASSERT_GE(beam.states().size(), 10U);
    double kept = 0;
    for (std::size_t i = 0; i < options.most_kept; ++i) kept -= expected[i].first;
    for (std::size_t i = 0; i < beam.states().size(); ++i) {
      // Two states of the same weight may be told apart by rounding.
      const double weight = weight_of(beam.states()[i].causes);
      EXPECT_NEAR(weight / -expected[i].first, 1, 1e-9) << row << ' ' << i;
      EXPECT_NEAR(beam.states()[i].share, weight / kept, .04 * weight / kept);
    }
  }
}

TEST(StateBeam, heavy_flips_are_those_of_a_plain_loop) {
  constexpr std::size_t width = 64;
  data::AlignedVector<double> gains(width);
  for (std::size_t c = 0; c < width; ++c) gains[c] = -.25 * static_cast<double>((37 * c) % 53);
  for (const kernels::Isa isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
    if (kernels::find(isa) == nullptr) continue;
    const RowKernels found = find_row_kernels(isa);
    for (const std::size_t n : {std::size_t{8}, std::size_t{24}, width}) {
      for (const double least : {-1e9, -9.5, -7.0, 1e9}) {
        std::uint64_t expected = 0;
        for (std::size_t c = 0; c < n; ++c) {
          expected |= std::uint64_t{-1.5 + gains[c] >= least} << c;
        }
        EXPECT_EQ(found.find_heavy(gains.data(), n, -1.5, least), expected) << n << ' ' << least;
      }
    }
  }
}

TEST(StateBeam, every_instruction_set_gives_the_same_bytes) {
  const RowKernels plain = find_row_kernels(kernels::Isa::scalar);
  for (const kernels::Isa isa : {kernels::Isa::avx2, kernels::Isa::avx512}) {
    if (kernels::find(isa) == nullptr) continue;
    const RowKernels wide = find_row_kernels(isa);
    constexpr std::size_t n_on = 13, stride = 16, n_causes = 6, width = 8;
    std::vector<std::uint32_t> on(n_on);
    data::AlignedVector<double> quiet(stride, 0), failure_on(n_causes * stride, 1);
    data::AlignedVector<double> failure(n_on * width, 1), inverse(n_on * width, 1);
    data::AlignedVector<double> field(width, -1e30), coupling(n_causes * width, 0);
    for (std::size_t j = 0; j < n_on; ++j) {
      on[j] = static_cast<std::uint32_t>(j);
      quiet[j] = .9 - .01 * static_cast<double>(j);
      for (std::size_t c = 0; c < n_causes; ++c) {
        const double f = .13 + .1 * static_cast<double>((3 * c + 5 * j) % 8);
        failure[j * width + c] = failure_on[c * stride + j] = f;
        inverse[j * width + c] = 1 / f;
      }
    }
    for (std::size_t c = 0; c < n_causes; ++c) field[c] = -1.7 + .3 * static_cast<double>(c);
    field[n_causes] = 0;
    coupling[1 * width + 4] = coupling[4 * width + 1] = .77;
    const RowArrays row{n_on,           stride,       n_causes,          width,
                        on.data(),      quiet.data(), failure_on.data(), failure.data(),
                        inverse.data(), field.data(), coupling.data()};
    for (std::uint64_t state = 0; state < 64; ++state) {
      data::AlignedVector<double> off(stride), gains(width), other_off(stride), other_gains(width);
      plain.open(row, state, off.data(), gains.data());
      wide.open(row, state, other_off.data(), other_gains.data());
      EXPECT_EQ(off, other_off);
      EXPECT_EQ(gains, other_gains);
      data::AlignedVector<double> sum(stride), shared(n_causes * stride), other(stride),
          other_shared(n_causes * stride);
      plain.add_share(row, state, .3, off.data(), sum.data(), shared.data());
      wide.add_share(row, state, .3, off.data(), other.data(), other_shared.data());
      EXPECT_EQ(sum, other);
      EXPECT_EQ(shared, other_shared);
    }
    std::vector<std::uint64_t> states(11);
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = 5 * i;
    data::AlignedVector<double> off(states.size() * stride), weights(16, -3), shares(16);
    data::AlignedVector<double> other_off(off.size()), other_weights(weights), other_shares(16);
    plain.weigh(row, states.data(), states.size(), off.data(), weights.data());
    wide.weigh(row, states.data(), states.size(), other_off.data(), other_weights.data());
    EXPECT_EQ(off, other_off);
    EXPECT_EQ(weights, other_weights);
    EXPECT_EQ(plain.find_shares(weights.data(), states.size(), 1.5, shares.data()),
              wide.find_shares(weights.data(), states.size(), 1.5, other_shares.data()));
    EXPECT_EQ(shares, other_shares);
  }
}

}  // namespace
}  // namespace orrery::model
