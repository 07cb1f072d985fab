#include "learners/quartet/options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "orrery/base/error.hpp"

namespace orrery::quartet {
namespace {

namespace po = boost::program_options;

// The paper's Sec. 4; ours recover more of the benchmark networks (README, "Choosing thresholds").
constexpr double paper_tau_q = 0.01;
constexpr double paper_tau_e = 0.1;
// With exact moments all that is left is rounding.
constexpr double exact_tau_q = 1e-9;
constexpr double exact_tau_q2 = 1e-8;
constexpr double exact_tau_e = 1e-7;

double threshold(const po::variables_map& values, const std::string& name, double fallback) {
  if (values.count(name) == 0) return fallback;
  const auto value = values[name].as<double>();
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format("--{} {}: a positive number is needed", name, value));
  }
  return value;
}

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()(
      "test", po::value<std::string>()->default_value("rank"),
      "quartet test: rank (third singular values) or coherence (agreement of triplets)")(
      "tau-q", po::value<double>(),
      "quartet threshold: largest third singular value (rank) or variance of the parameter "
      "estimates (coherence) (default 0.005; exact moments 1e-9)")(
      "tau-q2", po::value<double>(),
      "coherence test: largest L1 error of the rebuilt moments (default 0.05; exact moments 1e-8)")(
      "tau-e", po::value<double>(),
      "pretest and extend: least PMI - CPMI that shows a shared parent (default 0.03; exact "
      "moments 1e-7)")("max-depth", po::value<int>()->default_value(10),
                       "last round of subtracting off")(
      "max-candidates", po::value<std::uint64_t>()->default_value(1'000'000),
      "accepted quartets kept in a round, lowest statistic first (bounds memory)")(
      "paper", po::bool_switch(),
      "the paper's constants: --tau-q 0.01 --tau-e 0.1 (a threshold given beside it wins)");
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  Options options;
  const auto test = values["test"].as<std::string>();
  if (test == "coherence") {
    options.test = Test::coherence;
  } else if (test != "rank") {
    throw UsageError(fmt::format("--test {}: must be rank or coherence", test));
  }
  if (exact_moments) {
    options.tau_q = exact_tau_q;
    options.tau_q2 = exact_tau_q2;
    options.tau_e = exact_tau_e;
  }
  if (values["paper"].as<bool>()) {
    options.tau_q = paper_tau_q;
    options.tau_e = paper_tau_e;
  }
  options.tau_q = threshold(values, "tau-q", options.tau_q);
  options.tau_q2 = threshold(values, "tau-q2", options.tau_q2);
  options.tau_e = threshold(values, "tau-e", options.tau_e);
  options.max_depth = values["max-depth"].as<int>();
  if (options.max_depth < 0) {
    throw UsageError(fmt::format("--max-depth {}: 0 or more", options.max_depth));
  }
  options.max_candidates = values["max-candidates"].as<std::uint64_t>();
  if (options.max_candidates == 0) throw UsageError("--max-candidates 0: 1 or more");
  return options;
}

}  // namespace orrery::quartet
