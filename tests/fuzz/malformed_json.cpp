// Networks as JSON, in both layouts, trees, linear, anchored and categorical networks. A defect is
// a piece of a good document replaced by another. tests/families/files_test.cpp gives every field a
// value of another kind.
#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;

/// Every number stands once.
constexpr std::string_view good_network = R"({
  "format": "orrery-network-1",
  "learner": "quartet",
  "n_samples": 1000,
  "data_digest": "0123456789abcdef",
  "resamples": 200,
  "causes": [
    {"name": "flu", "prior": 0.125, "prior_error": 0.005, "depth": 7, "quartet": [0, 1, 2, 3],
     "statistic": 0.0625, "support": 68, "stability": 0.995},
    {"name": "cold", "prior": 0.375, "stability": 0.985}
  ],
  "observed": [
    {"name": "fever", "leak": 0.01, "leak_error": 0.002},
    {"name": "cough", "leak": 0.02},
    {"name": "ache", "leak": 0.03},
    {"name": "sore", "leak": 0.04}
  ],
  "edges": [[0, 1, 0.25], [0, 2, 0.5], [1, 2, 0.75]],
  "failure_errors": [0.11, null, 0.13],
  "edge_stability": [0.91, 0.92, 0.93]
}
)";

constexpr std::string_view good_benchmark = R"({
  "SMALL": {
    "n_latent": 2,
    "n_observed": 3,
    "priors": [0.125, 0.375],
    "noise_failure": [0.99, 0.98, 0.97],
    "failures": [[0.25, 1.0, 0.5], [1.0, 0.75, 0.0625]]
  }
}
)";

std::string replaced(std::string_view document, std::string_view from, std::string_view to) {
  const std::size_t at = document.find(from);
  if (at == std::string_view::npos || document.find(from, at + 1) != std::string_view::npos) {
    throw std::logic_error(fmt::format("'{}' does not stand once in a good document", from));
  }
  return std::string(document).replace(at, from.size(), to);
}

struct Defect {
  std::string_view name;
  std::string_view from;
  std::string_view to;
};

void add_replaced(MalformedFiles& files, const std::string& prefix, std::string_view document,
                  const std::vector<Defect>& defects) {
  for (const auto& [name, from, to] : defects) {
    files.add(fmt::format("{}{}.json", prefix, name), replaced(document, from, to));
  }
}

/// What is no probability, in every place where one is needed.
void add_odd_probabilities(MalformedFiles& files) {
  const std::vector<std::string_view> values{"-0.1",    "1.5",      "1.0000000000000002",
                                             "-1e-300", "1e999",    "-1e999",
                                             "NaN",     "Infinity", "null",
                                             "true",    "\"0.5\"",  "[0.5]",
                                             "{}",      "50%",      ".5",
                                             "0,5"};
  const std::vector<std::pair<std::string_view, std::string_view>> places{
      {"prior", "0.125"}, {"leak", "0.03"}, {"failure", "0.25"}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const auto& [name, number] : places) {
      files.add(fmt::format("{}_{}.json", name, i), replaced(good_network, number, values[i]));
    }
    const std::string_view of_benchmark[] = {"0.375", "0.98", "0.0625"};
    files.add(fmt::format("benchmark_probability_{}.json", i),
              replaced(good_benchmark, of_benchmark[i % 3], values[i]));
  }
}

void add_odd_indices(MalformedFiles& files) {
  const std::vector<std::string_view> values{"-1",
                                             "4",
                                             "0.5",
                                             "1e0",
                                             "null",
                                             "\"1\"",
                                             "[1]",
                                             "4294967296",
                                             "4294967295",
                                             "-4294967295",
                                             "18446744073709551616"};
  for (std::size_t i = 0; i < values.size(); ++i) {
    files.add(fmt::format("edge_cause_{}.json", i),
              replaced(good_network, "[1, 2, 0.75]", fmt::format("[{}, 2, 0.75]", values[i])));
    files.add(fmt::format("edge_observed_{}.json", i),
              replaced(good_network, "[0, 2, 0.5]", fmt::format("[0, {}, 0.5]", values[i])));
    if (values[i] != "-1") {
      files.add(fmt::format("quartet_{}.json", i),
                replaced(good_network, "[0, 1, 2, 3]", fmt::format("[0, 1, {}, 3]", values[i])));
    }
  }
}

