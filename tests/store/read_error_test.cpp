// Every way in which a file can be the wrong one, and what the user is told.
#include "store/edit_file.hpp"
#include "store/edited_hdf5.hpp"
#include "store/hdf5_wrapper.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

class ReadErrorTest : public StoreTest {
 protected:
  void TearDown() override {
    const std::string printed = testing::internal::GetCapturedStderr();
    EXPECT_EQ(printed.find("HDF5-DIAG"), std::string::npos) << printed;
  }
  void SetUp() override { testing::internal::CaptureStderr(); }

  /// Changes a file behind orrery's back.
  void edit(const std::string& name, const std::function<void(hid_t file)>& change) const {
    edit_file(path(name), change);
  }
  /// All messages name the file.
  [[nodiscard]] std::string samples_error(const std::string& name) const {
    return checked(name,
                   message_of<InputError>([&] { static_cast<void>(read_samples(path(name))); }));
  }
  [[nodiscard]] std::string model_error(const std::string& name) const {
    return checked(name,
                   message_of<InputError>([&] { static_cast<void>(read_model(path(name))); }));
  }

 private:
  [[nodiscard]] std::string checked(const std::string& name, const std::string& message) const {
    EXPECT_EQ(message.find(path(name).string()), 0U) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
};

void replace_dataset(hid_t file, const std::string& name, hid_t type,
                     const std::vector<hsize_t>& shape, hid_t properties = H5P_DEFAULT) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  H5Dclose(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  H5Sclose(space);
}

TEST_F(ReadErrorTest, absent_files_and_directories) {
  expect_parts(samples_error("nothing.h5"), {"no such file"});
  expect_parts(samples_error(""), {"directory"});
}

TEST_F(ReadErrorTest, a_table_is_to_be_imported) {
  put_bytes(path("table.csv"), "a,b\n0,1\n");
  expect_parts(samples_error("table.csv"), {"begins with 'a,b\\x0a0,1\\x0a'", "orrery import"});
  put_bytes(path("empty.h5"), "");
  expect_parts(samples_error("empty.h5"), {"empty"});
  EXPECT_FALSE(is_hdf5(path("table.csv")));
  EXPECT_FALSE(is_hdf5(path("empty.h5")));
}

TEST_F(ReadErrorTest, another_programs_file) {
  H5Fclose(H5Fcreate(path("old.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_TRUE(is_hdf5(path("old.h5")));
  expect_parts(samples_error("old.h5"), {"not one of orrery's", "orrery import"});
  { const hdf5::Handle file = hdf5::create_file(path("new.h5")); }
  expect_parts(samples_error("new.h5"), {"not one of orrery's", "'format'", "orrery import"});
  {
    const hdf5::Handle file = hdf5::create_file(path("other.h5"));
    hdf5::write_attribute(file, "format", std::string("anndata"));
    hdf5::write_attribute(file, "schema", std::uint32_t{1});
  }
  expect_parts(samples_error("other.h5"), {"'anndata'", "'orrery'"});
}

TEST_F(ReadErrorTest, a_newer_schema) {
  write_samples(path("s.h5"), 10, {"a", "b"});
  const std::uint32_t two = 2;
  edit("s.h5", [&](hid_t file) { replace_attribute(file, "/", "schema", H5T_STD_U32LE, &two); });
  expect_parts(samples_error("s.h5"), {"schema 2", "schema 1", "newer orrery"});
  EXPECT_THROW(static_cast<void>(inspect(path("s.h5"))), InputError);
}

TEST_F(ReadErrorTest, an_absent_group_lists_what_there_is) {
  write_model(path("m.h5"), some_model(), some_run());
  expect_parts(samples_error("m.h5"), {"no /samples", "/model"});
  write_samples(path("s.h5"), 10, {"a", "b"});
  expect_parts(model_error("s.h5"), {"no /model", "/samples"});
  EXPECT_THROW(MomentsReader(path("s.h5")), InputError);
}

TEST_F(ReadErrorTest, truncated) {
  write_samples(path("s.h5"), 1000, {"a", "b"});
  std::filesystem::resize_file(path("s.h5"), std::filesystem::file_size(path("s.h5")) - 1);
  expect_parts(samples_error("s.h5"), {"truncated"});
}

TEST_F(ReadErrorTest, wrong_type_rank_or_shape) {
  const auto with_bits = [&](hid_t type, const std::vector<hsize_t>& shape) {
    write_samples(path("s.h5"), 100, {"a", "b"});
    edit("s.h5", [&](hid_t file) {
      const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
      replace_dataset(file, "/samples/bits", type, shape, properties);
      H5Pclose(properties);
    });
    return samples_error("s.h5");
  };
  expect_parts(with_bits(H5T_STD_U8LE, {2, 2}), {"/samples/bits", "another type"});
  expect_parts(with_bits(H5T_STD_U64BE, {2, 2}), {"/samples/bits", "another type"});
  expect_parts(with_bits(H5T_STD_U64LE, {4}), {"/samples/bits", "1 dimensions", "2"});
  expect_parts(with_bits(H5T_STD_U64LE, {2, 3}), {"/samples/bits", "2 x 3", "2 x 2"});
}

TEST_F(ReadErrorTest, an_absent_dataset_or_attribute) {
  write_samples(path("s.h5"), 100, {"a", "b"});
  edit("s.h5", [](hid_t file) { H5Adelete_by_name(file, "samples", "n_samples", H5P_DEFAULT); });
  expect_parts(samples_error("s.h5"), {"no attribute n_samples of /samples"});
  write_samples(path("s.h5"), 100, {"a", "b"});
  edit("s.h5", [](hid_t file) { H5Ldelete(file, "/samples/names", H5P_DEFAULT); });
  expect_parts(samples_error("s.h5"), {"no /samples/names"});
}

TEST_F(ReadErrorTest, links_out_of_the_file_are_not_followed) {
  write_samples(path("s.h5"), 100, {"a", "b"});
  write_samples(path("t.h5"), 100, {"a", "b"});
  edit("s.h5", [&](hid_t file) {
    H5Ldelete(file, "/samples/bits", H5P_DEFAULT);
    H5Lcreate_external(path("t.h5").c_str(), "/samples/bits", file, "/samples/bits", H5P_DEFAULT,
                       H5P_DEFAULT);
  });
  expect_parts(samples_error("s.h5"), {"no /samples/bits"});
}

TEST_F(ReadErrorTest, compressed_data_are_refused) {
  write_samples(path("s.h5"), 100, {"a", "b"});
  edit("s.h5", [&](hid_t file) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[] = {2, 2};
    H5Pset_chunk(properties, 2, chunk);
    H5Pset_deflate(properties, 1);
    replace_dataset(file, "/samples/bits", H5T_STD_U64LE, {2, 2}, properties);
    H5Pclose(properties);
  });
  expect_parts(samples_error("s.h5"), {"/samples/bits", "compressed"});
}

TEST_F(ReadErrorTest, claimed_sizes_are_compared_with_the_file_before_anything_is_allocated) {
  // 2^50 words, of which none is stored: chunked, and contiguous.
  for (const bool chunked : {true, false}) {
    write_samples(path("s.h5"), 100, {"a", "b"});
    edit("s.h5", [&](hid_t file) {
      const std::uint64_t n_samples = std::uint64_t{1} << 55U;
      replace_attribute(file, "/samples", "n_samples", H5T_STD_U64LE, &n_samples);
      const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
      const hsize_t chunk[] = {2, 1024};
      if (chunked) {
        H5Pset_chunk(properties, 2, chunk);
      }
      replace_dataset(file, "/samples/bits", H5T_STD_U64LE, {2, n_samples / 64}, properties);
      H5Pclose(properties);
    });
    expect_parts(samples_error("s.h5"), {"/samples/bits", "bytes"});
  }
  write_samples(path("s.h5"), 100, {"a", "b"});
  edit("s.h5", [&](hid_t file) {
    const std::uint64_t n_observed = std::uint64_t{1} << 60U;
    replace_attribute(file, "/samples", "n_observed", H5T_STD_U64LE, &n_observed);
    replace_dataset(file, "/samples/names", H5T_C_S1, {n_observed});
  });
  expect_parts(samples_error("s.h5"), {"/samples/names", "bytes"});
}

TEST_F(ReadErrorTest, a_number_of_samples_at_the_limit_does_not_wrap) {
  write_samples(path("s.h5"), 0, {"a", "b"});
  const std::uint64_t most = ~std::uint64_t{0};
  edit("s.h5",
       [&](hid_t file) { replace_attribute(file, "/samples", "n_samples", H5T_STD_U64LE, &most); });
  expect_parts(samples_error("s.h5"), {"/samples/bits", "2 x 288230376151711744"});
}

/// Overwrites the first value of a dataset, and its digest if one is given.
TEST_F(ReadErrorTest, changed_values_differ_from_their_digest) {
  write_samples(path("s.h5"), 100, {"a", "b"});
  edit("s.h5", [](hid_t file) { overwrite<std::uint64_t>(file, "/samples/bits", 0); });
  expect_parts(samples_error("s.h5"), {"digest of block 0 of /samples/bits", "damaged"});
  edit("s.h5", [](hid_t file) { restore_digest(file, "/samples/bits", 1); });
  expect_parts(samples_error("s.h5"), {"digest of /samples/bits is 0000000000000001"});
  write_samples(path("s.h5"), 100, {"a", "b"});
  edit("s.h5", [](hid_t file) {
    const std::string wrong(16, '0');
    const hdf5::Handle type = hdf5::string_type(16);
    replace_attribute(file, "/samples", "digest", type.id(), wrong.data());
  });
  expect_parts(samples_error("s.h5"), {"digest of /samples is 0000000000000000"});
  EXPECT_THROW(static_cast<void>(read_sample_header(path("s.h5"))), InputError);
  write_model(path("m.h5"), some_model(), some_run());
  edit("m.h5", [](hid_t file) { overwrite<double>(file, "/model/causes/prior", 0.5); });
  expect_parts(model_error("m.h5"), {"digest of /model/causes/prior"});
}

TEST_F(ReadErrorTest, a_network_that_is_none_names_the_file_and_the_entry) {
  const auto with = [&](auto value, const std::string& dataset) {
    write_model(path("m.h5"), some_model(), some_run());
    std::string computed;
    edit("m.h5", [&](hid_t file) { overwrite(file, dataset, value); });
    // The message gives the digest that the values now have.
    const std::string message = model_error("m.h5");
    const std::string key = "its values give ";
    computed = message.substr(message.find(key) + key.size(), 16);
    edit("m.h5",
         [&](hid_t file) { restore_digest(file, dataset, std::stoull(computed, nullptr, 16)); });
    return model_error("m.h5");
  };
  expect_parts(with(1.5, "/model/causes/prior"), {"/model/causes/prior[0] = 1.5"});
  expect_parts(with(std::uint32_t{9}, "/model/edges/observed"), {"/model: edges[0].observed = 9"});
  expect_parts(with(std::int32_t{4}, "/model/provenance/quartet"),
               {"/model/provenance/quartet[0] = 4"});
  expect_parts(with(-0.5, "/model/causes/prior_error"), {"/model/causes/prior_error[0]", "-0.5"});
  expect_parts(with(1.5, "/model/stability/edge"), {"/model/stability/edge[0]", "1.5"});
}

TEST_F(ReadErrorTest, errors_of_a_part_of_the_parameters_are_refused) {
  for (const std::string absent :
       {"/model/causes/prior_error", "/model/observed/leak_error", "/model/edges/failure_error"}) {
    write_model(path("m.h5"), some_model(), some_run());
    edit("m.h5", [&](hid_t file) { H5Ldelete(file, absent.c_str(), H5P_DEFAULT); });
    expect_parts(model_error("m.h5"), {"no " + absent});
  }
}

TEST_F(ReadErrorTest, an_edge_that_is_none_takes_what_is_said_of_it_along) {
  const model::LearnedModel whole = some_model();
  write_model(path("m.h5"), whole, some_run());
  EditedHdf5 file(path("m.h5"));
  std::vector<double> failures;
  for (const model::Edge& edge : whole.network.edges()) failures.push_back(edge.failure);
  failures[0] = 1;
  EXPECT_TRUE(
      file.put({"/model/edges/failure", ""}, cells_of(CellType::f64, failures, {failures.size()})));
  file.repair_digests();
  const model::LearnedModel found = read_model(path("m.h5"));
  ASSERT_EQ(found.errors.failure.size(), failures.size() - 1);
  EXPECT_EQ(found.errors.failure[0], whole.errors.failure[1]);
  EXPECT_EQ(found.stability.edge[0], whole.stability.edge[1]);
}

TEST_F(ReadErrorTest, ones_where_nothing_was_observed_are_refused) {
  // An hdf5 file in order but for its content: the counts would be wrong.
  const auto with = [&](std::uint64_t bits, std::uint64_t missing) {
    SampleWriter writer(path("s.h5"));
    writer.begin({"a"});
    data::BitColumns values(1, 10);
    data::BitColumns mask(1, 10);
    values.words()[0] = bits;
    mask.words()[0] = missing;
    writer.append(values, &mask);
    return message_of<EnvironmentError>([&] { writer.finish(some_run()); });
  };
  expect_parts(with(std::uint64_t{1} << 10U, 0), {"/samples/bits", "beyond the last sample"});
  expect_parts(with(0, std::uint64_t{1} << 10U), {"/samples/missing", "beyond the last"});
  expect_parts(with(3, 2), {"1 where /samples/missing"});
}

}  // namespace
}  // namespace orrery::store
