// Published patient cases (Promedas, UAI 2014): evidence and posteriors of the reference, which are
// printed with six significant digits.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "orrery/model/inference.hpp"

namespace orrery::model {
namespace {

struct PromedasCase {
  std::string name;
  NoisyOrNetwork network;
  std::vector<std::uint64_t> values;
  std::vector<double> posterior;  // of the reference
  double log10_evidence = 0;      // the same
  std::size_t n_positive = 0;
  /// A disease without findings, of prior 1/2, that was itself observed: evidence of 1/2.
  std::optional<std::size_t> isolated;
};

std::string unzip(const std::filesystem::path& path) {
  std::string text;
  const gzFile file = gzopen(path.c_str(), "rb");
  char buffer[1 << 16];
  for (int n = gzread(file, buffer, sizeof buffer); n > 0;
       n = gzread(file, buffer, sizeof buffer)) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  gzclose(file);
  return text;
}

PromedasCase read_case(const std::string& name, const nlohmann::json& entry) {
  std::map<int, std::uint32_t> place;  // diseases have numbers of their own
  std::vector<Cause> causes;
  for (std::size_t i = 0; i < entry["diseases"].size(); ++i) {
    place[entry["diseases"][i].get<int>()] = static_cast<std::uint32_t>(i);
    causes.push_back({"d", entry["prior"][i].get<double>()});
  }
  PromedasCase found;
  std::vector<Observed> observed;
  std::vector<Edge> edges;
  found.values.assign((entry["findings"].size() + 63) / 64, 0);
  for (const auto& finding : entry["findings"]) {
    const auto a = static_cast<std::uint32_t>(observed.size());
    observed.push_back({"f", finding["leak"].get<double>()});
    for (std::size_t i = 0; i < finding["parents"].size(); ++i) {
      edges.push_back(
          {place.at(finding["parents"][i].get<int>()), a, finding["failure"][i].get<double>()});
    }
    if (finding["observed"].get<int>() == 0) continue;
    found.values[a / 64] |= std::uint64_t{1} << (a % 64);
    ++found.n_positive;
  }
  found.name = name;
  found.network = {causes, observed, edges};
  found.posterior = entry["posterior"].get<std::vector<double>>();
  found.log10_evidence = entry["log10_evidence"].get<double>();
  for (std::size_t c = 0; c < causes.size(); ++c) {
    if (causes[c].prior == .5 && found.network.children(c).empty()) found.isolated = c;
  }
  return found;
}

class Promedas : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path path =
        std::filesystem::path(ORRERY_SHARED_DATA) / "medical/promedas_bn2o.json.gz";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
    const auto all = nlohmann::json::parse(unzip(path));
    for (const auto& [name, entry] : all.items()) cases.push_back(read_case(name, entry));
    ASSERT_EQ(cases.size(), 12U);
  }
  std::vector<PromedasCase> cases;
};

/// Half a unit of the sixth significant digit, and a little for the reference's own rounding.
double last_digit(double printed) {
  return .6 * std::pow(10, std::floor(std::log10(std::abs(printed))) - 5);
}

TEST_F(Promedas, exact_results_are_those_of_the_reference) {
  InferenceOptions options;
  options.method = InferenceOptions::Method::exact;
  for (const PromedasCase& given : cases) {
    const InferenceNetwork network(given.network);
    RowInference found(network, options);
    found.evaluate(0, given.values, {});
    ASSERT_EQ(found.method(), InferenceMethod::exact);
    const double evidence =
        found.log_evidence() / std::numbers::ln10 - (given.isolated ? std::log10(2.0) : 0);
    EXPECT_NEAR(evidence, given.log10_evidence, last_digit(given.log10_evidence)) << given.name;
    for (std::size_t c = 0; c < given.posterior.size(); ++c) {
      if (c == given.isolated) continue;
      EXPECT_NEAR(found.posterior()[c], given.posterior[c],
                  std::min(1e-6, last_digit(given.posterior[c])))
          << given.name << ", disease " << c;
    }
  }
}

TEST_F(Promedas, sampled_results_are_within_their_stated_errors) {
  InferenceOptions options;
  options.method = InferenceOptions::Method::sample;
  double error = 0;
  std::size_t n = 0;
  for (const PromedasCase& given : cases) {
    const InferenceNetwork network(given.network);
    RowInference exact(network, {});
    exact.evaluate(0, given.values, {});
    RowInference found(network, options);
    found.evaluate(0, given.values, {});
    ASSERT_EQ(found.method(), InferenceMethod::sampled) << given.name;
    EXPECT_LE(std::abs(found.log_evidence() - exact.log_evidence()), found.log_evidence_error())
        << given.name;
    std::size_t n_loose = 0;
    for (std::size_t c = 0; c < given.posterior.size(); ++c) {
      EXPECT_LE(std::abs(found.posterior()[c] - exact.posterior()[c]),
                found.posterior_error()[c] + 1e-10)
          << given.name << ", disease " << c;
      error += found.posterior_error()[c];
      n_loose += found.posterior_error()[c] > .1 ? 1 : 0;
      ++n;
    }
    RecordProperty(given.name,
                   fmt::format("{} positive, evidence {:.6f} +- {:.3f}, {:.0f} "
                               "effective samples, {} of {} errors above .1",
                               given.n_positive, found.log_evidence(), found.log_evidence_error(),
                               found.effective_samples(), n_loose, given.posterior.size()));
  }
  EXPECT_LT(error / static_cast<double>(n), .05);
}

TEST_F(Promedas, the_most_probable_explanations_are_found_and_proven) {
  InferenceOptions options;
  options.top = 5;
  for (const PromedasCase& given : cases) {
    const InferenceNetwork network(given.network);
    RowInference found(network, options);
    found.evaluate(0, given.values, {});
    ASSERT_EQ(found.explanations().size(), 5U) << given.name;
    double last = 0;
    for (const Explanation& explanation : found.explanations()) {
      EXPECT_TRUE(explanation.proven) << given.name;
      EXPECT_LE(explanation.log_probability, last) << given.name;
      last = explanation.log_probability;
    }
  }
}

}  // namespace
}  // namespace orrery::model