void add_odd_members(MalformedFiles& files) {
  add_replaced(files, "", good_network,
               {{"format_newer", "orrery-network-1", "orrery-network-2"},
                {"format_other", "orrery-network-1", "pgmpy"},
                {"format_null", "\"orrery-network-1\"", "null"},
                {"format_absent", "\"format\": \"orrery-network-1\",", ""},
                {"causes_absent", "\"causes\"", "\"cause\""},
                {"observed_absent", "\"observed\"", "\"variables\""},
                {"edges_absent", "\"edges\"", "\"edge\""},
                {"prior_absent", "\"prior\": 0.375", "\"p\": 0.375"},
                {"leak_absent", "\"leak\": 0.04", "\"l\": 0.04"},
                {"edge_of_two", "[1, 2, 0.75]", "[1, 2]"},
                {"edge_of_four", "[1, 2, 0.75]", "[1, 2, 0.75, 0]"},
                {"edge_of_none", "[1, 2, 0.75]", "[]"},
                {"edge_twice", "[1, 2, 0.75]", "[0, 2, 0.75]"},
                {"edge_twice_far", "[1, 2, 0.75]", "[1, 2, 0.75], [0, 1, 1]"},
                {"cause_named_twice", "\"cold\"", "\"flu\""},
                {"observed_named_twice", "\"sore\"", "\"fever\""},
                {"observed_named_by_default", "\"sore\"", "\"\""},
                {"name_null", "\"cold\"", "null"},
                {"name_of_a_null", "\"cold\"", "\"co\\u0000ld\""},
                {"depth_below", "7,", "-2,"},
                {"depth_beyond", "7,", "2147483648,"},
                {"depth_decimal", "7,", "7.5,"},
                {"quartet_of_three", "[0, 1, 2, 3]", "[0, 1, 2]"},
                {"quartet_of_five", "[0, 1, 2, 3]", "[0, 1, 2, 3, 1]"},
                {"support_negative", "68", "-68"},
                {"support_decimal", "68", "68.5"},
                {"prior_error_negative", "0.005", "-0.005"},
                {"leak_error_negative", "0.002", "-1e-300"},
                {"failure_errors_too_few", "[0.11, null, 0.13]", "[0.11, 0.13]"},
                {"failure_error_negative", "0.11", "-0.11"},
                {"resamples_zero", "200", "0"},
                {"resamples_beyond", "200", "4294967296"},
                {"stability_absent", "\"stability\": 0.985", "\"s\": 0.985"},
                {"stability_beyond", "0.985", "1.985"},
                {"stability_null", "0.985", "null"},
                {"edge_stability_absent", "\"edge_stability\"", "\"e\""},
                {"edge_stability_too_many", "0.93]", "0.93, 0.94]"},
                {"edge_stability_null", "0.93]", "null]"},
                {"n_samples_negative", "1000", "-1"},
                {"n_samples_decimal", "1000", "1000.5"},
                {"n_samples_beyond", "1000", "9223372036854775808"},
                {"digest_of_letters", "0123456789abcdef", "xyz"},
                {"digest_empty", "0123456789abcdef", ""},
                {"digest_too_long", "0123456789abcdef", "0123456789abcdef0"},
                {"edges_null", "[[0, 1, 0.25], [0, 2, 0.5], [1, 2, 0.75]]", "null"}});
  files.add("no_observed.json",
            R"({"format": "orrery-network-1", "causes": [], "observed": [], "edges": []})");
  files.add(
      "causes_object.json",
      R"({"format": "orrery-network-1", "causes": {}, "observed": [{"leak": 0}], "edges": []})");
}

