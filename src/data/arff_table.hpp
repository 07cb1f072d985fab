// ARFF, the Attribute-Relation File Format of Weka: its header, and the cells of its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/text_table.hpp"

namespace orrery::data {

struct ArffAttribute {
  /// real and integer are numbers; strings and dates are texts.
  enum class Kind : std::uint8_t { number, nominal, text };

  std::string name;
  Kind kind = Kind::number;
  std::vector<std::string> categories;  ///< of a nominal one, in the order of the header
  std::vector<std::uint32_t> by_name;   ///< their numbers in the order of their bytes
};

/// A value as it is written.
struct ArffCell {
  std::size_t column = 0;
  std::string_view token;
  bool is_missing = false;     ///< a question mark without quotes
  std::uint32_t category = 0;  ///< of a nominal attribute
};

class ArffTable {
 public:
  /// Reads the header. Throws InputError for a line that is no part of one, a relational attribute,
  /// a category declared twice, and a file that ends before @data.
  ArffTable(TextReader& text, const std::vector<std::string>& missing_tokens);

  [[nodiscard]] const std::string& file() const noexcept { return text_.file(); }
  [[nodiscard]] const std::vector<ArffAttribute>& attributes() const noexcept {
    return attributes_;
  }
  [[nodiscard]] std::vector<std::string> names() const;

  /// Goes to the next row; false after the last. Throws InputError for a row of another width, a
  /// cell that is empty, and a nominal value that was not declared.
  [[nodiscard]] bool next_row();
  /// Of the row, by columns; of a sparse row those that are written.
  [[nodiscard]] const std::vector<ArffCell>& cells() const noexcept { return cells_; }
  /// A sparse row holds the first category, and the number 0, where nothing is written.
  [[nodiscard]] bool is_sparse() const noexcept { return is_sparse_; }

  /// "t.arff: row 7 (line 18)"
  [[nodiscard]] std::string where() const;
  /// "t.arff: row 7 (line 18), column 3 ('fever')"
  [[nodiscard]] std::string where(std::size_t column) const;

 private:
  /// A piece of a line: a word, a text in quotes, or one of the characters that separate.
  enum class Piece : std::uint8_t { word, quoted, comma, open, close, end };

  [[nodiscard]] bool next_content();
  void start_line(std::string_view line);
  Piece next_piece();
  void read_quoted();
  [[nodiscard]] bool is_text(Piece piece) const noexcept {
    return piece == Piece::word || piece == Piece::quoted;
  }
  [[nodiscard]] std::string_view piece() const {
    return std::string_view(texts_).substr(piece_begin_);
  }
  void read_attribute();
  void read_categories(ArffAttribute& attribute);
  void read_type(ArffAttribute& attribute);
  void read_dense(Piece piece);
  void read_sparse();
  [[nodiscard]] std::size_t read_index(Piece piece) const;
  void add_cell(std::size_t column, Piece piece);
  void finish_cells();
  [[noreturn]] void refuse_value(const ArffCell& cell) const;
  [[noreturn]] void refuse_weight() const;
  [[noreturn]] void refuse_line(std::string_view what, std::string_view remedy) const;

  TextReader& text_;
  const std::vector<std::string>& missing_tokens_;
  std::vector<ArffAttribute> attributes_;
  std::vector<ArffCell> cells_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // of each cell's text in texts_
  bool is_sparse_ = false;
  std::uint64_t row_ = 0;
  std::string_view rest_;        // of the line
  std::string texts_;            // of the pieces of the line, one after the other
  std::size_t piece_begin_ = 0;  // of the last one
};

}  // namespace orrery::data
