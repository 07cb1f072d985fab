#include "cli/inference_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>

#include "cli/row_batches.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/data/bit_transpose.hpp"

namespace orrery::cli {
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
  auto& rows = found.rows;
  visit(rows.log_evidence);
  visit(rows.log_evidence_error);
  visit(rows.method);
  visit(rows.effective_samples);
  visit(rows.n_listed);
  visit(rows.cause);
  visit(rows.probability);
  visit(rows.error);
  visit(rows.log_probability);
  visit(rows.proven);
  visit(rows.n_present);
  visit(rows.present);
  visit(found.impossible);
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

bool is_of_rows(const Found& found, std::size_t n_rows) {
  const store::PosteriorRows& rows = found.rows;
  const std::size_t n_explanations = rows.log_probability.size();
  return n_rows > 0 && rows.log_evidence.size() == n_rows &&
         rows.log_evidence_error.size() == n_rows && rows.method.size() == n_rows &&
         rows.effective_samples.size() == n_rows && rows.n_listed.size() == n_rows &&
         rows.cause.size() == sum_of(rows.n_listed) &&
         rows.probability.size() == rows.cause.size() && rows.error.size() == rows.cause.size() &&
         n_explanations % n_rows == 0 && rows.proven.size() == n_explanations &&
         rows.n_present.size() == n_explanations && rows.present.size() == sum_of(rows.n_present);
}

}  // namespace

void MatchedRows::transpose(const data::BitColumns& block, std::size_t first,
                            std::vector<std::uint64_t>& rows) const {
  rows.resize(64 * n_words());
  for (std::size_t word = 0; word < n_words(); ++word) {
    data::BitSquare square{};
    const std::size_t n = std::min<std::size_t>(64, members_.size() - 64 * word);
    for (std::size_t c = 0; c < n; ++c) {
      for (const std::size_t member : members_[64 * word + c]) {
        square[c] |= block.column(member)[first / 64];
      }
    }
    data::transpose(square);
    for (std::size_t r = 0; r < 64; ++r) rows[r * n_words() + word] = square[r];
  }
}

void MatchedRows::load(const store::SampleReader::Block& block, std::size_t first) {
  transpose(block.values, first, values_);
  missing_.clear();
  if (!block.missing) return;
  transpose(*block.missing, first, missing_);
  for (std::size_t i = 0; i < missing_.size(); ++i) missing_[i] &= ~values_[i];
}

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

std::vector<std::byte> pack_answers(const store::PosteriorRows& rows) {
  std::vector<std::byte> bytes;
  pack(0, Found{rows, {}}, bytes);
  return bytes;
}

store::PosteriorRows unpack_answers(const std::vector<std::byte>& bytes, std::size_t n_rows) {
  return unpack_batch<Found>(bytes, n_rows).rows;
}

void infer_rows(const parallel::Team& team, int threads, const RowFamily& family, std::uint32_t top,
                double min_posterior, const store::SampleReader& reader, const MatchedRows& matched,
                KeptBatches& batches, const TakeRows& take) {
  std::vector<std::unique_ptr<RowWorker>> workers;
  for (int t = 0; t < threads; ++t) workers.push_back(family.worker(top));
  for_each_batch<Found>(
      team, reader, matched, batch_rows, workers, batches,
      [&](const std::unique_ptr<RowWorker>& mine, std::uint64_t row, const MatchedRows& rows,
          Found& found) {
        mine->evaluate(row, rows.values(row % 64), rows.missing(row % 64));
        append_row(mine->answer(), min_posterior, top, found.rows);
        if (const auto why = mine->contradiction()) found.impossible.push_back({row, *why});
      },
      [&](const Found& found) { take(found.rows, found.impossible); });
}

}  // namespace orrery::cli
