#include "commands/info_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "base/progress.hpp"
#include "report/text.hpp"

namespace orrery::commands {
namespace {

struct Count {
  std::uint64_t ones = 0;
  std::uint64_t missing = 0;
};

Count count_column(const data::SampleMatrix& samples, std::size_t c) {
  Count count;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    count.ones += static_cast<std::uint64_t>(std::popcount(samples.values.word(c, w)));
    if (samples.missing) {
      count.missing += static_cast<std::uint64_t>(std::popcount(samples.missing->word(c, w)));
    }
  }
  return count;
}

std::vector<std::uint64_t> column_words(const data::SampleMatrix& samples, std::size_t c) {
  std::vector<std::uint64_t> words;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    words.push_back(samples.values.word(c, w));
    if (samples.missing) words.push_back(samples.missing->word(c, w));
  }
  return words;
}

void add_column(report::Record& row, const std::string& name, const Count& count,
                std::uint64_t n_seen) {
  const double marginal =
      n_seen == 0 ? 0 : static_cast<double>(count.ones) / static_cast<double>(n_seen);
  row.tell("name", name, "variable", name);
  row.tell("marginal", marginal, "P(on)", fmt::format("{:.4g}", marginal));
  row.tell("ones", count.ones, "ones", format_count(count.ones));
  row.tell("missing", count.missing, "missing", format_count(count.missing));
}

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 10;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > shown ? ", ..." : "");
}

}  // namespace

report::Table& columns_table(report::Section& section, bool every_column) {
  report::Table& table = section.table("columns", "Columns");
  table.most_shown = every_column ? std::numeric_limits<std::size_t>::max() : 20;
  table.all_rows = "-v lists all";
  return table;
}

void add_names(report::Section& section, const char* key, const char* label,
               const std::vector<std::string>& names) {
  section.data(key, names);
  if (names.empty()) return;
  section.show(label, format_count(names.size()), first_of(names));
}

void add_samples(report::Sheet& sheet, const data::SampleMatrix& samples, bool every_column) {
  report::Section& section = sheet.section("samples", "Samples");
  report::Table& columns = columns_table(section, every_column);
  std::vector<std::string> constant;
  std::vector<std::string> alike;
  nlohmann::json duplicates = nlohmann::json::array();
  std::map<std::vector<std::uint64_t>, std::size_t> first_seen;
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    const Count count = count_column(samples, c);
    const std::uint64_t n_seen = samples.n_samples() - count.missing;
    n_missing += count.missing;
    add_column(columns.row(), samples.names[c], count, n_seen);
    if (count.ones == 0 || count.ones == n_seen) {
      constant.push_back(samples.names[c]);
      continue;
    }
    const auto [found, fresh] = first_seen.emplace(column_words(samples, c), c);
    if (fresh) continue;
    const std::string& original = samples.names[found->second];
    duplicates.push_back({samples.names[c], original});
    alike.push_back(fmt::format("{} = {}", samples.names[c], original));
  }
  const std::string digest = fmt::format("{:016x}", samples.digest);
  section.sentences.push_back(fmt::format("samples: {} of {}, {}, digest {}",
                                          report::count_of(samples.n_samples(), "row"),
                                          report::count_of(samples.n_observed(), "variable"),
                                          report::count_of(n_missing, "missing value"), digest));
  section.data("n_samples", samples.n_samples())
      .data("n_observed", samples.n_observed())
      .data("n_missing", n_missing)
      .data("digest", digest);
  add_names(section, "constant", "constant columns", constant);
  add_names(section, "duplicates", "duplicate columns", alike);
  section.data("duplicates", std::move(duplicates));
}

}  // namespace orrery::commands
