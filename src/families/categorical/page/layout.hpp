// Which variables the maps of a categorical network's structure and data show, and where: column
// under column.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "families/categorical/page/view.hpp"
#include "report/svg.hpp"

namespace orrery::categorical {

/// Of all maps; of more variables so many are shown.
inline constexpr std::size_t most_map_columns = 400;

/// What all maps of the section share.
struct CategoricalLayout {
  std::vector<std::size_t> variables;      // from the left
  std::vector<std::size_t> column_groups;  // places in `variables`
  report::HeatMapScale scale;
};

/// `row_labels`: of all maps.
CategoricalLayout categorical_layout(const CategoricalView& view,
                                     const std::vector<std::string>& row_labels);

/// `shown` of n places, evenly.
std::vector<std::size_t> thinned(std::size_t n, std::size_t shown);
/// The places in `kept` where a group begins, given where groups begin before thinning.
std::vector<std::size_t> groups_among(const std::vector<std::size_t>& kept,
                                      const std::vector<std::size_t>& groups);

/// The data with a caption, HTML: rows by the most probable states of the causes.
std::string categorical_data(const CategoricalView& view, const CategoricalLayout& layout);

}  // namespace orrery::categorical
