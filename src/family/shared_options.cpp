#include "family/shared_options.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "orrery/base/error.hpp"

namespace orrery::family {

namespace po = boost::program_options;

void add_data_option(po::options_description& options) {
  options.add_options()("data", po::value<std::string>()->value_name("DATA"),
                        "samples, best such as the model was not learned from: their mean "
                        "log-likelihood per row, and what of them the model does not predict");
}

void add_train_option(po::options_description& options) {
  options.add_options()("train", po::value<std::string>()->value_name("DATA"),
                        "the samples that the model was learned from: simpler models are fitted to "
                        "them and score --data too");
}

void require_with(const cli::Arguments& arguments, const char* option, const char* needed) {
  if (!arguments.has(option) || arguments.values()[option].defaulted() || arguments.has(needed)) {
    return;
  }
  throw UsageError(
      fmt::format("--{} says nothing without --{}: give both or neither", option, needed));
}

std::string title_of(const cli::Arguments& arguments, const char* otherwise) {
  return arguments.has("title") ? arguments.text("title") : otherwise;
}

std::string source_of(const cli::Arguments& arguments) {
  return std::filesystem::path(arguments.required("model")).filename().string();
}

}  // namespace orrery::family
