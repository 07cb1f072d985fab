// Posteriors into files and back, and what is refused.
#include "store/posterior.hpp"

#include "store/edit_file.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using PosteriorTest = StoreTest;

std::string posterior_refusal(const std::filesystem::path& path) {
  return message_of<InputError>([&] { static_cast<void>(read_posterior(path)); });
}

TEST_F(PosteriorTest, posteriors_round_trip) {
  write_some_posterior(path("p.h5"));
  EXPECT_EQ(read_posterior_header(path("p.h5")), some_posterior_header());
  EXPECT_EQ(read_posterior(path("p.h5")), some_posterior());
  const FileContents contents = inspect(path("p.h5"));
  EXPECT_TRUE(contents.has("posterior"));
  EXPECT_FALSE(contents.has("samples") || contents.has("model"));
}

TEST_F(PosteriorTest, rows_may_come_in_any_pieces) {
  constexpr std::uint64_t n = 70'000;  // more than a chunk
  PosteriorHeader header = some_posterior_header();
  header.n_samples = 3 * n;
  PosteriorRows many;
  for (std::uint64_t i = 0; i < n; ++i) many.append(some_posterior());
  PosteriorWriter whole(path("whole.h5"), header);
  whole.append(many);
  whole.finish(some_run());
  PosteriorWriter pieces(path("pieces.h5"), header);
  PosteriorRows piece;
  for (std::uint64_t i = 0; i < n; ++i) {
    piece.append(some_posterior());
    if (i % 1000 == 7 || i + 1 == n) {
      pieces.append(piece);
      piece = {};
    }
  }
  pieces.finish(some_run());
  EXPECT_EQ(read_posterior(path("whole.h5")), many);
  EXPECT_EQ(read_posterior(path("pieces.h5")), many);
}

TEST_F(PosteriorTest, without_explanations_there_is_no_group_for_them) {
  PosteriorHeader header = some_posterior_header();
  header.top = 0;
  PosteriorRows rows = some_posterior();
  rows.log_probability.clear();
  rows.proven.clear();
  rows.n_present.clear();
  rows.present.clear();
  PosteriorWriter writer(path("p.h5"), header);
  writer.append(rows);
  writer.finish(some_run());
  EXPECT_EQ(read_posterior(path("p.h5")), rows);
  const hid_t file = H5Fopen(path("p.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(H5Lexists(file, "/posterior/explanations", H5P_DEFAULT), 0);
  H5Fclose(file);
}

TEST_F(PosteriorTest, no_rows_are_rows_too) {
  PosteriorHeader header = some_posterior_header();
  header.n_samples = 0;
  PosteriorWriter writer(path("p.h5"), header);
  writer.finish(some_run());
  EXPECT_EQ(read_posterior(path("p.h5")).size(), 0U);
}

TEST_F(PosteriorTest, an_unfinished_file_does_not_appear) {
  {
    PosteriorWriter writer(path("p.h5"), some_posterior_header());
    writer.append(some_posterior());
  }
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(PosteriorTest, what_is_no_posterior_is_refused) {
  write_model(path("m.h5"), some_model(), some_run());
  expect_parts(posterior_refusal(path("m.h5")), {"no /posterior", "/model"});
}

TEST_F(PosteriorTest, a_damaged_list_is_refused_by_name) {
  write_some_posterior(path("p.h5"));
  edit_file(path("p.h5"), [](hid_t file) {
    const hid_t dataset = H5Dopen2(file, "/posterior/probability", H5P_DEFAULT);
    const double other[] = {0.75, 0.25, 0.9, 0.5, 0.0625};
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, other);
    H5Dclose(dataset);
  });
  expect_parts(posterior_refusal(path("p.h5")), {"digest of /posterior/probability"});
}

TEST_F(PosteriorTest, lists_that_cannot_be_are_refused) {
  const auto refused = [&](auto spoil) {
    PosteriorRows rows = some_posterior();
    spoil(rows);
    // The writer reads back what it wrote, and says so.
    return message_of<EnvironmentError>([&] {
      PosteriorWriter writer(path("p.h5"), some_posterior_header());
      writer.append(rows);
      writer.finish(some_run());
    });
  };
  expect_parts(refused([](PosteriorRows& rows) { rows.cause[3] = 3; }),
               {"/posterior/cause holds 3", "from 0 to 2"});
  expect_parts(refused([](PosteriorRows& rows) { rows.probability[0] = 1.5; }),
               {"/posterior/probability holds 1.5"});
  expect_parts(refused([](PosteriorRows& rows) { rows.method[0] = 3; }),
               {"/posterior/method holds 3"});
  expect_parts(refused([](PosteriorRows& rows) { rows.n_listed[1] = 1; }),
               {"/posterior/cause is 5, but must be 6"});
  expect_parts(refused([](PosteriorRows& rows) { rows.n_listed[1] = ~std::uint64_t{0}; }),
               {"/posterior/end falls from 2 to 1"});
  expect_parts(refused([](PosteriorRows& rows) { rows.present[5] = 7; }),
               {"/posterior/explanations/cause holds 7"});
}

}  // namespace
}  // namespace orrery::store