void add_benchmark_defects(MalformedFiles& files) {
  add_replaced(
      files, "benchmark_", good_benchmark,
      {{"priors_absent", "\"priors\"", "\"prior\""},
       {"noise_absent", "\"noise_failure\"", "\"noise\""},
       {"failures_absent", "\"failures\"", "\"failure\""},
       {"prior_more", "0.375]", "0.375, 0.5]"},
       {"noise_less", "[0.99, 0.98, 0.97]", "[0.99, 0.98]"},
       {"row_short", "[0.25, 1.0, 0.5]", "[0.25, 1.0]"},
       {"row_long", "[1.0, 0.75, 0.0625]", "[1.0, 0.75, 0.0625, 1.0]"},
       {"row_number", "[1.0, 0.75, 0.0625]", "0.75"},
       {"row_absent", ", [1.0, 0.75, 0.0625]", ""},
       {"n_latent_other", "\"n_latent\": 2", "\"n_latent\": 3"},
       {"n_observed_other", "\"n_observed\": 3", "\"n_observed\": -3"},
       {"null_network", "{\n  \"SMALL\"", "{\"A\": null, \"SMALL\""},
       {"name_of_two_lines", "\"SMALL\": {\n    \"n_latent\": 2", "\"S\\nL\": {\"n_latent\": 7"}});
  files.add("benchmark_empty.json", "{}");
  files.add("benchmark_of_numbers.json", R"({"SMALL": 5})");
  files.add("benchmark_no_observed.json",
            R"({"S": {"priors": [], "noise_failure": [], "failures": []}})");
}

constexpr std::string_view good_tree = R"({
  "format": "orrery-tree-1",
  "crossover": 0.0625,
  "crossover_error": 0.003,
  "variables": [{"name": "left", "mean": 0.25}, {"name": "right"}, {"name": "alone"}],
  "edges": [[0, 1, 0.375], [1, 2, -0.5]],
  "edge_errors": [0.011, null]
}
)";

void add_tree_defects(MalformedFiles& files) {
  add_replaced(files, "tree_", good_tree,
               {{"format_newer", "orrery-tree-1", "orrery-tree-2"},
                {"crossover_half", "0.0625", "0.5"},
                {"crossover_negative", "0.0625", "-0.0625"},
                {"crossover_error_negative", "0.003", "-0.003"},
                {"variables_absent", "\"variables\"", "\"observed\""},
                {"variable_named_twice", "\"alone\"", "\"left\""},
                {"name_empty", "\"alone\"", "\"\""},
                {"mean_one", "0.25", "1"},
                {"mean_null", "0.25", "null"},
                {"edges_absent", "\"edges\"", "\"edge\""},
                {"edge_of_two", "[1, 2, -0.5]", "[1, 2]"},
                {"edge_of_four", "[1, 2, -0.5]", "[1, 2, -0.5, 0]"},
                {"edge_of_names", "[1, 2, -0.5]", "[\"right\", \"alone\", -0.5]"},
                {"edge_to_variable_3", "[1, 2, -0.5]", "[1, 3, -0.5]"},
                {"edge_to_none", "[1, 2, -0.5]", "[1, 4294967295, -0.5]"},
                {"edge_negative", "[1, 2, -0.5]", "[1, -2, -0.5]"},
                {"edge_to_itself", "[1, 2, -0.5]", "[1, 1, -0.5]"},
                {"edge_twice", "[1, 2, -0.5]", "[1, 0, -0.5]"},
                {"edges_in_a_cycle", "[1, 2, -0.5]]", "[1, 2, -0.5], [2, 0, 0.1]]"},
                {"moment_beyond_the_means", "0.375", "0.875"},
                {"moment_beyond", "-0.5", "-1.5"},
                {"moment_null", "-0.5", "null"},
                {"errors_too_few", "[0.011, null]", "[0.011]"},
                {"error_negative", "0.011", "-0.011"}});
}

constexpr std::string_view good_linear = R"({
  "format": "orrery-linear-1",
  "law": "skewed",
  "observed": [{"name": "left", "mean": 0.25, "noise": 0.75}, {"name": "right", "noise": 0.5}],
  "causes": [{"name": "flu"}, {"name": "cold"}],
  "edges": [[0, 0, 2.5], [0, 1, 0.375], [1, 1, -0.625]],
  "levels": [{"causes": ["up", "top"], "edges": [[0, 0, 1.25], [1, 1, 1.75]], "noise": [3, 0.0625]}],
  "covariance": [[1.5, 0.875], [0.875, 7]],
  "estimates": [[2.5, 0.01], [0.375, null]],
  "loading_errors": [[0.11, null], [0.12, 0.13]],
  "noise_errors": [0.21, null],
  "covariance_errors": [[0.31, 0.32], [0.32, 0.34]],
  "rank_test": [{"rank": 1, "statistic": 12.5, "expected": 1, "error": 0.41}],
  "remarks": ["levels end"]
}
)";

