#include "model/network_tables.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "model/learnability.hpp"
#include "model/oracle.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

class NetworkTablesTest : public testing::Test {
 protected:
  NetworkTablesTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("orrery_tables_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    tables_.edges = folder_ / "edges";
    tables_.priors.value = 0.25;
    tables_.leaks.value = 0.125;
  }
  ~NetworkTablesTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  ImportedNetwork read(const std::string& edges) {
    write("edges", edges);
    return read_network_tables(tables_);
  }
  // Without the folder.
  std::string message(const std::string& edges) {
    std::string text = oracle::message_of<InputError>([&] { (void)read(edges); });
    for (std::size_t at = 0; (at = text.find(folder_.string())) != std::string::npos;) {
      text.erase(at, folder_.string().size() + 1);
    }
    return text;
  }

  std::filesystem::path folder_;
  NetworkTables tables_;
};

TEST_F(NetworkTablesTest, edges_become_a_network_in_the_order_of_names) {
  const auto [network, edges, causes, observed] =
      read("disease,symptom,p\nflu,\"fever, high\",.5\ncold,cough,1\nflu,cough,.25\n");
  ASSERT_EQ(network.n_causes(), 2U);
  ASSERT_EQ(network.n_observed(), 2U);
  EXPECT_EQ(network.causes()[0].name, "flu");
  EXPECT_EQ(network.causes()[1].name, "cold");
  EXPECT_EQ(network.causes()[1].prior, 0.25);
  EXPECT_EQ(network.observed()[0].name, "fever, high");
  EXPECT_EQ(network.observed()[1].leak, 0.125);
  EXPECT_EQ(network.edges(), (std::vector<Edge>{{0, 0, 0.5}, {0, 1, 0.75}, {1, 1, 0}}));
  EXPECT_EQ(edges + causes + observed, 0U);
}

TEST_F(NetworkTablesTest, tabs_separate_too_and_the_header_may_be_absent) {
  EXPECT_EQ(read("flu\tfever, high\t.5\n\ncold\tcough\t.5\n").network.edges().size(), 2U);
  EXPECT_EQ(read("a,b,c\nflu,fever,.5\n").network.edges().size(), 1U);
  tables_.header = data::Header::yes;
  EXPECT_EQ(read("flu,fever,.5\ncold,cough,.5\n").network.causes()[0].name, "cold");
  tables_.header = data::Header::no;
  EXPECT_EQ(message("a,b,c\nflu,fever,.5\n"),
            "edges: line 1: strength 'c' is no probability above 0, up to 1; leave out edges that "
            "never act, or say what the column means with --strength class|rank");
}

TEST_F(NetworkTablesTest, qmr_tables_give_priors_leaks_and_classes) {
  tables_.strength = Strength::frequency_class;
  tables_.priors = {{}, write("priors", "disease,prior\ncold,0.03\nflu,2e-3\n")};
  tables_.leaks = {{}, write("leaks", "cough,0\nfever,0.01\n")};
  const NoisyOrNetwork network =
      read("flu,fever,5\nflu,cough,1\ncold,cough,4\ncold,fever,2\n").network;
  EXPECT_EQ(network.causes()[0].prior, 0.002);
  EXPECT_EQ(network.causes()[1].prior, 0.03);
  EXPECT_EQ(network.observed()[0].leak, 0.01);
  EXPECT_EQ(network.observed()[1].leak, 0);
  EXPECT_NEAR(network.failure(0, 0), 0.015, 1e-15);
  EXPECT_NEAR(network.failure(0, 1), 0.975, 1e-15);
  EXPECT_NEAR(network.failure(1, 0), 0.8, 1e-15);
  EXPECT_NEAR(network.failure(1, 1), 0.2, 1e-15);
}

