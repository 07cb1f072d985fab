// Purpose: the built-in linear networks.
// Source: the families of Anandkumar, Hsu, Javanmard, Kakade 2013, Sec. 2.2 (random bipartite
//         graphs, full d-regular trees, caterpillar trees).
// Cost: O(n k) time and memory: loadings are dense.
// Order of draws: edges from Stream::structure; from Stream::parameters sizes of loadings with
// their signs, of what lies above, and last the noise of the observed variables. Sizes are drawn
// for absent edges too: they do not depend on which there are.
#include "families/linear/network/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "families/linear/network/network.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::string_view linear_prefix = "linear:";
constexpr std::string_view bipartite_form = "linear:bipartite:N,K,THETA";
constexpr std::string_view ternary_form = "linear:ternary:LEVELS";
constexpr std::string_view caterpillar_form = "linear:caterpillar:K,LEAVES";
constexpr std::uint32_t most_linear_observed = 100'000;
constexpr std::uint32_t most_linear_causes = 1'000;
constexpr std::uint32_t most_leaves = 100;
constexpr std::uint32_t most_levels = 8;  // 729 causes, 2,187 observed variables

constexpr std::pair<std::string_view, CauseLaw> laws[] = {{"gaussian", CauseLaw::gaussian},
                                                          {"skewed", CauseLaw::skewed},
                                                          {"heavy-tailed", CauseLaw::heavy_tailed}};

[[noreturn]] void refuse_linear_spec(const std::string& spec) {
  throw UsageError(fmt::format("{}: no such linear network; write {}, {} or {}", spec,
                               bipartite_form, ternary_form, caterpillar_form));
}

void require_loadings(std::string_view form, Index n, Index k) {
  if (static_cast<std::size_t>(n) * static_cast<std::size_t>(k) <= most_entries) return;
  throw UsageError(fmt::format("{}: {} variables of {} causes have too many loadings; at most {}",
                               form, n, k, most_entries));
}

class Sizes {
 public:
  explicit Sizes(std::uint64_t seed) : random_(seed, Stream::parameters, 0) {}
  double uniform(double low, double high) { return low + (high - low) * random_.uniform(); }
  double either_sign(double low, double high) {
    const double size = uniform(low, high);
    return random_.bernoulli(.5) ? -size : size;
  }
  double loading() { return either_sign(.5, 1); }
  VectorXd noise(std::size_t n) {
    VectorXd variances(static_cast<Index>(n));
    for (double& variance : variances) variance = uniform(.25, .75);
    return variances;
  }

 private:
  RowRandom random_;
};