constexpr std::string_view good_coupled = R"({
  "format": "orrery-linear-1",
  "observed": [{"noise": 0.75}],
  "causes": [{"name": "flu", "innovation": 1.5}, {"name": "cold", "innovation": 0.25}],
  "edges": [[0, 0, 2.5], [1, 0, 0.375]],
  "coupling": [[0, 1, -0.625]],
  "coupling_errors": [[0, 0], [0.125, 0]]
}
)";

void add_linear_defects(MalformedFiles& files) {
  add_replaced(files, "linear_", good_linear,
               {{"format_newer", "orrery-linear-1", "orrery-linear-2"},
                {"law_other", "\"skewed\"", "\"normal\""},
                {"observed_absent", "\"observed\"", "\"variables\""},
                {"causes_absent", "\"causes\": [{", "\"cause\": [{"},
                {"edges_absent", "\"edges\": [[0, 0, 2.5]", "\"edge\": [[0, 0, 2.5]"},
                {"noise_absent", "\"noise\": 0.5", "\"n\": 0.5"},
                {"noise_negative", "0.75", "-0.75"},
                {"mean_null", "0.25,", "null,"},
                {"mean_beyond", "0.25,", "1e999,"},
                {"variable_named_twice", "\"right\"", "\"left\""},
                {"cause_named_twice", "\"cold\"", "\"flu\""},
                {"innovation_alone", R"({"name": "cold"})", R"({"innovation": 1})"},
                {"edge_of_two", "[1, 1, -0.625]", "[1, 1]"},
                {"edge_of_cause_2", "[1, 1, -0.625]", "[2, 1, -0.625]"},
                {"edge_to_variable_2", "[1, 1, -0.625]", "[1, 2, -0.625]"},
                {"edge_negative", "[1, 1, -0.625]", "[1, -1, -0.625]"},
                {"edge_twice", "[1, 1, -0.625]", "[0, 1, -0.625]"},
                {"loading_null", "-0.625", "null"},
                {"loadings_too_large", "2.5], [0, 1, 0.375]", "1e300], [0, 1, 0.375]"},
                {"levels_object", "[{\"causes\"", "{\"a\": [{\"causes\""},
                {"level_causes_absent", "\"causes\": [\"up\"", "\"cause\": [\"up\""},
                {"level_named_twice", "\"top\"", "\"up\""},
                {"level_name_empty", "\"top\"", "\"\""},
                {"level_edge_beyond", "[1, 1, 1.75]", "[2, 1, 1.75]"},
                {"level_edge_below_beyond", "[1, 1, 1.75]", "[1, 2, 1.75]"},
                {"level_noise_too_few", "[3, 0.0625]", "[0.0625]"},
                {"level_noise_negative", "0.0625", "-0.0625"},
                {"level_noise_null", "0.0625", "null"},
                {"cause_that_never_varies", "[1, 1, 1.75]], \"noise\": [3, 0.0625]",
                 "[1, 1, 0]], \"noise\": [3, 0]"},
                {"covariance_too_few", "[[1.5, 0.875], [0.875, 7]]", "[[1.5, 0.875]]"},
                {"covariance_ragged", "[0.875, 7]", "[0.875]"},
                {"covariance_flat", "[[1.5, 0.875], [0.875, 7]]", "[1.5, 0.875, 0.875, 7]"},
                {"covariance_not_symmetric", "[0.875, 7]", "[0.625, 7]"},
                {"covariance_not_definite", "7]", "0.5]"},
                {"covariance_negative", "7]", "-7]"},
                {"covariance_null", "7]", "null]"},
                {"coupling_beside_levels", "\"law\"", "\"coupling\": [], \"law\""},
                {"estimates_too_few", "[[2.5, 0.01], [0.375, null]]", "[[2.5, 0.01]]"},
                {"loading_error_negative", "0.12", "-0.12"},
                {"loading_errors_flat", "[[0.11, null], [0.12, 0.13]]", "[0.11, null, 0.12, 0.13]"},
                {"noise_errors_too_many", "[0.21, null]", "[0.21, null, 0]"},
                {"noise_error_negative", "0.21", "-0.21"},
                {"covariance_error_negative", "0.34", "-0.34"},
                {"rank_negative", "\"rank\": 1", "\"rank\": -1"},
                {"rank_statistic_absent", "\"statistic\"", "\"s\""},
                {"rank_error_negative", "0.41", "-0.41"},
                {"rank_test_number", "[{\"rank\": 1", "1, \"r\": [{\"rank\": 1"},
                {"remark_of_a_null", "levels end", "levels\\u0000end"}});
  add_replaced(files, "coupled_", good_coupled,
               {{"in_a_cycle", "[[0, 1, -0.625]]", "[[0, 1, -0.625], [1, 0, 0.5]]"},
                {"to_itself", "[[0, 1, -0.625]]", "[[1, 1, -0.625]]"},
                {"twice", "[[0, 1, -0.625]]", "[[0, 1, -0.625], [0, 1, 0.5]]"},
                {"beyond", "[[0, 1, -0.625]]", "[[0, 2, -0.625]]"},
                {"innovation_zero", "1.5", "0"},
                {"innovation_of_one_cause", "\"innovation\": 0.25", "\"i\": 0.25"},
                {"errors_too_few", "[[0, 0], [0.125, 0]]", "[[0, 0]]"},
                {"error_negative", "0.125", "-0.125"},
                {"covariance_given", "\"edges\"", "\"covariance\": [[1, 0], [0, 1]], \"edges\""},
                {"errors_alone", "\"coupling\"", "\"c\""}});
}

