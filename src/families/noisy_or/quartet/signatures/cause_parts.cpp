#include "families/noisy_or/quartet/signatures/cause_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/row_mixture.hpp"

namespace orrery::quartet {
namespace {

/// A cause that is a part of another, if two explain its rows so much better.
std::optional<Part> part_of(const Attribution& rows, std::uint32_t cause, std::size_t m,
                            double cause_cost) {
  auto two = separate(rows, m);
  if (!two) return std::nullopt;
  const auto is_child = [](double failure) { return failure < 1; };
  const auto n_children = std::ranges::count_if(two->second, is_child);
  if (n_children < 4 || std::ranges::count_if(two->first, is_child) < 4) return std::nullopt;
  if (two->gain < cause_cost + constants::signatures::edge_cost * static_cast<double>(n_children))
    return std::nullopt;
  Part part{{}, cause, std::move(two->first)};
  part.cause.prior = two->share;
  part.cause.failures = std::move(two->second);
  std::vector<std::uint32_t> strongest;
  for (std::uint32_t a = 0; a < m; ++a) {
    if (part.cause.failures[a] < 1) strongest.push_back(a);
  }
  // What most sets it apart.
  std::ranges::sort(strongest, [&](std::uint32_t a, std::uint32_t b) {
    const double of_a = part.cause.failures[a] - part.rest[a];
    const double of_b = part.cause.failures[b] - part.rest[b];
    return of_a < of_b || (of_a == of_b && a < b);
  });
  std::copy_n(strongest.begin(), 4, part.cause.quartet.begin());
  std::ranges::sort(part.cause.quartet);
  return part;
}

}  // namespace

std::vector<Part> find_parts(const learning::LearnContext& context,
                             const std::vector<Attribution>& attributed, std::size_t n,
                             double cause_cost) {
  const std::size_t m = context.names.size();
  std::vector<Part> parts;
  if (context.team.is_root()) {
    std::vector<std::vector<Part>> behind(n + 1);
#pragma omp parallel for schedule(dynamic) num_threads(context.threads)
    for (std::uint32_t u = 0; u <= n; ++u) {
      if (u == 0) {  // the leaks first: they take longest
        for (Elected& cause : causes_within(attributed[n], m, 1)) {
          behind[n].push_back({std::move(cause), static_cast<std::uint32_t>(n), {}});
        }
      } else if (auto part = part_of(attributed[u - 1], u - 1, m, cause_cost)) {
        behind[u - 1].push_back(std::move(*part));
      }
    }
    for (auto& some : behind) parts.insert(parts.end(), some.begin(), some.end());
  }
  std::vector<double> numbers;
  for (const Part& one : parts) {
    numbers.insert(numbers.end(), {static_cast<double>(one.behind), one.cause.prior,
                                   static_cast<double>(one.cause.support)});
    numbers.insert(numbers.end(), one.cause.quartet.begin(), one.cause.quartet.end());
    numbers.insert(numbers.end(), one.cause.failures.begin(), one.cause.failures.end());
    numbers.insert(numbers.end(), one.rest.begin(), one.rest.end());
  }
  context.team.broadcast(numbers);
  parts.clear();
  for (auto next = numbers.begin(); next != numbers.end();) {
    Part one;
    one.behind = static_cast<std::uint32_t>(*next++);
    one.cause.prior = *next++;
    one.cause.support = static_cast<std::uint64_t>(*next++);
    for (std::uint32_t& member : one.cause.quartet) member = static_cast<std::uint32_t>(*next++);
    one.cause.failures.assign(next, next + static_cast<std::ptrdiff_t>(m));
    one.cause.failure_errors.assign(m, 0);
    next += static_cast<std::ptrdiff_t>(m);
    if (one.behind < n) {
      one.rest.assign(next, next + static_cast<std::ptrdiff_t>(m));
      next += static_cast<std::ptrdiff_t>(m);
    }
    parts.push_back(std::move(one));
  }
  return parts;
}

namespace {

double cosine(const std::vector<double>& failures, const std::vector<double>& others) {
  double both = 0;
  double here = 0;
  double there = 0;
  for (std::size_t a = 0; a < failures.size(); ++a) {
    both += (1 - failures[a]) * (1 - others[a]);
    here += (1 - failures[a]) * (1 - failures[a]);
    there += (1 - others[a]) * (1 - others[a]);
  }
  return both > 0 ? both / std::sqrt(here * there) : 0;
}

}  // namespace

model::NoisyOrNetwork with_parts(const model::NoisyOrNetwork& network, std::vector<Part> parts,
                                 State& state) {
  const std::size_t m = network.n_observed();
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  std::vector<model::Cause> causes = network.causes();
  std::vector<std::vector<double>> failures;
  for (std::size_t u = 0; u < n; ++u) failures.push_back(network.dense_failures(u));
  for (Part& one : parts) {
    const std::vector<double>& own = one.cause.failures;
    const double prior = one.cause.prior * (one.behind < n ? causes[one.behind].prior : 1);
    bool known = false;
    for (std::uint32_t u = 0; u < failures.size(); ++u) {
      known = known || cosine(own, u < n && u == one.behind ? one.rest : failures[u]) >
                           constants::signatures::same_as_part;
    }
    log::verbose("hidden behind {}: prior {:.5f}, {} children{}",
                 one.behind < n ? fmt::format("{}", one.behind) : "the leaks", prior,
                 std::ranges::count_if(own, [](double f) { return f < 1; }),
                 known ? ", known" : "");
    if (known) continue;
    if (one.behind < n) {
      failures[one.behind] = std::move(one.rest);
      causes[one.behind].prior -= prior;
    }
    one.cause.prior = prior;
    state.add(one.cause);
    causes.push_back({"*", prior});  // any, as signature_network.hpp names them
    failures.push_back(own);
  }
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < causes.size(); ++u) {
    for (std::uint32_t a = 0; a < m; ++a) {
      if (failures[u][a] < 1) edges.push_back({u, a, std::clamp(failures[u][a], .01, .98)});
    }
  }
  return {std::move(causes), network.observed(), std::move(edges)};
}

}  // namespace orrery::quartet
