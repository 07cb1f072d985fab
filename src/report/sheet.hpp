// What a command tells of a result. A sheet is filled once; text, --json and the page are renderers
// of it. It has sections; a section has sentences, facts and tables. A fact may be for JSON alone
// (`data`), for people alone (`show`), or for both (`tell`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace orrery::report {

/// What a result means for who reads it: green or yellow on a terminal.
enum class Judgement : std::uint8_t { none, good, doubtful };
constexpr Judgement judged(bool is_good) { return is_good ? Judgement::good : Judgement::doubtful; }

/// What people read of a fact: "edges", "0.987", "of those above 0.1". In a table the label heads a
/// column, and the note is not shown.
struct Shown {
  std::string label, value, note;
  std::string html{};  ///< what the page shows in place of `value`; empty: the value itself
  double share = -1;   ///< in [0, 1]: the page draws a bar of this length
  Judgement judgement = Judgement::none;
};

/// Facts that belong together: the members of a JSON object, and what people read of them.
class Record {
 public:
  Record();
  Record(const Record& other);
  Record& operator=(const Record& other);
  ~Record();

  /// For JSON alone. A `key` of several names, as "check/pairs", is a path into nested objects.
  Record& data(const std::string& key, nlohmann::json value);
  /// For people alone.
  Record& show(std::string label, std::string value, std::string note = "");
  /// As `show`, with `html` of its own on the page: of a table's cell.
  Record& show_html(std::string label, std::string value, std::string html);
  /// As `show`, with a bar on the page that is so long, in [0, 1].
  Record& show_share(std::string label, std::string value, double share);
  /// For both.
  Record& tell(const std::string& key, nlohmann::json value, std::string label, std::string text,
               std::string note = "");

  /// The fact that was shown last is a verdict; there must be one.
  Record& judge(Judgement judgement);

  [[nodiscard]] const nlohmann::json& members() const { return *members_; }
  [[nodiscard]] const std::vector<Shown>& shown() const { return shown_; }

 private:
  // Behind a pointer: JSON's own header takes the compiler a second, and most who know of sheets
  // need not read it.
  std::unique_ptr<nlohmann::json> members_;
  std::vector<Shown> shown_;
};

/// Records that are alike: an array of objects in JSON. What their rows show are its columns, in
/// the order in which the labels come first.
struct Table {
  std::string key;    ///< in JSON, as of Record::data; empty: people alone read it
  std::string title;  ///< empty: JSON alone has it
  std::string note{};
  std::size_t most_shown = 20;  ///< rows of the text
  /// How to see those that the text leaves out.
  std::string all_rows = "orrery report, or -v";
  std::size_t most_on_page = 2'000;  ///< 0: the page shows it in another way
  /// On a phone a row is a block of lines below its first cell, lists first; else the table
  /// scrolls.
  bool is_stacked = false;
  std::deque<Record> rows{};

  Record& row() { return rows.emplace_back(); }
};

struct Section : Record {
  std::string key;    ///< the JSON object that has its facts and tables; empty: the sheet's own
  std::string title;  ///< of the page; text has sentences instead
  std::vector<std::string> sentences{};
  std::deque<Table> tables{};
  std::vector<std::string> remarks{};  ///< what a learner remarks; "remarks" in JSON
  bool in_json_alone = false;
  std::map<std::size_t, Judgement> judgements{};  ///< by the place of the sentence

  /// A sentence that is a verdict.
  void judge(std::string sentence, Judgement judgement);
  Table& table(std::string table_key, std::string table_title, std::string note = "");
};

struct Sheet {
  std::deque<Section> sections;

  Section& section(std::string key, std::string title);
};

/// How the text of a sheet looks.
struct TextStyle {
  bool has_every_row = false;  ///< of every table, also beyond its most_shown
  bool has_colours = false;    ///< of verdicts
};

/// Lines, each with its line end. Names may be of any bytes: they are made printable here.
std::string as_text(const Sheet& sheet, const TextStyle& style = {});
/// One object.
nlohmann::json as_json(const Sheet& sheet);
/// The rows of a table: an array of objects.
nlohmann::json rows_json(const Table& table);
/// A <section> of HTML with the facts, and one for each table; empty if nothing is shown.
std::string as_html(const Section& section);

/// JSON has no infinity: null stands for it.
nlohmann::json finite_or_null(double value);

}  // namespace orrery::report