constexpr std::string_view good_anchored = R"({
  "format": "orrery-anchored-1",
  "learner": "anchored",
  "causes": [{"name": "flu", "prior": 0.25, "prior_error": 0.011}, {"name": "cold"}],
  "observed": [
    {"name": "fever", "leak": 0.125, "leak_error": 0.012}, {"name": "x;y", "leak": 0.0625},
    {"name": "ache", "leak": 0.03}
  ],
  "cause_tables": [{"parents": [], "on": [0.25]}, {"parents": [0], "on": [0.1875, 0.875]}],
  "anchors": [
    {"cause": 1, "observed": 1, "columns": ["x", "y"], "off": 0.01, "on": 0.77, "off_error": 0.013,
     "on_error": null, "source": "labels"},
    {"cause": 0, "observed": 0, "off": 0.02, "on": 0.88}
  ],
  "moments_order": 2,
  "moments": [[[0], [0.75, 0.26]], [[1], [0.64, 0.36]], [[0, 1], [0.61, 0.03, 0.14, 0.22]]],
  "failure_errors": [0.11, null, 0.13],
  "remarks": ["two anchors are weak"],
  "edges": [[0, 0, 0.5], [1, 1, 0.375], [1, 2, 0.7]]
}
)";

void add_anchored_defects(MalformedFiles& files) {
  add_replaced(files, "anchored_", good_anchored,
               {{"format_newer", "orrery-anchored-1", "orrery-anchored-2"},
                {"causes_absent", "\"causes\"", "\"c\""},
                {"observed_absent", "\"observed\": [", "\"variables\": ["},
                {"edges_absent", "\"edges\"", "\"edge\""},
                {"tables_absent", "\"cause_tables\"", "\"tables\""},
                {"anchors_absent", "\"anchors\"", "\"anchor\""},
                {"cause_named_twice", "\"cold\"", "\"flu\""},
                {"prior_other", "\"prior\": 0.25", "\"prior\": 0.26"},
                {"prior_beyond", "\"prior\": 0.25", "\"prior\": 1.25"},
                {"prior_null", "\"prior\": 0.25", "\"prior\": null"},
                {"prior_error_negative", "0.011", "-0.011"},
                {"leak_beyond", "0.125", "1.125"},
                {"leak_error_negative", "0.012", "-0.012"},
                {"tables_too_few", "{\"parents\": [], \"on\": [0.25]}, ", ""},
                {"parents_absent", "\"parents\": []", "\"p\": []"},
                {"parent_itself", "\"parents\": [0]", "\"parents\": [1]"},
                {"parent_beyond", "\"parents\": [0]", "\"parents\": [2]"},
                {"parent_negative", "\"parents\": [0]", "\"parents\": [-1]"},
                {"parent_far_beyond", "\"parents\": [0]", "\"parents\": [4294967296]"},
                {"parent_decimal", "\"parents\": [0]", "\"parents\": [0.5]"},
                {"parent_twice", "\"parents\": [0], \"on\": [0.1875, 0.875]",
                 "\"parents\": [0, 0], \"on\": [0.1, 0.2, 0.3, 0.4]"},
                {"parents_too_many", "\"parents\": [0]",
                 "\"parents\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]"},
                {"parents_in_a_cycle", "\"parents\": [], \"on\": [0.25]",
                 "\"parents\": [1], \"on\": [0.25, 0.5]"},
                {"on_absent", "\"on\": [0.25]", "\"o\": [0.25]"},
                {"on_too_few", "[0.1875, 0.875]", "[0.1875]"},
                {"on_too_many", "[0.1875, 0.875]", "[0.1875, 0.875, 0.5]"},
                {"on_beyond", "0.875", "1.875"},
                {"on_negative", "0.875", "-0.875"},
                {"on_null", "0.875", "null"},
                {"anchor_of_no_cause", "\"cause\": 0,", "\"c\": 0,"},
                {"anchor_of_cause_2", "\"cause\": 0,", "\"cause\": 2,"},
                {"anchor_of_no_column", "\"observed\": 1,", "\"o\": 1,"},
                {"anchor_of_column_3", "\"observed\": 1,", "\"observed\": 3,"},
                {"anchor_of_column_none", "\"observed\": 1,", "\"observed\": 4294967295,"},
                {"anchor_of_two_causes", "\"observed\": 1,", "\"observed\": 0,"},
                {"column_twice", "[\"x\", \"y\"]", "[\"x\", \"x\"]"},
                {"column_empty", "[\"x\", \"y\"]", "[\"x\", \"\"]"},
                {"column_of_a_null", "[\"x\", \"y\"]", "[\"x\", \"y\\u0000\"]"},
                {"rate_beyond", "0.88", "1.88"},
                {"rate_null", "0.88", "null"},
                {"rate_absent", "\"off\": 0.02, ", ""},
                {"rates_of_one_anchor", ", \"off\": 0.02, \"on\": 0.88", ""},
                {"rate_error_negative", "0.013", "-0.013"},
                {"source_of_a_null", "\"labels\"", "\"\\u0000\""},
                {"order_absent", "\"moments_order\"", "\"order\""},
                {"order_zero", "\"moments_order\": 2", "\"moments_order\": 0"},
                {"order_seven", "\"moments_order\": 2", "\"moments_order\": 7"},
                {"order_lower", "\"moments_order\": 2", "\"moments_order\": 1"},
                {"moments_object", "[[[0], [0.75", "{\"a\": [[[0], [0.75"},
                {"moments_too_few", ", [[0, 1], [0.61, 0.03, 0.14, 0.22]]", ""},
                {"moments_too_many", "[0.61, 0.03, 0.14, 0.22]]",
                 "[0.61, 0.03, 0.14, 0.22]], [[2], [1, 0]]"},
                {"moment_of_other_causes", "[[1], [0.64", "[[0], [0.64"},
                {"moment_of_cause_2", "[[0, 1], [", "[[0, 2], ["},
                {"moment_of_no_cause", "[[1], [0.64", "[[], [0.64"},
                {"moment_of_too_few_cells", "0.14, 0.22", "0.14"},
                {"moment_of_three_parts", "[0.64, 0.36]", "[0.64, 0.36], 1"},
                {"moment_beyond", "0.64", "1.64"},
                {"moment_negative", "0.64", "-0.64"},
                {"moment_null", "0.64", "null"},
                {"failure_errors_too_few", "[0.11, null, 0.13]", "[0.11, null]"},
                {"failure_error_negative", "0.13", "-0.13"},
                {"edge_twice", "[1, 2, 0.7]", "[1, 1, 0.7]"},
                {"edge_of_cause_2", "[1, 2, 0.7]", "[2, 2, 0.7]"},
                {"edge_to_column_3", "[1, 2, 0.7]", "[1, 3, 0.7]"},
                {"failure_beyond", "0.7]", "1.7]"}});
  // Far more numbers than the file holds: nothing may be allocated for them.
  std::string many;
  std::string tables;
  for (int i = 0; i < 50; ++i) {
    many += i == 0 ? "{}" : ", {}";
    tables += fmt::format("{}{{\"parents\": [], \"on\": [0.5]}}", i == 0 ? "" : ", ");
  }
  files.add("anchored_moments_claimed.json",
            fmt::format(R"({{"format": "orrery-anchored-1", "causes": [{}], "observed":
                [{{"leak": 0}}], "cause_tables": [{}], "anchors": [], "edges": [],
                "moments_order": 5, "moments": [[[0], [0.5, 0.5]]]}})",
                        many, tables));
}

