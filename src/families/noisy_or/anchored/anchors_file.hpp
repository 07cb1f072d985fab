// The anchors that a user names: a table cause,column[,off,on], with or without that header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace orrery::anchored {

/// A row of the table.
struct NamedAnchor {
  std::string cause;
  std::vector<std::string> columns;  ///< the anchor is their union
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1).
  std::optional<std::pair<double, double>> rates;
  std::uint64_t line = 0;
};

struct NamedAnchors {
  std::string file;
  std::vector<std::string> causes;  ///< in the order of their first anchors
  std::vector<NamedAnchor> anchors;
  /// Index in `causes` of each anchor.
  std::vector<std::uint32_t> cause_of;

  [[nodiscard]] std::string place(const NamedAnchor& anchor) const;
};

/// Columns may be in quotes; `a;b` is a union; off and on may be empty. Throws InputError naming
/// file and line: a header or a width that is not the table's, an empty name, a column of two
/// anchors (or twice in one), rates that are no probabilities, that are equal, or of which the
/// first is larger. At most 10,000 causes.
NamedAnchors read_anchors(const std::filesystem::path& path);

}  // namespace orrery::anchored
