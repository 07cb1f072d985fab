// Figure 1 of Jernite, Halpern, Sontag 2013: two causes of three variables and one cause of the
// same three have equal moments, so that triples cannot tell them apart; a fourth variable can.
#include <gtest/gtest.h>

#include "families/noisy_or/quartet/paper/cause_estimate.hpp"
#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"
#include "learning/planted.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

using moments::TripletMoments;

/// X and Y of the figure above a, b, c and, for quartets, above a fourth variable; the noise
/// probabilities stand in the supplement: any will do, for they cancel.
model::NoisyOrNetwork two_causes(double leak) {
  std::vector<model::Edge> edges;
  const double failures[2][4] = {{.1, .2, .3, .25}, {.6, .4, .5, .35}};
  for (std::uint32_t cause = 0; cause < 2; ++cause) {
    for (std::uint32_t a = 0; a < 4; ++a) edges.push_back({cause, a, failures[cause][a]});
  }
  return {{{"X", .2}, {"Y", .3}}, std::vector<model::Observed>(4, {"x", leak}), edges};
}

template <std::size_t N>
std::array<double, N> negative_moments(const model::NoisyOrNetwork& network) {
  std::array<double, N> moments{};
  for (std::size_t set = 0; set < N; ++set) {
    std::vector<std::size_t> members;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) != 0) members.push_back(k);
    }
    std::vector<std::size_t> causes(network.n_causes());
    for (std::size_t c = 0; c < causes.size(); ++c) causes[c] = c;
    moments[set] = learning::planted::negative_moment(network, causes, members);
  }
  return moments;
}

TEST(Figure1, one_cause_has_the_moments_of_two_on_three_variables) {
  const auto of_two = negative_moments<8>(two_causes(.02));
  const auto views = moments::fit_mixture(of_two);
  const double published[3] = {.28, .23, .33};  // f_Z
  std::vector<model::Edge> edges;
  std::vector<model::Observed> observed;
  double prior = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    ASSERT_TRUE(views[k]);
    EXPECT_NEAR(views[k]->prior, .37, .006);             // p_Z
    EXPECT_NEAR(views[k]->failure, published[k], .006);  // two digits, of inputs of one
    prior = views[k]->prior;
    edges.push_back({0, k, views[k]->failure});
    const double off = of_two[std::size_t{1} << k];
    observed.push_back({"x", 1 - off / moments::cause_factor(prior, views[k]->failure)});
    EXPECT_GT(observed.back().leak, 0);
  }
  observed.push_back({"d", 0});
  const auto of_one = negative_moments<8>({{{"Z", prior}}, observed, edges});
  for (std::size_t set = 0; set < 8; ++set) EXPECT_NEAR(of_one[set], of_two[set], 1e-12) << set;
}

TEST(Figure1, a_fourth_variable_tells_two_causes_from_one) {
  const auto negative = negative_moments<16>(two_causes(.02));
  EXPECT_GT(rank_statistic(moments::cells_from_negative(negative)), 1e-5);
  const auto coherent = coherence(negative);
  ASSERT_TRUE(coherent);
  EXPECT_GT(coherent->distance, 1e-6);
}

}  // namespace
}  // namespace orrery::quartet
