#include "report/export_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.hpp"

namespace orrery::report {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string csv_number(const std::vector<double>& values, std::size_t index) {
  return index < values.size() ? csv_number(values[index]) : "";
}

std::string dot_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : clean_text(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string BifIdentifiers::make(const std::string& name) {
  std::string base;
  for (const char c : name) base += is_word(c) ? c : '_';
  if (base.empty() || (base[0] >= '0' && base[0] <= '9')) base.insert(0, 1, '_');
  std::string result = base;
  std::size_t& copies = copies_[base];
  while (!used_.insert(result).second) {
    copies = std::max<std::size_t>(copies, 1) + 1;
    result = fmt::format("{}_{}", base, copies);
  }
  return result;
}

}  // namespace orrery::report
