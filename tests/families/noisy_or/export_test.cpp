#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"
#include "report/parts.hpp"

namespace {

using orrery::UsageError;
using orrery::model::Cause;
using orrery::model::Edge;
using orrery::model::LearnedModel;
using orrery::model::NoisyOrNetwork;
using orrery::model::Observed;
using orrery::report::count;

/// Names with everything that some format must quote.
LearnedModel awkward_model() {
  LearnedModel model;
  model.network = NoisyOrNetwork({{"flu, \"A\"", .1}, {"<b> & 'c'", 1.0 / 3}, {"back\\slash", .2}},
                                 {{"x y", .001}, {"x-y", .02}, {"", 0}, {"two\nlines", .5}},
                                 {{0, 0, .1}, {0, 3, 1e-9}, {1, 0, .2}, {1, 1, 0}, {2, 0, .3}});
  model.provenance.resize(3);
  model.provenance[1].depth = 2;
  model.provenance[1].support = 7;
  model.errors = {{.01, std::nan(""), .02}, {.001, .002, .003, .004}, {.1, .2, .3, .4, .5}};
  model.stability = {100, {.97, .5, 1}, {.9, .8, .7, .6, .5}};
  return model;
}

/// RFC 4180, by hand.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1);
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      rows.back().push_back(field);
      field.clear();
      if (c == '\n') rows.emplace_back();
    } else {
      field += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(export_csv, reads_back_as_the_same_edges) {
  const LearnedModel model = awkward_model();
  const auto rows = parse_csv(orrery::family::written_as(model, "csv"));
  const NoisyOrNetwork& network = model.network;
  ASSERT_EQ(rows.size(), 1 + network.edges().size());
  EXPECT_EQ(rows[0], (std::vector<std::string>{"cause", "prior", "observed", "leak", "failure",
                                               "prior_error", "leak_error", "failure_error",
                                               "support", "stability", "edge_stability"}));
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const Edge& edge = network.edges()[i];
    const std::vector<std::string>& row = rows[i + 1];
    ASSERT_EQ(row.size(), 11U);
    EXPECT_EQ(row[0], network.causes()[edge.cause].name);
    EXPECT_EQ(std::stod(row[1]), network.causes()[edge.cause].prior);
    EXPECT_EQ(row[2], network.observed()[edge.observed].name);
    EXPECT_EQ(std::stod(row[3]), network.observed()[edge.observed].leak);
    EXPECT_EQ(std::stod(row[4]), edge.failure);
    EXPECT_EQ(std::stod(row[6]), model.errors.leak[edge.observed]);
    EXPECT_EQ(std::stod(row[7]), model.errors.failure[i]);
    EXPECT_EQ(std::stod(row[9]), model.stability.cause[edge.cause]);
    EXPECT_EQ(std::stod(row[10]), model.stability.edge[i]);
  }
  EXPECT_EQ(rows[1][5], "0.01");
  EXPECT_EQ(rows[3][5], "");  // NaN: the error of the second prior is not known
  EXPECT_EQ(rows[1][8], "");
  EXPECT_EQ(rows[3][8], "7");
}

TEST(export_csv, leaves_what_is_not_known_empty) {
  LearnedModel model = awkward_model();
  model.provenance.clear();
  model.errors = {};
  model.stability = {};
  for (const auto& row : parse_csv(orrery::family::written_as(model, "csv"))) {
    ASSERT_EQ(row.size(), 11U);
    if (row[0] == "cause") continue;
    for (std::size_t column = 5; column < 11; ++column) EXPECT_EQ(row[column], "");
  }
}

TEST(export_dot, has_a_node_a_variable_and_an_arrow_an_edge) {
  const std::string dot = orrery::family::written_as(awkward_model(), "dot");
  EXPECT_EQ(count(dot, "[label="), 3U + 4U);
  EXPECT_EQ(count(dot, " -> "), 5U);
  EXPECT_NE(dot.find("c1 -> x1 [failure=\"0\""), std::string::npos);
  EXPECT_NE(dot.find("label=\"flu, \\\"A\\\"\""), std::string::npos);
  EXPECT_NE(dot.find("label=\"back\\\\slash\""), std::string::npos);
  EXPECT_NE(dot.find("label=\"two lines\""), std::string::npos);
}

