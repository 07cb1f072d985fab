// What a network file can have wrong, and that nothing but orrery::Error ever comes of it.
#include <gtest/gtest.h>

#include <random>

#include "families/model_files.hpp"
#include "model/likelihood.hpp"
#include "model/oracle.hpp"
#include "model/temporary_file.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

// The message without the file's name; empty if the text is a valid network.
std::string message(const std::string& text, const std::string& entry = "") {
  const TemporaryFile file(text);
  const std::string whole =
      oracle::message_of<InputError>([&] { (void)read_network_json(file.path(), entry); });
  const std::string start = file.path().string() + ": ";
  if (whole.empty()) return whole;
  EXPECT_TRUE(whole.starts_with(start)) << whole;
  EXPECT_EQ(whole.find('\n'), std::string::npos) << whole;
  return whole.substr(start.size());
}

// An own-layout document with one of its three lists replaced.
std::string own(const std::string& causes, const std::string& observed, const std::string& edges) {
  return R"({"format":"orrery-network-1","causes":)" + causes + R"(,"observed":)" + observed +
         R"(,"edges":)" + edges + "}";
}
std::string with_causes(const std::string& causes) { return own(causes, R"([{"leak":0}])", "[]"); }
std::string with_observed(const std::string& observed) { return own("[]", observed, "[]"); }
std::string with_edges(const std::string& edges) {
  return own(R"([{"prior":0.5}])", R"([{"leak":0},{"leak":0}])", edges);
}

TEST(NetworkJsonErrors, syntax_errors_say_line_and_column) {
  const std::string text = message("{\"format\": \"orrery-network-1\",\n  \"causes\": [}\n");
  EXPECT_TRUE(text.starts_with("line 2, column 14: ")) << text;
  EXPECT_TRUE(message("").starts_with("line 1, column 1: "));
  EXPECT_TRUE(message("{\n\n").starts_with("line 3, column 1: "));
  EXPECT_TRUE(message("{} {}").starts_with("line 1, column 4: "));
  EXPECT_TRUE(message("\"\xFF\xFE\"").starts_with("line 1, column 2: "));
  EXPECT_TRUE(message(std::string("{\"a\0\":1}", 8)).starts_with("line 1, column 4: "));
}

TEST(NetworkJsonErrors, numbers_beyond_a_double_are_refused) {
  const std::string text = message(with_causes(R"([{"prior":1e999}])"));
  EXPECT_NE(text.find("1e999"), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("line 1, column ")) << text;
}

TEST(NetworkJsonErrors, nan_and_infinity_are_no_json) {
  EXPECT_TRUE(message(with_causes(R"([{"prior":NaN}])")).starts_with("line 1, column "));
  EXPECT_TRUE(message(with_causes(R"([{"prior":Infinity}])")).starts_with("line 1, column "));
}

TEST(NetworkJsonErrors, nesting_bombs_are_refused) {
  const std::string expected = "nested more than 32 levels deep; a network needs 4";
  EXPECT_EQ(message(std::string(1000000, '[')), expected);
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_EQ(message(objects), expected);
}

TEST(NetworkJsonErrors, unknown_formats_are_named_with_the_known_one) {
  EXPECT_EQ(message(R"({"format":"orrery-network-2"})"),
            "format = \"orrery-network-2\"; this version reads \"orrery-network-1\", "
            "\"orrery-tree-1\", \"orrery-linear-1\", \"orrery-categorical-1\"; write the model in "
            "one of them");
  EXPECT_EQ(message(R"({"format":1})"), "format = 1; a text \"...\" is needed");
}

TEST(NetworkJsonErrors, documents_that_are_no_object) {
  EXPECT_EQ(message("[1,2]"), "the document = [1,2]; an object {...} is needed");
  EXPECT_EQ(message("null"), "the document = null; an object {...} is needed");
  EXPECT_EQ(message("{}"), "holds no network");
}

