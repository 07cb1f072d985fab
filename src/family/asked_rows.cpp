#include "family/asked_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/near_names.hpp"
#include "base/output_file.hpp"
#include "cli/arguments.hpp"
#include "data/cells.hpp"
#include "data/row_writers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::family {
namespace {

namespace po = boost::program_options;

constexpr std::size_t most_named = 8;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> quoted(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(data::in_quotes(name));
  return all;
}

/// What is said of a name or a value that is none of `known`.
std::string remedy(const std::string& given, const std::vector<std::string>& known,
                   const std::string& otherwise) {
  const std::vector<std::string> near = near_names(given, known);
  if (!near.empty()) {
    return fmt::format("did you mean {}?", fmt::join(quoted(near), " or "));
  }
  if (known.size() > most_named) return otherwise;
  return fmt::format("it has {}", fmt::join(quoted(known), ", "));
}

/// A part of --given between commas: its text without quotes, and where a name may end in it.
struct Item {
  std::string text;
  std::vector<std::size_t> ends;         ///< of '=' outside quotes
  std::vector<std::size_t> quoted_ends;  ///< of '=' inside them
  std::size_t n_kept = 0;                ///< so much is quoted: blanks there are kept
};

class ItemReader {
 public:
  explicit ItemReader(std::string_view text) : text_(text) {}

  /// False at the end. Throws UsageError for a quote that does not end.
  bool next(Item& item) {
    item = {};
    if (is_over_) return false;
    skip_blanks();
    for (; at_ < text_.size() && text_[at_] != ','; ++at_) {
      const bool begins = item.text.empty() || item.text.back() == '=';
      if (text_[at_] == '"' && begins) {
        take_quoted(item);
      } else {
        if (text_[at_] == '=') item.ends.push_back(item.text.size());
        item.text += text_[at_];
      }
    }
    is_over_ = at_ == text_.size();
    ++at_;
    while (item.text.size() > item.n_kept &&
           (item.text.back() == ' ' || item.text.back() == '\t')) {
      item.text.pop_back();
    }
    return true;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  /// From a quote to the one that ends it; two in a row stand for one.
  void take_quoted(Item& item) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && (at_ + 1 == text_.size() || text_[at_ + 1] != '"')) {
        item.n_kept = item.text.size();
        return;
      }
      if (text_[at_] == '"') ++at_;
      if (text_[at_] == '=') item.quoted_ends.push_back(item.text.size());
      item.text += text_[at_];
    }
    throw UsageError(
        fmt::format("--given {}: a quote does not end; write \"\" for a quote in a "
                    "name",
                    data::in_quotes(text_)));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_over_ = false;
};

/// The name as it stands there, blanks around it included if a variable has them.
std::string name_in(std::string_view text, const std::vector<std::string>& names) {
  return std::string(contains(names, std::string(text)) ? text : data::trimmed(text));
}

/// Where the name ends.
std::size_t end_of_name(const Item& item, const std::vector<std::string>& names) {
  const auto& ends = item.ends.empty() ? item.quoted_ends : item.ends;
  if (ends.empty()) {
    throw UsageError(fmt::format(
        "--given {}: a value is missing; write NAME=VALUE, such as {}=1, separated by commas",
        data::in_quotes(item.text), names.empty() ? "fever" : names.front()));
  }
  for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
    const std::string_view before = std::string_view(item.text).substr(0, *end);
    if (contains(names, name_in(before, names))) return *end;
  }
  return ends.front();
}

void add_values(std::string_view text, const std::vector<std::string>& names,
                std::vector<GivenValue>& values) {
  ItemReader items(text);
  for (Item item; items.next(item);) {
    if (item.text.empty()) continue;
    const std::size_t end = end_of_name(item, names);
    std::string name = name_in(std::string_view(item.text).substr(0, end), names);
    const std::string written = item.text.substr(end + 1);
    if (!contains(names, name)) {
      throw UsageError(
          fmt::format("--given {}: the model has no variable {}; {}", data::in_quotes(item.text),
                      data::in_quotes(name),
                      remedy(name, names, "`orrery export MODEL --format csv -o -` shows them")));
    }
    if (std::ranges::find(values, name, &GivenValue::name) != values.end()) {
      throw UsageError(
          fmt::format("--given: {} stands there twice; leave one out", data::in_quotes(name)));
    }
    if (data::trimmed(written).empty()) {
      throw UsageError(
          fmt::format("--given {}: a value is missing; write it behind the =, or ? "
                      "where nobody looked",
                      data::in_quotes(item.text)));
    }
    values.push_back({std::move(name), written});
  }
}

