// The quartet learner's settings.
#pragma once

#include <cstddef>

#include "base/program_options.hpp"
#include "orrery/learning/quartet.hpp"

namespace orrery::quartet {

using Options = learn::QuartetOptions;
using Test = Options::Test;
using Search = Options::Search;
using Extend = Options::Extend;

[[nodiscard]] const char* to_string(Test test);
[[nodiscard]] const char* to_string(Search search);
[[nodiscard]] const char* to_string(Extend extend);

/// What `automatic` comes to: beyond a thousand variables, signatures.
[[nodiscard]] Options resolve(Options options, std::size_t n_observed);

void add_options(boost::program_options::options_description& options);
/// Throws UsageError naming the option, its value and its range.
void require_in_range(const Options& options);
/// Exact moments need no slack for sampling noise: their defaults are much smaller.
/// Throws UsageError naming the option, its value and its range.
Options read_options(const boost::program_options::variables_map& values, bool exact_moments);

}  // namespace orrery::quartet
