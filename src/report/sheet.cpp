#include "report/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::report {
namespace {

using nlohmann::json;

/// The place of `key` in `object`; objects on the way to it are made.
json& place(json& object, const std::string& key) {
  if (key.find('/') == std::string::npos) return object[key];
  return object[json::json_pointer("/" + key)];
}

void add_to(json& object, const Section& section) {
  object.update(section.members(), true);
  for (const Table& table : section.tables) {
    if (table.key.empty()) continue;
    place(object, table.key) = rows_json(table);
  }
  if (!section.remarks.empty()) object["remarks"] = section.remarks;
}

}  // namespace

Record& Record::data(const std::string& key, json value) {
  place(members_, key) = std::move(value);
  return *this;
}

Record& Record::show(std::string label, std::string value, std::string note) {
  shown_.push_back({std::move(label), std::move(value), std::move(note)});
  return *this;
}

Record& Record::show_html(std::string label, std::string value, std::string html) {
  shown_.push_back({std::move(label), std::move(value), "", std::move(html)});
  return *this;
}

Record& Record::show_share(std::string label, std::string value, double share) {
  shown_.push_back({std::move(label), std::move(value), "", "", share});
  return *this;
}

Record& Record::tell(const std::string& key, json value, std::string label, std::string text,
                     std::string note) {
  return data(key, std::move(value)).show(std::move(label), std::move(text), std::move(note));
}

Table& Section::table(std::string table_key, std::string table_title, std::string note) {
  return tables.emplace_back(Table{std::move(table_key), std::move(table_title), std::move(note)});
}

Section& Sheet::section(std::string key, std::string title) {
  Section& section = sections.emplace_back();
  section.key = std::move(key);
  section.title = std::move(title);
  return section;
}

json rows_json(const Table& table) {
  json rows = json::array();
  for (const Record& row : table.rows) rows.push_back(row.members());
  return rows;
}

json as_json(const Sheet& sheet) {
  json object = json::object();
  for (const Section& section : sheet.sections) {
    add_to(section.key.empty() ? object : place(object, section.key), section);
  }
  return object;
}

json finite_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

}  // namespace orrery::report
