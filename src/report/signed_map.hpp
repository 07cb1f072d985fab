// A matrix of numbers of either sign as inline SVG. Fixed numbers in, fixed bytes out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/svg.hpp"

namespace orrery::report {

/// An entry's standing beside a true matrix: wrong ones have an outline, missed ones (which are 0)
/// a dashed one.
enum class Mark { none, wrong, missed };

struct SignedCell {
  std::size_t row = 0;
  std::size_t column = 0;
  double value = 0;     ///< as deep as |value| / SignedMap::full; blue for +, orange for -
  std::string tooltip;  ///< escaped here
  Mark mark = Mark::none;
};

struct SignedMap {
  std::string title;
  std::vector<std::string> row_labels;
  std::vector<std::string> column_labels;  ///< written upwards
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<SignedCell> cells;
  std::vector<std::size_t> groups;         ///< rows above which a line is drawn
  std::vector<std::size_t> column_groups;  ///< columns left of which a line is drawn
  double full = 1;
};
/// Values are written into cells that have room for them.
std::string signed_map(const SignedMap& map, const HeatMapScale& scale);

/// The colours from -full to +full, with these numbers at the ends.
std::string signed_legend(double full);

/// "0.82", "-0.07", "1.2": two digits.
std::string brief_number(double value);

}  // namespace orrery::report
