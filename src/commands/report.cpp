// orrery report MODEL [-o FILE.html]
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "report/text.hpp"

namespace orrery::commands {

namespace po = boost::program_options;
using family::Family;

namespace {

bool is_same_file(const std::filesystem::path& a, const std::string& b) {
  std::error_code error;
  return !b.empty() && std::filesystem::equivalent(a, b, error);
}

/// Known endings go; others belong to the name.
std::filesystem::path without_ending(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  const bool known = ending == ".h5" || ending == ".hdf5" || ending == ".json";
  return known ? std::filesystem::path(file).replace_extension() : file;
}

/// MODEL.html beside the model's file; FILE-NAME.html of one network of several; of a built-in
/// network in the folder where the command runs.
std::filesystem::path page_of(const std::string& source) {
  const std::string file = family::model_file(source);
  std::filesystem::path page = without_ending(file);
  std::string name = file.empty() ? source : source.substr(std::min(file.size(), source.size()));
  if (!file.empty() && name.starts_with(':')) name[0] = '-';
  for (char& c : name) {
    if (c == '/' || c == ':' || c == ',') c = '-';
  }
  page += name + ".html";
  return page;
}

bool is_page_of_ours(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string begin(1024, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("<meta name=\"generator\" content=\"orrery ") != std::string::npos;
}

/// The file of -o, or the one that follows from the model. Throws UsageError for one of the latter
/// that would replace what is no page of orrery: an input, or whatever has that name.
std::string output_of(const cli::Arguments& arguments, const std::string& source) {
  if (arguments.has("output")) return arguments.output();
  const std::filesystem::path page = page_of(source);
  for (const char* input : {"model", "truth", "data", "train"}) {
    if (!is_same_file(page, arguments.text(input))) continue;
    throw UsageError(
        fmt::format("the page of {} would be {}, which is --{}: name another file with -o", source,
                    page.string(), input));
  }
  if (std::filesystem::exists(page) && !is_page_of_ours(page)) {
    throw UsageError(fmt::format(
        "the page of {} would be {}, but there is a file of that name that orrery did not draw: "
        "name another file with -o, or this one to replace it",
        source, page.string()));
  }
  return page.string();
}

/// "cause" of "causes".
std::string_view singular(std::string_view kinds) {
  return kinds.ends_with('s') ? kinds.substr(0, kinds.size() - 1) : kinds;
}

}  // namespace

void run_report(const cli::CommandLine& line, const parallel::Team& team) {
  const family::FamilyOptions of_families(&Family::report);
  po::options_description own("Options");
  own.add_options()("truth", po::value<std::string>()->value_name("NETWORK"),
                    "drawn beside the learned model")(
      "title", po::value<std::string>()->value_name("TEXT"), "of the page")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the page, HTML (default: MODEL.html beside the model)");
  of_families.add_to(own);
  const cli::Arguments arguments(
      {"report",
       "MODEL [-o FILE.html] [--truth NETWORK] [--data DATA [--train DATA]] [--grid 8x8]",
       "Draws a model as one self-contained HTML page." + of_families.help(),
       "orrery report model.h5 --truth img --grid 8x8 -o report.html",
       {"model"},
       {"output"},
       family::is_generator},
      own, line, team);
  if (arguments.helped()) return;
  const std::string source = arguments.required("model");
  const family::AnyModel model = family::load_model(team, source, arguments.seed());
  const family::Family& family = family::family_of(model);
  if (!family.report.run) family::refuse_command(model, source, "report");
  of_families.refuse_others(arguments, model, source);
  if (arguments.dry_run()) {
    if (!team.is_root()) return;
    cli::print_plan(arguments, family.report.plan(model, arguments));
    return;
  }
  const std::string output = output_of(arguments, source);
  const std::string page = family.report.run(model, arguments, team);
  if (!team.is_root()) return;
  write_text_file(output, page);
  const family::Size size = family.size(model);
  cli::print_done(arguments, {{"output", output}, {"bytes", page.size()}},
                  fmt::format("{} and {} drawn; open {} in a browser",
                              report::count_of(size.nodes, singular(size.kind)),
                              report::count_of(size.edges, "edge"), output));
}

}  // namespace orrery::commands
