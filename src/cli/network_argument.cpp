#include "cli/network_argument.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/network_json.hpp"
#include "orrery/store/store.hpp"

namespace orrery::cli {

model::LearnedModel load_network(const std::string& argument, std::uint64_t seed) {
  if (auto generated = model::generate_network(argument, seed)) {
    model::LearnedModel model;
    model.network = std::move(*generated);
    return model;
  }
  std::string path = argument;
  std::string entry;
  std::error_code ignored;
  const std::size_t colon = argument.rfind(':');
  if (!std::filesystem::exists(path, ignored) && colon != std::string::npos) {
    path = argument.substr(0, colon);
    entry = argument.substr(colon + 1);
  }
  if (!std::filesystem::exists(path, ignored)) {
    throw InputError(fmt::format("{}: neither a file nor a built-in network ({})", argument,
                                 model::generator_help()));
  }
  if (store::is_hdf5(path)) return store::read_model(path);
  return model::read_network_json(path, entry);
}

}  // namespace orrery::cli