TEST(NetworkJsonErrors, missing_keys_are_named) {
  EXPECT_EQ(message(R"({"format":"orrery-network-1","causes":[],"edges":[]})"),
            "observed is missing; add it");
  EXPECT_EQ(message(R"({"format":"orrery-network-1","observed":[{"leak":0}],"edges":[]})"),
            "causes is missing; add it");
  EXPECT_EQ(message(R"({"format":"orrery-network-1","observed":[{"leak":0}],"causes":[]})"),
            "edges is missing; add it");
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5},{}])")), "causes[1].prior is missing; add it");
  EXPECT_EQ(message(with_observed(R"([{"name":"a"}])")), "observed[0].leak is missing; add it");
}

TEST(NetworkJsonErrors, wrong_types_and_values_are_named) {
  EXPECT_EQ(message(with_causes("{}")), "causes = {}; an array [...] is needed");
  EXPECT_EQ(message(with_causes("[3]")), "causes[0] = 3; an object {...} is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":"0.5"}])")),
            "causes[0].prior = \"0.5\"; a probability in [0, 1] is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":1.5}])")),
            "causes[0].prior = 1.5; a probability in [0, 1] is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":null}])")),
            "causes[0].prior = null; a probability in [0, 1] is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"name":7}])")),
            "causes[0].name = 7; a text \"...\" is needed");
  EXPECT_EQ(message(with_observed("[]")),
            "observed = []; at least one observed variable is needed");
  EXPECT_EQ(message(with_observed(R"([{"leak":-1}])")),
            "observed[0].leak = -1; a probability in [0, 1] is needed");
}

TEST(NetworkJsonErrors, long_values_are_cut) {
  const std::string text = message(
      with_causes("[" + std::string(500, ' ') + "[" + std::string(3000, '1') + ".0e-9000]]"));
  EXPECT_LT(text.size(), 200U) << text;
  const std::string list = message(with_causes("\"" + std::string(3000, 'a') + "\""));
  EXPECT_LT(list.size(), 200U) << list;
}

TEST(NetworkJsonErrors, edges_are_checked) {
  EXPECT_EQ(message(with_edges("[[0,1,0.5]]")), "");
  EXPECT_EQ(message(with_edges("[[0,1]]")),
            "edges[0] = [0,1]; [cause, observed, failure] is needed");
  EXPECT_EQ(message(with_edges("[[0,1,0.5],7]")), "edges[1] = 7; an array [...] is needed");
  EXPECT_EQ(message(with_edges("[[0,-1,0.5]]")),
            "edges[0][1] = -1; a whole number 0 to 4294967295 is needed");
  EXPECT_EQ(message(with_edges("[[0.5,1,0.5]]")),
            "edges[0][0] = 0.5; a whole number 0 to 4294967295 is needed");
  EXPECT_EQ(message(with_edges("[[18446744073709551615,1,0.5]]")),
            "edges[0][0] = 18446744073709551615; a whole number 0 to 4294967295 is needed");
  EXPECT_EQ(message(with_edges("[[0,1,2]]")), "edges[0][2] = 2; a probability in [0, 1] is needed");
  EXPECT_EQ(message(with_edges("[[0,2,0.5]]")),
            "edges[0].observed = 2, but there are 2 observed variables; indices start at 0");
  EXPECT_EQ(message(with_edges("[[0,1,0.5],[0,1,0.25]]")),
            "edges[0] and edges[1] both join cause 0 and observed 1; keep one of them");
}

TEST(NetworkJsonErrors, names_must_tell_variables_apart) {
  EXPECT_EQ(message(with_observed(R"([{"name":"a","leak":0},{"name":"a","leak":0}])")),
            "observed[0] and observed[1] both have the name \"a\"; names must differ");
  EXPECT_EQ(message(with_observed(R"([{"leak":0},{"name":"","leak":0}])")),
            "observed[1].name = \"\"; a name of 1 to 4096 bytes, none of them zero, is needed");
  EXPECT_EQ(message(with_observed(R"([{"name":"a\u0000b","leak":0}])")),
            "observed[0].name = \"a\\u0000b\"; a name of 1 to 4096 bytes, none of them zero, is "
            "needed");
  EXPECT_EQ(message(with_observed(R"([{"leak":0,"name":")" + std::string(4096, 'n') + R"("}])")),
            "");
  EXPECT_NE(message(with_observed(R"([{"leak":0,"name":")" + std::string(4097, 'n') + R"("}])")),
            "");
}