std::vector<std::string> numbered(std::string_view stem, Index n) {
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

MatrixXd equal_correlations(Index k, double correlation) {
  MatrixXd covariance = MatrixXd::Constant(k, k, correlation);
  covariance.diagonal().setOnes();
  return covariance;
}

void require_correlation(double correlation, std::uint32_t k) {
  const double lowest = k > 1 ? -1.0 / (k - 1) : -1;
  if (k > 1 && correlation > lowest && correlation < 1) return;
  throw UsageError(
      k > 1 ? fmt::format("a correlation of {} between any two of {} causes: it must be in ({}, 1)",
                          correlation, k, lowest)
            : fmt::format("a correlation of {} needs two causes or more", correlation));
}

LinearParts bipartite(std::string_view text, std::uint64_t seed,
                      const LinearParameters& parameters) {
  const auto values = parse_values(bipartite_form, text, 3);
  const auto n =
      Index{parse_whole(fmt::format("{}: N", bipartite_form), values[0], 1, most_linear_observed)};
  const std::uint32_t n_causes =
      parse_whole(fmt::format("{}: K", bipartite_form), values[1], 1, most_linear_causes);
  const double theta = parse_real(fmt::format("{}: THETA", bipartite_form), values[2], 0, 1);
  const auto k = Index{n_causes};
  require_loadings(bipartite_form, n, k);
  LinearParts parts;
  if (parameters.correlation != 0) {
    require_correlation(parameters.correlation, n_causes);
    parts.covariance = equal_correlations(k, parameters.correlation);
  }
  RowRandom structure(seed, Stream::structure, 0);
  Sizes sizes(seed);
  parts.loadings = MatrixXd::Zero(n, k);
  for (Index j = 0; j < k; ++j) {
    for (Index i = 0; i < n; ++i) {
      const double loading = sizes.loading();
      if (structure.bernoulli(theta)) parts.loadings(i, j) = loading;
    }
  }
  parts.names = numbered("x", n);
  parts.cause_names = numbered("h", k);
  parts.noise = sizes.noise(parts.names.size());
  return parts;
}

/// Each of `n_above` has `n_children` of its own.
MatrixXd tree_loadings(Index n_above, Index n_children, double low, double high, Sizes& sizes) {
  MatrixXd loadings = MatrixXd::Zero(n_above * n_children, n_above);
  for (Index i = 0; i < loadings.rows(); ++i) {
    loadings(i, i / n_children) = sizes.either_sign(low, high);
  }
  return loadings;
}

LinearParts ternary(std::string_view text, std::uint64_t seed) {
  const std::uint32_t n_levels = parse_whole(ternary_form, text, 2, most_levels);
  Index k = 1;
  for (std::uint32_t level = 2; level < n_levels; ++level) k *= 3;
  Sizes sizes(seed);
  LinearParts parts;
  parts.loadings = tree_loadings(k, 3, .5, 1, sizes);
  parts.names = numbered("x", 3 * k);
  parts.cause_names = numbered("h", k);
  for (Index above = k / 3; above > 0; above /= 3) {
    UpperLevel level;
    level.loadings = tree_loadings(above, 3, .5, .9, sizes);
    level.noise = (1 - level.loadings.rowwise().squaredNorm().array()).matrix();
    level.names = numbered(fmt::format("g{}_", parts.upper.size() + 1), above);
    parts.upper.push_back(std::move(level));
  }
  parts.noise = sizes.noise(parts.names.size());
  return parts;
}

LinearParts caterpillar(std::string_view text, std::uint64_t seed) {
  const auto values = parse_values(caterpillar_form, text, 2);
  const auto k =
      Index{parse_whole(fmt::format("{}: K", caterpillar_form), values[0], 1, most_linear_causes)};
  const auto leaves =
      Index{parse_whole(fmt::format("{}: LEAVES", caterpillar_form), values[1], 1, most_leaves)};
  require_loadings(caterpillar_form, k * leaves, k);
  Sizes sizes(seed);
  LinearParts parts;
  parts.loadings = tree_loadings(k, leaves, .5, 1, sizes);
  parts.coupling = MatrixXd::Zero(k, k);
  for (Index i = 1; i < k; ++i) parts.coupling(i, i - 1) = sizes.either_sign(.4, .8);
  parts.names = numbered("x", k * leaves);
  parts.cause_names = numbered("h", k);
  parts.noise = sizes.noise(parts.names.size());
  return parts;
}

}  // namespace

bool is_linear_spec(std::string_view spec) {
  return spec == "linear" || spec.starts_with(linear_prefix);
}

std::optional<LinearNetwork> generate_linear(const std::string& spec, std::uint64_t seed,
                                             const LinearParameters& parameters) {
  if (!is_linear_spec(spec)) return std::nullopt;
  const std::string_view rest =
      std::string_view(spec).substr(std::min(spec.size(), linear_prefix.size()));
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) refuse_linear_spec(spec);
  const std::string_view family = rest.substr(0, colon);
  const std::string_view text = rest.substr(colon + 1);
  if (family != "bipartite" && parameters.correlation != 0) {
    throw UsageError(fmt::format(
        "{}: a correlation of causes is for {}; the causes of this one depend on each other as its "
        "graph says",
        spec, bipartite_form));
  }
  LinearParts parts;
  if (family == "bipartite") {
    parts = bipartite(text, seed, parameters);
  } else if (family == "ternary") {
    parts = ternary(text, seed);
  } else if (family == "caterpillar") {
    parts = caterpillar(text, seed);
  } else {
    refuse_linear_spec(spec);
  }
  parts.law = parameters.law;
  return LinearNetwork(std::move(parts));
}

std::string linear_generator_help() {
  return fmt::format(
      "{}, {}, {} (linear networks: a random bipartite graph, a full ternary tree whose last level "
      "is observed, a path of causes with leaves)",
      bipartite_form, ternary_form, caterpillar_form);
}

std::optional<CauseLaw> cause_law_of(std::string_view text) {
  for (const auto& [name, law] : laws) {
    if (name == text) return law;
  }
  return std::nullopt;
}

CauseLaw parse_cause_law(const std::string& option, const std::string& text) {
  if (const auto law = cause_law_of(text)) return *law;
  throw UsageError(fmt::format("{} {}: gaussian, skewed or heavy-tailed is needed", option, text));
}

std::string cause_law_name(CauseLaw law) {
  return std::string(
      std::ranges::find(laws, law, &std::pair<std::string_view, CauseLaw>::second)->first);
}

}  // namespace orrery::model
