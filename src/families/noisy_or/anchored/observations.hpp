// What the learner sees: the anchors that a user names, and the rows of the observed columns and of
// labels, or a network's exact moments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "families/noisy_or/anchored/options.hpp"
#include "learning/learner.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

// The anchors: a table cause,column[,off,on], with or without that header.

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

// The rows.

/// Labels, a column per cause; values are 0 where there is no label.
struct Labels {
  std::string file;
  data::BitPanels values;
  data::BitPanels known;
};

struct Observations {
  std::string source;              ///< a file's name for messages, or "--moments"
  std::vector<std::string> names;  ///< of the observed variables, unions among them
  std::vector<std::string> causes;
  std::vector<model::Anchor> anchors;  ///< by cause, then in the order of the file
  /// P(A = 1 | Y = 0), P(A = 1 | Y = 1) of each anchor, if given.
  std::vector<std::optional<std::array<double, 2>>> given;
  std::uint64_t n_samples = 0;  ///< 0: exact
  std::uint64_t digest = 0;
  /// All rows, one copy per host; empty if exact.
  data::BitPanels values;
  std::optional<Labels> labels;
  const model::NoisyOrNetwork* exact = nullptr;

  [[nodiscard]] std::size_t n_causes() const noexcept { return causes.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return names.size(); }
  /// Numbers of a cause's anchors.
  [[nodiscard]] std::vector<std::size_t> anchors_of(std::size_t cause) const;
};

/// Reads everything. Throws InputError naming file, line or column: an anchor's column that the
/// data lack, missing values, too few rows, labels that lack a cause or have another number of
/// rows; and UsageError if the rows do not fit in the memory that is allowed. Collective.
Observations observe(const learning::DataContext& context, const Options& options);

/// Every row's bit of every column.
[[nodiscard]] data::BitPanels every_row_on(std::size_t n_columns, std::size_t n_rows);

/// Rows are held whole; at least this many bytes.
[[nodiscard]] double bits_needed(std::uint64_t n_samples, std::size_t n_columns);

}  // namespace orrery::anchored
