#include "families/noisy_or/quartet/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cmath>
#include <iterator>
#include <string>

#include "families/noisy_or/quartet/constants.hpp"
#include "orrery/base/error.hpp"

namespace orrery::quartet {
namespace {

namespace po = boost::program_options;

// The paper's Sec. 4; ours recover more of the benchmark networks (README.md here).
constexpr double paper_tau_q = 0.01;
constexpr double paper_tau_e = 0.1;
// With exact moments all that is left is rounding.
constexpr double exact_tau_q = 1e-9;
constexpr double exact_tau_q2 = 1e-8;
constexpr double exact_tau_e = 1e-7;

constexpr Search all_searches[] = {Search::automatic, Search::exhaustive, Search::signatures};

constexpr Test all_tests[] = {Test::calibrated, Test::rank, Test::coherence};

constexpr Extend all_extends[] = {Extend::median, Extend::first_pair};

double threshold(const po::variables_map& values, const std::string& name, double fallback) {
  return values.count(name) == 0 ? fallback : values[name].as<double>();
}

void require_positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw UsageError(fmt::format("--{} {}: a positive number is needed", name, value));
}

void require_resamples(std::int64_t resamples) {
  constexpr std::int64_t most_resamples = 100'000;
  if (resamples >= 0 && resamples <= most_resamples) return;
  throw UsageError(fmt::format("--stability {}: 0 to {} resamples", resamples, most_resamples));
}

/// The test that is asked for, and that nothing was given that it does not know.
Test read_test(const po::variables_map& values, bool exact_moments) {
  const bool paper = values["paper"].as<bool>();
  const Test fallback = paper || exact_moments ? Test::rank : Test::calibrated;
  Test test = fallback;
  if (values.count("test") > 0) {
    const auto name = values["test"].as<std::string>();
    const auto* found =
        std::ranges::find(all_tests, name, [](Test t) { return std::string(to_string(t)); });
    if (found == std::end(all_tests)) {
      throw UsageError(fmt::format("--test {}: must be calibrated, rank or coherence", name));
    }
    test = *found;
  }
  if (test == Test::calibrated) {
    if (exact_moments) {
      throw UsageError(
          "--test calibrated: exact moments have no sampling error; --test rank or coherence");
    }
    if (paper) throw UsageError("--paper --test calibrated: the paper's are rank and coherence");
    for (const char* name : {"tau-q", "tau-q2", "tau-e"}) {
      if (values.count(name) == 0) continue;
      throw UsageError(
          fmt::format("--{} {}: the calibrated test has no thresholds; leave it out, "
                      "or add --test rank (or coherence)",
                      name, values[name].as<double>()));
    }
    if (values.count("extend") > 0) {
      throw UsageError(
          fmt::format("--extend {}: the calibrated test elects children by its quartets' votes; "
                      "leave it out, or add --test rank (or coherence)",
                      values["extend"].as<std::string>()));
    }
  } else if (values.count("alpha") > 0) {
    throw UsageError(fmt::format("--alpha {}: only --test calibrated knows it, not {}",
                                 values["alpha"].as<double>(), to_string(test)));
  }
  return test;
}

/// An option was given that only the search through all quartets knows; null if none was.
const char* only_exhaustive(const po::variables_map& values) {
  for (const char* option : {"test", "tau-q", "tau-q2", "tau-e", "extend", "max-candidates"}) {
    if (values.count(option) > 0 && !values[option].defaulted()) return option;
  }
  // Of pair signatures it is refinement that asks for it.
  const bool refines = values.count("refine") == 0 || values["refine"].as<std::string>() != "none";
  if (!refines && values.count("alpha") > 0) return "alpha";
  return values["paper"].as<bool>() ? "paper" : nullptr;
}

Search read_search(const po::variables_map& values) {
  const auto name = values["search"].as<std::string>();
  const auto* found =
      std::ranges::find(all_searches, name, [](Search s) { return std::string(to_string(s)); });
  if (found == std::end(all_searches)) {
    throw UsageError(fmt::format("--search {}: must be auto, exhaustive or signatures", name));
  }
  const char* other = only_exhaustive(values);
  if (*found == Search::signatures && other != nullptr) {
    throw UsageError(
        fmt::format("--{}: --search signatures does not know it; leave one of them out", other));
  }
  return *found == Search::automatic && other != nullptr ? Search::exhaustive : *found;
}

/// How causes are extended to further children: with --paper as the paper does.
Extend read_extend(const po::variables_map& values) {
  if (values.count("extend") == 0) {
    return values["paper"].as<bool>() ? Extend::first_pair : Extend::median;
  }
  const auto name = values["extend"].as<std::string>();
  const auto* found =
      std::ranges::find(all_extends, name, [](Extend e) { return std::string(to_string(e)); });
  if (found == std::end(all_extends)) {
    throw UsageError(fmt::format("--extend {}: must be median or first-pair", name));
  }
  return *found;
}

bool read_refine(const po::variables_map& values, Test test, bool exact_moments) {
  const auto refine = values.count("refine") > 0
                          ? values["refine"].as<std::string>()
                          : std::string(test == Test::calibrated ? "em" : "none");
  if (refine != "em" && refine != "none") {
    throw UsageError(fmt::format("--refine {}: must be em or none", refine));
  }
  if (refine == "em" && exact_moments) {
    throw UsageError("--refine em: goes over the rows; exact moments have none: --refine none");
  }
  return refine == "em";
}

Options read_limits(const po::variables_map& values, bool exact_moments, Options options) {
  options.max_depth = values["max-depth"].as<int>();
  options.max_candidates = values["max-candidates"].as<std::uint64_t>();
  const auto resamples = values["stability"].as<int>();
  require_resamples(resamples);
  if (resamples > 0 && exact_moments) {
    throw UsageError(fmt::format(
        "--stability {}: draws rows anew, and exact moments have none; leave it out", resamples));
  }
  options.stability = static_cast<std::uint32_t>(resamples);
  require_in_range(options);
  return options;
}

}  // namespace

