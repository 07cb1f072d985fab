#include "families/noisy_or/inference_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>
#include <vector>

#include "families/noisy_or/command_inputs.hpp"
#include "family/matched_rows.hpp"
#include "model/cause_posterior.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {

// Rows of a network of independent causes.

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

namespace {

/// Rows that are gathered at once; they decide where rows come to lie in the file, so they depend
/// on nothing.
constexpr std::size_t batch_rows = 4096;

/// What a unit found, or several in order.
struct Found {
  store::PosteriorRows rows;
  std::vector<ImpossibleRow> impossible;

  void append(const Found& other) {
    rows.append(other.rows);
    impossible.insert(impossible.end(), other.impossible.begin(), other.impossible.end());
  }
};

/// Calls visit(vector) for everything in it, in one order.
template <class Any, class Visit>
requires std::same_as<std::remove_const_t<Any>, Found>
void for_each_list(Any& found, const Visit& visit) {
  for_each_list(found.rows, visit);
  visit(found.impossible);
}

bool is_of_rows(const Found& found, std::size_t n_rows) { return is_of_rows(found.rows, n_rows); }

}  // namespace

void append_row(const RowAnswer& answer, double min_posterior, std::uint32_t top,
                store::PosteriorRows& rows) {
  rows.log_evidence.push_back(answer.log_evidence);
  rows.log_evidence_error.push_back(answer.log_evidence_error);
  rows.method.push_back(static_cast<std::uint32_t>(answer.method));
  rows.effective_samples.push_back(answer.effective_samples);
  const std::size_t before = rows.cause.size();
  const auto posterior = answer.posterior;
  for (std::uint32_t c = 0; c < posterior.size(); ++c) {
    if (!(posterior[c] >= min_posterior)) continue;
    rows.cause.push_back(c);
    rows.probability.push_back(posterior[c]);
    rows.error.push_back(answer.posterior_error[c]);
  }
  rows.n_listed.push_back(rows.cause.size() - before);
  const auto explanations = answer.explanations;
  for (std::size_t i = 0; i < top; ++i) {
    const bool is_there = i < explanations.size();
    rows.log_probability.push_back(is_there ? explanations[i].log_probability
                                            : std::numeric_limits<double>::quiet_NaN());
    rows.proven.push_back(is_there && explanations[i].proven ? 1 : 0);
    rows.n_present.push_back(is_there ? explanations[i].present.size() : 0);
    if (!is_there) continue;
    rows.present.insert(rows.present.end(), explanations[i].present.begin(),
                        explanations[i].present.end());
  }
}

void infer_rows(const parallel::Team& team, int threads, const RowFamily& family, std::uint32_t top,
                double min_posterior, const store::SampleReader& reader,
                const family::MatchedRows& matched, std::uint64_t most_rows,
                family::KeptBatches& batches, const TakeRows& take) {
  std::vector<std::unique_ptr<RowWorker>> workers;
  for (int t = 0; t < threads; ++t) workers.push_back(family.worker(top));
  family::for_each_batch<Found>(
      team, reader, matched, most_rows, batch_rows, workers, batches,
      [&](const std::unique_ptr<RowWorker>& mine, std::uint64_t row,
          const family::MatchedRows& rows, Found& found) {
        mine->evaluate(row, rows.values(row % 64), rows.missing(row % 64));
        append_row(mine->answer(), min_posterior, top, found.rows);
        if (const auto why = mine->contradiction()) found.impossible.push_back({row, *why});
      },
      [&](const Found& found) { take(found.rows, found.impossible); });
}

}  // namespace orrery::noisy_or
