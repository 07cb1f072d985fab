// The schema as other programs see it.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "store/digest.hpp"
#include "store/groups.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using SchemaTest = StoreTest;

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t n = 1; pipe != nullptr && n > 0;) {
    n = std::fread(buffer.data(), 1, buffer.size(), pipe);
    output.append(buffer.data(), n);
  }
  if (pipe != nullptr) {
    ::pclose(pipe);
  }
  return output;
}

TEST_F(SchemaTest, h5dump_shows_the_groups_types_and_shapes) {
  if (std::system("h5dump --version >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "h5dump (package hdf5-tools) is not installed";
  }
  const model::LearnedModel truth = some_model();
  const Cell some = [](std::uint64_t row, std::size_t /*c*/) { return row == 3; };
  write_samples(path("s.h5"), 65, {"ab", "c"}, scattered, some, some_run(), &truth);
  const std::string dump = output_of("h5dump -H " + path("s.h5").string());
  for (const std::string part :
       {"GROUP \"samples\"", "GROUP \"model\"", "GROUP \"run\"", "ATTRIBUTE \"format\"",
        "ATTRIBUTE \"schema\"", "ATTRIBUTE \"n_samples\"", "ATTRIBUTE \"digest\"",
        "DATASET \"bits\"", "DATASET \"missing\"", "DATASET \"names\"", "DATASET \"prior\"",
        "DATASET \"failure\"", "DATASET \"quartet\"", "SIMPLE { ( 2, 2 ) / ( 2, H5S_UNLIMITED ) }",
        "SIMPLE { ( 2, 4 ) / ( 2, 4 ) }", "CSET H5T_CSET_UTF8"}) {
    EXPECT_NE(dump.find(part), std::string::npos) << part << " in\n" << dump;
  }
}

TEST_F(SchemaTest, digests_are_xxh3_64) {
  // The published value of the empty input, and its text form.
  EXPECT_EQ(Digest().value(), 0x2d06800538d394c2U);
  EXPECT_EQ(digest_to_hex(0xab), "00000000000000ab");
  EXPECT_EQ(digest_from_hex("00000000000000ab"), 0xabU);
  for (const char* wrong :
       {"", "ab", "00000000000000AB", "0x000000000000ab", "00000000000000abc"}) {
    EXPECT_FALSE(digest_from_hex(wrong)) << wrong;
  }
}

TEST_F(SchemaTest, the_digest_of_samples_is_the_one_documented) {
  write_samples(path("s.h5"), 3, {"ab", "c"},
                [](std::uint64_t row, std::size_t c) { return row == c + 1; });
  // Column 0 is 0,1,0; column 1 is 0,0,1.
  const std::vector<std::uint64_t> bits = {2, 4};
  const std::vector<std::uint64_t> blocks = {digest_of(std::span<const std::uint64_t>(bits))};
  const std::string names("ab\0c\0", 5);
  EXPECT_EQ(read_sample_header(path("s.h5")).digest,
            samples_digest(3, 2, digest_of(std::span<const std::uint64_t>(blocks)), 0,
                           digest_of(std::span<const char>(names))));
}

TEST_F(SchemaTest, the_digest_of_a_checkpoint_is_the_one_documented) {
  Checkpoint state;
  state.learner = "ab";
  state.data_digest = 5;
  state.n_samples = 6;
  state.n_observed = 7;
  state.options = {{"o", "v"}};
  state.words = {{"w", {8, 9}}};
  state.reals = {{"r", {}}};
  write_checkpoint(path("c.h5"), state, some_run());

  std::string bytes("ab\0", 3);
  const auto add = [&](const std::vector<std::uint64_t>& words) {
    bytes.append(reinterpret_cast<const char*>(words.data()), 8 * words.size());
  };
  const auto add_dataset = [&](const char* name, std::uint64_t n, const std::string& content) {
    bytes.append(name, std::strlen(name) + 1);
    add({n, digest_of(std::span<const char>(content))});
  };
  add({1, 5, 6, 7});
  add_dataset("option_names", 1, std::string("o\0", 2));
  add_dataset("option_values", 1, std::string("v\0", 2));
  add_dataset("words/w", 2, std::string("\x08\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0", 16));
  add_dataset("reals/r", 0, "");
  const hdf5::Handle file = hdf5::open_file(path("c.h5"));
  EXPECT_EQ(read_digest_attribute(hdf5::open_group(file, "checkpoint"), "digest"),
            digest_of(std::span<const char>(bytes)));
}

TEST_F(SchemaTest, small_data_make_small_files) {
  write_samples(path("s.h5"), 100, std::vector<std::string>(64, "name"));
  EXPECT_LT(std::filesystem::file_size(path("s.h5")), 20000U);
}

}  // namespace
}  // namespace orrery::store
