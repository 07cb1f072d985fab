#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "learning/row_slices.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::quartet {
namespace {

using model::SparsePosterior;

/// Where sums are: in those of a RowPass, and in fine words of a thread's own.
struct Parts {
  SumLayout layout, words;
  std::size_t likelihood, inverse, n_missing;
  std::size_t present, shared, unseen;

  Parts(const model::NoisyOrNetwork& network, bool may_miss)
      : likelihood(layout.part(2)),
        inverse(layout.part(network.n_observed())),
        n_missing(layout.part(may_miss ? network.n_observed() : 0)),
        present(words.part(network.n_causes())),
        shared(words.part(network.edges().size())),
        unseen(words.part(may_miss ? network.edges().size() : 0)) {}
};

/// What one thread's rows attribute to each of the causes, and to the leaks. Variables go to what
/// has more likely than not switched them on.
class Attributor {
 public:
  explicit Attributor(const model::SparseNetwork& network)
      : network_(network), attributed_(network.n_causes() + 1) {}

  void add(const SparsePosterior& row) {
    variables_.clear();
    for (std::size_t i = 0; i < row.on().size(); ++i) {
      const std::uint32_t a = row.on()[i];
      if ((1 - network_.quiet(a)) * row.inverse()[i] > constants::signatures::likely_cause)
        variables_.push_back(a);
    }
    attributed_.back().add_row(variables_);
    for (const auto& candidate : row.candidates()) {
      if (candidate.posterior < constants::signatures::surely_present) continue;
      variables_.clear();
      for (const auto& link : row.links(candidate)) {
        if ((1 - link.failure) * link.shared > constants::signatures::likely_cause)
          variables_.push_back(row.on()[link.on]);
      }
      attributed_[candidate.cause].add_row(variables_);
    }
  }

  /// Takes over what the other has.
  void join(Attributor& other) {
    for (std::size_t u = 0; u < attributed_.size(); ++u) attributed_[u].add(other.attributed_[u]);
    other.attributed_ = {};
  }
  std::vector<Attribution>& attributed() { return attributed_; }

 private:
  const model::SparseNetwork& network_;
  std::vector<Attribution> attributed_;  // n + 1
  std::vector<std::uint32_t> variables_;
};

/// One thread's way through the rows.
class Collector {
 public:
  Collector(const model::NoisyOrNetwork& network, const model::SparseNetwork& prepared,
            const Parts& parts, model::Candidates which, Missing missing, Keep keep)
      : m_(network.n_observed()),
        n_(network.n_causes()),
        edges_(network.edges()),
        prepared_(prepared),
        parts_(parts),
        row_(prepared, which),
        touched_(network.n_causes()),
        words_(parts.words.size(), 0),
        keep_(keep) {
    if (missing != Missing::ignore) structure_.emplace(network);
    if (missing == Missing::find) attributor_.emplace(prepared);
    if (keep.sample_step > 0) kept_.emplace(KeptRows{{n_, m_}, {n_, m_}});
  }

  /// `number`: of the block among those of the pass.
  void add_block(const learning::RowBlock& block, std::uint64_t number, std::span<double> into) {
    ActiveRows* keeps = nullptr;
    if (kept_ && number % keep_.sample_step == 0) {
      keeps = &kept_->sample;
    } else if (kept_ && keep_.others) {
      keeps = &kept_->others;
    }
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      row_.evaluate(block.row(r), block.missing_in(r));
      add_expectation(into);
      add_unseen(block.missing_in(r), into);
      if (keeps != nullptr) keeps->add(row_, block.missing_in(r));
      if (structure_) {
        structure_->add(row_, prepared_,
                        [&](const auto& visit) { data::for_each_bit(block.missing_in(r), visit); });
      }
      if (attributor_) attributor_->add(row_);
    }
  }

  /// The last rows.
  void end() {
    const std::vector<std::uint64_t>& n_touched = touched_.counts();
    for (std::size_t u = 0; u < n_; ++u) {
      words_[parts_.present + u] += n_touched[u] * absent_word(u);
    }
    if (!kept_) return;
    kept_->sample.end();
    kept_->others.end();
  }

  std::vector<std::uint64_t>& words() { return words_; }
  std::optional<StructureSums>& structure() { return structure_; }
  std::optional<Attributor>& attributor() { return attributor_; }
  std::optional<KeptRows>& kept() { return kept_; }

 private:
  void add_expectation(std::span<double> into) {
    into[parts_.likelihood] += row_.log_likelihood();
    into[parts_.likelihood + 1] += row_.truncated() ? 1 : 0;
    touched_.add(row_.touched());
    for (const std::uint32_t u : row_.unseen()) add_present(u, row_.posterior(u));
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      into[parts_.inverse + row_.on()[i]] += row_.inverse()[i];
    }
    for (const auto& candidate : row_.candidates()) {
      add_present(candidate.cause, candidate.posterior);
      if (candidate.posterior < negligible) continue;
      for (const auto& link : row_.links(candidate)) {
        add_fixed(words_[parts_.shared + link.edge],
                  std::min(link.shared, constants::signatures::most_shared), fine);
      }
    }
  }

  /// What a cause with this posterior adds beside one that is touched and absent.
  void add_present(std::size_t u, double posterior) {
    add_fixed(words_[parts_.present + u], posterior - prepared_.quiet_posterior(u), fine);
    words_[parts_.present + u] -= absent_word(u);
  }
  [[nodiscard]] std::uint64_t absent_word(std::size_t u) const {
    std::uint64_t word = 0;
    add_fixed(word, -prepared_.quiet_posterior(u), fine);
    return word;
  }

  void add_unseen(std::span<const std::uint64_t> missing, std::span<double> into) {
    data::for_each_bit(missing, [&](std::size_t a) {
      into[parts_.n_missing + a] += 1;
      for (const auto& parent : prepared_.parents(a)) {
        const std::uint32_t cause = edges_[parent.edge].cause;
        add_fixed(words_[parts_.unseen + parent.edge], row_.posterior(cause), fine);
      }
    });
  }

  std::size_t m_, n_;
  std::span<const model::Edge> edges_;
  const model::SparseNetwork& prepared_;
  const Parts& parts_;
  SparsePosterior row_;
  BitCounts touched_;
  std::vector<std::uint64_t> words_;
  std::optional<StructureSums> structure_;
  std::optional<Attributor> attributor_;
  Keep keep_;
  std::optional<KeptRows> kept_;
};

