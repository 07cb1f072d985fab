// orrery split DATA --test SHARE -o TRAIN TEST: rows to learn from, and rows held out.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "cli/arguments.hpp"
#include "cli/paths.hpp"
#include "cli/printing.hpp"
#include "commands/commands.hpp"
#include "commands/stored_rows.hpp"
#include "data/cells.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::commands {

namespace po = boost::program_options;

namespace {

/// The whole text as a number above 0, or 0.
double positive_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end && std::isfinite(number) && number > 0 ? number : 0;
}

/// "1/3", "0.25" or "200" of n_rows, as a number of rows. Throws UsageError.
std::uint64_t rows_of_share(const std::string& text, std::uint64_t n_rows) {
  const std::size_t slash = text.find('/');
  const double above = positive_number(std::string_view(text).substr(0, slash));
  const double below =
      slash == std::string::npos ? 1 : positive_number(std::string_view(text).substr(slash + 1));
  const bool is_count = slash == std::string::npos && above >= 1 && above == std::floor(above);
  const double share = below > 0 ? above / below : 0;
  if (share <= 0 || (share >= 1 && !is_count)) {
    throw UsageError(fmt::format(
        "--test {}: not a share of the rows; give one between 0 and 1, such as 1/3 or 0.25, or a "
        "number of rows",
        data::in_quotes(text)));
  }
  const double n = is_count ? share : std::round(share * static_cast<double>(n_rows));
  if (n < 1 || n >= static_cast<double>(n_rows)) {
    throw UsageError(fmt::format(
        "--test {}: {:.0f} of {} rows would be held out; both files need one row or more", text, n,
        format_count(n_rows)));
  }
  return static_cast<std::uint64_t>(n);
}

/// The rows with the n smallest draws: as many as asked for, and none depends on who draws.
std::vector<bool> draw_rows(std::uint64_t n_rows, std::uint64_t n, std::uint64_t seed) {
  std::vector<std::pair<double, std::uint64_t>> draws(n_rows);
  for (std::uint64_t row = 0; row < n_rows; ++row) {
    draws[row] = {RowRandom(seed, Stream::split, row).uniform(), row};
  }
  std::ranges::nth_element(draws, draws.begin() + static_cast<std::ptrdiff_t>(n));
  std::vector<bool> is_drawn(n_rows, false);
  for (std::uint64_t i = 0; i < n; ++i) is_drawn[draws[i].second] = true;
  return is_drawn;
}

/// The model that the rows were drawn from, if the file has it.
store::GroupWriter truth_of(const std::string& path) {
  if (!family::holds_model(store::inspect(path))) return {};
  return family::group_of(family::read_model_file(path));
}

struct Split {
  std::string data, train, test;
  std::vector<bool> is_test;
};

/// Both files appear, or none.
void write_both(const Split& split, store::RunInfo run) {
  const Progress clock("total", 0, "");
  const learning::Input kind = kind_of_rows(split.data);
  const auto train = open_rows_file(split.train, kind);
  const auto test = open_rows_file(split.test, kind);
  std::vector<bool> is_train = split.is_test;
  is_train.flip();
  train->add(split.data, is_train);
  test->add(split.data, split.is_test);
  run.stages = {{"total", clock.seconds()}};
  run.bytes_read = store::bytes_read();
  const store::GroupWriter truth = truth_of(split.data);
  const cli::PreviousFile before(split.train);
  train->finish(run, truth);
  try {
    test->finish(run, truth);
  } catch (const EnvironmentError& error) {
    throw EnvironmentError(fmt::format(
        "{} ({})", error.what(),
        before.put_back() ? fmt::format("{} is as it was before", split.train)
                          : fmt::format("{} is the new file already: split again", split.train)));
  }
}

}  // namespace

void run_split(const cli::CommandLine& line, const parallel::Team& team) {
  po::options_description own("Options");
  own.add_options()("test", po::value<std::string>()->value_name("SHARE"),
                    "rows to hold out: a share such as 1/3 or 0.25, or a number of rows")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the rows to learn from, HDF5; the word behind it is the file of those held out");
  const cli::Arguments arguments(
      {"split",
       "DATA --test SHARE -o TRAIN TEST",
       "Divides the rows of a file of samples at random into rows to learn from and rows held out, "
       "of which `evaluate --data` tells how well a model predicts them. The same seed holds out "
       "the same rows. Both files keep the order of the rows, and their names.",
       "orrery split data.h5 --test 1/3 --seed 1 -o train.h5 test.h5",
       {"data", "test-file"},
       {"output", "test-file"}},
      own, line, team);
  if (arguments.helped() || !team.is_root()) return;
  Split split;
  split.data = arguments.required("data");
  const std::string share = arguments.required("test");
  const std::uint64_t n_rows = count_rows(split.data);
  const std::uint64_t n_test = rows_of_share(share, n_rows);
  if (arguments.dry_run()) {
    cli::print_plan(arguments, {150e6 + 17.0 * static_cast<double>(n_rows), n_rows, "rows"});
    return;
  }
  split.train = arguments.output();
  split.test = arguments.required("test-file");
  split.is_test = draw_rows(n_rows, n_test, arguments.seed());
  write_both(split, arguments.run_info(team));
  cli::print_done(
      arguments,
      {{"n_train", n_rows - n_test},
       {"n_test", n_test},
       {"output", split.train},
       {"test_file", split.test}},
      fmt::format("{} rows written to {}, {} rows held out in {}", format_count(n_rows - n_test),
                  split.train, format_count(n_test), split.test));
}

}  // namespace orrery::commands
