// What kept rows contribute under another network. Sums are of integers, so that any number of
// threads and ranks add up to the same bytes.
#include "families/noisy_or/quartet/signatures/active_expectation.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "families/noisy_or/quartet/signatures/structure_sums.hpp"
#include "parallel/ledger.hpp"

namespace orrery::quartet {
namespace {

constexpr std::uint32_t no_cause = model::SparsePosterior::none;

/// Where sums are, in fixed-point words.
struct ActiveParts {
  SumLayout words;
  std::size_t present, leaked, linked, shared, unseen, likelihood;

  explicit ActiveParts(const model::NoisyOrNetwork& network)
      : present(words.part(network.n_causes())),
        leaked(words.part(network.n_observed())),
        linked(words.part(network.n_observed())),
        shared(words.part(network.edges().size())),
        unseen(words.part(network.edges().size())),
        likelihood(words.part(1)) {}
};

/// One thread's way through the rows that are kept.
class ActiveCollector {
 public:
  ActiveCollector(const model::SparseNetwork& prepared, const ActiveParts& parts,
                  const std::vector<std::uint32_t>& cause_now, model::Candidates which)
      : prepared_(&prepared),
        parts_(&parts),
        cause_now_(&cause_now),
        row_(prepared, which),
        words_(parts.words.size(), 0),
        is_missing_(prepared.n_observed(), 0) {}

  void add_structure(const model::NoisyOrNetwork& network) { structure_.emplace(network); }

  void add(const PackedCells& packed) {
    packed.unpack(cells_);
    for (std::size_t i = 0; i < cells_.size();) {
      const std::uint32_t n_causes = cells_[i];
      const auto rest = std::span(cells_).subspan(i + 3);
      causes_.clear();
      for (const std::uint32_t u : rest.first(n_causes)) {
        if ((*cause_now_)[u] != no_cause) causes_.push_back((*cause_now_)[u]);
      }
      const auto on = rest.subspan(n_causes, cells_[i + 1]);
      const auto missing = rest.subspan(n_causes + cells_[i + 1], cells_[i + 2]);
      i += 3 + n_causes + on.size() + missing.size();
      if (causes_.empty()) continue;
      row_.evaluate_among(causes_, on, missing);
      add_row();
      if (!missing.empty()) add_unseen(missing);
      if (!structure_) continue;
      structure_->add(row_, *prepared_, [&](const auto& visit) {
        for (const std::uint32_t a : missing) visit(a);
      });
    }
  }

  std::vector<std::uint64_t>& words() { return words_; }
  std::optional<StructureSums>& structure() { return structure_; }

 private:
  void add_row() {
    add_fixed(words_[parts_->likelihood], row_.log_likelihood(), coarse);
    for (std::size_t l = 0; l < row_.on().size(); ++l) {
      const std::uint32_t a = row_.on()[l];
      const double leak = 1 - prepared_->quiet(a);
      add_fixed(words_[parts_->leaked + a], leak * row_.inverse()[l], fine);
      ++words_[parts_->linked + a];
    }
    for (const auto& candidate : row_.candidates()) {
      add_fixed(words_[parts_->present + candidate.cause], candidate.posterior, fine);
      for (const auto& link : row_.links(candidate)) {
        add_fixed(words_[parts_->shared + link.edge],
                  std::min(link.shared, constants::signatures::most_shared), fine);
      }
    }
  }

  void add_unseen(std::span<const std::uint32_t> missing) {
    for (const std::uint32_t a : missing) is_missing_[a] = 1;
    for (const auto& candidate : row_.candidates()) {
      std::size_t edge = prepared_->first_child(candidate.cause);
      for (const auto& child : prepared_->children(candidate.cause)) {
        if (is_missing_[child.observed] != 0)
          add_fixed(words_[parts_->unseen + edge], candidate.posterior, fine);
        ++edge;
      }
    }
    for (const std::uint32_t a : missing) is_missing_[a] = 0;
  }

  const model::SparseNetwork* prepared_;
  const ActiveParts* parts_;
  const std::vector<std::uint32_t>* cause_now_;
  model::SparsePosterior row_;
  std::vector<std::uint64_t> words_;
  std::optional<StructureSums> structure_;
  std::vector<std::uint8_t> is_missing_;
  std::vector<std::uint32_t> causes_, cells_;
};

void add_to(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& others) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += others[i];
}

/// `all` without what `part` says: may fall below 0.
Expectation without(Expectation all, const Expectation& part) {
  const auto leave = [](std::vector<double>& values, const std::vector<double>& of_part) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= of_part[i];
  };
  all.log_likelihood -= part.log_likelihood;
  leave(all.present, part.present);
  leave(all.shared, part.shared);
  leave(all.inverse, part.inverse);
  leave(all.unseen, part.unseen);
  return all;
}

