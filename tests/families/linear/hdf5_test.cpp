#include "families/linear/network/examples.hpp"
#include "families/model_files.hpp"
#include "store/dense.hpp"
#include "store/edit_file.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using model::LearnedLinear;
using model::LinearNetwork;
using model::LinearParts;
using model::linear_examples::learned_linear_example;

class LinearTest : public StoreTest {
 protected:
  LearnedLinear rewritten(const LearnedLinear& learned) {
    write_model(path("l.h5"), learned, some_run());
    return read_linear(path("l.h5"));
  }
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
  static void expect_part(const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
};

TEST_F(LinearTest, networks_of_every_kind_round_trip) {
  using namespace model::linear_examples;
  for (LinearParts parts : {independent(), dependent(), coupled(), levelled()}) {
    parts.law = model::CauseLaw::skewed;
    LearnedLinear learned;
    learned.network = LinearNetwork(parts);
    expect_same(rewritten(learned), learned);
  }
  expect_same(rewritten(LearnedLinear{}), LearnedLinear{});
}

TEST_F(LinearTest, what_a_learner_knows_round_trips) {
  expect_same(rewritten(learned_linear_example()), learned_linear_example());
  const FileContents contents = inspect(path("l.h5"));
  EXPECT_TRUE(contents.has("linear"));
  EXPECT_FALSE(contents.has("model") || contents.has("tree") || contents.has("dense"));
}

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

TEST_F(LinearTest, another_group_is_said_to_be_there) {
  write_model(path("l.h5"), learned_linear_example(), some_run());
  write_model(path("t.h5"), some_tree(), some_run());
  expect_part(error_of("t.h5"), "no /linear, but /tree");
  expect_part(message_of<InputError>([&] { static_cast<void>(read_model(path("l.h5"))); }),
              "no /model, but /linear");
}

TEST_F(LinearTest, two_writes_are_the_same) {
  write_model(path("1.h5"), learned_linear_example(), some_run());
  write_model(path("2.h5"), learned_linear_example(), some_run());
  EXPECT_EQ(bytes_of(path("1.h5")), bytes_of(path("2.h5")));
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