/// All threads' and ranks', in the first collector.
void gather(const parallel::Team& team, std::vector<Collector>& collectors) {
  Collector& all = collectors[0];
  const auto take = [](std::vector<std::uint64_t>& to, std::vector<std::uint64_t>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    from = {};
  };
  for (std::size_t t = 1; t < collectors.size(); ++t) {
    take(all.words(), collectors[t].words());
    if (all.structure()) all.structure()->join(*collectors[t].structure());
    if (all.attributor()) all.attributor()->join(*collectors[t].attributor());
  }
  if (team.size() > 1) team.sum_words(all.words());
  if (all.structure()) all.structure()->sum(team);
}

}  // namespace

model::Candidates candidates_of(const learning::RowPass& rows) {
  return rows.n_rows() * rows.step() < constants::signatures::first_step_rows
             ? model::Candidates::all
             : model::Candidates::likely;
}

void add_structure(const parallel::Team& team, const model::NoisyOrNetwork& network,
                   const StructureSums& sums, double least_gain, SparseExpectation& found) {
  found.on_with = sums.on_with();
  found.without_cause = sums.without_cause();
  found.together = sums.together();
  found.missing =
      sums.missing_edges(team, network, found.expected.present, found.expected.n_rows, least_gain);
}

SparseExpectation expect_sparse(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                                Missing missing, double gain_needed, Keep keep) {
  const std::size_t n = network.n_causes();
  const std::size_t n_edges = network.edges().size();
  const model::SparseNetwork prepared(network);
  const Parts parts(network, rows.may_miss());
  std::vector<Collector> collectors;  // made in place: each takes 24 bytes per cause and variable
  collectors.reserve(static_cast<std::size_t>(rows.n_threads()));
  for (int thread = 0; thread < rows.n_threads(); ++thread) {
    collectors.emplace_back(network, prepared, parts, candidates_of(rows), missing, keep);
  }
  const std::vector<double> sums =
      rows.sum(parts.layout.size(),
               [&](const learning::RowBlock& block, int thread, std::span<double> into) {
                 const std::uint64_t number = block.first_row / learning::rows_of_sum / rows.step();
                 collectors[static_cast<std::size_t>(thread)].add_block(block, number, into);
               });
  for (Collector& one : collectors) one.end();
  gather(rows.team(), collectors);
  Collector& all = collectors[0];
  SparseExpectation found;
  Expectation& expected = found.expected;
  expected.n_rows = static_cast<double>(rows.n_rows());
  expected.log_likelihood = sums[parts.likelihood];
  expected.n_truncated = sums[parts.likelihood + 1];
  expected.inverse = slice(sums, parts.inverse, network.n_observed());
  expected.present = reals(all.words(), parts.present, n);
  for (std::size_t u = 0; u < n; ++u) {
    expected.present[u] += expected.n_rows * prepared.quiet_posterior(u);
  }
  expected.shared = reals(all.words(), parts.shared, n_edges);
  expected.unseen.assign(n_edges, 0);
  expected.rows_observed.assign(network.n_observed(), expected.n_rows);
  if (rows.may_miss()) {
    expected.unseen = reals(all.words(), parts.unseen, n_edges);
    for (std::size_t a = 0; a < network.n_observed(); ++a) {
      expected.rows_observed[a] -= sums[parts.n_missing + a];
    }
  }
  for (Collector& one : collectors) {
    if (one.kept()) found.kept.push_back(std::move(*one.kept()));
  }
  if (all.attributor()) found.attributed = std::move(all.attributor()->attributed());
  if (all.structure()) add_structure(rows.team(), network, *all.structure(), gain_needed, found);
  return found;
}

std::vector<Attribution> attribute(const learning::RowPass& rows,
                                   const model::NoisyOrNetwork& network) {
  const model::SparseNetwork prepared(network);
  const auto n_threads = static_cast<std::size_t>(rows.n_threads());
  std::vector<SparsePosterior> posteriors(n_threads,
                                          SparsePosterior(prepared, candidates_of(rows)));
  std::vector<Attributor> attributors(n_threads, Attributor(prepared));
  (void)rows.sum(0, [&](const learning::RowBlock& block, int thread, std::span<double>) {
    SparsePosterior& row = posteriors[static_cast<std::size_t>(thread)];
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      row.evaluate(block.row(r), block.missing_in(r));
      attributors[static_cast<std::size_t>(thread)].add(row);
    }
  });
  for (std::size_t t = 1; t < n_threads; ++t) attributors[0].join(attributors[t]);
  return std::move(attributors[0].attributed());
}

}  // namespace orrery::quartet
