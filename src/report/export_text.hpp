// Names and numbers as the formats of other tools want them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "data/row_writers.hpp"

namespace orrery::report {

using data::csv_field;
/// A number, or nothing where it is not known.
std::string csv_number(double value);
std::string csv_number(const std::vector<double>& values, std::size_t index);
/// A double-quoted Graphviz string. Backslashes are doubled: labels read them as escapes.
std::string dot_string(const std::string& text);

/// Names as BIF identifiers: letters, digits and underscores, not starting with a digit, no word of
/// the format, each given out once (a taken one gets the suffix _2, _3, ...).
class BifIdentifiers {
 public:
  std::string make(const std::string& name);

 private:
  std::unordered_set<std::string> used_{"network",  "variable", "probability", "property", "type",
                                        "discrete", "default",  "table",       "off",      "on"};
  std::map<std::string, std::size_t> copies_;  // the last suffix tried, so that n copies cost O(n)
};

}  // namespace orrery::report
