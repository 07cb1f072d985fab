// Rows that are kept, and what they contribute under another network. Sums are of integers, so that
// any number of threads and ranks add up to the same bytes.
#include "families/noisy_or/quartet/signatures/active_rows.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "parallel/ledger.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t piece_cells = std::size_t{1} << 16;
constexpr std::uint32_t no_cause = model::SparsePosterior::none;

}  // namespace

PackedCells::PackedCells(std::span<const std::uint32_t> cells) {
  if (std::ranges::all_of(cells, [](std::uint32_t x) { return x <= 0xFFFF; })) {
    narrow_.assign(cells.begin(), cells.end());
  } else {
    wide_.assign(cells.begin(), cells.end());
  }
}

void PackedCells::unpack(std::vector<std::uint32_t>& cells) const {
  if (wide_.empty()) {
    cells.assign(narrow_.begin(), narrow_.end());
  } else {
    cells = wide_;
  }
}

void ActiveRows::add(const model::SparsePosterior& row, std::span<const std::uint64_t> missing) {
  ++n_rows;
  for (const std::uint32_t a : row.on()) ++n_on[a];
  touched_.add(row.touched());
  data::for_each_bit(missing, [&](std::size_t a) { ++n_missing[a]; });
  if (cells_.size() + row.on().size() > piece_cells) pack();
  cells_.reserve(piece_cells);
  std::vector<std::uint32_t>& cells = cells_;
  const std::size_t head = cells.size();
  cells.insert(cells.end(), {0, 0, 0});
  for (const auto& candidate : row.candidates()) {
    if (candidate.posterior >= constants::signatures::active_posterior || row.is_open(candidate))
      cells.push_back(candidate.cause);
  }
  const std::size_t n_causes = cells.size() - head - 3;
  if (n_causes == 0) return cells.resize(head);
  cells[head] = static_cast<std::uint32_t>(n_causes);
  cells[head + 1] = static_cast<std::uint32_t>(row.on().size());
  cells.insert(cells.end(), row.on().begin(), row.on().end());
  const std::size_t before = cells.size();
  data::for_each_bit(missing,
                     [&](std::size_t a) { cells.push_back(static_cast<std::uint32_t>(a)); });
  cells[head + 2] = static_cast<std::uint32_t>(cells.size() - before);
}

void ActiveRows::pack() {
  if (!cells_.empty()) pieces.emplace_back(cells_);
  cells_.clear();
}

void ActiveRows::end() {
  pack();
  const std::vector<std::uint64_t>& counts = touched_.counts();
  std::copy_n(counts.begin(), n_touched.size(), n_touched.begin());
}

model::Candidates candidates_of(const learning::RowPass& rows) {
  return rows.n_rows() * rows.step() < constants::signatures::first_step_rows
             ? model::Candidates::all
             : model::Candidates::likely;
}

std::uint64_t active_step(const learning::RowPass& rows, const model::NoisyOrNetwork& network) {
  // Of missing values it is known only that they are no more than there are variables.
  const std::size_t m = network.n_observed();
  double cells = 5 + (rows.may_miss() ? .5 * static_cast<double>(m) : 0);
  std::vector<double> off(m);
  for (std::size_t a = 0; a < m; ++a) off[a] = 1 - network.observed()[a].leak;
  for (const model::Edge& edge : network.edges())
    off[edge.observed] *= 1 - network.causes()[edge.cause].prior * (1 - edge.failure);
  for (const double share : off) cells += 1 - share;
  const double bytes = std::max(m, network.n_causes()) > 0xFFFF ? 4 : 2;
  return static_cast<std::uint64_t>(static_cast<double>(rows.n_rows()) * cells * bytes /
                                    constants::signatures::most_active_bytes) +
         1;
}

namespace {

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

}  // namespace

ActiveExpectation::ActiveExpectation(const learning::RowPass& rows,
                                     const model::NoisyOrNetwork& network, Expectation whole,
                                     std::vector<ActiveRows> kept)
    : team_(&rows.team()),
      n_threads_(rows.n_threads()),
      which_(candidates_of(rows)),
      n_touched_(network.n_causes(), 0),
      n_on_(network.n_observed(), 0),
      n_missing_(network.n_observed(), 0),
      cause_now_(network.n_causes()),
      edges_(network.edges()),
      rest_(std::move(whole)) {
  const auto take = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  };
  std::vector<std::uint64_t> n_rows(1, 0);
  for (ActiveRows& some : kept) {
    n_rows[0] += some.n_rows;
    take(n_touched_, some.n_touched);
    take(n_on_, some.n_on);
    take(n_missing_, some.n_missing);
    std::ranges::move(some.pieces, std::back_inserter(pieces_));
  }
  for (auto* counts : {&n_rows, &n_touched_, &n_on_, &n_missing_}) team_->sum_words(*counts);
  n_kept_ = n_rows[0];
  scale_ = rest_.n_rows / static_cast<double>(std::max<std::uint64_t>(n_kept_, 1));
  for (std::uint32_t u = 0; u < network.n_causes(); ++u) cause_now_[u] = u;
  const Expectation active = of_active(network);
  const auto leave = [](std::vector<double>& all, const std::vector<double>& part) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] -= part[i];
  };
  rest_.log_likelihood -= active.log_likelihood;
  leave(rest_.present, active.present);
  leave(rest_.shared, active.shared);
  leave(rest_.inverse, active.inverse);
  leave(rest_.unseen, active.unseen);
}

