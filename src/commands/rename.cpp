// orrery rename MODEL OLD=NEW ... [--names FILE] -o FILE: a model whose causes and variables have
// other names; all else of it stays as it is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/near_names.hpp"
#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "data/columns.hpp"
#include "data/text_table.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"
#include "report/text.hpp"
#include "store/store.hpp"

namespace orrery::commands {
namespace {

namespace po = boost::program_options;
using family::AnyModel;
using family::NodeKind;

/// A node of the model, and what it will be called.
struct Node {
  NodeKind kind = NodeKind::cause;
  std::string name;
  std::string new_name;
};

const char* word_for(NodeKind kind) { return kind == NodeKind::cause ? "cause" : "variable"; }

/// Of any bytes and length, for a message.
std::string shown(const std::string& text) { return report::shorten(text, 60); }

/// What the user asks for, and where: a word of the command line, or a line of a file.
struct Change {
  std::string from;
  std::string to;
  std::string place;
  bool in_file = false;

  [[noreturn]] void refuse(const std::string& why) const {
    const std::string text = fmt::format("{}: {}", place, why);
    if (in_file) throw InputError(text);
    throw UsageError(text);
  }
};

/// The nodes of the model in the order in which its family names them.
class Nodes {
 public:
  explicit Nodes(const AnyModel& model) {
    const auto note = [this](NodeKind kind, const std::string& name) {
      places_[name].push_back(nodes_.size());
      nodes_.push_back({kind, name, name});
      return name;
    };
    (void)family::family_of(model).renamed(model, note);
  }

  [[nodiscard]] bool has(const std::string& name) const { return places_.contains(name); }
  void rename(const Change& change, const std::string& only) {
    Node& node = nodes_[place_of(change, only)];
    require_name(change);
    if (node.new_name != node.name && node.new_name != change.to) {
      change.refuse(fmt::format("'{}' is already renamed to '{}'; give it one new name",
                                shown(node.name), shown(node.new_name)));
    }
    node.new_name = change.to;
    asked_.push_back(change);
  }
  /// Throws if two nodes would have the same name, of which one was to be renamed.
  void require_distinct() const;
  [[nodiscard]] std::size_t n_renamed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(nodes_, [](const Node& node) { return node.name != node.new_name; }));
  }
  [[nodiscard]] const std::vector<Node>& all() const noexcept { return nodes_; }

 private:
  [[nodiscard]] std::size_t place_of(const Change& change, const std::string& only) const;
  static void require_name(const Change& change);

  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;
  std::vector<Change> asked_;
};

/// `only`: "causes", "variables", or empty.
std::size_t Nodes::place_of(const Change& change, const std::string& only) const {
  const auto is_meant = [&](const Node& node) {
    return only.empty() || (only == "causes") == (node.kind == NodeKind::cause);
  };
  std::vector<std::size_t> found;
  if (const auto places = places_.find(change.from); places != places_.end()) {
    for (const std::size_t place : places->second) {
      if (is_meant(nodes_[place])) found.push_back(place);
    }
  }
  if (found.size() == 1) return found.front();
  const std::string name = shown(change.from);
  if (found.size() > 1 && nodes_[found.front()].kind == nodes_[found.back()].kind) {
    change.refuse(
        fmt::format("'{}' is the name of {} {}s; tell them apart in the JSON that `orrery "
                    "export MODEL --format json` writes",
                    name, found.size(), word_for(nodes_[found.front()].kind)));
  }
  if (found.size() > 1) {
    change.refuse(
        fmt::format("'{}' is the name of a cause and of a variable; say which is meant with --only "
                    "causes or --only variables",
                    name));
  }
  std::vector<std::string> names;
  for (const Node& node : nodes_) {
    if (is_meant(node)) names.push_back(node.name);
  }
  std::vector<std::string> near = near_names(change.from, names);
  for (std::string& one : near) one = fmt::format("'{}'", shown(one));
  change.refuse(fmt::format(
      "the model has no {} '{}'; {}",
      only.empty()       ? "cause or variable"
      : only == "causes" ? "cause"
                         : "variable",
      name,
      near.empty() ? "`orrery info MODEL` and `orrery export MODEL --format csv` show its names"
                   : fmt::format("did you mean {}?", fmt::join(near, " or "))));
}

void Nodes::require_name(const Change& change) {
  constexpr std::size_t longest = data::longest_name;
  if (change.to.empty()) change.refuse("the new name is empty; give one");
  if (!data::is_utf8(change.to)) {
    change.refuse("the new name is not UTF-8; convert it, e.g. with `iconv -f latin1 -t utf-8`");
  }
  if (data::has_control_character(change.to)) {
    change.refuse("the new name holds a control character; leave it out");
  }
  if (change.to.size() > longest) {
    change.refuse(fmt::format("the new name has {} bytes; shorten it to at most {}",
                              change.to.size(), longest));
  }
}

void Nodes::require_distinct() const {
  std::map<std::string_view, std::vector<const Node*>> by_new_name;
  for (const Node& node : nodes_) by_new_name[node.new_name].push_back(&node);
  for (const Change& change : asked_) {
    const auto& same = by_new_name.at(change.to);
    if (same.size() < 2) continue;
    const Node& other = same[0]->name == change.from ? *same[1] : *same[0];
    change.refuse(fmt::format(
        "the {} '{}' {} '{}' too; choose another name", word_for(other.kind), shown(other.name),
        other.name == other.new_name ? "is called" : "would be called", shown(change.to)));
  }
}