/// The text of an argument, or a line of the file that it names, each.
std::vector<std::string> lines_of(const std::string& argument) {
  if (!argument.starts_with('@')) return {argument};
  std::vector<std::string> lines;
  const std::string text = read_text_file(argument.substr(1));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// The columns of a given row: of a variable the column of its own name, or, where one of the
/// columns is named that it is the union of, these.
std::vector<std::string> columns_of_row(const AskedVariables& variables,
                                        const std::vector<GivenValue>& values) {
  const auto is_given = [&](const std::string& name) {
    return std::ranges::find(values, name, &GivenValue::name) != values.end();
  };
  std::vector<std::string> columns;
  std::set<std::string> are_there;
  const auto add = [&](const std::string& name) {
    if (are_there.insert(name).second) columns.push_back(name);
  };
  for (std::size_t i = 0; i < variables.names.size(); ++i) {
    const std::string& name = variables.names[i];
    const auto members =
        variables.members.empty() ? std::vector<std::string>() : variables.members[i];
    const bool of_members = std::ranges::any_of(members, is_given);
    if (of_members && is_given(name) && !contains(members, name)) {
      throw UsageError(fmt::format("--given: {} is the union of {}; give its own value or theirs",
                                   data::in_quotes(name), fmt::join(quoted(members), ", ")));
    }
    if (!of_members) add(name);
    if (of_members) std::ranges::for_each(members, add);
  }
  return columns;
}

data::SampleMatrix bits_of_row(const AskedVariables& variables,
                               const std::vector<std::string>& texts) {
  std::vector<std::string> names = variables.names;
  const std::set<std::string> variable_names(names.begin(), names.end());
  for (const auto& members : variables.members) {
    std::ranges::copy_if(members, std::back_inserter(names), [&](const std::string& member) {
      return !variable_names.contains(member);
    });
  }
  const std::vector<GivenValue> values = given_values(texts, names);
  data::SampleMatrix row;
  row.names = columns_of_row(variables, values);
  row.values = data::BitPanels(row.names.size(), 1);
  row.missing.emplace(row.names.size(), 1);
  const data::CellReader cells(std::vector<std::string>{});
  std::map<std::string, data::Cell> given;
  for (const auto& [name, value] : values) {
    const data::Cell cell = cells.classify(data::trimmed(value));
    if (cell == data::Cell::other) {
      throw UsageError(
          fmt::format("--given {}={}: must be 1 or 0 (true/false, yes/no, y/n, t/f), "
                      "or ? where nobody looked",
                      data::in_quotes(name), data::in_quotes(value)));
    }
    given[name] = cell;
  }
  for (std::size_t c = 0; c < row.names.size(); ++c) {
    const auto found = given.find(row.names[c]);
    const data::Cell cell = found == given.end() ? data::Cell::missing : found->second;
    row.values.set(0, c, cell == data::Cell::one);
    row.missing->set(0, c, cell == data::Cell::missing);
  }
  return row;
}

}  // namespace

void add_given_option(po::options_description& options) {
  options.add_options()(
      "given", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE,..."),
      "in the place of DATA: one row, of which these values are known and all others missing; may "
      "be repeated; names with commas in quotes as in CSV; or @FILE, with such values on each "
      "line. Beside DATA, of a tree alone: the names of variables to predict from");
}

std::vector<GivenValue> given_values(const std::vector<std::string>& texts,
                                     const std::vector<std::string>& names) {
  std::vector<GivenValue> values;
  for (const std::string& argument : texts) {
    for (const std::string& line : lines_of(argument)) add_values(line, names, values);
  }
  if (values.empty()) {
    throw UsageError("--given: says nothing; write NAME=VALUE, separated by commas");
  }
  return values;
}

bool has_data_file(const cli::Arguments& arguments) {
  if (arguments.has("data") || !arguments.has("given")) {
    (void)arguments.required("data");
    return true;
  }
  if (arguments.has("checkpoint")) {
    throw UsageError("--given tells one row, which is soon done; leave out --checkpoint");
  }
  return false;
}

std::string name_of_rows(const cli::Arguments& arguments) {
  return has_data_file(arguments) ? arguments.text("data") : "--given";
}

void refuse_given_beside_data(const cli::Arguments& arguments) {
  if (!arguments.has("given") || !arguments.has("data")) return;
  throw UsageError(fmt::format("--given tells a row, and {} holds rows too; leave one of them out",
                               arguments.text("data")));
}

std::unique_ptr<store::SampleReader> open_bits(const cli::Arguments& arguments,
                                               const parallel::Team& team,
                                               const AskedVariables& variables) {
  return team.root_first([&] {
    return has_data_file(arguments) ? std::make_unique<store::SampleReader>(arguments.text("data"))
                                    : std::make_unique<store::SampleReader>(
                                          bits_of_row(variables, arguments.texts("given")));
  });
}

store::StoredTable open_categories(const cli::Arguments& arguments,
                                   const data::CategoricalTable& variables) {
  if (has_data_file(arguments)) return store::read_categorical(arguments.text("data"));
  data::CategoricalTable row = variables;
  row.n_rows = 1;
  row.codes.assign(row.n_columns(), data::missing_code);
  for (const auto& [name, value] : given_values(arguments.texts("given"), row.names)) {
    const auto column =
        static_cast<std::size_t>(std::ranges::find(row.names, name) - row.names.begin());
    const std::vector<std::string>& categories = row.categories[column];
    auto category = std::ranges::find(categories, value);
    if (category == categories.end())
      category = std::ranges::find(categories, data::trimmed(value));
    if (category != categories.end()) {
      row.codes[column] = static_cast<std::uint8_t>(category - categories.begin());
    } else if (!data::reads_as_missing(value)) {
      throw UsageError(fmt::format(
          "--given {}={}: the model does not know this category of {}; {}", data::in_quotes(name),
          data::in_quotes(value), data::in_quotes(name),
          remedy(value, categories, "`orrery export MODEL --format json -o -` shows them")));
    }
  }
  return store::as_stored(std::move(row));
}

}  // namespace orrery::family
