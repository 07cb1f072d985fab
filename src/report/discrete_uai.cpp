// A network of tables in the format of the UAI inference competitions, which toulbar2, merlin and
// libDAI-like programs read. It has numbers instead of names.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>

#include "base/text.hpp"
#include "report/discrete_tables.hpp"

namespace orrery::report {
namespace {

/// The shortest text without an exponent, which some readers do not know, that reads back as the
/// same double.
void add_number(double value, std::string& out) {
  std::array<char, 400> text{};  // 5e-324 has 326 characters
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  (void)error;  // a probability fits
  out.append(text.data(), end);
}

}  // namespace

std::string to_uai(const DiscreteNetwork& network) {
  require_small_tables(network, "uai");
  std::vector<std::size_t> cardinalities;
  for (const DiscreteVariable& variable : network) cardinalities.push_back(variable.states.size());
  std::string out = fmt::format("BAYES\n{}\n{}\n{}\n", network.size(),
                                fmt::join(cardinalities, " "), network.size());
  // The variable of a table is the last of its scope, and its state changes fastest.
  for (std::size_t v = 0; v < network.size(); ++v) {
    append_text(out, "{}", network[v].parents.size() + 1);
    for (const std::uint32_t parent : network[v].parents) append_text(out, " {}", parent);
    append_text(out, " {}\n", v);
  }
  for (const DiscreteVariable& variable : network) {
    append_text(out, "\n{}\n", rows_of_table(network, variable) * variable.states.size());
    for_each_row(network, variable,
                 [&](std::span<const std::uint32_t> /*states*/, std::span<const double> given) {
                   for (std::size_t s = 0; s < given.size(); ++s) {
                     if (s > 0) out += ' ';
                     add_number(given[s], out);
                   }
                   out += '\n';
                 });
  }
  return out;
}

}  // namespace orrery::report
