// orrery moments DATA -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <cstddef>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/matched_rows.hpp"
#include "family/model_run.hpp"
#include "family/shared_options.hpp"
#include "learning/learner.hpp"
#include "learning/load.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

/// The slab of one variable as a list, x-major.
std::vector<std::uint32_t> triple_list(const moments::TripleSlab& slab, std::size_t a,
                                       std::size_t m) {
  std::vector<std::uint32_t> list;
  for (std::size_t x = a + 1; x < m; ++x) {
    const std::uint32_t* row = slab.counts(x);
    list.insert(list.end(), row + x + 1, row + m);
  }
  return list;
}

/// The lists of some variables in a row, to be kept: the first, the one after the last, the counts.
std::vector<std::byte> pack_turn(std::size_t first, std::size_t end,
                                 const std::vector<std::uint32_t>& counts) {
  const std::array<std::uint64_t, 2> range{first, end};
  std::vector<std::byte> bytes(sizeof range + counts.size() * sizeof counts[0]);
  std::memcpy(bytes.data(), range.data(), sizeof range);
  if (!counts.empty()) {
    std::memcpy(bytes.data() + sizeof range, counts.data(), counts.size() * sizeof counts[0]);
  }
  return bytes;
}

std::ptrdiff_t n_triples_of(std::size_t a, std::size_t m) {
  const std::size_t above = m - 1 - a;
  return static_cast<std::ptrdiff_t>(above * (above - (above > 0 ? 1 : 0)) / 2);
}

void write_turn(std::size_t first, std::size_t end, const std::vector<std::uint32_t>& counts,
                std::size_t m, store::MomentsWriter& writer) {
  auto next = counts.begin();
  for (std::size_t a = first; a < end; ++a) {
    const std::ptrdiff_t n = n_triples_of(a, m);
    writer.append_triples(a, {next, next + n});
    next += n;
  }
}

/// Writes a turn that an earlier run has done; returns the variable after its last.
std::size_t take_turn(const std::vector<std::byte>& bytes, std::size_t first, std::size_t m,
                      store::MomentsWriter& writer) {
  std::array<std::uint64_t, 2> range{};
  family::require_batch(bytes.size() >= sizeof range);
  std::memcpy(range.data(), bytes.data(), sizeof range);
  family::require_batch(range[0] == first && range[1] > first && range[1] <= m);
  std::vector<std::uint32_t> counts((bytes.size() - sizeof range) / sizeof(std::uint32_t));
  std::ptrdiff_t n = 0;
  for (std::size_t a = first; a < range[1]; ++a) n += n_triples_of(a, m);
  family::require_batch(std::ssize(counts) == n);
  if (n > 0) {
    std::memcpy(counts.data(), bytes.data() + sizeof range, counts.size() * sizeof counts[0]);
  }
  write_turn(first, range[1], counts, m, writer);
  return range[1];
}

/// Every thread of every rank counts one variable's triples a turn; rank 0 writes them in order.
void count_triples(const parallel::Team& team, int threads, const moments::CountedMoments& source,
                   store::MomentsWriter* writer, family::KeptBatches& kept) {
  const std::size_t m = source.n_observed();
  std::vector<std::size_t> done{0};
  for (std::uint64_t i = 0; team.is_root() && i < kept.n_done(); ++i) {
    done[0] = take_turn(kept.batch(i), done[0], m, *writer);
  }
  team.broadcast(done);
  const auto per_rank = static_cast<std::size_t>(threads);
  const std::size_t per_turn = per_rank * static_cast<std::size_t>(team.size());
  std::vector<std::unique_ptr<moments::MomentWalker>> walkers;
  for (std::size_t t = 0; t < per_rank; ++t) walkers.push_back(source.walker());
  std::vector<moments::TripleSlab> slabs(per_rank);
  const std::vector<std::uint64_t> all_variables((m + 63) / 64, ~std::uint64_t{0});
  Progress progress("triples", m, "variables");
  progress.set(done[0]);
  for (std::size_t turn = done[0]; turn < m; turn += per_turn) {
    const std::size_t first = turn + per_rank * static_cast<std::size_t>(team.rank());
    std::vector<std::vector<std::uint32_t>> lists(per_rank);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (std::size_t t = 0; t < per_rank; ++t) {
      if (first + t >= m) continue;
      walkers[t]->triples(first + t, all_variables, slabs[t]);
      lists[t] = triple_list(slabs[t], first + t, m);
    }
    std::vector<std::uint32_t> own;
    for (const auto& list : lists) own.insert(own.end(), list.begin(), list.end());
    const std::vector<std::uint32_t> all = team.gather(own);
    const std::size_t end = std::min(turn + per_turn, m);
    std::vector<std::byte> bytes;
    if (team.is_root()) {
      write_turn(turn, end, all, m, *writer);
      if (kept.keeps()) bytes = pack_turn(turn, end, all);
    }
    progress.advance(end - turn);
    kept.add(bytes);
  }
}