TEST(export_dot, weak_edges_are_left_out_with_nodes_that_have_no_others) {
  LearnedModel model = awkward_model();
  // Strengths are .9, 1 - 1e-9; .8, 1; .7.
  EXPECT_EQ(count(orrery::family::written_as(model, "dot", .7), " -> "), 5U);
  const std::string dot = orrery::family::written_as(model, "dot", .95);
  EXPECT_EQ(count(dot, " -> "), 2U);
  EXPECT_EQ(count(dot, "[label="), 2U + 3U);  // the third cause and x0 go; x2 never had an edge
  EXPECT_EQ(parse_csv(orrery::family::written_as(model, "csv", .95)).size(), 1U + 2U);
  EXPECT_EQ(count(orrery::family::written_as(model, "graphml", .95), "<edge "), 2U);
  for (const char* whole : {"json", "bif", "xmlbif", "uai"}) {
    EXPECT_THROW((void)orrery::family::written_as(model, whole, .95), UsageError) << whole;
  }
}

/// Checks that tags nest and that text holds no bare & or <; returns how often each tag opens.
std::map<std::string, std::size_t> read_xml(const std::string& xml) {
  const std::regex token("<(/?)([a-z]+)((?: [a-zA-Z.]+=\"[^\"<]*\")*)(/?)>|([^<]+)");
  const std::regex text("([^&]|&(amp|lt|gt|quot|#39);)*");
  std::map<std::string, std::size_t> tags;
  std::vector<std::string> open;
  const std::string body = xml.substr(xml.find('\n'));
  std::size_t at = 0;
  for (std::sregex_iterator it(body.begin(), body.end(), token), end; it != end; ++it) {
    const std::smatch& match = *it;
    EXPECT_EQ(static_cast<std::size_t>(match.position()), at) << "not XML";
    at += static_cast<std::size_t>(match.length());
    if (match[5].matched) {
      EXPECT_TRUE(std::regex_match(match.str(), text)) << match.str();
    } else if (match[1].length() > 0) {
      EXPECT_FALSE(open.empty());
      if (open.empty()) return {};
      EXPECT_EQ(open.back(), match[2].str());
      open.pop_back();
    } else {
      ++tags[match[2].str()];
      if (match[4].length() == 0) open.push_back(match[2].str());
    }
  }
  EXPECT_EQ(at, body.size());
  EXPECT_TRUE(open.empty());
  return tags;
}

TEST(export_graphml, is_xml_with_every_node_and_edge) {
  const std::string xml = orrery::family::written_as(awkward_model(), "graphml");
  EXPECT_EQ(xml.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 0), 0U);
  const auto tags = read_xml(xml);
  EXPECT_EQ(tags.at("node"), 7U);
  EXPECT_EQ(tags.at("edge"), 5U);
  EXPECT_EQ(tags.at("graph"), 1U);
}

TEST(export_graphml, declares_every_data_key) {
  const std::string xml = orrery::family::written_as(awkward_model(), "graphml");
  std::set<std::string> declared;
  std::set<std::string> used;
  const std::regex key("<key id=\"([a-z_]+)\"");
  const std::regex data("<data key=\"([a-z_]+)\"");
  for (std::sregex_iterator it(xml.begin(), xml.end(), key), end; it != end; ++it) {
    declared.insert((*it)[1]);
  }
  for (std::sregex_iterator it(xml.begin(), xml.end(), data), end; it != end; ++it) {
    used.insert((*it)[1]);
  }
  EXPECT_EQ(used, declared);
  EXPECT_NE(xml.find("<data key=\"node_name\">&lt;b&gt; &amp; &#39;c&#39;</data>"),
            std::string::npos);
}

/// Variables and tables of a BIF text. A table row's key is its parent states: "off,on".
struct Bif {
  struct Table {
    std::vector<std::string> parents;
    std::map<std::string, std::pair<double, double>> rows;
  };
  std::vector<std::string> variables;
  std::map<std::string, Table> tables;
};

std::vector<std::string> words_of(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string("_.+-|").find(c) == std::string::npos) {
      c = ' ';
    }
  }
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Bif parse_bif(const std::string& text) {
  Bif bif;
  std::istringstream lines(text);
  Bif::Table* table = nullptr;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "variable") {
      bif.variables.push_back(words[1]);
    } else if (words[0] == "probability") {
      table = &bif.tables[words[1]];
      if (words.size() > 2) table->parents.assign(words.begin() + 3, words.end());
    } else if (table != nullptr && words.size() >= 3) {
      std::string key;
      for (std::size_t i = 0; i + 2 < words.size(); ++i) key += (i > 0 ? "," : "") + words[i];
      table->rows[key] = {std::stod(words[words.size() - 2]), std::stod(words.back())};
    }
  }
  return bif;
}

