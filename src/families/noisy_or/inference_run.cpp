#include "families/noisy_or/inference_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>

#include "base/log.hpp"
#include "family/posterior_rows.hpp"
#include "family/row_batches.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
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
                const family::MatchedRows& matched, family::KeptBatches& batches,
                const TakeRows& take) {
  std::vector<std::unique_ptr<RowWorker>> workers;
  for (int t = 0; t < threads; ++t) workers.push_back(family.worker(top));
  family::for_each_batch<Found>(
      team, reader, matched, batch_rows, workers, batches,
      [&](const std::unique_ptr<RowWorker>& mine, std::uint64_t row,
          const family::MatchedRows& rows, Found& found) {
        mine->evaluate(row, rows.values(row % 64), rows.missing(row % 64));
        append_row(mine->answer(), min_posterior, top, found.rows);
        if (const auto why = mine->contradiction()) found.impossible.push_back({row, *why});
      },
      [&](const Found& found) { take(found.rows, found.impossible); });
}

}  // namespace orrery::noisy_or