TEST_F(NetworkTablesTest, ranks_have_the_shares_of_the_classes_and_ties_share_a_class) {
  tables_.strength = Strength::rank;
  std::string edges;
  for (int i = 1; i <= 100; ++i) {
    edges += "c,x" + std::to_string(i) + ',' + std::to_string(1000 * i) + '\n';
  }
  const NoisyOrNetwork network = read(edges).network;
  const auto sensitivity = [&](std::size_t i) { return 1 - network.failure(0, i - 1); };
  for (const auto& [first, last, expected] :
       std::vector<std::tuple<std::size_t, std::size_t, double>>{
           {1, 20, 0.025}, {21, 62, 0.2}, {63, 84, 0.5}, {85, 96, 0.8}, {97, 100, 0.985}}) {
    EXPECT_NEAR(sensitivity(first), expected, 1e-15) << first;
    EXPECT_NEAR(sensitivity(last), expected, 1e-15) << last;
  }
  const NoisyOrNetwork tied = read("c,x,1\nc,y,1\nd,x,1\nd,y,1\n").network;
  for (const Edge& edge : tied.edges()) {
    EXPECT_NEAR(edge.failure, 0.8, 1e-15);  // the middle of all ranks
  }
}

TEST_F(NetworkTablesTest, weak_edges_are_left_out_with_whom_they_leave_alone) {
  tables_.min_strength = 0.1;
  tables_.priors = {{}, write("priors", "a,.1\nb,.2\nc,.3\n")};
  const auto [network, edges, causes, observed] = read("a,x,.05\nb,y,.1\nc,x,.05\nc,z,.2\n");
  EXPECT_EQ(edges, 2U);
  EXPECT_EQ(causes, 1U);
  EXPECT_EQ(observed, 1U);
  ASSERT_EQ(network.n_causes(), 2U);
  EXPECT_EQ(network.causes()[0].name, "b");
  EXPECT_EQ(network.causes()[0].prior, 0.2);
  EXPECT_EQ(network.observed()[1].name, "z");
  EXPECT_EQ(network.edges().size(), 2U);
  tables_.min_strength = 2;
  EXPECT_EQ(message("a,x,.05\nb,y,.1\nc,x,.05\n"),
            "edges: no edge has a strength of 2 or more; lower --min-strength");
}

TEST_F(NetworkTablesTest, what_is_drawn_depends_on_seed_and_place_alone) {
  tables_.priors.value.reset();
  tables_.leaks.value.reset();
  const NoisyOrNetwork short_one = read("a,x,.5\nb,y,.5\n").network;
  const NoisyOrNetwork long_one = read("a,x,.5\nb,y,.5\nc,z,.5\n").network;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(short_one.causes()[i].prior, long_one.causes()[i].prior);
    EXPECT_EQ(short_one.observed()[i].leak, long_one.observed()[i].leak);
    EXPECT_EQ(short_one.causes()[i].prior, generate_network("qmr", 1)->causes()[i].prior);
    EXPECT_EQ(short_one.observed()[i].leak, generate_network("qmr", 1)->observed()[i].leak);
  }
  tables_.seed = 2;
  EXPECT_NE(read("a,x,.5\nb,y,.5\n").network.causes()[0].prior, short_one.causes()[0].prior);
}

TEST_F(NetworkTablesTest, bad_edges_are_refused) {
  EXPECT_EQ(message(""), "edges: the file is empty; was it written completely?");
  EXPECT_EQ(message("a,b,c\n"), "edges: no row after the header; was it written completely?");
  EXPECT_EQ(
      message("a,x,.5\nb,y\n"),
      "edges: line 2: 'b,y' is not the 3 columns of this table, separated by commas; complete "
      "the line, or quote a name that holds the separator");
  EXPECT_EQ(message("a,x,.5\n,y,.5\n"), "edges: line 2: the name in column 1 is empty; write one");
  EXPECT_EQ(message("a,x,.5\nb,y,.5\n\na,x,.4\n"),
            "edges: line 4: the edge from 'a' to 'x' is in line 1 too; keep one");
  for (const std::string strength : {"0", "1e-20", "-.1", "1.5", "nan", "inf", "x", "", "1e999"}) {
    EXPECT_EQ(message("a,x,.5\na,y," + strength + "\n"),
              "edges: line 2: strength '" + strength +
                  "' is no probability above 0, up to 1; leave out edges that never act, or say "
                  "what the column means with --strength class|rank");
  }
  tables_.strength = Strength::frequency_class;
  for (const std::string strength : {"0", "6", "2.5", "often"}) {
    EXPECT_EQ(message("a,x,1\na,y," + strength + "\n"),
              "edges: line 2: strength '" + strength +
                  "' is no class of frequency 1 to 5; correct it, or say what the column means "
                  "with --strength probability|rank");
  }
  tables_.strength = Strength::rank;
  EXPECT_EQ(message("a,x,1\na,y,-1\n"),
            "edges: line 2: strength '-1' is no number above 0; leave out edges that never act");
}

