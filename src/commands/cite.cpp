// orrery cite [LEARNER]: what to cite.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/build.hpp"
#include "base/text.hpp"
#include "base/typed_words.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/version.hpp"
#include "report/papers.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;

struct Entry {
  std::string key, text, bibtex;
};

/// Learners, and other commands, that have papers.
std::vector<std::string> names_with_papers() {
  std::vector<std::string> names;
  for (const family::Family* family : family::families()) {
    for (const auto& [name, keys] : family->papers) names.push_back(name);
  }
  return names;
}

/// The papers of one of these names; all of them for an empty one.
std::vector<std::string> keys_of(const std::string& name) {
  std::vector<std::string> keys;
  for (const family::Family* family : family::families()) {
    for (const auto& [learner, own] : family->papers) {
      if (!name.empty() && name != learner) continue;
      for (const std::string& key : own) {
        if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
      }
    }
  }
  return keys;
}

Entry program_entry() {
  const Sources& from = sources();
  return {"orrery", report::program_as_text(version),
          report::program_as_bibtex(version, from.commit, from.date)};
}

}  // namespace

std::string citation_of(const std::string& learner) {
  std::string text = report::program_as_text(version);
  for (const std::string& key : keys_of(learner)) {
    append_text(text, " {}", report::as_text(report::find_paper(key)));
  }
  return text;
}

void run_cite(const cli::CommandLine& line, const parallel::Team& team) {
  const std::vector<std::string> names = names_with_papers();
  const cli::Arguments arguments(
      {"cite",
       "[LEARNER]",
       "Prints what to cite as BibTeX: this program, and the papers whose method a learner (or "
       "`orrery params`) is; without LEARNER those of all. --json has them as plain text too.",
       "orrery cite quartet > references.bib",
       {"learner"},
       {},
       nullptr,
       "",
       {{"learner", names}}},
      po::options_description(), line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string name = arguments.text("learner");
  if (!name.empty() && std::ranges::find(names, name) == names.end()) {
    throw UsageError(fmt::format("\"{}\" is not a learner{}; `orrery help learners` lists them",
                                 name, did_you_mean(name, names)));
  }
  std::vector<Entry> entries{program_entry()};
  for (const std::string& key : keys_of(name)) {
    const report::Paper& paper = report::find_paper(key);
    entries.push_back({key, report::as_text(paper), report::as_bibtex(paper)});
  }
  if (arguments.dry_run()) {
    cli::print_plan(arguments, {2e7, entries.size(), "entries"});
    return;
  }
  nlohmann::json list = nlohmann::json::array();
  std::string bibtex;
  for (const Entry& entry : entries) {
    list.push_back({{"key", entry.key}, {"text", entry.text}, {"bibtex", entry.bibtex}});
    append_text(bibtex, "{}{}", bibtex.empty() ? "" : "\n", entry.bibtex);
  }
  if (arguments.json()) {
    cli::print_json({{"entries", list}});
  } else {
    std::cout << bibtex;
  }
}

}  // namespace orrery::commands