constexpr std::string_view good_categorical = R"({
  "format": "orrery-categorical-1",
  "learner": "sep",
  "log_evidence": -100.5,
  "evidence_kind": "expectation propagation",
  "causes": [{"name": "flu", "prior": [0.75, 0.25]}, {"name": "cold", "prior": [0.5, 0.125, 0.375]}],
  "parent_sets": [[], [0], [1]],
  "structure": [[0.0625, 0.9375, 0], [0, 0, 1]],
  "modes": [{"variable": 0, "parents": [0], "log_evidence": -101.5}],
  "choices": [{"n_causes": 2, "held_out": -3.5, "error": 0.01}],
  "remarks": ["few rows"],
  "observed": [
    {"name": "fever", "categories": ["no", "yes"], "parents": [0], "table": [[0.3, 0.7], [0.9, 0.1]],
     "counts": [[3, 7], [9, 1]]},
    {"name": "ache", "categories": ["low", "high"], "parents": [1],
     "table": [[0.2, 0.8], [0.6, 0.4], [1, 0]]}
  ]
}
)";

void add_categorical_defects(MalformedFiles& files) {
  add_replaced(files, "categorical_", good_categorical,
               {{"format_newer", "orrery-categorical-1", "orrery-categorical-2"},
                {"causes_absent", "\"causes\"", "\"c\""},
                {"observed_absent", "\"observed\"", "\"o\""},
                {"observed_empty", "\"observed\": [", "\"observed\": [], \"o\": ["},
                {"cause_named_twice", "\"cold\"", "\"flu\""},
                {"cause_of_one_state", "[0.75, 0.25]", "[1]"},
                {"cause_of_no_state", "[0.75, 0.25]", "[]"},
                {"prior_negative", "[0.75, 0.25]", "[1.25, -0.25]"},
                {"prior_of_sum", "[0.75, 0.25]", "[0.75, 0.26]"},
                {"prior_beyond", "[0.75, 0.25]", "[1e308, 1e308]"},
                {"prior_null", "[0.75, 0.25]", "[0.75, null]"},
                {"variable_named_twice", "\"ache\"", "\"fever\""},
                {"categories_absent", "\"categories\": [\"no\", \"yes\"]", "\"c\": []"},
                {"categories_empty", "[\"no\", \"yes\"]", "[]"},
                {"category_twice", "[\"no\", \"yes\"]", "[\"no\", \"no\"]"},
                {"category_with_a_zero", "\"yes\"", "\"y\\u0000\""},
                {"categories_too_many", "[\"no\", \"yes\"]", "[\"no\", \"yes\", \"so\"]"},
                {"parent_beyond", "\"parents\": [1]", "\"parents\": [2]"},
                {"parent_negative", "\"parents\": [1]", "\"parents\": [-1]"},
                {"parent_far_beyond", "\"parents\": [1]", "\"parents\": [4294967296]"},
                {"parents_not_rising", "\"parents\": [1]", "\"parents\": [1, 0]"},
                {"parents_absent", "\"parents\": [1]", "\"p\": [1]"},
                {"table_absent", "\"table\": [[0.2", "\"t\": [[0.2"},
                {"table_too_short", ", [1, 0]", ""},
                {"table_too_long", ", [1, 0]", ", [1, 0], [1, 0]"},
                {"table_row_short", "[0.2, 0.8]", "[1]"},
                {"table_negative", "[0.2, 0.8]", "[-0.2, 1.2]"},
                {"table_of_sum", "[0.2, 0.8]", "[0.2, 0.7]"},
                {"counts_zero", "[3, 7]", "[0, 7]"},
                {"counts_too_few", "[[3, 7], [9, 1]]", "[[3, 7]]"},
                {"sets_absent", "\"parent_sets\"", "\"sets\""},
                {"set_twice", "[[], [0], [1]]", "[[], [0], [0]]"},
                {"set_beyond", "[[], [0], [1]]", "[[], [0], [2]]"},
                {"structure_absent", "\"structure\"", "\"s\""},
                {"structure_of_sum", "0.9375", "0.9"},
                {"structure_too_few", "[[0.0625, 0.9375, 0], [0, 0, 1]]", "[[0, 0, 1]]"},
                {"structure_narrow", "[0, 0, 1]", "[0, 1]"},
                {"mode_beyond", "\"variable\": 0", "\"variable\": 2"},
                {"mode_negative", "\"variable\": 0", "\"variable\": -1"},
                {"choice_negative", "\"n_causes\": 2", "\"n_causes\": -2"}});
}

