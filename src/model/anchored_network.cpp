// Purpose: checks that loadings, causes and anchors belong together.
// Cost: O(n log n + edges), and one elimination (cause_elimination.hpp) for the priors.
#include "orrery/model/anchored_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/cause_elimination.hpp"

namespace orrery::model {
namespace {

constexpr std::uint32_t no_anchor = ~std::uint32_t{0};

void require_anchor(const Anchor& anchor, std::size_t number, const NoisyOrNetwork& loadings) {
  if (anchor.cause >= loadings.n_causes()) {
    throw InputError(
        fmt::format("anchors[{}].cause = {}, but there are {} causes; indices start "
                    "at 0",
                    number, anchor.cause, loadings.n_causes()));
  }
  if (anchor.observed >= loadings.n_observed()) {
    throw InputError(
        fmt::format("anchors[{}].observed = {}, but there are {} observed variables; indices "
                    "start at 0",
                    number, anchor.observed, loadings.n_observed()));
  }
}

/// An observed variable is an anchor once, and of one cause (Definition 1).
void require_one_cause_each(const std::vector<Anchor>& anchors, std::size_t n_observed) {
  std::vector<std::uint32_t> anchor_of(n_observed, no_anchor);
  for (std::uint32_t i = 0; i < anchors.size(); ++i) {
    std::uint32_t& other = anchor_of[anchors[i].observed];
    if (other != no_anchor) {
      throw InputError(fmt::format(
          "anchors[{}] and anchors[{}] are both observed variable {}, of causes {} and {}; it can "
          "be an anchor once: keep one of them",
          other, i, anchors[i].observed, anchors[other].cause, anchors[i].cause));
    }
    other = i;
  }
}

void require_one_union_each(const std::vector<Anchor>& anchors) {
  std::unordered_map<std::string, std::size_t> anchor_of;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    for (const std::string& column : anchors[i].columns) {
      const auto [other, is_new] = anchor_of.emplace(column, i);
      if (is_new) continue;
      throw InputError(
          fmt::format("column {} stands in anchors[{}] and in anchors[{}]; it can "
                      "belong to one anchor, once: take it out of the other",
                      shown(column), other->second, i));
    }
  }
}

NoisyOrNetwork with_priors(const NoisyOrNetwork& loadings, const CauseNetwork& causes) {
  const CauseElimination elimination(causes);
  if (!elimination.is_feasible()) return loadings;
  const std::vector<double> on =
      elimination.posteriors(std::vector<CauseWeight>(causes.n_causes(), CauseWeight{1, 1}));
  std::vector<Cause> with = loadings.causes();
  for (std::size_t i = 0; i < with.size(); ++i) with[i].prior = on[i];
  return {std::move(with), loadings.observed(), loadings.edges()};
}

}  // namespace

AnchoredNetwork::AnchoredNetwork(NoisyOrNetwork loadings, CauseNetwork causes,
                                 std::vector<Anchor> anchors)
    : causes_(std::move(causes)), anchors_(std::move(anchors)) {
  if (causes_.n_causes() != loadings.n_causes()) {
    throw InputError(fmt::format(
        "the network of the causes has {} of them, but the loadings have {}; they must agree",
        causes_.n_causes(), loadings.n_causes()));
  }
  for (std::size_t i = 0; i < anchors_.size(); ++i) require_anchor(anchors_[i], i, loadings);
  require_one_cause_each(anchors_, loadings.n_observed());
  require_one_union_each(anchors_);
  std::ranges::sort(anchors_, {},
                    [](const Anchor& anchor) { return std::tuple(anchor.cause, anchor.observed); });
  loadings_ = with_priors(loadings, causes_);
}

std::pair<double, double> AnchoredNetwork::rates(std::size_t anchor) const {
  const auto& [cause, observed, columns] = anchors_[anchor];
  const double leak = loadings_.observed()[observed].leak;
  return {leak, 1 - (1 - leak) * loadings_.failure(cause, observed)};
}

LearnedModel as_network(const LearnedAnchored& anchored) {
  const NoisyOrNetwork& loadings = anchored.network.loadings();
  LearnedModel model;
  static_cast<Origin&>(model) = anchored;
  model.network = {loadings.causes(), loadings.observed(), loadings.edges(),
                   anchored.network.causes()};
  model.errors = anchored.errors;
  return model;
}

LearnedAnchored as_anchored(const LearnedModel& model) {
  const NoisyOrNetwork& network = model.network;
  std::vector<double> priors;
  for (const Cause& cause : network.causes()) priors.push_back(cause.prior);
  LearnedAnchored anchored;
  static_cast<Origin&>(anchored) = model;
  anchored.network = {
      {network.causes(), network.observed(), network.edges()},
      network.has_dependent_causes() ? network.cause_network() : CauseNetwork::independent(priors),
      {}};
  anchored.errors = model.errors;
  return anchored;
}

}  // namespace orrery::model
