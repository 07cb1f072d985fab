#include "families/noisy_or/anchored/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "base/progress.hpp"
#include "data/bits.hpp"
#include "data/text_table.hpp"
#include "learning/load.hpp"
#include "learning/stages.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"
#include "store/store.hpp"

namespace orrery::anchored {
namespace {

constexpr std::size_t most_causes = 10'000;

/// The parts between semicolons, without blanks around them.
std::vector<std::string> members(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view part(text.data() + begin, end - begin);
    const std::size_t first = part.find_first_not_of(' ');
    const std::size_t last = part.find_last_not_of(' ');
    parts.emplace_back(first == std::string_view::npos ? "" : part.substr(first, last - first + 1));
    begin = end + 1;
  }
  return parts;
}

double read_rate(const std::string& cell, const char* name, const std::string& place) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size() && value >= 0 && value <= 1) {
    return value;
  }
  throw InputError(fmt::format("{}: {} is '{}'; it is a probability, 0 to 1, or empty if not known",
                               place, name, cell));
}

std::optional<std::pair<double, double>> read_rates(const data::TextRow& row,
                                                    const std::string& place) {
  if (row.cells.size() < 4) return std::nullopt;
  if (row.cells[2].empty() && row.cells[3].empty()) return std::nullopt;
  const double off = read_rate(row.cells[2], "off", place);
  const double on = read_rate(row.cells[3], "on", place);
  if (off == on) {
    throw InputError(fmt::format(
        "{}: off and on are both {}: an anchor that does not depend on its cause tells nothing of "
        "it; correct the rates, or name another column",
        place, on));
  }
  if (off > on) {
    throw InputError(fmt::format(
        "{}: off {} is larger than on {}: the column is on where the cause is absent; complement "
        "the column (noisy-OR causes switch on), or exchange the rates",
        place, off, on));
  }
  return std::pair{off, on};
}

bool is_header(const data::TextRow& row) {
  const auto lower = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    return text;
  };
  return lower(row.cells[0]) == "cause" && lower(row.cells[1]) == "column";
}

void add_row(const data::TextRow& row, std::map<std::string, std::uint32_t>& causes,
             std::map<std::string, std::uint64_t>& lines, NamedAnchors& anchors) {
  const std::string place = fmt::format("{}: line {}", anchors.file, row.line);
  NamedAnchor anchor{row.cells[0], members(row.cells[1]), read_rates(row, place), row.line};
  if (anchor.cause.empty()) {
    throw InputError(
        fmt::format("{}: the cause has no name; its rows are cause,column[,off,on]", place));
  }
  for (const std::string& column : anchor.columns) {
    if (column.empty()) {
      throw InputError(
          fmt::format("{}: '{}' names an empty column; write a, or a;b for the union of two", place,
                      row.cells[1]));
    }
    const auto [used, is_new] = lines.emplace(column, row.line);
    if (!is_new) {
      throw InputError(fmt::format(
          "{}: column '{}' is used in line {} already; a column is the anchor of one cause, once",
          place, column, used->second));
    }
  }
  const auto [cause, is_new] =
      causes.emplace(anchor.cause, static_cast<std::uint32_t>(anchors.causes.size()));
  if (is_new) anchors.causes.push_back(anchor.cause);
  anchors.cause_of.push_back(cause->second);
  anchors.anchors.push_back(std::move(anchor));
}

}  // namespace

std::string NamedAnchors::place(const NamedAnchor& anchor) const {
  return fmt::format("{}: line {} ('{}')", file, anchor.line, anchor.cause);
}

NamedAnchors read_anchors(const std::filesystem::path& path) {
  NamedAnchors anchors;
  anchors.file = path.string();
  const std::vector<data::TextRow> rows = data::read_text_table(path, 0);
  const std::size_t width = rows.front().cells.size();
  if (width != 2 && width != 4) {
    throw InputError(
        fmt::format("{}: line {}: {} columns; a table of anchors has two or four: "
                    "cause,column or cause,column,off,on",
                    anchors.file, rows.front().line, width));
  }
  std::map<std::string, std::uint32_t> causes;
  std::map<std::string, std::uint64_t> lines;
  for (std::size_t i = is_header(rows.front()) ? 1 : 0; i < rows.size(); ++i) {
    add_row(rows[i], causes, lines, anchors);
  }
  if (anchors.causes.empty()) {
    throw InputError(
        fmt::format("{}: a header and no row; name one sure sign of each cause", anchors.file));
  }
  if (anchors.causes.size() > most_causes) {
    throw InputError(fmt::format("{}: {} causes; at most {} are learned together", anchors.file,
                                 anchors.causes.size(), most_causes));
  }
  return anchors;
}

