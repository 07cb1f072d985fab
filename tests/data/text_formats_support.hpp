// Small files of the formats in text, and what came out of them as bits, numbers and categories.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "data/import_tables.hpp"
#include "import_support.hpp"

namespace orrery::data::testing {

using Names = std::vector<std::string>;

/// Collects rows as texts: numbers and ? separated by blanks.
class NumberRows final : public DenseSink {
 public:
  void begin(const Names& given) override { names = given; }
  void append(const DenseBlock& block) override {
    for (std::size_t i = 0; i < block.n_rows; ++i) {
      std::string row;
      for (const double value : block.row(i)) {
        if (!row.empty()) row += ' ';
        row += std::isnan(value) ? std::string("?") : fmt::format("{}", value);
      }
      rows.push_back(row);
    }
  }
  Names names, rows;
};

inline ImportOptions with_format(Format format) {
  ImportOptions options;
  options.format = format;
  return options;
}

/// Rows of numbers, after the names.
inline Names numbers_of(std::string_view content, const ImportOptions& options) {
  const ScratchFolder folder;
  NumberRows sink;
  (void)import_dense(folder.write("t.txt", content), options, sink);
  return sink.rows;
}

/// Rows of bits.
inline Table bits_of(std::string_view content, const ImportOptions& options) {
  return import_content("t.txt", content, options).table;
}

inline Names names_of(std::string_view content, const ImportOptions& options) {
  return import_content("t.txt", content, options).summary.names;
}

template <class E = InputError>
std::string numbers_refusal(std::string_view content, const ImportOptions& options) {
  try {
    (void)numbers_of(content, options);
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << content << ": imported without the error that was expected";
  return {};
}

template <class E = InputError>
std::string bits_refusal(std::string_view content, const ImportOptions& options) {
  return message_of<E>("t.txt", content, options);
}

}  // namespace orrery::data::testing
