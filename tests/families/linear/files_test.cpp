// Linear networks in files: JSON and HDF5.
#include <gtest/gtest.h>

#include "base/message_parts.hpp"
#include "families/linear/network/examples.hpp"
#include "families/model_files.hpp"
#include "model/same_model.hpp"
#include "model/temporary_file.hpp"
#include "orrery/base/error.hpp"
#include "store/edit_file.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store_fixture.hpp"
#include "store/tables.hpp"

namespace orrery::model {
namespace {

using namespace linear_examples;

LearnedLinear linear_of(const std::string& text) {
  const TemporaryFile file(text);
  return read_linear_json(file.path());
}

std::string linear_json_refusal(const std::string& text) {
  try {
    (void)linear_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LinearJson, what_may_be_left_out_is_filled_in) {
  const LearnedLinear found = linear_of(R"({"format": "orrery-linear-1", "other": [1],
      "observed": [{"noise": 1}, {"noise": 0.5, "mean": -2}], "causes": [{}], "edges": [[0, 1, 3]]})");
  EXPECT_EQ(found.network.names(), (std::vector<std::string>{"x0", "x1"}));
  EXPECT_EQ(found.network.cause_names(), std::vector<std::string>{"h0"});
  EXPECT_EQ(found.network.means(), (VectorXd{{0, -2}}));
  EXPECT_EQ(found.network.loadings(), (MatrixXd{{0.0}, {3.0}}));
  EXPECT_EQ(found.network.covariance(), MatrixXd::Identity(1, 1));
  EXPECT_EQ(found.network.law(), CauseLaw::gaussian);
  EXPECT_EQ(found.estimates.size(), 0);
}

TEST(LinearJson, innovations_may_be_left_out_of_a_coupling) {
  const LearnedLinear found = linear_of(R"({"format": "orrery-linear-1", "observed": [],
      "causes": [{"name": "g"}, {"name": "h"}], "edges": [], "coupling": [[1, 0, 0.5]]})");
  EXPECT_EQ(found.network.coupling(), (MatrixXd{{0, .5}, {0, 0}}));
  EXPECT_EQ(found.network.innovation(), (VectorXd{{.75, 1}}));
}

TEST(LinearJson, what_is_no_network_is_refused_with_its_place) {
  const auto expect_refused = [](const std::string& rest, const std::string& text) {
    const std::string said = linear_json_refusal(R"({"format": "orrery-linear-1", )" + rest + "}");
    EXPECT_NE(said.find(text), std::string::npos) << rest << " is answered: " << said;
  };
  const std::string two = R"("observed": [{"name": "a", "noise": 1}, {"noise": 1}], )";
  const std::string both = two + R"("causes": [{}, {"name": "g"}], )";
  const std::string all = both + R"("edges": [], )";
  expect_refused(R"("causes": [], "edges": [])", "observed is missing");
  expect_refused(two + R"("edges": [])", "causes is missing");
  expect_refused(both + R"("x": 0)", "edges is missing");
  expect_refused(R"("observed": [{}], "causes": [], "edges": [])", "observed[0].noise is missing");
  expect_refused(R"("observed": [{"noise": -1}], "causes": [], "edges": [])", "noise[0] = -1");
  expect_refused(two + R"("causes": [{"name": "h1"}, {}], "edges": [])", "both have the name");
  expect_refused(all + R"("law": "normal")", "law = normal: gaussian, skewed");
  expect_refused(both + R"("edges": [[0, 1]])", "edges[0] = [0,1]; [cause, observed, value]");
  expect_refused(both + R"("edges": [[2, 0, 1]])", "edges[0][0] = 2; a whole number 0 to 1");
  expect_refused(both + R"("edges": [[0, 0, 1], [1, -1, 1]])", "edges[1][1] = -1");
  expect_refused(both + R"("edges": [[0, 1, 0], [0, 1, 2]])", "edges[1] = [0,1,2]; the second");
  expect_refused(two + R"("causes": [], "edges": [[0, 0, 1]])", "nothing that an edge");
  expect_refused(two + R"("causes": [{"innovation": 1}], "edges": [])", "with a coupling only");
  expect_refused(two + R"("causes": [{"innovation": 1}, {}], "edges": [], "coupling": [])",
                 "causes[1].innovation is missing");
  expect_refused(all + R"("coupling": [[0, 1, 1], [1, 0, 1]])",
                 "the cycle \"h0\" -> \"g\" -> \"h0\"");
  expect_refused(all + R"("covariance": [[1, 0]])", "covariance has 1 values; 2 are needed");
  expect_refused(all + R"("covariance": [[1, 0], [0]])", "covariance[1] has 1 values; 2");
  expect_refused(all + R"("covariance": [[1, 0], [null, 1]])", "covariance[1][0] = null");
  expect_refused(all + R"("covariance": [[1, 2], [2, 1]])", "not positive definite");
  expect_refused(all + R"("levels": [{"causes": ["u"], "edges": [[0, 2, 1]], "noise": [1, 1]}])",
                 "levels[0].edges[0][1] = 2");
  expect_refused(all + R"("levels": [{"causes": ["u"], "edges": [], "noise": [1]}])",
                 "levels[0].noise has 1 values");
  expect_refused(all + R"("levels": [{"causes": [], "edges": [], "noise": [1, 1]}])",
                 "levels[0] has no cause");
  expect_refused(all + R"("estimates": [[1, 2]])", "estimates has 1 values; 2 are needed");
  expect_refused(all + R"("loading_errors": [[1, -2], [0, 0]])", "loading_errors[0][1] = -2");
  expect_refused(all + R"("coupling_errors": [[0, 0], [0, 0]])", "with a coupling only");
  expect_refused(all + R"("noise_errors": [1])", "noise_errors has 1 values");
  expect_refused(all + R"("rank_test": [{"rank": -1}])", "rank_test[0].rank = -1");
  expect_refused(all + R"("remarks": ["a\u0000b"])", "remarks[0]");
  EXPECT_NE(linear_json_refusal(R"({"format": "orrery-linear-2"})").find("orrery-linear-2"),
            std::string::npos);
  EXPECT_NE(linear_json_refusal("[]"), "accepted");
}

TEST(LinearJson, a_matrix_beyond_any_memory_is_refused) {
  std::string causes = "{}";
  for (int i = 1; i < 9000; ++i) causes += ",{}";
  EXPECT_NE(linear_json_refusal(
                R"({"format": "orrery-linear-1", "observed": [], "edges": [], "causes": [)" +
                causes + "]}")
                .find("9000 x 9000"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::model

namespace orrery::store {
namespace {

using model::LearnedLinear;
using model::LinearNetwork;
using model::linear_examples::learned_linear_example;

class LinearTest : public StoreTest {
 protected:
  /// What is said of a good network of which the object was replaced, its digest made to agree.
  std::string refusal_with(const Place& place, const Cells& cells,
                           const LearnedLinear& good = learned_linear_example()) {
    write_model(path("l.h5"), good, some_run());
    {
      EditedHdf5 file(path("l.h5"));
      EXPECT_TRUE(file.put(place, cells));
      file.repair_digests();
    }
    return error_of("l.h5");
  }
  std::string error_of(const std::string& name) {
    return message_of<InputError>([&] { static_cast<void>(read_linear(path(name))); });
  }
  static Cells reals(const std::vector<double>& values, std::vector<std::uint64_t> shape) {
    return cells_of(CellType::f64, values, std::move(shape));
  }
};

TEST_F(LinearTest, loadings_lie_row_after_row) {
  write_model(path("l.h5"), learned_linear_example(), some_run());
  EditedHdf5 file(path("l.h5"));
  const std::string bytes = file.bytes({"/linear/loadings/value", ""});
  const auto expected = std::vector<double>{2, 0, -1, .5, 0, 3};
  EXPECT_EQ(bytes, cells_of(CellType::f64, expected, {3, 2}).bytes);
}

TEST_F(LinearTest, dense_samples_carry_the_network_they_were_drawn_from) {
  DenseWriter writer(path("d.h5"));
  writer.begin(learned_linear_example().network.names());
  data::DenseBlock block(2, 3);
  writer.append(block);
  const LearnedLinear truth = learned_linear_example();
  writer.finish(some_run(), group_of(truth));
  expect_same(read_linear(path("d.h5")), truth);
  EXPECT_EQ(DenseReader(path("d.h5")).header().n_samples, 2U);
  EXPECT_TRUE(inspect(path("d.h5")).has("dense"));
}

TEST_F(LinearTest, what_is_no_network_is_refused) {
  const double nan = std::nan("");
  expect_part(refusal_with({"/linear/observed/noise", ""}, reals({1, -1, 1}, {3})),
              "/linear: noise[1] = -1");
  expect_part(refusal_with({"/linear/observed/mean", ""}, reals({0, 0, nan}, {3})),
              "/linear: means[2] = nan");
  expect_part(refusal_with({"/linear/loadings/value", ""}, reals({1, 2, 3, 4}, {2, 2})),
              "/linear/loadings/value is 2 x 2, but must be 3 x 2");
  expect_part(refusal_with({"/linear/causes/coupling", ""}, reals({0, 1, 1, 0}, {2, 2})),
              "the cycle \"h\" -> \"g\" -> \"h\"");
  expect_part(refusal_with({"/linear/causes/covariance", ""}, reals({1, 0, 0, 1}, {2, 2})),
              "covariance is given beside a coupling");
  expect_part(refusal_with({"/linear/loadings/error", ""}, reals({0, 0, -.5, 0, 0, 0}, {3, 2})),
              "/linear/loadings/error[2] = -0.5");
  expect_part(
      refusal_with({"/linear/loadings/estimate", ""}, reals({0, 0, 0, HUGE_VAL, 0, 0}, {3, 2})),
      "/linear/loadings/estimate[3] = inf");
  expect_part(refusal_with({"/linear/rank_test/error", ""}, reals({1}, {1})),
              "/linear/rank_test/error is 1, but must be 2");
  expect_part(refusal_with({"/linear", "law"}, cells_of(std::vector<std::string>{"normal"})),
              "law");
}

TEST_F(LinearTest, levels_are_those_that_the_file_counts) {
  LearnedLinear learned;
  learned.network = LinearNetwork(model::linear_examples::levelled());
  write_model(path("l.h5"), learned, some_run());
  EditedHdf5(path("l.h5")).remove({"/linear/levels/0", "", true});
  expect_part(error_of("l.h5"), "group /linear/levels holds no 0");
  expect_part(refusal_with({"/linear/levels/1/noise", ""}, reals({1}, {1}), learned),
              "/linear/levels/1/noise is 1, but must be 2");
  expect_part(refusal_with({"/linear/causes/covariance", ""}, reals({-1}, {1, 1}), learned),
              "covariance[0][0] = -1");
}

}  // namespace
}  // namespace orrery::store