void add_options(po::options_description& options) {
  options.add_options()(
      "test", po::value<std::string>()->value_name("calibrated|rank|coherence"),
      "quartet test: calibrated (one cause explains the quartet within its sampling error), rank "
      "(third singular values) or coherence (agreement of triplets) (default calibrated; exact "
      "moments have no sampling error: rank)")(
      "alpha", po::value<double>()->value_name("A"),
      "calibrated test: the allowed share of false discoveries among the pairs that are said to "
      "share a cause, and the share of runs on independent variables that find any cause; with "
      "pair signatures, the evidence that refinement requires of a cause (default 0.05)")(
      "search",
      po::value<std::string>()->default_value("auto")->value_name("auto|exhaustive|signatures"),
      "exhaustive: test all quartets; signatures: compare what pairs of variables tell about all "
      "the others, for hundreds and thousands of variables; auto: signatures, and below 1,000 "
      "variables all quartets too, if pairs of variables remain unexplained or if an option is "
      "given that only the exhaustive search has")(
      "refine", po::value<std::string>()->value_name("em|none"),
      "em: maximise the likelihood of the rows, over parameters and structure; none (default em "
      "with "
      "--test calibrated, else none)")("tau-q", po::value<double>()->value_name("X"),
                                       "rank, coherence: quartet threshold, largest third singular "
                                       "value (rank) or variance of the parameter "
                                       "estimates (coherence) (default 0.005; exact moments 1e-9)")(
      "tau-q2", po::value<double>()->value_name("X"),
      "coherence test: largest L1 error of the rebuilt moments (default 0.05; exact moments 1e-8)")(
      "tau-e", po::value<double>()->value_name("X"),
      "rank, coherence: pretest and extend, least PMI - CPMI that shows a shared parent (default "
      "0.03; exact moments 1e-7)")(
      "extend", po::value<std::string>()->value_name("median|first-pair"),
      "rank, coherence: a further variable is a child if the median over the quartet's six pairs "
      "says so, or its first pair alone (default median; with --paper first-pair)")(
      "max-depth", po::value<int>()->default_value(10)->value_name("N"),
      "the last round in which learned causes are subtracted off")(
      "max-candidates", po::value<std::uint64_t>()->default_value(1'000'000)->value_name("N"),
      "accepted quartets kept in a round, lowest statistic first (bounds memory)")(
      "stability", po::value<int>()->default_value(0)->value_name("N"),
      "learn again from this many bootstrap resamples of the rows, and tell how often each cause "
      "and each edge was found again; the run takes that many times as long")(
      "paper", po::bool_switch(),
      "the paper's test and constants: --test rank --tau-q 0.01 --tau-e 0.1 --extend first-pair "
      "(options that are given as well take precedence)");
}

const char* to_string(Test test) {
  switch (test) {
    case Test::calibrated:
      return "calibrated";
    case Test::rank:
      return "rank";
    case Test::coherence:
      return "coherence";
  }
  return "";
}

const char* to_string(Search search) {
  switch (search) {
    case Search::automatic:
      return "auto";
    case Search::exhaustive:
      return "exhaustive";
    case Search::signatures:
      return "signatures";
  }
  return "";
}

const char* to_string(Extend extend) { return extend == Extend::median ? "median" : "first-pair"; }

Options resolve(Options options, std::size_t n_observed) {
  if (options.search == Search::automatic) {
    const bool many = n_observed > constants::search::most_exhaustive;
    options.search = many ? Search::signatures : Search::exhaustive;
  }
  return options;
}

void require_in_range(const Options& options) {
  if (!(options.alpha > 0 && options.alpha < 1)) {
    throw UsageError(fmt::format("--alpha {}: between 0 and 1", options.alpha));
  }
  require_positive("tau-q", options.tau_q);
  require_positive("tau-q2", options.tau_q2);
  require_positive("tau-e", options.tau_e);
  if (options.max_depth < 0) {
    throw UsageError(fmt::format("--max-depth {}: 0 or more", options.max_depth));
  }
  if (options.max_candidates == 0) throw UsageError("--max-candidates 0: 1 or more");
  require_resamples(options.stability);
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  Options options;
  options.search = read_search(values);
  options.test = read_test(values, exact_moments);
  options.refine = read_refine(values, options.test, exact_moments);
  if (options.test == Test::calibrated) {
    options.alpha = threshold(values, "alpha", options.alpha);
    return read_limits(values, exact_moments, options);
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
  options.extend = read_extend(values);
  return read_limits(values, exact_moments, options);
}

}  // namespace orrery::quartet
