#include "family/draws.hpp"

#include <boost/program_options/options_description.hpp>

#include "cli/arguments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {

std::uint64_t rows_to_draw(const cli::Arguments& arguments, double bytes_a_row) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  if (!arguments.has("samples")) {
    throw UsageError("--samples N is missing; say how many rows to draw");
  }
  const auto n_samples = arguments.get<std::uint64_t>("samples");
  if (n_samples == 0) throw UsageError("--samples 0: must be 1 or more");
  if (n_samples > most) {
    throw UsageError(
        fmt::format("--samples {}: at most {} (2^40) are drawn; this many rows would take {} of "
                    "disk",
                    n_samples, most, format_bytes(static_cast<double>(n_samples) * bytes_a_row)));
  }
  return n_samples;
}

void require_room(std::uint64_t n_samples, double bytes) {
  constexpr double most_bytes = 0x1p35;
  if (bytes <= most_bytes) return;
  throw UsageError(fmt::format(
      "--samples {}: a table of categories is held in memory, which would take {}; at most {}",
      n_samples, format_bytes(bytes), format_bytes(most_bytes)));
}

void add_flip_option(boost::program_options::options_description& options) {
  options.add_options()(
      "flip", boost::program_options::value<std::string>()->value_name("SHARE:STEP"),
      "contamination of bits: in this share of the rows every STEPth variable (0, STEP, ...) is "
      "the opposite of what the network says; the stored network stays the clean truth");
}

std::optional<model::Contamination> flip_option(const cli::Arguments& arguments,
                                                std::size_t n_observed) {
  if (!arguments.has("flip")) return std::nullopt;
  return model::parse_contamination("--flip", arguments.text("flip"), n_observed);
}

}  // namespace orrery::family