TEST(NetworkJsonErrors, a_key_that_stands_twice_is_refused) {
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"prior":0.6}])")),
            "the key \"prior\" stands twice in one object; keep one of them");
}

TEST(NetworkJsonErrors, provenance_is_checked) {
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"quartet":[0,0,0]}])")),
            "causes[0].quartet = [0,0,0]; 4 whole numbers are needed (-1 for none)");
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"quartet":[0,0,0,1]}])")),
            "causes[0].quartet[3] = 1; a whole number -1 to 0 is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"depth":1e9}])")),
            "causes[0].depth = 1000000000.0; a whole number -1 to 2147483647 is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"statistic":"low"}])")),
            "causes[0].statistic = \"low\"; a number is needed");
  for (const std::string digest : {"xyz", "", "00123456789abcdef"}) {
    EXPECT_EQ(message(R"({"format":"orrery-network-1","causes":[],"observed":[{"leak":0}],
                          "edges":[],"data_digest":")" +
                      digest + "\"}"),
              "data_digest = \"" + digest + "\"; 1 to 16 hexadecimal digits are needed");
  }
}

TEST(NetworkJsonErrors, errors_and_stability_are_checked) {
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"support":-1}])")),
            "causes[0].support = -1; a whole number 0 to 9223372036854775807 is needed");
  EXPECT_EQ(message(with_causes(R"([{"prior":0.5,"prior_error":-0.1}])")),
            "causes[0].prior_error = -0.1; a standard error of 0 or more, or null, is needed");
  EXPECT_EQ(message(with_edges(R"([[0,1,0.5]],"failure_errors":[0.1,0.2])")),
            "failure_errors has 2 values, but edges has 1; they must agree");
  EXPECT_EQ(message(with_edges(R"([[0,1,0.5]],"resamples":9)")),
            "causes[0].stability is missing; add it");
  EXPECT_EQ(message(with_edges(R"([[0,1,0.5]],"resamples":-1)")),
            "resamples = -1; a whole number 0 to 4294967295 is needed");
}

std::string bench(const std::string& body) { return R"({"A":)" + body + "}"; }

TEST(NetworkJsonErrors, benchmark_sizes_are_checked_against_each_other) {
  EXPECT_EQ(message(bench(R"({"priors":[0.5],"noise_failure":[1,1],"failures":[[1]]})")),
            "A.failures[0] has 1 values, but A.noise_failure says 2; they must agree");
  EXPECT_EQ(message(bench(R"({"priors":[0.5],"noise_failure":[1],"failures":[]})")),
            "A.failures has 0 values, but A.priors says 1; they must agree");
  EXPECT_EQ(message(bench(R"({"n_latent":2,"priors":[0.5],"noise_failure":[1],"failures":[[1]]})")),
            "A.n_latent = 2, but A.priors has 1 values; they must agree");
  EXPECT_EQ(
      message(bench(R"({"n_observed":7,"priors":[0.5],"noise_failure":[1],"failures":[[1]]})")),
      "A.n_observed = 7, but A.noise_failure has 1 values; they must agree");
}

TEST(NetworkJsonErrors, benchmark_values_are_checked) {
  EXPECT_EQ(message(bench(R"({"priors":[0.5],"noise_failure":[1],"failures":[["x"]]})")),
            "A.failures[0][0] = \"x\"; a probability in [0, 1] is needed");
  EXPECT_EQ(message(bench(R"({"priors":[2],"noise_failure":[1],"failures":[[1]]})")),
            "A.priors[0] = 2; a probability in [0, 1] is needed");
  EXPECT_EQ(message(bench(R"({"priors":[0.5],"failures":[[1]]})")),
            "A.noise_failure is missing; add it");
  EXPECT_EQ(message(bench("3")), "A = 3; an object {...} is needed");
}

