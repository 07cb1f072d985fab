// Purpose: checks that anchors are of the network they stand in (Halpern, Horng, Sontag 2015,
//          Definition 1). O(anchors + observed variables).
#include "model/anchors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::uint32_t no_anchor = ~std::uint32_t{0};

void require_anchor(const Anchor& anchor, std::size_t number, std::size_t n_causes,
                    std::size_t n_observed) {
  if (anchor.cause >= n_causes) {
    throw InputError(
        fmt::format("anchors[{}].cause = {}, but there are {} causes; indices start "
                    "at 0",
                    number, anchor.cause, n_causes));
  }
  if (anchor.observed >= n_observed) {
    throw InputError(
        fmt::format("anchors[{}].observed = {}, but there are {} observed variables; indices "
                    "start at 0",
                    number, anchor.observed, n_observed));
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

}  // namespace

void settle_anchors(std::vector<Anchor>& anchors, std::size_t n_causes, std::size_t n_observed) {
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    require_anchor(anchors[i], i, n_causes, n_observed);
  }
  require_one_cause_each(anchors, n_observed);
  require_one_union_each(anchors);
  std::ranges::sort(anchors, {},
                    [](const Anchor& anchor) { return std::tuple(anchor.cause, anchor.observed); });
}

}  // namespace orrery::model