// The rows.

namespace {

constexpr learning::Needs needs{2, 256, "an anchor and what it explains",
                                "to estimate moments and their errors"};

std::string joined(const std::vector<std::string>& columns) {
  std::string name;
  for (const std::string& column : columns) name += (name.empty() ? "" : ";") + column;
  return name;
}

/// The file's columns, where an anchor of several takes the place of its first.
data::ColumnUnions unite_anchors(const NamedAnchors& named, const std::vector<std::string>& columns,
                                 const std::string& source) {
  std::map<std::string, std::size_t> index;
  for (std::size_t c = 0; c < columns.size(); ++c) index.emplace(columns[c], c);
  // At the first member: all of them, and the name.
  std::vector<std::vector<std::size_t>> place(columns.size());
  std::vector<std::string> names = columns;
  std::vector<bool> hidden(columns.size(), false);
  for (const NamedAnchor& anchor : named.anchors) {
    // A union may be a column of that name already.
    if (anchor.columns.size() > 1 && index.contains(joined(anchor.columns))) continue;
    std::vector<std::size_t> members;
    for (const std::string& column : anchor.columns) {
      const auto found = index.find(column);
      if (found == index.end()) {
        throw InputError(fmt::format("{}: {} has no column '{}'; its columns are {}",
                                     named.place(anchor), source, column,
                                     learning::list_names(columns)));
      }
      members.push_back(found->second);
    }
    std::ranges::sort(members);
    for (std::size_t i = 1; i < members.size(); ++i) hidden[members[i]] = true;
    names[members.front()] = joined(anchor.columns);
    place[members.front()] = std::move(members);
  }
  data::ColumnUnions unions;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (hidden[c]) continue;
    unions.names.push_back(names[c]);
    unions.members.push_back(place[c].size() > 1 ? place[c] : std::vector{c});
  }
  return unions;
}

bool is_plain(const data::ColumnUnions& unions) {
  return std::ranges::all_of(unions.members, [](const auto& m) { return m.size() == 1; });
}

/// `names`: of the observed variables, unions formed.
void place_anchors(const NamedAnchors& named, Observations& observed) {
  std::map<std::string, std::uint32_t> index;
  for (std::size_t c = 0; c < observed.names.size(); ++c) {
    index.emplace(observed.names[c], static_cast<std::uint32_t>(c));
  }
  observed.causes = named.causes;
  for (std::uint32_t cause = 0; cause < named.causes.size(); ++cause) {
    for (std::size_t i = 0; i < named.anchors.size(); ++i) {
      if (named.cause_of[i] != cause) continue;
      const NamedAnchor& anchor = named.anchors[i];
      const auto found = index.find(joined(anchor.columns));
      if (found == index.end()) {
        throw InputError(fmt::format("{}: {} has no column '{}'; its columns are {}",
                                     named.place(anchor), observed.source, joined(anchor.columns),
                                     learning::list_names(observed.names)));
      }
      observed.anchors.push_back(
          {cause, found->second,
           anchor.columns.size() > 1 ? anchor.columns : std::vector<std::string>{}});
      observed.given.push_back(
          anchor.rates ? std::optional(std::array{anchor.rates->first, anchor.rates->second})
                       : std::nullopt);
    }
  }
}

void require_complete(const std::string& path, const store::SampleReader& reader) {
  if (!reader.header().has_missing) return;
  for (std::size_t block = 0; block < reader.n_blocks(); ++block) {
    const auto rows = reader.read(block);
    if (!rows.missing) continue;
    for (std::size_t c = 0; c < rows.missing->n_columns(); ++c) {
      for (std::size_t r = 0; r < rows.missing->n_rows(); ++r) {
        if (!rows.missing->at(r, c)) continue;
        throw InputError(fmt::format(
            "{}: row {}, column '{}': a value is missing, and moments of anchors need every row; "
            "leave such columns out with `orrery import --drop`, or fill them in",
            path, block * data::block_rows(rows.missing->n_columns()) + r + 1, reader.names()[c]));
      }
    }
  }
}

}  // namespace

data::BitPanels every_row_on(std::size_t n_columns, std::size_t n_rows) {
  data::BitPanels panels(n_columns, n_rows);
  for (std::size_t c = 0; c < n_columns; ++c) {
    for (std::size_t w = 0; w < panels.n_words(); ++w) {
      const std::size_t rest = n_rows - 64 * w;
      panels.words()[(c / data::panel_lanes * panels.n_words() + w) * data::panel_lanes +
                     c % data::panel_lanes] =
          rest >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
    }
  }
  return panels;
}

