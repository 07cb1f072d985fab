#include "families/model_files.hpp"
#include "store/edit_file.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using ModelTest = StoreTest;

TEST_F(ModelTest, errors_and_stability_are_stored_only_if_they_are_known) {
  model::LearnedModel model = some_model();
  model.errors = {};
  model.stability = {};
  write_model(path("m.h5"), model, some_run());
  expect_same(read_model(path("m.h5")), model);
  edit_file(path("m.h5"), [](hid_t file) {
    EXPECT_EQ(H5Lexists(file, "/model/causes/prior_error", H5P_DEFAULT), 0);
    EXPECT_EQ(H5Lexists(file, "/model/stability", H5P_DEFAULT), 0);
  });
}

TEST_F(ModelTest, a_file_without_support_is_read) {  // as older versions wrote it
  write_model(path("m.h5"), some_model(), some_run());
  edit_file(path("m.h5"), [](hid_t file) {
    ASSERT_GE(H5Ldelete(file, "/model/provenance/support", H5P_DEFAULT), 0);
  });
  model::LearnedModel expected = some_model();
  for (model::Provenance& origin : expected.provenance) origin.support = 0;
  expect_same(read_model(path("m.h5")), expected);
}

TEST_F(ModelTest, writing_replaces_the_previous_file) {
  write_model(path("m.h5"), model::LearnedModel(), some_run());
  write_model(path("m.h5"), some_model(), some_run());
  expect_same(read_model(path("m.h5")), some_model());
  EXPECT_EQ(n_files(), 1U);
}

TEST_F(ModelTest, the_run_round_trips) {
  RunInfo run = some_run();
  run.command_line = std::string(100000, 'x').append("é");
  write_model(path("m.h5"), some_model(), run);
  const FileContents contents = inspect(path("m.h5"));
  EXPECT_EQ(contents.schema, schema_version);
  EXPECT_TRUE(contents.has("model"));
  EXPECT_FALSE(contents.has("samples"));
  EXPECT_FALSE(contents.has("moments"));
  ASSERT_TRUE(contents.run);
  EXPECT_EQ(contents.run->command_line, run.command_line);
  EXPECT_EQ(contents.run->version, run.version);
  EXPECT_EQ(contents.run->host, run.host);
  EXPECT_EQ(contents.run->started, run.started);
  EXPECT_EQ(contents.run->kernel, run.kernel);
  EXPECT_EQ(contents.run->seed, run.seed);
  EXPECT_EQ(contents.run->ranks, run.ranks);
  EXPECT_EQ(contents.run->threads, run.threads);
  EXPECT_EQ(contents.run->hosts, run.hosts);
  EXPECT_EQ(contents.run->bytes_read, run.bytes_read);
  EXPECT_EQ(contents.run->stages, run.stages);
}

}  // namespace
}  // namespace orrery::store
