// Purpose: the built-in linear networks.
// Source: the families of Anandkumar, Hsu, Javanmard, Kakade 2013, Sec. 2.3 (random bipartite
//         graphs, full d-regular trees, caterpillar trees), and polytrees of effective depth one.
// Cost: O(n k) time and memory: loadings are dense.
// Order of draws: edges from Stream::structure; from Stream::parameters sizes of loadings with
// their signs, of what lies above, and last the noise of the observed variables. Sizes are drawn
// for absent edges too: they do not depend on which there are.
#include "families/linear/network/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
constexpr std::string_view tree_form = "linear:tree:D,LEVELS";
constexpr std::string_view polytree_form = "linear:polytree:K,LEAVES";
constexpr std::string_view caterpillar_form = "linear:caterpillar:K,LEAVES";
constexpr std::uint32_t most_linear_observed = 100'000;
constexpr std::uint32_t most_linear_causes = 1'000;
constexpr std::uint32_t most_leaves = 100;
constexpr std::uint32_t most_levels = 8;  // 729 causes, 2,187 observed variables
constexpr std::uint32_t most_children = 100;

constexpr std::pair<std::string_view, CauseLaw> laws[] = {{"gaussian", CauseLaw::gaussian},
                                                          {"skewed", CauseLaw::skewed},
                                                          {"heavy-tailed", CauseLaw::heavy_tailed}};

[[noreturn]] void refuse_linear_spec(const std::string& spec) {
  throw UsageError(fmt::format("{}: no such linear network; write {}, {}, {}, {} or {}", spec,
                               bipartite_form, ternary_form, tree_form, caterpillar_form,
                               polytree_form));
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

/// A full tree in which each variable above the last level has `d` children.
LinearParts full_tree(Index d, std::uint32_t n_levels, std::uint64_t seed) {
  Index k = 1;
  for (std::uint32_t level = 2; level < n_levels; ++level) k *= d;
  Sizes sizes(seed);
  LinearParts parts;
  parts.loadings = tree_loadings(k, d, .5, 1, sizes);
  parts.names = numbered("x", d * k);
  parts.cause_names = numbered("h", k);
  for (Index above = k / d; above > 0; above /= d) {
    UpperLevel level;
    level.loadings = tree_loadings(above, d, .5, .9, sizes);
    level.noise = (1 - level.loadings.rowwise().squaredNorm().array()).matrix();
    level.names = numbered(fmt::format("g{}_", parts.upper.size() + 1), above);
    parts.upper.push_back(std::move(level));
  }
  parts.noise = sizes.noise(parts.names.size());
  return parts;
}

LinearParts ternary(std::string_view text, std::uint64_t seed) {
  return full_tree(3, parse_whole(ternary_form, text, 2, most_levels), seed);
}

LinearParts tree(std::string_view text, std::uint64_t seed) {
  const auto values = parse_values(tree_form, text, 2);
  const std::uint32_t d = parse_whole(fmt::format("{}: D", tree_form), values[0], 2, most_children);
  const std::uint32_t n_levels =
      parse_whole(fmt::format("{}: LEVELS", tree_form), values[1], 2, most_levels);
  std::uint64_t k = 1;
  for (std::uint32_t level = 2; level < n_levels; ++level) k *= d;  // less than 2^40
  if (k > most_linear_causes) {
    throw UsageError(fmt::format("{}: {} causes above the last level of {}; at most {}", tree_form,
                                 k, text, most_linear_causes));
  }
  return full_tree(Index{d}, n_levels, seed);
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

/// What joins a cause of a polytree to an earlier one.
struct Link {
  enum class Kind : std::uint8_t { from_earlier, to_earlier, shared_child };
  Index earlier;
  Kind kind;
};
std::vector<Link> random_links(Index k, std::uint64_t seed) {
  RowRandom structure(seed, Stream::structure, 0);
  std::vector<Link> links;  // of cause 1, 2, ...
  for (Index i = 1; i < k; ++i) {
    const auto earlier = static_cast<Index>(structure.below(static_cast<std::uint64_t>(i)));
    links.push_back({earlier, static_cast<Link::Kind>(structure.below(3))});
  }
  return links;
}

/// The parents of a cause are independent, as no path but through it joins them: couplings that
/// are so much smaller leave it some variance of its own.
void share_among_parents(MatrixXd& coupling) {
  for (Index i = 0; i < coupling.rows(); ++i) {
    const auto n_parents = static_cast<double>((coupling.row(i).array() != 0).count());
    if (n_parents > 1) coupling.row(i) /= std::sqrt(n_parents);
  }
}

LinearParts polytree(std::string_view text, std::uint64_t seed) {
  const auto values = parse_values(polytree_form, text, 2);
  const auto k =
      Index{parse_whole(fmt::format("{}: K", polytree_form), values[0], 1, most_linear_causes)};
  const auto leaves =
      Index{parse_whole(fmt::format("{}: LEAVES", polytree_form), values[1], 1, most_leaves)};
  require_loadings(polytree_form, k * (leaves + 1), k);
  const std::vector<Link> links = random_links(k, seed);
  const Index n_shared = std::ranges::count(links, Link::Kind::shared_child, &Link::kind);
  Sizes sizes(seed);
  LinearParts parts;
  parts.loadings = MatrixXd::Zero(k * leaves + n_shared, k);
  parts.loadings.topRows(k * leaves) = tree_loadings(k, leaves, .5, 1, sizes);
  parts.coupling = MatrixXd::Zero(k, k);
  Index shared = k * leaves;
  for (Index i = 1; i < k; ++i) {
    const Link& link = links[static_cast<std::size_t>(i - 1)];
    if (link.kind == Link::Kind::shared_child) {
      parts.loadings(shared, link.earlier) = sizes.loading();
      parts.loadings(shared++, i) = sizes.loading();
    } else if (link.kind == Link::Kind::from_earlier) {
      parts.coupling(i, link.earlier) = sizes.either_sign(.4, .8);
    } else {
      parts.coupling(link.earlier, i) = sizes.either_sign(.4, .8);
    }
  }
  share_among_parents(parts.coupling);
  parts.names = numbered("x", parts.loadings.rows());
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
  } else if (family == "tree") {
    parts = tree(text, seed);
  } else if (family == "polytree") {
    parts = polytree(text, seed);
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
      "{}, {}, {}, {}, {} (linear networks: a random bipartite graph, a full ternary tree whose "
      "last "
      "level is observed, one of D children, a path of causes with leaves, a random polytree)",
      bipartite_form, ternary_form, tree_form, caterpillar_form, polytree_form);
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
