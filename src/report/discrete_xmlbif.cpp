// A network of tables as XMLBIF 0.3, which pgmpy, pyAgrum, SamIam and Weka read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "report/discrete_tables.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

void add_variable(const std::string& name, const std::vector<std::string>& states,
                  std::string& out) {
  append_text(out, "<VARIABLE TYPE=\"nature\">\n  <NAME>{}</NAME>\n", escape(name));
  for (const std::string& state : states) {
    append_text(out, "  <OUTCOME>{}</OUTCOME>\n", escape(state));
  }
  out += "</VARIABLE>\n";
}

/// The states of the variable itself change fastest, then those of the last parent: a row per line.
void add_definition(const DiscreteNetwork& network, std::size_t v, const WrittenNames& names,
                    std::string& out) {
  const DiscreteVariable& variable = network[v];
  append_text(out, "<DEFINITION>\n  <FOR>{}</FOR>\n", escape(names.variables[v]));
  for (const std::uint32_t parent : variable.parents) {
    append_text(out, "  <GIVEN>{}</GIVEN>\n", escape(names.variables[parent]));
  }
  out += "  <TABLE>\n";
  for_each_row(network, variable,
               [&](std::span<const std::uint32_t> /*states*/, std::span<const double> given) {
                 append_text(out, "    {}\n", fmt::join(given, " "));
               });
  out += "  </TABLE>\n</DEFINITION>\n";
}

/// What a document of the format holds, as its specification has it.
constexpr const char* grammar =
    "<!DOCTYPE BIF [\n"
    "  <!ELEMENT BIF (NETWORK)*>\n"
    "  <!ATTLIST BIF VERSION CDATA #REQUIRED>\n"
    "  <!ELEMENT NETWORK (NAME, (PROPERTY | VARIABLE | DEFINITION)*)>\n"
    "  <!ELEMENT NAME (#PCDATA)>\n"
    "  <!ELEMENT VARIABLE (NAME, (OUTCOME | PROPERTY)*)>\n"
    "  <!ATTLIST VARIABLE TYPE (nature | decision | utility) \"nature\">\n"
    "  <!ELEMENT OUTCOME (#PCDATA)>\n"
    "  <!ELEMENT DEFINITION (FOR | GIVEN | TABLE | PROPERTY)*>\n"
    "  <!ELEMENT FOR (#PCDATA)>\n"
    "  <!ELEMENT GIVEN (#PCDATA)>\n"
    "  <!ELEMENT TABLE (#PCDATA)>\n"
    "  <!ELEMENT PROPERTY (#PCDATA)>\n"
    "]>\n";

}  // namespace

std::string to_xmlbif(const DiscreteNetwork& network) {
  require_small_tables(network, "xmlbif");
  const WrittenNames names = clean_names_of(network);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}<BIF VERSION=\"0.3\">\n<NETWORK>\n"
      "<NAME>orrery</NAME>\n",
      grammar);
  for (std::size_t v = 0; v < network.size(); ++v) {
    add_variable(names.variables[v], names.states[v], out);
  }
  for (std::size_t v = 0; v < network.size(); ++v) add_definition(network, v, names, out);
  return out + "</NETWORK>\n</BIF>\n";
}

}  // namespace orrery::report