void add_odd_syntax(MalformedFiles& files) {
  for (std::size_t length = 0; length < good_network.size() - 2; length += 41) {
    files.add(fmt::format("cut_at_{}.json", length), good_network.substr(0, length));
  }
  add_replaced(files, "syntax_", good_network,
               {{"trailing_comma", "0.75]]", "0.75],]"},
                {"comment", "\"format\"", "// a network\n\"format\""},
                {"single_quotes", "\"flu\"", "'flu'"},
                {"bare_key", "\"format\"", "format"},
                {"equals", "\"n_samples\":", "\"n_samples\" ="},
                {"key_twice", "\"learner\"", "\"format\""},
                {"member_twice", "\"depth\": 7", "\"prior\": 0.125"},
                {"leading_zero", "1000", "01000"},
                {"plus_sign", "1000", "+1000"},
                {"hexadecimal", "1000", "0x10"},
                {"lone_surrogate", "\"flu\"", "\"\\ud800\""},
                {"odd_escape", "\"flu\"", "\"\\x41\""},
                {"not_utf8", "\"flu\"", "\"M\xFCller\""},
                {"overlong", "\"flu\"", "\"\xC0\xAF\""},
                {"newline_in_text", "\"flu\"", "\"f\nlu\""},
                {"open_text", "\"flu\"", "\"flu"},
                {"closed_by_brace", "0.75]]", "0.75]}"}});
  files.add("syntax_two_documents.json", std::string(good_network) + std::string(good_network));
  files.add("syntax_null_after.json", std::string(good_network) + '\0');
  files.add("syntax_utf16.json", "\xFF\xFE{\0}\0"s);
  for (const std::size_t depth : {33UL, 1000UL, 300000UL}) {
    files.add(fmt::format("nested_arrays_{}.json", depth), std::string(depth, '['));
    std::string objects;
    for (std::size_t i = 0; i < depth; ++i) objects += "{\"a\":";
    files.add(fmt::format("nested_objects_{}.json", depth), objects);
  }
  for (const std::string_view scalar : {"null", "true", "0", "\"orrery-network-1\"", "[]", "nan"}) {
    files.add(fmt::format("scalar_{}.json", files.size()), scalar);
  }
  files.add("binary.json", std::string("\x00\x01\x02\xFF\xFE\x80", 6));
}

}  // namespace

void add_malformed_json(MalformedFiles& files) {
  add_odd_probabilities(files);
  add_odd_indices(files);
  add_odd_members(files);
  add_benchmark_defects(files);
  add_tree_defects(files);
  add_linear_defects(files);
  add_anchored_defects(files);
  add_categorical_defects(files);
  add_odd_syntax(files);
}

}  // namespace orrery::fuzz
