// What the generated source of a program defines: its families, and the parts it was built without.
#pragma once

#include <string_view>
#include <vector>

namespace orrery::family {

struct Family;

/// All families, in the order in which --help lists them. Its definition is generated: a program
/// says to CMake which families it has (orrery_families in cmake/OrreryRooms.cmake).
const std::vector<const Family*>& families();

/// A family or a learner that this program was built without. Also generated.
struct AbsentPart {
  std::string_view what;         ///< "learner anchored"
  std::string_view option;       ///< of CMake, which builds it: "ORRERY_ANCHORED"
  std::string_view learner;      ///< its word behind `orrery learn`
  std::string_view generator;    ///< what its networks begin with: "linear:"; empty: none
  std::string_view group;        ///< of HDF5 files; empty: none
  std::string_view json_format;  ///< empty: none
};
const std::vector<AbsentPart>& absent_parts();

}  // namespace orrery::family
