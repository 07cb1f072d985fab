// orrery manual [PAGE] [-o FOLDER]: pages for man(1).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "base/typed_words.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/manual_pages.hpp"
#include "orrery/base/error.hpp"

namespace orrery::commands {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// "orrery-import.1"
std::string file_name(const ManualPage& page) {
  return fmt::format("{}.{}", page.name, page.section);
}

void list_pages(const cli::Arguments& arguments, const std::vector<ManualPage>& pages) {
  nlohmann::json list = nlohmann::json::array();
  std::string text;
  for (const ManualPage& page : pages) {
    list.push_back({{"name", page.name}, {"section", page.section}, {"summary", page.summary}});
    append_text(text, "{:28}{}\n", file_name(page), page.summary);
  }
  if (arguments.json()) {
    cli::print_json({{"pages", list}});
  } else {
    std::cout << text;
  }
}

/// "orrery-learn-quartet.1", "orrery-learn-quartet", "learn-quartet" and "quartet" are one page.
const ManualPage& find_page(const std::vector<ManualPage>& pages, const std::string& name) {
  std::vector<std::string> known;
  for (const std::string before : {"", "orrery-", "orrery-learn-"}) {
    for (const ManualPage& page : pages) {
      if (name == file_name(page) || before + name == page.name) return page;
      known.push_back(page.name);
    }
  }
  throw UsageError(fmt::format("\"{}\" is not a page of the manual{}; `orrery manual` lists them",
                               name, did_you_mean(name, known)));
}

/// FOLDER/man1/orrery.1 and so on.
void write_pages(const std::vector<ManualPage>& pages, const fs::path& folder) {
  for (const ManualPage& page : pages) {
    const fs::path section = folder / fmt::format("man{}", page.section);
    std::error_code error;
    fs::create_directories(section, error);
    if (error) {
      throw EnvironmentError(fmt::format("{}: cannot be made: {}; name a folder of your own",
                                         section.string(), error.message()));
    }
    write_text_file(section / file_name(page), page.text);
  }
}

}  // namespace

void run_manual(const cli::CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("output,o", po::value<std::string>()->value_name("FOLDER"),
                    "write all pages, as FOLDER/man1/orrery.1 and so on");
  const cli::Arguments arguments(
      {"manual",
       "[PAGE] [-o FOLDER]",
       "Prints a page of the manual as man(1) reads it, or lists the pages, or writes all of them. "
       "They say what `--help` says. An installed orrery has them: man orrery-import.",
       "orrery manual\n"
       "orrery manual orrery-learn-quartet > orrery-learn-quartet.1\n"
       "orrery manual -o man",
       {"page"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::vector<ManualPage> pages = manual_pages(team);
  if (arguments.dry_run()) {
    cli::print_plan(arguments, {2e7, pages.size(), "pages"});
  } else if (arguments.has("output")) {
    if (arguments.has("page")) {
      throw UsageError("PAGE and -o: -o writes all pages; leave one of them out");
    }
    const std::string folder = arguments.text("output");
    write_pages(pages, folder);
    cli::print_done(arguments, {{"output", folder}, {"n_pages", pages.size()}},
                    fmt::format("{} pages written to {}", pages.size(), folder));
  } else if (arguments.has("page")) {
    const ManualPage& page = find_page(pages, arguments.text("page"));
    if (arguments.json()) {
      cli::print_json({{"name", page.name}, {"section", page.section}, {"text", page.text}});
    } else {
      std::cout << page.text;
    }
  } else {
    list_pages(arguments, pages);
  }
}

}  // namespace orrery::commands
