#include "cli/arguments.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <sstream>
#include <thread>

#include "orrery/base/error.hpp"
#include "orrery/base/log.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/version.hpp"
#include "orrery/kernels/kernels.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

po::options_description common_options() {
  po::options_description options("Everywhere");
  options.add_options()("config", po::value<std::string>()->value_name("FILE"),
                        "read options from an ini file (name = value); the command line wins")(
      "threads", po::value<int>()->value_name("N"),
      "threads of each rank (default: the cores this rank may use, or OMP_NUM_THREADS)")(
      "seed", po::value<std::uint64_t>()->value_name("S")->default_value(1),
      "seed of every random draw")("dry-run", po::bool_switch(),
                                   "say what memory, work and time it would take; do nothing")(
      "json", po::bool_switch(), "print the result as JSON on standard output")(
      "verbose,v", po::bool_switch(), "say more")(
      "quiet,q", po::bool_switch(), "say nothing but errors")("help,h", po::bool_switch(),
                                                              "this text");
  return options;
}

/// Cores that this rank may use: all, a share of the host's if ranks are not bound, or its own.
int default_threads() {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return omp_get_max_threads();
  const int cores = std::max(1, omp_get_num_procs());
  const char* local_ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const bool bound = cores < static_cast<int>(std::thread::hardware_concurrency());
  if (local_ranks == nullptr || bound) return cores;
  return std::max(1, cores / std::max(1, std::atoi(local_ranks)));
}

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

}  // namespace

Arguments::Arguments(const Usage& usage, const po::options_description& own,
                     const CommandLine& line, const parallel::Team& team)
    : command_line_(line.full),
      started_(fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))) {
  const po::options_description common = common_options();
  po::options_description positional_options;
  po::positional_options_description positional;
  for (const std::string& name : usage.positional) {
    positional_options.add_options()(name.c_str(), po::value<std::string>());
    positional.add(name.c_str(), 1);
  }
  po::options_description all;
  all.add(own).add(common).add(positional_options);
  try {
    using po::command_line_style::allow_guessing;
    using po::command_line_style::unix_style;
    po::store(po::command_line_parser(line.words)
                  .options(all)
                  .positional(positional)
                  .style(unix_style & ~allow_guessing)
                  .run(),
              values_);
    if (values_.count("config") > 0 && !values_["help"].as<bool>()) {
      const auto path = values_["config"].as<std::string>();
      std::istringstream text(read_text_file(path));
      try {
        po::store(po::parse_config_file(text, all), values_);
      } catch (const po::error& error) {
        throw UsageError(
            fmt::format("{}: {}; names are those of the command line", path, error.what()));
      }
    }
    po::notify(values_);
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; see --help", error.what()));
  }
  if (values_["help"].as<bool>()) {
    helped_ = true;
    if (team.is_root()) {
      std::cout << "usage: " << usage.synopsis << "\n\n" << usage.description << "\n\n";
      if (!own.options().empty()) std::cout << own << '\n';
      std::cout << common << "\nexample: " << usage.example << '\n';
    }
    return;
  }
  const bool quiet = values_["quiet"].as<bool>();
  const bool verbose = values_["verbose"].as<bool>();
  if (quiet && verbose) throw UsageError("-q and -v contradict each other; give one");
  log::configure(quiet     ? log::Level::quiet
                 : verbose ? log::Level::verbose
                           : log::Level::normal,
                 team.is_root());
  threads_ = has("threads") ? get<int>("threads") : default_threads();
  if (threads_ < 1 || threads_ > 4096) {
    throw UsageError(fmt::format("--threads {}: 1 to 4096", threads_));
  }
  omp_set_num_threads(threads_);
}

std::string Arguments::required(const std::string& name) const {
  if (!has(name)) {
    throw UsageError(fmt::format("{} is missing; see --help", name == "output" ? "-o FILE" : name));
  }
  return get<std::string>(name);
}

store::RunInfo Arguments::run_info(const parallel::Team& team) const {
  store::RunInfo run;
  run.command_line = command_line_;
  run.version = version;
  run.host = host_name();
  run.started = started_;
  run.kernel = kernels::active().name;
  run.seed = seed();
  run.ranks = static_cast<std::uint32_t>(team.size());
  run.threads = static_cast<std::uint32_t>(threads_);
  return run;
}

}  // namespace orrery::cli