TEST(NetworkJsonErrors, odd_keys_stay_on_one_line) {
  EXPECT_EQ(message(R"({"A\nB":3})"), "\"A\\nB\" = 3; an object {...} is needed");
  EXPECT_EQ(message(R"({"A\u001b[2J":{}})"), "\"A\\u001b[2J\".priors is missing; add it");
}

TEST(NetworkJsonErrors, nothing_follows_a_zero_byte) {
  const std::string network = with_observed(R"([{"leak":0}])");
  EXPECT_EQ(message(network), "");
  const std::string text = message(network + std::string("\0{", 2));
  EXPECT_TRUE(text.starts_with("byte " + std::to_string(network.size() + 1) + " is zero")) << text;
}

TEST(NetworkJsonErrors, a_name_must_choose_one_network) {
  EXPECT_EQ(
      message(R"({"A":{},"B":{}})"),
      "has no key \"format\", so it is read as a file of 2 named networks; name one of \"A\", "
      "\"B\"");
  EXPECT_EQ(message(R"({"A":{},"B\n":{}})", "C"),
            "has no network \"C\"; name one of \"A\", \"B\\n\"");
  EXPECT_EQ(message(with_observed(R"([{"leak":0}])"), "A"),
            "is one network without a name, so \"A\" cannot be chosen in it; leave the name out");
}

TEST(NetworkJsonErrors, a_file_that_is_not_there) {
  EXPECT_NE(oracle::message_of<InputError>([] {
              (void)read_network_json("/no/such.json");
            }).find("/no/such.json"),
            std::string::npos);
}

// One to eight random edits: a byte changed, a stretch cut, doubled, or a piece of JSON inserted.
std::string mutated(std::string text, std::mt19937_64& random) {
  const std::vector<std::string> pieces{"[",
                                        "]",
                                        "{",
                                        "}",
                                        ",",
                                        ":",
                                        "\"",
                                        "-",
                                        "1e999",
                                        "null",
                                        "true",
                                        "\"\\ud800\"",
                                        "4294967296",
                                        "-1",
                                        "0.5e-400",
                                        "\xFF",
                                        "{\"format\":3}",
                                        "[[[[]]]]",
                                        "\\u0000",
                                        "NaN"};
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const std::size_t n_edits = 1 + below(8);
  for (std::size_t i = 0; i < n_edits && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(40, text.size() - at));
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 3:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      default:
        text.replace(at, 1, pieces[below(pieces.size())]);
    }
  }
  return text;
}

TEST(NetworkJsonErrors, mutated_files_give_a_network_or_an_error_of_ours) {
  LearnedModel model;
  model.network = generate_network("bars:2", 0).value();
  model.provenance.assign(4, {1, {0, 1, 2, 3}, 0.5, 9});
  model.errors = {std::vector<double>(4, 0.1), std::vector<double>(4, 0.01),
                  std::vector<double>(8, 0.2)};
  model.stability = {10, std::vector<double>(4, 0.5), std::vector<double>(8, 0.25)};
  const std::vector<std::string> originals{
      to_network_json(model),
      R"({"A":{"n_latent":1,"n_observed":2,"priors":[0.25],"noise_failure":[0.75,1],)"
      R"("failures":[[1.0,0.5]]}})"};
  std::mt19937_64 random(9);
  int n_refused = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const std::string text = mutated(originals[random() % 2], random);
    const TemporaryFile file(text);
    try {
      const LearnedModel read = read_network_json(file.path());
      // What is accepted is whole: its moments are probabilities and it can be written again.
      const double moment = read.network.negative_moment(std::vector<std::uint32_t>{0});
      EXPECT_TRUE(moment >= 0 && moment <= 1) << text;
      EXPECT_FALSE(to_network_json(read).empty());
    } catch (const Error& error) {
      ++n_refused;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    } catch (const std::exception& error) {
      FAIL() << "not an orrery::Error: " << error.what() << " from " << text;
    }
  }
  EXPECT_GT(n_refused, 500);
  EXPECT_LT(n_refused, 1000);
}

}  // namespace
}  // namespace orrery::model
