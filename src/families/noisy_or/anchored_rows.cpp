#include "families/noisy_or/anchored_rows.hpp"

#include <fmt/format.h>

#include <bit>
#include <functional>
#include <map>
#include <numeric>

#include "data/row_lists.hpp"
#include "family/matching.hpp"
#include "learning/learner.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {
namespace {

using data::ColumnUnions;
using model::NoisyOrNetwork;

/// Places by name; of a repeated one the first.
class Columns {
 public:
  explicit Columns(const std::vector<std::string>& names) {
    for (std::size_t c = names.size(); c-- > 0;) place_[names[c]] = c;
  }

  /// Appends the place of each name, and to `lacks` each that has none. True: all are there.
  bool find(const std::vector<std::string>& names, std::vector<std::size_t>& places,
            std::vector<std::string>& lacks) const {
    const std::size_t before = lacks.size();
    for (const std::string& name : names) {
      const auto found = place_.find(name);
      if (found == place_.end()) {
        lacks.push_back(name);
      } else {
        places.push_back(found->second);
      }
    }
    return lacks.size() == before;
  }

 private:
  std::map<std::string, std::size_t> place_;
};

/// The names of what a variable is the union of: one, but for an anchor of several columns.
std::vector<std::vector<std::string>> members_of(const NoisyOrNetwork& network) {
  std::vector<std::vector<std::string>> members;
  for (const model::Observed& observed : network.observed()) {
    members.push_back({observed.name});
  }
  for (const model::Anchor& anchor : network.anchors()) {
    if (!anchor.columns.empty()) members[anchor.observed] = anchor.columns;
  }
  return members;
}

/// `what` are the wanted, in a message.
ColumnUnions find_columns(const std::vector<std::string>& wanted,
                          const std::vector<std::vector<std::string>>& members,
                          const std::vector<std::string>& names, const std::string& source,
                          const char* what) {
  const Columns columns(names);
  ColumnUnions unions{wanted, std::vector<std::vector<std::size_t>>(wanted.size())};
  std::vector<std::string> lacks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<std::string> ignored;
    if (columns.find({wanted[i]}, unions.members[i], ignored)) continue;
    columns.find(members[i], unions.members[i], lacks);
  }
  if (lacks.empty()) return unions;
  throw InputError(
      fmt::format("{}: {} columns, among them none named {}; the model has {} {}, and columns are "
                  "matched by name: give data that have them all",
                  source, names.size(), learning::list_names(lacks), wanted.size(), what));
}

std::uint64_t count_ones(const data::BitColumns& block) {
  return std::transform_reduce(
      block.words().begin(), block.words().end(), std::uint64_t{0}, std::plus<>(),
      [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
}

}  // namespace

ColumnUnions columns_of(const NoisyOrNetwork& network, const std::vector<std::string>& names,
                        const std::string& source) {
  std::vector<std::string> wanted;
  for (const model::Observed& observed : network.observed()) {
    wanted.push_back(observed.name);
  }
  return find_columns(wanted, members_of(network), names, source, "observed variables");
}

data::SampleMatrix read_rows_of(const NoisyOrNetwork& network, const std::string& model_source,
                                const std::string& path) {
  const store::SampleReader reader(path);
  const auto n_rows = static_cast<std::size_t>(reader.header().n_samples);
  if (n_rows == 0) throw InputError(fmt::format("{}: holds no row; one at least is needed", path));
  if (network.n_observed() > data::RowLists::most_columns) {
    throw InputError(fmt::format("{} observed variables: at most {} can be held against rows",
                                 network.n_observed(), data::RowLists::most_columns));
  }
  const ColumnUnions unions = columns_of(network, reader.names(), path);
  if (!model_source.empty()) family::warn_of_unused(reader.names(), unions, model_source, path);
  data::SampleMatrix rows;
  rows.names = unions.names;
  rows.digest = reader.header().digest;
  rows.values = data::BitPanels(unions.members.size(), n_rows);
  std::uint64_t n_missing = 0;
  std::size_t first = 0;
  for (std::size_t b = 0; b < reader.n_blocks(); ++b) {
    const auto block = reader.read(b);
    if (block.missing) n_missing += count_ones(data::unite(*block.missing, unions));
    rows.values.insert(first, data::unite(block.values, unions));
    first += reader.rows_of(b);
  }
  if (n_missing == 0) return rows;
  throw InputError(fmt::format(
      "{}: {} value{} missing; an anchored network is held against whole rows: impute or "
      "leave out",
      path, n_missing, n_missing == 1 ? " is" : "s are"));
}

data::SampleMatrix read_labels_of(const NoisyOrNetwork& network, const std::string& model_source,
                                  const std::string& path) {
  const data::SampleMatrix samples = store::read_samples(path);
  std::vector<std::string> causes;
  std::vector<std::vector<std::string>> members;
  for (const model::Cause& cause : network.causes()) {
    causes.push_back(cause.name);
    members.push_back({cause.name});
  }
  const ColumnUnions places = find_columns(causes, members, samples.names, path, "causes");
  family::warn_of_unused(samples.names, places, model_source, path);
  return family::in_order(samples, places);
}

}  // namespace orrery::noisy_or
