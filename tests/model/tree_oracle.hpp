// Slow, plain definitions that the tests of trees compare with: every labelled tree of a few
// variables, and sums over all states of the hidden and of the observed signs. Bit i of a state is
// variable i: 1 is the sign +1.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::model::tree_oracle {

using Ends = std::pair<std::uint32_t, std::uint32_t>;

inline int sign(std::size_t state, std::size_t i) { return ((state >> i) & 1U) != 0 ? 1 : -1; }

/// The labelled tree of p = code.size() + 2 variables with this Pruefer sequence: the leaf of the
/// lowest number is joined to the next entry of the code, and taken away.
inline std::vector<Ends> tree_of_code(const std::vector<std::uint32_t>& code) {
  const std::size_t p = code.size() + 2;
  std::vector<std::size_t> degree(p, 1);
  for (const std::uint32_t v : code) ++degree[v];
  std::vector<Ends> edges;
  for (const std::uint32_t v : code) {
    std::uint32_t leaf = 0;
    while (degree[leaf] != 1) ++leaf;
    edges.emplace_back(leaf, v);
    --degree[leaf];
    --degree[v];
  }
  std::vector<std::uint32_t> last;
  for (std::uint32_t v = 0; v < p; ++v) {
    if (degree[v] == 1) last.push_back(v);
  }
  edges.emplace_back(last[0], last[1]);
  return edges;
}

/// All p^(p - 2) trees; p of at least 1.
template <class Visit>
void for_each_tree(std::size_t p, const Visit& visit) {
  if (p <= 2) {
    visit(p == 2 ? std::vector<Ends>{{0, 1}} : std::vector<Ends>{});
    return;
  }
  std::vector<std::uint32_t> code(p - 2, 0);
  while (true) {
    visit(tree_of_code(code));
    std::size_t place = 0;
    while (place < code.size() && ++code[place] == p) code[place++] = 0;
    if (place == code.size()) return;
  }
}

/// Each tree whole and with some of its edges left out: all subsets up to p = 4, one at random
/// beyond.
template <class Visit>
void for_each_forest(std::size_t p, const Visit& visit) {
  std::mt19937_64 random(p);
  for_each_tree(p, [&](const std::vector<Ends>& edges) {
    const std::size_t all = std::size_t{1} << edges.size();
    const auto with = [&](std::size_t kept) {
      std::vector<Ends> some;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if (((kept >> e) & 1U) != 0) some.push_back(edges[e]);
      }
      visit(some);
    };
    with(all - 1);
    if (p > 4) {
      with(random() % all);
    } else {
      for (std::size_t kept = 0; kept + 1 < all; ++kept) with(kept);
    }
  });
}

/// Means of 0, or in (-.8, .8); moments of either sign anywhere between what the means allow.
inline SignTree with_parameters(std::size_t p, const std::vector<Ends>& ends, bool uniform,
                                double crossover, std::mt19937_64& random) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>(0, 1)(random);
  };
  std::vector<std::string> names;
  std::vector<double> means(p, 0);
  for (std::size_t i = 0; i < p; ++i) {
    names.push_back(fmt::format("x{}", i));
    if (!uniform) means[i] = between(-.8, .8);
  }
  std::vector<TreeEdge> edges;
  for (const auto& [a, b] : ends) {
    const double low = std::abs(means[a] + means[b]) - 1;
    const double high = 1 - std::abs(means[a] - means[b]);
    edges.push_back({a, b, between(low, high)});
  }
  return {names, means, edges, crossover};
}

/// P(x) of all 2^p states by Eq. (4): the pairs of the edges over the variables, a variable as
/// often as it has edges, but once.
inline std::vector<double> hidden_distribution(const SignTree& tree) {
  const std::size_t p = tree.n_variables();
  std::vector<int> degree(p, 0);
  for (const TreeEdge& edge : tree.edges()) {
    ++degree[edge.a];
    ++degree[edge.b];
  }
  std::vector<double> probability(std::size_t{1} << p);
  for (std::size_t x = 0; x < probability.size(); ++x) {
    double product = 1;
    for (const TreeEdge& edge : tree.edges()) {
      const int a = sign(x, edge.a);
      const int b = sign(x, edge.b);
      product *=
          (1 + a * tree.means()[edge.a] + b * tree.means()[edge.b] + a * b * edge.moment) / 4;
    }
    for (std::size_t i = 0; i < p; ++i) {
      product /= std::pow((1 + sign(x, i) * tree.means()[i]) / 2, degree[i] - 1);
    }
    probability[x] = product;
  }
  return probability;
}

/// P(Y = y | X = x).
inline double channel(std::size_t y, std::size_t x, std::size_t p, double crossover) {
  double product = 1;
  for (std::size_t i = 0; i < p; ++i) {
    product *= sign(y, i) == sign(x, i) ? 1 - crossover : crossover;
  }
  return product;
}

/// P(y) of all 2^p states.
inline std::vector<double> noisy_distribution(const SignTree& tree) {
  const std::vector<double> hidden = hidden_distribution(tree);
  std::vector<double> noisy(hidden.size(), 0);
  for (std::size_t y = 0; y < noisy.size(); ++y) {
    for (std::size_t x = 0; x < hidden.size(); ++x) {
      noisy[y] += hidden[x] * channel(y, x, tree.n_variables(), tree.crossover());
    }
  }
  return noisy;
}

/// E[prod of the variables of `set`, a bit each].
inline double product_moment(const std::vector<double>& distribution, std::size_t set) {
  double sum = 0;
  for (std::size_t x = 0; x < distribution.size(); ++x) {
    sum += (__builtin_popcountll(set & ~x) % 2 == 0 ? 1 : -1) * distribution[x];
  }
  return sum;
}

}  // namespace orrery::model::tree_oracle
