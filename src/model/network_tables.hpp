// A network out of tables: the edges of a medical knowledge base, and what is known of its
// parameters. What is not known must be chosen by who imports it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "orrery/data/import.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// What the third column of the edges means for P(a present cause switches the variable on).
enum class Strength {
  probability,      ///< it is this probability, in (0, 1]
  frequency_class,  ///< 1 to 5 of INTERNIST and QMR: 0.025, 0.2, 0.5, 0.8, 0.985
  rank              ///< any number above 0: its rank among all edges has the classes' shares,
                    ///< 20, 42, 22, 12, 4 %, the least first; equal numbers have one class
};
/// "probability", "class" or "rank". UsageError for another.
Strength parse_strength(const std::string& text);

/// Where priors, or leaks, come from: one value, a table (name, probability), or, if there is
/// neither, draws from the distributions of the generator qmr.
struct ParameterSource {
  std::optional<double> value;
  std::filesystem::path table;
};

struct NetworkTables {
  std::filesystem::path edges;  ///< cause, variable, strength
  Strength strength = Strength::probability;
  double min_strength = 0;  ///< edges with less in the third column are left out
  /// Of the edges and the tables; automatic: a first line that ends in no number.
  data::Header header = data::Header::automatic;
  ParameterSource priors;
  ParameterSource leaks;
  std::uint64_t seed = 1;  ///< of what is drawn
};

struct ImportedNetwork {
  NoisyOrNetwork network;          ///< causes and variables by their first edge
  std::size_t edges_left_out = 0;  ///< with causes and variables that have no other
  std::size_t causes_left_out = 0;
  std::size_t observed_left_out = 0;
};

/// Reads CSV or TSV (.gz too). Throws InputError naming file, line, value and remedy: an edge or a
/// name twice, an unknown class, a strength or probability out of range (a prior of 0 or 1, a leak
/// of 1), a cause or variable with an edge that is missing in its table, or in a table without an
/// edge.
ImportedNetwork read_network_tables(const NetworkTables& tables);

}  // namespace orrery::model
