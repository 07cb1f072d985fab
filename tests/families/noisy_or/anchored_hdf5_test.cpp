#include "base/message_parts.hpp"
#include "families/model_files.hpp"
#include "model/anchored_examples.hpp"
#include "store/edit_file.hpp"
#include "store/edited_hdf5.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using model::LearnedModel;
using model::anchored_examples::learned_anchored_example;

class AnchoredTest : public StoreTest {
 protected:
  /// What is said of a good network of which the object was replaced, its digest made to agree.
  std::string refusal_with(const Place& place, const Cells& cells) {
    write_model(path("a.h5"), learned_anchored_example(), some_run());
    {
      EditedHdf5 file(path("a.h5"));
      EXPECT_TRUE(file.put(place, cells));
      file.repair_digests();
    }
    return error_of("a.h5");
  }
  std::string error_of(const std::string& name) {
    return message_of<InputError>([&] { static_cast<void>(read_model(path(name))); });
  }
  static Cells reals(const std::vector<double>& values) {
    return cells_of(CellType::f64, values, {values.size()});
  }
  static Cells counts(const std::vector<std::uint32_t>& values) {
    return cells_of(CellType::u32, values, {values.size()});
  }
};

TEST_F(AnchoredTest, tables_of_causes_lie_one_behind_the_other) {
  write_model(path("a.h5"), learned_anchored_example(), some_run());
  EditedHdf5 file(path("a.h5"));
  EXPECT_EQ(file.bytes({"/model/cause_tables/n_parents", ""}), counts({0, 1, 2}).bytes);
  EXPECT_EQ(file.bytes({"/model/cause_tables/parent", ""}), counts({0, 0, 1}).bytes);
  EXPECT_EQ(file.bytes({"/model/cause_tables/on", ""}),
            reals({.25, .125, .75, .5, .25, .125, .0625}).bytes);
  EXPECT_EQ(file.bytes({"/model/anchors/n_columns", ""}), counts({0, 2, 0}).bytes);
}

TEST_F(AnchoredTest, samples_carry_the_network_they_were_drawn_from) {
  const LearnedModel truth = learned_anchored_example();
  SampleWriter samples(path("s.h5"));
  samples.begin({"a", "b;c", "d", "x", "y"});
  samples.append(data::BitColumns(5, 3), nullptr);
  SampleWriter labels(path("l.h5"));
  labels.begin({"h", "g", "k"});
  labels.append(data::BitColumns(3, 3), nullptr);
  labels.prepare(some_run());
  samples.prepare(some_run(), group_of(truth));
  EXPECT_FALSE(std::filesystem::exists(path("s.h5")));
  EXPECT_FALSE(std::filesystem::exists(path("l.h5")));
  labels.commit();
  samples.commit();
  expect_same(read_model(path("s.h5")), truth);
  EXPECT_EQ(read_sample_header(path("s.h5")).n_samples, 3U);
  EXPECT_EQ(read_samples(path("l.h5")).names, (std::vector<std::string>{"h", "g", "k"}));
  EXPECT_FALSE(inspect(path("l.h5")).has("model"));
}

TEST_F(AnchoredTest, what_is_prepared_but_not_committed_does_not_appear) {
  {
    SampleWriter samples(path("s.h5"));
    samples.begin({"a"});
    samples.append(data::BitColumns(1, 3), nullptr);
    samples.prepare(some_run());
  }
  EXPECT_TRUE(std::filesystem::is_empty(path("s.h5").parent_path()));
}

TEST_F(AnchoredTest, loadings_that_are_no_network_are_refused) {
  expect_part(refusal_with({"/model/edges/failure", ""}, reals({-1, 0, 0, 0, 0, 0})),
              "/model/edges/failure[0] = -1");
  expect_part(refusal_with({"/model/observed/leak", ""}, reals({0, 0, 0, 0, 1.5})),
              "/model/observed/leak[4] = 1.5");
  expect_part(refusal_with({"/model/causes/prior_error", ""}, reals({0, -.5, 0})),
              "/model/causes/prior_error[1] = -0.5");
}

TEST_F(AnchoredTest, tables_that_are_no_network_of_causes_are_refused) {
  expect_part(refusal_with({"/model/cause_tables/n_parents", ""}, counts({17, 0, 0})),
              "/model/cause_tables/parent is 3, but must be 17");
  expect_part(refusal_with({"/model/cause_tables/n_parents", ""}, counts({0, 0, 2})),
              "/model/cause_tables/parent is 3, but must be 2");
  expect_part(refusal_with({"/model/cause_tables/n_parents", ""}, counts({0, 0, 3})),
              "/model/cause_tables/on is 7, but must be 10");
  expect_part(refusal_with({"/model/cause_tables/parent", ""}, counts({2, 0, 1})),
              "/model: cause_tables: the parents make the cycle");
  expect_part(refusal_with({"/model/cause_tables/parent", ""}, counts({9, 0, 1})),
              "/model: cause_tables[1].parents: 9");
  expect_part(refusal_with({"/model/cause_tables/on", ""},
                           reals({.25, .125, std::nan(""), .5, .25, .125, .0625})),
              "/model/cause_tables/on[2] = nan");
  expect_part(refusal_with({"/model/causes/prior", ""}, reals({.5, .28125, .25})),
              "causes[0].prior = 0.5; 0.25 is what the tables of the causes say");
}

TEST_F(AnchoredTest, anchors_that_cannot_be_are_refused) {
  expect_part(refusal_with({"/model/anchors/observed", ""}, counts({0, 1, 5})),
              "/model: anchors[2].observed = 5");
  expect_part(refusal_with({"/model/anchors/observed", ""}, counts({0, 1})),
              "/model/anchors/observed is 2, but must be 3");
  expect_part(refusal_with({"/model/anchors/n_columns", ""}, counts({0, 3, 0})),
              "/model/anchors/column");
  expect_part(refusal_with({"/model/anchors/on", ""}, reals({.5, 1.5, .5})),
              "/model/anchors/on[1] = 1.5");
  expect_part(refusal_with({"/model/anchors/off_error", ""}, reals({0, 0, HUGE_VAL})),
              "/model/anchors/off_error[2] = inf");
}

TEST_F(AnchoredTest, moments_are_those_of_the_causes) {
  const auto order = [](std::uint32_t value) {
    return cells_of(CellType::u32, std::vector{value}, {});
  };
  expect_part(refusal_with({"/model/moments", "order"}, order(0)), "moments are of order 0");
  expect_part(refusal_with({"/model/moments", "order"}, order(3)),
              "/model/moments/cell is 18, but must be 26");
  expect_part(refusal_with({"/model/moments", "order"}, order(4294967295U)),
              "moments are of order 4294967295");
  expect_part(refusal_with({"/model/moments/cell", ""}, reals(std::vector<double>(18, -.5))),
              "/model/moments/cell[0] = -0.5");
}

}  // namespace
}  // namespace orrery::store
