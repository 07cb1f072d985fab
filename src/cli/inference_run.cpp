#include "cli/inference_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/data/bit_transpose.hpp"

namespace orrery::cli {
namespace {

/// Rows of a unit of work, and of what is gathered at once; they decide where rows come to lie in
/// the file, so they depend on nothing.
constexpr std::size_t unit_rows = 8;
constexpr std::size_t batch_rows = 4096;

/// "3 (ann, bob, cat)", at most five of them.
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string text = fmt::format("{} (", names.size());
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > shown ? ", ...)" : ")");
}

/// Place by name.
std::map<std::string, std::size_t> places_of(const std::vector<std::string>& names,
                                             const std::string& source) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [found, fresh] = places.emplace(names[i], i);
    if (!fresh) {
      throw InputError(
          fmt::format("{}: variables {} and {} are both called '{}', but columns are matched by "
                      "name; rename one of them",
                      source, found->second, i, names[i]));
    }
  }
  return places;
}

/// What a unit found, or several in order.
struct Found {
  store::PosteriorRows rows;
  std::vector<ImpossibleRow> impossible;
};

/// Calls visit(vector) for everything in it, in one order.
template <class Rows, class Visit>
void for_each_list(Rows& found, const Visit& visit) {
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

void pack(std::uint64_t unit, const Found& found, std::vector<std::byte>& bytes) {
  const auto add = [&](const void* from, std::size_t n) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + n);
  };
  add(&unit, sizeof unit);
  for_each_list(found, [&](const auto& list) {
    const std::uint64_t n = list.size();
    add(&n, sizeof n);
    add(list.data(), n * sizeof list[0]);
  });
}

void unpack(const std::vector<std::byte>& bytes, std::map<std::uint64_t, Found>& by_unit) {
  std::size_t at = 0;
  const auto take = [&](void* to, std::size_t n) {
    if (n > 0) std::memcpy(to, bytes.data() + at, n);
    at += n;
  };
  while (at < bytes.size()) {
    std::uint64_t unit = 0;
    take(&unit, sizeof unit);
    for_each_list(by_unit[unit], [&](auto& list) {
      std::uint64_t n = 0;
      take(&n, sizeof n);
      list.resize(n);
      take(list.data(), n * sizeof list[0]);
    });
  }
}

/// All ranks' units at root, in order.
Found gather(const parallel::Team& team, std::map<std::uint64_t, Found>& by_unit) {
  if (team.size() > 1) {
    std::vector<std::byte> bytes;
    for (const auto& [unit, found] : by_unit) pack(unit, found, bytes);
    by_unit.clear();
    for (const auto& part : team.gather_bytes(bytes)) unpack(part, by_unit);
  }
  Found all;
  for (const auto& [unit, found] : by_unit) {
    all.rows.append(found.rows);
    all.impossible.insert(all.impossible.end(), found.impossible.begin(), found.impossible.end());
  }
  return all;
}

/// A thread's own.
struct Worker {
  model::RowInference inference;
  MatchedRows rows;
  std::map<std::uint64_t, Found> by_unit;
};

}  // namespace

std::vector<std::size_t> match_columns(const model::NoisyOrNetwork& network,
                                       const std::vector<std::string>& columns,
                                       const std::string& model_source,
                                       const std::string& data_source) {
  std::vector<std::string> names;
  for (const auto& observed : network.observed()) names.push_back(observed.name);
  (void)places_of(names, model_source);
  std::map<std::string, std::size_t> places = places_of(columns, data_source);
  std::vector<std::size_t> matched;
  std::vector<std::string> lacking;
  for (const std::string& name : names) {
    const auto place = places.find(name);
    if (place == places.end()) {
      lacking.push_back(name);
      continue;
    }
    matched.push_back(place->second);
    places.erase(place);
  }
  std::vector<std::string> extra;
  for (const std::string& name : columns) {
    if (places.contains(name)) extra.push_back(name);
  }
  if (!lacking.empty()) {
    throw InputError(fmt::format(
        "{}: of the {} variables of {}, the data lack {}{}; columns are matched by name: rename "
        "them, or add those that nobody looked at, with every value missing",
        data_source, names.size(), model_source, list_names(lacking),
        extra.empty() ? "" : "; they have others: " + list_names(extra)));
  }
  if (!extra.empty()) {
    log::warning("{}: columns that {} does not have are not used: {}", data_source, model_source,
                 list_names(extra));
  }
  return matched;
}