/// Both together: of so many rows as `rest` says. What would be below 0 is 0.
Expectation joined(const Expectation& rest, const Expectation& part) {
  Expectation all = rest;
  const auto join = [](std::vector<double>& values, const std::vector<double>& of_part) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::max(of_part[i] + values[i], 0.0);
  };
  all.log_likelihood = part.log_likelihood + rest.log_likelihood;
  join(all.present, part.present);
  join(all.shared, part.shared);
  join(all.inverse, part.inverse);
  join(all.unseen, part.unseen);
  return all;
}

}  // namespace

ActiveExpectation::Rows ActiveExpectation::gathered(std::vector<KeptRows>& kept,
                                                    ActiveRows KeptRows::*which) const {
  Rows rows;
  std::vector<std::uint64_t> n_rows(1, 0);
  rows.n_touched.assign(cause_now_.size(), 0);
  rows.n_on.assign(rest_.inverse.size(), 0);
  rows.n_missing.assign(rest_.inverse.size(), 0);
  for (KeptRows& of_thread : kept) {
    ActiveRows& some = of_thread.*which;
    n_rows[0] += some.n_rows;
    add_to(rows.n_touched, some.n_touched);
    add_to(rows.n_on, some.n_on);
    add_to(rows.n_missing, some.n_missing);
    std::ranges::move(some.pieces, std::back_inserter(rows.pieces));
  }
  std::ranges::stable_sort(rows.pieces, {}, &PackedRows::cause);
  for (auto* counts : {&n_rows, &rows.n_touched, &rows.n_on, &rows.n_missing})
    team_->sum_words(*counts);
  rows.n_rows = n_rows[0];
  return rows;
}

ActiveExpectation::ActiveExpectation(const learning::RowPass& rows,
                                     const model::NoisyOrNetwork& network, Expectation whole,
                                     std::vector<KeptRows> kept)
    : team_(&rows.team()),
      n_threads_(rows.n_threads()),
      which_(candidates_of(rows)),
      cause_now_(network.n_causes()),
      edges_(network.edges()),
      rest_(std::move(whole)) {
  for (std::uint32_t u = 0; u < network.n_causes(); ++u) cause_now_[u] = u;
  sample_ = gathered(kept, &KeptRows::sample);
  others_ = gathered(kept, &KeptRows::others);
  const model::SparseNetwork prepared(network);
  std::vector<std::uint64_t> words = sums_over(sample_, network, prepared, nullptr);
  const Expectation of_sample = expected(network, prepared, sample_, words, scale());
  if (has_others()) {
    add_to(words, sums_over(others_, network, prepared, nullptr));
    rest_of_all_ = without(rest_, expected(network, prepared, all_counts(), words, 1));
  }
  rest_ = without(std::move(rest_), of_sample);
}

std::vector<std::uint64_t> ActiveExpectation::sums_over(const Rows& rows,
                                                        const model::NoisyOrNetwork& network,
                                                        const model::SparseNetwork& prepared,
                                                        StructureSums* structure) const {
  const ActiveParts parts(network);
  std::vector<ActiveCollector> collectors(static_cast<std::size_t>(n_threads_),
                                          ActiveCollector(prepared, parts, cause_now_, which_));
  if (structure != nullptr) {
    for (ActiveCollector& one : collectors) one.add_structure(network);
  }
  {
    const parallel::SharedTime time(n_threads_);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads_)
    for (std::size_t i = 0; i < rows.pieces.size(); ++i) {
      collectors[static_cast<std::size_t>(omp_get_thread_num())].add(rows.pieces[i].cells);
    }
  }
  std::vector<std::uint64_t>& words = collectors[0].words();
  for (std::size_t t = 1; t < collectors.size(); ++t) add_to(words, collectors[t].words());
  team_->sum_words(words);
  if (structure != nullptr) {
    for (ActiveCollector& one : collectors) structure->join(*one.structure());
  }
  return std::move(words);
}

ActiveExpectation::Rows ActiveExpectation::all_counts() const {
  Rows all{sample_.n_rows + others_.n_rows, sample_.n_touched, sample_.n_on, sample_.n_missing, {}};
  add_to(all.n_touched, others_.n_touched);
  add_to(all.n_on, others_.n_on);
  add_to(all.n_missing, others_.n_missing);
  return all;
}

