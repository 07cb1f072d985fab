#include "cli/network_argument.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "orrery/base/error.hpp"
#include "orrery/evaluate/match.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/network_json.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {
namespace {

struct FileEntry {
  std::string path;
  std::string entry;  ///< one network of several; may be empty
};

/// FILE or FILE:NAME, whichever is there; nothing if neither is.
std::optional<FileEntry> find_file(const std::string& argument) {
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return FileEntry{argument, ""};
  const std::size_t colon = argument.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  FileEntry parts{argument.substr(0, colon), argument.substr(colon + 1)};
  if (!std::filesystem::exists(parts.path, ignored)) return std::nullopt;
  return parts;
}

}  // namespace

model::LearnedModel load_network(const std::string& argument, std::uint64_t seed) {
  if (auto generated = model::generate_network(argument, seed)) {
    model::LearnedModel model;
    model.network = std::move(*generated);
    return model;
  }
  const auto file = find_file(argument);
  if (!file) {
    throw InputError(fmt::format("{}: neither a file nor a built-in network; those are {}",
                                 argument, model::generator_help()));
  }
  if (store::is_hdf5(file->path)) return store::read_model(file->path);
  return model::read_network_json(file->path, file->entry);
}

model::LearnedModel load_network(const parallel::Team& team, const std::string& argument,
                                 std::uint64_t seed) {
  return team.root_first([&] { return load_network(argument, seed); });
}

std::string network_file(const std::string& argument) {
  if (model::generate_network(argument, 0)) return "";
  const auto file = find_file(argument);
  return file ? file->path : "";
}

std::vector<std::size_t> places_in_data(const model::NoisyOrNetwork& network,
                                        const std::vector<std::string>& names,
                                        const std::string& source) {
  if (network.n_observed() != names.size()) {
    throw InputError(
        fmt::format("{}: {} observed variables, but the data have {}; give a network of these data",
                    source, network.n_observed(), names.size()));
  }
  std::vector<model::Observed> of_data;
  for (const std::string& name : names) of_data.push_back({name, 0});
  return evaluate::align_observed(network, {{}, std::move(of_data), {}});
}

model::NoisyOrNetwork align_to_data(const model::NoisyOrNetwork& network,
                                    const std::vector<std::string>& names,
                                    const std::string& source) {
  const std::vector<std::size_t> places = places_in_data(network, names, source);
  std::vector<model::Observed> observed(names.size());
  for (std::size_t x = 0; x < names.size(); ++x) {
    observed[places[x]] = {names[places[x]], network.observed()[x].leak};
  }
  std::vector<model::Edge> edges = network.edges();
  for (auto& edge : edges) edge.observed = static_cast<std::uint32_t>(places[edge.observed]);
  return {network.causes(), std::move(observed), std::move(edges)};
}

}  // namespace orrery::cli