double bits_needed(std::uint64_t n_samples, std::size_t n_columns) {
  return 8 * static_cast<double>(
                 data::BitPanels::words_needed(n_columns, static_cast<std::size_t>(n_samples)));
}

std::vector<std::size_t> Observations::anchors_of(std::size_t cause) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    if (anchors[i].cause == cause) found.push_back(i);
  }
  return found;
}

namespace {

void require_memory(const learning::DataContext& context, const store::SampleHeader& header,
                    std::size_t n_labels) {
  if (context.memory_bytes == 0) return;
  const double bytes = bits_needed(header.n_samples, header.n_observed) +
                       2 * bits_needed(header.n_samples, n_labels) +
                       static_cast<double>(learning::resident_bytes());
  if (bytes <= static_cast<double>(context.memory_bytes)) return;
  throw UsageError(fmt::format(
      "--memory {}: {} ({} rows x {} columns) is held whole, one copy per host, which takes {}; "
      "allow that, or leave columns out with `orrery import --drop`",
      format_bytes(static_cast<double>(context.memory_bytes)), context.path,
      format_count(header.n_samples), header.n_observed, format_bytes(bytes)));
}

/// The labels' columns in the order of the causes.
data::BitPanels pick(const data::BitPanels& panels, const std::vector<std::size_t>& columns,
                     const data::BitPanels* except) {
  data::BitPanels picked(columns.size(), panels.n_rows());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t w = 0; w < panels.n_words(); ++w) {
      std::uint64_t word = panels.word(columns[c], w);
      if (except != nullptr) word &= ~except->word(columns[c], w);
      picked.words()[(c / data::panel_lanes * panels.n_words() + w) * data::panel_lanes +
                     c % data::panel_lanes] = word;
    }
  }
  return picked;
}

Labels read_labels(const learning::DataContext& context, const std::string& path,
                   const Observations& observed) {
  const data::SampleMatrix samples =
      learning::load_whole(context.team, context.threads, path,
                           learning::Needs{1, 1, "labels of a cause", "to learn from labels"});
  if (samples.n_samples() != observed.n_samples) {
    throw InputError(fmt::format(
        "{}: {} rows of labels, but {} has {}; row i of the one labels row i of the other", path,
        samples.n_samples(), observed.source, observed.n_samples));
  }
  std::vector<std::size_t> columns;
  for (const std::string& cause : observed.causes) {
    const auto found = std::ranges::find(samples.names, cause);
    if (found == samples.names.end()) {
      throw InputError(
          fmt::format("{}: no column '{}'; labels have a column for each cause, and "
                      "these are {}",
                      path, cause, learning::list_names(samples.names)));
    }
    columns.push_back(static_cast<std::size_t>(found - samples.names.begin()));
  }
  const data::BitPanels* missing = samples.missing ? &*samples.missing : nullptr;
  const data::BitPanels ones = every_row_on(samples.n_observed(), samples.n_samples());
  return {path, pick(samples.values, columns, missing), pick(ones, columns, missing)};
}

Observations observe_network(const model::AnyModel& exact, const NamedAnchors& named) {
  const auto* learned = exact.as<model::LearnedModel>();
  if (learned == nullptr) {
    throw InputError(
        "--moments: `learn anchored` takes the exact moments of a noisy-OR network "
        "(anchored:..., or a file of one), and this is a model of another family");
  }
  Observations observed;
  observed.source = "--moments";
  observed.exact = &learned->network;
  observed.names = learned->network.observed_names();
  place_anchors(named, observed);
  return observed;
}

}  // namespace

Observations observe(const learning::DataContext& context, const Options& options) {
  const NamedAnchors named = context.team.root_first([&] { return read_anchors(options.anchors); });
  if (context.exact != nullptr) return observe_network(*context.exact, named);
  const learning::StageWatch watch(context.stages, "load");
  Observations observed;
  observed.source = context.path;
  const data::ColumnUnions unions =
      unite_anchors(named, learning::read_names(context.team, context.path), context.path);
  if (context.team.is_root()) {
    const store::SampleReader reader(context.path);
    require_memory(context, reader.header(), options.labels.empty() ? 0 : 2 * named.causes.size());
    require_complete(context.path, reader);
  }
  data::SampleMatrix samples = learning::load_whole(context.team, context.threads, context.path,
                                                    needs, is_plain(unions) ? nullptr : &unions);
  observed.names = samples.names;
  observed.n_samples = samples.n_samples();
  observed.digest = samples.digest;
  observed.values = std::move(samples.values);
  place_anchors(named, observed);
  if (!options.labels.empty()) {
    observed.labels = read_labels(context, options.labels, observed);
  }
  return observed;
}

}  // namespace orrery::anchored