Expectation ActiveExpectation::of_active(const model::NoisyOrNetwork& network,
                                         StructureSums* structure) const {
  const model::SparseNetwork prepared(network);
  const ActiveParts parts(network);
  std::vector<ActiveCollector> collectors(static_cast<std::size_t>(n_threads_),
                                          ActiveCollector(prepared, parts, cause_now_, which_));
  if (structure != nullptr) {
    for (ActiveCollector& one : collectors) one.add_structure(network);
  }
  {
    const parallel::SharedTime time(n_threads_);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads_)
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      collectors[static_cast<std::size_t>(omp_get_thread_num())].add(pieces_[i]);
    }
  }
  std::vector<std::uint64_t>& words = collectors[0].words();
  for (std::size_t t = 1; t < collectors.size(); ++t) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] += collectors[t].words()[i];
  }
  team_->sum_words(words);
  if (structure != nullptr) {
    for (std::size_t t = 1; t < collectors.size(); ++t) {
      collectors[0].structure()->join(*collectors[t].structure());
    }
    *structure = std::move(*collectors[0].structure());
    structure->sum(*team_);
  }
  const auto sums = [&](std::size_t first, std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = scale_ * real(words[first + i], fine);
    return values;
  };
  Expectation found;
  found.present = sums(parts.present, network.n_causes());
  found.shared = sums(parts.shared, network.edges().size());
  found.unseen = sums(parts.unseen, network.edges().size());
  found.inverse = sums(parts.leaked, network.n_observed());
  const auto n_rows = static_cast<double>(n_kept_);
  double likelihood = real(words[parts.likelihood], coarse) + n_rows * prepared.log_silent();
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto n_touched = static_cast<double>(n_touched_[u]);
    found.present[u] += scale_ * (n_rows - n_touched) * prepared.quiet_posterior(u);
    likelihood -= n_touched * prepared.log_sum(u);
  }
  for (std::size_t a = 0; a < network.n_observed(); ++a) {
    const double leak = 1 - prepared.quiet(a);
    const auto alone = static_cast<double>(n_on_[a] - words[parts.linked + a]);
    found.inverse[a] = (found.inverse[a] + scale_ * alone) / leak;
    likelihood += alone * (std::log(leak) - prepared.log_quiet(a)) -
                  static_cast<double>(n_missing_[a]) * prepared.log_quiet(a);
  }
  found.log_likelihood = scale_ * likelihood;
  return found;
}

Expectation ActiveExpectation::at(const model::NoisyOrNetwork& network) const {
  Expectation found = of_active(network);
  add_rest(found);
  return found;
}

SparseExpectation ActiveExpectation::judge(const model::NoisyOrNetwork& network,
                                           double least_gain) const {
  StructureSums sums(network);
  SparseExpectation found;
  found.expected = of_active(network, &sums);
  add_rest(found.expected);
  add_structure(*team_, network, sums, least_gain, found);
  return found;
}

void ActiveExpectation::add_rest(Expectation& found) const {
  const auto join = [](std::vector<double>& part, const std::vector<double>& rest) {
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = std::max(part[i] + rest[i], 0.0);
  };
  join(found.present, rest_.present);
  join(found.shared, rest_.shared);
  join(found.inverse, rest_.inverse);
  join(found.unseen, rest_.unseen);
  found.log_likelihood += rest_.log_likelihood;
  found.n_rows = rest_.n_rows;
  found.n_truncated = rest_.n_truncated;
  found.rows_observed = rest_.rows_observed;
}

void ActiveExpectation::follow(const model::NoisyOrNetwork& next,
                               const std::vector<std::size_t>& kept) {
  constexpr std::size_t gone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> now(n_touched_.size(), gone);
  std::vector<std::uint64_t> n_touched;
  std::vector<double> present;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    now[kept[k]] = k;
    n_touched.push_back(n_touched_[kept[k]]);
    present.push_back(rest_.present[kept[k]]);
  }
  for (std::uint32_t& u : cause_now_) {
    if (u != no_cause) u = now[u] == gone ? no_cause : static_cast<std::uint32_t>(now[u]);
  }
  // Edges are in the order of their causes and variables, before and after.
  std::vector<double> shared(next.edges().size(), 0);
  std::vector<double> unseen(next.edges().size(), 0);
  std::size_t e = 0;
  for (std::size_t old = 0; old < edges_.size(); ++old) {
    const std::size_t u = now[edges_[old].cause];
    if (u == gone) continue;
    const std::pair key(u, edges_[old].observed);
    const auto at = [&] {
      return std::pair<std::size_t, std::uint32_t>(next.edges()[e].cause, next.edges()[e].observed);
    };
    while (e < shared.size() && at() < key) ++e;
    if (e == shared.size() || at() != key) continue;
    shared[e] = rest_.shared[old];
    unseen[e] = rest_.unseen[old];
  }
  n_touched_ = std::move(n_touched);
  rest_.present = std::move(present);
  rest_.shared = std::move(shared);
  rest_.unseen = std::move(unseen);
  edges_ = next.edges();
}

}  // namespace orrery::quartet