void MatchedRows::transpose(const data::BitColumns& block, std::size_t first,
                            std::vector<std::uint64_t>& rows) const {
  rows.resize(64 * n_words());
  for (std::size_t word = 0; word < n_words(); ++word) {
    data::BitSquare square{};
    const std::size_t n = std::min<std::size_t>(64, columns_.size() - 64 * word);
    for (std::size_t c = 0; c < n; ++c) {
      square[c] = block.column(columns_[64 * word + c])[first / 64];
    }
    data::transpose(square);
    for (std::size_t r = 0; r < 64; ++r) rows[r * n_words() + word] = square[r];
  }
}

void MatchedRows::load(const store::SampleReader::Block& block, std::size_t first) {
  transpose(block.values, first, values_);
  missing_.clear();
  if (block.missing) transpose(*block.missing, first, missing_);
}

void append_row(const model::RowInference& inference, double min_posterior, std::uint32_t top,
                store::PosteriorRows& rows) {
  rows.log_evidence.push_back(inference.log_evidence());
  rows.log_evidence_error.push_back(inference.log_evidence_error());
  rows.method.push_back(static_cast<std::uint32_t>(inference.method()));
  rows.effective_samples.push_back(inference.effective_samples());
  const std::size_t before = rows.cause.size();
  const auto posterior = inference.posterior();
  for (std::uint32_t c = 0; c < posterior.size(); ++c) {
    if (!(posterior[c] >= min_posterior)) continue;
    rows.cause.push_back(c);
    rows.probability.push_back(posterior[c]);
    rows.error.push_back(inference.posterior_error()[c]);
  }
  rows.n_listed.push_back(rows.cause.size() - before);
  const auto explanations = inference.explanations();
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

void infer_rows(const parallel::Team& team, int threads, const model::InferenceNetwork& network,
                const model::InferenceOptions& options, double min_posterior,
                const store::SampleReader& reader, const std::vector<std::size_t>& columns,
                const TakeRows& take) {
  std::vector<Worker> workers;
  workers.reserve(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) {
    workers.push_back({model::RowInference(network, options), MatchedRows(columns), {}});
  }
  Progress progress("infer", reader.header().n_samples, "rows");
  Progress silent("", 0, "");
  std::uint64_t first_row = 0;  // of the block
  for (std::size_t b = 0; b < reader.n_blocks(); ++b) {
    const store::SampleReader::Block block = reader.read(b);
    const std::size_t n_rows = reader.rows_of(b);
    for (std::size_t batch = 0; batch < n_rows; batch += batch_rows) {
      const std::size_t end = std::min(n_rows, batch + batch_rows);
      const std::uint64_t n_units = (end - batch + unit_rows - 1) / unit_rows;
      team.for_each_unit(n_units, threads, silent, [&](std::uint64_t unit, int thread) {
        Worker& mine = workers[static_cast<std::size_t>(thread)];
        const std::size_t first = batch + unit * unit_rows;
        const std::size_t last = std::min(end, first + unit_rows);
        mine.rows.load(block, first / 64 * 64);
        Found& found = mine.by_unit[unit];
        for (std::size_t row = first; row < last; ++row) {
          mine.inference.evaluate(first_row + row, mine.rows.values(row % 64),
                                  mine.rows.missing(row % 64));
          append_row(mine.inference, min_posterior, options.top, found.rows);
          const auto& why = mine.inference.contradiction();
          if (why) found.impossible.push_back({first_row + row, *why});
        }
        progress.advance(last - first);
      });
      std::map<std::uint64_t, Found> by_unit;
      for (Worker& worker : workers) by_unit.merge(worker.by_unit);
      const Found all = gather(team, by_unit);
      for (Worker& worker : workers) worker.by_unit.clear();
      if (team.is_root()) take(all.rows, all.impossible);
      progress.set(first_row + end);
    }
    first_row += n_rows;
  }
}

}  // namespace orrery::cli