/// OLD=NEW, where either may hold a '=': OLD is a name that the model has.
Change change_of(const std::string& word, const Nodes& nodes) {
  std::vector<Change> possible;
  for (std::size_t at = word.find('='); at != std::string::npos; at = word.find('=', at + 1)) {
    Change change{word.substr(0, at), word.substr(at + 1), shown(word)};
    if (possible.empty() || nodes.has(change.from)) possible.push_back(std::move(change));
  }
  if (possible.empty()) {
    throw UsageError(
        fmt::format("{}: must be OLD=NEW, a name of the model and its new name", shown(word)));
  }
  // The first is there in any case, for what is said of it.
  if (possible.size() > 1 && !nodes.has(possible.front().from)) possible.erase(possible.begin());
  if (possible.size() > 1) {
    possible.front().refuse(fmt::format(
        "can be read as '{}' or as '{}', which are both names; write the two names into "
        "a file of --names",
        shown(possible[0].from), shown(possible[1].from)));
  }
  return possible.front();
}

/// A first line "old,new" is a header, unless a node has that name.
std::vector<Change> changes_in(const std::string& path, const Nodes& nodes) {
  std::vector<Change> changes;
  for (const data::TextRow& row : data::read_text_table(path, 2)) {
    const bool is_header = changes.empty() && row.cells[0] == "old" && row.cells[1] == "new";
    if (is_header && !nodes.has("old")) continue;
    changes.push_back(
        {row.cells[0], row.cells[1], fmt::format("{}: line {}", path, row.line), true});
  }
  return changes;
}

std::string only_option(const cli::Arguments& arguments) {
  const std::string only = arguments.text("only");
  if (only.empty() || only == "causes" || only == "variables") return only;
  throw UsageError(fmt::format("--only {}: must be causes or variables", shown(only)));
}

Nodes renamed_nodes(const cli::Arguments& arguments, const AnyModel& model) {
  Nodes nodes(model);
  std::vector<Change> changes;
  if (arguments.has("names")) changes = changes_in(arguments.text("names"), nodes);
  if (arguments.has("change")) {
    for (const auto& word : arguments.get<std::vector<std::string>>("change")) {
      changes.push_back(change_of(word, nodes));
    }
  }
  if (changes.empty()) {
    throw UsageError("nothing to rename: give OLD=NEW, or --names FILE with a line old,new each");
  }
  const std::string only = only_option(arguments);
  for (const Change& change : changes) nodes.rename(change, only);
  nodes.require_distinct();
  return nodes;
}

AnyModel with_names(const AnyModel& model, const Nodes& nodes) {
  std::size_t next = 0;
  return family::family_of(model).renamed(
      model, [&](NodeKind, const std::string&) { return nodes.all()[next++].new_name; });
}

/// As the output's name says, else as the model is stored.
bool is_json(const std::string& output, const std::string& source) {
  const std::string end = std::filesystem::path(output).extension().string();
  if (end == ".json") return true;
  if (end == ".h5" || end == ".hdf5") return false;
  const std::string file = family::model_file(source);
  return !file.empty() && !store::is_hdf5(file);
}

/// A file of `orrery sample` has the rows that were drawn from its network.
void tell_of_rows(const std::string& source) {
  const std::string file = family::model_file(source);
  if (file.empty() || !store::is_hdf5(file)) return;
  const store::FileContents contents = store::inspect(file);
  if (!contents.has("samples") && !contents.has("dense") && !contents.has("categorical")) return;
  log::info("{}: holds samples as well, which the new file has not: it is the model alone", source);
}

po::options_description rename_options() {
  po::options_description own("Options");
  own.add_options()("names", po::value<std::string>()->value_name("FILE"),
                    "a CSV of two columns, old,new: a line for each name that changes")(
      "only", po::value<std::string>()->value_name("KIND"),
      "causes or variables: look for the old names among these alone")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the model with its new names: JSON if FILE ends in .json, HDF5 if it ends in .h5, else what "
      "MODEL is");
  return own;
}

}  // namespace

void run_rename(const cli::CommandLine& line, const parallel::Team& team) {
  const cli::Arguments arguments({"rename",
                                  "MODEL OLD=NEW ... [--names FILE] -o FILE",
                                  "Gives causes and variables of a model other names, in a new "
                                  "file. All else of the model stays as it is.",
                                  "orrery rename model.h5 cause0=influenza -o named.h5",
                                  {"model"},
                                  {"output"},
                                  family::is_generator,
                                  "change"},
                                 rename_options(), line, team);
  if (arguments.helped() || !team.is_root()) return;
  const std::string source = arguments.required("model");
  const std::string output = arguments.dry_run() ? arguments.text("output") : arguments.output();
  const AnyModel model = family::load_model(source, arguments.seed());
  if (!family::family_of(model).renamed) family::refuse_command(model, source, "rename");
  const Nodes nodes = renamed_nodes(arguments, model);
  if (arguments.dry_run()) {
    const std::size_t n_edges = family::family_of(model).size(model).edges;
    cli::print_plan(arguments,
                    {400 * static_cast<double>(n_edges) + 1e6, nodes.n_renamed(), "names"});
    return;
  }
  const AnyModel named = with_names(model, nodes);
  if (is_json(output, source)) {
    write_text_file(output, family::to_json(named));
  } else {
    store::write_group(output, family::group_of(named), arguments.run_info(team));
  }
  tell_of_rows(source);
  cli::print_done(
      arguments, {{"output", output}, {"renamed", nodes.n_renamed()}},
      fmt::format("{} of {} renamed; written to {}", report::count_of(nodes.n_renamed(), "name"),
                  nodes.all().size(), output));
}

}  // namespace orrery::commands
