// Purpose: the built-in sign trees.
// Source: the experiments of Nikolakakis, Kalogerias, Sarwate 2018 and of Bresler, Karzand 2018:
//         random recursive trees, chains and stars with uniform marginals.
// Cost: O(p).
#include "model/tree_generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::string_view tree_prefix = "tree:";
constexpr std::uint32_t most_variables = 1'000'000;

enum class Shape { recursive, chain, star };
constexpr std::pair<std::string_view, Shape> shapes[] = {
    {"recursive", Shape::recursive}, {"chain", Shape::chain}, {"star", Shape::star}};

[[noreturn]] void refuse_tree_spec(const std::string& spec) {
  throw UsageError(fmt::format(
      "{}: no such tree; write tree:recursive:P, tree:chain:P or tree:star:P, P variables", spec));
}

Shape shape_of(const std::string& spec, std::string_view name) {
  for (const auto& [known, shape] : shapes) {
    if (known == name) return shape;
  }
  refuse_tree_spec(spec);
}

std::uint32_t neighbour(Shape shape, std::uint32_t i, RowRandom& random) {
  if (shape == Shape::chain) return i - 1;
  if (shape == Shape::star) return 0;
  return static_cast<std::uint32_t>(random.below(i));
}

}  // namespace

void parse_correlations(std::string_view form, std::string_view text, TreeParameters& parameters) {
  const std::vector<SpecPart> parts = split_spec(text);
  const bool with_word = parts.size() == 3 && parts[2].key.empty() && parts[2].value == "signed";
  if ((parts.size() != 2 && !with_word) || !parts[0].key.empty() || !parts[1].key.empty()) {
    throw UsageError(fmt::format("{} needs LO,HI or LO,HI,signed, got \"{}\"", form, text));
  }
  // Ends of 1 or -1 would make two variables one.
  const auto end = [&](std::size_t i) {
    const bool negative = !with_word && parts[i].value.starts_with('-');
    const double size = parse_real(form, parts[i].value.substr(negative ? 1 : 0), 0, 1);
    if (size < 1) return negative ? -size : size;
    throw UsageError(fmt::format("{} {}: correlations must be inside (-1, 1)", form, text));
  };
  parameters.low = end(0);
  parameters.high = end(1);
  parameters.either_sign = with_word;
  if (parameters.low > parameters.high) {
    throw UsageError(fmt::format("{} {}: {} is above {}; write the lower one first", form, text,
                                 parameters.low, parameters.high));
  }
}

bool is_tree_spec(std::string_view spec) { return spec == "tree" || spec.starts_with(tree_prefix); }

std::optional<SignTree> generate_tree(const std::string& spec, std::uint64_t seed,
                                      const TreeParameters& parameters) {
  if (!is_tree_spec(spec)) return std::nullopt;
  const std::string_view rest =
      std::string_view(spec).substr(std::min(spec.size(), tree_prefix.size()));
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos) refuse_tree_spec(spec);
  const Shape shape = shape_of(spec, rest.substr(0, colon));
  const std::uint32_t p = parse_whole(fmt::format("{}{}:P", tree_prefix, rest.substr(0, colon)),
                                      rest.substr(colon + 1), 1, most_variables);
  RowRandom structure(seed, Stream::structure, 0);
  RowRandom drawn(seed, Stream::parameters, 0);
  std::vector<std::string> names;
  std::vector<TreeEdge> edges;
  for (std::uint32_t i = 0; i < p; ++i) {
    names.push_back(fmt::format("x{}", i));
    if (i == 0) continue;
    double moment = parameters.low + (parameters.high - parameters.low) * drawn.uniform();
    // Drawn whether it is used or not: the sizes do not depend on it.
    if (drawn.bernoulli(.5) && parameters.either_sign) moment = -moment;
    edges.push_back({neighbour(shape, i, structure), i, moment});
  }
  return SignTree(std::move(names), {}, std::move(edges), parameters.crossover);
}

std::string tree_generator_help() {
  return "tree:recursive:P, tree:chain:P, tree:star:P (signs on a tree of P variables: a random "
         "recursive one, a chain, a star)";
}

}  // namespace orrery::model
