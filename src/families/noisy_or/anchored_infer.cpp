#include "families/noisy_or/anchored_infer.hpp"

#include <vector>

#include "families/noisy_or/anchored_rows.hpp"
#include "family/matched_columns.hpp"
#include "model/cause_posterior.hpp"

namespace orrery::noisy_or {
namespace {

using Contradiction = model::CausePosterior::Contradiction;

class AnchoredWorker : public RowWorker {
 public:
  AnchoredWorker(const model::PreparedAnchored& prepared,
                 const model::CausePosteriorOptions& options)
      : network_(prepared.network()), posterior_(prepared, options) {}

  void evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                std::span<const std::uint64_t> missing) override {
    posterior_.evaluate(row, values, missing);
  }
  [[nodiscard]] RowAnswer answer() const override {
    return {posterior_.log_evidence(), posterior_.log_evidence_error(),
            posterior_.method(),       posterior_.effective_draws(),
            posterior_.posterior(),    posterior_.posterior_error(),
            posterior_.explanations()};
  }
  [[nodiscard]] std::optional<RowContradiction> contradiction() const override {
    const auto& why = posterior_.contradiction();
    if (!why) return std::nullopt;
    return RowContradiction{static_cast<std::uint32_t>(why->kind), why->observed, why->cause};
  }
  model::CauseEvidence weigh(std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause) override {
    return model::weigh_findings(network_, posterior_, row, values, missing, cause);
  }

 private:
  const model::NoisyOrNetwork& network_;
  model::CausePosterior posterior_;
};

model::CausePosteriorOptions options_of(const model::InferenceOptions& options) {
  using From = model::InferenceOptions::Method;
  using To = model::CausePosteriorOptions::Method;
  model::CausePosteriorOptions own;
  own.method = options.method == From::exact    ? To::exact
               : options.method == From::sample ? To::sample
                                                : To::automatic;
  own.n_draws = options.n_samples;
  own.seed = options.seed;
  own.top = options.top;
  return own;
}

class AnchoredRows : public RowFamily {
 public:
  AnchoredRows(const model::NoisyOrNetwork& network, const model::InferenceOptions& options)
      : prepared_(network), options_(options_of(options)) {}

  [[nodiscard]] const model::NoisyOrNetwork& network() const override {
    return prepared_.network();
  }
  [[nodiscard]] std::unique_ptr<RowWorker> worker(std::uint32_t top) const override {
    model::CausePosteriorOptions options = options_;
    options.top = top;
    return std::make_unique<AnchoredWorker>(prepared_, options);
  }
  [[nodiscard]] std::string describe(const RowContradiction& why) const override {
    return model::describe(
        Contradiction{static_cast<Contradiction::Kind>(why.kind), why.observed, why.cause},
        prepared_.network());
  }

 private:
  model::PreparedAnchored prepared_;
  model::CausePosteriorOptions options_;
};

}  // namespace

std::unique_ptr<RowFamily> anchored_rows(const model::NoisyOrNetwork& network,
                                         const model::InferenceOptions& options) {
  return std::make_unique<AnchoredRows>(network, options);
}

family::MatchedRows match_anchored(const model::NoisyOrNetwork& network,
                                   const std::vector<std::string>& columns,
                                   const std::string& data_source,
                                   const std::string& model_source) {
  const data::ColumnUnions unions = columns_of(network, columns, data_source);
  family::warn_of_unused(columns, unions, model_source, data_source);
  return family::MatchedRows(unions.members);
}

}  // namespace orrery::noisy_or
