// Predictions into files and back, and what is refused.
#include <cmath>
#include <limits>

#include "store/edit_file.hpp"
#include "store/posterior.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using PredictionTest = StoreTest;

const PredictionHeader some_header{3, 0x0123456789abcdef, 5, 0.125, {"left", "右"}};

PredictionRows some_rows() {
  const double never = -std::numeric_limits<double>::infinity();
  return {{-3.5, never, -700.25}, {0.25, 1, std::nan(""), std::nan(""), 0, 0.5}};
}

void write_some(const std::filesystem::path& path) {
  PredictionWriter writer(path, some_header);
  writer.append(some_rows());
  writer.finish(some_run());
}

TEST_F(PredictionTest, predictions_round_trip) {
  write_some(path("p.h5"));
  EXPECT_EQ(read_prediction_header(path("p.h5")), some_header);
  const PredictionRows found = read_prediction(path("p.h5"));
  expect_same(found.log_evidence, some_rows().log_evidence);
  expect_same(found.probability, some_rows().probability);
  EXPECT_TRUE(inspect(path("p.h5")).has("prediction"));
}

TEST_F(PredictionTest, rows_in_pieces_give_the_same_bytes) {
  write_some(path("whole.h5"));
  PredictionWriter writer(path("pieces.h5"), some_header);
  const PredictionRows rows = some_rows();
  for (std::size_t i = 0; i < 3; ++i) {
    writer.append({{rows.log_evidence[i]}, {rows.probability[2 * i], rows.probability[2 * i + 1]}});
  }
  writer.finish(some_run());
  EXPECT_EQ(bytes_of(path("whole.h5")), bytes_of(path("pieces.h5")));
}

TEST_F(PredictionTest, what_does_not_fit_is_refused) {
  const auto refusal = [&] {
    return message_of<InputError>([&] { static_cast<void>(read_prediction(path("p.h5"))); });
  };
  const auto with = [&](const std::string& attribute, hid_t type, auto value) {
    write_some(path("p.h5"));
    edit_file(path("p.h5"),
              [&](hid_t file) { replace_attribute(file, "/prediction", attribute, type, &value); });
    return refusal();
  };
  expect_parts(with("n_samples", H5T_STD_U64LE, std::uint64_t{4}), {"/prediction/"});
  expect_parts(with("n_samples", H5T_STD_U64LE, std::uint64_t{1} << 63U),
               {"2 variables in 9223372036854775808 rows"});
  expect_parts(with("crossover", H5T_IEEE_F64LE, 0.5), {"crossover 0.5", "[0, 0.5)"});
  expect_parts(with("crossover", H5T_IEEE_F64LE, std::nan("")), {"crossover nan"});
  write_some(path("p.h5"));
  edit_file(path("p.h5"), [](hid_t file) { overwrite(file, "/prediction/probability", 0.75); });
  expect_parts(refusal(), {"digest of /prediction/probability"});
  write_some(path("p.h5"));
  edit_file(path("p.h5"), [](hid_t file) { overwrite(file, "/prediction/probability", 1.5); });
  expect_parts(refusal(), {"/prediction/probability holds 1.5"});
  write_model(path("p.h5"), some_model(), some_run());
  expect_parts(refusal(), {"no /prediction, but /model"});
}

}  // namespace
}  // namespace orrery::store
