// Purpose: rows of bits, numbers and categories into CSV and NPY.
// Cost: linear; a megabyte of text or of bytes is held at a time.
#include "data/row_writers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "data/npy_array.hpp"

namespace orrery::data {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
constexpr std::size_t npy_alignment = 64;  // of the values, as numpy has it

std::string npy_header_text(std::string_view type, std::uint64_t n_rows, std::size_t n_columns) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                   type, n_rows, n_columns);
  const std::size_t preamble = npy_magic.size() + 4;  // version 1.0, a length of two bytes
  const std::size_t used = preamble + header.size() + 1;
  header.append((npy_alignment - used % npy_alignment) % npy_alignment, ' ');
  header += '\n';
  std::string text(npy_magic);
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size() & 0xFFU);
  text += static_cast<char>(header.size() >> 8U);
  return text + header;
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (trimmed(text).size() == text.size() && text.find_first_of(",\"\r\n\t") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// ------------------------------------------------------------------------------------------- CSV

CsvRows::CsvRows(const std::vector<std::string>& names, PieceSink sink, RowNames row_names)
    : n_columns_(names.size()), sink_(std::move(sink)), row_names_(std::move(row_names)) {
  if (!row_names_.empty()) text_ += ',';
  for (std::size_t c = 0; c < n_columns_; ++c) {
    text_ += csv_field(names[c]);
    end_field(c, false);
  }
}

void CsvRows::begin_row() {
  const std::uint64_t row = n_rows_++;
  if (row >= row_names_.size()) return;
  text_ += csv_field(std::string(row_names_.at(row)));
  text_ += ',';
}

void CsvRows::end_field(std::size_t column, bool is_missing) {
  if (is_missing && n_columns_ == 1) text_ += "\"\"";
  if (column + 1 < n_columns_) {
    text_ += ',';
    return;
  }
  text_ += '\n';
  if (text_.size() >= piece_bytes) finish();
}

void CsvRows::finish() {
  sink_(text_);
  text_.clear();
}

void CsvRows::append(const BitColumns& values, const BitColumns* missing) {
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    begin_row();
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const bool is_missing = missing != nullptr && missing->at(row, c);
      if (!is_missing) text_ += values.at(row, c) ? '1' : '0';
      end_field(c, is_missing);
    }
  }
}

void CsvRows::append(const double* rows, std::size_t n_rows) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    begin_row();
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const double value = *rows++;
      const bool is_missing = std::isnan(value);
      if (!is_missing) append_text(text_, "{}", value);
      end_field(c, is_missing);
    }
  }
}

void CsvRows::append(const CategoricalTable& table) {
  std::vector<std::vector<std::string>> fields(n_columns_);
  for (std::size_t c = 0; c < n_columns_; ++c) {
    std::ranges::transform(table.categories[c], std::back_inserter(fields[c]), csv_field);
  }
  for (std::uint64_t row = 0; row < table.n_rows; ++row) {
    begin_row();
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const std::uint8_t code = table.row(row)[c];
      if (code != missing_code) text_ += fields[c][code];
      end_field(c, code == missing_code);
    }
  }
}

// ------------------------------------------------------------------------------------------- NPY

NpyRows::NpyRows(Item item, std::uint64_t n_rows, std::size_t n_columns, PieceSink sink)
    : n_columns_(n_columns), sink_(std::move(sink)) {
  const char* number = std::endian::native == std::endian::little ? "<f8" : ">f8";
  const char* type = item == Item::bit ? "|u1" : item == Item::bit_or_missing ? "|i1" : number;
  sink_(npy_header_text(type, n_rows, n_columns));
}

void NpyRows::append(const BitColumns& values, const BitColumns* missing) {
  std::string bytes;
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const bool is_missing = missing != nullptr && missing->at(row, c);
      bytes += is_missing ? '\xFF' : values.at(row, c) ? '\x01' : '\0';
    }
    if (bytes.size() < piece_bytes && row + 1 < values.n_rows()) continue;
    sink_(bytes);
    bytes.clear();
  }
}

void NpyRows::append(const double* rows, std::size_t n_rows) {
  sink_({reinterpret_cast<const char*>(rows), n_rows * n_columns_ * sizeof(double)});
}

// ------------------------------------------------------------------------------------ reading back

bool is_plain_header(const std::vector<std::string>& names, RowKind kind) {
  if (kind == RowKind::categories) return true;
  const std::vector<std::string> no_tokens;
  const CellReader cells(no_tokens);
  const NumberReader numbers(no_tokens);
  const auto is_name = [&](const std::string& name) {
    double ignored = 0;
    return kind == RowKind::bits ? cells.classify(trimmed(name)) == Cell::other
                                 : numbers.read(trimmed(name), ignored) == NumberCell::other;
  };
  return kind == RowKind::bits ? std::ranges::any_of(names, is_name)
                               : std::ranges::all_of(names, is_name);
}

bool reads_as_missing(const std::string& text) {
  double ignored = 0;
  return NumberReader(std::vector<std::string>{}).read(trimmed(text), ignored) ==
         NumberCell::missing;
}

}  // namespace orrery::data