TEST_F(NetworkTablesTest, bad_priors_and_leaks_are_refused) {
  const std::string edges = "a,x,.5\nb,y,.5\n";
  const auto with = [&](const std::string& priors, const std::string& leaks) {
    tables_.priors = {{}, write("priors", priors)};
    tables_.leaks = {{}, write("leaks", leaks)};
    return message(edges);
  };
  const std::string good = "x,.1\ny,.1\n";
  for (const std::string value : {"0", "1", "1.5", "-.1", "nan", "rare"}) {
    EXPECT_EQ(with("a,.1\nb," + value + "\n", good),
              "priors: line 2: prior '" + value +
                  "' of 'b' must be between 0 and 1, neither of them; correct it");
  }
  EXPECT_EQ(with("a,.1\nb,.2\n", "x,0\ny,1\n"),
            "leaks: line 2: leak '1' of 'y' must be from 0 to below 1; correct it");
  EXPECT_EQ(with("a,.1\nb,.2\na,.3\n", good),
            "priors: line 3: cause 'a' is in line 1 too; keep one");
  EXPECT_EQ(with("a,.1\nb,.2\nc,.3\n", good),
            "priors: line 3: cause 'c' has no edge in edges; add one, or remove this line");
  EXPECT_EQ(with("a,.1\nb,.2\n", "x,.1\nz,.1\ny,.1\n"),
            "leaks: line 2: variable 'z' has no edge in edges; add one, or remove this line");
  EXPECT_EQ(with("b,.1\n", good),
            "priors: no prior for cause 'a', which has an edge in line 1 of edges; add it");
  EXPECT_EQ(with("a,.1\nb,.2\n", "name,leak\nx,.1\n"),
            "leaks: no leak for variable 'y', which has an edge in line 2 of edges; add it");
}

TEST(Strengths, unknown_meanings_are_usage_errors) {
  EXPECT_EQ(parse_strength("rank"), Strength::rank);
  EXPECT_EQ(oracle::message_of<UsageError>([] { (void)parse_strength("odds"); }),
            "--strength odds: must be probability, class or rank");
}

// Diseases at depth 0 and in the end, and the number of depths.
TEST(HealthKnowledgeGraph, is_as_learnable_as_it_was_found_to_be) {
  NetworkTables tables;
  tables.edges = std::filesystem::path(ORRERY_SHARED_DATA) / "medical" / "healthkg_edges.csv";
  if (!std::filesystem::exists(tables.edges)) GTEST_SKIP() << "absent: " << tables.edges;
  tables.strength = Strength::rank;
  struct Expected {
    double min_strength;
    long at_once, in_the_end;
    std::size_t n_depths;
  };
  for (const auto& [min_strength, at_once, in_the_end, n_depths] :
       std::vector<Expected>{{0, 66, 156, 8}, {0.01, 52, 146, 8}, {0.1, 6, 6, 1}}) {
    tables.min_strength = min_strength;
    const NoisyOrNetwork network = read_network_tables(tables).network;
    const auto causes = learnability(network, quartet_size);
    std::set<std::int32_t> depths;
    long n_at_once = 0;
    long n_learned = 0;
    for (const auto& cause : causes) {
      if (cause.depth == CauseLearnability::never) continue;
      depths.insert(cause.depth);
      n_at_once += cause.depth == 0 ? 1 : 0;
      ++n_learned;
    }
    EXPECT_EQ(n_at_once, at_once) << min_strength;
    EXPECT_EQ(n_learned, in_the_end) << min_strength;
    EXPECT_EQ(depths.size(), n_depths) << min_strength;
    if (min_strength > 0) continue;
    EXPECT_EQ(network.n_causes(), 156U);
    EXPECT_EQ(network.n_observed(), 330U);
    EXPECT_EQ(network.edges().size(), 3709U);
  }
}

}  // namespace
}  // namespace orrery::model