Expectation ActiveExpectation::expected(const model::NoisyOrNetwork& network,
                                        const model::SparseNetwork& prepared, const Rows& counts,
                                        const std::vector<std::uint64_t>& words, double scale) {
  const ActiveParts parts(network);
  const auto sums = [&](std::size_t first, std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = scale * real(words[first + i], fine);
    return values;
  };
  Expectation found;
  found.present = sums(parts.present, network.n_causes());
  found.shared = sums(parts.shared, network.edges().size());
  found.unseen = sums(parts.unseen, network.edges().size());
  found.inverse = sums(parts.leaked, network.n_observed());
  const auto n_rows = static_cast<double>(counts.n_rows);
  double likelihood = real(words[parts.likelihood], coarse) + n_rows * prepared.log_silent();
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto n_touched = static_cast<double>(counts.n_touched[u]);
    found.present[u] += scale * (n_rows - n_touched) * prepared.quiet_posterior(u);
    likelihood -= n_touched * prepared.log_sum(u);
  }
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    const double leak = 1 - prepared.quiet(a);
    const auto alone = static_cast<double>(counts.n_on[a] - words[parts.linked + a]);
    found.inverse[a] = (found.inverse[a] + scale * alone) / leak;
    likelihood += alone * (std::log(leak) - prepared.log_quiet(a)) -
                  static_cast<double>(counts.n_missing[a]) * prepared.log_quiet(a);
  }
  found.log_likelihood = scale * likelihood;
  return found;
}

Expectation ActiveExpectation::at(const model::NoisyOrNetwork& network) const {
  const model::SparseNetwork prepared(network);
  const std::vector<std::uint64_t> words = sums_over(sample_, network, prepared, nullptr);
  return joined(rest_, expected(network, prepared, sample_, words, scale()));
}

Expectation ActiveExpectation::by_all(const model::NoisyOrNetwork& network,
                                      StructureSums* structure) {
  const model::SparseNetwork prepared(network);
  std::vector<std::uint64_t> words = sums_over(sample_, network, prepared, structure);
  const Expectation of_sample = expected(network, prepared, sample_, words, scale());
  if (!has_others()) return joined(rest_, of_sample);
  add_to(words, sums_over(others_, network, prepared, structure));
  Expectation found = joined(rest_of_all_, expected(network, prepared, all_counts(), words, 1));
  rest_ = without(found, of_sample);
  return found;
}

Expectation ActiveExpectation::at_by_all(const model::NoisyOrNetwork& network) {
  return by_all(network, nullptr);
}

SparseExpectation ActiveExpectation::judge(const model::NoisyOrNetwork& network,
                                           double least_gain) {
  StructureSums sums(network);
  SparseExpectation found;
  found.expected = by_all(network, &sums);
  sums.sum(*team_);
  add_structure(*team_, network, sums, least_gain, found);
  return found;
}

void ActiveExpectation::follow(const model::NoisyOrNetwork& next,
                               const std::vector<std::size_t>& kept) {
  constexpr std::size_t gone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> now(sample_.n_touched.size(), gone);
  for (std::size_t k = 0; k < kept.size(); ++k) now[kept[k]] = k;
  for (std::uint32_t& u : cause_now_) {
    if (u != no_cause) u = now[u] == gone ? no_cause : static_cast<std::uint32_t>(now[u]);
  }
  const auto of_causes = [&](auto& values) {
    auto before = std::move(values);
    values.clear();
    for (const std::size_t u : kept) values.push_back(before[u]);
  };
  // Edges are in the order of their causes and variables, before and after.
  std::vector<std::size_t> edge_before(next.edges().size(), gone);
  std::size_t e = 0;
  for (std::size_t old = 0; old < edges_.size(); ++old) {
    const std::size_t u = now[edges_[old].cause];
    if (u == gone) continue;
    const std::pair key(u, edges_[old].observed);
    const auto at = [&] {
      return std::pair<std::size_t, std::uint32_t>(next.edges()[e].cause, next.edges()[e].observed);
    };
    while (e < edge_before.size() && at() < key) ++e;
    if (e < edge_before.size() && at() == key) edge_before[e] = old;
  }
  const auto of_edges = [&](std::vector<double>& values) {
    const std::vector<double> before = std::move(values);
    values.assign(edge_before.size(), 0);
    for (std::size_t i = 0; i < edge_before.size(); ++i) {
      if (edge_before[i] != gone) values[i] = before[edge_before[i]];
    }
  };
  of_causes(sample_.n_touched);
  of_causes(others_.n_touched);
  for (Expectation* rest : {&rest_, &rest_of_all_}) {
    if (rest->present.empty()) continue;  // that of all, where the sample is all
    of_causes(rest->present);
    of_edges(rest->shared);
    of_edges(rest->unseen);
  }
  edges_ = next.edges();
}

}  // namespace orrery::quartet
