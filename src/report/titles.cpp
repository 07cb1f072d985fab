#include "report/titles.hpp"

#include <algorithm>
#include <array>

#include "report/text.hpp"

namespace orrery::report {
namespace {

constexpr double least_strength = .05;
constexpr std::size_t longest_child = 24;  // characters
constexpr std::string_view digits = "0123456789";

/// "12", "2_1": nothing but numbers with single underscores between them.
bool is_numbering(std::string_view text) {
  return !text.empty() && digits.find(text.front()) != std::string_view::npos &&
         digits.find(text.back()) != std::string_view::npos &&
         text.find_first_not_of("0123456789_") == std::string_view::npos &&
         text.find("__") == std::string_view::npos;
}

/// What stands before the number: "cause", "cause ", "h". Empty: the name is none of these.
std::string_view stem_of(std::string_view name) {
  constexpr std::array<std::string_view, 3> stems{"cause ", "cause", "h"};
  for (const std::string_view stem : stems) {
    if (name.starts_with(stem) && is_numbering(name.substr(stem.size()))) return stem;
  }
  return {};
}

}  // namespace

bool is_automatic_name(std::string_view name) { return !stem_of(name).empty(); }

std::string title_of_cause(std::string_view name, std::span<const std::string> children) {
  const std::string_view stem = stem_of(name);
  if (stem.empty()) return std::string(name);
  std::string title =
      stem == "cause" ? "cause " + std::string(name.substr(stem.size())) : std::string(name);
  for (std::size_t c = 0; c < std::min(children.size(), most_titling_children); ++c) {
    title += (c == 0 ? ": " : ", ") + shorten(children[c], longest_child);
  }
  return title;
}

std::string title_of_cause(const model::NoisyOrNetwork& network, std::size_t cause) {
  const auto children = network.children(cause);
  std::vector<model::Edge> strongest(children.begin(), children.end());
  std::erase_if(strongest,
                [](const model::Edge& edge) { return 1 - edge.failure <= least_strength; });
  std::ranges::stable_sort(strongest, {}, &model::Edge::failure);
  std::vector<std::string> names;
  for (const model::Edge& edge : strongest) {
    if (names.size() == most_titling_children) break;
    names.push_back(network.observed()[edge.observed].name);
  }
  return title_of_cause(network.causes()[cause].name, names);
}

std::vector<std::string> titles_of_causes(const model::NoisyOrNetwork& network) {
  std::vector<std::string> titles;
  for (std::size_t k = 0; k < network.n_causes(); ++k) titles.push_back(title_of_cause(network, k));
  return titles;
}

}  // namespace orrery::report