TEST(export_bif, names_are_distinct_identifiers) {
  const Bif bif = parse_bif(orrery::family::written_as(awkward_model(), "bif"));
  ASSERT_EQ(bif.variables.size(), 7U);
  EXPECT_EQ(std::set<std::string>(bif.variables.begin(), bif.variables.end()).size(), 7U);
  for (const std::string& name : bif.variables) {
    EXPECT_TRUE(std::regex_match(name, std::regex("[A-Za-z_][A-Za-z0-9_]*"))) << name;
  }
  EXPECT_EQ(bif.variables[3], "x_y");
  EXPECT_EQ(bif.variables[4], "x_y_2");
}

TEST(export_bif, keeps_names_apart_from_suffixes_and_words_of_the_format) {
  LearnedModel model;
  model.network = NoisyOrNetwork({{"a_2", .1}, {"a", .1}, {"a", .1}, {"table", .1}, {"7", .1}},
                                 {{"a", 0}, {"a_2", 0}}, {});
  const Bif bif = parse_bif(orrery::family::written_as(model, "bif"));
  EXPECT_EQ(bif.variables,
            (std::vector<std::string>{"a_2", "a", "a_3", "table_2", "_7", "a_4", "a_2_2"}));
}

TEST(export_bif, tables_are_the_noisy_or_of_the_parents) {
  const LearnedModel model = awkward_model();
  const Bif bif = parse_bif(orrery::family::written_as(model, "bif"));
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& rows = bif.tables.at(bif.variables[k]).rows;
    EXPECT_EQ(rows.at("table").second, model.network.causes()[k].prior);
    EXPECT_DOUBLE_EQ(rows.at("table").first, 1 - model.network.causes()[k].prior);
  }
  for (std::size_t a = 0; a < 4; ++a) {
    const auto& table = bif.tables.at(bif.variables[3 + a]);
    std::size_t n_parents = 0;
    for (std::size_t k = 0; k < 3; ++k) n_parents += model.network.failure(k, a) < 1 ? 1U : 0U;
    ASSERT_EQ(table.parents.size(), n_parents);
    ASSERT_EQ(table.rows.size(), std::size_t{1} << n_parents);
    for (const auto& [states, probabilities] : table.rows) {
      double off = 1 - model.network.observed()[a].leak;
      const std::vector<std::string> state = words_of(states);
      for (std::size_t i = 0; i < n_parents; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          if (bif.variables[k] == table.parents[i] && state[i] == "on") {
            off *= model.network.failure(k, a);
          }
        }
      }
      EXPECT_NEAR(probabilities.first, off, 1e-15) << states;
      EXPECT_NEAR(probabilities.first + probabilities.second, 1, 1e-15) << states;
    }
  }
}

LearnedModel with_parents(std::uint32_t n, std::uint32_t n_observed) {
  std::vector<Edge> edges;
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t a = 0; a < n_observed; ++a) edges.push_back({k, a, .5});
  }
  std::vector<Observed> observed(n_observed, Observed{"fever", .01});
  LearnedModel model;
  model.network = NoisyOrNetwork(std::vector<Cause>(n, Cause{"cause", .1}), observed, edges);
  return model;
}

TEST(export_bif, writes_sixteen_parents_and_refuses_seventeen) {
  EXPECT_EQ(count(orrery::family::written_as(with_parents(16, 1), "bif"), ";\n"),
            16U + 1U + 16U + 65536U);
  try {
    orrery::family::written_as(with_parents(17, 1), "bif");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("fever"), std::string::npos) << message;
    EXPECT_NE(message.find("17"), std::string::npos) << message;
  }
}

TEST(export_bif, refuses_tables_that_would_fill_the_disk) {
  EXPECT_THROW(orrery::family::written_as(with_parents(16, 65), "bif"), UsageError);
}

TEST(export_formats, take_an_empty_network) {
  const LearnedModel empty;
  for (const char* format : {"csv", "dot", "graphml", "bif", "xmlbif", "uai"}) {
    EXPECT_FALSE(orrery::family::written_as(empty, format).empty()) << format;
  }
}

}  // namespace
