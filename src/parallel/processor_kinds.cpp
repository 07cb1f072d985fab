// Whether all ranks run on processors of one kind, on which the same bytes are promised.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "parallel/team.hpp"

namespace orrery::parallel {
namespace {

/// Of the last digits of functions whose code the C library chooses by the processor.
std::uint64_t digits_of_functions() {
  std::uint64_t digits = 0;
  for (int i = 1; i <= 4096; ++i) {
    const double x = i * 0.0137;
    for (const double value : {std::exp(-x), std::log(x), std::log1p(x), std::pow(x, 0.37)}) {
      digits = std::rotl(digits, 7) ^ std::bit_cast<std::uint64_t>(value);
    }
  }
  return digits;
}

/// Vendor, family and model; 0 where the system does not tell.
std::uint64_t model_of_processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string model;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    for (const char* key : {"vendor_id", "cpu family", "model\t"}) {
      if (line.starts_with(key)) model += line + '\n';
    }
  }
  return model.empty() ? 0 : std::hash<std::string>{}(model);
}

/// The first rank, by its place in `of_ranks`, that has another value than rank 0; 0: none has.
std::size_t first_other(const std::vector<std::uint64_t>& of_ranks, std::size_t n,
                        std::size_t which) {
  for (std::size_t rank = 1; rank < n; ++rank) {
    if (of_ranks[2 * rank + which] != of_ranks[which]) return rank;
  }
  return 0;
}

}  // namespace

void warn_of_mixed_processors(const Team& team) {
  if (team.size() == 1) return;
  const auto all =
      team.gather(std::vector<std::uint64_t>{digits_of_functions(), model_of_processor()});
  if (!team.is_root()) return;
  const auto n = static_cast<std::size_t>(team.size());
  const std::size_t other_digits = first_other(all, n, 0);
  const std::size_t other_model = first_other(all, n, 1);
  if (other_digits == 0 && other_model == 0) return;
  const std::size_t rank = other_digits > 0 ? other_digits : other_model;
  log::warning(
      "the processors of rank 0 on {} and rank {} on {} {}: the last digits of the result may be "
      "others than on hosts of one kind, which is where the same bytes are promised",
      team.hosts()[0], rank, team.hosts()[rank],
      other_digits > 0 ? "give exponentials or logarithms other last digits"
                       : "are of different models");
}

}  // namespace orrery::parallel