/// Counts the triples of some variables, evenly spread, for half a second. Returns the bytes that
/// the turns take at rank 0: a slab and a walker per thread, the lists of all threads of all ranks
/// twice (as bytes too).
double plan_triples(const learning::Pilot& pilot, const learning::Resources& resources,
                    learning::Timing& timing) {
  const std::size_t m = pilot.moments->n_observed();
  const auto walker = pilot.moments->walker();
  moments::TripleSlab slab;
  const std::vector<std::uint64_t> all_variables((m + 63) / 64, ~std::uint64_t{0});
  const auto triples_of = [&](std::size_t a) {
    return static_cast<double>(m - 1 - a) * (static_cast<double>(m - 1 - a) - 1) / 2;
  };
  const auto m_real = static_cast<double>(m);
  const double n_all = m_real * (m_real - 1) * (m_real - 2) / 6;
  const Progress clock("triples", 0, "");
  const double begin = thread_seconds();
  double n_counted = 0;
  constexpr std::size_t n_parts = 16;
  for (std::size_t i = 0; i < n_parts && (i == 0 || clock.seconds() < 0.5); ++i) {
    const std::size_t a = (5 * i + 3) % n_parts * m / n_parts;  // any order but a rising one
    walker->triples(a, all_variables, slab);
    n_counted += static_cast<double>(triple_list(slab, a, m).size());
  }
  const double seconds = thread_seconds() - begin;
  timing.shared("triples", seconds * n_all / std::max(1.0, n_counted) * pilot.scale);
  const double slab_bytes = 12 * m_real * static_cast<double>(moments::row_stride(m));
  const double list_bytes = 4 * triples_of(0);
  return resources.threads *
             (slab_bytes + static_cast<double>(pilot.moments->walker_bytes()) + 2 * list_bytes) +
         3 * list_bytes * resources.threads * resources.ranks;
}

/// One count a set is not enough where a set has rows of its own.
void require_no_missing(const std::string& data) {
  if (!store::read_sample_header(data).has_missing) return;
  throw InputError(fmt::format(
      "{}: has missing values, and counts of complete rows alone would leave out most of what is "
      "known; give the data to `learn` or `params`, which count each set where it is observed",
      data));
}

learning::Plan make_plan(const cli::Arguments& arguments, const parallel::Team& team,
                         const std::string& data, int order) {
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  timing.waits("start", resources.start_seconds);
  const learning::Pilot pilot = learning::load_pilot(data, resources, timing);
  learning::Plan plan;
  plan.units = pilot.moments->n_observed();
  plan.unit = "variables";
  learning::raise_memory(plan, learning::memory_to_load(pilot, resources));
  learning::Parts parts = learning::memory_to_count_pairs(pilot, resources);
  if (order == 3) parts.emplace_back("triples", plan_triples(pilot, resources, timing));
  learning::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

void count(const cli::Arguments& arguments, const parallel::Team& team, const std::string& data,
           int order) {
  const std::string output = arguments.output();
  const Progress clock("total", 0, "");
  if (team.is_root()) {
    OutputFile probe(output);
    require_no_missing(data);
  }
  const data::SampleMatrix samples = learning::load_whole(team, arguments.threads(), data);
  store::RunInfo run = arguments.run_info(team);
  family::KeptBatches kept(
      team, family::open_checkpoints(arguments, team, {data, ""}, learning::Input::bits, "moments",
                                     {{"--order", fmt::format("{}", order)}}));
  const moments::CountedMoments source(
      samples.values, learning::count_pairs(team, arguments.threads(), samples.values,
                                            kept.checkpoints(), run.stages));
  if (team.is_root()) {
    learning::warn_of_odd_columns({source.counts(), std::nullopt, 0}, samples.names, data);
  }
  std::unique_ptr<store::MomentsWriter> writer;
  if (team.is_root()) {
    writer = std::make_unique<store::MomentsWriter>(output, source.counts(), order, samples.digest,
                                                    samples.names);
  }
  if (order == 3) count_triples(team, arguments.threads(), source, writer.get(), kept);
  const std::uint64_t n_bytes = cli::bytes_read(team);
  if (!team.is_root()) return;
  run.bytes_read = n_bytes;
  run.stages.push_back({"total", clock.seconds()});
  writer->finish(run);
  kept.remove();
  const std::size_t m = samples.n_observed();
  cli::print_done(
      arguments,
      {{"order", order}, {"n_observed", m}, {"n_samples", samples.n_samples()}, {"output", output}},
      fmt::format("{} of {} variables over {} rows written to {}",
                  order == 3 ? "pairs and triples" : "pairs", m, format_count(samples.n_samples()),
                  output));
}

}  // namespace

void run_moments(const cli::CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FILE"), "the counts, HDF5")(
      "order", po::value<int>()->default_value(2)->value_name("2|3"),
      "2: pairs; 3: triples too (4 C(m, 3) bytes)");
  family::add_checkpoint_options(own);
  const cli::Arguments arguments(
      {"moments",
       "DATA -o FILE",
       "Counts once in how many rows the variables of each pair (and triple) are all off. `learn` "
       "and `params` use the counts again with --moments FILE.",
       "orrery moments data.h5 --order 3 -o moments.h5",
       {"data"}},
      own, line, team);
  if (arguments.helped()) return;
  const int order = arguments.get<int>("order");
  if (order != 2 && order != 3) {
    throw UsageError(fmt::format("--order {}: must be 2 (pairs) or 3 (pairs and triples)", order));
  }
  const std::string data = arguments.required("data");
  if (!arguments.dry_run()) {
    count(arguments, team, data, order);
  } else if (team.is_root()) {
    require_no_missing(data);
    cli::print_plan(arguments, make_plan(arguments, team, data, order));
  }
}

}  // namespace orrery::commands
