// Rows of a network of independent causes.
#include <fmt/format.h>

#include "families/noisy_or/row_family.hpp"

namespace orrery::noisy_or {
namespace {

enum Kind : std::uint32_t { nothing_causes, always_leaks, never_fails };

class IndependentWorker : public RowWorker {
 public:
  IndependentWorker(const model::NoisyOrNetwork& network, const model::InferenceNetwork& prepared,
                    const model::InferenceOptions& options)
      : network_(network), inference_(prepared, options) {}

  void evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                std::span<const std::uint64_t> missing) override {
    inference_.evaluate(row, values, missing);
  }
  [[nodiscard]] RowAnswer answer() const override {
    return {inference_.log_evidence(), inference_.log_evidence_error(),
            inference_.method(),       inference_.effective_samples(),
            inference_.posterior(),    inference_.posterior_error(),
            inference_.explanations()};
  }
  [[nodiscard]] std::optional<RowContradiction> contradiction() const override {
    const auto& why = inference_.contradiction();
    if (!why) return std::nullopt;
    if (why->positive) return RowContradiction{nothing_causes, why->observed, 0};
    if (!why->cause) return RowContradiction{always_leaks, why->observed, 0};
    return RowContradiction{never_fails, why->observed, *why->cause};
  }
  model::CauseEvidence weigh(std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause) override {
    return model::weigh_findings(network_, inference_, row, values, missing, cause);
  }

 private:
  const model::NoisyOrNetwork& network_;
  model::RowInference inference_;
};

class IndependentRows : public RowFamily {
 public:
  IndependentRows(const model::NoisyOrNetwork& network, const model::InferenceOptions& options)
      : network_(network), prepared_(network), options_(options) {}

  [[nodiscard]] const model::NoisyOrNetwork& network() const override { return network_; }
  [[nodiscard]] std::unique_ptr<RowWorker> worker(std::uint32_t top) const override {
    model::InferenceOptions options = options_;
    options.top = top;
    return std::make_unique<IndependentWorker>(network_, prepared_, options);
  }
  [[nodiscard]] std::string describe(const RowContradiction& why) const override {
    const std::string& name = network_.observed()[why.observed].name;
    if (why.kind == nothing_causes) {
      return fmt::format(
          "'{}' is present, but nothing can cause it: its leak is 0, and each of its causes has "
          "prior 0 or is ruled out by a finding that is absent",
          name);
    }
    if (why.kind == never_fails) {
      return fmt::format("'{}' is absent, but '{}' has prior 1 and never fails to cause it", name,
                         network_.causes()[why.cause].name);
    }
    return fmt::format("'{}' is absent, but its leak is 1", name);
  }

 private:
  const model::NoisyOrNetwork& network_;
  model::InferenceNetwork prepared_;
  model::InferenceOptions options_;
};

}  // namespace

std::unique_ptr<RowFamily> independent_rows(const model::NoisyOrNetwork& network,
                                            const model::InferenceOptions& options) {
  return std::make_unique<IndependentRows>(network, options);
}

}  // namespace orrery::noisy_or
