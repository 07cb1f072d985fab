// A page as its reader meets it: lines of text, rows of tables, and elements with their numbers.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace orrery::report {

/// x -> move + scale x, along each axis.
struct Frame {
  double scale_x = 1;
  double scale_y = 1;
  double move_x = 0;
  double move_y = 0;
};

struct Element {
  std::string name;  ///< "circle"
  std::map<std::string, std::string> attributes;
  std::string text;          ///< what stands in it, but for tooltips
  std::string title;         ///< its own tooltip
  Frame frame;               ///< from its numbers to those of the drawing
  std::size_t n_inside = 0;  ///< the elements after it that it holds
  std::size_t row = no_row;  ///< of a cell of a table: where its row is
  double bar = -1;           ///< the length of the bar behind a number: per cent; -1: none
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);

  [[nodiscard]] bool has_class(const std::string& one) const;
  [[nodiscard]] std::string attribute(const std::string& key) const;  ///< empty if absent
  [[nodiscard]] double number(const std::string& key) const;          ///< 0 if absent
};

using Row = std::vector<std::string>;  ///< the cells of a row of a table

class ReadPage {
 public:
  /// The test fails if an element is not closed in its place.
  explicit ReadPage(const std::string& html);

  /// Elements of a name (of any if it is empty) and a class (likewise).
  [[nodiscard]] std::vector<Element> all(const std::string& name,
                                         const std::string& one_class = "") const;
  [[nodiscard]] std::size_t count(const std::string& name, const std::string& one_class = "") const;
  /// The first whose tooltip begins so, and what is in it; the test fails if there is none.
  [[nodiscard]] ReadPage titled(const std::string& beginning) const;
  /// The section below a heading that begins so; the test fails if there is none.
  [[nodiscard]] ReadPage section(const std::string& heading) const;
  /// What holds all of the others: of what `titled` finds, the one with the tooltip.
  [[nodiscard]] const Element& top() const { return elements_.front(); }

  /// One line (a heading, a paragraph, an item, a row of a table, a tooltip) has all of these.
  [[nodiscard]] bool says(std::initializer_list<std::string> parts) const;
  /// A row of a table has these cells next to each other.
  [[nodiscard]] bool has_row(const Row& cells) const;
  [[nodiscard]] std::vector<Row> rows() const;
  /// Every bar is as long as the share says that stands in it.
  void expect_bars_in_proportion() const;

 private:
  ReadPage() = default;
  [[nodiscard]] ReadPage part(std::size_t first) const;

  std::vector<Element> elements_;
};

}  // namespace orrery::report
