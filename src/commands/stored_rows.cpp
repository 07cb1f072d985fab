#include "commands/stored_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/output_file.hpp"
#include "data/joined_tables.hpp"
#include "orrery/base/error.hpp"
#include "store/store.hpp"
#include "store/tables.hpp"

namespace orrery::commands {

namespace {

bool takes(const std::vector<bool>& is_taken, std::uint64_t row) {
  return is_taken.empty() || is_taken[row];
}

/// A row's name goes with it. Names that are not there, or not of all rows, are left out at the
/// end.
data::RowNames names_of_taken(const std::string& path, const std::vector<bool>& is_taken) {
  const data::RowNames all = store::read_row_names(path);
  data::RowNames taken;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (takes(is_taken, row)) taken.add(all.at(row));
  }
  return taken;
}

class BitsFile final : public RowsFile {
 public:
  explicit BitsFile(const std::string& path) : writer_(path), joined_(writer_) {}

  void add(const std::string& path, const std::vector<bool>& is_taken) override {
    const store::SampleReader reader(path);
    joined_.set_file(path);
    joined_.begin(reader.names());
    n_columns_ = reader.names().size();
    std::uint64_t first = 0;
    for (std::size_t b = 0; b < reader.n_blocks(); first += reader.rows_of(b), ++b) {
      add_block(reader.read(b), first, is_taken);
    }
    joined_.name_rows(names_of_taken(path, is_taken));
  }
  void finish(const store::RunInfo& run, const store::GroupWriter& truth) override {
    joined_.finish();
    writer_.finish(run, truth);
  }

 private:
  void add_block(const store::SampleReader::Block& block, std::uint64_t first,
                 const std::vector<bool>& is_taken) {
    const std::size_t n = block.values.n_rows();
    std::vector<std::uint64_t> rows((n + 63) / 64);
    for (std::size_t i = 0; i < n; ++i) {
      if (!takes(is_taken, first + i)) continue;
      rows[i / 64] |= std::uint64_t{1} << (i % 64);
      ++n_rows_;
    }
    const data::BitColumns values = data::take_rows(block.values, rows);
    if (!block.missing) return joined_.append(values, nullptr);
    const data::BitColumns missing = data::take_rows(*block.missing, rows);
    joined_.append(values, &missing);
  }

  store::SampleWriter writer_;
  data::JoinedBits joined_;
};

class NumbersFile final : public RowsFile {
 public:
  explicit NumbersFile(const std::string& path) : writer_(path), joined_(writer_) {}

  void add(const std::string& path, const std::vector<bool>& is_taken) override {
    const store::DenseReader reader(path);
    joined_.set_file(path);
    joined_.begin(reader.names());
    n_columns_ = reader.names().size();
    std::uint64_t row = 0;
    reader.visit(0, reader.header().n_samples, [&](const double* rows, std::size_t n) {
      data::DenseBlock taken(0, n_columns_);
      for (std::size_t i = 0; i < n; ++i, ++row) {
        if (!takes(is_taken, row)) continue;
        taken.values.insert(taken.values.end(), rows + i * n_columns_, rows + (i + 1) * n_columns_);
        ++taken.n_rows;
      }
      n_rows_ += taken.n_rows;
      joined_.append(taken);
    });
    joined_.name_rows(names_of_taken(path, is_taken));
  }
  void finish(const store::RunInfo& run, const store::GroupWriter& truth) override {
    joined_.finish();
    writer_.finish(run, truth);
  }

 private:
  store::DenseWriter writer_;
  data::JoinedNumbers joined_;
};

class CategoriesFile final : public RowsFile {
 public:
  explicit CategoriesFile(std::string path) : path_(std::move(path)) {
    const OutputFile probe(path_);
  }

  void add(const std::string& path, const std::vector<bool>& is_taken) override {
    data::CategoricalTable table = store::read_categorical(path).table;
    n_columns_ = table.n_columns();
    data::CategoricalTable taken = table;
    taken.n_rows = 0;
    taken.codes.clear();
    for (std::uint64_t row = 0; row < table.n_rows; ++row) {
      if (!takes(is_taken, row)) continue;
      const auto codes = table.row(row);
      taken.codes.insert(taken.codes.end(), codes.begin(), codes.end());
      ++taken.n_rows;
    }
    n_rows_ += taken.n_rows;
    row_names_.add(names_of_taken(path, is_taken));
    if (table_.names.empty()) {
      table_ = std::move(taken);
    } else {
      data::append_rows(table_, taken, path);
    }
  }
  void finish(const store::RunInfo& run, const store::GroupWriter& truth) override {
    const bool are_named = data::are_fit(path_, row_names_, table_.n_rows);
    store::write_categorical(path_, table_, run, truth, are_named ? row_names_ : data::RowNames());
  }

 private:
  std::string path_;
  data::CategoricalTable table_;
  data::RowNames row_names_;
};

}  // namespace

learning::Input kind_of_rows(const std::string& path) {
  require_readable_file(path);
  if (!store::is_hdf5(path)) {
    throw InputError(fmt::format(
        "{}: not a file of orrery's own; read the table first: orrery import {} -o {}.h5", path,
        path, path));
  }
  const store::FileContents contents = store::inspect(path);
  if (contents.has("samples")) return learning::Input::bits;
  if (contents.has("dense")) return learning::Input::numbers;
  if (contents.has("categorical")) return learning::Input::categories;
  throw InputError(
      fmt::format("{}: has no rows of samples; give a file that import or sample wrote", path));
}

std::uint64_t count_rows(const std::string& path) {
  switch (kind_of_rows(path)) {
    case learning::Input::bits:
      return store::read_sample_header(path).n_samples;
    case learning::Input::numbers:
      return store::DenseReader(path).header().n_samples;
    case learning::Input::categories:
      return store::read_categorical(path).table.n_rows;
  }
  return 0;
}

std::unique_ptr<RowsFile> open_rows_file(const std::string& path, learning::Input kind) {
  switch (kind) {
    case learning::Input::bits:
      return std::make_unique<BitsFile>(path);
    case learning::Input::numbers:
      return std::make_unique<NumbersFile>(path);
    case learning::Input::categories:
      return std::make_unique<CategoriesFile>(path);
  }
  return nullptr;
}

}  // namespace orrery::commands
