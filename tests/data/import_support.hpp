// Small files for the import tests, and what came out of them as text.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/message_parts.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/dense_block.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data::testing {

/// A folder of its own, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    static std::atomic<int> n_made{0};
    path_ = std::filesystem::temp_directory_path() /
            ("orrery-import-" + std::to_string(getpid()) + "-" + std::to_string(n_made++));
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    const auto path = path_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::filesystem::path write_gzip(const std::string& name, std::string_view content) const {
    const auto path = path_ / name;
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Rows as text: 0, 1 and ? for missing.
using Table = std::vector<std::string>;

inline Table table_of(const SampleMatrix& samples) {
  Table table(samples.n_samples(), std::string(samples.n_observed(), '0'));
  for (std::size_t r = 0; r < samples.n_samples(); ++r) {
    for (std::size_t c = 0; c < samples.n_observed(); ++c) {
      const bool value = samples.values.at(r, c);
      const bool missing = samples.missing && samples.missing->at(r, c);
      // A missing value's bit must be 0.
      table[r][c] = missing ? (value ? '!' : '?') : (value ? '1' : '0');
    }
  }
  return table;
}

struct Imported {
  ImportSummary summary;
  Table table;
};

inline Imported import_file(const std::filesystem::path& path, const ImportOptions& options = {}) {
  MemorySink sink;
  Imported result;
  result.summary = import_samples(path, options, sink);
  result.table = table_of(sink.take());
  return result;
}

inline Imported import_content(const std::string& name, std::string_view content,
                               const ImportOptions& options = {}) {
  const ScratchFolder folder;
  return import_file(folder.write(name, content), options);
}

/// The message of the error of type E that the import ends with; a failure if there is none.
template <class E>
std::string message_from(const std::filesystem::path& path, const ImportOptions& options) {
  try {
    import_file(path, options);
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << path << ": imported without the error that was expected";
  return {};
}

template <class E = InputError>
std::string message_of(const std::string& name, std::string_view content,
                       const ImportOptions& options = {}) {
  const ScratchFolder folder;
  return message_from<E>(folder.write(name, content), options);
}

using NumberTable = std::vector<std::vector<double>>;
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// NaN equals NaN.
inline bool same(const NumberTable& a, const NumberTable& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return std::ranges::equal(
        x, y, [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
  });
}

/// Collects a stream, and holds it to what the contract says of blocks.
class DenseRows final : public DenseSink {
 public:
  void begin(const std::vector<std::string>& given) override {
    EXPECT_TRUE(names.empty());
    names = given;
  }
  void append(const DenseBlock& block) override {
    EXPECT_EQ(block.n_columns, names.size());
    EXPECT_EQ(block.values.size(), block.n_rows * block.n_columns);
    EXPECT_EQ(rows.size() % dense_block_rows(names.size()), 0U) << "after a short block";
    EXPECT_TRUE(block.n_rows > 0 && block.n_rows <= dense_block_rows(names.size()));
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      rows.emplace_back(block.row(i).begin(), block.row(i).end());
    }
  }

  std::vector<std::string> names;
  NumberTable rows;
};

/// A table of pseudo-random cells: a linear congruential generator, independent of base/random.
inline Table random_table(std::size_t n_rows, std::size_t n_columns, bool with_missing = false) {
  Table table(n_rows, std::string(n_columns, '0'));
  std::uint64_t state = 12345;
  for (std::string& row : table) {
    for (char& cell : row) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const auto draw = state >> 60U;
      cell = with_missing && draw == 0 ? '?' : draw < 6 ? '1' : '0';
    }
  }
  return table;
}

inline std::string as_rows(const Table& table) {
  std::string text;
  for (const std::string& row : table) {
    text += row + "\n";
  }
  return text;
}

inline std::string as_delimited(const Table& table, char delimiter) {
  std::string text;
  for (const std::string& row : table) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      text += row[c];
      text += c + 1 < row.size() ? delimiter : '\n';
    }
  }
  return text;
}

inline std::string as_mtx(const Table& table) {
  std::string entries;
  std::size_t n_entries = 0;
  for (std::size_t c = 0; c < table[0].size(); ++c) {
    for (std::size_t r = 0; r < table.size(); ++r) {
      if (table[r][c] == '1') {
        entries += std::to_string(r + 1) + " " + std::to_string(c + 1) + "\n";
        ++n_entries;
      }
    }
  }
  return "%%MatrixMarket matrix coordinate pattern general\n% a comment\n" +
         std::to_string(table.size()) + " " + std::to_string(table[0].size()) + " " +
         std::to_string(n_entries) + "\n" + entries;
}

/// An NPY file of any header text; the length field as numpy writes it.
inline std::string npy_file(const std::string& dictionary, std::string_view values,
                            int version = 1) {
  std::string header = dictionary;
  const std::size_t preamble = version == 1 ? 10 : 12;
  while ((preamble + header.size() + 1) % 64 != 0) {
    header += ' ';
  }
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t byte = 0; byte < preamble - 8; ++byte) {
    file += static_cast<char>((header.size() >> (8 * byte)) & 0xFFU);
  }
  return file + header + std::string(values);
}

/// '?' becomes the byte `missing`.
inline std::string as_npy(const Table& table, const std::string& dtype, bool fortran_order,
                          int version = 1, char missing = '\xFF') {
  const std::size_t n_rows = table.size();
  const std::size_t n_columns = table[0].size();
  std::string values(n_rows * n_columns, '\0');
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      const char cell = table[r][c];
      values[fortran_order ? c * n_rows + r : r * n_columns + c] =
          cell == '?' ? missing : static_cast<char>(cell - '0');
    }
  }
  return npy_file("{'descr': '" + dtype +
                      "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': (" +
                      std::to_string(n_rows) + ", " + std::to_string(n_columns) + "), }",
                  values, version);
}

}  // namespace orrery::data::testing
