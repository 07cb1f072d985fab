#include "families/noisy_or/published_layout.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

using model::Cause;
using model::Edge;
using model::JsonEntry;
using model::LearnedModel;
using model::NoisyOrNetwork;
using model::Observed;

constexpr std::int64_t largest_index = std::numeric_limits<std::uint32_t>::max();

// "CON8", "IMG", ...
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : ", ", model::shown(names[i]));
  }
  if (names.size() > most) list += fmt::format(", ... ({} in all)", names.size());
  return list;
}

std::string select_entry(const JsonEntry& root, const std::string& entry) {
  const std::vector<std::string> names = root.keys();
  if (names.empty()) throw InputError(fmt::format("{}: holds no network", root.file()));
  if (entry.empty()) {
    if (names.size() == 1) return names.front();
    throw InputError(fmt::format(
        "{}: has no key \"format\", so it is read as a file of {} named networks; name one of {}",
        root.file(), names.size(), list_names(names)));
  }
  if (!root.has(entry)) {
    throw InputError(fmt::format("{}: has no network {}; name one of {}", root.file(),
                                 model::shown(entry), list_names(names)));
  }
  return entry;
}

void require_size(const JsonEntry& list, std::size_t size, std::string_view like) {
  if (list.size() == size) return;
  throw InputError(fmt::format("{}: {} has {} values, but {} says {}; they must agree", list.file(),
                               list.where(), list.size(), like, size));
}

void require_count(const JsonEntry& network, const std::string& key, std::size_t size,
                   std::string_view like) {
  if (!network.has(key)) return;
  const JsonEntry count = network.member(key);
  const std::int64_t said = count.whole_number(0, largest_index);
  if (static_cast<std::size_t>(said) == size) return;
  throw InputError(fmt::format("{}: {} = {}, but {} has {} values; they must agree", network.file(),
                               count.where(), said, like, size));
}

}  // namespace

LearnedModel read_published_layout(const JsonEntry& root, const std::string& entry) {
  const JsonEntry network = root.member(select_entry(root, entry));
  const JsonEntry prior_list = network.member("priors");
  const JsonEntry noise_list = network.member("noise_failure");
  const JsonEntry failure_list = network.member("failures");
  const std::vector<double> priors = prior_list.probabilities();
  const std::vector<double> noise = noise_list.probabilities();
  if (noise.empty()) noise_list.refuse("at least one observed variable is needed");
  require_count(network, "n_latent", priors.size(), prior_list.where());
  require_count(network, "n_observed", noise.size(), noise_list.where());
  require_size(failure_list, priors.size(), prior_list.where());

  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::size_t c = 0; c < priors.size(); ++c) {
    causes.push_back({fmt::format("cause{}", c), priors[c]});
    const JsonEntry row = failure_list.element(c);
    require_size(row, noise.size(), noise_list.where());
    const std::vector<double> failures = row.probabilities();
    for (std::size_t a = 0; a < failures.size(); ++a) {
      if (failures[a] == 1) continue;
      edges.push_back({static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(a), failures[a]});
    }
  }
  std::vector<Observed> observed;
  for (std::size_t a = 0; a < noise.size(); ++a) {
    observed.push_back({fmt::format("x{}", a), 1 - noise[a]});
  }
  LearnedModel model;
  try {
    model.network = NoisyOrNetwork(std::move(causes), std::move(observed), std::move(edges));
  } catch (const InputError& error) {
    throw InputError(root.file() + ": " + error.what());
  }
  return model;
}

}  // namespace orrery::noisy_or
