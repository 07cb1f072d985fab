#include "report/read_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

namespace orrery::report {
namespace {

bool is_one_of(const std::string& name, const std::set<std::string>& names) {
  return names.contains(name);
}

const std::set<std::string> never_closed{"br", "input", "link", "meta"};
const std::set<std::string> not_read{"script", "style"};
/// They stand apart from what is before and after them.
const std::set<std::string> apart{"br", "div",  "h1", "h2", "h3", "li",
                                  "p",  "span", "td", "th", "tr"};
const std::set<std::string> lines{"h1", "h2", "h3", "li", "p", "title", "tr"};

std::string utf8_of(unsigned long code) {
  if (code < 0x80) return {static_cast<char>(code)};
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x800) return {static_cast<char>(0xC0U | (code >> 6U)), tail(0)};
  return {static_cast<char>(0xE0U | (code >> 12U)), tail(6), tail(0)};
}

/// Entities resolved, each run of white space one space. The test fails if an & is none.
std::string plain(const std::string& html) {
  static const std::map<std::string, std::string> names{
      {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"nbsp", " "}};
  std::string out;
  for (std::size_t at = 0; at < html.size(); ++at) {
    std::string next{html[at]};
    if (html[at] == '&') {
      const std::size_t end = std::min(html.find(';', at), html.size());
      const std::string entity = html.substr(at + 1, end - at - 1);
      const auto known = names.find(entity);
      EXPECT_TRUE(known != names.end() || entity.starts_with('#')) << "a bare & in: " << html;
      next = known != names.end()
                 ? known->second
                 : utf8_of(std::strtoul(entity.c_str() + (entity.empty() ? 0 : 1), nullptr, 10));
      at = end;
    }
    if (next == "\n") next = " ";
    if (next != " " || (!out.empty() && out.back() != ' ')) out += next;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// What lies in `outer` with this transform. A turn does not move the place where a label begins.
Frame within(Frame outer, const std::string& transform) {
  for (std::size_t at = 0; at < transform.size();) {
    const std::size_t open = transform.find('(', at);
    if (open == std::string::npos) break;
    const std::string kind = transform.substr(at, open - at);
    const std::size_t close = transform.find(')', open);
    std::istringstream numbers(transform.substr(open + 1, close - open - 1));
    double x = 0;
    double y = 0;
    numbers >> x;
    if (!(numbers >> y)) y = kind.ends_with("scale") ? x : 0;
    if (kind.ends_with("translate")) {
      outer.move_x += outer.scale_x * x;
      outer.move_y += outer.scale_y * y;
    } else if (kind.ends_with("scale")) {
      outer.scale_x *= x;
      outer.scale_y *= y;
    }
    at = close + 1;
  }
  return outer;
}

std::map<std::string, std::string> attributes_of(const std::string& tag) {
  std::map<std::string, std::string> found;
  for (std::size_t equals = tag.find("=\""); equals != std::string::npos;) {
    const std::size_t begin = tag.find_last_of(" \n", equals) + 1;
    const std::size_t end = tag.find('"', equals + 2);
    found[tag.substr(begin, equals - begin)] = plain(tag.substr(equals + 2, end - equals - 2));
    equals = tag.find("=\"", end);
  }
  return found;
}

Element element_of(const std::string& tag) {
  Element element;
  element.name = tag.substr(0, tag.find_first_of(" \n/"));
  element.attributes = attributes_of(tag);
  const std::string style = element.attribute("style");
  if (style.starts_with("--v:")) element.bar = std::stod(style.substr(4));
  return element;
}

/// Elements as they open and close.
class Reader {
 public:
  std::vector<Element> read(const std::string& html) {
    for (std::size_t at = 0; at < html.size();) {
      const std::size_t open = std::min(html.find('<', at), html.size());
      add_text(html.substr(at, open - at));
      const std::size_t close = html.find('>', open);
      if (close == std::string::npos) break;
      const std::string tag = html.substr(open + 1, close - open - 1);
      at = close + 1;
      if (tag.starts_with('!')) continue;
      if (tag.starts_with('/')) {
        end(tag.substr(1));
        continue;
      }
      begin(tag);
      const std::string& name = elements_.back().name;
      if (is_one_of(name, not_read)) at = html.find("</" + name, at);
      if (tag.ends_with('/') || is_one_of(name, never_closed)) end(std::string(name));
    }
    EXPECT_TRUE(open_.empty()) << "<" << (open_.empty() ? "" : elements_[open_.back()].name)
                               << "> is never closed";
    for (Element& element : elements_) {
      element.text = plain(element.text);
      element.title = plain(element.title);
    }
    return std::move(elements_);
  }

 private:
  void begin(const std::string& tag) {
    Element element = element_of(tag);
    element.frame = within(open_.empty() ? Frame() : elements_[open_.back()].frame,
                           element.attribute("transform"));
    if (element.name == "td" || element.name == "th") {
      for (const std::size_t ancestor : open_) {
        if (elements_[ancestor].name == "tr") element.row = ancestor;
      }
    }
    if (is_one_of(element.name, apart)) add_text(" ");
    open_.push_back(elements_.size());
    elements_.push_back(std::move(element));
  }

  void end(const std::string& name) {
    if (open_.empty() || elements_[open_.back()].name != name) {
      ADD_FAILURE() << "</" << name << "> closes <"
                    << (open_.empty() ? "" : elements_[open_.back()].name) << ">";
      return;
    }
    elements_[open_.back()].n_inside = elements_.size() - 1 - open_.back();
    open_.pop_back();
    if (is_one_of(name, apart)) add_text(" ");
  }

  /// To all that is open; a tooltip is of what is around it, and no text of that.
  void add_text(const std::string& text) {
    if (open_.empty()) return;
    if (elements_[open_.back()].name != "title") {
      for (const std::size_t element : open_) elements_[element].text += text;
      return;
    }
    elements_[open_.back()].text += text;
    if (open_.size() > 1) elements_[open_[open_.size() - 2]].title += text;
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> open_;
};

}  // namespace

bool Element::has_class(const std::string& one) const {
  std::istringstream classes(attribute("class"));
  return std::find(std::istream_iterator<std::string>(classes), {}, one) !=
         std::istream_iterator<std::string>();
}

std::string Element::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

double Element::number(const std::string& key) const {
  return std::strtod(attribute(key).c_str(), nullptr);
}

ReadPage::ReadPage(const std::string& html) : elements_(Reader().read(html)) {}

std::vector<Element> ReadPage::all(const std::string& name, const std::string& one_class) const {
  std::vector<Element> found;
  std::ranges::copy_if(elements_, std::back_inserter(found), [&](const Element& element) {
    return (name.empty() || element.name == name) &&
           (one_class.empty() || element.has_class(one_class));
  });
  return found;
}

std::size_t ReadPage::count(const std::string& name, const std::string& one_class) const {
  return all(name, one_class).size();
}

ReadPage ReadPage::part(std::size_t first) const {
  ReadPage found;
  const auto begin = elements_.begin() + static_cast<std::ptrdiff_t>(first);
  found.elements_.assign(begin, begin + static_cast<std::ptrdiff_t>(begin->n_inside + 1));
  for (Element& element : found.elements_) {
    if (element.row != Element::no_row) element.row -= first;  // a row outside matches no other
  }
  return found;
}

ReadPage ReadPage::titled(const std::string& beginning) const {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    if (elements_[e].name != "head" && elements_[e].title.starts_with(beginning)) return part(e);
  }
  ADD_FAILURE() << "no tooltip begins with \"" << beginning << "\"";
  return ReadPage("<none></none>");
}

ReadPage ReadPage::section(const std::string& heading) const {
  for (std::size_t e = 0; e + 1 < elements_.size(); ++e) {
    if (elements_[e].name == "section" && elements_[e + 1].text.starts_with(heading)) {
      return part(e);
    }
  }
  ADD_FAILURE() << "no section is called \"" << heading << "\"";
  return ReadPage("<none></none>");
}

bool ReadPage::says(std::initializer_list<std::string> parts) const {
  return std::ranges::any_of(elements_, [&](const Element& element) {
    return is_one_of(element.name, lines) && std::ranges::all_of(parts, [&](const auto& part) {
             return element.text.find(part) != std::string::npos;
           });
  });
}

std::vector<Row> ReadPage::rows() const {
  std::map<std::size_t, Row> rows;
  for (const Element& element : elements_) {
    if (element.row != Element::no_row) rows[element.row].push_back(element.text);
  }
  std::vector<Row> found;
  for (auto& [place, row] : rows) found.push_back(std::move(row));
  return found;
}

bool ReadPage::has_row(const Row& cells) const {
  return std::ranges::any_of(
      rows(), [&](const Row& row) { return !std::ranges::search(row, cells).empty(); });
}

void ReadPage::expect_bars_in_proportion() const {
  for (const Element& element : elements_) {
    if (element.bar < 0) continue;
    EXPECT_NEAR(element.bar, 100 * std::stod(element.text), .1001) << element.text;
  }
}

}  // namespace orrery::report
